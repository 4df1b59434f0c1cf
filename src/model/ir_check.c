#include "model/ir.h"

#include <string.h>

typedef struct {
  const sa_ir_unit *unit;
  sa_arena *arena;
  const char *why;
  uint32_t func, block, inst; /* where we are, for the description */
  bool *site_seen;
} checker;

static bool fail(checker *c, const char *what) {
  const sa_ir_func *func = &c->unit->funcs.at[c->func];
  c->why = sa_printf(c->arena, "function %u '%s', block %u, instruction %u: %s", (unsigned)c->func,
                     func->name, (unsigned)c->block, (unsigned)c->inst, what);
  return false;
}

static bool check_site(checker *c, const sa_ir_func *func, const sa_ir_inst *inst) {
  if (inst->site == SA_NO_INDEX)
    return (func->flags & SA_FUNC_HEADER) != 0 || fail(c, "record without a site");
  if (inst->site >= c->unit->sites.n) return fail(c, "record refers to a site that does not exist");
  if (c->site_seen[inst->site]) return fail(c, "two records share one site");
  c->site_seen[inst->site] = true;
  return true;
}

static bool check_inst(checker *c, const sa_ir_func *func, const sa_ir_inst *inst) {
  if ((unsigned)inst->op >= SA_OP_COUNT) return fail(c, "unknown operation");
  const sa_ir_op_info *info = sa_ir_op_about(inst->op);
  if (inst->nargs < info->min_args) return fail(c, "too few arguments");
  if (info->max_args != SA_ANY_ARGS && inst->nargs > info->max_args)
    return fail(c, "too many arguments");
  if (inst->result != 0 && !info->has_result) return fail(c, "the operation has no result");
  if (inst->result >= func->regs.n && inst->result != 0)
    return fail(c, "result is not a register of the function");
  for (uint32_t i = 0; i < inst->nargs; i++) {
    if (inst->args[i] >= func->regs.n && inst->args[i] != 0)
      return fail(c, "argument is not a register of the function");
    if (inst->args[i] == 0 && !sa_ir_takes_current(inst->op, i))
      return fail(c, "%0 where no stream is expected");
  }
  if (info->has_text && inst->text == NULL) return fail(c, "text is missing");
  if (!info->has_text && inst->text != NULL && inst->text[0] != '\0')
    return fail(c, "the operation has no text");
  if ((inst->op == SA_OP_call || inst->op == SA_OP_lambda) && inst->func != SA_NO_INDEX &&
      inst->func >= c->unit->funcs.n)
    return fail(c, "refers to a function that does not exist");
  return inst->op != SA_OP_record || check_site(c, func, inst);
}

static bool check_term(checker *c, const sa_ir_func *func, const sa_ir_block *block) {
  if (block->term == SA_TERM_BRANCH && block->succ.n < 2)
    return fail(c, "a branch needs two successors");
  if (block->term == SA_TERM_GOTO && block->succ.n != 1) return fail(c, "goto needs one successor");
  if (block->term >= SA_TERM_RETURN && block->succ.n != 0)
    return fail(c, "a last block has no successor");
  for (uint32_t i = 0; i < block->succ.n; i++)
    if (block->succ.at[i] >= func->blocks.n) return fail(c, "successor does not exist");
  if (block->value != 0 && block->value >= func->regs.n)
    return fail(c, "branch or return value is not a register of the function");
  return true;
}

static bool check_regs(checker *c, const sa_ir_func *func) {
  if (func->nparams >= func->regs.n && func->nparams != 0)
    return fail(c, "more parameters than registers");
  for (uint32_t i = 1; i < func->regs.n; i++) {
    sa_reg_kind kind = func->regs.at[i].kind;
    bool is_param = kind == SA_REG_PARAM || kind == SA_REG_THIS;
    if (is_param != (i <= func->nparams)) return fail(c, "parameters are not registers 1..nparams");
    if (kind == SA_REG_THIS && i != 1) return fail(c, "'this' is not parameter 1");
  }
  return true;
}

/* Parents form a tree: walking up more steps than there are functions means a cycle. */
static bool check_parent(checker *c, const sa_ir_func *func) {
  uint32_t steps = 0;
  for (uint32_t at = func->parent; at != SA_NO_INDEX; at = c->unit->funcs.at[at].parent) {
    if (at >= c->unit->funcs.n) return fail(c, "parent does not exist");
    if (++steps > c->unit->funcs.n) return fail(c, "a function is its own ancestor");
  }
  if (func->captures.n > 0 && func->parent == SA_NO_INDEX)
    return fail(c, "captures without a parent");
  for (uint32_t i = 0; i < func->captures.n; i++) {
    sa_ir_capture capture = func->captures.at[i];
    if (capture.outer == 0 || capture.outer >= c->unit->funcs.at[func->parent].regs.n)
      return fail(c, "captured variable does not exist in the parent");
    if (capture.inner == 0 || capture.inner >= func->regs.n)
      return fail(c, "capture is not a register of the lambda");
  }
  return true;
}

static bool check_func(checker *c, const sa_ir_func *func) {
  if (!check_regs(c, func) || !check_parent(c, func)) return false;
  for (c->block = 0; c->block < func->blocks.n; c->block++) {
    const sa_ir_block *block = &func->blocks.at[c->block];
    for (c->inst = 0; c->inst < block->insts.n; c->inst++)
      if (!check_inst(c, func, &block->insts.at[c->inst])) return false;
    if (!check_term(c, func, block)) return false;
  }
  return true;
}

static bool check_tables(checker *c) {
  for (uint32_t i = 0; i < c->unit->sites.n; i++) {
    uint32_t func = c->unit->sites.at[i].func;
    if (func == SA_NO_INDEX || func < c->unit->funcs.n) continue;
    c->why = sa_printf(c->arena, "site %u: its function does not exist", (unsigned)i);
    return false;
  }
  for (uint32_t i = 0; i < c->unit->tokens.n; i++) {
    const sa_ir_token *token = &c->unit->tokens.at[i];
    if (token->fate != SA_TOKEN_SITE && token->fate != SA_TOKEN_NOT_ANALYSED) continue;
    if (token->site < c->unit->sites.n) continue;
    c->why = sa_printf(c->arena, "token %u: its site does not exist", (unsigned)i);
    return false;
  }
  return true;
}

bool sa_ir_check(const sa_ir_unit *unit, sa_arena *arena, const char **why) {
  checker c = {.unit = unit, .arena = arena};
  c.site_seen = sa_alloc(arena, unit->sites.n + 1);
  bool ok = check_tables(&c);
  for (c.func = 0; ok && c.func < unit->funcs.n; c.func++) {
    c.block = c.inst = 0;
    ok = check_func(&c, &unit->funcs.at[c.func]);
  }
  if (!ok) *why = c.why;
  return ok;
}
