#include "digest.h"

#include "../src/pool.h"

/* What the host has proof of no longer tells states apart. */
static uint64_t mix_clock(const sim_device *d, uint64_t h, const sim_clock *c) {
  for (uint32_t i = 0; i < d->lanes; i++)
    h = sim_mix(h, c->lane[i] > d->host.lane[i] ? c->lane[i] : 0);
  return h;
}

static uint64_t mix_block(uint64_t h, const sar_block *b) {
  h = sim_mix(h, (uint64_t)b->state << 32 | b->stream);
  h = sim_mix(h, b->node.size << 1 | b->small);
  h = sim_mix(h, b->state == SAR_LIVE ? b->allocation : 0);
  for (const sar_use *u = b->uses; u; u = u->next)
    h = sim_mix(sim_mix(h, (uint64_t)u->stream << 32 | u->capture), u->event);
  return h;
}

static uint64_t mix_range(const sim_device *d, uint64_t h, const sim_range *r, sar_addr base) {
  h = sim_mix(h, (r->addr - base) << 2 | (r->live ? 2u : 0u) | (r->live && r->written));
  for (size_t i = 0; i < r->count; i++) {
    const sim_op *op = d->log[r->touches[i].op - 1];
    if (d->host.lane[op->lane] >= op->tick) continue;
    h = sim_mix(h, (uint64_t)r->touches[i].op << 1 | r->touches[i].writes);
    h = sim_mix(h, r->touches[i].owner);
  }
  return h;
}

static bool plain(const sim_device *d, const sim_range *r) {
  for (size_t i = 0; i < r->count; i++) {
    const sim_op *op = d->log[r->touches[i].op - 1];
    if (d->host.lane[op->lane] < op->tick) return false;
  }
  return !r->live;
}

static uint64_t segment_digest(const sim_device *d, const sar_block *first, const sar_addr *handed,
                               size_t handed_count) {
  sar_addr base = first->node.addr, end = base;
  uint64_t h = sim_mix(7, first->arena->id);
  for (const sar_block *b = first; b; b = b->next) {
    h = mix_block(h, b);
    end = b->node.addr + b->node.size;
  }
  for (size_t i = 0; i < d->shadow.count; i++) {
    const sim_range *r = &d->shadow.ranges[i];
    if (r->addr >= base && r->addr < end && !plain(d, r)) h = mix_range(d, h, r, base);
  }
  for (size_t i = 0; i < handed_count; i++)
    if (handed[i] >= base && handed[i] < end) h = sim_mix(h, handed[i] - base);
  return h;
}

/* The table is in hash order: in order of address, find the next segment each time. */
static const sar_block *next_segment(const sar_pool *p, sar_addr after) {
  const sar_block *best = NULL;
  for (size_t i = 0; p->table.slots && i <= p->table.mask; i++) {
    const sar_block *b = p->table.slots[i].block;
    if (b && !b->prev && b->node.addr > after && (!best || b->node.addr < best->node.addr))
      best = b;
  }
  return best;
}

static uint64_t pool_digest(const sim_device *d, bool ordered, const sar_addr *handed,
                            size_t handed_count) {
  const sar_pool *p = d->pool;
  uint64_t h = 11, sum = 0;
  for (const sar_block *s = next_segment(p, 0); s; s = next_segment(p, s->node.addr)) {
    uint64_t one = segment_digest(d, s, handed, handed_count);
    h = sim_mix(h, one);
    sum += sim_mix(one, 13);
  }
  for (const sar_lane *lane = p->active_lanes; lane; lane = lane->next_active)
    for (const sar_use *u = lane->head; u; u = u->queue_next)
      sum += sim_mix(sim_mix(2, u->event), u->stream);
  return sim_mix(ordered ? h : 0, sum);
}

uint64_t sim_digest(const sim_device *d, uint64_t event, bool ordered, const sar_addr *handed,
                    size_t handed_count) {
  uint64_t h = sim_mix(sim_mix(1, d->host_calls), d->host_answers);
  h = sim_mix(sim_mix(h, event), handed_count);
  for (uint32_t i = 0; i < d->lanes; i++) h = sim_mix(h, d->host.lane[i]);
  for (size_t i = 0; i < d->stream_count; i++) h = mix_clock(d, h, &d->streams[i].clock);
  for (size_t i = 0; i < d->event_count; i++)
    h = mix_clock(d, sim_mix(h, d->events[i].id), &d->events[i].clock);
  return sim_mix(h, pool_digest(d, ordered, handed, handed_count));
}
