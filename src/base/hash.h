/* Stable hashes of content: the same on every machine and run. */
#ifndef SA_BASE_HASH_H
#define SA_BASE_HASH_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* XXH3 over `length` bytes; `seed` chains several pieces: pass the hash of what came before. */
uint64_t sa_hash(const void *bytes, size_t length, uint64_t seed);

/* The hash of a string and its end mark, so that ("ab", "c") and ("a", "bc") differ when chained.
 */
uint64_t sa_hash_string(const char *text, uint64_t seed);

/* A wide hash that nobody can steer who does not know the secret: for what must not be mistaken for
 * something else, whoever wrote it. */
typedef struct {
  uint64_t low, high;
} sa_hash128;

enum { SA_HASH_SECRET = 192 }; /* bytes, from a source of randomness */

sa_hash128 sa_hash_keyed(const void *bytes, size_t length, const uint8_t *secret);
bool sa_hash_same(sa_hash128 a, sa_hash128 b);

/* Sixteen hexadecimal digits. */
char *sa_hash_hex(sa_arena *arena, uint64_t hash);

#endif
