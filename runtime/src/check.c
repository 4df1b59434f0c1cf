/* Every invariant that the header of pool.h states, walked. For tests and for doubt. */
#include "pool.h"

typedef struct {
  uint64_t live, pending, deferred, idle;
  uint64_t allocated, active, reserved;
  uint64_t shelved, queued;
  bool ok;
} tally;

static void require(tally *t, bool holds) {
  if (!holds) t->ok = false;
}

static bool mergeable_pair(const sar_block *b) {
  const sar_block *n = b->next;
  return n && b->state == SAR_FREE && n->state == SAR_FREE && b->stream == n->stream;
}

static void check_uses(tally *t, const sar_pool *p, const sar_block *b) {
  uint32_t uses = 0;
  for (const sar_use *u = b->uses; u; u = u->next) {
    uses++;
    require(t, u->block == b);
    require(t, u->stream != b->stream);
    require(t, b->state != SAR_PENDING || u->event);
  }
  require(t, b->state == SAR_PENDING ? b->pending == uses && uses : !b->pending);
  if (b->state == SAR_FREE) require(t, !uses || p->config.mode == SAR_MODE_WAIT);
  t->queued += b->pending;
}

static void check_block(tally *t, const sar_pool *p, const sar_block *b) {
  require(t, b->node.size && b->node.size % SAR_ROUND == 0);
  require(t, !b->next || b->next->prev == b);
  require(t, !b->next || b->node.addr + b->node.size == b->next->node.addr);
  require(t, !b->next || (b->next->arena == b->arena && b->next->small == b->small));
  require(t, !mergeable_pair(b));
  require(t, b->state == SAR_DEFERRED || !b->marks);
  require(t, b->shelf && b->shelf->stream == b->stream);
  t->reserved += b->node.size;
  t->live += b->state == SAR_LIVE;
  t->pending += b->state == SAR_PENDING;
  t->deferred += b->state == SAR_DEFERRED;
  t->idle += b->state == SAR_FREE;
  if (b->state == SAR_LIVE) t->allocated += b->node.size;
  if (b->state != SAR_FREE) t->active += b->node.size;
  check_uses(t, p, b);
}

typedef struct {
  tally *t;
  const sar_arena *arena;
  const sar_shelf *shelf;
  bool small;
  size_t size; /* of the heap that is being walked; they come in ascending order */
} shelf_check;

static bool check_shelved(void *arg, sar_free_node *node) {
  shelf_check *c = arg;
  const sar_block *b = (const sar_block *)node;
  c->t->shelved++;
  require(c->t, b->state == SAR_FREE && b->arena == c->arena && b->shelf == c->shelf &&
                    b->small == c->small);
  const sar_free_node *above = node->root ? node->parent : node->before;
  require(c->t, !node->child || node->child->addr > node->addr);
  require(c->t, above || node->root);
  require(c->t, node->root ? node->size > c->size : node->size == c->size);
  c->size = node->size;
  if (node->root && above)
    require(c->t, node->priority <= above->priority &&
                      (node->size < above->size ? above->left == node : above->right == node));
  return c->t->ok;
}

static void check_arena(tally *t, sar_arena *a) {
  sar_shelf **list = a->shelves.list;
  for (size_t i = 0; i < a->shelves.count; i++)
    for (int small = 0; small < 2; small++) {
      uint64_t before = t->shelved;
      shelf_check c = {t, a, list[i], small != 0, 0};
      sar_index_each(&list[i]->free[small], check_shelved, &c);
      require(t, t->shelved - before == list[i]->free[small].count);
      require(t, !i || list[i - 1]->stream < list[i]->stream);
    }
}

static void check_lanes(tally *t, const sar_pool *p) {
  uint64_t queued = 0;
  const sar_lane *last = NULL;
  for (const sar_lane *lane = p->active_lanes; lane; lane = lane->next_active) {
    require(t, lane->head && (!last || last->stream < lane->stream));
    for (const sar_use *u = lane->head; u; u = u->queue_next, queued++) {
      require(t, u->stream == lane->stream && u->event && u->block->state == SAR_PENDING);
      require(t, u->queue_next ? u->order < u->queue_next->order : lane->tail == u);
    }
    last = lane;
  }
  require(t, queued == t->queued);
}

static void check_totals(tally *t, const sar_pool *p) {
  const sar_stats *s = &p->stats;
  uint64_t listed = 0;
  for (const sar_block *b = p->deferred; b; b = b->deferred_next, listed++)
    require(t, b->state == SAR_DEFERRED &&
                   (!b->deferred_next || b->deferred_next->deferred_prev == b));
  require(t, listed == t->deferred && t->shelved == t->idle);
  require(t, s->live == t->live && s->pending == t->pending);
  require(t, s->deferred == t->deferred && s->idle == t->idle);
  require(t, s->allocated.current == t->allocated && s->active.current == t->active);
  require(t, s->reserved.current == t->reserved && s->mallocs - s->frees == t->live);
  require(t, s->allocated.peak >= t->allocated && s->active.peak >= t->active);
  require(t, s->reserved.peak >= t->reserved);
}

sar_status sar_check(sar_pool *p) {
  if (!p) return SAR_E_ARG;
  tally t = {.ok = true};
  sar_lock_take(&p->lock);
  for (size_t i = 0, seen = 0; p->table.slots && i <= p->table.mask; i++) {
    const sar_block *b = p->table.slots[i].block;
    if (!b) continue;
    require(&t, b->node.addr == p->table.slots[i].addr && ++seen <= p->table.count);
    check_block(&t, p, b);
  }
  check_arena(&t, &p->main);
  for (sar_arena *a = p->arenas; a; a = a->next) check_arena(&t, a);
  check_lanes(&t, p);
  check_totals(&t, p);
  sar_lock_give(&p->lock);
  return t.ok ? SAR_OK : SAR_E_STATE;
}
