/* The table of values and the questions that are asked about them. value_run.c fills it. */
#include "analysis/value.h"

#include <stdlib.h>
#include <string.h>

/* Deep chains say nothing more to a reader and could be built by hostile input. */
enum { MAX_DEPTH = 8, MAX_SPELLING = 120, MAX_STEPS = 2000, MAX_FEW = 64 };

/* The index of what a loop over a container gives: each of its elements, turn by turn. */
static const char EACH[] = "each";

/* A question about values. When the steps run out the answer is "maybe". */
typedef struct {
  const sa_world *world;
  uint32_t steps;
} question;

static uint32_t hash_value(const sa_value *v) {
  uint32_t h = 2166136261u;
  uint32_t words[] = {(uint32_t)v->kind, (uint32_t)v->op, v->func, v->at, v->nargs};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) h = (h ^ words[i]) * 16777619u;
  for (const char *c = v->text; *c != '\0'; c++) h = (h ^ (unsigned char)*c) * 16777619u;
  /* A phi is its place; its inputs change while the fixpoint runs. */
  for (uint32_t i = 0; v->kind != SA_VAL_PHI && i < v->nargs; i++) h = (h ^ v->args[i]) * 16777619u;
  return h ^ (h >> 15);
}

static bool equal(const sa_value *a, const sa_value *b) {
  if (a->kind != b->kind || a->op != b->op || a->func != b->func || a->at != b->at) return false;
  if (strcmp(a->text, b->text) != 0) return false;
  if (a->kind == SA_VAL_PHI) return true;
  if (a->nargs != b->nargs) return false;
  return a->nargs == 0 || memcmp(a->args, b->args, a->nargs * sizeof *a->args) == 0;
}

static void grow_table(sa_world *world) {
  uint32_t size = world->table_size == 0 ? 1024 : world->table_size * 2;
  world->table = sa_alloc(world->arena, size * sizeof *world->table);
  world->table_size = size;
  for (uint32_t i = 1; i < world->values.n; i++) {
    uint32_t slot = hash_value(&world->values.at[i]) & (size - 1);
    while (world->table[slot] != 0) slot = (slot + 1) & (size - 1);
    world->table[slot] = i;
  }
}

sa_val sa_value_of(sa_world *world, const sa_value *description) {
  sa_value v = *description;
  if (v.text == NULL) v.text = "";
  if (v.kind == SA_VAL_PHI) v.nargs = 0;
  if (world->values.n * 2 >= world->table_size) grow_table(world);
  uint32_t mask = world->table_size - 1, slot = hash_value(&v) & mask;
  for (; world->table[slot] != 0; slot = (slot + 1) & mask)
    if (equal(&world->values.at[world->table[slot]], &v)) return world->table[slot];
  if (v.nargs > 0) {
    v.args = sa_alloc(world->arena, v.nargs * sizeof *v.args);
    memcpy(v.args, description->args, v.nargs * sizeof *v.args);
  }
  world->table[slot] = world->values.n;
  sa_push(world->arena, &world->values, v);
  return world->values.n - 1;
}

const sa_val_array *sa_value_contents(const sa_world *world, sa_val value) {
  if (value >= world->ncontents || world->contents[value].n == 0) return NULL;
  return &world->contents[value];
}

const sa_val *sa_value_members(const sa_world *world, sa_val container, uint32_t *n) {
  const sa_value *v = sa_value_about(world, container);
  const sa_val_array *in = sa_value_contents(world, container);
  bool packed = v->kind == SA_VAL_MADE && v->op == SA_OP_pack && v->nargs > 0;
  *n = 0;
  if (v->kind == SA_VAL_PHI || (packed && in == NULL)) {
    *n = v->nargs;
    return v->args;
  }
  bool local = v->kind == SA_VAL_VAR || v->kind == SA_VAL_MADE || v->kind == SA_VAL_FIELD;
  if (in == NULL || !local) return NULL;
  *n = in->n;
  return in->at;
}

