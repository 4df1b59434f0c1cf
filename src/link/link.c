#include "link/linker.h"

#include "base/path.h"

#include <stdlib.h>
#include <string.h>

static int compare_entries(const void *a, const void *b) {
  const sa_link_entry *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  if (order == 0) order = (x->count > y->count) - (x->count < y->count);
  return order != 0 ? order : (x->func > y->func) - (x->func < y->func);
}

static void sort(sa_link_entries *entries) {
  if (entries->n > 1) qsort(entries->at, entries->n, sizeof *entries->at, compare_entries);
}

/* ---- taking over ---- */

sa_range sa_linker_place(sa_linker *l, uint32_t unit, sa_range at) {
  const sa_ir_unit *from = l->all->units.at[unit].unit;
  if (!sa_range_known(at) || at.file >= from->files.n) return (sa_range){0};
  if (l->files[unit] == NULL)
    l->files[unit] = sa_alloc(l->arena, from->files.n * sizeof **l->files);
  uint32_t *file = &l->files[unit][at.file];
  for (uint32_t i = 0; i < l->out->files.n && *file == 0; i++)
    if (strcmp(l->out->files.at[i], from->files.at[at.file]) == 0) *file = i + 1;
  if (*file == 0) {
    sa_push(l->arena, &l->out->files, from->files.at[at.file]);
    *file = l->out->files.n;
  }
  at.file = *file - 1;
  return at;
}

/* The unit's own copy of a function of a shared header. */
static uint32_t own_copy(const sa_linker *l, const sa_ir_unit *from, const sa_ir_func *func) {
  uint32_t first, end;
  if (!sa_range_known(func->at) || func->at.file >= from->files.n) return SA_NO_INDEX;
  end = sa_link_find(&l->places, func->name, func->at.line, &first);
  for (uint32_t i = first; i < end; i++) {
    const sa_ir_func *mine = &l->out->funcs.at[l->places.at[i].func];
    if (mine->at.column == func->at.column && mine->nparams == func->nparams &&
        strcmp(l->out->files.at[mine->at.file], from->files.at[func->at.file]) == 0)
      return l->places.at[i].func;
  }
  return SA_NO_INDEX;
}

static uint32_t size_of(const sa_ir_func *func) {
  uint32_t n = func->blocks.n;
  for (uint32_t b = 0; b < func->blocks.n; b++) n += func->blocks.at[b].insts.n;
  return n;
}

static uint32_t take_one(sa_linker *l, uint32_t u, uint32_t f, uint32_t depth) {
  const sa_ir_unit *from = l->all->units.at[u].unit;
  const sa_ir_func *func = &from->funcs.at[f];
  if (l->taken[u] == NULL)
    l->taken[u] = sa_alloc(l->arena, (from->funcs.n + 1) * sizeof **l->taken);
  if (l->taken[u][f] != 0) return l->taken[u][f] - 1;
  uint32_t mine = func->parent == SA_NO_INDEX ? own_copy(l, from, func) : SA_NO_INDEX;
  if (mine != SA_NO_INDEX) return mine;
  uint32_t size = size_of(func);
  if (l->jobs.n >= SA_LINK_FUNCTIONS || l->size + size > SA_LINK_SIZE) return SA_NO_INDEX;
  l->size += size;
  l->changed = true;
  sa_push(l->arena, &l->out->funcs, *func);
  uint32_t to = l->out->funcs.n - 1;
  l->taken[u][f] = to + 1;
  sa_push(l->arena, &l->jobs, (sa_link_job){u, f, to, depth});
  return to;
}

uint32_t sa_linker_take(sa_linker *l, uint32_t u, uint32_t f, uint32_t depth) {
  enum { MAX_NESTING = 16 };
  const sa_ir_unit *from = l->all->units.at[u].unit;
  uint32_t chain[MAX_NESTING], n = 0;
  /* A lambda goes nowhere without the functions around it. */
  for (uint32_t at = f; at != SA_NO_INDEX; at = from->funcs.at[at].parent) {
    if (n == MAX_NESTING) return SA_NO_INDEX;
    chain[n++] = at;
  }
  uint32_t to = SA_NO_INDEX;
  while (n > 0) {
    to = take_one(l, u, chain[--n], depth);
    if (to == SA_NO_INDEX) return SA_NO_INDEX;
    bool borrowed = l->taken[u] == NULL || l->taken[u][chain[n]] == 0;
    if (borrowed && n > 0)
      return SA_NO_INDEX; /* lambdas of the unit's own copy are there already */
  }
  return to;
}

/* ---- calls ---- */

/* Kinds that no conversion turns into each other. */
static bool contradict(sa_type a, sa_type b) {
  bool firm_a = a == SA_TYPE_TENSOR || a == SA_TYPE_STREAM || a == SA_TYPE_EVENT;
  bool firm_b = b == SA_TYPE_TENSOR || b == SA_TYPE_STREAM || b == SA_TYPE_EVENT;
  return firm_a && firm_b && a != b;
}

