/* Calls: who is called, what the API models say of it, and the instructions that follow. */
#include "frontend/clang/internal.h"
#include "model/names.h"

#include <ctype.h>
#include <string.h>

enum { MAX_ARGS = 64 };

/* What clang calls the null cursor. */
static const CXCursor NO_CURSOR = {.kind = CXCursor_InvalidFile};

/* A call, resolved as far as clang and the source text allow. */
typedef struct {
  CXCursor cursor;
  sa_api_kind kind;
  const char *name;      /* as sa_callee.name */
  const char *qualified; /* for the instruction's text */
  CXCursor declaration;  /* null when unknown */
  bool resolved;         /* by clang: the declaration is the one that is called */
  CXCursor overloads;    /* the set that a call in a template may mean; null when there is none */
  bool has_receiver;
  sa_reg receiver;
  sa_reg function_value; /* calling a variable: lambda, std::function, pointer */
  sa_reg args[MAX_ARGS];
  CXCursor arg_cursors[MAX_ARGS];
  uint32_t nargs;
  sa_ir_type type; /* of the result */
} call;

static bool has_place(lowering *lo, CXCursor cursor) {
  span s = span_of(lo, cursor);
  return s.file != NULL && s.line != 0;
}

static void add_argument(body *b, call *c, CXCursor cursor) {
  if (c->nargs == MAX_ARGS || !has_place(b->lo, cursor)) return; /* a default argument */
  c->arg_cursors[c->nargs] = cursor;
  c->args[c->nargs++] = lower_expr(b, cursor);
}

static void lower_arguments(body *b, call *c, bool skip_first) {
  lowering *lo = b->lo;
  int n = lo->lib->Cursor_getNumArguments(c->cursor);
  if (n >= 0) {
    for (int i = skip_first ? 1 : 0; i < n; i++)
      add_argument(b, c, lo->lib->Cursor_getArgument(c->cursor, (unsigned)i));
    return;
  }
  cursors parts = children_of(lo, c->cursor);
  bool callee_seen = false;
  for (uint32_t i = 0; i < parts.n; i++) {
    if (lo->lib->isReference(kind_of(lo, parts.at[i]))) continue;
    if (callee_seen) add_argument(b, c, parts.at[i]);
    callee_seen = true;
  }
}

/* The callee's expression: the call's first child. */
static bool callee_of(lowering *lo, CXCursor cursor, CXCursor *out) {
  cursors parts = children_of(lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++)
    if (!lo->lib->isReference(kind_of(lo, parts.at[i]))) {
      *out = parts.at[i];
      return true;
    }
  return false;
}

/* Lowers what a member call is made on: the object that is written, or else `this`. */
static void lower_receiver(body *b, call *c, CXCursor callee) {
  lowering *lo = b->lo;
  cursors parts = children_of(lo, callee);
  c->has_receiver = true;
  for (uint32_t i = 0; i < parts.n; i++)
    if (lo->lib->isExpression(kind_of(lo, parts.at[i]))) {
      c->receiver = lower_expr(b, parts.at[i]);
      return;
    }
  c->receiver = find_this(b);
}

static CXCursor unwrapped_callee(lowering *lo, CXCursor callee) {
  for (int depth = 0; depth < 16; depth++) {
    enum CXCursorKind kind = kind_of(lo, callee);
    if (kind == CXCursor_MemberRefExpr || kind == CXCursor_DeclRefExpr) return callee;
    cursors parts = children_of(lo, callee);
    if ((kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr) || parts.n != 1)
      return callee;
    span outer = span_of(lo, callee), inner = span_of(lo, parts.at[0]);
    if (outer.end != inner.end && kind == CXCursor_UnexposedExpr) return callee; /* `x.unknown` */
    callee = parts.at[0];
  }
  return callee;
}

