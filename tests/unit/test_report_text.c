/* The terminal report and the annotations, byte for byte. */
#include "report_sample.h"

#include "base/json.h"
#include "report/lines.h"

START_TEST(text_is_this) {
  static const char expected[] =
      "src/a b.cpp:2:13: warning: Title of it. More [words](see there), 100%. [SA101]\n"
      "     2 |     /* \xf0\x9f\x98\x80 */ x.record_stream(side);\n"
      "       |              ^~~~~~~~~~~~~~~~~~~~~\n"
      "src/a b.cpp:2:13: note: record: 'x' is recorded on 'side'\n"
      "     2 |     /* \xf0\x9f\x98\x80 */ x.record_stream(side);\n"
      "       |              ^~~~~~~~~~~~~~~~~~~~~\n"
      "src/a b.cpp:3:3: note: release: 'x' is reset\n"
      "     3 |   x.reset(); // \xc3\xa9\n"
      "       |   ^~~~~~~~~\n"
      "  help: use an event\n"
      "src/a b.cpp:3:3: error: Title of it. More [words](see there), 100%. [SA301]\n"
      "     3 |   x.reset(); // \xc3\xa9\n"
      "       |   ^~~~~~~~~\n"
      "  help: use an event\n"
      "src/a b.cpp:4:3: note: Title of it. More [words](see there), 100%. [SA104]\n"
      "     4 |   a.record_stream(s); b.record_stream(s);\n"
      "       |   ^~~~~~~~~~~~~~~~~~\n"
      "  help: use an event\n"
      "src/a b.cpp:4:23: note: Title of it. More [words](see there), 100%. [SA104]\n"
      "     4 |   a.record_stream(s); b.record_stream(s);\n"
      "       |                       ^~~~~~~~~~~~~~~~~~\n"
      "  help: use an event\n"
      "../outside.h:1:1: note: Title of it. More [words](see there), 100%. [SA104]\n"
      "  help: use an event\n"
      "3 record_stream calls: 1 avoidable, 1 unavoidable, 1 not analysed; 1 error, 1 warning, 3 "
      "notes; 2 files (1 failed)\n";
  ck_assert_str_eq(report_of("text", &result, (sa_report_options){0}), expected);
}
END_TEST

/* A call in a test of the call is analysed and has no verdict; one that is not analysed says so. */
START_TEST(text_counts_calls_without_a_verdict) {
  sa_place at = {.file = "a.py", .line = 1, .column = 1};
  sa_site sites[] = {sample_site("a", at, NULL), sample_site("b", at, NULL),
                     sample_site("c", at, NULL)};
  sites[2].analysed = false;
  sa_result counted = {
      .tool_version = "0.1.0", .libclang_version = "", .rules = &rules, .files = 1};
  for (int i = 0; i < 3; i++) sa_push(arena, &counted.sites, sites[i]);
  ck_assert_str_eq(report_of("text", &counted, (sa_report_options){0}),
                   "3 record_stream calls: 2 not judged, 1 not analysed; 1 file\n");
}
END_TEST

START_TEST(text_of_nothing) {
  sa_result empty = {.tool_version = "0.1.0", .libclang_version = "", .rules = &rules, .files = 1};
  ck_assert_str_eq(report_of("text", &empty, (sa_report_options){0}),
                   "0 record_stream calls; 1 file\n");
  ck_assert_str_eq(report_of("text", &empty, (sa_report_options){.quiet = true}), "");
}
END_TEST

START_TEST(text_shows_silent_sites_on_request) {
  result.findings.n = 2; /* the second and third site have none now */
  char *text = report_of("text", &result, (sa_report_options){.report_all = true, .quiet = true});
  ck_assert_ptr_nonnull(strstr(text,
                               "src/a b.cpp:4:3: site: unavoidable, effect protects, confidence "
                               "high (explicit-release)\n"));
  ck_assert_ptr_nonnull(strstr(text, "  missing: who frees it\n"));
  ck_assert_ptr_nonnull(strstr(text, "src/a b.cpp:4:23: site: not analysed: type not known\n"));
  ck_assert_ptr_null(strstr(text, "2:13: site"));
  text = report_of("text", &result, (sa_report_options){.quiet = true});
  ck_assert_ptr_null(strstr(text, "site: "));
}
END_TEST

START_TEST(colour_only_when_asked) {
  char *plain = report_of("text", &result, (sa_report_options){0});
  char *colour = report_of("text", &result, (sa_report_options){.colour = true});
  ck_assert_ptr_null(strchr(plain, '\033'));
  char *to = colour;
  for (const char *at = colour; *at != '\0'; at++) {
    if (*at == '\033')
      at = strchr(at, 'm');
    else
      *to++ = *at;
  }
  *to = '\0';
  ck_assert_str_eq(colour, plain);
}
END_TEST

