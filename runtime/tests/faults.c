/* Fault injection: the n-th call to the device, or the n-th host allocation, fails once. The call
 * that met it reports a failure and changes nothing, the same call then works, nothing leaks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock.h"
#include "test.h"

#define SLOTS 12
#define STEPS 160

/* ---- host allocations, wrapped by the linker ------------------------------------------------ */

static uint64_t host_calls, host_fail_at;
static bool host_failed;

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);

static bool host_fails(void) {
  if (++host_calls != host_fail_at) return false;
  host_failed = true;
  return true;
}

void *__wrap_malloc(size_t n) {
  return host_fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size) {
  return host_fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n) {
  return host_fails() ? NULL : __real_realloc(p, n);
}

/* ---- a workload that tolerates one failure -------------------------------------------------- */

typedef struct {
  mock device;
  sar_pool *pool;
  sar_addr live[SLOTS];
  uint64_t seed;
} scene;

typedef struct {
  int kind; /* 0 malloc, 1 free, 2 record, 3 release cached */
  int slot;
  size_t bytes;
  sar_stream stream;
} step;

static step random_step(scene *s) {
  uint64_t r = test_random(&s->seed);
  step t = {.slot = (int)(r % SLOTS), .stream = (sar_stream)((r >> 8) % 3)};
  t.bytes = (r >> 16) % 3 ? 512 + (r >> 20) % 4096 : (r >> 20) % (24 * MIB) + 1;
  t.kind = !s->live[t.slot] ? 0 : (r >> 60) % 3 ? 1 : 2;
  if ((r >> 50) % 32 == 0) t.kind = 3;
  if ((r >> 50) % 4 == 1) mock_complete(&s->device, t.stream);
  return t;
}

static sar_status carry_out(scene *s, const step *t, sar_addr *out) {
  switch (t->kind) {
  case 0:
    return sar_malloc(out, s->pool, t->bytes, t->stream);
  case 1:
    return sar_free(s->pool, s->live[t->slot]);
  case 2:
    return sar_record_stream(s->pool, s->live[t->slot], t->stream);
  default:
    return sar_release_cached(s->pool);
  }
}

static bool same_blocks(const sar_stats *a, const sar_stats *b) {
  return a->live == b->live && a->allocated.current == b->allocated.current &&
         a->mallocs == b->mallocs && a->frees == b->frees && a->records == b->records;
}

static bool injected(const scene *s) {
  return s->device.failed || host_failed;
}

/* One step; when the fault hits it, it is tried again. */
static bool take(scene *s, const step *t) {
  sar_stats before, after;
  sar_addr addr = 0;
  bool hit_before = injected(s);
  uint64_t events = s->device.live_events;
  sar_get_stats(&before, s->pool);
  sar_status st = carry_out(s, t, &addr);
  if (st && st != SAR_E_OOM) {
    sar_get_stats(&after, s->pool);
    if (hit_before || !injected(s) || addr || !same_blocks(&before, &after)) return false;
    if (sar_check(s->pool)) return false;
    /* An event made by a free that failed would miss the work queued before the next try. */
    if (t->kind == 1 && s->device.live_events != events) return false;
    st = carry_out(s, t, &addr);
  }
  if (st && st != SAR_E_OOM) return false;
  if (t->kind == 0) s->live[t->slot] = addr;
  if (t->kind == 1) s->live[t->slot] = 0;
  return sar_check(s->pool) == SAR_OK;
}

static bool close_scene(scene *s) {
  for (int i = 0; i < SLOTS; i++) {
    step t = {.kind = 1, .slot = i};
    if (s->live[i] && !take(s, &t)) return false;
  }
  sar_status st = sar_destroy(s->pool);
  if (st && injected(s)) st = sar_destroy(s->pool);
  return !st && !s->device.live_events && !s->device.segments;
}

