/* Who keeps, or could keep, a reference to the block. */
#include "analysis/site.h"

#include <string.h>

static bool goes_out(const sa_site_study *s, const sa_fn *fn, sa_val object) {
  const sa_action_array *list = &s->an->actions->of[fn->index].list;
  for (uint32_t i = 0; i < list->n; i++) {
    sa_action_kind kind = list->at[i].kind;
    if (kind != SA_ACT_RETURN && kind != SA_ACT_ESCAPE && kind != SA_ACT_STORE) continue;
    if (sa_value_covers(s->an->world, list->at[i].a, object) != SA_SAME_NO) return true;
  }
  return false;
}

/* A variable that is a structure, `work w = {0}`, and stays in the function. */
static bool local_structure(const sa_site_study *s, const sa_fn *fn, sa_val object) {
  const sa_value *v = sa_value_about(s->an->world, object);
  for (int depth = 0; v->kind == SA_VAL_FIELD && depth < 16; depth++)
    v = sa_value_about(s->an->world, object = v->args[0]);
  return v->kind == SA_VAL_MADE && v->op == SA_OP_pack && v->func == fn->index &&
         v->type.kind == SA_TYPE_OBJECT && !v->type.many && strchr(v->type.name, '*') == NULL &&
         !goes_out(s, fn, object);
}

/* Whether an object lives on after the function: everything but its own locals. */
static bool outlives(const sa_site_study *s, const sa_fn *fn, const sa_action *store) {
  const sa_world *world = s->an->world;
  if (store->reg != 0) {
    for (uint32_t b = 0; b < fn->cfg->n; b++) {
      const sa_ir_block *block = &fn->func->blocks.at[b];
      if (block->term != SA_TERM_RETURN || fn->term[b] == 0) continue;
      if (sa_value_covers(world, fn->term[b], store->b) != SA_SAME_NO) return true;
    }
    return fn->func->regs.at[store->reg].type.kind == SA_TYPE_HANDLE;
  }
  const sa_value *root = sa_value_about(world, sa_value_root(world, store->b));
  bool local_container =
      (root->kind == SA_VAL_VAR && root->type.kind != SA_TYPE_HANDLE && root->func == fn->index) ||
      local_structure(s, fn, store->b);
  return !local_container;
}

/* The container that the block was taken from keeps it anyway. */
static bool taken_from(const sa_site_study *s, sa_val container) {
  const sa_value *v = sa_value_about(s->an->world, s->block);
  for (int depth = 0; depth < 16; depth++) {
    bool part = v->kind == SA_VAL_ELEM || v->kind == SA_VAL_FIELD || v->kind == SA_VAL_LOCK;
    if (!part) return false;
    if (v->args[0] == container) return true;
    v = sa_value_about(s->an->world, v->args[0]);
  }
  return false;
}

/* Whether a method of the class gives what is in that field to whoever asks. */
static bool gives_field(const sa_analysis *an, const char *class, const char *field) {
  bool any = false;
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const char *of = an->unit->funcs.at[f].class_name;
    if (of == NULL || strcmp(of, class) != 0) continue;
    const sa_fn *fn = &an->world->fns[f];
    const sa_action_array *list = &an->actions->of[f].list;
    any |= (fn->func->flags & SA_FUNC_CTOR) == 0;
    for (uint32_t i = 0; i < list->n; i++) {
      const sa_value *v = sa_value_about(an->world, list->at[i].a);
      bool given = list->at[i].kind == SA_ACT_RETURN && v->kind == SA_VAL_FIELD;
      if (given && strcmp(v->text, field) == 0) return true;
    }
  }
  return !any; /* a plain holder: its members are open */
}

/* An object that is made here and handed out keeps a block of the side stream for its receiver:
 * that is where the block goes, not a reference of ours. */
static bool goes_out_with(const sa_site_study *s, const sa_fn *fn, const sa_action *store) {
  const sa_world *world = s->an->world;
  const sa_value *object = sa_value_about(world, store->b);
  bool packed =
      object->kind == SA_VAL_MADE && object->op == SA_OP_pack && object->func == fn->index;
  if (!packed || !sa_site_is(s, SA_FACT_direction, "output")) return false;
  if (store->op == SA_OP_setfield && !gives_field(s->an, object->type.name, store->text))
    return false;
  const sa_action_array *list = &s->an->actions->of[fn->index].list;
  for (uint32_t i = 0; i < list->n; i++) {
    bool out = list->at[i].kind == SA_ACT_RETURN ||
               (list->at[i].kind == SA_ACT_ESCAPE && !list->at[i].unseen);
    if (out && sa_value_covers(world, list->at[i].a, store->b) == SA_SAME_YES) return true;
  }
  return false;
}

