/* Compiler flags: what a parser may keep of a build's command line. */
#ifndef SA_PROJECT_FLAGS_H
#define SA_PROJECT_FLAGS_H

#include "base/diag.h"

#include <stdbool.h>

typedef SA_ARRAY(const char *) sa_words;

/* A command line, cleaned. */
typedef struct {
  sa_words flags;       /* header search, macros, language standard and the like; values that stand
                           in a word of their own stay in one */
  const char *language; /* what -x says: "c", "cpp", "cuda", "hip"; NULL when nothing does */
} sa_command;

typedef struct {
  sa_arena *arena;
  sa_diag *diag;
  const char *database;  /* for messages */
  unsigned line, column; /* of the entry */
  const char *directory; /* where the compiler ran */
  const char *root;      /* response files outside are not read */
} sa_flags_context;

/* Splits a command like a shell would (blanks, quotes, backslashes), but runs nothing and expands
 * nothing. */
void sa_flags_split(sa_words *out, sa_arena *arena, const char *command);

/* Keeps what says how a source reads. The compiler, its launcher, input, output, dependency files,
 * warnings, optimisation and code generation go; what would load code into the parser (plug-ins,
 * LLVM options, wrappers, response files outside the root) goes with a warning for each. */
void sa_flags_clean(sa_command *out, const sa_flags_context *context, const sa_words *words);

#endif
