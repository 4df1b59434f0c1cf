/* Results of earlier runs, found by a hash of what they were made from. A directory with one small
 * file an entry; docs/cache.md describes it.
 *
 * Any number of processes may use a directory at once, and each may be killed at any time: an entry
 * is written beside its place and renamed, and carries a checksum, so that it is whole or not
 * there. Nothing in here can fail a run: what does not work is a miss. */
#ifndef SA_CACHE_CACHE_H
#define SA_CACHE_CACHE_H

#include "base/diag.h"
#include "base/hash.h"

typedef struct sa_cache sa_cache;

/* Opens the directory, and makes it where it is missing. Only the user may be able to write there:
 * a directory of somebody else, or open to others, or a link, is refused. On failure *out is NULL,
 * `diag` has a warning, and the run goes on without. The caller closes it. */
sa_status sa_cache_open(sa_cache **out, sa_arena *arena, sa_diag *diag, const char *directory);
void sa_cache_close(sa_cache *cache);

/* SA_HASH_SECRET bytes of this directory's own, which make its hashes. */
const uint8_t *sa_cache_secret(const sa_cache *cache);

typedef enum { SA_CACHE_MISS, SA_CACHE_HIT, SA_CACHE_DAMAGED } sa_cache_answer;

/* The entry's bytes, in `arena`. DAMAGED: there was an entry, it is not what was written, and it
 * has been removed. */
sa_cache_answer sa_cache_get(const char **bytes, size_t *length, sa_arena *arena,
                             const sa_cache *cache, sa_hash128 key);

/* Puts an entry in the place of any other of that key. False when the system refuses. */
bool sa_cache_put(const sa_cache *cache, sa_hash128 key, const void *bytes, size_t length);

/* For an entry whose bytes turn out to make no sense. */
void sa_cache_drop(const sa_cache *cache, sa_hash128 key);

/* Removes the entries that were not used for longest until `limit` bytes are left at most, and what
 * killed processes left behind. */
void sa_cache_sweep(const sa_cache *cache, uint64_t limit);

#endif