/* A container that the function makes, of blocks that it allocates. */
static bool is_own_list(const sa_world *world, sa_val container, const sa_fn *fn) {
  const sa_value *v = sa_value_about(world, container);
  uint32_t n = 0;
  const sa_val *in = sa_value_members(world, container, &n);
  bool own = v->kind == SA_VAL_MADE && v->op == SA_OP_pack && v->func == fn->index && n > 0;
  for (uint32_t i = 0; own && i < n; i++) {
    const sa_value *member = sa_value_about(world, in[i]);
    own = member->kind == SA_VAL_MADE && member->op == SA_OP_alloc && member->func == fn->index;
  }
  return own;
}

static bool is_made_in(question *q, sa_val value, const sa_fn *fn, int depth) {
  const sa_value *v = sa_value_about(q->world, value);
  if (v->kind == SA_VAL_MADE)
    return v->func == fn->index && (v->op == SA_OP_alloc || v->op == SA_OP_call);
  if (v->kind == SA_VAL_ELEM) return is_own_list(q->world, v->args[0], fn);
  if (v->kind != SA_VAL_PHI || v->nargs == 0 || depth > MAX_DEPTH) return false;
  for (uint32_t i = 0; i < v->nargs; i++)
    if (q->steps++ > MAX_FEW || (v->args[i] != value && !is_made_in(q, v->args[i], fn, depth + 1)))
      return false;
  return true;
}

bool sa_value_is_none(const sa_world *world, sa_val value) {
  const sa_value *v = sa_value_about(world, value);
  return v->kind == SA_VAL_CONST && strcmp(v->text, "None") == 0;
}

bool sa_value_is_made_in(const sa_world *world, sa_val value, const sa_fn *fn) {
  question q = {world, 0};
  return is_made_in(&q, value, fn, 0);
}

/* `{0}`: what is in it is what will be put there. */
static bool is_blank_array(const sa_world *world, const sa_value *pack) {
  if (!pack->type.many || pack->nargs != 1) return false;
  const sa_value *only = sa_value_about(world, pack->args[0]);
  return only->kind == SA_VAL_CONST || (only->kind == SA_VAL_MADE && only->op == SA_OP_const);
}

sa_val sa_value_element(sa_world *world, sa_val container, sa_val index, const char *text) {
  sa_value from = *sa_value_about(world, container);
  if (index != 0 && sa_value_about(world, index)->kind == SA_VAL_CONST)
    text = sa_value_about(world, index)->text;
  bool only_packed = sa_value_contents(world, container) == NULL && !is_blank_array(world, &from);
  if (from.kind == SA_VAL_MADE && from.op == SA_OP_pack && only_packed) {
    if (from.nargs == 1) return from.args[0];
    char *end = NULL;
    unsigned long at = strtoul(text, &end, 10);
    if (end != text && *end == '\0' && at < from.nargs) return from.args[at];
  }
  /* An optional or pointer made from one thing has that thing's value already. */
  bool single = from.kind == SA_VAL_ENTRY || from.kind == SA_VAL_DEFAULT_STREAM ||
                (from.kind == SA_VAL_MADE && from.op != SA_OP_call && from.op != SA_OP_pack &&
                 from.op != SA_OP_const && !from.type.many);
  if (single) return container;
  sa_val parts[2] = {container, index};
  bool each = strcmp(text, EACH) == 0 && from.kind == SA_VAL_MADE && from.op == SA_OP_pack;
  if (index == 0 && ((text[0] >= '0' && text[0] <= '9') || each))
    parts[1] = sa_value_of(world, &(sa_value){.kind = SA_VAL_CONST, .text = text});
  return sa_value_of(world, &(sa_value){.kind = SA_VAL_ELEM, .args = parts, .nargs = 2});
}

static bool made_stream(const sa_value *v) {
  return v->kind == SA_VAL_MADE &&
         (v->op == SA_OP_pool_stream || v->op == SA_OP_blocking_stream || v->op == SA_OP_new_event);
}

