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

static bool was_given_away(const sa_actions *out, sa_val object) {
  for (uint32_t i = 0; i < out->list.n; i++) {
    const sa_action *before = &out->list.at[i];
    bool gives = before->kind == SA_ACT_STORE || before->kind == SA_ACT_ESCAPE;
    if (gives && before->a == object && before->reg == 0) return true;
  }
  return false;
}

/* Values that a name may stand for; those of a loop lead back to themselves. */
typedef struct {
  sa_val at[16];
  uint32_t n;
} alternatives;

static bool is_among(const alternatives *all, sa_val value) {
  for (uint32_t i = 0; i < all->n; i++)
    if (all->at[i] == value) return true;
  return false;
}

/* In Python a variable is a name: the object is the function's own when it was made here, and when
 * nobody else was given it. Of several that a name may stand for, all are. */
static bool is_others(const sa_world *world, const sa_fn *fn, const sa_actions *out, sa_val object,
                      alternatives *seen) {
  const sa_value *v = sa_value_about(world, object);
  if (v->kind == SA_VAL_VAR || is_among(seen, object)) return false;
  if (v->kind == SA_VAL_MADE)
    return v->func != fn->index || v->op == SA_OP_call || was_given_away(out, object);
  if (v->kind != SA_VAL_PHI || seen->n == sizeof seen->at / sizeof *seen->at) return true;
  seen->at[seen->n++] = object;
  for (uint32_t i = 0; i < v->nargs; i++)
    if (v->args[i] != 0 && is_others(world, fn, out, v->args[i], seen)) return true;
  return was_given_away(out, object);
}

static bool has_names_only(const sa_world *world) {
  const char *language = world->unit->language;
  return language != NULL && strcmp(language, "python") == 0;
}

sa_reg sa_store_owner(const sa_world *world, const sa_fn *fn, const sa_actions *out, sa_reg reg,
                      sa_val object) {
  sa_reg owner = out->owner[reg] ? reg : named_later(fn, out, reg);
  alternatives seen = {0};
  bool others = owner != 0 && has_names_only(world) && is_others(world, fn, out, object, &seen);
  return others ? 0 : owner;
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
  if (store->member != 0 || !sa_value_is_none(sync->world, store->a)) return false;
  for (uint32_t i = 0; i < index; i++) {
    const sa_action *before = &list->at[i];
    if (before->kind == SA_ACT_STORE && before->op == store->op && before->b == store->b &&
        sa_sync_touches(sync, before->a, block) != SA_SAME_NO)
      return true;
  }
  return false;
}
