/* Value numbering: which registers hold the same stream, event, block or object.
 *
 * A value is a number; equal numbers are equal things. Values are shared by the whole unit, so a
 * lambda's captured variable has its parent's value and `this` is one value for all methods of a
 * class. Different numbers may still be equal at run time: sa_value_same() has the third answer. */
#ifndef SA_ANALYSIS_VALUE_H
#define SA_ANALYSIS_VALUE_H

#include "analysis/cfg.h"

typedef uint32_t sa_val; /* 0: nothing is known */

typedef enum {
  SA_VAL_NONE,
  SA_VAL_PARAM,          /* func, at: register */
  SA_VAL_THIS,           /* text: class */
  SA_VAL_ENTRY,          /* func: the stream that is current when it is entered */
  SA_VAL_VAR,            /* func, at: register before anything was assigned to it */
  SA_VAL_CONST,          /* text */
  SA_VAL_OP,             /* text, args */
  SA_VAL_GETTER,         /* text, args: a call whose result depends on its arguments alone */
  SA_VAL_FIELD,          /* text, args[0]: object */
  SA_VAL_ELEM,           /* args[0]: container, args[1]: index or 0 */
  SA_VAL_LOCK,           /* args[0]: weak reference */
  SA_VAL_GLOBAL,         /* text */
  SA_VAL_DEFAULT_STREAM, /* text: legacy, per-thread or "" */
  SA_VAL_HOOK,           /* func, at: point of the call that takes the lambdas; text: type */
  SA_VAL_MADE,           /* func, at: point, op, args: what that instruction makes */
  SA_VAL_PHI             /* func, at: block and slot; inputs in args */
} sa_val_kind;

typedef struct {
  sa_val_kind kind;
  sa_ir_op op;
  uint32_t func, at;
  const char *text;
  sa_val *args;
  uint32_t nargs;
  sa_ir_type type; /* declared type of the first register that held it */
} sa_value;

typedef SA_ARRAY(sa_val) sa_val_array;

typedef enum { SA_SAME_NO, SA_SAME_MAYBE, SA_SAME_YES } sa_same;

/* One function, valued. args, results and current are indexed by point. */
typedef struct {
  const sa_ir_func *func;
  uint32_t index;
  sa_cfg *cfg;
  bool valued;  /* false: no body, or too large; nothing below is set */
  sa_val entry; /* the stream current at entry */
  sa_val *args; /* operands, args[first[point] + i]; %0 in a stream position is resolved */
  uint32_t *first;
  sa_val *results;
  sa_val *current;    /* the current stream before each point */
  sa_val *term;       /* per block: branch condition or returned value */
  sa_val *seeds;      /* per register: what a capture or lambda parameter stands for, or 0 */
  uint32_t called_at; /* lambda: point of its only call in the parent, or SA_NO_INDEX */
  bool passed;        /* lambda: some call takes it, perhaps in a function beside the parent */
  uint32_t passed_at; /* lambda: point in the parent of the call that takes it, or SA_NO_INDEX */
  uint32_t made_at;   /* lambda: point in the parent where the closure is made, or SA_NO_INDEX */
  bool many_calls;
  uint32_t *callees; /* by point: function that a call runs, as far as it is known without values */
} sa_fn;

typedef struct {
  sa_arena *arena;
  const sa_ir_unit *unit;
  SA_ARRAY(sa_value) values;
  sa_val_array
      *contents; /* per value: what a container or object was given; see sa_value_contents */
  uint32_t ncontents;
  uint32_t *table, table_size; /* hash table over values */
  sa_fn *fns;                  /* by function index */
} sa_world;

/* Fills callees: what the frontend resolved, and calls of a class's own methods whose name and
 * number of arguments fit one body only (calls in templates are often not resolved). */
void sa_value_find_callees(sa_world *world);

/* Needs a checked unit; values every function, parents before their lambdas. Lives in `arena`. */
sa_world *sa_value_run(sa_arena *arena, const sa_ir_unit *unit);

/* The number of a value; the same description gives the same number. Texts and args are copied. */
sa_val sa_value_of(sa_world *world, const sa_value *description);
/* Everything put into the container or object anywhere in the unit; may be NULL. */
const sa_val_array *sa_value_contents(const sa_world *world, sa_val value);

/* Whether two streams (or events) are one. NO for streams that were made apart. */
sa_same sa_value_same(const sa_world *world, sa_val a, sa_val b);

/* Whether using `used` uses `block`: the thing itself, a container of it, an alias. */
sa_same sa_value_covers(const sa_world *world, sa_val used, sa_val block);

/* An element of a container; `index` is a value, 0 or, as text, a literal. What was packed or is
 * known to be one thing is found again. */
sa_val sa_value_element(sa_world *world, sa_val container, sa_val index, const char *text);

/* Whether all that the value may be is made in the function: allocated, or given by a call. */
bool sa_value_is_made_in(const sa_world *world, sa_val value, const sa_fn *fn);

/* Python's None: no stream and no block. */
bool sa_value_is_none(const sa_world *world, sa_val value);

/* The known members of a container: packed, put in, or merged from several paths; NULL: none known.
 */
const sa_val *sa_value_members(const sa_world *world, sa_val container, uint32_t *n);

/* `value` with the callee's parameters, entry stream and `this` replaced by what the call at
 * `point` of `caller` gives; unknown parts give 0. */
sa_val sa_value_at_call(sa_world *world, const sa_fn *caller, uint32_t point, const sa_fn *callee,
                        sa_val value);

/* The function of a closure, SA_NO_INDEX when the value is none or its body is not in the unit. */
uint32_t sa_value_closure(const sa_world *world, sa_val value);

/* Function a call at `point` runs, SA_NO_INDEX when its body is not in the unit. *skip is the
 * number of leading arguments that are no parameters (the closure object). */
uint32_t sa_value_callee(const sa_world *world, const sa_fn *fn, uint32_t point, uint32_t *skip);

/* Strips elements, fields, locks and phis of one root: what the value came from. */
sa_val sa_value_root(const sa_world *world, sa_val value);
/* How people would write the value; never NULL. */
const char *sa_value_spelling(const sa_world *world, sa_val value);

static inline const sa_value *sa_value_about(const sa_world *world, sa_val value) {
  return &world->values.at[value];
}

#endif
