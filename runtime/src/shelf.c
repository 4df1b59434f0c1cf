#include "shelf.h"

#include <stdlib.h>
#include <string.h>

static size_t position(const sar_shelves *s, sar_stream stream) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (s->list[mid]->stream < stream)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

sar_shelf *sar_shelves_search(sar_shelves *s, sar_stream stream) {
  size_t i = position(s, stream);
  if (i == s->count || s->list[i]->stream != stream) return NULL;
  return s->last = s->list[i];
}

static bool grow(sar_shelves *s) {
  size_t cap = s->cap ? s->cap * 2 : 8;
  sar_shelf **bigger = realloc(s->list, cap * sizeof(sar_shelf *));
  if (!bigger) return false;
  s->list = bigger;
  s->cap = cap;
  return true;
}

sar_status sar_shelves_make(sar_shelf **out, sar_shelves *s, sar_stream stream) {
  *out = sar_shelves_find(s, stream);
  if (*out) return SAR_OK;
  if (s->count == s->cap && !grow(s)) return SAR_E_NOMEM_HOST;
  sar_shelf *shelf = calloc(1, sizeof *shelf);
  if (!shelf) return SAR_E_NOMEM_HOST;
  shelf->stream = stream;
  size_t i = position(s, stream);
  if (i < s->count) memmove(&s->list[i + 1], &s->list[i], (s->count - i) * sizeof(sar_shelf *));
  s->list[i] = shelf;
  s->count++;
  *out = shelf;
  return SAR_OK;
}

void sar_shelves_drop(sar_shelves *s) {
  for (size_t i = 0; i < s->count; i++) free(s->list[i]);
  free(s->list);
  *s = (sar_shelves){0};
}
