/* The shape of the function around the call: what it returns, who calls it, how it runs. */
#include "analysis/site.h"

#include <string.h>

static const sa_range nowhere = {0};

static bool is_handle(sa_type kind) {
  return kind == SA_TYPE_HANDLE || kind == SA_TYPE_EVENT;
}

typedef struct {
  bool handle, block, other;
} returned;

static void add_type(returned *r, sa_type kind) {
  r->handle |= is_handle(kind);
  r->block |= kind == SA_TYPE_TENSOR || kind == SA_TYPE_MEMORY;
  r->other |= kind != SA_TYPE_VOID && kind != SA_TYPE_UNKNOWN;
}

/* A tuple is as mixed as the variables that were put into it. */
static void add_value(const sa_world *world, returned *r, sa_val value) {
  const sa_value *v = sa_value_about(world, value);
  if (v->kind != SA_VAL_MADE || v->op != SA_OP_pack) {
    add_type(r, v->type.kind);
    return;
  }
  const sa_fn *fn = &world->fns[v->func];
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, v->at);
  for (uint32_t i = 0; i < inst->nargs; i++) {
    add_type(r, fn->func->regs.at[inst->args[i]].type.kind);
    add_type(r, sa_value_about(world, v->args[i])->type.kind);
  }
}

/* The unit's class that a type's spelling names: "c10::intrusive_ptr<ns::Work>" names ns::Work. */
static const sa_ir_class *named_class(const sa_ir_unit *unit, const char *spelling) {
  const sa_ir_class *best = NULL;
  size_t best_length = 0;
  for (uint32_t i = 0; spelling != NULL && i < unit->classes.n; i++) {
    size_t length = sa_contract_names_class(spelling, unit->classes.at[i].name);
    if (length <= best_length) continue;
    best = &unit->classes.at[i];
    best_length = length;
  }
  return best;
}

/* Whether both spellings are the same smart pointer, of whatever: one converts to the other. */
static bool same_pointer(const char *a, const char *b) {
  const char *from = a != NULL ? strchr(a, '<') : NULL, *to = b != NULL ? strchr(b, '<') : NULL;
  if (from == NULL || to == NULL) return false;
  size_t n = 0;
  while (from - n > a && to - n > b && from[-1 - (long)n] == to[-1 - (long)n] &&
         from[-1 - (long)n] != ':')
    n++;
  bool whole_from = from - n == a || from[-1 - (long)n] == ':';
  bool whole_to = to - n == b || to[-1 - (long)n] == ':';
  return n > 0 && whole_from && whole_to;
}

/* The class of the handle that is made, looking through conversions to its base. */
static const sa_ir_class *made_class(const sa_world *world, sa_val value, int depth) {
  const sa_value *v = sa_value_about(world, value);
  const sa_ir_class *class =
      v->type.kind == SA_TYPE_STREAM ? NULL : named_class(world->unit, v->type.name);
  bool wraps = v->kind == SA_VAL_PHI ||
               (v->kind == SA_VAL_MADE && (v->op == SA_OP_pack || v->op == SA_OP_call));
  for (uint32_t i = 0; class == NULL && wraps && depth < 4 && i < v->nargs; i++) {
    const sa_value *part = sa_value_about(world, v->args[i]);
    bool converted = v->nargs == 1 && same_pointer(part->type.name, v->type.name);
    if (is_handle(part->type.kind) || converted) class = made_class(world, v->args[i], depth + 1);
  }
  return class;
}

/* What a generator gives; of several things those that the block goes along with. */
static void add_yields(const sa_site_study *s, returned *r, const sa_ir_class **class) {
  const sa_action_array *list = &s->an->actions->of[s->outer->index].list;
  for (uint32_t i = 0; s->outer->valued && i < list->n; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind != SA_ACT_ESCAPE || strcmp(action->text, "yield") != 0) continue;
    if (sa_value_covers(s->an->world, action->a, s->block) == SA_SAME_NO) continue;
    add_value(s->an->world, r, action->a);
    const sa_ir_class *made = made_class(s->an->world, action->a, 0);
    if (made != NULL) *class = made;
  }
}

/* An object that is made with the block in it keeps it, whatever its class says of its members. */
static bool is_made_with_block(const sa_site_study *s, sa_val value) {
  const sa_value *v = sa_value_about(s->an->world, value);
  bool object = v->kind == SA_VAL_MADE && v->op == SA_OP_pack &&
                (v->type.kind == SA_TYPE_OBJECT || v->type.kind == SA_TYPE_HANDLE) &&
                named_class(s->an->unit, v->type.name) != NULL;
  for (uint32_t i = 0; object && i < v->nargs; i++)
    if (sa_site_touches(s, v->args[i]) != SA_SAME_NO) return true;
  return false;
}

