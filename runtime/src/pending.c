/* Recorded uses. RECORD: events are made at free and polled. EARLY: they are made at each
 * sar_record_stream. WAIT: they are made at free and waited for by the next owner's stream. */
#include <stdlib.h>
#include <string.h>

#include "pool.h"

/* ---- lanes ---------------------------------------------------------------------------------- */

static size_t lane_position(const sar_pool *p, sar_stream stream) {
  size_t low = 0, high = p->lane_count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (p->lanes[mid]->stream < stream)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

sar_lane *sar_lane_find(const sar_pool *p, sar_stream stream) {
  size_t i = lane_position(p, stream);
  return i < p->lane_count && p->lanes[i]->stream == stream ? p->lanes[i] : NULL;
}

sar_status sar_lane_make(sar_pool *p, sar_stream stream) {
  if (sar_lane_find(p, stream)) return SAR_OK;
  if (p->lane_count == p->lane_cap) {
    size_t cap = p->lane_cap ? p->lane_cap * 2 : 8;
    sar_lane **bigger = realloc(p->lanes, cap * sizeof *bigger);
    if (!bigger) return SAR_E_NOMEM_HOST;
    p->lanes = bigger;
    p->lane_cap = cap;
  }
  sar_lane *lane = calloc(1, sizeof *lane);
  if (!lane) return SAR_E_NOMEM_HOST;
  lane->stream = stream;
  size_t i = lane_position(p, stream);
  if (i < p->lane_count)
    memmove(&p->lanes[i + 1], &p->lanes[i], (p->lane_count - i) * sizeof *p->lanes);
  p->lanes[i] = lane;
  p->lane_count++;
  return SAR_OK;
}

/* Lanes with work are linked by stream id: a sweep must visit them in an order that repeats. */
static void activate(sar_pool *p, sar_lane *lane) {
  sar_lane **at = &p->active_lanes;
  while (*at && (*at)->stream < lane->stream) at = &(*at)->next_active;
  lane->next_active = *at;
  *at = lane;
}

static void deactivate(sar_pool *p, sar_lane *lane) {
  sar_lane **at = &p->active_lanes;
  while (*at != lane) at = &(*at)->next_active;
  *at = lane->next_active;
  lane->next_active = NULL;
}

/* Events of a stream finish in the order they were made. At free the new one is the newest; in
 * mode EARLY an older event may come later, and is put in its place. */
static void enqueue(sar_pool *p, sar_use *u) {
  sar_lane *lane = sar_lane_find(p, u->stream);
  if (!lane->head) activate(p, lane);
  sar_use *before = lane->tail;
  while (before && before->order > u->order) before = before->queue_prev;
  u->queue_prev = before;
  u->queue_next = before ? before->queue_next : lane->head;
  *(before ? &before->queue_next : &lane->head) = u;
  *(u->queue_next ? &u->queue_next->queue_prev : &lane->tail) = u;
  u->block->pending++;
}

static void dequeue_front(sar_pool *p, sar_lane *lane) {
  sar_use *u = lane->head;
  lane->head = u->queue_next;
  *(lane->head ? &lane->head->queue_prev : &lane->tail) = NULL;
  if (!lane->head) deactivate(p, lane);
  u->block->pending--;
}

/* ---- uses ----------------------------------------------------------------------------------- */

static sar_status make_event(sar_pool *p, sar_event *out, uint64_t *order, sar_stream stream) {
  sar_status st = p->backend->event_record(p->backend->ctx, out, stream);
  if (st) return st;
  p->stats.events++;
  *order = ++p->next_order;
  return SAR_OK;
}

static void release_event(sar_pool *p, sar_use *u) {
  if (u->event) p->backend->event_release(p->backend->ctx, u->event);
  u->event = 0;
}

/* A use is (stream, capture): what a graph shows about a stream says nothing about eager work
 * queued on it before. Event is 0 except in mode EARLY, where it replaces an older one. */
sar_status sar_use_add(sar_pool *p, sar_block *b, sar_stream stream, sar_capture capture,
                       sar_event event) {
  sar_use *u = b->uses;
  while (u && (u->stream != stream || u->capture != capture)) u = u->next;
  if (!u) {
    u = sar_slab_take(&p->uses);
    if (!u) return SAR_E_NOMEM_HOST;
    *u = (sar_use){.block = b, .stream = stream, .capture = capture};
    sar_use **end = &b->uses;
    while (*end) end = &(*end)->next;
    *end = u;
  }
  if (event) {
    release_event(p, u);
    u->event = event;
    u->order = ++p->next_order;
  }
  return SAR_OK;
}

/* The use is in no lane. */
void sar_use_drop(sar_pool *p, sar_use *u) {
  sar_use **at = &u->block->uses;
  while (*at != u) at = &(*at)->next;
  *at = u->next;
  release_event(p, u);
  sar_slab_give(&p->uses, u);
}

void sar_use_drop_all(sar_pool *p, sar_block *b) {
  while (b->uses) {
    sar_use *u = b->uses;
    b->uses = u->next;
    release_event(p, u);
    sar_slab_give(&p->uses, u);
  }
}

/* All uses get an event, or none does: a failure takes back the ones just made. */
sar_status sar_pending_prepare(sar_pool *p, sar_block *b) {
  uint64_t first = p->next_order + 1;
  sar_status st = SAR_OK;
  for (sar_use *u = b->uses; u && !st; u = u->next)
    if (!u->event) st = make_event(p, &u->event, &u->order, u->stream);
  if (st)
    for (sar_use *u = b->uses; u; u = u->next)
      if (u->event && u->order >= first) release_event(p, u);
  return st;
}

/* The block's uses are eager and have events, or there are none. A private block never waits on
 * reuse: its next owner may be captured, and a captured stream cannot wait for an eager event. */
void sar_pending_enter(sar_pool *p, sar_block *b) {
  if (!b->uses || (p->config.mode == SAR_MODE_WAIT && !b->arena->id)) {
    sar_block_available(p, b);
    return;
  }
  sar_block_set_state(p, b, SAR_PENDING);
  for (sar_use *u = b->uses; u; u = u->next) enqueue(p, u);
}

static void finish_front(sar_pool *p, sar_lane *lane) {
  sar_use *u = lane->head;
  sar_block *b = u->block;
  dequeue_front(p, lane);
  sar_use_drop(p, u);
  if (b->pending) return;
  sar_arena *a = b->arena;
  sar_block_available(p, b);
  sar_arena_try_release(p, a);
}

/* One query per lane that has work, and one more for each event that is ready: events of a stream
 * finish in order, so nothing behind a front that is not ready can be. */
sar_status sar_pending_poll(sar_pool *p) {
  for (sar_lane *lane = p->active_lanes, *next; lane; lane = next) {
    next = lane->next_active;
    while (lane->head) {
      p->stats.queries++;
      sar_status st = p->backend->event_query(p->backend->ctx, lane->head->event);
      if (st == SAR_NOT_READY) break;
      if (st == SAR_E_CAPTURE) return SAR_OK; /* somebody else's capture forbids the question */
      if (st) return st;
      finish_front(p, lane);
    }
  }
  return SAR_OK;
}

sar_status sar_pending_sync(sar_pool *p) {
  while (p->active_lanes) {
    sar_lane *lane = p->active_lanes;
    sar_status st = p->backend->event_sync(p->backend->ctx, lane->head->event);
    if (st) return st;
    finish_front(p, lane);
  }
  return SAR_OK;
}

/* Mode WAIT: the creation stream waits for what is left of the old uses. A failure half way
 * leaves some waits queued, which only order more than was asked. */
sar_status sar_pending_wait(sar_pool *p, sar_block *b) {
  while (b->uses) {
    sar_status st = p->backend->stream_wait(p->backend->ctx, b->stream, b->uses->event);
    if (st) return st;
    p->stats.waits++;
    sar_use_drop(p, b->uses);
  }
  return SAR_OK;
}
