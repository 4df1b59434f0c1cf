#include <stdlib.h>
#include <string.h>

#include "sim.h"

void sim_shadow_drop(sim_shadow *s) {
  for (size_t i = 0; i < s->count; i++) free(s->ranges[i].touches);
  free(s->ranges);
  free(s->freed);
  *s = (sim_shadow){0};
}

/* First range that ends behind addr. */
static size_t position(const sim_shadow *s, sar_addr addr) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (s->ranges[mid].addr + s->ranges[mid].bytes <= addr)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool insert_at(sim_shadow *s, size_t i, sim_range range) {
  if (s->count == s->cap) {
    size_t cap = s->cap ? s->cap * 2 : 16;
    sim_range *bigger = realloc(s->ranges, cap * sizeof *bigger);
    if (!bigger) return false;
    s->ranges = bigger;
    s->cap = cap;
  }
  if (i < s->count) memmove(&s->ranges[i + 1], &s->ranges[i], (s->count - i) * sizeof range);
  s->ranges[i] = range;
  s->count++;
  return true;
}

static bool cut(sim_shadow *s, sar_addr addr) {
  size_t i = position(s, addr);
  if (i == s->count || s->ranges[i].addr >= addr) return true;
  sim_range tail = s->ranges[i];
  tail.touches = malloc((tail.cap + !tail.cap) * sizeof *tail.touches);
  if (!tail.touches) return false;
  if (tail.count) memcpy(tail.touches, s->ranges[i].touches, tail.count * sizeof *tail.touches);
  tail.cap += !tail.cap;
  tail.bytes -= addr - tail.addr;
  s->ranges[i].bytes -= tail.bytes;
  tail.addr = addr;
  if (insert_at(s, i + 1, tail)) return true;
  s->ranges[i].bytes += tail.bytes;
  free(tail.touches);
  return false;
}

bool sim_shadow_add(sim_shadow *s, sar_addr addr, size_t bytes) {
  return insert_at(s, position(s, addr),
                   (sim_range){.addr = addr, .bytes = bytes, .live = !s->watched});
}

void sim_shadow_remove(sim_shadow *s, sar_addr addr, size_t bytes) {
  size_t first = position(s, addr), last = first;
  for (; last < s->count && s->ranges[last].addr < addr + bytes; last++)
    free(s->ranges[last].touches);
  if (last < s->count)
    memmove(&s->ranges[first], &s->ranges[last], (s->count - last) * sizeof *s->ranges);
  s->count -= last - first;
}

bool sim_shadow_malloc(sim_shadow *s, sar_addr addr, size_t bytes, uint64_t owner) {
  if (!cut(s, addr) || !cut(s, addr + bytes)) return false;
  for (size_t i = position(s, addr); i < s->count && s->ranges[i].addr < addr + bytes; i++) {
    s->ranges[i].owner = owner;
    s->ranges[i].live = true;
    s->ranges[i].written = false;
  }
  return true;
}

bool sim_shadow_free(sim_shadow *s, sar_addr addr, size_t bytes, uint64_t owner) {
  if (owner >= s->freed_cap) {
    size_t cap = s->freed_cap ? s->freed_cap * 2 : 64;
    while (cap <= owner) cap *= 2;
    uint64_t *bigger = realloc(s->freed, cap * sizeof *bigger);
    if (!bigger) return false;
    memset(bigger + s->freed_cap, 0, (cap - s->freed_cap) * sizeof *bigger);
    s->freed = bigger;
    s->freed_cap = cap;
  }
  s->freed[owner] = ++s->frees;
  for (size_t i = position(s, addr); i < s->count && s->ranges[i].addr < addr + bytes; i++)
    s->ranges[i].live = false;
  return true;
}

uint64_t sim_shadow_owner(const sim_shadow *s, sar_addr addr) {
  size_t i = position(s, addr);
  return i < s->count && s->ranges[i].addr <= addr ? s->ranges[i].owner : 0;
}

/* ---- hazards -------------------------------------------------------------------------------- */

