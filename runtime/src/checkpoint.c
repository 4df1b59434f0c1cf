/* Checkpoints of private pools. A graph that is replayed brings its outputs back to life without
 * a call to the allocator; restoring tells the allocator so. */
#include <stdlib.h>
#include <string.h>

#include "pool.h"

typedef struct {
  sar_addr addr;
  size_t size;
  sar_stream stream;
  bool live;
  bool first; /* of its segment */
} saved_block;

struct sar_checkpoint {
  sar_graph_pool id;
  size_t count;
  saved_block blocks[]; /* by address */
};

static int by_address(const void *a, const void *b) {
  sar_addr x = ((const saved_block *)a)->addr, y = ((const saved_block *)b)->addr;
  return (x > y) - (x < y);
}

static size_t count_blocks(const sar_pool *p, const sar_arena *a) {
  size_t n = 0;
  for (size_t i = 0; p->table.slots && i <= p->table.mask; i++)
    n += p->table.slots[i].block && p->table.slots[i].block->arena == a;
  return n;
}

static sar_status take(sar_checkpoint **out, sar_pool *p, sar_graph_pool id) {
  const sar_arena *a = id ? sar_arena_find(p, id) : NULL;
  if (!a) return SAR_E_ARG;
  if (a->capture) return SAR_E_CAPTURE;
  size_t n = count_blocks(p, a);
  sar_checkpoint *c = calloc(1, sizeof *c + n * sizeof *c->blocks);
  if (!c) return SAR_E_NOMEM_HOST;
  c->id = id;
  for (size_t i = 0; p->table.slots && i <= p->table.mask; i++) {
    const sar_block *b = p->table.slots[i].block;
    if (b && b->arena == a)
      c->blocks[c->count++] =
          (saved_block){b->node.addr, b->node.size, b->stream, b->state == SAR_LIVE, !b->prev};
  }
  qsort(c->blocks, c->count, sizeof *c->blocks, by_address);
  *out = c;
  return SAR_OK;
}

sar_status sar_checkpoint_take(sar_checkpoint **out, sar_pool *p, sar_graph_pool id) {
  if (!out || !p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_status st = take(out, p, id);
  sar_lock_give(&p->lock);
  return st;
}

void sar_checkpoint_free(sar_checkpoint *c) {
  free(c);
}

/* ---- restore -------------------------------------------------------------------------------- */

/* Every saved segment is still there, and nothing pends on events: what a graph used is ordered
 * by its launches, but an eager use must be over before the block may change hands. */
static sar_status check_restore(sar_pool *p, const sar_checkpoint *c, sar_arena *a) {
  sar_shelf *shelf;
  for (size_t i = 0; i < c->count; i++)
    if (c->blocks[i].first && !sar_table_get(&p->table, c->blocks[i].addr)) return SAR_E_STATE;
  for (size_t i = 0; p->table.slots && i <= p->table.mask; i++) {
    sar_block *b = p->table.slots[i].block;
    if (!b || b->arena != a) continue;
    sar_capture_strip(p, b);
    if (b->uses) return SAR_E_STATE;
  }
  bool room = sar_slab_reserve(&p->blocks, c->count) && sar_table_reserve(&p->table, c->count);
  for (size_t i = 0; i < c->count && room; i++)
    room = sar_shelves_make(&shelf, &a->shelves, c->blocks[i].stream) == SAR_OK;
  return room ? SAR_OK : SAR_E_NOMEM_HOST;
}

static void free_everything(sar_pool *p, sar_arena *a) {
  for (size_t i = 0; p->table.slots && i <= p->table.mask;) {
    sar_block *b = p->table.slots[i].block;
    if (!b || b->arena != a || b->state == SAR_FREE) {
      i++;
      continue;
    }
    if (b->state == SAR_DEFERRED) sar_capture_undefer(p, b);
    if (b->state == SAR_LIVE) {
      p->stats.frees++;
      sar_trace(p, SAR_TRACE_FREE, b, b->stream);
    }
    sar_block_available(p, b);
    i = 0; /* merging moves the slots */
  }
  sar_block_merge_all(p, a);
}

static void revive(sar_pool *p, sar_block *b, const saved_block *saved) {
  sar_block_carve(p, b, saved->size, sar_shelves_find(&b->arena->shelves, saved->stream));
  if (!saved->live) return;
  sar_block_claim(p, b);
  b->allocation = ++p->stats.mallocs;
  sar_trace(p, SAR_TRACE_MALLOC, b, b->stream);
}

static sar_status restore(sar_pool *p, const sar_checkpoint *c) {
  sar_arena *a = sar_arena_find(p, c->id);
  if (!a) return SAR_E_ARG;
  if (a->capture || p->captures) return SAR_E_CAPTURE;
  sar_status st = check_restore(p, c, a);
  if (st) return st;
  a->refs++; /* it must not go while it is empty */
  free_everything(p, a);
  for (size_t i = 0; i < c->count; i++)
    revive(p, sar_table_get(&p->table, c->blocks[i].addr), &c->blocks[i]);
  a->refs--;
  return SAR_OK;
}

sar_status sar_checkpoint_restore(sar_pool *p, const sar_checkpoint *c) {
  if (!p || !c) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_status st = restore(p, c);
  sar_lock_give(&p->lock);
  return st;
}
