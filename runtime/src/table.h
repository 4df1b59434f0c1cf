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
  sar_slot *slots;
  size_t mask, count;
  unsigned shift;
} sar_table;

void sar_table_drop(sar_table *);
bool sar_table_reserve(sar_table *, size_t more);
void sar_table_put(sar_table *, sar_addr, sar_block *); /* room was reserved */
void sar_table_erase(sar_table *, sar_addr);
sar_block *sar_table_get(const sar_table *, sar_addr);

#endif
