/* Declarations: which functions and classes the file has, and the frame of each function. */
#include "frontend/clang/internal.h"

#include <string.h>

/* A header function longer than this is not lowered as context. */
enum { MAX_HEADER_FUNCTION_LINES = 200, MAX_HEADER_FUNCTIONS = 400 };

static bool is_container(enum CXCursorKind kind) {
  return kind == CXCursor_Namespace || kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_LinkageSpec ||
         kind == CXCursor_UnexposedDecl || kind == CXCursor_ClassTemplatePartialSpecialization;
}

static bool is_class(enum CXCursorKind kind) {
  return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

static bool is_function(enum CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
         kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
         kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

/* Model headers, system headers (an environment may lie in the project's directory) and whatever
 * lies outside the project are not looked into. */
static bool in_project(lowering *lo, CXCursor cursor) {
  span s = span_of(lo, cursor);
  if (s.file == NULL) return false;
  if (same_file(lo, s.file, lo->main)) return true;
  if (lo->lib->Location_isInSystemHeader(lo->lib->getCursorLocation(cursor))) return false;
  CXString name = lo->lib->getFileName(s.file);
  const char *path = lo->lib->getCString(name);
  size_t root = strlen(lo->job->root);
  bool inside = path != NULL && strncmp(path, lo->job->root, root) == 0 && path[root] == '/';
  lo->lib->disposeString(name);
  return inside;
}

static uint32_t func_slot(lowering *lo, CXCursor canonical) {
  uint32_t slot = lo->lib->hashCursor(canonical) % lo->func_slot_count;
  while (lo->func_slots[slot] != 0 &&
         !lo->lib->equalCursors(lo->funcs.at[lo->func_slots[slot] - 1].declaration, canonical))
    slot = (slot + 1) % lo->func_slot_count;
  return slot;
}

static void grow_slots(lowering *lo) {
  if (lo->func_slots != NULL && lo->funcs.n * 2 < lo->func_slot_count) return;
  lo->func_slot_count = lo->func_slot_count == 0 ? 1024 : lo->func_slot_count * 2;
  lo->func_slots = sa_alloc(lo->arena, lo->func_slot_count * sizeof *lo->func_slots);
  for (uint32_t i = 0; i < lo->funcs.n; i++)
    lo->func_slots[func_slot(lo, lo->funcs.at[i].declaration)] = i + 1;
}

known_func *find_func(lowering *lo, CXCursor declaration) {
  if (lo->func_slots == NULL) return NULL;
  CXCursor generic = lo->lib->getSpecializedCursorTemplate(declaration);
  if (!is_null(lo, generic)) declaration = generic;
  uint32_t slot = func_slot(lo, lo->lib->getCanonicalCursor(declaration));
  return lo->func_slots[slot] != 0 ? &lo->funcs.at[lo->func_slots[slot] - 1] : NULL;
}

static uint32_t new_func(lowering *lo) {
  sa_ir_func func = {.name = "", .parent = SA_NO_INDEX, .returns.name = ""};
  sa_push(lo->arena, &func.regs, (sa_ir_reg){.name = "", .type.name = ""}); /* 0: no register */
  sa_push(lo->arena, &lo->unit->funcs, func);
  return lo->unit->funcs.n - 1;
}

uint32_t require_func(lowering *lo, CXCursor declaration) {
  known_func *known = find_func(lo, declaration);
  if (known == NULL) return SA_NO_INDEX;
  if (known->func != SA_NO_INDEX) return known->func;
  span s = span_of(lo, known->definition);
  if (s.end_line - s.line > MAX_HEADER_FUNCTION_LINES || lo->queue.n > MAX_HEADER_FUNCTIONS)
    return SA_NO_INDEX;
  known->func = new_func(lo);
  sa_push(lo->arena, &lo->queue, (uint32_t)(known - lo->funcs.at));
  return known->func;
}

static void add_function(lowering *lo, CXCursor cursor, bool in_header) {
  grow_slots(lo);
  CXCursor canonical = lo->lib->getCanonicalCursor(cursor);
  uint32_t slot = func_slot(lo, canonical);
  if (lo->func_slots[slot] != 0) return;
  cursors parts = children_of(lo, cursor);
  uint32_t nparams = 0;
  for (uint32_t i = 0; i < parts.n; i++) nparams += kind_of(lo, parts.at[i]) == CXCursor_ParmDecl;
  sa_push(lo->arena, &lo->funcs,
          ((known_func){.declaration = canonical,
                        .definition = cursor,
                        .name = spelling_of(lo, cursor),
                        .nparams = nparams,
                        .func = SA_NO_INDEX,
                        .in_header = in_header}));
  lo->func_slots[slot] = lo->funcs.n;
}

bool find_func_by_name(lowering *lo, const char *name, uint32_t nparams, CXCursor *out) {
  unsigned found = 0;
  for (uint32_t i = 0; i < lo->funcs.n; i++)
    if (lo->funcs.at[i].nparams == nparams && strcmp(lo->funcs.at[i].name, name) == 0) {
      *out = lo->funcs.at[i].declaration;
      found++;
    }
  return found == 1;
}

static void add_class(lowering *lo, CXCursor cursor) {
  const char *name = qualified_name(lo, cursor);
  if (sa_ir_find_class(lo->unit, name) != NULL) return;
  sa_ir_class class = {.name = name, .at = range_of(lo, cursor)};
  cursors members = children_of(lo, cursor);
  for (uint32_t i = 0; i < members.n; i++) {
    enum CXCursorKind kind = kind_of(lo, members.at[i]);
    if (kind == CXCursor_CXXBaseSpecifier) {
      CXCursor base = lo->lib->getTypeDeclaration(lo->lib->getCursorType(members.at[i]));
      const char *spelled = spelling_of(lo, members.at[i]);
      if (!is_null(lo, base) && kind_of(lo, base) != CXCursor_NoDeclFound)
        spelled = qualified_name(lo, base);
      else if (spelled[0] == '\0')
        spelled = callee_name_from_text(lo, members.at[i], false);
      sa_push(lo->arena, &class.bases, spelled);
    } else if (kind == CXCursor_FieldDecl || kind == CXCursor_VarDecl) {
      sa_push(lo->arena, &class.fields,
              ((sa_ir_field){spelling_of(lo, members.at[i]), type_of(lo, members.at[i])}));
    }
  }
  sa_push(lo->arena, &lo->unit->classes, class);
}

/* A variable outside of functions matters when its initialiser spells a record call: a lambda that
 * is registered or kept in a table. */
static bool initialiser_matters(lowering *lo, CXCursor cursor) {
  if (!in_main_file(lo, cursor)) return false;
  span s = span_of(lo, cursor);
  for (uint32_t i = 0; i < lo->unit->tokens.n; i++) {
    const sa_ir_token *token = &lo->unit->tokens.at[i];
    if (token->fate == SA_TOKEN_NOT_ANALYSED && token->at.offset >= s.begin &&
        token->at.offset < s.end)
      return true;
  }
  return false;
}

static void collect(lowering *lo, CXCursor cursor, unsigned depth) {
  if (depth > 64) return;
  cursors parts = children_of(lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++) {
    enum CXCursorKind kind = kind_of(lo, parts.at[i]);
    bool function = is_function(kind), container = is_container(kind);
    if ((kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl) &&
        initialiser_matters(lo, parts.at[i]))
      sa_push(lo->arena, &lo->globals, parts.at[i]);
    if ((!function && !container) || !in_project(lo, parts.at[i])) continue;
    if (function && lo->lib->isCursorDefinition(parts.at[i]))
      add_function(lo, parts.at[i], !in_main_file(lo, parts.at[i]));
    if (!container) continue;
    if (is_class(kind)) {
      if (!lo->lib->isCursorDefinition(parts.at[i])) continue;
      add_class(lo, parts.at[i]);
    }
    collect(lo, parts.at[i], depth + 1);
  }
}

void collect_declarations(lowering *lo) {
  collect(lo, lo->lib->getTranslationUnitCursor(lo->tu), 0);
}

/* ---- one function ---- */

static bool in_extern_c(lowering *lo, CXCursor cursor) {
  CXCursor parent = lo->lib->getCursorSemanticParent(cursor);
  for (int depth = 0; depth < 8 && !is_null(lo, parent); depth++) {
    if (kind_of(lo, parent) == CXCursor_LinkageSpec) return true;
    parent = lo->lib->getCursorSemanticParent(parent);
  }
  /* `extern "C" type name(...)`: the linkage spec is the lexical parent only. */
  span s = span_of(lo, cursor);
  if (s.file == NULL || !same_file(lo, s.file, lo->main)) return false;
  static const char mark[] = "extern \"C\"";
  size_t before = s.begin < 64 ? s.begin : 64;
  for (size_t i = 0; i + sizeof mark - 1 <= before; i++)
    if (memcmp(lo->text + s.begin - before + i, mark, sizeof mark - 1) == 0)
      return memchr(lo->text + s.begin - before + i, ';', before - i) == NULL &&
             memchr(lo->text + s.begin - before + i, '}', before - i) == NULL;
  return false;
}

static bool overrides(lowering *lo, CXCursor cursor) {
  CXCursor *overridden = NULL;
  unsigned n = 0;
  lo->lib->getOverriddenCursors(cursor, &overridden, &n);
  if (overridden != NULL) lo->lib->disposeOverriddenCursors(overridden);
  if (n > 0) return true;
  CXCursor first = lo->lib->getCanonicalCursor(cursor); /* the attribute stands in the class */
  for (int which = 0; which < 2; which++) {
    cursors parts = children_of(lo, which == 0 ? cursor : first);
    for (uint32_t i = 0; i < parts.n; i++)
      if (kind_of(lo, parts.at[i]) == CXCursor_CXXOverrideAttr) return true;
  }
  return false;
}

static bool is_member(lowering *lo, CXCursor cursor, enum CXCursorKind kind) {
  if (kind == CXCursor_FunctionDecl) return false;
  if (kind == CXCursor_FunctionTemplate)
    return is_class(kind_of(lo, lo->lib->getCursorSemanticParent(cursor)));
  return true;
}

static bool in_list(const char *name, const char *const *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (strcmp(list[i], name) == 0) return true;
  return false;
}

static uint32_t flags_of(lowering *lo, CXCursor cursor, const known_func *known) {
  enum CXCursorKind kind = kind_of(lo, cursor);
  const char *name = spelling_of(lo, cursor);
  bool member = is_member(lo, cursor, kind);
  uint32_t flags = 0;
  if (member && !lo->lib->CXXMethod_isStatic(cursor)) flags |= SA_FUNC_METHOD;
  if (kind == CXCursor_Constructor) flags |= SA_FUNC_CTOR;
  if (kind == CXCursor_Destructor) flags |= SA_FUNC_DTOR;
  if (kind == CXCursor_FunctionTemplate) flags |= SA_FUNC_TEMPLATE;
  if (member && overrides(lo, cursor)) flags |= SA_FUNC_OVERRIDE;
  if (lo->lib->CXXMethod_isVirtual(cursor)) flags |= SA_FUNC_VIRTUAL;
  enum CX_CXXAccessSpecifier access = lo->lib->getCXXAccessSpecifier(cursor);
  if (access == CX_CXXPrivate || access == CX_CXXProtected ||
      lo->lib->getCursorLinkage(cursor) == CXLinkage_Internal ||
      (!member && lo->lib->Cursor_getStorageClass(cursor) == CX_SC_Static))
    flags |= SA_FUNC_INTERNAL;
  if (!member && in_extern_c(lo, cursor)) flags |= SA_FUNC_EXPORTED;
  if (known->in_header) flags |= SA_FUNC_HEADER;
  if (in_list(name, lo->rules->optional_wait.at, lo->rules->optional_wait.n))
    flags |= SA_FUNC_OPTIONAL_WAIT;
  if (in_list(name, lo->rules->spellings.at, lo->rules->spellings.n)) flags |= SA_FUNC_IS_RECORD;
  return flags;
}

static void add_parameter(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  sa_ir_type type = type_of(lo, cursor);
  sa_reg reg = add_reg(b, SA_REG_PARAM, type, spelling_of(lo, cursor), range_of(lo, cursor));
  CXType declared = lo->lib->getCursorType(cursor);
  sa_ir_reg *info = &func_of(b)->regs.at[reg];
  info->by_ref = declared.kind == CXType_LValueReference || declared.kind == CXType_Pointer;
  info->rvalue = declared.kind == CXType_RValueReference ||
                 (!info->by_ref && !lo->lib->isConstQualifiedType(declared));
  if (info->by_ref)
    info->is_const = lo->lib->isConstQualifiedType(lo->lib->getPointeeType(declared)) != 0;
  bind_variable(b, cursor, reg);
  func_of(b)->nparams++;
}

/* Member initialisers of a constructor: a member reference, then the expression. */
static void lower_initialisers(body *b, cursors parts) {
  for (uint32_t i = 0; i + 1 < parts.n; i++) {
    if (kind_of(b->lo, parts.at[i]) != CXCursor_MemberRef) continue;
    if (!b->lo->lib->isExpression(kind_of(b->lo, parts.at[i + 1]))) continue;
    sa_reg value = lower_expr(b, parts.at[i + 1]);
    assign(
        b,
        (place){.kind = PLACE_FIELD, .base = b->this_reg, .field = spelling_of(b->lo, parts.at[i])},
        value, parts.at[i + 1], parts.at[i + 1]);
  }
}

/* Parameters by value die at every way out of the function, like locals. */
static void lower_body(body *b, cursors parts, CXCursor cursor) {
  scope params;
  push_scope(b, &params, SCOPE_BLOCK);
  for (sa_reg reg = 1; reg <= func_of(b)->nparams; reg++) {
    const sa_ir_reg *info = &func_of(b)->regs.at[reg];
    if (info->kind == SA_REG_PARAM && !info->by_ref) sa_push(b->lo->arena, &params.vars, reg);
  }
  lower_initialisers(b, parts);
  for (uint32_t i = 0; i < parts.n; i++) {
    enum CXCursorKind kind = kind_of(b->lo, parts.at[i]);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
      lower_statement(b, parts.at[i]);
  }
  pop_scope(b, cursor);
  if (block_is_open(b)) func_of(b)->blocks.at[b->block].term = SA_TERM_RETURN;
}

static sa_ir_type return_type(lowering *lo, CXCursor cursor) {
  CXString text = lo->lib->getTypeSpelling(lo->lib->getCursorResultType(cursor));
  const char *spelling = sa_strdup(lo->arena, lo->lib->getCString(text));
  lo->lib->disposeString(text);
  if (strcmp(spelling, "void") == 0) return (sa_ir_type){.kind = SA_TYPE_VOID, .name = "void"};
  if (strcmp(spelling, "int") == 0) { /* possibly a type that clang does not know */
    size_t length;
    const char *source = text_of(lo, cursor, &length);
    const char *name = spelling_of(lo, cursor);
    const char *at = source != NULL ? strstr(source, name) : NULL;
    if (at != NULL && at < source + length) {
      const char *head = sa_strndup(lo->arena, source, (size_t)(at - source));
      if (strstr(head, "int") == NULL && strstr(head, "auto") == NULL)
        return classify_spelling(lo, head);
    }
  }
  sa_ir_type type = classify_spelling(lo, spelling);
  if (type.kind != SA_TYPE_OBJECT) return type;
  text = lo->lib->getTypeSpelling(lo->lib->getCanonicalType(lo->lib->getCursorResultType(cursor)));
  sa_ir_type canonical = classify_spelling(lo, lo->lib->getCString(text));
  lo->lib->disposeString(text);
  return canonical.kind != SA_TYPE_OBJECT ? canonical : type;
}

static void lower_function(lowering *lo, uint32_t index) {
  known_func known = lo->funcs.at[index];
  CXCursor cursor = known.definition;
  body b = {.lo = lo, .func = known.func};
  sa_ir_func *f = func_of(&b);
  f->name = qualified_name(lo, cursor);
  f->at = range_of(lo, cursor);
  f->flags = flags_of(lo, cursor, &known);
  f->returns = return_type(lo, cursor);
  CXCursor parent = lo->lib->getCursorSemanticParent(cursor);
  if (is_class(kind_of(lo, parent))) f->class_name = qualified_name(lo, parent);
  sa_range at = f->at;
  if (func_of(&b)->flags & SA_FUNC_METHOD) {
    b.this_reg = add_reg(
        &b, SA_REG_THIS,
        (sa_ir_type){.kind = SA_TYPE_OBJECT,
                     .name = func_of(&b)->class_name != NULL ? func_of(&b)->class_name : ""},
        "this", at);
    func_of(&b)->regs.at[b.this_reg].by_ref = true;
    func_of(&b)->nparams++;
  }
  cursors parts = children_of(lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++)
    if (kind_of(lo, parts.at[i]) == CXCursor_ParmDecl) add_parameter(&b, parts.at[i]);
  start_block(&b, add_block(&b));
  lower_body(&b, parts, cursor);
}

/* The variable stays when its initialiser has run, so it belongs to no scope. */
static void lower_global(lowering *lo, CXCursor cursor) {
  body b = {.lo = lo, .func = new_func(lo)};
  func_of(&b)->name = qualified_name(lo, cursor);
  func_of(&b)->at = range_of(lo, cursor);
  func_of(&b)->flags = SA_FUNC_INTERNAL;
  func_of(&b)->returns = (sa_ir_type){.kind = SA_TYPE_VOID, .name = "void"};
  start_block(&b, add_block(&b));
  declare_variable(&b, cursor);
  if (block_is_open(&b)) func_of(&b)->blocks.at[b.block].term = SA_TERM_RETURN;
}

void lower_queue(lowering *lo) {
  for (uint32_t i = 0; i < lo->funcs.n; i++) {
    if (lo->funcs.at[i].in_header || lo->funcs.at[i].func != SA_NO_INDEX) continue;
    lo->funcs.at[i].func = new_func(lo);
    sa_push(lo->arena, &lo->queue, i);
  }
  for (uint32_t i = 0; i < lo->globals.n; i++) lower_global(lo, lo->globals.at[i]);
  for (uint32_t i = 0; i < lo->queue.n; i++) lower_function(lo, lo->queue.at[i]);
}

/* ---- lambdas ---- */

static const char *capture_list(lowering *lo, CXCursor cursor) {
  size_t length;
  const char *text = text_of(lo, cursor, &length);
  if (text == NULL || length == 0 || text[0] != '[') return "&";
  size_t end = 1;
  for (int depth = 1; end < length; end++) {
    depth += text[end] == '[';
    depth -= text[end] == ']';
    if (depth == 0) break;
  }
  return sa_strndup(lo->arena, text + 1, end - 1);
}

/* Captures that are written out: `x`, `&x`, `x = expression`. The rest is captured when it is used.
 */
static void bind_captures(body *outer, body *inner, cursors parts) {
  lowering *lo = outer->lo;
  for (uint32_t i = 0; i < parts.n; i++) {
    if (kind_of(lo, parts.at[i]) != CXCursor_VariableRef) continue;
    CXCursor declaration = lo->lib->getCursorReferenced(parts.at[i]);
    if (is_null(lo, declaration) || find_variable(outer, declaration) != 0) continue;
    /* an init-capture: its value is the next expression, or the declaration's own initialiser */
    sa_reg value = 0;
    if (i + 1 < parts.n && lo->lib->isExpression(kind_of(lo, parts.at[i + 1])))
      value = lower_expr(outer, parts.at[i + 1]);
    cursors own = children_of(lo, declaration);
    for (uint32_t k = own.n; k > 0 && value == 0; k--)
      if (lo->lib->isExpression(kind_of(lo, own.at[k - 1])))
        value = lower_expr(outer, own.at[k - 1]);
    if (value == 0) continue;
    sa_ir_type type = reg_type(outer, value);
    sa_reg reg = add_reg(inner, SA_REG_CAPTURE, type, spelling_of(lo, parts.at[i]),
                         range_of(lo, parts.at[i]));
    sa_push(lo->arena, &func_of(inner)->captures,
            ((sa_ir_capture){.outer = value, .inner = reg, .by_ref = false}));
    bind_variable(inner, declaration, reg);
  }
}

sa_reg lower_lambda(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  body inner = {.lo = lo, .outer = b, .capture_list = capture_list(lo, cursor), .depth = b->depth};
  inner.func = new_func(lo);
  sa_ir_func *f = func_of(&inner);
  f->name = sa_printf(lo->arena, "%s::lambda#%u", func_of(b)->name, ++lo->lambda_count);
  f->class_name = func_of(b)->class_name;
  f->parent = b->func;
  f->flags = SA_FUNC_LAMBDA | (func_of(b)->flags & (SA_FUNC_HEADER | SA_FUNC_TEMPLATE));
  f->at = range_of(lo, cursor);
  f->returns = (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .name = ""};
  cursors parts = children_of(lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++)
    if (kind_of(lo, parts.at[i]) == CXCursor_ParmDecl) add_parameter(&inner, parts.at[i]);
  bind_captures(b, &inner, parts);
  start_block(&inner, add_block(&inner));
  cursors bodies = {0};
  for (uint32_t i = 0; i < parts.n; i++)
    if (kind_of(lo, parts.at[i]) == CXCursor_CompoundStmt) bodies = (cursors){&parts.at[i], 1};
  lower_body(&inner, bodies, cursor);
  sa_reg result = add_temp(b, (sa_ir_type){.kind = SA_TYPE_FUNC, .name = ""});
  sa_ir_inst *inst = emit(b, SA_OP_lambda, result, NULL, cursor);
  inst->func = inner.func;
  const sa_ir_func *made = func_of(&inner);
  for (uint32_t i = 0; i < made->captures.n; i++) add_arg(b, inst, made->captures.at[i].outer);
  return result;
}
