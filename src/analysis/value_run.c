/* Fills the table of values: a forward fixpoint over each function's registers, current stream and
 * written fields. */
#include "analysis/value.h"

#include <string.h>

enum {
  MAX_CELLS = 16 * 1000 * 1000, /* blocks times registers that live across blocks */
  MAX_ROUNDS = 16,
  STICKY_ROUND = 6, /* from here on a phi stays a phi, so that the fixpoint ends */
  MAX_STORES = 32,
  MAX_INPUTS = 16,
  MAX_CONTENTS = 64,
  MAX_CALL_DEPTH = 200
};

typedef struct {
  sa_val object, value;
  const char *field;
} store;

typedef struct {
  bool reached;
  sa_val current;
  uint32_t nstores;
  store stores[MAX_STORES];
} memory;

typedef struct {
  sa_world *world;
  sa_fn *fn;
  const sa_ir_func *func;
  sa_arena *scratch;
  uint32_t *slot; /* register to slot + 1; 0: lives in one block only */
  uint32_t nslots;
  sa_val *local; /* values of registers without a slot */
  sa_val *out;   /* per block and slot */
  memory *out_memory;
  sa_val *state; /* of the block being run */
  memory now;
  bool *sticky; /* per block and slot, the last one for the current stream */
  uint32_t round;
  bool final;
  bool at_head; /* of a loop: what its body makes is not what came in */
} runner;

static sa_val made(runner *r, uint32_t point, const sa_ir_inst *inst, sa_val *args, uint32_t n) {
  sa_value v = {.kind = SA_VAL_MADE,
                .op = inst->op,
                .func = r->fn->index,
                .at = point,
                .args = args,
                .nargs = n};
  return sa_value_of(r->world, &v);
}

static sa_val simple(runner *r, sa_val_kind kind, const char *text, sa_val *args, uint32_t n) {
  return sa_value_of(r->world, &(sa_value){.kind = kind, .text = text, .args = args, .nargs = n});
}

static sa_val initial(runner *r, sa_reg reg) {
  const sa_ir_reg *about = &r->func->regs.at[reg];
  if (r->fn->seeds[reg] != 0) return r->fn->seeds[reg];
  if (about->kind == SA_REG_THIS && r->func->class_name != NULL)
    return simple(r, SA_VAL_THIS, r->func->class_name, NULL, 0);
  bool given =
      about->kind == SA_REG_PARAM || about->kind == SA_REG_CAPTURE || about->kind == SA_REG_THIS;
  sa_val value = sa_value_of(
      r->world,
      &(sa_value){.kind = given ? SA_VAL_PARAM : SA_VAL_VAR, .func = r->fn->index, .at = reg});
  r->world->values.at[value].type = about->type;
  return value;
}

static sa_val read_reg(runner *r, sa_reg reg) {
  if (reg == 0) return 0;
  sa_val *cell = r->slot[reg] != 0 ? &r->state[r->slot[reg] - 1] : &r->local[reg];
  if (*cell == 0) *cell = initial(r, reg);
  return *cell;
}

static void write_reg(runner *r, sa_reg reg, sa_val value) {
  if (reg == 0) return;
  *(r->slot[reg] != 0 ? &r->state[r->slot[reg] - 1] : &r->local[reg]) = value;
  sa_ir_type *type = &r->world->values.at[value].type;
  if (value != 0 && type->kind == SA_TYPE_UNKNOWN && !sa_value_is_none(r->world, value))
    *type = r->func->regs.at[reg].type;
}

/* A variable that nothing was assigned to yet gives way to whatever another path assigned, and so
 * does None: nothing is done to it. */
typedef enum { UNKNOWN, UNASSIGNED, NOTHING, SOMETHING } weight;

static weight weigh(const runner *r, sa_val value) {
  if (value == 0) return UNKNOWN;
  if (sa_value_about(r->world, value)->kind == SA_VAL_VAR) return UNASSIGNED;
  return sa_value_is_none(r->world, value) ? NOTHING : SOMETHING;
}

