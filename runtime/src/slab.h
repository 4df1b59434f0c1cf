/* Equal pieces of host memory with a free list: taking and returning one is a few instructions,
 * and a reserve makes the next takes safe from failure. */
#ifndef SAR_SRC_SLAB_H
#define SAR_SRC_SLAB_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sar_slab_piece {
  struct sar_slab_piece *next;
} sar_slab_piece;

typedef struct {
  size_t piece;
  size_t spare; /* pieces on the free list */
  sar_slab_piece *free;
  sar_slab_piece *chunks;
} sar_slab;

void sar_slab_init(sar_slab *, size_t piece);
void sar_slab_drop(sar_slab *);
bool sar_slab_grow(sar_slab *, size_t pieces); /* until so many are spare */

static inline bool sar_slab_reserve(sar_slab *s, size_t pieces) {
  return s->spare >= pieces || sar_slab_grow(s, pieces);
}

/* Holds what its last owner left there. NULL: the host has no memory. */
static inline void *sar_slab_take(sar_slab *s) {
  if (!sar_slab_reserve(s, 1)) return NULL;
  sar_slab_piece *piece = s->free;
  s->free = piece->next;
  s->spare--;
  return piece;
}

static inline void sar_slab_give(sar_slab *s, void *piece) {
  sar_slab_piece *p = (sar_slab_piece *)piece;
  p->next = s->free;
  s->free = p;
  s->spare++;
}

#endif