/* Whether what is in the field leaves by a return of some method of the class: a queue of an object
 * that is filled in one method and emptied in another. */
static bool gives_part_of(const sa_analysis *an, const char *class, const char *field) {
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const char *of = an->unit->funcs.at[f].class_name;
    if (of == NULL || strcmp(of, class) != 0) continue;
    const sa_action_array *list = &an->actions->of[f].list;
    for (uint32_t i = 0; i < list->n; i++) {
      if (list->at[i].kind != SA_ACT_RETURN) continue;
      const sa_value *v = sa_value_about(an->world, list->at[i].a);
      for (int depth = 0; v->kind == SA_VAL_ELEM && depth < 16; depth++)
        v = sa_value_about(an->world, v->args[0]);
      if (v->kind == SA_VAL_FIELD && strcmp(v->text, field) == 0) return true;
    }
  }
  return false;
}

/* A block of the side stream is put where another method of the class takes it from and hands it
 * out. */
static bool goes_out_by_class(const sa_site_study *s, const sa_action *store) {
  const sa_value *container = sa_value_about(s->an->world, store->b);
  const char *class = s->outer->func->class_name;
  return store->op == SA_OP_append && class != NULL && container->kind == SA_VAL_FIELD &&
         sa_site_is(s, SA_FACT_direction, "output") && gives_part_of(s->an, class, container->text);
}

/* Whether the value is a function of ours that drops what it is given. */
static bool is_deleter(const sa_analysis *an, sa_val value) {
  const sa_world *world = an->world;
  uint32_t func = sa_value_closure(world, value);
  if (func == SA_NO_INDEX) return false;
  const sa_action_array *list = &an->actions->of[func].list;
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].kind != SA_ACT_DROP || list->at[i].op != SA_OP_reset) continue;
    const sa_value *root = sa_value_about(world, sa_value_root(world, list->at[i].a));
    if (root->kind == SA_VAL_PARAM && root->func == func) return true;
  }
  return false;
}

/* Whether the object, or one that it is put into, has a deleter in it: as interfaces in C hand out
 * ownership. Whoever gets it calls that at a time of its own. */
static bool has_deleter(const sa_site_study *s, const sa_fn *fn, sa_val object) {
  const sa_world *world = s->an->world;
  const sa_action_array *list = &s->an->actions->of[fn->index].list;
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].kind != SA_ACT_STORE || !is_deleter(s->an, list->at[i].a)) continue;
    sa_val face = sa_value_root(world, list->at[i].b);
    if (face == sa_value_root(world, object)) return true;
    for (uint32_t k = 0; k < list->n; k++)
      if (list->at[k].kind == SA_ACT_STORE && sa_value_root(world, list->at[k].b) == face &&
          sa_value_covers(world, list->at[k].a, object) != SA_SAME_NO)
        return true;
  }
  return false;
}

static bool keeps_block(const sa_site_study *s, const sa_fn *fn, const sa_action *action) {
  return action->kind == SA_ACT_STORE && sa_site_touches(s, action->a) != SA_SAME_NO &&
         !taken_from(s, action->b) && outlives(s, fn, action) && !goes_out_with(s, fn, action) &&
         !goes_out_by_class(s, action) && !has_deleter(s, fn, action->b);
}

typedef struct {
  const char *word;
  sa_range at;
} stash;

static bool among(const sa_control_array *controls, sa_control one) {
  for (uint32_t i = 0; i < controls->n; i++)
    if (controls->at[i].branch == one.branch && controls->at[i].arm == one.arm) return true;
  return false;
}

/* Whether the flag decides about the block, on another arm than the one that the call stands in. */
static bool branches_on(const sa_site_study *s, const sa_fn *fn, uint32_t block, uint32_t call,
                        sa_val flag) {
  sa_control_array controls = sa_cfg_controls(fn->cfg, s->an->arena, block);
  sa_control_array beside = {0};
  if (call != SA_NO_INDEX) beside = sa_cfg_controls(fn->cfg, s->an->arena, call);
  for (uint32_t i = 0; i < controls.n; i++)
    if (sa_guard_same_condition(s->an->world, fn->term[controls.at[i].branch], flag) &&
        !among(&beside, controls.at[i]))
      return true;
  return false;
}

