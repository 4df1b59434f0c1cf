/* What functions of the unit hand on: to their callers, and of what their callers gave. */
#include "analysis/site.h"

#include <string.h>

enum { MAX_DEPTH = 8, MAX_CALLERS = 32, MAX_STEPS = 256 };

typedef struct {
  sa_analysis *an;
  int steps;
} walk;

static void find_params(walk *w, sa_val_array *out, sa_val value, int depth);

/* What the function itself gives its caller, not what a function that it calls gives it. */
static bool goes_out(const sa_action *action) {
  if (action->via != SA_NO_INDEX) return false;
  return action->kind == SA_ACT_RETURN ||
         (action->kind == SA_ACT_ESCAPE && strcmp(action->text, "yield") == 0);
}

/* The arguments of a call that the function returns or yields, or parts of them: all that it gives
 * back of what it was given. What calls itself adds nothing to that. */
static sa_val_array given_back(walk *w, const sa_value *call, int depth) {
  sa_world *world = w->an->world;
  const sa_fn *caller = &world->fns[call->func];
  uint32_t point = call->at, skip = 0;
  uint32_t callee = sa_value_callee(world, caller, point, &skip);
  sa_val_array params = {0}, given = {0};
  if (callee == SA_NO_INDEX || callee == call->func || !world->fns[callee].valued) return given;
  const sa_action_array *list = &w->an->actions->of[callee].list;
  for (uint32_t i = 0; i < list->n; i++)
    if (goes_out(&list->at[i])) find_params(w, &params, list->at[i].a, depth + 1);
  for (uint32_t i = 0; i < params.n; i++) {
    if (sa_value_about(world, params.at[i])->func != callee) continue;
    sa_val value = sa_value_at_call(world, caller, point, &world->fns[callee], params.at[i]);
    sa_push(w->an->arena, &given, value);
  }
  return given;
}

/* The parameters that a value is taken from: an element of one, one of several, what a function
 * gives back of it. */
static void find_params(walk *w, sa_val_array *out, sa_val value, int depth) {
  if (value == 0 || depth > MAX_DEPTH || ++w->steps > MAX_STEPS) return;
  sa_world *world = w->an->world;
  const sa_value v = *sa_value_about(world, value);
  if (v.kind == SA_VAL_PARAM) sa_push(w->an->arena, out, value);
  if (v.kind == SA_VAL_MADE && v.op == SA_OP_call) {
    sa_val_array given = given_back(w, &v, depth);
    for (uint32_t i = 0; i < given.n; i++) find_params(w, out, given.at[i], depth + 1);
    return;
  }
  bool passes = v.kind == SA_VAL_PHI || v.kind == SA_VAL_ELEM ||
                (v.kind == SA_VAL_MADE && v.op == SA_OP_mayalias);
  for (uint32_t i = 0; passes && i < v.nargs; i++) find_params(w, out, v.args[i], depth + 1);
  uint32_t n = 0;
  if (v.kind == SA_VAL_PHI || sa_value_members(world, value, &n) == NULL) return;
  for (uint32_t i = 0; i < n; i++) {
    sa_val member = sa_value_members(world, value, &n)[i];
    if (member != value) find_params(w, out, member, depth + 1);
  }
}

static bool stems_from(walk *w, const sa_site_study *s, sa_val value, int depth) {
  if (value == 0 || depth > MAX_DEPTH || ++w->steps > MAX_STEPS) return false;
  if (sa_site_touches(s, value) != SA_SAME_NO) return true;
  const sa_value v = *sa_value_about(w->an->world, value);
  if (v.kind != SA_VAL_MADE || v.op != SA_OP_call) return false;
  sa_val_array given = given_back(w, &v, depth);
  for (uint32_t i = 0; i < given.n; i++)
    if (stems_from(w, s, given.at[i], depth + 1)) return true;
  return false;
}

bool sa_handed_part(const sa_site_study *s, sa_val value) {
  walk w = {.an = s->an};
  return stems_from(&w, s, value, 0);
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
  sa_val_array params = {0};
  uint32_t n = s->an->actions->callers[s->outer->index].n;
  if (n == 0 || n > MAX_CALLERS || s->home != s->outer) return false;
  find_params(&w, &params, s->block, 0);
  if (params.n == 0 || sa_value_about(s->an->world, params.at[0])->func != s->outer->index)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    sa_call call = s->an->actions->callers[s->outer->index].at[i];
    if (call.func != s->outer->index && !caller_hands_out(s, call, params.at[0], at)) return false;
  }
  return true;
}
