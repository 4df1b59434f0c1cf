/* Free blocks in order of size, then address.
 *
 * One treap node per distinct size, and under it a pairing heap of the blocks of that size by
 * address. A pair of malloc and free on a warm size touches a few nodes whatever the number of
 * free blocks; finding the best fit is logarithmic in the number of distinct sizes. All links are
 * in the blocks, so no call needs memory. */
#ifndef SAR_SRC_INDEX_H
#define SAR_SRC_INDEX_H

#include <sar/backend.h>

typedef struct sar_block sar_block;

typedef struct sar_free_node {
  sar_addr addr;
  size_t size;
  uint64_t priority;                            /* of a heap root: where it is in the treap */
  struct sar_free_node *parent, *left, *right;  /* of the treap; heap roots only */
  struct sar_free_node *child, *before, *after; /* of the heap; before: sibling or parent */
  bool root;
} sar_free_node;

typedef struct {
  sar_free_node *top;
  size_t count;
} sar_index;

void sar_index_insert(sar_index *, sar_free_node *);
void sar_index_remove(sar_index *, sar_free_node *);
/* old goes, and now, which may be old, comes with this size instead: cheap where no other size lies
 * between the two. */
void sar_index_hand_over(sar_index *, sar_free_node *old, sar_free_node *now, size_t size);
/* Smallest block of at least size bytes, lowest address among equals. */
sar_free_node *sar_index_first_fit(const sar_index *, size_t size);
/* Visits every node, by size and the first of each size first; stops where fn returns false. */
bool sar_index_each(const sar_index *, bool (*fn)(void *, sar_free_node *), void *arg);

#endif
