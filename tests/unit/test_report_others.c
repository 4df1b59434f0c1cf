/* github, lintrunner, rdjsonl and gitlab: what the golden case cannot have. */
#include "report_sample.h"

#include <jansson.h>

static const char EVIL[] =
    "Title.\n::set-output name=a::b\r \x1b[31m <img src=x> [x](http://x) @all `c` "
    "\xe2\x80\xae \xff end";

static const char *const formats[] = {"text", "github", "lintrunner", "rdjsonl", "gitlab"};

START_TEST(words_of_sources_stay_words) {
  result.findings.at[0].message = EVIL;
  result.findings.at[0].help = EVIL;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    const char *report = report_of(formats[i], &result, (sa_report_options){0});
    ck_assert_ptr_null(strchr(report, '\x1b'));
    ck_assert_ptr_null(strstr(report, "\\u001b"));
    ck_assert_ptr_null(strstr(report, "\xe2\x80\xae"));
    ck_assert_ptr_null(strstr(report, "\n::set-output"));
    ck_assert_ptr_null(strstr(report, "\xff"));
    ck_assert_ptr_nonnull(strstr(report, "set-output name=a"));
  }
}
END_TEST

START_TEST(markdown_is_not_steered) {
  result.findings.at[0].message = EVIL;
  const char *report = report_of("rdjsonl", &result, (sa_report_options){0});
  ck_assert_ptr_nonnull(strstr(report, "\\\\<img"));
  ck_assert_ptr_nonnull(strstr(report, "[x]\\\\(http"));
  ck_assert_ptr_nonnull(strstr(report, "@\xe2\x80\x8b"
                                       "all"));
}
END_TEST

/* The first line of a report as JSON. */
static json_t *first_line(const char *format) {
  char *report = report_of(format, &result, (sa_report_options){0});
  report[strcspn(report, "\n")] = '\0';
  json_t *json = json_loads(report, JSON_REJECT_DUPLICATES, NULL);
  ck_assert_ptr_nonnull(json);
  return json;
}

START_TEST(a_fix_is_the_whole_file) {
  json_t *message = first_line("lintrunner");
  const char *after = json_string_value(json_object_get(message, "replacement"));
  ck_assert_str_eq(json_string_value(json_object_get(message, "original")), SOURCE);
  ck_assert_ptr_nonnull(after);
  ck_assert_ptr_null(strstr(after, "x.record_stream"));
  ck_assert_uint_eq(strlen(after), strlen(SOURCE) - 22);
  json_decref(message);
}
END_TEST

static void expect_no_fix(void) {
  json_t *message = first_line("lintrunner");
  ck_assert(json_is_null(json_object_get(message, "original")));
  ck_assert(json_is_null(json_object_get(message, "replacement")));
  json_decref(message);
}

START_TEST(edits_that_do_not_fit_are_no_fix) {
  sa_site *site = &result.sites.at[0];
  sa_edit good = site->edits.at[0];
  site->edits.at[0].at.file = "src/other.cpp";
  expect_no_fix();
  site->edits.at[0] = good;
  site->edits.at[0].at.line = 4000;
  expect_no_fix();
  site->edits.at[0] = good;
  sa_push(arena, &site->edits, good);
  expect_no_fix();
  site->edits.n = 1;
  site->fix_safe = false;
  expect_no_fix();
}
END_TEST

START_TEST(a_suggestion_is_one_edit) {
  json_t *diagnostic = first_line("rdjsonl"),
         *suggestions = json_object_get(diagnostic, "suggestions");
  ck_assert_uint_eq(json_array_size(suggestions), 1);
  json_t *range = json_object_get(json_array_get(suggestions, 0), "range");
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(range, "end"), "column")),
                   35);
  json_decref(diagnostic);
  sa_push(arena, &result.sites.at[0].edits, ((sa_edit){{"src/a b.cpp", 3, 1, 3, 1, 0, 0}, "x"}));
  diagnostic = first_line("rdjsonl");
  ck_assert_ptr_null(json_object_get(diagnostic, "suggestions"));
  json_decref(diagnostic);
}
END_TEST

START_TEST(a_full_disk_is_an_error) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) check_full_disk(formats[i]);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {words_of_sources_stay_words, markdown_is_not_steered,
                                a_fix_is_the_whole_file,     edits_that_do_not_fit_are_no_fix,
                                a_suggestion_is_one_edit,    a_full_disk_is_an_error};
  return run_suite("report_others", tests, sizeof tests / sizeof *tests);
}
