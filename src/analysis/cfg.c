#include "analysis/cfg.h"

#include "analysis/analyse.h"

#include <string.h>

typedef struct {
  uint32_t block, next;
} visit;

/* Depth-first without recursion: hostile input can chain any number of blocks. */
static void build_order(sa_cfg *cfg, sa_arena *arena) {
  SA_ARRAY(visit) stack = {0};
  bool *seen = sa_alloc(arena, cfg->n);
  sa_index_array post = {0};
  sa_push(arena, &stack, (visit){0, 0});
  seen[0] = true;
  while (stack.n > 0) {
    visit *top = &stack.at[stack.n - 1];
    const sa_ir_block *block = &cfg->func->blocks.at[top->block];
    if (top->next == block->succ.n) {
      sa_push(arena, &post, top->block);
      stack.n--;
      continue;
    }
    uint32_t succ = block->succ.at[top->next++];
    if (seen[succ]) continue;
    seen[succ] = true;
    sa_push(arena, &stack, (visit){succ, 0});
  }
  for (uint32_t i = 0; i < cfg->n; i++) cfg->order[i] = SA_NO_INDEX;
  for (uint32_t i = post.n; i-- > 0;) {
    cfg->order[post.at[i]] = cfg->rpo.n;
    sa_push(arena, &cfg->rpo, post.at[i]);
  }
}

static void build_preds(sa_cfg *cfg, sa_arena *arena) {
  for (uint32_t i = 0; i < cfg->rpo.n; i++) {
    const sa_ir_block *block = &cfg->func->blocks.at[cfg->rpo.at[i]];
    for (uint32_t j = 0; j < block->succ.n; j++)
      sa_push(arena, &cfg->preds[block->succ.at[j]], cfg->rpo.at[i]);
  }
}

/* Cooper, Harvey, Kennedy: climb to the common ancestor by position. */
static uint32_t meet(const uint32_t *parent, const uint32_t *place, uint32_t a, uint32_t b) {
  while (a != b) {
    while (place[a] > place[b]) a = parent[a];
    while (place[b] > place[a]) b = parent[b];
  }
  return a;
}

static void build_dominators(sa_cfg *cfg) {
  for (uint32_t i = 0; i < cfg->n; i++) cfg->idom[i] = SA_NO_INDEX;
  cfg->idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < cfg->rpo.n; i++) {
      uint32_t block = cfg->rpo.at[i], best = SA_NO_INDEX;
      for (uint32_t j = 0; j < cfg->preds[block].n; j++) {
        uint32_t pred = cfg->preds[block].at[j];
        if (cfg->idom[pred] == SA_NO_INDEX) continue;
        best = best == SA_NO_INDEX ? pred : meet(cfg->idom, cfg->order, best, pred);
      }
      changed |= cfg->idom[block] != best;
      cfg->idom[block] = best;
    }
  }
  cfg->idom[0] = SA_NO_INDEX;
}

/* Edges into handlers are ways out of the ordinary; they decide nothing about what runs. */
static bool ordinary(const sa_cfg *cfg, uint32_t succ) {
  return !cfg->func->blocks.at[succ].exceptional;
}

/* Reverse reachability from the last blocks gives the order; blocks in endless loops have no place
 * and no post-dominator. The exit is number n. */
static uint32_t *reverse_places(const sa_cfg *cfg, sa_arena *arena, sa_index_array *order) {
  SA_ARRAY(visit) stack = {0};
  bool *seen = sa_alloc(arena, cfg->n + 1);
  sa_index_array post = {0};
  for (uint32_t root = 0; root < cfg->n; root++) {
    if (cfg->order[root] == SA_NO_INDEX || cfg->func->blocks.at[root].succ.n != 0) continue;
    if (seen[root]) continue;
    seen[root] = true;
    sa_push(arena, &stack, (visit){root, 0});
    while (stack.n > 0) {
      visit *top = &stack.at[stack.n - 1];
      if (top->next == cfg->preds[top->block].n) {
        sa_push(arena, &post, top->block);
        stack.n--;
        continue;
      }
      uint32_t block = top->block, pred = cfg->preds[block].at[top->next++];
      if (seen[pred] || !ordinary(cfg, block)) continue;
      seen[pred] = true;
      sa_push(arena, &stack, (visit){pred, 0});
    }
  }
  uint32_t *place = sa_alloc(arena, (cfg->n + 1) * sizeof *place);
  for (uint32_t i = 0; i < cfg->n; i++) place[i] = SA_NO_INDEX;
  place[cfg->n] = 0;
  for (uint32_t i = post.n; i-- > 0;) {
    sa_push(arena, order, post.at[i]);
    place[post.at[i]] = order->n;
  }
  return place;
}

