#include "analysis/action.h"
#include "analysis/forward.h"
#include "analysis/member.h"
#include "analysis/store.h"

#include <string.h>

/* A callee that does more than this is treated as not seen. */
enum { MAX_SUMMARY = 2048, MAX_CALL_DEPTH = 200, MAX_ACTIONS = 200000 };

typedef struct {
  sa_action_table *table;
  sa_world *world;
  uint8_t *mark; /* 0 untouched, 1 being read, 2 done */
  const sa_fn *fn;
  sa_actions *out;
} reader;

static bool holds_blocks(sa_ir_type type) {
  return !type.weak && (type.kind == SA_TYPE_TENSOR || type.kind == SA_TYPE_OBJECT ||
                        type.kind == SA_TYPE_HANDLE || type.kind == SA_TYPE_UNKNOWN);
}

/* A register owns when its end is in the program (or it is what is returned): frontends end what
 * owns. Bindings, weak references and raw pointers do not. */
static void find_owners(reader *r) {
  const sa_ir_func *func = r->fn->func;
  bool *owner = r->out->owner = sa_alloc(r->world->arena, func->regs.n + 1);
  for (uint32_t b = 0; b < func->blocks.n; b++) {
    const sa_ir_block *block = &func->blocks.at[b];
    for (uint32_t i = 0; i < block->insts.n; i++) {
      const sa_ir_inst *inst = &block->insts.at[i];
      if (inst->op == SA_OP_end || inst->op == SA_OP_reset || inst->op == SA_OP_clear)
        owner[inst->args[0]] = true;
    }
    if (block->term == SA_TERM_RETURN) owner[block->value] = true;
  }
  for (uint32_t i = 0; i < func->regs.n; i++)
    owner[i] =
        owner[i] && i != 0 && !func->regs.at[i].by_ref && holds_blocks(func->regs.at[i].type);
}

static void add(reader *r, sa_action action) {
  sa_push(r->world->arena, &r->out->list, action);
}

static sa_action plain(const sa_ir_inst *inst, uint32_t point, sa_action_kind kind) {
  return (sa_action){.kind = kind,
                     .op = inst->op,
                     .point = point,
                     .site = SA_NO_INDEX,
                     .via = SA_NO_INDEX,
                     .text = inst->text != NULL ? inst->text : "",
                     .at = inst->at};
}

static void add_pair(reader *r, const sa_ir_inst *inst, uint32_t point, sa_action_kind kind) {
  const sa_val *args = &r->fn->args[r->fn->first[point]];
  sa_action action = plain(inst, point, kind);
  action.a = inst->nargs > 0 ? args[0] : 0;
  action.b = inst->nargs > 1 ? args[1] : 0;
  if (inst->op == SA_OP_record) action.site = inst->site;
  add(r, action);
}

static void add_uses(reader *r, const sa_ir_inst *inst, uint32_t point) {
  const sa_val *args = &r->fn->args[r->fn->first[point]];
  for (uint32_t i = 1; i < inst->nargs; i++) {
    sa_action action = plain(inst, point, SA_ACT_USE);
    action.a = args[i];
    action.b = args[0];
    action.written = i < 32 && (inst->mask & (1u << i)) != 0;
    add(r, action);
  }
}

/* A raw pointer owns nothing, so letting go of it is an explicit free. */
static const char *how_dropped(const sa_ir_inst *inst, sa_type type) {
  if (inst->op == SA_OP_end) return "scope-end";
  if (type == SA_TYPE_MEMORY) return "free";
  if (inst->op == SA_OP_clear) return "clear";
  return strstr(inst->text, "resize") != NULL ? "resize" : "reset";
}

static bool may_order(sa_ir_type type) {
  switch (type.kind) {
  case SA_TYPE_STREAM:
  case SA_TYPE_EVENT:
  case SA_TYPE_GUARD:
  case SA_TYPE_HANDLE:
  case SA_TYPE_FUNC:
  case SA_TYPE_OBJECT:
  case SA_TYPE_UNKNOWN:
    return true;
  default:
    return false;
  }
}

static bool is_lambda(const sa_world *world, sa_val value) {
  const sa_value *v = sa_value_about(world, value);
  return v->kind == SA_VAL_MADE && v->op == SA_OP_lambda;
}

/* A call whose body is not here runs on the current stream, may use and keep what it is given, and
 * may order streams when it is given something to order with. */
