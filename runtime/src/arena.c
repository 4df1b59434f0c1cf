/* Private pools: of graphs, and of routes that send one stream's allocations to a pool. */
#include <stdlib.h>

#include "pool.h"

sar_arena *sar_arena_find(sar_pool *p, sar_graph_pool id) {
  sar_arena *a = p->arenas;
  while (a && a->id != id) a = a->next;
  return a;
}

sar_status sar_arena_enter(sar_pool *p, sar_graph_pool *inout, sar_arena **out) {
  sar_arena *a = *inout ? sar_arena_find(p, *inout) : NULL;
  if (*inout && !a) return SAR_E_ARG;
  if (!a) {
    a = calloc(1, sizeof *a);
    if (!a) return SAR_E_NOMEM_HOST;
    a->id = *inout = ++p->next_arena;
    a->next = p->arenas;
    p->arenas = a;
  }
  a->refs++;
  *out = a;
  return SAR_OK;
}

void sar_arena_leave(sar_pool *p, sar_arena *a) {
  a->refs--;
  sar_arena_try_release(p, a);
}

/* Freeing device memory is illegal while a graph is captured; the next allocation after the capture
 * tries again, and so does sar_release_cached if the device refuses. */
void sar_arena_try_release(sar_pool *p, sar_arena *a) {
  if (!a->id || a->refs || a->growing || a->busy || p->captures) return;
  sar_block_merge_all(p, a);
  if (sar_block_release_segments(p, a)) return;
  sar_arena **at = &p->arenas;
  while (*at != a) at = &(*at)->next;
  *at = a->next;
  sar_shelves_drop(&a->shelves);
  free(a);
}

void sar_arena_sweep(sar_pool *p) {
  p->unswept = false;
  for (sar_arena *a = p->arenas, *next; a; a = next) {
    next = a->next;
    sar_arena_try_release(p, a);
  }
}

sar_arena *sar_arena_routed(sar_pool *p, sar_stream stream) {
  for (sar_route *r = p->routes; r; r = r->next)
    if (r->stream == stream) return r->arena;
  return &p->main;
}

sar_status sar_graph_pool_release(sar_pool *p, sar_graph_pool id) {
  if (!p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_arena *a = id ? sar_arena_find(p, id) : NULL;
  uint32_t held = 0; /* by a capture or a route, not by a graph */
  for (const sar_route *r = p->routes; a && r; r = r->next) held += r->arena == a;
  if (a && a->capture) held++;
  sar_status st = !a ? SAR_E_ARG : a->refs == held ? SAR_E_STATE : SAR_OK;
  if (!st) a->refs--;
  if (!st) sar_arena_sweep(p);
  sar_lock_give(&p->lock);
  return st;
}

static sar_status add_route(sar_pool *p, sar_stream stream, sar_graph_pool *inout) {
  if (sar_arena_routed(p, stream) != &p->main) return SAR_E_STATE;
  sar_route *r = malloc(sizeof *r);
  if (!r) return SAR_E_NOMEM_HOST;
  *r = (sar_route){.stream = stream, .next = p->routes};
  sar_status st = sar_arena_enter(p, inout, &r->arena);
  if (st) {
    free(r);
    return st;
  }
  p->routes = r;
  return SAR_OK;
}

sar_status sar_route_begin(sar_pool *p, sar_stream stream, sar_graph_pool *inout) {
  if (!p || !inout) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_status st = add_route(p, stream, inout);
  sar_lock_give(&p->lock);
  return st;
}

sar_status sar_route_end(sar_pool *p, sar_stream stream) {
  if (!p) return SAR_E_ARG;
  sar_lock_take(&p->lock);
  sar_route **at = &p->routes;
  while (*at && (*at)->stream != stream) at = &(*at)->next;
  sar_route *r = *at;
  if (r) *at = r->next;
  free(r);
  sar_lock_give(&p->lock);
  return r ? SAR_OK : SAR_E_STATE;
}
