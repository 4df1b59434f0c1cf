/* Reading nodes of tree-sitter's tree. Every round asks for the same parts, so they are kept. */
#ifndef SA_FRONTEND_PYTHON_TREE_H
#define SA_FRONTEND_PYTHON_TREE_H

#include "base/table.h"
#include "model/ir.h"

#include "syntax/python.h"

typedef struct lowering lowering;

typedef struct {
  TSNode *at;
  uint32_t n;
} nodes;

typedef enum { PY_STATEMENTS, PY_EXPRESSIONS, PY_TABLES } py_rows;

typedef struct {
  TSTreeCursor cursor; /* its tree is NULL before the first use */
  sa_table index;      /* a node's id to its place in parts */
  SA_ARRAY(nodes) parts;
  uint8_t *rows[PY_TABLES]; /* by type of node */
} py_reading;

bool py_is_type(TSNode node, const char *type);
bool py_same_node(TSNode a, TSNode b);
TSNode py_field_of(TSNode node, const char *name);
nodes py_named_children(lowering *lo, TSNode node); /* comments left out */
const char *py_text_of(lowering *lo, TSNode node);
sa_range py_range_of(TSNode node);
TSNode py_unwrapped(lowering *lo, TSNode node); /* parentheses looked through */
/* Where the row of a table for the node's type is kept: 0 at first, whoever looks moves it on. */
uint8_t *py_row_for(lowering *lo, TSNode node, py_rows table);
void py_close_reading(py_reading *reading);

#endif
