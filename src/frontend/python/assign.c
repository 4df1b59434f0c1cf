/* Assignments: to names, fields, elements and patterns; what is let go of. */
#include "frontend/python/effect.h"
#include "frontend/python/lessons.h"

#include <string.h>

static bool is_none(lowering *lo, TSNode node) {
  return py_is_type(py_unwrapped(lo, node), "none");
}

static void let_go(body *b, sa_reg reg, const char *how, TSNode at) {
  if (reg != 0) py_add_arg(b, py_emit(b, SA_OP_reset, 0, how, at), reg);
}

static void note_field(body *b, sa_reg object, const char *name) {
  sa_ir_type type = py_reg_type(b, object);
  const py_class *c = py_class_of(b->lo, type);
  if (c == NULL) return;
  py_declare_field(b->lo, (uint32_t)(c - b->lo->classes.at), name,
                   py_lesson_about(b->lo, py_field_key(b, object, name)));
}

static void assign_global(body *b, const char *name, sa_reg value, TSNode at) {
  py_learn(b->lo, py_global_key(name), py_reg_type(b, value));
  if (value != 0) py_add_arg(b, py_emit(b, SA_OP_escape, 0, "global", at), value);
}

/* Whether the value is what a loop over a list gives: the parts of a tuple have types of their own.
 */
static bool is_listed(body *b, sa_reg value) {
  const sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  const sa_ir_inst *last = block->insts.n > 0 ? &block->insts.at[block->insts.n - 1] : NULL;
  py_source source = py_source_of(b, value);
  return source.element && last != NULL && last->result == value &&
         strcmp(last->text, "each") == 0 && py_lesson_about(b->lo, source.key).many;
}

static void assign_name(body *b, TSNode target, sa_reg value, TSNode at) {
  const char *name = py_text_of(b->lo, target);
  sa_reg reg = py_find_variable(b, name);
  if (reg == 0) {
    assign_global(b, name, value, at);
    return;
  }
  if (value == 0) value = py_add_placeholder(b);
  sa_ir_type type = py_reg_type(b, value), now = py_reg_type(b, reg);
  py_learn(b->lo, py_source_of(b, reg).key, type);
  py_learn_reg(b, reg, type);
  /* What a call gives is what later code asks of the variable. */
  sa_ir_reg *from = &py_func_of(b)->regs.at[value];
  if (from->kind == SA_REG_TEMP && type.kind == SA_TYPE_UNKNOWN && now.kind != SA_TYPE_UNKNOWN) {
    from->type = now;
    if (py_source_of(b, value).item != 0 || is_listed(b, value))
      py_learn_reg(b, value, now);
    else
      py_learn(b->lo, py_source_of(b, value).key, now);
  }
  py_add_arg(b, py_emit(b, SA_OP_copy, reg, NULL, at), value);
}

/* `x.data = y` replaces the storage, `x.grad = None` and `self.x = None` let go. */
static void assign_attribute(body *b, TSNode target, sa_reg value, TSNode at) {
  lowering *lo = b->lo;
  const char *name = py_text_of(lo, py_field_of(target, "attribute"));
  if (py_dotted_name(b, target) != NULL) {
    if (value != 0) py_add_arg(b, py_emit(b, SA_OP_escape, 0, "global", at), value);
    return;
  }
  sa_reg object = py_lower_expr(b, py_field_of(target, "object"));
  if (object == 0) return;
  TSNode right = py_field_of(at, "right");
  bool none = !ts_node_is_null(right) && is_none(lo, right);
  if (strcmp(name, "data") == 0 && py_reg_type(b, object).kind != SA_TYPE_OBJECT) {
    py_learn_reg(b, object, py_plain_type(SA_TYPE_TENSOR));
    let_go(b, object, ".data =", at);
  } else if (none) {
    let_go(b, py_lower_attribute_of(b, object, name, target), "= None", at);
  }
  uint64_t key = py_field_key(b, object, name);
  py_learn(lo, key, py_reg_type(b, value));
  if (value != 0 && py_func_of(b)->regs.at[value].kind == SA_REG_PARAM &&
      py_reg_type(b, value).kind == SA_TYPE_FUNC)
    py_learn(lo, py_key_of(key, "given"), py_plain_type(SA_TYPE_FUNC));
  note_field(b, object, name);
  sa_ir_type known = py_lesson_about(lo, key);
  if (value != 0 && py_reg_type(b, value).kind == SA_TYPE_UNKNOWN &&
      py_func_of(b)->regs.at[value].kind == SA_REG_TEMP && known.kind != SA_TYPE_UNKNOWN)
    py_func_of(b)->regs.at[value].type = known;
  if (value == 0) value = py_add_placeholder(b);
  sa_ir_inst *inst = py_emit(b, SA_OP_setfield, 0, name, at);
  py_add_arg(b, inst, object);
  py_add_arg(b, inst, value);
}

