#include "memory.h"

#include <stdlib.h>
#include <string.h>

void sim_memory_drop(sim_memory *m) {
  free(m->runs);
  *m = (sim_memory){0};
}

/* First run that ends behind addr. */
static size_t position(const sim_memory *m, sar_addr addr) {
  size_t low = 0, high = m->count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (m->runs[mid].addr + m->runs[mid].bytes <= addr)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

uint8_t sim_memory_at(const sim_memory *m, sar_addr addr) {
  size_t i = position(m, addr);
  return i < m->count && m->runs[i].addr <= addr ? m->runs[i].value : 0;
}

static bool insert_at(sim_memory *m, size_t i, sim_bytes run) {
  if (m->count == m->cap) {
    size_t cap = m->cap ? m->cap * 2 : 32;
    sim_bytes *bigger = realloc(m->runs, cap * sizeof *bigger);
    if (!bigger) return false;
    m->runs = bigger;
    m->cap = cap;
  }
  if (i < m->count) memmove(&m->runs[i + 1], &m->runs[i], (m->count - i) * sizeof run);
  m->runs[i] = run;
  m->count++;
  return true;
}

/* Makes addr a boundary between runs. */
static bool cut(sim_memory *m, sar_addr addr) {
  size_t i = position(m, addr);
  if (i == m->count || m->runs[i].addr >= addr) return true;
  sim_bytes tail = m->runs[i];
  tail.bytes -= addr - tail.addr;
  m->runs[i].bytes -= tail.bytes;
  tail.addr = addr;
  return insert_at(m, i + 1, tail);
}

static bool store(sim_memory *m, sar_addr addr, size_t bytes, uint8_t value) {
  if (!cut(m, addr) || !cut(m, addr + bytes)) return false;
  size_t first = position(m, addr), last = first;
  while (last < m->count && m->runs[last].addr < addr + bytes) last++;
  if (last < m->count)
    memmove(&m->runs[first], &m->runs[last], (m->count - last) * sizeof *m->runs);
  m->count -= last - first;
  if (first && m->runs[first - 1].value == value &&
      m->runs[first - 1].addr + m->runs[first - 1].bytes == addr) {
    m->runs[first - 1].bytes += bytes;
    return true;
  }
  return insert_at(m, first, (sim_bytes){addr, bytes, value});
}

/* The longest piece of equal bytes from addr on, at most limit. */
static size_t piece(const sim_memory *m, sar_addr addr, size_t limit, uint8_t *value) {
  size_t i = position(m, addr), bytes = limit;
  *value = 0;
  if (i < m->count && m->runs[i].addr <= addr) {
    *value = m->runs[i].value;
    bytes = (size_t)(m->runs[i].addr + m->runs[i].bytes - addr);
  } else if (i < m->count) {
    bytes = (size_t)(m->runs[i].addr - addr);
  }
  return bytes < limit ? bytes : limit;
}

/* The sum of (i % period + 1) for i in [from, from + count). */
static uint64_t weights(uint64_t from, uint64_t count) {
  uint64_t p = SAR_CHECKSUM_PERIOD, sum = 0;
  while (count && from % p) sum += from++ % p + 1, count--;
  sum += count / p * (p * (p + 1) / 2);
  count %= p;
  return sum + count * (count + 1) / 2;
}

static uint64_t checksum(const sim_memory *m, sar_addr src, size_t bytes) {
  uint64_t sum = 0;
  for (size_t at = 0, n; at < bytes; at += n) {
    uint8_t value;
    n = piece(m, src + at, bytes - at, &value);
    sum += value * weights(at, n);
  }
  return sum;
}

/* add: dst += src; otherwise dst = src. Pieces are short enough to be equal on both sides. */
static bool move(sim_memory *m, const sar_op *op, bool add) {
  for (size_t at = 0, n; at < op->bytes; at += n) {
    uint8_t from, to;
    n = piece(m, op->src + at, op->bytes - at, &from);
    if (add) n = piece(m, op->dst + at, n, &to);
    if (!store(m, op->dst + at, n, add ? (uint8_t)(from + to) : from)) return false;
  }
  return true;
}

static void to_host(const sim_memory *m, const sar_op *op) {
  for (size_t at = 0, n; at < op->bytes; at += n) {
    uint8_t value;
    n = piece(m, op->src + at, op->bytes - at, &value);
    memset((char *)op->host + at, value, n);
  }
}

static bool store_word(sim_memory *m, sar_addr dst, uint64_t word) {
  for (unsigned i = 0; i < SAR_CHECKSUM_BYTES; i++)
    if (!store(m, dst + i, 1, (uint8_t)(word >> (8 * i)))) return false;
  return true;
}

bool sim_memory_apply(sim_memory *m, const sar_op *op, uint64_t *read) {
  *read = op->src ? checksum(m, op->src, op->bytes) : 0;
  switch (op->kind) {
  case SAR_OP_FILL:
    return store(m, op->dst, op->bytes, op->byte);
  case SAR_OP_COPY:
    return move(m, op, false);
  case SAR_OP_ADD:
    *read += checksum(m, op->dst, op->bytes) * 31;
    return move(m, op, true);
  case SAR_OP_CHECKSUM:
    return store_word(m, op->dst, *read);
  case SAR_OP_READ:
    to_host(m, op);
    return true;
  case SAR_OP_SPIN:
  case SAR_OP_CALLBACK:
    return true;
  }
  return true;
}
