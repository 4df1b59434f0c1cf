/* A set of graph nodes: open addressing, grows only. */
#ifndef SAR_SRC_NODE_SET_H
#define SAR_SRC_NODE_SET_H

#include <sar/backend.h>

typedef struct {
  sar_node *slots; /* 0: empty */
  size_t mask, count;
} sar_node_set;

void sar_node_set_drop(sar_node_set *);
bool sar_node_set_has(const sar_node_set *, sar_node);
/* false: no host memory. *added tells whether node is new. */
bool sar_node_set_add(sar_node_set *, sar_node, bool *added);

#endif