/* A callee that clang did not resolve: a member of something unknown, an overload set, a value. */
static void resolve_by_text(body *b, call *c, CXCursor callee) {
  lowering *lo = b->lo;
  enum CXCursorKind kind = kind_of(lo, callee);
  const char *full = callee_name_from_text(lo, callee, false);
  const char *last = callee_name_from_text(lo, callee, true);
  size_t length;
  const char *text = text_of(lo, callee, &length);
  size_t name_at = length >= strlen(last) ? length - strlen(last) : 0;
  bool member = kind == CXCursor_MemberRefExpr;
  if (!member && kind == CXCursor_UnexposedExpr && text != NULL) {
    /* RecoveryExpr: the base is the only child, the member's name is the rest of the text. */
    while (name_at > 0 && isspace((unsigned char)text[name_at - 1])) name_at--;
    member = name_at > 0 && (text[name_at - 1] == '.' || text[name_at - 1] == '>');
  }
  if (member) {
    c->kind = SA_API_METHOD;
    c->name = c->qualified = last;
    lower_receiver(b, c, callee);
    return;
  }
  CXCursor named = lo->lib->getCursorReferenced(callee);
  if (kind == CXCursor_DeclRefExpr && !is_null(lo, named) &&
      kind_of(lo, named) == CXCursor_OverloadedDeclRef &&
      lo->lib->getNumOverloadedDecls(named) > 0) {
    CXCursor first = lo->lib->getOverloadedDecl(named, 0);
    full = qualified_name(lo, first);
    if (lo->lib->getNumOverloadedDecls(named) == 1)
      c->declaration = first;
    else
      c->overloads = named;
  }
  c->kind = SA_API_FUNCTION;
  c->name = c->qualified = full;
  if (full[0] == '\0' || kind == CXCursor_CallExpr || kind == CXCursor_LambdaExpr)
    c->function_value = lower_expr(b, callee);
}

static void resolve_method(body *b, call *c, CXCursor callee) {
  lowering *lo = b->lo;
  c->name = spelling_of(lo, c->declaration);
  c->qualified = qualified_name(lo, c->declaration);
  if (lo->lib->CXXMethod_isStatic(c->declaration)) {
    c->kind = SA_API_FUNCTION;
    c->name = c->qualified;
    return;
  }
  c->kind = SA_API_METHOD;
  callee = unwrapped_callee(lo, callee);
  if (kind_of(lo, callee) == CXCursor_MemberRefExpr) {
    lower_receiver(b, c, callee);
  } else {
    c->has_receiver = true; /* a lambda's or functor's operator() and the like */
    c->receiver = lower_expr(b, callee);
  }
}

static bool is_method(enum CXCursorKind kind) {
  return kind == CXCursor_CXXMethod || kind == CXCursor_ConversionFunction ||
         kind == CXCursor_Destructor;
}

static bool has_class_parent(lowering *lo, CXCursor declaration) {
  enum CXCursorKind kind = kind_of(lo, lo->lib->getCursorSemanticParent(declaration));
  return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

static void resolve(body *b, call *c) {
  lowering *lo = b->lo;
  CXCursor callee;
  if (!callee_of(lo, c->cursor, &callee)) {
    c->kind = SA_API_FUNCTION;
    c->name = c->qualified = callee_name_from_text(lo, c->cursor, false);
    return;
  }
  CXCursor declaration = lo->lib->getCursorReferenced(c->cursor);
  enum CXCursorKind kind =
      is_null(lo, declaration) ? CXCursor_InvalidFile : kind_of(lo, declaration);
  c->resolved =
      is_method(kind) || kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate;
  if (is_method(kind) || (kind == CXCursor_FunctionTemplate && has_class_parent(lo, declaration))) {
    c->declaration = declaration;
    resolve_method(b, c, callee);
  } else if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate) {
    c->declaration = declaration;
    c->kind = SA_API_FUNCTION;
    c->name = c->qualified = qualified_name(lo, declaration);
  } else if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_FieldDecl) {
    c->kind = SA_API_FUNCTION;
    c->name = c->qualified = spelling_of(lo, declaration);
    c->function_value = lower_expr(b, callee);
  } else {
    resolve_by_text(b, c, unwrapped_callee(lo, callee));
  }
}