static void build_post_dominators(sa_cfg *cfg, sa_arena *arena) {
  sa_index_array order = {0};
  uint32_t *place = reverse_places(cfg, arena, &order), exit = cfg->n;
  for (uint32_t i = 0; i < cfg->n; i++) cfg->ipdom[i] = SA_NO_INDEX;
  cfg->ipdom[exit] = exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < order.n; i++) {
      const sa_ir_block *block = &cfg->func->blocks.at[order.at[i]];
      uint32_t best = block->succ.n == 0 ? exit : SA_NO_INDEX;
      for (uint32_t j = 0; j < block->succ.n; j++) {
        uint32_t succ = block->succ.at[j];
        if (!ordinary(cfg, succ) || cfg->ipdom[succ] == SA_NO_INDEX) continue;
        best = best == SA_NO_INDEX ? succ : meet(cfg->ipdom, place, best, succ);
      }
      changed |= cfg->ipdom[order.at[i]] != best;
      cfg->ipdom[order.at[i]] = best;
    }
  }
  for (uint32_t i = 0; i < cfg->n; i++)
    if (cfg->ipdom[i] == exit) cfg->ipdom[i] = SA_NO_INDEX;
}

/* Ferrante, Ottenstein, Warren: everything from an arm's head up to the branch's post-dominator. */
static void build_control(sa_cfg *cfg, sa_arena *arena) {
  for (uint32_t i = cfg->rpo.n; i-- > 0;) {
    uint32_t branch = cfg->rpo.at[i];
    const sa_ir_block *block = &cfg->func->blocks.at[branch];
    if (block->term != SA_TERM_BRANCH) continue;
    for (uint32_t arm = 0; arm < block->succ.n; arm++) {
      if (!ordinary(cfg, block->succ.at[arm])) continue;
      uint32_t at = block->succ.at[arm];
      for (uint32_t steps = 0; at != SA_NO_INDEX && at != cfg->ipdom[branch] && steps < cfg->n;
           steps++) {
        if (cfg->control[at].n < SA_MAX_CONTROLS)
          sa_push(arena, &cfg->control[at], (sa_control){branch, arm});
        at = cfg->ipdom[at];
      }
    }
  }
}

/* Natural loops: from each back edge, everything that reaches it without the header. `around` is
 * the header of the innermost loop of a block, `outer` that of the loop around a header's own. */
static void build_loops(sa_cfg *cfg, sa_arena *arena, uint32_t *around, uint32_t *outer) {
  bool *seen = sa_alloc(arena, cfg->n);
  sa_index_array work = {0};
  for (uint32_t i = 0; i < cfg->n; i++) around[i] = outer[i] = SA_NO_INDEX;
  for (uint32_t i = 0; i < cfg->rpo.n; i++) {
    uint32_t header = cfg->rpo.at[i];
    memset(seen, 0, cfg->n);
    for (uint32_t j = 0; j < cfg->preds[header].n; j++) {
      uint32_t latch = cfg->preds[header].at[j];
      if (cfg->order[latch] < cfg->order[header]) continue;
      if (!seen[header]) outer[header] = around[header];
      cfg->in_loop[header] = seen[header] = true;
      around[header] = header;
      sa_push(arena, &work, latch);
    }
    while (work.n > 0) {
      uint32_t block = work.at[--work.n];
      if (seen[block]) continue;
      seen[block] = cfg->in_loop[block] = true;
      around[block] = header;
      for (uint32_t j = 0; j < cfg->preds[block].n; j++)
        sa_push(arena, &work, cfg->preds[block].at[j]);
    }
  }
}

/* Whether an order keeps every edge forward that is so in the reverse post-order. It does unless
 * there are jumps into loops, which then do not nest. */