/* `0` or `None`: no stream and no event at all. */
static bool nothing(const sa_value *v) {
  return v->kind == SA_VAL_CONST || (v->kind == SA_VAL_MADE && v->op == SA_OP_const);
}

/* Streams that exist before this code runs: nothing made here can be one of them. */
static bool older_stream(const sa_value *v) {
  return v->kind == SA_VAL_ENTRY || v->kind == SA_VAL_PARAM || v->kind == SA_VAL_DEFAULT_STREAM ||
         v->kind == SA_VAL_HOOK;
}

static sa_same same(question *q, sa_val a, sa_val b, int depth) {
  if (a == b) return a == 0 ? SA_SAME_MAYBE : SA_SAME_YES;
  if (a == 0 || b == 0 || depth > MAX_DEPTH || q->steps++ > MAX_STEPS) return SA_SAME_MAYBE;
  const sa_value *va = sa_value_about(q->world, a), *vb = sa_value_about(q->world, b);
  if (va->kind != SA_VAL_PHI && vb->kind == SA_VAL_PHI) return same(q, b, a, depth + 1);
  if (va->kind == SA_VAL_PHI) {
    for (uint32_t i = 0; i < va->nargs; i++)
      if (same(q, va->args[i], b, depth + 1) != SA_SAME_NO) return SA_SAME_MAYBE;
    return va->nargs > 0 ? SA_SAME_NO : SA_SAME_MAYBE;
  }
  if (made_stream(va) && made_stream(vb)) return SA_SAME_NO;
  if ((nothing(va) && made_stream(vb)) || (made_stream(va) && nothing(vb))) return SA_SAME_NO;
  if (va->kind == SA_VAL_DEFAULT_STREAM && vb->kind == SA_VAL_DEFAULT_STREAM)
    return va->text[0] == '\0' || vb->text[0] == '\0' ? SA_SAME_MAYBE : SA_SAME_NO;
  if (!made_stream(va) && !made_stream(vb)) return SA_SAME_MAYBE;
  return older_stream(made_stream(va) ? vb : va) ? SA_SAME_NO : SA_SAME_MAYBE;
}

sa_same sa_value_same(const sa_world *world, sa_val a, sa_val b) {
  question q = {world, 0};
  return same(&q, a, b, 0);
}

static sa_same at_least(sa_same a, sa_same b) {
  return a > b ? a : b;
}

static sa_same at_most(sa_same a, sa_same b) {
  return a < b ? a : b;
}

static sa_same covers(question *q, sa_val used, sa_val block, int depth);

static sa_same covers_any(question *q, const sa_val *values, uint32_t n, sa_val block, int depth) {
  sa_same best = SA_SAME_NO;
  for (uint32_t i = 0; i < n && best != SA_SAME_YES; i++)
    best = at_least(best, covers(q, values[i], block, depth));
  return best;
}

/* Some element of a container may be any of its members; when all are used, it is. */
static sa_same covers_members(question *q, sa_val used, sa_val container, int depth) {
  uint32_t n = 0;
  const sa_val *in = sa_value_members(q->world, container, &n);
  sa_same best = SA_SAME_NO, least = SA_SAME_YES;
  for (uint32_t i = 0; i < n; i++) {
    sa_same one = covers(q, used, in[i], depth);
    best = at_least(best, one);
    least = at_most(least, one);
  }
  return n > 0 && least != SA_SAME_NO ? least : at_most(SA_SAME_MAYBE, best);
}

