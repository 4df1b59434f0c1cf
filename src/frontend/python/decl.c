/* What a file declares: imports, classes, functions. One walk over the tree before any lowering. */
#include "frontend/python/imports.h"

#include <string.h>

typedef struct {
  lowering *lo;
  TSTreeCursor *cursors; /* one for each depth below MAX_NESTING, made when it is needed */
  uint32_t func;         /* around, 0: the module */
  uint32_t klass;        /* around, inside that function, or SA_NO_INDEX */
  unsigned depth;
} place;

static void walk(place at, TSNode node);

static void walk_children(place at, TSNode node) {
  if (ts_node_is_null(node) || at.depth >= MAX_NESTING) return;
  TSTreeCursor *cursor = &at.cursors[at.depth++];
  if (cursor->tree == NULL)
    *cursor = ts_tree_cursor_new(node);
  else
    ts_tree_cursor_reset(cursor, node);
  for (bool more = ts_tree_cursor_goto_first_child(cursor); more;
       more = ts_tree_cursor_goto_next_sibling(cursor)) {
    TSNode child = ts_tree_cursor_current_node(cursor);
    if (ts_node_is_named(child)) walk(at, child);
  }
}

/* ---- names ---- */

static void add_alias(lowering *lo, py_alias alias) {
  sa_push(lo->arena, &lo->aliases, alias);
}

/* `import a.b as c` names a.b; `import a.b` names a. `module` is what stands before the names. */
static void add_import(lowering *lo, TSNode name, const char *module) {
  bool renamed = py_is_type(name, "aliased_import");
  const char *what = py_text_of(lo, renamed ? py_field_of(name, "name") : name);
  py_alias alias = {.name = renamed ? py_text_of(lo, py_field_of(name, "alias")) : what,
                    .dotted = what};
  if (module != NULL) {
    /* `from . import x`: where the package stands says nothing about the name. */
    const char *from = module + strspn(module, ".");
    if (*from != '\0') alias.dotted = sa_printf(lo->arena, "%s.%s", from, what);
    alias.module = module;
    alias.imported = what;
  } else {
    if (!renamed) alias.name = alias.dotted = sa_strndup(lo->arena, what, strcspn(what, "."));
    alias.module = alias.dotted;
  }
  add_alias(lo, alias);
}

static void walk_import(lowering *lo, TSNode node) {
  TSNode module = py_field_of(node, "module_name");
  const char *from = ts_node_is_null(module) ? NULL : py_text_of(lo, module);
  nodes parts = py_named_children(lo, node);
  for (uint32_t i = 0; i < parts.n; i++)
    if (ts_node_is_null(module) || !py_same_node(parts.at[i], module))
      add_import(lo, parts.at[i], from);
}

/* `cuda = torch.cuda` at module level names a dotted name; other assignments make a variable. */
static void walk_module_assignment(lowering *lo, TSNode node) {
  TSNode left = py_field_of(node, "left"), right = py_unwrapped(lo, py_field_of(node, "right"));
  if (!py_is_type(left, "identifier")) return;
  const char *name = py_text_of(lo, left), *text = py_text_of(lo, right);
  const char *head = py_find_alias(lo, sa_strndup(lo->arena, text, strcspn(text, ".")));
  if (py_is_type(right, "attribute") && head != NULL && strpbrk(text, "()[] \n") == NULL &&
      !py_is_global(lo, name))
    add_alias(lo,
              (py_alias){.name = name,
                         .dotted = sa_printf(lo->arena, "%s%s", head, text + strcspn(text, "."))});
  else if (!py_is_global(lo, name))
    sa_push(lo->arena, &lo->globals, name);
}

/* ---- classes ---- */

static const char *qualify(const place *at, const char *name) {
  const lowering *lo = at->lo;
  if (at->klass != SA_NO_INDEX)
    return sa_printf(lo->arena, "%s.%s", lo->classes.at[at->klass].qualified, name);
  if (at->func != 0) return sa_printf(lo->arena, "%s.%s", lo->funcs.at[at->func].qualified, name);
  return name;
}

static bool is_autograd(const lowering *lo, const char *base) {
  static const char *const names[] = {"autograd.Function", "autograd.function.Function"};
  bool function = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = strlen(base), length = strlen(names[i]);
    function |= n >= length && strcmp(base + n - length, names[i]) == 0;
  }
  const py_class *own = py_find_class(lo, base);
  return function || (own != NULL && own->autograd);
}

