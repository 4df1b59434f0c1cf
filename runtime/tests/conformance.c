/* What the allocator promises on any device: the same suite runs on the simulator and on CUDA. */
#include "test.h"

#include <string.h>

static const sar_config early = {.size = sizeof early, .mode = SAR_MODE_EARLY};
static const sar_config wait = {.size = sizeof wait, .mode = SAR_MODE_WAIT};

/* An oracle of "never" on the simulator; on CUDA a spin keeps the stream busy. */
static test_bed busy_bed(const sar_config *config) {
  sar_sim_config never = {.size = sizeof never, .oracle = SAR_ORACLE_NEVER};
  return bed_make_with(config, &never);
}

static void keep_busy(test_bed *b, sar_stream stream) {
  OK(sar_spin(b->device, stream, 20000));
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static void rounds_to_512(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 1, b.s0), y = bed_malloc(&b, 513, b.s0);
  CHECK_EQ(y - x, 512);
  CHECK_EQ(bed_stats(&b).allocated.current, 1536);
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, y));
  bed_drop(&b);
}

static void reserved_after(size_t bytes, uint64_t want) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, bytes, b.s0);
  CHECK_EQ(bed_stats(&b).reserved.current, want);
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

static void segment_sizes(void) {
  reserved_after(1, 2 * MIB);
  reserved_after(MIB, 2 * MIB);
  reserved_after(MIB + 1, 20 * MIB);
  reserved_after(10 * MIB - 512, 20 * MIB);
  reserved_after(10 * MIB - 511, 10 * MIB); /* rounded first */
  reserved_after(10 * MIB, 10 * MIB);
  reserved_after(10 * MIB + 1, 12 * MIB);
  reserved_after(33 * MIB, 34 * MIB);
}

static void small_rest_is_split_large_rest_from_1_mib(void) {
  test_bed b = bed_make(NULL);
  sar_addr a = bed_malloc(&b, 20 * MIB, b.s0);
  OK(sar_free(b.pool, a));
  sar_addr c = bed_malloc(&b, 19 * MIB, b.s0); /* a rest of 1 MiB is not worth a block */
  CHECK_EQ(bed_stats(&b).allocated.current, 20 * MIB);
  OK(sar_free(b.pool, c));
  c = bed_malloc(&b, 19 * MIB - 512, b.s0);
  CHECK_EQ(bed_stats(&b).allocated.current, 19 * MIB - 512);
  CHECK_EQ(bed_stats(&b).idle, 1);
  OK(sar_free(b.pool, c));
  sar_addr s = bed_malloc(&b, MIB, b.s0);
  CHECK_EQ(bed_stats(&b).allocated.current, MIB);
  OK(sar_free(b.pool, s));
  bed_drop(&b);
}

static void best_fit_then_lowest_address(void) {
  test_bed b = bed_make(NULL);
  sar_addr a[6];
  const size_t sizes[6] = {4096, 512, 2048, 512, 2048, 512};
  for (int i = 0; i < 6; i++) a[i] = bed_malloc(&b, sizes[i], b.s0);
  OK(sar_free(b.pool, a[0]));
  OK(sar_free(b.pool, a[4]));
  OK(sar_free(b.pool, a[2]));
  CHECK_EQ(bed_malloc(&b, 2048, b.s0), a[2]); /* not the 4096 at a lower address */
  CHECK_EQ(bed_malloc(&b, 2048, b.s0), a[4]);
  CHECK_EQ(bed_malloc(&b, 2048, b.s0), a[0]);
  for (int i = 0; i < 6; i++) OK(sar_free(b.pool, a[i]));
  bed_drop(&b);
}

static void merges_both_ways(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 512, b.s0), y = bed_malloc(&b, 512, b.s0),
           z = bed_malloc(&b, 512, b.s0);
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, z));
  CHECK_EQ(bed_stats(&b).idle, 2);
  OK(sar_free(b.pool, y));
  CHECK_EQ(bed_stats(&b).idle, 1);
  OK(sar_release_cached(b.pool));
  CHECK_EQ(bed_stats(&b).reserved.current, 0);
  bed_drop(&b);
}

/* ---- streams and recorded uses -------------------------------------------------------------- */

