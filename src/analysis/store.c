#include "analysis/store.h"

#include <string.h>

/* The variable that a container without a name is put into at once, or 0: `[f(x) for x in xs]`
 * fills the list before it is anybody's. */
static sa_reg named_later(const sa_fn *fn, const sa_actions *out, sa_reg reg) {
  const sa_ir_func *func = fn->func;
  sa_reg found = 0;
  if (func->regs.at[reg].kind != SA_REG_TEMP || !func->regs.at[reg].type.many) return 0;
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      bool given = false, put = inst->op == SA_OP_append && inst->args[0] == reg;
      for (uint32_t k = 0; k < inst->nargs; k++) given |= inst->args[k] == reg;
      bool copied = inst->op == SA_OP_copy && out->owner[inst->result];
      if (!given || put) continue;
      if (!copied || (found != 0 && found != inst->result)) return 0; /* others may have it, too */
      found = inst->result;
    }
  return found;
}

/* In Python a variable is a name: the object is the function's own when it was made here, and when
 * nobody else was given it. */
static bool is_others(const sa_world *world, const sa_fn *fn, const sa_actions *out,
                      sa_val object) {
  const sa_value *v = sa_value_about(world, object);
  const char *language = world->unit->language;
  if (language == NULL || strcmp(language, "python") != 0) return false;
  bool made = v->kind == SA_VAL_MADE && v->func == fn->index && v->op != SA_OP_call;
  for (uint32_t i = 0; i < out->list.n && made; i++) {
    const sa_action *before = &out->list.at[i];
    bool gives = before->kind == SA_ACT_STORE || before->kind == SA_ACT_ESCAPE;
    if (gives && before->a == object && before->reg == 0) return true;
  }
  return !made && v->kind != SA_VAL_VAR;
}

sa_reg sa_store_owner(const sa_world *world, const sa_fn *fn, const sa_actions *out, sa_reg reg,
                      sa_val object) {
  sa_reg owner = out->owner[reg] ? reg : named_later(fn, out, reg);
  return owner != 0 && is_others(world, fn, out, object) ? 0 : owner;
}

bool sa_store_follows(sa_sync *sync, uint32_t index, sa_val block) {
  const sa_action_array *list = &sync->actions->list;
  for (uint32_t i = index + 1; i < list->n; i++) {
    if (sa_range_compare(list->at[i].at, list->at[index].at) != 0) return false;
    if (list->at[i].kind == SA_ACT_STORE && list->at[i].b == list->at[index].a)
      return sa_sync_touches(sync, list->at[i].a, block) != SA_SAME_NO;
  }
  return false;
}

bool sa_store_empties(sa_sync *sync, uint32_t index, sa_val block) {
  const sa_action_array *list = &sync->actions->list;
  const sa_action *store = &list->at[index];
  const sa_value *put = sa_value_about(sync->world, store->a);
  bool none = put->kind == SA_VAL_CONST && strcmp(put->text, "None") == 0;
  if (store->member != 0 || !none) return false;
  for (uint32_t i = 0; i < index; i++) {
    const sa_action *before = &list->at[i];
    if (before->kind == SA_ACT_STORE && before->op == store->op && before->b == store->b &&
        sa_sync_touches(sync, before->a, block) != SA_SAME_NO)
      return true;
  }
  return false;
}
