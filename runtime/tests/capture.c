/* Graph capture: the edge cases of the design, one test each, under the rules that they are about.
 * x is made on s0 and used on s1; both capture, unless a test says otherwise. */
#include "scene.h"

static void case_01_no_join(void) {
  scene s = begin(&per_stream);
  OK(sar_free(s.bed.pool, s.x));
  CHECK(!reused(&s, s.bed.s0));
  end_and_finish(&s);
}

static void case_02_join_and_operation(void) {
  scene s = begin(&per_stream);
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_free(s.bed.pool, s.x));
  follow(&s, s.bed.s0, s.bed.s1);
  work(&s, s.bed.s0, y);
  CHECK(reused(&s, s.bed.s0));
  CHECK_EQ(bed_stats(&s.bed).capture_reuses, 1);
  OK(sar_free(s.bed.pool, y));
  end_and_finish(&s);
}

static void case_03_join_without_operation(void) {
  scene s = begin(&per_stream);
  OK(sar_free(s.bed.pool, s.x));
  follow(&s, s.bed.s0, s.bed.s1);
  CHECK(reused(&s, s.bed.s0)); /* two tips: their union counts */
  end_and_finish(&s);
}

static void case_04_join_then_free(void) {
  scene s = begin(&per_stream);
  follow(&s, s.bed.s0, s.bed.s1);
  OK(sar_free(s.bed.pool, s.x));
  CHECK(reused(&s, s.bed.s0));
  end_and_finish(&s);
}

static void case_05_work_between_join_and_free(void) {
  scene s = begin(&per_stream);
  follow(&s, s.bed.s0, s.bed.s1);
  work(&s, s.bed.s1, s.x);
  OK(sar_free(s.bed.pool, s.x));
  CHECK(!reused(&s, s.bed.s0));
  follow(&s, s.bed.s0, s.bed.s1);
  CHECK(reused(&s, s.bed.s0));
  end_and_finish(&s);
}

static void case_06_wrong_direction(void) {
  scene s = begin(&per_stream);
  OK(sar_free(s.bed.pool, s.x));
  follow(&s, s.bed.s1, s.bed.s0);
  CHECK(!reused(&s, s.bed.s0));
  end_and_finish(&s);
}

static void fork_after_join(scene *s) {
  OK(sar_free(s->bed.pool, s->x));
  follow(s, s->bed.s0, s->bed.s1);
  follow(s, s->bed.s2, s->bed.s0);
}

static void case_07_other_stream_asks(void) {
  scene s = begin(&per_stream);
  fork_after_join(&s);
  CHECK(!reused(&s, s.bed.s2));
  follow(&s, s.bed.s0, s.bed.s2);
  end_and_finish(&s);
  s = begin(&strong);
  fork_after_join(&s);
  follow(&s, s.bed.s1, s.bed.s0); /* s1 follows s0's marker, and s2 all of them */
  CHECK(reused(&s, s.bed.s2));
  follow(&s, s.bed.s0, s.bed.s2);
  end_and_finish(&s);
}

static void case_08_recorded_stream_outside(void) {
  scene s = begin(&per_stream);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s2)); /* s2 does not capture */
  follow(&s, s.bed.s0, s.bed.s1);
  OK(sar_free(s.bed.pool, s.x));
  CHECK(!reused(&s, s.bed.s0));
  end(&s);
  CHECK_EQ(bed_stats(&s.bed).deferred, 1); /* the use on s2 is eager: it needs an event */
  OK(sar_spin(s.bed.device, s.bed.s2, 20000));
  OK(sar_release_cached(s.bed.pool));
  CHECK_EQ(bed_stats(&s.bed).pending, 1);
  OK(sar_device_sync(s.bed.device));
  OK(sar_release_cached(s.bed.pool));
  CHECK_EQ(bed_stats(&s.bed).pending, 0);
  finish(&s);
}

static void case_09_creation_stream_only(void) {
  scene s = begin_with(&defer, 0);
  start(&s);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, s.x);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s0));
  OK(sar_free(s.bed.pool, s.x));
  CHECK(reused(&s, s.bed.s0));
  follow(&s, s.bed.s1, s.bed.s0);
  end_and_finish(&s);
}