/* Control characters of a source must not reach the terminal. */
START_TEST(text_is_harmless) {
  write_source("src/a b.cpp", "x\033[2J\x07.y();\n");
  result.findings.n = 1;
  result.findings.at[0].at = (sa_place){"src/a b.cpp", 1, 1, 1, 2, 0, 0};
  result.findings.at[0].evidence.n = 0;
  result.findings.at[0].message = "Bad \033]0;title\x07 name.";
  char *text = report_of("text", &result, (sa_report_options){.quiet = true});
  ck_assert_ptr_null(strpbrk(text, "\033\x07"));
  ck_assert_ptr_nonnull(strstr(text, "x?[2J?.y();"));
}
END_TEST

START_TEST(places_beyond_the_file_do_no_harm) {
  sa_place odd[] = {{"src/a b.cpp", 99, 1, 99, 2, 0, 0},
                    {"src/a b.cpp", 1, 999, 1, 1000, 0, 0},
                    {"src/a b.cpp", 1, 0, 0, 0, 0, 0},
                    {"missing.cpp", 1, 1, 1, 1, 0, 0},
                    {"", 0, 0, 0, 0, 0, 0},
                    {"src/a b.cpp", 2, 13, 4, 2, 0, 0},
                    {"src/a b.cpp", 2, 6, 2, 7, 0, 0}};
  static const char *const formats[] = {"text", "json", "sarif", "github"};
  for (size_t f = 0; f < 4; f++)
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
      result.findings.at[0].at = result.findings.at[0].evidence.at[0].at = odd[i];
      ck_assert_uint_gt(strlen(report_of(formats[f], &result, (sa_report_options){0})), 0);
    }
}
END_TEST

START_TEST(annotations_put_the_worst_first) {
  static const char expected[] =
      "::error file=src/a b.cpp,line=3,endLine=3,col=3,endColumn=12,title=SA301 unordered-release::"
      "Title of it. More [words](see there), 100%25.%0Ause an event\n"
      "::warning file=src/a b.cpp,line=2,endLine=2,col=11,endColumn=32,title=SA101 "
      "avoidable-record-stream::Title of it. More [words](see there), 100%25.%0Ause an event\n"
      "::notice file=src/a b.cpp,line=4,endLine=4,col=3,endColumn=21,title=SA104 "
      "missing-justification::Title of it. More [words](see there), 100%25.%0Ause an event\n";
  result.findings.n = 3;
  ck_assert_str_eq(report_of("github", &result, (sa_report_options){0}), expected);
}
END_TEST

START_TEST(annotations_escape_properties) {
  result.findings.n = 1;
  result.findings.at[0].at.file = "a,b:c%.cpp";
  result.findings.at[0].message = "One\r\ntwo.";
  char *text = report_of("github", &result, (sa_report_options){0});
  ck_assert_ptr_nonnull(strstr(text, "file=a%2Cb%3Ac%25.cpp,line=2"));
  ck_assert_ptr_nonnull(strstr(text, "::One%0D%0Atwo.%0A"));
}
END_TEST

START_TEST(columns_are_utf16) {
  sa_line line = {"\t\xf0\x9f\x98\x80\xc3\xa9\xffz", 9};
  static const uint32_t expected[] = {1, 2, 4, 4, 4, 4, 5, 5, 6, 7};
  for (uint32_t column = 1; column <= 9; column++) {
    bool inside = column > 2 && column < 6; /* inside the emoji there is no column to tell */
    if (!inside && column != 7)
      ck_assert_uint_eq(sa_lines_utf16_column(line, column), expected[column - 1]);
  }
  ck_assert_uint_eq(sa_lines_utf16_column(line, 1000), 7);
}
END_TEST

START_TEST(full_disk_is_reported) {
  check_full_disk("text");
  check_full_disk("github");
}
END_TEST

START_TEST(formats_are_found_by_name) {
  for (const sa_reporter *r = sa_reporters(); r->name != NULL; r++)
    ck_assert_ptr_eq(sa_reporter_find(r->name), r);
  ck_assert_ptr_null(sa_reporter_find("yaml"));
  ck_assert_ptr_null(sa_reporter_find(""));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {text_is_this,
                                text_of_nothing,
                                text_counts_calls_without_a_verdict,
                                text_shows_silent_sites_on_request,
                                colour_only_when_asked,
                                text_is_harmless,
                                places_beyond_the_file_do_no_harm,
                                annotations_put_the_worst_first,
                                annotations_escape_properties,
                                columns_are_utf16,
                                full_disk_is_reported,
                                formats_are_found_by_name};
  return run_suite("report_text", tests, sizeof tests / sizeof *tests);
}
