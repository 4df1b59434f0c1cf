/* Helpers that record for their callers. */
#ifndef SA_ANALYSIS_FORWARD_H
#define SA_ANALYSIS_FORWARD_H

#include "analysis/action.h"

/* Fills `forwards`, `only_records` and `only_marks` of the actions of `fn`, which are complete. A
 * helper does nothing with streams but wait and hand its block, or what it finds through it, and
 * its own stream on: its callers have the sites. */
void sa_forward_judge(sa_actions *out, sa_world *world, const sa_fn *fn);

#endif