/* The block's own side: it may be an alias, an element or a member of what is used. */
static sa_same block_within(question *q, sa_val used, sa_val block, int depth) {
  const sa_value *b = sa_value_about(q->world, block);
  sa_same best = SA_SAME_NO;
  switch (b->kind) {
  case SA_VAL_ELEM:
    best = covers(q, used, b->args[0], depth + 1);
    return best == SA_SAME_YES ? best
                               : at_least(best, covers_members(q, used, b->args[0], depth + 1));
  case SA_VAL_LOCK:
    return covers(q, used, b->args[0], depth + 1);
  case SA_VAL_FIELD:
    return at_most(SA_SAME_MAYBE, covers(q, used, b->args[0], depth + 1));
  case SA_VAL_PHI:
    for (uint32_t i = 0; i < b->nargs; i++)
      best = at_least(best, covers(q, used, b->args[i], depth + 1));
    return at_most(SA_SAME_MAYBE, best);
  case SA_VAL_MADE:
    if (b->op != SA_OP_mayalias || b->nargs == 0) return SA_SAME_NO;
    return at_most(SA_SAME_MAYBE, covers(q, used, b->args[0], depth + 1));
  default:
    return SA_SAME_NO;
  }
}

/* The used thing's side: parts, aliases and contents. */
static sa_same within_used(question *q, const sa_value *u, sa_val block, int depth) {
  sa_same best = SA_SAME_NO;
  if (u->kind == SA_VAL_PHI)
    return at_most(SA_SAME_MAYBE, covers_any(q, u->args, u->nargs, block, depth));
  if (u->kind == SA_VAL_LOCK) return covers(q, u->args[0], block, depth);
  if (u->kind == SA_VAL_ELEM) {
    if (u->args[0] == block) return SA_SAME_YES;
    /* Some element: of known contents any may be meant. */
    const sa_val_array *in = sa_value_contents(q->world, u->args[0]);
    const sa_value *from = sa_value_about(q->world, u->args[0]);
    if (in != NULL) best = covers_any(q, in->at, in->n, block, depth);
    if (from->kind == SA_VAL_MADE && from->op == SA_OP_pack)
      best = at_least(best, covers_any(q, from->args, from->nargs, block, depth));
    const sa_value *index = sa_value_about(q->world, u->args[1]);
    bool each = index->kind == SA_VAL_CONST && strcmp(index->text, EACH) == 0;
    return each ? best : at_most(SA_SAME_MAYBE, best);
  }
  if (u->kind != SA_VAL_MADE) return SA_SAME_NO;
  if (u->op == SA_OP_pack || u->op == SA_OP_lambda)
    return covers_any(q, u->args, u->nargs, block, depth);
  if (u->op == SA_OP_mayalias)
    return at_most(SA_SAME_MAYBE, covers_any(q, u->args, u->nargs, block, depth));
  return SA_SAME_NO;
}

static sa_same covers(question *q, sa_val used, sa_val block, int depth) {
  if (used == 0 || block == 0) return SA_SAME_NO;
  if (used == block) return SA_SAME_YES;
  if (q->steps++ > MAX_STEPS) return SA_SAME_MAYBE;
  if (depth > MAX_DEPTH) return SA_SAME_NO;
  const sa_value *u = sa_value_about(q->world, used);
  sa_same best = within_used(q, u, block, depth + 1);
  const sa_val_array *in = sa_value_contents(q->world, used);
  if (in != NULL && u->kind != SA_VAL_THIS && best != SA_SAME_YES)
    best = at_least(best, covers_any(q, in->at, in->n, block, depth + 1));
  if (best == SA_SAME_YES) return best;
  return at_least(best, block_within(q, used, block, depth));
}

sa_same sa_value_covers(const sa_world *world, sa_val used, sa_val block) {
  question q = {world, 0};
  return covers(&q, used, block, 0);
}

uint32_t sa_value_closure(const sa_world *world, sa_val value) {
  const sa_value *v = sa_value_about(world, value);
  if (v->kind != SA_VAL_MADE || v->op != SA_OP_lambda) return SA_NO_INDEX;
  const sa_fn *maker = &world->fns[v->func];
  return sa_cfg_inst_at(maker->cfg, v->at)->func;
}

