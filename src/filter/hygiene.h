/* Findings about the comments that allow findings. */
#ifndef SA_FILTER_HYGIENE_H
#define SA_FILTER_HYGIENE_H

#include "model/finding.h"

#define SA_RULE_UNUSED    "SA902"
#define SA_RULE_UNKNOWN   "SA903"
#define SA_RULE_NO_REASON "SA904"
#define SA_RULE_EXPIRED   "SA905"

/* Adds a finding of one of these rules; nothing when the ruleset does not have it. */
void sa_hygiene_add(sa_result *result, sa_arena *arena, const char *rule, sa_place at,
                    const char *message);

/* Whether it is one of these rules: they cannot be allowed by a comment. */
bool sa_hygiene_is(const sa_rule *rule);

#endif
