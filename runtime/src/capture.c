/* Graph capture. No event may be queried, so blocks that other streams used wait for the end of
 * the capture, or, with reuse on, until the graph itself shows an order. */
#include <stdlib.h>
#include <string.h>

#include "pool.h"
#include "view.h"

struct sar_active_capture {
  sar_active_capture *next;
  sar_capture id;
  sar_arena *arena;
  sar_view *views;
  sar_marks *last_marks; /* of the block deferred last; shared by the next one if equal */
};

sar_capture sar_capture_id(const sar_active_capture *c) {
  return c->id;
}

sar_arena *sar_capture_arena(const sar_active_capture *c) {
  return c->arena;
}

sar_active_capture *sar_capture_find(const sar_pool *p, sar_capture id) {
  sar_active_capture *c = p->captures;
  while (c && c->id != id) c = c->next;
  return c;
}

/* A capture that sar_capture_begin was not told of counts as none. */
sar_status sar_capture_of(sar_pool *p, sar_stream stream, sar_active_capture **out) {
  sar_capture id = 0;
  const sar_tip *tips;
  size_t count;
  *out = NULL;
  sar_status st = p->backend->capture_tips(p->backend->ctx, &id, &tips, &count, stream);
  if (!st && id) *out = sar_capture_find(p, id);
  return st;
}

/* ---- the deferred list ---------------------------------------------------------------------- */

static void list_deferred(sar_pool *p, sar_block *b) {
  sar_block_set_state(p, b, SAR_DEFERRED);
  b->deferred_prev = NULL;
  b->deferred_next = p->deferred;
  if (p->deferred) p->deferred->deferred_prev = b;
  p->deferred = b;
}

static void release_marks(sar_marks *m) {
  if (m && !--m->refs) free(m);
}

static void forget_marks(sar_block *b) {
  release_marks(b->marks);
  b->marks = NULL;
}

void sar_capture_undefer(sar_pool *p, sar_block *b) {
  *(b->deferred_prev ? &b->deferred_prev->deferred_next : &p->deferred) = b->deferred_next;
  if (b->deferred_next) b->deferred_next->deferred_prev = b->deferred_prev;
  b->deferred_prev = b->deferred_next = NULL;
  forget_marks(b);
}

/* ---- views ---------------------------------------------------------------------------------- */

static sar_view *find_view(sar_active_capture *c, sar_stream stream) {
  sar_view *v = c->views;
  while (v && v->stream != stream) v = v->next;
  if (v) return v;
  v = calloc(1, sizeof *v);
  if (!v) return NULL;
  v->stream = stream;
  v->next = c->views;
  return c->views = v;
}

typedef struct {
  sar_capture capture;
  sar_block *first; /* linked by deferred_next */
} freed_blocks;

static bool collect_freed(void *arg, sar_free_node *node) {
  freed_blocks *f = arg;
  sar_block *b = (sar_block *)node;
  if (b->freed_in != f->capture) return true;
  b->deferred_next = f->first;
  f->first = b;
  return true;
}

/* The stream was set back: what this capture freed for it may be in use by nodes that its next
 * operation no longer follows. All of it waits for the end. */
static void take_back(sar_pool *p, sar_active_capture *c, sar_view *v) {
  v->suspect = p->stats.mallocs;
  for (sar_block *b = p->deferred; b; b = b->deferred_next)
    if (b->arena == c->arena && b->stream == v->stream) forget_marks(b);
  sar_shelf *shelf = sar_shelves_find(&c->arena->shelves, v->stream);
  for (int small = 0; shelf && small < 2; small++) {
    freed_blocks f = {.capture = c->id};
    sar_index_each(&shelf->free[small], collect_freed, &f);
    for (sar_block *b = f.first, *next; b; b = next) {
      next = b->deferred_next;
      sar_index_remove(&shelf->free[small], &b->node);
      list_deferred(p, b);
    }
  }
}