static void add_input(runner *r, sa_val phi, sa_val input) {
  sa_value *v = &r->world->values.at[phi];
  for (uint32_t i = 0; i < v->nargs; i++)
    if (v->args[i] == input) return;
  if (v->nargs == MAX_INPUTS) return;
  if (v->args == NULL) v->args = sa_alloc(r->world->arena, MAX_INPUTS * sizeof *v->args);
  v->args[v->nargs++] = input;
}

/* The value of one place where `n` paths meet. `cell` numbers the place. */
static sa_val join_values(runner *r, uint32_t cell, const sa_val *values, uint32_t n) {
  sa_value description = {.kind = SA_VAL_PHI, .func = r->fn->index, .at = cell};
  sa_val phi = r->sticky[cell] ? sa_value_of(r->world, &description) : 0, first = 0;
  bool differ = r->round >= STICKY_ROUND && phi != 0, none = false;
  for (uint32_t i = 0; i < n; i++) {
    if (values[i] == 0 || values[i] == phi) continue;
    weight before = weigh(r, first), now = weigh(r, values[i]);
    none |= now == NOTHING;
    if (now > before)
      first = values[i];
    else if (values[i] != first && now == SOMETHING)
      differ = true;
  }
  /* Where a loop begins the body's last thing is another one than the next. */
  if (!differ && !(none && r->at_head && weigh(r, first) == SOMETHING))
    return first != 0 ? first : phi;
  phi = sa_value_of(r->world, &description);
  r->sticky[cell] = true;
  for (uint32_t i = 0; i < n; i++)
    if (values[i] != phi && weigh(r, values[i]) == SOMETHING) add_input(r, phi, values[i]);
  return phi;
}

/* Fields of such an object hold what this function puts there, and nothing before. */
static bool own_object(const runner *r, sa_val object) {
  const sa_value *v = sa_value_about(r->world, object);
  return (v->kind == SA_VAL_MADE || v->kind == SA_VAL_VAR) && v->func == r->fn->index;
}

static store *find_store(memory *in, const store *wanted) {
  for (uint32_t i = 0; i < in->nstores; i++)
    if (in->stores[i].object == wanted->object && strcmp(in->stores[i].field, wanted->field) == 0)
      return &in->stores[i];
  return NULL;
}

/* The value of a field where paths meet that wrote different things there. */
static sa_val join_field(runner *r, uint32_t cell, const store *one, sa_val other) {
  const char *name = sa_printf(r->world->arena, "%u.%s", (unsigned)one->object, one->field);
  sa_val phi = sa_value_of(
      r->world, &(sa_value){.kind = SA_VAL_PHI, .func = r->fn->index, .at = cell, .text = name});
  if (one->value != phi) add_input(r, phi, one->value);
  if (other != phi) add_input(r, phi, other);
  return phi;
}

/* A field of the object whose method this is, which only one path wrote: that, or what was there
 * before. */
static bool join_with_before(runner *r, uint32_t cell, store *s) {
  if (sa_value_about(r->world, s->object)->kind != SA_VAL_THIS) return false;
  sa_val before = simple(r, SA_VAL_FIELD, s->field, &s->object, 1);
  if (s->value != before) s->value = join_field(r, cell, s, before);
  return true;
}

/* What is known of written fields after `other` has come in, too. A field of an own object that
 * only one path wrote holds that, as variables do. */
static void join_stores(runner *r, memory *other, uint32_t cell) {
  uint32_t kept = 0, before = r->now.nstores;
  for (uint32_t i = 0; i < before; i++) {
    store s = r->now.stores[i];
    const store *there = find_store(other, &s);
    bool own = own_object(r, s.object);
    bool this = sa_value_about(r->world, s.object)->kind == SA_VAL_THIS;
    if (there == NULL && !own && !join_with_before(r, cell, &s)) continue;
    if (there != NULL && there->value != s.value) {
      if (!own && !this) continue;
      s.value = join_field(r, cell, &s, there->value);
    }
    r->now.stores[kept++] = s;
  }
  r->now.nstores = kept;
  for (uint32_t i = 0; i < other->nstores && r->now.nstores < MAX_STORES; i++) {
    store s = other->stores[i];
    if (find_store(&r->now, &s) != NULL) continue;
    if (own_object(r, s.object) || join_with_before(r, cell, &s))
      r->now.stores[r->now.nstores++] = s;
  }
}

