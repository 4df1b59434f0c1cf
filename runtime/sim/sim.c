#include "sim.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ADDR     ((sar_addr)1 << 40)
#define SEGMENT_GAP    ((sar_addr)1 << 21)
#define DEFAULT_MEMORY ((uint64_t)141 << 30)
#define LAUNCH_NS      1000u

static sim_device *of(sar_device *d) {
  return (sim_device *)d;
}

sim_stream *sim_stream_get(sim_device *d, sar_stream id) {
  return id && id <= d->stream_count ? &d->streams[id - 1] : NULL;
}

sim_event *sim_event_get(sim_device *d, sar_event id) {
  size_t low = 0, high = d->event_count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (d->events[mid].id < id)
      low = mid + 1;
    else
      high = mid;
  }
  return low < d->event_count && d->events[low].id == id ? &d->events[low] : NULL;
}

static void host_call(sim_device *d) {
  d->host_calls++;
  d->now += d->config.host_ns;
}

static void host_learns(sim_device *d, const sim_clock *c, uint64_t done) {
  sim_clock_join(&d->host, c, d->lanes);
  if (done > d->now) d->now = done;
}

/* ---- hazards -------------------------------------------------------------------------------- */

void sim_report(sim_device *d, const sar_hazard *h) {
  for (size_t i = 0; i < d->hazard_count; i++) {
    sar_hazard *old = &d->hazards[i];
    if (old->kind != h->kind || old->first.number != h->first.number ||
        old->second.number != h->second.number)
      continue;
    if (h->addr == old->addr + old->bytes) old->bytes += h->bytes;
    return;
  }
  if (d->hazard_count == d->hazard_cap) {
    size_t cap = d->hazard_cap ? d->hazard_cap * 2 : 16;
    sar_hazard *bigger = realloc(d->hazards, cap * sizeof *bigger);
    if (!bigger) return; /* the first ones are what matters */
    d->hazards = bigger;
    d->hazard_cap = cap;
  }
  d->hazards[d->hazard_count++] = *h;
}

size_t sar_sim_hazards(const sar_device *sim, const sar_hazard **out) {
  const sim_device *d = (const sim_device *)sim;
  *out = d->hazards;
  return d->hazard_count;
}

const char *sar_hazard_name(sar_hazard_kind kind) {
  static const char *const names[] = {"reuse", "race", "use after free", "unwritten read",
                                      "outside every block"};
  return names[kind];
}

/* ---- operations ----------------------------------------------------------------------------- */

uint64_t sim_duration(const sim_device *d, const sar_op *op) {
  return LAUNCH_NS + 1000u * (uint64_t)op->microseconds + op->bytes / 1024 * d->config.byte_ns_k;
}

static sim_op *log_op(sim_device *d, const sim_op *template) {
  if (d->op_count == d->op_cap) {
    size_t cap = d->op_cap ? d->op_cap * 2 : 64;
    sim_op **bigger = realloc(d->log, cap * sizeof *bigger);
    if (!bigger) return NULL;
    d->log = bigger;
    d->op_cap = cap;
  }
  sim_op *op = malloc(sizeof *op);
  if (!op) return NULL;
  *op = *template;
  d->log[d->op_count++] = op;
  op->number = (uint32_t)d->op_count;
  return op;
}

static bool touch_all(sim_device *d, const sim_op *op) {
  const sar_op *o = &op->op;
  uint64_t dst = op->owned ? op->dst_owner : 0, src = op->owned ? op->src_owner : 0;
  size_t written = o->kind == SAR_OP_CHECKSUM ? SAR_CHECKSUM_BYTES : o->bytes;
  bool ok = !o->src || sim_shadow_touch(d, op->number, o->src, o->bytes, false, src);
  if (o->kind == SAR_OP_ADD)
    ok = ok && sim_shadow_touch(d, op->number, o->dst, o->bytes, false, dst);
  return ok && (!o->dst || sim_shadow_touch(d, op->number, o->dst, written, true, dst));
}

/* Logs the operation behind follows, judges its accesses and carries it out. */
sar_status sim_run(sim_device *d, const sim_op *template, const sim_clock *follows, uint32_t lane,
                   sim_op **out) {
  sim_op *op = log_op(d, template);
  if (!op) return SAR_E_NOMEM_HOST;
  op->clock = *follows;
  sim_clock_join(&op->clock, &d->host, d->lanes);
  op->lane = lane;
  op->tick = ++op->clock.lane[lane];
  if (!touch_all(d, op) || !sim_memory_apply(&d->memory, &op->op, &op->read))
    return SAR_E_NOMEM_HOST;
  if (op->op.kind == SAR_OP_CALLBACK) op->op.fn(op->op.host);
  *out = op;
  return SAR_OK;
}

