/* Writing IR: registers, instructions, blocks. */
#include "frontend/python/internal.h"

#include "model/ir_build.h"

sa_ir_func *py_func_of(body *b) {
  return &b->lo->unit->funcs.at[b->func];
}

static sa_ir_block *current_block(body *b) {
  return &py_func_of(b)->blocks.at[b->block];
}

sa_reg py_add_reg(body *b, sa_reg_kind kind, sa_ir_type type, const char *name, sa_range at) {
  sa_ir_reg reg = {.kind = kind, .type = type, .name = name, .at = at};
  return sa_ir_add_reg(b->lo->arena, py_func_of(b), reg);
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
  sa_ir_inst *inst = sa_ir_add_inst(b->lo->arena, current_block(b), op, text);
  inst->result = result;
  inst->at = py_range_of(at);
  return inst;
}

void py_add_arg(body *b, sa_ir_inst *inst, sa_reg reg) {
  sa_ir_add_arg(b->lo->arena, inst, reg);
}

sa_reg py_emit_const(body *b, const char *text, sa_type kind, TSNode at) {
  sa_reg result = py_add_temp(b, py_plain_type(kind));
  py_emit(b, SA_OP_const, result, text, at);
  return result;
}

uint32_t py_add_block(body *b) {
  return sa_ir_add_block(b->lo->arena, py_func_of(b));
}

void py_start_block(body *b, uint32_t block) {
  b->block = block;
}

/* Without an end so far. Code after a return goes on in a block that nothing leads to. */
bool py_block_is_open(body *b) {
  return sa_ir_is_open(current_block(b));
}

void py_add_successor(body *b, uint32_t from, uint32_t to) {
  sa_ir_add_successor(b->lo->arena, &py_func_of(b)->blocks.at[from], to);
}

void py_finish_goto(body *b, uint32_t target) {
  sa_ir_end_goto(b->lo->arena, current_block(b), target);
}

void py_finish_branch(body *b, sa_reg condition, uint32_t yes, uint32_t no, TSNode at) {
  sa_ir_end_branch(b->lo->arena, current_block(b), condition, (uint32_t[]){yes, no},
                   py_range_of(at));
}

void py_set_source(body *b, sa_reg reg, py_source source) {
  while (b->sources.n <= reg) sa_push(b->lo->arena, &b->sources, (py_source){0});
  b->sources.at[reg] = source;
}

py_source py_source_of(body *b, sa_reg reg) {
  return reg < b->sources.n ? b->sources.at[reg] : (py_source){0};
}