static void enter_block(runner *r, uint32_t block) {
  const sa_cfg *cfg = r->fn->cfg;
  uint32_t width = r->nslots + 1;
  sa_index_array from = {0};
  for (uint32_t i = 0; i < cfg->preds[block].n; i++)
    if (r->out_memory[cfg->preds[block].at[i]].reached)
      sa_push(r->scratch, &from, cfg->preds[block].at[i]);
  r->at_head = false;
  for (uint32_t i = 0; i < cfg->preds[block].n; i++)
    r->at_head |= cfg->order[cfg->preds[block].at[i]] >= cfg->order[block];
  memset(r->state, 0, width * sizeof *r->state);
  r->now = (memory){.current = r->fn->entry, .reached = true};
  uint32_t n = from.n + (block == 0);
  if (from.n == 0) return;
  sa_val *values = sa_alloc(r->scratch, (n + 1) * sizeof *values);
  for (uint32_t slot = 0; slot < r->nslots; slot++) {
    for (uint32_t i = 0; i < from.n; i++) values[i] = r->out[from.at[i] * width + slot];
    r->state[slot] = join_values(r, block * width + slot, values, from.n);
  }
  for (uint32_t i = 0; i < from.n; i++) values[i] = r->out_memory[from.at[i]].current;
  if (block == 0) values[from.n] = r->fn->entry;
  r->now = r->out_memory[from.at[0]];
  for (uint32_t i = 1; i < from.n; i++)
    join_stores(r, &r->out_memory[from.at[i]], block * width + r->nslots);
  if (block == 0) r->now.nstores = 0;
  r->now.current = join_values(r, block * width + r->nslots, values, n);
}

/* What was current before the guard came; for a phi, where all guards agree. */
static sa_val guarded(const runner *r, sa_val guard, int depth) {
  const sa_value *v = sa_value_about(r->world, guard);
  if (v->kind == SA_VAL_MADE && v->op == SA_OP_guard) return v->args[0];
  if (v->kind != SA_VAL_PHI || depth > 4) return 0;
  sa_val before = 0;
  for (uint32_t i = 0; i < v->nargs; i++) {
    sa_val one = guarded(r, v->args[i], depth + 1);
    if (one == 0) continue;
    if (before != 0 && before != one) return 0;
    before = one;
  }
  return before;
}

/* What was packed stays in the container when more is put in. */
static void keep_packed(sa_world *world, sa_val container, sa_val_array *in) {
  const sa_value v = *sa_value_about(world, container);
  if (in->n > 0 || v.kind != SA_VAL_MADE || v.op != SA_OP_pack) return;
  for (uint32_t i = 0; i < v.nargs && i < MAX_CONTENTS; i++) sa_push(world->arena, in, v.args[i]);
}

static void put_content(runner *r, sa_val container, sa_val value) {
  if (!r->final || container == 0 || value == 0 || container == value) return;
  sa_world *world = r->world;
  if (container >= world->ncontents) {
    uint32_t n = world->values.n + world->values.n / 2 + 16;
    world->contents =
        sa_regrow(world->arena, world->contents, world->ncontents * sizeof *world->contents,
                  n * sizeof *world->contents);
    world->ncontents = n;
  }
  sa_val_array *in = &world->contents[container];
  keep_packed(world, container, in);
  for (uint32_t i = 0; i < in->n; i++)
    if (in->at[i] == value) return;
  if (in->n < MAX_CONTENTS) sa_push(world->arena, in, value);
}

static void store_field(runner *r, sa_val object, const char *field, sa_val value) {
  put_content(r, object, value);
  for (uint32_t i = 0; i < r->now.nstores; i++) {
    store *s = &r->now.stores[i];
    if (s->object != object || strcmp(s->field, field) != 0) continue;
    s->value = value;
    return;
  }
  if (r->now.nstores < MAX_STORES) r->now.stores[r->now.nstores++] = (store){object, value, field};
}

/* What a counted loop's variable is given in this turn. */
static bool is_each(const sa_value *v) {
  return v->kind == SA_VAL_OP && strcmp(v->text, "each") == 0;
}

