/* Statements to blocks. */
#include "frontend/python/lessons.h"

#include <string.h>

void py_lower_block(body *b, TSNode node) {
  if (ts_node_is_null(node) || ++b->depth > MAX_NESTING) return;
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) py_lower_statement(b, parts.at[i]);
  b->depth--;
}

static void lower_expression_statement(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) {
    if (py_is_type(parts.at[i], "assignment"))
      py_lower_assignment(b, parts.at[i]);
    else if (py_is_type(parts.at[i], "augmented_assignment"))
      py_lower_augmented(b, parts.at[i]);
    else
      py_lower_expr(b, parts.at[i]);
  }
}

static void finish_return(body *b, sa_reg value, TSNode node) {
  py_leave_scopes(b, NULL, node);
  if (!py_block_is_open(b)) return;
  py_end_locals(b, node);
  sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  block->term = SA_TERM_RETURN;
  block->value = value;
  block->at = py_range_of(node);
  py_start_block(b, py_add_block(b)); /* nothing leads to what follows */
}

static void lower_return(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  sa_reg value = parts.n > 0 ? py_lower_expr(b, parts.at[0]) : 0;
  if (value != 0) {
    py_learn(b->lo, py_return_key(b->func), py_reg_type(b, value));
    sa_ir_type known = py_returns_of(b->lo, b->func);
    sa_ir_reg *reg = &py_func_of(b)->regs.at[value];
    if (reg->kind == SA_REG_TEMP && reg->type.kind == SA_TYPE_UNKNOWN &&
        known.kind != SA_TYPE_UNKNOWN && known.many == reg->type.many)
      reg->type = known;
  }
  finish_return(b, value, node);
}

static void lower_raise(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) py_lower_expr(b, parts.at[i]);
  scope *try = b->scope;
  while (try != NULL && try->kind != SCOPE_TRY) try = try->outer;
  py_leave_scopes(b, try, node);
  if (try != NULL) {
    try->raises = true;
    py_finish_goto(b, try->entry);
  } else if (py_block_is_open(b)) {
    py_end_locals(b, node);
  }
  py_start_block(b, py_add_block(b));
}

static void lower_jump(body *b, TSNode node) {
  const scope *loop = b->scope;
  while (loop != NULL && loop->kind != SCOPE_LOOP) loop = loop->outer;
  if (loop == NULL) return;
  py_leave_scopes(b, loop, node);
  py_finish_goto(b, py_is_type(node, "break_statement") ? loop->break_to : loop->continue_to);
  py_start_block(b, py_add_block(b));
}

static void lower_defaults(body *b, TSNode function) {
  nodes params = py_named_children(b->lo, py_field_of(function, "parameters"));
  for (uint32_t i = 0; i < params.n; i++) py_lower_expr(b, py_field_of(params.at[i], "value"));
}

static void lower_definition(body *b, TSNode node) {
  uint32_t func = py_func_at(b->lo, node);
  lower_defaults(b, node);
  if (func == SA_NO_INDEX || b->lo->funcs.at[func].parent != b->func || b->func == 0) return;
  sa_reg closure = py_lower_nested(b, func, node);
  sa_reg kept = py_find_variable(b, b->lo->funcs.at[func].name);
  if (kept == 0) return;
  py_func_of(b)->regs.at[kept].type = py_plain_type(SA_TYPE_FUNC);
  py_learn_func(b->lo, py_source_of(b, kept).key, func);
  py_add_arg(b, py_emit(b, SA_OP_copy, kept, NULL, node), closure);
}

/* What stands in a class body runs where the class stands; its names are fields. */
static void lower_class_field(body *b, TSNode assignment, uint32_t index) {
  lowering *lo = b->lo;
  const char *klass = lo->classes.at[index].qualified;
  TSNode left = py_field_of(assignment, "left");
  TSNode right = py_field_of(assignment, "right");
  sa_reg value = ts_node_is_null(right) ? 0 : py_lower_expr(b, right);
  if (!py_is_type(left, "identifier")) return;
  const char *name = py_text_of(lo, left);
  uint64_t key = py_key_of(py_key_of(py_key_of(0, "field"), klass), name);
  py_learn(lo, key, py_type_of_hint(lo, py_field_of(assignment, "type")));
  py_learn(lo, key, py_reg_type(b, value));
  py_declare_field(lo, index, name, py_lesson_about(lo, key));
}

static void lower_class(body *b, TSNode node) {
  uint32_t klass = py_class_at(b->lo, node);
  nodes parts = py_named_children(b->lo, py_field_of(node, "body"));
  for (uint32_t i = 0; i < parts.n; i++) {
    nodes inner = py_is_type(parts.at[i], "expression_statement")
                      ? py_named_children(b->lo, parts.at[i])
                      : (nodes){0};
    if (klass != SA_NO_INDEX && inner.n == 1 && py_is_type(inner.at[0], "assignment"))
      lower_class_field(b, inner.at[0], klass);
    else
      py_lower_statement(b, parts.at[i]);
  }
}

static void lower_decorated(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++)
    if (py_is_type(parts.at[i], "decorator")) {
      nodes of = py_named_children(b->lo, parts.at[i]);
      if (of.n > 0) py_lower_expr(b, of.at[0]);
    }
  py_lower_statement(b, py_field_of(node, "definition"));
}

static void lower_nothing(body *b, TSNode node) {
  (void)b;
  (void)node;
}

static const struct {
  const char *type;
  void (*lower)(body *b, TSNode node);
} STATEMENTS[] = {
    {"expression_statement", lower_expression_statement},
    {"return_statement", lower_return},
    {"if_statement", py_lower_if},
    {"for_statement", py_lower_for},
    {"while_statement", py_lower_while},
    {"with_statement", py_lower_with},
    {"try_statement", py_lower_try},
    {"match_statement", py_lower_match},
    {"raise_statement", lower_raise},
    {"break_statement", lower_jump},
    {"continue_statement", lower_jump},
    {"delete_statement", py_lower_delete},
    {"function_definition", lower_definition},
    {"class_definition", lower_class},
    {"decorated_definition", lower_decorated},
    {"assignment", py_lower_assignment},
    {"augmented_assignment", py_lower_augmented},
    {"block", py_lower_block},
    {"ERROR", py_lower_block},
    {"import_statement", lower_nothing},
    {"import_from_statement", lower_nothing},
    {"future_import_statement", lower_nothing},
    {"global_statement", lower_nothing},
    {"nonlocal_statement", lower_nothing},
    {"pass_statement", lower_nothing},
};

void py_lower_statement(body *b, TSNode node) {
  if (b->depth > MAX_NESTING) return;
  b->depth++;
  enum { N = sizeof STATEMENTS / sizeof *STATEMENTS };
  uint8_t *row = py_row_for(b->lo, node, PY_STATEMENTS);
  while (*row < N && !py_is_type(node, STATEMENTS[*row].type)) ++*row;
  if (*row < N)
    STATEMENTS[*row].lower(b, node);
  else
    py_lower_expr(b, node); /* assert, print, exec and expressions beside errors */
  b->depth--;
}