static bool still_forward(const sa_cfg *cfg, sa_arena *arena, const sa_index_array *order) {
  if (order->n != cfg->rpo.n) return false;
  uint32_t *place = sa_alloc(arena, cfg->n * sizeof *place);
  for (uint32_t i = 0; i < order->n; i++) place[order->at[i]] = i;
  for (uint32_t i = 0; i < order->n; i++) {
    uint32_t from = order->at[i];
    const sa_ir_block *block = &cfg->func->blocks.at[from];
    for (uint32_t k = 0; k < block->succ.n; k++) {
      uint32_t to = block->succ.at[k];
      if (cfg->order[from] < cfg->order[to] && place[from] > place[to]) return false;
    }
  }
  return true;
}

/* Puts what follows a loop behind its body: in a plain reverse post-order it may stand before, and
 * whoever reads the blocks one after the other would see it happen first. */
static void order_loops(sa_cfg *cfg, sa_arena *arena, const uint32_t *around,
                        const uint32_t *outer) {
  sa_index_array *inside = sa_alloc(arena, (cfg->n + 1) * sizeof *inside); /* [n]: in no loop */
  for (uint32_t i = 0; i < cfg->rpo.n; i++) {
    uint32_t block = cfg->rpo.at[i];
    uint32_t loop = around[block] == block ? outer[block] : around[block];
    sa_push(arena, &inside[loop != SA_NO_INDEX ? loop : cfg->n], block);
  }
  SA_ARRAY(visit) stack = {0};
  sa_index_array placed = {0};
  sa_push(arena, &stack, (visit){cfg->n, 0});
  while (stack.n > 0) {
    visit *top = &stack.at[stack.n - 1];
    if (top->next == inside[top->block].n) {
      stack.n--;
      continue;
    }
    uint32_t block = inside[top->block].at[top->next++];
    sa_push(arena, &placed, block);
    if (around[block] == block) sa_push(arena, &stack, (visit){block, 0});
  }
  if (still_forward(cfg, arena, &placed)) {
    cfg->rpo = placed;
    for (uint32_t i = 0; i < placed.n; i++) cfg->order[placed.at[i]] = i;
  }
}

sa_cfg *sa_cfg_build(sa_arena *arena, const sa_ir_func *func) {
  sa_cfg *cfg = sa_alloc(arena, sizeof *cfg);
  cfg->func = func;
  cfg->n = func->blocks.n;
  cfg->base = sa_alloc(arena, (cfg->n + 1) * sizeof *cfg->base);
  for (uint32_t i = 0; i < cfg->n; i++) {
    cfg->base[i] = cfg->npoints;
    cfg->npoints += func->blocks.at[i].insts.n;
  }
  cfg->base[cfg->n] = cfg->npoints;
  cfg->too_large = cfg->n > SA_MAX_BLOCKS || cfg->npoints > SA_MAX_INSTS;
  if (cfg->n == 0 || cfg->too_large) return cfg;
  cfg->order = sa_alloc(arena, cfg->n * sizeof *cfg->order);
  cfg->preds = sa_alloc(arena, cfg->n * sizeof *cfg->preds);
  cfg->idom = sa_alloc(arena, cfg->n * sizeof *cfg->idom);
  cfg->ipdom = sa_alloc(arena, (cfg->n + 1) * sizeof *cfg->ipdom);
  cfg->control = sa_alloc(arena, cfg->n * sizeof *cfg->control);
  cfg->in_loop = sa_alloc(arena, cfg->n);
  build_order(cfg, arena);
  build_preds(cfg, arena);
  uint32_t *around = sa_alloc(arena, cfg->n * sizeof *around);
  uint32_t *outer = sa_alloc(arena, cfg->n * sizeof *outer);
  build_loops(cfg, arena, around, outer);
  order_loops(cfg, arena, around, outer);
  build_dominators(cfg);
  build_post_dominators(cfg, arena);
  build_control(cfg, arena);
  return cfg;
}

bool sa_cfg_dominates(const sa_cfg *cfg, uint32_t above, uint32_t below) {
  if (cfg->order[above] == SA_NO_INDEX || cfg->order[below] == SA_NO_INDEX) return false;
  while (below != SA_NO_INDEX && cfg->order[below] > cfg->order[above]) below = cfg->idom[below];
  return below == above;
}

