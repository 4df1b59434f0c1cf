/* The statements of a Python text, from tree-sitter's tree. */
#include "rewrite/shape.h"

#include <string.h>

#ifdef SA_PYTHON
#include "syntax/python.h"

enum { MAX_DEPTH = 150 };

typedef struct {
  sa_arena *arena;
  sa_shape *shape;
  int depth;
} reader;

static bool is(TSNode node, const char *type) {
  return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0;
}

static TSNode field(TSNode node, const char *name) {
  return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

typedef SA_ARRAY(TSNode) nodes;

/* The named children but comments. */
static nodes children(reader *r, TSNode node) {
  nodes found = {0};
  if (ts_node_is_null(node)) return found;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    TSNode child = ts_tree_cursor_current_node(&cursor);
    if (ts_node_is_named(child) && !is(child, "comment") && !is(child, "line_continuation"))
      sa_push(r->arena, &found, child);
  }
  ts_tree_cursor_delete(&cursor);
  return found;
}

static uint32_t add(reader *r, sa_stmt stmt, TSNode node) {
  stmt.begin = ts_node_start_byte(node);
  stmt.end = ts_node_end_byte(node);
  sa_push(r->arena, &r->shape->stmts, stmt);
  return r->shape->stmts.n - 1;
}

static void read_statement(reader *r, TSNode node, uint32_t parent);

static void read_statements(reader *r, TSNode node, uint32_t parent) {
  if (++r->depth > MAX_DEPTH) {
    r->shape->unsound = "its statements are nested too deeply";
  } else {
    nodes parts = children(r, node);
    for (uint32_t i = 0; i < parts.n; i++) read_statement(r, parts.at[i], parent);
  }
  r->depth--;
}

/* `clause` is null, or the node whose first word opens the suite. */
static void read_suite(reader *r, TSNode suite, uint32_t parent, sa_stmt_role role, TSNode clause) {
  if (ts_node_is_null(suite)) return;
  uint32_t block = add(r, (sa_stmt){.kind = SA_STMT_BLOCK, .role = role, .parent = parent}, suite);
  if (!ts_node_is_null(clause)) {
    r->shape->stmts.at[block].head_begin = ts_node_start_byte(clause);
    r->shape->stmts.at[block].head_end = r->shape->stmts.at[block].begin;
  }
  read_statements(r, suite, block);
}

static TSNode suite_in(reader *r, TSNode clause) {
  nodes parts = children(r, clause);
  for (uint32_t i = parts.n; i > 0; i--)
    if (is(parts.at[i - 1], "block")) return parts.at[i - 1];
  return (TSNode){0};
}

static void set_head(reader *r, uint32_t stmt, TSNode first, TSNode last) {
  if (ts_node_is_null(first) || ts_node_is_null(last)) return;
  r->shape->stmts.at[stmt].head_begin = ts_node_start_byte(first);
  r->shape->stmts.at[stmt].head_end = ts_node_end_byte(last);
}

/* An if or an elif; `rest` are the clauses that follow it, from number `next` on. */
static void read_if(reader *r, TSNode clause, const nodes *rest, uint32_t next, sa_stmt stmt) {
  if (++r->depth > MAX_DEPTH) r->shape->unsound = "its statements are nested too deeply";
  uint32_t index = add(r, stmt, clause);
  if (rest->n > 0) r->shape->stmts.at[index].end = ts_node_end_byte(rest->at[rest->n - 1]);
  set_head(r, index, field(clause, "condition"), field(clause, "condition"));
  read_suite(r, field(clause, "consequence"), index, SA_IN_BODY, (TSNode){0});
  for (uint32_t i = next; i < rest->n && r->shape->unsound == NULL; i++) {
    TSNode other = rest->at[i];
    sa_stmt branch = {.kind = SA_STMT_IF, .role = SA_IN_ELSE, .parent = index};
    if (is(other, "else_clause")) read_suite(r, field(other, "body"), index, SA_IN_ELSE, other);
    if (!is(other, "elif_clause")) continue;
    read_if(r, other, rest, i + 1, branch);
    break;
  }
  r->depth--;
}

static void read_loop(reader *r, TSNode node, uint32_t parent) {
  uint32_t stmt =
      add(r, (sa_stmt){.kind = SA_STMT_LOOP, .role = SA_IN_BLOCK, .parent = parent}, node);
  if (is(node, "for_statement"))
    set_head(r, stmt, field(node, "left"), field(node, "right"));
  else
    set_head(r, stmt, field(node, "condition"), field(node, "condition"));
  read_suite(r, field(node, "body"), stmt, SA_IN_BODY, (TSNode){0});
  TSNode other = field(node, "alternative");
  if (!ts_node_is_null(other)) read_suite(r, field(other, "body"), stmt, SA_IN_ELSE, other);
}

