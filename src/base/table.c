#include "base/table.h"

enum { FIRST_SLOTS = 16 };

/* Where the key is or would be. Addresses differ in few bits, so all of them are spread. */
static uint32_t slot_of(const sa_table *t, uint64_t key) {
  uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (t->slots - 1);
  while (t->rows[slot].key != 0 && t->rows[slot].key != key) slot = (slot + 1) & (t->slots - 1);
  return slot;
}

static void grow(sa_arena *arena, sa_table *t) {
  sa_table old = *t;
  t->slots = old.slots == 0 ? FIRST_SLOTS : old.slots * 2;
  t->rows = sa_alloc(arena, t->slots * sizeof *t->rows);
  for (uint32_t i = 0; i < old.slots; i++)
    if (old.rows[i].key != 0) t->rows[slot_of(t, old.rows[i].key)] = old.rows[i];
}

uint32_t *sa_table_at(sa_arena *arena, sa_table *table, uint64_t key, bool *is_new) {
  if (table->n * 2 >= table->slots) grow(arena, table);
  sa_table_row *row = &table->rows[slot_of(table, key)];
  *is_new = row->key == 0;
  if (*is_new) {
    row->key = key;
    table->n++;
  }
  return &row->value;
}

uint32_t sa_table_get(const sa_table *table, uint64_t key) {
  return table->slots == 0 ? 0 : table->rows[slot_of(table, key)].value;
}
