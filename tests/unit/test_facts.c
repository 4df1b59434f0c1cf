/* Every fixtures/ir/<pass>/<case>.ir says in its head what analysis finds in it:
 *
 *   ; site LINE:COLUMN: fact=word ...    facts of the site there; also kind= and analysed=yes|no
 *   ; sites N                            there are so many sites
 *   ; hazard NAME certain|likely LINE:COLUMN
 *
 * The hazards listed are all hazards; a file that lists none must have none. */
#include "analysis/analyse.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const DIRECTORIES[] = {"origin", "guard", "keep", "flow", "summary", "hazard"};
static const char *const KINDS[] = {"call", "helper-call", "macro", "forwarding", "implementation"};
static const char *const HAZARDS[] = {
    "unordered-release", "read-before-ready",   "wait-on-wrong-stream", "event-order",
    "wait-too-early",    "deferred-in-capture", "query-in-capture",     "wrong-stream-recorded"};

static sa_arena *arena;
static unsigned expectations;

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  SA_ARRAY(char) text = {0};
  for (int c; (c = fgetc(file)) != EOF;) sa_push(arena, &text, (char)c);
  sa_push(arena, &text, '\0');
  fclose(file);
  return text.at;
}

static sa_ir_unit *parse(const char *path, const char *text) {
  sa_diag diag = {.arena = arena};
  sa_ir_unit *unit = NULL;
  sa_status status = sa_ir_parse(&unit, arena, &diag, path, text);
  ck_assert_msg(status == SA_OK, "%s:%u:%u: %s", path,
                diag.messages.n ? diag.messages.at[0].line : 0,
                diag.messages.n ? diag.messages.at[0].column : 0,
                diag.messages.n ? diag.messages.at[0].text : "");
  return unit;
}

static const sa_site_facts *site_at(const sa_facts *facts, unsigned line, unsigned column) {
  for (uint32_t i = 0; i < facts->sites.n; i++)
    if (facts->sites.at[i].at.line == line && facts->sites.at[i].at.column == column)
      return &facts->sites.at[i];
  return NULL;
}

static const char *word_of(const sa_site_facts *site, const char *name) {
  if (strcmp(name, "kind") == 0) return KINDS[site->kind];
  if (strcmp(name, "analysed") == 0) return site->analysed ? "yes" : "no";
  sa_fact fact = sa_fact_find(name);
  ck_assert_msg(fact != SA_FACT_COUNT, "no fact is called '%s'", name);
  return sa_fact_word(fact, site->facts[fact].word);
}

static void check_site(const char *path, const char *dump, const sa_facts *facts, char *line) {
  unsigned at_line = 0, at_column = 0;
  int used = 0;
  ck_assert_msg(sscanf(line, "site %u:%u:%n", &at_line, &at_column, &used) == 2 && used > 0,
                "%s: %s", path, line);
  const sa_site_facts *site = site_at(facts, at_line, at_column);
  ck_assert_msg(site != NULL, "%s: no site at %u:%u\n%s", path, at_line, at_column, dump);
  for (char *item = strtok(line + used, " "); item != NULL; item = strtok(NULL, " ")) {
    char *word = strchr(item, '=');
    ck_assert_msg(word != NULL, "%s: '%s'", path, item);
    *word++ = '\0';
    const char *found = word_of(site, item);
    ck_assert_msg(strcmp(found, word) == 0, "%s: site %u:%u: %s is %s, expected %s\n%s", path,
                  at_line, at_column, item, found, word, dump);
    expectations++;
  }
}

static void check_hazard(const char *path, const char *dump, const sa_facts *facts,
                         const char *line, bool *seen) {
  char name[64], how[16];
  unsigned at_line = 0, at_column = 0;
  ck_assert_msg(sscanf(line, "hazard %63s %15s %u:%u", name, how, &at_line, &at_column) == 4,
                "%s: %s", path, line);
  for (uint32_t i = 0; i < facts->hazards.n; i++) {
    const sa_hazard *hazard = &facts->hazards.at[i];
    if (strcmp(HAZARDS[hazard->kind], name) != 0 || hazard->at.line != at_line ||
        hazard->at.column != at_column || hazard->certain != (strcmp(how, "certain") == 0))
      continue;
    seen[i] = true;
    expectations++;
    return;
  }
  ck_abort_msg("%s: missing %s\n%s", path, line, dump);
}

