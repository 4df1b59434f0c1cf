/* Where the block and the recorded stream come from. */
#include "analysis/site.h"

#include <string.h>

enum { MAX_DEPTH = 8, MAX_STEPS = 64 };

static sa_val creation_of(sa_analysis *an, sa_val block, bool *foreign, int depth);

static sa_val agreed_creation(sa_analysis *an, const sa_val *values, uint32_t n, bool *foreign,
                              int depth) {
  sa_val agreed = 0;
  uint32_t foreigners = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool other = false;
    sa_val one = creation_of(an, values[i], &other, depth + 1);
    foreigners += other;
    if (other) continue;
    if (one == 0 || (agreed != 0 && one != agreed)) return 0;
    agreed = one;
  }
  *foreign = n > 0 && foreigners == n;
  return foreigners == 0 ? agreed : 0;
}

static bool stores_into(const sa_action *action, const sa_value *field) {
  return action->kind == SA_ACT_STORE && action->b == field->args[0] &&
         action->op == SA_OP_setfield && strcmp(action->text, field->text) == 0;
}

/* A member's blocks are those that methods anywhere in the unit store into it. */
static sa_val member_creation(sa_analysis *an, const sa_value *field, bool *foreign, int depth) {
  sa_val_array stored = {0};
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const sa_action_array *list = &an->actions->of[f].list;
    for (uint32_t i = 0; i < list->n && stored.n < 32; i++) {
      const sa_action *action = &list->at[i];
      if (stores_into(action, field)) sa_push(an->arena, &stored, action->a);
    }
  }
  return stored.n == 0 ? 0 : agreed_creation(an, stored.at, stored.n, foreign, depth);
}

static sa_val made_creation(sa_analysis *an, const sa_value *v, bool *foreign, int depth) {
  const sa_fn *fn = &an->world->fns[v->func];
  switch (v->op) {
  case SA_OP_alloc:
    return v->nargs > 0 ? v->args[0] : 0;
  case SA_OP_foreign:
    *foreign = true;
    return 0;
  case SA_OP_mayalias: {
    sa_val base = creation_of(an, v->args[0], foreign, depth + 1);
    return *foreign || base == fn->current[v->at] ? base : 0;
  }
  case SA_OP_call: /* the usual case of a function that gives a tensor; facts say "result" */
    return fn->current[v->at];
  default:
    return 0;
  }
}

static sa_val creation_of(sa_analysis *an, sa_val block, bool *foreign, int depth) {
  const sa_value v = *sa_value_about(an->world, block);
  uint32_t n = 0;
  if (block == 0 || depth > MAX_DEPTH) return 0;
  const sa_val *in = sa_value_members(an->world, block, &n);
  if (in != NULL && n > 0) return agreed_creation(an, in, n, foreign, depth);
  switch (v.kind) {
  case SA_VAL_PARAM: {
    const sa_ir_reg *reg = &an->unit->funcs.at[v.func].regs.at[v.at];
    if (reg->type.weak || reg->type.kind == SA_TYPE_STREAM) return 0;
    return an->world->fns[v.func].entry;
  }
  case SA_VAL_ELEM:
    return creation_of(an, v.args[0], foreign, depth + 1);
  case SA_VAL_FIELD: {
    sa_val stored = member_creation(an, &v, foreign, depth + 1);
    const sa_value *root = sa_value_about(an->world, sa_value_root(an->world, block));
    /* What this file puts into somebody else's object is not all that may be in it. */
    if (root->kind != SA_VAL_THIS) *foreign = false;
    if (stored != 0 || *foreign) return stored;
    return root->kind == SA_VAL_PARAM ? creation_of(an, v.args[0], foreign, depth + 1) : 0;
  }
  case SA_VAL_MADE:
    return made_creation(an, &v, foreign, depth);
  default:
    return 0;
  }
}

sa_val sa_origin_creation(sa_analysis *an, sa_val block, bool *foreign) {
  *foreign = false;
  return creation_of(an, block, foreign, 0);
}

typedef struct {
  const char *word;
  bool element, weak, through_field;
  sa_val root;
} origin;

/* Functions around the call's one, and their other lambdas: what they make reaches it by capture.
 */
