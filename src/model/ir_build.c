#include "model/ir_build.h"

sa_reg sa_ir_add_reg(sa_arena *arena, sa_ir_func *func, sa_ir_reg reg) {
  if (reg.type.name == NULL) reg.type.name = "";
  sa_push(arena, &func->regs, reg);
  return func->regs.n - 1;
}

sa_ir_inst *sa_ir_add_inst(sa_arena *arena, sa_ir_block *block, sa_ir_op op, const char *text) {
  sa_ir_inst inst = {
      .op = op, .text = text != NULL ? text : "", .func = SA_NO_INDEX, .site = SA_NO_INDEX};
  sa_push(arena, &block->insts, inst);
  return &block->insts.at[block->insts.n - 1];
}

void sa_ir_add_arg(sa_arena *arena, sa_ir_inst *inst, sa_reg reg) {
  inst->args = sa_regrow(arena, inst->args, inst->nargs * sizeof *inst->args,
                         (inst->nargs + 1) * sizeof *inst->args);
  inst->args[inst->nargs++] = reg;
}

uint32_t sa_ir_add_block(sa_arena *arena, sa_ir_func *func) {
  sa_push(arena, &func->blocks, (sa_ir_block){.term = SA_TERM_UNREACHABLE});
  return func->blocks.n - 1;
}

bool sa_ir_is_open(const sa_ir_block *block) {
  return block->term == SA_TERM_UNREACHABLE && block->succ.n == 0;
}

void sa_ir_add_successor(sa_arena *arena, sa_ir_block *block, uint32_t to) {
  for (uint32_t i = 0; i < block->succ.n; i++)
    if (block->succ.at[i] == to) return;
  sa_push(arena, &block->succ, to);
}

void sa_ir_end_goto(sa_arena *arena, sa_ir_block *block, uint32_t to) {
  if (!sa_ir_is_open(block)) return;
  block->term = SA_TERM_GOTO;
  sa_push(arena, &block->succ, to);
}

void sa_ir_end_branch(sa_arena *arena, sa_ir_block *block, sa_reg condition, const uint32_t ways[2],
                      sa_range at) {
  if (!sa_ir_is_open(block)) return;
  block->term = SA_TERM_BRANCH;
  block->value = condition;
  block->at = at;
  sa_push(arena, &block->succ, ways[0]);
  sa_push(arena, &block->succ, ways[1]);
}