/* ---- what a recognised call becomes ---- */

static sa_reg operand_reg(const call *c, sa_operand operand, sa_reg result) {
  return sa_operand_reg(operand, c->args, c->nargs, c->receiver, result);
}

/* The kind of value that an operation makes, where clang does not know the call's type. */
static sa_ir_type result_type(body *b, const call *c, sa_ir_op op, sa_reg source) {
  sa_ir_type type = c->type;
  if (type.kind != SA_TYPE_UNKNOWN && type.kind != SA_TYPE_OBJECT) return type;
  const char *name = type.name != NULL ? type.name : "";
  switch (op) {
  case SA_OP_current_stream:
  case SA_OP_default_stream:
  case SA_OP_pool_stream:
  case SA_OP_blocking_stream:
  case SA_OP_extern_stream:
    return (sa_ir_type){.kind = SA_TYPE_STREAM, .name = name};
  case SA_OP_new_event:
    return (sa_ir_type){.kind = SA_TYPE_EVENT, .name = name};
  case SA_OP_guard:
    return (sa_ir_type){.kind = SA_TYPE_GUARD, .name = name};
  case SA_OP_alloc:
  case SA_OP_foreign:
    return (sa_ir_type){.kind = SA_TYPE_TENSOR, .name = name};
  case SA_OP_view:
  case SA_OP_mayalias:
  case SA_OP_move:
  case SA_OP_copy:
  case SA_OP_lock:
    return source != 0 ? reg_type(b, source) : type;
  case SA_OP_elem:
    if (source == 0) return type;
    type = reg_type(b, source);
    type.many = false;
    return type;
  case SA_OP_pack:
    if (source == 0) return type;
    type = reg_type(b, source);
    type.many = true;
    return type;
  default:
    return type;
  }
}

/* The mask has a bit for each of the first 32 arguments; what is written beyond counts as read. */
static void add_operand(body *b, sa_ir_inst *inst, sa_reg reg, bool written) {
  if (written && inst->nargs < 32) inst->mask |= 1u << inst->nargs;
  add_arg(b, inst, reg);
}

static void add_operands(body *b, const call *c, const sa_effect *effect, sa_ir_inst *inst,
                         sa_reg result) {
  for (uint8_t i = 0; i < effect->noperands; i++) {
    sa_operand operand = effect->operands[i];
    bool written = (effect->written >> i & 1) != 0;
    if (operand.kind == SA_FROM_REST) {
      for (uint32_t k = operand.index; k < c->nargs; k++)
        if (c->args[k] != 0) {
          add_operand(b, inst, c->args[k], written);
        }
      continue;
    }
    sa_reg reg = operand_reg(c, operand, result);
    if (reg == 0 && i > 0 && inst->op == SA_OP_use) continue;
    add_operand(b, inst, reg, written);
  }
}

/* An operation whose arguments must all be there, but are not: the call is then an unknown one. */
static bool operands_complete(const sa_ir_inst *inst) {
  const sa_ir_op_info *info = sa_ir_op_about(inst->op);
  if (inst->nargs < info->min_args) return false;
  for (uint32_t i = 0; i < inst->nargs; i++)
    if (inst->args[i] == 0 && !sa_ir_takes_current(inst->op, i)) return false;
  return true;
}

/* `0` and `nullptr` where a stream is asked for. */
static void settle_streams(body *b, call *c, const sa_api *api) {
  for (uint32_t i = 0; i < api->effects.n; i++)
    for (uint8_t k = 0; k < api->effects.at[i].noperands; k++) {
      sa_operand operand = api->effects.at[i].operands[k];
      bool asked = operand.kind == SA_FROM_ARG && operand.index < c->nargs &&
                   sa_ir_takes_current(api->effects.at[i].op, k);
      if (!asked || reg_type(b, c->args[operand.index]).kind == SA_TYPE_STREAM) continue;
      sa_reg stream = lower_literal_stream(b, c->arg_cursors[operand.index]);
      if (stream != 0) c->args[operand.index] = stream;
    }
}

