/* Whether an object that the block is put into lets go of it only behind a wait. The proof spans
 * the functions of the file: the one that keeps the block leaves an event or a stream as a member
 * of the object, and whoever lets the block's member go has waited for that. */
#include "analysis/site.h"

#include <string.h>

enum { MAX_DEPTH = 8, MAX_MEMBERS = 16, MAX_CALLERS_DEPTH = 4, MAX_SITES = 200 };

/* A member of the object, an event or a stream, that comes after the work of some lanes. */
typedef struct {
  const char *name;
  uint32_t lanes; /* by bit */
} order_member;

typedef struct {
  sa_site_study *s;
  const sa_ir_class *class;
  const char *member; /* of the class: keeps the block */
  sa_val object;
  const sa_action *store;
  sa_sync_after after;
  order_member members[MAX_MEMBERS];
  uint32_t nmembers;
  uint32_t all;   /* the lanes that a wait must cover */
  bool host_only; /* the current stream of a waiting function may not be the creation stream */
} keeper;

/* ---- members of the object ---- */

/* Through pointers and handles to the thing itself. */
static sa_val bare(const sa_world *world, sa_val value) {
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    const sa_value *v = sa_value_about(world, value);
    bool step = v->kind == SA_VAL_LOCK || (v->kind == SA_VAL_ELEM && v->args[1] == 0) ||
                (v->kind == SA_VAL_MADE && v->op == SA_OP_pack && v->nargs == 1);
    if (!step || v->args[0] == 0) break;
    value = v->args[0];
  }
  return value;
}

static bool sets_member(const sa_action *a) {
  return a->kind == SA_ACT_STORE && a->op == SA_OP_setfield;
}

typedef struct {
  sa_val object;
  const char *name; /* NULL: no member */
} path;

/* "kept_" of "work->kept_" and of "*work->kept_"; with `elements` also of "work->kept_[0]". What
 * the function itself puts into a member has the value that was put there. */
static path path_of(const keeper *k, const sa_fn *fn, sa_val value, bool elements) {
  const sa_world *world = k->s->an->world;
  const sa_action_array *list = &k->s->an->actions->of[fn->index].list;
  for (int depth = 0; depth < MAX_DEPTH && value != 0; depth++) {
    const sa_value *v = sa_value_about(world, value);
    if (v->kind == SA_VAL_FIELD) return (path){bare(world, v->args[0]), v->text};
    bool plain = v->kind == SA_VAL_CONST || v->kind == SA_VAL_OP || v->kind == SA_VAL_ENTRY;
    for (uint32_t i = 0; !plain && i < list->n; i++)
      if (sets_member(&list->at[i]) && bare(world, list->at[i].a) == bare(world, value))
        return (path){bare(world, list->at[i].b), list->at[i].text};
    bool step = v->kind == SA_VAL_LOCK || (v->kind == SA_VAL_ELEM && (elements || v->args[1] == 0));
    if (!step) break;
    value = v->args[0];
  }
  return (path){0, NULL};
}

static bool derives(const sa_ir_unit *unit, const char *name, const char *base, int depth) {
  if (strcmp(name, base) == 0) return true;
  const sa_ir_class *class = depth < MAX_DEPTH ? sa_ir_find_class(unit, name) : NULL;
  for (uint32_t i = 0; class != NULL && i < class->bases.n; i++)
    if (derives(unit, class->bases.at[i], base, depth + 1)) return true;
  return false;
}

/* Whether the object can be one of the class: not when its type is known to be another one. */
static bool of_class(const keeper *k, sa_val object) {
  const sa_ir_unit *unit = k->s->an->unit;
  const sa_value *v = sa_value_about(k->s->an->world, object);
  if (v->kind == SA_VAL_THIS) return derives(unit, v->text, k->class->name, 0);
  if (v->type.name == NULL || v->type.name[0] == '\0') return true;
  for (uint32_t i = 0; i < unit->classes.n; i++) {
    const sa_ir_class *class = &unit->classes.at[i];
    if (sa_contract_names_class(v->type.name, class->name) == 0) continue;
    return derives(unit, class->name, k->class->name, 0);
  }
  return v->type.kind == SA_TYPE_UNKNOWN;
}

