/* Vector clocks: for each lane, how many of its operations come before. A stream is a lane, and so
 * is each chain of nodes of a graph. */
#ifndef SAR_SIM_CLOCK_H
#define SAR_SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_LANES 128

typedef struct {
  uint32_t lane[SIM_LANES];
} sim_clock;

static inline void sim_clock_join(sim_clock *to, const sim_clock *from, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; i++)
    if (from->lane[i] > to->lane[i]) to->lane[i] = from->lane[i];
}

static inline bool sim_clock_covers(const sim_clock *c, const sim_clock *other, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; i++)
    if (other->lane[i] > c->lane[i]) return false;
  return true;
}

#endif
