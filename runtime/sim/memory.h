/* Device memory by value: runs of equal bytes, so 32 MiB filled with one byte is one entry. */
#ifndef SAR_SIM_MEMORY_H
#define SAR_SIM_MEMORY_H

#include "../ops/device.h"

typedef struct {
  sar_addr addr;
  size_t bytes;
  uint8_t value;
} sim_bytes;

typedef struct {
  sim_bytes *runs; /* by address, disjoint; what no run covers is zero */
  size_t count, cap;
} sim_memory;

void sim_memory_drop(sim_memory *);
/* Carries out op; *read is a digest of the bytes it read. false: no host memory. */
bool sim_memory_apply(sim_memory *, const sar_op *op, uint64_t *read);
uint8_t sim_memory_at(const sim_memory *, sar_addr);

#endif
