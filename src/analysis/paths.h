/* The ways through a function, each as a straight line of instructions: branches are decided, calls
 * of plain functions of the unit are looked into, loops of known length are walked turn by turn. On
 * a straight line the order analysis is exact; where paths meet it has to be careful. */
#ifndef SA_ANALYSIS_PATHS_H
#define SA_ANALYSIS_PATHS_H

#include "model/ir.h"

enum {
  SA_MAX_PATHS = 64,
  SA_MAX_PATH = 3000, /* instructions on one path */
  SA_MAX_DECISIONS = 12
};

typedef struct {
  sa_ir_func *func; /* one block; registers of the function keep their numbers */
  /* Every decision is whether a parameter of the function is zero, or below some number: any caller
   * can bring it about. */
  bool firm;
  const char *when; /* what was decided about parameters, in words; NULL: nothing */
  sa_range when_at; /* the first such branch */
} sa_path;

typedef struct {
  SA_ARRAY(sa_path) at;
  bool changed;    /* false: the function was a straight line already */
  bool partial;    /* turns of loops whose end is not known were walked a few times, not more */
  uint32_t length; /* instructions of all paths */
} sa_paths;

/* Needs a checked unit; leaves it alone. False, and nothing of use in *out, where there are more
 * paths, or more than `limit` instructions on them, than are looked at, an exception, or a lambda.
 * An instruction of a function that was looked into stands at the call. Lives in `arena`. */
bool sa_paths_build(sa_paths *out, sa_arena *arena, const sa_ir_unit *unit, uint32_t func,
                    uint32_t limit);

#endif