static const sa_ir_field *field_of(const sa_ir_class *class, const char *name) {
  for (uint32_t i = 0; i < class->fields.n; i++)
    if (strcmp(class->fields.at[i].name, name) == 0) return &class->fields.at[i];
  return NULL;
}

static const sa_ir_class *class_of(const keeper *k, sa_val object) {
  const sa_ir_unit *unit = k->s->an->unit;
  const sa_value *v = sa_value_about(k->s->an->world, object);
  if (v->kind == SA_VAL_THIS) return sa_ir_find_class(unit, v->text);
  for (uint32_t i = 0; v->type.name != NULL && i < unit->classes.n; i++)
    if (sa_contract_names_class(v->type.name, unit->classes.at[i].name) > 0)
      return &unit->classes.at[i];
  return NULL;
}

/* Made by that function: nobody else has put anything into it. */
static bool is_fresh(const keeper *k, sa_val object, uint32_t func) {
  const sa_value *v = sa_value_about(k->s->an->world, object);
  return v->kind == SA_VAL_MADE && v->op == SA_OP_pack && v->func == func;
}

/* ---- the function that keeps the block ---- */

static const sa_action *home_action(const keeper *k, uint32_t index) {
  return &k->s->sync->actions->list.at[index];
}

static uint32_t home_actions(const keeper *k) {
  return k->s->sync->actions->list.n;
}

static uint32_t block_at(const keeper *k, uint32_t point) {
  return sa_cfg_block_of(k->s->home->cfg, point);
}

/* Whether the action runs whenever the call has been reached, before it. */
static bool before_call(const keeper *k, uint32_t index) {
  uint32_t block = block_at(k, home_action(k, index)->point);
  if (block == k->s->home_block) return index < k->s->record;
  return sa_cfg_dominates(k->s->home->cfg, block, k->s->home_block);
}

/* Puts the store into `k`: the block itself, into a member of a class of this file that owns it. */
static bool find_store(keeper *k) {
  const sa_world *world = k->s->an->world;
  for (uint32_t i = 0; i < home_actions(k); i++) {
    const sa_action *a = home_action(k, i);
    bool keeps = a->kind == SA_ACT_STORE && !a->maybe && !a->unseen &&
                 (a->op == SA_OP_append || a->op == SA_OP_setfield);
    if (!keeps || !before_call(k, i) || sa_site_touches(k->s, a->a) != SA_SAME_YES) continue;
    path at = a->op == SA_OP_setfield ? (path){bare(world, a->b), a->text}
                                      : path_of(k, k->s->home, a->b, false);
    const sa_ir_class *class = at.name != NULL ? class_of(k, at.object) : NULL;
    const sa_ir_field *field = class != NULL ? field_of(class, at.name) : NULL;
    if (field == NULL || field->type.kind != SA_TYPE_TENSOR || field->type.weak) continue;
    k->class = class;
    k->member = field->name;
    k->object = at.object;
    k->store = a;
    return true;
  }
  return false;
}

/* Ends of the function that can be reached from the call. */
static bool is_end(const keeper *k, uint32_t block) {
  bool reached = k->s->reached[block] || block == k->s->home_block;
  return reached && k->s->home->cfg->func->blocks.at[block].succ.n == 0;
}

static bool before_every_end(const keeper *k, uint32_t point) {
  const sa_cfg *cfg = k->s->home->cfg;
  for (uint32_t b = 0; b < cfg->n; b++)
    if (is_end(k, b) && !sa_cfg_dominates(cfg, block_at(k, point), b)) return false;
  return true;
}

