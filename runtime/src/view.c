#include "view.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  sar_view *view;
  const sar_backend *backend;
  size_t depth;
  sar_status status;
} walk;

static void push(walk *w, sar_node node) {
  sar_view *v = w->view;
  if (w->depth == v->stack_cap) {
    size_t cap = v->stack_cap ? v->stack_cap * 2 : 64;
    sar_node *bigger = realloc(v->stack, cap * sizeof *bigger);
    if (!bigger) {
      w->status = SAR_E_NOMEM_HOST;
      return;
    }
    v->stack = bigger;
    v->stack_cap = cap;
  }
  v->stack[w->depth++] = node;
}

static void visit(walk *w, sar_node node, sar_node_set *met) {
  bool added = false, unused = false;
  if (!sar_node_set_add(&w->view->follows, node, &added)) w->status = SAR_E_NOMEM_HOST;
  if (!added && met && !sar_node_set_add(met, node, &unused)) w->status = SAR_E_NOMEM_HOST;
  if (added) push(w, node);
}

/* Adds the tips that finish and their ancestors; stops at nodes already known and puts those
 * into met. Cost is in the number of new nodes. */
static sar_status add_ancestors(sar_view *v, const sar_backend *backend, sar_node_set *met) {
  walk w = {.view = v, .backend = backend};
  for (size_t i = 0; i < v->tip_count && !w.status; i++)
    if (v->tips[i].finish) visit(&w, v->tips[i].node, met);
  while (w.depth && !w.status) {
    const sar_node *parents;
    size_t count;
    w.status = backend->node_parents(backend->ctx, &parents, &count, v->stack[--w.depth]);
    for (size_t i = 0; i < count && !w.status; i++) visit(&w, parents[i], met);
  }
  return w.status;
}

static bool same_tips(const sar_view *v, const sar_tip *tips, size_t count) {
  if (v->tip_count != count) return false;
  for (size_t i = 0; i < count; i++)
    if (v->tips[i].node != tips[i].node || v->tips[i].finish != tips[i].finish) return false;
  return true;
}

static sar_status copy_tips(sar_view *v, const sar_tip *tips, size_t count) {
  if (count > v->tip_cap) {
    sar_tip *bigger = realloc(v->tips, count * sizeof *bigger);
    if (!bigger) return SAR_E_NOMEM_HOST;
    v->tips = bigger;
    v->tip_cap = count;
  }
  if (count) memcpy(v->tips, tips, count * sizeof *tips);
  v->tip_count = count;
  return SAR_OK;
}

static bool all_in(const sar_tip *tips, size_t count, const sar_node_set *set) {
  for (size_t i = 0; i < count; i++)
    if (tips[i].finish && !sar_node_set_has(set, tips[i].node)) return false;
  return true;
}

/* old: the tips of the last refresh. A tip that the walk did not meet may still be an ancestor
 * of one it met, so only a rebuilt set decides. */
static sar_status advance(sar_view *v, const sar_backend *backend, const sar_tip *old,
                          size_t old_count, bool *set_back) {
  sar_node_set met = {0};
  sar_status st = add_ancestors(v, backend, &met);
  if (!st && !all_in(old, old_count, &met)) {
    sar_node_set_drop(&v->follows);
    st = add_ancestors(v, backend, NULL);
    *set_back = !st && !all_in(old, old_count, &v->follows);
  }
  sar_node_set_drop(&met);
  return st;
}

static void forget(sar_view *v) {
  sar_node_set_drop(&v->follows);
  v->tip_count = 0;
}

sar_view_news sar_view_refresh(sar_view *v, const sar_backend *backend, sar_capture capture,
                               sar_status *status) {
  sar_capture id = 0;
  const sar_tip *tips = NULL;
  size_t count = 0, old_count = v->tip_count;
  *status = backend->capture_tips(backend->ctx, &id, &tips, &count, v->stream);
  if (*status) return SAR_VIEW_FAILED;
  if (id != capture) return SAR_VIEW_OUTSIDE;
  if (same_tips(v, tips, count)) return SAR_VIEW_OK;
  sar_tip *old = malloc((old_count + 1) * sizeof *old);
  if (old && old_count) memcpy(old, v->tips, old_count * sizeof *old);
  *status = old ? copy_tips(v, tips, count) : SAR_E_NOMEM_HOST;
  bool set_back = false;
  if (!*status) *status = advance(v, backend, old, old_count, &set_back);
  free(old);
  if (*status) {
    forget(v);
    return SAR_VIEW_FAILED;
  }
  return set_back ? SAR_VIEW_SET_BACK : SAR_VIEW_OK;
}

bool sar_view_finishes(const sar_view *v) {
  for (size_t i = 0; i < v->tip_count; i++)
    if (!v->tips[i].finish) return false;
  return true;
}

void sar_view_drop(sar_view *v) {
  sar_node_set_drop(&v->follows);
  free(v->tips);
  free(v->stack);
}