static void never_another_streams_block(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  OK(sar_free(b.pool, x));
  sar_addr y = bed_malloc(&b, 32 * MIB, b.s1);
  CHECK(y != x);
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, y));
  bed_drop(&b);
}

static void plain_free_is_reused_at_once(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  keep_busy(&b, b.s0);
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  CHECK_EQ(bed_stats(&b).events, 0);
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

static void recorded_block_pends(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  keep_busy(&b, b.s1);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_stats(&b).active.current, 32 * MIB);
  CHECK_EQ(bed_stats(&b).allocated.current, 0);
  sar_addr y = bed_malloc(&b, 32 * MIB, b.s0);
  CHECK(y != x);
  OK(sar_stream_sync(b.device, b.s1));
  sar_addr z = bed_malloc(&b, 32 * MIB, b.s0);
  CHECK_EQ(z, x);
  CHECK_EQ(bed_stats(&b).pending, 0);
  OK(sar_free(b.pool, y));
  OK(sar_free(b.pool, z));
  bed_drop(&b);
}

static void record_on_creation_stream_does_nothing(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  keep_busy(&b, b.s0);
  OK(sar_record_stream(b.pool, x, b.s0));
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  CHECK_EQ(bed_stats(&b).records, 0);
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

/* The event is made at free: it covers work queued after the record, and misses work queued after
 * the free. */
static void event_is_made_at_free(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  OK(sar_record_stream(b.pool, x, b.s1));
  CHECK_EQ(bed_stats(&b).events, 0);
  keep_busy(&b, b.s1);
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_stats(&b).events, 1);
  sar_addr y = bed_malloc(&b, 32 * MIB, b.s0);
  CHECK(y != x);
  OK(sar_stream_sync(b.device, b.s1));
  keep_busy(&b, b.s1);
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, y));
  bed_drop(&b);
}

static void all_recorded_streams_must_finish(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  keep_busy(&b, b.s1);
  keep_busy(&b, b.s2);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_record_stream(b.pool, x, b.s2));
  OK(sar_record_stream(b.pool, x, b.s1)); /* a set: once */
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_stats(&b).events, 2);
  sar_addr y = 0;
  if (!test_on_cuda()) {
    OK(sar_stream_sync(b.device, b.s1));
    y = bed_malloc(&b, 32 * MIB, b.s0);
    CHECK(y != x);
  }
  OK(sar_device_sync(b.device));
  sar_addr z = bed_malloc(&b, 32 * MIB, b.s0);
  CHECK_EQ(z, x);
  OK(sar_free(b.pool, z));
  OK(sar_free(b.pool, y));
  bed_drop(&b);
}

static void pending_block_does_not_merge(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 512, b.s0), y = bed_malloc(&b, 512, b.s0);
  keep_busy(&b, b.s1);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, y));
  CHECK_EQ(bed_stats(&b).idle, 1); /* y and the rest; x stays apart */
  CHECK_EQ(bed_stats(&b).pending, 1);
  OK(sar_device_sync(b.device));
  sar_addr z = bed_malloc(&b, 2 * MIB - 512 - 512, b.s0); /* a large one: only polls */
  CHECK_EQ(bed_stats(&b).pending, 0);
  OK(sar_free(b.pool, z));
  bed_drop(&b);
}

static void nothing_comes_back_without_a_malloc(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  keep_busy(&b, b.s1);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_free(b.pool, x));
  OK(sar_device_sync(b.device));
  CHECK_EQ(bed_stats(&b).active.current, 32 * MIB);
  bed_drop(&b);
}

