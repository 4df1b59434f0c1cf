/* A stream-aware caching allocator: PyTorch's reuse rules over any device.
 *
 * A freed block goes back only to its creation stream, where work is ordered. Other streams that
 * use a block are either ordered before its release by the caller, or named with
 * sar_record_stream, and then the block stays pending until events behind their work are ready.
 *
 * Any call may come from any thread. No call ends the program; one that fails leaves every live
 * block as it was. Uses of a block are queued before its free; nothing runs beside sar_destroy. */
#ifndef SAR_ALLOC_H
#define SAR_ALLOC_H

#include <sar/backend.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sar_pool sar_pool;
typedef struct sar_checkpoint sar_checkpoint;
typedef uint64_t sar_graph_pool; /* a private pool; 0: none */

/* What happens between a free and the reuse of a block with recorded streams. */
typedef enum {
  SAR_MODE_RECORD, /* an event per recorded stream at free, polled by later allocations */
  SAR_MODE_EARLY,  /* the event is made by sar_record_stream, so call it after each use */
  SAR_MODE_WAIT,   /* reusable at once: the allocation makes the creation stream wait */
} sar_mode;

/* Reuse, inside a graph capture, of blocks that other streams used. */
typedef enum {
  SAR_CAPTURE_DEFER,      /* none before the capture ends */
  SAR_CAPTURE_PER_STREAM, /* by the creation stream, once it follows every marker of the free */
  SAR_CAPTURE_STRONG,     /* by any stream, once every capturing stream follows them */
} sar_capture_rule;

typedef struct {
  size_t size; /* sizeof(sar_config): fields added later keep their default */
  sar_mode mode;
  sar_capture_rule capture_rule;
} sar_config;

typedef struct {
  uint64_t current, peak;
} sar_level;
typedef struct {
  sar_level allocated; /* bytes in live blocks */
  sar_level active;    /* the same, and bytes freed but not yet reusable */
  sar_level reserved;  /* bytes in segments */
  uint64_t mallocs, frees, records;
  uint64_t segment_allocs, segment_frees;
  uint64_t events, queries, waits;        /* device calls made */
  uint64_t live, pending, deferred, idle; /* blocks in each state */
  uint64_t capture_reuses;                /* blocks given back before their capture ended */
} sar_stats;

typedef enum {
  SAR_TRACE_SEGMENT_ALLOC,
  SAR_TRACE_SEGMENT_FREE,
  SAR_TRACE_MALLOC,
  SAR_TRACE_RECORD_STREAM,
  SAR_TRACE_FREE,      /* asked for */
  SAR_TRACE_AVAILABLE, /* done: the block can be reused */
  SAR_TRACE_OOM,
} sar_trace_kind;
typedef struct {
  sar_trace_kind kind;
  sar_stream stream; /* the recorded stream, or the creation stream */
  sar_addr addr;
  size_t bytes;
  uint64_t allocation; /* ordinal of the malloc that the block belongs to, from 1 */
  uint64_t allocated, active, reserved;
} sar_trace_entry;

/* Runs under the pool's lock: it must not call back into the pool. */
typedef void (*sar_trace_fn)(void *arg, const sar_trace_entry *);

/* A null config means SAR_MODE_RECORD and SAR_CAPTURE_DEFER. The backend outlives the pool. */
sar_status sar_create(sar_pool **out, const sar_config *config, const sar_backend *backend);
/* SAR_E_STATE while blocks live or a capture runs, and then nothing is destroyed. */
sar_status sar_destroy(sar_pool *pool);

/* Zero bytes give address 0, which sar_free and sar_record_stream accept. */
sar_status sar_malloc(sar_addr *out, sar_pool *pool, size_t bytes, sar_stream stream);
sar_status sar_free(sar_pool *pool, sar_addr addr);
/* No effect on the creation stream, on address 0 and on memory of others. */
sar_status sar_record_stream(sar_pool *pool, sar_addr addr, sar_stream stream);
/* Gives every segment without live or pending blocks back to the device. */
sar_status sar_release_cached(sar_pool *pool);

/* Called after the device started the capture on stream and before it ends it. With *inout 0
 * a new private pool is made; otherwise the capture allocates from that one. */
sar_status sar_capture_begin(sar_capture *out, sar_pool *pool, sar_stream stream,
                             sar_graph_pool *inout);
/* All streams of the capture have joined. The graph keeps one reference to the private pool. */
sar_status sar_capture_end(sar_pool *pool, sar_capture capture);
/* The capture failed: no graph, no reference. */
sar_status sar_capture_abort(sar_pool *pool, sar_capture capture);
/* Drops one reference; segments go back with the last reference and the last block. */
sar_status sar_graph_pool_release(sar_pool *pool, sar_graph_pool graph_pool);
/* Private pool without a capture: serves stream's allocations; sar_route_end keeps a reference. */
sar_status sar_route_begin(sar_pool *pool, sar_stream stream, sar_graph_pool *inout);
sar_status sar_route_end(sar_pool *pool, sar_stream stream);

/* Which blocks of a private pool live now; restoring frees the others and revives these. */
sar_status sar_checkpoint_take(sar_checkpoint **out, sar_pool *pool, sar_graph_pool graph_pool);
sar_status sar_checkpoint_restore(sar_pool *pool, const sar_checkpoint *checkpoint);
void sar_checkpoint_free(sar_checkpoint *checkpoint);

sar_status sar_get_stats(sar_stats *out, sar_pool *pool);
void sar_reset_peaks(sar_pool *pool);
void sar_set_trace(sar_pool *pool, sar_trace_fn fn, void *arg);
/* Walks every invariant; SAR_E_STATE where one does not hold. */
sar_status sar_check(sar_pool *pool);
const char *sar_status_name(sar_status status);

#ifdef __cplusplus
}
#endif
#endif