/* The best kind of stash in one function; `block` is where the call stands in it. */
static void look_in(const sa_site_study *s, const sa_fn *fn, uint32_t block, sa_val flag,
                    stash *best) {
  static const char *const order[] = {"none", "flag", "future", "sibling", "here"};
  const sa_actions *actions = &s->an->actions->of[fn->index];
  const bool *other = block != SA_NO_INDEX ? sa_site_other_arms(s, fn, block) : NULL;
  int rank = 0;
  while (strcmp(order[rank], best->word) != 0) rank++;
  for (uint32_t i = 0; i < actions->list.n; i++) {
    const sa_action *action = &actions->list.at[i];
    if (!keeps_block(s, fn, action)) continue;
    uint32_t where = sa_cfg_block_of(fn->cfg, action->point);
    int here = 4;
    if (action->op == SA_OP_complete)
      here = 2;
    else if (other != NULL && other[where])
      here = 3;
    else if (flag != 0 && where != block && branches_on(s, fn, where, block, flag))
      here = 1;
    if (here <= rank) continue;
    rank = here;
    *best = (stash){order[rank], action->at};
  }
}

/* The function that a lambda is handed to may keep what the lambda works on. */
static void look_in_receiver(const sa_site_study *s, const sa_fn *lambda, stash *best) {
  sa_analysis *an = s->an;
  if (lambda->func->parent == SA_NO_INDEX || lambda->passed_at == SA_NO_INDEX) return;
  const sa_fn *parent = &an->world->fns[lambda->func->parent];
  uint32_t skip = 0, callee = sa_value_callee(an->world, parent, lambda->passed_at, &skip);
  if (callee == SA_NO_INDEX || !an->world->fns[callee].valued) return;
  const sa_action_array *list = &an->actions->of[callee].list;
  for (uint32_t i = 0; i < list->n && strcmp(best->word, "none") == 0; i++) {
    if (list->at[i].kind != SA_ACT_STORE) continue;
    sa_val kept = sa_value_at_call(an->world, parent, lambda->passed_at, &an->world->fns[callee],
                                   list->at[i].a);
    if (sa_value_covers(an->world, kept, s->block) != SA_SAME_NO)
      *best = (stash){"here", list->at[i].at};
  }
}

/* `asked` counts the classes of the hierarchy that were looked at. */
static bool class_waits(const sa_analysis *an, const char *name, uint32_t *asked) {
  if (++*asked > SA_MAX_CLASSES) return false;
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const char *class = an->unit->funcs.at[f].class_name;
    if (class == NULL || strcmp(class, name) != 0) continue;
    const sa_action_array *list = &an->actions->of[f].list;
    for (uint32_t i = 0; i < list->n; i++)
      if (sa_action_waits(list->at[i].kind)) return true;
  }
  const sa_ir_class *about = sa_ir_find_class(an->unit, name);
  for (uint32_t i = 0; about != NULL && i < about->bases.n; i++)
    if (class_waits(an, about->bases.at[i], asked)) return true;
  return false;
}

static bool work_like(const sa_analysis *an, const char *class) {
  uint32_t asked = 0;
  return class != NULL && sa_class_keeps_tensors(an->unit, sa_ir_find_class(an->unit, class)) &&
         class_waits(an, class, &asked);
}

static void look_at_classes(const sa_site_study *s, stash *best) {
  const sa_analysis *an = s->an;
  if (work_like(an, s->outer->func->class_name)) {
    *best = (stash){"class", sa_ir_find_class(an->unit, s->outer->func->class_name)->at};
    return;
  }
  for (uint32_t i = 0; i < an->actions->callers[s->outer->index].n; i++) {
    sa_call call = an->actions->callers[s->outer->index].at[i];
    const char *class = an->unit->funcs.at[call.func].class_name;
    if (!work_like(an, class)) continue;
    *best = (stash){"caller", sa_ir_find_class(an->unit, class)->at};
    return;
  }
}

static void judge_stash(sa_site_study *s, sa_val flag) {
  stash best = {.word = "none"};
  look_in(s, s->fn, s->cfg_block, flag, &best);
  if (s->home != s->fn) look_in(s, s->home, s->home_block, flag, &best);
  for (const sa_fn *fn = s->fn; fn->func->parent != SA_NO_INDEX;) {
    look_in_receiver(s, fn, &best);
    fn = &s->an->world->fns[fn->func->parent];
    if (fn->valued) look_in(s, fn, SA_NO_INDEX, flag, &best);
  }
  if (strcmp(best.word, "none") == 0) look_at_classes(s, &best);
  sa_site_set(s, SA_FACT_stash, best.word, best.at);
  if (strcmp(best.word, "none") == 0) return;
  bool class = strcmp(best.word, "class") == 0 || strcmp(best.word, "caller") == 0;
  sa_site_note(s, SA_ROLE_STASH, best.at,
               class ? "this class has members that can keep '%s' until it waits"
                     : "a reference to '%s' is kept here",
               s->facts->block);
}

