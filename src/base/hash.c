#include "base/hash.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

uint64_t sa_hash(const void *bytes, size_t length, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, length, seed);
}

uint64_t sa_hash_string(const char *text, uint64_t seed) {
  return sa_hash(text, strlen(text) + 1, seed);
}

sa_hash128 sa_hash_keyed(const void *bytes, size_t length, const uint8_t *secret) {
  XXH128_hash_t hash = XXH3_128bits_withSecret(bytes, length, secret, SA_HASH_SECRET);
  return (sa_hash128){hash.low64, hash.high64};
}

bool sa_hash_same(sa_hash128 a, sa_hash128 b) {
  return a.low == b.low && a.high == b.high;
}

char *sa_hash_hex(sa_arena *arena, uint64_t hash) {
  return sa_printf(arena, "%016" PRIx64, hash);
}