static void judge_returns(sa_site_study *s) {
  const sa_fn *fn = s->outer;
  const sa_ir_unit *unit = s->an->unit;
  returned r = {0};
  const sa_ir_class *class = named_class(unit, fn->func->returns.name);
  bool keeps = false;
  add_type(&r, fn->func->returns.kind);
  if (fn->func->returns.kind == SA_TYPE_OBJECT && class != NULL)
    for (uint32_t i = 0; i < class->fields.n; i++) add_type(&r, class->fields.at[i].type.kind);
  for (uint32_t b = 0; fn->valued && b < fn->cfg->n; b++) {
    if (fn->func->blocks.at[b].term != SA_TERM_RETURN || fn->term[b] == 0) continue;
    add_value(s->an->world, &r, fn->term[b]);
    keeps |= is_made_with_block(s, fn->term[b]);
    const sa_ir_class *made = made_class(s->an->world, fn->term[b], 0);
    if (made != NULL) class = made;
  }
  add_yields(s, &r, &class);
  const char *word = r.handle && r.block ? "both"
                     : r.handle          ? "handle"
                     : r.block           ? "block"
                     : r.other           ? "other"
                                         : "nothing";
  sa_site_set(s, SA_FACT_returns, word, fn->func->at);
  if (!r.handle || class == NULL) return;
  keeps |= sa_class_keeps_tensors(unit, class);
  sa_site_set(s, SA_FACT_handle_owns, keeps ? "yes" : "no", class->at);
  sa_site_note(s, SA_ROLE_CONTEXT, class->at, "the returned handle is of class '%s'", class->name);
}

static void judge_surface(sa_site_study *s) {
  uint32_t flags = s->outer->func->flags;
  const char *word = flags & SA_FUNC_EXPORTED   ? "exported"
                     : flags & SA_FUNC_OVERRIDE ? "override"
                     : flags & SA_FUNC_INTERNAL ? "internal"
                                                : "public";
  sa_site_set(s, SA_FACT_surface, word, s->outer->func->at);
}

/* Whether the closure is put where it runs at some other time. */
static bool is_deferred(const sa_site_study *s, const sa_fn *lambda) {
  const sa_fn *parent = &s->an->world->fns[lambda->func->parent];
  if (lambda->made_at == SA_NO_INDEX || !parent->valued) return false;
  sa_val closure = parent->results[lambda->made_at];
  const sa_action_array *list = &s->an->actions->of[parent->index].list;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    bool kept = action->kind == SA_ACT_STORE || action->kind == SA_ACT_RETURN ||
                (action->kind == SA_ACT_ESCAPE && !action->unseen);
    if (kept && sa_value_covers(s->an->world, action->a, closure) == SA_SAME_YES) return true;
  }
  return false;
}

static void judge_closure(sa_site_study *s) {
  if ((s->fn->func->flags & SA_FUNC_LAMBDA) == 0 || s->fn->func->parent == SA_NO_INDEX) return;
  const char *word = s->fn->called_at != SA_NO_INDEX ? "here"
                     : is_deferred(s, s->fn)         ? "deferred"
                     : s->fn->passed                 ? "passed"
                                                     : "deferred";
  sa_site_set(s, SA_FACT_closure, word, s->fn->func->at);
  sa_site_note(s, SA_ROLE_CONTEXT, s->fn->func->at, "the call stands in a closure");
}

/* A call in `fn`, a lambda, of a captured function that the function around it was given. */
static const sa_ir_inst *runs_given(const sa_ir_unit *unit, const sa_ir_func *fn, bool derived) {
  if ((fn->flags & SA_FUNC_LAMBDA) == 0 || fn->parent == SA_NO_INDEX) return NULL;
  const sa_ir_func *parent = &unit->funcs.at[fn->parent];
  bool given = (parent->flags & SA_FUNC_INTERNAL) == 0 || derived; /* a base class may call it */
  bool takes = false;
  for (uint32_t r = 1; r < parent->regs.n; r++)
    takes |=
        parent->regs.at[r].kind == SA_REG_PARAM && parent->regs.at[r].type.kind == SA_TYPE_FUNC;
  for (uint32_t b = 0; given && takes && b < fn->blocks.n; b++)
    for (uint32_t i = 0; i < fn->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &fn->blocks.at[b].insts.at[i];
      if (inst->op != SA_OP_call || inst->func != SA_NO_INDEX) continue;
      for (uint32_t r = 1; r < fn->regs.n; r++) {
        const sa_ir_reg *reg = &fn->regs.at[r];
        bool callee =
            (inst->mask & 1u) != 0 ? inst->args[0] == r : strcmp(inst->text, reg->name) == 0;
        if (reg->kind == SA_REG_CAPTURE && reg->type.kind == SA_TYPE_FUNC && callee) return inst;
      }
    }
  return NULL;
}

