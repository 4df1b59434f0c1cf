#include "filter/hygiene.h"

#include <string.h>

void sa_hygiene_add(sa_result *result, sa_arena *arena, const char *rule, sa_place at,
                    const char *message) {
  const sa_rule *known = sa_ruleset_find_rule(result->rules, rule);
  if (known == NULL) return;
  sa_push(arena, &result->findings,
          (sa_finding){.rule = known,
                       .level = known->level,
                       .at = at,
                       .message = message,
                       .help = known->help,
                       .function = ""});
}

bool sa_hygiene_is(const sa_rule *rule) {
  static const char *const ids[] = {SA_RULE_UNUSED, SA_RULE_UNKNOWN, SA_RULE_NO_REASON,
                                    SA_RULE_EXPIRED};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (strcmp(rule->id, ids[i]) == 0) return true;
  return false;
}