static void views_are_the_storage(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  OK(sar_fill(b.device, b.s0, x + MIB, 7, MIB));
  CHECK_STATUS(sar_free(b.pool, x + MIB), SAR_E_NOT_LIVE); /* an inner address owns nothing */
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

/* ---- the other modes ------------------------------------------------------------------------ */

static void early_makes_the_event_at_the_use(void) {
  test_bed b = busy_bed(&early);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  OK(sar_record_stream(b.pool, x, b.s1));
  CHECK_EQ(bed_stats(&b).events, 1);
  OK(sar_stream_sync(b.device, b.s1));
  keep_busy(&b, b.s1); /* unrelated: the event does not cover it */
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

/* Freed in the other order than used: the older event must not hide behind the younger one. */
static void early_keeps_lanes_in_event_order(void) {
  test_bed b = busy_bed(&early);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0), y = bed_malloc(&b, 32 * MIB, b.s0);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_stream_sync(b.device, b.s1));
  keep_busy(&b, b.s1);
  OK(sar_record_stream(b.pool, y, b.s1));
  OK(sar_free(b.pool, y));
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

static void wait_reuses_at_once_and_never_polls(void) {
  test_bed b = busy_bed(&wait);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  keep_busy(&b, b.s1);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_stats(&b).active.current, 0);
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  CHECK_EQ(bed_stats(&b).waits, 1);
  CHECK_EQ(bed_stats(&b).queries, 0);
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x);
  CHECK_EQ(bed_stats(&b).waits, 1); /* the debt was paid */
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

static void wait_debts_add_up_when_blocks_merge(void) {
  test_bed b = busy_bed(&wait);
  sar_addr x = bed_malloc(&b, MIB, b.s0), y = bed_malloc(&b, MIB, b.s0);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_record_stream(b.pool, y, b.s2));
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, y));
  CHECK_EQ(bed_stats(&b).idle, 1);
  sar_addr z = bed_malloc(&b, 512, b.s0);
  CHECK_EQ(z, x);
  CHECK_EQ(bed_stats(&b).waits, 2);
  OK(sar_free(b.pool, z));
  bed_drop(&b);
}

/* ---- bad use -------------------------------------------------------------------------------- */

static void null_arguments(void) {
  test_bed b = bed_make(NULL);
  sar_pool *p;
  sar_backend cut = *sar_device_backend(b.device);
  sar_config odd = {.size = sizeof odd, .mode = (sar_mode)9};
  cut.event_query = NULL;
  CHECK_STATUS(sar_create(NULL, NULL, sar_device_backend(b.device)), SAR_E_ARG);
  CHECK_STATUS(sar_create(&p, NULL, NULL), SAR_E_ARG);
  CHECK_STATUS(sar_create(&p, NULL, &cut), SAR_E_ARG);
  CHECK_STATUS(sar_create(&p, &odd, sar_device_backend(b.device)), SAR_E_ARG);
  CHECK_STATUS(sar_malloc(NULL, b.pool, 1, b.s0), SAR_E_ARG);
  sar_addr x = 5;
  CHECK_STATUS(sar_malloc(&x, NULL, 1, b.s0), SAR_E_ARG);
  CHECK_STATUS(sar_free(NULL, 512), SAR_E_ARG);
  CHECK_STATUS(sar_record_stream(NULL, 512, b.s1), SAR_E_ARG);
  CHECK_STATUS(sar_destroy(NULL), SAR_E_ARG);
  CHECK_STATUS(sar_get_stats(NULL, b.pool), SAR_E_ARG);
  CHECK_STATUS(sar_release_cached(NULL), SAR_E_ARG);
  CHECK_STATUS(sar_check(NULL), SAR_E_ARG);
  OK(sar_free(b.pool, 0));
  OK(sar_record_stream(b.pool, 0, b.s1));
  OK(sar_malloc(&x, b.pool, 0, b.s0));
  CHECK_EQ(x, 0);
  bed_drop(&b);
}

static void double_free(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 512, b.s0), y = bed_malloc(&b, 512, b.s0);
  OK(sar_free(b.pool, y));
  CHECK_STATUS(sar_free(b.pool, y), SAR_E_NOT_LIVE); /* merged away */
  OK(sar_free(b.pool, x));
  CHECK_STATUS(sar_free(b.pool, x), SAR_E_NOT_LIVE);
  CHECK_EQ(bed_stats(&b).frees, 2);
  bed_drop(&b);
}

static void foreign_pointer(void) {
  test_bed b = bed_make(NULL);
  int local = 0;
  sar_addr foreign = (sar_addr)(uintptr_t)&local;
  CHECK_STATUS(sar_free(b.pool, foreign), SAR_E_ARG);
  OK(sar_record_stream(b.pool, foreign, b.s1)); /* memory of others: no effect */
  CHECK_EQ(bed_stats(&b).records, 0);
  bed_drop(&b);
}

