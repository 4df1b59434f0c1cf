/* Statements to blocks. */
#include "frontend/python/internal.h"

#include <string.h>

void lower_block(body *b, TSNode node) {
  if (ts_node_is_null(node) || ++b->depth > MAX_NESTING) return;
  nodes parts = named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) lower_statement(b, parts.at[i]);
  b->depth--;
}

static void lower_expression_statement(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) {
    if (is_type(parts.at[i], "assignment"))
      lower_assignment(b, parts.at[i]);
    else if (is_type(parts.at[i], "augmented_assignment"))
      lower_augmented(b, parts.at[i]);
    else
      lower_expr(b, parts.at[i]);
  }
}

static void finish_return(body *b, sa_reg value, TSNode node) {
  leave_scopes(b, NULL, node);
  if (!block_is_open(b)) return;
  end_locals(b, node);
  sa_ir_block *block = &func_of(b)->blocks.at[b->block];
  block->term = SA_TERM_RETURN;
  block->value = value;
  block->at = range_of(node);
  start_block(b, add_block(b)); /* nothing leads to what follows */
}

static void lower_return(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  sa_reg value = parts.n > 0 ? lower_expr(b, parts.at[0]) : 0;
  if (value != 0) {
    learn(b->lo, return_key(b->func), reg_type(b, value));
    sa_ir_type known = func_of(b)->returns;
    sa_ir_reg *reg = &func_of(b)->regs.at[value];
    if (reg->kind == SA_REG_TEMP && reg->type.kind == SA_TYPE_UNKNOWN &&
        known.kind != SA_TYPE_UNKNOWN && known.many == reg->type.many)
      reg->type = known;
  }
  finish_return(b, value, node);
}

static void lower_raise(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) lower_expr(b, parts.at[i]);
  const scope *try = b->scope;
  while (try != NULL && try->kind != SCOPE_TRY) try = try->outer;
  leave_scopes(b, try, node);
  if (try != NULL) {
    finish_goto(b, try->entry);
  } else if (block_is_open(b)) {
    end_locals(b, node);
  }
  start_block(b, add_block(b));
}

static void lower_jump(body *b, TSNode node) {
  const scope *loop = b->scope;
  while (loop != NULL && loop->kind != SCOPE_LOOP) loop = loop->outer;
  if (loop == NULL) return;
  leave_scopes(b, loop, node);
  finish_goto(b, is_type(node, "break_statement") ? loop->break_to : loop->continue_to);
  start_block(b, add_block(b));
}

static void lower_defaults(body *b, TSNode function) {
  nodes params = named_children(b->lo, field_of(function, "parameters"));
  for (uint32_t i = 0; i < params.n; i++) lower_expr(b, field_of(params.at[i], "value"));
}

static void lower_definition(body *b, TSNode node) {
  uint32_t func = func_at(b->lo, node);
  lower_defaults(b, node);
  if (func == SA_NO_INDEX || b->lo->funcs.at[func].parent != b->func || b->func == 0) return;
  sa_reg closure = lower_nested(b, func, node);
  sa_reg variable = find_variable(b, b->lo->funcs.at[func].name);
  if (variable == 0) return;
  func_of(b)->regs.at[variable].type = plain_type(SA_TYPE_FUNC);
  learn_func(b->lo, source_of(b, variable).key, func);
  add_arg(b, emit(b, SA_OP_copy, variable, NULL, node), closure);
}

/* What stands in a class body runs where the class stands; its names are fields. */
static void lower_class_field(body *b, TSNode assignment, const char *klass) {
  lowering *lo = b->lo;
  TSNode left = field_of(assignment, "left");
  TSNode right = field_of(assignment, "right");
  sa_reg value = ts_node_is_null(right) ? 0 : lower_expr(b, right);
  if (!is_type(left, "identifier")) return;
  const char *name = text_of(lo, left);
  uint64_t key = key_of(key_of(key_of(0, "field"), klass), name);
  learn(lo, key, type_of_hint(lo, field_of(assignment, "type")));
  learn(lo, key, reg_type(b, value));
  for (uint32_t i = 0; i < lo->unit->classes.n; i++) {
    sa_ir_class *c = &lo->unit->classes.at[i];
    if (strcmp(c->name, klass) != 0) continue;
    sa_push(lo->arena, &c->fields, ((sa_ir_field){name, lesson_about(lo, key)}));
  }
}

static void lower_class(body *b, TSNode node) {
  const char *klass = NULL;
  for (uint32_t i = 0; i < b->lo->classes.n; i++)
    if (same_node(b->lo->classes.at[i].node, node)) klass = b->lo->classes.at[i].qualified;
  nodes parts = named_children(b->lo, field_of(node, "body"));
  for (uint32_t i = 0; i < parts.n; i++) {
    nodes inner = is_type(parts.at[i], "expression_statement") ? named_children(b->lo, parts.at[i])
                                                               : (nodes){0};
    if (klass != NULL && inner.n == 1 && is_type(inner.at[0], "assignment"))
      lower_class_field(b, inner.at[0], klass);
    else
      lower_statement(b, parts.at[i]);
  }
}

static void lower_decorated(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++)
    if (is_type(parts.at[i], "decorator")) {
      nodes of = named_children(b->lo, parts.at[i]);
      if (of.n > 0) lower_expr(b, of.at[0]);
    }
  lower_statement(b, field_of(node, "definition"));
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
    {"if_statement", lower_if},
    {"for_statement", lower_for},
    {"while_statement", lower_while},
    {"with_statement", lower_with},
    {"try_statement", lower_try},
    {"match_statement", lower_match},
    {"raise_statement", lower_raise},
    {"break_statement", lower_jump},
    {"continue_statement", lower_jump},
    {"delete_statement", lower_delete},
    {"function_definition", lower_definition},
    {"class_definition", lower_class},
    {"decorated_definition", lower_decorated},
    {"assignment", lower_assignment},
    {"augmented_assignment", lower_augmented},
    {"block", lower_block},
    {"ERROR", lower_block},
    {"import_statement", lower_nothing},
    {"import_from_statement", lower_nothing},
    {"future_import_statement", lower_nothing},
    {"global_statement", lower_nothing},
    {"nonlocal_statement", lower_nothing},
    {"pass_statement", lower_nothing},
};

void lower_statement(body *b, TSNode node) {
  if (b->depth > MAX_NESTING) return;
  b->depth++;
  const char *type = ts_node_type(node);
  void (*lower)(body *, TSNode) = NULL;
  for (size_t i = 0; i < sizeof STATEMENTS / sizeof *STATEMENTS && lower == NULL; i++)
    if (strcmp(STATEMENTS[i].type, type) == 0) lower = STATEMENTS[i].lower;
  if (lower != NULL)
    lower(b, node);
  else
    lower_expr(b, node); /* assert, print, exec and expressions beside errors */
  b->depth--;
}
