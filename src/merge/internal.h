/* What the readers of both forms share. */
#ifndef SA_MERGE_INTERNAL_H
#define SA_MERGE_INTERNAL_H

#include "merge/merge.h"

#include <jansson.h>

typedef struct {
  const char *path;
  uint64_t hash; /* of the text */
  json_t *root;
} sa_one_report;

struct sa_reports {
  SA_ARRAY(sa_one_report) list; /* by hash */
  bool sarif;
};

/* SA_E_SYNTAX, after a message that names the report. */
__attribute__((format(printf, 3, 4))) sa_status sa_merge_refuse(sa_diag *diag,
                                                                const sa_one_report *report,
                                                                const char *format, ...);

#endif
