/* A hash table from keys, which are hashes or addresses, to numbers. */
#ifndef SA_BASE_TABLE_H
#define SA_BASE_TABLE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t key; /* 0: free */
  uint32_t value;
} sa_table_row;

/* All zero is an empty table; its rows lie in the arena. */
typedef struct {
  sa_table_row *rows;
  uint32_t slots, n;
} sa_table;

/* The value under a key (other than 0), to read or to set. A key that was not there is added with
 * the value 0, and *is_new says so. The address is good until the next call. */
uint32_t *sa_table_at(sa_arena *arena, sa_table *table, uint64_t key, bool *is_new);

/* The value under a key; 0 when it is not there. */
uint32_t sa_table_get(const sa_table *table, uint64_t key);

#endif
