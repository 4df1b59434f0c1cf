#include "mock.h"

#include <string.h>

static bool fails(mock *m) {
  if (++m->calls != m->fail_at) return false;
  m->failed = true;
  return true;
}

static sar_status segment_alloc(void *ctx, sar_addr *out, size_t bytes) {
  mock *m = ctx;
  if (fails(m)) return SAR_E_BACKEND;
  if (bytes > m->memory - m->reserved) return SAR_E_OOM;
  *out = m->next_addr;
  m->next_addr += bytes + ((uint64_t)1 << 21);
  m->reserved += bytes;
  m->segments++;
  return SAR_OK;
}

static sar_status segment_free(void *ctx, sar_addr addr, size_t bytes) {
  mock *m = ctx;
  (void)addr;
  if (fails(m)) return SAR_E_BACKEND;
  m->reserved -= bytes;
  m->segments--;
  return SAR_OK;
}

static sar_status event_record(void *ctx, sar_event *out, sar_stream stream) {
  mock *m = ctx;
  if (fails(m)) return SAR_E_BACKEND;
  size_t i = 1;
  while (i < MOCK_EVENTS && m->events[i].live) i++;
  if (i == MOCK_EVENTS) return SAR_E_BACKEND;
  m->events[i] = (mock_event){stream, ++m->queued[stream], true};
  m->live_events++;
  *out = i;
  return SAR_OK;
}

static sar_status event_query(void *ctx, sar_event event) {
  mock *m = ctx;
  if (fails(m)) return SAR_E_BACKEND;
  const mock_event *e = &m->events[event];
  return e->place <= m->done[e->stream] ? SAR_OK : SAR_NOT_READY;
}

static sar_status event_sync(void *ctx, sar_event event) {
  mock *m = ctx;
  if (fails(m)) return SAR_E_BACKEND;
  const mock_event *e = &m->events[event];
  if (m->done[e->stream] < e->place) m->done[e->stream] = e->place;
  return SAR_OK;
}

static void event_release(void *ctx, sar_event event) {
  mock *m = ctx;
  m->events[event].live = false;
  m->live_events--;
}

static sar_status stream_wait(void *ctx, sar_stream stream, sar_event event) {
  (void)stream;
  (void)event;
  return fails(ctx) ? SAR_E_BACKEND : SAR_OK;
}

static sar_status capture_tips(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                               sar_stream stream) {
  (void)stream;
  *out = 0;
  *tips = NULL;
  *count = 0;
  return fails(ctx) ? SAR_E_BACKEND : SAR_OK;
}

static sar_status node_parents(void *ctx, const sar_node **parents, size_t *count, sar_node node) {
  (void)node;
  *parents = NULL;
  *count = 0;
  return fails(ctx) ? SAR_E_BACKEND : SAR_OK;
}

void mock_init(mock *m, uint64_t memory) {
  memset(m, 0, sizeof *m);
  m->memory = memory;
  m->next_addr = (uint64_t)1 << 30;
  m->backend = (sar_backend){.size = sizeof m->backend,
                             .ctx = m,
                             .segment_alloc = segment_alloc,
                             .segment_free = segment_free,
                             .event_record = event_record,
                             .event_query = event_query,
                             .event_sync = event_sync,
                             .event_release = event_release,
                             .stream_wait = stream_wait,
                             .capture_tips = capture_tips,
                             .node_parents = node_parents};
}

void mock_complete(mock *m, sar_stream stream) {
  m->done[stream] = m->queued[stream];
}
