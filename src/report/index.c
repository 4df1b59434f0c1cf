#include "report/index.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b) {
  const sa_site *const *x = a, *const *y = b;
  return strcmp((*x)->id, (*y)->id);
}

sa_site_index sa_site_index_of(sa_arena *arena, const sa_result *result) {
  sa_site_index index = {NULL, result->sites.n};
  if (index.n == 0) return index;
  index.by_id = sa_alloc(arena, index.n * sizeof *index.by_id);
  for (uint32_t i = 0; i < index.n; i++) index.by_id[i] = &result->sites.at[i];
  qsort(index.by_id, index.n, sizeof *index.by_id, by_id);
  return index;
}

const sa_site *sa_site_index_find(const sa_site_index *index, const char *id) {
  if (id == NULL || index->n == 0) return NULL;
  sa_site wanted = {.id = id};
  const sa_site *key = &wanted;
  const sa_site **found = bsearch(&key, index->by_id, index->n, sizeof *index->by_id, by_id);
  return found == NULL ? NULL : *found;
}
