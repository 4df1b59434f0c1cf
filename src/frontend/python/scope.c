/* Variables, ways out of nested statements, and functions. */
#include "frontend/python/effect.h"
#include "frontend/python/lessons.h"

#include <string.h>

/* ---- variables ---- */

static uint64_t key_of(const char *name) {
  return py_key_of(0, name);
}

/* What the name stands for in this function; NULL: nothing of its own. */
static const variable *find_own(const body *b, uint64_t key) {
  uint32_t found = sa_table_get(&b->names, key);
  return found != 0 ? &b->variables.at[found - 1] : NULL;
}

static void bind(body *b, uint64_t key, sa_reg reg) {
  bool is_new;
  uint32_t *last = sa_table_at(b->lo->arena, &b->names, key, &is_new);
  sa_push(b->lo->arena, &b->variables, ((variable){key, reg, *last}));
  *last = b->variables.n;
}

void py_bind_variable(body *b, const char *name, sa_reg reg) {
  bind(b, key_of(name), reg);
}

void py_forget_variables(body *b, uint32_t n) {
  bool is_new;
  for (; b->variables.n > n; b->variables.n--) {
    const variable *last = &b->variables.at[b->variables.n - 1];
    *sa_table_at(b->lo->arena, &b->names, last->key, &is_new) = last->hidden;
  }
}

sa_reg py_declare_local(body *b, const char *name, TSNode at) {
  const variable *own = find_own(b, key_of(name));
  if (own != NULL) return own->reg;
  uint64_t key = py_local_key(b->func, name);
  sa_reg reg = py_add_reg(b, SA_REG_LOCAL, py_lesson_about(b->lo, key), name, py_range_of(at));
  py_set_source(b, reg, (py_source){.key = key});
  py_bind_variable(b, name, reg);
  sa_push(b->lo->arena, &b->locals, reg);
  return reg;
}

static sa_reg capture(body *b, sa_reg outer, const char *name) {
  sa_ir_reg of_outer = py_func_of(b->outer)->regs.at[outer];
  sa_reg inner = py_add_reg(b, SA_REG_CAPTURE, of_outer.type, name, of_outer.at);
  py_func_of(b)->regs.at[inner].by_ref = true;
  py_set_source(b, inner, py_source_of(b->outer, outer));
  sa_push(b->lo->arena, &py_func_of(b)->captures,
          ((sa_ir_capture){.outer = outer, .inner = inner, .by_ref = true}));
  return inner;
}

static sa_reg find_variable(body *b, const char *name, uint64_t key) {
  const variable *own = find_own(b, key);
  if (own != NULL || b->outer == NULL) return own != NULL ? own->reg : 0;
  sa_reg outer = find_variable(b->outer, name, key);
  if (outer == 0) return 0;
  sa_reg reg = capture(b, outer, outer == b->outer->this_reg ? "this" : name);
  if (outer == b->outer->this_reg) b->this_reg = reg;
  bind(b, key, reg);
  return reg;
}

/* Of this function or of one around it. */
sa_reg py_find_variable(body *b, const char *name) {
  return find_variable(b, name, key_of(name));
}

/* ---- what a function binds, found once ---- */

typedef struct {
  lowering *lo;
  py_func *func;
  sa_table seen;
} bindings;

static void add_binding(bindings *to, TSNode name, bool shared) {
  const char *text = py_text_of(to->lo, name);
  bool is_new;
  sa_table_at(to->lo->arena, &to->seen, py_key_of(shared, text), &is_new);
  if (is_new) sa_push(to->lo->arena, &to->func->bindings, ((py_binding){text, name, shared}));
}

static void bind_target(bindings *to, TSNode node, unsigned depth) {
  if (ts_node_is_null(node) || depth > MAX_NESTING) return;
  if (py_is_type(node, "identifier")) {
    add_binding(to, node, false);
    return;
  }
  bool open =
      py_is_type(node, "attribute") || py_is_type(node, "subscript") || py_is_type(node, "call");
  nodes parts = open ? (nodes){0} : py_named_children(to->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) bind_target(to, parts.at[i], depth + 1);
}

/* Statements and expressions that bind names, and where; NULL: their parts are the targets. */
static const struct {
  const char *type, *field;
} BINDERS[] = {
    {"assignment", "left"},       {"augmented_assignment", "left"}, {"for_statement", "left"},
    {"named_expression", "name"}, {"as_pattern", "alias"},          {"delete_statement", NULL},
};