/* In the next turn the index is another one. */
static void forget_turn(runner *r, sa_val index) {
  const char *name = sa_printf(r->world->arena, "[each %u]", (unsigned)index);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->now.nstores; i++)
    if (strcmp(r->now.stores[i].field, name) != 0) r->now.stores[kept++] = r->now.stores[i];
  r->now.nstores = kept;
}

/* The field name under which the element of a known index is kept, for containers of the function;
 * NULL: it is not kept. */
static const char *element_name(const runner *r, sa_val container, sa_val index) {
  const sa_value *v = sa_value_about(r->world, index), *c = sa_value_about(r->world, container);
  bool local = (c->kind == SA_VAL_VAR || c->kind == SA_VAL_MADE) && c->func == r->fn->index;
  if (is_each(v) && local) return sa_printf(r->world->arena, "[each %u]", (unsigned)index);
  if (index == 0 || v->kind != SA_VAL_CONST || !local) return NULL;
  return sa_printf(r->world->arena, "[%s]", v->text);
}

/* Where an element of an unknown index may have changed, none is known any more. */
static void store_element(runner *r, sa_val container, sa_val index, sa_val value) {
  const char *name = element_name(r, container, index);
  put_content(r, container, value);
  bool known = name != NULL && strncmp(name, "[each", 5) != 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->now.nstores; i++) {
    const store *s = &r->now.stores[i];
    bool other = s->object != container || s->field[0] != '[';
    if (other || (known && strncmp(s->field, "[each", 5) != 0))
      r->now.stores[kept++] = r->now.stores[i];
  }
  r->now.nstores = kept;
  if (name != NULL) store_field(r, container, name, value);
}

static sa_val load_element(runner *r, sa_val container, sa_val index, const char *text) {
  const char *name = element_name(r, container, index);
  for (uint32_t i = 0; name != NULL && i < r->now.nstores; i++)
    if (r->now.stores[i].object == container && strcmp(r->now.stores[i].field, name) == 0)
      return r->now.stores[i].value;
  return sa_value_element(r->world, container, index, text);
}

static sa_val load_field(runner *r, sa_val object, const char *field) {
  for (uint32_t i = 0; i < r->now.nstores; i++)
    if (r->now.stores[i].object == object && strcmp(r->now.stores[i].field, field) == 0)
      return r->now.stores[i].value;
  const sa_value *v = sa_value_about(r->world, object);
  if (v->kind == SA_VAL_MADE && v->op == SA_OP_pack && v->nargs == 2) {
    if (strcmp(field, "first") == 0) return v->args[0];
    if (strcmp(field, "second") == 0) return v->args[1];
  }
  return simple(r, SA_VAL_FIELD, field, &object, 1);
}

/* Whether the value says nothing about things that only the callee has made. */
static bool caller_can_name(const sa_world *world, sa_val value, uint32_t callee, int depth) {
  const sa_value *v = sa_value_about(world, value);
  if (value == 0 || v->kind == SA_VAL_PHI || depth > 6) return false;
  if ((v->kind == SA_VAL_MADE || v->kind == SA_VAL_VAR) && v->func == callee) return false;
  for (uint32_t i = 0; i < v->nargs; i++)
    if (v->args[i] != 0 && !caller_can_name(world, v->args[i], callee, depth + 1)) return false;
  return true;
}

/* What a call of a function of this unit gives, where every return gives the same; else 0. */
static sa_val call_result(runner *r, uint32_t point, const sa_ir_inst *inst) {
  uint32_t skip = 0, callee = sa_value_callee(r->world, r->fn, point, &skip);
  if (callee == SA_NO_INDEX || callee == r->fn->index || !r->world->fns[callee].valued) return 0;
  const sa_fn *body = &r->world->fns[callee];
  sa_val result = 0;
  for (uint32_t i = 0; i < body->cfg->rpo.n; i++) {
    uint32_t block = body->cfg->rpo.at[i];
    if (body->func->blocks.at[block].term != SA_TERM_RETURN) continue;
    if (result != 0 && body->term[block] != result) return 0;
    result = body->term[block];
    if (result == 0) return 0;
  }
  if (result == 0) return 0;
  sa_value v = *sa_value_about(r->world, result);
  if (caller_can_name(r->world, result, callee, 0))
    return sa_value_at_call(r->world, r->fn, point, body, result);
  bool fresh = v.kind == SA_VAL_MADE && v.func == callee &&
               (v.op == SA_OP_alloc || v.op == SA_OP_pool_stream || v.op == SA_OP_foreign);
  if (!fresh) return 0;
  sa_ir_inst as = *inst;
  as.op = v.op;
  sa_val stream = v.nargs > 0 ? sa_value_at_call(r->world, r->fn, point, body, v.args[0]) : 0;
  return made(r, point, &as, &stream, v.op == SA_OP_alloc ? 1 : 0);
}

