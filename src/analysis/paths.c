#include "analysis/paths.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_TERMS = 4000, MAX_TURNS = 3, MAX_LOW = 1000000 };

/* What a scalar register holds. Equal terms have equal numbers; the others are all different. */
typedef enum { TERM_NUMBER, TERM_PARAM, TERM_OTHER, TERM_OP } term_kind;

typedef struct {
  term_kind kind;
  long number;      /* of a number; the register of a parameter */
  const char *text; /* of an operation */
  uint32_t a, b;    /* its operands; 0: none */
  int decided;      /* 0 not yet, 1 it is zero, 2 it is not */
  long low, high;   /* of a parameter: the numbers that it can still be */
} term;

typedef struct {
  uint8_t taken, options;
} decision;

typedef struct frame {
  const struct frame *outer;
  const sa_ir_func *func;
  uint32_t index;
  sa_reg *regs; /* of the path, by register of func; 0: not there yet */
} frame;

typedef struct {
  sa_arena *arena;
  const sa_ir_unit *unit;
  sa_ir_func *out;
  SA_ARRAY(term) terms;     /* at[0] is unused */
  SA_ARRAY(uint32_t) holds; /* per register of the path: its term, or 0 */
  decision decisions[SA_MAX_DECISIONS];
  uint32_t ndecisions, position;
  const sa_range *call; /* the outermost call that is looked into, or NULL */
  uint32_t depth;
  bool firm, changed, failed;
  bool bounded, cut; /* loops are left after a few turns; this path had more */
  const char *when;  /* as in sa_path */
  sa_range when_at;
} walker;

/* ---- terms ---- */

static uint32_t term_of(walker *w, term t) {
  for (uint32_t i = 1; i < w->terms.n && t.kind != TERM_OTHER; i++) {
    const term *u = &w->terms.at[i];
    if (u->kind == t.kind && u->number == t.number && u->a == t.a && u->b == t.b &&
        strcmp(u->text, t.text) == 0)
      return i;
  }
  if (w->terms.n >= MAX_TERMS) {
    w->failed = true;
    return 0;
  }
  sa_push(w->arena, &w->terms, t);
  return w->terms.n - 1;
}

static uint32_t number_term(walker *w, long number) {
  return term_of(w, (term){.kind = TERM_NUMBER, .number = number, .text = ""});
}

static uint32_t other_term(walker *w) {
  return term_of(w, (term){.kind = TERM_OTHER, .text = ""});
}

static bool is_text(const term *t, const char *text) {
  return t->kind == TERM_OP && strcmp(t->text, text) == 0;
}

/* A parameter against a number, as "parameter > number" or the negation of it. */
typedef struct {
  uint32_t param; /* 0: the term is nothing of that kind */
  long number;
  bool negated;
} bound;

static bound bound_of(const walker *w, const term *t) {
  static const struct {
    const char *text;
    bool negated; /* p < n is not p > n - 1 */
    int add;
  } rows[] = {{">", false, 0}, {"<=", true, 0}, {"<", true, -1}, {">=", false, -1}};
  static const char *const turned[] = {"<", ">=", ">", "<="};
  if (t->kind != TERM_OP || t->a == 0 || t->b == 0) return (bound){0};
  const term *a = &w->terms.at[t->a], *b = &w->terms.at[t->b];
  bool swapped = a->kind == TERM_NUMBER;
  if ((swapped ? b : a)->kind != TERM_PARAM || (swapped ? a : b)->kind != TERM_NUMBER)
    return (bound){0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(t->text, swapped ? turned[i] : rows[i].text) == 0)
      return (bound){swapped ? t->b : t->a, (swapped ? a : b)->number + rows[i].add,
                     rows[i].negated};
  return (bound){0};
}

/* -1 unknown, else the truth of what the bound says. */
static int truth_of_bound(const walker *w, bound b) {
  const term *param = &w->terms.at[b.param];
  if (param->low > b.number) return !b.negated;
  return param->high <= b.number ? b.negated : -1;
}

static void decide_bound(walker *w, bound b, bool holds) {
  term *param = &w->terms.at[b.param];
  if (holds != b.negated)
    param->low = b.number + 1;
  else
    param->high = b.number;
}