static sar_view_news refresh(sar_pool *p, sar_active_capture *c, sar_stream stream, sar_view **out,
                             sar_status *status) {
  *out = find_view(c, stream);
  *status = *out ? SAR_OK : SAR_E_NOMEM_HOST;
  if (!*out) return SAR_VIEW_FAILED;
  sar_view_news news = sar_view_refresh(*out, p->backend, c->id, status);
  if (news == SAR_VIEW_SET_BACK) take_back(p, c, *out);
  return news;
}

/* The strong rule asks every capturing stream, so it must know them. */
sar_status sar_capture_note_use(sar_active_capture *c, sar_stream stream) {
  return find_view(c, stream) ? SAR_OK : SAR_E_NOMEM_HOST;
}

/* ---- free markers --------------------------------------------------------------------------- */

typedef struct {
  sar_node *nodes;
  size_t count, cap;
} node_list;

static bool add_node(node_list *l, sar_node node) {
  for (size_t i = 0; i < l->count; i++)
    if (l->nodes[i] == node) return true;
  if (l->count == l->cap) {
    size_t cap = l->cap ? l->cap * 2 : 8;
    sar_node *bigger = realloc(l->nodes, cap * sizeof *bigger);
    if (!bigger) return false;
    l->nodes = bigger;
    l->cap = cap;
  }
  l->nodes[l->count++] = node;
  return true;
}

/* Programmatic tips count here: they are work that may use the block. */
static bool add_tips(sar_pool *p, sar_active_capture *c, const sar_block *b, sar_stream stream,
                     node_list *l) {
  sar_view *v;
  sar_status st;
  if (refresh(p, c, stream, &v, &st) != SAR_VIEW_OK || b->allocation <= v->suspect) return false;
  for (size_t i = 0; i < v->tip_count; i++)
    if (!add_node(l, v->tips[i].node)) return false;
  return true;
}

static bool same_marks(const sar_marks *m, sar_stream stream, const node_list *l) {
  return m && m->stream == stream && m->count == l->count &&
         !memcmp(m->nodes, l->nodes, l->count * sizeof *l->nodes);
}

static sar_marks *make_marks(sar_active_capture *c, sar_stream stream, const node_list *l) {
  if (same_marks(c->last_marks, stream, l)) {
    c->last_marks->refs++;
    return c->last_marks;
  }
  sar_marks *m = malloc(sizeof *m + l->count * sizeof *l->nodes);
  if (!m) return NULL;
  *m = (sar_marks){.refs = 2, .count = (uint32_t)l->count, .stream = stream};
  memcpy(m->nodes, l->nodes, l->count * sizeof *l->nodes);
  release_marks(c->last_marks);
  return c->last_marks = m;
}

/* The tips, at this free, of every stream that used b. None where the graph cannot tell: a use
 * outside this capture, no node yet, a step back, or no memory for the marker. */
static sar_marks *marks_of(sar_pool *p, sar_block *b) {
  sar_active_capture *c = b->arena->capture;
  if (!c || p->config.capture_rule == SAR_CAPTURE_DEFER) return NULL;
  for (const sar_use *u = b->uses; u; u = u->next)
    if (u->capture != c->id) return NULL;
  node_list l = {0};
  bool ok = add_tips(p, c, b, b->stream, &l);
  for (const sar_use *u = b->uses; u && ok; u = u->next) ok = add_tips(p, c, b, u->stream, &l);
  sar_marks *m = ok && l.count ? make_marks(c, b->stream, &l) : NULL;
  free(l.nodes);
  return m;
}

void sar_capture_defer(sar_pool *p, sar_block *b) {
  b->marks = marks_of(p, b);
  list_deferred(p, b);
}

/* A plain free in a private pool under capture: true if the creation stream may reuse the block at
 * once, since its next operation follows all it did before. */
