/* A capture to be filled: x is made on s0 and used on s1, and both capture. */
#ifndef SAR_TESTS_SCENE_H
#define SAR_TESTS_SCENE_H

#include "test.h"

#include <sar/ops.h>

#define BLOCK (32 * MIB)

static const sar_config defer = {.size = sizeof defer};
static const sar_config per_stream = {.size = sizeof per_stream,
                                      .capture_rule = SAR_CAPTURE_PER_STREAM};
static const sar_config strong = {.size = sizeof strong, .capture_rule = SAR_CAPTURE_STRONG};

typedef struct {
  test_bed bed;
  sar_capture id;
  sar_graph_pool pool;
  sar_graph graph;
  sar_addr x;
} scene;

static inline scene begin_with(const sar_config *config, sar_graph_pool pool) {
  sar_sim_config never = {.size = sizeof never, .oracle = SAR_ORACLE_NEVER};
  scene s = {.bed = bed_make_with(config, &never), .pool = pool};
  return s;
}

static inline void start(scene *s) {
  OK(sar_stream_capture_begin(s->bed.device, s->bed.s0));
  OK(sar_capture_begin(&s->id, s->bed.pool, s->bed.s0, &s->pool));
}

static inline void work(scene *s, sar_stream stream, sar_addr addr) {
  OK(sar_fill(s->bed.device, stream, addr, 1, 512));
}

static inline void follow(scene *s, sar_stream stream, sar_stream other) {
  OK(sar_stream_wait_stream(s->bed.device, stream, other));
}

/* A capture with x, written on s0 and used on s1, recorded there. */
static inline scene begin(const sar_config *config) {
  scene s = begin_with(config, 0);
  start(&s);
  s.x = bed_malloc(&s.bed, BLOCK, s.bed.s0);
  work(&s, s.bed.s0, s.x);
  follow(&s, s.bed.s1, s.bed.s0);
  work(&s, s.bed.s1, s.x);
  OK(sar_record_stream(s.bed.pool, s.x, s.bed.s1));
  return s;
}

static inline void end(scene *s) {
  follow(s, s->bed.s0, s->bed.s1);
  OK(sar_capture_end(s->bed.pool, s->id));
  OK(sar_stream_capture_end(&s->graph, s->bed.device, s->bed.s0));
}

static inline void finish(scene *s) {
  OK(sar_graph_launch(s->bed.device, s->graph, s->bed.s0));
  OK(sar_device_sync(s->bed.device));
  OK(sar_graph_destroy(s->bed.device, s->graph));
  OK(sar_graph_pool_release(s->bed.pool, s->pool));
  CHECK_EQ(bed_stats(&s->bed).reserved.current, 0);
  bed_drop(&s->bed);
}

/* Asks for a block of x's size on stream and tells whether it is x; gives it back. */
static inline bool reused(scene *s, sar_stream stream) {
  sar_addr y = bed_malloc(&s->bed, BLOCK, stream);
  OK(sar_free(s->bed.pool, y));
  OK(sar_check(s->bed.pool));
  return y == s->x;
}

static inline void end_and_finish(scene *s) {
  end(s);
  finish(s);
}

static inline sar_node only_tip(scene *s, sar_stream stream) {
  const sar_backend *b = sar_device_backend(s->bed.device);
  sar_capture id;
  const sar_tip *tips = NULL;
  size_t count = 0;
  OK(b->capture_tips(b->ctx, &id, &tips, &count, stream));
  return CHECK_EQ(count, 1) ? tips[0].node : 0;
}

#endif
