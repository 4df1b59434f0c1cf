/* Calls: who is called, with what, and what follows from it. */
#include "frontend/python/effect.h"
#include "frontend/python/lessons.h"
#include "model/names.h"

#include <string.h>

static bool holds_block(sa_ir_type type) {
  return type.kind == SA_TYPE_TENSOR || type.kind == SA_TYPE_MEMORY;
}

/* A keyword that turns something off is as good as none, and so is the host as a device. */
static bool is_off(body *b, const char *keyword, TSNode value) {
  if (py_is_type(value, "false") || py_is_type(value, "none")) return true;
  const char *text = py_is_type(value, "string") ? py_text_of(b->lo, value) : "";
  return strcmp(keyword, "device") == 0 &&
         (strcmp(text, "\"cpu\"") == 0 || strcmp(text, "'cpu'") == 0);
}

/* Made right before the call, without a device: on the host. */
static bool is_made_on_host(body *b, sa_reg reg) {
  const sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  const sa_ir_inst *last = block->insts.n > 0 ? &block->insts.at[block->insts.n - 1] : NULL;
  return last != NULL && last->op == SA_OP_alloc && last->result == reg &&
         strcmp(last->text, "unplaced") == 0;
}

/* `x.to("cpu")` is `x.cpu()`, and a copy from the host that the host waits for is `x.cuda()`. */
static void name_the_place(body *b, py_call *c, bool on_host) {
  TSNode list = py_field_of(c->node, "arguments");
  if (c->kind != SA_API_METHOD || strcmp(c->name, "to") != 0 || c->func != SA_NO_INDEX) return;
  nodes args = py_named_children(b->lo, list);
  bool placed = on_host, waits = true;
  for (uint32_t i = 0; i < args.n && i < c->nargs; i++) {
    bool named = c->keyword[i] != NULL;
    TSNode value = named ? py_field_of(args.at[i], "value") : args.at[i];
    if (named && strcmp(c->keyword[i], "non_blocking") == 0 && !c->splat[i]) waits = false;
    if (!py_is_type(value, "string")) continue;
    placed = true;
    if (is_off(b, "device", value)) c->name = "cpu";
  }
  if (placed && waits && strcmp(c->name, "to") == 0) c->name = "cuda";
}

static void add_argument(body *b, py_call *c, TSNode node) {
  if (c->nargs == MAX_ARGS) {
    py_lower_expr(b, node);
    return;
  }
  uint32_t at = c->nargs;
  TSNode value = node;
  if (py_is_type(node, "keyword_argument")) {
    value = py_field_of(node, "value");
    c->keyword[at] = py_text_of(b->lo, py_field_of(node, "name"));
  }
  c->splat[at] = py_is_type(node, "list_splat") || py_is_type(node, "dictionary_splat");
  if (c->keyword[at] != NULL && is_off(b, c->keyword[at], value)) c->splat[at] = true;
  sa_reg reg = py_lower_expr(b, value);
  c->args[at] = reg != 0 ? reg : py_add_placeholder(b);
  c->nargs++;
}

static void lower_arguments(body *b, py_call *c) {
  TSNode list = py_field_of(c->node, "arguments");
  if (py_is_type(list, "generator_expression")) {
    add_argument(b, c, list);
    return;
  }
  nodes args = py_named_children(b->lo, list);
  for (uint32_t i = 0; i < args.n; i++) add_argument(b, c, args.at[i]);
}

/* ---- who is called ---- */

/* The class whose __init__ runs, the variable or function of the module that is called. */
static void resolve_name(body *b, py_call *c, TSNode function) {
  lowering *lo = b->lo;
  const char *name = py_text_of(lo, function);
  c->kind = SA_API_FUNCTION;
  c->spelling = name;
  sa_reg found = py_find_variable(b, name);
  if (found != 0) {
    c->function_value = found;
    c->func = py_func_lesson(lo, py_source_of(b, found).key);
    c->name = name;
    return;
  }
  const char *dotted = py_dotted_name(b, function);
  if (dotted != NULL) {
    c->spelling = dotted;
  } else {
    c->func = py_find_module_func(lo, name);
    if (c->func == SA_NO_INDEX && py_find_class(lo, name) == NULL)
      c->func = py_func_lesson(lo, py_global_key(name));
  }
  c->name = py_with_colons(lo, c->spelling);
}

static void take_method(body *b, py_call *c, const py_method *method) {
  if (method->lo == b->lo)
    c->func = method->func;
  else
    c->method = *method;
}

