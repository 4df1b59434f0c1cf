/* Expressions to registers. 0 is "no value of interest". */
#include "frontend/clang/internal.h"

#include <string.h>

static sa_reg lower_children(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  sa_reg last = 0;
  for (uint32_t i = 0; i < parts.n; i++)
    if (!b->lo->lib->isReference(kind_of(b->lo, parts.at[i]))) last = lower_expr(b, parts.at[i]);
  return last;
}

/* Lowers every operand and makes one instruction of them. */
static sa_reg lower_operands(body *b, CXCursor cursor, sa_ir_op op, const char *text) {
  cursors parts = children_of(b->lo, cursor);
  sa_reg *args = sa_alloc(b->lo->arena, (parts.n + 1) * sizeof *args);
  uint32_t n = 0;
  for (uint32_t i = 0; i < parts.n; i++) {
    if (b->lo->lib->isReference(kind_of(b->lo, parts.at[i]))) continue;
    sa_reg reg = lower_expr(b, parts.at[i]);
    if (reg != 0) args[n++] = reg;
  }
  sa_reg result = add_temp(b, type_of(b->lo, cursor));
  sa_ir_inst *inst = emit(b, op, result, text, cursor);
  inst->args = args;
  inst->nargs = n;
  return result;
}

static sa_reg lower_constant(body *b, CXCursor cursor) {
  size_t length;
  const char *text = text_of(b->lo, cursor, &length);
  if (length > 64) length = 64;
  sa_reg result = add_temp(b, type_of(b->lo, cursor));
  emit(b, SA_OP_const, result, text != NULL ? sa_strndup(b->lo->arena, text, length) : "", cursor);
  return result;
}

sa_reg lower_literal_stream(body *b, CXCursor cursor) {
  static const char *const names[] = {"legacy", "legacy", "per-thread"};
  CXCursor inner = unwrapped(b->lo, cursor);
  enum CXCursorKind kind = kind_of(b->lo, inner);
  unsigned long number = 0;
  bool null = kind == CXCursor_CXXNullPtrLiteralExpr || kind == CXCursor_GNUNullExpr;
  if (!null && (!literal_number(b->lo, inner, &number) || number > 2)) return 0;
  sa_reg result = add_temp(b, (sa_ir_type){.kind = SA_TYPE_STREAM, .name = ""});
  emit(b, SA_OP_default_stream, result, names[number], cursor);
  return result;
}

/* A cast is what it is made of, apart from numbers that stand for the runtime's own streams. */
static sa_reg lower_cast(body *b, CXCursor cursor) {
  sa_ir_type type = type_of(b->lo, cursor);
  cursors parts = children_of(b->lo, cursor);
  if (type.kind == SA_TYPE_STREAM && !type.many && parts.n > 0) {
    sa_reg stream = lower_literal_stream(b, parts.at[parts.n - 1]);
    if (stream != 0) return stream;
  }
  return lower_children(b, cursor);
}

static sa_reg lower_global(body *b, CXCursor cursor, CXCursor declaration) {
  sa_ir_type type = type_of(b->lo, cursor);
  const char *name = is_null(b->lo, declaration) ? callee_name_from_text(b->lo, cursor, false)
                                                 : qualified_name(b->lo, declaration);
  sa_reg result = add_temp(b, type);
  emit(b, SA_OP_global, result, name, cursor);
  return result;
}

/* A member of the object that a method works on, named without `this->`. */
static sa_reg lower_implicit_member(body *b, CXCursor cursor, const char *name, sa_ir_type type) {
  sa_reg object = find_this(b);
  if (object == 0) return lower_global(b, cursor, b->lo->lib->getCursorReferenced(cursor));
  sa_reg result = add_temp(b, type);
  add_arg(b, emit(b, SA_OP_field, result, name, cursor), object);
  return result;
}