static bool is_relative(const sa_site_study *s, uint32_t func) {
  const sa_ir_unit *unit = s->an->unit;
  for (uint32_t at = s->fn->func->parent; at != SA_NO_INDEX; at = unit->funcs.at[at].parent)
    if (at == func || (unit->funcs.at[func].parent == at && func != s->fn->index)) return true;
  return false;
}

static const char *made_word(const sa_site_study *s, const sa_value *v) {
  if (v->op == SA_OP_foreign) return "foreign";
  if (is_relative(s, v->func)) return "captured";
  if (v->op == SA_OP_alloc || v->op == SA_OP_mayalias)
    return v->func == s->fn->index ? "local" : "result";
  return v->op == SA_OP_call ? "result" : "unknown";
}

static const char *param_word(const sa_site_study *s, const sa_value *v, const origin *o) {
  const sa_ir_reg *reg = &s->an->unit->funcs.at[v->func].regs.at[v->at];
  if (v->func != s->fn->index || reg->kind == SA_REG_CAPTURE) return "captured";
  if (o->through_field) return "holder-member";
  return reg->rvalue ? "param-owned" : "param";
}

static const char *root_word(const sa_site_study *s, const sa_value *v, const origin *o) {
  switch (v->kind) {
  case SA_VAL_PARAM:
    return param_word(s, v, o);
  case SA_VAL_THIS:
    return o->through_field ? "member" : "param";
  case SA_VAL_GLOBAL:
    return "global";
  case SA_VAL_GETTER:
    return "result";
  case SA_VAL_VAR:
    return is_relative(s, v->func) ? "captured" : "local";
  case SA_VAL_MADE:
    return o->through_field && v->op != SA_OP_foreign ? "holder-member" : made_word(s, v);
  default:
    return "unknown";
  }
}

static origin find_origin(const sa_site_study *s) {
  const sa_world *world = s->an->world;
  origin o = {.word = "unknown", .root = s->block};
  for (int depth = 0; depth < 4 * MAX_DEPTH; depth++) {
    const sa_value *v = sa_value_about(world, o.root);
    uint32_t n = 0;
    const sa_val *in = sa_value_members(world, o.root, &n);
    sa_val next = 0;
    if (v->kind == SA_VAL_ELEM || v->kind == SA_VAL_FIELD || v->kind == SA_VAL_LOCK)
      next = v->args[0];
    else if (v->kind == SA_VAL_MADE && v->op == SA_OP_mayalias)
      next = v->args[0];
    else if (n > 0 && v->kind != SA_VAL_FIELD)
      next = in[0]; /* several: the first stands for all, see below */
    o.element |= v->kind == SA_VAL_ELEM;
    o.weak |= v->kind == SA_VAL_LOCK;
    o.through_field |= v->kind == SA_VAL_FIELD;
    if (next == 0 || next == o.root) break;
    o.root = next;
  }
  const sa_value *root = sa_value_about(world, o.root);
  o.word = root_word(s, root, &o);
  if (root->kind == SA_VAL_PARAM)
    o.weak |= s->an->unit->funcs.at[root->func].regs.at[root->at].type.weak;
  if (o.weak) o.word = "weak";
  return o;
}

static const char *creation_word(const sa_site_study *s, bool foreign) {
  if (foreign) return "foreign";
  if (s->creation == 0) return "unknown";
  const sa_value *v = sa_value_about(s->an->world, s->creation);
  if (v->kind == SA_VAL_ENTRY) return "entry";
  return v->kind == SA_VAL_DEFAULT_STREAM ? "default" : "side";
}

/* Whether a method of the class puts a stream that it was given into the container: streams that
 * users named in earlier calls. */
static bool collects_streams(const sa_analysis *an, sa_val container) {
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const sa_action_array *list = &an->actions->of[f].list;
    for (uint32_t i = 0; i < list->n; i++) {
      const sa_action *action = &list->at[i];
      if (action->kind != SA_ACT_STORE || action->b != container || action->op != SA_OP_append)
        continue;
      const sa_value *root = sa_value_about(an->world, sa_value_root(an->world, action->a));
      if (root->kind == SA_VAL_PARAM) return true;
      for (uint32_t j = 0; root->kind == SA_VAL_MADE && j < root->nargs; j++)
        if (sa_value_about(an->world, sa_value_root(an->world, root->args[j]))->kind ==
            SA_VAL_PARAM)
          return true;
    }
  }
  return false;
}

