#include "analysis/member.h"

#include <string.h>

/* Operations on a container that neither hand it on nor make another name for it. */
static bool keeps_private(const sa_ir_inst *inst, uint32_t arg) {
  switch (inst->op) {
  case SA_OP_append:
  case SA_OP_setfield:
    return arg != 1;
  case SA_OP_elem:
  case SA_OP_field:
  case SA_OP_use:
  case SA_OP_op:
  case SA_OP_end:
  case SA_OP_reset:
  case SA_OP_clear:
    return true;
  default:
    return false;
  }
}

static bool is_private(const sa_fn *fn, sa_reg reg) {
  const sa_ir_func *func = fn->func;
  for (uint32_t b = 0; b < func->blocks.n; b++) {
    const sa_ir_block *block = &func->blocks.at[b];
    if (block->term == SA_TERM_RETURN && block->value == reg) return false;
    for (uint32_t i = 0; i < block->insts.n; i++)
      for (uint32_t a = 0; a < block->insts.at[i].nargs; a++)
        if (block->insts.at[i].args[a] == reg && !keeps_private(&block->insts.at[i], a))
          return false;
  }
  return true;
}

static uint32_t find(const sa_actions *out, sa_reg owner, const char *name) {
  for (uint32_t i = 0; i < out->members.n; i++)
    if (out->members.at[i].owner == owner && strcmp(out->members.at[i].name, name) == 0)
      return i + 1;
  return 0;
}

static uint32_t add(sa_world *world, sa_actions *out, sa_reg owner, const char *name) {
  sa_push(world->arena, &out->members, (sa_member){owner, name});
  return out->members.n;
}

static bool is_this(const sa_world *world, sa_val value) {
  return sa_value_about(world, value)->kind == SA_VAL_THIS;
}

/* Whether nothing that is not seen is given the own object. */
static bool keeps_this(const sa_world *world, const sa_fn *fn) {
  const sa_ir_func *func = fn->func;
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      uint32_t point = fn->cfg->base[b] + i, skip = 0;
      bool seen =
          inst->op != SA_OP_lambda && inst->op != SA_OP_escape &&
          (inst->op != SA_OP_call || sa_value_callee(world, fn, point, &skip) != SA_NO_INDEX);
      for (uint32_t a = 0; a < inst->nargs && !seen; a++)
        if (is_this(world, fn->args[fn->first[point] + a])) return false;
    }
  return true;
}

uint32_t sa_member_of_this(sa_world *world, const sa_fn *fn, sa_actions *out, sa_val object,
                           const char *name) {
  if (!is_this(world, object)) return 0;
  uint32_t known = find(out, 0, name);
  return known != 0 ? known : keeps_this(world, fn) ? add(world, out, 0, name) : 0;
}

static bool is_literal(const sa_value *index) {
  return index->kind == SA_VAL_CONST && strchr("-0123456789\"'", index->text[0]) != NULL &&
         index->text[0] != '\0';
}

uint32_t sa_member_of(sa_world *world, const sa_fn *fn, sa_actions *out, uint32_t point) {
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, point);
  const sa_val *args = &fn->args[fn->first[point]];
  const char *name = inst->text;
  sa_reg owner = inst->args[0];
  if (inst->op == SA_OP_setfield && is_this(world, args[0]))
    return sa_member_of_this(world, fn, out, args[0], name);
  if (!out->owner[owner]) return 0;
  if (inst->op == SA_OP_append) {
    if (inst->nargs < 3 || !is_literal(sa_value_about(world, args[2]))) return 0;
    name = sa_printf(world->arena, "[%s]", sa_value_about(world, args[2])->text);
  } else if (inst->op != SA_OP_setfield) {
    return 0;
  }
  uint32_t known = find(out, owner, name);
  return known != 0 ? known : is_private(fn, owner) ? add(world, out, owner, name) : 0;
}

static bool is_in(const sa_world *world, sa_val value, const char *name, int depth) {
  enum { MAX_DEPTH = 4 };
  const sa_value *v = sa_value_about(world, value);
  if (value == 0 || depth > MAX_DEPTH) return false;
  if (v->kind == SA_VAL_FIELD && is_this(world, v->args[0])) return strcmp(v->text, name) == 0;
  for (uint32_t i = 0; i < v->nargs; i++)
    if (is_in(world, v->args[i], name, depth + 1)) return true;
  return false;
}

static bool is_given_back(const sa_world *world, const sa_fn *fn, uint32_t point,
                          const char *name) {
  uint32_t skip, callee = sa_value_callee(world, fn, point, &skip);
  if (callee == SA_NO_INDEX) return false;
  const sa_fn *body = &world->fns[callee];
  for (uint32_t b = 0; b < body->func->blocks.n; b++)
    if (body->func->blocks.at[b].term == SA_TERM_RETURN && is_in(world, body->term[b], name, 0))
      return true;
  return false;
}

bool sa_member_is_read(const sa_world *world, const sa_fn *fn, const sa_actions *actions,
                       uint32_t index, uint32_t member) {
  const sa_action_array *list = &actions->list;
  const sa_action *action = &list->at[index];
  const char *name = actions->members.at[member - 1].name;
  uint32_t first = index;
  if (is_in(world, action->a, name, 0)) return true;
  if (action->via == SA_NO_INDEX || action->member != member) return false;
  while (first > 0 && list->at[first - 1].point == action->point) first--;
  for (uint32_t i = first; i < list->n && list->at[i].point == action->point; i++)
    if (list->at[i].kind == SA_ACT_STORE && is_in(world, list->at[i].a, name, 0)) return true;
  return is_given_back(world, fn, action->point, name);
}
