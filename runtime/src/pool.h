/* The allocator's nouns and the functions its files share. Needs nothing but the backend table.
 *
 *   segment    memory as the device gave it; cut into blocks that are linked by address
 *   block      a piece of a segment: live, free, pending on events, or deferred by a capture
 *   arena      the blocks of one pool: the default one, or a private one of graphs
 *   shelf      the free blocks of one arena and stream
 *   use        (stream, capture or none): a recorded use; its event once there is one
 *   lane       one stream's pending uses, in the order of their events
 *
 * Equations that sar_check proves: the blocks of a segment tile it; reserved = all blocks;
 * allocated = live; active = live + pending + deferred; a free block sits on exactly one shelf;
 * two free neighbours of one stream are never left apart. */
#ifndef SAR_SRC_POOL_H
#define SAR_SRC_POOL_H

#include <sar/alloc.h>

#include "lock.h"
#include "shelf.h"
#include "slab.h"
#include "table.h"

#define SAR_ROUND         ((size_t)512)
#define SAR_SMALL_MAX     ((size_t)1 << 20)
#define SAR_SMALL_SEGMENT ((size_t)2 << 20)
#define SAR_LARGE_SEGMENT ((size_t)20 << 20)
#define SAR_LARGE_MIN     ((size_t)10 << 20) /* from here on a segment of its own */
#define SAR_LARGE_ROUND   ((size_t)2 << 20)

typedef struct sar_arena sar_arena;
typedef struct sar_marks sar_marks;
typedef struct sar_active_capture sar_active_capture;

typedef enum { SAR_LIVE, SAR_FREE, SAR_PENDING, SAR_DEFERRED } sar_block_state;

typedef struct sar_use {
  struct sar_use *next; /* of the block */
  struct sar_use *queue_next, *queue_prev;
  sar_block *block;
  sar_event event;
  uint64_t order; /* of the event: grows along a lane */
  sar_capture capture;
  sar_stream stream;
} sar_use;

struct sar_block {
  sar_free_node node; /* first member: the index sees this part only */
  sar_block *prev, *next;
  sar_arena *arena;
  sar_shelf *shelf; /* of arena and stream */
  sar_use *uses;
  uint64_t allocation;
  sar_capture freed_in; /* capture in which it became free without waiting for an end */
  sar_marks *marks;
  sar_block *deferred_prev, *deferred_next;
  uint32_t pending; /* uses that sit in lanes */
  sar_stream stream;
  uint8_t state;
  bool small;
};

/* Nodes that a request must follow before it may have the block. Shared by blocks of one stream
 * that were freed at one frontier; passed counts the leading nodes known to be followed. */
struct sar_marks {
  uint32_t refs, count, passed;
  sar_stream stream;
  sar_node nodes[];
};

struct sar_arena {
  sar_graph_pool id; /* 0: the default arena */
  uint32_t refs;     /* graphs, captures and routes */
  uint32_t growing;  /* requests outside the lock, waiting for a segment */
  uint64_t busy;     /* blocks not free */
  uint64_t segments;
  sar_active_capture *capture;
  sar_shelves shelves;
  sar_arena *next;
};

typedef struct sar_lane {
  sar_stream stream;
  sar_use *head, *tail;
  struct sar_lane *next_active;
} sar_lane;

typedef struct sar_route {
  sar_stream stream;
  sar_arena *arena;
  struct sar_route *next;
} sar_route;

struct sar_pool {
  sar_lock lock;
  const sar_backend *backend;
  sar_config config;
  sar_slab blocks, uses;
  sar_table table;
  sar_arena main;
  sar_arena *arenas; /* private ones */
  sar_graph_pool next_arena;
  bool unswept;     /* a private pool may have lost its last owner during a capture */
  sar_lane **lanes; /* by stream */
  size_t lane_count, lane_cap;
  sar_lane *active_lanes; /* with a pending use, by stream */
  sar_block *deferred;
  uint64_t next_order;
  sar_active_capture *captures;
  sar_route *routes;
  sar_stats stats;
  sar_trace_fn trace;
  void *trace_arg;
};

/* block.c: segments, split, merge, and the states of a block */
sar_status sar_block_grow(sar_pool *, sar_arena *, size_t size, sar_shelf *, sar_block **out);
sar_status sar_block_take(sar_pool *, sar_block *, size_t size);
void sar_block_carve(sar_pool *, sar_block *, size_t size, sar_shelf *);
void sar_block_claim(sar_pool *, sar_block *);
void sar_block_available(sar_pool *, sar_block *);
void sar_block_merge_all(sar_pool *, sar_arena *);
sar_status sar_block_release_segments(sar_pool *, sar_arena *);
void sar_block_set_state(sar_pool *, sar_block *, sar_block_state);

static inline sar_block *sar_block_on_shelf(const sar_shelf *shelf, size_t size) {
  return (sar_block *)sar_index_first_fit(&shelf->free[size <= SAR_SMALL_MAX], size);
}

/* pending.c: recorded uses, their events, and polling */
sar_status sar_use_add(sar_pool *, sar_block *, sar_stream, sar_capture, sar_event);
void sar_use_drop(sar_pool *, sar_use *);
void sar_use_drop_all(sar_pool *, sar_block *);
sar_status sar_pending_prepare(sar_pool *, sar_block *);
void sar_pending_enter(sar_pool *, sar_block *);
sar_status sar_pending_poll(sar_pool *);
sar_status sar_pending_sync(sar_pool *);
sar_status sar_pending_wait(sar_pool *, sar_block *);
sar_status sar_lane_make(sar_pool *, sar_stream);
sar_lane *sar_lane_find(const sar_pool *, sar_stream);

/* capture.c: who captures, deferral, markers and both reuse rules */
sar_active_capture *sar_capture_find(const sar_pool *, sar_capture);
sar_status sar_capture_of(sar_pool *, sar_stream, sar_active_capture **out);
sar_status sar_capture_note_use(sar_active_capture *, sar_stream);
bool sar_capture_note_free(sar_pool *, sar_block *);
void sar_capture_defer(sar_pool *, sar_block *);
void sar_capture_drop_first(sar_pool *);
void sar_capture_undefer(sar_pool *, sar_block *);
sar_status sar_capture_reuse(sar_pool *, sar_active_capture *, sar_stream);
sar_block *sar_capture_find_shared(sar_pool *, sar_active_capture *, size_t size, sar_shelf *);
sar_status sar_capture_settle(sar_pool *);
void sar_capture_strip(sar_pool *, sar_block *);
sar_capture sar_capture_id(const sar_active_capture *);
sar_arena *sar_capture_arena(const sar_active_capture *);

/* arena.c: private pools */
sar_arena *sar_arena_find(sar_pool *, sar_graph_pool);
sar_status sar_arena_enter(sar_pool *, sar_graph_pool *inout, sar_arena **out);
void sar_arena_leave(sar_pool *, sar_arena *);
void sar_arena_try_release(sar_pool *, sar_arena *);
void sar_arena_sweep(sar_pool *);
sar_arena *sar_arena_routed(sar_pool *, sar_stream); /* the default one where no route is */

/* pool.c */
sar_status sar_pool_retire(sar_pool *, sar_block *);
void sar_pool_abandon(sar_pool *);

/* trace.c */
void sar_trace_write(sar_pool *, sar_trace_kind, const sar_block *, sar_stream);

static inline void sar_trace(sar_pool *p, sar_trace_kind kind, const sar_block *b, sar_stream s) {
  if (p->trace) sar_trace_write(p, kind, b, s);
}

#endif
