#include "model.h"

#include <string.h>

#define K ((uint64_t)1 << 10)
#define M ((uint64_t)1 << 20)

void model_init(model *m, sar_mode mode, uint64_t memory) {
  memset(m, 0, sizeof *m);
  m->mode = mode;
  m->memory = memory;
  m->next_addr = (uint64_t)1 << 30;
}

void model_complete(model *m, uint32_t stream) {
  m->done[stream] = m->queued[stream];
}

static void insert(model *m, size_t at, model_block b) {
  memmove(&m->blocks[at + 1], &m->blocks[at], (m->count - at) * sizeof b);
  m->blocks[at] = b;
  m->count++;
}

static void erase(model *m, size_t at) {
  m->count--;
  memmove(&m->blocks[at], &m->blocks[at + 1], (m->count - at) * sizeof m->blocks[0]);
}

static bool mergeable(const model *m, size_t i) {
  const model_block *a = &m->blocks[i], *b = &m->blocks[i + 1];
  return i + 1 < m->count && a->segment == b->segment && a->state == MODEL_FREE &&
         b->state == MODEL_FREE && a->stream == b->stream;
}

static void merge_all(model *m) {
  for (size_t i = 0; i < m->count;) {
    if (!mergeable(m, i)) {
      i++;
      continue;
    }
    m->blocks[i].size += m->blocks[i + 1].size;
    erase(m, i + 1);
  }
}

static void make_free(model_block *b) {
  b->state = MODEL_FREE;
  memset(b->until, 0, sizeof b->until);
  memset(b->used, 0, sizeof b->used);
}

static void settle(model *m, bool all) {
  for (size_t i = 0; i < m->count; i++) {
    model_block *b = &m->blocks[i];
    bool ready = b->state == MODEL_PENDING;
    for (int s = 0; s < MODEL_STREAMS && ready; s++) {
      if (all && m->done[s] < b->until[s]) m->done[s] = b->until[s];
      ready = b->until[s] <= m->done[s];
    }
    if (ready) make_free(b);
  }
  merge_all(m);
}

static model_block *find(model *m, uint64_t size, uint32_t stream) {
  model_block *best = NULL;
  for (size_t i = 0; i < m->count; i++) {
    model_block *b = &m->blocks[i];
    if (b->state == MODEL_FREE && b->stream == stream && b->small == (size <= M) &&
        b->size >= size && (!best || b->size < best->size))
      best = b;
  }
  return best;
}

static model_block *grow(model *m, uint64_t size, uint32_t stream) {
  uint64_t bytes = size <= M       ? 2 * M
                   : size < 10 * M ? 20 * M
                                   : (size + 2 * M - 1) / (2 * M) * (2 * M);
  if (bytes > m->memory - m->reserved) return NULL;
  model_block b = {.addr = m->next_addr,
                   .size = bytes,
                   .segment = m->next_addr,
                   .stream = stream,
                   .small = size <= M};
  insert(m, m->count, b);
  m->next_addr += bytes + 2 * M;
  m->reserved += bytes;
  return &m->blocks[m->count - 1];
}

static void release_whole_segments(model *m) {
  for (size_t i = 0; i < m->count;) {
    const model_block *b = &m->blocks[i];
    bool alone = (!i || m->blocks[i - 1].segment != b->segment) &&
                 (i + 1 == m->count || m->blocks[i + 1].segment != b->segment);
    if (b->state == MODEL_FREE && alone) {
      m->reserved -= b->size;
      erase(m, i);
    } else {
      i++;
    }
  }
}

sar_status model_malloc(model *m, uint64_t *out, uint64_t bytes, uint32_t stream) {
  uint64_t size = (bytes + K / 2 - 1) / (K / 2) * (K / 2);
  *out = 0;
  settle(m, false);
  model_block *b = find(m, size, stream);
  if (!b) b = grow(m, size, stream);
  if (!b) {
    settle(m, true);
    release_whole_segments(m);
    b = find(m, size, stream);
    if (!b) b = grow(m, size, stream);
  }
  if (!b) return SAR_E_OOM;
  uint64_t rest = b->size - size;
  if (b->small ? rest >= 512 : rest > M) {
    model_block tail = *b;
    tail.addr += size;
    tail.size = rest;
    b->size = size;
    insert(m, (size_t)(b - m->blocks) + 1, tail);
  }
  b->state = MODEL_LIVE;
  *out = b->addr;
  return SAR_OK;
}

static model_block *find_live(model *m, uint64_t addr, sar_status *st) {
  *st = SAR_E_ARG;
  for (size_t i = 0; i < m->count; i++) {
    model_block *b = &m->blocks[i];
    if (addr < b->addr || addr >= b->addr + b->size) continue;
    *st = b->addr == addr && b->state == MODEL_LIVE ? SAR_OK : SAR_E_NOT_LIVE;
    return b;
  }
  return NULL;
}

sar_status model_record(model *m, uint64_t addr, uint32_t stream) {
  sar_status st;
  model_block *b = find_live(m, addr, &st);
  if (st == SAR_E_ARG) return SAR_OK;
  if (st || b->stream == stream) return st;
  b->used[stream] = true;
  if (m->mode == SAR_MODE_EARLY) b->until[stream] = ++m->queued[stream];
  return SAR_OK;
}

sar_status model_free(model *m, uint64_t addr) {
  sar_status st;
  model_block *b = find_live(m, addr, &st);
  if (st) return st;
  b->state = MODEL_FREE;
  for (int s = 0; s < MODEL_STREAMS; s++) {
    if (!b->used[s]) continue;
    if (m->mode != SAR_MODE_EARLY) b->until[s] = ++m->queued[s];
    if (m->mode != SAR_MODE_WAIT) b->state = MODEL_PENDING;
  }
  if (b->state == MODEL_FREE) make_free(b);
  merge_all(m);
  return SAR_OK;
}

uint64_t model_bytes(const model *m, bool pending_too) {
  uint64_t sum = 0;
  for (size_t i = 0; i < m->count; i++)
    if (m->blocks[i].state == MODEL_LIVE || (pending_too && m->blocks[i].state == MODEL_PENDING))
      sum += m->blocks[i].size;
  return sum;
}