static sa_reg lower_name(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  CXCursor declaration = lo->lib->getCursorReferenced(cursor);
  enum CXCursorKind kind =
      is_null(lo, declaration) ? CXCursor_InvalidFile : kind_of(lo, declaration);
  if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl ||
      kind == CXCursor_NonTypeTemplateParameter) {
    sa_reg reg = find_variable(b, declaration);
    if (reg != 0) return reg;
    return lower_global(b, cursor, declaration);
  }
  if (kind == CXCursor_EnumConstantDecl) {
    sa_reg result = add_temp(b, (sa_ir_type){.kind = SA_TYPE_SCALAR, .name = "enum"});
    emit(b, SA_OP_const, result, qualified_name(lo, declaration), cursor);
    return result;
  }
  if (kind == CXCursor_FieldDecl)
    return lower_implicit_member(b, cursor, spelling_of(lo, declaration), type_of(lo, cursor));
  if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
      kind == CXCursor_FunctionTemplate) {
    sa_reg result = add_temp(b, (sa_ir_type){.kind = SA_TYPE_FUNC, .name = ""});
    sa_ir_inst *inst = emit(b, SA_OP_lambda, result, NULL, cursor);
    inst->func = require_func(lo, declaration);
    if (inst->func == SA_NO_INDEX) {
      inst->op = SA_OP_global;
      inst->text = qualified_name(lo, declaration);
    }
    return result;
  }
  return lower_global(b, cursor, declaration);
}

static sa_reg lower_member(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  const char *name = spelling_of(lo, cursor);
  if (name[0] == '\0') name = callee_name_from_text(lo, cursor, true);
  sa_ir_type type = type_of(lo, cursor);
  cursors parts = children_of(lo, cursor);
  CXCursor base;
  bool has_base = false;
  for (uint32_t i = 0; i < parts.n && !has_base; i++)
    if (lo->lib->isExpression(kind_of(lo, parts.at[i]))) {
      base = parts.at[i];
      has_base = true;
    }
  if (!has_base) return lower_implicit_member(b, cursor, name, type);
  sa_reg object = lower_expr(b, base);
  if (object == 0) return 0;
  sa_reg result = add_temp(b, type);
  add_arg(b, emit(b, SA_OP_field, result, name, cursor), object);
  return result;
}

static sa_reg lower_subscript(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  if (parts.n == 0) return 0;
  sa_reg container = lower_expr(b, parts.at[0]);
  sa_reg index = parts.n > 1 ? lower_expr(b, parts.at[1]) : 0;
  if (container == 0) return 0;
  sa_ir_type type = type_of(b->lo, cursor);
  sa_ir_type of = reg_type(b, container);
  if (type.kind == SA_TYPE_UNKNOWN)
    type = (sa_ir_type){.kind = of.kind, .weak = of.weak, .name = ""};
  sa_reg result = add_temp(b, type);
  sa_ir_inst *inst = emit(b, SA_OP_elem, result, "[]", cursor);
  add_arg(b, inst, container);
  if (index != 0) add_arg(b, inst, index);
  return result;
}

static sa_reg lower_op(body *b, CXCursor cursor);

/* An address and a distance give an address in the same block. */
static void view_offset(body *b, sa_reg result) {
  sa_ir_func *func = func_of(b);
  sa_ir_block *block = &func->blocks.at[b->block];
  sa_ir_inst *inst = &block->insts.at[block->insts.n - 1];
  sa_reg base = 0;
  for (uint32_t i = 0; i < inst->nargs; i++) {
    if (func->regs.at[inst->args[i]].type.kind != SA_TYPE_MEMORY) continue;
    if (base != 0) return; /* a distance */
    base = inst->args[i];
  }
  if (base == 0 || inst->result != result) return;
  inst->op = SA_OP_view;
  inst->text = "offset";
  inst->args[0] = base;
  inst->nargs = 1;
  func->regs.at[result].type = func->regs.at[base].type;
}

/* Puts what an arithmetic operation on `target` gave back into the variable, member or element that
 * `target` was read from. */
static void store_back(body *b, place to, sa_reg target, sa_reg value, CXCursor at) {
  sa_type kind = reg_type(b, target).kind;
  if (kind != SA_TYPE_SCALAR && kind != SA_TYPE_MEMORY) return;
  if (to.kind == PLACE_VARIABLE)
    assign_variable(b, to.base, value, at);
  else
    assign_out(b, to, value, at);
}