static void walk_class(place at, TSNode node) {
  lowering *lo = at.lo;
  py_class c = {.node = node, .name = py_text_of(lo, py_field_of(node, "name"))};
  bool own = at.func != 0 || at.klass != SA_NO_INDEX || lo->imported == 0;
  c.qualified = own ? qualify(&at, c.name) : py_name_below_module(lo, c.name);
  size_t length = strlen(c.qualified);
  uint32_t same = 1;
  for (uint32_t i = 0; i < lo->classes.n; i++) /* defined again: another class */
    same += strcmp(lo->classes.at[i].name, c.name) == 0 &&
            strncmp(lo->classes.at[i].qualified, c.qualified, length) == 0;
  if (same > 1) c.qualified = sa_printf(lo->arena, "%s#%u", c.qualified, same);
  nodes bases = py_named_children(lo, py_field_of(node, "superclasses"));
  for (uint32_t i = 0; i < bases.n; i++) {
    if (py_is_type(bases.at[i], "keyword_argument")) continue;
    const char *text = py_text_of(lo, bases.at[i]);
    text = sa_strndup(lo->arena, text, strcspn(text, "[("));
    sa_push(lo->arena, &c.spelled, text);
    size_t head = strcspn(text, ".");
    const char *alias = py_find_alias(lo, sa_strndup(lo->arena, text, head));
    if (alias != NULL) text = sa_printf(lo->arena, "%s%s", alias, text + head);
    c.autograd |= is_autograd(lo, text);
    sa_push(lo->arena, &c.bases, text);
  }
  sa_push(lo->arena, &lo->classes, c);
  at.klass = lo->classes.n - 1;
  walk_children(at, py_field_of(node, "body"));
}

/* ---- functions ---- */

static void add_param(lowering *lo, py_func *f, TSNode node) {
  py_param p = {.type = py_field_of(node, "type"), .fallback = py_field_of(node, "value")};
  TSNode name = py_field_of(node, "name");
  if (py_is_type(node, "identifier")) name = node;
  if (ts_node_is_null(name)) { /* *args, **kw, with or without a hint */
    nodes inner = py_named_children(lo, node);
    name = inner.n > 0 ? inner.at[0] : node;
    TSNode pattern = py_is_type(node, "typed_parameter") ? name : node;
    p.star = py_is_type(pattern, "list_splat_pattern");
    p.double_star = py_is_type(pattern, "dictionary_splat_pattern");
    nodes of = py_named_children(lo, pattern);
    if ((p.star || p.double_star) && of.n > 0) name = of.at[0];
  }
  if (py_is_type(node, "positional_separator") || py_is_type(node, "keyword_separator")) return;
  p.name = py_text_of(lo, name);
  sa_push(lo->arena, &f->params, p);
}

/* `@implements(aten.record_stream.default)` */
static bool names_record(const lowering *lo, const char *text) {
  for (uint32_t i = 0; i < lo->rules->spellings.n; i++)
    if (strstr(text, lo->rules->spellings.at[i]) != NULL) return true;
  return false;
}

static void read_decorators(lowering *lo, py_func *f, nodes parts) {
  for (uint32_t i = 0; i < parts.n; i++) {
    if (!py_is_type(parts.at[i], "decorator")) continue;
    const char *text = py_text_of(lo, parts.at[i]);
    f->fixed |= strcmp(text, "@staticmethod") == 0;
    f->property |= strcmp(text, "@property") == 0 || strstr(text, "cached_property") != NULL;
    f->context |= strstr(text, "contextmanager") != NULL;
    f->overloaded |= strstr(text, "overload") != NULL;
    f->dispatch |= names_record(lo, text);
  }
}

static void walk_function(place at, TSNode node, nodes decorators) {
  lowering *lo = at.lo;
  bool is_lambda = py_is_type(node, "lambda");
  py_func f = {.node = node, .klass = at.klass, .parent = SA_NO_INDEX};
  f.name = is_lambda ? sa_printf(lo->arena, "lambda#%u", lo->funcs.n)
                     : py_text_of(lo, py_field_of(node, "name"));
  f.qualified = qualify(&at, f.name);
  read_decorators(lo, &f, decorators);
  if (is_lambda || (at.klass == SA_NO_INDEX && at.func != 0)) f.parent = at.func;
  if (is_lambda) f.klass = SA_NO_INDEX;
  nodes params = py_named_children(lo, py_field_of(node, "parameters"));
  for (uint32_t i = 0; i < params.n; i++) add_param(lo, &f, params.at[i]);
  f.dispatch |=
      strcmp(f.name, "__torch_dispatch__") == 0 || strcmp(f.name, "__torch_function__") == 0;
  f.method = f.klass != SA_NO_INDEX && !f.fixed && f.params.n > 0 && !f.params.at[0].star;
  sa_push(lo->arena, &lo->funcs, f);
  place inside = at, around = at;
  inside.func = lo->funcs.n - 1;
  inside.klass = around.klass = SA_NO_INDEX;
  walk_children(around, py_field_of(node, "parameters"));
  walk_children(inside, node);
}

