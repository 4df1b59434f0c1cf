/* What the user wants to see, decided once before any writer runs. */
#ifndef SA_FILTER_FILTER_H
#define SA_FILTER_FILTER_H

#include "filter/baseline.h"
#include "model/changes.h"
#include "model/finding.h"
#include "model/policy.h"

typedef struct {
  const char *const *select, *const *ignore; /* rules: ids or their beginnings */
  uint32_t nselect, nignore;                 /* none selected: all are */
  const sa_policy *policies;                 /* a file obeys the one of the deepest directory */
  uint32_t npolicies;
  int fail_on;               /* an sa_severity; -1: what the policies say, else a warning */
  const sa_changes *changes; /* only findings on lines that changed; NULL: all */
  sa_baseline *baseline;     /* NULL: none */
  bool renew_baseline;       /* put all findings into it, in place of what it has */
  sa_seen seen;              /* for the baseline */
  const char *today;         /* 2026-11-29: from when on suppressions have expired */
  bool keep_suppressed;      /* leave suppressed findings where they are */
} sa_filter_options;

/* The setting that decides about a rule in a file (relative to the root), or NULL. */
const sa_level_setting *sa_filter_setting(const sa_filter_options *options, const char *rule,
                                          const char *file);

/* Whether the finding, which has its key (model/key.h), is asked for: its rule is on, no comment
 * allows it, it is not in the baseline, and it is part of the change that is looked at. */
bool sa_filter_wants(const sa_filter_options *options, const sa_finding *finding);

/* Takes findings away from the change away, findings that a comment allows out into
 * result->suppressed, reports comments that allow nothing, applies levels, selected and ignored
 * rules, takes repeated messages out and sorts the result. */
void sa_filter(sa_result *result, sa_arena *arena, const sa_filter_options *options);

#endif
