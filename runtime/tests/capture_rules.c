/* Graph capture beyond the numbered cases: both rules, private pools, replay. */
#include <pthread.h>

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

/* ---- CUDA's laws, which the simulator keeps ------------------------------------------------- */

typedef struct {
  scene s;
  sar_stream s3;                        /* captures for itself */
  sar_event eager, inside, other, gone; /* gone: of a capture that is over */
  sar_graph ready;
} law_bed;

static sar_graph capture_nothing(scene *s, sar_stream stream, sar_event *event) {
  sar_graph graph = 0;
  OK(sar_stream_capture_begin(s->bed.device, stream));
  OK(sar_spin(s->bed.device, stream, 1));
  if (event) OK(sar_event_record(event, s->bed.device, stream));
  OK(sar_stream_capture_end(&graph, s->bed.device, stream));
  return graph;
}

/* s0 captures and s1 joined and came back; s3 captures for itself; s2 is idle. */
static law_bed make_law_bed(void) {
  law_bed l = {.s = begin_with(&defer, 0)};
  sar_device *device = l.s.bed.device;
  OK(sar_stream_create(&l.s3, device));
  l.ready = capture_nothing(&l.s, l.s.bed.s2, &l.gone);
  OK(sar_event_record(&l.eager, device, l.s.bed.s2));
  start(&l.s);
  l.s.x = bed_malloc(&l.s.bed, BLOCK, l.s.bed.s0);
  work(&l.s, l.s.bed.s0, l.s.x);
  OK(sar_event_record(&l.inside, device, l.s.bed.s0));
  follow(&l.s, l.s.bed.s1, l.s.bed.s0);
  follow(&l.s, l.s.bed.s0, l.s.bed.s1);
  OK(sar_stream_capture_begin(device, l.s3));
  OK(sar_spin(device, l.s3, 1));
  OK(sar_event_record(&l.other, device, l.s3));
  return l;
}

static void drop_law_bed(law_bed *l) {
  sar_device *device = l->s.bed.device;
  OK(sar_event_destroy(device, l->eager));
  OK(sar_event_destroy(device, l->inside));
  OK(sar_event_destroy(device, l->other));
  OK(sar_event_destroy(device, l->gone));
  OK(sar_graph_destroy(device, l->ready));
  OK(sar_free(l->s.bed.pool, l->s.x));
  OK(sar_release_cached(l->s.bed.pool));
  CHECK_EQ(bed_stats(&l->s.bed).reserved.current, 0);
  bed_drop(&l->s.bed);
}

#define ILLEGAL(name, call)                                                                        \
  static sar_status name(const law_bed *l, const test_bed *b) {                                    \
    (void)l;                                                                                       \
    return call;                                                                                   \
  }
ILLEGAL(query_eager, sar_event_query(b->device, l->eager))
ILLEGAL(query_inside, sar_event_query(b->device, l->inside))
ILLEGAL(await_eager, sar_event_sync(b->device, l->eager))
ILLEGAL(await_inside, sar_event_sync(b->device, l->inside))
ILLEGAL(sync_idle_stream, sar_stream_sync(b->device, b->s2))
ILLEGAL(sync_captured_stream, sar_stream_sync(b->device, b->s0))
ILLEGAL(sync_device, sar_device_sync(b->device))
ILLEGAL(wait_for_eager_work, sar_stream_wait_event(b->device, b->s0, l->eager))
ILLEGAL(wait_for_other_capture, sar_stream_wait_event(b->device, b->s0, l->other))
ILLEGAL(wait_for_gone_capture, sar_stream_wait_event(b->device, b->s0, l->gone))
ILLEGAL(end_of_a_joined_stream, sar_stream_capture_end(&(sar_graph){0}, b->device, b->s1))
ILLEGAL(launch_inside, sar_graph_launch(b->device, l->ready, b->s0))

/* Calls that touch one capture leave the other alone. Those that no stream orders spoil both,
 * but only what their own thread captures; except that nobody may wait for the whole device. */
