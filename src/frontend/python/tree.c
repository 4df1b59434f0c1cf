#include "frontend/python/internal.h"

#include <string.h>

bool py_is_type(TSNode node, const char *type) {
  if (ts_node_is_null(node)) return false;
  const char *own = ts_node_type(node);
  return *own == *type && strcmp(own, type) == 0;
}

bool py_same_node(TSNode a, TSNode b) {
  return ts_node_eq(a, b);
}

/* Numbers of fields by the address of their names, which are literals. */
static TSFieldId field_id(const char *name) {
  enum { SLOTS = 256 };
  static _Thread_local struct {
    const char *name;
    TSFieldId id;
  } known[SLOTS];
  uint32_t slot = (uint32_t)((uintptr_t)name * 0x9e3779b97f4a7c15u >> 32) % SLOTS;
  if (known[slot].name != name) {
    known[slot].name = name;
    known[slot].id =
        ts_language_field_id_for_name(tree_sitter_python(), name, (uint32_t)strlen(name));
  }
  return known[slot].id;
}

TSNode py_field_of(TSNode node, const char *name) {
  return ts_node_is_null(node) ? node : ts_node_child_by_field_id(node, field_id(name));
}

static nodes read_parts(py_reading *r, sa_arena *arena, TSNode node, uint32_t n) {
  nodes found = {.at = sa_alloc(arena, n * sizeof *found.at)};
  if (r->cursor.tree == NULL)
    r->cursor = ts_tree_cursor_new(node);
  else
    ts_tree_cursor_reset(&r->cursor, node);
  for (bool more = ts_tree_cursor_goto_first_child(&r->cursor); more && found.n < n;
       more = ts_tree_cursor_goto_next_sibling(&r->cursor)) {
    TSNode child = ts_tree_cursor_current_node(&r->cursor);
    bool wanted = ts_node_is_named(child) && !py_is_type(child, "comment") &&
                  !py_is_type(child, "line_continuation");
    if (wanted) found.at[found.n++] = child;
  }
  return found;
}

nodes py_named_children(lowering *lo, TSNode node) {
  py_reading *r = &lo->reading;
  uint32_t n = ts_node_is_null(node) ? 0 : ts_node_named_child_count(node);
  if (n == 0) return (nodes){0};
  bool is_new;
  uint32_t *place = sa_table_at(lo->arena, &r->index, (uintptr_t)node.id, &is_new);
  if (is_new) {
    *place = r->parts.n;
    sa_push(lo->arena, &r->parts, read_parts(r, lo->arena, node, n));
  }
  return r->parts.at[*place];
}

uint8_t *py_row_for(lowering *lo, TSNode node, py_rows table) {
  uint8_t **rows = &lo->reading.rows[table];
  uint32_t n = ts_language_symbol_count(tree_sitter_python()), symbol = ts_node_symbol(node);
  if (*rows == NULL) *rows = sa_alloc(lo->arena, n + 1);
  return &(*rows)[symbol < n ? symbol : n]; /* ERROR comes after all others */
}

void py_close_reading(py_reading *reading) {
  if (reading->cursor.tree != NULL) ts_tree_cursor_delete(&reading->cursor);
  reading->cursor.tree = NULL;
}

const char *py_text_of(lowering *lo, TSNode node) {
  if (ts_node_is_null(node)) return "";
  uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
  if (end > lo->job->length || begin > end) return "";
  return sa_strndup(lo->arena, lo->job->text + begin, end - begin);
}

sa_range py_range_of(TSNode node) {
  TSPoint start = ts_node_start_point(node), end = ts_node_end_point(node);
  return (sa_range){.line = start.row + 1,
                    .column = start.column + 1,
                    .end_line = end.row + 1,
                    .end_column = end.column + 1,
                    .offset = ts_node_start_byte(node),
                    .end_offset = ts_node_end_byte(node)};
}

TSNode py_unwrapped(lowering *lo, TSNode node) {
  for (int depth = 0; depth < MAX_NESTING && py_is_type(node, "parenthesized_expression");
       depth++) {
    nodes inner = py_named_children(lo, node);
    if (inner.n != 1) return node;
    node = inner.at[0];
  }
  return node;
}
