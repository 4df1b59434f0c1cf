#include <stdlib.h>
#include <string.h>

#include "pool.h"

static bool backend_is_whole(const sar_backend *b) {
  return b && b->size >= sizeof *b && b->segment_alloc && b->segment_free && b->event_record &&
         b->event_query && b->event_sync && b->event_release && b->stream_wait && b->capture_tips &&
         b->node_parents;
}

static sar_status read_config(sar_config *out, const sar_config *config) {
  *out = (sar_config){.size = sizeof *out};
  if (!config) return SAR_OK;
  if (config->size < sizeof *config || (unsigned)config->mode > SAR_MODE_WAIT ||
      (unsigned)config->capture_rule > SAR_CAPTURE_STRONG)
    return SAR_E_ARG;
  *out = *config;
  return SAR_OK;
}

sar_status sar_create(sar_pool **out, const sar_config *config, const sar_backend *backend) {
  sar_config checked;
  if (!out || !backend_is_whole(backend) || read_config(&checked, config)) return SAR_E_ARG;
  sar_pool *p = calloc(1, sizeof *p);
  if (!p) return SAR_E_NOMEM_HOST;
  if (!sar_lock_init(&p->lock)) {
    free(p);
    return SAR_E_NOMEM_HOST;
  }
  p->backend = backend;
  p->config = checked;
  sar_slab_init(&p->blocks, sizeof(sar_block));
  sar_slab_init(&p->uses, sizeof(sar_use));
  *out = p;
  return SAR_OK;
}

/* ---- destroy -------------------------------------------------------------------------------- */

static sar_status empty(sar_pool *p) {
  if (p->captures || p->routes || p->stats.live || p->main.growing) return SAR_E_STATE;
  sar_status st = sar_capture_settle(p);
  if (!st) st = sar_pending_sync(p);
  if (st) return st;
  if (p->deferred) return SAR_E_STATE; /* a stream is captured that the pool was not told of */
  st = sar_block_release_segments(p, &p->main);
  for (sar_arena *a = p->arenas, *next; a && !st; a = next) {
    next = a->next;
    a->refs = 0; /* graphs that nobody released: their memory goes with the pool */
    sar_arena_try_release(p, a);
  }
  return st ? st : p->arenas ? SAR_E_BACKEND : SAR_OK;
}

/* Frees what the host holds and asks the device nothing. */
void sar_pool_abandon(sar_pool *p) {
  if (!p) return;
  while (p->captures) sar_capture_drop_first(p);
  while (p->deferred) sar_capture_undefer(p, p->deferred);
  for (sar_route *r = p->routes, *next; r; r = next) {
    next = r->next;
    free(r);
  }
  for (sar_arena *a = p->arenas, *next; a; a = next) {
    next = a->next;
    sar_shelves_drop(&a->shelves);
    free(a);
  }
  for (size_t i = 0; i < p->lane_count; i++) free(p->lanes[i]);
  free(p->lanes);
  sar_shelves_drop(&p->main.shelves);
  sar_table_drop(&p->table);
  sar_slab_drop(&p->blocks);
  sar_slab_drop(&p->uses);
  sar_lock_drop(&p->lock);
  free(p);
}

