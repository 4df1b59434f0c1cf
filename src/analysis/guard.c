/* What decides whether the call runs. */
#include "analysis/site.h"

#include <string.h>

enum { MAX_DEPTH = 8, MAX_LEAVES = 64 };

/* The text of an operation that counts references, by the API models. */
#define SA_COUNT_HOLDERS "count holders"

typedef struct {
  bool property; /* depends on the block */
  bool other;    /* depends on something that is neither the block nor configuration */
  bool holders;  /* depends on how many references there are */
  uint32_t leaves;
} dependence;

static bool is_scalar(const sa_world *world, sa_val value) {
  return sa_value_about(world, value)->type.kind == SA_TYPE_SCALAR;
}

static bool holds_memory(const sa_value *v) {
  return v->type.kind == SA_TYPE_TENSOR || v->type.kind == SA_TYPE_MEMORY;
}

static void depend(const sa_site_study *s, sa_val value, dependence *d, int depth) {
  const sa_value *v = sa_value_about(s->an->world, value);
  if (value == 0 || depth > MAX_DEPTH || d->leaves++ > MAX_LEAVES) {
    d->other = true;
    return;
  }
  bool counts = v->kind == SA_VAL_OP && strcmp(v->text, SA_COUNT_HOLDERS) == 0;
  if (!counts && sa_site_touches(s, value) != SA_SAME_NO && v->kind != SA_VAL_THIS) {
    d->property = true;
    return;
  }
  if (v->kind == SA_VAL_OP && strcmp(v->text, SA_COUNT_HOLDERS) == 0) {
    d->holders = true;
    return;
  }
  switch (v->kind) {
  case SA_VAL_CONST:
  case SA_VAL_GLOBAL:
  case SA_VAL_THIS:
    return;
  case SA_VAL_OP:
  case SA_VAL_GETTER:
  case SA_VAL_PHI:
  case SA_VAL_FIELD:
  case SA_VAL_ELEM:
    for (uint32_t i = 0; i < v->nargs; i++)
      if (v->args[i] != 0) depend(s, v->args[i], d, depth + 1);
    return;
  case SA_VAL_ENTRY: /* part of a getter's key, nothing that it asks about */
    return;
  case SA_VAL_PARAM:
    if (holds_memory(v)) d->other = true;
    return;
  default:
    d->other |= !is_scalar(s->an->world, value);
    return;
  }
}

static sa_val without_negation(const sa_world *world, sa_val value) {
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    const sa_value *v = sa_value_about(world, value);
    bool negates =
        v->kind == SA_VAL_OP && v->nargs == 1 &&
        (strchr(v->text, '!') != NULL || strcmp(v->text, "not") == 0); /* operator! too */
    if (!negates) break;
    value = v->args[0];
  }
  return value;
}

bool sa_guard_same_condition(const sa_world *world, sa_val a, sa_val b) {
  a = without_negation(world, a);
  b = without_negation(world, b);
  return a != 0 && a == b;
}

/* The test at a loop's head: the body comes back to it, the way out does not. */
static bool is_loop_test(const sa_site_study *s, const sa_fn *fn, uint32_t block, sa_control c) {
  const sa_cfg *cfg = fn->cfg;
  if (!cfg->in_loop[c.branch] || !sa_cfg_dominates(cfg, c.branch, block)) return false;
  const sa_ir_block *branch = &fn->func->blocks.at[c.branch];
  for (uint32_t i = 0; i < branch->succ.n; i++) {
    if (i == c.arm) continue;
    bool *marked = sa_alloc(s->an->arena, cfg->n);
    sa_cfg_mark_arm(cfg, s->an->arena, (sa_control){c.branch, i}, marked);
    bool meets_again = cfg->ipdom[c.branch] != SA_NO_INDEX && cfg->in_loop[cfg->ipdom[c.branch]] &&
                       sa_cfg_dominates(cfg, c.branch, cfg->ipdom[c.branch]);
    if (marked[c.branch] || meets_again) return false;
  }
  return true;
}

