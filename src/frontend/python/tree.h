/* Reading nodes of tree-sitter's tree. Every round asks for the same parts, so they are kept. */
#ifndef SA_FRONTEND_PYTHON_TREE_H
#define SA_FRONTEND_PYTHON_TREE_H

#include "model/ir.h"

#include <tree_sitter/api.h>

typedef struct lowering lowering;

typedef struct {
  TSNode *at;
  uint32_t n;
} nodes;

/* The named children of a node. */
typedef struct {
  const void *id; /* of the node; NULL: free */
  nodes parts;
} py_parts;

typedef struct {
  TSTreeCursor cursor; /* its tree is NULL before the first use */
  py_parts *parts;     /* hash table */
  uint32_t slots, count;
} py_reading;

bool py_is_type(TSNode node, const char *type);
bool py_same_node(TSNode a, TSNode b);
TSNode py_field_of(TSNode node, const char *name);
nodes py_named_children(lowering *lo, TSNode node); /* comments left out */
const char *py_text_of(lowering *lo, TSNode node);
sa_range py_range_of(TSNode node);
TSNode py_unwrapped(lowering *lo, TSNode node); /* parentheses looked through */
void py_close_reading(py_reading *reading);

#endif