uint32_t sa_value_callee(const sa_world *world, const sa_fn *fn, uint32_t point, uint32_t *skip) {
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, point);
  uint32_t callee = fn->callees[point];
  *skip = 0;
  if (inst->op != SA_OP_call) return SA_NO_INDEX;
  bool receiver = (inst->mask & 1u) != 0 && inst->nargs > 0;
  if (receiver && callee == SA_NO_INDEX)
    callee = sa_value_closure(world, fn->args[fn->first[point]]);
  if (callee == SA_NO_INDEX || callee >= world->unit->funcs.n) return SA_NO_INDEX;
  const sa_ir_func *body = &world->unit->funcs.at[callee];
  *skip = receiver && (body->flags & SA_FUNC_METHOD) == 0;
  return body->blocks.n > 0 ? callee : SA_NO_INDEX;
}

typedef struct {
  sa_world *world;
  const sa_fn *caller, *callee;
  uint32_t point, skip;
} call_site;

static sa_val replace(const call_site *call, sa_val value, int depth) {
  sa_value v = *sa_value_about(call->world, value); /* a copy: the table may move */
  uint32_t nargs = call->caller->first[call->point + 1] - call->caller->first[call->point];
  const sa_val *given = &call->caller->args[call->caller->first[call->point]];
  if (value == 0 || depth > MAX_DEPTH) return 0;
  if (v.kind == SA_VAL_PARAM && v.func == call->callee->index) {
    uint32_t index = v.at - 1 + call->skip;
    return index < nargs ? given[index] : 0;
  }
  if (v.kind == SA_VAL_THIS)
    return call->callee->func->nparams > 0 && nargs > 0 && call->skip == 0 &&
                   call->callee->func->regs.at[1].kind == SA_REG_THIS
               ? given[0]
               : value;
  if (v.kind == SA_VAL_ENTRY && v.func == call->callee->index)
    return call->caller->current[call->point];
  if (v.nargs == 0 || v.kind == SA_VAL_PHI || v.nargs > 16) return value;
  if (v.kind == SA_VAL_MADE && v.op != SA_OP_pack && v.op != SA_OP_mayalias) return value;
  sa_val args[16];
  bool changed = false;
  for (uint32_t i = 0; i < v.nargs; i++) {
    args[i] = replace(call, v.args[i], depth + 1);
    if (args[i] == 0 && v.args[i] != 0) return 0;
    changed |= args[i] != v.args[i];
  }
  if (!changed) return value;
  if (v.kind == SA_VAL_ELEM) return sa_value_element(call->world, args[0], args[1], "");
  v.args = args;
  return sa_value_of(call->world, &v);
}

sa_val sa_value_at_call(sa_world *world, const sa_fn *caller, uint32_t point, const sa_fn *callee,
                        sa_val value) {
  call_site call = {.world = world, .caller = caller, .callee = callee, .point = point};
  sa_value_callee(world, caller, point, &call.skip);
  return replace(&call, value, 0);
}

sa_val sa_value_root(const sa_world *world, sa_val value) {
  for (int depth = 0; depth < 4 * MAX_DEPTH; depth++) {
    const sa_value *v = sa_value_about(world, value);
    bool step = v->kind == SA_VAL_ELEM || v->kind == SA_VAL_FIELD || v->kind == SA_VAL_LOCK;
    if (v->kind == SA_VAL_MADE && (v->op == SA_OP_mayalias || v->op == SA_OP_pack))
      step = v->nargs == 1;
    if (!step || v->args[0] == 0) break;
    value = v->args[0];
  }
  return value;
}

static const char *name_of(const sa_world *world, const sa_value *v) {
  const sa_ir_func *func = &world->unit->funcs.at[v->func];
  const char *name = v->at < func->regs.n ? func->regs.at[v->at].name : NULL;
  return name != NULL ? name : "";
}

/* A variable that the register is copied to, where it has no name itself. */
static const char *name_or_copy(const sa_fn *fn, sa_reg reg) {
  const char *name = fn->func->regs.at[reg].name;
  for (uint32_t p = 0; name[0] == '\0' && p < fn->cfg->npoints; p++) {
    const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, p);
    if (inst->op == SA_OP_copy && inst->args[0] == reg) name = fn->func->regs.at[inst->result].name;
  }
  return name;
}

