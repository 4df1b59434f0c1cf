/* Assignments: to names, fields, elements and patterns; what is let go of. */
#include "frontend/python/internal.h"

#include <string.h>

static bool is_none(lowering *lo, TSNode node) {
  return is_type(unwrapped(lo, node), "none");
}

static void let_go(body *b, sa_reg reg, const char *how, TSNode at) {
  if (reg != 0) add_arg(b, emit(b, SA_OP_reset, 0, how, at), reg);
}

static void note_field(body *b, sa_reg object, const char *name) {
  sa_ir_type type = reg_type(b, object);
  if (type.kind != SA_TYPE_OBJECT || type.many || type.name == NULL) return;
  for (uint32_t i = 0; i < b->lo->unit->classes.n; i++) {
    sa_ir_class *c = &b->lo->unit->classes.at[i];
    if (strcmp(c->name, type.name) != 0) continue;
    for (uint32_t k = 0; k < c->fields.n; k++)
      if (strcmp(c->fields.at[k].name, name) == 0) return;
    sa_push(b->lo->arena, &c->fields,
            ((sa_ir_field){name, lesson_about(b->lo, field_key(b, object, name))}));
    return;
  }
}

static void assign_global(body *b, const char *name, sa_reg value, TSNode at) {
  learn(b->lo, global_key(name), reg_type(b, value));
  if (value != 0) add_arg(b, emit(b, SA_OP_escape, 0, "global", at), value);
}

static void assign_name(body *b, TSNode target, sa_reg value, TSNode at) {
  const char *name = text_of(b->lo, target);
  sa_reg reg = find_variable(b, name);
  if (reg == 0) {
    assign_global(b, name, value, at);
    return;
  }
  if (value == 0) value = add_placeholder(b);
  sa_ir_type type = reg_type(b, value), now = reg_type(b, reg);
  learn(b->lo, source_of(b, reg).key, type);
  learn_reg(b, reg, type);
  /* What a call gives is what later code asks of the variable. */
  sa_ir_reg *from = &func_of(b)->regs.at[value];
  if (from->kind == SA_REG_TEMP && type.kind == SA_TYPE_UNKNOWN && now.kind != SA_TYPE_UNKNOWN) {
    from->type = now;
    learn(b->lo, source_of(b, value).key, now);
  }
  add_arg(b, emit(b, SA_OP_copy, reg, NULL, at), value);
}

/* `x.data = y` replaces the storage, `x.grad = None` and `self.x = None` let go. */
static void assign_attribute(body *b, TSNode target, sa_reg value, TSNode at) {
  lowering *lo = b->lo;
  const char *name = text_of(lo, field_of(target, "attribute"));
  if (dotted_name(b, target) != NULL) {
    if (value != 0) add_arg(b, emit(b, SA_OP_escape, 0, "global", at), value);
    return;
  }
  sa_reg object = lower_expr(b, field_of(target, "object"));
  if (object == 0) return;
  TSNode right = field_of(at, "right");
  bool none = !ts_node_is_null(right) && is_none(lo, right);
  if (strcmp(name, "data") == 0 && reg_type(b, object).kind != SA_TYPE_OBJECT) {
    learn_reg(b, object, plain_type(SA_TYPE_TENSOR));
    let_go(b, object, ".data =", at);
  } else if (none) {
    let_go(b, lower_attribute_of(b, object, name, target), "= None", at);
  }
  uint64_t key = field_key(b, object, name);
  learn(lo, key, reg_type(b, value));
  note_field(b, object, name);
  sa_ir_type known = lesson_about(lo, key);
  if (value != 0 && reg_type(b, value).kind == SA_TYPE_UNKNOWN &&
      func_of(b)->regs.at[value].kind == SA_REG_TEMP && known.kind != SA_TYPE_UNKNOWN)
    func_of(b)->regs.at[value].type = known;
  if (value == 0) value = add_placeholder(b);
  sa_ir_inst *inst = emit(b, SA_OP_setfield, 0, name, at);
  add_arg(b, inst, object);
  add_arg(b, inst, value);
}

static void assign_element(body *b, TSNode target, sa_reg value, TSNode at) {
  nodes parts = named_children(b->lo, target);
  if (parts.n == 0) return;
  sa_reg container = lower_expr(b, parts.at[0]);
  for (uint32_t i = 1; i < parts.n; i++) lower_expr(b, parts.at[i]);
  if (container == 0) return;
  TSNode right = field_of(at, "right");
  if (!ts_node_is_null(right) && is_none(b->lo, right)) {
    let_go(b, lower_element(b, container, "[]", target), "= None", at);
    return;
  }
  if (value == 0) return;
  sa_ir_type type = reg_type(b, container), of = reg_type(b, value);
  if (type.kind == SA_TYPE_TENSOR && !type.many) {
    sa_ir_inst *inst = emit(b, SA_OP_use, 0, "[]=", at);
    add_arg(b, inst, 0);
    add_arg(b, inst, container);
    inst->mask = 2;
    if (of.kind != SA_TYPE_SCALAR) add_arg(b, inst, value);
    return;
  }
  sa_ir_inst *inst = emit(b, SA_OP_append, 0, "[]=", at);
  add_arg(b, inst, container);
  add_arg(b, inst, value);
  of.many = true;
  if (type.kind == SA_TYPE_UNKNOWN && of.kind > SA_TYPE_SCALAR) {
    learn(b->lo, source_of(b, container).key, of);
    func_of(b)->regs.at[container].type = of;
  }
}

