/* Coded calls: each byte of the input is a call on the pool over the mock device, beside the naive
 * model where memory is plenty. Built with libFuzzer; without it, main replays files, so a corpus
 * is a test on any compiler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock.h"
#include "model.h"

#define SLOTS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
  mock device;
  model m;
  sar_pool *pool;
  sar_addr live[SLOTS];
} scene;

static void require(bool ok) {
  if (!ok) abort();
}

static size_t size_of(uint8_t code) {
  static const size_t sizes[] = {
      1,        512,     513, 4096, 1 << 20, (1 << 20) + 1, 3 << 20, 10 << 20, (10 << 20) + 1,
      20 << 20, 33 << 20};
  return sizes[code % (sizeof sizes / sizeof *sizes)];
}

static bool twin(const scene *s, int slot) {
  for (int i = 0; i < SLOTS; i++)
    if (i != slot && s->live[i] && s->live[i] == s->live[slot]) return true;
  return false;
}

static void do_malloc(scene *s, int slot, uint8_t code, sar_stream stream) {
  uint64_t want;
  sar_status expected = model_malloc(&s->m, &want, size_of(code), stream);
  require(sar_malloc(&s->live[slot], s->pool, size_of(code), stream) == expected);
  require(s->live[slot] == want);
}

static void one_call(scene *s, uint8_t code, uint8_t argument) {
  int slot = argument % SLOTS;
  sar_stream stream = argument >> 6;
  sar_addr addr = s->live[slot];
  switch (code % 6) {
  case 0:
  case 1:
    if (!addr || twin(s, slot)) do_malloc(s, slot, code / 6, stream);
    break;
  case 2: /* now and then the address is kept, to be freed twice */
    if (addr) require(sar_free(s->pool, addr) == model_free(&s->m, addr));
    if (code < 200) s->live[slot] = 0;
    break;
  case 3:
    if (addr)
      require(sar_record_stream(s->pool, addr, stream) == model_record(&s->m, addr, stream));
    break;
  case 4:
    mock_complete(&s->device, stream);
    model_complete(&s->m, stream);
    break;
  default: /* an address that may be anything */
    addr = addr * (code & 1) + argument * 512u;
    require(sar_free(s->pool, addr) == (addr ? model_free(&s->m, addr) : SAR_OK));
  }
}

static void close_scene(scene *s) {
  for (int i = 0; i < SLOTS; i++)
    if (s->live[i]) sar_free(s->pool, s->live[i]);
  for (size_t i = 0; i < s->m.count; i++) /* blocks that only the model remembers */
    if (s->m.blocks[i].state == MODEL_LIVE) sar_free(s->pool, s->m.blocks[i].addr);
  require(sar_check(s->pool) == SAR_OK);
  require(sar_destroy(s->pool) == SAR_OK);
  require(!s->device.live_events && !s->device.segments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || size > 4096) return 0;
  sar_config config = {.size = sizeof config, .mode = (sar_mode)(data[0] % 3)};
  uint64_t memory = data[0] & 4 ? 90u << 20 : (uint64_t)1 << 40;
  scene *s = calloc(1, sizeof *s);
  require(s);
  mock_init(&s->device, memory);
  model_init(&s->m, config.mode, memory);
  require(!sar_create(&s->pool, &config, &s->device.backend));
  for (size_t i = 1; i + 1 < size; i += 2) {
    one_call(s, data[i], data[i + 1]);
    if (i % 16 == 1) require(sar_check(s->pool) == SAR_OK);
  }
  close_scene(s);
  free(s);
  return 0;
}

#ifndef SAR_LIBFUZZER
static bool replay(const char *path) {
  static uint8_t data[4097];
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  size_t n = fread(data, 1, sizeof data, f);
  fclose(f);
  LLVMFuzzerTestOneInput(data, n);
  return true;
}

/* Files, and then inputs from a small generator, so that the code runs in every build. */
int main(int argc, char **argv) {
  uint64_t x = 88172645463325252u;
  unsigned passed = 0;
  for (int i = 1; i < argc; i++, passed++)
    if (!replay(argv[i])) return 1;
  for (int i = 0; i < 3000; i++, passed++) {
    uint8_t data[256];
    for (size_t k = 0; k < sizeof data; k++) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      data[k] = (uint8_t)(x >> 24);
    }
    LLVMFuzzerTestOneInput(data, sizeof data);
  }
  printf("%u passed, 0 failed\n", passed);
  return 0;
}
#endif