bool sar_capture_note_free(sar_pool *p, sar_block *b) {
  sar_active_capture *c = b->arena->capture;
  sar_view *v;
  sar_status st;
  if (!c) return true;
  switch (refresh(p, c, b->stream, &v, &st)) {
  case SAR_VIEW_OUTSIDE:
    return true;
  case SAR_VIEW_FAILED:
  case SAR_VIEW_SET_BACK:
    return false;
  case SAR_VIEW_OK:
    break;
  }
  if (b->allocation <= v->suspect || !sar_view_finishes(v)) return false;
  b->freed_in = c->id;
  return true;
}

/* ---- reuse inside the capture --------------------------------------------------------------- */

static bool follows_all(const sar_view *v, const sar_marks *m, uint32_t from) {
  for (uint32_t i = from; i < m->count; i++)
    if (!sar_node_set_has(&v->follows, m->nodes[i])) return false;
  return true;
}

/* Per-stream rule: a mark once followed stays followed, so the check resumes where it stopped. */
static bool creation_stream_follows(const sar_view *v, sar_marks *m) {
  while (m->passed < m->count && sar_node_set_has(&v->follows, m->nodes[m->passed])) m->passed++;
  return m->passed == m->count;
}

static bool all_streams_follow(const sar_active_capture *c, const sar_marks *m) {
  for (const sar_view *v = c->views; v; v = v->next)
    if (!follows_all(v, m, 0)) return false;
  return true;
}

static bool may_reuse(const sar_pool *p, const sar_active_capture *c, const sar_view *v,
                      sar_block *b) {
  if (b->arena != c->arena || !b->marks) return false;
  if (p->config.capture_rule == SAR_CAPTURE_STRONG) return all_streams_follow(c, b->marks);
  return creation_stream_follows(v, b->marks); /* asked for blocks of v's stream only */
}

static void reuse(sar_pool *p, sar_active_capture *c, sar_block *b, sar_shelf *shelf) {
  sar_capture_undefer(p, b);
  sar_use_drop_all(p, b);
  b->shelf = shelf;
  b->stream = shelf->stream;
  b->freed_in = c->id;
  p->stats.capture_reuses++;
  sar_block_available(p, b);
}

/* Before an allocation of stream: looks at the graph again, and makes reusable what stream's own
 * frees left behind. */
sar_status sar_capture_reuse(sar_pool *p, sar_active_capture *c, sar_stream stream) {
  sar_view *v, *others;
  sar_status st;
  if (refresh(p, c, stream, &v, &st) == SAR_VIEW_FAILED) return st;
  if (p->config.capture_rule == SAR_CAPTURE_DEFER) return SAR_OK;
  if (p->config.capture_rule == SAR_CAPTURE_STRONG)
    for (sar_view *o = c->views; o; o = o->next)
      if (o != v && refresh(p, c, o->stream, &others, &st) == SAR_VIEW_FAILED) return st;
  for (sar_block *b = p->deferred, *next; b; b = next) {
    next = b->deferred_next;
    if (b->stream == stream && may_reuse(p, c, v, b)) reuse(p, c, b, b->shelf);
  }
  return SAR_OK;
}

static bool better_fit(const sar_block *b, const sar_block *best) {
  if (!best || b->node.size != best->node.size) return !best || b->node.size < best->node.size;
  return b->node.addr < best->node.addr;
}

/* Strong rule: the best fit among blocks of other streams moves to shelf. */
sar_block *sar_capture_find_shared(sar_pool *p, sar_active_capture *c, size_t size,
                                   sar_shelf *shelf) {
  sar_block *best = NULL;
  if (p->config.capture_rule != SAR_CAPTURE_STRONG) return NULL;
  for (sar_block *b = p->deferred; b; b = b->deferred_next)
    if (b->small == (size <= SAR_SMALL_MAX) && b->node.size >= size && better_fit(b, best) &&
        may_reuse(p, c, NULL, b))
      best = b;
  if (!best) return NULL;
  reuse(p, c, best, shelf);
  return sar_block_on_shelf(shelf, size);
}

