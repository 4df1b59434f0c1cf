#include "report/formats.h"

#include <string.h>

static const sa_reporter REPORTERS[] = {
    {"text", "messages with source lines and the evidence path", sa_text_write, false},
    {"json", "every site and finding (schema sa-lint/1)", sa_json_write, false},
    {"sarif", "SARIF 2.1.0 for code scanning", sa_sarif_write, false},
    {"github", "annotations for a GitHub Actions log", sa_github_write, false},
    {"lintrunner", "messages for lintrunner, one a line; findings give status 0",
     sa_lintrunner_write, true},
    {"rdjsonl", "diagnostics for reviewdog, one a line", sa_rdjsonl_write, false},
    {"gitlab", "GitLab's Code Quality report", sa_gitlab_write, false},
    {NULL, NULL, NULL, false},
};

const sa_reporter *sa_reporters(void) {
  return REPORTERS;
}

const sa_reporter *sa_reporter_find(const char *name) {
  for (const sa_reporter *r = REPORTERS; r->name != NULL; r++)
    if (strcmp(r->name, name) == 0) return r;
  return NULL;
}
