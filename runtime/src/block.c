#include <stdlib.h>
#include <string.h>

#include "pool.h"

size_t sar_round_size(size_t bytes) {
  if (bytes > SIZE_MAX - SAR_LARGE_ROUND) return 0;
  return (bytes + SAR_ROUND - 1) / SAR_ROUND * SAR_ROUND;
}

static size_t segment_size(size_t size) {
  if (size <= SAR_SMALL_MAX) return SAR_SMALL_SEGMENT;
  if (size < SAR_LARGE_MIN) return SAR_LARGE_SEGMENT;
  return (size + SAR_LARGE_ROUND - 1) / SAR_LARGE_ROUND * SAR_LARGE_ROUND;
}

/* ---- shelves -------------------------------------------------------------------------------- */

static size_t shelf_position(const sar_arena *a, sar_stream stream) {
  size_t low = 0, high = a->shelf_count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (a->shelves[mid].stream < stream)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* Calls come in runs of one stream, so the shelf of the last call is tried first. */
sar_shelf *sar_shelf_find(sar_arena *a, sar_stream stream) {
  if (a->last_shelf < a->shelf_count && a->shelves[a->last_shelf].stream == stream)
    return &a->shelves[a->last_shelf];
  size_t i = shelf_position(a, stream);
  if (i == a->shelf_count || a->shelves[i].stream != stream) return NULL;
  a->last_shelf = i;
  return &a->shelves[i];
}

sar_status sar_shelf_make(sar_arena *a, sar_stream stream) {
  if (sar_shelf_find(a, stream)) return SAR_OK;
  size_t i = shelf_position(a, stream);
  if (a->shelf_count == a->shelf_cap) {
    size_t cap = a->shelf_cap ? a->shelf_cap * 2 : 8;
    sar_shelf *bigger = realloc(a->shelves, cap * sizeof *bigger);
    if (!bigger) return SAR_E_NOMEM_HOST;
    a->shelves = bigger;
    a->shelf_cap = cap;
  }
  if (i < a->shelf_count)
    memmove(&a->shelves[i + 1], &a->shelves[i], (a->shelf_count - i) * sizeof *a->shelves);
  a->shelves[i] = (sar_shelf){.stream = stream};
  a->shelf_count++;
  return SAR_OK;
}

static sar_index *index_of(sar_block *b) {
  return &sar_shelf_find(b->arena, b->stream)->free[b->small];
}

sar_block *sar_block_find_free(sar_arena *a, size_t size, sar_stream stream) {
  sar_shelf *shelf = sar_shelf_find(a, stream);
  if (!shelf) return NULL;
  return (sar_block *)sar_index_first_fit(&shelf->free[size <= SAR_SMALL_MAX], size);
}

/* ---- states --------------------------------------------------------------------------------- */

static void count_state(sar_pool *p, const sar_block *b, uint64_t by) {
  uint64_t bytes = by * b->node.size; /* by is 1 or, modulo 2^64, -1 */
  switch ((sar_block_state)b->state) {
  case SAR_LIVE:
    p->stats.live += by;
    sar_level_add(&p->stats.allocated, bytes);
    break;
  case SAR_FREE:
    p->stats.idle += by;
    return;
  case SAR_PENDING:
    p->stats.pending += by;
    break;
  case SAR_DEFERRED:
    p->stats.deferred += by;
    break;
  }
  b->arena->busy += by;
  sar_level_add(&p->stats.active, bytes);
}

void sar_block_set_state(sar_pool *p, sar_block *b, sar_block_state state) {
  count_state(p, b, (uint64_t)-1);
  b->state = (uint8_t)state;
  count_state(p, b, 1);
}

/* ---- merge ---------------------------------------------------------------------------------- */

static void append_uses(sar_block *to, sar_block *from) {
  sar_use **end = &to->uses;
  while (*end) end = &(*end)->next;
  *end = from->uses;
  for (sar_use *u = from->uses; u; u = u->next) u->block = to;
  from->uses = NULL;
}

/* Two free blocks of one stream become one; both are off their shelf. Waits that the next owner
 * owes (mode WAIT) add up. */
static sar_block *join(sar_pool *p, sar_block *left, sar_block *right) {
  sar_table_erase(&p->table, right->node.addr);
  left->node.size += right->node.size;
  left->next = right->next;
  if (right->next) right->next->prev = left;
  if (right->freed_in > left->freed_in) left->freed_in = right->freed_in;
  append_uses(left, right);
  sar_slab_give(&p->blocks, right);
  p->stats.idle--;
  return left;
}

static bool can_merge(const sar_block *b, const sar_block *neighbour) {
  return neighbour && neighbour->state == SAR_FREE && neighbour->stream == b->stream;
}

/* b joins no shelf before it has swallowed its free neighbours. */
void sar_block_available(sar_pool *p, sar_block *b) {
  sar_block_set_state(p, b, SAR_FREE);
  sar_trace(p, SAR_TRACE_AVAILABLE, b, b->stream);
  sar_index *ix = index_of(b);
  if (can_merge(b, b->prev)) {
    sar_index_remove(ix, &b->prev->node);
    b = join(p, b->prev, b);
  }
  if (can_merge(b, b->next)) {
    sar_index_remove(ix, &b->next->node);
    b = join(p, b, b->next);
  }
  sar_index_insert(ix, &b->node);
}

/* ---- split ---------------------------------------------------------------------------------- */

static bool worth_splitting(const sar_block *b, size_t size) {
  size_t rest = b->node.size - size;
  return b->small ? rest >= SAR_ROUND : rest > SAR_SMALL_MAX;
}

static void split(sar_pool *p, sar_block *b, size_t size) {
  sar_block *rest = sar_slab_take(&p->blocks);
  rest->node.addr = b->node.addr + size;
  rest->node.size = b->node.size - size;
  rest->arena = b->arena;
  rest->stream = b->stream;
  rest->small = b->small;
  rest->freed_in = b->freed_in;
  rest->state = SAR_FREE;
  rest->prev = b;
  rest->next = b->next;
  if (b->next) b->next->prev = rest;
  b->next = rest;
  b->node.size = size;
  sar_table_put(&p->table, rest->node.addr, rest);
  p->stats.idle++;
  sar_index_insert(index_of(rest), &rest->node);
}

/* A free block becomes live, cut to size where the rest is worth keeping. In mode WAIT its
 * creation stream waits first, and so for the rest as well. Room for the rest was reserved. */
sar_status sar_block_take(sar_pool *p, sar_block *b, size_t size) {
  if (b->uses) {
    sar_status st = sar_pending_wait(p, b);
    if (st) return st;
  }
  sar_index_remove(index_of(b), &b->node);
  if (worth_splitting(b, size)) split(p, b, size);
  sar_block_set_state(p, b, SAR_LIVE);
  b->freed_in = 0;
  return SAR_OK;
}

/* Restoring a checkpoint: a free block, the first part of which becomes size bytes of stream's. */
void sar_block_carve(sar_pool *p, sar_block *b, size_t size, sar_stream stream) {
  sar_index_remove(index_of(b), &b->node);
  if (b->node.size > size) split(p, b, size);
  b->stream = stream;
  sar_index_insert(index_of(b), &b->node);
}

void sar_block_claim(sar_pool *p, sar_block *b) {
  sar_index_remove(index_of(b), &b->node);
  sar_block_set_state(p, b, SAR_LIVE);
}

/* ---- segments ------------------------------------------------------------------------------- */

static sar_status adopt_segment(sar_pool *p, sar_arena *a, sar_addr addr, size_t bytes, bool small,
                                sar_stream stream, sar_block **out) {
  if (!sar_slab_reserve(&p->blocks, 2) || !sar_table_reserve(&p->table, 2)) return SAR_E_NOMEM_HOST;
  sar_block *b = sar_slab_take(&p->blocks);
  b->node.addr = addr;
  b->node.size = bytes;
  b->arena = a;
  b->stream = stream;
  b->small = small;
  b->state = SAR_FREE;
  sar_table_put(&p->table, addr, b);
  a->segments++;
  p->stats.idle++;
  p->stats.segment_allocs++;
  sar_level_add(&p->stats.reserved, bytes);
  sar_trace(p, SAR_TRACE_SEGMENT_ALLOC, b, stream);
  sar_index_insert(index_of(b), &b->node);
  *out = b;
  return SAR_OK;
}

/* The device call may take long, so it runs outside the lock; a->growing keeps the arena. */
sar_status sar_block_grow(sar_pool *p, sar_arena *a, size_t size, sar_stream stream,
                          sar_block **out) {
  sar_addr addr = 0;
  size_t bytes = segment_size(size);
  a->growing++;
  pthread_mutex_unlock(&p->lock);
  sar_status st = p->backend->segment_alloc(p->backend->ctx, &addr, bytes);
  pthread_mutex_lock(&p->lock);
  a->growing--;
  if (st) return st;
  st = adopt_segment(p, a, addr, bytes, size <= SAR_SMALL_MAX, stream, out);
  if (st) p->backend->segment_free(p->backend->ctx, addr, bytes);
  return st;
}

static sar_status release_segment(sar_pool *p, sar_block *b) {
  for (sar_use *u = b->uses; u; u = u->next) { /* mode WAIT: nobody has waited yet */
    sar_status st = p->backend->event_sync(p->backend->ctx, u->event);
    if (st) return st;
  }
  sar_status st = p->backend->segment_free(p->backend->ctx, b->node.addr, b->node.size);
  if (st) return st;
  sar_use_drop_all(p, b);
  sar_index_remove(index_of(b), &b->node);
  sar_table_erase(&p->table, b->node.addr);
  b->arena->segments--;
  p->stats.idle--;
  p->stats.segment_frees++;
  sar_level_add(&p->stats.reserved, 0 - (uint64_t)b->node.size);
  sar_trace(p, SAR_TRACE_SEGMENT_FREE, b, b->stream);
  sar_slab_give(&p->blocks, b);
  return SAR_OK;
}

typedef struct {
  sar_block *first; /* linked by deferred_next, which free blocks do not use */
  bool whole;       /* segments of one block only, or the first block of each segment */
} sar_heads;

static bool collect_head(void *arg, sar_free_node *node) {
  sar_heads *heads = arg;
  sar_block *b = (sar_block *)node;
  if (b->prev || (heads->whole && b->next)) return true;
  b->deferred_next = heads->first;
  heads->first = b;
  return true;
}

static sar_block *heads_of(const sar_arena *a, bool whole) {
  sar_heads heads = {.whole = whole};
  for (size_t i = 0; i < a->shelf_count; i++)
    for (int small = 0; small < 2; small++)
      sar_index_each(&a->shelves[i].free[small], collect_head, &heads);
  return heads.first;
}

static sar_block *next_head(sar_block *b) {
  sar_block *next = b->deferred_next;
  b->deferred_next = NULL;
  return next;
}

/* For an arena that nobody uses any more: streams no longer keep free neighbours apart. */
void sar_block_merge_all(sar_pool *p, sar_arena *a) {
  for (sar_block *b = heads_of(a, false), *next; b; b = next) {
    next = next_head(b);
    for (sar_block *c = b; c; c = c->next) sar_index_remove(index_of(c), &c->node);
    while (b->next) join(p, b, b->next);
    sar_index_insert(index_of(b), &b->node);
  }
}

/* Tries every unsplit segment; the first failure is reported at the end. */
sar_status sar_block_release_segments(sar_pool *p, sar_arena *a) {
  sar_status first = SAR_OK;
  for (sar_block *b = heads_of(a, true), *next; b; b = next) {
    next = next_head(b);
    sar_status st = release_segment(p, b);
    if (!first) first = st;
  }
  return first;
}