/* What no tensor takes: then it is a container, whatever else is kept in it. */
static bool is_for_a_container(TSNode value) {
  static const char *const types[] = {"dictionary", "dictionary_comprehension", "string", "lambda"};
  for (size_t i = 0; !ts_node_is_null(value) && i < sizeof types / sizeof *types; i++)
    if (py_is_type(value, types[i])) return true;
  return false;
}

static void put_nothing(body *b, const char *how, sa_reg container, sa_reg none, sa_reg index,
                        TSNode at) {
  sa_ir_inst *inst = py_emit(b, SA_OP_append, 0, how, at);
  py_add_arg(b, inst, container);
  py_add_arg(b, inst, none);
  if (index != 0) py_add_arg(b, inst, index);
}

/* What stood under the index is there no more. Behind a number that is deleted others may move up,
 * so that no index is known from there on. */
void py_empty_element(body *b, sa_reg container, sa_reg index, bool gone, TSNode at) {
  sa_ir_type type = py_reg_type(b, container);
  if (type.kind == SA_TYPE_TENSOR && !type.many) return;
  const sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  bool name = false;
  for (uint32_t i = 0; i < block->insts.n; i++) {
    const sa_ir_inst *inst = &block->insts.at[i];
    if (inst->result == index)
      name = inst->op == SA_OP_const && strchr("\"'", inst->text[0]) != NULL;
  }
  sa_reg none = py_emit_const(b, "None", SA_TYPE_UNKNOWN, at);
  if (index != 0) put_nothing(b, "[]=", container, none, index, at);
  if (gone && !name) put_nothing(b, "pop", container, none, 0, at);
}

static void assign_element(body *b, TSNode target, sa_reg value, TSNode at) {
  nodes parts = py_named_children(b->lo, target);
  if (parts.n == 0) return;
  sa_reg container = py_lower_expr(b, parts.at[0]);
  sa_reg index = 0;
  for (uint32_t i = 1; i < parts.n; i++) index = py_lower_expr(b, parts.at[i]);
  if (container == 0) return;
  TSNode right = py_field_of(at, "right");
  if (!ts_node_is_null(right) && is_none(b->lo, right)) {
    let_go(b, py_lower_element(b, container, "[]", target), "= None", at);
    if (parts.n == 2) py_empty_element(b, container, index, false, at);
    return;
  }
  if (value == 0) return;
  sa_ir_type type = py_reg_type(b, container), of = py_reg_type(b, value);
  bool named = parts.n == 2 && py_is_type(parts.at[1], "string"); /* no tensor has names */
  if (type.kind == SA_TYPE_TENSOR && !type.many && !named && !is_for_a_container(right)) {
    sa_ir_inst *inst = py_emit(b, SA_OP_use, 0, "[]=", at);
    py_add_arg(b, inst, 0);
    py_add_arg(b, inst, container);
    inst->mask = 2;
    if (of.kind != SA_TYPE_SCALAR) py_add_arg(b, inst, value);
    return;
  }
  sa_ir_inst *inst = py_emit(b, SA_OP_append, 0, "[]=", at);
  py_add_arg(b, inst, container);
  py_add_arg(b, inst, value);
  if (index != 0 && parts.n == 2) py_add_arg(b, inst, index);
  of.many = true;
  if (type.kind == SA_TYPE_UNKNOWN && of.kind > SA_TYPE_SCALAR) {
    py_learn(b->lo, py_source_of(b, container).key, of);
    py_func_of(b)->regs.at[container].type = of;
  }
}