static sa_val call_value(runner *r, uint32_t point, const sa_ir_inst *inst, sa_val *args) {
  sa_val known = call_result(r, point, inst);
  if (known != 0) return known;
  sa_ir_type type = r->func->regs.at[inst->result].type;
  bool receiver_only = (inst->mask & 1u) != 0 && inst->nargs == 1;
  bool getter = (type.kind == SA_TYPE_STREAM || type.kind == SA_TYPE_SCALAR) ||
                ((type.kind == SA_TYPE_EVENT || type.kind == SA_TYPE_HANDLE) && receiver_only) ||
                (type.kind == SA_TYPE_OBJECT && (receiver_only || inst->nargs == 0));
  if (inst->nargs > 8) return made(r, point, inst, args, 0);
  if (!getter) return made(r, point, inst, args, inst->nargs);
  sa_val key[9];
  memcpy(key, args, inst->nargs * sizeof *key);
  uint32_t n = inst->nargs;
  /* What a stream getter gives may depend on what is current. */
  if (type.kind == SA_TYPE_STREAM) key[n++] = r->now.current;
  return simple(r, SA_VAL_GETTER, inst->text, key, n);
}

static sa_val result_of(runner *r, uint32_t point, const sa_ir_inst *inst, sa_val *args) {
  sa_type type = inst->result != 0 ? r->func->regs.at[inst->result].type.kind : SA_TYPE_VOID;
  switch (inst->op) {
  case SA_OP_const:
    if (type != SA_TYPE_SCALAR && type != SA_TYPE_UNKNOWN && strcmp(inst->text, "None") != 0)
      return made(r, point, inst, args, 0);
    return simple(r, SA_VAL_CONST, inst->text, NULL, 0);
  case SA_OP_op:
    return simple(r, SA_VAL_OP, inst->text, args, inst->nargs);
  case SA_OP_copy:
  case SA_OP_move:
  case SA_OP_view:
  case SA_OP_extern_stream:
    return args[0];
  case SA_OP_lock:
    return simple(r, SA_VAL_LOCK, "", args, 1);
  case SA_OP_elem:
    return load_element(r, args[0], inst->nargs == 2 ? args[1] : 0, inst->text);
  case SA_OP_field:
    return load_field(r, args[0], inst->text);
  case SA_OP_global:
    return simple(r, SA_VAL_GLOBAL, inst->text, NULL, 0);
  case SA_OP_current_stream:
    return r->now.current;
  case SA_OP_default_stream:
    return simple(r, SA_VAL_DEFAULT_STREAM, inst->text, NULL, 0);
  case SA_OP_call:
    return inst->result != 0 ? call_value(r, point, inst, args) : 0;
  case SA_OP_guard: {
    sa_val both[2] = {r->now.current, args[0]};
    return made(r, point, inst, both, 2);
  }
  case SA_OP_foreign:
  case SA_OP_pool_stream:
  case SA_OP_blocking_stream:
  case SA_OP_new_event:
    return made(r, point, inst, args, 0);
  default:
    return made(r, point, inst, args, inst->nargs);
  }
}

static bool is_current_position(const sa_ir_inst *inst) {
  return inst->op != SA_OP_call && sa_ir_op_about(inst->op)->min_args > 0;
}

/* A closure's captures and a hook's parameters get their meaning where the parent uses them. */
static void seed_captures(runner *r, uint32_t lambda, bool by_ref_only) {
  sa_fn *fn = &r->world->fns[lambda];
  if (fn->seeds == NULL || fn->func->parent != r->fn->index) return;
  for (uint32_t i = 0; i < fn->func->captures.n; i++) {
    sa_ir_capture capture = fn->func->captures.at[i];
    if (by_ref_only && !capture.by_ref) continue;
    fn->seeds[capture.inner] = read_reg(r, capture.outer);
  }
}

