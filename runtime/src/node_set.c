#include "node_set.h"

#include <stdlib.h>

static size_t find(const sar_node_set *s, sar_node node) {
  size_t i = (size_t)((node * 0x9E3779B97F4A7C15u) >> 20) & s->mask;
  while (s->slots[i] && s->slots[i] != node) i = (i + 1) & s->mask;
  return i;
}

void sar_node_set_drop(sar_node_set *s) {
  free(s->slots);
  *s = (sar_node_set){0};
}

bool sar_node_set_has(const sar_node_set *s, sar_node node) {
  return s->slots && s->slots[find(s, node)] == node;
}

static bool grow(sar_node_set *s) {
  size_t size = s->slots ? s->mask + 1 : 0, want = size ? size * 2 : 64;
  sar_node_set bigger = {.slots = calloc(want, sizeof(sar_node)), .mask = want - 1};
  if (!bigger.slots) return false;
  for (size_t i = 0; i < size; i++)
    if (s->slots[i]) bigger.slots[find(&bigger, s->slots[i])] = s->slots[i];
  bigger.count = s->count;
  free(s->slots);
  *s = bigger;
  return true;
}

bool sar_node_set_add(sar_node_set *s, sar_node node, bool *added) {
  if ((!s->slots || (s->count + 1) * 2 > s->mask + 1) && !grow(s)) return false;
  size_t i = find(s, node);
  *added = s->slots[i] != node;
  s->count += *added;
  s->slots[i] = node;
  return true;
}
