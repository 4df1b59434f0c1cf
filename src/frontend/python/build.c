/* Writing IR: registers, instructions, blocks. */
#include "frontend/python/internal.h"

sa_ir_func *py_func_of(body *b) {
  return &b->lo->unit->funcs.at[b->func];
}

sa_reg py_add_reg(body *b, sa_reg_kind kind, sa_ir_type type, const char *name, sa_range at) {
  sa_ir_func *f = py_func_of(b);
  if (type.name == NULL) type.name = "";
  sa_push(b->lo->arena, &f->regs, (sa_ir_reg){.kind = kind, .type = type, .name = name, .at = at});
  return f->regs.n - 1;
}

sa_reg py_add_temp(body *b, sa_ir_type type) {
  return py_add_reg(b, SA_REG_TEMP, type, "", (sa_range){0});
}

sa_reg py_add_placeholder(body *b) {
  return py_add_temp(b, py_plain_type(SA_TYPE_UNKNOWN));
}

sa_ir_type py_reg_type(body *b, sa_reg reg) {
  return reg == 0 ? py_plain_type(SA_TYPE_UNKNOWN) : py_func_of(b)->regs.at[reg].type;
}

sa_ir_inst *py_emit(body *b, sa_ir_op op, sa_reg result, const char *text, TSNode at) {
  sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  sa_push(b->lo->arena, &block->insts,
          (sa_ir_inst){.op = op,
                       .result = result,
                       .text = text != NULL ? text : "",
                       .func = SA_NO_INDEX,
                       .site = SA_NO_INDEX,
                       .at = py_range_of(at)});
  return &block->insts.at[block->insts.n - 1];
}

void py_add_arg(body *b, sa_ir_inst *inst, sa_reg reg) {
  inst->args = sa_regrow(b->lo->arena, inst->args, inst->nargs * sizeof *inst->args,
                         (inst->nargs + 1) * sizeof *inst->args);
  inst->args[inst->nargs++] = reg;
}

sa_reg py_emit_const(body *b, const char *text, sa_type kind, TSNode at) {
  sa_reg result = py_add_temp(b, py_plain_type(kind));
  py_emit(b, SA_OP_const, result, text, at);
  return result;
}

uint32_t py_add_block(body *b) {
  sa_ir_func *f = py_func_of(b);
  sa_push(b->lo->arena, &f->blocks, (sa_ir_block){.term = SA_TERM_UNREACHABLE});
  return f->blocks.n - 1;
}

void py_start_block(body *b, uint32_t block) {
  b->block = block;
}

/* Without an end so far. Code after a return goes on in a block that nothing leads to. */
bool py_block_is_open(body *b) {
  sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  return block->term == SA_TERM_UNREACHABLE && block->succ.n == 0;
}

void py_add_successor(body *b, uint32_t from, uint32_t to) {
  sa_ir_block *block = &py_func_of(b)->blocks.at[from];
  for (uint32_t i = 0; i < block->succ.n; i++)
    if (block->succ.at[i] == to) return;
  sa_push(b->lo->arena, &block->succ, to);
}

void py_finish_goto(body *b, uint32_t target) {
  if (!py_block_is_open(b)) return;
  sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  block->term = SA_TERM_GOTO;
  sa_push(b->lo->arena, &block->succ, target);
}

void py_finish_branch(body *b, sa_reg condition, uint32_t yes, uint32_t no, TSNode at) {
  if (!py_block_is_open(b)) return;
  sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  block->term = SA_TERM_BRANCH;
  block->value = condition;
  block->at = py_range_of(at);
  sa_push(b->lo->arena, &block->succ, yes);
  sa_push(b->lo->arena, &block->succ, no);
}

void py_set_source(body *b, sa_reg reg, py_source source) {
  while (b->sources.n <= reg) sa_push(b->lo->arena, &b->sources, (py_source){0});
  b->sources.at[reg] = source;
}

py_source py_source_of(body *b, sa_reg reg) {
  return reg < b->sources.n ? b->sources.at[reg] : (py_source){0};
}