static void bind_in(bindings *to, TSNode node, unsigned depth) {
  if (ts_node_is_null(node) || depth > MAX_NESTING) return;
  const char *type = ts_node_type(node);
  if (strcmp(type, "function_definition") == 0) {
    if (to->func != &to->lo->funcs.at[0]) bind_target(to, py_field_of(node, "name"), depth);
    return;
  }
  static const char *const closed[] = {"lambda",
                                       "class_definition",
                                       "list_comprehension",
                                       "set_comprehension",
                                       "dictionary_comprehension",
                                       "generator_expression"};
  for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
    if (strcmp(type, closed[i]) == 0) return;
  nodes parts = py_named_children(to->lo, node);
  bool shared = strcmp(type, "global_statement") == 0;
  for (uint32_t i = 0; i < parts.n && shared; i++) add_binding(to, parts.at[i], true);
  for (size_t k = 0; k < sizeof BINDERS / sizeof *BINDERS; k++) {
    if (strcmp(type, BINDERS[k].type) != 0) continue;
    if (BINDERS[k].field != NULL)
      bind_target(to, py_field_of(node, BINDERS[k].field), depth);
    else
      for (uint32_t i = 0; i < parts.n; i++) bind_target(to, parts.at[i], depth);
  }
  for (uint32_t i = 0; i < parts.n; i++) bind_in(to, parts.at[i], depth + 1);
}

/* `nonlocal x` leaves x to the function around. */
static void find_nonlocals(lowering *lo, py_func *f, TSNode node, unsigned depth) {
  if (depth > MAX_NESTING) return;
  if (py_is_type(node, "function_definition") && depth > 0) return;
  nodes parts = py_named_children(lo, node);
  bool nonlocal = py_is_type(node, "nonlocal_statement");
  for (uint32_t i = 0; i < parts.n; i++)
    if (nonlocal)
      sa_push(lo->arena, &f->nonlocals, py_text_of(lo, parts.at[i]));
    else
      find_nonlocals(lo, f, parts.at[i], depth + 1);
}

static void find_bindings(lowering *lo, py_func *f, TSNode node) {
  if (f->bound) return;
  f->bound = true;
  bindings to = {.lo = lo, .func = f};
  bind_in(&to, node, 0);
  if (f->parent != SA_NO_INDEX) find_nonlocals(lo, f, node, 0);
}

static void declare_locals(body *b, const py_func *f) {
  for (uint32_t i = 0; i < f->nonlocals.n; i++)
    py_find_variable(b, f->nonlocals.at[i]); /* now it has a binding here */
  for (uint32_t i = 0; i < f->bindings.n; i++) {
    const py_binding *binding = &f->bindings.at[i];
    if (binding->shared)
      bind(b, key_of(binding->name), 0);
    else
      py_declare_local(b, binding->name, binding->node);
  }
}

/* ---- ways out ---- */

void py_push_scope(body *b, scope *s, scope_kind kind, TSNode at) {
  *s = (scope){.outer = b->scope, .kind = kind, .at = at};
  b->scope = s;
}

void py_pop_scope(body *b) {
  b->scope = b->scope->outer;
}

static void end_reg(body *b, sa_reg reg, TSNode at) {
  sa_ir_inst *inst = py_emit(b, SA_OP_end, 0, NULL, at);
  py_add_arg(b, inst, reg);
  /* The place of an end is the last byte of what ends, not the whole of it. */
  if (inst->at.end_offset > inst->at.offset && inst->at.end_column > 1) {
    inst->at.line = inst->at.end_line;
    inst->at.column = inst->at.end_column - 1;
    inst->at.offset = inst->at.end_offset - 1;
  }
}

static void exit_manager(body *b, const scope *s) {
  sa_ir_type type = py_reg_type(b, s->guard);
  py_method exit;
  if (py_find_method_of(&exit, b->lo, type, "__exit__") ||
      py_find_method_of(&exit, b->lo, type, "__aexit__"))
    py_emit_method(b, s->guard, &exit, s->at);
}

/* What was captured runs when the graph is replayed, later on the stream that is current outside.
 */
static void join_captured(body *b, const scope *s) {
  sa_ir_inst *inst = py_emit(b, SA_OP_stream_wait, 0, "with", s->at);
  py_add_arg(b, inst, 0);
  py_add_arg(b, inst, s->stream);
}

