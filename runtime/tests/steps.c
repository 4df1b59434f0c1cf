/* A schedule that the simulator chose, step by step on a device: each query of the pool gets the
 * answer it got there, because every stream is held by gates and only the past of an event that
 * shall be ready is let through. Blocks and results must then be the simulator's.
 *
 * Without --cuda the second run is on a simulator that is never early: there a query is ready only
 * if the stepper made it so, which tests the stepper itself. */
#include "../ops/device.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#ifdef SAR_HAVE_CUDA
#include <sar/cuda.h>
#endif

#define STREAMS 16
#define EVENTS  256
#define QUERIES 1024
#define TURNS   8
#define BLOCK   (4 * MIB)

/* ---- what a run leaves behind --------------------------------------------------------------- */

typedef struct {
  sar_status answers[QUERIES];
  size_t queries;
  size_t blocks[TURNS]; /* named by first use */
  uint64_t sums[TURNS];
} record;

/* Each turn: a block is filled on s0 and read on one side stream or on both. */
static void program(sar_device *d, sar_pool *p, record *out) {
  sar_stream s0, side[2];
  sar_addr seen[TURNS], sums;
  size_t seen_count = 0;
  OK(sar_stream_create(&s0, d));
  OK(sar_stream_create(&side[0], d));
  OK(sar_stream_create(&side[1], d));
  OK(sar_malloc(&sums, p, 2 * TURNS * sizeof *out->sums, s0));
  OK(sar_fill(d, s0, sums, 0, 2 * TURNS * sizeof *out->sums));
  for (int i = 0; i < TURNS; i++) {
    sar_addr x;
    size_t name = 0;
    OK(sar_malloc(&x, p, BLOCK, s0));
    while (name < seen_count && seen[name] != x) name++;
    if (name == seen_count) seen[seen_count++] = x;
    out->blocks[i] = name;
    OK(sar_fill(d, s0, x, (uint8_t)(i + 1), BLOCK));
    for (int k = 0; k < 2; k++) {
      if (i % 3 == 1 - k) continue;
      OK(sar_stream_wait_stream(d, side[k], s0));
      OK(sar_checksum(d, side[k], sums + 8 * (sar_addr)(2 * i + k), x, BLOCK));
      OK(sar_record_stream(p, x, side[k]));
    }
    OK(sar_free(p, x));
  }
  OK(sar_stream_wait_stream(d, s0, side[0]));
  OK(sar_stream_wait_stream(d, s0, side[1]));
  OK(sar_device_sync(d));
  for (int i = 0; i < TURNS; i++)
    OK(sar_read(d, s0, &out->sums[i], sums + 8 * (sar_addr)(2 * i + (i % 3 == 1)), 8));
  OK(sar_device_sync(d));
  OK(sar_free(p, sums));
}

/* ---- the simulator's run, noted ------------------------------------------------------------- */

typedef struct {
  sar_backend table;
  const sar_backend *inner;
  record *out;
} notes;

static notes *noting; /* the calls of a table know the device's context only */

static sar_status note_query(void *ctx, sar_event event) {
  sar_status st = noting->inner->event_query(ctx, event);
  if (noting->out->queries < QUERIES) noting->out->answers[noting->out->queries++] = st;
  return st;
}

static void simulate(record *out, sar_oracle oracle, uint64_t seed) {
  sar_device *d;
  sar_pool *p;
  memset(out, 0, sizeof *out);
  OK(sar_sim_create(
      &d, &(sar_sim_config){.size = sizeof(sar_sim_config), .oracle = oracle, .seed = seed}));
  notes n = {*sar_device_backend(d), sar_device_backend(d), out};
  n.table.event_query = note_query;
  noting = &n;
  OK(sar_create(&p, NULL, &n.table));
  program(d, p, out);
  OK(sar_destroy(p));
  sar_device_destroy(d);
}

/* ---- the stepper ---------------------------------------------------------------------------- */

/* Gates of each stream that must be open for something to happen. */
typedef struct {
  uint32_t gates[STREAMS];
} past;

typedef struct {
  sar_device base; /* first member: the program sees this device */
  sar_device *inner;
  past now[STREAMS]; /* of each stream's next operation */
  bool due[STREAMS]; /* the stream's last event is the pool's: a gate belongs behind it */
  struct {
    sar_event id;
    past needs;
  } events[EVENTS];
  size_t event_count;
  const record *script;
  size_t next;
  bool diverged;
} stepper;