/* `i++` and the like; gives what the expression gives. */
static sa_reg lower_step(body *b, sa_reg operand, enum CXUnaryOperatorKind kind, CXCursor cursor) {
  bool post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
  bool up = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc;
  sa_ir_type type = reg_type(b, operand);
  place to = place_behind(b, operand);
  sa_reg before = operand;
  if (post) {
    before = add_temp(b, type);
    add_arg(b, emit(b, SA_OP_copy, before, NULL, cursor), operand);
  }
  sa_reg one = add_temp(b, (sa_ir_type){.kind = SA_TYPE_SCALAR, .name = "int"});
  emit(b, SA_OP_const, one, "1", cursor);
  sa_reg after = add_temp(b, type);
  sa_ir_inst *inst = emit(b, SA_OP_op, after, up ? "+" : "-", cursor);
  add_arg(b, inst, operand);
  add_arg(b, inst, one);
  view_offset(b, after);
  store_back(b, to, operand, after, cursor);
  return post ? before : operand;
}

/* `n += 2` and the like. */
static sa_reg lower_compound(body *b, CXCursor cursor) {
  enum CXBinaryOperatorKind kind = b->lo->lib->getCursorBinaryOperatorKind(cursor);
  cursors parts = children_of(b->lo, cursor);
  if (parts.n != 2) return lower_op(b, cursor);
  sa_reg target = lower_expr(b, parts.at[0]);
  place to = place_behind(b, target);
  sa_reg amount = lower_expr(b, parts.at[1]);
  if (target == 0 || amount == 0) return target;
  bool moves = kind == CXBinaryOperator_AddAssign || kind == CXBinaryOperator_SubAssign;
  const char *text = kind == CXBinaryOperator_AddAssign   ? "+"
                     : kind == CXBinaryOperator_SubAssign ? "-"
                                                          : "op";
  sa_reg after = add_temp(b, reg_type(b, target));
  sa_ir_inst *inst = emit(b, SA_OP_op, after, text, cursor);
  add_arg(b, inst, target);
  add_arg(b, inst, amount);
  if (moves) view_offset(b, after);
  store_back(b, to, target, after, cursor);
  return target;
}

static sa_reg lower_unary(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  if (parts.n == 0) return 0;
  sa_reg operand = lower_expr(b, parts.at[parts.n - 1]);
  enum CXUnaryOperatorKind kind = b->lo->lib->getCursorUnaryOperatorKind(cursor);
  bool step = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec ||
              kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PreDec;
  if (step && operand != 0) return lower_step(b, operand, kind, cursor);
  if (kind == CXUnaryOperator_AddrOf || kind == CXUnaryOperator_Plus ||
      kind == CXUnaryOperator_Extension || operand == 0)
    return operand;
  sa_ir_type of = reg_type(b, operand);
  if (kind == CXUnaryOperator_Deref) {
    if (!of.many) return operand;
    of.many = false;
    sa_reg result = add_temp(b, of);
    add_arg(b, emit(b, SA_OP_elem, result, "*", cursor), operand);
    return result;
  }
  sa_reg result = add_temp(b, type_of(b->lo, cursor));
  const char *text = kind == CXUnaryOperator_LNot ? "!" : "op";
  add_arg(b, emit(b, SA_OP_op, result, text, cursor), operand);
  return result;
}

static sa_reg lower_binary(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  enum CXBinaryOperatorKind kind = lo->lib->getCursorBinaryOperatorKind(cursor);
  cursors parts = children_of(lo, cursor);
  if (kind == CXBinaryOperator_Assign && parts.n == 2) {
    sa_reg value = lower_expr(b, parts.at[1]);
    assign(b, lower_place(b, parts.at[0]), value, parts.at[1], cursor);
    return value;
  }
  if (kind == CXBinaryOperator_Comma) return lower_children(b, cursor);
  const char *text = "op";
  switch (kind) {
  case CXBinaryOperator_LAnd:
    text = "&&";
    break;
  case CXBinaryOperator_LOr:
    text = "||";
    break;
  case CXBinaryOperator_EQ:
    text = "==";
    break;
  case CXBinaryOperator_NE:
    text = "!=";
    break;
  case CXBinaryOperator_LT:
    text = "<";
    break;
  case CXBinaryOperator_GT:
    text = ">";
    break;
  case CXBinaryOperator_LE:
    text = "<=";
    break;
  case CXBinaryOperator_GE:
    text = ">=";
    break;
  case CXBinaryOperator_Add:
    text = "+";
    break;
  case CXBinaryOperator_Sub:
    text = "-";
    break;
  default:
    break;
  }
  sa_reg result = lower_operands(b, cursor, SA_OP_op, text);
  if (kind == CXBinaryOperator_Add || kind == CXBinaryOperator_Sub) view_offset(b, result);
  return result;
}

