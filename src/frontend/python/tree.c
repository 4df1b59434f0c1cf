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

static uint32_t slot_of(const py_parts *table, uint32_t slots, const void *id) {
  uint32_t slot = (uint32_t)((uintptr_t)id * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
  while (table[slot].id != NULL && table[slot].id != id) slot = (slot + 1) & (slots - 1);
  return slot;
}

static void grow_parts(py_reading *r, sa_arena *arena) {
  uint32_t slots = r->slots == 0 ? 1024 : r->slots * 2;
  py_parts *table = sa_alloc(arena, slots * sizeof *table);
  for (uint32_t i = 0; i < r->slots; i++)
    if (r->parts[i].id != NULL) table[slot_of(table, slots, r->parts[i].id)] = r->parts[i];
  r->parts = table;
  r->slots = slots;
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
  if (r->count * 2 >= r->slots) grow_parts(r, lo->arena);
  py_parts *known = &r->parts[slot_of(r->parts, r->slots, node.id)];
  if (known->id == NULL) {
    *known = (py_parts){node.id, read_parts(r, lo->arena, node, n)};
    r->count++;
  }
  return known->parts;
}

void py_close_reading(py_reading *reading) {
  if (reading->cursor.tree != NULL) ts_tree_cursor_delete(&reading->cursor);
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