static bool play(scene *s, sar_mode mode, uint64_t device_fault, uint64_t host_fault) {
  sar_config config = {.size = sizeof config, .mode = mode};
  memset(s, 0, sizeof *s);
  mock_init(&s->device, 64 * MIB);
  s->seed = 99;
  host_failed = false;
  host_calls = 0;
  host_fail_at = host_fault;
  s->device.fail_at = device_fault;
  sar_status st = sar_create(&s->pool, &config, &s->device.backend);
  if (st && host_failed) st = sar_create(&s->pool, &config, &s->device.backend);
  bool ok = !st;
  for (int i = 0; i < STEPS && ok; i++) {
    step t = random_step(s);
    ok = take(s, &t);
  }
  ok = ok && close_scene(s);
  host_fail_at = 0;
  return ok;
}

static void every_call_once(bool host) {
  scene *s = calloc(1, sizeof *s);
  unsigned faults = 0;
  for (int mode = SAR_MODE_RECORD; mode <= SAR_MODE_WAIT && s; mode++)
    for (uint64_t n = 1;; n++, faults++) {
      bool ok = play(s, (sar_mode)mode, host ? 0 : n, host ? n : 0);
      if (!ok) fprintf(stderr, "mode %d, call %llu: ", mode, (unsigned long long)n);
      if (!CHECK(ok) || !injected(s)) break;
    }
  CHECK(faults > (host ? 15u : 300u)); /* the workload does reach the calls */
  free(s);
}

static void every_device_call_fails_once(void) {
  every_call_once(false);
}

static void every_host_allocation_fails_once(void) {
  every_call_once(true);
}

/* ---- inside a capture ----------------------------------------------------------------------- */

/* A marker that cannot be stored means that the block waits for the end of the capture. */
static void capture_with_host_faults(void) {
  const sar_config config = {.size = sizeof config, .capture_rule = SAR_CAPTURE_PER_STREAM};
  bool met = true;
  for (uint64_t n = 1; met && n < 40; n++) {
    test_bed b = bed_make(&config);
    sar_capture id;
    sar_graph_pool pool = 0;
    sar_graph graph;
    OK(sar_stream_capture_begin(b.device, b.s0));
    OK(sar_capture_begin(&id, b.pool, b.s0, &pool));
    sar_addr x = bed_malloc(&b, MIB, b.s0), y = 0;
    OK(sar_fill(b.device, b.s0, x, 1, MIB));
    OK(sar_stream_wait_stream(b.device, b.s1, b.s0));
    OK(sar_fill(b.device, b.s1, x, 2, MIB));
    OK(sar_record_stream(b.pool, x, b.s1));
    OK(sar_stream_wait_stream(b.device, b.s0, b.s1));
    host_failed = false;
    host_calls = 0;
    host_fail_at = n;
    OK(sar_free(b.pool, x)); /* never fails for want of host memory */
    sar_status st = sar_malloc(&y, b.pool, MIB, b.s0);
    met = host_failed;
    host_fail_at = 0;
    if (st) CHECK_STATUS(st, SAR_E_NOMEM_HOST);
    CHECK_EQ(st != SAR_OK, y == 0);
    if (st) OK(sar_malloc(&y, b.pool, MIB, b.s0));
    OK(sar_check(b.pool));
    OK(sar_free(b.pool, y));
    OK(sar_capture_end(b.pool, id));
    OK(sar_stream_capture_end(&graph, b.device, b.s0));
    OK(sar_graph_destroy(b.device, graph));
    OK(sar_graph_pool_release(b.pool, pool));
    CHECK_EQ(bed_stats(&b).reserved.current, 0);
    bed_drop(&b);
  }
  CHECK(!met); /* the last round ran without a fault */
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"every_device_call_fails_once", every_device_call_fails_once},
      {"every_host_allocation_fails_once", every_host_allocation_fails_once},
      {"capture_with_host_faults", capture_with_host_faults},
  };
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
