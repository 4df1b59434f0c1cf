/* All schedules of a program, depth first by replay.
 *
 * A path is the list of answers to the queries that were free. Each run follows the path, then
 * takes "ready" at every further free query; afterwards the deepest "ready" becomes "not ready".
 * A query reached in a state that was finished before ends the path: the rest of that run only
 * winds the program up, and what the state's subtree found is added instead. */
#include <stdlib.h>
#include <string.h>

#include "../src/pool.h"
#include "digest.h"

typedef struct {
  uint64_t schedules;
  uint64_t blocks_min, blocks_max;
  sar_level active, reserved; /* smallest and largest peak from here on */
} outcome;

typedef struct {
  uint64_t state; /* 0: empty */
  outcome found;
} memo_slot;

typedef struct {
  memo_slot *slots;
  size_t mask, count;
} memo;

typedef struct {
  uint64_t state;
  bool ready; /* the answer being tried */
  bool has_first;
  outcome first;             /* of the answer "ready" */
  uint64_t active, reserved; /* peaks in this run between this query and the next */
} frame;

typedef struct {
  sar_exploration *out;
  const sar_explore_config *config;
  frame *frames;
  size_t depth, cap, position;
  memo finished, ends;
  const outcome *met; /* the finished state that this run came to */
  bool ordered, split, failed;
  uint64_t max_states;
  uint64_t active, reserved; /* peaks before the first free query */
  sar_addr *handed, *sequence, *segments;
  size_t handed_count, handed_cap, sequence_count, sequence_cap, segment_count, segment_cap;
  uint64_t *segment_bytes;
} explorer;

/* ---- memo ----------------------------------------------------------------------------------- */

static memo_slot *memo_find(const memo *m, uint64_t state) {
  if (!m->slots) return NULL;
  size_t i = (size_t)state & m->mask;
  while (m->slots[i].state && m->slots[i].state != state) i = (i + 1) & m->mask;
  return &m->slots[i];
}

static bool memo_put(memo *m, uint64_t state, const outcome *found) {
  if (!m->slots || (m->count + 1) * 2 > m->mask + 1) {
    size_t size = m->slots ? m->mask + 1 : 0, want = size ? size * 2 : 1024;
    memo bigger = {.slots = calloc(want, sizeof *bigger.slots), .mask = want - 1};
    if (!bigger.slots) return false;
    for (size_t i = 0; i < size; i++)
      if (m->slots[i].state) *memo_find(&bigger, m->slots[i].state) = m->slots[i];
    bigger.count = m->count;
    free(m->slots);
    *m = bigger;
  }
  memo_slot *slot = memo_find(m, state);
  m->count += !slot->state;
  *slot = (memo_slot){state, *found};
  return true;
}

/* ---- what a run sees ------------------------------------------------------------------------ */

static bool reserve(void **array, size_t *cap, size_t count, size_t piece) {
  if (count < *cap) return true;
  size_t want = *cap ? *cap * 2 : 64;
  void *bigger = realloc(*array, want * piece);
  if (!bigger) return false;
  *array = bigger;
  *cap = want;
  return true;
}

static void note_segment(explorer *x, const sar_trace_entry *e) {
  size_t cap = x->segment_cap;
  if (!reserve((void **)&x->segments, &cap, x->segment_count, sizeof *x->segments) ||
      !reserve((void **)&x->segment_bytes, &x->segment_cap, x->segment_count,
               sizeof *x->segment_bytes)) {
    x->failed = true;
    return;
  }
  x->segments[x->segment_count] = e->addr;
  x->segment_bytes[x->segment_count++] = e->bytes;
}

static void note_malloc(explorer *x, const sar_trace_entry *e) {
  bool whole = false;
  for (size_t i = 0; i < x->segment_count && !whole; i++)
    whole = x->segments[i] == e->addr && x->segment_bytes[i] == e->bytes;
  x->split |= !whole;
  if (!reserve((void **)&x->sequence, &x->sequence_cap, x->sequence_count, sizeof *x->sequence) ||
      !reserve((void **)&x->handed, &x->handed_cap, x->handed_count, sizeof *x->handed)) {
    x->failed = true;
    return;
  }
  x->sequence[x->sequence_count++] = e->addr;
  size_t i = 0;
  while (i < x->handed_count && x->handed[i] < e->addr) i++;
  if (i < x->handed_count && x->handed[i] == e->addr) return;
  memmove(&x->handed[i + 1], &x->handed[i], (x->handed_count - i) * sizeof *x->handed);
  x->handed[i] = e->addr;
  x->handed_count++;
}

