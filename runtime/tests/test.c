#include "test.h"

#include <stdio.h>
#include <string.h>

#ifdef SAR_HAVE_CUDA
#include <sar/cuda.h>
#endif

static unsigned failures;
static bool cuda, downward;

bool test_check(bool ok, const char *file, int line, const char *text) {
  if (ok) return true;
  const char *base = strrchr(file, '/');
  fprintf(stderr, "%s:%d: %s\n", base ? base + 1 : file, line, text);
  failures++;
  return false;
}

bool test_equal(uint64_t got, uint64_t want, const char *file, int line, const char *text) {
  if (got == want) return true;
  fprintf(stderr, "got %llu, want %llu: ", (unsigned long long)got, (unsigned long long)want);
  return test_check(false, file, line, text);
}

bool test_status(sar_status got, sar_status want, const char *file, int line, const char *text) {
  if (got == want) return true;
  fprintf(stderr, "got '%s', want '%s': ", sar_status_name(got), sar_status_name(want));
  return test_check(false, file, line, text);
}

bool test_on_cuda(void) {
  return cuda;
}

static bool wanted(const char *name, int argc, char **argv) {
  bool any = false;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-') continue;
    if (!strcmp(argv[i], name)) return true;
    any = true;
  }
  return !any;
}

static sar_status make_device(sar_device **out, const sar_sim_config *sim) {
#ifdef SAR_HAVE_CUDA
  if (cuda) return sar_cuda_create(out, 0);
#endif
  sar_sim_config config = sim ? *sim : (sar_sim_config){.size = sizeof config};
  config.downward |= downward;
  return sar_sim_create(out, &config);
}

static bool device_is_there(void) {
#ifdef SAR_HAVE_CUDA
  sar_device *device;
  if (make_device(&device, NULL)) return false;
  sar_device_destroy(device);
  return true;
#else
  return false;
#endif
}

int test_main(const test_case *cases, size_t count, int argc, char **argv) {
  unsigned passed = 0, failed = 0;
  for (int i = 1; i < argc; i++) {
    cuda |= !strcmp(argv[i], "--cuda");
    downward |= !strcmp(argv[i], "--downward");
  }
  if (cuda && !device_is_there()) {
    puts("skipped: no device");
    return 77;
  }
  for (size_t i = 0; i < count; i++) {
    if (!wanted(cases[i].name, argc, argv)) continue;
    unsigned before = failures;
    cases[i].fn();
    if (failures != before) fprintf(stderr, "FAILED %s\n", cases[i].name);
    failures == before ? passed++ : failed++;
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed || !passed;
}

/* ---- beds ----------------------------------------------------------------------------------- */

test_bed bed_make_with(const sar_config *config, const sar_sim_config *sim) {
  test_bed b = {0};
  OK(make_device(&b.device, sim));
  OK(sar_create(&b.pool, config, sar_device_backend(b.device)));
  OK(sar_stream_create(&b.s0, b.device));
  OK(sar_stream_create(&b.s1, b.device));
  OK(sar_stream_create(&b.s2, b.device));
  return b;
}

test_bed bed_make(const sar_config *config) {
  return bed_make_with(config, NULL);
}

void bed_drop(test_bed *b) {
  OK(sar_check(b->pool));
  OK(sar_destroy(b->pool));
  sar_device_destroy(b->device);
}

sar_addr bed_malloc(test_bed *b, size_t bytes, sar_stream stream) {
  sar_addr addr = 0;
  OK(sar_malloc(&addr, b->pool, bytes, stream));
  CHECK(addr);
  return addr;
}

sar_stats bed_stats(test_bed *b) {
  sar_stats stats = {0};
  OK(sar_get_stats(&stats, b->pool));
  return stats;
}

uint64_t test_random(uint64_t *state) {
  uint64_t x = *state += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