static void note_called(runner *r, uint32_t point, uint32_t callee, uint32_t skip,
                        const sa_ir_inst *inst, const sa_val *args) {
  sa_fn *fn = &r->world->fns[callee];
  if ((fn->func->flags & SA_FUNC_LAMBDA) == 0 || fn->func->parent != r->fn->index) return;
  fn->many_calls = fn->called_at != SA_NO_INDEX;
  fn->called_at = point;
  seed_captures(r, callee, true);
  for (uint32_t reg = 1; reg <= fn->func->nparams; reg++)
    fn->seeds[reg] = !fn->many_calls && reg - 1 + skip < inst->nargs ? args[reg - 1 + skip] : 0;
  fn->entry = fn->many_calls ? 0 : r->now.current;
}

static void note_passed(runner *r, uint32_t point, sa_val value, int depth) {
  const sa_value v = *sa_value_about(r->world, value);
  if (v.kind != SA_VAL_MADE || depth > 3) return;
  if (v.op == SA_OP_pack)
    for (uint32_t i = 0; i < v.nargs && i < 16; i++) note_passed(r, point, v.args[i], depth + 1);
  uint32_t lambda = sa_value_closure(r->world, value);
  if (lambda == SA_NO_INDEX || r->world->fns[lambda].seeds == NULL) return;
  sa_fn *fn = &r->world->fns[lambda];
  fn->passed = true;
  if (fn->func->parent == r->fn->index) fn->passed_at = point;
  /* Hooks that one call takes get one set of streams: equal types are equal things there. */
  for (uint32_t reg = 1; reg <= fn->func->nparams; reg++) {
    sa_ir_type type = fn->func->regs.at[reg].type;
    if (type.kind != SA_TYPE_STREAM || fn->seeds[reg] != 0) continue;
    fn->seeds[reg] = sa_value_of(
        r->world,
        &(sa_value){.kind = SA_VAL_HOOK, .func = r->fn->index, .at = point, .text = type.name});
    r->world->values.at[fn->seeds[reg]].type = type;
  }
}

static void note_lambdas(runner *r, uint32_t point, const sa_ir_inst *inst, const sa_val *args) {
  if (inst->op == SA_OP_lambda && inst->func != SA_NO_INDEX) {
    seed_captures(r, inst->func, false);
    r->world->fns[inst->func].made_at = point;
  }
  if (inst->op != SA_OP_call) return;
  uint32_t skip = 0, callee = sa_value_callee(r->world, r->fn, point, &skip);
  if (callee != SA_NO_INDEX) note_called(r, point, callee, skip, inst, args);
  for (uint32_t i = callee != SA_NO_INDEX ? skip : 0; i < inst->nargs; i++)
    note_passed(r, point, args[i], 0);
}

static void run_inst(runner *r, uint32_t point, const sa_ir_inst *inst) {
  sa_fn *fn = r->fn;
  sa_val *args = &fn->args[fn->first[point]];
  fn->current[point] = r->now.current;
  for (uint32_t i = 0; i < inst->nargs; i++)
    args[i] = inst->args[i] != 0          ? read_reg(r, inst->args[i])
              : is_current_position(inst) ? r->now.current
                                          : 0;
  sa_val result = inst->result != 0 || inst->op == SA_OP_call ? result_of(r, point, inst, args) : 0;
  fn->results[point] = result;
  if (inst->op == SA_OP_op && is_each(sa_value_about(r->world, result))) forget_turn(r, result);
  if (r->final) note_lambdas(r, point, inst, args);
  switch (inst->op) {
  case SA_OP_set_stream:
  case SA_OP_guard:
    if (!sa_value_is_none(r->world, args[0])) r->now.current = args[0];
    break;
  case SA_OP_end:
  case SA_OP_reset: {
    sa_val before = guarded(r, args[0], 0);
    if (before != 0) r->now.current = before;
    break;
  }
  case SA_OP_setfield:
    store_field(r, args[0], inst->text, args[1]);
    break;
  case SA_OP_append:
    store_element(r, args[0], inst->nargs > 2 ? args[2] : 0, args[1]);
    break;
  case SA_OP_complete:
    put_content(r, args[0], args[1]);
    break;
  default:
    break;
  }
  write_reg(r, inst->result, result);
}