static void on_trace(void *arg, const sar_trace_entry *e) {
  explorer *x = arg;
  uint64_t *active = x->position ? &x->frames[x->position - 1].active : &x->active;
  uint64_t *reserved = x->position ? &x->frames[x->position - 1].reserved : &x->reserved;
  if (!x->met) {
    if (e->active > *active) *active = e->active;
    if (e->reserved > *reserved) *reserved = e->reserved;
  }
  if (e->kind == SAR_TRACE_SEGMENT_ALLOC) note_segment(x, e);
  if (e->kind == SAR_TRACE_MALLOC) note_malloc(x, e);
}

static void start_interval(explorer *x, const sim_device *d) {
  frame *f = &x->frames[x->position++];
  f->active = d->pool->stats.active.current;
  f->reserved = d->pool->stats.reserved.current;
}

static bool choose(void *arg, sim_device *d, uint64_t event, bool from_pool) {
  explorer *x = arg;
  (void)from_pool;
  if (x->met || x->failed) return true;
  if (x->position < x->depth) {
    bool ready = x->frames[x->position].ready;
    start_interval(x, d);
    return ready;
  }
  uint64_t state = sim_digest(d, event, x->ordered, x->handed, x->handed_count) | 1;
  if (!x->config->every_path) {
    const memo_slot *known = memo_find(&x->finished, state);
    if (known && known->state) {
      x->met = &known->found;
      return true;
    }
  }
  if (!reserve((void **)&x->frames, &x->cap, x->depth, sizeof *x->frames)) {
    x->failed = true;
    return true;
  }
  x->frames[x->depth++] = (frame){.state = state, .ready = true};
  start_interval(x, d);
  return true;
}

/* ---- outcomes ------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static outcome either(const outcome *a, const outcome *b) {
  return (outcome){
      .schedules = a->schedules + b->schedules,
      .blocks_min = least(a->blocks_min, b->blocks_min),
      .blocks_max = most(a->blocks_max, b->blocks_max),
      .active = {least(a->active.current, b->active.current), most(a->active.peak, b->active.peak)},
      .reserved = {least(a->reserved.current, b->reserved.current),
                   most(a->reserved.peak, b->reserved.peak)},
  };
}

/* Peaks of an interval, then of what follows. */
static outcome preceded(const outcome *o, uint64_t active, uint64_t reserved) {
  outcome r = *o;
  r.active = (sar_level){most(o->active.current, active), most(o->active.peak, active)};
  r.reserved = (sar_level){most(o->reserved.current, reserved), most(o->reserved.peak, reserved)};
  return r;
}

static outcome end_of_run(explorer *x) {
  if (x->met) return *x->met;
  outcome one = {.schedules = 1, .blocks_min = x->handed_count, .blocks_max = x->handed_count};
  /* nothing is left to run: ends differ in what they needed only */
  if (!memo_put(&x->ends, sim_mix(17, x->handed_count) | 1, &one)) x->failed = true;
  if (x->config->every_path && x->config->schedule)
    x->config->schedule(x->config->arg, x->sequence, x->sequence_count);
  return one;
}

static bool same_hazard(const sar_hazard *a, const sar_hazard *b) {
  return a->kind == b->kind && a->first.number == b->first.number &&
         a->second.number == b->second.number;
}

static void keep_hazards(explorer *x, sim_device *d) {
  sar_exploration *out = x->out;
  for (size_t i = 0; i < d->hazard_count; i++) {
    const sar_hazard *h = &d->hazards[i];
    size_t k = 0;
    while (k < out->hazard_count && !same_hazard(&out->hazards[k], h)) k++;
    if (k < out->hazard_count) continue;
    sar_hazard *bigger = realloc(out->hazards, (out->hazard_count + 1) * sizeof *bigger);
    if (!bigger) {
      x->failed = true;
      return;
    }
    out->hazards = bigger;
    out->hazards[out->hazard_count++] = *h;
    if (!out->has_witness) out->has_witness = sar_sim_witness(&out->witness, &d->base, h);
  }
}