/* A stream that the caller names, and that the object puts among those it remembers: it will be
 * used by the caller's work, not by work of this function. */
static bool is_remembered_here(const sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  bool kept = false;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind == SA_ACT_USE && action->b == s->stream) return false;
    const sa_value *container = sa_value_about(s->an->world, action->b);
    kept |= action->kind == SA_ACT_STORE && action->op == SA_OP_append && action->a == s->stream &&
            container->kind == SA_VAL_FIELD;
  }
  return kept;
}

static bool is_made_by_object(const sa_site_study *s) {
  const sa_world *world = s->an->world;
  sa_val_kind made_on = sa_value_about(world, s->creation)->kind;
  return s->creation != 0 && made_on != SA_VAL_ENTRY && made_on != SA_VAL_DEFAULT_STREAM &&
         sa_value_about(world, sa_value_root(world, s->block))->kind == SA_VAL_THIS;
}

static const char *stream_path_word(const sa_site_study *s) {
  const sa_world *world = s->an->world;
  bool element = false;
  sa_val at = s->stream;
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    const sa_value *v = sa_value_about(world, at);
    if (v->kind == SA_VAL_ELEM) {
      const sa_value *container = sa_value_about(world, v->args[0]);
      if (container->kind == SA_VAL_FIELD && collects_streams(s->an, v->args[0]))
        return "remembered";
      element = true;
    }
    if (v->kind != SA_VAL_ELEM && v->kind != SA_VAL_FIELD && v->kind != SA_VAL_LOCK) break;
    at = v->args[0];
  }
  const sa_value *root = sa_value_about(world, at);
  switch (root->kind) {
  case SA_VAL_THIS:
    return "member";
  case SA_VAL_PARAM:
    /* What the object makes itself, on a stream of its own, it also releases. */
    return is_remembered_here(s) && !is_made_by_object(s) ? "remembered" : "param";
  case SA_VAL_HOOK:
    return "param";
  case SA_VAL_GLOBAL:
    return "global";
  case SA_VAL_GETTER:
    return "result";
  case SA_VAL_PHI:
    return "side";
  default:
    return element ? "element" : root->kind == SA_VAL_MADE ? "result" : "unknown";
  }
}

static const char *recorded_word(const sa_site_study *s) {
  const sa_value *v = sa_value_about(s->an->world, s->stream);
  if (v->kind == SA_VAL_ENTRY) return "current";
  if (v->kind == SA_VAL_DEFAULT_STREAM) return "default";
  bool pool =
      v->kind == SA_VAL_MADE && (v->op == SA_OP_pool_stream || v->op == SA_OP_blocking_stream);
  return pool ? "pool" : stream_path_word(s);
}

static const char *same_word(const sa_site_study *s) {
  if (s->creation == 0 || s->stream == 0) return "unknown";
  /* For what comes from outside, "made on the stream current at entry" is a guess, too weak to say
   * that recording on that stream does nothing. */
  bool guessed = !sa_site_is(s, SA_FACT_origin, "local") &&
                 !sa_site_is(s, SA_FACT_creation, "side") &&
                 !sa_site_is(s, SA_FACT_creation, "default");
  const sa_value *root = sa_value_about(s->an->world, sa_value_root(s->an->world, s->block));
  bool made_here = root->kind == SA_VAL_MADE && root->op == SA_OP_alloc;
  sa_same same = sa_sync_same(s->sync, s->creation, s->stream);
  if (same == SA_SAME_YES) return guessed && !made_here ? "unknown" : "yes";
  return same == SA_SAME_NO ? "no" : "unknown";
}

static bool hands_through(const sa_world *world, const sa_value *v, int depth);