static sa_reg lower_conditional(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  if (parts.n != 3) return lower_children(b, cursor);
  sa_reg condition = lower_expr(b, parts.at[0]);
  uint32_t yes = add_block(b), no = add_block(b), join = add_block(b);
  finish_branch(b, condition, yes, no, cursor);
  sa_ir_type type = type_of(b->lo, cursor);
  sa_reg result = add_reg(b, SA_REG_TEMP, type, "", (sa_range){0});
  for (int arm = 0; arm < 2; arm++) {
    start_block(b, arm == 0 ? yes : no);
    sa_reg value = lower_expr(b, parts.at[1 + arm]);
    if (value != 0 && type.kind != SA_TYPE_VOID) {
      if (func_of(b)->regs.at[result].type.kind == SA_TYPE_UNKNOWN)
        func_of(b)->regs.at[result].type = reg_type(b, value);
      add_arg(b, emit(b, SA_OP_copy, result, NULL, parts.at[1 + arm]), value);
    }
    finish_goto(b, join);
  }
  start_block(b, join);
  return result;
}

static bool spells_empty(body *b, CXCursor cursor) {
  size_t length;
  const char *text = text_of(b->lo, cursor, &length);
  if (text == NULL) return false;
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n')) length--;
  static const char *const empties[] = {"{}",           "nullptr", "NULL",       "std::nullopt",
                                        "c10::nullopt", "nullopt", "at::nullopt"};
  for (size_t i = 0; i < sizeof empties / sizeof *empties; i++)
    if (strlen(empties[i]) == length && memcmp(text, empties[i], length) == 0) return true;
  return length > 2 && text[length - 1] == ')' && text[length - 2] == '(' &&
         kind_of(b->lo, unwrapped(b->lo, cursor)) == CXCursor_CallExpr &&
         b->lo->lib->Cursor_getNumArguments(unwrapped(b->lo, cursor)) == 0 &&
         kind_of(b->lo, b->lo->lib->getCursorReferenced(unwrapped(b->lo, cursor))) ==
             CXCursor_Constructor;
}

place lower_place(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  return place_behind(b, lower_expr(b, unwrapped(lo, cursor)));
}

place place_behind(body *b, sa_reg reg) {
  if (reg == 0) return (place){.kind = PLACE_NONE};
  sa_ir_reg *info = &func_of(b)->regs.at[reg];
  if (info->kind != SA_REG_TEMP) return (place){.kind = PLACE_VARIABLE, .base = reg};
  /* The instruction that made the temporary says where it lives. */
  sa_ir_block *block = &func_of(b)->blocks.at[b->block];
  for (uint32_t i = block->insts.n; i > 0; i--) {
    sa_ir_inst *inst = &block->insts.at[i - 1];
    if (inst->result != reg) continue;
    if (inst->op == SA_OP_field)
      return (place){.kind = PLACE_FIELD, .base = inst->args[0], .field = inst->text};
    if (inst->op == SA_OP_elem)
      return (place){.kind = PLACE_ELEMENT,
                     .base = inst->args[0],
                     .index = inst->nargs > 1 ? inst->args[1] : 0,
                     .field = "[]"};
    break;
  }
  return (place){.kind = PLACE_NONE, .base = reg};
}

sa_reg assign_variable(body *b, sa_reg to, sa_reg value, CXCursor at) {
  if (value == to) return to;
  sa_ir_block *block = &func_of(b)->blocks.at[b->block];
  sa_ir_inst *last = block->insts.n > 0 ? &block->insts.at[block->insts.n - 1] : NULL;
  if (last != NULL && last->result == value && func_of(b)->regs.at[value].kind == SA_REG_TEMP) {
    last->result = to; /* the value was made for this variable: no copy is needed */
    return to;
  }
  add_arg(b, emit(b, SA_OP_copy, to, NULL, at), value);
  return to;
}

