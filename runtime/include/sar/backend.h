/* What the allocator needs from a device: nine calls. No device type appears above this table. */
#ifndef SAR_BACKEND_H
#define SAR_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t sar_addr, sar_event, sar_node, sar_capture; /* 0: none */
typedef uint32_t sar_stream;                                 /* from the device, never reused */

typedef enum {
  SAR_OK,
  SAR_NOT_READY,    /* an event that is not complete: an answer, not a failure */
  SAR_E_ARG,        /* null where a pointer is needed, a foreign address, an unknown handle */
  SAR_E_OOM,        /* the device has no memory left */
  SAR_E_NOT_LIVE,   /* the block was freed already */
  SAR_E_CAPTURE,    /* the call is illegal while a graph is captured */
  SAR_E_STATE,      /* the object is not in a state that allows the call */
  SAR_E_NOMEM_HOST, /* malloc failed on the host */
  SAR_E_BACKEND,    /* the device failed */
} sar_status;

/* A node that the next operation of a stream will depend on. Without finish the edge comes from
 * a programmatic port, and the next operation may start before the node is done. */
typedef struct {
  sar_node node;
  bool finish;
} sar_tip;

typedef struct {
  size_t size; /* sizeof(sar_backend) */
  void *ctx;
  sar_status (*segment_alloc)(void *ctx, sar_addr *out, size_t bytes);
  sar_status (*segment_free)(void *ctx, sar_addr addr, size_t bytes);
  /* A new event behind all work queued on stream so far; SAR_E_CAPTURE if stream is captured. */
  sar_status (*event_record)(void *ctx, sar_event *out, sar_stream stream);
  /* SAR_OK, SAR_NOT_READY, or SAR_E_CAPTURE where a running capture forbids the question. */
  sar_status (*event_query)(void *ctx, sar_event event);
  sar_status (*event_sync)(void *ctx, sar_event event);
  void (*event_release)(void *ctx, sar_event event);
  sar_status (*stream_wait)(void *ctx, sar_stream stream, sar_event event);
  /* The capture that stream belongs to (0: none) and its tips, valid until the next call. */
  sar_status (*capture_tips)(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                             sar_stream stream);
  /* Parents that node waits for to finish; programmatic edges are left out. Valid as above. */
  sar_status (*node_parents)(void *ctx, const sar_node **parents, size_t *count, sar_node node);
} sar_backend;

#ifdef __cplusplus
}
#endif
#endif
