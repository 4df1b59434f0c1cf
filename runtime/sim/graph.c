/* Graph capture on the simulated device, and replay. A graph is an order: its nodes run as
 * operations with clocks like any other, each chain of nodes on a lane of its own. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

typedef struct {
  sar_node id;
  sim_op op;
  sar_tip *parents;
  size_t parent_count;
  uint32_t lane;
  uint64_t end;    /* timed, of the last launch */
  sim_clock clock; /* of the last launch */
} sim_node;

typedef struct {
  sim_node **items;
  size_t count, cap;
} sim_nodes;

struct sim_capture {
  struct sim_capture *next;
  sar_capture id;
  sar_stream origin;
  pthread_t thread;
  bool spoilt; /* all that is left is to end it, without a graph */
  sim_nodes nodes;
};

struct sim_graph {
  struct sim_graph *next;
  sar_graph id;
  sim_nodes nodes;
  sim_clock last; /* launches of one graph follow each other */
};

static void drop_nodes(sim_nodes *nodes) {
  for (size_t i = 0; i < nodes->count; i++) {
    free(nodes->items[i]->parents);
    free(nodes->items[i]);
  }
  free(nodes->items);
  *nodes = (sim_nodes){0};
}

static sim_node *find_in(const sim_nodes *nodes, sar_node id) {
  for (size_t i = nodes->count; i-- > 0;)
    if (nodes->items[i]->id == id) return nodes->items[i];
  return NULL;
}

static sim_capture *find_capture(const sim_device *d, sar_capture id) {
  sim_capture *c = d->captures;
  while (c && c->id != id) c = c->next;
  return c;
}

void sim_graphs_drop(sim_device *d) {
  while (d->captures) {
    sim_capture *c = d->captures;
    d->captures = c->next;
    drop_nodes(&c->nodes);
    free(c);
  }
  while (d->graphs) {
    sim_graph *g = d->graphs;
    d->graphs = g->next;
    drop_nodes(&g->nodes);
    free(g);
  }
}

/* ---- what spoils a capture ------------------------------------------------------------------ */

sar_status sim_capture_spoil(sim_capture *c) {
  c->spoilt = true;
  return SAR_E_CAPTURE;
}

sar_status sim_capture_unordered(sim_device *d) {
  sar_status st = SAR_OK;
  for (sim_capture *c = d->captures; c; c = c->next)
    if (pthread_equal(c->thread, pthread_self())) st = sim_capture_spoil(c);
  return st;
}

sar_status sim_capture_spoil_all(sim_device *d) {
  for (sim_capture *c = d->captures; c; c = c->next) sim_capture_spoil(c);
  return d->captures ? SAR_E_CAPTURE : SAR_OK;
}

/* The capture that e belongs to; none once that is over or spoilt, and then e means nothing. */
static sim_capture *capture_of_event(const sim_device *d, const sim_event *e) {
  sim_capture *c = find_capture(d, e->captured);
  return c && !c->spoilt ? c : NULL;
}

sar_status sim_capture_ask(sim_device *d, const sim_event *e) {
  sim_capture *c = capture_of_event(d, e);
  return c ? sim_capture_spoil(c) : SAR_E_ARG;
}

/* ---- tips ----------------------------------------------------------------------------------- */

static sar_status set_tips(sim_stream *s, const sar_tip *tips, size_t count) {
  if (count > s->tip_cap) {
    sar_tip *bigger = realloc(s->tips, count * sizeof *bigger);
    if (!bigger) return SAR_E_NOMEM_HOST;
    s->tips = bigger;
    s->tip_cap = count;
  }
  if (count) memcpy(s->tips, tips, count * sizeof *tips);
  s->tip_count = count;
  s->programmatic = false;
  return SAR_OK;
}

static sar_status add_tips(sim_stream *s, const sar_tip *tips, size_t count) {
  sar_tip *all = malloc((s->tip_count + count + 1) * sizeof *all);
  if (!all) return SAR_E_NOMEM_HOST;
  size_t n = s->tip_count;
  if (n) memcpy(all, s->tips, n * sizeof *all);
  for (size_t i = 0; i < count; i++) {
    size_t at = 0;
    while (at < n && all[at].node != tips[i].node) at++;
    if (at == n) all[n++] = tips[i];
  }
  sar_status st = set_tips(s, all, n);
  free(all);
  return st;
}