static void case_10_no_node_yet(void) {
  scene s = begin_with(&per_stream, 0);
  start(&s);
  follow(&s, s.bed.s1, s.bed.s0); /* drawn in, with no node anywhere */
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  CHECK(y != s.x); /* no marker anywhere: deferred */
  work(&s, s.bed.s0, y);
  OK(sar_free(s.bed.pool, y));
  end_and_finish(&s);
}

static void case_11_one_frontier(void) {
  scene s = begin(&per_stream);
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_record_stream(s.bed.pool, y, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  OK(sar_free(s.bed.pool, y));
  CHECK_EQ(bed_stats(&s.bed).deferred, 2);
  follow(&s, s.bed.s0, s.bed.s1);
  CHECK(reused(&s, s.bed.s0));
  CHECK_EQ(bed_stats(&s.bed).deferred, 0); /* one call returned both */
  end_and_finish(&s);
}

/* The first capture leaves a block in the pool that was then used eagerly on s1. */
static void eager_use_survives(bool also_inside) {
  scene s = begin_with(&per_stream, 0);
  start(&s);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, s.x);
  OK(sar_capture_end(s.bed.pool, s.id));
  OK(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0));
  OK(sar_spin(s.bed.device, s.bed.s1, 200000));
  work(&s, s.bed.s1, s.x);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1)); /* eager */
  start(&s);
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, y);
  follow(&s, s.bed.s1, s.bed.s0);
  work(&s, s.bed.s1, y);
  if (also_inside) OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  follow(&s, s.bed.s0, s.bed.s1);
  OK(sar_free(s.bed.pool, s.x));
  CHECK(!reused(&s, s.bed.s0)); /* the graph says nothing about the eager use */
  OK(sar_free(s.bed.pool, y));
  sar_graph second;
  OK(sar_capture_end(s.bed.pool, s.id));
  OK(sar_stream_capture_end(&second, s.bed.device, s.bed.s0));
  CHECK_EQ(bed_stats(&s.bed).deferred, 1); /* neither does the end of the capture */
  sar_addr z = bed_malloc(&s.bed, 512, s.bed.s0);
  OK(sar_free(s.bed.pool, z));
  CHECK_EQ(bed_stats(&s.bed).pending, 1); /* an event now stands for it */
  OK(sar_device_sync(s.bed.device));
  z = bed_malloc(&s.bed, 512, s.bed.s0);
  CHECK_EQ(bed_stats(&s.bed).pending, 0);
  OK(sar_free(s.bed.pool, z));
  OK(sar_graph_destroy(s.bed.device, second));
  OK(sar_graph_destroy(s.bed.device, s.graph));
  OK(sar_graph_pool_release(s.bed.pool, s.pool));
  OK(sar_graph_pool_release(s.bed.pool, s.pool));
  bed_drop(&s.bed);
}

static void case_12_eager_use_before_the_capture(void) {
  eager_use_survives(false);
}

static void case_13_same_stream_eager_and_inside(void) {
  eager_use_survives(true);
}

static void case_13_inside_first_then_eager(void) {
  scene s = begin(&defer);
  end(&s);
  OK(sar_spin(s.bed.device, s.bed.s1, 20000));
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1)); /* the use inside is over, this one is not */
  OK(sar_free(s.bed.pool, s.x));
  CHECK_EQ(bed_stats(&s.bed).pending, 1);
  OK(sar_device_sync(s.bed.device));
  OK(sar_release_cached(s.bed.pool));
  finish(&s);
}

