/* Writing a unit of IR: what every frontend does the same way. Everything is made in `arena`; a
 * pointer into an array of the unit holds until the next element is added to that array. */
#ifndef SA_MODEL_IR_BUILD_H
#define SA_MODEL_IR_BUILD_H

#include "model/ir.h"

/* Adds the register and returns its number. A type without a name gets "". */
sa_reg sa_ir_add_reg(sa_arena *arena, sa_ir_func *func, sa_ir_reg reg);

/* Adds an instruction without arguments, function or site. `text` may be NULL: "". */
sa_ir_inst *sa_ir_add_inst(sa_arena *arena, sa_ir_block *block, sa_ir_op op, const char *text);
void sa_ir_add_arg(sa_arena *arena, sa_ir_inst *inst, sa_reg reg);

/* Adds a block that ends nowhere yet and returns its index. */
uint32_t sa_ir_add_block(sa_arena *arena, sa_ir_func *func);
/* Whether it has no end so far: it was made as unreachable and has no successor. */
bool sa_ir_is_open(const sa_ir_block *block);
/* One more way out, unless it is known already; for exceptions and the like. */
void sa_ir_add_successor(sa_arena *arena, sa_ir_block *block, uint32_t to);
/* How it ends. A block that has an end keeps it. */
void sa_ir_end_goto(sa_arena *arena, sa_ir_block *block, uint32_t to);
/* ways[0] is taken when the condition (0: unknown) holds. */
void sa_ir_end_branch(sa_arena *arena, sa_ir_block *block, sa_reg condition, const uint32_t ways[2],
                      sa_range at);

#endif