/* super().method(): of a base class. */
static bool resolve_super(body *b, py_call *c, TSNode object, const char *name) {
  lowering *lo = b->lo;
  TSNode of = py_field_of(object, "function");
  uint32_t klass = lo->funcs.at[b->func].klass;
  if (!py_is_type(object, "call") || strcmp(py_text_of(lo, of), "super") != 0 ||
      klass == SA_NO_INDEX || b->this_reg == 0)
    return false;
  c->receiver = b->this_reg;
  py_method method;
  bool found = py_find_base_method(&method, lo, &lo->classes.at[klass], name);
  if (found) take_method(b, c, &method);
  /* What a base that nobody has seen makes of the object has nothing to do with streams. */
  if (!found && strcmp(name, "__init__") == 0) c->of_module = true;
  return true;
}

/* `self.hook(x)`, where hook is a field that holds what the object was given to run: that is
 * called, not a method. */
static void call_kept_function(body *b, py_call *c, TSNode function) {
  uint64_t key = py_key_of(py_field_key(b, c->receiver, c->name), "given");
  if (c->func != SA_NO_INDEX || py_lesson_about(b->lo, key).kind != SA_TYPE_FUNC) return;
  c->function_value = py_lower_attribute_of(b, c->receiver, c->name, function);
  c->kind = SA_API_FUNCTION;
  c->receiver = 0;
}

static void resolve_method(body *b, py_call *c, TSNode function) {
  lowering *lo = b->lo;
  TSNode object = py_unwrapped(lo, py_field_of(function, "object"));
  const char *name = py_text_of(lo, py_field_of(function, "attribute"));
  c->kind = SA_API_METHOD;
  c->name = c->spelling = name;
  if (resolve_super(b, c, object, name)) return;
  if (py_is_type(object, "identifier") && py_find_variable(b, py_text_of(lo, object)) == 0 &&
      py_find_class(lo, py_text_of(lo, object)) != NULL) { /* Class.method(...) */
    c->func = py_find_method(lo, py_text_of(lo, object), name);
    c->kind = SA_API_FUNCTION;
    c->spelling = py_text_of(lo, function);
    c->name = py_with_colons(lo, c->spelling);
    return;
  }
  c->receiver = py_lower_expr(b, object);
  if (c->receiver == 0) c->receiver = py_add_placeholder(b);
  py_method method;
  if (py_find_method_of(&method, lo, py_reg_type(b, c->receiver), name)) take_method(b, c, &method);
  if (c->method.lo != NULL) return;
  if (c->func == SA_NO_INDEX) c->func = py_func_lesson(lo, py_field_key(b, c->receiver, name));
  call_kept_function(b, c, function);
}

/* A dotted name that no row knows may be a method of something imported. */
static void as_method(body *b, py_call *c, TSNode function) {
  const char *of = py_dotted_name(b, py_field_of(function, "object"));
  c->kind = SA_API_METHOD;
  c->of_module = of != NULL && py_is_module(b->lo, of);
  c->receiver = py_lower_expr(b, py_field_of(function, "object"));
  c->name = py_text_of(b->lo, py_field_of(function, "attribute"));
}

static void resolve(body *b, py_call *c) {
  TSNode function = py_unwrapped(b->lo, py_field_of(c->node, "function"));
  c->func = SA_NO_INDEX;
  if (py_is_type(function, "identifier")) {
    resolve_name(b, c, function);
  } else if (py_is_type(function, "attribute")) {
    const char *dotted = py_dotted_name(b, function);
    if (dotted == NULL) {
      resolve_method(b, c, function);
      return;
    }
    c->kind = SA_API_FUNCTION;
    c->spelling = dotted;
    c->name = py_with_colons(b->lo, dotted);
  } else {
    c->kind = SA_API_FUNCTION;
    c->name = "";
    c->spelling = "call";
    c->function_value = py_lower_expr(b, function);
  }
}

/* ---- calls of what stands in this file ---- */

static int find_param(const py_func *f, const char *name) {
  for (uint32_t i = 0; i < f->params.n; i++)
    if (strcmp(f->params.at[i].name, name) == 0) return (int)i;
  return -1;
}

typedef struct {
  sa_reg at[MAX_ARGS];
  sa_reg rest[MAX_ARGS], named[MAX_ARGS];
  uint32_t nrest, nnamed;
} binding;

