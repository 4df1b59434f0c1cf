/* Shared by the files of this stage. */
#ifndef SA_CLASSIFY_INTERNAL_H
#define SA_CLASSIFY_INTERNAL_H

#include "classify/classify.h"

/* A range as a place in a named file; a range that is nowhere gives line 0 and file "". */
sa_place sa_place_of(const sa_ir_unit *unit, sa_range range);

/* The evidence with places; a step that is nowhere gets `fallback`. Appends to site or finding. */
void sa_steps_copy(sa_step **at, uint32_t *n, sa_arena *arena, const sa_ir_unit *unit,
                   const sa_evidence_array *evidence, sa_place fallback);

/* The facts as configuration wants them read. */
sa_site_facts sa_facts_configured(const sa_site_facts *facts, const sa_classify_options *options);

/* The site of the JSON contract for one call. `row` is NULL where there is no verdict; `ordinal`
 * tells apart calls that are alike in function, block and stream. */
sa_site sa_site_make(sa_arena *arena, const sa_ir_unit *unit, const sa_site_facts *facts,
                     const sa_verdict_row *row, uint32_t ordinal);

/* What stands behind the verdict, or NULL when nobody asked about this call. */
sa_account *sa_account_make(sa_arena *arena, const sa_ir_unit *unit, const sa_ruleset *rules,
                            const sa_site_facts *facts, const sa_verdict_row *row);
/* The same for a hazard, which has no facts. */
sa_account *sa_account_of_hazard(sa_arena *arena, const sa_hazard *hazard);

/* Whether the site needs a verdict: analysed, and a call that could be left out. */
bool sa_site_wants_verdict(const sa_site_facts *facts);

#endif