static void check_file(const char *path) {
  char *text = read_file(path);
  sa_ir_unit *unit = parse(path, text);
  sa_facts facts;
  sa_analyse(&facts, arena, unit, NULL);
  const char *dump = sa_facts_print(arena, unit, &facts);
  bool *seen = sa_alloc(arena, facts.hazards.n + 1);
  for (char *line = text; *line == ';';) {
    char *end = strchr(line, '\n');
    *end = '\0';
    if (strncmp(line, "; site ", 7) == 0) check_site(path, dump, &facts, line + 2);
    if (strncmp(line, "; hazard ", 9) == 0) check_hazard(path, dump, &facts, line + 2, seen);
    if (strncmp(line, "; sites ", 8) == 0)
      ck_assert_msg((uint32_t)atoi(line + 8) == facts.sites.n, "%s: sites\n%s", path, dump);
    line = end + 1;
  }
  for (uint32_t i = 0; i < facts.hazards.n; i++)
    ck_assert_msg(seen[i], "%s: a hazard that is not expected\n%s", path, dump);
  expectations += facts.hazards.n == 0;
  /* The same unit gives the same bytes. */
  sa_facts again;
  sa_analyse(&again, arena, unit, NULL);
  ck_assert_str_eq(dump, sa_facts_print(arena, unit, &again));
}

START_TEST(fixtures_say_what_is_found) {
  unsigned files = 0;
  char directory[64];
  snprintf(directory, sizeof directory, "fixtures/ir/%s", DIRECTORIES[_i]);
  arena = sa_arena_new();
  expectations = 0;
  struct dirent **entries;
  int n = scandir(directory, &entries, NULL, alphasort);
  ck_assert_msg(n > 0, "cannot read %s", directory);
  for (int i = 0; i < n; i++) {
    if (strstr(entries[i]->d_name, ".ir") != NULL) {
      check_file(sa_printf(arena, "%s/%s", directory, entries[i]->d_name));
      files++;
    }
    free(entries[i]);
  }
  free(entries);
  ck_assert_uint_ge(files, 3);
  ck_assert_uint_ge(expectations, files);
  sa_arena_free(arena);
}
END_TEST

/* ---- size: many blocks, registers and instructions take milliseconds, larger ones an answer ----
 */

static void put(char **at, const char *text) {
  size_t n = strlen(text);
  memcpy(*at, text, n + 1);
  *at += n;
}

/* A function of `blocks` diamonds with ten instructions each and one record at its end. */
static char *large_function(unsigned blocks) {
  char line[256];
  char *text = sa_alloc(arena, (size_t)blocks * 1400 + 4096), *at = text;
  put(&at, "unit \"big.cpp\" cpp\nfunc 0 \"f\" returns void\n  param %1 \"x\": tensor ref\n"
           "  param %2 \"flag\": scalar\n  local %3 \"s\": stream\n  local %4 \"e\": event\n");
  for (unsigned i = 0; i < blocks; i++) {
    snprintf(line, sizeof line, "  local %%%u \"y%u\": tensor\n", 5 + i, i);
    put(&at, line);
  }
  for (unsigned i = 0; i < blocks; i++) {
    snprintf(line, sizeof line, "  block %u:\n", i);
    put(&at, line);
    if (i == 0) put(&at, "    %3 = pool_stream \"p\"\n    %4 = new_event \"e\"\n");
    snprintf(line, sizeof line, "    %%%u = alloc %%0 \"empty\"\n    use %%3 %%%u! \"k\"\n", 5 + i,
             5 + i);
    put(&at, line);
    put(&at, "    use %3 %1 \"k\"\n    event_record %4 %3 \"r\"\n    event_wait %0 %4 \"w\"\n"
             "    stream_wait %3 %0 \"w\"\n    use %0 %1! \"k\"\n    stream_wait %3 %0 \"w\"\n");
    snprintf(line, sizeof line, "    end %%%u\n", 5 + i);
    put(&at, line);
    if (i + 1 == blocks)
      put(&at, "    record %1 %3 \"r\" site 0 @9:9-9:10\n    return\n");
    else if (i + 2 == blocks)
      put(&at, sa_printf(arena, "    goto %u\n", i + 1));
    else
      put(&at, sa_printf(arena, "    branch %%2 %u %u\n", i + 1, i % 7 == 6 ? i / 2 : i + 2));
  }
  put(&at, "site 0 call \"r\" func 0 in \"f\" @9:9-9:10\n");
  return text;
}

