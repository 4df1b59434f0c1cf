/* Expressions to registers. */
#include "frontend/python/effect.h"
#include "frontend/python/lessons.h"

#include <string.h>

enum { MAX_TEXT = 60, MAX_DOTS = 32 };

static bool holds_block(sa_ir_type type) {
  return type.kind == SA_TYPE_TENSOR || type.kind == SA_TYPE_MEMORY;
}

/* ---- names ---- */

/* Names with more dots than anybody writes are not worth their text. */
static bool is_short(lowering *lo, TSNode node) {
  unsigned dots = 0;
  for (; py_is_type(node, "attribute") && dots <= MAX_DOTS; dots++)
    node = py_unwrapped(lo, py_field_of(node, "object"));
  return dots <= MAX_DOTS;
}

static const char *dotted_name(body *b, TSNode node) {
  lowering *lo = b->lo;
  if (py_is_type(node, "identifier")) {
    const char *name = py_text_of(lo, node), *alias = py_find_alias(lo, name);
    if (py_find_variable(b, name) != 0) return NULL;
    if (alias != NULL) return alias;
    if (py_is_global(lo, name) || py_find_class(lo, name) != NULL) return NULL;
    return py_find_module_func(lo, name) == SA_NO_INDEX ? name : NULL;
  }
  if (!py_is_type(node, "attribute")) return NULL;
  const char *object = dotted_name(b, py_unwrapped(lo, py_field_of(node, "object")));
  if (object == NULL) return NULL;
  return sa_printf(lo->arena, "%s.%s", object, py_text_of(lo, py_field_of(node, "attribute")));
}

const char *py_dotted_name(body *b, TSNode node) {
  return is_short(b->lo, node) ? dotted_name(b, node) : NULL;
}

static sa_reg lower_global(body *b, const char *name, TSNode at) {
  uint64_t key = py_global_key(name);
  bool callable =
      py_find_module_func(b->lo, name) != SA_NO_INDEX || py_find_class(b->lo, name) != NULL;
  sa_reg result =
      py_add_temp(b, callable ? py_plain_type(SA_TYPE_FUNC) : py_lesson_about(b->lo, key));
  py_set_source(b, result, (py_source){.key = key});
  py_emit(b, SA_OP_global, result, name, at);
  return result;
}

static sa_reg lower_identifier(body *b, TSNode node) {
  const char *name = py_text_of(b->lo, node);
  sa_reg reg = py_find_variable(b, name);
  if (reg != 0) return reg;
  const char *dotted = py_dotted_name(b, node);
  return lower_global(b, dotted != NULL ? dotted : name, node);
}

/* ---- parts of things ---- */

sa_reg py_lower_element(body *b, sa_reg container, const char *index, TSNode at) {
  sa_ir_type type = py_reg_type(b, container);
  py_source source = py_source_of(b, container);
  bool view = type.kind == SA_TYPE_TENSOR && !type.many;
  if (!type.many && !view) type = py_plain_type(SA_TYPE_UNKNOWN);
  type.many = false;
  sa_reg result = py_add_temp(b, type);
  py_add_arg(b, py_emit(b, view ? SA_OP_view : SA_OP_elem, result, index, at), container);
  source.element |= !view;
  py_set_source(b, result, source);
  return result;
}

