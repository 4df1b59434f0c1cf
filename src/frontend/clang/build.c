/* Writing IR: registers, instructions, blocks. */
#include "frontend/clang/internal.h"

#include "model/ir_build.h"

sa_ir_func *func_of(body *b) {
  return &b->lo->unit->funcs.at[b->func];
}

static sa_ir_block *current_block(body *b) {
  return &func_of(b)->blocks.at[b->block];
}

sa_reg add_reg(body *b, sa_reg_kind kind, sa_ir_type type, const char *name, sa_range at) {
  sa_ir_reg reg = {.kind = kind, .type = type, .name = name, .at = at};
  return sa_ir_add_reg(b->lo->arena, func_of(b), reg);
}

sa_reg add_temp(body *b, sa_ir_type type) {
  return add_reg(b, SA_REG_TEMP, type, "", (sa_range){0});
}

sa_ir_type reg_type(body *b, sa_reg reg) {
  if (reg == 0) return (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .name = ""};
  return func_of(b)->regs.at[reg].type;
}

sa_ir_inst *emit(body *b, sa_ir_op op, sa_reg result, const char *text, CXCursor at) {
  sa_ir_inst *inst = sa_ir_add_inst(b->lo->arena, current_block(b), op, text);
  inst->result = result;
  inst->at = range_of(b->lo, at);
  return inst;
}

void add_arg(body *b, sa_ir_inst *inst, sa_reg reg) {
  sa_ir_add_arg(b->lo->arena, inst, reg);
}

uint32_t add_block(body *b) {
  return sa_ir_add_block(b->lo->arena, func_of(b));
}

void start_block(body *b, uint32_t block) {
  b->block = block;
}

/* A block without an end so far: it was made as unreachable and has no successor. Code after a
 * return goes into a fresh block that nothing leads to. */
bool block_is_open(body *b) {
  return sa_ir_is_open(current_block(b));
}

void add_successor(body *b, uint32_t from, uint32_t to) {
  sa_ir_add_successor(b->lo->arena, &func_of(b)->blocks.at[from], to);
}

void finish_goto(body *b, uint32_t target) {
  sa_ir_end_goto(b->lo->arena, current_block(b), target);
}

void finish_branch(body *b, sa_reg condition, uint32_t yes, uint32_t no, CXCursor at) {
  sa_ir_end_branch(b->lo->arena, current_block(b), condition, (uint32_t[]){yes, no},
                   range_of(b->lo, at));
}
