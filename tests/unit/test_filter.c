/* The filter's parts that need no run: statements by their text, words in comments, levels, keys,
 * and words that may have been meant. */
#include "base/near.h"
#include "filter/directive.h"
#include "filter/filter.h"
#include "model/key.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static sa_arena *arena;

static void setup(void) {
  arena = sa_arena_new();
}

static void teardown(void) {
  sa_arena_free(arena);
}

/* `text` marks the place asked about with $; the answer is the statement's text. */
static const char *statement(const char *language, const char *marked, bool head) {
  char *text = sa_strdup(arena, marked), *mark = strchr(text, '$');
  ck_assert_ptr_nonnull(mark);
  memmove(mark, mark + 1, strlen(mark));
  sa_outline *o = sa_outline_of(arena, language, text, strlen(text));
  uint32_t at = (uint32_t)(mark - text);
  sa_extent e = head ? sa_outline_head(o, at) : sa_outline_statement(o, at);
  ck_assert_uint_le(e.begin, e.end);
  return sa_strndup(arena, text + e.begin, e.end - e.begin + 1);
}

#define CPP(text, expected)  ck_assert_str_eq(statement("cpp", text, false), expected)
#define PY(text, expected)   ck_assert_str_eq(statement("python", text, false), expected)
#define HEAD(text, expected) ck_assert_str_eq(statement("cpp", text, true), expected)

START_TEST(statements_of_c) {
  CPP("a(); $b(); c();", "b();");
  CPP("a();\n  b(1,\n    $x(),\n    2);\nc();", "b(1,\n    x(),\n    2);");
  CPP("{ a(); { b(); } $c(); }", "c();");
  CPP("if (x) { $a(); } else { b(); }", "a();");
  CPP("if ($x()) { a(); }", "if (x()) {");
  CPP("for (i = 0; $i < n; i++) a();", "for (i = 0; i < n; i++) a();");
  CPP("for (i = 0; i < n; i++) $a();", "for (i = 0; i < n; i++) a();");
  CPP("T x = {1, $f(), {2}}; y();", "T x = {1, f(), {2}};");
  CPP("return {$f(), 1};", "return {f(), 1};");
  CPP("run([&] { a(); $b(); }); c();", "b();");
  CPP("$run([&] { a(); }, x); c();", "run([&] { a(); }, x);");
  CPP("run([&] { a(); }, $x); c();", "run([&] { a(); }, x);");
  CPP("auto f = [&] { a(); }; $c();", "c();");
  CPP("struct S { int a; }; $c();", "c();");
  CPP("void f() {} void g() { $x(); }", "x();");
  CPP("#define A \\\n  b(); \\\n  $c();\nd();", "define A \\\n  b(); \\\n  c();\n");
  CPP("#ifdef A\nif (x) {\n#else\nif (y) {\n#endif\n  $a();\n}\nb();", "a();");
  CPP("a() /* ; */ + \";\" + ';' + R\"x(;)\")x\" + $b();",
      "a() /* ; */ + \";\" + ';' + R\"x(;)\")x\" + b();");
  CPP("int n = 1'000; $a();", "a();");
  CPP("$a", "a");
  CPP("} } $a(); {", "a();");
  CPP("( ( [ { $a(); b", "a();");
  HEAD("$struct S { void f() { x(); } }; c();", "struct S {");
  HEAD("template <typename T>\nvoid $f(T a = {}) {\n x(); }",
       "template <typename T>\nvoid f(T a = {}) {");
}
END_TEST

START_TEST(statements_of_python) {
  PY("a()\n$b(1,\n  2)\nc()\n", "b(1,\n  2)\n");
  PY("a()\nb(1,\n  $2)\nc()\n", "b(1,\n  2)\n");
  PY("with x:\n    $a()\n    b()\n", "a()\n");
  PY("x = 1 + \\\n  $y\nz\n", "x = 1 + \\\n  y\n");
  PY("s = '''a\n$b'''\nc\n", "s = '''a\nb'''\n");
  PY("s = \"(\" # (\n$a()\n", "a()\n");
  PY("s = 'it\\'s'\n$a()\n", "a()\n");
}
END_TEST

/* The directives of a text's comments in words. */
static const char *directives(const char *language, const char *text) {
  sa_outline *o = sa_outline_of(arena, language, text, strlen(text));
  sa_directives all = {0};
  const char *told = "";
  for (uint32_t i = 0; i < o->comments.n; i++) sa_directives_read(&all, arena, o, i);
  ck_assert(all.n == 0 || sa_directives_likely(text, strlen(text)));
  for (uint32_t i = 0; i < all.n; i++) {
    const sa_directive *d = &all.at[i];
    if (d->flaw != NULL) {
      told = sa_printf(arena, "%s!", told);
      continue;
    }
    for (uint32_t j = 0; j < d->rules.n; j++)
      told = sa_printf(arena, "%s%s ", told, d->rules.at[j].name);
    told = sa_printf(arena, "%s%u [%s][%s]", told, d->places, d->until, d->reason);
  }
  return told;
}

