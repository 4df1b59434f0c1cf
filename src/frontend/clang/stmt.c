/* Statements to blocks. */
#include "frontend/clang/internal.h"
#include "frontend/clang/jump.h"

#include <ctype.h>
#include <string.h>

/* Offset (in the file) of the parenthesis that closes the statement's head, or 0. */
static unsigned head_end(lowering *lo, CXCursor cursor, unsigned *semicolons, unsigned *count) {
  size_t length;
  const char *text = text_of(lo, cursor, &length);
  *count = 0;
  if (text == NULL) return 0;
  unsigned begin = span_of(lo, cursor).begin;
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (c == '"' || (c == '\'' && (i == 0 || !is_name(text[i - 1])))) {
      i = skip_quoted(text, length, i) - 1;
    } else if (c == '/' && i + 1 < length && (text[i + 1] == '/' || text[i + 1] == '*')) {
      i = skip_comment(text, length, i) - 1;
    } else if (c == '(' || c == '{' || c == '[') {
      if (c == '{' && depth == 0) return 0; /* no head: `do {` */
      depth++;
    } else if (c == ')' || c == '}' || c == ']') {
      if (--depth == 0 && c == ')') return begin + (unsigned)i;
    } else if (c == ';' && depth == 1 && *count < 2) {
      semicolons[(*count)++] = begin + (unsigned)i;
    }
  }
  return 0;
}

/* Whether the statement's own keyword stands where it begins. */
static bool begins_with_keyword(lowering *lo, CXCursor cursor) {
  static const char *const keywords[] = {"for", "while", "do", "if", "switch"};
  size_t length;
  const char *text = text_of(lo, cursor, &length);
  for (size_t i = 0; text != NULL && i < sizeof keywords / sizeof *keywords; i++) {
    size_t n = strlen(keywords[i]);
    if (length > n && memcmp(text, keywords[i], n) == 0 && !isalnum((unsigned char)text[n]) &&
        text[n] != '_')
      return true;
  }
  return false;
}

/* In a macro's expansion every part has the expansion's place, and the text says nothing. */
static bool from_macro(lowering *lo, CXCursor cursor) {
  if (!lo->lib->spells_macros) return !begins_with_keyword(lo, cursor);
  CXSourceLocation start = lo->lib->getRangeStart(lo->lib->getCursorExtent(cursor));
  CXFile spelled = NULL, placed = NULL;
  unsigned spelled_at = 0, placed_at = 0;
  lo->lib->getSpellingLocation(start, &spelled, NULL, NULL, &spelled_at);
  lo->lib->getFileLocation(start, &placed, NULL, NULL, &placed_at);
  return spelled_at != placed_at || !same_file(lo, spelled, placed);
}

static void lower_condition_variables(body *b, cursors parts, uint32_t until, sa_reg *last) {
  for (uint32_t i = 0; i < until; i++) {
    enum CXCursorKind kind = kind_of(b->lo, parts.at[i]);
    if (kind == CXCursor_VarDecl)
      declare_variable(b, parts.at[i]);
    else if (b->lo->lib->isExpression(kind))
      *last = lower_expr(b, parts.at[i]);
    else
      lower_statement(b, parts.at[i]);
  }
}

/* How many leading children stand in the head of an `if`. The text says so, but for a macro's:
 * there declarations come first, then the condition, then the arms. `if consteval` has no
 * condition. */
static uint32_t head_children(lowering *lo, CXCursor cursor, cursors parts) {
  unsigned semicolons[2], count, end = 0;
  uint32_t n = 0;
  if (!from_macro(lo, cursor)) end = head_end(lo, cursor, semicolons, &count);
  if (end != 0) {
    while (n < parts.n && span_of(lo, parts.at[n]).begin < end) n++;
    return n;
  }
  while (n + 1 < parts.n && !lo->lib->isExpression(kind_of(lo, parts.at[n]))) n++;
  return n + 1 < parts.n ? n + 1 : 0;
}