sar_status sim_tips_answer(sim_device *d, const sim_stream *s, sar_capture *out,
                           const sar_tip **tips, size_t *count) {
  *out = s->capture ? s->capture->id : 0;
  *tips = NULL;
  *count = 0;
  if (s->capture && s->capture->spoilt) return SAR_E_CAPTURE;
  if (!s->capture || !s->tip_count) return SAR_OK;
  sar_tip *copy = realloc(d->tips_answer, s->tip_count * sizeof *copy);
  if (!copy) return SAR_E_NOMEM_HOST;
  memcpy(copy, s->tips, s->tip_count * sizeof *copy);
  *tips = d->tips_answer = copy;
  *count = s->tip_count;
  return SAR_OK;
}

sar_status sim_parents_answer(sim_device *d, sar_node id, const sar_node **parents, size_t *count) {
  const sim_node *node = NULL;
  for (const sim_capture *c = d->captures; c && !node; c = c->next) node = find_in(&c->nodes, id);
  if (!node) return SAR_E_ARG;
  sar_node *copy = realloc(d->parents_answer, (node->parent_count + 1) * sizeof *copy);
  if (!copy) return SAR_E_NOMEM_HOST;
  d->parents_answer = copy;
  *count = 0;
  for (size_t i = 0; i < node->parent_count; i++)
    if (node->parents[i].finish) copy[(*count)++] = node->parents[i].node;
  *parents = copy;
  return SAR_OK;
}