static const struct {
  sar_status (*call)(const law_bed *, const test_bed *);
  sar_status status;
  bool spoils_both, by_any_thread;
} laws[] = {
    {query_eager, SAR_E_CAPTURE, true, false},
    {query_inside, SAR_E_CAPTURE, false, true},
    {await_eager, SAR_E_CAPTURE, true, false},
    {await_inside, SAR_E_CAPTURE, false, true},
    {sync_idle_stream, SAR_E_CAPTURE, true, false},
    {sync_captured_stream, SAR_E_CAPTURE, false, true},
    {sync_device, SAR_E_CAPTURE, true, true},
    {wait_for_eager_work, SAR_E_CAPTURE, false, true},
    {wait_for_other_capture, SAR_E_CAPTURE, true, true},
    {wait_for_gone_capture, SAR_E_ARG, false, true},
    {end_of_a_joined_stream, SAR_E_CAPTURE, false, true},
    {launch_inside, SAR_E_CAPTURE, false, true},
};
#define LAWS (sizeof laws / sizeof *laws)

static void end_other_capture(law_bed *l, sar_status want) {
  sar_graph graph;
  sar_status st = sar_stream_capture_end(&graph, l->s.bed.device, l->s3);
  CHECK_STATUS(st, want);
  if (!st) OK(sar_graph_destroy(l->s.bed.device, graph));
}

/* A spoilt capture can only be ended: the pool keeps its books, and the streams are as new. */
static void expect_spoilt(law_bed *l, bool both) {
  sar_device *device = l->s.bed.device;
  sar_pool *pool = l->s.bed.pool;
  sar_graph graph = 0;
  sar_addr y = 0;
  sar_event e;
  CHECK_STATUS(sar_fill(device, l->s.bed.s0, l->s.x, 1, 512), SAR_E_CAPTURE);
  CHECK_STATUS(sar_event_record(&e, device, l->s.bed.s1), SAR_E_CAPTURE);
  CHECK_STATUS(sar_capture_set_tips(device, l->s.bed.s0, NULL, 0), SAR_E_CAPTURE);
  CHECK_STATUS(sar_stream_capture_begin(device, l->s.bed.s1), SAR_E_STATE);
  CHECK_STATUS(sar_stream_wait_event(device, l->s.bed.s2, l->inside), SAR_E_ARG);
  CHECK_STATUS(sar_event_query(device, l->inside), SAR_E_ARG); /* gone, with what it was of */
  CHECK_STATUS(sar_malloc(&y, pool, BLOCK, l->s.bed.s0), SAR_E_CAPTURE);
  OK(sar_check(pool));
  OK(sar_capture_abort(pool, l->s.id));
  CHECK_STATUS(sar_stream_capture_end(&graph, device, l->s.bed.s0), SAR_E_CAPTURE);
  CHECK_EQ(graph, 0);
  end_other_capture(l, both ? SAR_E_CAPTURE : SAR_OK);
  OK(sar_graph_destroy(device, capture_nothing(&l->s, l->s.bed.s0, NULL)));
}

/* s0's capture, still whole, becomes a graph and runs. */
static void expect_whole(law_bed *l) {
  sar_device *device = l->s.bed.device;
  work(&l->s, l->s.bed.s0, l->s.x);
  end(&l->s);
  OK(sar_graph_launch(device, l->s.graph, l->s.bed.s0));
  OK(sar_device_sync(device));
  OK(sar_graph_destroy(device, l->s.graph));
  OK(sar_graph_pool_release(l->s.bed.pool, l->s.pool));
}

static void illegal_calls_spoil_a_capture(void) {
  for (size_t i = 0; i < LAWS; i++) {
    law_bed l = make_law_bed();
    CHECK_STATUS(laws[i].call(&l, &l.s.bed), laws[i].status);
    expect_spoilt(&l, laws[i].spoils_both);
    drop_law_bed(&l);
  }
}

typedef struct {
  const law_bed *l;
  size_t law;
  sar_status status;
} errand;

static void *run_errand(void *arg) {
  errand *e = arg;
  e->status = laws[e->law].call(e->l, &e->l->s.bed);
  return NULL;
}

