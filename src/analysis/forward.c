/* Which functions hand a record on. */
#include "analysis/forward.h"

#include <string.h>

typedef struct {
  sa_world *world;
  const sa_fn *fn;
  const sa_actions *out;
} reader;

/* A number is a stream where the function makes one of it and of nothing else. What a stream is
 * taken out of may be of a class that no row knows. */
static bool is_stream(const sa_ir_reg *reg, int depth) {
  sa_type kind = reg->type.kind;
  return kind == SA_TYPE_STREAM || (kind == SA_TYPE_SCALAR && depth == 0) ||
         kind == SA_TYPE_OBJECT || kind == SA_TYPE_UNKNOWN;
}

/* Whether all that goes into the value are the function's own parameters of one side: streams, or
 * anything else; `any` when one of them is. */
static bool from_own(const reader *r, sa_val value, bool stream, bool *any, int depth) {
  const sa_value *v = sa_value_about(r->world, value);
  if (value == 0 || depth > 6) return false;
  if (v->kind == SA_VAL_PARAM) {
    const sa_ir_reg *reg = &r->world->unit->funcs.at[v->func].regs.at[v->at];
    bool own = v->func == r->fn->index && reg->kind == SA_REG_PARAM &&
               (stream ? is_stream(reg, depth) : reg->type.kind != SA_TYPE_STREAM);
    *any |= own;
    return own;
  }
  if (v->kind == SA_VAL_HOOK && stream) { /* a hook's stream parameter by its meaning */
    for (sa_reg reg = 1; reg <= r->fn->func->nparams; reg++) *any |= r->fn->seeds[reg] == value;
    return *any;
  }
  if (v->kind == SA_VAL_CONST || v->kind == SA_VAL_ENTRY) return true;
  bool call = v->kind == SA_VAL_MADE && v->op == SA_OP_call;
  if (v->kind == SA_VAL_MADE && !call && v->op != SA_OP_pack && v->op != SA_OP_mayalias)
    return false;
  for (uint32_t i = 0; i < v->nargs; i++)
    if (v->args[i] != 0 && !from_own(r, v->args[i], stream, any, depth + 1)) return false;
  return v->nargs > 0;
}

static bool own_stream(const reader *r, sa_val value) {
  bool any = false;
  return from_own(r, value, true, &any, 0) && any;
}

/* The parameter itself or a part of it, not what some call finds through it. */
static bool part_of_own(const reader *r, sa_val value) {
  const sa_value *root = sa_value_about(r->world, sa_value_root(r->world, value));
  return root->kind == SA_VAL_PARAM && root->func == r->fn->index;
}

static bool own_block(const reader *r, sa_val value) {
  bool any = false;
  return from_own(r, value, false, &any, 0) && any;
}

/* What the function itself allocates is no business of a caller's. */
static bool made_here(const reader *r, sa_val value) {
  const sa_value *root = sa_value_about(r->world, sa_value_root(r->world, value));
  return root->kind == SA_VAL_MADE && root->func == r->fn->index &&
         (root->op == SA_OP_alloc || root->op == SA_OP_foreign);
}

/* Whether what the function keeps is its block or stream, in an object that was there before. */
static bool keeps_own(const reader *r, const sa_action *store) {
  const sa_value *to = sa_value_about(r->world, store->b);
  sa_type kind = sa_value_about(r->world, store->a)->type.kind;
  bool constructed = to->op == SA_OP_call && store->via != SA_NO_INDEX &&
                     (r->world->unit->funcs.at[store->via].flags & SA_FUNC_CTOR) != 0;
  if (to->kind == SA_VAL_MADE && (to->op == SA_OP_pack || constructed)) return false;
  const sa_value *root = sa_value_about(r->world, sa_value_root(r->world, store->a));
  if (kind == SA_TYPE_SCALAR || root->type.kind == SA_TYPE_SCALAR) return false;
  return kind != SA_TYPE_UNKNOWN || own_block(r, store->a);
}

/* Whether the call runs a function that somebody else has given. */
static bool runs_given_function(const reader *r, const sa_action *action) {
  if (action->op != SA_OP_call || action->via != SA_NO_INDEX) return false;
  const sa_ir_inst *inst = sa_cfg_inst_at(r->fn->cfg, action->point);
  bool receiver = (inst->mask & 1u) != 0 && inst->nargs > 0;
  return receiver && r->fn->func->regs.at[inst->args[0]].type.kind == SA_TYPE_FUNC;
}

/* Hooks of a collective take a tensor and a stream, too, and their work is often not seen. So a
 * lambda forwards only when there is nothing in it but the record. */
