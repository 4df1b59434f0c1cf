/* Addresses that the build was told. */
#include "report/report.h"

const char *sa_project_address(void) {
  return SA_PROJECT_URI[0] != '\0' ? SA_PROJECT_URI : NULL;
}

const char *sa_rule_page(sa_arena *arena, const sa_rule *rule) {
  if (SA_DOCS_URI[0] == '\0') return NULL;
  return sa_printf(arena, SA_DOCS_URI "/rules/%s.md", rule->id);
}
