/* Options, the form results travel in, and worker processes. */
#include "base/fs.h"
#include "cli/options.h"
#include "cli/wire.h"
#include "cli/workers.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sa_arena *arena;
static sa_diag diag;

static void set_up(void) {
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
}

static void tear_down(void) {
  sa_arena_free(arena);
}

static sa_status read_words(sa_options *options, const char *words) {
  char *copy = sa_strdup(arena, words), *argv[32] = {"sa-lint"};
  int argc = 1;
  for (char *word; (word = strsep(&copy, " ")) != NULL;) argv[argc++] = word;
  diag.messages.n = 0;
  return sa_options_read(options, arena, &diag, argc, argv);
}

START_TEST(options_are_read) {
  sa_options o;
  ck_assert_int_eq(
      read_words(&o, "check -p build -DX=1 --define Y a.cpp --format json=out.json -f text "
                     "--fail-on=error --select SA1,SA301 --exit-zero -j3 -- -b.cpp"),
      SA_OK);
  ck_assert_int_eq(o.command, SA_COMMAND_CHECK);
  ck_assert_str_eq(o.database, "build");
  ck_assert_uint_eq(o.defines.n, 2);
  ck_assert_str_eq(o.defines.at[1], "Y");
  ck_assert_uint_eq(o.formats.n, 2);
  ck_assert_str_eq(o.formats.at[0].path, "out.json");
  ck_assert_str_eq(o.formats.at[1].reporter->name, "text");
  ck_assert_int_eq(o.fail_on, SA_ERROR);
  ck_assert_uint_eq(o.select.n, 2);
  ck_assert_str_eq(o.select.at[1], "SA301");
  ck_assert(o.exit_zero && !o.quiet);
  ck_assert_uint_eq(o.jobs, 3);
  ck_assert_uint_eq(o.paths.n, 2);
  ck_assert_str_eq(o.paths.at[1], "-b.cpp");
}
END_TEST

START_TEST(output_goes_to_the_first_format_without_a_path) {
  sa_options o;
  ck_assert_int_eq(read_words(&o, "-f json=a -f sarif -o b x.c"), SA_OK);
  ck_assert_str_eq(o.formats.at[0].path, "a");
  ck_assert_str_eq(o.formats.at[1].path, "b");
  ck_assert_int_eq(read_words(&o, "-o b x.c"), SA_OK);
  ck_assert_str_eq(o.formats.at[0].reporter->name, "text");
  ck_assert_str_eq(o.formats.at[0].path, "b");
}
END_TEST

START_TEST(commands_are_the_first_path_only) {
  sa_options o;
  ck_assert_int_eq(read_words(&o, "rules --format json"), SA_OK);
  ck_assert_int_eq(o.command, SA_COMMAND_RULES);
  ck_assert_uint_eq(o.paths.n, 0);
  ck_assert_int_eq(read_words(&o, "./rules check"), SA_OK);
  ck_assert_int_eq(o.command, SA_COMMAND_CHECK);
  ck_assert_uint_eq(o.paths.n, 2);
}
END_TEST

START_TEST(mistakes_are_named) {
  static const char *const cases[][2] = {
      {"--formt json", "--formt: "},
      {"--format xml", "--format 'xml': "},
      {"--format json=", "--format 'json=': "},
      {"a.c --define", "--define: "},
      {"-p", "-p: "},
      {"-j x", "--jobs 'x': "},
      {"-j -1", "--jobs '-1': "},
      {"-j 999999", "--jobs '999999': "},
      {"--fail-on bad", "--fail-on 'bad': "},
      {"--select X1", "--select 'X1': "},
      {"--color red", "--color 'red': "},
      {"--dump x", "--dump 'x': "},
      {"--on-parse-error x", "--on-parse-error 'x': "},
      {"-f json -f text a.c", "--format: "},
      {"-f json=x -o y a.c", "--output: "},
      {"--quiet=yes", "--quiet=yes: "},
      {"-Z", "-Z: "},
      {"@/nonexistent/list", "the file does not exist"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sa_options o;
    ck_assert_int_eq(read_words(&o, cases[i][0]), SA_E_USAGE);
    ck_assert_uint_eq(diag.messages.n, 1);
    ck_assert_msg(strncmp(diag.messages.at[0].text, cases[i][1], strlen(cases[i][1])) == 0,
                  "'%s' gave '%s'", cases[i][0], diag.messages.at[0].text);
  }
}
END_TEST

START_TEST(response_files_hold_one_argument_a_line) {
  char path[] = "/tmp/sa-cli-XXXXXX";
  int fd = mkstemp(path);
  const char *text = "--quiet\r\n\na b.cpp\n@not-nested";
  ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  sa_options o;
  ck_assert_int_eq(read_words(&o, sa_printf(arena, "@%s -v", path)), SA_OK);
  unlink(path);
  ck_assert(o.quiet && o.verbose);
  ck_assert_uint_eq(o.paths.n, 2);
  ck_assert_str_eq(o.paths.at[0], "a b.cpp");
  ck_assert_str_eq(o.paths.at[1], "@not-nested");
}
END_TEST

START_TEST(help_fits_the_terminal) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  sa_options_help(out);
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "--fail-on LEVEL"));
  ck_assert_ptr_nonnull(strstr(text, "sarif"));
  for (char *line, *rest = text; (line = strsep(&rest, "\n")) != NULL;)
    ck_assert_msg(strlen(line) <= 100, "too long: %s", line);
  free(text);
}
END_TEST

