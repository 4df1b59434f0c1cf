/* Which body of the unit a call runs. */
#include "analysis/value.h"
#include "model/names.h"

#include <string.h>

enum { MAX_QUESTIONS = 2000000 }; /* comparisons of names per unit */

static uint32_t find_method(const sa_world *world, const sa_ir_func *caller, const sa_ir_inst *inst,
                            uint32_t *questions) {
  sa_span name = sa_last_component(inst->text);
  uint32_t found = SA_NO_INDEX;
  for (uint32_t f = 0; f < world->unit->funcs.n; f++) {
    const sa_ir_func *func = &world->unit->funcs.at[f];
    if (func->blocks.n == 0 || func->class_name == NULL || func->nparams != inst->nargs) continue;
    if (++*questions > MAX_QUESTIONS) return SA_NO_INDEX;
    bool fits = (func->flags & SA_FUNC_METHOD) != 0 && func != caller &&
                strcmp(func->class_name, caller->class_name) == 0 &&
                sa_span_compare(sa_last_component(func->name), name) == 0;
    if (!fits) continue;
    if (found != SA_NO_INDEX) return SA_NO_INDEX;
    found = f;
  }
  return found;
}

/* Whether the call's receiver is the object that the caller works on. */
static bool on_this(const sa_ir_func *func, const sa_ir_inst *inst) {
  if ((inst->mask & 1u) == 0 || inst->nargs == 0 || func->class_name == NULL) return false;
  const sa_ir_reg *self = &func->regs.at[inst->args[0]];
  return self->kind == SA_REG_THIS ||
         (self->kind == SA_REG_CAPTURE && strcmp(self->name, "this") == 0);
}

void sa_value_find_callees(sa_world *world) {
  uint32_t questions = 0;
  for (uint32_t f = 0; f < world->unit->funcs.n; f++) {
    sa_fn *fn = &world->fns[f];
    fn->callees = sa_alloc(world->arena, (fn->cfg->npoints + 1) * sizeof *fn->callees);
    for (uint32_t b = 0; b < fn->func->blocks.n; b++)
      for (uint32_t i = 0; i < fn->func->blocks.at[b].insts.n; i++) {
        const sa_ir_inst *inst = &fn->func->blocks.at[b].insts.at[i];
        uint32_t callee = inst->op == SA_OP_call ? inst->func : SA_NO_INDEX;
        if (inst->op == SA_OP_call && callee == SA_NO_INDEX && on_this(fn->func, inst))
          callee = find_method(world, fn->func, inst, &questions);
        fn->callees[fn->cfg->base[b] + i] = callee;
      }
  }
}
