/* Random stream programs: exploration (vector clocks, branching at free queries) against brute
 * force (all interleavings of the streams, as sets of positions, and no clocks at all). Both must
 * find the same schedules, the same block sequences and the same pairs of accesses in hazard. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/device.h"
#include "src/pool.h"
#include "test.h"

#define STREAMS 4
#define CALLS   24
#define ITEMS   64
#define EVENTS  128
#define PAIRS   256
#define PATHS   32768
#define DEPTH   64
#define ALLOCS  12
#define TOUCHED (4 * MIB) /* by each operation: the size of the smallest block */

/* ---- programs ------------------------------------------------------------------------------- */

typedef enum { MALLOC, FREE, FILL, COPY, RECORD, WAIT, SYNC, QUERY } verb;

typedef struct {
  verb verb;
  uint8_t a, b; /* blocks by number of their malloc; streams */
  sar_stream s, t;
  size_t bytes;
} call;

typedef struct {
  call calls[CALLS];
  unsigned count, streams;
} program;

static program random_program(uint64_t *seed) {
  static const verb verbs[] = {MALLOC, MALLOC, MALLOC, FREE,   FREE, FREE, FILL, FILL,
                               COPY,   RECORD, RECORD, RECORD, WAIT, WAIT, SYNC, QUERY};
  static const size_t sizes[] = {32 * MIB, 32 * MIB, 32 * MIB, 6 * MIB, 4 * MIB};
  program p = {.streams = 2 + (unsigned)(test_random(seed) % 3)};
  uint8_t live[ALLOCS], alive = 0, made = 0;
  while (p.count < CALLS) {
    uint64_t r = test_random(seed);
    call c = {.verb = verbs[r % 16],
              .s = 1 + (sar_stream)((r >> 8) % p.streams),
              .t = 1 + (sar_stream)((r >> 16) % p.streams)};
    if (c.verb == QUERY && (r >> 40) % 4) c.verb = FILL;
    if (c.verb == SYNC && (r >> 40) % 4) c.verb = MALLOC;
    if (c.verb == MALLOC && (made == ALLOCS || alive == 3)) c.verb = FREE;
    if (c.verb == FREE || (c.verb >= FILL && c.verb <= RECORD)) {
      if (!alive) c.verb = MALLOC;
    }
    if (c.verb == MALLOC && made == ALLOCS) break;
    if (c.verb == WAIT && c.s == c.t) continue;
    if (alive) c.a = live[(r >> 24) % alive];
    if (alive) c.b = live[(r >> 28) % alive];
    if (c.verb == COPY && c.a == c.b) c.verb = FILL;
    if (c.verb == MALLOC) {
      c.bytes = sizes[(r >> 32) % 5];
      c.a = live[alive++] = made++;
    } else if (c.verb == FREE) {
      for (uint8_t i = 0; i < alive; i++)
        if (live[i] == c.a) live[i] = live[--alive];
    }
    p.calls[p.count++] = c;
  }
  return p;
}

/* The same calls on whatever device the pool sits on; 4 MiB are touched, the least any block has.
 */
static void play(const program *p, sar_device *d, sar_pool *pool, uint64_t *results) {
  sar_addr at[ALLOCS] = {0};
  sar_stream unused;
  sar_event e;
  for (unsigned i = 0; i < p->streams; i++) sar_stream_create(&unused, d);
  for (unsigned i = 0; i < p->count; i++) {
    const call *c = &p->calls[i];
    switch (c->verb) {
    case MALLOC:
      sar_malloc(&at[c->a], pool, c->bytes, c->s);
      break;
    case FREE:
      sar_free(pool, at[c->a]);
      break;
    case FILL:
      sar_fill(d, c->s, at[c->a], (uint8_t)(i + 1), TOUCHED);
      break;
    case COPY:
      sar_copy(d, c->s, at[c->a], at[c->b], TOUCHED);
      break;
    case RECORD:
      sar_record_stream(pool, at[c->a], c->s);
      break;
    case WAIT:
      sar_stream_wait_stream(d, c->s, c->t);
      break;
    case SYNC:
      sar_stream_sync(d, c->s);
      break;
    case QUERY:
      sar_event_record(&e, d, c->s);
      if (!sar_event_query(d, e) && results) ++*results;
      sar_event_destroy(d, e);
      break;
    }
  }
}

/* ---- what both sides produce ---------------------------------------------------------------- */

typedef struct {
  uint32_t first, second;
} op_pair;

typedef struct {
  uint64_t paths[PATHS]; /* digest of each schedule's block sequence */
  size_t path_count;
  op_pair pairs[PAIRS];
  size_t pair_count;
  bool full;
} findings;

