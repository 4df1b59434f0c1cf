/* The pool's lock. A call holds it for tens of nanoseconds, so an open lock is taken and given back
 * with one atomic exchange each, a held one is watched for a while, and only then does the thread
 * sleep. */
#ifndef SAR_SRC_LOCK_H
#define SAR_SRC_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SAR_LOCK_OPEN, SAR_LOCK_HELD, SAR_LOCK_AWAITED /* held, and somebody may sleep */ };

typedef struct {
  _Atomic unsigned state;
  pthread_mutex_t sleepers;
  pthread_cond_t woken;
} sar_lock;

bool sar_lock_init(sar_lock *);
void sar_lock_drop(sar_lock *);
void sar_lock_wait(sar_lock *); /* the long ways of take and give */
void sar_lock_wake(sar_lock *);

static inline void sar_lock_take(sar_lock *l) {
  unsigned open = SAR_LOCK_OPEN;
  if (!atomic_compare_exchange_strong_explicit(&l->state, &open, SAR_LOCK_HELD,
                                               memory_order_acquire, memory_order_relaxed))
    sar_lock_wait(l);
}

static inline void sar_lock_give(sar_lock *l) {
  if (atomic_exchange_explicit(&l->state, SAR_LOCK_OPEN, memory_order_release) == SAR_LOCK_AWAITED)
    sar_lock_wake(l);
}

#endif
