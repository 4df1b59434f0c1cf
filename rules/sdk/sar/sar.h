/* Model of the project's own runtime: allocator, streams and events. */
#ifndef SA_SDK_SAR_H
#define SA_SDK_SAR_H
#pragma GCC system_header

#include "../c/std.h"

SA_SDK_C_BEGIN

typedef uint64_t sar_addr, sar_event, sar_node, sar_capture, sar_graph, sar_graph_pool;
typedef uint32_t sar_stream;
typedef enum { SAR_OK, SAR_E_ARGUMENT, SAR_E_STATE, SAR_E_OOM, SAR_E_BACKEND, SAR_E_CAPTURE } sar_status;
typedef enum { SAR_MODE_RECORD, SAR_MODE_EARLY, SAR_MODE_WAIT } sar_mode;
typedef enum { SAR_CAPTURE_DEFER, SAR_CAPTURE_PER_STREAM, SAR_CAPTURE_STRONG } sar_capture_rule;
typedef struct { size_t size; sar_mode mode; sar_capture_rule capture_rule; } sar_config;
typedef struct sar_pool sar_pool;
typedef struct sar_device sar_device;
typedef struct sar_backend sar_backend;
typedef struct sar_checkpoint sar_checkpoint;
typedef struct sar_stats sar_stats;
typedef void (*sar_host_fn)(void *);
sar_status sar_create(sar_pool **, const sar_config *, const sar_backend *);
sar_status sar_destroy(sar_pool *);
sar_status sar_malloc(sar_addr *, sar_pool *, size_t, sar_stream);
sar_status sar_free(sar_pool *, sar_addr);
sar_status sar_record_stream(sar_pool *, sar_addr, sar_stream);
sar_status sar_release_cached(sar_pool *);
sar_status sar_capture_begin(sar_capture *, sar_pool *, sar_stream, sar_graph_pool *);
sar_status sar_capture_end(sar_pool *, sar_capture);
sar_status sar_capture_abort(sar_pool *, sar_capture);
const sar_backend *sar_device_backend(sar_device *);
sar_status sar_device_status(const sar_device *);
sar_status sar_device_sync(sar_device *);
void sar_device_destroy(sar_device *);
sar_status sar_stream_create(sar_stream *, sar_device *);
sar_status sar_stream_sync(sar_device *, sar_stream);
sar_status sar_event_record(sar_event *, sar_device *, sar_stream);
sar_status sar_event_query(sar_device *, sar_event);
sar_status sar_event_sync(sar_device *, sar_event);
sar_status sar_event_destroy(sar_device *, sar_event);
sar_status sar_stream_wait_event(sar_device *, sar_stream, sar_event);
sar_status sar_stream_wait_stream(sar_device *, sar_stream, sar_stream);
sar_status sar_fill(sar_device *, sar_stream, sar_addr, uint8_t, size_t);
sar_status sar_copy(sar_device *, sar_stream, sar_addr, sar_addr, size_t);
sar_status sar_add(sar_device *, sar_stream, sar_addr, sar_addr, size_t);
sar_status sar_checksum(sar_device *, sar_stream, sar_addr, sar_addr, size_t);
sar_status sar_spin(sar_device *, sar_stream, unsigned);
sar_status sar_read(sar_device *, sar_stream, void *, sar_addr, size_t);
sar_status sar_callback(sar_device *, sar_stream, sar_host_fn, void *);
sar_status sar_stream_capture_begin(sar_device *, sar_stream);
sar_status sar_stream_capture_end(sar_graph *, sar_device *, sar_stream);
sar_status sar_graph_launch(sar_device *, sar_graph, sar_stream);
sar_status sar_graph_destroy(sar_device *, sar_graph);

SA_SDK_C_END

#endif