static void drop_last(body *b) {
  func_of(b)->blocks.at[b->block].insts.n--;
}

static sa_reg emit_effect(body *b, const call *c, const sa_api *api, const sa_effect *effect,
                          sa_reg result) {
  const sa_ir_op_info *info = sa_ir_op_about(effect->op);
  bool out = effect->has_result && effect->result.kind == SA_FROM_ARG;
  sa_reg made = 0;
  if (info->has_result) {
    sa_reg source = effect->noperands > 0 ? operand_reg(c, effect->operands[0], result) : 0;
    if (out) {
      made = operand_reg(c, effect->result, result);
      if (made == 0) return result;
    } else {
      made = add_temp(b, result_type(b, c, effect->op, source));
    }
  }
  const char *text = effect->text != NULL ? effect->text : c->qualified;
  place to = out ? place_behind(b, made) : (place){.kind = PLACE_NONE};
  sa_ir_inst *inst = emit(b, effect->op, made, info->has_text ? text : NULL, c->cursor);
  add_operands(b, c, effect, inst, result);
  if (!operands_complete(inst)) {
    drop_last(b);
    return result;
  }
  if (effect->op == SA_OP_record) inst->site = add_site(b, c->cursor, api, c->qualified);
  assign_out(b, to, made, c->cursor);
  if (out) return result;
  return made != 0 ? made : result;
}

/* `x.size()`, `t.defined()`: a value computed from the receiver, nothing else. */
static sa_reg emit_pure(body *b, const call *c) {
  sa_reg result = add_temp(b, c->type);
  sa_ir_inst *inst = emit(b, SA_OP_op, result, c->qualified, c->cursor);
  if (c->receiver != 0) add_arg(b, inst, c->receiver);
  for (uint32_t i = 0; i < c->nargs; i++)
    if (c->args[i] != 0) add_arg(b, inst, c->args[i]);
  return result;
}

static sa_reg emit_api(body *b, call *c, const sa_api *api) {
  if (api->effects.n == 0) return emit_pure(b, c);
  settle_streams(b, c, api);
  sa_reg result = 0;
  for (uint32_t i = 0; i < api->effects.n; i++)
    result = emit_effect(b, c, api, &api->effects.at[i], result);
  return result;
}

/* ---- what any other call becomes ---- */

static bool holds_block(sa_ir_type type) {
  return type.kind == SA_TYPE_TENSOR || type.kind == SA_TYPE_MEMORY;
}

/* `isAllocationStream(block, stream)` asks about both. */
static bool only_asks(const call *c) {
  sa_span last = sa_last_component(c->qualified != NULL ? c->qualified : "");
  static const char *const heads[] = {"is", "has"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads && c->type.kind == SA_TYPE_SCALAR; i++) {
    size_t n = strlen(heads[i]);
    if (last.length > n && strncmp(last.at, heads[i], n) == 0 &&
        (last.at[n] == '_' || (last.at[n] >= 'A' && last.at[n] <= 'Z')))
      return true;
  }
  return false;
}

/* A function without a body here that is given a stream and blocks works on them on that stream. */
static void emit_assumed_use(body *b, const call *c) {
  sa_reg stream = 0;
  if (only_asks(c)) return;
  bool blocks = c->receiver != 0 && holds_block(reg_type(b, c->receiver));
  for (uint32_t i = 0; i < c->nargs; i++) {
    sa_ir_type type = reg_type(b, c->args[i]);
    if (type.kind == SA_TYPE_STREAM && !type.many && stream == 0) stream = c->args[i];
    blocks |= c->args[i] != 0 && holds_block(type);
  }
  if (!blocks || stream == 0) return;
  sa_ir_inst *inst = emit(b, SA_OP_use, 0, c->qualified, c->cursor);
  add_arg(b, inst, stream);
  if (c->receiver != 0 && holds_block(reg_type(b, c->receiver))) add_arg(b, inst, c->receiver);
  for (uint32_t i = 0; i < c->nargs; i++)
    if (c->args[i] != 0 && holds_block(reg_type(b, c->args[i])))
      add_operand(b, inst, c->args[i], true);
}