static sar_status check_op(const sar_op *op) {
  bool needs_dst = op->kind <= SAR_OP_CHECKSUM;
  bool needs_src = op->kind == SAR_OP_COPY || op->kind == SAR_OP_ADD ||
                   op->kind == SAR_OP_CHECKSUM || op->kind == SAR_OP_READ;
  return (needs_dst && !op->dst) || (needs_src && !op->src) ? SAR_E_ARG : SAR_OK;
}

static sar_status queue_op(sim_device *d, const sar_op *op) {
  sim_stream *s = sim_stream_get(d, op->stream);
  if (!s || check_op(op)) return SAR_E_ARG;
  if (!op->bytes && op->kind != SAR_OP_SPIN && op->kind != SAR_OP_CALLBACK) return SAR_OK;
  if (s->capture) return sim_capture_node(d, s, op);
  sim_op template = {.op = *op}, *done;
  sar_status st = sim_run(d, &template, &s->clock, s->lane, &done);
  if (st) return st;
  s->clock = done->clock;
  s->end = (s->end > d->now ? s->end : d->now) + sim_duration(d, op);
  return SAR_OK;
}

static sar_status dev_queue(sar_device *base, const sar_op *op) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = queue_op(d, op);
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* ---- streams and events --------------------------------------------------------------------- */

static sar_status stream_create(sar_stream *out, sim_device *d) {
  if (d->lanes == SIM_LANES) return SAR_E_BACKEND;
  if (d->stream_count == d->stream_cap) {
    size_t cap = d->stream_cap ? d->stream_cap * 2 : 8;
    sim_stream *bigger = realloc(d->streams, cap * sizeof *bigger);
    if (!bigger) return SAR_E_NOMEM_HOST;
    d->streams = bigger;
    d->stream_cap = cap;
  }
  d->streams[d->stream_count] = (sim_stream){.lane = d->lanes++};
  *out = (sar_stream)++d->stream_count;
  return SAR_OK;
}

static sar_status dev_stream_create(sar_stream *out, sar_device *base) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = stream_create(out, d);
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* A record is an operation of its own: the device has to get there, even on an idle stream. */
static sar_status event_record(sar_event *out, sim_device *d, sar_stream stream, bool from_pool) {
  sim_stream *s = sim_stream_get(d, stream);
  if (!s) return SAR_E_ARG;
  if (s->capture && from_pool) return SAR_E_CAPTURE;
  if (d->event_count == d->event_cap) {
    size_t cap = d->event_cap ? d->event_cap * 2 : 16;
    sim_event *bigger = realloc(d->events, cap * sizeof *bigger);
    if (!bigger) return SAR_E_NOMEM_HOST;
    d->events = bigger;
    d->event_cap = cap;
  }
  sim_event e = {.id = d->next_event + 1};
  if (s->capture) {
    sar_status st = sim_capture_event(s, &e);
    if (st) return st;
  } else {
    sim_clock_join(&s->clock, &d->host, d->lanes);
    s->clock.lane[s->lane]++;
    e.clock = s->clock;
    e.done = s->end > d->now ? s->end : d->now;
  }
  d->events[d->event_count++] = e;
  *out = d->next_event = e.id;
  return SAR_OK;
}

static sar_status dev_event_record(sar_event *out, sar_device *base, sar_stream stream) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = event_record(out, d, stream, false);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static uint64_t coin(sim_device *d) {
  uint64_t x = d->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  d->random = x;
  return x * 0x2545F4914F6CDD1Du >> 63;
}

static bool ask_oracle(sim_device *d, const sim_event *e, bool from_pool) {
  if (d->choose) return d->choose(d->choose_arg, d, e->id, from_pool);
  switch (d->config.oracle) {
  case SAR_ORACLE_ALWAYS:
    return true;
  case SAR_ORACLE_NEVER:
    return false;
  case SAR_ORACLE_SEEDED:
    return coin(d) != 0;
  case SAR_ORACLE_TIMED:
    return e->done <= d->now;
  }
  return false;
}

/* The pool asks in relaxed mode. */
static sar_status may_ask(sim_device *d, const sim_event *e, bool from_pool) {
  if (e->captured) return sim_capture_ask(d, e);
  return from_pool ? SAR_OK : sim_capture_unordered(d);
}

static sar_status event_query(sim_device *d, sar_event event, bool from_pool) {
  sim_event *e = sim_event_get(d, event);
  if (!e) return SAR_E_ARG;
  sar_status st = may_ask(d, e, from_pool);
  if (st) return st;
  bool known = sim_clock_covers(&d->host, &e->clock, d->lanes);
  bool ready = known || ask_oracle(d, e, from_pool);
  if (!known && !from_pool) d->host_answers = d->host_answers * 3 + 1 + ready;
  if (ready) sim_clock_join(&d->host, &e->clock, d->lanes);
  return ready ? SAR_OK : SAR_NOT_READY;
}