void py_leave_scopes(body *b, const scope *stop, TSNode at) {
  scope *kept = b->scope;
  for (scope *s = b->scope; s != stop && s != NULL; s = s->outer) {
    if (s->capture) py_add_arg(b, py_emit(b, SA_OP_capture_end, 0, "with", s->at), s->stream);
    if (s->kind == SCOPE_GUARD) end_reg(b, s->guard, at);
    if (s->capture) join_captured(b, s);
    b->scope = s->outer;
    if (s->kind == SCOPE_EXIT) exit_manager(b, s);
    if (s->kind != SCOPE_FINALLY) continue;
    uint32_t next = py_add_block(b);
    py_finish_goto(b, s->entry);
    sa_push(b->lo->arena, &s->pending, next);
    py_start_block(b, next);
  }
  b->scope = kept;
}

static bool has_lifetime(const sa_ir_reg *reg) {
  return reg->type.kind != SA_TYPE_SCALAR && reg->type.kind != SA_TYPE_FUNC;
}

void py_end_locals(body *b, TSNode at) {
  if (b->func == 0) return; /* a module's variables live on */
  for (uint32_t i = b->locals.n; i > 0; i--)
    if (has_lifetime(&py_func_of(b)->regs.at[b->locals.at[i - 1]]))
      end_reg(b, b->locals.at[i - 1], at);
}

/* ---- functions ---- */

static sa_ir_type type_of_param(body *b, const py_func *f, uint32_t index) {
  lowering *lo = b->lo;
  const py_param *p = &f->params.at[index];
  sa_ir_type type = py_type_of_hint(lo, p->type);
  if (p->star || p->double_star) type.many = true;
  bool open = type.kind == SA_TYPE_UNKNOWN ||
              (type.kind == SA_TYPE_OBJECT && py_find_class(lo, type.name) == NULL);
  if (!open) return type;
  sa_ir_type learnt = py_lesson_about(lo, py_local_key(b->func, p->name));
  if (learnt.kind == SA_TYPE_UNKNOWN ||
      (type.kind != SA_TYPE_UNKNOWN && learnt.kind == SA_TYPE_OBJECT))
    return type;
  learnt.many |= p->star || p->double_star || type.many;
  return learnt;
}

/* The context object of an autograd function: forward and backward of the class share it. */
static bool is_context(const lowering *lo, const py_func *f, uint32_t index) {
  return index == 0 && f->klass != SA_NO_INDEX && lo->classes.at[f->klass].autograd && !f->method;
}

static void add_params(body *b, const py_func *f) {
  lowering *lo = b->lo;
  for (uint32_t i = 0; i < f->params.n; i++) {
    const py_param *p = &f->params.at[i];
    bool self = i == 0 && f->method;
    sa_ir_type type = type_of_param(b, f, i);
    if (self)
      type = (sa_ir_type){.kind = SA_TYPE_OBJECT, .name = lo->classes.at[f->klass].qualified};
    if (is_context(lo, f, i))
      type =
          (sa_ir_type){.kind = SA_TYPE_OBJECT,
                       .name = sa_printf(lo->arena, "%s.ctx", lo->classes.at[f->klass].qualified)};
    sa_reg reg = py_add_reg(b, self ? SA_REG_THIS : SA_REG_PARAM, type, self ? "this" : p->name,
                            py_range_of(f->node));
    py_func_of(b)->regs.at[reg].by_ref = py_func_of(b)->regs.at[reg].is_const = true;
    py_func_of(b)->nparams = reg;
    py_set_source(b, reg, (py_source){.key = py_local_key(b->func, p->name)});
    py_bind_variable(b, p->name, reg);
    if (self) b->this_reg = reg;
  }
}

/* A parameter that the function binds anew: the caller's reference stays, the function's goes. */
static void copy_rebound_params(body *b, const py_func *f) {
  sa_table rebound = {0};
  for (uint32_t i = 0; i < f->bindings.n && f->params.n > 0; i++) {
    bool is_new;
    uint64_t key = key_of(f->bindings.at[i].name);
    uint32_t *seen = sa_table_at(b->lo->arena, &rebound, key, &is_new);
    if (is_new) *seen = !f->bindings.at[i].shared;
  }
  for (uint32_t i = 0; i < f->params.n; i++) {
    const char *name = f->params.at[i].name;
    sa_reg given = i + 1;
    if (given == b->this_reg || sa_table_get(&rebound, key_of(name)) == 0) continue;
    sa_reg local =
        py_add_reg(b, SA_REG_LOCAL, py_reg_type(b, given), name, py_func_of(b)->regs.at[given].at);
    py_set_source(b, local, py_source_of(b, given));
    py_bind_variable(b, name, local);
    sa_push(b->lo->arena, &b->locals, local);
    py_add_arg(b, py_emit(b, SA_OP_copy, local, NULL, f->node), given);
  }
}