static bool fits(const sa_ir_func *caller, const sa_ir_inst *call, const sa_ir_func *body) {
  bool receiver = (call->mask & 1u) != 0;
  if (receiver != ((body->flags & SA_FUNC_METHOD) != 0)) return false;
  for (uint32_t i = 0; i < call->nargs; i++)
    if (contradict(caller->regs.at[call->args[i]].type.kind, body->regs.at[i + 1].type.kind))
      return false;
  return true;
}

uint32_t sa_linker_resolve(sa_linker *l, const sa_ir_func *caller, const sa_ir_inst *call,
                           uint32_t depth) {
  uint32_t first, end, n = 0, unit = SA_NO_INDEX, func = SA_NO_INDEX;
  if (call->text[0] == '\0' || depth > SA_LINK_DEPTH) return SA_NO_INDEX;
  end = sa_link_find(&l->own, call->text, call->nargs, &first);
  for (uint32_t i = first; i < end; i++) {
    if (!fits(caller, call, &l->out->funcs.at[l->own.at[i].func])) continue;
    func = l->own.at[i].func;
    n++;
  }
  end = sa_link_find(&l->all->definitions, call->text, call->nargs, &first);
  if (end - first > SA_LINK_CANDIDATES) return SA_NO_INDEX;
  for (uint32_t i = first; i < end; i++) {
    const sa_link_entry *e = &l->all->definitions.at[i];
    if (e->unit == l->self ||
        !fits(caller, call, &l->all->units.at[e->unit].unit->funcs.at[e->func]))
      continue;
    unit = e->unit;
    func = e->func;
    n++;
  }
  if (n != 1) return SA_NO_INDEX; /* nothing, or several: which one runs is not known */
  return unit == SA_NO_INDEX ? func : sa_linker_take(l, unit, func, depth);
}

static bool is_open(const sa_linker *l, const sa_ir_inst *inst) {
  return inst->op == SA_OP_call &&
         (inst->func == SA_NO_INDEX || l->out->funcs.at[inst->func].blocks.n == 0);
}

/* Frontends put a use in front of a call of something that is given a stream and is not seen. */
static bool is_assumed(const sa_ir_inst *use, const sa_ir_inst *call) {
  return use->op == SA_OP_use && strcmp(use->text, call->text) == 0 &&
         sa_range_compare(use->at, call->at) == 0 && use->at.file == call->at.file;
}

/* Gives the calls of one block their bodies; `insts` belongs to the linker. */
static void resolve_block(sa_linker *l, uint32_t func, uint32_t block, uint32_t depth) {
  sa_ir_block *b = &l->out->funcs.at[func].blocks.at[block];
  uint32_t kept = 0, n = b->insts.n;
  for (uint32_t i = 0; i < n; i++) {
    sa_ir_inst inst = b->insts.at[i];
    if (is_open(l, &inst)) {
      uint32_t body = sa_linker_resolve(l, &l->out->funcs.at[func], &inst, depth);
      b = &l->out->funcs.at[func].blocks.at[block]; /* functions may have moved */
      if (body != SA_NO_INDEX && body != func) {
        inst.func = body;
        l->changed = true;
        if (kept > 0 && is_assumed(&b->insts.at[kept - 1], &inst)) kept--;
      }
    }
    b->insts.at[kept++] = inst;
  }
  b->insts.n = kept;
}

/* A copy of the function's blocks and instructions that may be changed. */
static void unshare(sa_linker *l, sa_ir_func *func) {
  const sa_ir_block *from = func->blocks.at;
  func->blocks.at = sa_alloc(l->arena, (func->blocks.n + 1) * sizeof *func->blocks.at);
  func->blocks.capacity = func->blocks.n;
  for (uint32_t b = 0; b < func->blocks.n; b++) {
    sa_ir_block *to = &func->blocks.at[b];
    *to = from[b];
    to->insts.at = sa_alloc(l->arena, (to->insts.n + 1) * sizeof *to->insts.at);
    to->insts.capacity = to->insts.n;
    for (uint32_t i = 0; i < to->insts.n; i++) to->insts.at[i] = from[b].insts.at[i];
  }
}

static bool has_open_calls(const sa_linker *l, const sa_ir_func *func) {
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++)
      if (is_open(l, &func->blocks.at[b].insts.at[i])) return true;
  return false;
}

/* ---- bodies ---- */

static uint32_t take_callee(sa_linker *l, const sa_link_job *job, uint32_t callee) {
  const sa_ir_func *body = &l->all->units.at[job->unit].unit->funcs.at[callee];
  bool lambda = (body->flags & SA_FUNC_LAMBDA) != 0;
  if (!lambda && job->depth >= SA_LINK_DEPTH) return SA_NO_INDEX;
  return sa_linker_take(l, job->unit, callee, lambda ? job->depth : job->depth + 1);
}