static uint32_t called_lambda(body *b, sa_reg function_value) {
  if (function_value == 0) return SA_NO_INDEX;
  sa_ir_func *f = func_of(b);
  uint32_t found = SA_NO_INDEX;
  for (uint32_t k = 0; k < f->blocks.n; k++)
    for (uint32_t i = 0; i < f->blocks.at[k].insts.n; i++) {
      const sa_ir_inst *inst = &f->blocks.at[k].insts.at[i];
      if (inst->result != function_value) continue;
      if (inst->op != SA_OP_lambda || (found != SA_NO_INDEX && found != inst->func))
        return SA_NO_INDEX;
      found = inst->func;
    }
  return found;
}

/* The overload whose first parameter is a container exactly when the first argument is one. */
static uint32_t choose_overload(body *b, const call *c) {
  lowering *lo = b->lo;
  unsigned n = lo->lib->getNumOverloadedDecls(c->overloads);
  for (unsigned i = 0; i < n && c->nargs > 0; i++) {
    CXCursor candidate = lo->lib->getOverloadedDecl(c->overloads, i);
    cursors parts = children_of(lo, candidate);
    sa_ir_type first = {0};
    uint32_t params = 0;
    for (uint32_t k = 0; k < parts.n; k++)
      if (kind_of(lo, parts.at[k]) == CXCursor_ParmDecl && params++ == 0)
        first = type_of(lo, parts.at[k]);
    bool fits = params == c->nargs && first.many == reg_type(b, c->args[0]).many;
    uint32_t func = fits ? require_func(lo, candidate) : SA_NO_INDEX;
    if (func != SA_NO_INDEX) return func;
  }
  return SA_NO_INDEX;
}

/* The body that an unresolved call most likely means. A member of another object could be anything.
 */
static uint32_t guess_func(body *b, const call *c) {
  const char *name = c->name != NULL ? c->name : "";
  for (const char *at = strstr(name, "::"); at != NULL; at = strstr(name, "::")) name = at + 2;
  CXCursor found;
  bool own = !c->has_receiver || c->receiver == find_this(b);
  if (!own || name[0] == '\0' || !find_func_by_name(b->lo, name, c->nargs, &found))
    return SA_NO_INDEX;
  return require_func(b->lo, found);
}

/* The callee's name with the template arguments that are written out: `make<Work>`. */
static const char *name_with_arguments(body *b, const call *c) {
  enum { MAX_LENGTH = 200 };
  CXCursor callee;
  size_t length;
  if (c->kind != SA_API_FUNCTION || c->function_value != 0 || !callee_of(b->lo, c->cursor, &callee))
    return c->qualified;
  const char *text = text_of(b->lo, callee, &length);
  const char *open = text != NULL && length <= MAX_LENGTH ? memchr(text, '<', length) : NULL;
  if (open == NULL || text[length - 1] != '>' || strchr(c->qualified, '<') != NULL)
    return c->qualified;
  return sa_printf(b->lo->arena, "%s%.*s", c->qualified, (int)(text + length - open), open);
}

static sa_reg emit_call(body *b, const call *c) {
  lowering *lo = b->lo;
  uint32_t func = SA_NO_INDEX;
  if (!is_null(lo, c->declaration))
    func = require_func(lo, c->declaration);
  else
    func = called_lambda(b, c->function_value);
  if (func == SA_NO_INDEX && !is_null(lo, c->overloads)) func = choose_overload(b, c);
  if (func == SA_NO_INDEX && c->function_value == 0 && !c->resolved) func = guess_func(b, c);
  if (func == SA_NO_INDEX) emit_assumed_use(b, c);
  sa_reg result = add_temp(b, c->type);
  sa_ir_inst *inst = emit(b, SA_OP_call, result, name_with_arguments(b, c), c->cursor);
  inst->func = func;
  if (c->function_value != 0) { /* what is called is the first argument, like a receiver */
    inst->mask = 1;
    add_arg(b, inst, c->function_value);
  } else if (c->has_receiver && c->receiver != 0) {
    inst->mask = 1;
    add_arg(b, inst, c->receiver);
  }
  for (uint32_t i = 0; i < c->nargs; i++) {
    sa_reg arg = c->args[i];
    /* keeps the positions of the others */
    if (arg == 0) arg = add_temp(b, (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .name = ""});
    add_arg(b, inst, arg);
  }
  return result;
}