/* Which argument goes to which parameter; `skip` parameters are bound already (the object). */
static void bind_arguments(const py_func *f, const py_call *c, uint32_t skip, binding *out) {
  uint32_t next = skip;
  for (uint32_t i = 0; i < c->nargs; i++) {
    int to = c->keyword[i] != NULL ? find_param(f, c->keyword[i]) : -1;
    if (to >= 0 && to < MAX_ARGS) {
      out->at[to] = c->args[i];
    } else if (c->keyword[i] != NULL) {
      out->named[out->nnamed++] = c->args[i];
    } else if (c->splat[i] || next >= f->params.n || f->params.at[next].star || next >= MAX_ARGS) {
      out->rest[out->nrest++] = c->args[i];
    } else {
      out->at[next++] = c->args[i];
    }
  }
}

static sa_reg pack_rest(body *b, const sa_reg *regs, uint32_t n, TSNode at) {
  sa_ir_type type = {.kind = SA_TYPE_UNKNOWN, .many = true, .name = ""};
  for (uint32_t i = 0; i < n; i++)
    if (py_reg_type(b, regs[i]).kind > SA_TYPE_SCALAR) type.kind = py_reg_type(b, regs[i]).kind;
  sa_reg result = py_add_temp(b, type);
  sa_ir_inst *inst = py_emit(b, SA_OP_pack, result, n == 0 ? "empty" : "arguments", at);
  for (uint32_t i = 0; i < n; i++) py_add_arg(b, inst, regs[i]);
  return result;
}

/* Hints go from parameters to arguments, kinds of arguments to the parameters of this file. */
static void learn_argument(body *b, lowering *of, uint32_t func, uint32_t index, sa_reg arg) {
  const py_param *p = &of->funcs.at[func].params.at[index];
  uint64_t key = py_local_key(func, p->name);
  sa_ir_type type = py_reg_type(b, arg), hint = py_type_of_hint(of, p->type);
  if (hint.kind == SA_TYPE_UNKNOWN) hint = py_lesson_about(of, key);
  if (of == b->lo && !p->star && !p->double_star) py_learn(of, key, type);
  if (hint.kind > SA_TYPE_OBJECT && !p->star) py_learn_reg(b, arg, hint);
}

/* What each parameter from `skip` on is given; `of` is the file of the function. Returns how many
 * parameters there are. */
static uint32_t give_values(body *b, const py_call *c, lowering *of, uint32_t func, uint32_t skip,
                            sa_reg *values) {
  const py_func *f = &of->funcs.at[func];
  binding bound = {0};
  bind_arguments(f, c, skip, &bound);
  uint32_t n = f->params.n < MAX_ARGS ? f->params.n : MAX_ARGS;
  for (uint32_t i = skip; i < n; i++) {
    const py_param *p = &f->params.at[i];
    values[i] = bound.at[i];
    if (p->star) values[i] = pack_rest(b, bound.rest, bound.nrest, c->node);
    if (p->double_star) values[i] = pack_rest(b, bound.named, bound.nnamed, c->node);
    if (values[i] != 0) learn_argument(b, of, func, i, values[i]);
    if (values[i] == 0 && bound.nrest > 0 && !p->star && !p->double_star)
      values[i] = py_lower_element(b, bound.rest[0], "*", c->node);
    if (values[i] == 0 && py_is_type(p->fallback, "none"))
      values[i] = py_emit_const(b, "None", SA_TYPE_UNKNOWN, c->node);
    if (values[i] == 0 && (py_is_type(p->fallback, "true") || py_is_type(p->fallback, "false")))
      values[i] = py_emit_const(b, py_text_of(of, p->fallback), SA_TYPE_SCALAR, c->node);
    if (values[i] == 0) values[i] = py_add_placeholder(b);
  }
  return n;
}

static sa_reg call_func(body *b, py_call *c, sa_reg first, uint32_t skip) {
  lowering *lo = b->lo;
  sa_reg values[MAX_ARGS];
  uint32_t n = give_values(b, c, lo, c->func, skip, values);
  sa_reg result = py_add_temp(b, py_returns_of(lo, c->func));
  py_set_source(b, result, (py_source){.key = py_return_key(c->func)});
  sa_ir_inst *inst = py_emit(b, SA_OP_call, result, lo->funcs.at[c->func].qualified, c->node);
  inst->func = c->func;
  inst->mask = first != 0;
  if (first != 0) py_add_arg(b, inst, first);
  for (uint32_t i = skip; i < n; i++) py_add_arg(b, inst, values[i]);
  return result;
}