/* -1 unknown, else the truth of the term; *ask gets a term whose decision would help. */
static int truth(const walker *w, uint32_t index, uint32_t *ask) {
  const term *t = &w->terms.at[index];
  if (t->kind == TERM_NUMBER) return t->number != 0;
  if (t->decided != 0) return t->decided - 1;
  if (is_text(t, "!") || is_text(t, "not")) {
    int inner = truth(w, t->a, ask);
    return inner < 0 ? inner : !inner;
  }
  bool both = is_text(t, "&&") || is_text(t, "and");
  if (both || is_text(t, "||") || is_text(t, "or")) {
    int left = truth(w, t->a, ask);
    if (left < 0) return left;
    if (left != (int)both) return left;
    return truth(w, t->b, ask);
  }
  *ask = index;
  bound b = bound_of(w, t);
  return b.param != 0 ? truth_of_bound(w, b) : -1;
}

static bool fold(const char *text, long a, long b, long *out) {
  static const char *const compare[] = {"==", "!=", "<", ">", "<=", ">="};
  const int results[] = {a == b, a != b, a<b, a> b, a <= b, a >= b};
  for (size_t i = 0; i < sizeof compare / sizeof *compare; i++)
    if (strcmp(text, compare[i]) == 0) {
      *out = results[i];
      return true;
    }
  bool plus = strcmp(text, "+") == 0;
  if (!plus && strcmp(text, "-") != 0) return false;
  if (labs(a) > 1000000 || labs(b) > 1000000) return false;
  *out = plus ? a + b : a - b;
  return true;
}

static uint32_t held(const walker *w, sa_reg reg) {
  return reg < w->holds.n ? w->holds.at[reg] : 0;
}

static void hold(walker *w, sa_reg reg, uint32_t index) {
  while (w->holds.n <= reg) sa_push(w->arena, &w->holds, 0u);
  w->holds.at[reg] = index;
}

static uint32_t operation_term(walker *w, const sa_ir_inst *inst) {
  uint32_t a = inst->nargs > 0 ? held(w, inst->args[0]) : 0;
  uint32_t b = inst->nargs > 1 ? held(w, inst->args[1]) : 0;
  if (inst->nargs == 0 || inst->nargs > 2 || a == 0 || (inst->nargs == 2 && b == 0))
    return other_term(w);
  if (strcmp(inst->text, "op") == 0) return other_term(w);
  if (strcmp(inst->text, "each") == 0) return a; /* what a loop's variable is given */
  const term *x = &w->terms.at[a], *y = &w->terms.at[b];
  long number;
  bool numbers = inst->nargs == 2 && x->kind == TERM_NUMBER && y->kind == TERM_NUMBER;
  if (numbers && fold(inst->text, x->number, y->number, &number)) return number_term(w, number);
  return term_of(w, (term){.kind = TERM_OP, .text = inst->text, .a = a, .b = b});
}

static uint32_t constant_term(walker *w, const char *text) {
  char *end = NULL;
  long number = strtol(text, &end, 0);
  while (end != text && strchr("uUlLzZ", *end) != NULL && *end != '\0') end++;
  if (end != text && *end == '\0') return number_term(w, number);
  if (strcmp(text, "true") == 0 || strcmp(text, "True") == 0) return number_term(w, 1);
  if (strcmp(text, "false") == 0 || strcmp(text, "False") == 0) return number_term(w, 0);
  return other_term(w);
}

/* What the instruction, of the path by now, says of its result. */
static void follow_scalars(walker *w, const sa_ir_inst *inst) {
  uint32_t index = 0;
  switch (inst->op) {
  case SA_OP_const:
    index = constant_term(w, inst->text);
    break;
  case SA_OP_copy:
  case SA_OP_move:
    index = held(w, inst->args[0]);
    break;
  case SA_OP_op:
    index = operation_term(w, inst);
    break;
  case SA_OP_call:
    /* It may have been given the variable's address. */
    for (uint32_t i = 0; i < inst->nargs; i++)
      if (w->out->regs.at[inst->args[i]].kind != SA_REG_TEMP && held(w, inst->args[i]) != 0)
        hold(w, inst->args[i], other_term(w));
    break;
  default:
    break;
  }
  if (inst->result != 0) hold(w, inst->result, index != 0 ? index : other_term(w));
}

/* ---- decisions ---- */