static sa_reg emit_recognised(body *b, call *c) {
  sa_ir_type receiver = reg_type(b, c->receiver);
  bool owned = c->kind == SA_API_METHOD && c->resolved && !is_null(b->lo, c->declaration);
  CXCursor owner = owned ? b->lo->lib->getCursorSemanticParent(c->declaration) : c->declaration;
  sa_callee callee = {.kind = c->kind,
                      .name = c->name,
                      .owner = owned ? qualified_name(b->lo, owner) : NULL,
                      .receiver = receiver.kind,
                      .receiver_name = receiver.name != NULL ? receiver.name : "",
                      .nargs = c->nargs,
                      .first = c->nargs > 0 ? reg_type(b, c->args[0]).kind : SA_TYPE_UNKNOWN};
  const sa_api *api = sa_recognise(b->lo->rules, &callee);
  bool converts = c->kind == SA_API_METHOD && c->nargs == 0 && receiver.kind == SA_TYPE_STREAM &&
                  !receiver.many && c->type.kind == SA_TYPE_STREAM && !c->type.many;
  if (api == NULL && converts) { /* another wrapper of the same stream */
    sa_reg result = add_temp(b, c->type);
    add_arg(b, emit(b, SA_OP_extern_stream, result, c->qualified, c->cursor), c->receiver);
    return result;
  }
  if (api == NULL) {
    note_namesake(b->lo, c->cursor, "no API model fits this call's receiver and arguments");
    return emit_call(b, c);
  }
  return emit_api(b, c, api);
}

/* ---- kernel launches ---- */

/* `kernel<<<grid, block, shared, stream>>>(arguments)`: a use of the arguments on the stream. */
static bool lower_launch(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  cursors parts = children_of(lo, cursor);
  for (uint32_t i = 0; i < parts.n; i++) {
    if (!is_launch_configuration(lo, parts.at[i])) continue;
    sa_reg stream = launch_stream(b, parts.at[i], cursor);
    call c = {.cursor = cursor, .declaration = NO_CURSOR, .overloads = NO_CURSOR};
    lower_arguments(b, &c, false);
    sa_ir_inst *inst = emit(b, SA_OP_use, 0, callee_name_from_text(lo, parts.at[0], false), cursor);
    add_arg(b, inst, stream);
    for (uint32_t k = 0; k < c.nargs; k++)
      if (c.args[k] != 0 && reg_type(b, c.args[k]).kind != SA_TYPE_SCALAR)
        add_operand(b, inst, c.args[k], true);
    return true;
  }
  return false;
}

/* ---- constructors and operators ---- */

static bool same_kind(sa_ir_type a, sa_ir_type b) {
  return a.kind == b.kind && a.many == b.many;
}

/* An operator of two operands is asked for like a method of the first, wherever it is declared. */
static const sa_api *recognise_method(body *b, const call *c) {
  sa_ir_type of = reg_type(b, c->receiver);
  sa_callee callee = {.kind = SA_API_METHOD,
                      .name = c->name,
                      .receiver = of.many ? SA_TYPE_OBJECT : of.kind,
                      .receiver_name = of.name,
                      .nargs = c->nargs,
                      .first = c->nargs > 0 ? reg_type(b, c->args[0]).kind : SA_TYPE_UNKNOWN};
  return sa_recognise(b->lo->rules, &callee);
}

