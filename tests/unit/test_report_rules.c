/* docs/rules.md is what the rules say. After a change of rules/ run this test with SA_BLESS=1 to
 * write the page again, and read the difference. */
#include "base/fs.h"
#include "report/report.h"
#include "ruleset/ruleset.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_LIMIT = 1 << 20, DESCRIPTION_LIMIT = 1024 };

static const char PAGE[] = "docs/rules.md";

static sa_arena *arena;
static sa_ruleset *rules;

static void setup(void) {
  arena = sa_arena_new();
  sa_diag diag = {.arena = arena};
  ck_assert_int_eq(sa_ruleset_load(&rules, arena, &diag, "rules"), SA_OK);
}

static void teardown(void) {
  sa_arena_free(arena);
}

static char *page_text(void) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  ck_assert_int_eq(sa_rules_write(out, rules), SA_OK);
  ck_assert_int_eq(fclose(out), 0);
  char *copy = sa_strndup(arena, bytes, length);
  free(bytes);
  return copy;
}

START_TEST(page_is_fresh) {
  char *expected = page_text(), *found = NULL;
  sa_diag diag = {.arena = arena};
  if (getenv("SA_BLESS") != NULL) {
    sa_output out;
    ck_assert_int_eq(sa_output_open(&out, arena, &diag, PAGE), SA_OK);
    fputs(expected, out.file);
    ck_assert_int_eq(sa_output_commit(&out, &diag), SA_OK);
  }
  ck_assert_int_eq(sa_fs_read_text(&found, NULL, arena, &diag, PAGE, PAGE_LIMIT), SA_OK);
  ck_assert_msg(strcmp(found, expected) == 0,
                "docs/rules.md is stale: run this test with SA_BLESS=1");
}
END_TEST

START_TEST(page_has_every_rule_and_row) {
  char *text = page_text();
  for (uint32_t i = 0; i < rules->rules.n; i++)
    ck_assert_ptr_nonnull(strstr(text, sa_printf(arena, "### %s ", rules->rules.at[i].id)));
  for (uint32_t i = 0; i < rules->verdicts.n; i++)
    ck_assert_ptr_nonnull(strstr(text, sa_printf(arena, "| %s | ", rules->verdicts.at[i].id)));
}
END_TEST

START_TEST(pages_are_complete) {
  for (uint32_t i = 0; i < rules->rules.n; i++) {
    const sa_rule *rule = &rules->rules.at[i];
    const char *parts[] = {rule->summary, rule->description, rule->help, rule->bad, rule->good};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
      ck_assert_msg(parts[p] != NULL && parts[p][0] != '\0', "%s: part %zu", rule->id, p);
    ck_assert_uint_le(strlen(rule->description), DESCRIPTION_LIMIT);
    ck_assert_str_ne(rule->bad, rule->good);
    ck_assert_msg(rule->summary[strlen(rule->summary) - 1] == '.', "%s", rule->id);
    ck_assert_msg(isupper((unsigned char)rule->summary[0]) ||
                      strncmp(rule->summary, "record_", 7) == 0,
                  "%s", rule->id);
    ck_assert_msg((rule->hazard == SA_HAZARD_COUNT) == (rule->message == NULL), "%s", rule->id);
  }
}
END_TEST

/* Each hazard has exactly one rule, or a hazard would be lost. */
START_TEST(every_hazard_has_one_rule) {
  for (int kind = 0; kind < SA_HAZARD_COUNT; kind++) {
    int count = 0;
    for (uint32_t i = 0; i < rules->rules.n; i++) count += (int)rules->rules.at[i].hazard == kind;
    ck_assert_msg(count == 1, "hazard %d has %d rules", kind, count);
  }
}
END_TEST

/* Ids are never reused or dropped: this list only grows. */
START_TEST(ids_are_frozen) {
  static const char *const ids[] = {"SA101", "SA102", "SA103", "SA104", "SA201", "SA202", "SA203",
                                    "SA204", "SA301", "SA302", "SA303", "SA304", "SA401", "SA501",
                                    "SA502", "SA901", "SA902", "SA903", "SA904", "SA905"};
  ck_assert_uint_eq(rules->rules.n, sizeof ids / sizeof *ids);
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    ck_assert_str_eq(rules->rules.at[i].id, ids[i]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("report_rules");
  TCase *tcase = tcase_create("report_rules");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, page_is_fresh);
  tcase_add_test(tcase, page_has_every_rule_and_row);
  tcase_add_test(tcase, pages_are_complete);
  tcase_add_test(tcase, every_hazard_has_one_rule);
  tcase_add_test(tcase, ids_are_frozen);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