/* Whether what the value stands for may be, in part, what the function was given. */
static bool gives_back(const sa_world *world, sa_val value, int depth) {
  const sa_value *v = sa_value_about(world, value);
  if (value == 0 || depth > MAX_DEPTH) return false;
  if (v->kind == SA_VAL_PARAM) {
    sa_type kind = world->unit->funcs.at[v->func].regs.at[v->at].type.kind;
    return kind != SA_TYPE_SCALAR && kind != SA_TYPE_STREAM && kind != SA_TYPE_EVENT;
  }
  if (v->kind == SA_VAL_MADE && v->op == SA_OP_call) return hands_through(world, v, depth + 1);
  bool passes = v->kind == SA_VAL_PHI || v->kind == SA_VAL_ELEM ||
                (v->kind == SA_VAL_MADE && (v->op == SA_OP_mayalias || v->op == SA_OP_pack));
  for (uint32_t i = 0; passes && i < v->nargs; i++)
    if (gives_back(world, v->args[i], depth + 1)) return true;
  return false;
}

/* A call of a function of this unit that may give back what it was given, among other things. */
static bool hands_through(const sa_world *world, const sa_value *v, int depth) {
  uint32_t skip = 0;
  uint32_t callee = sa_value_callee(world, &world->fns[v->func], v->at, &skip);
  if (callee == SA_NO_INDEX || !world->fns[callee].valued) return false;
  const sa_fn *body = &world->fns[callee];
  for (uint32_t b = 0; b < body->cfg->n; b++)
    if (body->func->blocks.at[b].term == SA_TERM_RETURN && gives_back(world, body->term[b], depth))
      return true;
  return false;
}

/* Whether the work that makes the block is seen, or at least that a tensor is given here: what a
 * member holds may have come from anywhere. */
static bool is_seen(const sa_world *world, sa_val block, int depth, int *steps) {
  const sa_value *v = sa_value_about(world, block);
  uint32_t n = 0;
  const sa_val *in = sa_value_members(world, block, &n);
  if (depth > MAX_DEPTH || v->kind == SA_VAL_FIELD || ++*steps > MAX_STEPS) return false;
  for (uint32_t i = 0; i < n; i++)
    if (in[i] != block && !is_seen(world, in[i], depth + 1, steps)) return false;
  if (n > 0) return true;
  if (v->kind == SA_VAL_ELEM) return is_seen(world, v->args[0], depth + 1, steps);
  if (v->kind != SA_VAL_MADE) return false;
  if (v->op == SA_OP_mayalias) return is_seen(world, v->args[0], depth + 1, steps);
  bool declared = v->type.name != NULL && v->type.name[0] != '\0';
  return v->op == SA_OP_alloc || (v->op == SA_OP_call && declared && !hands_through(world, v, 0));
}

/* A member whose blocks are all made, anywhere in the unit, while another stream than the one at
 * entry is current. */
static bool is_made_aside(const sa_site_study *s) {
  sa_analysis *an = s->an;
  const sa_value *field = sa_value_about(an->world, s->block);
  bool any = false;
  for (uint32_t f = 0; field->kind == SA_VAL_FIELD && f < an->unit->funcs.n; f++) {
    const sa_action_array *list = &an->actions->of[f].list;
    for (uint32_t i = 0; i < list->n; i++) {
      if (!stores_into(&list->at[i], field)) continue;
      const sa_value *v = sa_value_about(an->world, list->at[i].a);
      if (v->kind == SA_VAL_CONST) continue; /* nothing: None, null */
      bool made = v->kind == SA_VAL_MADE && (v->op == SA_OP_mayalias || v->op == SA_OP_alloc);
      if (!made) return false;
      const sa_fn *maker = &an->world->fns[v->func];
      if (maker->current[v->at] == 0 || maker->current[v->at] == maker->entry) return false;
      any = true;
    }
  }
  return any;
}

/* The list is in the order of a walk over the graph, in which a loop's body may follow what comes
 * after the loop; the source is in the order that people mean. */
static bool stands_before(const sa_site_study *s, const sa_action *action) {
  if (action->at.file == s->facts->at.file && action->at.offset < s->facts->at.offset) return true;
  if (s->record == SA_NO_INDEX) return false;
  const sa_action *record = &s->sync->actions->list.at[s->record]; /* perhaps inside a helper */
  return action->point == record->point && action->at.file == record->at.file &&
         sa_range_compare(action->at, record->at) < 0;
}