static void assign_parts(body *b, nodes parts, sa_reg value, TSNode at) {
  if (value == 0) value = add_placeholder(b);
  for (uint32_t i = 0; i < parts.n; i++) {
    bool star = is_type(parts.at[i], "list_splat_pattern");
    sa_reg part = value;
    if (!star)
      part = lower_element(b, value, sa_printf(b->lo->arena, "%u", (unsigned)i), parts.at[i]);
    assign_target(b, parts.at[i], part, at);
  }
}

void assign_target(body *b, TSNode target, sa_reg value, TSNode at) {
  if (ts_node_is_null(target) || ++b->depth > MAX_NESTING) return;
  if (is_type(target, "identifier"))
    assign_name(b, target, value, at);
  else if (is_type(target, "attribute"))
    assign_attribute(b, target, value, at);
  else if (is_type(target, "subscript"))
    assign_element(b, target, value, at);
  else {
    nodes parts = named_children(b->lo, target);
    bool wrapper = is_type(target, "parenthesized_expression") ||
                   is_type(target, "list_splat_pattern") || is_type(target, "as_pattern_target");
    if (wrapper && parts.n == 1)
      assign_target(b, parts.at[0], value, at);
    else
      assign_parts(b, parts, value, at);
  }
  b->depth--;
}

/* `a, b = b, a`: all values first, then each target. */
static bool assign_pairwise(body *b, TSNode left, TSNode right, TSNode at) {
  bool both = (is_type(left, "pattern_list") || is_type(left, "tuple_pattern")) &&
              (is_type(right, "expression_list") || is_type(right, "tuple"));
  if (!both) return false;
  nodes targets = named_children(b->lo, left), values = named_children(b->lo, right);
  if (targets.n != values.n || targets.n > MAX_ARGS) return false;
  for (uint32_t i = 0; i < targets.n; i++)
    if (is_type(targets.at[i], "list_splat_pattern") || is_type(values.at[i], "list_splat"))
      return false;
  sa_reg regs[MAX_ARGS];
  for (uint32_t i = 0; i < values.n; i++) {
    regs[i] = lower_expr(b, values.at[i]);
    if (regs[i] == 0 || func_of(b)->regs.at[regs[i]].kind == SA_REG_TEMP) continue;
    sa_reg kept = add_temp(b, reg_type(b, regs[i]));
    set_source(b, kept, source_of(b, regs[i]));
    add_arg(b, emit(b, SA_OP_copy, kept, NULL, values.at[i]), regs[i]);
    regs[i] = kept;
  }
  for (uint32_t i = 0; i < targets.n; i++) assign_target(b, targets.at[i], regs[i], at);
  return true;
}

static sa_reg assign_chain(body *b, TSNode node, unsigned depth) {
  lowering *lo = b->lo;
  TSNode left = field_of(node, "left"), right = field_of(node, "right");
  sa_ir_type hint = type_of_hint(lo, field_of(node, "type"));
  if (hint.kind != SA_TYPE_UNKNOWN || hint.many) {
    sa_reg reg = is_type(left, "identifier") ? find_variable(b, text_of(lo, left)) : 0;
    if (reg != 0) learn(lo, source_of(b, reg).key, hint);
    if (is_type(left, "attribute") && dotted_name(b, left) == NULL)
      learn(lo, field_key(b, lower_expr(b, field_of(left, "object")),
                          text_of(lo, field_of(left, "attribute"))),
            hint);
  }
  if (ts_node_is_null(right) || depth > MAX_NESTING) return 0;
  if (assign_pairwise(b, left, right, node)) return 0;
  sa_reg value = is_type(right, "assignment") ? assign_chain(b, right, depth + 1)
                                              : lower_expr(b, right);
  assign_target(b, left, value, node);
  return value;
}

void lower_assignment(body *b, TSNode node) {
  assign_chain(b, node, 0);
}

void lower_augmented(body *b, TSNode node) {
  TSNode left = field_of(node, "left");
  sa_reg target = lower_expr(b, left), value = lower_expr(b, field_of(node, "right"));
  if (target == 0) return;
  sa_ir_type type = reg_type(b, target), of = reg_type(b, value);
  if (type.kind == SA_TYPE_TENSOR && !type.many) { /* in place */
    sa_ir_inst *inst = emit(b, SA_OP_use, 0, "in place", node);
    add_arg(b, inst, 0);
    add_arg(b, inst, target);
    inst->mask = 2;
    if (value != 0 && of.kind != SA_TYPE_SCALAR) add_arg(b, inst, value);
  } else if (type.many && value != 0) {
    sa_ir_inst *inst = emit(b, SA_OP_append, 0, "+=", node);
    add_arg(b, inst, target);
    add_arg(b, inst, value);
  } else if (is_type(left, "identifier")) {
    sa_reg result = add_temp(b, of.kind == SA_TYPE_TENSOR ? of : type);
    sa_ir_inst *inst = emit(b, SA_OP_op, result, "+=", node);
    add_arg(b, inst, target);
    if (value != 0) add_arg(b, inst, value);
    assign_target(b, left, result, node);
  }
}

static void delete_target(body *b, TSNode target, TSNode at, unsigned depth) {
  if (depth > MAX_NESTING) return;
  if (is_type(target, "identifier") || is_type(target, "attribute") ||
      is_type(target, "subscript")) {
    if (dotted_name(b, target) == NULL) let_go(b, lower_expr(b, target), "del", at);
    return;
  }
  nodes parts = named_children(b->lo, target);
  for (uint32_t i = 0; i < parts.n; i++) delete_target(b, parts.at[i], at, depth + 1);
}

void lower_delete(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) delete_target(b, parts.at[i], node, 0);
}
