/* Streams, events, graphs and a handful of operations, the same on the simulator and on CUDA.
 *
 * A device remembers the first call that failed (sar_device_status), so a program may queue its
 * work without looking at each result and ask once at the end. */
#ifndef SAR_OPS_H
#define SAR_OPS_H

#include <sar/backend.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sar_device sar_device;
typedef uint64_t sar_graph;
typedef void (*sar_host_fn)(void *arg);

const sar_backend *sar_device_backend(sar_device *device);
sar_status sar_device_status(const sar_device *device);
sar_status sar_device_sync(sar_device *device);
/* Waits for the device first; graphs, events and streams left over go with it. */
void sar_device_destroy(sar_device *device);

sar_status sar_stream_create(sar_stream *out, sar_device *device);
sar_status sar_stream_sync(sar_device *device, sar_stream stream);

/* A new event behind everything queued on stream so far. */
sar_status sar_event_record(sar_event *out, sar_device *device, sar_stream stream);
sar_status sar_event_query(sar_device *device, sar_event event);
sar_status sar_event_sync(sar_device *device, sar_event event);
sar_status sar_event_destroy(sar_device *device, sar_event event);
/* Later work of stream starts after event. */
sar_status sar_stream_wait_event(sar_device *device, sar_stream stream, sar_event event);
/* Later work of stream starts after everything queued on other so far. */
sar_status sar_stream_wait_stream(sar_device *device, sar_stream stream, sar_stream other);

/* Every operation is queued on a stream and returns at once. */
sar_status sar_fill(sar_device *device, sar_stream stream, sar_addr dst, uint8_t byte, size_t n);
sar_status sar_copy(sar_device *device, sar_stream stream, sar_addr dst, sar_addr src, size_t n);
/* dst[i] += src[i], bytewise */
sar_status sar_add(sar_device *device, sar_stream stream, sar_addr dst, sar_addr src, size_t n);
/* Eight bytes at dst, aligned to eight: the sum over i of src[i] * (i % 251 + 1). */
sar_status sar_checksum(sar_device *device, sar_stream stream, sar_addr dst, sar_addr src,
                        size_t n);
sar_status sar_spin(sar_device *device, sar_stream stream, unsigned microseconds);
/* n bytes at src arrive at host once stream got there; host stays valid until then. */
sar_status sar_read(sar_device *device, sar_stream stream, void *host, sar_addr src, size_t n);
/* fn runs on the host when stream gets there; it must not call the device. */
sar_status sar_callback(sar_device *device, sar_stream stream, sar_host_fn fn, void *arg);

/* Work queued on stream, and on streams that wait for it, becomes a graph.
 *
 * Both devices keep CUDA's laws of a thread-local capture. Until it ends, this thread may not ask
 * or await an event or a stream; nobody may await the device, an event of the capture or one of
 * its streams, launch a graph into it, or make it wait for eager work or for another capture. Such
 * a call fails and spoils the capture: its streams take nothing more, its events are gone
 * (SAR_E_ARG), and it can only be ended. Memory, other streams' work and other graphs are free. */
sar_status sar_stream_capture_begin(sar_device *device, sar_stream stream);
/* By the thread and on the stream that began it. SAR_E_CAPTURE if a stream has not joined, the
 * capture is spoilt, or another thread asks: it is over, and there is no graph. Asked of a stream
 * that only joined, it is spoilt and not over. */
sar_status sar_stream_capture_end(sar_graph *out, sar_device *device, sar_stream stream);
sar_status sar_graph_launch(sar_device *device, sar_graph graph, sar_stream stream);
sar_status sar_graph_destroy(sar_device *device, sar_graph graph);
/* The next captured operation of stream depends on these nodes only. */
sar_status sar_capture_set_tips(sar_device *device, sar_stream stream, const sar_node *nodes,
                                size_t count);

#ifdef __cplusplus
}
#endif
#endif
