/* Streams, events and memory of a CUDA device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"

/* Clears the error: "not ready" and misuse must not show up in somebody else's check. */
sar_status cuda_status(cudaError_t e) {
  if (e == cudaSuccess) return SAR_OK;
  (void)cudaGetLastError();
  if (e == cudaErrorNotReady) return SAR_NOT_READY;
  if (e == cudaErrorMemoryAllocation) return SAR_E_OOM;
  if (e >= cudaErrorStreamCaptureUnsupported && e <= cudaErrorStreamCaptureWrongThread)
    return SAR_E_CAPTURE;
  if (e == cudaErrorIllegalState) return SAR_E_STATE;
  if (e == cudaErrorInvalidValue || e == cudaErrorInvalidResourceHandle) return SAR_E_ARG;
  return SAR_E_BACKEND;
}

sar_status cuda_relax(cuda_mode *previous) {
  *previous = cudaStreamCaptureModeRelaxed;
  return cuda_status(cudaThreadExchangeStreamCaptureMode(previous));
}

void cuda_restore(cuda_mode previous) {
  (void)cuda_status(cudaThreadExchangeStreamCaptureMode(&previous));
}

/* ---- streams -------------------------------------------------------------------------------- */

bool cuda_stream(const cuda_device *d, sar_stream id, cudaStream_t *out) {
  if (!id || id > d->stream_count) return false;
  *out = d->streams[id - 1];
  return true;
}

