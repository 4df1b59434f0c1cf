/* From a selected source to a job for a frontend. */
#ifndef SA_PROJECT_READ_H
#define SA_PROJECT_READ_H

#include "model/job.h"
#include "project/compile_db.h"
#include "project/select.h"

/* A source larger than this is not parsed. */
enum { SA_SOURCE_LIMIT = 16 << 20 };

typedef struct {
  const char *root;
  const sa_compile_db *db;    /* NULL: none */
  const char *const *defines; /* used where no command is known */
  uint32_t ndefines;
} sa_read_options;

/* Reads the file and finds its flags. On failure a message says what is wrong with the file, and
 * the status is SA_E_IO or SA_E_LIMIT. */
sa_status sa_read_job(sa_job *out, sa_arena *arena, sa_diag *diag, const sa_source *source,
                      const sa_read_options *options);

#endif