/* Whether the member is given another event or stream after it was recorded, or at all. */
static bool is_replaced(const keeper *k, const char *name, sa_val value) {
  const sa_world *world = k->s->an->world;
  for (uint32_t i = 0; i < home_actions(k); i++) {
    const sa_action *set = home_action(k, i);
    bool ours =
        sets_member(set) && strcmp(set->text, name) == 0 && bare(world, set->b) == k->object;
    bool marked = false;
    for (uint32_t j = 0; ours && j < home_actions(k); j++) {
      const sa_action *mark = home_action(k, j);
      marked |= mark->kind == SA_ACT_EVENT_RECORD && mark->a == value;
      if (mark->kind == SA_ACT_EVENT_RECORD && mark->a == value &&
          sa_cfg_reaches(k->s->home->cfg, k->s->an->arena, mark->point, set->point))
        return true;
    }
    if (ours && !marked) return true;
  }
  return false;
}

static void add_member(keeper *k, const char *name, uint32_t lane) {
  uint32_t i = 0;
  while (i < k->nmembers && strcmp(k->members[i].name, name) != 0) i++;
  if (i == MAX_MEMBERS) return;
  if (i == k->nmembers) k->members[k->nmembers++] = (order_member){name, 0};
  k->members[i].lanes |= 1u << lane;
}

/* The member of the object that is this event or stream where the function ends. */
static void add_entity(keeper *k, sa_val value, uint32_t lane) {
  const sa_world *world = k->s->an->world;
  path at = path_of(k, k->s->home, value, false);
  if (at.name != NULL && at.object == k->object && !is_replaced(k, at.name, value))
    add_member(k, at.name, lane);
  for (uint32_t i = 0; i < home_actions(k); i++) {
    const sa_action *set = home_action(k, i);
    bool ours = sets_member(set) && !set->maybe && bare(world, set->b) == k->object &&
                bare(world, set->a) == bare(world, value);
    uint32_t times = 0;
    for (uint32_t j = 0; ours && j < home_actions(k); j++) {
      const sa_action *other = home_action(k, j);
      times += sets_member(other) && strcmp(other->text, set->text) == 0 &&
               bare(world, other->b) == k->object;
    }
    if (times == 1 && before_every_end(k, set->point)) add_member(k, set->text, lane);
  }
}

/* Needs the store. Fills members, all. */
static const char *find_members(keeper *k) {
  const sa_sync *sync = k->s->sync;
  k->after = sa_sync_leave(k->s->sync, k->s->block, k->s->creation, k->s->record);
  if (k->after.unknown != NULL) return k->after.unknown;
  if (k->after.nlanes == 0) return "the function's end is not seen";
  for (uint32_t lane = 0; lane < k->after.nlanes; lane++) {
    if (k->after.lanes[lane] == UINT64_MAX) continue; /* the host has waited, or it was not used */
    k->all |= 1u << lane;
    for (uint32_t e = 0; e < sync->n; e++)
      if (k->after.lanes[lane] >> e & 1) add_entity(k, sync->entity[e], lane);
  }
  uint32_t covered = 0;
  for (uint32_t i = 0; i < k->nmembers; i++) covered |= k->members[i].lanes;
  return (covered & k->all) == k->all
             ? NULL
             : "no member of the holder marks the end of the work on every way out";
}

/* ---- waits ---- */

static uint32_t lanes_of(const keeper *k, const sa_fn *fn, sa_val value, sa_val object) {
  path at = path_of(k, fn, value, false);
  for (uint32_t i = 0; at.name != NULL && at.object == object && i < k->nmembers; i++)
    if (strcmp(k->members[i].name, at.name) == 0) return k->members[i].lanes;
  return 0;
}

/* The lanes that the action orders: before the host, or before the stream that the function is
 * called on. */
static uint32_t waited_for(const keeper *k, const sa_fn *fn, const sa_action *a, sa_val object) {
  if (a->maybe || a->unseen) return 0;
  bool current = a->a == fn->entry && !k->host_only;
  switch (a->kind) {
  case SA_ACT_SYNC_DEVICE:
    return k->all;
  case SA_ACT_SYNC_EVENT:
  case SA_ACT_SYNC_STREAM:
    return lanes_of(k, fn, a->a, object);
  case SA_ACT_EVENT_WAIT:
  case SA_ACT_STREAM_WAIT:
    return current ? lanes_of(k, fn, a->b, object) : 0;
  default:
    return 0;
  }
}