/* A future and its like: the object holds the block and runs, some time, functions that others gave
 * it; they get at the block through the object. */
static void judge_future(sa_site_study *s) {
  const sa_ir_unit *unit = s->an->unit;
  const char *class = s->outer->func->class_name;
  if (class == NULL || !sa_site_is(s, SA_FACT_origin, "member") ||
      sa_site_is(s, SA_FACT_recorded, "side") || sa_site_is(s, SA_FACT_recorded, "member"))
    return;
  const sa_ir_class *about = sa_ir_find_class(unit, class);
  bool derived = about != NULL && about->bases.n > 0;
  for (uint32_t f = 0; f < unit->funcs.n; f++) {
    const sa_ir_func *fn = &unit->funcs.at[f];
    if (fn->class_name == NULL || strcmp(fn->class_name, class) != 0) continue;
    const sa_ir_inst *inst = runs_given(unit, fn, derived);
    if (inst == NULL) continue;
    sa_site_set(s, SA_FACT_callback, "yes", inst->at);
    sa_site_note(s, SA_ROLE_ESCAPE, inst->at,
                 "functions that others gave to this object run here and may use '%s'",
                 s->facts->block);
    return;
  }
}

/* Whether the object itself made the function that it holds there: every method that fills the
 * member puts in something that nobody gave it. */
static bool is_own_function(const sa_analysis *an, const sa_value *member) {
  bool any = false;
  for (uint32_t f = 0; member->kind == SA_VAL_FIELD && f < an->unit->funcs.n; f++) {
    const sa_action_array *list = &an->actions->of[f].list;
    for (uint32_t i = 0; i < list->n; i++) {
      const sa_action *action = &list->at[i];
      if (action->kind != SA_ACT_STORE || action->op != SA_OP_setfield ||
          strcmp(action->text, member->text) != 0)
        continue;
      const sa_value *root = sa_value_about(an->world, sa_value_root(an->world, action->a));
      if (root->kind == SA_VAL_PARAM) return false;
      any = true;
    }
  }
  return any;
}

/* A function that somebody else gave us makes the block, and may keep it. */
static bool is_given_result(sa_site_study *s) {
  const sa_world *world = s->an->world;
  const sa_value *v = sa_value_about(world, sa_value_root(world, s->block));
  if (v->kind != SA_VAL_MADE || v->op != SA_OP_call || v->func != s->home->index) return false;
  if (!sa_site_is(s, SA_FACT_direction, "output")) return false;
  const sa_fn *fn = s->home;
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, v->at);
  sa_val callee = (inst->mask & 1u) != 0 ? fn->args[fn->first[v->at]] : 0;
  const sa_value *root = sa_value_about(world, sa_value_root(world, callee));
  bool given = root->kind == SA_VAL_PARAM || root->kind == SA_VAL_THIS;
  if (callee == 0 || sa_value_about(world, callee)->type.kind != SA_TYPE_FUNC || !given)
    return false;
  sa_site_set(s, SA_FACT_callback, "yes", inst->at);
  sa_site_note(s, SA_ROLE_ESCAPE, inst->at, "'%s' is made by a function that is not ours",
               s->facts->block);
  return true;
}

/* Whether a call, in that function, of something that the function or its object was given. */
static bool calls_given_function(const sa_site_study *s, const sa_fn *fn, const sa_action *action) {
  const sa_world *world = s->an->world;
  if (action->kind != SA_ACT_USE || !action->unseen || action->op != SA_OP_call ||
      action->via != SA_NO_INDEX)
    return false;
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, action->point);
  sa_val callee = (inst->mask & 1u) != 0 ? fn->args[fn->first[action->point]] : 0;
  const sa_value *v = sa_value_about(world, callee);
  const sa_value *root = sa_value_about(world, sa_value_root(world, callee));
  /* What an internal function is given to run, its callers have written: ours. */
  bool hook = root->kind == SA_VAL_PARAM && (s->outer->func->flags & SA_FUNC_INTERNAL) == 0;
  bool held = root->kind == SA_VAL_THIS && !is_own_function(s->an, v);
  return callee != 0 && v->type.kind == SA_TYPE_FUNC && (hook || held);
}

