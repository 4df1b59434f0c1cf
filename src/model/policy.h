/* What a project and a run want to see; the configuration fills it and the filter reads it. */
#ifndef SA_MODEL_POLICY_H
#define SA_MODEL_POLICY_H

#include "base/diag.h"

#include <stdbool.h>

typedef struct {
  const char *rule; /* "SA101", or the beginning of several ids */
  bool off;
  sa_severity level;
  unsigned line, column; /* in the configuration */
} sa_level_setting;

#endif