static bool run_block(runner *r, uint32_t block) {
  const sa_ir_block *b = &r->func->blocks.at[block];
  uint32_t width = r->nslots + 1;
  enter_block(r, block);
  memset(r->local, 0, r->func->regs.n * sizeof *r->local);
  for (uint32_t i = 0; i < b->insts.n; i++)
    run_inst(r, r->fn->cfg->base[block] + i, &b->insts.at[i]);
  r->fn->term[block] = read_reg(r, b->value);
  memory *out = &r->out_memory[block];
  sa_val *old = &r->out[block * width];
  bool changed = !out->reached || out->current != r->now.current ||
                 memcmp(old, r->state, r->nslots * sizeof *old) != 0 ||
                 out->nstores != r->now.nstores ||
                 memcmp(out->stores, r->now.stores, out->nstores * sizeof *out->stores) != 0;
  memcpy(old, r->state, width * sizeof *old);
  *out = r->now;
  return changed;
}

static void note_block(runner *r, uint32_t *home, sa_reg reg, uint32_t block) {
  if (reg == 0) return;
  if (home[reg] == SA_NO_INDEX) home[reg] = block;
  if (home[reg] != block && r->slot[reg] == 0) r->slot[reg] = ++r->nslots;
}

/* Registers seen in one block only need no place in the states that flow between blocks. */
static void assign_slots(runner *r) {
  uint32_t *home = sa_alloc(r->scratch, r->func->regs.n * sizeof *home);
  for (uint32_t i = 0; i < r->func->regs.n; i++) home[i] = SA_NO_INDEX;
  for (uint32_t b = 0; b < r->func->blocks.n; b++) {
    const sa_ir_block *block = &r->func->blocks.at[b];
    for (uint32_t i = 0; i < block->insts.n; i++) {
      const sa_ir_inst *inst = &block->insts.at[i];
      note_block(r, home, inst->result, b);
      for (uint32_t j = 0; j < inst->nargs; j++) note_block(r, home, inst->args[j], b);
    }
    note_block(r, home, block->value, b);
  }
}

static void allocate(sa_world *world, sa_fn *fn) {
  uint32_t points = fn->cfg->npoints, total = 0;
  fn->first = sa_alloc(world->arena, (points + 1) * sizeof *fn->first);
  for (uint32_t b = 0; b < fn->func->blocks.n; b++)
    for (uint32_t i = 0; i < fn->func->blocks.at[b].insts.n; i++) {
      fn->first[fn->cfg->base[b] + i] = total;
      total += fn->func->blocks.at[b].insts.at[i].nargs;
    }
  fn->first[points] = total;
  fn->args = sa_alloc(world->arena, (total + 1) * sizeof *fn->args);
  fn->results = sa_alloc(world->arena, (points + 1) * sizeof *fn->results);
  fn->current = sa_alloc(world->arena, (points + 1) * sizeof *fn->current);
  fn->term = sa_alloc(world->arena, (fn->func->blocks.n + 1) * sizeof *fn->term);
}

/* What hooks assigned to variables that they share with later hooks. */
static void hand_on(runner *r) {
  const sa_ir_func *func = r->func;
  for (uint32_t c = 0; c < func->captures.n; c++) {
    sa_ir_capture capture = func->captures.at[c];
    sa_val value = 0;
    for (uint32_t p = 0; p < r->fn->cfg->npoints; p++) {
      const sa_ir_inst *inst = sa_cfg_inst_at(r->fn->cfg, p);
      if (capture.by_ref && inst->result == capture.inner) value = r->fn->results[p];
    }
    if (value == 0) continue;
    for (uint32_t f = 0; f < r->world->unit->funcs.n; f++) {
      sa_fn *other = &r->world->fns[f];
      if (other->func->parent != func->parent || other->valued || f == r->fn->index) continue;
      for (uint32_t i = 0; i < other->func->captures.n; i++)
        if (other->func->captures.at[i].outer == capture.outer &&
            other->func->captures.at[i].by_ref)
          other->seeds[other->func->captures.at[i].inner] = value;
    }
  }
}

