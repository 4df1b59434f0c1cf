/* What a device implements; ops.h is a thin layer over this table. */
#ifndef SAR_OPS_DEVICE_H
#define SAR_OPS_DEVICE_H

#include <stdatomic.h>

#include <sar/ops.h>

typedef enum {
  SAR_OP_FILL,
  SAR_OP_COPY,
  SAR_OP_ADD,
  SAR_OP_CHECKSUM,
  SAR_OP_SPIN,
  SAR_OP_READ,
  SAR_OP_CALLBACK,
} sar_op_kind;

typedef struct {
  sar_op_kind kind;
  sar_stream stream;
  sar_addr dst, src; /* 0: not used */
  size_t bytes;
  unsigned microseconds;
  uint8_t byte;
  void *host;
  sar_host_fn fn;
} sar_op;

typedef struct {
  void (*destroy)(sar_device *);
  sar_status (*sync)(sar_device *);
  sar_status (*stream_create)(sar_stream *out, sar_device *);
  sar_status (*stream_sync)(sar_device *, sar_stream);
  sar_status (*event_record)(sar_event *out, sar_device *, sar_stream);
  sar_status (*event_query)(sar_device *, sar_event);
  sar_status (*event_sync)(sar_device *, sar_event);
  sar_status (*event_destroy)(sar_device *, sar_event);
  sar_status (*stream_wait)(sar_device *, sar_stream, sar_event);
  sar_status (*queue)(sar_device *, const sar_op *);
  sar_status (*capture_begin)(sar_device *, sar_stream);
  sar_status (*capture_end)(sar_graph *out, sar_device *, sar_stream);
  sar_status (*graph_launch)(sar_device *, sar_graph, sar_stream);
  sar_status (*graph_destroy)(sar_device *, sar_graph);
  sar_status (*set_tips)(sar_device *, sar_stream, const sar_node *, size_t);
} sar_device_calls;

struct sar_device {
  const sar_device_calls *calls;
  sar_backend backend;
  _Atomic int first_failure;
};

#define SAR_CHECKSUM_PERIOD 251u
#define SAR_CHECKSUM_BYTES  8u

#endif
