/* Address -> block, for every block in any state. Open addressing with linear probing; erasing
 * shifts back, so there are no tombstones and only growth needs memory. */
#ifndef SAR_SRC_TABLE_H
#define SAR_SRC_TABLE_H

#include <sar/backend.h>

typedef struct sar_block sar_block;

typedef struct {
  sar_addr addr;
  sar_block *block; /* NULL: empty */
} sar_slot;

typedef struct {
  sar_slot *slots; /* NULL before the first block */
  size_t mask, count, limit;
  unsigned shift;
} sar_table;

void sar_table_drop(sar_table *);
bool sar_table_grow(sar_table *, size_t more);
void sar_table_erase(sar_table *, sar_addr);

static inline bool sar_table_reserve(sar_table *t, size_t more) {
  return t->count + more <= t->limit || sar_table_grow(t, more);
}

static inline size_t sar_table_home(const sar_table *t, sar_addr addr) {
  return (size_t)(((addr >> 9) * 0x9E3779B97F4A7C15u) >> t->shift);
}

/* The slot of addr, or the empty one where its probe ends. */
static inline size_t sar_table_find(const sar_table *t, sar_addr addr) {
  size_t i = sar_table_home(t, addr);
  while (t->slots[i].block && t->slots[i].addr != addr) i = (i + 1) & t->mask;
  return i;
}

static inline sar_block *sar_table_get(const sar_table *t, sar_addr addr) {
  return t->slots ? t->slots[sar_table_find(t, addr)].block : NULL;
}

/* addr is new, and room was reserved. */
static inline void sar_table_put(sar_table *t, sar_addr addr, sar_block *block) {
  t->slots[sar_table_find(t, addr)] = (sar_slot){addr, block};
  t->count++;
}

#endif