/* ---- runs ----------------------------------------------------------------------------------- */

static void reset_run(explorer *x) {
  x->met = NULL;
  x->position = 0;
  x->active = x->reserved = 0;
  x->handed_count = x->sequence_count = x->segment_count = 0;
}

static sar_status run_once(explorer *x, sar_sim_program program, void *arg, outcome *end) {
  sar_device *sim = NULL;
  sar_pool *pool = NULL;
  uint64_t results = 0;
  sar_sim_config config = {.size = sizeof config, .memory = x->config->memory};
  sar_status st = sar_sim_create(&sim, &config);
  if (!st) st = sar_create(&pool, &x->config->pool, sar_device_backend(sim));
  if (!st) {
    sim_device *d = (sim_device *)sim;
    reset_run(x);
    d->choose = choose;
    d->choose_arg = x;
    sar_sim_watch(sim, pool, on_trace, x);
    program(sim, pool, arg, &results);
    *end = end_of_run(x);
    keep_hazards(x, d);
    st = x->failed ? SAR_E_NOMEM_HOST : sar_device_status(sim);
    if (!x->out->runs++) x->out->results = results;
    x->out->results_equal &= results == x->out->results;
  }
  sar_pool_abandon(pool);
  sar_device_destroy(sim);
  return st;
}

/* Takes the outcome of a run up the path. true: a frame turned to its second answer. */
static bool backtrack(explorer *x, outcome *o) {
  while (x->depth) {
    frame *f = &x->frames[x->depth - 1];
    *o = preceded(o, f->active, f->reserved);
    if (!f->has_first) {
      f->first = *o;
      f->has_first = true;
      f->ready = false;
      return true;
    }
    *o = either(&f->first, o);
    if (!memo_put(&x->finished, f->state, o)) x->failed = true;
    x->depth--;
  }
  return false;
}

static sar_status explore(explorer *x, sar_sim_program program, void *arg) {
  outcome o = {0};
  for (;;) {
    sar_status st = run_once(x, program, arg, &o);
    if (st && !x->out->status) x->out->status = st;
    if (x->failed) return SAR_E_NOMEM_HOST;
    if (x->split && !x->ordered && !x->config->every_path) return SAR_OK; /* once more, ordered */
    if (!backtrack(x, &o)) break;
    if (x->finished.count + x->depth > x->max_states) {
      x->out->exhausted = false;
      o = x->frames[0].first;
      break;
    }
  }
  o = preceded(&o, x->active, x->reserved);
  x->out->schedules = o.schedules;
  x->out->blocks_min = o.blocks_min;
  x->out->blocks_max = o.blocks_max;
  x->out->active = o.active;
  x->out->reserved = o.reserved;
  x->out->states = x->finished.count + x->ends.count + 1;
  return SAR_OK;
}

static void drop(explorer *x) {
  free(x->frames);
  free(x->finished.slots);
  free(x->ends.slots);
  free(x->handed);
  free(x->sequence);
  free(x->segments);
  free(x->segment_bytes);
}

static sar_status attempt(sar_exploration *out, const sar_explore_config *config,
                          sar_sim_program program, void *arg, bool ordered, bool *again) {
  *out = (sar_exploration){.exhausted = true, .results_equal = true};
  explorer x = {.out = out, .config = config, .ordered = ordered};
  x.max_states = config->max_states ? config->max_states : 2000000;
  sar_status st = explore(&x, program, arg);
  *again = !st && x.split && !ordered && !config->every_path;
  drop(&x);
  return st;
}

sar_status sar_explore(sar_exploration *out, const sar_explore_config *config,
                       sar_sim_program program, void *arg) {
  if (!out || !config || !program || config->size < sizeof *config) return SAR_E_ARG;
  bool again;
  sar_status st = attempt(out, config, program, arg, false, &again);
  if (!again) return st;
  sar_exploration_free(out);
  return attempt(out, config, program, arg, true, &again);
}

void sar_exploration_free(sar_exploration *x) {
  if (!x) return;
  free(x->hazards);
  x->hazards = NULL;
  x->hazard_count = 0;
}
