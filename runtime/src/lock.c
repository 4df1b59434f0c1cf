#include "lock.h"

#define SPINS 200 /* about as long as a call that asks a few events */

bool sar_lock_init(sar_lock *l) {
  atomic_init(&l->state, SAR_LOCK_OPEN);
  if (pthread_mutex_init(&l->sleepers, NULL)) return false;
  if (!pthread_cond_init(&l->woken, NULL)) return true;
  pthread_mutex_destroy(&l->sleepers);
  return false;
}

void sar_lock_drop(sar_lock *l) {
  pthread_cond_destroy(&l->woken);
  pthread_mutex_destroy(&l->sleepers);
}

static bool try_take(sar_lock *l) {
  unsigned open = SAR_LOCK_OPEN;
  return atomic_compare_exchange_weak_explicit(&l->state, &open, SAR_LOCK_HELD,
                                               memory_order_acquire, memory_order_relaxed);
}

/* A woken thread leaves the lock marked as awaited: others may still sleep, and a wake-up too many
 * is harmless. The mark is set with sleepers held, so no wake-up falls between mark and sleep. */
void sar_lock_wait(sar_lock *l) {
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load_explicit(&l->state, memory_order_relaxed) == SAR_LOCK_OPEN && try_take(l))
      return;
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
  }
  pthread_mutex_lock(&l->sleepers);
  while (atomic_exchange_explicit(&l->state, SAR_LOCK_AWAITED, memory_order_acquire) !=
         SAR_LOCK_OPEN)
    pthread_cond_wait(&l->woken, &l->sleepers);
  pthread_mutex_unlock(&l->sleepers);
}

void sar_lock_wake(sar_lock *l) {
  pthread_mutex_lock(&l->sleepers);
  pthread_cond_signal(&l->woken);
  pthread_mutex_unlock(&l->sleepers);
}
