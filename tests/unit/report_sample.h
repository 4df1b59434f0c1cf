/* A hand-made result and its sources for the tests of the writers: emoji, tabs and CRLF before the
 * columns, several calls on one line, every optional part present once and absent once. */
#ifndef TEST_REPORT_SAMPLE_H
#define TEST_REPORT_SAMPLE_H

#include "model/key.h"
#include "report/report.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sa_arena *arena;
static char root[] = "/tmp/sa-lint-report-XXXXXX";
static sa_result result;
static sa_ruleset rules;

static const char SOURCE[] = "void run(at::Tensor x) {\n"
                             "\t/* \xf0\x9f\x98\x80 */ x.record_stream(side);\r\n"
                             "  x.reset(); // \xc3\xa9\n"
                             "  a.record_stream(s); b.record_stream(s);\n"
                             "}\n";

static void write_source(const char *name, const char *text) {
  FILE *out = fopen(sa_printf(arena, "%s/%s", root, name), "wb");
  ck_assert_ptr_nonnull(out);
  fputs(text, out);
  ck_assert_int_eq(fclose(out), 0);
}

static void add_rules(void) {
  static const sa_rule table[] = {{.id = "SA101",
                                   .name = "avoidable-record-stream",
                                   .level = SA_WARNING,
                                   .precision = "high",
                                   .summary = "A summary.",
                                   .description = "A description.",
                                   .help = "a help line",
                                   .bad = "bad();",
                                   .good = "good();",
                                   .hazard = SA_HAZARD_COUNT},
                                  {.id = "SA104",
                                   .name = "missing-justification",
                                   .level = SA_NOTE,
                                   .precision = "high",
                                   .summary = "A summary.",
                                   .description = "A description.",
                                   .help = "a help line",
                                   .bad = "bad();",
                                   .good = "good();",
                                   .hazard = SA_HAZARD_COUNT},
                                  {.id = "SA301",
                                   .name = "unordered-release",
                                   .level = SA_ERROR,
                                   .precision = "medium",
                                   .summary = "A summary.",
                                   .description = "A description.",
                                   .help = "a help line",
                                   .bad = "bad();",
                                   .good = "good();",
                                   .hazard = SA_HAZARD_UNORDERED_RELEASE}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) sa_push(arena, &rules.rules, table[i]);
}

static sa_site sample_site(const char *id, sa_place at, const char *category) {
  return (sa_site){.id = id,
                   .at = at,
                   .language = "cpp",
                   .function = "run",
                   .api = "at::Tensor::record_stream",
                   .kind = "call",
                   .analysed = true,
                   .category = category,
                   .effect = "protects",
                   .confidence = "high",
                   .creation_stream = "main",
                   .recorded_stream = "side",
                   .block = "x",
                   .release_kind = "reset",
                   .release_line = 3,
                   .verdict = "explicit-release",
                   .advice = "use an event"};
}

static void add_sites(void) {
  /* The call starts at byte 13 of its line, at UTF-16 unit 11. */
  sa_site first =
      sample_site("00000000000000a1", (sa_place){"src/a b.cpp", 2, 13, 2, 34, 0, 0}, "avoidable");
  sa_push(arena, &first.evidence,
          ((sa_step){"record", {"src/a b.cpp", 2, 13, 2, 34, 0, 0}, "'x' is recorded on 'side'"}));
  sa_push(arena, &first.evidence,
          ((sa_step){"release", {"src/a b.cpp", 3, 3, 3, 12, 0, 0}, "'x' is reset"}));
  sa_push(arena, &first.proved, "release: reset");
  sa_push(arena, &first.assumed, "'side_work' uses the stream it is given");
  first.has_fix = first.fix_safe = true;
  sa_push(arena, &first.edits, ((sa_edit){{"src/a b.cpp", 2, 13, 2, 35, 0, 0}, ""}));
  sa_push(arena, &result.sites, first);
  sa_site second =
      sample_site("00000000000000a2", (sa_place){"src/a b.cpp", 4, 3, 4, 21, 0, 0}, "unavoidable");
  second.block = "a";
  second.release_kind = "unknown";
  second.release_line = 0;
  sa_push(arena, &second.missing, "who frees it");
  sa_push(arena, &result.sites, second);
  sa_site third =
      sample_site("00000000000000a3", (sa_place){"src/a b.cpp", 4, 23, 4, 41, 0, 0}, NULL);
  third.analysed = false;
  third.reason = "type not known";
  third.verdict = "";
  third.effect = "unknown";
  sa_push(arena, &result.sites, third);
}