static void record_on_a_dead_block(void) {
  test_bed b = busy_bed(NULL);
  sar_addr x = bed_malloc(&b, 512, b.s0);
  OK(sar_free(b.pool, x));
  CHECK_STATUS(sar_record_stream(b.pool, x, b.s1), SAR_E_NOT_LIVE);
  x = bed_malloc(&b, 32 * MIB, b.s0);
  keep_busy(&b, b.s1);
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_free(b.pool, x)); /* pending: just as dead */
  CHECK_STATUS(sar_record_stream(b.pool, x, b.s2), SAR_E_NOT_LIVE);
  CHECK_STATUS(sar_free(b.pool, x), SAR_E_NOT_LIVE);
  bed_drop(&b);
}

static void destroy_with_live_blocks(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 512, b.s0);
  CHECK_STATUS(sar_destroy(b.pool), SAR_E_STATE);
  CHECK_EQ(bed_malloc(&b, 512, b.s0), x + 512); /* nothing was destroyed */
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, x + 512));
  bed_drop(&b);
}

static void end_of_a_capture_not_begun(void) {
  test_bed b = bed_make(NULL);
  sar_capture c = 0;
  sar_graph_pool g = 0, unknown = 77;
  CHECK_STATUS(sar_capture_begin(&c, b.pool, b.s0, &g), SAR_E_STATE);
  CHECK_EQ(g, 0);
  CHECK_STATUS(sar_capture_end(b.pool, 0), SAR_E_STATE);
  CHECK_STATUS(sar_capture_end(b.pool, 12345), SAR_E_STATE);
  CHECK_STATUS(sar_capture_abort(b.pool, 12345), SAR_E_STATE);
  CHECK_STATUS(sar_graph_pool_release(b.pool, unknown), SAR_E_ARG);
  CHECK_STATUS(sar_route_end(b.pool, b.s0), SAR_E_STATE);
  CHECK_STATUS(sar_route_begin(b.pool, b.s0, &unknown), SAR_E_ARG);
  CHECK_STATUS(sar_capture_begin(NULL, b.pool, b.s0, &g), SAR_E_ARG);
  bed_drop(&b);
}

static void out_of_memory_then_rescue(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = 9, hold;
  CHECK_STATUS(sar_malloc(&x, b.pool, (size_t)1 << 50, b.s0), SAR_E_OOM);
  CHECK_EQ(x, 0);
  CHECK_STATUS(sar_malloc(&x, b.pool, SIZE_MAX - 1, b.s0), SAR_E_OOM);
  hold = bed_malloc(&b, 512, b.s0);
  OK(sar_free(b.pool, hold));
  bed_drop(&b);
}

static void out_of_memory_in_a_capture(void) {
  test_bed b = bed_make(NULL);
  sar_capture c;
  sar_graph_pool g = 0;
  sar_graph graph;
  OK(sar_stream_capture_begin(b.device, b.s0));
  OK(sar_capture_begin(&c, b.pool, b.s0, &g));
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0), y = 0;
  OK(sar_fill(b.device, b.s0, x, 1, 32 * MIB));
  CHECK_STATUS(sar_malloc(&y, b.pool, (size_t)1 << 50, b.s0), SAR_E_OOM);
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_malloc(&b, 32 * MIB, b.s0), x); /* the capture goes on */
  OK(sar_free(b.pool, x));
  OK(sar_capture_end(b.pool, c));
  OK(sar_stream_capture_end(&graph, b.device, b.s0));
  OK(sar_graph_launch(b.device, graph, b.s0));
  OK(sar_device_sync(b.device));
  OK(sar_graph_destroy(b.device, graph));
  OK(sar_graph_pool_release(b.pool, g));
  CHECK_EQ(bed_stats(&b).reserved.current, 0);
  bed_drop(&b);
}