static void case_14_dependencies_set_back(void) {
  scene s = begin_with(&per_stream, 0);
  start(&s);
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, y);
  sar_node old = only_tip(&s, s.bed.s0);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, s.x);
  sar_node young = only_tip(&s, s.bed.s0);
  OK(sar_free(s.bed.pool, s.x)); /* plain: reusable on s0 */
  OK(sar_capture_set_tips(s.bed.device, s.bed.s0, &old, 1));
  CHECK(!reused(&s, s.bed.s0)); /* the next operation no longer follows x's */
  CHECK_EQ(bed_stats(&s.bed).deferred, 1);
  OK(sar_free(s.bed.pool, y)); /* older than the step back: its uses may be unseen too */
  CHECK_EQ(bed_stats(&s.bed).deferred, 2);
  OK(sar_capture_set_tips(s.bed.device, s.bed.s0, &young, 1));
  follow(&s, s.bed.s1, s.bed.s0);
  end_and_finish(&s);
}

/* A recorded block whose markers were met before the step back. */
static void case_14_recorded_then_set_back(void) {
  scene s = begin(&per_stream);
  sar_node first = only_tip(&s, s.bed.s0);
  OK(sar_free(s.bed.pool, s.x));
  follow(&s, s.bed.s0, s.bed.s1);
  CHECK(reused(&s, s.bed.s0));
  OK(sar_capture_set_tips(s.bed.device, s.bed.s0, &first, 1));
  CHECK(!reused(&s, s.bed.s0));
  end_and_finish(&s);
}

static void case_15_programmatic_edge(void) {
  if (test_on_cuda()) return; /* needs a kernel that triggers early */
  scene s = begin(&per_stream);
  OK(sar_free(s.bed.pool, s.x));
  OK(sar_sim_programmatic(s.bed.device, s.bed.s1));
  follow(&s, s.bed.s0, s.bed.s1); /* s0 follows s1's work, but not its end */
  CHECK(!reused(&s, s.bed.s0));
  sar_addr y = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, y);
  CHECK(!reused(&s, s.bed.s0)); /* an ancestor by programmatic edges only */
  OK(sar_free(s.bed.pool, y));
  end_and_finish(&s);
}

static void case_15_plain_free_behind_a_programmatic_edge(void) {
  if (test_on_cuda()) return;
  scene s = begin_with(&per_stream, 0);
  start(&s);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, s.x);
  OK(sar_sim_programmatic(s.bed.device, s.bed.s0));
  OK(sar_free(s.bed.pool, s.x));
  CHECK(!reused(&s, s.bed.s0)); /* the next operation may start before x's use is over */
  follow(&s, s.bed.s1, s.bed.s0);
  end_and_finish(&s);
}

/* A stream that somebody else captures: its event would belong to the graph. */
static void case_16_capture_the_pool_was_not_told_of(void) {
  scene s = begin_with(&defer, 0);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_stream_capture_begin(s.bed.device, s.bed.s1));
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  CHECK_EQ(bed_stats(&s.bed).deferred, 1);
  CHECK(!reused(&s, s.bed.s0));
  CHECK_EQ(bed_stats(&s.bed).deferred, 1);
  CHECK_STATUS(sar_destroy(s.bed.pool), SAR_E_STATE);
  OK(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s1));
  sar_addr z = bed_malloc(&s.bed, 512, s.bed.s0);
  OK(sar_free(s.bed.pool, z));
  CHECK_EQ(bed_stats(&s.bed).deferred, 0);
  OK(sar_device_sync(s.bed.device));
  CHECK(reused(&s, s.bed.s0));
  OK(sar_graph_destroy(s.bed.device, s.graph));
  bed_drop(&s.bed);
}

static void case_17_default_blocks_never_serve_a_private_pool(void) {
  scene s = begin_with(&strong, 0);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_free(s.bed.pool, s.x));
  start(&s);
  CHECK(!reused(&s, s.bed.s0));
  OK(sar_capture_end(s.bed.pool, s.id));
  OK(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0));
  CHECK(reused(&s, s.bed.s0)); /* eager again */
  OK(sar_graph_destroy(s.bed.device, s.graph));
  OK(sar_graph_pool_release(s.bed.pool, s.pool));
  bed_drop(&s.bed);
}