static sar_status dev_event_query(sar_device *base, sar_event event) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = event_query(d, event, false);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status event_sync(sim_device *d, sar_event event, bool from_pool) {
  sim_event *e = sim_event_get(d, event);
  if (!e) return SAR_E_ARG;
  sar_status st = may_ask(d, e, from_pool);
  if (!st) host_learns(d, &e->clock, e->done);
  return st;
}

static sar_status dev_event_sync(sar_device *base, sar_event event) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = event_sync(d, event, false);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status event_destroy(sim_device *d, sar_event event) {
  sim_event *e = sim_event_get(d, event);
  if (!e) return SAR_E_ARG;
  free(e->tips);
  size_t i = (size_t)(e - d->events);
  memmove(e, e + 1, (--d->event_count - i) * sizeof *e);
  return SAR_OK;
}

static sar_status dev_event_destroy(sar_device *base, sar_event event) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = event_destroy(d, event);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status stream_wait(sim_device *d, sar_stream stream, sar_event event) {
  sim_stream *s = sim_stream_get(d, stream);
  sim_event *e = sim_event_get(d, event);
  if (!s || !e) return SAR_E_ARG;
  if (s->capture || e->captured) return sim_capture_wait(d, s, e);
  sim_clock_join(&s->clock, &e->clock, d->lanes);
  if (e->done > s->end) s->end = e->done;
  return SAR_OK;
}

static sar_status dev_stream_wait(sar_device *base, sar_stream stream, sar_event event) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = stream_wait(d, stream, event);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status stream_sync(sim_device *d, sar_stream stream) {
  sim_stream *s = sim_stream_get(d, stream);
  if (!s) return SAR_E_ARG;
  sar_status st = s->capture ? sim_capture_spoil(s->capture) : sim_capture_unordered(d);
  if (!st) host_learns(d, &s->clock, s->end);
  return st;
}

static void learn_all(sim_device *d) {
  for (size_t i = 0; i < d->stream_count; i++)
    host_learns(d, &d->streams[i].clock, d->streams[i].end);
}

static sar_status dev_stream_sync(sar_device *base, sar_stream stream) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = stream_sync(d, stream);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status dev_sync(sar_device *base) {
  sim_device *d = of(base);
  pthread_mutex_lock(&d->lock);
  host_call(d);
  sar_status st = sim_capture_spoil_all(d);
  if (!st) learn_all(d);
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* ---- the allocator's table ------------------------------------------------------------------ */

/* Addresses are never used twice, so a stale one is always noticed. */
static sar_status segment_alloc(sim_device *d, sar_addr *out, size_t bytes) {
  sar_addr span = (bytes + 2 * SEGMENT_GAP - 1) / SEGMENT_GAP * SEGMENT_GAP;
  if (bytes > d->config.memory - d->reserved) return SAR_E_OOM;
  if (d->config.downward) d->next_addr -= span;
  if (!sim_shadow_add(&d->shadow, d->next_addr, bytes)) return SAR_E_NOMEM_HOST;
  *out = d->next_addr;
  if (!d->config.downward) d->next_addr += span;
  d->reserved += bytes;
  return SAR_OK;
}

static sar_status be_segment_alloc(void *ctx, sar_addr *out, size_t bytes) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  sar_status st = segment_alloc(d, out, bytes);
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* Waits for the device, as cudaFree does; a capture does not mind, in relaxed mode. */
static sar_status be_segment_free(void *ctx, sar_addr addr, size_t bytes) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  learn_all(d);
  sim_shadow_remove(&d->shadow, addr, bytes);
  d->reserved -= bytes;
  pthread_mutex_unlock(&d->lock);
  return SAR_OK;
}

static sar_status be_event_record(void *ctx, sar_event *out, sar_stream stream) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  sar_status st = event_record(out, d, stream, true);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status be_event_query(void *ctx, sar_event event) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  sar_status st = event_query(d, event, true);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status be_event_sync(void *ctx, sar_event event) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  sar_status st = event_sync(d, event, true);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static void be_event_release(void *ctx, sar_event event) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  event_destroy(d, event);
  pthread_mutex_unlock(&d->lock);
}

static sar_status be_stream_wait(void *ctx, sar_stream stream, sar_event event) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  sar_status st = stream_wait(d, stream, event);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status be_capture_tips(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                                  sar_stream stream) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  const sim_stream *s = sim_stream_get(d, stream);
  sar_status st = s ? sim_tips_answer(d, s, out, tips, count) : SAR_E_ARG;
  pthread_mutex_unlock(&d->lock);
  return st;
}