START_TEST(words_of_comments) {
  static const char *const cases[][2] = {
      {"// sa-lint: allow(SA101) why", "SA101 7 [][why]"},
      {"//sa-lint:allow(SA101,SA2)why", "SA101 SA2 7 [][why]"},
      {"/* sa-lint: allow(SA101): why */", "SA101 7 [][why]"},
      {"/*\n * Words.\n * sa-lint: allow(SA101) -- why\n * and more\n */",
       "SA101 7 [][why and more]"},
      {"// sa-lint: allow(SA101) a\n// b\n//\n// c", "SA101 7 [][a b]"},
      {"x(); // sa-lint: allow(SA101) a\n// b", "SA101 7 [][a]"},
      {"// sa-lint: allow(SA101) a\n// sa-lint: allow(SA102) b", "SA101 7 [][a]SA102 7 [][b]"},
      {"// sa-lint: allow(SA101) until=2027-01-31, why", "SA101 7 [2027-01-31][why]"},
      {"// sa-lint: allow(until=2027-01-31, SA101) why", "SA101 7 [2027-01-31][why]"},
      {"// sa-lint: allow(SA101) \xe2\x80\x94 \xe4\xb8\xba", "SA101 7 [][\xe4\xb8\xba]"},
      {"// sa-lint: allow(SA101) -.-", "SA101 7 [][]"},
      {"// sa-lint: allow(SA101) until=2027-1-31 why", "!"},
      {"// sa-lint: allow(SA101) until=2027-02-29 why", "!"},
      {"// sa-lint: forbid(SA101)", "!"},
      {"// sa-lint: allow(", "!"},
      {"// see sa-lint: allow(SA101)", ""},
      {"// x NOLINT(a, SA101, b): why", "SA101 1 [][why]"},
      {"// NOLINTNEXTLINE(SA101) why", "SA101 6 [][why]"},
      {"// NOLINTBEGIN(SA101) why", "!"},
      {"// NOLINT", ""},
      {"// NOLINT(SAFE)", ""},
      {"// `NOLINT(SA101) why` and \"NOLINT(SA101)\" are forms", ""},
      {"// NOLINT(a) NOLINTNEXTLINE(SA101) why", "SA101 6 [][why]"},
      {"\"// sa-lint: allow(SA101) no\"", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_str_eq(directives("cpp", cases[i][0]), cases[i][1]);
  ck_assert_str_eq(directives("python", "x() # sa-lint: allow(SA101) why"), "SA101 7 [][why]");
  ck_assert_str_eq(directives("python", "'''\n# sa-lint: allow(SA101) no\n'''"), "");
}
END_TEST

START_TEST(words_that_were_meant) {
  static const char *const known[] = {"exclude", "levels", "api", "SA101"};
  ck_assert_str_eq(sa_nearest("exlude", known, 4), "exclude");
  ck_assert_str_eq(sa_nearest("LEVELS", known, 4), "levels");
  ck_assert_str_eq(sa_nearest("levles", known, 4), "levels");
  ck_assert_str_eq(sa_nearest("ap", known, 4), "api");
  ck_assert_str_eq(sa_nearest("SA1O1", known, 4), "SA101");
  ck_assert_ptr_null(sa_nearest("paths", known, 4));
  ck_assert_ptr_null(sa_nearest("", known, 4));
  ck_assert_ptr_null(sa_nearest("exclude", NULL, 0));
  char *longer = sa_alloc(arena, 100000);
  memset(longer, 'a', 99999);
  ck_assert_ptr_null(sa_nearest(longer, known, 4));
}
END_TEST

START_TEST(a_file_obeys_the_deepest_policy) {
  sa_level_setting top[] = {{.rule = "SA1", .level = SA_ERROR}, {.rule = "SA104", .off = true}};
  sa_level_setting sub[] = {{.rule = "SA101", .level = SA_NOTE}};
  sa_push(arena, &top[1].paths, "gen/**");
  sa_policy policies[] = {
      {.directory = "a/b", .base = "a/b", .levels = sub, .nlevels = 1, .fail_on = -1},
      {.directory = ".", .base = ".", .levels = top, .nlevels = 2, .fail_on = -1}};
  sa_filter_options o = {.policies = policies, .npolicies = 2, .fail_on = -1};
  ck_assert_ptr_eq(sa_filter_setting(&o, "SA101", "a/x.cpp"), &top[0]);
  ck_assert_ptr_eq(sa_filter_setting(&o, "SA104", "gen/d/x.cpp"), &top[1]);
  ck_assert_ptr_eq(sa_filter_setting(&o, "SA104", "a/x.cpp"), &top[0]);
  ck_assert_ptr_eq(sa_filter_setting(&o, "SA101", "a/b/c/x.cpp"), &sub[0]);
  ck_assert_ptr_null(sa_filter_setting(&o, "SA104", "a/b/x.cpp"));
  ck_assert_ptr_eq(sa_filter_setting(&o, "SA104", "a/bc.cpp"), &top[0]);
  ck_assert_ptr_null(sa_filter_setting(&o, "SA301", "a/x.cpp"));
}
END_TEST

START_TEST(keys_number_what_is_alike) {
  static const sa_rule rule = {.id = "SA301"};
  sa_result result = {0};
  static const uint32_t lines[] = {9, 3, 3, 5};
  for (int i = 0; i < 4; i++)
    sa_push(arena, &result.findings,
            ((sa_finding){.rule = &rule,
                          .at = {.file = "a.cpp", .line = lines[i], .column = 1},
                          .message = "m",
                          .function = "f"}));
  sa_keys_give(&result, arena);
  static const char *const numbers[] = {":3", ":1", ":1", ":2"};
  for (int i = 0; i < 4; i++) ck_assert_str_eq(strchr(result.findings.at[i].key, ':'), numbers[i]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("filter");
  TCase *tcase = tcase_create("filter");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, statements_of_c);
  tcase_add_test(tcase, statements_of_python);
  tcase_add_test(tcase, words_of_comments);
  tcase_add_test(tcase, words_that_were_meant);
  tcase_add_test(tcase, a_file_obeys_the_deepest_policy);
  tcase_add_test(tcase, keys_number_what_is_alike);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
