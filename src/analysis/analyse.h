/* Order analysis (DESIGN 4.5). Needs a checked unit; fills facts; leaves the unit alone. */
#ifndef SA_ANALYSIS_ANALYSE_H
#define SA_ANALYSIS_ANALYSE_H

#include "model/facts.h"
#include "model/ruleset.h"

/* Analysis cannot fail: broken code gives fewer facts. Facts live in `arena`. */
void sa_analyse(sa_facts *out, sa_arena *arena, const sa_ir_unit *unit, const sa_ruleset *rules);

/* The same, with timelines for the calls and hazards on `line` of the file; 0: none. */
void sa_analyse_line(sa_facts *out, sa_arena *arena, const sa_ir_unit *unit,
                     const sa_ruleset *rules, uint32_t line);

/* Text forms for --dump=cfg and --dump=facts; same input, same bytes. */
char *sa_cfg_print(sa_arena *arena, const sa_ir_unit *unit);
char *sa_facts_print(sa_arena *arena, const sa_ir_unit *unit, const sa_facts *facts);

#endif