static void walk(place at, TSNode node) {
  lowering *lo = at.lo;
  const char *type = ts_node_type(node);
  if (strcmp(type, "comment") == 0) {
    sa_push(lo->arena, &lo->comments, node);
  } else if (strcmp(type, "import_statement") == 0 || strcmp(type, "import_from_statement") == 0) {
    walk_import(lo, node);
  } else if (strcmp(type, "class_definition") == 0) {
    walk_class(at, node);
  } else if (strcmp(type, "function_definition") == 0 || strcmp(type, "lambda") == 0) {
    if (py_func_at(lo, node) == SA_NO_INDEX) walk_function(at, node, (nodes){0});
  } else if (strcmp(type, "decorated_definition") == 0) {
    TSNode definition = py_field_of(node, "definition");
    nodes parts = py_named_children(lo, node);
    for (uint32_t i = 0; i < parts.n; i++)
      if (py_is_type(parts.at[i], "decorator")) walk_children(at, parts.at[i]);
    if (py_is_type(definition, "function_definition"))
      walk_function(at, definition, parts);
    else
      walk(at, definition);
  } else {
    if (strcmp(type, "block") == 0) sa_push(lo->arena, &lo->blocks, node);
    if (strcmp(type, "assignment") == 0 && at.func == 0 && at.klass == SA_NO_INDEX)
      walk_module_assignment(lo, node);
    walk_children(at, node);
  }
}

void py_collect_declarations(lowering *lo) {
  sa_push(lo->arena, &lo->funcs,
          ((py_func){.node = lo->root,
                     .name = "<module>",
                     .qualified = "<module>",
                     .klass = SA_NO_INDEX,
                     .parent = SA_NO_INDEX}));
  TSTreeCursor cursors[MAX_NESTING] = {0};
  walk_children((place){.lo = lo, .cursors = cursors, .klass = SA_NO_INDEX}, lo->root);
  for (int i = 0; i < MAX_NESTING && cursors[i].tree != NULL; i++)
    ts_tree_cursor_delete(&cursors[i]);
  lo->answers = sa_alloc(lo->arena, sizeof *lo->answers);
}

static TSNode node_of_func(const lowering *lo, uint32_t index) {
  return lo->funcs.at[index].node;
}

static TSNode node_of_class(const lowering *lo, uint32_t index) {
  return lo->classes.at[index].node;
}

/* Functions and classes lie in the order of their places: the first from `low` on that does not
 * begin before byte `at`. */
