/* Variables and the ends of their lives. libclang shows no implicit destructors, so every way out
 * of a scope (its end, return, break, continue; goto in jump.c) gets its `end` instructions here.
 */
#include "frontend/clang/internal.h"

#include <string.h>

void push_scope(body *b, scope *s, scope_kind kind) {
  *s = (scope){.outer = b->scope, .kind = kind, .id = ++b->scopes};
  b->scope = s;
}

static bool has_lifetime(sa_ir_reg *reg) {
  return !reg->by_ref && reg->type.kind != SA_TYPE_SCALAR && reg->type.kind != SA_TYPE_FUNC;
}

void end_variable(body *b, sa_reg reg, CXCursor at) {
  if (strcmp(b->lo->job->language, "c") == 0) return; /* nothing there has a destructor */
  if (!has_lifetime(&func_of(b)->regs.at[reg])) return;
  sa_ir_inst *inst = emit(b, SA_OP_end, 0, NULL, at);
  add_arg(b, inst, reg);
  /* The place of an end is the last byte of the scope, not the whole of it. */
  if (inst->at.end_offset > inst->at.offset && inst->at.end_column > 1) {
    inst->at.line = inst->at.end_line;
    inst->at.column = inst->at.end_column - 1;
    inst->at.offset = inst->at.end_offset - 1;
  }
}

static void end_vars(body *b, const scope *s, CXCursor at) {
  for (uint32_t i = s->vars.n; i > 0; i--) end_variable(b, s->vars.at[i - 1], at);
}

void pop_scope(body *b, CXCursor at) {
  if (block_is_open(b)) end_vars(b, b->scope, at);
  b->scope = b->scope->outer;
}

void end_scopes_until(body *b, const scope *stop, CXCursor at) {
  for (const scope *s = b->scope; s != stop && s != NULL; s = s->outer) end_vars(b, s, at);
}

void bind_variable(body *b, CXCursor declaration, sa_reg reg) {
  CXCursor canonical = b->lo->lib->getCanonicalCursor(declaration);
  sa_push(b->lo->arena, &b->variables, ((variable){canonical, reg}));
}

static sa_reg find_local(body *b, CXCursor canonical) {
  for (uint32_t i = b->variables.n; i > 0; i--)
    if (b->lo->lib->equalCursors(b->variables.at[i - 1].declaration, canonical))
      return b->variables.at[i - 1].reg;
  return 0;
}

/* Whether the lambda's capture list takes `name` by value. */
static bool captured_by_value(const char *list, const char *name) {
  size_t length = strlen(name);
  bool by_reference = strchr(list, '&') != NULL && (list[0] == '&');
  for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name)) {
    bool starts = at == list || strchr(" ,&=*\n\t", at[-1]) != NULL;
    bool ends = strchr(" ,=\n\t.", at[length]) != NULL;
    if (!starts || !ends) continue;
    const char *before = at;
    while (before > list && before[-1] == ' ') before--;
    return !(before > list && before[-1] == '&');
  }
  return !by_reference;
}

static sa_reg capture(body *b, sa_reg outer, const char *name, bool by_ref) {
  sa_ir_reg of_outer = func_of(b->outer)->regs.at[outer];
  sa_reg inner = add_reg(b, SA_REG_CAPTURE, of_outer.type, name, of_outer.at);
  func_of(b)->regs.at[inner].by_ref = by_ref;
  sa_push(b->lo->arena, &func_of(b)->captures,
          ((sa_ir_capture){.outer = outer, .inner = inner, .by_ref = by_ref}));
  return inner;
}

sa_reg find_variable(body *b, CXCursor declaration) {
  CXCursor canonical = b->lo->lib->getCanonicalCursor(declaration);
  sa_reg reg = find_local(b, canonical);
  if (reg != 0 || b->outer == NULL) return reg;
  sa_reg outer = find_variable(b->outer, declaration);
  if (outer == 0) return 0;
  const char *name = func_of(b->outer)->regs.at[outer].name;
  bool by_ref = !captured_by_value(b->capture_list != NULL ? b->capture_list : "&", name);
  reg = capture(b, outer, name, by_ref);
  bind_variable(b, declaration, reg);
  return reg;
}

sa_reg find_this(body *b) {
  if (b->this_reg != 0 || b->outer == NULL) return b->this_reg;
  sa_reg outer = find_this(b->outer);
  if (outer == 0) return 0;
  b->this_reg = capture(b, outer, "this", true);
  return b->this_reg;
}

static bool is_reference(const body *b, CXCursor declaration) {
  enum CXTypeKind kind = b->lo->lib->getCursorType(declaration).kind;
  return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

/* The initialiser of a variable: its last child that is an expression. */
static bool find_initialiser(body *b, CXCursor declaration, CXCursor *out) {
  cursors parts = children_of(b->lo, declaration);
  for (uint32_t i = parts.n; i > 0; i--)
    if (b->lo->lib->isExpression(kind_of(b->lo, parts.at[i - 1]))) {
      *out = parts.at[i - 1];
      return true;
    }
  return false;
}

void declare_variable(body *b, CXCursor declaration) {
  lowering *lo = b->lo;
  CXCursor initialiser;
  sa_reg value = 0;
  bool initialised = find_initialiser(b, declaration, &initialiser);
  if (initialised) value = lower_expr(b, initialiser);
  sa_ir_type type = type_of(lo, declaration);
  if ((type.kind == SA_TYPE_UNKNOWN || type.kind == SA_TYPE_OBJECT) && value != 0) {
    sa_ir_type from = reg_type(b, value);
    if (from.kind != SA_TYPE_UNKNOWN && (type.kind == SA_TYPE_UNKNOWN || type.name[0] == '\0'))
      type = from;
  }
  sa_reg reg =
      add_reg(b, SA_REG_LOCAL, type, spelling_of(lo, declaration), range_of(lo, declaration));
  bool reference = is_reference(b, declaration);
  func_of(b)->regs.at[reg].by_ref = reference;
  bind_variable(b, declaration, reg);
  if (b->scope != NULL && lo->lib->Cursor_getStorageClass(declaration) != CX_SC_Static)
    sa_push(lo->arena, &b->scope->vars, reg);
  if (value != 0 && reference)
    add_arg(b, emit(b, SA_OP_view, reg, "reference", declaration), value);
  else if (value != 0)
    assign_variable(b, reg, value, declaration);
}