static double seconds_for(sa_ir_unit *unit, sa_facts *facts) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  sa_analyse(facts, arena, unit, NULL);
  clock_gettime(CLOCK_MONOTONIC, &b);
  return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
}

START_TEST(large_functions_are_bounded) {
  arena = sa_arena_new();
  sa_facts facts;
  double seconds = seconds_for(parse("big", large_function(500)), &facts);
  ck_assert(facts.sites.at[0].analysed);
  ck_assert_msg(seconds < 2, "500 blocks took %.3f s", seconds);
  seconds = seconds_for(parse("big", large_function(5000)), &facts);
  ck_assert(!facts.sites.at[0].analysed);
  ck_assert_str_eq(facts.sites.at[0].reason, "the function is too large");
  ck_assert_msg(seconds < 2, "5000 blocks took %.3f s", seconds);
  sa_arena_free(arena);
}
END_TEST

/* ---- damaged fixtures: whatever still parses is analysed without harm ---- */

START_TEST(damaged_units_are_analysed) {
  arena = sa_arena_new();
  uint32_t state = 5;
  unsigned analysed = 0;
  const char *texts[] = {read_file("fixtures/ir/guard/mode-chooses-streams.ir"),
                         read_file("fixtures/ir/summary/callees-wait.ir"),
                         read_file("fixtures/ir/origin/hooks-share-streams.ir")};
  for (int i = 0; i < 3000; i++) {
    char *text = sa_strdup(arena, texts[i % 3]);
    size_t length = strlen(text);
    for (int j = 0; j < 2; j++) {
      state = state * 1664525u + 1013904223u;
      char *at = text + (state >> 8) % length;
      if (*at >= '0' && *at <= '9') *at = (char)('0' + (state >> 4) % 10);
    }
    sa_diag diag = {.arena = arena};
    sa_ir_unit *unit = NULL;
    if (sa_ir_parse(&unit, arena, &diag, "damaged", text) != SA_OK) continue;
    sa_facts facts;
    sa_analyse(&facts, arena, unit, NULL);
    sa_facts_print(arena, unit, &facts);
    sa_cfg_print(arena, unit);
    analysed++;
  }
  ck_assert_uint_gt(analysed, 500);
  sa_arena_free(arena);
}
END_TEST

START_TEST(cfg_text_shows_dominators_and_control) {
  arena = sa_arena_new();
  sa_ir_unit *unit = parse("t", "unit \"t\" cpp\nfunc 0 \"f\"\n  param %1: scalar\n"
                                "  block 0:\n    goto 1\n  block 1:\n    branch %1 2 3\n"
                                "  block 2:\n    branch %1 1 1\n  block 3:\n    return\n"
                                "  block 4:\n    return\n");
  ck_assert_str_eq(sa_cfg_print(arena, unit),
                   "func 0 'f'\n"
                   "  block 0 from ipdom 1\n"
                   "  block 1 loop from 0 2 2 idom 0 ipdom 3 control 1.0\n"
                   "  block 2 loop from 1 idom 1 ipdom 1 control 1.0\n"
                   "  block 3 from 1 idom 1\n");
  sa_arena_free(arena);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("facts");
  tcase_set_timeout(tests, 300);
  tcase_add_loop_test(tests, fixtures_say_what_is_found, 0,
                      (int)(sizeof DIRECTORIES / sizeof *DIRECTORIES));
  tcase_add_test(tests, large_functions_are_bounded);
  tcase_add_test(tests, damaged_units_are_analysed);
  tcase_add_test(tests, cfg_text_shows_dominators_and_control);
  Suite *suite = suite_create("facts");
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
