/* Who owns each byte, and who touched it. An owner is an allocation; bytes keep the accesses of
 * earlier owners until the host has proof that those are over. */
#ifndef SAR_SIM_SHADOW_H
#define SAR_SIM_SHADOW_H

#include <sar/sim.h>

#include "clock.h"

typedef struct sim_device sim_device;

typedef struct {
  uint32_t op;
  uint64_t owner;
  bool writes;
} sim_touch;

typedef struct {
  sar_addr addr;
  size_t bytes;
  uint64_t owner; /* 0: never allocated */
  bool live, written;
  sim_touch *touches;
  size_t count, cap;
} sim_range;

typedef struct {
  sim_range *ranges; /* by address; they tile the segments */
  size_t count, cap;
  uint64_t *freed; /* ordinal of the free, by owner */
  size_t freed_cap;
  uint64_t frees;
  bool watched;
} sim_shadow;

void sim_shadow_drop(sim_shadow *);
bool sim_shadow_add(sim_shadow *, sar_addr, size_t bytes);
void sim_shadow_remove(sim_shadow *, sar_addr, size_t bytes);
bool sim_shadow_malloc(sim_shadow *, sar_addr, size_t bytes, uint64_t owner);
bool sim_shadow_free(sim_shadow *, sar_addr, size_t bytes, uint64_t owner);
/* 0 where no allocation ever was. */
uint64_t sim_shadow_owner(const sim_shadow *, sar_addr);
/* Op number op touches the range; owner 0: whoever owns it now. */
bool sim_shadow_touch(sim_device *, uint32_t op, sar_addr, size_t bytes, bool writes,
                      uint64_t owner);

#endif