static void device_refuses_nonsense(void) {
  test_bed b = bed_make(NULL);
  sar_graph g = 0;
  CHECK_STATUS(sar_fill(b.device, 9999, 512, 0, 1), SAR_E_ARG);
  CHECK_STATUS(sar_fill(b.device, b.s0, 0, 0, 1), SAR_E_ARG);
  CHECK_STATUS(sar_read(b.device, b.s0, NULL, 512, 1), SAR_E_ARG);
  CHECK_STATUS(sar_callback(b.device, b.s0, NULL, NULL), SAR_E_ARG);
  CHECK_STATUS(sar_event_query(b.device, 1 << 20), SAR_E_ARG);
  CHECK_STATUS(sar_event_destroy(b.device, 1 << 20), SAR_E_ARG);
  CHECK_STATUS(sar_stream_wait_event(b.device, b.s0, 1 << 20), SAR_E_ARG);
  CHECK_STATUS(sar_stream_capture_end(&g, b.device, b.s0), SAR_E_STATE);
  CHECK_STATUS(sar_graph_launch(b.device, 44, b.s0), SAR_E_ARG);
  CHECK_STATUS(sar_graph_destroy(b.device, 44), SAR_E_ARG);
  CHECK_STATUS(sar_device_status(b.device), SAR_E_ARG); /* the first one, remembered */
  bed_drop(&b);
}

/* ---- the operations ------------------------------------------------------------------------- */

static void add_one(void *arg) {
  ++*(int *)arg;
}

static void operations_compute(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 1000, b.s0), y = bed_malloc(&b, 1000, b.s0);
  uint8_t host[1000] = {0};
  uint64_t sum = 0, want = 0;
  int called = 0;
  OK(sar_fill(b.device, b.s0, x, 250, 1000));
  OK(sar_fill(b.device, b.s0, x + 300, 3, 300));
  OK(sar_copy(b.device, b.s0, y, x, 1000));
  OK(sar_add(b.device, b.s0, y + 1, x, 999));
  OK(sar_read(b.device, b.s0, host, y, 1000));
  OK(sar_checksum(b.device, b.s0, x, y, 1000));
  OK(sar_read(b.device, b.s0, &sum, x, sizeof sum));
  OK(sar_callback(b.device, b.s0, add_one, &called));
  OK(sar_device_sync(b.device));
  for (unsigned i = 0; i < 1000; i++) {
    uint8_t here = i >= 300 && i < 600 ? 3 : 250, left = i > 300 && i <= 600 ? 3 : 250;
    if (!CHECK_EQ(host[i], (uint8_t)(here + (i ? left : 0)))) break;
    want += (uint64_t)host[i] * (i % 251 + 1);
  }
  CHECK_EQ(sum, want);
  CHECK_EQ((uint64_t)called, 1);
  OK(sar_device_status(b.device));
  OK(sar_free(b.pool, x));
  OK(sar_free(b.pool, y));
  bed_drop(&b);
}

/* Two live blocks never share a byte: each is filled with its own value, and still holds it when it
 * is freed. */
static bool holds_pattern(test_bed *b, sar_addr x, size_t bytes, uint8_t byte, sar_addr sum) {
  uint64_t got = 0, want = 0;
  for (size_t i = 0; i < bytes; i++) want += (uint64_t)byte * (i % 251 + 1);
  OK(sar_checksum(b->device, b->s0, sum, x, bytes));
  OK(sar_read(b->device, b->s0, &got, sum, sizeof got));
  OK(sar_stream_sync(b->device, b->s0));
  return got == want;
}

static void patterns_survive(void) {
  test_bed b = bed_make(NULL);
  struct {
    sar_addr addr;
    size_t bytes;
    uint8_t byte;
  } live[24] = {0};
  uint64_t seed = 3;
  sar_addr sum = bed_malloc(&b, 8, b.s0);
  for (unsigned i = 0; i < 600; i++) {
    uint64_t r = test_random(&seed);
    unsigned k = (unsigned)(r % 24);
    if (live[k].addr) {
      if (!CHECK(holds_pattern(&b, live[k].addr, live[k].bytes, live[k].byte, sum))) break;
      OK(sar_free(b.pool, live[k].addr));
      live[k].addr = 0;
      continue;
    }
    live[k].bytes = 1 + (r >> 8) % ((r >> 60) ? 9000 : 3 * MIB);
    live[k].byte = (uint8_t)(i + 1);
    live[k].addr = bed_malloc(&b, live[k].bytes, b.s0);
    OK(sar_fill(b.device, b.s0, live[k].addr, live[k].byte, live[k].bytes));
  }
  for (unsigned k = 0; k < 24; k++) OK(sar_free(b.pool, live[k].addr));
  OK(sar_free(b.pool, sum));
  bed_drop(&b);
}