static void case_18_nested_captures_are_refused(void) {
  scene s = begin(&per_stream);
  sar_capture inner = 0;
  sar_graph_pool fresh = 0;
  CHECK_STATUS(sar_stream_capture_begin(s.bed.device, s.bed.s0), SAR_E_STATE);
  CHECK_STATUS(sar_capture_begin(&inner, s.bed.pool, s.bed.s0, &fresh), SAR_E_STATE);
  CHECK_STATUS(sar_capture_begin(&inner, s.bed.pool, s.bed.s1, &s.pool), SAR_E_STATE);
  CHECK_EQ(inner, 0);
  CHECK_EQ(fresh, 0);
  OK(sar_stream_capture_begin(s.bed.device, s.bed.s2)); /* a body of its own, into one pool */
  CHECK_STATUS(sar_capture_begin(&inner, s.bed.pool, s.bed.s2, &s.pool), SAR_E_STATE);
  sar_graph body;
  OK(sar_stream_capture_end(&body, s.bed.device, s.bed.s2));
  OK(sar_graph_destroy(s.bed.device, body));
  OK(sar_check(s.bed.pool));
  OK(sar_free(s.bed.pool, s.x));
  end_and_finish(&s);
}

static void case_19_second_capture_into_one_pool(void) {
  scene s = begin(&defer);
  OK(sar_free(s.bed.pool, s.x));
  CHECK(!reused(&s, s.bed.s0));
  uint64_t reserved = bed_stats(&s.bed).reserved.current;
  end(&s);
  sar_graph first = s.graph;
  start(&s);
  CHECK(reused(&s, s.bed.s0));
  CHECK_EQ(bed_stats(&s.bed).reserved.current, reserved);
  follow(&s, s.bed.s1, s.bed.s0);
  end(&s);
  OK(sar_graph_destroy(s.bed.device, first));
  OK(sar_graph_pool_release(s.bed.pool, s.pool));
  CHECK(bed_stats(&s.bed).reserved.current > 0); /* the second graph holds it */
  finish(&s);
}

static void case_20_failed_capture_gives_its_pool_back(void) {
  scene s = begin(&per_stream);
  OK(sar_free(s.bed.pool, s.x));
  OK(sar_capture_abort(s.bed.pool, s.id));
  CHECK_STATUS(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0),
               SAR_E_CAPTURE); /* unjoined */
  OK(sar_release_cached(s.bed.pool));
  CHECK_EQ(bed_stats(&s.bed).reserved.current, 0);
  CHECK_STATUS(sar_graph_pool_release(s.bed.pool, s.pool), SAR_E_ARG);
  bed_drop(&s.bed);
}

static void case_20_failed_capture_with_a_live_block(void) {
  scene s = begin(&per_stream);
  OK(sar_capture_abort(s.bed.pool, s.id));
  CHECK_STATUS(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s0), SAR_E_CAPTURE);
  CHECK(bed_stats(&s.bed).reserved.current > 0);
  OK(sar_free(s.bed.pool, s.x)); /* the last block takes the pool with it */
  CHECK_EQ(bed_stats(&s.bed).reserved.current, 0);
  bed_drop(&s.bed);
}

static void case_21_user_pool_without_capture(void) {
  scene s = begin_with(&defer, 0);
  OK(sar_route_begin(s.bed.pool, s.bed.s0, &s.pool));
  CHECK_STATUS(sar_route_begin(s.bed.pool, s.bed.s0, &s.pool), SAR_E_STATE);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  OK(sar_free(s.bed.pool, s.x));
  CHECK_EQ(bed_stats(&s.bed).deferred, 0); /* an event, as ever */
  CHECK_EQ(bed_stats(&s.bed).pending, 1);
  OK(sar_device_sync(s.bed.device));
  CHECK(reused(&s, s.bed.s0));
  OK(sar_route_end(s.bed.pool, s.bed.s0));
  CHECK(!reused(&s, s.bed.s0));
  OK(sar_graph_pool_release(s.bed.pool, s.pool));
  bed_drop(&s.bed);
}