/* A stream waits for an event before the record: something comes from elsewhere. */
static bool awaits_event(const sa_site_study *s, sa_val stream) {
  const sa_action_array *list = &s->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++)
    if (stands_before(s, &list->at[i]) &&
        (((list->at[i].kind == SA_ACT_EVENT_WAIT || list->at[i].kind == SA_ACT_STREAM_WAIT) &&
          list->at[i].a == stream) ||
         (list->at[i].kind == SA_ACT_WAIT_HANDLE && list->at[i].b == stream)))
      return true;
  return false;
}

static const char *direction_word(const sa_site_study *s) {
  if (sa_site_is(s, SA_FACT_creation, "side")) return "output";
  /* That a parameter comes from the stream at entry is assumed; a wait for an event says that it
   * comes from elsewhere. */
  if (sa_site_is(s, SA_FACT_origin, "param") && sa_site_is(s, SA_FACT_recorded, "current") &&
      s->record != SA_NO_INDEX && awaits_event(s, s->stream))
    return "output";
  if (sa_site_is(s, SA_FACT_creation, "entry") || sa_site_is(s, SA_FACT_creation, "default"))
    return "input";
  bool handed = s->creation == 0 && s->record != SA_NO_INDEX &&
                sa_site_is(s, SA_FACT_recorded, "current") && awaits_event(s, s->stream);
  return handed || (s->creation == 0 && is_made_aside(s)) ? "output" : "unknown";
}

static sa_range made_range(const sa_world *world, const sa_value *made) {
  const sa_fn *maker = &world->fns[made->func];
  return sa_cfg_inst_at(maker->cfg, made->at)->at;
}

/* Every place that makes what one variable holds. */
static void note_allocations(sa_site_study *s, sa_val value, int depth) {
  const sa_world *world = s->an->world;
  sa_val root = sa_value_root(world, value);
  const sa_value *v = sa_value_about(world, root);
  uint32_t n = 0;
  const sa_val *in = v->kind == SA_VAL_PHI ? sa_value_members(world, root, &n) : NULL;
  for (uint32_t i = 0; in != NULL && depth < MAX_DEPTH && i < n; i++)
    note_allocations(s, in[i], depth + 1);
  if (v->kind != SA_VAL_MADE || v->op != SA_OP_alloc) return;
  const char *text = sa_printf(s->an->arena, "'%s' is allocated here on stream '%s'",
                               s->facts->block, s->facts->creation_stream);
  sa_evidence_add(s->an->arena, &s->facts->evidence,
                  &(sa_evidence){SA_ROLE_CREATED, made_range(world, v), text});
}

static void note_creation(sa_site_study *s, const origin *o, bool foreign) {
  const sa_world *world = s->an->world;
  const sa_value *root = sa_value_about(world, o->root);
  const char *block = s->facts->block, *stream = s->facts->creation_stream;
  sa_range at = s->fn->func->at;
  if (root->kind == SA_VAL_MADE) {
    at = made_range(world, root);
  } else if (root->kind == SA_VAL_PARAM) {
    at = s->an->unit->funcs.at[root->func].regs.at[root->at].at;
  }
  uint32_t noted = s->facts->evidence.n;
  if (!foreign && root->kind == SA_VAL_MADE && root->op == SA_OP_alloc)
    note_allocations(s, s->block, 0);
  if (s->facts->evidence.n > noted) return;
  if (foreign)
    sa_site_note(s, SA_ROLE_CREATED, at, "'%s' is memory that the allocator does not own", block);
  else if (root->kind == SA_VAL_MADE && root->op == SA_OP_alloc)
    sa_site_note(s, SA_ROLE_CREATED, at, "'%s' is allocated here on stream '%s'", block, stream);
  else if (root->kind == SA_VAL_MADE && root->op == SA_OP_call)
    sa_site_note(s, SA_ROLE_CREATED, at, "'%s' comes from this call", block);
  else
    sa_site_note(s, SA_ROLE_CREATED, at, "'%s' comes from outside '%s'", block,
                 s->outer->func->name);
}

/* `r.wait_stream(s)`, then the block is recorded on r: s is where it was made. */
static sa_val handed_from(const sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  sa_val from = 0;
  for (uint32_t i = 0; i < list->n; i++)
    if (stands_before(s, &list->at[i]) && list->at[i].kind == SA_ACT_STREAM_WAIT &&
        list->at[i].a == s->stream && list->at[i].b != s->stream)
      from = list->at[i].b;
  return from;
}

