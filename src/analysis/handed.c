/* Whether the callers of a function hand on what they give it. */
#include "analysis/site.h"

#include <string.h>

enum { MAX_DEPTH = 8, MAX_CALLERS = 32, MAX_STEPS = 256 };

typedef struct {
  sa_analysis *an;
  int steps;
} walk;

static sa_val source_param(walk *w, sa_val value, int depth);

/* What the function itself gives its caller, not what a function that it calls gives it. */
static bool goes_out(const sa_action *action) {
  if (action->via != SA_NO_INDEX) return false;
  return action->kind == SA_ACT_RETURN ||
         (action->kind == SA_ACT_ESCAPE && strcmp(action->text, "yield") == 0);
}

/* A function of this unit that returns or yields what it was given gives it back: the value of the
 * argument. */
static sa_val given_back(walk *w, const sa_value *call, int depth) {
  sa_world *world = w->an->world;
  const sa_fn *caller = &world->fns[call->func];
  uint32_t point = call->at, skip = 0;
  uint32_t callee = sa_value_callee(world, caller, point, &skip);
  if (callee == SA_NO_INDEX || !world->fns[callee].valued) return 0;
  const sa_action_array *list = &w->an->actions->of[callee].list;
  for (uint32_t i = 0; i < list->n; i++) {
    if (!goes_out(&list->at[i])) continue;
    sa_val param = source_param(w, list->at[i].a, depth + 1);
    if (param == 0 || sa_value_about(world, param)->func != callee) continue;
    sa_val given = sa_value_at_call(world, caller, point, &world->fns[callee], param);
    return source_param(w, given, depth + 1);
  }
  return 0;
}

/* The parameter that a value is taken from: an element of it, one of several, what a function gives
 * back of it. 0: none. */
static sa_val source_param(walk *w, sa_val value, int depth) {
  if (value == 0 || depth > MAX_DEPTH || ++w->steps > MAX_STEPS) return 0;
  const sa_value v = *sa_value_about(w->an->world, value);
  if (v.kind == SA_VAL_PARAM) return value;
  if (v.kind == SA_VAL_MADE && v.op == SA_OP_call) return given_back(w, &v, depth);
  bool passes = v.kind == SA_VAL_PHI || v.kind == SA_VAL_ELEM ||
                (v.kind == SA_VAL_MADE && v.op == SA_OP_mayalias);
  sa_val found = 0;
  for (uint32_t i = 0; passes && found == 0 && i < v.nargs; i++)
    found = source_param(w, v.args[i], depth + 1);
  return found;
}

static bool caller_hands_out(const sa_site_study *s, sa_call call, sa_val param, sa_range *at) {
  sa_world *world = s->an->world;
  const sa_fn *caller = &world->fns[call.func];
  sa_val given = sa_value_at_call(world, caller, call.point, s->outer, param);
  const sa_action_array *list = &s->an->actions->of[call.func].list;
  for (uint32_t i = 0; given != 0 && i < list->n; i++) {
    if (!goes_out(&list->at[i])) continue;
    if (sa_value_covers(world, list->at[i].a, given) == SA_SAME_NO) continue;
    *at = list->at[i].at;
    return true;
  }
  return false;
}

bool sa_handed_by_callers(const sa_site_study *s, sa_range *at) {
  walk w = {.an = s->an};
  uint32_t n = s->an->actions->callers[s->outer->index].n;
  if (n == 0 || n > MAX_CALLERS || s->home != s->outer) return false;
  sa_val param = source_param(&w, s->block, 0);
  if (param == 0 || sa_value_about(s->an->world, param)->func != s->outer->index) return false;
  for (uint32_t i = 0; i < n; i++) {
    sa_call call = s->an->actions->callers[s->outer->index].at[i];
    if (call.func != s->outer->index && !caller_hands_out(s, call, param, at)) return false;
  }
  return true;
}
