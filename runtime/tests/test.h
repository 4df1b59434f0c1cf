/* A few lines instead of a framework, so that the same tests run on a bare GPU machine. */
#ifndef SAR_TESTS_TEST_H
#define SAR_TESTS_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sar/sim.h>

#define MIB ((size_t)1 << 20)

typedef struct {
  const char *name;
  void (*fn)(void);
} test_case;

/* Counts a failure, prints it, and goes on. */
bool test_check(bool ok, const char *file, int line, const char *text);
bool test_equal(uint64_t got, uint64_t want, const char *file, int line, const char *text);
bool test_status(sar_status got, sar_status want, const char *file, int line, const char *text);
#define CHECK(ok)                test_check((ok), __FILE__, __LINE__, #ok)
#define CHECK_EQ(got, want)      test_equal((got), (want), __FILE__, __LINE__, #got " == " #want)
#define CHECK_STATUS(call, want) test_status((call), (want), __FILE__, __LINE__, #call)
#define OK(call)                 CHECK_STATUS(call, SAR_OK)

/* Runs the cases, or those named on the command line; prints "N passed, N failed". With --cuda
 * the tests get a CUDA device, and without one the program prints so and returns 77; with
 * --downward the simulator hands out its segments from the top. */
int test_main(const test_case *cases, size_t count, int argc, char **argv);
bool test_on_cuda(void);

/* A device, a pool and three streams. */
typedef struct {
  sar_device *device;
  sar_pool *pool;
  sar_stream s0, s1, s2;
} test_bed;

test_bed bed_make(const sar_config *config);
test_bed bed_make_with(const sar_config *config, const sar_sim_config *sim);
/* The pool is empty and whole, the device saw no failure (or only those a test forgave). */
void bed_drop(test_bed *bed);
sar_addr bed_malloc(test_bed *bed, size_t bytes, sar_stream stream);
sar_stats bed_stats(test_bed *bed);

uint64_t test_random(uint64_t *state);

#endif