static sar_status be_node_parents(void *ctx, const sar_node **parents, size_t *count,
                                  sar_node node) {
  sim_device *d = ctx;
  pthread_mutex_lock(&d->lock);
  sar_status st = sim_parents_answer(d, node, parents, count);
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* ---- watching the pool ---------------------------------------------------------------------- */

static void watch(void *arg, const sar_trace_entry *e) {
  sim_device *d = arg;
  bool ok = true;
  pthread_mutex_lock(&d->lock);
  switch (e->kind) {
  case SAR_TRACE_MALLOC:
    ok = sim_shadow_malloc(&d->shadow, e->addr, e->bytes, e->allocation);
    host_call(d);
    break;
  case SAR_TRACE_FREE:
    ok = sim_shadow_free(&d->shadow, e->addr, e->bytes, e->allocation);
    host_call(d);
    break;
  case SAR_TRACE_RECORD_STREAM:
    host_call(d);
    break;
  default:
    break;
  }
  if (!ok) atomic_store(&d->base.first_failure, (int)SAR_E_NOMEM_HOST);
  pthread_mutex_unlock(&d->lock);
  if (d->next_trace) d->next_trace(d->next_trace_arg, e);
}

void sar_sim_watch(sar_device *sim, sar_pool *pool, sar_trace_fn next, void *arg) {
  sim_device *d = of(sim);
  d->shadow.watched = true;
  d->pool = pool;
  d->next_trace = next;
  d->next_trace_arg = arg;
  sar_set_trace(pool, watch, d);
}

uint64_t sar_sim_now(const sar_device *sim) {
  return ((const sim_device *)sim)->now;
}

sar_status sar_sim_programmatic(sar_device *sim, sar_stream stream) {
  sim_stream *s = sim_stream_get(of(sim), stream);
  if (!s || !s->capture) return SAR_E_STATE;
  s->programmatic = true;
  for (size_t i = 0; i < s->tip_count; i++) s->tips[i].finish = false;
  return SAR_OK;
}

/* ---- life ----------------------------------------------------------------------------------- */

static void destroy(sar_device *base) {
  sim_device *d = of(base);
  sim_graphs_drop(d);
  for (size_t i = 0; i < d->stream_count; i++) free(d->streams[i].tips);
  for (size_t i = 0; i < d->event_count; i++) free(d->events[i].tips);
  for (size_t i = 0; i < d->op_count; i++) free(d->log[i]);
  free(d->streams);
  free(d->events);
  free(d->log);
  free(d->hazards);
  free(d->tips_answer);
  free(d->parents_answer);
  sim_memory_drop(&d->memory);
  sim_shadow_drop(&d->shadow);
  pthread_mutex_destroy(&d->lock);
  free(d);
}

static const sar_device_calls calls = {
    .destroy = destroy,
    .sync = dev_sync,
    .stream_create = dev_stream_create,
    .stream_sync = dev_stream_sync,
    .event_record = dev_event_record,
    .event_query = dev_event_query,
    .event_sync = dev_event_sync,
    .event_destroy = dev_event_destroy,
    .stream_wait = dev_stream_wait,
    .queue = dev_queue,
    .capture_begin = sim_capture_begin,
    .capture_end = sim_capture_end,
    .graph_launch = sim_graph_launch,
    .graph_destroy = sim_graph_destroy,
    .set_tips = sim_set_tips,
};

static sar_backend backend_of(sim_device *d) {
  return (sar_backend){.size = sizeof(sar_backend),
                       .ctx = d,
                       .segment_alloc = be_segment_alloc,
                       .segment_free = be_segment_free,
                       .event_record = be_event_record,
                       .event_query = be_event_query,
                       .event_sync = be_event_sync,
                       .event_release = be_event_release,
                       .stream_wait = be_stream_wait,
                       .capture_tips = be_capture_tips,
                       .node_parents = be_node_parents};
}

sar_status sar_sim_create(sar_device **out, const sar_sim_config *config) {
  if (!out || (config && config->size < sizeof *config)) return SAR_E_ARG;
  sim_device *d = calloc(1, sizeof *d);
  if (!d) return SAR_E_NOMEM_HOST;
  if (pthread_mutex_init(&d->lock, NULL)) {
    free(d);
    return SAR_E_NOMEM_HOST;
  }
  d->base.calls = &calls;
  d->base.backend = backend_of(d);
  if (config) d->config = *config;
  if (!d->config.memory) d->config.memory = DEFAULT_MEMORY;
  if (!d->config.host_ns) d->config.host_ns = 2000;
  if (!d->config.byte_ns_k) d->config.byte_ns_k = 1;
  d->random = d->config.seed * 0x9E3779B97F4A7C15u + 1;
  for (int i = 0; i < 8; i++) coin(d);
  d->next_addr = FIRST_ADDR;
  *out = &d->base;
  return SAR_OK;
}