static void value_function(sa_world *world, sa_fn *fn) {
  sa_arena *scratch = sa_arena_new();
  runner r = {.world = world, .fn = fn, .func = fn->func, .scratch = scratch};
  uint32_t blocks = fn->func->blocks.n;
  r.slot = sa_alloc(scratch, fn->func->regs.n * sizeof *r.slot);
  assign_slots(&r);
  uint64_t width = (uint64_t)r.nslots + 1;
  if (width * blocks > MAX_CELLS) {
    fn->cfg->too_large = true;
    sa_arena_free(scratch);
    return;
  }
  allocate(world, fn);
  if (fn->entry == 0)
    fn->entry = sa_value_of(world, &(sa_value){.kind = SA_VAL_ENTRY, .func = fn->index});
  r.local = sa_alloc(scratch, fn->func->regs.n * sizeof *r.local);
  r.state = sa_alloc(scratch, width * sizeof *r.state);
  r.out = sa_alloc(scratch, blocks * width * sizeof *r.out);
  r.out_memory = sa_alloc(scratch, blocks * sizeof *r.out_memory);
  r.sticky = sa_alloc(scratch, blocks * width);
  bool changed = true;
  for (r.round = 0; changed && r.round < MAX_ROUNDS; r.round++) {
    changed = false;
    for (uint32_t i = 0; i < fn->cfg->rpo.n; i++) changed |= run_block(&r, fn->cfg->rpo.at[i]);
  }
  r.final = true;
  for (uint32_t i = 0; i < fn->cfg->rpo.n; i++) run_block(&r, fn->cfg->rpo.at[i]);
  fn->valued = true;
  hand_on(&r);
  sa_arena_free(scratch);
}

/* Callees come first where that is possible, a lambda's parent always comes before it. */
static void visit_function(sa_world *world, uint32_t index, uint8_t *mark, uint32_t depth) {
  sa_fn *fn = &world->fns[index];
  if (mark[index] != 0 || fn->valued || depth > MAX_CALL_DEPTH) return;
  mark[index] = 1;
  if (fn->func->parent != SA_NO_INDEX) visit_function(world, fn->func->parent, mark, depth + 1);
  for (uint32_t b = 0; b < fn->func->blocks.n; b++)
    for (uint32_t i = 0; i < fn->func->blocks.at[b].insts.n; i++) {
      uint32_t callee = fn->callees[fn->cfg->base[b] + i];
      if (callee != SA_NO_INDEX && world->fns[callee].func->parent == SA_NO_INDEX)
        visit_function(world, callee, mark, depth + 1);
    }
  if (fn->func->blocks.n > 0 && !fn->cfg->too_large) value_function(world, fn);
}

sa_world *sa_value_run(sa_arena *arena, const sa_ir_unit *unit) {
  sa_world *world = sa_alloc(arena, sizeof *world);
  world->arena = arena;
  world->unit = unit;
  sa_push(arena, &world->values, (sa_value){.kind = SA_VAL_NONE, .text = ""});
  world->fns = sa_alloc(arena, (unit->funcs.n + 1) * sizeof *world->fns);
  for (uint32_t i = 0; i < unit->funcs.n; i++) {
    sa_fn *fn = &world->fns[i];
    fn->func = &unit->funcs.at[i];
    fn->index = i;
    fn->cfg = sa_cfg_build(arena, fn->func);
    fn->seeds = sa_alloc(arena, (fn->func->regs.n + 1) * sizeof *fn->seeds);
    fn->called_at = fn->passed_at = fn->made_at = SA_NO_INDEX;
  }
  sa_value_find_callees(world);
  uint8_t *mark = sa_alloc(arena, unit->funcs.n + 1);
  for (uint32_t i = 0; i < unit->funcs.n; i++) visit_function(world, i, mark, 0);
  /* Chains deeper than the limit were cut; their ends start again here. */
  memset(mark, 0, unit->funcs.n);
  for (uint32_t i = 0; i < unit->funcs.n; i++) visit_function(world, i, mark, 0);
  return world;
}