static void add_unseen(reader *r, const sa_ir_inst *inst, uint32_t point) {
  const sa_val *args = &r->fn->args[r->fn->first[point]];
  bool opaque = false;
  for (uint32_t i = 0; i < inst->nargs; i++) {
    sa_ir_type type = r->fn->func->regs.at[inst->args[i]].type;
    opaque |= may_order(type);
    bool block = type.kind == SA_TYPE_TENSOR || type.kind == SA_TYPE_MEMORY;
    if (!block && !is_lambda(r->world, args[i])) continue;
    sa_action action = plain(inst, point, block ? SA_ACT_USE : SA_ACT_ESCAPE);
    action.a = args[i];
    action.b = block ? r->fn->current[point] : 0;
    action.unseen = action.maybe = true;
    add(r, action);
  }
  if (!opaque) return;
  sa_action action = plain(inst, point, SA_ACT_OPAQUE);
  action.unseen = true;
  add(r, action);
}

static bool crosses_calls(const sa_action *action) {
  switch (action->kind) {
  case SA_ACT_DROP: /* a free is one wherever it stands */
    return strcmp(action->text, "free") == 0 || strcmp(action->text, "resize") == 0;
  case SA_ACT_ASSIGN:
  case SA_ACT_RETURN:
  case SA_ACT_ALLOC:
  case SA_ACT_SWITCH:
    return false;
  default:
    return true;
  }
}

bool sa_action_waits(sa_action_kind kind) {
  switch (kind) {
  case SA_ACT_EVENT_WAIT:
  case SA_ACT_STREAM_WAIT:
  case SA_ACT_SYNC_EVENT:
  case SA_ACT_SYNC_STREAM:
  case SA_ACT_SYNC_DEVICE:
  case SA_ACT_WAIT_HANDLE:
    return true;
  default:
    return false;
  }
}

static bool takes_stream(sa_action_kind kind) {
  return kind == SA_ACT_USE || kind == SA_ACT_RECORD || kind == SA_ACT_ERASE;
}

/* What the callee made and keeps to itself is no concern of the caller, its events excepted. */
static bool private_block(const reader *r, const sa_action *action, uint32_t callee) {
  const sa_value *v = sa_value_about(r->world, sa_value_root(r->world, action->a));
  bool about_block =
      takes_stream(action->kind) || action->kind == SA_ACT_STORE || action->kind == SA_ACT_DROP;
  if (!about_block) return false;
  return (v->kind == SA_VAL_MADE || v->kind == SA_VAL_VAR) && v->func == callee;
}

/* The function's own variable that a closure's register stands for; 0: none. */
static sa_reg captured(const reader *r, const sa_fn *closure, sa_reg inner) {
  if (closure->func->parent != r->fn->index) return 0;
  for (uint32_t i = 0; i < closure->func->captures.n; i++) {
    const sa_ir_capture *capture = &closure->func->captures.at[i];
    if (capture->by_ref && capture->inner == inner) return capture->outer;
  }
  return 0;
}

/* A variable of the function around that a closure lets go of, or gives something else. */
static bool changes_captured(reader *r, sa_action *action, const sa_fn *closure) {
  if (action->kind != SA_ACT_ASSIGN && action->kind != SA_ACT_DROP) return false;
  sa_reg outer = action->reg != 0 ? captured(r, closure, action->reg) : 0;
  if (outer == 0 || !r->out->owner[outer]) return false;
  action->reg = outer;
  return true;
}

/* An action of the callee in the caller's values; its register is the caller's already, or 0. */
static void add_from(reader *r, const sa_ir_inst *inst, uint32_t point, uint32_t callee,
                     sa_action action) {
  const sa_actions *body = &r->table->of[callee];
  const sa_fn *target = &r->world->fns[callee];
  const char *member = action.member != 0 ? body->members.at[action.member - 1].name : NULL;
  uint32_t block = sa_cfg_block_of(target->cfg, action.point);
  sa_val a = action.a, b = action.b;
  action.a = sa_value_at_call(r->world, r->fn, point, target, a);
  action.b = sa_value_at_call(r->world, r->fn, point, target, b);
  action.maybe |= target->cfg->control[block].n != 0;
  if ((a != 0 && action.a == 0) || (b != 0 && action.b == 0)) action.unseen = true;
  if (action.via == SA_NO_INDEX) action.via = callee;
  action.point = point;
  action.member = 0;
  if (member != NULL && action.b != 0)
    action.member = sa_member_of_this(r->world, r->fn, r->out, action.b, member);
  action.at = inst->at;
  add(r, action);
}

