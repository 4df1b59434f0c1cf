/* One file to analyse, as the project stage hands it to a frontend. */
#ifndef SA_MODEL_JOB_H
#define SA_MODEL_JOB_H

#include "model/origin.h"
#include "model/reads.h"

typedef struct {
  const char *root;     /* absolute path of the project root, no trailing slash */
  const char *path;     /* relative to the root, forward slashes: the name in every output */
  const char *absolute; /* where the file lies */
  const char *text;     /* contents, NUL-terminated; may hold NUL bytes */
  size_t length;
  const sa_origin *origin;        /* NULL unless the text was taken out of the file */
  const char *language;           /* "c", "cpp", "cuda", "hip", "python" */
  bool native;                    /* flags come from a compile database: use real headers */
  SA_ARRAY(const char *) flags;   /* native: cleaned flags, without compiler, input and output */
  const char *directory;          /* native: working directory of the compile command */
  SA_ARRAY(const char *) defines; /* hermetic: extra NAME or NAME=VALUE */
  sa_reads *reads;                /* Python: where to say what else was read; NULL: nobody asks */
} sa_job;

#endif
