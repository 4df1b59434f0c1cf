/* Reading nodes of tree-sitter's tree. */
#include "frontend/python/internal.h"

#include <string.h>

bool py_is_type(TSNode node, const char *type) {
  return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0;
}

bool py_same_node(TSNode a, TSNode b) {
  return ts_node_eq(a, b);
}

TSNode py_field_of(TSNode node, const char *name) {
  if (ts_node_is_null(node)) return node;
  return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

nodes py_named_children(lowering *lo, TSNode node) {
  nodes found = {0};
  uint32_t n = ts_node_is_null(node) ? 0 : ts_node_named_child_count(node);
  if (n == 0) return found;
  found.at = sa_alloc(lo->arena, n * sizeof *found.at);
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more && found.n < n;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    TSNode child = ts_tree_cursor_current_node(&cursor);
    bool wanted = ts_node_is_named(child) && !py_is_type(child, "comment") &&
                  !py_is_type(child, "line_continuation");
    if (wanted) found.at[found.n++] = child;
  }
  ts_tree_cursor_delete(&cursor);
  return found;
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