/* A record of one of several, in a container that the callee has made: of what it has put there, as
 * far as the caller can name it. */
static bool add_record_of_parts(reader *r, const sa_ir_inst *inst, uint32_t point, uint32_t callee,
                                const sa_action *action) {
  enum { MAX_PARTS = 8 };
  if (action->kind != SA_ACT_RECORD) return false;
  const sa_fn *target = &r->world->fns[callee];
  uint32_t n = 0, first = r->out->list.n;
  const sa_value *v = sa_value_about(r->world, action->a);
  sa_val container = v->kind == SA_VAL_ELEM ? v->args[0] : action->a;
  if (sa_value_members(r->world, container, &n) == NULL || n < 2) return false;
  for (uint32_t i = 0; i < n && i < MAX_PARTS; i++) {
    sa_action part = *action;
    part.a = sa_value_members(r->world, container, &n)[i];
    bool named = part.a != 0 && !private_block(r, &part, callee) &&
                 sa_value_at_call(r->world, r->fn, point, target, part.a) != 0;
    if (named) add_from(r, inst, point, callee, part);
  }
  return r->out->list.n > first;
}

static void expand(reader *r, const sa_ir_inst *inst, uint32_t point, uint32_t callee) {
  const sa_actions *body = &r->table->of[callee];
  const sa_fn *target = &r->world->fns[callee];
  for (uint32_t i = 0; i < body->list.n; i++) {
    sa_action action = body->list.at[i];
    bool shared = changes_captured(r, &action, target);
    if (add_record_of_parts(r, inst, point, callee, &action)) continue;
    if (!shared && (!crosses_calls(&action) || private_block(r, &action, callee))) continue;
    if (action.kind == SA_ACT_STORE && action.reg != 0) continue;
    if (!shared) action.reg = 0;
    add_from(r, inst, point, callee, action);
  }
}

static void read_function(sa_action_table *table, uint8_t *mark, uint32_t index, uint32_t depth);

/* How the block that a function of this unit gives is made, in the words of its allocation. */
static const char *maker_text(const reader *r, const sa_fn *fn, uint32_t point, int depth) {
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, point);
  uint32_t skip = 0, callee = SA_NO_INDEX;
  if (inst->op == SA_OP_call && depth < 8) callee = sa_value_callee(r->world, fn, point, &skip);
  if (callee == SA_NO_INDEX || !r->world->fns[callee].valued) return inst->text;
  const sa_fn *body = &r->world->fns[callee];
  for (uint32_t i = 0; i < body->cfg->rpo.n; i++) {
    uint32_t block = body->cfg->rpo.at[i];
    if (body->func->blocks.at[block].term != SA_TERM_RETURN) continue;
    const sa_value *v = sa_value_about(r->world, body->term[block]);
    if (v->kind == SA_VAL_MADE && v->func == callee) return maker_text(r, body, v->at, depth + 1);
  }
  return inst->text;
}

/* A tensor that a call gives is taken for new; `unseen` when nobody has looked into the call. */
static void add_result(reader *r, const sa_ir_inst *inst, uint32_t point) {
  const sa_value *v = sa_value_about(r->world, r->fn->results[point]);
  bool made = v->kind == SA_VAL_MADE && v->func == r->fn->index && v->at == point;
  bool tensor = inst->result != 0 && r->fn->func->regs.at[inst->result].type.kind == SA_TYPE_TENSOR;
  if (!made || !tensor || (v->op != SA_OP_alloc && v->op != SA_OP_call)) return;
  sa_action action = plain(inst, point, SA_ACT_ALLOC);
  action.a = r->fn->results[point];
  action.b = v->op == SA_OP_alloc && v->nargs > 0 ? v->args[0] : r->fn->current[point];
  action.unseen = v->op == SA_OP_call;
  if (v->op == SA_OP_alloc) action.text = maker_text(r, r->fn, point, 0);
  add(r, action);
}

static void add_call(reader *r, const sa_ir_inst *inst, uint32_t point, uint32_t depth) {
  uint32_t skip = 0, callee = sa_value_callee(r->world, r->fn, point, &skip);
  if (callee != SA_NO_INDEX) {
    sa_push(r->world->arena, &r->table->callers[callee], (sa_call){r->fn->index, point});
    read_function(r->table, r->mark, callee, depth + 1);
    r->out = &r->table->of[r->fn->index];
    r->out->has_streams |= r->table->of[callee].has_streams;
    bool usable = r->mark[callee] == 2 && r->world->fns[callee].valued &&
                  r->table->of[callee].list.n <= MAX_SUMMARY && r->out->list.n <= MAX_ACTIONS;
    if (usable) {
      expand(r, inst, point, callee);
      return;
    }
  }
  add_unseen(r, inst, point);
}

