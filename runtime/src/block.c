#include "pool.h"

static size_t segment_size(size_t size) {
  if (size <= SAR_SMALL_MAX) return SAR_SMALL_SEGMENT;
  if (size < SAR_LARGE_MIN) return SAR_LARGE_SEGMENT;
  return (size + SAR_LARGE_ROUND - 1) / SAR_LARGE_ROUND * SAR_LARGE_ROUND;
}

static sar_index *index_of(const sar_block *b) {
  return &b->shelf->free[b->small];
}

/* ---- states --------------------------------------------------------------------------------- */

static void level_add(sar_level *level, uint64_t bytes) {
  level->current += bytes;
  if (level->current > level->peak) level->peak = level->current;
}

/* by is 1 or, modulo 2^64, -1 */
static inline void count(sar_pool *p, const sar_block *b, sar_block_state state, uint64_t by) {
  uint64_t bytes = by * b->node.size;
  switch (state) {
  case SAR_LIVE:
    p->stats.live += by;
    level_add(&p->stats.allocated, bytes);
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
  level_add(&p->stats.active, bytes);
}

void sar_block_set_state(sar_pool *p, sar_block *b, sar_block_state state) {
  count(p, b, (sar_block_state)b->state, (uint64_t)-1);
  b->state = (uint8_t)state;
  count(p, b, state, 1);
}

/* A free block becomes live, off its shelf. */
static void enliven(sar_pool *p, sar_block *b) {
  b->state = SAR_LIVE;
  p->stats.idle--;
  count(p, b, SAR_LIVE, 1);
}

/* ---- merge ---------------------------------------------------------------------------------- */

static void append_uses(sar_block *to, sar_block *from) {
  sar_use **end = &to->uses;
  while (*end) end = &(*end)->next;
  *end = from->uses;
  for (sar_use *u = from->uses; u; u = u->next) u->block = to;
}

/* Two free blocks of one stream become one; right is off its shelf. Waits that the next owner owes
 * (mode WAIT) add up. The size is the caller's to change, as the shelf may know left by it. */
static void join(sar_pool *p, sar_block *left, sar_block *right) {
  sar_table_erase(&p->table, right->node.addr);
  left->next = right->next;
  if (right->next) right->next->prev = left;
  if (right->freed_in > left->freed_in) left->freed_in = right->freed_in;
  if (right->uses) append_uses(left, right);
  sar_slab_give(&p->blocks, right);
  p->stats.idle--;
}

static bool can_merge(const sar_block *b, const sar_block *neighbour) {
  return neighbour && neighbour->state == SAR_FREE && neighbour->stream == b->stream;
}

/* b joins no shelf before it has swallowed its free neighbours. One of them hands over its place
 * on the shelf, which saves a search where the order of the sizes allows it. */
void sar_block_available(sar_pool *p, sar_block *b) {
  count(p, b, (sar_block_state)b->state, (uint64_t)-1);
  b->state = SAR_FREE;
  p->stats.idle++;
  sar_trace(p, SAR_TRACE_AVAILABLE, b, b->stream);
  sar_index *ix = index_of(b);
  size_t size = b->node.size;
  sar_block *next = can_merge(b, b->next) ? b->next : NULL;
  if (can_merge(b, b->prev)) {
    sar_block *prev = b->prev;
    size += prev->node.size;
    if (next) {
      size += next->node.size;
      sar_index_remove(ix, &next->node);
      join(p, b, next);
    }
    join(p, prev, b);
    sar_index_hand_over(ix, &prev->node, &prev->node, size);
  } else if (next) {
    size += next->node.size;
    sar_index_hand_over(ix, &next->node, &b->node, size);
    join(p, b, next);
  } else {
    sar_index_insert(ix, &b->node);
  }
}

/* ---- split ---------------------------------------------------------------------------------- */

static bool worth_splitting(const sar_block *b, size_t size) {
  size_t rest = b->node.size - size;
  return b->small ? rest >= SAR_ROUND : rest > SAR_SMALL_MAX;
}

/* Field by field: clearing it as a whole first would cost as much as the rest of a split. The index
 * fills in the node. */
static sar_block *make_block(sar_pool *p, sar_arena *a, sar_shelf *shelf, sar_addr addr) {
  sar_block *b = sar_slab_take(&p->blocks);
  b->node.addr = addr;
  b->prev = b->next = NULL;
  b->arena = a;
  b->shelf = shelf;
  b->uses = NULL;
  b->allocation = 0;
  b->freed_in = 0;
  b->marks = NULL;
  b->deferred_prev = b->deferred_next = NULL;
  b->pending = 0;
  b->stream = shelf->stream;
  b->state = SAR_FREE;
  sar_table_put(&p->table, addr, b);
  p->stats.idle++;
  return b;
}

/* A free block on its shelf is cut; the rest takes its place there. */
static void split(sar_pool *p, sar_block *b, size_t size) {
  sar_block *rest = make_block(p, b->arena, b->shelf, b->node.addr + size);
  rest->small = b->small;
  rest->freed_in = b->freed_in;
  rest->prev = b;
  rest->next = b->next;
  if (b->next) b->next->prev = rest;
  b->next = rest;
  sar_index_hand_over(index_of(b), &b->node, &rest->node, b->node.size - size);
  b->node.size = size;
}

/* A free block becomes live, cut to size where the rest is worth keeping. In mode WAIT its
 * creation stream waits first, and so for the rest as well. Room for the rest was reserved. */
sar_status sar_block_take(sar_pool *p, sar_block *b, size_t size) {
  if (b->uses) {
    sar_status st = sar_pending_wait(p, b);
    if (st) return st;
  }
  if (worth_splitting(b, size))
    split(p, b, size);
  else
    sar_index_remove(index_of(b), &b->node);
  enliven(p, b);
  b->freed_in = 0;
  return SAR_OK;
}

/* Restoring a checkpoint: a free block, the first part of which becomes size bytes on shelf. */
void sar_block_carve(sar_pool *p, sar_block *b, size_t size, sar_shelf *shelf) {
  if (b->node.size > size)
    split(p, b, size);
  else
    sar_index_remove(index_of(b), &b->node);
  b->shelf = shelf;
  b->stream = shelf->stream;
  sar_index_insert(index_of(b), &b->node);
}

void sar_block_claim(sar_pool *p, sar_block *b) {
  sar_index_remove(index_of(b), &b->node);
  enliven(p, b);
}

/* ---- segments ------------------------------------------------------------------------------- */

static sar_status adopt_segment(sar_pool *p, sar_arena *a, sar_addr addr, size_t bytes, bool small,
                                sar_shelf *shelf, sar_block **out) {
  if (!sar_slab_reserve(&p->blocks, 2) || !sar_table_reserve(&p->table, 2)) return SAR_E_NOMEM_HOST;
  sar_block *b = make_block(p, a, shelf, addr);
  b->node.size = bytes;
  b->small = small;
  a->segments++;
  p->stats.segment_allocs++;
  level_add(&p->stats.reserved, bytes);
  sar_trace(p, SAR_TRACE_SEGMENT_ALLOC, b, b->stream);
  sar_index_insert(index_of(b), &b->node);
  *out = b;
  return SAR_OK;
}

/* The device call may take long, so it runs outside the lock; a->growing keeps the arena. */
sar_status sar_block_grow(sar_pool *p, sar_arena *a, size_t size, sar_shelf *shelf,
                          sar_block **out) {
  sar_addr addr = 0;
  size_t bytes = segment_size(size);
  a->growing++;
  sar_lock_give(&p->lock);
  sar_status st = p->backend->segment_alloc(p->backend->ctx, &addr, bytes);
  sar_lock_take(&p->lock);
  a->growing--;
  if (st) return st;
  st = adopt_segment(p, a, addr, bytes, size <= SAR_SMALL_MAX, shelf, out);
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
  level_add(&p->stats.reserved, 0 - (uint64_t)b->node.size);
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
  for (size_t i = 0; i < a->shelves.count; i++)
    for (int small = 0; small < 2; small++)
      sar_index_each(&a->shelves.list[i]->free[small], collect_head, &heads);
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
    while (b->next) {
      b->node.size += b->next->node.size;
      join(p, b, b->next);
    }
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