static sa_ruleset *two_rules(void) {
  sa_ruleset *rules = sa_alloc(arena, sizeof *rules);
  sa_push(arena, &rules->rules, (sa_rule){.id = "SA101"});
  sa_push(arena, &rules->rules, (sa_rule){.id = "SA301"});
  return rules;
}

static void fill(sa_result *result) {
  sa_place at = {"a.cpp", 1, 2, 3, 4, 5, 6};
  sa_site site = {.id = "x",
                  .at = at,
                  .language = "cpp",
                  .function = "f",
                  .api = "g",
                  .kind = "call",
                  .analysed = true,
                  .reason = NULL,
                  .category = "avoidable",
                  .effect = "protects",
                  .confidence = "high",
                  .creation_stream = "s",
                  .recorded_stream = "",
                  .block = "b",
                  .release_kind = "scope-end",
                  .release_line = 9,
                  .verdict = "v",
                  .advice = "do"};
  sa_push(arena, &site.evidence, (sa_step){"created", at, "here"});
  sa_push(arena, &site.assumed, "one");
  sa_push(arena, &site.assumed, "two");
  sa_push(arena, &site.edits, (sa_edit){at, "text\nwith line"});
  sa_push(arena, &result->sites, site);
  sa_finding finding = {.rule = &result->rules->rules.at[1],
                        .level = SA_ERROR,
                        .at = at,
                        .message = "m",
                        .help = "",
                        .site = NULL,
                        .function = "f"};
  sa_push(arena, &result->findings, finding);
  sa_push(arena, &result->messages, (sa_message){SA_NOTE, NULL, 0, 0, "said", true});
  result->files_failed = 1;
}

START_TEST(results_travel_whole) {
  sa_result sent = {.rules = two_rules()}, got = {.rules = sent.rules};
  char *bytes, *again;
  size_t length, length_again;
  fill(&sent);
  FILE *out = open_memstream(&bytes, &length);
  sa_wire_write(out, &sent);
  fclose(out);
  ck_assert(sa_wire_read(&got, arena, bytes, length));
  ck_assert_uint_eq(got.sites.n, 1);
  ck_assert_str_eq(got.sites.at[0].assumed.at[1], "two");
  ck_assert_str_eq(got.sites.at[0].edits.at[0].text, "text\nwith line");
  ck_assert_ptr_null(got.sites.at[0].reason);
  ck_assert_ptr_eq(got.findings.at[0].rule, sent.findings.at[0].rule);
  ck_assert_ptr_null(got.findings.at[0].site);
  ck_assert_uint_eq(got.files_failed, 1);
  out = open_memstream(&again, &length_again);
  sa_wire_write(out, &got);
  fclose(out);
  ck_assert_uint_eq(length, length_again);
  ck_assert_mem_eq(bytes, again, length);
  ck_assert(sa_wire_read(&got, arena, bytes, length));
  ck_assert_uint_eq(got.sites.n, 2);
  ck_assert_uint_eq(got.files_failed, 2);
  free(bytes);
  free(again);
}
END_TEST

START_TEST(half_a_result_is_refused) {
  sa_result sent = {.rules = two_rules()}, got = {.rules = sent.rules};
  char *bytes;
  size_t length;
  fill(&sent);
  FILE *out = open_memstream(&bytes, &length);
  sa_wire_write(out, &sent);
  fclose(out);
  for (size_t n = 0; n < length; n++) ck_assert(!sa_wire_read(&got, arena, bytes, n));
  ck_assert_uint_eq(got.sites.n + got.findings.n + got.messages.n + got.files_failed, 0);
  memset(bytes, 0xfe, 4);
  ck_assert(!sa_wire_read(&got, arena, bytes, length));
  free(bytes);
}
END_TEST

