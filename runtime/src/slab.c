#include "slab.h"

#include <stdlib.h>

#define CHUNK_PIECES 64

void sar_slab_init(sar_slab *s, size_t piece) {
  *s = (sar_slab){.piece = (piece + 15) / 16 * 16};
}

void sar_slab_drop(sar_slab *s) {
  for (sar_slab_piece *c = s->chunks; c;) {
    sar_slab_piece *next = c->next;
    free(c);
    c = next;
  }
  sar_slab_init(s, s->piece);
}

static bool add_chunk(sar_slab *s) {
  char *chunk = malloc(16 + s->piece * CHUNK_PIECES);
  if (!chunk) return false;
  ((sar_slab_piece *)(void *)chunk)->next = s->chunks;
  s->chunks = (sar_slab_piece *)(void *)chunk;
  for (size_t i = CHUNK_PIECES; i-- > 0;) sar_slab_give(s, chunk + 16 + i * s->piece);
  return true;
}

bool sar_slab_grow(sar_slab *s, size_t pieces) {
  while (s->spare < pieces)
    if (!add_chunk(s)) return false;
  return true;
}