static void read_with(reader *r, TSNode node, uint32_t parent) {
  uint32_t stmt =
      add(r, (sa_stmt){.kind = SA_STMT_CONTEXT, .role = SA_IN_BLOCK, .parent = parent}, node);
  nodes parts = children(r, node);
  for (uint32_t i = 0; i < parts.n; i++)
    if (is(parts.at[i], "with_clause")) set_head(r, stmt, parts.at[i], parts.at[i]);
  read_suite(r, field(node, "body"), stmt, SA_IN_BODY, (TSNode){0});
}

/* try, match: the suite of the statement itself, then those of its clauses. */
static void read_clauses(reader *r, TSNode node, uint32_t parent) {
  bool match = is(node, "match_statement");
  sa_stmt_kind kind = match ? SA_STMT_SWITCH : SA_STMT_OTHER;
  uint32_t stmt = add(r, (sa_stmt){.kind = kind, .role = SA_IN_BLOCK, .parent = parent}, node);
  TSNode body = field(node, "body");
  if (!match) read_suite(r, body, stmt, SA_IN_BODY, (TSNode){0});
  nodes clauses = children(r, match ? body : node);
  for (uint32_t i = 0; i < clauses.n; i++) {
    TSNode suite = is(clauses.at[i], "block") ? (TSNode){0} : suite_in(r, clauses.at[i]);
    if (!ts_node_is_null(suite)) read_suite(r, suite, stmt, SA_IN_ELSE, clauses.at[i]);
  }
}

/* A function or class: the suite stands in it as a lambda's body does in C++. `around` has its
 * decorators. */
static void read_definition(reader *r, TSNode node, TSNode around, uint32_t parent) {
  uint32_t stmt =
      add(r, (sa_stmt){.kind = SA_STMT_PLAIN, .role = SA_IN_BLOCK, .parent = parent}, around);
  read_suite(r, field(node, "body"), stmt, SA_IN_NESTED, (TSNode){0});
}

static void read_statement(reader *r, TSNode node, uint32_t parent) {
  static const char *const jumps[] = {"return_statement", "raise_statement", "break_statement",
                                      "continue_statement"};
  if (r->shape->unsound != NULL) return;
  if (is(node, "if_statement")) {
    nodes clauses = children(r, node);
    read_if(r, node, &clauses, 0,
            (sa_stmt){.kind = SA_STMT_IF, .role = SA_IN_BLOCK, .parent = parent});
  } else if (is(node, "for_statement") || is(node, "while_statement")) {
    read_loop(r, node, parent);
  } else if (is(node, "with_statement")) {
    read_with(r, node, parent);
  } else if (is(node, "try_statement") || is(node, "match_statement")) {
    read_clauses(r, node, parent);
  } else if (is(node, "function_definition") || is(node, "class_definition")) {
    read_definition(r, node, node, parent);
  } else if (is(node, "decorated_definition")) {
    read_definition(r, field(node, "definition"), node, parent);
  } else {
    uint32_t stmt =
        add(r, (sa_stmt){.kind = SA_STMT_PLAIN, .role = SA_IN_BLOCK, .parent = parent}, node);
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
      r->shape->stmts.at[stmt].jumps |= is(node, jumps[i]);
  }
}

/* ---- words and imports ---- */

/* Whether an identifier can name a variable of the function around it. */
static bool is_bare(TSNode name, TSNode around) {
  if (is(around, "attribute")) return !ts_node_eq(name, field(around, "attribute"));
  return !is(around, "keyword_argument") || !ts_node_eq(name, field(around, "name"));
}

static bool has_own_variables(TSNode node) {
  static const char *const types[] = {"lambda", "list_comprehension", "set_comprehension",
                                      "dictionary_comprehension", "generator_expression"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (is(node, types[i])) return true;
  return false;
}

/* Every identifier in order, without recursion: expressions may be nested deeply. */
static void collect_words(reader *r, TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  SA_ARRAY(TSNode) around = {0};
  unsigned inner = 0;
  for (bool more = true; more;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (is(node, "identifier")) {
      bool bare = inner == 0 && (around.n == 0 || is_bare(node, around.at[around.n - 1]));
      sa_shape_add_word(r->arena, r->shape,
                        (sa_word){ts_node_start_byte(node), ts_node_end_byte(node), bare});
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      inner += has_own_variables(node);
      sa_push(r->arena, &around, node);
      continue;
    }
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor))) {
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
      inner -= has_own_variables(around.at[--around.n]);
    }
  }
  ts_tree_cursor_delete(&cursor);
}