static void join(past *to, const past *from) {
  for (int i = 0; i < STREAMS; i++)
    if (from->gates[i] > to->gates[i]) to->gates[i] = from->gates[i];
}

static void close_gate(stepper *s, sar_stream stream) {
  s->now[stream].gates[stream]++;
  s->due[stream] = false;
#ifdef SAR_HAVE_CUDA
  if (test_on_cuda()) OK(sar_cuda_gate_close(s->inner, stream));
#endif
}

static void open_past(stepper *s, const past *needs) {
#ifdef SAR_HAVE_CUDA
  for (sar_stream i = 1; test_on_cuda() && i < STREAMS; i++)
    if (needs->gates[i]) OK(sar_cuda_gate_step(s->inner, i, needs->gates[i]));
#else
  (void)s;
  (void)needs;
#endif
}

static void open_all(stepper *s) {
  past all = {0};
  for (int i = 0; i < STREAMS; i++) join(&all, &s->now[i]);
  open_past(s, &all);
}

static const past *needs_of(const stepper *s, sar_event id) {
  size_t i = s->event_count;
  while (i && s->events[i - 1].id != id) i--;
  return CHECK(i) ? &s->events[i - 1].needs : &s->now[0];
}

static void forget_event(stepper *s, sar_event id) {
  for (size_t i = 0; i < s->event_count; i++)
    if (s->events[i].id == id) s->events[i--] = s->events[--s->event_count];
}

static sar_status note_event(stepper *s, sar_status st, sar_event id, sar_stream stream) {
  if (st || !CHECK(s->event_count < EVENTS)) return st;
  s->events[s->event_count].id = id;
  s->events[s->event_count++].needs = s->now[stream];
  return st;
}

/* ---- the device that the program sees ------------------------------------------------------- */

static sar_status step_sync(sar_device *base) {
  stepper *s = (stepper *)base;
  open_all(s);
  return sar_device_sync(s->inner);
}

static sar_status step_stream_create(sar_stream *out, sar_device *base) {
  stepper *s = (stepper *)base;
  sar_status st = sar_stream_create(out, s->inner);
  if (!st && CHECK(*out < STREAMS)) close_gate(s, *out);
  return st;
}

static sar_status step_event_record(sar_event *out, sar_device *base, sar_stream stream) {
  stepper *s = (stepper *)base;
  sar_status st = sar_event_record(out, s->inner, stream);
  return note_event(s, st, *out, stream);
}

static sar_status step_event_destroy(sar_device *base, sar_event event) {
  stepper *s = (stepper *)base;
  forget_event(s, event);
  return sar_event_destroy(s->inner, event);
}

static sar_status step_wait(sar_device *base, sar_stream stream, sar_event event) {
  stepper *s = (stepper *)base;
  if (s->due[stream]) close_gate(s, stream);
  join(&s->now[stream], needs_of(s, event));
  return sar_stream_wait_event(s->inner, stream, event);
}

static sar_status step_queue(sar_device *base, const sar_op *op) {
  stepper *s = (stepper *)base;
  if (s->due[op->stream]) close_gate(s, op->stream);
  return s->inner->calls->queue(s->inner, op);
}

static const sar_device_calls calls = {.sync = step_sync,
                                       .stream_create = step_stream_create,
                                       .event_record = step_event_record,
                                       .event_destroy = step_event_destroy,
                                       .stream_wait = step_wait,
                                       .queue = step_queue};

/* ---- the table that the pool sees ----------------------------------------------------------- */

static const sar_backend *inner_table(void *ctx) {
  return sar_device_backend(((stepper *)ctx)->inner);
}

static sar_status pool_segment_alloc(void *ctx, sar_addr *out, size_t bytes) {
  return inner_table(ctx)->segment_alloc(inner_table(ctx)->ctx, out, bytes);
}

static sar_status pool_segment_free(void *ctx, sar_addr addr, size_t bytes) {
  open_all(ctx); /* CUDA waits for the device */
  return inner_table(ctx)->segment_free(inner_table(ctx)->ctx, addr, bytes);
}