/* A function without a body here that is given a stream and blocks works on them on that stream. */
static void emit_assumed_use(body *b, const py_call *c) {
  sa_reg stream = 0;
  bool blocks = c->receiver != 0 && holds_block(py_reg_type(b, c->receiver));
  for (uint32_t i = 0; i < c->nargs; i++) {
    sa_ir_type type = py_reg_type(b, c->args[i]);
    if (type.kind == SA_TYPE_STREAM && !type.many && stream == 0) stream = c->args[i];
    blocks |= holds_block(type);
  }
  if (!blocks || stream == 0) return;
  sa_ir_inst *inst = py_emit(b, SA_OP_use, 0, c->spelling, c->node);
  py_add_arg(b, inst, stream);
  if (c->receiver != 0 && holds_block(py_reg_type(b, c->receiver)))
    py_add_arg(b, inst, c->receiver);
  for (uint32_t i = 0; i < c->nargs; i++)
    if (holds_block(py_reg_type(b, c->args[i]))) {
      if (inst->nargs < 32) inst->mask |= 1u << inst->nargs;
      py_add_arg(b, inst, c->args[i]);
    }
}

/* A function of another file, bound to this call like one of this file; its body comes from the
 * linker, which knows it by its name. */
static sa_reg call_elsewhere(body *b, py_call *c, const py_method *f, sa_reg first) {
  lowering *of = f->lo;
  sa_reg values[MAX_ARGS];
  uint32_t skip = first != 0 && of->funcs.at[f->func].method;
  uint32_t n = give_values(b, c, of, f->func, skip, values);
  c->spelling = py_name_elsewhere(of, f->func);
  emit_assumed_use(b, c);
  sa_ir_type type = py_plain_type(SA_TYPE_UNKNOWN);
  if (of->unit != NULL && f->func < of->unit->funcs.n) type = of->unit->funcs.at[f->func].returns;
  sa_reg result = py_add_temp(b, type);
  sa_ir_inst *inst = py_emit(b, SA_OP_call, result, c->spelling, c->node);
  inst->mask = skip;
  if (skip > 0) py_add_arg(b, inst, first);
  for (uint32_t i = skip; i < n; i++) py_add_arg(b, inst, values[i]);
  return result;
}

sa_reg py_emit_method(body *b, sa_reg object, const py_method *method, TSNode at) {
  py_call c = {.node = at, .kind = SA_API_METHOD, .receiver = object, .func = SA_NO_INDEX};
  c.name = c.spelling = method->lo->funcs.at[method->func].name;
  if (method->lo != b->lo) return call_elsewhere(b, &c, method, object);
  c.func = method->func;
  return call_func(b, &c, object, 1);
}

/* `Class(...)`: an object, and its __init__ runs. */
static sa_reg construct(body *b, py_call *c, lowering *of, const py_class *klass) {
  sa_ir_type type = py_type_of_class(of, klass);
  py_method init;
  sa_reg result = py_add_temp(b, type);
  sa_ir_inst *inst = py_emit(b, SA_OP_pack, result, klass->qualified, c->node);
  for (uint32_t i = 0; i < c->nargs; i++)
    if (c->args[i] != 0 && py_reg_type(b, c->args[i]).kind != SA_TYPE_SCALAR)
      py_add_arg(b, inst, c->args[i]);
  if (!py_find_method_of(&init, of, type, "__init__") || !init.lo->funcs.at[init.func].method)
    return result;
  c->func = init.func;
  if (init.lo == b->lo)
    call_func(b, c, result, 1);
  else
    call_elsewhere(b, c, &init, result);
  return result;
}

/* ---- other calls ---- */

static uint32_t named_func(body *b, TSNode node) {
  lowering *lo = b->lo;
  if (py_is_type(node, "lambda")) return py_func_at(lo, node);
  if (!py_is_type(node, "identifier")) return SA_NO_INDEX;
  const char *name = py_text_of(lo, node);
  sa_reg found = py_find_variable(b, name);
  if (found != 0) return py_func_lesson(lo, py_source_of(b, found).key);
  return py_dotted_name(b, node) == NULL ? py_find_module_func(lo, name) : SA_NO_INDEX;
}

/* `apply_to_all(batch, fn, stream)`: a function of this file that an unseen one is given runs on
 * parts of the other arguments; what stands behind it is handed on. Gives what the function gives,
 * or 0 when there is no such function. */