/* Whether waits for every lane come before the point on every way to it. */
static bool waits_before(const keeper *k, const sa_fn *fn, uint32_t block, uint32_t point,
                         sa_val object) {
  const sa_action_array *list = &k->s->an->actions->of[fn->index].list;
  uint32_t covered = 0;
  for (uint32_t i = 0; i < list->n; i++) {
    uint32_t at = sa_cfg_block_of(fn->cfg, list->at[i].point);
    bool before = at == block ? list->at[i].point < point : sa_cfg_dominates(fn->cfg, at, block);
    if (before) covered |= waited_for(k, fn, &list->at[i], object);
  }
  return (covered & k->all) == k->all;
}

/* Whether the function has waited for every lane whenever it returns. */
static bool always_waits(const keeper *k, uint32_t func) {
  const sa_fn *fn = &k->s->an->world->fns[func];
  bool any = false;
  if (!fn->valued) return false;
  sa_val self =
      sa_value_of(k->s->an->world, &(sa_value){.kind = SA_VAL_THIS, .text = fn->func->class_name});
  for (uint32_t i = 0; i < fn->cfg->rpo.n; i++) {
    uint32_t b = fn->cfg->rpo.at[i];
    if (fn->func->blocks.at[b].term != SA_TERM_RETURN) continue;
    any = true;
    if (!waits_before(k, fn, b, fn->cfg->base[b + 1], self)) return false;
  }
  return any;
}

/* A private function may leave the wait to all who call it. */
static bool is_behind_wait(const keeper *k, uint32_t func, uint32_t point, sa_val object,
                           int depth) {
  const sa_analysis *an = k->s->an;
  const sa_fn *fn = &an->world->fns[func];
  if (waits_before(k, fn, sa_cfg_block_of(fn->cfg, point), point, object)) return true;
  bool ours = (fn->func->flags & SA_FUNC_INTERNAL) != 0 && depth < MAX_CALLERS_DEPTH;
  if (!ours || an->actions->callers[func].n == 0) return false;
  for (uint32_t i = 0; i < an->actions->callers[func].n; i++) {
    sa_call call = an->actions->callers[func].at[i];
    const sa_fn *caller = &an->world->fns[call.func];
    sa_val theirs = bare(an->world, sa_value_at_call(an->world, caller, call.point, fn, object));
    if (theirs == 0 || !is_behind_wait(k, call.func, call.point, theirs, depth + 1)) return false;
  }
  return true;
}

/* ---- everything that touches the member ---- */

/* Operations that leave what the member holds alone. */
static bool is_harmless(sa_ir_op op) {
  static const sa_ir_op ops[] = {SA_OP_op,     SA_OP_copy, SA_OP_view,         SA_OP_mayalias,
                                 SA_OP_lock,   SA_OP_elem, SA_OP_field,        SA_OP_use,
                                 SA_OP_record, SA_OP_end,  SA_OP_erase_record, SA_OP_lambda};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i] == op) return true;
  return false;
}

static bool is_ours(const keeper *k, path at) {
  return at.name != NULL && strcmp(at.name, k->member) == 0 && of_class(k, at.object);
}

/* Whether the instruction may let go of what the member holds; then *object is whose member. */
static bool may_release(const keeper *k, const sa_fn *fn, const sa_ir_inst *inst, uint32_t point,
                        sa_val *object) {
  const sa_world *world = k->s->an->world;
  const sa_val *args = &fn->args[fn->first[point]];
  if (inst->op == SA_OP_setfield) {
    path set = {bare(world, args[0]), inst->text};
    *object = set.object;
    if (is_ours(k, set)) return true;
  }
  for (uint32_t i = 0; i < inst->nargs; i++) {
    path at = path_of(k, fn, args[i], true);
    if (!is_ours(k, at) || is_harmless(inst->op)) continue;
    sa_ir_type type = fn->func->regs.at[inst->args[i]].type;
    bool adds = inst->op == SA_OP_append && i == 0 && inst->nargs == 2;
    bool element = (inst->op == SA_OP_append || inst->op == SA_OP_setfield) && i > 0 && !type.many;
    if (adds || element) continue;
    *object = at.object;
    return true;
  }
  return false;
}

