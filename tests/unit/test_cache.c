/* The cache's directory, below what the program's own tests reach. */
#include "base/fs.h"
#include "cache/cache.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char directory[] = "/tmp/sa-cache-XXXXXX";
static sa_arena *arena;
static sa_diag diag;
static sa_cache *cache;

static void start(void) {
  strcpy(directory + strlen(directory) - 6, "XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
  ck_assert_int_eq(sa_cache_open(&cache, arena, &diag, directory), SA_OK);
}

static void stop(void) {
  sa_cache_close(cache);
  sa_arena_free(arena);
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", directory);
  ck_assert_int_eq(system(command), 0);
}

static sa_hash128 key_of(unsigned number) {
  return sa_hash_keyed(&number, sizeof number, sa_cache_secret(cache));
}

static bool has(unsigned number, const char *expected) {
  const char *bytes;
  size_t length;
  if (sa_cache_get(&bytes, &length, arena, cache, key_of(number)) != SA_CACHE_HIT) return false;
  return length == strlen(expected) && memcmp(bytes, expected, length) == 0;
}

START_TEST(test_put_and_get) {
  ck_assert(!has(1, "one"));
  ck_assert(sa_cache_put(cache, key_of(1), "one", 3));
  ck_assert(sa_cache_put(cache, key_of(2), "", 0));
  ck_assert(has(1, "one"));
  ck_assert(has(2, ""));
  ck_assert(sa_cache_put(cache, key_of(1), "another", 7));
  ck_assert(has(1, "another"));
  sa_cache_drop(cache, key_of(1));
  ck_assert(!has(1, "another"));
}
END_TEST

START_TEST(test_two_at_once_share_a_secret) {
  sa_cache *second;
  ck_assert_int_eq(sa_cache_open(&second, arena, &diag, directory), SA_OK);
  ck_assert_mem_eq(sa_cache_secret(cache), sa_cache_secret(second), SA_HASH_SECRET);
  ck_assert(sa_cache_put(second, key_of(1), "one", 3));
  ck_assert(has(1, "one"));
  sa_cache_close(second);
}
END_TEST

START_TEST(test_other_directories_have_other_hashes) {
  char other[] = "/tmp/sa-cache-XXXXXX";
  sa_cache *second;
  ck_assert_ptr_nonnull(mkdtemp(other));
  ck_assert_int_eq(sa_cache_open(&second, arena, &diag, other), SA_OK);
  ck_assert(!sa_hash_same(sa_hash_keyed("x", 1, sa_cache_secret(cache)),
                          sa_hash_keyed("x", 1, sa_cache_secret(second))));
  sa_cache_close(second);
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", other);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Makes an entry look as if it had not been used for that long. */
static void age(unsigned number, time_t seconds) {
  char path[128];
  sa_hash128 key = key_of(number);
  snprintf(path, sizeof path, "%s/%02x/%016llx%016llx", directory, (unsigned)(key.low & 0xff),
           (unsigned long long)key.high, (unsigned long long)key.low);
  struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
  ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

START_TEST(test_the_longest_unused_go_first) {
  char *large = sa_alloc(arena, 100001);
  memset(large, 'x', 100000);
  for (unsigned i = 0; i < 20; i++) {
    ck_assert(sa_cache_put(cache, key_of(i), large, 100000));
    age(i, 100000 - 1000 * (time_t)i);
  }
  ck_assert(has(0, large)); /* which makes it the youngest */
  sa_cache_sweep(cache, 10 * 1000 * 1000);
  for (unsigned i = 0; i < 20; i++) ck_assert_msg(has(i, large), "%u", i);
  for (unsigned i = 1; i < 20; i++) age(i, 100000 - 1000 * (time_t)i);
  sa_cache_sweep(cache, 1000 * 1000);
  ck_assert(has(0, large));
  for (unsigned i = 1; i < 13; i++) ck_assert_msg(!has(i, large), "%u", i);
  for (unsigned i = 15; i < 20; i++) ck_assert_msg(has(i, large), "%u", i);
}
END_TEST

START_TEST(test_what_killed_runs_left_goes) {
  char old[128], fresh[128];
  ck_assert(sa_cache_put(cache, (sa_hash128){.low = 7}, "x", 1));
  snprintf(old, sizeof old, "%s/07/tmp-old", directory);
  snprintf(fresh, sizeof fresh, "%s/07/tmp-new", directory);
  ck_assert_int_ge(close(open(old, O_CREAT | O_WRONLY, 0600)), 0);
  ck_assert_int_ge(close(open(fresh, O_CREAT | O_WRONLY, 0600)), 0);
  struct timespec times[2] = {{.tv_sec = time(NULL) - 7200}, {.tv_sec = time(NULL) - 7200}};
  ck_assert_int_eq(utimensat(AT_FDCWD, old, times, 0), 0);
  sa_cache_sweep(cache, 1 << 20);
  ck_assert(!sa_fs_exists(old));
  ck_assert(sa_fs_exists(fresh));
}
END_TEST

enum { STORM_KEYS = 20, STORM_RUNS = 8, LONGEST = 50000 };

/* What belongs to a key: as long as the key says, the same byte all over. */
static bool is_right(unsigned number, const char *bytes, size_t length) {
  if (length != number * (LONGEST / STORM_KEYS)) return false;
  for (size_t i = 0; i < length; i++)
    if (bytes[i] != (char)number) return false;
  return true;
}

/* In a process of its own, until it is killed or has done its share; its status is 1 when an answer
 * was wrong. */
_Noreturn static void use_cache(unsigned seed) {
  sa_cache *own;
  char *bytes = malloc(LONGEST);
  srand(seed);
  bool good = bytes != NULL && sa_cache_open(&own, arena, &diag, directory) == SA_OK;
  for (int i = 0; i < 60 && good; i++) {
    unsigned number = (unsigned)rand() % STORM_KEYS;
    const char *got;
    size_t length, wanted = number * (LONGEST / STORM_KEYS);
    sa_arena *scratch = sa_arena_new();
    sa_cache_answer answer = sa_cache_get(&got, &length, scratch, own, key_of(number));
    good = answer == SA_CACHE_MISS || (answer == SA_CACHE_HIT && is_right(number, got, length));
    memset(bytes, (int)number, wanted);
    if (rand() % 3 == 0) good &= sa_cache_put(own, key_of(number), bytes, wanted);
    if (rand() % 50 == 0) sa_cache_sweep(own, 200000);
    if (rand() % 20 == 0) sa_cache_drop(own, key_of(number));
    sa_arena_free(scratch);
  }
  _exit(good ? 0 : 1);
}

/* SA_STORM_ROUNDS makes it longer. */
START_TEST(test_killed_at_any_time) {
  const char *wanted = getenv("SA_STORM_ROUNDS");
  int rounds = wanted != NULL ? atoi(wanted) : 40, killed = 0;
  srand(1);
  for (int round = 0; round < rounds; round++) {
    pid_t runs[STORM_RUNS];
    for (unsigned i = 0; i < STORM_RUNS; i++) {
      runs[i] = fork();
      ck_assert_int_ge(runs[i], 0);
      if (runs[i] == 0) use_cache((unsigned)round * STORM_RUNS + i);
    }
    for (unsigned i = 0; i < STORM_RUNS; i++) {
      int status;
      usleep((useconds_t)(rand() % 2000));
      if (rand() % 4 != 0) kill(runs[i], SIGKILL);
      ck_assert_int_eq(waitpid(runs[i], &status, 0), runs[i]);
      killed += WIFSIGNALED(status);
      ck_assert(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    }
  }
  ck_assert_int_gt(killed, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cache");
  TCase *tests = tcase_create("cache");
  tcase_add_checked_fixture(tests, start, stop);
  tcase_add_test(tests, test_put_and_get);
  tcase_add_test(tests, test_two_at_once_share_a_secret);
  tcase_add_test(tests, test_other_directories_have_other_hashes);
  tcase_add_test(tests, test_the_longest_unused_go_first);
  tcase_add_test(tests, test_what_killed_runs_left_goes);
  tcase_add_test(tests, test_killed_at_any_time);
  tcase_set_timeout(tests, 600);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
