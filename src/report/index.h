/* Sites by their id: findings name the site they belong to. */
#ifndef SA_REPORT_INDEX_H
#define SA_REPORT_INDEX_H

#include "model/finding.h"

typedef struct {
  const sa_site **by_id; /* sorted */
  uint32_t n;
} sa_site_index;

sa_site_index sa_site_index_of(sa_arena *arena, const sa_result *result);
/* NULL when `id` is NULL or unknown. */
const sa_site *sa_site_index_find(const sa_site_index *index, const char *id);

#endif