static sa_reg lower_constructor(body *b, CXCursor cursor, CXCursor declaration) {
  lowering *lo = b->lo;
  call c = {.cursor = cursor,
            .overloads = NO_CURSOR,
            .kind = SA_API_CONSTRUCTOR,
            .declaration = lo->lib->getCursorSemanticParent(declaration)};
  c.type = type_of(lo, cursor);
  c.qualified = c.name = qualified_name(lo, c.declaration);
  c.declaration = declaration;
  lower_arguments(b, &c, false);
  if (c.nargs == 1 && same_kind(c.type, reg_type(b, c.args[0])) && c.type.kind != SA_TYPE_OBJECT) {
    sa_reg from = c.args[0]; /* copy, move or conversion: another handle to the same thing */
    if (func_of(b)->regs.at[from].kind == SA_REG_TEMP) return from;
    sa_reg result = add_temp(b, c.type);
    add_arg(b, emit(b, SA_OP_copy, result, NULL, cursor), from);
    return result;
  }
  sa_callee callee = {.kind = SA_API_CONSTRUCTOR,
                      .name = c.name,
                      .receiver_name = c.name,
                      .nargs = c.nargs,
                      .first = c.nargs > 0 ? reg_type(b, c.args[0]).kind : SA_TYPE_UNKNOWN};
  const sa_api *api = sa_recognise(lo->rules, &callee);
  if (api != NULL) return emit_api(b, &c, api);
  if (c.type.many || holds_block(c.type)) {
    if (c.nargs == 1 && c.args[0] != 0 && c.type.many && reg_type(b, c.args[0]).many)
      return c.args[0];
    sa_reg result = add_temp(b, c.type);
    if (!c.type.many && c.nargs > 0 && holds_block(reg_type(b, c.args[0]))) {
      /* one handle, made of a pointer or another handle: the same block */
      add_arg(b, emit(b, SA_OP_view, result, c.name, cursor), c.args[0]);
      return result;
    }
    sa_ir_inst *inst = emit(b, SA_OP_pack, result, c.nargs == 0 ? "empty" : c.name, cursor);
    for (uint32_t i = 0; i < c.nargs; i++) {
      bool number = reg_type(b, c.args[i]).kind == SA_TYPE_SCALAR && holds_block(c.type);
      if (c.args[i] != 0 && !number) add_arg(b, inst, c.args[i]); /* a number is only a size */
    }
    return result;
  }
  if (c.type.kind == SA_TYPE_EVENT) {
    sa_reg result = add_temp(b, c.type);
    emit(b, SA_OP_new_event, result, c.name, cursor);
    return result;
  }
  return emit_call(b, &c);
}

sa_reg lower_operator_call(body *b, CXCursor cursor, const char *name) {
  lowering *lo = b->lo;
  int n = lo->lib->Cursor_getNumArguments(cursor);
  if (n < 1) return 0;
  CXCursor left = lo->lib->Cursor_getArgument(cursor, 0);
  if (strcmp(name, "operator=") == 0 && n == 2) {
    CXCursor right = lo->lib->Cursor_getArgument(cursor, 1);
    sa_reg value = lower_expr(b, right);
    assign(b, lower_place(b, left), value, right, cursor);
    return value;
  }
  call c = {.cursor = cursor, .kind = SA_API_METHOD, .has_receiver = true, .overloads = NO_CURSOR};
  c.declaration = lo->lib->getCursorReferenced(cursor);
  c.name = name;
  c.qualified = name;
  c.type = type_of(lo, cursor);
  c.receiver = lower_expr(b, left);
  lower_arguments(b, &c, true);
  sa_ir_type of = reg_type(b, c.receiver);
  bool looks_through =
      strcmp(name, "operator->") == 0 || (strcmp(name, "operator*") == 0 && n == 1);
  if (looks_through && !of.many) return c.receiver;
  if (strcmp(name, "operator()") == 0) {
    c.function_value = c.receiver;
    c.has_receiver = false;
    c.receiver = 0;
    c.declaration = NO_CURSOR;
    c.qualified = func_of(b)->regs.at[c.function_value].name;
    return emit_call(b, &c);
  }
  if (looks_through || strcmp(name, "operator[]") == 0) {
    if (c.receiver == 0) return 0;
    sa_ir_type type = c.type;
    if (type.kind == SA_TYPE_UNKNOWN || type.kind == SA_TYPE_OBJECT) {
      const char *spelled = type.name;
      type = of;
      type.many = false;
      type.name = spelled != NULL ? spelled : "";
      if (!of.many) type.kind = c.type.kind;
    }
    bool view = of.kind == SA_TYPE_TENSOR && !of.many;
    sa_reg result = add_temp(b, type);
    sa_ir_inst *inst = emit(b, view ? SA_OP_view : SA_OP_elem, result, name + 8, cursor);
    add_arg(b, inst, c.receiver);
    if (!view && c.nargs > 0 && c.args[0] != 0) add_arg(b, inst, c.args[0]);
    return result;
  }
  const sa_api *api = recognise_method(b, &c);
  return api != NULL ? emit_api(b, &c, api) : emit_pure(b, &c);
}