static uint32_t choose(walker *w, uint32_t options) {
  if (w->position == w->ndecisions) {
    if (w->ndecisions == SA_MAX_DECISIONS || options > UINT8_MAX) {
      w->failed = true;
      return 0;
    }
    w->decisions[w->ndecisions++] = (decision){0, (uint8_t)options};
  }
  return w->decisions[w->position++].taken;
}

/* The next path's decisions; false after the last one. */
static bool turn(walker *w) {
  while (w->ndecisions > 0) {
    decision *last = &w->decisions[w->ndecisions - 1];
    if (++last->taken < last->options) return true;
    w->ndecisions--;
  }
  return false;
}

static void say_when(walker *w, const term *param, sa_range at) {
  const char *name = w->out->regs.at[param->number].name;
  const char *how = param->decided == 2 ? "set" : "not set";
  if (w->when == NULL) w->when_at = at;
  w->when = w->when == NULL ? sa_printf(w->arena, "'%s' is %s", name, how)
                            : sa_printf(w->arena, "%s, '%s' is %s", w->when, name, how);
}

static uint32_t decide(walker *w, const frame *f, const sa_ir_block *block) {
  sa_reg reg = block->value != 0 ? f->regs[block->value] : 0;
  uint32_t condition = reg != 0 ? held(w, reg) : 0;
  w->changed = true;
  if (condition == 0 || block->succ.n != 2) {
    w->firm = false;
    return choose(w, block->succ.n);
  }
  for (;;) {
    uint32_t ask = 0;
    int known = truth(w, condition, &ask);
    if (known >= 0 || w->failed) return known > 0 ? 0 : 1;
    bound b = bound_of(w, &w->terms.at[ask]);
    bool holds = choose(w, 2) == 0;
    if (b.param != 0) {
      decide_bound(w, b, holds);
      continue;
    }
    w->terms.at[ask].decided = holds ? 2 : 1;
    if (w->terms.at[ask].kind == TERM_PARAM)
      say_when(w, &w->terms.at[ask], block->at);
    else
      w->firm = false;
  }
}

/* ---- instructions ---- */

static sa_reg reg_of(walker *w, const frame *f, sa_reg reg) {
  if (reg == 0) return 0;
  if (f->regs[reg] == 0) {
    sa_ir_reg copy = f->func->regs.at[reg];
    if (copy.kind != SA_REG_TEMP) copy.kind = SA_REG_LOCAL;
    sa_push(w->arena, &w->out->regs, copy);
    f->regs[reg] = w->out->regs.n - 1;
  }
  return f->regs[reg];
}

static sa_ir_inst *put(walker *w, sa_ir_inst inst) {
  sa_ir_block *block = &w->out->blocks.at[0];
  if (block->insts.n >= SA_MAX_PATH) w->failed = true;
  if (w->call != NULL) inst.at = *w->call;
  sa_push(w->arena, &block->insts, inst);
  return &block->insts.at[block->insts.n - 1];
}

static void put_copy(walker *w, sa_reg to, sa_reg from, sa_range at) {
  sa_reg *args = sa_alloc(w->arena, sizeof *args);
  args[0] = from;
  follow_scalars(w, put(w, (sa_ir_inst){.op = SA_OP_copy,
                                        .result = to,
                                        .args = args,
                                        .nargs = 1,
                                        .text = "",
                                        .func = SA_NO_INDEX,
                                        .site = SA_NO_INDEX,
                                        .at = at}));
}

static bool plain_type(sa_type kind) {
  return kind == SA_TYPE_MEMORY || kind == SA_TYPE_STREAM || kind == SA_TYPE_EVENT ||
         kind == SA_TYPE_SCALAR || kind == SA_TYPE_VOID;
}

static bool gives_nothing(const sa_ir_func *func) {
  for (uint32_t i = 0; i < func->blocks.n; i++)
    if (func->blocks.at[i].term == SA_TERM_RETURN && func->blocks.at[i].value != 0) return false;
  return true;
}

/* A function whose parameters and result own nothing, so that nothing ends unseen at its return. */
static bool looks_plain(const sa_ir_func *func) {
  if ((func->flags & (SA_FUNC_METHOD | SA_FUNC_LAMBDA | SA_FUNC_IS_RECORD)) != 0) return false;
  if (func->blocks.n == 0 || func->captures.n > 0) return false;
  if (!plain_type(func->returns.kind) && !gives_nothing(func)) return false;
  for (uint32_t i = 1; i <= func->nparams; i++) {
    const sa_ir_reg *reg = &func->regs.at[i];
    if (reg->type.many || (!plain_type(reg->type.kind) && !reg->by_ref)) return false;
  }
  return true;
}

