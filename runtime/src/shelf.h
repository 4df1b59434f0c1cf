/* The free blocks of one arena, a shelf for each stream. A shelf stays where it is until all go. */
#ifndef SAR_SRC_SHELF_H
#define SAR_SRC_SHELF_H

#include "index.h"

typedef struct {
  sar_stream stream;
  sar_index free[2]; /* large, small */
} sar_shelf;

typedef struct {
  sar_shelf **list; /* by stream */
  size_t count, cap;
  sar_shelf *last; /* found last: calls come in runs of one stream */
} sar_shelves;

sar_shelf *sar_shelves_search(sar_shelves *, sar_stream); /* NULL: that stream has none */
sar_status sar_shelves_make(sar_shelf **out, sar_shelves *, sar_stream);
void sar_shelves_drop(sar_shelves *);

static inline sar_shelf *sar_shelves_find(sar_shelves *s, sar_stream stream) {
  return s->last && s->last->stream == stream ? s->last : sar_shelves_search(s, stream);
}

#endif