sa_reg py_lower_attribute_of(body *b, sa_reg object, const char *name, TSNode at) {
  lowering *lo = b->lo, *of;
  sa_ir_type type = py_reg_type(b, object);
  bool known = py_known_class(lo, type, &of) != NULL;
  py_method method;
  bool is_method = known && py_find_method_of(&method, lo, type, name);
  if (is_method && method.lo->funcs.at[method.func].property) {
    sa_reg result = py_emit_method(b, object, &method, at);
    if (method.lo == lo) py_set_source(b, result, (py_source){.key = py_return_key(method.func)});
    return result;
  }
  py_call c = {.node = at,
               .kind = SA_API_ATTRIBUTE,
               .name = name,
               .spelling = name,
               .receiver = object,
               .func = SA_NO_INDEX};
  const sa_api *api = known ? NULL : py_recognise_call(b, &c);
  if (api != NULL) return py_emit_api(b, &c, api);
  uint64_t key = py_field_key(b, object, name);
  sa_ir_type holds = is_method ? py_plain_type(SA_TYPE_FUNC) : py_lesson_about(lo, key);
  if (known && holds.kind == SA_TYPE_UNKNOWN && !holds.many)
    holds = py_field_elsewhere(lo, type, name);
  sa_reg result = py_add_temp(b, holds);
  py_add_arg(b, py_emit(b, SA_OP_field, result, name, at), object);
  py_set_source(b, result, (py_source){.key = key});
  return result;
}

static sa_reg lower_attribute(body *b, TSNode node) {
  const char *dotted = py_dotted_name(b, node);
  if (dotted != NULL) return lower_global(b, dotted, node);
  sa_reg object = py_lower_expr(b, py_field_of(node, "object"));
  if (object == 0) object = py_add_placeholder(b);
  return py_lower_attribute_of(b, object, py_text_of(b->lo, py_field_of(node, "attribute")), node);
}

/* `t[indices]`, asked for with a tensor: a new block, gathered from both. */
static sa_reg lower_gather(body *b, sa_reg from, sa_reg indices, TSNode node) {
  sa_reg result = py_add_temp(b, py_plain_type(SA_TYPE_TENSOR));
  py_add_arg(b, py_emit(b, SA_OP_alloc, result, "[]", node), 0);
  sa_ir_inst *inst = py_emit(b, SA_OP_use, 0, "[]", node);
  const sa_reg args[] = {0, result, from, indices};
  for (size_t i = 0; i < sizeof args / sizeof *args; i++) py_add_arg(b, inst, args[i]);
  inst->mask = 2;
  return result;
}

/* What stands under a name is of a type of its own. */
static void name_item(body *b, sa_reg item, sa_reg dictionary, TSNode literal) {
  py_source source = py_source_of(b, item);
  source.item = py_item_key(b, dictionary, py_text_of(b->lo, literal));
  py_set_source(b, item, source);
  sa_ir_type known = py_lesson_about(b->lo, source.item);
  if (known.kind != SA_TYPE_UNKNOWN || known.many) py_func_of(b)->regs.at[item].type = known;
}

static sa_reg lower_subscript(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  if (parts.n == 0) return 0;
  sa_reg container = py_lower_expr(b, parts.at[0]), index = 0;
  if (container == 0) container = py_add_placeholder(b);
  bool slice = false;
  const char *text = "[]";
  for (uint32_t i = 1; i < parts.n; i++) {
    slice |= py_is_type(parts.at[i], "slice");
    index = py_lower_expr(b, parts.at[i]);
    if (py_is_type(parts.at[i], "integer") && parts.n == 2) text = py_text_of(b->lo, parts.at[i]);
  }
  sa_ir_type type = py_reg_type(b, container), asked = py_reg_type(b, index);
  bool tensors = type.kind == SA_TYPE_TENSOR && asked.kind == SA_TYPE_TENSOR;
  if (parts.n == 2 && tensors && !slice && !asked.many && !type.many)
    return lower_gather(b, container, index, node);
  if (slice && !holds_block(type)) { /* part of a list: still a container of the same things */
    sa_reg result = py_add_temp(b, type);
    py_add_arg(b, py_emit(b, SA_OP_view, result, "slice", node), container);
    py_set_source(b, result, py_source_of(b, container));
    return result;
  }
  sa_reg result = py_lower_element(b, container, text, node);
  sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  sa_ir_inst *inst = &block->insts.at[block->insts.n - 1];
  if (inst->op != SA_OP_elem || index == 0 || parts.n != 2) return result;
  py_add_arg(b, inst, index);
  if (py_is_type(parts.at[1], "string")) name_item(b, result, container, parts.at[1]);
  return result;
}

