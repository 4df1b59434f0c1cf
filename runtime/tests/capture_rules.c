/* Graph capture beyond the numbered cases: both rules, private pools, replay. */
#include "scene.h"

static void any_capture_defers_every_recorded_free(void) {
  scene s = begin_with(&defer, 0);
  sar_addr eager = bed_malloc(&s.bed, BLOCK, s.bed.s2);
  start(&s);
  OK(sar_record_stream(s.bed.pool, eager, s.bed.s1)); /* has nothing to do with the capture */
  OK(sar_free(s.bed.pool, eager));
  CHECK_EQ(bed_stats(&s.bed).deferred, 1);
  CHECK_EQ(bed_stats(&s.bed).events, 0);
  follow(&s, s.bed.s1, s.bed.s0);
  end(&s);
  OK(sar_spin(s.bed.device, s.bed.s1, 20000));
  sar_addr z = bed_malloc(&s.bed, 512, s.bed.s2);
  CHECK_EQ(bed_stats(&s.bed).pending, 1);
  OK(sar_free(s.bed.pool, z));
  OK(sar_release_cached(s.bed.pool));
  OK(sar_graph_destroy(s.bed.device, s.graph));
  OK(sar_graph_pool_release(s.bed.pool, s.pool));
  bed_drop(&s.bed);
}

static void end_of_one_capture_keeps_the_other(void) {
  scene s = begin(&per_stream);
  sar_capture other;
  sar_graph_pool pool = 0;
  sar_graph graph;
  OK(sar_stream_capture_begin(s.bed.device, s.bed.s2));
  OK(sar_capture_begin(&other, s.bed.pool, s.bed.s2, &pool));
  OK(sar_free(s.bed.pool, s.x));
  OK(sar_capture_end(s.bed.pool, other));
  OK(sar_stream_capture_end(&graph, s.bed.device, s.bed.s2));
  CHECK_EQ(bed_stats(&s.bed).deferred, 1);
  CHECK(!reused(&s, s.bed.s0));
  OK(sar_graph_destroy(s.bed.device, graph));
  OK(sar_graph_pool_release(s.bed.pool, pool));
  end_and_finish(&s);
}

/* Nor does it free what a step back made wait, which has no recorded use at all. */
static void end_of_one_capture_keeps_what_the_other_took_back(void) {
  scene s = begin_with(&per_stream, 0);
  sar_capture other;
  sar_graph_pool pool = 0;
  sar_graph graph;
  start(&s);
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, y);
  sar_node old = only_tip(&s, s.bed.s0);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, s.x);
  sar_node young = only_tip(&s, s.bed.s0);
  OK(sar_free(s.bed.pool, s.x));
  OK(sar_capture_set_tips(s.bed.device, s.bed.s0, &old, 1));
  CHECK(!reused(&s, s.bed.s0));
  OK(sar_stream_capture_begin(s.bed.device, s.bed.s2));
  OK(sar_capture_begin(&other, s.bed.pool, s.bed.s2, &pool));
  OK(sar_capture_end(s.bed.pool, other));
  OK(sar_stream_capture_end(&graph, s.bed.device, s.bed.s2));
  CHECK(!reused(&s, s.bed.s0));
  OK(sar_free(s.bed.pool, y));
  OK(sar_capture_set_tips(s.bed.device, s.bed.s0, &young, 1));
  follow(&s, s.bed.s1, s.bed.s0);
  OK(sar_graph_destroy(s.bed.device, graph));
  OK(sar_graph_pool_release(s.bed.pool, pool));
  end_and_finish(&s);
}

/* The strong rule asks again when a stream joins through an event older than the markers. */
static void strong_rule_sees_late_joiners(void) {
  scene s = begin_with(&strong, 0);
  start(&s);
  sar_event old;
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_event_record(&old, s.bed.device, s.bed.s0));
  work(&s, s.bed.s0, s.x);
  follow(&s, s.bed.s1, s.bed.s0);
  work(&s, s.bed.s1, s.x);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  follow(&s, s.bed.s0, s.bed.s1);
  follow(&s, s.bed.s1, s.bed.s0);
  OK(sar_stream_wait_event(s.bed.device, s.bed.s2, old));
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s2);
  CHECK(y != s.x); /* s0 and s1 follow the markers, s2 does not */
  follow(&s, s.bed.s2, s.bed.s0);
  CHECK(reused(&s, s.bed.s2));
  OK(sar_free(s.bed.pool, y));
  follow(&s, s.bed.s0, s.bed.s2);
  OK(sar_event_destroy(s.bed.device, old));
  end_and_finish(&s);
}

/* A captured stream cannot wait for an eager event, so mode WAIT polls for private blocks. */
static void wait_mode_polls_for_private_blocks(void) {
  const sar_config wait = {.size = sizeof wait, .mode = SAR_MODE_WAIT};
  scene s = begin_with(&wait, 0);
  start(&s);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, s.x);
  OK(sar_capture_end(s.bed.pool, s.id));
  OK(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0));
  OK(sar_spin(s.bed.device, s.bed.s1, 20000));
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  CHECK_EQ(bed_stats(&s.bed).pending, 1);
  sar_graph first = s.graph;
  start(&s);
  CHECK(!reused(&s, s.bed.s0));
  OK(sar_capture_end(s.bed.pool, s.id));
  OK(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0));
  OK(sar_device_sync(s.bed.device));
  OK(sar_release_cached(s.bed.pool));
  OK(sar_graph_destroy(s.bed.device, first));
  OK(sar_graph_pool_release(s.bed.pool, s.pool));
  finish(&s);
}

