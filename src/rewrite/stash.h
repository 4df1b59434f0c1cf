/* A holder that can keep the reference: which statement, where, and where it is dropped, in words
 * and as an edit to try. That the drop comes behind the wait is for the analysis to prove. */
#ifndef SA_REWRITE_STASH_H
#define SA_REWRITE_STASH_H

#include "rewrite/shape.h"

/* The advice for site `index`, or NULL when there is no holder or its statement cannot be named. */
const char *sa_stash_advice(const sa_rewrite_input *input, uint32_t index);

/* The statement that keeps the block in the place of the call of site `index`; "" when it is kept
 * already. NULL when there is none. */
const char *sa_stash_statement(const sa_rewrite_input *input, uint32_t index);

/* Adds the candidate that lets a holder keep the blocks of the plan's sites. Returns NULL, or why
 * there is none. */
const char *sa_keep_plan(const sa_rewrite_input *input, const sa_shape *shape, sa_plan *plan);

#endif
