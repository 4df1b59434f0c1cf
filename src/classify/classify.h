/* Facts to verdicts and findings by the decision table (DESIGN 4.6). */
#ifndef SA_CLASSIFY_CLASSIFY_H
#define SA_CLASSIFY_CLASSIFY_H

#include "model/finding.h"

typedef struct {
  const char
      *stable_api; /* NULL, or "stable" / "internal": overrides what surface says (config `api:`) */
} sa_classify_options;

/* Adds the unit's sites and findings to `result`. Needs unit, facts and rules; leaves them alone.
 */
void sa_classify(sa_result *result, sa_arena *arena, const sa_ir_unit *unit, const sa_facts *facts,
                 const sa_ruleset *rules, const sa_classify_options *options);

/* The first row whose conditions hold, or NULL. */
const sa_verdict_row *sa_verdict_find(const sa_ruleset *rules, const sa_site_facts *facts);

#endif