static bool gives_reference(const keeper *k, const sa_fn *fn, uint32_t block) {
  const char *type = fn->func->returns.name;
  if (fn->func->blocks.at[block].term != SA_TERM_RETURN) return false;
  if (!is_ours(k, path_of(k, fn, fn->term[block], true))) return false;
  return type == NULL || strpbrk(type, "&*") != NULL;
}

/* What the function does to an object before our block is in it, or to one of its own, is no
 * matter. */
static bool concerns_us(const keeper *k, const sa_fn *fn, uint32_t point, sa_val object) {
  bool home = fn == k->s->home;
  if (!home) {
    bool begins = (fn->func->flags & SA_FUNC_CTOR) != 0 &&
                  sa_value_about(k->s->an->world, object)->kind == SA_VAL_THIS;
    return !begins && !is_fresh(k, object, fn->index);
  }
  if (point == k->store->point) return false;
  return object != k->object || k->s->home->cfg->in_loop[k->s->home_block] ||
         sa_cfg_reaches(fn->cfg, k->s->an->arena, k->store->point, point);
}

static const char *early(const keeper *k, const sa_fn *fn, sa_range at) {
  return sa_printf(k->s->an->arena, "'%s' may let go of '%s' before it waits (line %u)",
                   fn->func->name, k->member, (unsigned)at.line);
}

static const char *check_releases(const keeper *k, uint32_t func) {
  const sa_fn *fn = &k->s->an->world->fns[func];
  for (uint32_t i = 0; i < fn->cfg->rpo.n; i++) {
    uint32_t b = fn->cfg->rpo.at[i];
    for (uint32_t p = fn->cfg->base[b]; p < fn->cfg->base[b + 1]; p++) {
      const sa_ir_inst *inst = sa_cfg_inst(fn->cfg, b, p);
      sa_val object = 0;
      if (!may_release(k, fn, inst, p, &object) || !concerns_us(k, fn, p, object)) continue;
      if (!is_behind_wait(k, func, p, object, 0)) return early(k, fn, inst->at);
    }
    if (gives_reference(k, fn, b)) return early(k, fn, fn->func->blocks.at[b].at);
  }
  return NULL;
}

static bool is_order_member(const keeper *k, const char *name) {
  for (uint32_t i = 0; name != NULL && i < k->nmembers; i++)
    if (strcmp(k->members[i].name, name) == 0) return true;
  return false;
}

/* Another function may mark a later place of the same stream, and nothing else. */
static const char *check_members(const keeper *k, uint32_t func) {
  const sa_world *world = k->s->an->world;
  const sa_fn *fn = &world->fns[func];
  const sa_action_array *list = &k->s->an->actions->of[func].list;
  for (uint32_t i = 0; fn != k->s->home && i < list->n; i++) {
    const sa_action *a = &list->at[i];
    path at =
        a->op == SA_OP_setfield ? (path){bare(world, a->b), a->text} : path_of(k, fn, a->a, false);
    bool dropped = a->kind == SA_ACT_DROP && strcmp(a->text, "scope-end") != 0;
    bool changes = sets_member(a) || dropped || a->kind == SA_ACT_EVENT_RECORD;
    if (!changes || !is_order_member(k, at.name) || !of_class(k, at.object)) continue;
    if (!concerns_us(k, fn, a->point, at.object)) continue;
    bool later = a->kind == SA_ACT_EVENT_RECORD &&
                 (lanes_of(k, fn, a->b, at.object) & lanes_of(k, fn, a->a, at.object)) ==
                     lanes_of(k, fn, a->a, at.object);
    if (!later)
      return sa_printf(k->s->an->arena, "'%s' changes '%s' (line %u)", fn->func->name, at.name,
                       (unsigned)a->at.line);
  }
  return NULL;
}