static void assign_parts(body *b, nodes parts, sa_reg value, TSNode at) {
  if (value == 0) value = py_add_placeholder(b);
  for (uint32_t i = 0; i < parts.n; i++) {
    bool star = py_is_type(parts.at[i], "list_splat_pattern");
    sa_reg part = value;
    if (!star)
      part = py_lower_element(b, value, sa_printf(b->lo->arena, "%u", (unsigned)i), parts.at[i]);
    py_assign_target(b, parts.at[i], part, at);
  }
}

void py_assign_target(body *b, TSNode target, sa_reg value, TSNode at) {
  if (ts_node_is_null(target) || ++b->depth > MAX_NESTING) return;
  if (py_is_type(target, "identifier"))
    assign_name(b, target, value, at);
  else if (py_is_type(target, "attribute"))
    assign_attribute(b, target, value, at);
  else if (py_is_type(target, "subscript"))
    assign_element(b, target, value, at);
  else {
    nodes parts = py_named_children(b->lo, target);
    bool wrapper = py_is_type(target, "parenthesized_expression") ||
                   py_is_type(target, "list_splat_pattern") ||
                   py_is_type(target, "as_pattern_target");
    if (wrapper && parts.n == 1)
      py_assign_target(b, parts.at[0], value, at);
    else
      assign_parts(b, parts, value, at);
  }
  b->depth--;
}

/* `a, b = b, a`: all values first, then each target. */
static bool assign_pairwise(body *b, TSNode left, TSNode right, TSNode at) {
  bool both = (py_is_type(left, "pattern_list") || py_is_type(left, "tuple_pattern")) &&
              (py_is_type(right, "expression_list") || py_is_type(right, "tuple"));
  if (!both) return false;
  nodes targets = py_named_children(b->lo, left), values = py_named_children(b->lo, right);
  if (targets.n != values.n || targets.n > MAX_ARGS) return false;
  for (uint32_t i = 0; i < targets.n; i++)
    if (py_is_type(targets.at[i], "list_splat_pattern") || py_is_type(values.at[i], "list_splat"))
      return false;
  sa_reg regs[MAX_ARGS];
  for (uint32_t i = 0; i < values.n; i++) {
    regs[i] = py_lower_expr(b, values.at[i]);
    if (regs[i] == 0 || py_func_of(b)->regs.at[regs[i]].kind == SA_REG_TEMP) continue;
    sa_reg kept = py_add_temp(b, py_reg_type(b, regs[i]));
    py_set_source(b, kept, py_source_of(b, regs[i]));
    py_add_arg(b, py_emit(b, SA_OP_copy, kept, NULL, values.at[i]), regs[i]);
    regs[i] = kept;
  }
  for (uint32_t i = 0; i < targets.n; i++) py_assign_target(b, targets.at[i], regs[i], at);
  return true;
}

static sa_reg assign_chain(body *b, TSNode node, unsigned depth) {
  lowering *lo = b->lo;
  TSNode left = py_field_of(node, "left"), right = py_field_of(node, "right");
  sa_ir_type hint = py_type_of_hint(lo, py_field_of(node, "type"));
  if (hint.kind != SA_TYPE_UNKNOWN || hint.many) {
    sa_reg reg = py_is_type(left, "identifier") ? py_find_variable(b, py_text_of(lo, left)) : 0;
    if (reg != 0) py_learn(lo, py_source_of(b, reg).key, hint);
    if (py_is_type(left, "attribute") && py_dotted_name(b, left) == NULL)
      py_learn(lo,
               py_field_key(b, py_lower_expr(b, py_field_of(left, "object")),
                            py_text_of(lo, py_field_of(left, "attribute"))),
               hint);
  }
  if (ts_node_is_null(right) || depth > MAX_NESTING) return 0;
  if (assign_pairwise(b, left, right, node)) return 0;
  sa_reg value =
      py_is_type(right, "assignment") ? assign_chain(b, right, depth + 1) : py_lower_expr(b, right);
  py_assign_target(b, left, value, node);
  return value;
}