/* ---- values ---- */

/* `{"x": x}`: what stands under a name is found under it again. */
static void keep_by_name(body *b, sa_reg display, sa_reg key, sa_reg value, TSNode node) {
  sa_ir_inst *inst = py_emit(b, SA_OP_append, 0, "{}", node);
  py_add_arg(b, inst, display);
  py_add_arg(b, inst, value);
  py_add_arg(b, inst, key);
}

static sa_reg lower_display(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  sa_reg args[MAX_ARGS], keys[MAX_ARGS];
  uint32_t n = 0;
  sa_ir_type type = {.kind = SA_TYPE_UNKNOWN, .many = true, .name = ""};
  for (uint32_t i = 0; i < parts.n; i++) {
    TSNode item = parts.at[i];
    sa_reg key = 0;
    if (py_is_type(item, "pair")) {
      key = py_lower_expr(b, py_field_of(item, "key"));
      item = py_field_of(item, "value");
    }
    sa_reg value = py_lower_expr(b, item);
    if (value == 0 || n == MAX_ARGS) continue;
    keys[n] = key;
    sa_ir_type of = py_reg_type(b, value);
    if (of.kind > SA_TYPE_SCALAR && (type.kind == SA_TYPE_UNKNOWN || holds_block(of))) {
      type.kind = of.kind;
      type.name = of.name;
    }
    args[n++] = value;
  }
  sa_reg result = py_add_temp(b, type);
  bool named = n > 0 && keys[0] != 0;
  const char *text = n == 0 || named ? "empty" : ts_node_type(node);
  sa_ir_inst *inst = py_emit(b, SA_OP_pack, result, text, node);
  for (uint32_t i = 0; i < n; i++)
    if (!named || keys[i] == 0) py_add_arg(b, inst, args[i]);
  for (uint32_t i = 0; i < n && named; i++)
    if (keys[i] != 0) keep_by_name(b, result, keys[i], args[i], node);
  return result;
}

static sa_reg lower_interpolations(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++)
    if (py_is_type(parts.at[i], "interpolation"))
      py_lower_expr(b, py_field_of(parts.at[i], "expression"));
    else if (py_is_type(parts.at[i], "string"))
      lower_interpolations(b, parts.at[i]);
  const char *text = py_text_of(b->lo, node);
  return py_emit_const(b, strlen(text) <= MAX_TEXT ? text : "string", SA_TYPE_SCALAR, node);
}

static sa_reg lower_number(body *b, TSNode node) {
  const char *text = py_text_of(b->lo, node);
  return py_emit_const(b, strlen(text) <= MAX_TEXT ? text : "number", SA_TYPE_SCALAR, node);
}

static sa_reg lower_none(body *b, TSNode node) {
  return py_emit_const(b, "None", SA_TYPE_UNKNOWN, node);
}

/* Arithmetic: on tensors work that makes a new one, on containers another container. Where nothing
 * is known of the operands, what later code asks of the result tells; a product of matrices is work
 * on tensors. */
