#include "table.h"

#include <stdlib.h>

static size_t home(const sar_table *t, sar_addr addr) {
  return (size_t)(((addr >> 9) * 0x9E3779B97F4A7C15u) >> t->shift);
}

void sar_table_drop(sar_table *t) {
  free(t->slots);
  *t = (sar_table){0};
}

bool sar_table_reserve(sar_table *t, size_t more) {
  size_t size = t->slots ? t->mask + 1 : 0;
  if (t->slots && (t->count + more) * 2 <= size) return true;
  size_t want = size ? size * 2 : 256;
  while ((t->count + more) * 2 > want) want *= 2;
  sar_table bigger = {.slots = calloc(want, sizeof(sar_slot)), .mask = want - 1, .shift = 64};
  if (!bigger.slots) return false;
  for (size_t n = want; n > 1; n /= 2) bigger.shift--;
  for (size_t i = 0; i < size; i++)
    if (t->slots[i].block) sar_table_put(&bigger, t->slots[i].addr, t->slots[i].block);
  free(t->slots);
  *t = bigger;
  return true;
}

void sar_table_put(sar_table *t, sar_addr addr, sar_block *block) {
  size_t i = home(t, addr);
  while (t->slots[i].block) i = (i + 1) & t->mask;
  t->slots[i] = (sar_slot){addr, block};
  t->count++;
}

static size_t find(const sar_table *t, sar_addr addr) {
  size_t i = home(t, addr);
  while (t->slots[i].block && t->slots[i].addr != addr) i = (i + 1) & t->mask;
  return i;
}

sar_block *sar_table_get(const sar_table *t, sar_addr addr) {
  return t->slots ? t->slots[find(t, addr)].block : NULL;
}

void sar_table_erase(sar_table *t, sar_addr addr) {
  size_t hole = find(t, addr);
  if (!t->slots[hole].block) return;
  t->count--;
  for (size_t i = (hole + 1) & t->mask; t->slots[i].block; i = (i + 1) & t->mask) {
    size_t h = home(t, t->slots[i].addr);
    if (((i - h) & t->mask) >= ((i - hole) & t->mask)) { /* its probe passes the hole */
      t->slots[hole] = t->slots[i];
      hole = i;
    }
  }
  t->slots[hole].block = NULL;
}
