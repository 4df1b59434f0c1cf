/* What of a unit other units can use. */
#include "link/summary.h"

#include "base/path.h"

#include <string.h>

enum { MAX_FUNCTION = 20000, MAX_ROUNDS = 8 };

#define OUTSIDE UINT32_MAX

typedef struct {
  sa_arena *arena;
  const sa_ir_unit *unit;
  sa_ir_unit *out;
  bool *kept;       /* by function */
  uint32_t *number; /* by function: its number in the summary */
  uint32_t *file;   /* by file: its number in the summary plus one; 0 while nothing needs it */
} pruner;

static bool inside_project(const char *path) {
  return path[0] != '/' && path[0] != '\0' && strcmp(path, "..") != 0 &&
         strncmp(path, "../", 3) != 0;
}

/* One header may be spelled in several ways. */
static uint32_t number_file(pruner *p, const char *spelled) {
  const char *path = sa_path_clean(p->arena, spelled);
  if (!inside_project(path)) return OUTSIDE;
  for (uint32_t i = 0; i < p->out->files.n; i++)
    if (strcmp(p->out->files.at[i], path) == 0) return i + 1;
  sa_push(p->arena, &p->out->files, path);
  return p->out->files.n;
}

/* Lines and columns stay, for messages; where the file has no name here, nothing does. */
static sa_range place(pruner *p, sa_range at) {
  sa_range nowhere = {0};
  if (!sa_range_known(at) || at.file >= p->unit->files.n) return nowhere;
  if (p->file[at.file] == 0) p->file[at.file] = number_file(p, p->unit->files.at[at.file]);
  if (p->file[at.file] == OUTSIDE) return nowhere;
  at.file = p->file[at.file] - 1;
  at.offset = at.end_offset = 0;
  return at;
}

/* ---- which functions ---- */

static bool is_dull(sa_type kind) {
  return kind == SA_TYPE_SCALAR || kind == SA_TYPE_VOID || kind == SA_TYPE_FUNC;
}

/* Operations that compute values and do nothing else. */
static bool is_pure(sa_ir_op op) {
  switch (op) {
  case SA_OP_const:
  case SA_OP_op:
  case SA_OP_copy:
  case SA_OP_view:
  case SA_OP_pack:
  case SA_OP_elem:
  case SA_OP_field:
  case SA_OP_global:
  case SA_OP_current_stream:
  case SA_OP_default_stream:
  case SA_OP_extern_stream:
    return true;
  default:
    return false;
  }
}

static bool has_effect(const sa_ir_func *func, const sa_ir_inst *inst) {
  if (is_pure(inst->op) || inst->op == SA_OP_end || inst->op == SA_OP_move) return false;
  if (inst->op != SA_OP_call) return true;
  for (uint32_t i = 0; i < inst->nargs; i++)
    if (!is_dull(func->regs.at[inst->args[i]].type.kind)) return true;
  return !is_dull(func->regs.at[inst->result].type.kind);
}

/* A function that neither is given nor does anything of interest is the same as one that is not
 * seen. */
static bool matters(const sa_ir_func *func) {
  if (func->blocks.n == 0) return false;
  if (!is_dull(func->returns.kind) || func->parent != SA_NO_INDEX) return true;
  for (uint32_t i = 1; i <= func->nparams; i++)
    if (!is_dull(func->regs.at[i].type.kind)) return true;
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++)
      if (has_effect(func, &func->blocks.at[b].insts.at[i])) return true;
  return false;
}

static void keep(pruner *p, uint32_t func, uint32_t *work, uint32_t *n) {
  if (func == SA_NO_INDEX || p->kept[func] || !matters(&p->unit->funcs.at[func])) return;
  p->kept[func] = true;
  work[(*n)++] = func;
}

/* The unit's own functions, and of the headers' what these call; parents with their lambdas. */
static void choose_functions(pruner *p) {
  uint32_t n = 0, *work = sa_alloc(p->arena, (p->unit->funcs.n + 1) * sizeof *work);
  for (uint32_t f = 0; f < p->unit->funcs.n; f++)
    if ((p->unit->funcs.at[f].flags & SA_FUNC_HEADER) == 0) keep(p, f, work, &n);
  while (n > 0) {
    const sa_ir_func *func = &p->unit->funcs.at[work[--n]];
    keep(p, func->parent, work, &n);
    for (uint32_t b = 0; b < func->blocks.n; b++)
      for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
        const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
        if (inst->op == SA_OP_call || inst->op == SA_OP_lambda) keep(p, inst->func, work, &n);
      }
  }
  for (uint32_t f = 0, next = 0; f < p->unit->funcs.n; f++)
    p->number[f] = p->kept[f] ? next++ : SA_NO_INDEX;
}