/* An operator whose meaning clang does not know: its first operand is also the first child. */
static bool lower_unresolved_operator(body *b, CXCursor cursor, sa_reg *result) {
  lowering *lo = b->lo;
  int n = lo->lib->Cursor_getNumArguments(cursor);
  CXCursor first;
  if (n < 1 || n > 2 || !callee_of(lo, cursor, &first)) return false;
  CXCursor left = lo->lib->Cursor_getArgument(cursor, 0);
  if (!lo->lib->equalCursors(left, first)) return false;
  CXCursor right = n == 2 ? lo->lib->Cursor_getArgument(cursor, 1) : left;
  call c = {.cursor = cursor,
            .declaration = NO_CURSOR,
            .overloads = NO_CURSOR,
            .qualified = "operator",
            .type = type_of(lo, cursor)};
  if (n == 2 && assigns_between(lo, cursor, left, right)) {
    sa_reg value = lower_expr(b, right);
    assign(b, lower_place(b, left), value, right, cursor);
    *result = value;
    return true;
  }
  lower_arguments(b, &c, false);
  *result = emit_pure(b, &c);
  return true;
}

/* `x.operator[](i)`, written out: a member call like any other. */
static bool names_operator(lowering *lo, CXCursor callee) {
  callee = unwrapped_callee(lo, callee);
  return kind_of(lo, callee) == CXCursor_MemberRefExpr &&
         strncmp(spelling_of(lo, callee), "operator", 8) == 0;
}

sa_reg lower_call(body *b, CXCursor cursor) {
  lowering *lo = b->lo;
  if (lower_launch(b, cursor)) return 0;
  CXCursor declaration = lo->lib->getCursorReferenced(cursor);
  enum CXCursorKind kind =
      is_null(lo, declaration) ? CXCursor_InvalidFile : kind_of(lo, declaration);
  if (kind == CXCursor_Constructor) return lower_constructor(b, cursor, declaration);
  const char *name = is_null(lo, declaration) ? "" : spelling_of(lo, declaration);
  bool operator_name =
      strncmp(name, "operator", 8) == 0 && !isalnum((unsigned char)name[8]) && name[8] != '_';
  CXCursor callee;
  if (operator_name && name[8] != ' ' && callee_of(lo, cursor, &callee) &&
      !names_operator(lo, callee))
    return lower_operator_call(b, cursor, name);
  sa_reg result;
  if (lower_unresolved_operator(b, cursor, &result)) return result;
  call c = {.cursor = cursor, .declaration = NO_CURSOR, .overloads = NO_CURSOR};
  resolve(b, &c);
  c.type = type_of(lo, cursor);
  if (kind == CXCursor_ConversionFunction && c.receiver != 0 &&
      (same_kind(c.type, reg_type(b, c.receiver)) || c.type.kind == SA_TYPE_SCALAR)) {
    if (c.type.kind != SA_TYPE_SCALAR) return c.receiver;
    return emit_pure(b, &c); /* operator bool and the like */
  }
  lower_arguments(b, &c, false);
  if (c.function_value != 0) return emit_call(b, &c);
  return emit_recognised(b, &c);
}