static void lower_if(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  cursors parts = children_of(lo, cursor);
  if (parts.n == 0) return;
  scope s;
  push_scope(b, &s, SCOPE_BLOCK);
  uint32_t head = head_children(lo, cursor, parts);
  sa_reg condition = 0;
  lower_condition_variables(b, parts, head, &condition);
  uint32_t yes = add_block(b), no = add_block(b), join = add_block(b);
  finish_branch(b, condition, yes, no, head > 0 ? parts.at[head - 1] : cursor);
  for (uint32_t arm = 0; arm < 2; arm++) {
    start_block(b, arm == 0 ? yes : no);
    if (head + arm < parts.n) lower_statement(b, parts.at[head + arm]);
    finish_goto(b, join);
  }
  start_block(b, join);
  pop_scope(b, cursor);
}

static void lower_loop_body(body *b, CXCursor cursor, uint32_t next, uint32_t after) {
  scope s;
  push_scope(b, &s, SCOPE_LOOP);
  s.break_to = after;
  s.continue_to = next;
  lower_statement(b, cursor);
  pop_scope(b, cursor);
  finish_goto(b, next);
}

static void lower_while(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  if (parts.n == 0) return;
  uint32_t head = add_block(b), inside = add_block(b), after = add_block(b);
  finish_goto(b, head);
  start_block(b, head);
  scope s;
  push_scope(b, &s, SCOPE_BLOCK);
  sa_reg condition = 0;
  lower_condition_variables(b, parts, parts.n - 1, &condition);
  finish_branch(b, condition, inside, after, parts.at[0]);
  start_block(b, inside);
  lower_loop_body(b, parts.at[parts.n - 1], head, after);
  start_block(b, after);
  pop_scope(b, cursor);
}

static void lower_do(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  if (parts.n < 2) return;
  uint32_t inside = add_block(b), test = add_block(b), after = add_block(b);
  finish_goto(b, inside);
  start_block(b, inside);
  lower_loop_body(b, parts.at[0], test, after);
  start_block(b, test);
  sa_reg condition = lower_expr(b, parts.at[1]);
  finish_branch(b, condition, inside, after, parts.at[1]);
  start_block(b, after);
}

/* libclang leaves out the missing parts of a for head without saying which; the semicolons do. */
static void lower_for(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  cursors parts = children_of(lo, cursor);
  if (parts.n == 0) return;
  unsigned semicolons[2] = {0, 0}, count;
  if (from_macro(lo, cursor))
    count = 0;
  else
    head_end(lo, cursor, semicolons, &count);
  CXCursor body_cursor = parts.at[parts.n - 1];
  scope s;
  push_scope(b, &s, SCOPE_BLOCK);
  uint32_t i = 0;
  for (; i + 1 < parts.n && (count < 2 || span_of(lo, parts.at[i]).begin < semicolons[0]); i++) {
    if (count < 2 && i > 0) break;
    lower_statement(b, parts.at[i]);
  }
  uint32_t head = add_block(b), inside = add_block(b), next = add_block(b), after = add_block(b);
  finish_goto(b, head);
  start_block(b, head);
  sa_reg condition = 0;
  for (; i + 1 < parts.n && (count < 2 || span_of(lo, parts.at[i]).begin < semicolons[1]); i++)
    condition = lower_expr(b, parts.at[i]);
  finish_branch(b, condition, inside, after, cursor);
  start_block(b, inside);
  lower_loop_body(b, body_cursor, next, after);
  start_block(b, next);
  for (; i + 1 < parts.n; i++) lower_expr(b, parts.at[i]);
  finish_goto(b, head);
  start_block(b, after);
  pop_scope(b, cursor);
}

static void bind_loop_variable(body *b, CXCursor declaration, sa_reg container) {
  lowering *lo = b->lo;
  sa_ir_type type = type_of(lo, declaration), of = reg_type(b, container);
  if (type.kind == SA_TYPE_UNKNOWN && container != 0) {
    type.kind = of.kind;
    type.weak = of.weak;
  }
  sa_reg reg =
      add_reg(b, SA_REG_LOCAL, type, spelling_of(lo, declaration), range_of(lo, declaration));
  enum CXTypeKind kind = lo->lib->getCursorType(declaration).kind;
  func_of(b)->regs.at[reg].by_ref =
      kind == CXType_LValueReference || kind == CXType_RValueReference;
  bind_variable(b, declaration, reg);
  if (b->scope != NULL) sa_push(lo->arena, &b->scope->vars, reg);
  if (container != 0) add_arg(b, emit(b, SA_OP_elem, reg, "each", declaration), container);
}

