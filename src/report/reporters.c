#include "report/formats.h"

#include <string.h>

static const sa_reporter REPORTERS[] = {
    {"text", "messages with source lines and the evidence path", sa_text_write},
    {"json", "every site and finding (schema sa-lint/1)", sa_json_write},
    {"sarif", "SARIF 2.1.0 for code scanning", sa_sarif_write},
    {"github", "annotations for a GitHub Actions log", sa_github_write},
    {NULL, NULL, NULL},
};

const sa_reporter *sa_reporters(void) {
  return REPORTERS;
}

const sa_reporter *sa_reporter_find(const char *name) {
  for (const sa_reporter *r = REPORTERS; r->name != NULL; r++)
    if (strcmp(r->name, name) == 0) return r;
  return NULL;
}
