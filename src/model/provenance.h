/* Where the sources come from. */
#ifndef SA_MODEL_PROVENANCE_H
#define SA_MODEL_PROVENANCE_H

#include <stdbool.h>

/* A state of a repository. */
typedef struct {
  const char *repository; /* address without credentials */
  const char *revision;   /* commit id */
  const char *branch;     /* NULL: none is checked out */
  bool whole;             /* the project root is the root of the work tree */
} sa_provenance;

#endif
