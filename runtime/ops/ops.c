#include "device.h"

/* "Not ready" is an answer; anything else but success is remembered, the first one for good. */
static sar_status note(sar_device *d, sar_status st) {
  int none = SAR_OK;
  if (st != SAR_OK && st != SAR_NOT_READY)
    atomic_compare_exchange_strong(&d->first_failure, &none, (int)st);
  return st;
}

const sar_backend *sar_device_backend(sar_device *d) {
  return d ? &d->backend : NULL;
}

sar_status sar_device_status(const sar_device *d) {
  return d ? (sar_status)atomic_load(&d->first_failure) : SAR_E_ARG;
}

sar_status sar_device_sync(sar_device *d) {
  return d ? note(d, d->calls->sync(d)) : SAR_E_ARG;
}

void sar_device_destroy(sar_device *d) {
  if (d) d->calls->destroy(d);
}

sar_status sar_stream_create(sar_stream *out, sar_device *d) {
  if (!d) return SAR_E_ARG;
  return note(d, out ? d->calls->stream_create(out, d) : SAR_E_ARG);
}

sar_status sar_stream_sync(sar_device *d, sar_stream stream) {
  return d ? note(d, d->calls->stream_sync(d, stream)) : SAR_E_ARG;
}

sar_status sar_event_record(sar_event *out, sar_device *d, sar_stream stream) {
  if (!d) return SAR_E_ARG;
  return note(d, out ? d->calls->event_record(out, d, stream) : SAR_E_ARG);
}

sar_status sar_event_query(sar_device *d, sar_event event) {
  return d ? note(d, d->calls->event_query(d, event)) : SAR_E_ARG;
}

sar_status sar_event_sync(sar_device *d, sar_event event) {
  return d ? note(d, d->calls->event_sync(d, event)) : SAR_E_ARG;
}

sar_status sar_event_destroy(sar_device *d, sar_event event) {
  return d ? note(d, d->calls->event_destroy(d, event)) : SAR_E_ARG;
}

sar_status sar_stream_wait_event(sar_device *d, sar_stream stream, sar_event event) {
  return d ? note(d, d->calls->stream_wait(d, stream, event)) : SAR_E_ARG;
}

sar_status sar_stream_wait_stream(sar_device *d, sar_stream stream, sar_stream other) {
  sar_event event;
  sar_status st = sar_event_record(&event, d, other);
  if (st) return st;
  st = sar_stream_wait_event(d, stream, event);
  sar_status destroyed = sar_event_destroy(d, event);
  return st ? st : destroyed;
}

/* ---- operations ----------------------------------------------------------------------------- */

static sar_status queue(sar_device *d, sar_op op) {
  return d ? note(d, d->calls->queue(d, &op)) : SAR_E_ARG;
}

sar_status sar_fill(sar_device *d, sar_stream stream, sar_addr dst, uint8_t byte, size_t n) {
  return queue(
      d, (sar_op){.kind = SAR_OP_FILL, .stream = stream, .dst = dst, .byte = byte, .bytes = n});
}

sar_status sar_copy(sar_device *d, sar_stream stream, sar_addr dst, sar_addr src, size_t n) {
  return queue(d,
               (sar_op){.kind = SAR_OP_COPY, .stream = stream, .dst = dst, .src = src, .bytes = n});
}

sar_status sar_add(sar_device *d, sar_stream stream, sar_addr dst, sar_addr src, size_t n) {
  return queue(d,
               (sar_op){.kind = SAR_OP_ADD, .stream = stream, .dst = dst, .src = src, .bytes = n});
}

sar_status sar_checksum(sar_device *d, sar_stream stream, sar_addr dst, sar_addr src, size_t n) {
  return queue(
      d, (sar_op){.kind = SAR_OP_CHECKSUM, .stream = stream, .dst = dst, .src = src, .bytes = n});
}

sar_status sar_spin(sar_device *d, sar_stream stream, unsigned microseconds) {
  return queue(d, (sar_op){.kind = SAR_OP_SPIN, .stream = stream, .microseconds = microseconds});
}

sar_status sar_read(sar_device *d, sar_stream stream, void *host, sar_addr src, size_t n) {
  return queue(d, (sar_op){.kind = host ? SAR_OP_READ : SAR_OP_COPY, /* a copy to 0 is refused */
                           .stream = stream,
                           .src = src,
                           .host = host,
                           .bytes = n});
}

sar_status sar_callback(sar_device *d, sar_stream stream, sar_host_fn fn, void *arg) {
  if (!fn) return d ? note(d, SAR_E_ARG) : SAR_E_ARG;
  return queue(d, (sar_op){.kind = SAR_OP_CALLBACK, .stream = stream, .fn = fn, .host = arg});
}

/* ---- graphs --------------------------------------------------------------------------------- */

sar_status sar_stream_capture_begin(sar_device *d, sar_stream stream) {
  return d ? note(d, d->calls->capture_begin(d, stream)) : SAR_E_ARG;
}

sar_status sar_stream_capture_end(sar_graph *out, sar_device *d, sar_stream stream) {
  if (!d) return SAR_E_ARG;
  return note(d, out ? d->calls->capture_end(out, d, stream) : SAR_E_ARG);
}

sar_status sar_graph_launch(sar_device *d, sar_graph graph, sar_stream stream) {
  return d ? note(d, d->calls->graph_launch(d, graph, stream)) : SAR_E_ARG;
}

sar_status sar_graph_destroy(sar_device *d, sar_graph graph) {
  return d ? note(d, d->calls->graph_destroy(d, graph)) : SAR_E_ARG;
}

sar_status sar_capture_set_tips(sar_device *d, sar_stream stream, const sar_node *nodes,
                                size_t count) {
  if (!d) return SAR_E_ARG;
  return note(d, nodes || !count ? d->calls->set_tips(d, stream, nodes, count) : SAR_E_ARG);
}