static const sa_ir_func *callee_of(const walker *w, const frame *f, const sa_ir_inst *inst) {
  if (inst->op != SA_OP_call || inst->func == SA_NO_INDEX || (inst->mask & 1u) != 0) return NULL;
  const sa_ir_func *callee = &w->unit->funcs.at[inst->func];
  if (!looks_plain(callee) || callee->nparams > inst->nargs || w->depth >= MAX_DEPTH) return NULL;
  for (const frame *at = f; at != NULL; at = at->outer)
    if (at->index == inst->func) return NULL;
  return callee;
}

static sa_reg walk(walker *w, const frame *f);

/* A member or element whose address the callee was given, and which it has changed. */
static void store_back(walker *w, sa_reg given, uint32_t before) {
  const sa_ir_block *block = &w->out->blocks.at[0];
  bool written = false;
  for (uint32_t i = before; i < block->insts.n; i++) written |= block->insts.at[i].result == given;
  if (!written) return;
  for (uint32_t i = before; i > 0; i--) {
    sa_ir_inst from = block->insts.at[i - 1];
    if (from.result != given) continue;
    bool field = from.op == SA_OP_field;
    if (!field && from.op != SA_OP_elem) return;
    sa_reg *args = sa_alloc(w->arena, 3 * sizeof *args);
    args[0] = from.args[0];
    args[1] = given;
    args[2] = !field && from.nargs > 1 ? from.args[1] : 0;
    put(w, (sa_ir_inst){.op = field ? SA_OP_setfield : SA_OP_append,
                        .args = args,
                        .nargs = args[2] != 0 ? 3 : 2,
                        .text = from.text,
                        .func = SA_NO_INDEX,
                        .site = SA_NO_INDEX,
                        .at = from.at});
    return;
  }
}

static void look_into(walker *w, const frame *f, const sa_ir_inst *inst, const sa_ir_func *callee) {
  frame inner = {.outer = f, .func = callee, .index = inst->func};
  const sa_range *outermost = w->call;
  inner.regs = sa_alloc(w->arena, (callee->regs.n + 1) * sizeof *inner.regs);
  if (w->call == NULL) w->call = &inst->at;
  for (uint32_t i = 0; i < callee->nparams; i++) {
    sa_reg given = reg_of(w, f, inst->args[i]);
    if (callee->regs.at[i + 1].by_ref)
      inner.regs[i + 1] = given;
    else
      put_copy(w, reg_of(w, &inner, i + 1), given, inst->at);
  }
  uint32_t before = w->out->blocks.at[0].insts.n;
  w->depth++;
  w->changed = true;
  sa_reg result = walk(w, &inner);
  w->depth--;
  for (uint32_t i = 0; i < callee->nparams && !w->failed; i++)
    if (callee->regs.at[i + 1].by_ref) store_back(w, inner.regs[i + 1], before);
  if (inst->result != 0 && result != 0) put_copy(w, reg_of(w, f, inst->result), result, inst->at);
  w->call = outermost;
}

/* Arithmetic whose outcome is known becomes that number, so that it can name an element. */
static void write_number(walker *w, sa_ir_inst *inst) {
  const term *t = inst->op == SA_OP_op ? &w->terms.at[held(w, inst->result)] : NULL;
  if (t == NULL || t->kind != TERM_NUMBER) return;
  inst->op = SA_OP_const;
  inst->nargs = 0;
  inst->text = sa_printf(w->arena, "%ld", t->number);
}

static void step(walker *w, const frame *f, const sa_ir_inst *inst) {
  const sa_ir_func *callee = callee_of(w, f, inst);
  if (inst->op == SA_OP_lambda) w->failed = true;
  if (callee != NULL) {
    look_into(w, f, inst, callee);
    return;
  }
  sa_ir_inst copy = *inst;
  copy.args = sa_alloc(w->arena, (inst->nargs + 1) * sizeof *copy.args);
  for (uint32_t i = 0; i < inst->nargs; i++) copy.args[i] = reg_of(w, f, inst->args[i]);
  copy.result = reg_of(w, f, inst->result);
  sa_ir_inst *made = put(w, copy);
  follow_scalars(w, made);
  write_number(w, made);
}