/* Whether the instruction takes the register for a flag or a number. */
static bool takes_scalar(body *b, const sa_ir_inst *inst, uint32_t arg) {
  static const char *const tests[] = {"not", "and", "or", "<", ">", "<=", ">=", "range", "each"};
  if (inst->op == SA_OP_call && inst->func != SA_NO_INDEX && (inst->mask & 1u) == 0) {
    const sa_ir_func *callee = &b->lo->unit->funcs.at[inst->func];
    return arg < callee->nparams && callee->regs.at[arg + 1].type.kind == SA_TYPE_SCALAR;
  }
  if (inst->op == SA_OP_copy) { /* a bound of range() */
    const sa_ir_reg *to = &py_func_of(b)->regs.at[inst->result];
    return to->kind == SA_REG_TEMP && to->type.kind == SA_TYPE_SCALAR;
  }
  if (inst->op != SA_OP_op) return false;
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    if (strcmp(inst->text, tests[i]) == 0) return true;
  return false;
}

static bool is_flag(body *b, sa_reg reg) {
  const sa_ir_func *func = py_func_of(b);
  bool used = false;
  for (uint32_t k = 0; k < func->blocks.n; k++) {
    const sa_ir_block *block = &func->blocks.at[k];
    if (block->value == reg && block->term == SA_TERM_RETURN) return false;
    used |= block->value == reg;
    for (uint32_t i = 0; i < block->insts.n; i++)
      for (uint32_t a = 0; a < block->insts.at[i].nargs; a++) {
        if (block->insts.at[i].args[a] != reg) continue;
        if (!takes_scalar(b, &block->insts.at[i], a)) return false;
        used = true;
      }
  }
  return used;
}

/* Parameters that are asked whether they hold, counted with, and nothing else. */
static void learn_flags(body *b, const py_func *f) {
  for (uint32_t i = 0; i < f->params.n; i++) {
    sa_ir_type type = py_reg_type(b, i + 1);
    if (type.kind != SA_TYPE_UNKNOWN || type.many || !is_flag(b, i + 1)) continue;
    py_func_of(b)->regs.at[i + 1].type = py_plain_type(SA_TYPE_SCALAR);
    py_learn(b->lo, py_local_key(b->func, f->params.at[i].name), py_plain_type(SA_TYPE_SCALAR));
  }
}

static void lower_lambda_body(body *b, TSNode node) {
  sa_reg value = py_lower_expr(b, node);
  if (!py_block_is_open(b)) return;
  py_func_of(b)->blocks.at[b->block].term = SA_TERM_RETURN;
  py_func_of(b)->blocks.at[b->block].value = value;
  py_func_of(b)->blocks.at[b->block].at = py_range_of(node);
  py_learn(b->lo, py_return_key(b->func), py_reg_type(b, value));
}

void py_lower_function(lowering *lo, uint32_t func, body *outer) {
  py_func *f = &lo->funcs.at[func];
  body b = {.lo = lo, .outer = outer, .func = func, .depth = outer != NULL ? outer->depth + 1 : 0};
  if (py_func_of(&b)->blocks.n > 0 || b.depth > MAX_NESTING) return;
  TSNode node = func == 0 ? f->node : py_field_of(f->node, "body");
  find_bindings(lo, f, node);
  add_params(&b, f);
  py_start_block(&b, py_add_block(&b));
  copy_rebound_params(&b, f);
  declare_locals(&b, f);
  if (py_is_type(f->node, "lambda")) {
    lower_lambda_body(&b, node);
    return;
  }
  py_lower_block(&b, node);
  learn_flags(&b, f);
  if (!py_block_is_open(&b)) return;
  py_end_locals(&b, f->node);
  py_func_of(&b)->blocks.at[b.block].term = SA_TERM_RETURN;
  py_func_of(&b)->blocks.at[b.block].value = b.offered;
  py_func_of(&b)->blocks.at[b.block].at = py_range_of(f->node);
}
