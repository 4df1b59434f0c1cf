/* What a recognised call does, by its row of the API models. */
#include "frontend/python/effect.h"
#include "frontend/python/lessons.h"

#include <string.h>

const sa_api *py_recognise_call(body *b, const py_call *c) {
  sa_ir_type receiver = py_reg_type(b, c->receiver);
  if (receiver.many && c->kind != SA_API_FUNCTION && receiver.kind != SA_TYPE_UNKNOWN &&
      receiver.kind != SA_TYPE_TENSOR)
    receiver.kind = SA_TYPE_OBJECT;
  const char *keywords[MAX_ARGS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->nargs; i++)
    if (c->keyword[i] != NULL && !(c->splat[i])) keywords[n++] = c->keyword[i];
  sa_callee callee = {.kind = c->kind,
                      .name = c->name,
                      .python = true,
                      .receiver = receiver.kind,
                      .receiver_name = receiver.name,
                      .nargs = c->nargs,
                      .first = c->nargs > 0 ? py_reg_type(b, c->args[0]).kind : SA_TYPE_UNKNOWN,
                      .keywords = keywords,
                      .nkeywords = n};
  return sa_recognise(b->lo->rules, &callee);
}

static sa_reg operand_reg(const py_call *c, sa_operand operand, sa_reg result) {
  return sa_operand_reg(operand, c->args, c->nargs, c->receiver, result);
}

/* The kinds that operations ask for; a result's kind comes first. */
static const struct {
  sa_ir_op op;
  sa_type result, first, second;
} KINDS[] = {
    {SA_OP_record, 0, SA_TYPE_TENSOR, SA_TYPE_STREAM},
    {SA_OP_erase_record, 0, SA_TYPE_TENSOR, SA_TYPE_STREAM},
    {SA_OP_stream_wait, 0, SA_TYPE_STREAM, SA_TYPE_STREAM},
    {SA_OP_event_wait, 0, SA_TYPE_STREAM, SA_TYPE_EVENT},
    {SA_OP_event_record, 0, SA_TYPE_EVENT, SA_TYPE_STREAM},
    {SA_OP_sync_event, 0, SA_TYPE_EVENT, 0},
    {SA_OP_sync_stream, 0, SA_TYPE_STREAM, 0},
    {SA_OP_set_stream, 0, SA_TYPE_STREAM, 0},
    {SA_OP_extern_stream, SA_TYPE_STREAM, SA_TYPE_STREAM, 0},
    {SA_OP_current_stream, SA_TYPE_STREAM, 0, 0},
    {SA_OP_default_stream, SA_TYPE_STREAM, 0, 0},
    {SA_OP_pool_stream, SA_TYPE_STREAM, 0, 0},
    {SA_OP_blocking_stream, SA_TYPE_STREAM, 0, 0},
    {SA_OP_new_event, SA_TYPE_EVENT, 0, 0},
    {SA_OP_alloc, SA_TYPE_TENSOR, 0, 0},
    {SA_OP_foreign, SA_TYPE_TENSOR, 0, 0},
    {SA_OP_wait_handle, 0, SA_TYPE_HANDLE, 0},
};

static sa_ir_type result_type(body *b, const sa_effect *effect, sa_reg source) {
  sa_ir_type type = py_plain_type(SA_TYPE_UNKNOWN);
  if (effect->makes != SA_TYPE_UNKNOWN) return py_plain_type(effect->makes);
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if (KINDS[i].op == effect->op) type.kind = KINDS[i].result;
  if (type.kind != SA_TYPE_UNKNOWN) return type;
  switch (effect->op) {
  case SA_OP_elem:
    type = py_reg_type(b, source);
    type.many = false;
    return type;
  case SA_OP_pack:
    type = py_reg_type(b, source);
    type.many = true;
    return type;
  case SA_OP_view:
  case SA_OP_mayalias:
  case SA_OP_move:
  case SA_OP_copy:
  case SA_OP_lock:
    return py_reg_type(b, source);
  default:
    return type;
  }
}

static void add_operand(body *b, sa_ir_inst *inst, sa_reg reg, bool written) {
  if (written && inst->nargs < 32) inst->mask |= 1u << inst->nargs;
  py_add_arg(b, inst, reg);
}

static bool holds_nothing(body *b, sa_reg reg) {
  sa_type kind = py_reg_type(b, reg).kind;
  return kind == SA_TYPE_SCALAR || kind == SA_TYPE_STREAM || kind == SA_TYPE_EVENT ||
         kind == SA_TYPE_FUNC || kind == SA_TYPE_GUARD;
}

static void add_operands(body *b, const py_call *c, const sa_effect *effect, sa_ir_inst *inst,
                         sa_reg result) {
  bool use = effect->op == SA_OP_use;
  for (uint8_t i = 0; i < effect->noperands; i++) {
    sa_operand operand = effect->operands[i];
    bool written = (effect->written >> i & 1) != 0;
    if (operand.kind == SA_FROM_REST) {
      for (uint32_t k = operand.index; k < c->nargs; k++)
        if (c->args[k] != 0 && !(use && holds_nothing(b, c->args[k])))
          add_operand(b, inst, c->args[k], written);
      continue;
    }
    sa_reg reg = operand_reg(c, operand, result);
    if (use && i > 0 && (reg == 0 || holds_nothing(b, reg))) continue;
    add_operand(b, inst, reg, written);
  }
}

static bool operands_complete(const sa_ir_inst *inst) {
  const sa_ir_op_info *info = sa_ir_op_about(inst->op);
  if (inst->nargs < info->min_args) return false;
  for (uint32_t i = 0; i < inst->nargs; i++)
    if (inst->args[i] == 0 && !sa_ir_takes_current(inst->op, i)) return false;
  return true;
}

