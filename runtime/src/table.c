#include "table.h"

#include <stdlib.h>

void sar_table_drop(sar_table *t) {
  free(t->slots);
  *t = (sar_table){0};
}

bool sar_table_grow(sar_table *t, size_t more) {
  size_t size = t->slots ? t->mask + 1 : 0, want = size ? size * 2 : 256;
  while ((t->count + more) * 2 > want) want *= 2;
  sar_table bigger = {.mask = want - 1, .limit = want / 2, .shift = 64};
  bigger.slots = calloc(want, sizeof *bigger.slots);
  if (!bigger.slots) return false;
  for (size_t n = want; n > 1; n /= 2) bigger.shift--;
  for (size_t i = 0; i < size; i++)
    if (t->slots[i].block) sar_table_put(&bigger, t->slots[i].addr, t->slots[i].block);
  free(t->slots);
  *t = bigger;
  return true;
}

void sar_table_erase(sar_table *t, sar_addr addr) {
  size_t hole = sar_table_find(t, addr);
  if (!t->slots[hole].block) return;
  t->count--;
  for (size_t i = (hole + 1) & t->mask; t->slots[i].block; i = (i + 1) & t->mask) {
    size_t h = sar_table_home(t, t->slots[i].addr);
    if (((i - h) & t->mask) >= ((i - hole) & t->mask)) { /* its probe passes the hole */
      t->slots[hole] = t->slots[i];
      hole = i;
    }
  }
  t->slots[hole].block = NULL;
}