static void add_switch(reader *r, const sa_ir_inst *inst, uint32_t point) {
  sa_action action = plain(inst, point, SA_ACT_SWITCH);
  action.a = r->fn->current[point];
  action.b = r->fn->args[r->fn->first[point]];
  add(r, action);
}

static void add_store(reader *r, const sa_ir_inst *inst, uint32_t point) {
  const sa_val *args = &r->fn->args[r->fn->first[point]];
  sa_action action = plain(inst, point, SA_ACT_STORE);
  action.a = args[1];
  action.b = args[0];
  action.reg = sa_store_owner(r->world, r->fn, r->out, inst->args[0], action.b);
  if (action.reg != 0 || sa_value_about(r->world, action.b)->kind == SA_VAL_THIS)
    action.member = sa_member_of(r->world, r->fn, r->out, point);
  add(r, action);
}

static void add_drop(reader *r, const sa_ir_inst *inst, uint32_t point) {
  sa_action action = plain(inst, point, SA_ACT_DROP);
  action.a = r->fn->args[r->fn->first[point]];
  action.reg = inst->args[0];
  action.text = how_dropped(inst, r->fn->func->regs.at[inst->args[0]].type.kind);
  add(r, action);
}

static void add_assign(reader *r, const sa_ir_inst *inst, uint32_t point) {
  sa_action action = plain(inst, point, SA_ACT_ASSIGN);
  action.a = r->fn->results[point];
  action.reg = inst->result;
  const sa_ir_reg *reg = &r->fn->func->regs.at[inst->result];
  bool shared = reg->kind == SA_REG_CAPTURE && reg->by_ref && holds_blocks(reg->type);
  if (r->out->owner[inst->result] || shared) add(r, action);
  if (inst->op != SA_OP_move || !r->out->owner[inst->args[0]]) return;
  /* The source has given its reference away; where it went to owns nothing we see: it was moved. */
  action.kind = SA_ACT_DROP;
  action.reg = inst->args[0];
  action.text = "moved";
  add(r, action);
}