sar_status sim_set_tips(sar_device *base, sar_stream stream, const sar_node *nodes, size_t count) {
  sim_device *d = (sim_device *)base;
  pthread_mutex_lock(&d->lock);
  d->host_calls++;
  sim_stream *s = sim_stream_get(d, stream);
  sar_status st = !s                   ? SAR_E_ARG
                  : !s->capture        ? SAR_E_STATE
                  : s->capture->spoilt ? SAR_E_CAPTURE
                                       : SAR_OK;
  sar_tip *tips = st ? NULL : malloc((count + 1) * sizeof *tips);
  if (!st && !tips) st = SAR_E_NOMEM_HOST;
  for (size_t i = 0; i < count && !st; i++) {
    tips[i] = (sar_tip){nodes[i], true};
    if (!find_in(&s->capture->nodes, nodes[i])) st = SAR_E_ARG;
  }
  if (!st) st = set_tips(s, tips, count);
  free(tips);
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* ---- capture -------------------------------------------------------------------------------- */

static sar_status capture_begin(sim_device *d, sar_stream stream) {
  sim_stream *s = sim_stream_get(d, stream);
  if (!s) return SAR_E_ARG;
  if (s->capture) return SAR_E_STATE;
  sim_capture *c = calloc(1, sizeof *c);
  if (!c) return SAR_E_NOMEM_HOST;
  c->id = ++d->next_id;
  c->origin = stream;
  c->thread = pthread_self();
  c->next = d->captures;
  d->captures = c;
  s->capture = c;
  return set_tips(s, NULL, 0);
}

sar_status sim_capture_begin(sar_device *base, sar_stream stream) {
  sim_device *d = (sim_device *)base;
  pthread_mutex_lock(&d->lock);
  d->host_calls++;
  sar_status st = capture_begin(d, stream);
  pthread_mutex_unlock(&d->lock);
  return st;
}

static bool push_node(sim_nodes *nodes, sim_node *node) {
  if (nodes->count == nodes->cap) {
    size_t cap = nodes->cap ? nodes->cap * 2 : 16;
    sim_node **bigger = realloc(nodes->items, cap * sizeof *bigger);
    if (!bigger) return false;
    nodes->items = bigger;
    nodes->cap = cap;
  }
  nodes->items[nodes->count++] = node;
  return true;
}

/* Liveness is judged now; the graph keeps using the block after the pool has it back. */
static void fix_owners(sim_device *d, sim_op *op) {
  op->owned = true;
  if (op->op.dst) op->dst_owner = sim_shadow_owner(&d->shadow, op->op.dst);
  if (op->op.src) op->src_owner = sim_shadow_owner(&d->shadow, op->op.src);
}

sar_status sim_capture_node(sim_device *d, sim_stream *s, const sar_op *op) {
  if (s->capture->spoilt) return SAR_E_CAPTURE;
  sim_node *node = calloc(1, sizeof *node);
  sar_tip *parents = malloc((s->tip_count + 1) * sizeof *parents);
  if (!node || !parents || !push_node(&s->capture->nodes, node)) {
    free(node);
    free(parents);
    return SAR_E_NOMEM_HOST;
  }
  node->id = ++d->next_id;
  node->op.op = *op;
  node->parents = parents;
  node->parent_count = s->tip_count;
  if (s->tip_count) memcpy(parents, s->tips, s->tip_count * sizeof *parents);
  fix_owners(d, &node->op);
  return set_tips(s, &(sar_tip){node->id, true}, 1);
}

sar_status sim_capture_event(const sim_stream *s, sim_event *e) {
  if (s->capture->spoilt) return SAR_E_CAPTURE;
  e->tips = malloc((s->tip_count + 1) * sizeof *e->tips);
  if (!e->tips) return SAR_E_NOMEM_HOST;
  e->captured = s->capture->id;
  e->tip_count = s->tip_count;
  if (s->tip_count) memcpy(e->tips, s->tips, s->tip_count * sizeof *e->tips);
  return SAR_OK;
}

/* Waiting for an event of a capture draws the stream into it; eager and captured work never
 * wait for each other, nor do two captures. */
sar_status sim_capture_wait(sim_device *d, sim_stream *s, const sim_event *e) {
  sim_capture *c = e->captured ? capture_of_event(d, e) : NULL;
  if (s->capture && s->capture->spoilt) return SAR_E_CAPTURE;
  if (s->capture && s->capture != c) sim_capture_spoil(s->capture);
  if (e->captured && !c) return SAR_E_ARG;
  if (c && s->capture && s->capture != c) sim_capture_spoil(c);
  if (s->capture && s->capture != c) return SAR_E_CAPTURE;
  if (s->capture) return add_tips(s, e->tips, e->tip_count);
  s->capture = c;
  return set_tips(s, e->tips, e->tip_count);
}

static void mark_ancestors(const sim_nodes *nodes, sar_node id, bool *seen) {
  for (size_t i = 0; i < nodes->count; i++) {
    const sim_node *n = nodes->items[i];
    if (n->id != id || seen[i]) continue;
    seen[i] = true;
    for (size_t k = 0; k < n->parent_count; k++) mark_ancestors(nodes, n->parents[k].node, seen);
  }
}

/* Every tip of every stream must be an ancestor of the origin's tips. */
static sar_status joined(const sim_device *d, const sim_capture *c, const sim_stream *origin) {
  bool *seen = calloc(c->nodes.count + 1, sizeof *seen);
  if (!seen) return SAR_E_NOMEM_HOST;
  for (size_t i = 0; i < origin->tip_count; i++)
    mark_ancestors(&c->nodes, origin->tips[i].node, seen);
  sar_status st = SAR_OK;
  for (size_t k = 0; k < d->stream_count; k++) {
    const sim_stream *s = &d->streams[k];
    for (size_t i = 0; s->capture == c && i < s->tip_count; i++)
      for (size_t n = 0; n < c->nodes.count; n++)
        if (c->nodes.items[n]->id == s->tips[i].node && !seen[n]) st = SAR_E_CAPTURE;
  }
  free(seen);
  return st;
}

/* A node goes on its first parent's lane if nothing else continued it, else on a new one. */
static sar_status assign_lanes(sim_device *d, sim_nodes *nodes) {
  for (size_t i = 0; i < nodes->count; i++) {
    sim_node *n = nodes->items[i];
    n->lane = UINT32_MAX;
    for (size_t k = 0; k < n->parent_count && n->lane == UINT32_MAX; k++) {
      const sim_node *parent = find_in(nodes, n->parents[k].node);
      bool continued = !n->parents[k].finish;
      for (size_t m = 0; m < i; m++)
        if (nodes->items[m] != parent && nodes->items[m]->lane == parent->lane &&
            nodes->items[m]->id > parent->id)
          continued = true;
      if (!continued) n->lane = parent->lane;
    }
    if (n->lane != UINT32_MAX) continue;
    if (d->lanes == SIM_LANES) return SAR_E_BACKEND;
    n->lane = d->lanes++;
  }
  return SAR_OK;
}

static sar_status capture_end(sar_graph *out, sim_device *d, sar_stream stream) {
  sim_stream *origin = sim_stream_get(d, stream);
  if (!origin) return SAR_E_ARG;
  sim_capture *c = origin->capture;
  if (!c) return SAR_E_STATE;
  if (c->origin != stream) return sim_capture_spoil(c);
  bool whole = !c->spoilt && pthread_equal(c->thread, pthread_self());
  sar_status st = whole ? joined(d, c, origin) : SAR_E_CAPTURE;
  sim_graph *g = st ? NULL : calloc(1, sizeof *g);
  if (!st) st = g ? assign_lanes(d, &c->nodes) : SAR_E_NOMEM_HOST;
  for (size_t k = 0; k < d->stream_count; k++)
    if (d->streams[k].capture == c) d->streams[k].capture = NULL;
  sim_capture **at = &d->captures;
  while (*at != c) at = &(*at)->next;
  *at = c->next;
  if (st) {
    drop_nodes(&c->nodes);
    free(g);
  } else {
    *g = (sim_graph){.next = d->graphs, .id = ++d->next_id, .nodes = c->nodes};
    d->graphs = g;
    *out = g->id;
  }
  free(c);
  return st;
}

sar_status sim_capture_end(sar_graph *out, sar_device *base, sar_stream stream) {
  sim_device *d = (sim_device *)base;
  pthread_mutex_lock(&d->lock);
  d->host_calls++;
  sar_status st = capture_end(out, d, stream);
  pthread_mutex_unlock(&d->lock);
  return st;
}

/* ---- replay --------------------------------------------------------------------------------- */

static sar_status launch_node(sim_device *d, sim_graph *g, sim_node *n, const sim_clock *before,
                              uint64_t start) {
  sim_clock follows = *before;
  for (size_t i = 0; i < n->parent_count; i++) {
    const sim_node *parent = find_in(&g->nodes, n->parents[i].node);
    if (!n->parents[i].finish) continue;
    sim_clock_join(&follows, &parent->clock, d->lanes);
    if (parent->end > start) start = parent->end;
  }
  sim_op *done;
  sar_status st = sim_run(d, &n->op, &follows, n->lane, &done);
  if (st) return st;
  n->clock = done->clock;
  n->end = start + sim_duration(d, &n->op.op);
  return SAR_OK;
}

static sar_status launch(sim_device *d, sar_graph id, sar_stream stream) {
  sim_stream *s = sim_stream_get(d, stream);
  sim_graph *g = d->graphs;
  while (g && g->id != id) g = g->next;
  if (!s || !g) return SAR_E_ARG;
  if (s->capture) return sim_capture_spoil(s->capture);
  sim_clock before = s->clock;
  sim_clock_join(&before, &g->last, d->lanes);
  uint64_t start = s->end > d->now ? s->end : d->now;
  sar_status st = SAR_OK;
  for (size_t i = 0; i < g->nodes.count && !st; i++)
    st = launch_node(d, g, g->nodes.items[i], &before, start);
  s->clock = before;
  for (size_t i = 0; i < g->nodes.count && !st; i++) {
    sim_clock_join(&s->clock, &g->nodes.items[i]->clock, d->lanes);
    if (g->nodes.items[i]->end > s->end) s->end = g->nodes.items[i]->end;
  }
  s->clock.lane[s->lane]++; /* the launch itself */
  g->last = s->clock;
  return st;
}

sar_status sim_graph_launch(sar_device *base, sar_graph graph, sar_stream stream) {
  sim_device *d = (sim_device *)base;
  pthread_mutex_lock(&d->lock);
  d->host_calls++;
  d->now += d->config.host_ns;
  sar_status st = launch(d, graph, stream);
  pthread_mutex_unlock(&d->lock);
  return st;
}

sar_status sim_graph_destroy(sar_device *base, sar_graph graph) {
  sim_device *d = (sim_device *)base;
  pthread_mutex_lock(&d->lock);
  d->host_calls++;
  sim_graph **at = &d->graphs;
  while (*at && (*at)->id != graph) at = &(*at)->next;
  sim_graph *g = *at;
  if (g) {
    *at = g->next;
    drop_nodes(&g->nodes);
    free(g);
  }
  pthread_mutex_unlock(&d->lock);
  return g ? SAR_OK : SAR_E_ARG;
}
