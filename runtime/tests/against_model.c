/* Random calls, and all short lists of calls, beside a naive allocator: same addresses, same
 * statuses, same bytes, and every invariant after each call. */
#include <stdio.h>
#include <stdlib.h>

#include "mock.h"
#include "model.h"
#include "test.h"

#define SLOTS 48

typedef struct {
  mock device;
  model m;
  sar_pool *pool;
  sar_addr live[SLOTS];
  uint64_t seed;
} pair;

static bool start(pair *p, sar_mode mode, uint64_t memory) {
  sar_config config = {.size = sizeof config, .mode = mode};
  mock_init(&p->device, memory);
  model_init(&p->m, mode, memory);
  for (int i = 0; i < SLOTS; i++) p->live[i] = 0;
  return sar_create(&p->pool, &config, &p->device.backend) == SAR_OK;
}

static bool agree(const pair *p) {
  sar_stats s;
  return sar_get_stats(&s, p->pool) == SAR_OK && sar_check(p->pool) == SAR_OK &&
         s.allocated.current == model_bytes(&p->m, false) &&
         s.active.current == model_bytes(&p->m, true) && s.reserved.current == p->m.reserved &&
         p->device.reserved == p->m.reserved;
}

static bool do_malloc(pair *p, int slot, size_t bytes, sar_stream stream) {
  uint64_t want;
  sar_status expected = model_malloc(&p->m, &want, bytes, stream);
  sar_status got = sar_malloc(&p->live[slot], p->pool, bytes, stream);
  return got == expected && p->live[slot] == want;
}

static bool do_free(pair *p, int slot, bool forget) {
  sar_addr addr = p->live[slot];
  if (forget) p->live[slot] = 0;
  return !addr || sar_free(p->pool, addr) == model_free(&p->m, addr);
}

static bool do_record(pair *p, int slot, sar_stream stream) {
  sar_addr addr = p->live[slot];
  return !addr || sar_record_stream(p->pool, addr, stream) == model_record(&p->m, addr, stream);
}

static bool do_complete(pair *p, sar_stream stream) {
  mock_complete(&p->device, stream);
  model_complete(&p->m, stream);
  return true;
}

static bool stop(pair *p) {
  bool ok = true;
  for (int i = 0; i < SLOTS; i++) ok = do_free(p, i, true) && ok;
  ok = ok && sar_check(p->pool) == SAR_OK && sar_destroy(p->pool) == SAR_OK;
  return ok && !p->device.live_events && !p->device.segments && !p->device.reserved;
}

/* ---- random calls --------------------------------------------------------------------------- */

static size_t random_size(uint64_t *seed) {
  uint64_t r = test_random(seed);
  switch (r >> 60) {
  case 0:
    return 1 + r % 64;
  case 1:
  case 2:
    return 512 * (1 + r % 4096);
  case 3:
    return 8 * MIB + r % (16 * MIB);
  case 4:
    return 1 + r % (40 * MIB);
  default:
    return 512 * (1 + r % 12);
  }
}

static bool random_call(pair *p) {
  uint64_t r = test_random(&p->seed);
  int slot = (int)(r % SLOTS);
  sar_stream stream = (sar_stream)((r >> 20) % 3);
  switch ((r >> 32) % 16) {
  case 0:
    return do_complete(p, stream);
  case 1:
    return do_free(p, slot, (r >> 40) % 8 != 0); /* now and then freed twice later */
  case 2:
  case 3:
  case 4:
    return do_record(p, slot, stream);
  default:
    if (p->live[slot]) return do_free(p, slot, true);
    return do_malloc(p, slot, random_size(&p->seed), stream);
  }
}

/* A slot that was freed but kept may name a block that now belongs to another slot: the pair
 * forgets such twins, as a program that frees twice would hit them too. */
static void forget_twins(pair *p) {
  for (int i = 0; i < SLOTS; i++)
    for (int k = i + 1; k < SLOTS; k++)
      if (p->live[i] && p->live[i] == p->live[k]) p->live[k] = 0;
}

static void random_calls(sar_mode mode, uint64_t memory, unsigned count) {
  pair *p = calloc(1, sizeof *p);
  if (!CHECK(p) || !CHECK(start(p, mode, memory))) return;
  p->seed = 1 + (uint64_t)mode;
  for (unsigned i = 0; i < count; i++) {
    bool same = random_call(p) && agree(p);
    if (!same) fprintf(stderr, "mode %d, call %u: ", (int)mode, i);
    if (!CHECK(same)) break;
    forget_twins(p);
  }
  CHECK(stop(p));
  free(p);
}

static unsigned calls = 1000000;

static void random_calls_in_each_mode(void) {
  random_calls(SAR_MODE_RECORD, (uint64_t)1 << 40, calls / 20 * 10);
  random_calls(SAR_MODE_RECORD, 220 * MIB, calls / 20 * 5); /* memory runs out often */
  random_calls(SAR_MODE_EARLY, 400 * MIB, calls / 20 * 3);
  random_calls(SAR_MODE_WAIT, 400 * MIB, calls / 20 * 2);
}

/* ---- all lists of up to six calls ----------------------------------------------------------- */

#define CALLS  9
#define LENGTH 6

static int newest(const pair *p) {
  int i = LENGTH - 1;
  while (i > 0 && !p->live[i]) i--;
  return i;
}

static int oldest(const pair *p) {
  int i = 0;
  while (i < LENGTH - 1 && !p->live[i]) i++;
  return i;
}

static bool listed_call(pair *p, int call, int step) {
  switch (call) {
  case 0:
    return do_malloc(p, step, 600, 0);
  case 1:
    return do_malloc(p, step, 11 * MIB, 0);
  case 2:
    return do_malloc(p, step, 600, 1);
  case 3:
    return do_malloc(p, step, 11 * MIB, 1);
  case 4:
    return do_free(p, oldest(p), true);
  case 5:
    return do_free(p, newest(p), true);
  case 6:
    return do_record(p, newest(p), 0);
  case 7:
    return do_record(p, newest(p), 1);
  default:
    return do_complete(p, 0) && do_complete(p, 1);
  }
}

static int length = LENGTH;

static bool run_list(pair *p, unsigned list) {
  bool same = start(p, SAR_MODE_RECORD, 40 * MIB);
  for (int step = 0; step < length && same; step++, list /= CALLS)
    same = listed_call(p, (int)(list % CALLS), step) && agree(p);
  return stop(p) && same;
}

static void all_short_lists(void) {
  pair *p = calloc(1, sizeof *p);
  unsigned lists = 1;
  for (int i = 0; i < length; i++) lists *= CALLS;
  for (unsigned list = 0; list < lists && p; list++) {
    bool same = run_list(p, list);
    if (!same) fprintf(stderr, "list %u: ", list);
    if (!CHECK(same)) break;
  }
  free(p);
}

/* A number with a minus makes it so many random calls, and lists of one call less. */
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-' || atoi(argv[i] + 1) <= 0) continue;
    calls = (unsigned)atoi(argv[i] + 1);
    length = LENGTH - 1;
  }
  const test_case cases[] = {{"random_calls_in_each_mode", random_calls_in_each_mode},
                             {"all_short_lists", all_short_lists}};
  return test_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