static void lower_range_for(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  cursors parts = children_of(lo, cursor);
  if (parts.n < 2) return;
  scope s;
  push_scope(b, &s, SCOPE_BLOCK);
  sa_reg container = 0;
  CXCursor loop_variable = cursor;
  bool has_variable = false;
  for (uint32_t i = 0; i + 1 < parts.n; i++) {
    enum CXCursorKind kind = kind_of(lo, parts.at[i]);
    if (kind == CXCursor_VarDecl && !has_variable) {
      loop_variable = parts.at[i];
      has_variable = true;
    } else if (lo->lib->isExpression(kind)) {
      container = lower_expr(b, parts.at[i]);
    } else if (lo->lib->isStatement(kind)) {
      lower_statement(b, parts.at[i]);
    }
  }
  uint32_t head = add_block(b), inside = add_block(b), after = add_block(b);
  finish_goto(b, head);
  start_block(b, head);
  finish_branch(b, 0, inside, after, cursor);
  start_block(b, inside);
  scope loop;
  push_scope(b, &loop, SCOPE_LOOP);
  loop.break_to = after;
  loop.continue_to = head;
  if (has_variable) bind_loop_variable(b, loop_variable, container);
  lower_statement(b, parts.at[parts.n - 1]);
  pop_scope(b, parts.at[parts.n - 1]);
  finish_goto(b, head);
  start_block(b, after);
  pop_scope(b, cursor);
}

static scope *target_scope(body *b, bool is_continue) {
  for (scope *s = b->scope; s != NULL; s = s->outer)
    if (s->kind == SCOPE_LOOP || (s->kind == SCOPE_SWITCH && !is_continue)) return s;
  return NULL;
}

static void lower_jump(body *b, CXCursor cursor, bool is_continue) {
  scope *target = target_scope(b, is_continue);
  if (target == NULL) return;
  end_scopes_until(b, target->outer, cursor);
  finish_goto(b, is_continue ? target->continue_to : target->break_to);
}

static void lower_switch(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  cursors parts = children_of(lo, cursor);
  if (parts.n == 0) return;
  scope outer;
  push_scope(b, &outer, SCOPE_BLOCK);
  sa_reg value = 0;
  lower_condition_variables(b, parts, parts.n - 1, &value);
  uint32_t after = add_block(b), head = b->block;
  sa_ir_block *block = &func_of(b)->blocks.at[head];
  bool open = block_is_open(b);
  if (open) {
    block->term = SA_TERM_BRANCH;
    block->value = value;
    block->at = range_of(lo, parts.at[0]);
  }
  scope s;
  push_scope(b, &s, SCOPE_SWITCH);
  s.break_to = after;
  s.continue_to = head; /* where case labels hang their edges */
  start_block(b, add_block(b));
  lower_statement(b, parts.at[parts.n - 1]);
  pop_scope(b, cursor);
  finish_goto(b, after);
  if (open) {
    add_successor(b, head, after);
    if (func_of(b)->blocks.at[head].succ.n == 1) func_of(b)->blocks.at[head].term = SA_TERM_GOTO;
  }
  start_block(b, after);
  pop_scope(b, cursor);
}

static void lower_case(body *b, CXCursor cursor) {
  scope *target = b->scope;
  while (target != NULL && target->kind != SCOPE_SWITCH) target = target->outer;
  cursors parts = children_of(b->lo, cursor);
  if (target != NULL) {
    uint32_t block = add_block(b);
    finish_goto(b, block);
    add_successor(b, target->continue_to, block);
    start_block(b, block);
  }
  if (parts.n > 0) lower_statement(b, parts.at[parts.n - 1]);
}

static void lower_return(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  sa_reg value = 0;
  for (uint32_t i = 0; i < parts.n; i++) value = lower_expr(b, parts.at[i]);
  end_scopes_until(b, NULL, cursor);
  if (!block_is_open(b)) return;
  sa_ir_block *block = &func_of(b)->blocks.at[b->block];
  block->term = SA_TERM_RETURN;
  block->value = value;
  block->at = range_of(b->lo, cursor);
}

