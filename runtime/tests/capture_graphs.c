/* Random captures of up to eight nodes, under both rules. Whenever a rule lets a block be reused,
 * every linear order of the graph must run the old owner's nodes before the new owner's; where a
 * rule refuses although every order would do, it is counted: the price of looking at the graph
 * through markers only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define NODES   8
#define ALLOCS  8
#define STREAMS 3

typedef struct {
  sar_addr addr;
  sar_stream stream; /* that asked for it */
  unsigned nodes;    /* bit set of the nodes that use it */
  bool live, fresh;
  unsigned freed_at; /* step; 0: not */
  unsigned made_at;
} alloc;

typedef struct {
  test_bed bed;
  sar_node ids[NODES];
  unsigned parents[NODES]; /* bit sets */
  unsigned count;
  alloc allocs[ALLOCS];
  unsigned made;
  bool captures[STREAMS + 1];
  unsigned step;
} scene;

typedef struct {
  uint64_t graphs, reuses, unsafe, refusals, refused_though_safe;
} totals;

/* ---- truth ---------------------------------------------------------------------------------- */

/* All linear orders, by brute force: does one run a node of new before one of old? */
static bool some_order_mixes(const scene *s, unsigned done, unsigned old, unsigned new) {
  if (done == (1u << s->count) - 1) return false;
  for (unsigned n = 0; n < s->count; n++) {
    if (done >> n & 1 || (s->parents[n] & ~done)) continue;
    if ((new >> n & 1) && (old & ~done)) return true;
    if (some_order_mixes(s, done | 1u << n, old, new)) return true;
  }
  return false;
}

/* All that used the memory of an allocation before it was made: its earlier owners. */
static unsigned earlier_nodes(const scene *s, unsigned a) {
  unsigned nodes = 0;
  for (unsigned i = 0; i < s->made; i++)
    if (s->allocs[i].addr == s->allocs[a].addr && s->allocs[i].made_at < s->allocs[a].made_at)
      nodes |= s->allocs[i].nodes;
  return nodes;
}

/* ---- a random capture ----------------------------------------------------------------------- */

static sar_status parents_of(scene *s, unsigned n) {
  const sar_backend *b = sar_device_backend(s->bed.device);
  const sar_node *parents;
  size_t count;
  sar_status st = b->node_parents(b->ctx, &parents, &count, s->ids[n]);
  for (size_t i = 0; !st && i < count; i++)
    for (unsigned k = 0; k < n; k++)
      if (s->ids[k] == parents[i]) s->parents[n] |= 1u << k;
  return st;
}

static void use(scene *s, unsigned a, sar_stream stream) {
  const sar_backend *b = sar_device_backend(s->bed.device);
  sar_capture id;
  const sar_tip *tips;
  size_t count;
  if (s->count == NODES) return;
  /* Any program must order a side use behind the allocation, recorded or not. */
  if (stream != s->allocs[a].stream)
    OK(sar_stream_wait_stream(s->bed.device, stream, s->allocs[a].stream));
  OK(sar_fill(s->bed.device, stream, s->allocs[a].addr, 1, 512));
  OK(b->capture_tips(b->ctx, &id, &tips, &count, stream));
  s->ids[s->count] = tips[0].node;
  OK(parents_of(s, s->count));
  s->allocs[a].nodes |= 1u << s->count++;
  OK(sar_record_stream(s->bed.pool, s->allocs[a].addr, stream));
}

static void make(scene *s, sar_stream stream) {
  if (s->made == ALLOCS) return;
  sar_stats before = bed_stats(&s->bed);
  alloc *a = &s->allocs[s->made++];
  *a = (alloc){.stream = stream, .live = true, .made_at = ++s->step};
  a->addr = bed_malloc(&s->bed, 32 * MIB, stream);
  a->fresh = bed_stats(&s->bed).segment_allocs > before.segment_allocs;
}

static void drop(scene *s, unsigned a) {
  if (!s->allocs[a].live) return;
  s->allocs[a].live = false;
  s->allocs[a].freed_at = ++s->step;
  OK(sar_free(s->bed.pool, s->allocs[a].addr));
}