static sar_status stream_create(sar_stream *out, sar_device *base) {
  cuda_device *d = (cuda_device *)base;
  cudaStream_t s;
  sar_status st = cuda_bind(d);
  if (!st) st = cuda_status(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  if (st) return st;
  pthread_mutex_lock(&d->lock);
  bool room = d->stream_count < CUDA_STREAMS;
  if (room) {
    d->streams[d->stream_count] = s;
    *out = ++d->stream_count;
  }
  pthread_mutex_unlock(&d->lock);
  if (!room) cudaStreamDestroy(s);
  return room ? SAR_OK : SAR_E_BACKEND;
}

static sar_status stream_sync(sar_device *base, sar_stream stream) {
  cudaStream_t s;
  if (!cuda_stream((cuda_device *)base, stream, &s)) return SAR_E_ARG;
  return cuda_status(cudaStreamSynchronize(s));
}

static sar_status device_sync(sar_device *base) {
  sar_status st = cuda_bind((cuda_device *)base);
  return st ? st : cuda_status(cudaDeviceSynchronize());
}

/* ---- events --------------------------------------------------------------------------------- */

static cuda_event *event_at(const cuda_device *d, uint32_t index) {
  return &d->events[index / EVENT_CHUNK][index % EVENT_CHUNK];
}

static cuda_event *find_event(const cuda_device *d, sar_event id) {
  uint32_t index = (uint32_t)id - 1;
  if (!(uint32_t)id || index >= d->event_count) return NULL;
  cuda_event *e = event_at(d, index);
  return e->live && e->generation == id >> 32 ? e : NULL;
}

static sar_status add_event(cuda_device *d, uint32_t *index) {
  uint32_t chunk = d->event_count / EVENT_CHUNK;
  if (chunk == EVENT_CHUNKS) return SAR_E_BACKEND;
  if (!d->events[chunk]) d->events[chunk] = calloc(EVENT_CHUNK, sizeof **d->events);
  if (!d->events[chunk]) return SAR_E_NOMEM_HOST;
  *index = d->event_count;
  sar_status st =
      cuda_status(cudaEventCreateWithFlags(&event_at(d, *index)->event, cudaEventDisableTiming));
  if (!st) d->event_count++;
  return st;
}

static void give_event(cuda_device *d, uint32_t index) {
  cuda_event *e = event_at(d, index);
  e->live = false;
  e->generation++;
  e->next_free = d->free_event;
  d->free_event = index + 1;
}

/* Pooled: a record costs no create. */
static sar_status take_event(cuda_device *d, uint32_t *index) {
  if (d->free_event) {
    *index = d->free_event - 1;
    d->free_event = event_at(d, *index)->next_free;
  } else {
    sar_status st = add_event(d, index);
    if (st) return st;
  }
  event_at(d, *index)->live = true;
  return SAR_OK;
}

static sar_status event_record(sar_event *out, sar_device *base, sar_stream stream) {
  cuda_device *d = (cuda_device *)base;
  cudaStream_t s;
  uint32_t index;
  if (!cuda_stream(d, stream, &s)) return SAR_E_ARG;
  pthread_mutex_lock(&d->lock);
  sar_status st = take_event(d, &index);
  if (!st) {
    st = cuda_status(cudaEventRecord(event_at(d, index)->event, s));
    if (st)
      give_event(d, index);
    else
      *out = (sar_event)event_at(d, index)->generation << 32 | (index + 1);
  }
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* Asked of the driver, whose codes have the values of the runtime's: it leaves no error behind when
 * the event is not ready, and clearing that would cost as much as asking. */
static sar_status event_query(sar_device *base, sar_event id) {
  const cuda_device *d = (cuda_device *)base;
  const cuda_event *e = find_event(d, id);
  if (!e) return SAR_E_ARG;
  sar_status st = cuda_bind(d);
  if (st) return st;
  int code = d->driver.event_query(e->event);
  return code == cudaErrorNotReady ? SAR_NOT_READY : cuda_status((cudaError_t)code);
}

static sar_status event_sync(sar_device *base, sar_event id) {
  const cuda_event *e = find_event((cuda_device *)base, id);
  return e ? cuda_status(cudaEventSynchronize(e->event)) : SAR_E_ARG;
}

static sar_status event_destroy(sar_device *base, sar_event id) {
  cuda_device *d = (cuda_device *)base;
  pthread_mutex_lock(&d->lock);
  bool known = find_event(d, id);
  if (known) give_event(d, (uint32_t)id - 1);
  pthread_mutex_unlock(&d->lock);
  return known ? SAR_OK : SAR_E_ARG;
}

static sar_status stream_wait(sar_device *base, sar_stream stream, sar_event id) {
  cuda_device *d = (cuda_device *)base;
  const cuda_event *e = find_event(d, id);
  cudaStream_t s;
  if (!e || !cuda_stream(d, stream, &s)) return SAR_E_ARG;
  return cuda_status(cudaStreamWaitEvent(s, e->event, 0));
}

/* ---- the allocator's table ------------------------------------------------------------------ */

static sar_status segment_alloc(void *ctx, sar_addr *out, size_t bytes) {
  cuda_mode mode;
  void *memory = NULL;
  sar_status st = cuda_bind(ctx);
  if (!st) st = cuda_relax(&mode);
  if (st) return st;
  st = cuda_status(cudaMalloc(&memory, bytes));
  cuda_restore(mode);
  *out = (sar_addr)(uintptr_t)memory;
  return st;
}

static sar_status segment_free(void *ctx, sar_addr addr, size_t bytes) {
  cuda_mode mode;
  (void)bytes;
  sar_status st = cuda_bind(ctx);
  if (!st) st = cuda_relax(&mode);
  if (st) return st;
  st = cuda_status(cudaFree((void *)(uintptr_t)addr));
  cuda_restore(mode);
  return st;
}

/* An event of a captured stream belongs to its graph and can never be queried. */
static sar_status pool_event_record(void *ctx, sar_event *out, sar_stream stream) {
  enum cudaStreamCaptureStatus capturing;
  cudaStream_t s;
  if (!cuda_stream(ctx, stream, &s)) return SAR_E_ARG;
  sar_status st = cuda_status(cudaStreamIsCapturing(s, &capturing));
  if (st) return st;
  if (capturing != cudaStreamCaptureStatusNone) return SAR_E_CAPTURE;
  return event_record(out, ctx, stream);
}

/* The pool may ask while a stream is captured that it was not told of, and must not spoil that.
 * Going relaxed costs half a query, so it is done only then. */
static sar_status ask(cuda_device *d, sar_event id, sar_status (*call)(sar_device *, sar_event)) {
  cuda_mode mode;
  if (!atomic_load_explicit(&d->captures, memory_order_relaxed)) return call(&d->base, id);
  sar_status st = cuda_relax(&mode);
  if (st) return st;
  st = call(&d->base, id);
  cuda_restore(mode);
  return st;
}

static sar_status pool_event_query(void *ctx, sar_event id) {
  return ask(ctx, id, event_query);
}

static sar_status pool_event_sync(void *ctx, sar_event id) {
  return ask(ctx, id, event_sync);
}

static void pool_event_release(void *ctx, sar_event id) {
  event_destroy(ctx, id);
}

static sar_status pool_stream_wait(void *ctx, sar_stream stream, sar_event id) {
  return stream_wait(ctx, stream, id);
}

/* ---- gate ----------------------------------------------------------------------------------- */

sar_status sar_cuda_gate_close(sar_device *base, sar_stream stream) {
  cuda_device *d = (cuda_device *)base;
  cudaStream_t s;
  if (!d || !cuda_stream(d, stream, &s)) return SAR_E_ARG;
  return cuda_launch(d, KERNEL_GATE, s, 1, 1,
                     (uint64_t[]){(uint64_t)(uintptr_t)&d->gates[stream - 1],
                                  ++d->closed[stream - 1], 5000000000u});
}

sar_status sar_cuda_gate_step(sar_device *base, sar_stream stream, uint32_t gates) {
  cuda_device *d = (cuda_device *)base;
  cudaStream_t s;
  if (!d || !cuda_stream(d, stream, &s) || gates > d->closed[stream - 1]) return SAR_E_ARG;
  if (gates > d->gates[stream - 1])
    __atomic_store_n(&d->gates[stream - 1], gates, __ATOMIC_SEQ_CST);
  return SAR_OK;
}

sar_status sar_cuda_gate_open(sar_device *base) {
  cuda_device *d = (cuda_device *)base;
  if (!d) return SAR_E_ARG;
  for (sar_stream s = 1; s <= d->stream_count; s++) sar_cuda_gate_step(base, s, d->closed[s - 1]);
  return SAR_OK;
}

/* ---- life ----------------------------------------------------------------------------------- */

static void destroy(sar_device *base) {
  cuda_device *d = (cuda_device *)base;
  if (d->gates) sar_cuda_gate_open(base);
  if (d->stream_count) (void)cuda_status(cudaDeviceSynchronize());
  cuda_graphs_drop(d);
  for (uint32_t i = 0; i < d->event_count; i++) cudaEventDestroy(event_at(d, i)->event);
  for (uint32_t i = 0; i < EVENT_CHUNKS; i++) free(d->events[i]);
  for (uint32_t i = 0; i < d->stream_count; i++) cudaStreamDestroy(d->streams[i]);
  if (d->gates) cudaFreeHost(d->gates);
  cuda_driver_close(d);
  free(d->streams);
  free(d->closed);
  free(d->tips);
  free(d->parents);
  free(d->edges);
  pthread_mutex_destroy(&d->lock);
  free(d);
}

/* Every kernel once, now: a first launch may wait for the device, and behind a gate for ever. */
static sar_status warm_up(cuda_device *d) {
  sar_stream s;
  sar_addr memory = 0;
  sar_status st = stream_create(&s, &d->base);
  if (!st) st = segment_alloc(d, &memory, 4096);
  if (st) return st;
  sar_fill(&d->base, s, memory, 0, 4096);
  sar_copy(&d->base, s, memory, memory + 2048, 1024);
  sar_add(&d->base, s, memory, memory + 2048, 1024);
  sar_checksum(&d->base, s, memory, memory + 2048, 1024);
  sar_spin(&d->base, s, 1);
  sar_cuda_gate_close(&d->base, s);
  sar_cuda_gate_open(&d->base);
  st = stream_sync(&d->base, s);
  sar_status freed = segment_free(d, memory, 4096);
  if (!st) st = sar_device_status(&d->base);
  return st ? st : freed;
}

static const sar_device_calls calls = {
    .destroy = destroy,
    .sync = device_sync,
    .stream_create = stream_create,
    .stream_sync = stream_sync,
    .event_record = event_record,
    .event_query = event_query,
    .event_sync = event_sync,
    .event_destroy = event_destroy,
    .stream_wait = stream_wait,
    .queue = cuda_queue,
    .capture_begin = cuda_capture_begin,
    .capture_end = cuda_capture_end,
    .graph_launch = cuda_graph_launch,
    .graph_destroy = cuda_graph_destroy,
    .set_tips = cuda_set_tips,
};

static sar_status start(cuda_device *d) {
  int count = 0;
  if (cuda_status(cudaGetDeviceCount(&count)) || d->ordinal < 0 || d->ordinal >= count)
    return SAR_E_BACKEND;
  sar_status st = cuda_bind(d);
  size_t bytes = CUDA_STREAMS * sizeof *d->gates;
  if (!st) st = cuda_status(cudaHostAlloc((void **)&d->gates, bytes, cudaHostAllocMapped));
  if (st) return st;
  memset(d->gates, 0, bytes);
  st = cuda_driver_open(d);
  return st ? st : warm_up(d);
}

sar_status sar_cuda_create(sar_device **out, int ordinal) {
  if (!out) return SAR_E_ARG;
  cuda_device *d = calloc(1, sizeof *d);
  if (!d) return SAR_E_NOMEM_HOST;
  d->streams = calloc(CUDA_STREAMS, sizeof *d->streams);
  d->closed = calloc(CUDA_STREAMS, sizeof *d->closed);
  if (!d->streams || !d->closed || pthread_mutex_init(&d->lock, NULL)) {
    free(d->streams);
    free(d->closed);
    free(d);
    return SAR_E_NOMEM_HOST;
  }
  d->ordinal = ordinal;
  d->base.calls = &calls;
  d->base.backend = (sar_backend){.size = sizeof(sar_backend),
                                  .ctx = d,
                                  .segment_alloc = segment_alloc,
                                  .segment_free = segment_free,
                                  .event_record = pool_event_record,
                                  .event_query = pool_event_query,
                                  .event_sync = pool_event_sync,
                                  .event_release = pool_event_release,
                                  .stream_wait = pool_stream_wait,
                                  .capture_tips = cuda_capture_tips,
                                  .node_parents = cuda_node_parents};
  sar_status st = start(d);
  if (st)
    destroy(&d->base);
  else
    *out = &d->base;
  return st;
}

sar_status sar_cuda_describe(const sar_device *base, char *text, size_t bytes) {
  const cuda_device *d = (const cuda_device *)base;
  static struct cudaDeviceProp prop; /* large; the name is all we need of it */
  int driver = 0, runtime = 0;
  if (!d || !text) return SAR_E_ARG;
  sar_status st = cuda_status(cudaGetDeviceProperties(&prop, d->ordinal));
  if (!st) st = cuda_status(cudaDriverGetVersion(&driver));
  if (!st) st = cuda_status(cudaRuntimeGetVersion(&runtime));
  if (!st)
    snprintf(text, bytes, "%s, CUDA driver %d.%d, runtime %d.%d", prop.name, driver / 1000,
             driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  return st;
}