/* Instructions keep their meaning; what they name gets its number in `out`. */
static void take_block(sa_linker *l, const sa_link_job *job, uint32_t block) {
  for (uint32_t i = 0; i < l->out->funcs.at[job->to].blocks.at[block].insts.n; i++) {
    sa_ir_inst inst = l->out->funcs.at[job->to].blocks.at[block].insts.at[i];
    inst.site = SA_NO_INDEX;
    inst.at = sa_linker_place(l, job->unit, inst.at);
    if (inst.func != SA_NO_INDEX)
      inst.func = inst.op == SA_OP_call || inst.op == SA_OP_lambda ? take_callee(l, job, inst.func)
                                                                   : SA_NO_INDEX;
    l->out->funcs.at[job->to].blocks.at[block].insts.at[i] = inst;
  }
}

static void take_body(sa_linker *l, sa_link_job job) {
  const sa_ir_func *from = &l->all->units.at[job.unit].unit->funcs.at[job.func];
  sa_ir_func *to = &l->out->funcs.at[job.to];
  unshare(l, to);
  to->flags |= SA_FUNC_HEADER;
  to->at = sa_linker_place(l, job.unit, from->at);
  if (from->parent != SA_NO_INDEX) to->parent = l->taken[job.unit][from->parent] - 1;
  sa_ir_reg *regs = sa_alloc(l->arena, from->regs.n * sizeof *regs);
  for (uint32_t i = 0; i < from->regs.n; i++) {
    regs[i] = from->regs.at[i];
    regs[i].at = sa_linker_place(l, job.unit, regs[i].at);
  }
  to->regs.at = regs;
  to->regs.capacity = from->regs.n;
  for (uint32_t b = 0; b < from->blocks.n; b++) {
    take_block(l, &job, b);
    resolve_block(l, job.to, b, job.depth + 1);
  }
}

void sa_linker_run(sa_linker *l) {
  while (l->done < l->jobs.n) take_body(l, l->jobs.at[l->done++]);
}

/* ---- the unit ---- */

static void index_own(sa_linker *l) {
  for (uint32_t f = 0; f < l->nown; f++) {
    const sa_ir_func *func = &l->out->funcs.at[f];
    if (func->blocks.n == 0 || (func->flags & SA_FUNC_LAMBDA) != 0) continue;
    if (sa_range_known(func->at) && func->at.file < l->out->files.n)
      sa_push(l->arena, &l->places, (sa_link_entry){func->name, func->at.line, 0, f});
    bool visible = (func->flags & SA_FUNC_INTERNAL) == 0 || func->class_name != NULL;
    if (visible && (func->flags & SA_FUNC_HEADER) == 0)
      sa_push(l->arena, &l->own, (sa_link_entry){func->name, func->nparams, 0, f});
  }
  sort(&l->places);
  sort(&l->own);
}

/* The arrays that grow are the linker's own. */
static sa_ir_unit *copy_unit(sa_arena *arena, const sa_ir_unit *unit) {
  sa_ir_unit *out = sa_alloc(arena, sizeof *out);
  *out = *unit;
  out->files.at = NULL;
  out->files.n = out->files.capacity = 0;
  out->classes.at = NULL;
  out->classes.n = out->classes.capacity = 0;
  out->funcs.at = NULL;
  out->funcs.n = out->funcs.capacity = 0;
  /* As summaries spell them. */
  for (uint32_t i = 0; i < unit->files.n; i++)
    sa_push(arena, &out->files, sa_path_clean(arena, unit->files.at[i]));
  for (uint32_t i = 0; i < unit->classes.n; i++) sa_push(arena, &out->classes, unit->classes.at[i]);
  for (uint32_t i = 0; i < unit->funcs.n; i++) sa_push(arena, &out->funcs, unit->funcs.at[i]);
  return out;
}

const sa_ir_unit *sa_link(sa_arena *arena, const sa_ir_unit *unit, const sa_summaries *all) {
  sa_linker l = {.arena = arena, .all = all, .nown = unit->funcs.n, .self = SA_NO_INDEX};
  const sa_summary *self = sa_summaries_find(all, unit->path);
  if (self != NULL) l.self = (uint32_t)(self - all->units.at);
  l.out = copy_unit(arena, unit);
  l.taken = sa_alloc(arena, (all->units.n + 1) * sizeof *l.taken);
  l.files = sa_alloc(arena, (all->units.n + 1) * sizeof *l.files);
  index_own(&l);
  for (uint32_t f = 0; f < l.nown; f++) {
    if (!has_open_calls(&l, &l.out->funcs.at[f])) continue;
    unshare(&l, &l.out->funcs.at[f]);
    for (uint32_t b = 0; b < l.out->funcs.at[f].blocks.n; b++) resolve_block(&l, f, b, 1);
  }
  sa_linker_run(&l);
  sa_linker_callers(&l);
  sa_linker_classes(&l);
  return l.changed ? l.out : unit;
}