static bool has_control(const sa_control_array *list, sa_control c) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i].branch == c.branch && list->at[i].arm == c.arm) return true;
  return false;
}

sa_control_array sa_cfg_controls(const sa_cfg *cfg, sa_arena *arena, uint32_t block) {
  sa_control_array all = {0};
  for (uint32_t next = 0;; next++) {
    const sa_control_array *direct = &cfg->control[block];
    for (uint32_t i = 0; i < direct->n && all.n < SA_MAX_CONTROLS; i++)
      if (!has_control(&all, direct->at[i])) sa_push(arena, &all, direct->at[i]);
    if (next == all.n) return all;
    block = all.at[next].branch;
  }
}

uint32_t sa_cfg_block_of(const sa_cfg *cfg, uint32_t point) {
  uint32_t low = 0, high = cfg->n;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (cfg->base[middle] <= point)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void mark_from(const sa_cfg *cfg, sa_arena *arena, uint32_t start, uint32_t stop,
                      bool *marked) {
  sa_index_array work = {0};
  sa_push(arena, &work, start);
  while (work.n > 0) {
    uint32_t block = work.at[--work.n];
    if (block == stop || marked[block]) continue;
    marked[block] = true;
    const sa_ir_block *b = &cfg->func->blocks.at[block];
    for (uint32_t i = 0; i < b->succ.n; i++)
      if (ordinary(cfg, b->succ.at[i])) sa_push(arena, &work, b->succ.at[i]);
  }
}

bool sa_cfg_reaches(const sa_cfg *cfg, sa_arena *arena, uint32_t from, uint32_t to) {
  uint32_t a = sa_cfg_block_of(cfg, from), b = sa_cfg_block_of(cfg, to);
  if (a == b && from < to) return true;
  bool *marked = sa_alloc(arena, cfg->n);
  const sa_ir_block *block = &cfg->func->blocks.at[a];
  for (uint32_t i = 0; i < block->succ.n; i++)
    mark_from(cfg, arena, block->succ.at[i], SA_NO_INDEX, marked);
  return marked[b];
}

void sa_cfg_mark_arm(const sa_cfg *cfg, sa_arena *arena, sa_control arm, bool *marked) {
  const sa_ir_block *block = &cfg->func->blocks.at[arm.branch];
  if (arm.arm < block->succ.n)
    mark_from(cfg, arena, block->succ.at[arm.arm], cfg->ipdom[arm.branch], marked);
}

char *sa_cfg_print(sa_arena *arena, const sa_ir_unit *unit) {
  char *text = "";
  for (uint32_t f = 0; f < unit->funcs.n; f++) {
    const sa_cfg *cfg = sa_cfg_build(arena, &unit->funcs.at[f]);
    text = sa_printf(arena, "%sfunc %u '%s'%s\n", text, (unsigned)f, unit->funcs.at[f].name,
                     cfg->too_large ? " too large" : "");
    if (cfg->too_large) continue;
    for (uint32_t i = 0; i < cfg->rpo.n; i++) {
      uint32_t b = cfg->rpo.at[i];
      char *line =
          sa_printf(arena, "  block %u%s from", (unsigned)b, cfg->in_loop[b] ? " loop" : "");
      for (uint32_t j = 0; j < cfg->preds[b].n; j++)
        line = sa_printf(arena, "%s %u", line, (unsigned)cfg->preds[b].at[j]);
      if (cfg->idom[b] != SA_NO_INDEX)
        line = sa_printf(arena, "%s idom %u", line, (unsigned)cfg->idom[b]);
      if (cfg->ipdom[b] != SA_NO_INDEX)
        line = sa_printf(arena, "%s ipdom %u", line, (unsigned)cfg->ipdom[b]);
      for (uint32_t j = 0; j < cfg->control[b].n; j++)
        line = sa_printf(arena, "%s control %u.%u", line, (unsigned)cfg->control[b].at[j].branch,
                         (unsigned)cfg->control[b].at[j].arm);
      text = sa_printf(arena, "%s%s\n", text, line);
    }
  }
  return text;
}
