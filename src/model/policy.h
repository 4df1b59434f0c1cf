/* What a project and a run want to see; configurations fill it and the filter reads it. */
#ifndef SA_MODEL_POLICY_H
#define SA_MODEL_POLICY_H

#include "base/diag.h"

#include <stdbool.h>

typedef SA_ARRAY(const char *) sa_globs;

typedef struct {
  const char *rule; /* "SA101", or the beginning of several ids */
  bool off;
  sa_severity level;
  sa_globs paths;        /* none: every file */
  unsigned line, column; /* in the configuration */
} sa_level_setting;

/* One configuration's share. Directories are relative to the root, "." is the root itself. */
typedef struct {
  const char *directory;          /* whose files obey it; NULL: all files */
  const char *base;               /* that patterns are relative to */
  const sa_level_setting *levels; /* later ones win */
  uint32_t nlevels;
  int fail_on; /* an sa_severity, or -1 */
} sa_policy;

#endif