/* ---- one function ---- */

typedef struct {
  const sa_ir_func *func;
  uint32_t *reads;  /* by register */
  bool **dropped;   /* by block and instruction */
  sa_reg *renumber; /* by register */
} body;

static uint32_t size_of(const sa_ir_func *func) {
  uint32_t n = func->blocks.n;
  for (uint32_t b = 0; b < func->blocks.n; b++) n += func->blocks.at[b].insts.n;
  return n;
}

static void count_reads(const pruner *p, body *b, uint32_t index) {
  for (uint32_t k = 0; k < b->func->blocks.n; k++) {
    const sa_ir_block *block = &b->func->blocks.at[k];
    if (block->term == SA_TERM_BRANCH || block->term == SA_TERM_RETURN) b->reads[block->value]++;
    for (uint32_t i = 0; i < block->insts.n; i++)
      for (uint32_t j = 0; j < block->insts.at[i].nargs; j++)
        b->reads[block->insts.at[i].args[j]]++;
  }
  for (uint32_t f = 0; f < p->unit->funcs.n; f++) {
    const sa_ir_func *inner = &p->unit->funcs.at[f];
    for (uint32_t i = 0; inner->parent == index && i < inner->captures.n; i++)
      b->reads[inner->captures.at[i].outer]++;
  }
}

/* A value that nobody reads, or the end of a number's life. */
static bool is_useless(const body *b, const sa_ir_inst *inst) {
  if (inst->op == SA_OP_end) {
    sa_ir_type type = b->func->regs.at[inst->args[0]].type;
    return type.kind == SA_TYPE_SCALAR;
  }
  return is_pure(inst->op) && b->func->regs.at[inst->result].kind == SA_REG_TEMP &&
         (inst->result == 0 || b->reads[inst->result] == 0);
}

static bool drop_useless(body *b) {
  bool any = false;
  for (uint32_t k = b->func->blocks.n; k-- > 0;)
    for (uint32_t i = b->func->blocks.at[k].insts.n; i-- > 0;) {
      const sa_ir_inst *inst = &b->func->blocks.at[k].insts.at[i];
      if (b->dropped[k][i] || !is_useless(b, inst)) continue;
      b->dropped[k][i] = any = true;
      for (uint32_t j = 0; j < inst->nargs; j++) b->reads[inst->args[j]]--;
    }
  return any;
}

static void copy_registers(pruner *p, body *b, sa_ir_func *to) {
  bool *used = sa_alloc(p->arena, b->func->regs.n + 1);
  for (uint32_t k = 0; k < b->func->blocks.n; k++)
    for (uint32_t i = 0; i < b->func->blocks.at[k].insts.n; i++)
      if (!b->dropped[k][i]) used[b->func->blocks.at[k].insts.at[i].result] = true;
  for (uint32_t i = 0; i < b->func->captures.n; i++) used[b->func->captures.at[i].inner] = true;
  to->regs.at = NULL;
  to->regs.n = to->regs.capacity = 0;
  sa_push(p->arena, &to->regs, (sa_ir_reg){.name = "", .type = {.name = ""}});
  for (uint32_t i = 1; i < b->func->regs.n; i++) {
    if (i > b->func->nparams && b->reads[i] == 0 && !used[i]) continue;
    sa_ir_reg reg = b->func->regs.at[i];
    reg.at = reg.kind == SA_REG_TEMP ? (sa_range){0} : place(p, reg.at);
    b->renumber[i] = to->regs.n;
    sa_push(p->arena, &to->regs, reg);
  }
}

static sa_ir_inst copy_inst(pruner *p, const body *b, const sa_ir_inst *from) {
  sa_ir_inst inst = *from;
  inst.args = sa_alloc(p->arena, (from->nargs + 1) * sizeof *inst.args);
  for (uint32_t i = 0; i < from->nargs; i++) inst.args[i] = b->renumber[from->args[i]];
  inst.result = b->renumber[from->result];
  inst.site = SA_NO_INDEX;
  if (inst.func != SA_NO_INDEX) inst.func = p->number[inst.func];
  inst.at = place(p, from->at);
  return inst;
}