static uint32_t first_from(const lowering *lo, TSNode (*node_of)(const lowering *, uint32_t),
                           uint32_t low, uint32_t high, uint32_t at) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (ts_node_start_byte(node_of(lo, middle)) < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t py_func_at(const lowering *lo, TSNode node) {
  uint32_t at = ts_node_start_byte(node);
  uint32_t low = first_from(lo, node_of_func, 1, lo->funcs.n, at);
  for (; low < lo->funcs.n && ts_node_start_byte(lo->funcs.at[low].node) == at; low++)
    if (py_same_node(lo->funcs.at[low].node, node)) return low;
  return SA_NO_INDEX;
}

uint32_t py_class_at(const lowering *lo, TSNode node) {
  uint32_t low = first_from(lo, node_of_class, 0, lo->classes.n, ts_node_start_byte(node));
  bool found = low < lo->classes.n && py_same_node(lo->classes.at[low].node, node);
  return found ? low : SA_NO_INDEX;
}

/* ---- the unit's tables ---- */

static const char *const HOOKS[] = {"forward", "backward", "setup_context", "vjp", "jvp"};

/* pytest's and unittest's ways to name a test and what is around it. */
static bool is_test(const lowering *lo, const py_func *f) {
  const char *slash = strrchr(lo->job->path, '/');
  const char *file = slash != NULL ? slash + 1 : lo->job->path;
  size_t n = strlen(file);
  bool named = strncmp(file, "test_", 5) == 0 || strcmp(file, "conftest.py") == 0 ||
               (n > 8 && strcmp(file + n - 8, "_test.py") == 0);
  return named || strncmp(f->name, "test_", 5) == 0;
}

static bool bears_record_name(const lowering *lo, const char *name) {
  for (uint32_t i = 0; i < lo->rules->spellings.n; i++)
    if (strcmp(lo->rules->spellings.at[i], name) == 0) return true;
  return false;
}

static uint32_t flags_of(const lowering *lo, const py_func *f) {
  uint32_t flags = is_test(lo, f) ? SA_FUNC_TEST : 0;
  const char *name = f->name;
  size_t n = strlen(name);
  bool dunder = n > 4 && strncmp(name, "__", 2) == 0 && strcmp(name + n - 2, "__") == 0;
  if (f->method) flags |= SA_FUNC_METHOD;
  if (strcmp(name, "__init__") == 0 && f->method) flags |= SA_FUNC_CTOR;
  if (name[0] == '_' && !dunder) flags |= SA_FUNC_INTERNAL;
  if (f->parent != SA_NO_INDEX) flags |= SA_FUNC_LAMBDA;
  /* A closure in a record method is part of it. */
  for (const py_func *at = f; !(flags & SA_FUNC_IS_RECORD); at = &lo->funcs.at[at->parent]) {
    if (at->dispatch || bears_record_name(lo, at->name)) flags |= SA_FUNC_IS_RECORD;
    if (at->parent == SA_NO_INDEX) break;
  }
  if (f->klass == SA_NO_INDEX) return flags;
  const py_class *c = &lo->classes.at[f->klass];
  for (uint32_t i = 0; i < c->bases.n; i++)
    if (py_find_method(lo, c->bases.at[i], name) != SA_NO_INDEX && !(flags & SA_FUNC_CTOR))
      flags |= SA_FUNC_OVERRIDE;
  for (size_t i = 0; c->autograd && i < sizeof HOOKS / sizeof *HOOKS; i++)
    if (strcmp(name, HOOKS[i]) == 0) flags |= SA_FUNC_OVERRIDE | SA_FUNC_NODE;
  for (uint32_t i = 0; i < lo->rules->optional_wait.n; i++)
    if (strcmp(lo->rules->optional_wait.at[i], name) == 0) flags |= SA_FUNC_OPTIONAL_WAIT;
  return flags;
}

void py_declare_units(lowering *lo) {
  for (uint32_t i = 0; i < lo->classes.n; i++) {
    sa_ir_class c = {.name = lo->classes.at[i].qualified,
                     .at = py_range_of(lo->classes.at[i].node)};
    for (uint32_t k = 0; k < lo->classes.at[i].bases.n; k++) {
      const py_class *base = py_find_class(lo, lo->classes.at[i].bases.at[k]);
      bool self = base == &lo->classes.at[i];
      if (!self)
        sa_push(lo->arena, &c.bases,
                base != NULL ? base->qualified : lo->classes.at[i].bases.at[k]);
    }
    sa_push(lo->arena, &lo->unit->classes, c);
  }
  for (uint32_t i = 0; i < lo->funcs.n; i++) {
    sa_push(lo->arena, &lo->unit->funcs, (sa_ir_func){0});
    py_declare_func(lo, i);
  }
}

void py_declare_func(lowering *lo, uint32_t index) {
  const py_func *f = &lo->funcs.at[index];
  sa_ir_func func = {.name = f->qualified,
                     .parent = f->parent,
                     .at = py_range_of(f->node),
                     .returns = lo->unit->funcs.at[index].returns};
  if (f->klass != SA_NO_INDEX) func.class_name = lo->classes.at[f->klass].qualified;
  func.flags = index == 0 ? SA_FUNC_INTERNAL : flags_of(lo, f);
  sa_push(lo->arena, &func.regs, (sa_ir_reg){.name = ""});
  lo->unit->funcs.at[index] = func;
}

void py_declare_field(lowering *lo, uint32_t klass, const char *name, sa_ir_type type) {
  sa_ir_class *c = &lo->unit->classes.at[klass];
  uint32_t i = 0;
  while (i < c->fields.n && strcmp(c->fields.at[i].name, name) != 0) i++;
  if (i == c->fields.n) sa_push(lo->arena, &c->fields, ((sa_ir_field){.name = name}));
  c->fields.at[i].type = type;
}