static sa_reg combine(body *b, const char *text, sa_reg left, sa_reg right, TSNode node) {
  sa_ir_type types[2] = {py_reg_type(b, left), py_reg_type(b, right)};
  bool many = types[0].many || types[1].many;
  uint64_t key = py_key_of(ts_node_start_byte(node), "arithmetic");
  sa_ir_type asked = py_lesson_about(b->lo, key);
  bool open = types[0].kind <= SA_TYPE_SCALAR && types[1].kind <= SA_TYPE_SCALAR && !many &&
              (types[0].kind == SA_TYPE_UNKNOWN || types[1].kind == SA_TYPE_UNKNOWN);
  if (open && strcmp(text, "@") == 0) asked = py_plain_type(SA_TYPE_TENSOR);
  bool made = open && asked.kind == SA_TYPE_TENSOR && !asked.many;
  bool work = made || ((holds_block(types[0]) || holds_block(types[1])) && !many);
  sa_ir_type type = holds_block(types[0]) || !holds_block(types[1]) ? types[0] : types[1];
  if (open) type = made ? asked : py_plain_type(SA_TYPE_UNKNOWN);
  type.many = many;
  sa_reg result = py_add_temp(b, type);
  if (open) py_set_source(b, result, (py_source){.key = key});
  /* A tensor is made of a number and another tensor. */
  if (made && types[1].kind == SA_TYPE_SCALAR) py_learn_reg(b, left, type);
  if (made && types[0].kind == SA_TYPE_SCALAR) py_learn_reg(b, right, type);
  if (work) py_add_arg(b, py_emit(b, SA_OP_alloc, result, text, node), 0);
  sa_ir_inst *inst = work ? py_emit(b, SA_OP_use, 0, text, node)
                          : py_emit(b, many ? SA_OP_pack : SA_OP_op, result, text, node);
  if (work) {
    py_add_arg(b, inst, 0);
    py_add_arg(b, inst, result);
    inst->mask = 2;
  }
  if (left != 0) py_add_arg(b, inst, left);
  if (right != 0) py_add_arg(b, inst, right);
  return result;
}

static sa_reg lower_binary(body *b, TSNode node) {
  sa_reg left = py_lower_expr(b, py_field_of(node, "left"));
  sa_reg right = py_lower_expr(b, py_field_of(node, "right"));
  return combine(b, py_text_of(b->lo, py_field_of(node, "operator")), left, right, node);
}

static sa_reg lower_unary(body *b, TSNode node) {
  sa_reg operand = py_lower_expr(b, py_field_of(node, "argument"));
  return combine(b, py_text_of(b->lo, py_field_of(node, "operator")), operand, 0, node);
}

static sa_reg lower_comparison(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  sa_reg args[8];
  uint32_t n = 0;
  for (uint32_t i = 0; i < parts.n; i++) {
    sa_reg value = py_lower_expr(b, parts.at[i]);
    if (value != 0 && n < 8) args[n++] = value;
  }
  sa_reg result = py_add_temp(b, py_plain_type(SA_TYPE_SCALAR));
  const char *text = "compare";
  if (parts.n == 2) {
    uint32_t begin = ts_node_end_byte(parts.at[0]), end = ts_node_start_byte(parts.at[1]);
    while (begin < end && b->lo->job->text[begin] == ' ') begin++;
    while (end > begin && b->lo->job->text[end - 1] == ' ') end--;
    if (end - begin <= 8) text = sa_strndup(b->lo->arena, b->lo->job->text + begin, end - begin);
  }
  sa_ir_inst *inst = py_emit(b, SA_OP_op, result, text, node);
  for (uint32_t i = 0; i < n; i++) py_add_arg(b, inst, args[i]);
  return result;
}

static sa_reg lower_not(body *b, TSNode node) {
  sa_reg operand = py_lower_expr(b, py_field_of(node, "argument"));
  sa_reg result = py_add_temp(b, py_plain_type(SA_TYPE_SCALAR));
  sa_ir_inst *inst = py_emit(b, SA_OP_op, result, "not", node);
  if (operand != 0) py_add_arg(b, inst, operand);
  return result;
}

