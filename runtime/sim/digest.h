/* A number for everything that the rest of a run depends on. */
#ifndef SAR_SIM_DIGEST_H
#define SAR_SIM_DIGEST_H

#include "sim.h"

/* h is a mix already, or a constant: two raw numbers would cancel out. */
static inline uint64_t sim_mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15u;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  return h ^ h >> 32;
}

/* event: the one being asked about, 0 at the end. handed: addresses ever handed out, sorted.
 *
 * Unordered, segments count by what is in them and not by address, so states that differ in the
 * names of blocks only are one. That is sound while every block is a whole segment, since then
 * blocks that tie are alike; a program that ever splits one must be explored ordered. */
uint64_t sim_digest(const sim_device *, uint64_t event, bool ordered, const sar_addr *handed,
                    size_t handed_count);

#endif