typedef struct {
  unsigned done[200], lost[200];
  const char *why;
  unsigned bad;  /* every task whose number this divides fails */
  int by_signal; /* 0: hangs */
} tally;

static void do_task(void *context, uint32_t task, FILE *reply) {
  const tally *t = context;
  if (t->bad != 0 && task % t->bad == 1) {
    if (t->by_signal != 0) raise(t->by_signal);
    for (;;) pause();
  }

  /* more than a pipe holds */
  for (unsigned i = 0; i < 17000 + task; i++) fwrite(&task, sizeof task, 1, reply);
}

static void take_reply(void *context, uint32_t task, const char *bytes, size_t length) {
  tally *t = context;
  ck_assert_uint_eq(length, (17000 + task) * sizeof task);
  for (size_t i = 0; i < length; i += sizeof task)
    if (memcmp(bytes + i, &task, sizeof task) != 0) ck_abort_msg("byte %zu is not of %u", i, task);
  t->done[task]++;
}

static void take_loss(void *context, uint32_t task, const char *why) {
  tally *t = context;
  t->lost[task]++;
  t->why = sa_strdup(arena, why);
}

static tally run_tasks(unsigned workers, uint32_t tasks, unsigned bad, int by_signal) {
  tally t = {.bad = bad, .by_signal = by_signal};
  sa_work work = {.workers = workers,
                  .timeout = by_signal == 0 && bad != 0,
                  .tasks = tasks,
                  .context = &t,
                  .run = do_task,
                  .done = take_reply,
                  .lost = take_loss};
  signal(SIGPIPE, SIG_IGN);
  sa_workers_run(&work);
  for (uint32_t i = 0; i < tasks; i++) {
    bool fails = bad != 0 && i % bad == 1;
    ck_assert_uint_eq(t.done[i], !fails);
    ck_assert_uint_eq(t.lost[i], fails);
  }
  return t;
}

START_TEST(every_task_is_done_once) {
  static const unsigned workers[] = {0, 1, 5, 300};
  for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
    run_tasks(workers[i], 40, 0, 0);
    run_tasks(workers[i], 0, 0, 0);
    run_tasks(workers[i], 1, 0, 0);
  }
}
END_TEST

START_TEST(a_crash_costs_one_task) {
  tally t = run_tasks(3, 20, 7, SIGKILL);
  ck_assert_str_eq(t.why, "crashed (Killed)");
  run_tasks(1, 10, 2, SIGKILL);
}
END_TEST

#ifndef SA_SANITIZED /* there is no limit then */
/* Takes memory until there is no more. */
static void eat_memory(void *context, uint32_t task, FILE *reply) {
  (void)context;
  for (unsigned i = 0; task == 1 && i < 4096; i++) {
    char *bytes = malloc(1 << 20);
    if (bytes == NULL) abort();
    memset(bytes, 1, 1 << 20);
  }
  do_task(&(tally){0}, task, reply);
}

START_TEST(a_worker_that_eats_memory_costs_one_task) {
  tally t = {0};
  sa_work work = {.workers = 2,
                  .memory = 200,
                  .tasks = 4,
                  .context = &t,
                  .run = eat_memory,
                  .done = take_reply,
                  .lost = take_loss};
  sa_workers_run(&work);
  for (uint32_t i = 0; i < 4; i++) ck_assert_uint_eq(t.done[i], i != 1);
  ck_assert_uint_eq(t.lost[1], 1);
}
END_TEST
#endif

START_TEST(a_hang_costs_one_task) {
  tally t = run_tasks(2, 8, 4, 0);
  ck_assert_str_eq(t.why, "took longer than --timeout allows");
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("cli");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, options_are_read);
  tcase_add_test(tests, output_goes_to_the_first_format_without_a_path);
  tcase_add_test(tests, commands_are_the_first_path_only);
  tcase_add_test(tests, mistakes_are_named);
  tcase_add_test(tests, response_files_hold_one_argument_a_line);
  tcase_add_test(tests, help_fits_the_terminal);
  tcase_add_test(tests, results_travel_whole);
  tcase_add_test(tests, half_a_result_is_refused);
  tcase_add_test(tests, every_task_is_done_once);
  tcase_add_test(tests, a_crash_costs_one_task);
#ifndef SA_SANITIZED /* there is no limit then */
  tcase_add_test(tests, a_worker_that_eats_memory_costs_one_task);
#endif
  tcase_add_test(tests, a_hang_costs_one_task);
  Suite *suite = suite_create("cli");
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