/* ---- begin and end -------------------------------------------------------------------------- */

/* What a graph used is ordered by its launches; uses of captures that ended are dropped. */
void sar_capture_strip(sar_pool *p, sar_block *b) {
  for (sar_use *u = b->uses, *next; u; u = next) {
    next = u->next;
    if (u->capture && !sar_capture_find(p, u->capture)) sar_use_drop(p, u);
  }
}

static void drop_capture(sar_active_capture *c) {
  for (sar_view *v = c->views, *next; v; v = next) {
    next = v->next;
    sar_view_drop(v);
    free(v);
  }
  release_marks(c->last_marks);
  free(c);
}

void sar_capture_drop_first(sar_pool *p) {
  sar_active_capture *c = p->captures;
  p->captures = c->next;
  drop_capture(c);
}

static sar_status start(sar_pool *p, sar_capture id, sar_graph_pool *inout) {
  if (sar_capture_find(p, id)) return SAR_E_STATE;
  sar_active_capture *c = calloc(1, sizeof *c);
  if (!c) return SAR_E_NOMEM_HOST;
  sar_status st = sar_arena_enter(p, inout, &c->arena);
  if (!st && c->arena->capture) {
    sar_arena_leave(p, c->arena);
    st = SAR_E_STATE; /* two graphs of one pool never run together, nor are they captured so */
  }
  if (st) {
    free(c);
    return st;
  }
  c->id = id;
  c->arena->capture = c;
  c->next = p->captures;
  p->captures = c;
  return SAR_OK;
}

sar_status sar_capture_begin(sar_capture *out, sar_pool *p, sar_stream stream,
                             sar_graph_pool *inout) {
  if (!out || !p || !inout) return SAR_E_ARG;
  sar_capture id = 0;
  const sar_tip *tips;
  size_t count;
  sar_lock_take(&p->lock);
  sar_status st = p->backend->capture_tips(p->backend->ctx, &id, &tips, &count, stream);
  if (!st && !id) st = SAR_E_STATE;
  if (!st) st = start(p, id, inout);
  if (!st) *out = id;
  sar_lock_give(&p->lock);
  return st;
}

static sar_status finish(sar_pool *p, sar_capture id, bool graph) {
  sar_active_capture **at = &p->captures;
  while (*at && (*at)->id != id) at = &(*at)->next;
  sar_active_capture *c = *at;
  if (!c || !id) return SAR_E_STATE;
  *at = c->next;
  sar_arena *arena = c->arena;
  arena->capture = NULL;
  for (sar_block *b = p->deferred, *next; b; b = next) {
    next = b->deferred_next;
    if (b->arena == arena) forget_marks(b);
    sar_capture_strip(p, b);
    if (b->uses || b->arena->capture) continue;
    sar_capture_undefer(p, b);
    sar_block_available(p, b);
  }
  drop_capture(c);
  /* The device may still be capturing, and must not be asked to free memory before it is done. */
  if (!graph) arena->refs--;
  p->unswept = true;
  return SAR_OK;
}

sar_status sar_capture_end(sar_pool *p, sar_capture capture) {
  if (!p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_status st = finish(p, capture, true);
  sar_lock_give(&p->lock);
  return st;
}

sar_status sar_capture_abort(sar_pool *p, sar_capture capture) {
  if (!p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_status st = finish(p, capture, false);
  sar_lock_give(&p->lock);
  return st;
}

/* The first allocation after the last capture puts events on the eager uses that are left. */
sar_status sar_capture_settle(sar_pool *p) {
  for (sar_block *b = p->deferred, *next; b; b = next) {
    next = b->deferred_next;
    sar_status st = sar_pool_retire(p, b);
    if (st && st != SAR_E_CAPTURE) return st;
  }
  return SAR_OK;
}