static void random_step(scene *s, uint64_t *seed) {
  uint64_t r = test_random(seed);
  sar_stream t = 1 + (sar_stream)(r % STREAMS), u = 1 + (sar_stream)((r >> 8) % STREAMS);
  unsigned a = s->made ? (unsigned)(r >> 16) % s->made : 0;
  switch ((r >> 32) % 8) {
  case 0:
  case 1:
    if (s->captures[t]) make(s, t);
    break;
  case 2:
    if (s->made) drop(s, a);
    break;
  case 3:
  case 4:
  case 5:
    if (s->made && s->allocs[a].live && s->captures[t]) use(s, a, t);
    break;
  default:
    if (t == u || !s->captures[u]) break;
    OK(sar_stream_wait_stream(s->bed.device, t, u));
    s->captures[t] = true;
  }
}

static void capture(scene *s, uint64_t *seed, const sar_config *config) {
  sar_capture id;
  sar_graph_pool pool = 0;
  sar_graph graph;
  s->bed = bed_make(config);
  OK(sar_stream_capture_begin(s->bed.device, s->bed.s0));
  OK(sar_capture_begin(&id, s->bed.pool, s->bed.s0, &pool));
  s->captures[1] = true;
  for (int i = 0; i < 48; i++) random_step(s, seed);
  for (unsigned a = 0; a < s->made; a++) drop(s, a);
  for (sar_stream t = 2; t <= STREAMS; t++)
    if (s->captures[t]) OK(sar_stream_wait_stream(s->bed.device, s->bed.s0, t));
  OK(sar_capture_end(s->bed.pool, id));
  OK(sar_stream_capture_end(&graph, s->bed.device, s->bed.s0));
  OK(sar_graph_destroy(s->bed.device, graph));
  OK(sar_graph_pool_release(s->bed.pool, pool));
  bed_drop(&s->bed);
}

/* ---- judgement ------------------------------------------------------------------------------ */

static void judge_reuse(const scene *s, unsigned a, totals *t) {
  t->reuses++;
  if (some_order_mixes(s, 0, earlier_nodes(s, a), s->allocs[a].nodes)) t->unsafe++;
}

/* Was there memory, freed before and idle, that this allocation could have had? */
static void judge_refusal(const scene *s, unsigned a, totals *t, bool any_stream) {
  const alloc *new = &s->allocs[a];
  for (unsigned o = 0; o < s->made; o++) {
    const alloc *old = &s->allocs[o];
    bool idle =
        old->freed_at && old->freed_at < new->made_at && (any_stream || old->stream == new->stream);
    unsigned nodes = 0;
    for (unsigned k = 0; k < s->made; k++) {
      if (s->allocs[k].addr != old->addr) continue;
      if (s->allocs[k].made_at < new->made_at) nodes |= s->allocs[k].nodes;
      if (k != o && s->allocs[k].made_at > old->made_at) idle = false; /* somebody else had it */
    }
    if (!idle || !nodes || !new->nodes) continue;
    t->refusals++;
    t->refused_though_safe += !some_order_mixes(s, 0, nodes, new->nodes);
    return;
  }
}

static unsigned graph_count = 2000;

static void all_graphs(sar_capture_rule rule, const char *name) {
  const sar_config config = {.size = sizeof config, .capture_rule = rule};
  totals t = {0};
  for (uint64_t i = 0; i < graph_count; i++) {
    uint64_t seed = i * 7919 + 1;
    scene s = {0};
    capture(&s, &seed, &config);
    t.graphs++;
    for (unsigned a = 0; a < s.made; a++) {
      if (!s.allocs[a].fresh)
        judge_reuse(&s, a, &t);
      else
        judge_refusal(&s, a, &t, rule == SAR_CAPTURE_STRONG);
    }
    if (!CHECK_EQ(t.unsafe, 0)) {
      fprintf(stderr, "%s, graph %llu\n", name, (unsigned long long)i);
      break;
    }
  }
  printf("%s: %llu graphs, %llu reuses, %llu unsafe; %llu refusals, %llu (%.1f %%) though safe\n",
         name, (unsigned long long)t.graphs, (unsigned long long)t.reuses,
         (unsigned long long)t.unsafe, (unsigned long long)t.refusals,
         (unsigned long long)t.refused_though_safe,
         t.refusals ? 100.0 * (double)t.refused_though_safe / (double)t.refusals : 0.0);
  CHECK(t.reuses > t.graphs / 4);
}

static void per_stream_rule(void) {
  all_graphs(SAR_CAPTURE_PER_STREAM, "per-stream rule");
}

static void strong_rule(void) {
  all_graphs(SAR_CAPTURE_STRONG, "strong rule");
}

static void no_reuse(void) {
  all_graphs(SAR_CAPTURE_DEFER, "plain frees only");
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"per_stream_rule", per_stream_rule}, {"strong_rule", strong_rule}, {"no_reuse", no_reuse}};
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