/* What has no effect and cannot fail: both sides may be looked at. */
static bool is_plain(TSNode node) {
  static const char *const types[] = {"identifier", "attribute", "true",  "false",
                                      "none",       "integer",   "float", "string"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (py_is_type(node, types[i])) return true;
  return false;
}

/* Whether looking at it may do something; what stands behind `and` and `or` is looked at on one
 * path only. */
static bool may_act(body *b, TSNode node, unsigned depth) {
  static const char *const types[] = {"call", "await", "yield", "named_expression"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (py_is_type(node, types[i])) return true;
  nodes parts = py_named_children(b->lo, node);
  bool acts = depth > MAX_NESTING;
  for (uint32_t i = 0; i < parts.n && !acts; i++) acts = may_act(b, parts.at[i], depth + 1);
  return acts;
}

static sa_ir_type joined_type(sa_ir_type a, sa_ir_type b) {
  bool first = b.kind == SA_TYPE_UNKNOWN || a.kind == SA_TYPE_TENSOR ||
               (b.kind == SA_TYPE_GUARD && a.kind == SA_TYPE_STREAM) ||
               (b.kind == SA_TYPE_SCALAR && a.kind != SA_TYPE_UNKNOWN);
  return first ? a : b;
}

static void settle_arm(body *b, sa_reg result, TSNode node, uint32_t join) {
  sa_reg value = py_lower_expr(b, node);
  if (value == 0) value = py_add_placeholder(b);
  sa_ir_type *type = &py_func_of(b)->regs.at[result].type;
  *type = joined_type(*type, py_reg_type(b, value));
  if (py_source_of(b, result).key == 0) py_set_source(b, result, py_source_of(b, value));
  py_add_arg(b, py_emit(b, SA_OP_copy, result, NULL, node), value);
  py_finish_goto(b, join);
}

static sa_reg lower_conditional(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  if (parts.n != 3) return 0;
  sa_reg condition = py_lower_expr(b, parts.at[1]);
  sa_reg result = py_add_placeholder(b);
  uint32_t yes = py_add_block(b), no = py_add_block(b), join = py_add_block(b);
  py_finish_branch(b, condition, yes, no, parts.at[1]);
  py_start_block(b, yes);
  settle_arm(b, result, parts.at[0], join);
  py_start_block(b, no);
  settle_arm(b, result, parts.at[2], join);
  py_start_block(b, join);
  return result;
}

static sa_reg lower_boolean(body *b, TSNode node) {
  TSNode left = py_field_of(node, "left"), right = py_field_of(node, "right");
  const char *text = py_text_of(b->lo, py_field_of(node, "operator"));
  sa_reg first = py_lower_expr(b, left);
  sa_type kind = py_reg_type(b, first).kind;
  bool scalar = kind == SA_TYPE_SCALAR && !may_act(b, right, 0);
  if (is_plain(py_unwrapped(b->lo, right)) || scalar) {
    bool test = kind == SA_TYPE_SCALAR || strcmp(text, "and") == 0;
    sa_reg second = py_lower_expr(b, right);
    sa_ir_type type = test ? py_plain_type(SA_TYPE_SCALAR)
                           : joined_type(py_reg_type(b, first), py_reg_type(b, second));
    if (strcmp(text, "or") != 0 || test) {
      sa_reg result = py_add_temp(b, type);
      sa_ir_inst *inst = py_emit(b, SA_OP_op, result, text, node);
      if (first != 0) py_add_arg(b, inst, first);
      if (second != 0) py_add_arg(b, inst, second);
      return result;
    }
  }
  sa_reg result = py_add_temp(b, py_reg_type(b, first));
  if (first == 0) first = py_add_placeholder(b);
  py_set_source(b, result, py_source_of(b, first));
  py_add_arg(b, py_emit(b, SA_OP_copy, result, NULL, left), first);
  uint32_t other = py_add_block(b), join = py_add_block(b);
  bool either = strcmp(text, "or") == 0;
  py_finish_branch(b, first, either ? join : other, either ? other : join, left);
  py_start_block(b, other);
  settle_arm(b, result, right, join);
  py_start_block(b, join);
  return result;
}

sa_reg py_lower_nested(body *b, uint32_t func, TSNode at) {
  sa_reg result = py_add_temp(b, py_plain_type(SA_TYPE_FUNC));
  if (func == SA_NO_INDEX || b->lo->funcs.at[func].parent != b->func) return result;
  py_lower_function(b->lo, func, b);
  sa_ir_inst *inst = py_emit(b, SA_OP_lambda, result, NULL, at);
  inst->func = func;
  const sa_ir_func *made = &b->lo->unit->funcs.at[func];
  for (uint32_t i = 0; i < made->captures.n; i++) py_add_arg(b, inst, made->captures.at[i].outer);
  return result;
}

static sa_reg lower_lambda_expr(body *b, TSNode node) {
  return py_lower_nested(b, py_func_at(b->lo, node), node);
}

/* The value goes to whoever iterates; this function goes on later. */
static sa_reg lower_yield(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  if (parts.n == 0)
    py_add_arg(b, py_emit(b, SA_OP_escape, 0, "yield", node), py_add_placeholder(b));
  for (uint32_t i = 0; i < parts.n; i++) {
    sa_reg value = py_lower_expr(b, parts.at[i]);
    if (value != 0) py_add_arg(b, py_emit(b, SA_OP_escape, 0, "yield", node), value);
  }
  if (b->lo->funcs.at[b->func].context)
    for (const scope *s = b->scope; s != NULL; s = s->outer)
      if (s->kind == SCOPE_GUARD) {
        py_learn(b->lo, py_return_key(b->func), py_plain_type(SA_TYPE_STREAM));
        b->offered = s->stream;
        break;
      }
  return py_add_placeholder(b);
}

static sa_reg lower_named(body *b, TSNode node) {
  sa_reg value = py_lower_expr(b, py_field_of(node, "value"));
  py_assign_target(b, py_field_of(node, "name"), value, node);
  sa_reg reg = py_find_variable(b, py_text_of(b->lo, py_field_of(node, "name")));
  return reg != 0 ? reg : value;
}

/* The last of what stands in it: brackets, await, *x, slices. */
static sa_reg lower_last(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  sa_reg value = 0;
  for (uint32_t i = 0; i < parts.n; i++) value = py_lower_expr(b, parts.at[i]);
  return value;
}

static const struct {
  const char *type;
  sa_reg (*lower)(body *b, TSNode node);
} EXPRESSIONS[] = {
    {"identifier", lower_identifier},
    {"attribute", lower_attribute},
    {"call", py_lower_call},
    {"subscript", lower_subscript},
    {"string", lower_interpolations},
    {"concatenated_string", lower_interpolations},
    {"integer", lower_number},
    {"float", lower_number},
    {"true", lower_number},
    {"false", lower_number},
    {"none", lower_none},
    {"tuple", lower_display},
    {"list", lower_display},
    {"set", lower_display},
    {"dictionary", lower_display},
    {"expression_list", lower_display},
    {"pattern_list", lower_display},
    {"binary_operator", lower_binary},
    {"unary_operator", lower_unary},
    {"comparison_operator", lower_comparison},
    {"not_operator", lower_not},
    {"boolean_operator", lower_boolean},
    {"conditional_expression", lower_conditional},
    {"lambda", lower_lambda_expr},
    {"yield", lower_yield},
    {"named_expression", lower_named},
    {"list_comprehension", py_lower_comprehension},
    {"set_comprehension", py_lower_comprehension},
    {"dictionary_comprehension", py_lower_comprehension},
    {"generator_expression", py_lower_comprehension},
};

sa_reg py_lower_expr(body *b, TSNode node) {
  if (ts_node_is_null(node) || b->depth > MAX_NESTING) return 0;
  b->depth++;
  enum { N = sizeof EXPRESSIONS / sizeof *EXPRESSIONS };
  uint8_t *row = py_row_for(b->lo, node, PY_EXPRESSIONS);
  while (*row < N && !py_is_type(node, EXPRESSIONS[*row].type)) ++*row;
  sa_reg result = *row < N ? EXPRESSIONS[*row].lower(b, node) : lower_last(b, node);
  b->depth--;
  return result;
}