static sa_reg emit_applied(body *b, const py_call *c) {
  lowering *lo = b->lo;
  TSNode list = py_field_of(c->node, "arguments");
  nodes args = py_named_children(lo, list);
  if (!py_is_type(list, "argument_list") || args.n != c->nargs) return 0;
  for (uint32_t i = 0; i < args.n; i++) {
    uint32_t func = named_func(b, args.at[i]);
    if (func == SA_NO_INDEX) continue;
    const py_func *f = &lo->funcs.at[func];
    uint32_t subject = i == 0 ? 1 : 0, rest = i == 0 ? 2 : i + 1;
    if (f->method || subject >= c->nargs || f->params.n == 0) return 0;
    py_call inner = {.node = c->node, .kind = SA_API_FUNCTION, .func = func};
    inner.args[inner.nargs++] = py_lower_element(b, c->args[subject], "part", c->node);
    for (uint32_t k = rest; k < c->nargs && inner.nargs < f->params.n; k++) {
      inner.keyword[inner.nargs] = c->keyword[k];
      inner.args[inner.nargs++] = c->args[k];
    }
    bool closure = f->parent != SA_NO_INDEX;
    return call_func(b, &inner, closure ? c->args[i] : 0, 0);
  }
  return 0;
}

/* The unseen function gives its results in some container; a result may be the part itself. */
static sa_reg emit_results(body *b, const py_call *c, sa_reg each) {
  sa_ir_type type = py_reg_type(b, each);
  type.many = true;
  sa_reg result = py_add_temp(b, type);
  py_set_source(b, result, (py_source){0});
  sa_ir_inst *inst = py_emit(b, SA_OP_pack, result, c->spelling, c->node);
  py_add_arg(b, inst, each);
  for (uint32_t i = 0; i < c->nargs; i++) {
    sa_type kind = py_reg_type(b, c->args[i]).kind;
    bool part = kind != SA_TYPE_FUNC && kind != SA_TYPE_STREAM && kind != SA_TYPE_SCALAR;
    if (part) py_add_arg(b, inst, c->args[i]);
  }
  return result;
}

/* An object of another file's class that is given an event is something to wait for. */
static bool makes_handle(body *b, const py_call *c) {
  const char *last = strrchr(c->spelling, '.'), *name = last != NULL ? last + 1 : c->spelling;
  while (*name == '_') name++;
  bool class = c->kind == SA_API_FUNCTION && *name >= 'A' && *name <= 'Z';
  for (uint32_t i = 0; class && i < c->nargs; i++)
    if (py_reg_type(b, c->args[i]).kind == SA_TYPE_EVENT) return true;
  return false;
}

static sa_reg emit_call(body *b, py_call *c) {
  sa_reg each = emit_applied(b, c);
  if (each != 0) return emit_results(b, c, each);
  emit_assumed_use(b, c);
  sa_reg result = py_add_placeholder(b);
  if (makes_handle(b, c))
    py_func_of(b)->regs.at[result].type = (sa_ir_type){.kind = SA_TYPE_HANDLE, .name = c->spelling};
  sa_ir_inst *inst = py_emit(b, SA_OP_call, result, c->spelling, c->node);
  sa_reg first = c->function_value != 0 ? c->function_value : c->receiver;
  if (c->of_module) first = 0;
  if (first != 0) {
    inst->mask = 1;
    py_add_arg(b, inst, first);
  }
  for (uint32_t i = 0; i < c->nargs; i++) py_add_arg(b, inst, c->args[i]);
  return result;
}

static bool bears_record_name(const body *b, const char *name) {
  for (uint32_t i = 0; i < b->lo->rules->spellings.n; i++)
    if (strcmp(b->lo->rules->spellings.at[i], name) == 0) return true;
  return false;
}

static TSNode name_node(TSNode call) {
  TSNode function = py_field_of(call, "function");
  return py_is_type(function, "attribute") ? py_field_of(function, "attribute") : function;
}

static sa_reg call_own(body *b, py_call *c) {
  const py_func *f = &b->lo->funcs.at[c->func];
  py_note_token(b->lo, name_node(c->node), SA_TOKEN_IMPLEMENTATION,
                "calls a function of this file");
  if (c->kind == SA_API_METHOD && f->method) return call_func(b, c, c->receiver, 1);
  if (c->function_value != 0) return call_func(b, c, c->function_value, 0);
  return call_func(b, c, 0, 0);
}

/* `x.record_stream(*args, **kwargs)`: the stream is what the caller gave first. */
static void take_forwarded_stream(body *b, py_call *c) {
  bool forwards = c->nargs > 0 && c->splat[0] && c->keyword[0] == NULL &&
                  bears_record_name(b, py_text_of(b->lo, name_node(c->node)));
  if (!forwards) return;
  c->args[0] = py_lower_element(b, c->args[0], "0", c->node);
  c->splat[0] = false;
  c->nargs = 1;
}