static void lower_try(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  if (parts.n == 0) return;
  uint32_t inside = add_block(b), after = add_block(b);
  uint32_t handlers = add_block(b);
  finish_branch(b, 0, inside, handlers, cursor);
  start_block(b, inside);
  lower_statement(b, parts.at[0]);
  uint32_t done = add_block(b);
  finish_branch(b, 0, done, handlers, cursor);
  start_block(b, done);
  finish_goto(b, after);
  start_block(b, handlers);
  func_of(b)->blocks.at[handlers].exceptional = true;
  for (uint32_t i = 1; i < parts.n; i++) {
    uint32_t this_one = add_block(b), other = add_block(b);
    finish_branch(b, 0, this_one, other, parts.at[i]);
    start_block(b, this_one);
    cursors inner = children_of(b->lo, parts.at[i]);
    for (uint32_t k = 0; k < inner.n; k++) lower_statement(b, inner.at[k]);
    finish_goto(b, after);
    start_block(b, other);
  }
  end_scopes_until(b, NULL, cursor); /* an exception that no handler takes leaves the function */
  start_block(b, after);
}

static void lower_compound(body *b, CXCursor cursor) {
  scope s;
  push_scope(b, &s, SCOPE_BLOCK);
  cursors parts = children_of(b->lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++) lower_statement(b, parts.at[i]);
  pop_scope(b, cursor);
}

static void lower_declarations(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++) {
    if (kind_of(b->lo, parts.at[i]) == CXCursor_VarDecl)
      declare_variable(b, parts.at[i]);
    else if (b->lo->lib->isExpression(kind_of(b->lo, parts.at[i])))
      lower_expr(b, parts.at[i]);
  }
}

/* A structured binding and other declarations that libclang does not expose. */
static void lower_other_declaration(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  sa_reg value = 0;
  for (uint32_t i = 0; i < parts.n; i++)
    if (b->lo->lib->isExpression(kind_of(b->lo, parts.at[i]))) value = lower_expr(b, parts.at[i]);
  for (uint32_t i = 0; i < parts.n; i++)
    if (kind_of(b->lo, parts.at[i]) == CXCursor_VarDecl) bind_loop_variable(b, parts.at[i], value);
}

static bool lower_jump_or_label(body *b, CXCursor cursor, enum CXCursorKind kind) {
  switch ((int)kind) {
  case CXCursor_ReturnStmt:
    lower_return(b, cursor);
    return true;
  case CXCursor_BreakStmt:
    lower_jump(b, cursor, false);
    return true;
  case CXCursor_ContinueStmt:
    lower_jump(b, cursor, true);
    return true;
  case CXCursor_GotoStmt:
    lower_goto(b, cursor);
    return true;
  case CXCursor_LabelStmt:
    lower_label(b, cursor);
    return true;
  case CXCursor_CaseStmt:
  case CXCursor_DefaultStmt:
    lower_case(b, cursor);
    return true;
  default:
    return false;
  }
}

void lower_statement(body *b, CXCursor cursor) {
  if (b->depth >= MAX_NESTING || is_null(b->lo, cursor)) return;
  if (!block_is_open(b)) start_block(b, add_block(b));
  enum CXCursorKind kind = kind_of(b->lo, cursor);
  b->depth++;
  if (!lower_jump_or_label(b, cursor, kind)) {
    switch ((int)kind) {
    case CXCursor_CompoundStmt:
      lower_compound(b, cursor);
      break;
    case CXCursor_DeclStmt:
      lower_declarations(b, cursor);
      break;
    case CXCursor_VarDecl:
      declare_variable(b, cursor);
      break;
    case CXCursor_IfStmt:
      lower_if(b, cursor);
      break;
    case CXCursor_WhileStmt:
      lower_while(b, cursor);
      break;
    case CXCursor_DoStmt:
      lower_do(b, cursor);
      break;
    case CXCursor_ForStmt:
      lower_for(b, cursor);
      break;
    case CXCursor_CXXForRangeStmt:
      lower_range_for(b, cursor);
      break;
    case CXCursor_SwitchStmt:
      lower_switch(b, cursor);
      break;
    case CXCursor_CXXTryStmt:
      lower_try(b, cursor);
      break;
    case CXCursor_NullStmt:
      break;
    default:
      if (b->lo->lib->isExpression(kind)) {
        lower_expr(b, cursor);
      } else if (b->lo->lib->isDeclaration(kind)) {
        lower_other_declaration(b, cursor);
      } else {
        cursors parts = children_of(b->lo, cursor);
        for (uint32_t i = 0; i < parts.n; i++) lower_statement(b, parts.at[i]);
      }
    }
  }
  b->depth--;
}
