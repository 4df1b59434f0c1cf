/* Equal pieces of host memory with a free list: taking and returning one is a few instructions,
 * and a reserve makes the next takes safe from failure. */
#ifndef SAR_SRC_SLAB_H
#define SAR_SRC_SLAB_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  size_t piece;
  size_t spare; /* pieces on the free list */
  void *free;
  void *chunks;
} sar_slab;

void sar_slab_init(sar_slab *, size_t piece);
void sar_slab_drop(sar_slab *);
bool sar_slab_reserve(sar_slab *, size_t pieces);
void *sar_slab_take(sar_slab *); /* zeroed; NULL where the host has no memory */
void sar_slab_give(sar_slab *, void *piece);

#endif