static const sa_action *call_given_block(const sa_site_study *s, const sa_fn *fn) {
  const sa_action_array *list = &s->an->actions->of[fn->index].list;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    bool given = action->kind == SA_ACT_ESCAPE && strcmp(action->text, "callback") == 0 &&
                 sa_site_carried(s, action->a);
    given |= calls_given_function(s, fn, action);
    if (given && sa_handed_part(s, action->a)) return action;
  }
  return NULL;
}

/* A function that somebody else gave us gets the block, here or in the closure that records it. */
static void judge_callback(sa_site_study *s) {
  if (is_given_result(s)) return;
  const sa_action *call = call_given_block(s, s->home);
  if (call == NULL && s->fn != s->home) call = call_given_block(s, s->fn);
  if (call == NULL) return;
  sa_site_set(s, SA_FACT_callback, "yes", call->at);
  sa_site_note(s, SA_ROLE_ESCAPE, call->at, "'%s' is given to a function that is not ours",
               s->facts->block);
}

static bool given_stream(const sa_site_study *s, sa_val stream, int depth) {
  const sa_value *root = sa_value_about(s->an->world, sa_value_root(s->an->world, stream));
  if (root->kind == SA_VAL_PHI && depth < 4) {
    for (uint32_t i = 0; i < root->nargs; i++)
      if (given_stream(s, root->args[i], depth + 1)) return true;
    return false;
  }
  return root->kind == SA_VAL_PARAM || root->kind == SA_VAL_DEFAULT_STREAM ||
         root->kind == SA_VAL_HOOK;
}

static bool meets_given_stream(const sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    sa_val streams[2] = {0};
    if (action->kind == SA_ACT_STREAM_WAIT)
      streams[0] = action->a, streams[1] = action->b;
    else if (action->kind == SA_ACT_EVENT_RECORD)
      streams[0] = action->b;
    else if (action->kind == SA_ACT_EVENT_WAIT)
      streams[0] = action->a;
    for (int j = 0; j < 2; j++)
      if (streams[j] != 0 && streams[j] != s->stream && given_stream(s, streams[j], 0)) return true;
  }
  return false;
}

/* A node of a graph that is told its streams: the engine owns what it reads and what it gives. */
static bool is_told_node(const sa_site_study *s) {
  if ((s->outer->func->flags & SA_FUNC_NODE) == 0) return false;
  bool input =
      sa_site_is(s, SA_FACT_origin, "param") || sa_site_is(s, SA_FACT_origin, "param-owned");
  if (input && given_stream(s, s->stream, 0)) return true;
  return sa_site_is(s, SA_FACT_escape, "returned") && given_stream(s, s->creation, 0);
}

/* The autograd engine's buffers look like this: it neither made the block nor chose a stream. */
static void judge_engine(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  if (is_told_node(s)) {
    sa_site_set(s, SA_FACT_engine, "yes", s->outer->func->at);
    return;
  }
  bool param =
      sa_site_is(s, SA_FACT_origin, "param") || sa_site_is(s, SA_FACT_origin, "param-owned");
  if (!param || !given_stream(s, s->stream, 0) || !meets_given_stream(s)) return;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind != SA_ACT_STORE || sa_site_touches(s, action->a) == SA_SAME_NO) continue;
    const sa_value *root = sa_value_about(s->an->world, sa_value_root(s->an->world, action->b));
    if (root->kind != SA_VAL_PARAM && root->kind != SA_VAL_THIS) continue;
    sa_site_set(s, SA_FACT_engine, "yes", action->at);
    return;
  }
}

/* Whether the block is a plain copy (rules say so) of what the caller gave. */
static bool copies_argument(const sa_site_study *s) {
  const sa_world *world = s->an->world;
  const sa_actions *actions = &s->an->actions->of[s->fn->index];
  const sa_value *made = sa_value_about(world, sa_value_root(world, s->block));
  if (made->kind != SA_VAL_MADE || made->op != SA_OP_alloc || made->func != s->fn->index)
    return false;
  const sa_cfg *cfg = s->fn->cfg;
  if (strcmp(sa_cfg_inst_at(cfg, made->at)->text, "copy") != 0) return false;
  bool reads = false;
  for (uint32_t i = 0; i < actions->list.n; i++) {
    const sa_action *action = &actions->list.at[i];
    if (action->kind != SA_ACT_USE || action->written || action->point != made->at + 1) continue;
    const sa_value *root = sa_value_about(world, sa_value_root(world, action->a));
    if (root->kind != SA_VAL_PARAM) return false;
    reads = true;
  }
  return reads;
}