/* What is only assumed gives way: that a parameter was made on the stream current at entry, and
 * what an unseen call gives on the stream current there. */
static bool is_assumed(const sa_site_study *s) {
  if (s->creation == 0) return true;
  const sa_value *root = sa_value_about(s->an->world, sa_value_root(s->an->world, s->block));
  if (root->kind == SA_VAL_MADE && root->op == SA_OP_call) return s->creation == s->stream;
  return root->kind == SA_VAL_PARAM && s->creation == s->stream &&
         sa_value_about(s->an->world, s->stream)->kind == SA_VAL_ENTRY;
}

static bool awaits_handle(const sa_site_study *s, sa_val stream) {
  const sa_action_array *list = &s->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++)
    if (stands_before(s, &list->at[i]) && list->at[i].kind == SA_ACT_WAIT_HANDLE &&
        list->at[i].b == stream)
      return true;
  return false;
}

/* A parameter that is recorded on another one. */
static bool is_given(const sa_site_study *s) {
  const sa_world *world = s->an->world;
  return s->record != SA_NO_INDEX && s->creation != 0 &&
         sa_value_about(world, s->creation)->kind == SA_VAL_ENTRY &&
         sa_value_about(world, s->block)->kind == SA_VAL_PARAM &&
         sa_value_about(world, s->stream)->kind == SA_VAL_PARAM;
}

void sa_origin_find_creation(sa_site_study *s) {
  bool foreign = false;
  s->creation = sa_origin_creation(s->an, s->block, &foreign);
  if (!foreign && s->stream != 0 && s->record != SA_NO_INDEX && is_assumed(s)) {
    sa_val from = handed_from(s);
    if (from != 0) {
      s->creation = from;
      sa_site_assume(s,
                     "the block was made on the stream that is waited for before it is recorded");
    } else if (s->creation == s->stream && awaits_event(s, s->stream)) {
      s->creation = 0;
    }
  } else if (is_given(s) && (awaits_event(s, s->creation) || awaits_handle(s, s->creation))) {
    s->creation = 0; /* the current stream waits for others, and the block is for a third one */
  }
  const sa_value *v = sa_value_about(s->an->world, s->block);
  s->owned = v->kind == SA_VAL_MADE && (v->op == SA_OP_alloc || v->op == SA_OP_call) &&
             v->func == s->home->index;
}

void sa_origin_run(sa_site_study *s) {
  bool foreign = false;
  sa_origin_creation(s->an, s->block, &foreign);
  origin o = find_origin(s);
  sa_range nowhere = {0};
  sa_site_set(s, SA_FACT_origin, foreign ? "foreign" : o.word, nowhere);
  sa_site_set(s, SA_FACT_element, o.element && s->fn->cfg->in_loop[s->cfg_block] ? "yes" : "no",
              s->facts->at);
  sa_site_set(s, SA_FACT_creation, creation_word(s, foreign), nowhere);
  int steps = 0;
  bool seen = is_seen(s->an->world, s->block, 0, &steps);
  sa_site_set(s, SA_FACT_made, seen ? "seen" : "unknown", nowhere);
  sa_site_set(s, SA_FACT_recorded, recorded_word(s), s->facts->at);
  sa_site_set(s, SA_FACT_same_stream, same_word(s), s->facts->at);
  sa_site_set(s, SA_FACT_direction, direction_word(s), nowhere);
  s->facts->creation_stream = sa_value_spelling(s->an->world, s->creation);
  s->facts->recorded_stream = sa_value_spelling(s->an->world, s->stream);
  note_creation(s, &o, foreign);
  if (s->creation == 0 && !foreign) sa_site_miss(s, "the stream on which the block was allocated");
  const sa_value *root = sa_value_about(s->an->world, o.root);
  if (s->creation != 0 && root->kind == SA_VAL_PARAM)
    sa_site_assume(s, "the block was allocated on the stream that was current at entry");
  if (s->creation != 0 && root->kind == SA_VAL_MADE && root->op == SA_OP_call)
    sa_site_assume(s, "a call that gives a tensor allocates it on the current stream");
}
