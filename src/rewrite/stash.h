/* Exact words for a holder that can keep the reference: which statement, where, and where it is
 * dropped. No proof: whoever follows it checks that the drop comes behind the wait. */
#ifndef SA_REWRITE_STASH_H
#define SA_REWRITE_STASH_H

#include "rewrite/rewrite.h"

/* The advice for site `index`, or NULL when there is no holder or its statement cannot be named. */
const char *sa_stash_advice(const sa_rewrite_input *input, uint32_t index);

#endif