static void events_answer(void) {
  test_bed b = busy_bed(NULL);
  sar_event e;
  keep_busy(&b, b.s0);
  OK(sar_event_record(&e, b.device, b.s0));
  CHECK_STATUS(sar_event_query(b.device, e), SAR_NOT_READY);
  OK(sar_event_sync(b.device, e));
  OK(sar_event_query(b.device, e));
  OK(sar_event_destroy(b.device, e));
  CHECK_STATUS(sar_event_query(b.device, e), SAR_E_ARG);
  bed_drop(&b);
}

/* ---- statistics and trace ------------------------------------------------------------------- */

typedef struct {
  unsigned count[SAR_TRACE_OOM + 1];
  uint64_t active;
} seen;

static void on_trace(void *arg, const sar_trace_entry *e) {
  seen *s = arg;
  s->count[e->kind]++;
  s->active = e->active;
}

static void trace_tells_all(void) {
  test_bed b = bed_make(NULL);
  seen s = {0};
  sar_set_trace(b.pool, on_trace, &s);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0), y = 0;
  OK(sar_record_stream(b.pool, x, b.s1));
  OK(sar_free(b.pool, x));
  CHECK_EQ(s.active, 32 * MIB);
  CHECK_EQ(s.count[SAR_TRACE_AVAILABLE], 0);
  OK(sar_device_sync(b.device));
  CHECK_STATUS(sar_malloc(&y, b.pool, (size_t)1 << 50, b.s0), SAR_E_OOM);
  OK(sar_release_cached(b.pool));
  const unsigned want[SAR_TRACE_OOM + 1] = {1, 1, 1, 1, 1, 1, 1};
  CHECK(!memcmp(s.count, want, sizeof want));
  bed_drop(&b);
}

static void peaks_reset(void) {
  test_bed b = bed_make(NULL);
  sar_addr x = bed_malloc(&b, 32 * MIB, b.s0);
  OK(sar_free(b.pool, x));
  CHECK_EQ(bed_stats(&b).allocated.peak, 32 * MIB);
  sar_reset_peaks(b.pool);
  CHECK_EQ(bed_stats(&b).allocated.peak, 0);
  CHECK_EQ(bed_stats(&b).reserved.peak, 32 * MIB);
  bed_drop(&b);
}

int main(int argc, char **argv) {
#define CASE(name) {#name, name}
  const test_case cases[] = {
      CASE(rounds_to_512),
      CASE(segment_sizes),
      CASE(small_rest_is_split_large_rest_from_1_mib),
      CASE(best_fit_then_lowest_address),
      CASE(merges_both_ways),
      CASE(never_another_streams_block),
      CASE(plain_free_is_reused_at_once),
      CASE(recorded_block_pends),
      CASE(record_on_creation_stream_does_nothing),
      CASE(event_is_made_at_free),
      CASE(all_recorded_streams_must_finish),
      CASE(pending_block_does_not_merge),
      CASE(nothing_comes_back_without_a_malloc),
      CASE(views_are_the_storage),
      CASE(early_makes_the_event_at_the_use),
      CASE(early_keeps_lanes_in_event_order),
      CASE(wait_reuses_at_once_and_never_polls),
      CASE(wait_debts_add_up_when_blocks_merge),
      CASE(null_arguments),
      CASE(double_free),
      CASE(foreign_pointer),
      CASE(record_on_a_dead_block),
      CASE(destroy_with_live_blocks),
      CASE(end_of_a_capture_not_begun),
      CASE(out_of_memory_then_rescue),
      CASE(out_of_memory_in_a_capture),
      CASE(device_refuses_nonsense),
      CASE(operations_compute),
      CASE(patterns_survive),
      CASE(events_answer),
      CASE(trace_tells_all),
      CASE(peaks_reset),
  };
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
