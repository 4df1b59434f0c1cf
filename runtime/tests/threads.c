/* Eight threads on one pool. Under the thread sanitizer this is the proof of the lock; without it,
 * that no block has two owners and that the books balance. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "test.h"

#define THREADS 8
#define CALLS   20000
#define SLOTS   24
#define OWNERS  65536

typedef struct {
  sar_pool *pool;
  sar_device *device;
  sar_stream stream, other;
  uint64_t seed;
  _Atomic uint8_t *owned; /* by 512 bytes from base on, modulo OWNERS */
  bool ok;
} worker;

static bool claim(worker *w, sar_addr x, uint8_t by) {
  return atomic_exchange(&w->owned[x / 512 % OWNERS], by) == (by ? 0 : 1);
}

static bool call(worker *w, sar_addr *slot) {
  uint64_t r = test_random(&w->seed);
  if (*slot) {
    bool ok = (r & 1) || !sar_record_stream(w->pool, *slot, w->other);
    ok = ok && claim(w, *slot, 0) && !sar_free(w->pool, *slot);
    *slot = 0;
    return ok;
  }
  if (sar_malloc(slot, w->pool, 512 + r % 4096, w->stream)) return false;
  sar_stats stats;
  if (r >> 56 == 0) sar_release_cached(w->pool);
  if (r >> 56 == 1 && sar_get_stats(&stats, w->pool)) return false;
  if (r >> 54 == 12 && sar_check(w->pool)) return false;
  return claim(w, *slot, 1);
}

static void *work(void *arg) {
  worker *w = arg;
  sar_addr live[SLOTS] = {0};
  for (int i = 0; i < CALLS && w->ok; i++) {
    w->ok = call(w, &live[test_random(&w->seed) % SLOTS]);
    if (i % 64 == 0) w->ok = w->ok && !sar_spin(w->device, w->other, 1);
  }
  for (int i = 0; i < SLOTS; i++)
    if (live[i]) w->ok = claim(w, live[i], 0) && !sar_free(w->pool, live[i]) && w->ok;
  return NULL;
}

static void eight_threads(sar_mode mode) {
  const sar_config config = {.size = sizeof config, .mode = mode};
  sar_sim_config sim = {.size = sizeof sim, .oracle = SAR_ORACLE_SEEDED, .seed = 5};
  test_bed b = bed_make_with(&config, &sim);
  pthread_t threads[THREADS];
  worker workers[THREADS];
  _Atomic uint8_t *owned = calloc(OWNERS, sizeof *owned);
  if (!CHECK(owned)) return;
  for (int i = 0; i < THREADS; i++) {
    workers[i] =
        (worker){b.pool, b.device, i % 2 ? b.s0 : b.s1, b.s2, 1 + (uint64_t)i, owned, true};
    CHECK(!pthread_create(&threads[i], NULL, work, &workers[i]));
  }
  for (int i = 0; i < THREADS; i++) {
    CHECK(!pthread_join(threads[i], NULL));
    CHECK(workers[i].ok);
  }
  CHECK_EQ(bed_stats(&b).live, 0);
  free((void *)owned);
  bed_drop(&b);
}

static void record_mode(void) {
  eight_threads(SAR_MODE_RECORD);
}

static void early_mode(void) {
  eight_threads(SAR_MODE_EARLY);
}

static void wait_mode(void) {
  eight_threads(SAR_MODE_WAIT);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"record_mode", record_mode}, {"early_mode", early_mode}, {"wait_mode", wait_mode}};
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