static void add_pair(findings *f, uint32_t first, uint32_t second) {
  for (size_t i = 0; i < f->pair_count; i++)
    if (f->pairs[i].first == first && f->pairs[i].second == second) return;
  if (f->pair_count == PAIRS)
    f->full = true;
  else
    f->pairs[f->pair_count++] = (op_pair){first, second};
}

static void add_path(findings *f, const sar_addr *blocks, size_t count) {
  sar_addr seen[CALLS];
  size_t names = 0;
  uint64_t digest = 1;
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < names && seen[k] != blocks[i]) k++;
    if (k == names) seen[names++] = blocks[i];
    digest = digest * 31 + k;
  }
  if (f->path_count == PATHS)
    f->full = true;
  else
    f->paths[f->path_count++] = digest;
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int by_ops(const void *a, const void *b) {
  const op_pair *x = a, *y = b;
  return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                              : (x->second > y->second) - (x->second < y->second);
}

static bool equal(findings *a, findings *b) {
  qsort(a->paths, a->path_count, sizeof *a->paths, by_value);
  qsort(b->paths, b->path_count, sizeof *b->paths, by_value);
  qsort(a->pairs, a->pair_count, sizeof *a->pairs, by_ops);
  qsort(b->pairs, b->pair_count, sizeof *b->pairs, by_ops);
  return a->path_count == b->path_count && a->pair_count == b->pair_count &&
         !memcmp(a->paths, b->paths, a->path_count * sizeof *a->paths) &&
         !memcmp(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs);
}

/* ---- brute force: a device of positions ----------------------------------------------------- */

typedef struct {
  enum { OP, EVENT, WAITS } kind;
  uint32_t number;      /* of the operation */
  sar_stream stream;    /* of the event waited for */
  unsigned place;       /* of that event in its stream */
  sar_addr read, write; /* 0: none */
} item;

typedef struct {
  sar_device base; /* the allocator's table and the calls of play */
  item items[STREAMS][ITEMS];
  unsigned count[STREAMS], streams, ops;
  struct {
    sar_stream stream;
    unsigned place;
  } events[EVENTS];
  unsigned event_count;
  uint64_t *states; /* positions of all streams, 16 bits each */
  size_t state_count, state_cap;
  sar_addr next_addr;
  bool answers[DEPTH];
  unsigned depth, asked;
  bool both[DEPTH]; /* the other answer is possible too */
  findings *found;
} brute;

static unsigned position(uint64_t state, sar_stream s) {
  return (unsigned)(state >> 16 * (s - 1) & 0xffff);
}

static bool executed(const brute *b, uint64_t state, sar_event e) {
  return position(state, b->events[e].stream) > b->events[e].place;
}

static void add_state(brute *b, uint64_t state) {
  for (size_t i = b->state_count; i-- > 0;)
    if (b->states[i] == state) return;
  if (b->state_count == b->state_cap) {
    b->state_cap = b->state_cap ? b->state_cap * 2 : 256;
    b->states = realloc(b->states, b->state_cap * sizeof *b->states);
    if (!b->states) abort();
  }
  b->states[b->state_count++] = state;
}

static bool overlap(sar_addr x, sar_addr y) {
  return x && y && (x < y ? y - x : x - y) < TOUCHED;
}

static bool conflict(const item *x, const item *y) {
  return overlap(x->write, y->write) || overlap(x->write, y->read) || overlap(y->write, x->read);
}

/* An operation runs although an earlier one that it conflicts with has not run yet. */
static void look_for_hazards(brute *b, uint64_t state, const item *now) {
  for (sar_stream s = 1; s <= b->streams; s++)
    for (unsigned i = position(state, s); i < b->count[s - 1]; i++) {
      const item *old = &b->items[s - 1][i];
      if (old->kind == OP && old->number < now->number && conflict(old, now))
        add_pair(b->found, old->number, now->number);
    }
}

/* Every state that the device can reach from the present ones with what is queued. */
static void close_states(brute *b) {
  for (size_t i = 0; i < b->state_count; i++)
    for (sar_stream s = 1; s <= b->streams; s++) {
      uint64_t state = b->states[i];
      unsigned at = position(state, s);
      if (at == b->count[s - 1]) continue;
      const item *next = &b->items[s - 1][at];
      if (next->kind == WAITS && position(state, next->stream) <= next->place) continue;
      if (next->kind == OP) look_for_hazards(b, state, next);
      add_state(b, state + ((uint64_t)1 << 16 * (s - 1)));
    }
}

static void keep_states(brute *b, sar_event e, bool ready) {
  size_t kept = 0;
  for (size_t i = 0; i < b->state_count; i++)
    if (executed(b, b->states[i], e) == ready) b->states[kept++] = b->states[i];
  b->state_count = kept;
}

static item *queue(brute *b, sar_stream s) {
  if (b->count[s - 1] == ITEMS) abort();
  return &b->items[s - 1][b->count[s - 1]++];
}