static const char *store_word(const sa_site_study *s, const sa_action *action) {
  const sa_world *world = s->an->world;
  const sa_value *root = sa_value_about(world, sa_value_root(world, action->b));
  if (root->kind != SA_VAL_PARAM) return "stored";
  const sa_ir_reg *reg = &s->an->unit->funcs.at[root->func].regs.at[root->at];
  bool out = reg->by_ref && reg->kind == SA_REG_PARAM && reg->type.kind == SA_TYPE_TENSOR;
  return out ? "out" : "stored";
}

static const char *escape_word(const sa_action *action) {
  static const struct {
    const char *text, *word;
  } rows[] = {{"callback", "callback"},
              {"thread", "queue"},
              {"queue", "queue"},
              {"out", "out"},
              {"yield", "returned"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(action->text, rows[i].text) == 0) return rows[i].word;
  return action->unseen ? "queue" : "stored";
}

static const char *way_out(const sa_site_study *s, const sa_action *action) {
  switch (action->kind) {
  case SA_ACT_RETURN:
    return has_deleter(s, s->home, action->a) ? "callback" : "returned";
  case SA_ACT_STORE:
    if (has_deleter(s, s->home, action->b)) return "callback";
    if (local_structure(s, s->home, action->b)) return NULL;
    if (goes_out_with(s, s->home, action) || goes_out_by_class(s, action)) return "returned";
    return action->reg == 0 ? store_word(s, action) : NULL;
  case SA_ACT_ESCAPE:
    return sa_site_carried(s, action->a) ? escape_word(action) : "stored";
  case SA_ACT_DROP:
    return strcmp(action->text, "moved") == 0 ? "moved" : NULL;
  default:
    return NULL;
  }
}

/* A variable of the caller's is assigned: an out parameter. */
static bool assigns_out(const sa_site_study *s, sa_range *at) {
  const sa_fn *fn = s->home;
  for (uint32_t b = 0; b < fn->cfg->n; b++)
    for (uint32_t i = 0; i < fn->func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &fn->func->blocks.at[b].insts.at[i];
      const sa_ir_reg *reg = &fn->func->regs.at[inst->result];
      if (inst->result == 0 || reg->kind != SA_REG_PARAM || !reg->by_ref || reg->is_const) continue;
      sa_val value = fn->results[fn->cfg->base[b] + i];
      if (sa_site_touches(s, value) == SA_SAME_NO) continue;
      *at = inst->at;
      return true;
    }
  return false;
}

/* A closure gives the block to whoever calls it. */
static bool given_by_closure(const sa_site_study *s, sa_range *at) {
  if (s->fn == s->home) return false;
  const sa_action_array *list = &s->an->actions->of[s->fn->index].list;
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].kind != SA_ACT_RETURN) continue;
    if (sa_value_covers(s->an->world, list->at[i].a, s->block) != SA_SAME_YES) continue;
    *at = list->at[i].at;
    return true;
  }
  return false;
}

static void judge_escape(sa_site_study *s) {
  static const char *const rank[] = {"none",     "moved", "stored",  "queue",
                                     "callback", "out",   "returned"};
  const sa_action_array *list = &s->sync->actions->list;
  int best = 0;
  sa_range at = {0};
  if (assigns_out(s, &at)) best = 5;
  for (uint32_t i = 0; i < list->n; i++) {
    const char *word = way_out(s, &list->at[i]);
    if (word == NULL || sa_site_touches(s, list->at[i].a) == SA_SAME_NO) continue;
    int here = 0;
    while (strcmp(rank[here], word) != 0) here++;
    if (here <= best) continue;
    best = here;
    at = list->at[i].at;
  }
  if (best == 0 && given_by_closure(s, &at)) best = 6;
  /* A helper that readies a side stream's block for a consumer: whom it serves hands it out. */
  bool readied = best == 0 && sa_site_is(s, SA_FACT_direction, "output");
  if (readied && sa_handed_by_callers(s, &at)) best = 6;
  sa_site_set(s, SA_FACT_escape, rank[best], at);
  if (best != 0)
    sa_site_note(s, SA_ROLE_ESCAPE, at, "'%s' leaves the function here (%s)", s->facts->block,
                 rank[best]);
}

void sa_keep_run(sa_site_study *s, sa_val flag) {
  judge_stash(s, flag);
  judge_escape(s);
}
