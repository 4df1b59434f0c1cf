/* The control-flow graph of one function: predecessors, order, dominators, control dependence. */
#ifndef SA_ANALYSIS_CFG_H
#define SA_ANALYSIS_CFG_H

#include "model/ir.h"

/* Larger functions are left alone: every answer about them is "unknown, too large". */
enum { SA_MAX_BLOCKS = 4000, SA_MAX_INSTS = 100000, SA_MAX_CONTROLS = 64 };

/* The block runs only when `branch` takes its successor number `arm`. */
typedef struct {
  uint32_t branch, arm;
} sa_control;

typedef SA_ARRAY(uint32_t) sa_index_array;
typedef SA_ARRAY(sa_control) sa_control_array;

typedef struct {
  const sa_ir_func *func;
  uint32_t n;         /* blocks */
  uint32_t npoints;   /* instructions; a point is an instruction's number in the function */
  uint32_t *base;     /* point of a block's first instruction; base[n] == npoints */
  sa_index_array rpo; /* reachable blocks in reverse post-order, a loop's blocks together */
  uint32_t *order;    /* place of a block in rpo, SA_NO_INDEX when it is not reachable */
  sa_index_array *preds;
  uint32_t *idom;  /* immediate dominator; of the entry and of unreachable blocks SA_NO_INDEX */
  uint32_t *ipdom; /* immediate post-dominator; SA_NO_INDEX: the exit, or none */
  sa_control_array *control; /* branches that decide directly whether the block runs, bounded */
  bool *in_loop;
  bool too_large;
} sa_cfg;

/* Needs a checked function; leaves it alone. Lives in `arena`. */
sa_cfg *sa_cfg_build(sa_arena *arena, const sa_ir_func *func);

bool sa_cfg_dominates(const sa_cfg *cfg, uint32_t above, uint32_t below);
/* Everything that decides whether the block runs, also through other branches; the innermost first.
 */
sa_control_array sa_cfg_controls(const sa_cfg *cfg, sa_arena *arena, uint32_t block);
/* The block that holds the point. */
uint32_t sa_cfg_block_of(const sa_cfg *cfg, uint32_t point);
/* Whether control can get from just behind point `from` to point `to`. */
bool sa_cfg_reaches(const sa_cfg *cfg, sa_arena *arena, uint32_t from, uint32_t to);
/* Marks every block that can run when `branch` takes `arm` before its arms meet again. */
void sa_cfg_mark_arm(const sa_cfg *cfg, sa_arena *arena, sa_control arm, bool *marked);

static inline const sa_ir_inst *sa_cfg_inst(const sa_cfg *cfg, uint32_t block, uint32_t point) {
  return &cfg->func->blocks.at[block].insts.at[point - cfg->base[block]];
}

/* The same for a point whose block is not at hand. */
static inline const sa_ir_inst *sa_cfg_inst_at(const sa_cfg *cfg, uint32_t point) {
  return sa_cfg_inst(cfg, sa_cfg_block_of(cfg, point), point);
}

#endif