/* The member or element that the thing is put into at once. */
static const char *kept_name(const sa_world *world, const sa_fn *fn, uint32_t made, sa_val value) {
  if (made + 1 >= fn->cfg->npoints) return NULL;
  const sa_ir_inst *next = sa_cfg_inst_at(fn->cfg, made + 1);
  const sa_val *args = &fn->args[fn->first[made + 1]];
  bool field = next->op == SA_OP_setfield;
  if ((!field && next->op != SA_OP_append) || args[1] != value) return NULL;
  const char *owner = name_or_copy(fn, next->args[0]);
  if (field) return sa_printf(world->arena, "%s.%s", owner, next->text);
  const sa_value *index = next->nargs > 2 ? sa_value_about(world, args[2]) : NULL;
  const char *at = index != NULL && index->kind == SA_VAL_CONST ? index->text : "";
  return sa_printf(world->arena, "%s[%s]", owner, at);
}

/* The variable that an instruction's result was put into, for things made by it. */
static const char *made_name(const sa_world *world, const sa_value *v, sa_val value) {
  const sa_fn *fn = &world->fns[v->func];
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, v->at);
  const sa_ir_func *func = fn->func;
  if (inst->result != 0 && func->regs.at[inst->result].name[0] != '\0')
    return func->regs.at[inst->result].name;
  if (fn->results != NULL)
    for (uint32_t p = v->at + 1; p < fn->cfg->npoints && p < v->at + 64; p++) {
      if (fn->results[p] != value) continue;
      const sa_ir_inst *later = sa_cfg_inst_at(fn->cfg, p);
      if (later->result != 0 && func->regs.at[later->result].name[0] != '\0')
        return func->regs.at[later->result].name;
    }
  const char *kept = kept_name(world, fn, v->at, value);
  return kept != NULL ? kept : inst->text != NULL ? inst->text : "";
}

static const char *spell(const sa_world *world, sa_val value, int depth) {
  const sa_value *v = sa_value_about(world, value);
  if (depth > MAX_DEPTH) return "...";
  switch (v->kind) {
  case SA_VAL_PARAM:
  case SA_VAL_VAR:
    return name_of(world, v);
  case SA_VAL_THIS:
    return "this";
  case SA_VAL_ENTRY:
    return "current stream";
  case SA_VAL_DEFAULT_STREAM:
    return "default stream";
  case SA_VAL_CONST:
  case SA_VAL_GLOBAL:
  case SA_VAL_GETTER:
    return v->text;
  case SA_VAL_FIELD: {
    const sa_value *object = sa_value_about(world, v->args[0]);
    if (object->kind == SA_VAL_THIS || object->kind == SA_VAL_NONE) return v->text;
    return sa_printf(world->arena, "%.*s.%s", MAX_SPELLING, spell(world, v->args[0], depth + 1),
                     v->text);
  }
  case SA_VAL_ELEM:
  case SA_VAL_LOCK:
    return spell(world, v->args[0], depth + 1);
  case SA_VAL_PHI: {
    const char *current = ""; /* of several the one that has a name of its own */
    for (uint32_t i = 0; i < v->nargs; i++) {
      const char *text = spell(world, v->args[i], depth + 1);
      bool entry = sa_value_about(world, v->args[i])->kind == SA_VAL_ENTRY;
      if (text[0] != '\0' && !entry) return text;
      if (entry) current = text;
    }
    return current;
  }
  case SA_VAL_MADE:
    if (v->op == SA_OP_mayalias && v->nargs > 0) return spell(world, v->args[0], depth + 1);
    return made_name(world, v, value);
  default:
    return v->text != NULL ? v->text : "";
  }
}

const char *sa_value_spelling(const sa_world *world, sa_val value) {
  return value == 0 ? "" : spell(world, value, 0);
}
