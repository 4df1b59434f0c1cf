/* The simulator's exploration on programs whose answers are known. */
#include "test.h"

#include <stdio.h>

#define BLOCK (32 * MIB)

typedef enum { RECORD, EVENT, NEITHER } protection;

typedef struct {
  unsigned turns;
  protection by;
} loop;

static void turn_loop(sar_device *d, sar_pool *p, void *arg, uint64_t *results) {
  const loop *l = arg;
  sar_stream a, b;
  sar_stream_create(&a, d);
  sar_stream_create(&b, d);
  for (unsigned i = 0; i < l->turns; i++) {
    sar_addr x;
    uint64_t value = 0;
    sar_malloc(&x, p, BLOCK, a);
    sar_fill(d, a, x, (uint8_t)(i + 1), BLOCK);
    sar_stream_wait_stream(d, b, a);
    sar_read(d, b, &value, x, sizeof value);
    *results = *results * 31 + value;
    if (l->by == EVENT) sar_stream_wait_stream(d, a, b);
    if (l->by == RECORD) sar_record_stream(p, x, b);
    sar_free(p, x);
  }
}

static sar_exploration explore_in(sar_mode mode, const loop *l, bool every_path,
                                  uint64_t max_states) {
  sar_exploration x;
  sar_explore_config c = {.size = sizeof c,
                          .pool = {.size = sizeof c.pool, .mode = mode},
                          .every_path = every_path,
                          .max_states = max_states};
  OK(sar_explore(&x, &c, turn_loop, (void *)l));
  OK(x.status);
  CHECK(x.results_equal);
  return x;
}

static sar_exploration explore(const loop *l, bool every_path, uint64_t max_states) {
  return explore_in(SAR_MODE_RECORD, l, every_path, max_states);
}

static void sixteen_turns(void) {
  sar_exploration x = explore(&(loop){16, RECORD}, false, 0);
  CHECK_EQ(x.schedules, 35357670);
  CHECK_EQ(x.states, 697);
  CHECK_EQ(x.blocks_min, 1);
  CHECK_EQ(x.blocks_max, 16);
  CHECK_EQ(x.active.current, BLOCK);
  CHECK_EQ(x.active.peak, 16 * BLOCK);
  CHECK_EQ(x.hazard_count, 0);
  CHECK(x.exhausted);
  sar_exploration_free(&x);
}

static void sixteen_turns_with_events(void) {
  sar_exploration x = explore(&(loop){16, EVENT}, false, 0);
  CHECK_EQ(x.schedules, 1);
  CHECK_EQ(x.blocks_max, 1);
  CHECK_EQ(x.active.peak, BLOCK);
  CHECK_EQ(x.hazard_count, 0);
  sar_exploration_free(&x);
}

/* Each read of a turn against the fills of all later turns: 16 * 15 / 2 pairs. */
static void sixteen_turns_unprotected(void) {
  sar_exploration x = explore(&(loop){16, NEITHER}, false, 0);
  CHECK_EQ(x.schedules, 1);
  if (CHECK_EQ(x.hazard_count, 120)) {
    CHECK_EQ(x.hazards[0].kind, SAR_HAZARD_REUSE);
    CHECK_EQ(x.hazards[0].first_malloc, 1);
    CHECK_EQ(x.hazards[0].second_malloc, 2);
    CHECK_EQ(x.hazards[0].free, 1);
  }
  if (CHECK(x.has_witness)) {
    CHECK(x.witness.expected != x.witness.got);
    CHECK_EQ(x.witness.reader.number, x.hazards[0].first.number);
  }
  sar_exploration_free(&x);
}

static void merging_counts_what_every_path_counts(void) {
  for (unsigned turns = 1; turns <= 7; turns++) {
    sar_exploration merged = explore(&(loop){turns, RECORD}, false, 0);
    sar_exploration all = explore(&(loop){turns, RECORD}, true, 0);
    CHECK_EQ(merged.schedules, all.schedules);
    CHECK_EQ(all.runs, all.schedules);
    CHECK_EQ(merged.blocks_min, all.blocks_min);
    CHECK_EQ(merged.blocks_max, all.blocks_max);
    CHECK_EQ(merged.active.peak, all.active.peak);
    sar_exploration_free(&merged);
    sar_exploration_free(&all);
  }
}

static void the_other_modes_are_safe(void) {
  sar_exploration early = explore_in(SAR_MODE_EARLY, &(loop){8, RECORD}, false, 0);
  CHECK_EQ(early.schedules, 1430);
  CHECK_EQ(early.hazard_count, 0);
  sar_exploration wait = explore_in(SAR_MODE_WAIT, &(loop){8, RECORD}, false, 0);
  CHECK_EQ(wait.schedules, 1); /* no query: as deterministic as the event form */
  CHECK_EQ(wait.blocks_max, 1);
  CHECK_EQ(wait.hazard_count, 0);
  sar_exploration_free(&early);
  sar_exploration_free(&wait);
}