static const char *text_of(reader *r, TSNode node) {
  uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
  return sa_strndup(r->arena, r->shape->text + begin, end - begin);
}

/* One name of an import statement; `from` is the module, or NULL. */
static void add_import(reader *r, TSNode node, const char *from) {
  bool aliased = is(node, "aliased_import");
  TSNode named = aliased ? field(node, "name") : node;
  const char *name = text_of(r, named),
             *dotted = from != NULL ? sa_printf(r->arena, "%s.%s", from, name) : name;
  sa_shape_import import = {aliased ? text_of(r, field(node, "alias")) : name, dotted};
  if (!aliased && from == NULL) /* `import a.b` binds a */
    import.name = import.dotted = sa_strndup(r->arena, name, strcspn(name, "."));
  sa_push(r->arena, &r->shape->imports, import);
}

static void collect_imports(reader *r, TSNode root) {
  nodes parts = children(r, root);
  for (uint32_t i = 0; i < parts.n; i++) {
    bool from = is(parts.at[i], "import_from_statement");
    if (!from && !is(parts.at[i], "import_statement")) continue;
    TSNode module = from ? field(parts.at[i], "module_name") : (TSNode){0};
    nodes names = children(r, parts.at[i]);
    for (uint32_t k = 0; k < names.n; k++) {
      bool name = is(names.at[k], "dotted_name") || is(names.at[k], "aliased_import");
      if (name && !(from && ts_node_eq(names.at[k], module)))
        add_import(r, names.at[k], from ? text_of(r, module) : NULL);
    }
  }
}

/* ---- the whole ---- */

/* The grammar takes a lone carriage return for white space, Python for a line's end. */
static bool has_lone_returns(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\r' && (i + 1 >= length || text[i + 1] != '\n')) return true;
  return false;
}

static const char *error_at(reader *r, TSNode root, uint32_t focus) {
  bool here = is(root, "ERROR");
  nodes parts = ts_node_has_error(root) ? children(r, root) : (nodes){0};
  for (uint32_t i = 0; i < parts.n; i++)
    here |= ts_node_start_byte(parts.at[i]) <= focus && ts_node_end_byte(parts.at[i]) >= focus &&
            (ts_node_has_error(parts.at[i]) || is(parts.at[i], "ERROR"));
  return here ? "there is a syntax error" : NULL;
}

sa_shape *sa_suites_read(sa_arena *arena, const char *text, size_t length, uint32_t focus) {
  sa_shape *shape = sa_alloc(arena, sizeof *shape);
  *shape = (sa_shape){.text = text, .length = length, .suites = true};
  reader r = {.arena = arena, .shape = shape};
  const char *why;
  TSTree *tree = sa_python_tree(text, length, &why);
  shape->unsound = tree == NULL ? "it cannot be parsed" : NULL;
  if (has_lone_returns(text, length)) shape->unsound = "its lines end with carriage returns";
  if (shape->unsound != NULL) goto done;
  TSNode root = ts_tree_root_node(tree);
  collect_words(&r, root);
  collect_imports(&r, root);
  shape->unsound = error_at(&r, root, focus);
  shape->whole = !ts_node_has_error(root);
  if (shape->unsound != NULL) goto done;
  sa_stmt module = {.kind = SA_STMT_BLOCK, .role = SA_IN_NESTED, .parent = SA_SHAPE_NONE};
  uint32_t whole = add(&r, module, root);
  shape->stmts.at[whole].begin = 0;
  shape->stmts.at[whole].end = (uint32_t)length;
  read_statements(&r, root, whole);

done:
  if (tree != NULL) ts_tree_delete(tree);
  return shape;
}

#else

sa_shape *sa_suites_read(sa_arena *arena, const char *text, size_t length, uint32_t focus) {
  (void)focus;
  sa_shape *shape = sa_alloc(arena, sizeof *shape);
  *shape = (sa_shape){.text = text,
                      .length = length,
                      .suites = true,
                      .whole = true,
                      .unsound = "this program was built without Python"};
  return shape;
}

#endif
