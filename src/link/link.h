/* Makes what other units define known to one unit, between the frontend and the analysis. */
#ifndef SA_LINK_LINK_H
#define SA_LINK_LINK_H

#include "link/summaries.h"

/* `unit` with what it calls, who calls it and the classes it names, as far as summaries have them:
 * their functions become context (SA_FUNC_HEADER, no sites), calls get their bodies, and functions
 * whose callers are found elsewhere count as internal to the program. The unit's own summary is not
 * looked at. Names that several units define stay unresolved; depth and size are bounded.
 *
 * Needs a checked unit and gives a sound one: `unit` itself when there is nothing to add. It lives
 * in `arena` and shares what did not change. The order of the result does not depend on the order
 * of the summaries. */
const sa_ir_unit *sa_link(sa_arena *arena, const sa_ir_unit *unit, const sa_summaries *all);

#endif