static sa_finding sample_finding(int rule, sa_severity level, sa_place at, const char *site) {
  return (sa_finding){.rule = &rules.rules.at[rule],
                      .level = level,
                      .at = at,
                      .message = "Title of it. More [words](see there), 100%.",
                      .help = "use an event",
                      .site = site,
                      .function = "run"};
}

static void add_findings(void) {
  sa_finding first = sample_finding(0, SA_WARNING, result.sites.at[0].at, "00000000000000a1");
  first.evidence.at = result.sites.at[0].evidence.at;
  first.evidence.n = result.sites.at[0].evidence.n;
  sa_push(arena, &result.findings, first);
  sa_push(arena, &result.findings,
          sample_finding(2, SA_ERROR, (sa_place){"src/a b.cpp", 3, 3, 3, 12, 0, 0}, NULL));
  sa_push(arena, &result.findings,
          sample_finding(1, SA_NOTE, result.sites.at[1].at, "00000000000000a2"));
  sa_push(arena, &result.findings,
          sample_finding(1, SA_NOTE, result.sites.at[2].at, "00000000000000a3"));
  sa_push(arena, &result.findings,
          sample_finding(1, SA_NOTE, (sa_place){"../outside.h", 1, 1, 1, 5, 0, 0}, NULL));
}

static void setup(void) {
  arena = sa_arena_new();
  ck_assert_ptr_nonnull(mkdtemp(root));
  ck_assert_int_eq(mkdir(sa_printf(arena, "%s/src", root), 0755), 0);
  write_source("src/a b.cpp", SOURCE);
  add_rules();
  result = (sa_result){.tool_version = "0.1.0",
                       .libclang_version = "19.1.7",
                       .rules = &rules,
                       .files = 2,
                       .files_skipped = 1,
                       .files_failed = 1};
  add_sites();
  add_findings();
  sa_keys_give(&result, arena);
  sa_push(arena, &result.messages,
          ((sa_message){SA_ERROR, "src/broken.cpp", 7, 1, "cannot be read", false}));
  sa_push(arena, &result.messages, ((sa_message){SA_NOTE, NULL, 0, 0, "no build folder", true}));
}

static void teardown(void) {
  unlink(sa_printf(arena, "%s/src/a b.cpp", root));
  rmdir(sa_printf(arena, "%s/src", root));
  rmdir(root);
  sa_arena_free(arena);
}

/* What the format writes for `what`. */
static char *report_of(const char *format, const sa_result *what, sa_report_options options) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  options.root = root;
  ck_assert_int_eq(sa_reporter_find(format)->write(out, what, &options), SA_OK);
  ck_assert_int_eq(fclose(out), 0);
  char *copy = sa_strndup(arena, bytes, length);
  free(bytes);
  return copy;
}

/* A full disk is an error, not a crash. */
static void check_full_disk(const char *format) {
  FILE *out = fopen("/dev/full", "w");
  if (out == NULL) return; /* not a Linux machine */
  sa_report_options options = {.root = root};
  ck_assert_int_eq(sa_reporter_find(format)->write(out, &result, &options), SA_E_IO);
  fclose(out);
}

static int run_suite(const char *name, const TTest *const *tests, size_t n) {
  Suite *suite = suite_create(name);
  TCase *tcase = tcase_create(name);
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_set_timeout(tcase, 60);
  for (size_t i = 0; i < n; i++) tcase_add_test(tcase, tests[i]);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