/* A block that moved to another stream must not merge with what its old stream may take. */
static void moved_blocks_stay_apart(void) {
  scene s = begin_with(&strong, 0);
  start(&s);
  s.x = bed_malloc(&s.bed, 4 * MIB, s.bed.s0); /* the rest of its segment is free on s0 */
  work(&s, s.bed.s0, s.x);
  follow(&s, s.bed.s1, s.bed.s0);
  work(&s, s.bed.s1, s.x);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  follow(&s, s.bed.s0, s.bed.s1);
  follow(&s, s.bed.s1, s.bed.s0);
  follow(&s, s.bed.s2, s.bed.s0);
  sar_addr y = bed_malloc(&s.bed, 4 * MIB, s.bed.s2);
  CHECK_EQ(y, s.x);
  work(&s, s.bed.s2, y);
  OK(sar_free(s.bed.pool, y));
  OK(sar_check(s.bed.pool));
  CHECK_EQ(bed_stats(&s.bed).idle, 2);
  CHECK_EQ(bed_malloc(&s.bed, 4 * MIB, s.bed.s2), y);
  OK(sar_free(s.bed.pool, y));
  follow(&s, s.bed.s0, s.bed.s2);
  end_and_finish(&s);
}

/* Not even for an eager stream's allocation: the question could spoil the capture. */
static void the_pool_asks_nothing_during_a_capture(void) {
  scene s = begin_with(&defer, 0);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s2);
  OK(sar_spin(s.bed.device, s.bed.s1, 20000));
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  start(&s);
  uint64_t queries = bed_stats(&s.bed).queries;
  CHECK(!reused(&s, s.bed.s2));
  CHECK(!reused(&s, s.bed.s0));
  CHECK_EQ(bed_stats(&s.bed).queries, queries);
  OK(sar_capture_end(s.bed.pool, s.id));
  OK(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0));
  OK(sar_device_sync(s.bed.device));
  CHECK(reused(&s, s.bed.s2));
  OK(sar_release_cached(s.bed.pool));
  finish(&s);
}

static void no_query_and_no_sync_inside(void) {
  scene s = begin(&defer);
  sar_event e;
  OK(sar_event_record(&e, s.bed.device, s.bed.s0));
  CHECK_STATUS(sar_event_query(s.bed.device, e), SAR_E_CAPTURE);
  CHECK_STATUS(sar_release_cached(s.bed.pool), SAR_E_CAPTURE);
  OK(sar_event_destroy(s.bed.device, e));
  OK(sar_capture_abort(s.bed.pool, s.id)); /* the question spoilt CUDA's capture, as it must */
  CHECK_STATUS(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0), SAR_E_CAPTURE);
  OK(sar_free(s.bed.pool, s.x));
  CHECK_EQ(bed_stats(&s.bed).reserved.current, 0);
  bed_drop(&s.bed);
}

/* Its blocks are free for the next capture, but launches of this graph still use them. */
static void a_graphs_memory_is_not_cached(void) {
  scene s = begin(&defer);
  OK(sar_free(s.bed.pool, s.x));
  end(&s);
  OK(sar_release_cached(s.bed.pool));
  CHECK_EQ(bed_stats(&s.bed).reserved.current, BLOCK);
  finish(&s);
}

static void pool_in_use_is_not_released(void) {
  scene s = begin(&defer);
  CHECK_STATUS(sar_graph_pool_release(s.bed.pool, s.pool), SAR_E_STATE);
  CHECK_STATUS(sar_destroy(s.bed.pool), SAR_E_STATE);
  OK(sar_free(s.bed.pool, s.x));
  end_and_finish(&s);
}

static void replay_is_checked_like_eager_work(void) {
  if (test_on_cuda()) return;
  const sar_hazard *h;
  scene s = begin_with(&per_stream, 0);
  sar_sim_watch(s.bed.device, s.bed.pool, NULL, NULL);
  start(&s);
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0), z;
  work(&s, s.bed.s0, y);
  follow(&s, s.bed.s1, s.bed.s0);
  work(&s, s.bed.s1, y); /* nobody recorded this one */
  OK(sar_free(s.bed.pool, y));
  z = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  CHECK_EQ(z, y);
  work(&s, s.bed.s0, z);
  OK(sar_free(s.bed.pool, z));
  end(&s);
  CHECK_EQ(sar_sim_hazards(s.bed.device, &h), 0);
  OK(sar_graph_launch(s.bed.device, s.graph, s.bed.s0));
  if (CHECK(sar_sim_hazards(s.bed.device, &h) > 0)) CHECK_EQ(h[0].kind, SAR_HAZARD_REUSE);
  OK(sar_device_sync(s.bed.device));
  finish(&s);
}

int main(int argc, char **argv) {
#define CASE(name) {#name, name}
  const test_case cases[] = {
      CASE(any_capture_defers_every_recorded_free),
      CASE(end_of_one_capture_keeps_the_other),
      CASE(end_of_one_capture_keeps_what_the_other_took_back),
      CASE(strong_rule_sees_late_joiners),
      CASE(wait_mode_polls_for_private_blocks),
      CASE(moved_blocks_stay_apart),
      CASE(the_pool_asks_nothing_during_a_capture),
      CASE(no_query_and_no_sync_inside),
      CASE(a_graphs_memory_is_not_cached),
      CASE(pool_in_use_is_not_released),
      CASE(replay_is_checked_like_eager_work),
  };
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