/* Work on a stream that is a method of tensors: whose method it is, is one. */
static void learn_receiver(body *b, const py_call *c, const sa_api *api, const sa_ir_inst *inst) {
  bool asks = api->receiver != NULL && strcmp(api->receiver, "tensor") == 0;
  for (uint32_t i = 1; asks && inst->op == SA_OP_use && i < inst->nargs; i++)
    if (inst->args[i] == c->receiver && c->receiver != 0)
      py_learn_reg(b, c->receiver, py_plain_type(SA_TYPE_TENSOR));
}

/* `wait_stream(None)` and the like: no stream is the current one. */
static void learn_operands(body *b, const sa_ir_inst *inst) {
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
    if (KINDS[i].op != inst->op) continue;
    if (KINDS[i].first != 0 && inst->nargs > 0)
      py_learn_reg(b, inst->args[0], py_plain_type(KINDS[i].first));
    if (KINDS[i].second != 0 && inst->nargs > 1)
      py_learn_reg(b, inst->args[1], py_plain_type(KINDS[i].second));
  }
}

/* `torch.cuda.stream(None)` leaves the current stream as it is. */
static bool wraps_none(body *b, const py_call *c, const sa_effect *effect) {
  const sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  if (effect->op != SA_OP_extern_stream || block->insts.n == 0) return false;
  const sa_ir_inst *inst = &block->insts.at[block->insts.n - 1];
  return inst->op == SA_OP_const && strcmp(inst->text, "None") == 0 &&
         inst->result == operand_reg(c, effect->operands[0], 0);
}

/* `f(x, out=y)` makes nothing: it writes to y, and gives y. */
static sa_reg given_output(body *b, const py_call *c) {
  for (uint32_t i = 0; i < c->nargs; i++) {
    bool out = c->keyword[i] != NULL && strcmp(c->keyword[i], "out") == 0 && !c->splat[i];
    sa_ir_type type = py_reg_type(b, c->args[i]);
    if (out && type.kind == SA_TYPE_TENSOR && !type.many) return c->args[i];
  }
  return 0;
}

static sa_reg emit_effect(body *b, const py_call *c, const sa_api *api, const sa_effect *effect,
                          sa_reg result) {
  if (wraps_none(b, c, effect)) {
    sa_reg current = py_add_temp(b, py_plain_type(SA_TYPE_STREAM));
    py_emit(b, SA_OP_current_stream, current, c->spelling, c->node);
    return current;
  }
  const sa_ir_op_info *info = sa_ir_op_about(effect->op);
  sa_reg made = effect->op == SA_OP_alloc ? given_output(b, c) : 0;
  if (made != 0) return made;
  if (info->has_result) {
    sa_reg source = effect->noperands > 0 ? operand_reg(c, effect->operands[0], result) : 0;
    bool into = effect->has_result && effect->result.kind == SA_FROM_ARG;
    made = into ? operand_reg(c, effect->result, result)
                : py_add_temp(b, result_type(b, effect, source));
    if (made == 0) return result;
    if (!into && (effect->op == SA_OP_view || effect->op == SA_OP_copy))
      py_set_source(b, made, py_source_of(b, source));
    if (!into && effect->op == SA_OP_elem) {
      py_source from = py_source_of(b, source);
      from.element = true;
      py_set_source(b, made, from);
    }
  }
  const char *text = effect->text != NULL ? effect->text : c->spelling;
  sa_ir_inst *inst = py_emit(b, effect->op, made, info->has_text ? text : NULL, c->node);
  add_operands(b, c, effect, inst, result);
  if (!operands_complete(inst)) {
    py_func_of(b)->blocks.at[b->block].insts.n--;
    return result;
  }
  learn_operands(b, inst);
  learn_receiver(b, c, api, inst);
  if (effect->op == SA_OP_record) {
    uint32_t site = py_add_site(b, c->node, api, c->spelling);
    sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
    block->insts.at[block->insts.n - 1].site = site;
  }
  return made != 0 && !(effect->has_result && effect->result.kind == SA_FROM_ARG) ? made : result;
}

sa_reg py_emit_pure(body *b, const py_call *c) {
  sa_reg result = py_add_temp(b, py_plain_type(SA_TYPE_SCALAR));
  sa_ir_inst *inst = py_emit(b, SA_OP_op, result, c->spelling, c->node);
  if (c->receiver != 0) py_add_arg(b, inst, c->receiver);
  for (uint32_t i = 0; i < c->nargs; i++)
    if (c->args[i] != 0) py_add_arg(b, inst, c->args[i]);
  return result;
}

/* Methods that give an element and take it out; the index comes first where the first is asked for
 * it. */
static void take_out(body *b, const py_call *c) {
  static const char *const names[] = {"pop", "popleft", "popitem", "get_nowait"};
  bool takes = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    takes |= c->kind == SA_API_METHOD && strcmp(c->name, names[i]) == 0;
  sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  sa_ir_inst *inst = block->insts.n > 0 ? &block->insts.at[block->insts.n - 1] : NULL;
  if (!takes || c->receiver == 0 || inst == NULL || inst->op != SA_OP_elem) return;
  sa_reg index = strcmp(c->name, "pop") == 0 && c->nargs > 0 ? c->args[0] : 0;
  if (index != 0 && inst->nargs == 1) py_add_arg(b, inst, index);
  py_empty_element(b, c->receiver, index, true, c->node);
}

sa_reg py_emit_api(body *b, py_call *c, const sa_api *api) {
  if (api->effects.n == 0) return py_emit_pure(b, c);
  sa_reg result = 0;
  for (uint32_t i = 0; i < api->effects.n; i++)
    result = emit_effect(b, c, api, &api->effects.at[i], result);
  take_out(b, c);
  return result;
}