void py_lower_assignment(body *b, TSNode node) {
  assign_chain(b, node, 0);
}

void py_lower_augmented(body *b, TSNode node) {
  TSNode left = py_field_of(node, "left");
  sa_reg target = py_lower_expr(b, left), value = py_lower_expr(b, py_field_of(node, "right"));
  if (target == 0) return;
  sa_ir_type type = py_reg_type(b, target), of = py_reg_type(b, value);
  if (type.kind == SA_TYPE_TENSOR && !type.many) { /* in place */
    sa_ir_inst *inst = py_emit(b, SA_OP_use, 0, "in place", node);
    py_add_arg(b, inst, 0);
    py_add_arg(b, inst, target);
    inst->mask = 2;
    if (value != 0 && of.kind != SA_TYPE_SCALAR) py_add_arg(b, inst, value);
  } else if (value != 0 && (type.many || (type.kind == SA_TYPE_UNKNOWN && of.many))) {
    /* Only a list takes a list, and it stays the list that others may have. */
    sa_ir_inst *inst = py_emit(b, SA_OP_append, 0, "+=", node);
    py_add_arg(b, inst, target);
    py_add_arg(b, inst, value);
  } else if (py_is_type(left, "identifier")) {
    sa_reg result = py_add_temp(b, of.kind == SA_TYPE_TENSOR ? of : type);
    const char *operator= py_text_of(b->lo, py_field_of(node, "operator"));
    size_t length = strlen(operator);
    const char *text = sa_strndup(b->lo->arena, operator, length> 0 ? length - 1 : 0);
    sa_ir_inst *inst = py_emit(b, SA_OP_op, result, text, node);
    py_add_arg(b, inst, target);
    if (value != 0) py_add_arg(b, inst, value);
    py_assign_target(b, left, result, node);
  }
}

static void delete_element(body *b, TSNode target, TSNode at) {
  nodes parts = py_named_children(b->lo, target);
  sa_reg container = parts.n > 0 ? py_lower_expr(b, parts.at[0]) : 0;
  sa_reg index = parts.n == 2 ? py_lower_expr(b, parts.at[1]) : 0;
  if (container == 0) return;
  let_go(b, py_lower_element(b, container, "[]", target), "del", at);
  py_empty_element(b, container, index, true, at);
}

static void delete_attribute(body *b, TSNode target, TSNode at) {
  sa_reg object = py_lower_expr(b, py_field_of(target, "object"));
  const char *name = py_text_of(b->lo, py_field_of(target, "attribute"));
  if (object == 0) return;
  let_go(b, py_lower_attribute_of(b, object, name, target), "del", at);
  sa_reg none = py_emit_const(b, "None", SA_TYPE_UNKNOWN, at);
  sa_ir_inst *inst = py_emit(b, SA_OP_setfield, 0, name, at);
  py_add_arg(b, inst, object);
  py_add_arg(b, inst, none);
}

static void delete_target(body *b, TSNode target, TSNode at, unsigned depth) {
  if (depth > MAX_NESTING) return;
  bool name = py_is_type(target, "identifier"), attribute = py_is_type(target, "attribute");
  if (name || attribute || py_is_type(target, "subscript")) {
    if (py_dotted_name(b, target) != NULL) return;
    if (name)
      let_go(b, py_lower_expr(b, target), "del", at);
    else if (attribute)
      delete_attribute(b, target, at);
    else
      delete_element(b, target, at);
    return;
  }
  nodes parts = py_named_children(b->lo, target);
  for (uint32_t i = 0; i < parts.n; i++) delete_target(b, parts.at[i], at, depth + 1);
}

void py_lower_delete(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) delete_target(b, parts.at[i], node, 0);
}