static bool mentions(const keeper *k, const sa_ir_func *func) {
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      bool field = inst->op == SA_OP_field || inst->op == SA_OP_setfield;
      if (field && strcmp(inst->text, k->member) == 0) return true;
    }
  return false;
}

static bool is_method(const keeper *k, const sa_ir_func *func) {
  return func->class_name != NULL && strcmp(func->class_name, k->class->name) == 0;
}

static const char *check_functions(const keeper *k) {
  const sa_analysis *an = k->s->an;
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const sa_ir_func *func = &an->unit->funcs.at[f];
    if (func->blocks.n == 0 && is_method(k, func))
      return sa_printf(an->arena, "the body of '%s' is not seen", func->name);
    if (!an->world->fns[f].valued) {
      if (mentions(k, func)) return sa_printf(an->arena, "'%s' is too large", func->name);
      continue;
    }
    const char *why = check_releases(k, f);
    if (why == NULL) why = check_members(k, f);
    if (why != NULL) return why;
  }
  return NULL;
}

/* ---- the object's own end ---- */

/* Every way out behind the call hands the new object to the caller. */
static const char *is_handed_out(const keeper *k) {
  const sa_fn *fn = k->s->home;
  for (uint32_t b = 0; b < fn->cfg->n; b++) {
    if (!is_end(k, b)) continue;
    bool given = fn->func->blocks.at[b].term == SA_TERM_RETURN && fn->term[b] != 0 &&
                 bare(k->s->an->world, fn->term[b]) == k->object;
    if (!given) return "the function can end behind the call without handing out the holder";
  }
  return NULL;
}

static bool some_method_waits(const keeper *k, bool destructor) {
  const sa_ir_unit *unit = k->s->an->unit;
  for (uint32_t f = 0; f < unit->funcs.n; f++) {
    uint32_t flags = unit->funcs.at[f].flags;
    if (!is_method(k, &unit->funcs.at[f]) || (flags & SA_FUNC_CTOR) != 0) continue;
    if (((flags & SA_FUNC_DTOR) != 0) == destructor && always_waits(k, f)) return true;
  }
  return false;
}

static const char *check_end(const keeper *k) {
  const sa_value *v = sa_value_about(k->s->an->world, k->object);
  bool fresh = is_fresh(k, k->object, k->s->home->index);
  if (!fresh && v->kind != SA_VAL_THIS && v->kind != SA_VAL_PARAM)
    return "which object keeps the block is not known";
  const char *why = fresh ? is_handed_out(k) : NULL;
  if (why != NULL || some_method_waits(k, true)) return why;
  if (!fresh || !sa_site_is(k->s, SA_FACT_contract, "required"))
    return "the holder may end before it waits: its destructor does not wait, and callers need not";
  return some_method_waits(k, false) ? NULL : "no method of the holder always waits for the work";
}

static bool is_header(const char *file) {
  static const char *const extensions[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".muh", ".inl"};
  const char *dot = strrchr(file, '.');
  for (size_t i = 0; dot != NULL && i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(dot, extensions[i]) == 0) return true;
  return false;
}

static const char *fails(keeper *k) {
  sa_site_study *s = k->s;
  uint32_t template = (s->fn->func->flags | s->outer->func->flags) & SA_FUNC_TEMPLATE;
  if (template != 0) return "the call stands in a template";
  if (s->an->unit->sites.n > MAX_SITES) return "there are too many calls";
  if (k->class->at.file != 0 || is_header(s->an->unit->path))
    return "other files can let go of the holder's members";
  k->host_only = s->creation != s->home->entry;
  const char *why = find_members(k);
  if (why == NULL) why = check_functions(k);
  return why != NULL ? why : check_end(k);
}

void sa_holder_run(sa_site_study *s) {
  keeper k = {.s = s};
  if (s->record == SA_NO_INDEX || !find_store(&k)) return;
  s->facts->places.unkept = fails(&k);
  s->facts->places.kept = s->facts->places.unkept == NULL;
}
