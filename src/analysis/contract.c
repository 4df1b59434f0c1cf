/* Whether callers must wait for the work that uses the block. */
#include "analysis/site.h"

#include <string.h>

size_t sa_contract_names_class(const char *spelling, const char *class) {
  const char *last = class;
  for (const char *c = class; (c = strstr(c, "::")) != NULL; c += 2) last = c + 2;
  size_t length = strlen(last);
  for (const char *at = spelling; length > 0 && (at = strstr(at, last)) != NULL; at++) {
    bool starts = at == spelling || strchr("<:, *&", at[-1]) != NULL;
    bool ends = at[length] == '\0' || strchr(">, *&<", at[length]) != NULL;
    if (starts && ends) return length;
  }
  return 0;
}

/* Letters of `word` anywhere in the name, upper or lower case. */
static bool mentions(const char *text, const char *word) {
  size_t n = strlen(word);
  for (; *text != '\0'; text++)
    if (strncasecmp(text, word, n) == 0) return true;
  return false;
}

/* Whether the only work on the block that is seen is point-to-point. */
static bool point_to_point(const sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  bool any = false;
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].kind != SA_ACT_USE || sa_site_touches(s, list->at[i].a) == SA_SAME_NO) continue;
    if (!mentions(list->at[i].text, "send") && !mentions(list->at[i].text, "recv")) return false;
    any = true;
  }
  return any;
}

/* The function, or everybody who calls it, need not wait. */
static bool callers_optional(const sa_analysis *an, uint32_t func, int depth) {
  const sa_ir_unit *unit = an->unit;
  for (; func != SA_NO_INDEX; func = unit->funcs.at[func].parent) {
    if (unit->funcs.at[func].flags & SA_FUNC_OPTIONAL_WAIT) return true;
    uint32_t n = an->actions->callers[func].n, optional = 0;
    if (depth >= 4 || n == 0 || n > 32) continue;
    for (uint32_t i = 0; i < n; i++)
      optional += callers_optional(an, an->actions->callers[func].at[i].func, depth + 1);
    if (optional == n) return true;
  }
  return false;
}

/* The closures of a function are what the operation does: whether all they give raw memory to is
 * sends and receives. */
static bool closures_send(const sa_ir_unit *unit, uint32_t func) {
  bool any = false;
  for (uint32_t f = 0; f < unit->funcs.n; f++) {
    const sa_ir_func *closure = &unit->funcs.at[f];
    uint32_t outer = closure->parent;
    for (int depth = 0; depth < 16 && outer != SA_NO_INDEX && outer != func; depth++)
      outer = unit->funcs.at[outer].parent;
    for (uint32_t b = 0; outer == func && b < closure->blocks.n; b++)
      for (uint32_t i = 0; i < closure->blocks.at[b].insts.n; i++) {
        const sa_ir_inst *inst = &closure->blocks.at[b].insts.at[i];
        bool work = inst->op == SA_OP_use;
        for (uint32_t k = 0; inst->op == SA_OP_call && k < inst->nargs; k++)
          work |= closure->regs.at[inst->args[k]].type.kind == SA_TYPE_MEMORY;
        if (!work) continue;
        if (!mentions(inst->text, "send") && !mentions(inst->text, "recv")) return false;
        any = true;
      }
  }
  return any;
}

/* Whether the function makes objects of the class: by a call that names it, or gives one. */
static bool makes(const sa_ir_func *func, const char *class) {
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      if (inst->op != SA_OP_call && inst->op != SA_OP_pack) continue;
      if (strchr(inst->text, '<') != NULL && sa_contract_names_class(inst->text, class) > 0)
        return true;
      const char *type = func->regs.at[inst->result].type.name;
      if (inst->result != 0 && sa_contract_names_class(type, class) > 0) return true;
    }
  return false;
}

/* A method's object is made only where callers need not wait for it. */
static bool makers_optional(const sa_analysis *an, const char *class) {
  const sa_ir_unit *unit = an->unit;
  bool any = false;
  for (uint32_t f = 0; class != NULL && f < unit->funcs.n; f++) {
    const sa_ir_func *func = &unit->funcs.at[f];
    bool own = func->class_name != NULL && strcmp(func->class_name, class) == 0;
    if (own || !makes(func, class)) continue;
    if (!callers_optional(an, f, 0) && !closures_send(unit, f)) return false;
    any = true;
  }
  return any;
}

/* A plain function that gives nothing back: there is no handle that a caller could wait for. */
static bool gives_no_handle(const sa_site_study *s) {
  return s->fn->index == s->outer->index && s->outer->func->class_name == NULL &&
         sa_site_is(s, SA_FACT_returns, "nothing");
}

static bool is_optional(const sa_site_study *s) {
  return callers_optional(s->an, s->fn->index, 0) || (!gives_no_handle(s) && point_to_point(s)) ||
         makers_optional(s->an, s->outer->func->class_name);
}

void sa_contract_run(sa_site_study *s) {
  bool handle = sa_site_is(s, SA_FACT_returns, "handle") || sa_site_is(s, SA_FACT_returns, "both");
  const char *word = is_optional(s) ? "optional" : handle ? "required" : "none";
  sa_site_set(s, SA_FACT_contract, word, s->outer->func->at);
}
