#include "analysis/site.h"

#include <stdarg.h>
#include <string.h>

void sa_site_set(sa_site_study *s, sa_fact fact, const char *word, sa_range at) {
  int index = sa_fact_word_index(fact, word);
  s->facts->facts[fact] = (sa_fact_value){.word = (uint8_t)(index < 0 ? 0 : index), .at = at};
}

bool sa_site_is(const sa_site_study *s, sa_fact fact, const char *word) {
  return sa_facts_are(s->facts, fact, word);
}

void sa_site_note(sa_site_study *s, sa_role role, sa_range at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = sa_vprintf(s->an->arena, format, args);
  va_end(args);
  sa_push(s->an->arena, &s->facts->evidence, (sa_evidence){role, at, text});
}

void sa_site_assume(sa_site_study *s, const char *what) {
  sa_push(s->an->arena, &s->facts->assumed, what);
}

void sa_site_miss(sa_site_study *s, const char *what) {
  sa_push(s->an->arena, &s->facts->missing, what);
}

sa_sync *sa_analysis_sync(sa_analysis *an, const sa_fn *fn) {
  if (!fn->valued) return NULL;
  if (an->syncs[fn->index] == NULL)
    an->syncs[fn->index] = sa_sync_prepare(an->world, fn, &an->actions->of[fn->index]);
  return an->syncs[fn->index];
}

bool sa_site_after(const sa_site_study *s, uint32_t index) {
  const sa_action *action = &s->sync->actions->list.at[index];
  uint32_t block = sa_cfg_block_of(s->home->cfg, action->point);
  if (block != s->home_block) return s->reached[block];
  if (action->point != s->home_point) return action->point > s->home_point || s->reached[block];
  return (s->record != SA_NO_INDEX && index > s->record) || s->reached[block];
}

sa_same sa_site_touches(const sa_site_study *s, sa_val value) {
  return sa_sync_touches(s->sync, value, s->block);
}

static bool keeps_tensors(const sa_ir_unit *unit, const sa_ir_class *class, uint32_t *asked) {
  if (class == NULL || ++*asked > SA_MAX_CLASSES) return false;
  for (uint32_t i = 0; i < class->fields.n; i++)
    if (class->fields.at[i].type.kind == SA_TYPE_TENSOR && !class->fields.at[i].type.weak)
      return true;
  for (uint32_t i = 0; i < class->bases.n; i++)
    if (keeps_tensors(unit, sa_ir_find_class(unit, class->bases.at[i]), asked)) return true;
  return false;
}

bool sa_class_keeps_tensors(const sa_ir_unit *unit, const sa_ir_class *class) {
  uint32_t asked = 0;
  return keeps_tensors(unit, class, &asked);
}

bool *sa_site_other_arms(const sa_site_study *s, const sa_fn *fn, uint32_t block) {
  const sa_cfg *cfg = fn->cfg;
  bool *marked = sa_alloc(s->an->arena, cfg->n + 1);
  sa_control_array controls = sa_cfg_controls(cfg, s->an->arena, block);
  for (uint32_t i = 0; i < controls.n; i++) {
    sa_control c = controls.at[i];
    bool *own = sa_alloc(s->an->arena, cfg->n + 1), *other = sa_alloc(s->an->arena, cfg->n + 1);
    for (uint32_t arm = 0; arm < fn->func->blocks.at[c.branch].succ.n; arm++)
      sa_cfg_mark_arm(cfg, s->an->arena, (sa_control){c.branch, arm}, arm == c.arm ? own : other);
    for (uint32_t b = 0; b < cfg->n; b++) marked[b] |= other[b] && !own[b];
  }
  return marked;
}

static bool carried(const sa_site_study *s, sa_val value, int depth) {
  const sa_value *v = sa_value_about(s->an->world, value);
  for (sa_val part = s->block; part != 0;) {
    const sa_value *p = sa_value_about(s->an->world, part);
    bool taken = p->kind == SA_VAL_ELEM || p->kind == SA_VAL_FIELD || p->kind == SA_VAL_LOCK;
    if (part == value) return true;
    part = taken && depth < 32 ? p->args[0] : 0;
  }
  bool wraps = v->kind == SA_VAL_MADE &&
               (v->op == SA_OP_lambda || v->op == SA_OP_pack || v->op == SA_OP_mayalias);
  for (uint32_t i = 0; wraps && depth < 4 && i < v->nargs; i++)
    if (carried(s, v->args[i], depth + 1)) return true;
  return false;
}

bool sa_site_carried(const sa_site_study *s, sa_val value) {
  return carried(s, value, 0);
}
