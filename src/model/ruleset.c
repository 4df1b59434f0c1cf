#include "model/ruleset.h"

#include <string.h>

const sa_rule *sa_ruleset_find_rule(const sa_ruleset *rules, const char *id) {
  for (uint32_t i = 0; i < rules->rules.n; i++)
    if (strcmp(rules->rules.at[i].id, id) == 0) return &rules->rules.at[i];
  return NULL;
}