static const sa_ir_inst *definition(body *b, sa_reg reg) {
  const sa_ir_func *f = func_of(b);
  for (uint32_t k = 0; k < f->blocks.n; k++)
    for (uint32_t i = 0; i < f->blocks.at[k].insts.n; i++)
      if (f->blocks.at[k].insts.at[i].result == reg) return &f->blocks.at[k].insts.at[i];
  return NULL;
}

/* A reference to an element or member was assigned: what it refers into keeps the value. */
static void store_through(body *b, sa_reg reference, CXCursor at) {
  const sa_ir_reg *info = &func_of(b)->regs.at[reference];
  if (!info->by_ref || info->kind != SA_REG_LOCAL) return;
  const sa_ir_inst *bound = definition(b, reference);
  if (bound != NULL && bound->op == SA_OP_view && strcmp(bound->text, "reference") == 0)
    bound = definition(b, bound->args[0]);
  if (bound == NULL || (bound->op != SA_OP_elem && bound->op != SA_OP_field)) return;
  bool field = bound->op == SA_OP_field;
  const char *text = field ? bound->text : "[]";
  sa_reg owner = bound->args[0];
  sa_ir_inst *inst = emit(b, field ? SA_OP_setfield : SA_OP_append, 0, text, at);
  add_arg(b, inst, owner);
  add_arg(b, inst, reference);
}

void assign(body *b, place to, sa_reg value, CXCursor value_cursor, CXCursor at) {
  bool empty = spells_empty(b, value_cursor);
  sa_ir_inst *inst;
  switch (to.kind) {
  case PLACE_VARIABLE: {
    sa_type kind = reg_type(b, to.base).kind;
    if (empty && kind != SA_TYPE_SCALAR)
      add_arg(b, emit(b, SA_OP_reset, 0, "assigned empty", at), to.base);
    else if (value != 0)
      store_through(b, assign_variable(b, to.base, value, at), at);
    return;
  }
  case PLACE_FIELD:
    if (value == 0) return;
    inst = emit(b, SA_OP_setfield, 0, to.field, at);
    break;
  case PLACE_ELEMENT:
    if (value == 0) return;
    inst = emit(b, SA_OP_append, 0, to.field, at);
    break;
  default:
    return;
  }
  add_arg(b, inst, to.base);
  add_arg(b, inst, value);
  if (to.kind == PLACE_ELEMENT && to.index != 0) add_arg(b, inst, to.index);
}

void assign_out(body *b, place to, sa_reg out, CXCursor at) {
  if (to.kind != PLACE_FIELD && to.kind != PLACE_ELEMENT) return;
  bool field = to.kind == PLACE_FIELD;
  sa_ir_inst *inst = emit(b, field ? SA_OP_setfield : SA_OP_append, 0, to.field, at);
  add_arg(b, inst, to.base);
  add_arg(b, inst, out);
  if (!field && to.index != 0) add_arg(b, inst, to.index);
}

static sa_reg lower_new(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  for (uint32_t i = parts.n; i > 0; i--)
    if (kind_of(b->lo, parts.at[i - 1]) == CXCursor_CallExpr) {
      sa_reg made = lower_expr(b, parts.at[i - 1]);
      if (made != 0) return made;
    }
  return lower_operands(b, cursor, SA_OP_pack, "new");
}

/* What the object holds is let go of with it. */
static sa_reg lower_delete(body *b, CXCursor cursor) {
  sa_reg object = lower_children(b, cursor);
  if (object != 0) add_arg(b, emit(b, SA_OP_reset, 0, "delete", cursor), object);
  return 0;
}