/* ---- calls of what stands in other files ---- */

/* Whether it is worth looking for the function: what has nothing to do with streams changes
 * nothing. */
static bool concerns_streams(body *b, const py_call *c) {
  static const char *const words[] = {"stream", "wait", "event", "record", "sync"};
  for (uint32_t i = 0; i < c->nargs; i++) {
    sa_type kind = py_reg_type(b, c->args[i]).kind;
    if (kind == SA_TYPE_STREAM || kind == SA_TYPE_EVENT || kind == SA_TYPE_HANDLE) return true;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (c->nargs > 0 && strstr(c->spelling, words[i]) != NULL) return true;
  return false;
}

static bool has_block(body *b, const py_call *c) {
  for (uint32_t i = 0; i < c->nargs; i++)
    if (holds_block(py_reg_type(b, c->args[i]))) return true;
  return false;
}

/* What an import says of the name that is called. A function that only blocks go to matters when
 * its file records. */
static bool is_imported(body *b, const py_call *c, py_imported *out) {
  const char *spelled = py_text_of(b->lo, py_field_of(c->node, "function"));
  const char *last = strrchr(spelled, '.'), *name = last != NULL ? last + 1 : spelled;
  while (*name == '_') name++;
  bool class = *name >= 'A' && *name <= 'Z';
  if (c->kind != SA_API_FUNCTION || c->function_value != 0 || c->func != SA_NO_INDEX) return false;
  if (class) return py_find_imported(out, b->lo, spelled, PY_FOR_CLASSES);
  if (concerns_streams(b, c)) return py_find_imported(out, b->lo, spelled, PY_FOR_STREAMS);
  return has_block(b, c) && py_find_imported(out, b->lo, spelled, PY_FOR_RECORDS);
}

/* Gives 0 when no other file has what is called. */
static sa_reg call_other_file(body *b, py_call *c) {
  py_imported other;
  if (c->method.lo != NULL) {
    py_note_token(b->lo, name_node(c->node), SA_TOKEN_IMPLEMENTATION,
                  "calls a method of another file");
    return call_elsewhere(b, c, &c->method, c->receiver);
  }
  if (!is_imported(b, c, &other)) return 0;
  if (other.klass != NULL) return construct(b, c, other.lo, other.klass);
  return call_elsewhere(b, c, &(py_method){other.lo, other.func}, 0);
}

sa_reg py_lower_call(body *b, TSNode node) {
  py_call c = {.node = node};
  TSNode function = py_unwrapped(b->lo, py_field_of(node, "function"));
  resolve(b, &c);
  bool on_host = c.receiver != 0 && is_made_on_host(b, c.receiver);
  lower_arguments(b, &c);
  name_the_place(b, &c, on_host);
  take_forwarded_stream(b, &c);
  const py_class *klass =
      c.kind == SA_API_FUNCTION && c.function_value == 0 && c.func == SA_NO_INDEX
          ? py_class_before(b->lo, c.spelling, node)
          : NULL;
  if (klass != NULL) return construct(b, &c, b->lo, klass);
  const sa_api *api = c.function_value == 0 ? py_recognise_call(b, &c) : NULL;
  /* A function of this file says better what it does than a convention about its name; a method
   * that is told a stream records what its object holds. */
  bool named = bears_record_name(b, py_text_of(b->lo, name_node(node)));
  bool records = api != NULL && api->effects.n > 0 && api->effects.at[0].op == SA_OP_record &&
                 (c.kind == SA_API_METHOD || named);
  if (c.func != SA_NO_INDEX && !records) return call_own(b, &c);
  bool guessed =
      api != NULL && !records && api->effects.n > 0 && api->effects.at[0].op == SA_OP_record;
  bool method = c.method.lo != NULL && !records;
  sa_reg result = api == NULL || guessed || method ? call_other_file(b, &c) : 0;
  if (result != 0) return result;
  if (api == NULL && c.kind == SA_API_FUNCTION && py_is_type(function, "attribute") &&
      py_dotted_name(b, function) != NULL) {
    as_method(b, &c, function);
    api = py_recognise_call(b, &c);
  }
  if (named && !records)
    py_note_token(b->lo, name_node(node), SA_TOKEN_NAMESAKE,
                  "no API model fits this call's receiver and arguments");
  if (api != NULL) return py_emit_api(b, &c, api);
  return emit_call(b, &c);
}