static void another_threads_calls(void) {
  for (size_t i = 0; i < LAWS; i++) {
    law_bed l = make_law_bed();
    errand e = {.l = &l, .law = i};
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, run_errand, &e));
    CHECK(!pthread_join(thread, NULL));
    if (laws[i].by_any_thread) {
      CHECK_STATUS(e.status, laws[i].status);
      expect_spoilt(&l, laws[i].spoils_both);
    } else {
      CHECK(e.status == SAR_OK || e.status == SAR_NOT_READY);
      end_other_capture(&l, SAR_OK);
      expect_whole(&l);
    }
    drop_law_bed(&l);
  }
}

static void *end_it(void *arg) {
  law_bed *l = arg;
  sar_graph graph = 0;
  CHECK_STATUS(sar_stream_capture_end(&graph, l->s.bed.device, l->s3), SAR_E_CAPTURE);
  CHECK_EQ(graph, 0);
  return NULL;
}

/* A capture ends where it began; elsewhere it ends too, but there is no graph. */
static void another_thread_ends_a_capture(void) {
  law_bed l = make_law_bed();
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, end_it, &l));
  CHECK(!pthread_join(thread, NULL));
  end_other_capture(&l, SAR_E_STATE);
  expect_whole(&l);
  drop_law_bed(&l);
}

/* New segments, other streams' eager work, graphs made, launched and destroyed, pools that go. */
static void legal_calls_leave_a_capture_alone(void) {
  law_bed l = make_law_bed();
  sar_device *device = l.s.bed.device;
  sar_pool *second;
  sar_addr y = 0;
  sar_event e;
  OK(sar_create(&second, NULL, sar_device_backend(device)));
  OK(sar_malloc(&y, second, BLOCK, l.s.bed.s2));
  OK(sar_fill(device, l.s.bed.s2, y, 1, 512));
  OK(sar_free(second, y));
  OK(sar_destroy(second)); /* gives its segment back */
  OK(sar_graph_launch(device, l.ready, l.s.bed.s2));
  OK(sar_event_record(&e, device, l.s.bed.s2));
  OK(sar_event_destroy(device, e));
  OK(sar_event_destroy(device, l.inside)); /* what the capture holds of it stays */
  OK(sar_event_record(&l.inside, device, l.s.bed.s2));
  end_other_capture(&l, SAR_OK);
  CHECK_STATUS(sar_stream_capture_begin(device, l.s.bed.s0), SAR_E_STATE);
  CHECK_STATUS(sar_stream_capture_begin(device, l.s.bed.s1), SAR_E_STATE);
  CHECK_STATUS(sar_capture_set_tips(device, l.s.bed.s2, NULL, 0), SAR_E_STATE);
  expect_whole(&l);
  drop_law_bed(&l);
}

/* A capture that the pool was not told of survives its polls, and even its waits. */
static void polls_leave_a_strange_capture_alone(void) {
  scene s = begin_with(&defer, 0);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  OK(sar_spin(s.bed.device, s.bed.s2, 20000));
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s2));
  OK(sar_free(s.bed.pool, s.x));
  OK(sar_stream_capture_begin(s.bed.device, s.bed.s1));
  uint64_t queries = bed_stats(&s.bed).queries;
  CHECK(!reused(&s, s.bed.s0));
  CHECK(bed_stats(&s.bed).queries > queries);
  OK(sar_destroy(s.bed.pool)); /* waits for s2 */
  OK(sar_spin(s.bed.device, s.bed.s1, 1));
  OK(sar_stream_capture_end(&s.graph, s.bed.device, s.bed.s1));
  OK(sar_graph_destroy(s.bed.device, s.graph));
  sar_device_destroy(s.bed.device);
}

static void the_pool_refuses_to_ask_inside(void) {
  scene s = begin(&defer);
  CHECK_STATUS(sar_release_cached(s.bed.pool), SAR_E_CAPTURE);
  OK(sar_free(s.bed.pool, s.x));
  end_and_finish(&s);
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
      CASE(illegal_calls_spoil_a_capture),
      CASE(another_threads_calls),
      CASE(another_thread_ends_a_capture),
      CASE(legal_calls_leave_a_capture_alone),
      CASE(polls_leave_a_strange_capture_alone),
      CASE(the_pool_refuses_to_ask_inside),
      CASE(a_graphs_memory_is_not_cached),
      CASE(pool_in_use_is_not_released),
      CASE(replay_is_checked_like_eager_work),
  };
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