/* What clang could not resolve: a call whose callee it does not know, or an operator. */
static sa_reg lower_unexposed(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  cursors parts = children_of(lo, cursor);
  uint32_t expressions = 0;
  CXCursor only = cursor;
  for (uint32_t i = 0; i < parts.n; i++)
    if (!lo->lib->isReference(kind_of(lo, parts.at[i]))) {
      expressions++;
      only = parts.at[i];
    }
  size_t length;
  const char *text = text_of(lo, cursor, &length);
  bool call = text != NULL && length > 1 && text[length - 1] == ')';
  if (expressions == 1 && !call) return lower_expr(b, only);
  if (expressions == 0) return lower_global(b, cursor, lo->lib->getCursorReferenced(cursor));
  CXCursor first = unwrapped(lo, parts.at[0]);
  enum CXCursorKind kind = kind_of(lo, first);
  bool callee = kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr ||
                kind == CXCursor_OverloadedDeclRef || kind == CXCursor_UnexposedExpr;
  span whole = span_of(lo, cursor), head = span_of(lo, first);
  if (call && callee && head.begin == whole.begin && head.end < whole.end)
    return lower_call(b, cursor);
  if (expressions == 1) return lower_expr(b, only);
  if (expressions == 2 && assigns_between(lo, cursor, parts.at[0], only)) {
    sa_reg value = lower_expr(b, only);
    assign(b, lower_place(b, parts.at[0]), value, only, cursor);
    return value;
  }
  return lower_operands(b, cursor, SA_OP_op, "unresolved");
}

static sa_reg lower_this(body *b, CXCursor cursor) {
  (void)cursor;
  return find_this(b);
}

static sa_reg lower_pack(body *b, CXCursor cursor) {
  return lower_operands(b, cursor, SA_OP_pack, "{}");
}

static sa_reg lower_throw(body *b, CXCursor cursor) {
  lower_children(b, cursor);
  end_scopes_until(b, NULL, cursor);
  start_block(b, add_block(b));
  return 0;
}

static sa_reg lower_statement_expr(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++) lower_statement(b, parts.at[i]);
  return 0;
}

static sa_reg lower_op(body *b, CXCursor cursor) {
  return lower_operands(b, cursor, SA_OP_op, "op");
}

typedef struct {
  enum CXCursorKind kind;
  sa_reg (*lower)(body *, CXCursor);
} handler;

static const handler HANDLERS[] = {
    {CXCursor_DeclRefExpr, lower_name},
    {CXCursor_MemberRefExpr, lower_member},
    {CXCursor_CallExpr, lower_call},
    {CXCursor_UnexposedExpr, lower_unexposed},
    {CXCursor_CXXThisExpr, lower_this},
    {CXCursor_LambdaExpr, lower_lambda},
    {CXCursor_CStyleCastExpr, lower_cast},
    {CXCursor_CXXStaticCastExpr, lower_cast},
    {CXCursor_CXXReinterpretCastExpr, lower_cast},
    {CXCursor_CXXFunctionalCastExpr, lower_cast},
    {CXCursor_ConditionalOperator, lower_conditional},
    {CXCursor_BinaryOperator, lower_binary},
    {CXCursor_CompoundAssignOperator, lower_compound},
    {CXCursor_UnaryOperator, lower_unary},
    {CXCursor_ArraySubscriptExpr, lower_subscript},
    {CXCursor_InitListExpr, lower_pack},
    {CXCursor_CXXNewExpr, lower_new},
    {CXCursor_CXXDeleteExpr, lower_delete},
    {CXCursor_CXXThrowExpr, lower_throw},
    {CXCursor_StmtExpr, lower_statement_expr},
    {CXCursor_IntegerLiteral, lower_constant},
    {CXCursor_FloatingLiteral, lower_constant},
    {CXCursor_StringLiteral, lower_constant},
    {CXCursor_CharacterLiteral, lower_constant},
    {CXCursor_CXXBoolLiteralExpr, lower_constant},
    {CXCursor_CXXNullPtrLiteralExpr, lower_constant},
    {CXCursor_UnaryExpr, lower_constant},
};

sa_reg lower_expr(body *b, CXCursor cursor) {
  if (is_null(b->lo, cursor) || b->depth >= MAX_NESTING) return 0;
  enum CXCursorKind kind = kind_of(b->lo, cursor);
  sa_reg (*lower)(body *, CXCursor) = lower_children;
  for (size_t i = 0; i < sizeof HANDLERS / sizeof *HANDLERS; i++)
    if (HANDLERS[i].kind == kind) lower = HANDLERS[i].lower;
  if (b->lo->lib->isStatement(kind)) {
    lower_statement(b, cursor);
    return 0;
  }
  b->depth++;
  sa_reg result = lower(b, cursor);
  b->depth--;
  return result;
}
