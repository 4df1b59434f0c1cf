/* SARIF of many results: seconds, memory, and what is kept when there are more than a log may hold.
 */
#include "report_sample.h"

#include <jansson.h>
#include <sys/resource.h>
#include <zlib.h>

enum { FILES = 25, LINES = 1004, LIMIT = 25000, STEPS = 5 };

#ifndef SA_SANITIZED
static const double SECONDS = 1.0;
static const long GROWTH_KIB = 16 * 1024;
#endif

static const char *file_name(int number) {
  return sa_printf(arena, "src/f%02d.cpp", number);
}

/* Names are static: they outlive the loop, and the result itself should be small. */
static void add_many(void) {
  static const char *const roles[STEPS] = {"creation", "side-use", "wait", "record", "release"};
  result.findings.n = 0;
  for (int f = 0; f < FILES; f++) {
    const char *name = file_name(f);
    sa_step *steps = sa_alloc(arena, STEPS * sizeof *steps);
    for (uint32_t i = 0; i < STEPS; i++)
      steps[i] =
          (sa_step){roles[i],
                    {.file = name, .line = i + 1, .column = 1, .end_line = i + 1, .end_column = 9},
                    "work on stream 'side' uses 'batch', and so does the one after it"};
    for (uint32_t line = 1; line <= LINES; line++) {
      sa_place at = {.file = name, .line = line, .column = 3, .end_line = line, .end_column = 25};
      bool strong = line % 4 == 0;
      sa_finding finding =
          sample_finding(strong ? 2 : 0, strong ? SA_ERROR : SA_WARNING, at, "00000000000000a1");
      finding.evidence.at = steps;
      finding.evidence.n = finding.evidence.capacity = STEPS;
      sa_push(arena, &result.findings, finding);
    }
  }
  sa_keys_give(&result, arena);
}

static void write_sources(void) {
  for (int f = 0; f < FILES; f++) {
    FILE *out = fopen(sa_printf(arena, "%s/%s", root, file_name(f)), "wb");
    ck_assert_ptr_nonnull(out);
    for (int line = 0; line < LINES; line++)
      fprintf(out, "  x%d.record_stream(side_stream);\n", line);
    ck_assert_int_eq(fclose(out), 0);
  }
}

static void remove_sources(void) {
  for (int f = 0; f < FILES; f++) unlink(sa_printf(arena, "%s/%s", root, file_name(f)));
}

static long peak_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Seconds of the processor: other programs do not count. */
static double write_log(const char *path) {
  FILE *out = fopen(path, "wb");
  sa_report_options options = {.root = root};
  ck_assert_ptr_nonnull(out);
  double start = processor_seconds();
  ck_assert_int_eq(sa_reporter_find("sarif")->write(out, &result, &options), SA_OK);
  double seconds = processor_seconds() - start;
  ck_assert_int_eq(fclose(out), 0);
  return seconds;
}

START_TEST(many_results_are_written_in_a_second_and_constant_memory) {
  write_sources();
  add_many();
  result.findings.n = LIMIT;
  const char *path = sa_printf(arena, "%s/out.sarif", root);
  long before = peak_kib();
  double seconds = write_log(path);
  long growth = peak_kib() - before;
  struct stat written;
  ck_assert_int_eq(stat(path, &written), 0);
  fprintf(stderr, "sarif of %d results, %ld bytes: %.2f s, %ld KiB more than before\n", LIMIT,
          (long)written.st_size, seconds, growth);
#ifndef SA_SANITIZED
  ck_assert_msg(growth <= GROWTH_KIB, "%ld KiB", growth);
  for (int again = 0; again < 3 && seconds > SECONDS; again++) seconds = write_log(path);
  ck_assert_msg(seconds <= SECONDS, "%.2f s", seconds);
#endif
  unlink(path);
  remove_sources();
}
END_TEST

START_TEST(the_strongest_are_kept) {
  write_sources();
  add_many();
  char *text = report_of("sarif", &result, (sa_report_options){0});
  json_error_t error;
  json_t *log = json_loads(text, 0, &error);
  ck_assert_msg(log != NULL, "%d: %s", error.line, error.text);
  const json_t *run = json_array_get(json_object_get(log, "runs"), 0);
  const json_t *results = json_object_get(run, "results"), *one;
  size_t errors = 0, i;
  ck_assert_uint_eq(json_array_size(results), LIMIT);
  json_array_foreach(results, i, one) errors +=
      strcmp(json_string_value(json_object_get(one, "level")), "error") == 0;
  ck_assert_uint_eq(errors, FILES * (LINES / 4));
  const char *told = sa_printf(arena, "%d results are left out", FILES * LINES - LIMIT);
  ck_assert_ptr_nonnull(strstr(text, told));
  json_decref(log);
  remove_sources();
}
END_TEST

/* Words that gzip cannot make much smaller, so that the bytes decide and not the number. */
START_TEST(what_is_too_large_after_gzip_is_left_out) {
  enum { RESULTS = 400, LETTERS = 2000, MOST = 400000 };
  uint64_t state = 1;
  uint32_t told = 0;
  write_sources();
  add_many();
  result.findings.n = RESULTS;
  for (uint32_t i = 0; i < RESULTS; i++) {
    char *words = sa_alloc(arena, LETTERS + 1);
    for (int j = 0; j < LETTERS; j++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      words[j] = (char)('A' + (state >> 60) + ((state >> 59) & 1) * 32);
    }
    result.findings.at[i].message = words;
  }
  sa_report_options options = {.sarif = {.most_bytes = MOST, .left_out = &told}};
  char *text = report_of("sarif", &result, options);
  const char *path = sa_printf(arena, "%s/out.gz", root);
  gzFile packed = gzopen(path, "wb");
  ck_assert_int_gt(gzwrite(packed, text, (unsigned)strlen(text)), 0);
  ck_assert_int_eq(gzclose(packed), Z_OK);
  struct stat written;
  ck_assert_int_eq(stat(path, &written), 0);
  ck_assert_int_le(written.st_size, MOST);
  ck_assert_int_ge(written.st_size, MOST * 9 / 10);
  json_t *log = json_loads(text, 0, NULL);
  const json_t *run = json_array_get(json_object_get(log, "runs"), 0), *one;
  const json_t *results = json_object_get(run, "results");
  size_t n = json_array_size(results), errors = 0, i;
  ck_assert_uint_eq(told, RESULTS - n);
  ck_assert_uint_gt(n, RESULTS / 4); /* the errors are a quarter, and all of them are there */
  json_array_foreach(results, i, one) errors +=
      strcmp(json_string_value(json_object_get(one, "level")), "error") == 0;
  ck_assert_uint_eq(errors, RESULTS / 4);
  ck_assert_ptr_nonnull(strstr(text, sa_printf(arena, "%u results are left out", (unsigned)told)));
  json_decref(log);
  unlink(path);
  remove_sources();
}
END_TEST

START_TEST(full_disk_is_reported_whatever_the_size) {
  add_many();
  check_full_disk("sarif");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {full_disk_is_reported_whatever_the_size,
                                many_results_are_written_in_a_second_and_constant_memory,
                                the_strongest_are_kept, what_is_too_large_after_gzip_is_left_out};
  return run_suite("report_sarif_size", tests, sizeof tests / sizeof *tests);
}
