#include "model/ruleset.h"

#include <string.h>

const sa_rule *sa_ruleset_find_rule(const sa_ruleset *rules, const char *id) {
  for (uint32_t i = 0; i < rules->rules.n; i++)
    if (strcmp(rules->rules.at[i].id, id) == 0) return &rules->rules.at[i];
  return NULL;
}

/* `*` matches any run of characters. Goes back to the last star only: linear in practice. */
static bool glob_matches(const char *glob, const char *text) {
  const char *star = NULL, *retry = NULL;
  while (*text != '\0') {
    if (*glob == '*') {
      star = glob++;
      retry = text;
    } else if (*glob == *text) {
      glob++;
      text++;
    } else if (star != NULL) {
      glob = star + 1;
      text = ++retry;
    } else {
      return false;
    }
  }
  while (*glob == '*') glob++;
  return *glob == '\0';
}

const sa_sdk_include *sa_ruleset_sdk_header(const sa_ruleset *rules, const char *spelling) {
  for (uint32_t i = 0; i < rules->includes.n; i++)
    if (glob_matches(rules->includes.at[i].spelling, spelling)) return &rules->includes.at[i];
  return NULL;
}