/* Each gradient is made on s0 and added up on s1, whose node joins: memory stays level. */
static void case_22_gradient_accumulation(void) {
  scene s = begin_with(&per_stream, 0);
  start(&s);
  sar_addr total = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, total);
  for (int i = 0; i < 8; i++) {
    sar_addr g = bed_malloc(&s.bed, BLOCK, s.bed.s0);
    work(&s, s.bed.s0, g);
    follow(&s, s.bed.s1, s.bed.s0);
    OK(sar_add(s.bed.device, s.bed.s1, total, g, 512));
    OK(sar_record_stream(s.bed.pool, g, s.bed.s1));
    OK(sar_free(s.bed.pool, g));
    follow(&s, s.bed.s0, s.bed.s1);
  }
  CHECK_EQ(bed_stats(&s.bed).active.peak, 2 * BLOCK);
  CHECK_EQ(bed_stats(&s.bed).capture_reuses, 7);
  OK(sar_free(s.bed.pool, total));
  end_and_finish(&s);
}

static void case_23_checkpoint_with_capture_time_uses(void) {
  scene s = begin(&defer);
  sar_checkpoint *at_end, *empty;
  CHECK_STATUS(sar_checkpoint_take(&at_end, s.bed.pool, s.pool), SAR_E_CAPTURE);
  end(&s);
  OK(sar_checkpoint_take(&at_end, s.bed.pool, s.pool)); /* x lives, recorded inside */
  OK(sar_free(s.bed.pool, s.x));
  OK(sar_checkpoint_take(&empty, s.bed.pool, s.pool));
  sar_addr y = bed_malloc(&s.bed, 3 * MIB, s.bed.s0);
  OK(sar_checkpoint_restore(s.bed.pool, at_end));
  OK(sar_check(s.bed.pool));
  CHECK_EQ(bed_stats(&s.bed).live, 2);
  OK(sar_free(s.bed.pool, s.x)); /* alive again, and its use of s1 left no event */
  CHECK_EQ(bed_stats(&s.bed).pending + bed_stats(&s.bed).deferred, 0);
  OK(sar_checkpoint_restore(s.bed.pool, at_end));
  OK(sar_checkpoint_restore(s.bed.pool, empty));
  CHECK_EQ(bed_stats(&s.bed).live, 1);
  CHECK_STATUS(sar_free(s.bed.pool, s.x), SAR_E_NOT_LIVE);
  OK(sar_free(s.bed.pool, y));
  sar_checkpoint_free(at_end);
  sar_checkpoint_free(empty);
  CHECK_STATUS(sar_checkpoint_restore(s.bed.pool, NULL), SAR_E_ARG);
  OK(sar_release_cached(s.bed.pool)); /* y's segment */
  finish(&s);
}

int main(int argc, char **argv) {
#define CASE(name) {#name, name}
  const test_case cases[] = {
      CASE(case_01_no_join),
      CASE(case_02_join_and_operation),
      CASE(case_03_join_without_operation),
      CASE(case_04_join_then_free),
      CASE(case_05_work_between_join_and_free),
      CASE(case_06_wrong_direction),
      CASE(case_07_other_stream_asks),
      CASE(case_08_recorded_stream_outside),
      CASE(case_09_creation_stream_only),
      CASE(case_10_no_node_yet),
      CASE(case_11_one_frontier),
      CASE(case_12_eager_use_before_the_capture),
      CASE(case_13_same_stream_eager_and_inside),
      CASE(case_13_inside_first_then_eager),
      CASE(case_14_dependencies_set_back),
      CASE(case_14_recorded_then_set_back),
      CASE(case_15_programmatic_edge),
      CASE(case_15_plain_free_behind_a_programmatic_edge),
      CASE(case_16_capture_the_pool_was_not_told_of),
      CASE(case_17_default_blocks_never_serve_a_private_pool),
      CASE(case_18_nested_captures_are_refused),
      CASE(case_19_second_capture_into_one_pool),
      CASE(case_20_failed_capture_gives_its_pool_back),
      CASE(case_20_failed_capture_with_a_live_block),
      CASE(case_21_user_pool_without_capture),
      CASE(case_22_gradient_accumulation),
      CASE(case_23_checkpoint_with_capture_time_uses),
  };
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