static sar_access access_of(const sim_device *d, uint32_t number, bool writes) {
  static const char *const names[] = {"fill", "copy", "add",     "checksum",
                                      "spin", "read", "callback"};
  const sim_op *op = d->log[number - 1];
  return (sar_access){number, op->op.stream, names[op->op.kind], writes};
}

static void report(sim_device *d, sar_hazard_kind kind, const sim_touch *old, const sim_touch *now,
                   sar_addr addr, size_t bytes) {
  sar_hazard h = {.kind = kind,
                  .second = access_of(d, now->op, now->writes),
                  .second_malloc = now->owner,
                  .addr = addr,
                  .bytes = bytes};
  if (old) h.first = access_of(d, old->op, old->writes);
  if (old) h.first_malloc = old->owner;
  uint64_t owner = old ? old->owner : now->owner;
  if (kind != SAR_HAZARD_RACE && owner < d->shadow.freed_cap) h.free = d->shadow.freed[owner];
  sim_report(d, &h);
}

static bool follows(const sim_device *d, uint32_t later, uint32_t earlier) {
  const sim_op *a = d->log[earlier - 1];
  return d->log[later - 1]->clock.lane[a->lane] >= a->tick;
}

/* Forgets what the host has proof of: every operation from now on follows it. */
static void prune(const sim_device *d, sim_range *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++) {
    const sim_op *op = d->log[r->touches[i].op - 1];
    if (d->host.lane[op->lane] < op->tick) r->touches[kept++] = r->touches[i];
  }
  r->count = kept;
}

static bool add_touch(sim_range *r, sim_touch t) {
  if (r->count == r->cap) {
    size_t cap = r->cap ? r->cap * 2 : 4;
    sim_touch *bigger = realloc(r->touches, cap * sizeof *bigger);
    if (!bigger) return false;
    r->touches = bigger;
    r->cap = cap;
  }
  r->touches[r->count++] = t;
  return true;
}

/* A graph's node keeps the owner it was captured for, whoever owns the bytes at the launch. */
static void judge_owner(sim_device *d, sim_range *r, sim_touch *t) {
  if (t->owner) {
    if (r->owner != t->owner) r->written = false;
    r->owner = t->owner;
    return;
  }
  t->owner = r->owner;
  if (!d->shadow.watched) return;
  if (!r->live)
    report(d, r->owner ? SAR_HAZARD_FREED : SAR_HAZARD_OUTSIDE, NULL, t, r->addr, r->bytes);
  else if (!t->writes && !r->written)
    report(d, SAR_HAZARD_UNWRITTEN, NULL, t, r->addr, r->bytes);
}

static bool touch_range(sim_device *d, sim_range *r, sim_touch t) {
  judge_owner(d, r, &t);
  prune(d, r);
  for (size_t i = 0; i < r->count && d->shadow.watched; i++) {
    const sim_touch *old = &r->touches[i];
    if (old->op == t.op || !(old->writes || t.writes) || follows(d, t.op, old->op)) continue;
    report(d, old->owner == t.owner ? SAR_HAZARD_RACE : SAR_HAZARD_REUSE, old, &t, r->addr,
           r->bytes);
  }
  r->written |= t.writes;
  return add_touch(r, t);
}

bool sim_shadow_touch(sim_device *d, uint32_t op, sar_addr addr, size_t bytes, bool writes,
                      uint64_t owner) {
  sim_shadow *s = &d->shadow;
  sim_touch t = {.op = op, .owner = owner, .writes = writes};
  if (!cut(s, addr) || !cut(s, addr + bytes)) return false;
  size_t covered = 0;
  for (size_t i = position(s, addr); i < s->count && s->ranges[i].addr < addr + bytes; i++) {
    covered += s->ranges[i].bytes;
    if (!touch_range(d, &s->ranges[i], t)) return false;
  }
  if (covered < bytes) report(d, SAR_HAZARD_OUTSIDE, NULL, &t, addr, bytes);
  return true;
}