typedef struct {
  bool joins, switches, records;
} arm_actions;

static arm_actions look_at(const sa_actions *actions, const bool *marked, uint32_t n) {
  arm_actions found = {0};
  for (uint32_t block = 0; block < n; block++) {
    if (!marked[block]) continue;
    for (uint32_t i = actions->first[block]; i < actions->end[block]; i++) {
      sa_action_kind kind = actions->list.at[i].kind;
      found.joins |= sa_action_waits(kind);
      found.switches |= kind == SA_ACT_SWITCH;
      found.records |= kind == SA_ACT_RECORD;
    }
  }
  return found;
}

/* Whether a branch on the same condition elsewhere chooses the current or an allocation's stream.
 */
static bool chooses_streams(const sa_site_study *s, const sa_fn *fn, sa_val condition) {
  const sa_cfg *cfg = fn->cfg;
  for (uint32_t i = 0; i < cfg->rpo.n; i++) {
    uint32_t block = cfg->rpo.at[i];
    if (fn->func->blocks.at[block].term != SA_TERM_BRANCH) continue;
    if (!sa_guard_same_condition(s->an->world, fn->term[block], condition)) continue;
    for (uint32_t arm = 0; arm < fn->func->blocks.at[block].succ.n; arm++) {
      bool *marked = sa_alloc(s->an->arena, cfg->n);
      sa_cfg_mark_arm(cfg, s->an->arena, (sa_control){block, arm}, marked);
      if (look_at(&s->an->actions->of[fn->index], marked, cfg->n).switches) return true;
    }
  }
  return false;
}

static const char *flag_word(const sa_site_study *s, const sa_fn *fn, sa_control c) {
  const sa_cfg *cfg = fn->cfg;
  bool *marked = sa_alloc(s->an->arena, cfg->n);
  for (uint32_t arm = 0; arm < fn->func->blocks.at[c.branch].succ.n; arm++)
    if (arm != c.arm) sa_cfg_mark_arm(cfg, s->an->arena, (sa_control){c.branch, arm}, marked);
  arm_actions other = look_at(&s->an->actions->of[fn->index], marked, cfg->n);
  if (other.joins || other.switches) return "mode";
  if (other.records) return "other";
  return chooses_streams(s, fn, fn->term[c.branch]) ? "mode" : "flag";
}

static const char *condition_word(const sa_site_study *s, const sa_fn *fn, sa_control c) {
  sa_val condition = fn->term[c.branch];
  dependence d = {0};
  if (condition == 0) return "other";
  depend(s, condition, &d, 0);
  if (d.holders) return "holders";
  if (d.property) return "property";
  return d.other ? "other" : flag_word(s, fn, c);
}

/* The innermost condition wins, but a test of the block itself only when nothing else decides. */
static bool judge_function(sa_site_study *s, const sa_fn *fn, uint32_t block, sa_val *flag) {
  sa_control_array controls = sa_cfg_controls(fn->cfg, s->an->arena, block);
  for (uint32_t i = 0; i < controls.n; i++) {
    sa_control c = controls.at[i];
    if (is_loop_test(s, fn, block, c)) continue;
    const char *word = condition_word(s, fn, c);
    sa_range at = fn->func->blocks.at[c.branch].at;
    bool property = strcmp(word, "property") == 0;
    if (property && !sa_site_is(s, SA_FACT_guard, "none")) continue;
    sa_site_set(s, SA_FACT_guard, word, at);
    if (property) continue;
    if (strcmp(word, "other") != 0) *flag = fn->term[c.branch];
    sa_site_note(s, SA_ROLE_CONTEXT, at, "this condition decides whether the call runs");
    return true;
  }
  return false;
}

void sa_guard_run(sa_site_study *s, sa_val *flag) {
  *flag = 0;
  if (judge_function(s, s->fn, s->cfg_block, flag)) return;
  if (s->home != s->fn) judge_function(s, s->home, s->home_block, flag);
}