/* From a function's entry to its return; gives the register that it returns. */
static sa_reg walk(walker *w, const frame *f) {
  uint32_t at = 0, blocks = 0;
  uint8_t *turns = sa_alloc(w->arena, f->func->blocks.n + 1);
  while (!w->failed && !w->cut) {
    const sa_ir_block *block = &f->func->blocks.at[at];
    w->cut = w->bounded && turns[at]++ > MAX_TURNS;
    if (++blocks > SA_MAX_PATH) w->failed = true; /* a loop with nothing in it */
    for (uint32_t i = 0; i < block->insts.n && !w->failed; i++) step(w, f, &block->insts.at[i]);
    for (uint32_t i = 0; i < block->succ.n; i++)
      w->failed |= f->func->blocks.at[block->succ.at[i]].exceptional;
    if (block->term == SA_TERM_RETURN) return reg_of(w, f, block->value);
    if (block->term == SA_TERM_UNREACHABLE || block->succ.n == 0) {
      w->out->blocks.at[0].term = SA_TERM_UNREACHABLE;
      w->failed |= w->depth > 0;
      return 0;
    }
    at = block->succ.at[block->term == SA_TERM_BRANCH ? decide(w, f, block) : 0];
  }
  return 0;
}

static void walk_top(walker *w, uint32_t index) {
  const sa_ir_func *func = &w->unit->funcs.at[index];
  w->out = sa_alloc(w->arena, sizeof *w->out);
  *w->out = *func;
  memset(&w->out->regs, 0, sizeof w->out->regs);
  memset(&w->out->blocks, 0, sizeof w->out->blocks);
  for (uint32_t i = 0; i < func->regs.n; i++) sa_push(w->arena, &w->out->regs, func->regs.at[i]);
  sa_push(w->arena, &w->out->blocks,
          ((sa_ir_block){.term = SA_TERM_RETURN, .at = func->blocks.at[func->blocks.n - 1].at}));
  w->terms.n = w->holds.n = 0;
  sa_push(w->arena, &w->terms, (term){.text = ""});
  w->position = w->depth = 0;
  w->call = NULL;
  w->firm = true;
  w->cut = false;
  w->when = NULL;
  frame top = {.func = func, .index = index};
  top.regs = sa_alloc(w->arena, (func->regs.n + 1) * sizeof *top.regs);
  for (uint32_t i = 1; i < func->regs.n; i++) {
    top.regs[i] = i;
    const sa_ir_reg *reg = &func->regs.at[i];
    bool unchanged = !reg->by_ref || reg->is_const;
    if (reg->kind == SA_REG_PARAM && reg->type.kind == SA_TYPE_SCALAR && unchanged)
      hold(w, i,
           term_of(w, (term){.kind = TERM_PARAM,
                             .number = (long)i,
                             .text = "",
                             .low = -MAX_LOW,
                             .high = MAX_LOW}));
  }
  w->out->blocks.at[0].value = walk(w, &top);
}

static bool list(sa_paths *out, walker *w, uint32_t func, uint32_t limit) {
  uint32_t walked = 0;
  *out = (sa_paths){.partial = w->bounded};
  do {
    walk_top(w, func);
    out->length += w->out->blocks.at[0].insts.n;
    if (w->failed || out->at.n == SA_MAX_PATHS || out->length > limit) return false;
    if (++walked > 4 * SA_MAX_PATHS) return false;
    if (!w->cut) sa_push(w->arena, &out->at, ((sa_path){w->out, w->firm, w->when, w->when_at}));
  } while (turn(w));
  out->changed = w->changed;
  return out->at.n > 0;
}

bool sa_paths_build(sa_paths *out, sa_arena *arena, const sa_ir_unit *unit, uint32_t func,
                    uint32_t limit) {
  walker all = {.arena = arena, .unit = unit}, some = all;
  some.bounded = true;
  if (unit->funcs.at[func].captures.n > 0 || unit->funcs.at[func].blocks.n == 0) return false;
  return list(out, &all, func, limit) || list(out, &some, func, limit);
}