static sar_status pool_event_record(void *ctx, sar_event *out, sar_stream stream) {
  stepper *s = ctx;
  sar_status st = inner_table(ctx)->event_record(inner_table(ctx)->ctx, out, stream);
  s->due[stream] = true;
  return note_event(s, st, *out, stream);
}

static sar_status pool_event_sync(void *ctx, sar_event event) {
  open_past(ctx, needs_of(ctx, event));
  return inner_table(ctx)->event_sync(inner_table(ctx)->ctx, event);
}

/* One step of the schedule. */
static sar_status pool_event_query(void *ctx, sar_event event) {
  stepper *s = ctx;
  if (s->next == s->script->queries) return s->diverged = true, SAR_E_STATE;
  sar_status wanted = s->script->answers[s->next++];
  if (wanted == SAR_OK) OK(pool_event_sync(ctx, event));
  sar_status got = inner_table(ctx)->event_query(inner_table(ctx)->ctx, event);
  if (got != wanted) s->diverged = true;
  return got;
}

static void pool_event_release(void *ctx, sar_event event) {
  forget_event(ctx, event);
  inner_table(ctx)->event_release(inner_table(ctx)->ctx, event);
}

static sar_status pool_stream_wait(void *ctx, sar_stream stream, sar_event event) {
  return step_wait(ctx, stream, event);
}

static sar_status pool_tips(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                            sar_stream stream) {
  return inner_table(ctx)->capture_tips(inner_table(ctx)->ctx, out, tips, count, stream);
}

static sar_status pool_parents(void *ctx, const sar_node **parents, size_t *count, sar_node node) {
  return inner_table(ctx)->node_parents(inner_table(ctx)->ctx, parents, count, node);
}

static const sar_backend table = {.size = sizeof table,
                                  .segment_alloc = pool_segment_alloc,
                                  .segment_free = pool_segment_free,
                                  .event_record = pool_event_record,
                                  .event_query = pool_event_query,
                                  .event_sync = pool_event_sync,
                                  .event_release = pool_event_release,
                                  .stream_wait = pool_stream_wait,
                                  .capture_tips = pool_tips,
                                  .node_parents = pool_parents};

/* ---- both runs ------------------------------------------------------------------------------ */

static void follow(const record *script) {
  sar_sim_config never = {.size = sizeof never, .oracle = SAR_ORACLE_NEVER};
  test_bed bed = bed_make_with(NULL, &never);
  stepper s = {.base.calls = &calls, .base.backend = table, .inner = bed.device, .script = script};
  record got = {0};
  sar_pool *p;
  s.base.backend.ctx = &s;
  OK(sar_create(&p, NULL, &s.base.backend));
  program(&s.base, p, &got);
  CHECK(!s.diverged);
  CHECK_EQ(s.next, script->queries);
  CHECK(!memcmp(got.blocks, script->blocks, sizeof got.blocks));
  CHECK(!memcmp(got.sums, script->sums, sizeof got.sums));
  CHECK(got.sums[0] != 0);
  OK(sar_destroy(p));
  OK(sar_device_status(&s.base));
  bed_drop(&bed);
}

static uint64_t digest(const record *r) {
  uint64_t h = r->queries;
  for (size_t i = 0; i < r->queries; i++) h = (h ^ (uint64_t)r->answers[i]) * 0x100000001B3u + 1;
  return h;
}

static void seeded_schedules(void) {
  uint64_t seen[40];
  unsigned distinct = 0;
  record r;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    simulate(&r, SAR_ORACLE_SEEDED, seed);
    unsigned k = 0;
    while (k < distinct && seen[k] != digest(&r)) k++;
    if (k < distinct) continue;
    seen[distinct++] = digest(&r);
    follow(&r);
  }
  CHECK(distinct >= 20);
}

static void always_ready(void) {
  record r;
  simulate(&r, SAR_ORACLE_ALWAYS, 0);
  CHECK_EQ(r.blocks[TURNS - 1], 0);
  follow(&r);
}

static void never_ready(void) {
  record r;
  simulate(&r, SAR_ORACLE_NEVER, 0);
  CHECK_EQ(r.blocks[TURNS - 1], TURNS - 1);
  follow(&r);
}

int main(int argc, char **argv) {
  const test_case cases[] = {{"always_ready", always_ready},
                             {"never_ready", never_ready},
                             {"seeded_schedules", seeded_schedules}};
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