sar_status sar_destroy(sar_pool *p) {
  if (!p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_status st = empty(p);
  sar_lock_give(&p->lock);
  if (!st) sar_pool_abandon(p);
  return st;
}

/* ---- malloc --------------------------------------------------------------------------------- */

/* 0: too large */
static size_t round_size(size_t bytes) {
  if (bytes > SIZE_MAX - SAR_LARGE_ROUND) return 0;
  return (bytes + SAR_ROUND - 1) / SAR_ROUND * SAR_ROUND;
}

typedef struct {
  sar_arena *arena;
  sar_shelf *shelf;    /* of arena and stream */
  sar_capture capture; /* by id: it may end while a segment is made outside the lock */
  size_t size;
  sar_stream stream;
} request;

static sar_block *find(sar_pool *p, const request *r) {
  sar_block *b = sar_block_on_shelf(r->shelf, r->size);
  sar_active_capture *c = b || !r->capture ? NULL : sar_capture_find(p, r->capture);
  return c ? sar_capture_find_shared(p, c, r->size, r->shelf) : b;
}

/* Device memory is out. Another thread may have freed a block meanwhile; then all pending events
 * are awaited and unsplit segments given back. All of that is illegal under a capture. */
static sar_status rescue(sar_pool *p, const request *r, sar_block **out) {
  if ((*out = find(p, r))) return SAR_OK;
  if (p->captures) return SAR_E_OOM;
  sar_status st = sar_pending_sync(p);
  if (!st) st = sar_block_release_segments(p, &p->main);
  if (st) return st;
  for (sar_arena *a = p->arenas; a; a = a->next)
    if (!a->refs && (st = sar_block_release_segments(p, a))) return st;
  if ((*out = find(p, r))) return SAR_OK;
  return sar_block_grow(p, r->arena, r->size, r->shelf, out);
}

/* Looks for ready blocks: events are asked only while no graph is captured; inside a capture the
 * graph is asked. */
static sar_status look_again(sar_pool *p, const request *r) {
  if (r->capture) return sar_capture_reuse(p, sar_capture_find(p, r->capture), r->stream);
  if (p->captures) return SAR_OK;
  if (p->unswept) sar_arena_sweep(p);
  sar_status st = p->deferred ? sar_capture_settle(p) : SAR_OK;
  return st || !p->active_lanes ? st : sar_pending_poll(p);
}

static sar_status route(sar_pool *p, request *r) {
  sar_active_capture *c = NULL;
  sar_status st = p->captures ? sar_capture_of(p, r->stream, &c) : SAR_OK;
  if (st) return st;
  r->capture = c ? sar_capture_id(c) : 0;
  r->arena = c ? sar_capture_arena(c) : p->routes ? sar_arena_routed(p, r->stream) : &p->main;
  r->shelf = sar_shelves_find(&r->arena->shelves, r->stream);
  return r->shelf ? SAR_OK : sar_shelves_make(&r->shelf, &r->arena->shelves, r->stream);
}

static sar_status serve(sar_pool *p, request *r, sar_block **out) {
  sar_status st = route(p, r);
  if (!st) st = look_again(p, r);
  if (st) return st;
  *out = find(p, r);
  if (!*out) {
    st = sar_block_grow(p, r->arena, r->size, r->shelf, out);
    if (st == SAR_E_OOM) st = rescue(p, r, out);
    if (st) return st;
  }
  if (!sar_slab_reserve(&p->blocks, 1) || !sar_table_reserve(&p->table, 1)) return SAR_E_NOMEM_HOST;
  return sar_block_take(p, *out, r->size);
}

sar_status sar_malloc(sar_addr *out, sar_pool *p, size_t bytes, sar_stream stream) {
  if (!out || !p) return SAR_E_ARG;
  request r = {.size = round_size(bytes), .stream = stream};
  *out = 0;
  if (!bytes) return SAR_OK;
  if (!r.size) return SAR_E_OOM;
  sar_block *b = NULL;
  sar_lock_take(&p->lock);
  sar_status st = serve(p, &r, &b);
  if (!st) {
    b->allocation = ++p->stats.mallocs;
    *out = b->node.addr;
    sar_trace(p, SAR_TRACE_MALLOC, b, stream);
  } else if (st == SAR_E_OOM) {
    sar_trace(p, SAR_TRACE_OOM, &(sar_block){.node.size = r.size}, stream);
  }
  sar_lock_give(&p->lock);
  return st;
}

/* ---- free ----------------------------------------------------------------------------------- */

static bool holds(const sar_pool *p, sar_addr addr) {
  for (size_t i = 0; p->table.slots && i <= p->table.mask; i++) {
    const sar_block *b = p->table.slots[i].block;
    if (b && addr >= b->node.addr && addr - b->node.addr < b->node.size) return true;
  }
  return false;
}

/* The live block at addr. A freed one may have been merged away, so only the segments tell a dead
 * block from memory of others. */
static sar_status find_live(const sar_pool *p, sar_addr addr, sar_block **out) {
  *out = sar_table_get(&p->table, addr);
  if (*out) return (*out)->state == SAR_LIVE ? SAR_OK : SAR_E_NOT_LIVE;
  return holds(p, addr) ? SAR_E_NOT_LIVE : SAR_E_ARG;
}

/* Decides what a block without handles waits for, and does nothing where that fails.
 * SAR_E_CAPTURE: it can only be deferred, or stay so, since a stream it must have an event on is
 * being captured. */
sar_status sar_pool_retire(sar_pool *p, sar_block *b) {
  bool deferred = b->state == SAR_DEFERRED;
  if (!b->uses && !b->arena->capture && !deferred) { /* most frees */
    sar_trace(p, SAR_TRACE_FREE, b, b->stream);
    sar_block_available(p, b);
    return SAR_OK;
  }
  sar_capture_strip(p, b);
  if (b->uses && p->captures) return SAR_E_CAPTURE;
  if (!b->uses && !deferred && !sar_capture_note_free(p, b)) return SAR_E_CAPTURE;
  sar_status st = sar_pending_prepare(p, b);
  if (st) return st;
  if (deferred)
    sar_capture_undefer(p, b);
  else
    sar_trace(p, SAR_TRACE_FREE, b, b->stream);
  sar_pending_enter(p, b);
  return SAR_OK;
}

sar_status sar_free(sar_pool *p, sar_addr addr) {
  if (!p) return SAR_E_ARG;
  if (!addr) return SAR_OK;
  sar_block *b;
  sar_lock_take(&p->lock);
  sar_status st = find_live(p, addr, &b);
  if (!st) {
    sar_arena *a = b->arena;
    st = sar_pool_retire(p, b);
    if (st == SAR_E_CAPTURE) {
      sar_trace(p, SAR_TRACE_FREE, b, b->stream);
      sar_capture_defer(p, b);
      st = SAR_OK;
    }
    p->stats.frees += !st;
    if (a->id) sar_arena_try_release(p, a);
  }
  sar_lock_give(&p->lock);
  return st;
}

/* ---- recorded uses -------------------------------------------------------------------------- */

static sar_status record(sar_pool *p, sar_block *b, sar_stream stream) {
  sar_active_capture *c = NULL;
  sar_event event = 0;
  sar_status st = sar_lane_make(p, stream);
  if (!st && !sar_slab_reserve(&p->uses, 1)) st = SAR_E_NOMEM_HOST;
  if (!st && p->captures) st = sar_capture_of(p, stream, &c);
  if (!st && c) st = sar_capture_note_use(c, stream);
  if (st) return st;
  if (p->config.mode == SAR_MODE_EARLY && !c) {
    st = p->backend->event_record(p->backend->ctx, &event, stream);
    if (st && st != SAR_E_CAPTURE) return st; /* captured elsewhere: the event is made at free */
    p->stats.events += !st;
  }
  sar_use_add(p, b, stream, c ? sar_capture_id(c) : 0, event);
  return SAR_OK;
}

sar_status sar_record_stream(sar_pool *p, sar_addr addr, sar_stream stream) {
  if (!p) return SAR_E_ARG;
  if (!addr) return SAR_OK;
  sar_block *b;
  sar_lock_take(&p->lock);
  sar_status st = find_live(p, addr, &b);
  if (st == SAR_E_ARG) {
    st = SAR_OK; /* memory of others: PyTorch ignores it, and so must a drop-in */
  } else if (!st && stream != b->stream) {
    st = record(p, b, stream);
    p->stats.records += !st;
    if (!st) sar_trace(p, SAR_TRACE_RECORD_STREAM, b, stream);
  }
  sar_lock_give(&p->lock);
  return st;
}

/* ---- the rest ------------------------------------------------------------------------------- */

static sar_status release_cached(sar_pool *p) {
  if (p->captures) return SAR_E_CAPTURE;
  sar_status st = sar_capture_settle(p);
  if (!st) st = sar_pending_poll(p);
  if (!st) st = sar_block_release_segments(p, &p->main);
  sar_arena_sweep(p); /* a graph's own memory stays: its launches use it */
  return st;
}

sar_status sar_release_cached(sar_pool *p) {
  if (!p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_status st = release_cached(p);
  sar_lock_give(&p->lock);
  return st;
}

sar_status sar_get_stats(sar_stats *out, sar_pool *p) {
  if (!out || !p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  *out = p->stats;
  sar_lock_give(&p->lock);
  return SAR_OK;
}

void sar_reset_peaks(sar_pool *p) {
  if (!p) return;
  sar_lock_take(&p->lock);
  p->stats.allocated.peak = p->stats.allocated.current;
  p->stats.active.peak = p->stats.active.current;
  p->stats.reserved.peak = p->stats.reserved.current;
  sar_lock_give(&p->lock);
}

void sar_set_trace(sar_pool *p, sar_trace_fn fn, void *arg) {
  if (!p) return;
  sar_lock_take(&p->lock);
  p->trace = fn;
  p->trace_arg = arg;
  sar_lock_give(&p->lock);
}
