/* The pool's lock: nobody enters beside another, and nobody sleeps for ever. Holding it across a
 * nap makes the others run out of patience and sleep. */
#include <pthread.h>
#include <time.h>

#include "../src/lock.h"
#include "test.h"

#define THREADS 8

typedef struct {
  sar_lock lock;
  unsigned inside, turns, done; /* guarded by it */
  bool nap, alone;
} room;

static void visit(room *r, unsigned turn) {
  sar_lock_take(&r->lock);
  if (r->inside++) r->alone = false;
  if (r->nap && turn % 4 == 0) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  r->inside--;
  r->done++;
  sar_lock_give(&r->lock);
}

static void *work(void *arg) {
  room *r = arg;
  for (unsigned i = 0; i < r->turns; i++) visit(r, i);
  return NULL;
}

static void eight(room *r) {
  pthread_t threads[THREADS];
  r->alone = true;
  if (!CHECK(sar_lock_init(&r->lock))) return;
  for (int i = 0; i < THREADS; i++) CHECK(!pthread_create(&threads[i], NULL, work, r));
  for (int i = 0; i < THREADS; i++) CHECK(!pthread_join(threads[i], NULL));
  CHECK(r->alone);
  CHECK_EQ(r->done, THREADS * r->turns);
  CHECK_EQ(atomic_load(&r->lock.state), SAR_LOCK_OPEN);
  sar_lock_drop(&r->lock);
}

static void short_turns(void) {
  eight(&(room){.turns = 50000});
}

static void naps_inside(void) {
  eight(&(room){.turns = 400, .nap = true});
}

int main(int argc, char **argv) {
  const test_case cases[] = {{"short_turns", short_turns}, {"naps_inside", naps_inside}};
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