static sar_status bf_record(void *ctx, sar_event *out, sar_stream s) {
  brute *b = ctx;
  if (b->event_count + 1 == EVENTS) abort();
  *out = ++b->event_count;
  b->events[*out].stream = s;
  b->events[*out].place = b->count[s - 1];
  queue(b, s)->kind = EVENT;
  return SAR_OK;
}

static sar_status bf_query(void *ctx, sar_event e) {
  brute *b = ctx;
  bool can[2] = {false, false};
  close_states(b);
  for (size_t i = 0; i < b->state_count; i++) can[executed(b, b->states[i], e)] = true;
  if (b->asked == DEPTH) abort();
  if (b->asked == b->depth) {
    b->answers[b->depth] = can[1];
    b->both[b->depth++] = can[0] && can[1];
  }
  bool ready = b->answers[b->asked++];
  keep_states(b, e, ready);
  return ready ? SAR_OK : SAR_NOT_READY;
}

static sar_status bf_sync(void *ctx, sar_event e) {
  close_states(ctx);
  keep_states(ctx, e, true);
  return SAR_OK;
}

static void bf_release(void *ctx, sar_event e) {
  (void)ctx;
  (void)e;
}

static sar_status bf_wait(void *ctx, sar_stream s, sar_event e) {
  brute *b = ctx;
  *queue(b, s) = (item){.kind = WAITS, .stream = b->events[e].stream, .place = b->events[e].place};
  return SAR_OK;
}

static sar_status bf_alloc(void *ctx, sar_addr *out, size_t bytes) {
  brute *b = ctx;
  *out = b->next_addr;
  b->next_addr += bytes + 2 * MIB;
  return SAR_OK;
}

static sar_status bf_unused_free(void *ctx, sar_addr addr, size_t bytes) {
  (void)ctx;
  (void)addr;
  (void)bytes;
  return SAR_OK;
}

static sar_status bf_tips(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                          sar_stream s) {
  (void)ctx;
  (void)s;
  *out = 0;
  *tips = NULL;
  *count = 0;
  return SAR_OK;
}

static sar_status bf_parents(void *ctx, const sar_node **parents, size_t *count, sar_node node) {
  (void)ctx;
  (void)node;
  *parents = NULL;
  *count = 0;
  return SAR_OK;
}

static sar_status bd_stream_create(sar_stream *out, sar_device *d) {
  *out = ++((brute *)d)->streams;
  return SAR_OK;
}

static sar_status bd_stream_sync(sar_device *d, sar_stream s) {
  brute *b = (brute *)d;
  size_t kept = 0;
  close_states(b);
  for (size_t i = 0; i < b->state_count; i++)
    if (position(b->states[i], s) == b->count[s - 1]) b->states[kept++] = b->states[i];
  b->state_count = kept;
  return SAR_OK;
}

static sar_status bd_event_record(sar_event *out, sar_device *d, sar_stream s) {
  return bf_record(d, out, s);
}

static sar_status bd_event_query(sar_device *d, sar_event e) {
  return bf_query(d, e);
}

static sar_status bd_event_destroy(sar_device *d, sar_event e) {
  (void)d;
  (void)e;
  return SAR_OK;
}

static sar_status bd_stream_wait(sar_device *d, sar_stream s, sar_event e) {
  return bf_wait(d, s, e);
}

static sar_status bd_queue(sar_device *d, const sar_op *op) {
  brute *b = (brute *)d;
  item *i = queue(b, op->stream);
  *i = (item){.kind = OP, .number = ++b->ops, .read = op->src, .write = op->dst};
  return SAR_OK;
}

static const sar_device_calls brute_calls = {
    .stream_create = bd_stream_create,
    .stream_sync = bd_stream_sync,
    .event_record = bd_event_record,
    .event_query = bd_event_query,
    .event_destroy = bd_event_destroy,
    .stream_wait = bd_stream_wait,
    .queue = bd_queue,
};

static void reset(brute *b) {
  b->base.calls = &brute_calls;
  b->base.backend = (sar_backend){.size = sizeof(sar_backend),
                                  .ctx = b,
                                  .segment_alloc = bf_alloc,
                                  .segment_free = bf_unused_free,
                                  .event_record = bf_record,
                                  .event_query = bf_query,
                                  .event_sync = bf_sync,
                                  .event_release = bf_release,
                                  .stream_wait = bf_wait,
                                  .capture_tips = bf_tips,
                                  .node_parents = bf_parents};
  memset(b->count, 0, sizeof b->count);
  b->streams = b->ops = b->event_count = b->asked = 0;
  b->state_count = 0;
  b->next_addr = (sar_addr)1 << 40;
  add_state(b, 0);
}

typedef struct {
  sar_addr blocks[CALLS];
  size_t count;
} sequence;

