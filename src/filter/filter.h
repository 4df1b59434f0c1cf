/* What the user wants to see, decided once before any writer runs. */
#ifndef SA_FILTER_FILTER_H
#define SA_FILTER_FILTER_H

#include "model/finding.h"
#include "model/policy.h"

typedef struct {
  const char *const *select, *const *ignore; /* rules: ids or their beginnings */
  uint32_t nselect, nignore;                 /* none selected: all are */
  const sa_level_setting *levels;            /* later ones win */
  uint32_t nlevels;
  const char *today;    /* 2026-11-29: from when on suppressions have expired */
  bool keep_suppressed; /* leave suppressed findings where they are */
} sa_filter_options;

/* Whether the rule is on: selected, not ignored, and not switched off. */
bool sa_filter_wants(const sa_filter_options *options, const char *rule);

/* Takes findings that a comment allows out into result->suppressed, reports comments that allow
 * nothing, applies levels, selected and ignored rules, takes repeated messages out and sorts the
 * result. */
void sa_filter(sa_result *result, sa_arena *arena, const sa_filter_options *options);

#endif
