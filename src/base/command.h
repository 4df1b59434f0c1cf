/* Running a program without a shell. */
#ifndef SA_BASE_COMMAND_H
#define SA_BASE_COMMAND_H

#include "base/array.h"
#include "base/fs.h"

typedef struct {
  const char *const *words; /* the program, found by PATH, and its arguments; ends with NULL */
  const char *const *environment; /* NAME=VALUE to add, NAME to take away; ends with NULL */
  const char *input;              /* what it reads; NULL: nothing */
  size_t input_length, limit;     /* of output in bytes; more is a failure */
} sa_command_line;

/* Runs it to its end. Returns its exit status, or -1 when it could not be started, was killed or
 * wrote too much. `out` has what it wrote; `complaint`, in `arena`, the first line of what it wrote
 * to standard error, or why it did not run. */
int sa_command_run(sa_buffer *out, const char **complaint, sa_arena *arena,
                   const sa_command_line *command);

#endif