static void a_bound_says_not_exhausted(void) {
  sar_exploration x = explore(&(loop){16, RECORD}, false, 50);
  CHECK(!x.exhausted);
  CHECK(x.schedules < 35357670);
  sar_exploration_free(&x);
}

/* ---- the other oracles ---------------------------------------------------------------------- */

static uint64_t blocks_under(sar_oracle oracle, uint64_t seed, uint64_t host_ns) {
  sar_sim_config c = {.size = sizeof c, .oracle = oracle, .seed = seed, .host_ns = host_ns};
  test_bed b = bed_make_with(NULL, &c);
  uint64_t results = 0;
  sar_sim_watch(b.device, b.pool, NULL, NULL); /* the pool's calls take host time too */
  turn_loop(b.device, b.pool, &(loop){12, RECORD}, &results);
  uint64_t blocks = bed_stats(&b).segment_allocs;
  bed_drop(&b);
  return blocks;
}

static void oracles(void) {
  CHECK_EQ(blocks_under(SAR_ORACLE_ALWAYS, 0, 0), 1);
  CHECK_EQ(blocks_under(SAR_ORACLE_NEVER, 0, 0), 12);
  CHECK_EQ(blocks_under(SAR_ORACLE_SEEDED, 3, 0), blocks_under(SAR_ORACLE_SEEDED, 3, 0));
  uint64_t least = 12, most = 1;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t n = blocks_under(SAR_ORACLE_SEEDED, seed, 0);
    least = n < least ? n : least;
    most = n > most ? n : most;
  }
  CHECK(least < most);
  CHECK_EQ(blocks_under(SAR_ORACLE_TIMED, 0, 1000000000), 1); /* the host is slow */
  CHECK_EQ(blocks_under(SAR_ORACLE_TIMED, 0, 1), 12);         /* the host runs ahead */
}

/* ---- hazards of other kinds ----------------------------------------------------------------- */

static size_t kinds_of(const test_bed *b, unsigned *kinds) {
  const sar_hazard *h;
  size_t n = sar_sim_hazards(b->device, &h);
  *kinds = 0;
  for (size_t i = 0; i < n; i++) *kinds |= 1u << h[i].kind;
  return n;
}

static void other_hazards(void) {
  test_bed b = bed_make(NULL);
  unsigned kinds;
  uint8_t host[512];
  sar_sim_watch(b.device, b.pool, NULL, NULL);
  sar_addr x = bed_malloc(&b, 512, b.s0);
  OK(sar_fill(b.device, b.s0, x, 1, 512));
  OK(sar_read(b.device, b.s0, host, x, 512));
  CHECK_EQ(kinds_of(&b, &kinds), 0);
  OK(sar_fill(b.device, b.s1, x, 2, 512)); /* no wait */
  kinds_of(&b, &kinds);
  CHECK_EQ(kinds, 1u << SAR_HAZARD_RACE);
  OK(sar_device_sync(b.device));
  OK(sar_fill(b.device, b.s0, x + 512, 1, 8)); /* behind its end */
  OK(sar_free(b.pool, x));
  OK(sar_fill(b.device, b.s0, x, 1, 8));
  x = bed_malloc(&b, 512, b.s0);
  OK(sar_read(b.device, b.s0, host, x, 8)); /* the new owner wrote nothing */
  kinds_of(&b, &kinds);
  CHECK_EQ(kinds, 1u << SAR_HAZARD_RACE | 1u << SAR_HAZARD_OUTSIDE | 1u << SAR_HAZARD_FREED |
                      1u << SAR_HAZARD_UNWRITTEN);
  OK(sar_free(b.pool, x));
  bed_drop(&b);
}

/* Without the host's knowledge in the clocks, every correct record_stream would look wrong. */
static void a_ready_query_is_an_order(void) {
  test_bed b = bed_make(NULL);
  const sar_hazard *h;
  sar_sim_watch(b.device, b.pool, NULL, NULL);
  for (int i = 0; i < 3; i++) {
    sar_addr x = bed_malloc(&b, BLOCK, b.s0);
    OK(sar_fill(b.device, b.s0, x, 1, BLOCK));
    OK(sar_stream_wait_stream(b.device, b.s1, b.s0));
    OK(sar_fill(b.device, b.s1, x, 2, BLOCK));
    OK(sar_record_stream(b.pool, x, b.s1));
    OK(sar_free(b.pool, x));
  }
  CHECK_EQ(bed_stats(&b).segment_allocs, 1);
  CHECK_EQ(sar_sim_hazards(b.device, &h), 0);
  bed_drop(&b);
}

int main(int argc, char **argv) {
#define CASE(name) {#name, name}
  const test_case cases[] = {
      CASE(sixteen_turns),
      CASE(sixteen_turns_with_events),
      CASE(sixteen_turns_unprotected),
      CASE(merging_counts_what_every_path_counts),
      CASE(the_other_modes_are_safe),
      CASE(a_bound_says_not_exhausted),
      CASE(oracles),
      CASE(other_hazards),
      CASE(a_ready_query_is_an_order),
  };
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