/* Operations that are one action on their operands. */
static int direct_action(sa_ir_op op) {
  static const struct {
    sa_ir_op op;
    sa_action_kind kind;
  } rows[] = {
      {SA_OP_record, SA_ACT_RECORD},
      {SA_OP_erase_record, SA_ACT_ERASE},
      {SA_OP_event_record, SA_ACT_EVENT_RECORD},
      {SA_OP_event_wait, SA_ACT_EVENT_WAIT},
      {SA_OP_stream_wait, SA_ACT_STREAM_WAIT},
      {SA_OP_sync_event, SA_ACT_SYNC_EVENT},
      {SA_OP_sync_stream, SA_ACT_SYNC_STREAM},
      {SA_OP_sync_device, SA_ACT_SYNC_DEVICE},
      {SA_OP_event_query, SA_ACT_QUERY},
      {SA_OP_capture_begin, SA_ACT_CAPTURE_BEGIN},
      {SA_OP_capture_end, SA_ACT_CAPTURE_END},
      {SA_OP_free, SA_ACT_FREE},
      {SA_OP_escape, SA_ACT_ESCAPE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == op) return (int)rows[i].kind;
  return -1;
}

static void add_made(reader *r, const sa_ir_inst *inst, uint32_t point) {
  const sa_val *args = &r->fn->args[r->fn->first[point]];
  if (inst->op == SA_OP_alloc) {
    sa_action action = plain(inst, point, SA_ACT_ALLOC);
    action.a = r->fn->results[point];
    action.b = args[0];
    add(r, action);
  } else if (inst->op == SA_OP_mayalias) {
    /* When it copies, the copy reads the source on the current stream. */
    sa_action action = plain(inst, point, SA_ACT_USE);
    action.a = args[0];
    action.b = r->fn->current[point];
    action.maybe = true;
    add(r, action);
  }
}

static void read_inst(reader *r, const sa_ir_inst *inst, uint32_t point, uint32_t depth) {
  int direct = direct_action(inst->op);
  if (direct >= 0) add_pair(r, inst, point, (sa_action_kind)direct);
  switch (inst->op) {
  case SA_OP_use:
    add_uses(r, inst, point);
    break;
  case SA_OP_call:
    add_call(r, inst, point, depth);
    add_result(r, inst, point);
    break;
  case SA_OP_set_stream:
  case SA_OP_guard:
    add_switch(r, inst, point);
    break;
  case SA_OP_setfield:
  case SA_OP_append:
  case SA_OP_complete:
    add_store(r, inst, point);
    break;
  case SA_OP_end:
  case SA_OP_reset:
  case SA_OP_clear:
    add_drop(r, inst, point);
    break;
  case SA_OP_wait_handle: {
    sa_action action = plain(inst, point, SA_ACT_WAIT_HANDLE);
    action.a = r->fn->args[r->fn->first[point]];
    action.b = r->fn->current[point];
    add(r, action);
    break;
  }
  default:
    add_made(r, inst, point);
    break;
  }
  if (inst->result != 0) add_assign(r, inst, point);
}

/* The returned value leaves before the scope's ends, wherever the frontend puts the return. */
static uint32_t before_ends(const sa_ir_block *block) {
  uint32_t i = block->insts.n;
  while (i > 0 && block->insts.at[i - 1].op == SA_OP_end) i--;
  return i;
}

static void read_block(reader *r, uint32_t block, uint32_t depth) {
  const sa_ir_block *b = &r->fn->func->blocks.at[block];
  bool returns = b->term == SA_TERM_RETURN && b->value != 0;
  uint32_t leave = returns ? before_ends(b) : b->insts.n + 1;
  for (uint32_t i = 0; i <= b->insts.n; i++) {
    uint32_t point = r->fn->cfg->base[block] + i;
    if (i == leave)
      add(r, (sa_action){.kind = SA_ACT_RETURN,
                         .a = r->fn->term[block],
                         .at = b->at,
                         .point = i < b->insts.n || i == 0 ? point : point - 1,
                         .site = SA_NO_INDEX,
                         .via = SA_NO_INDEX,
                         .text = ""});
    if (i < b->insts.n) read_inst(r, &b->insts.at[i], point, depth);
  }
}

static bool any_streams(const reader *r) {
  for (uint32_t i = 0; i < r->out->list.n; i++) {
    const sa_action *action = &r->out->list.at[i];
    switch (action->kind) {
    case SA_ACT_RECORD:
    case SA_ACT_EVENT_WAIT:
    case SA_ACT_SYNC_EVENT:
    case SA_ACT_CAPTURE_BEGIN:
      return true;
    case SA_ACT_USE:
      if (action->b != r->fn->entry) return true;
      break;
    case SA_ACT_ALLOC:
      if (action->b != r->fn->entry && !action->unseen) return true;
      break;
    default:
      break;
    }
  }
  return false;
}

static void read_function(sa_action_table *table, uint8_t *mark, uint32_t index, uint32_t depth) {
  if (mark[index] != 0 || depth > MAX_CALL_DEPTH) return;
  reader r = {.table = table,
              .world = table->world,
              .mark = mark,
              .fn = &table->world->fns[index],
              .out = &table->of[index]};
  mark[index] = 1;
  uint32_t blocks = r.fn->func->blocks.n;
  r.out->first = sa_alloc(r.world->arena, (blocks + 1) * sizeof *r.out->first);
  r.out->end = sa_alloc(r.world->arena, (blocks + 1) * sizeof *r.out->end);
  if (r.fn->valued) {
    find_owners(&r);
    for (uint32_t i = 0; i < r.fn->cfg->rpo.n; i++) {
      uint32_t block = r.fn->cfg->rpo.at[i];
      r.out->first[block] = r.out->list.n;
      read_block(&r, block, depth);
      r.out->end[block] = r.out->list.n;
    }
    sa_forward_judge(r.out, r.world, r.fn);
    r.out->has_streams |= any_streams(&r);
  }
  mark[index] = 2;
}

sa_action_table *sa_action_run(sa_world *world) {
  uint32_t n = world->unit->funcs.n;
  sa_action_table *table = sa_alloc(world->arena, sizeof *table);
  table->world = world;
  table->of = sa_alloc(world->arena, (n + 1) * sizeof *table->of);
  table->callers = sa_alloc(world->arena, (n + 1) * sizeof *table->callers);
  uint8_t *mark = sa_alloc(world->arena, n + 1);
  for (uint32_t i = 0; i < n; i++) read_function(table, mark, i, 0);
  return table;
}
