#include "slab.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_PIECES 64

typedef struct link {
  struct link *next;
} link;

void sar_slab_init(sar_slab *s, size_t piece) {
  *s = (sar_slab){.piece = (piece + 15) / 16 * 16};
}

void sar_slab_drop(sar_slab *s) {
  for (link *c = s->chunks; c;) {
    link *next = c->next;
    free(c);
    c = next;
  }
  sar_slab_init(s, s->piece);
}

static bool add_chunk(sar_slab *s) {
  char *chunk = malloc(16 + s->piece * CHUNK_PIECES);
  if (!chunk) return false;
  ((link *)(void *)chunk)->next = s->chunks;
  s->chunks = chunk;
  for (size_t i = CHUNK_PIECES; i-- > 0;) sar_slab_give(s, chunk + 16 + i * s->piece);
  return true;
}

bool sar_slab_reserve(sar_slab *s, size_t pieces) {
  while (s->spare < pieces)
    if (!add_chunk(s)) return false;
  return true;
}

void *sar_slab_take(sar_slab *s) {
  if (!s->free && !add_chunk(s)) return NULL;
  link *piece = s->free;
  s->free = piece->next;
  s->spare--;
  return memset(piece, 0, s->piece);
}

void sar_slab_give(sar_slab *s, void *piece) {
  link *l = piece;
  l->next = s->free;
  s->free = l;
  s->spare++;
}