static bool is_returned(const sa_site_study *s) {
  for (uint32_t b = 0; b < s->fn->cfg->n; b++)
    if (s->fn->func->blocks.at[b].term == SA_TERM_RETURN &&
        sa_value_covers(s->an->world, s->fn->term[b], s->block) != SA_SAME_NO)
      return true;
  return false;
}

/* Moves inputs into somebody's program, on a stream of nobody's in particular. */
static void judge_mover(sa_site_study *s) {
  const sa_world *world = s->an->world;
  const sa_value *stream = sa_value_about(world, sa_value_root(world, s->creation));
  bool owned = stream->kind == SA_VAL_THIS || (s->outer->func->flags & SA_FUNC_METHOD) != 0;
  if (!sa_site_is(s, SA_FACT_direction, "output") || !sa_site_is(s, SA_FACT_recorded, "current") ||
      owned || !copies_argument(s) || !is_returned(s))
    return;
  sa_site_set(s, SA_FACT_mover, "yes", s->fn->func->at);
}

/* Whether the caller itself orders the streams before it lets the block go. */
static bool caller_orders(const sa_site_study *s, sa_call call) {
  const sa_fn *caller = &s->an->world->fns[call.func];
  sa_sync *sync = sa_analysis_sync(s->an, caller);
  if (sync == NULL) return false;
  sa_val block = sa_value_at_call(s->an->world, caller, call.point, s->outer, s->block);
  bool foreign = false;
  sa_val creation = block != 0 ? sa_origin_creation(s->an, block, &foreign) : 0;
  if (creation == 0) return false;
  const sa_value *v = sa_value_about(s->an->world, block);
  bool owned = v->kind == SA_VAL_MADE && v->op == SA_OP_alloc && v->func == call.func;
  const sa_sync_result *order = sa_sync_run(sync, block, creation, owned);
  bool all = order->unknown == NULL && order->ends.n > 0;
  for (uint32_t i = 0; i < order->ends.n; i++) all &= order->ends.at[i].order == SA_ORDER_YES;
  return all;
}

static void judge_callers(sa_site_study *s) {
  enum { MAX_CALLERS = 32 };
  uint32_t n = s->an->actions->callers[s->outer->index].n;
  bool ordering = n > 0 && n <= MAX_CALLERS && s->home == s->outer;
  for (uint32_t i = 0; i < n && ordering; i++)
    ordering = caller_orders(s, s->an->actions->callers[s->outer->index].at[i]);
  sa_site_set(s, SA_FACT_callers, n == 0 ? "unseen" : ordering ? "ordering" : "seen", nowhere);
}

/* Between the begin and the end of a capture, both on every way to the call. */
static void judge_capture(sa_site_study *s) {
  const sa_actions *actions = s->sync->actions;
  const sa_cfg *cfg = s->home->cfg;
  bool inside = false;
  sa_range at = {0};
  for (uint32_t i = 0; i < cfg->rpo.n; i++) {
    uint32_t block = cfg->rpo.at[i];
    if (block != s->home_block && !sa_cfg_dominates(cfg, block, s->home_block)) continue;
    for (uint32_t j = actions->first[block]; j < actions->end[block]; j++) {
      const sa_action *action = &actions->list.at[j];
      if (block == s->home_block && action->point >= s->home_point) break;
      if (action->kind == SA_ACT_CAPTURE_BEGIN) inside = true, at = action->at;
      if (action->kind == SA_ACT_CAPTURE_END) inside = false;
    }
  }
  sa_site_set(s, SA_FACT_captured, inside ? "yes" : "no", at);
}

void sa_shape_run(sa_site_study *s) {
  judge_returns(s);
  sa_contract_run(s);
  judge_surface(s);
  judge_closure(s);
  judge_callback(s);
  if (sa_site_is(s, SA_FACT_callback, "no")) judge_future(s);
  judge_engine(s);
  if (sa_site_is(s, SA_FACT_engine, "no")) judge_mover(s);
  judge_capture(s);
  bool test = (s->outer->func->flags & SA_FUNC_TEST) != 0;
  sa_site_set(s, SA_FACT_test, test ? "yes" : "no", nowhere);
  bool loop = s->fn->cfg->in_loop[s->cfg_block] || s->home->cfg->in_loop[s->home_block];
  sa_site_set(s, SA_FACT_loop, loop ? "yes" : "no", nowhere);
  judge_callers(s);
}
