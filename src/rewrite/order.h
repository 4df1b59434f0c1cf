/* Where the event and the waits of one group of calls go. */
#ifndef SA_REWRITE_ORDER_H
#define SA_REWRITE_ORDER_H

#include "rewrite/layout.h"
#include "rewrite/rewrite.h"

typedef struct {
  const sa_rewrite_input *input;
  const sa_shape *shape;
  const sa_spelling *spelling;
  const char *stream; /* the recorded stream's expression */
  uint32_t twins;     /* plans before this one that name an event alike in the same function */
} sa_order_input;

/* Takes out the helper that the plan's calls were the last ones of. */
const char *sa_retire_helper(const sa_rewrite_input *input, const sa_layout *layout, sa_plan *plan);

/* Adds a plan that moves the record of the event that finding number `finding` is about. */
void sa_plan_event(const sa_rewrite_input *input, uint32_t finding, sa_plans *plans);

/* Adds the candidates for the plan's sites. Returns NULL, or why there are none. */
const char *sa_order_plan(const sa_order_input *in, sa_plan *plan);

#endif