static void copy_blocks(pruner *p, const body *b, sa_ir_func *to) {
  to->blocks.at = NULL;
  to->blocks.n = to->blocks.capacity = 0;
  for (uint32_t k = 0; k < b->func->blocks.n; k++) {
    const sa_ir_block *from = &b->func->blocks.at[k];
    sa_ir_block block = *from;
    block.insts.at = NULL;
    block.insts.n = block.insts.capacity = 0;
    block.at = (sa_range){0};
    block.value = b->renumber[from->value];
    for (uint32_t i = 0; i < from->insts.n; i++)
      if (!b->dropped[k][i]) sa_push(p->arena, &block.insts, copy_inst(p, b, &from->insts.at[i]));
    sa_push(p->arena, &to->blocks, block);
  }
}

/* `outer` has the new numbers of each function's registers, for the captures of its lambdas. */
static void copy_function(pruner *p, uint32_t index, sa_reg **outer) {
  const sa_ir_func *from = &p->unit->funcs.at[index];
  sa_ir_func to = *from;
  body b = {.func = from};
  b.reads = sa_alloc(p->arena, (from->regs.n + 1) * sizeof *b.reads);
  b.renumber = outer[index] = sa_alloc(p->arena, (from->regs.n + 1) * sizeof *b.renumber);
  b.dropped = sa_alloc(p->arena, (from->blocks.n + 1) * sizeof *b.dropped);
  for (uint32_t k = 0; k < from->blocks.n; k++)
    b.dropped[k] = sa_alloc(p->arena, from->blocks.at[k].insts.n + 1);
  count_reads(p, &b, index);
  for (int round = 0; round < MAX_ROUNDS && drop_useless(&b); round++) continue;
  copy_registers(p, &b, &to);
  to.at = place(p, from->at);
  to.flags |= SA_FUNC_HEADER; /* context for whoever reads it: its records need no sites */
  to.parent = from->parent != SA_NO_INDEX ? p->number[from->parent] : SA_NO_INDEX;
  to.blocks.n = 0;
  if (size_of(from) <= MAX_FUNCTION) copy_blocks(p, &b, &to);
  sa_push(p->arena, &p->out->funcs, to);
}

/* Captures name registers of two functions, so they come last. */
static void copy_captures(pruner *p, uint32_t index, sa_reg *const *renumber) {
  const sa_ir_func *from = &p->unit->funcs.at[index];
  sa_ir_func *to = &p->out->funcs.at[p->number[index]];
  to->captures.at = NULL;
  to->captures.n = to->captures.capacity = 0;
  for (uint32_t i = 0; i < from->captures.n; i++) {
    sa_ir_capture c = from->captures.at[i];
    c.inner = renumber[index][c.inner];
    c.outer = renumber[from->parent][c.outer];
    sa_push(p->arena, &to->captures, c);
  }
}

/* ---- classes ---- */

static void copy_classes(pruner *p) {
  for (uint32_t i = 0; i < p->unit->classes.n; i++) {
    sa_ir_class class = p->unit->classes.at[i];
    bool interesting = class.bases.n > 0;
    for (uint32_t f = 0; f < class.fields.n && !interesting; f++)
      interesting = !is_dull(class.fields.at[f].type.kind);
    class.at = place(p, class.at);
    if (interesting && sa_range_known(class.at)) sa_push(p->arena, &p->out->classes, class);
  }
}

sa_ir_unit *sa_summary_prune(sa_arena *arena, const sa_ir_unit *unit) {
  pruner p = {.arena = arena, .unit = unit};
  p.out = sa_alloc(arena, sizeof *p.out);
  p.out->path = unit->path;
  p.out->language = unit->language;
  p.kept = sa_alloc(arena, unit->funcs.n + 1);
  p.number = sa_alloc(arena, (unit->funcs.n + 1) * sizeof *p.number);
  p.file = sa_alloc(arena, (unit->files.n + 1) * sizeof *p.file);
  if (unit->files.n > 0) p.file[0] = number_file(&p, unit->files.at[0]);
  choose_functions(&p);
  copy_classes(&p);
  sa_reg **renumber = sa_alloc(arena, (unit->funcs.n + 1) * sizeof *renumber);
  for (uint32_t f = 0; f < unit->funcs.n; f++)
    if (p.kept[f]) copy_function(&p, f, renumber);
  for (uint32_t f = 0; f < unit->funcs.n; f++)
    if (p.kept[f]) copy_captures(&p, f, renumber);
  return p.out;
}