static void on_trace(void *arg, const sar_trace_entry *e) {
  sequence *s = arg;
  if (e->kind == SAR_TRACE_MALLOC) s->blocks[s->count++] = e->addr;
}

static void run_brute(brute *b, const program *p, const sar_config *config) {
  sar_pool *pool;
  sequence s = {0};
  reset(b);
  OK(sar_create(&pool, config, &b->base.backend));
  sar_set_trace(pool, on_trace, &s);
  play(p, &b->base, pool, NULL);
  close_states(b);
  add_path(b->found, s.blocks, s.count);
  sar_set_trace(pool, NULL, NULL);
  sar_pool_abandon(pool);
}

/* Depth first over the answers that are possible. */
static void brute_force(findings *out, const program *p, const sar_config *config) {
  brute *b = calloc(1, sizeof *b);
  if (!b) abort();
  b->found = out;
  do {
    run_brute(b, p, config);
    while (b->depth && !b->both[b->depth - 1]) b->depth--;
    if (b->depth) {
      b->both[b->depth - 1] = false;
      b->answers[b->depth - 1] = !b->answers[b->depth - 1];
    }
  } while (b->depth && !out->full);
  free(b->states);
  free(b);
}

/* ---- exploration ---------------------------------------------------------------------------- */

static void sim_program(sar_device *d, sar_pool *pool, void *arg, uint64_t *results) {
  play(arg, d, pool, results);
}

static void on_schedule(void *arg, const sar_addr *blocks, size_t count) {
  add_path(arg, blocks, count);
}

static sar_exploration explore(findings *out, program *p, const sar_config *config,
                               bool every_path) {
  sar_exploration x;
  sar_explore_config c = {.size = sizeof c,
                          .pool = *config,
                          .every_path = every_path,
                          .schedule = on_schedule,
                          .arg = out};
  OK(sar_explore(&x, &c, sim_program, p));
  OK(x.status);
  for (size_t i = 0; i < x.hazard_count; i++)
    if (x.hazards[i].first.number)
      add_pair(out, x.hazards[i].first.number, x.hazards[i].second.number);
  return x;
}

typedef struct {
  uint64_t skipped, programs, hazardous, schedules, states, pairs;
} totals;

static bool one_program(uint64_t seed, totals *t, findings f[3]) {
  static const sar_mode modes[] = {SAR_MODE_RECORD, SAR_MODE_RECORD, SAR_MODE_EARLY, SAR_MODE_WAIT};
  sar_config config = {.size = sizeof config, .mode = modes[seed % 4]};
  program p = random_program(&seed);
  for (int i = 0; i < 3; i++) f[i].path_count = f[i].pair_count = f[i].full = 0;
  brute_force(&f[0], &p, &config);
  if (f[0].full) { /* more schedules than can be compared one by one: another program */
    t->skipped++;
    return true;
  }
  sar_exploration all = explore(&f[1], &p, &config, true);
  sar_exploration merged = explore(&f[2], &p, &config, false);
  bool ok = equal(&f[0], &f[1]);
  ok = ok && merged.schedules == all.schedules && merged.blocks_min == all.blocks_min &&
       merged.blocks_max == all.blocks_max && merged.active.peak == all.active.peak &&
       merged.active.current == all.active.current && merged.reserved.peak == all.reserved.peak;
  f[2].path_count = 0;
  f[0].path_count = 0;
  ok = ok && equal(&f[0], &f[2]);
  t->programs++;
  t->hazardous += f[0].pair_count > 0;
  t->schedules += all.schedules;
  t->states += merged.states;
  t->pairs += f[0].pair_count;
  sar_exploration_free(&all);
  sar_exploration_free(&merged);
  return ok;
}

static unsigned program_count = 10000;

static void exploration_equals_brute_force(void) {
  totals t = {0};
  findings *f = calloc(3, sizeof *f);
  for (unsigned i = 0; t.programs < program_count && f; i++) {
    bool same = one_program(i, &t, f);
    if (!same) fprintf(stderr, "program %u: ", i);
    if (!CHECK(same)) break;
  }
  printf("%llu programs, %llu with a hazard, %llu schedules, %llu states, %llu pairs\n",
         (unsigned long long)t.programs, (unsigned long long)t.hazardous,
         (unsigned long long)t.schedules, (unsigned long long)t.states,
         (unsigned long long)t.pairs);
  CHECK(t.skipped < t.programs / 100);
  CHECK(t.hazardous > t.programs / 10); /* the programs are worth asking about */
  free(f);
}

int main(int argc, char **argv) {
  const test_case cases[] = {{"exploration_equals_brute_force", exploration_equals_brute_force}};
  if (argc > 1 && argv[1][0] == '-') program_count = (unsigned)atoi(argv[1] + 1);
  return test_main(cases, 1, argc, argv);
}
