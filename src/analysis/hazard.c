/* Orders that are missing where everything needed to say so is seen. */
#include "analysis/site.h"

#include <stdlib.h>

static int compare_hazards(const void *a, const void *b) {
  const sa_hazard *x = a, *y = b;
  int order = sa_range_compare(x->at, y->at);
  return order != 0 ? order : (int)x->kind - (int)y->kind;
}

void sa_hazard_run(sa_analysis *an) {
  if (an->out->hazards.n > 0)
    qsort(an->out->hazards.at, an->out->hazards.n, sizeof *an->out->hazards.at, compare_hazards);
}
