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

char *sa_hash_hex(sa_arena *arena, uint64_t hash) {
  return sa_printf(arena, "%016" PRIx64, hash);
}