static bool does_more(const reader *r) {
  const sa_ir_func *func = r->fn->func;
  if ((func->flags & SA_FUNC_LAMBDA) == 0) return false;
  /* What bindings are given: a stream may be several numbers, put together here. */
  uint32_t things = 0;
  for (sa_reg reg = 1; reg <= func->nparams; reg++)
    things += func->regs.at[reg].type.kind != SA_TYPE_SCALAR;
  if (func->nparams > 2 && things > 1) return true;
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      bool stream = inst->result != 0 && func->regs.at[inst->result].type.kind == SA_TYPE_STREAM;
      if (inst->op == SA_OP_lambda || inst->op == SA_OP_use) return true;
      if (inst->op == SA_OP_call && !stream) return true;
    }
  return false;
}

static bool has_record(const sa_ir_func *func) {
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++)
      if (func->blocks.at[b].insts.at[i].op == SA_OP_record) return true;
  return false;
}

/* Whether the function packs its block and its stream into a closure that does not record: that is
 * work for later, and where the work is queued the decision is made. */
static bool queues_work(const reader *r) {
  const sa_ir_unit *unit = r->world->unit;
  for (uint32_t k = 0; k < r->fn->cfg->rpo.n; k++) {
    uint32_t block = r->fn->cfg->rpo.at[k];
    const sa_ir_block *b = &r->fn->func->blocks.at[block];
    for (uint32_t i = 0; i < b->insts.n; i++) {
      const sa_ir_inst *inst = &b->insts.at[i];
      if (inst->op != SA_OP_lambda || inst->func == SA_NO_INDEX) continue;
      if (has_record(&unit->funcs.at[inst->func])) continue;
      const sa_val *args = &r->fn->args[r->fn->first[r->fn->cfg->base[block] + i]];
      bool stream = false, own = false;
      for (uint32_t a = 0; a < inst->nargs; a++) {
        stream |= own_stream(r, args[a]);
        own |= part_of_own(r, args[a]) &&
               r->fn->func->regs.at[inst->args[a]].type.kind == SA_TYPE_TENSOR;
      }
      if (stream && own) return true;
    }
  }
  return false;
}

/* Whoever calls an exported function with a raw pointer is no code that we could see: the call in
 * it is the only place to speak of. */
static bool is_foreign_entry(const sa_ir_func *func) {
  bool pointer = false;
  for (sa_reg reg = 1; reg <= func->nparams; reg++)
    pointer |= func->regs.at[reg].type.kind == SA_TYPE_MEMORY;
  return pointer && (func->flags & SA_FUNC_EXPORTED) != 0;
}

/* Whether the action stands above every record of the function. */
static bool precedes_records(const reader *r, const sa_action *action) {
  for (uint32_t i = 0; i < r->out->list.n; i++) {
    const sa_action *other = &r->out->list.at[i];
    if (other->kind == SA_ACT_RECORD && sa_range_compare(other->at, action->at) < 0) return false;
  }
  return true;
}

void sa_forward_judge(sa_actions *out, sa_world *world, const sa_fn *fn) {
  const reader own = {.world = world, .fn = fn, .out = out}, *r = &own;
  const sa_actions *e = out;
  bool forwards = false, number = false, elsewhere = false, current = false;
  for (uint32_t i = 0; i < e->list.n; i++) {
    const sa_action *action = &e->list.at[i];
    switch (action->kind) {
    case SA_ACT_RECORD:
      number |= sa_value_about(r->world, action->b)->type.kind == SA_TYPE_SCALAR;
      current |= action->b == r->fn->entry;
      if (action->b != r->fn->entry && !own_stream(r, action->b)) return;
      if (made_here(r, action->a)) return;
      forwards |= own_block(r, action->a);
      break;
    case SA_ACT_ALLOC: /* what unseen calls give */
      if (!action->unseen) return;
      break;
    case SA_ACT_ASSIGN:
    case SA_ACT_DROP:
    case SA_ACT_RETURN:
    case SA_ACT_OPAQUE:
      break;
    case SA_ACT_STORE:
      if (keeps_own(r, action)) return;
      break;
    case SA_ACT_ESCAPE:
      if (strcmp(action->text, "callback") == 0 && !action->unseen) return;
      elsewhere |= own_block(r, action->a);
      break;
    case SA_ACT_EVENT_WAIT: /* until the block is there, not for its release */
    case SA_ACT_WAIT_HANDLE:
      if (!precedes_records(r, action)) return;
      break;
    case SA_ACT_USE:
      if (own_stream(r, action->b)) return; /* work of its own on the stream it was given */
      elsewhere |= own_block(r, action->a);
      if (!part_of_own(r, action->a)) break;
      if (runs_given_function(r, action) || (!action->unseen && !action->maybe)) return;
      break;
    default:
      return;
    }
  }
  /* Being a stream is less sure of a number: then nothing else may happen to the block. */
  if (number && elsewhere) return;
  forwards = forwards && !does_more(r) && !queues_work(r) && !is_foreign_entry(r->fn->func);
  out->forwards = forwards && !current;
  out->only_records = forwards && current;
  out->only_marks = out->only_records && !elsewhere;
}
