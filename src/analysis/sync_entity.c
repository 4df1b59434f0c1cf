/* The streams and events of a function, and which of them may be one. */
#include "analysis/sync.h"

#include <string.h>

#define BIT(i) ((uint64_t)1 << (i))

static int find_entity(const sa_sync *sync, sa_val value) {
  for (uint32_t i = 0; value != 0 && i < sync->n; i++)
    if (sync->entity[i] == value) return (int)i;
  return -1;
}

int sa_sync_entity(sa_sync *sync, sa_val value, bool stream) {
  int at = find_entity(sync, value);
  if (value == 0 || sync->too_many) return -1;
  if (at < 0) {
    if (sync->n == SA_SYNC_ENTITIES) {
      sync->too_many = true;
      return -1;
    }
    at = (int)sync->n++;
    sync->entity[at] = value;
    const sa_value *v = sa_value_about(sync->world, value);
    if (v->kind == SA_VAL_DEFAULT_STREAM && strcmp(v->text, "legacy") == 0)
      sync->legacy |= BIT(at);
    else if (v->kind != SA_VAL_MADE && v->kind != SA_VAL_HOOK)
      sync->perhaps_legacy |= BIT(at);
    if (v->kind == SA_VAL_MADE && v->op == SA_OP_blocking_stream) sync->blocking |= BIT(at);
    for (uint32_t i = 0; i <= (uint32_t)at; i++) {
      if (sa_value_same(sync->world, value, sync->entity[i]) == SA_SAME_NO) continue;
      sync->alike[at] |= BIT(i);
      sync->alike[i] |= BIT(at);
    }
  }
  *(stream ? &sync->streams : &sync->events) |= BIT(at);
  return at;
}

/* Which operands of an action are streams ('s') and events ('e'). */
static const char *operands(sa_action_kind kind) {
  switch (kind) {
  case SA_ACT_ALLOC:
  case SA_ACT_USE:
  case SA_ACT_RECORD:
  case SA_ACT_ERASE:
  case SA_ACT_FREE:
  case SA_ACT_WAIT_HANDLE:
    return "-s";
  case SA_ACT_EVENT_RECORD:
    return "es";
  case SA_ACT_EVENT_WAIT:
    return "se";
  case SA_ACT_STREAM_WAIT:
  case SA_ACT_SWITCH:
    return "ss";
  case SA_ACT_SYNC_EVENT:
    return "e-";
  case SA_ACT_SYNC_STREAM:
    return "s-";
  default:
    return "--";
  }
}

static void set_apart(sa_sync *sync, int a, int b) {
  if (a < 0 || b < 0 || a == b) return;
  sync->alike[a] &= ~BIT(b);
  sync->alike[b] &= ~BIT(a);
}

/* Code that waits or switches from one stream to another means two streams. */
static void part_streams(sa_sync *sync) {
  const sa_action_array *list = &sync->actions->list;
  uint64_t marked[SA_SYNC_ENTITIES] = {0}; /* per event: streams it was recorded on */
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind == SA_ACT_STREAM_WAIT || action->kind == SA_ACT_SWITCH)
      set_apart(sync, sync->a[i], sync->b[i]);
    if (action->kind == SA_ACT_EVENT_RECORD && sync->a[i] >= 0 && sync->b[i] >= 0)
      marked[sync->a[i]] |= BIT(sync->b[i]);
  }
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].kind != SA_ACT_EVENT_WAIT || sync->b[i] < 0) continue;
    uint64_t from = marked[sync->b[i]];
    if (from != 0 && (from & (from - 1)) == 0) set_apart(sync, sync->a[i], __builtin_ctzll(from));
  }
}

sa_sync *sa_sync_prepare(sa_world *world, const sa_fn *fn, const sa_actions *actions) {
  sa_sync *sync = sa_alloc(world->arena, sizeof *sync);
  sync->world = world;
  sync->fn = fn;
  sync->actions = actions;
  sync->a = sa_alloc(world->arena, actions->list.n + 1);
  sync->b = sa_alloc(world->arena, actions->list.n + 1);
  sa_sync_entity(sync, fn->entry, true);
  for (uint32_t i = 0; i < actions->list.n; i++) {
    const sa_action *action = &actions->list.at[i];
    const char *kinds = operands(action->kind);
    sync->a[i] = kinds[0] == '-' ? -1 : (int8_t)sa_sync_entity(sync, action->a, kinds[0] == 's');
    sync->b[i] = kinds[1] == '-' ? -1 : (int8_t)sa_sync_entity(sync, action->b, kinds[1] == 's');
  }
  if (!sync->too_many) part_streams(sync);
  return sync;
}

static void forget_relations(sa_sync *sync, sa_val block) {
  uint32_t n = sync->world->values.n;
  if (sync->relation_size < n) {
    sync->relation = sa_alloc(sync->world->arena, n);
    sync->relation_size = n;
  }
  memset(sync->relation, 0, sync->relation_size);
  sync->relation_block = block;
}

sa_same sa_sync_touches(sa_sync *sync, sa_val used, sa_val block) {
  if (sync->relation_block != block) forget_relations(sync, block);
  if (used >= sync->relation_size) return sa_value_covers(sync->world, used, block);
  if (sync->relation[used] == 0)
    sync->relation[used] = (uint8_t)(1 + sa_value_covers(sync->world, used, block));
  return (sa_same)(sync->relation[used] - 1);
}

sa_same sa_sync_same(const sa_sync *sync, sa_val a, sa_val b) {
  int i = find_entity(sync, a), j = find_entity(sync, b);
  if (i < 0 || j < 0) return sa_value_same(sync->world, a, b);
  if (i == j) return SA_SAME_YES;
  return (sync->alike[i] & BIT(j)) != 0 ? SA_SAME_MAYBE : SA_SAME_NO;
}
