/* Notebooks: which text is read, and where its places are in the file. */
#include "model/origin.h"
#include "project/ipython.h"
#include "project/notebook.h"

#include <check.h>
#include <string.h>

static sa_arena *arena;
static sa_diag diag;

static void set_up(void) {
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
}

static void tear_down(void) {
  sa_arena_free(arena);
}

static sa_job open_notebook(const char *text, sa_status expected) {
  sa_job job = {.path = "n.ipynb", .text = text, .length = strlen(text), .language = "python"};
  ck_assert_int_eq(sa_notebook_open(&job, arena, &diag), expected);
  return job;
}

#define PLAIN                                                                                      \
  "{\n \"cells\": [\n"                                                                             \
  "  {\"cell_type\": \"markdown\", \"source\": [\"x.record_stream(s)\"]},\n"                       \
  "  {\"outputs\": [{\"text\": [\"{]\\\"\"]}], \"cell_type\": \"code\",\n"                         \
  "   \"source\": [\n    \"a = \\\"q\\\"\\n\",\n    \"b = 2\"\n   ], \"metadata\": {}},\n"         \
  "  {\"cell_type\": \"code\", \"source\": \"c = 3\\nd = '\\u00e9\\ud83d\\ude00'; e\"}\n"          \
  " ],\n \"metadata\": {}, \"nbformat\": 4\n}\n"

START_TEST(code_cells_follow_each_other) {
  sa_job job = open_notebook(PLAIN, SA_OK);
  ck_assert_str_eq(job.text, "a = \"q\"\nb = 2\nc = 3\nd = '\xc3\xa9\xf0\x9f\x98\x80'; e\n");
  ck_assert_uint_eq(job.length, strlen(job.text));
  ck_assert_uint_eq(job.origin->cells.n, 2);
  ck_assert_uint_eq(job.origin->cells.at[0].number, 2);
  ck_assert_uint_eq(job.origin->cells.at[1].number, 3);
}
END_TEST

/* The places of one site at a line and column of the code. */
static sa_range placed(const sa_job *job, uint32_t line, uint32_t column, uint32_t end_column) {
  sa_ir_unit unit = {.path = "n.ipynb"};
  sa_ir_site site = {.at = {.line = line, .column = column, .end_line = line}};
  site.at.end_column = end_column;
  sa_push(arena, &unit.sites, site);
  sa_origin_place_unit(&unit, job->origin);
  return unit.sites.at[0].at;
}

START_TEST(places_are_those_of_the_file) {
  sa_job job = open_notebook(PLAIN, SA_OK);
  sa_range q = placed(&job, 1, 5, 8); /* "q" with its quotes, each of them an escape */
  ck_assert_uint_eq(q.line, 6);
  ck_assert_uint_eq(q.column, 10);
  ck_assert_uint_eq(q.end_column, 15);
  ck_assert_mem_eq(PLAIN + q.offset, "\\\"q\\\"", 5);
  sa_range c = placed(&job, 3, 1, 2), e = placed(&job, 4, 15, 16);
  ck_assert_uint_eq(c.line, e.line);
  ck_assert_mem_eq(PLAIN + c.offset, "c", 1);
  ck_assert_mem_eq(PLAIN + e.offset, "e\"", 2);
  sa_range beyond = placed(&job, 99, 1, 1);
  ck_assert_uint_le(beyond.end_offset, strlen(PLAIN));
}
END_TEST

START_TEST(findings_name_their_cell) {
  sa_job job = open_notebook(PLAIN, SA_OK);
  sa_range e = placed(&job, 4, 15, 16);
  sa_result result = {0};
  sa_finding finding = {.message = "Said."};
  finding.at = (sa_place){.file = "n.ipynb", .line = e.line, .column = e.column};
  sa_push(arena, &finding.evidence, (sa_step){"record", finding.at, "here"});
  sa_push(arena, &result.findings, finding);
  sa_origin_name_cells(&result, arena, job.origin, "n.ipynb", 0, 0);
  ck_assert_uint_eq(result.findings.at[0].at.cell, 3);
  ck_assert_uint_eq(result.findings.at[0].at.cell_line, 2);
  ck_assert_uint_eq(result.findings.at[0].evidence.at[0].at.cell, 3);
  ck_assert_str_eq(result.findings.at[0].message, "Said. In cell 3, line 2.");
  sa_origin_name_cells(&result, arena, job.origin, "other.py", 0, 0);
  ck_assert_str_eq(result.findings.at[0].message, "Said. In cell 3, line 2.");
}
END_TEST

START_TEST(what_is_no_notebook_is_refused) {
  static const char *const bad[] = {"",
                                    "[]",
                                    "{",
                                    "{\"cells\": 3}",
                                    "{\"worksheets\": []}",
                                    "{\"cells\": [1]}",
                                    "{\"cells\": [], \"cells\": []}",
                                    "{\"cells\": []} x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    diag.messages.n = 0;
    open_notebook(bad[i], SA_E_PARSE);
    ck_assert_uint_eq(diag.messages.n, 1);
    ck_assert_str_eq(diag.messages.at[0].file, "n.ipynb");
  }
}
END_TEST

START_TEST(odd_cells_are_no_code) {
  static const char *const odd[] = {
      "{\"cells\": []}",
      "{\"cells\": [{}, {\"cell_type\": \"code\"}, {\"cell_type\": 3, \"source\": \"x\"}]}",
      "{\"cells\": [{\"cell_type\": \"code\", \"source\": {\"a\": \"x\"}}]}",
      "{\"\\u0063ells\": [{\"cell_type\": \"code\", \"source\": \"x\"}]}",
      "{\"metadata\": {\"language_info\": {\"name\": \"R\"}}, \"cells\": [{\"cell_type\": "
      "\"code\", \"source\": \"x\"}]}"};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    sa_job job = open_notebook(odd[i], SA_OK);
    ck_assert_uint_eq(job.length, 0);
  }
  ck_assert_uint_eq(diag.messages.n, 1);
  sa_job job = open_notebook("{\"cells\": [{\"cell_type\": \"code\", \"source\": [1, \"x\", "
                             "[\"y\"]]}, {\"cell_type\": \"code\", \"source\": \"z\"}]}",
                             SA_OK);
  ck_assert_ptr_nonnull(strstr(job.text, "z"));
}
END_TEST

static const char *blanked(const char *cell) {
  char *text = sa_strdup(arena, cell);
  sa_ipython_blank(text, strlen(text));
  ck_assert_uint_eq(strlen(text), strlen(cell));
  return text;
}

START_TEST(lines_of_ipython_are_blank) {
  ck_assert_str_eq(blanked("%matplotlib inline\nx = 1\n"), "pass              \nx = 1\n");
  ck_assert_str_eq(blanked("if x:\n  !ls -l \\\n  a\ny\n"), "if x:\n  pass    \n   \ny\n");
  ck_assert_str_eq(blanked("files = !ls\nt = %time f()\n"), "pass       \npass         \n");
  ck_assert_str_eq(blanked("torch.rand?\n??x\n"), "pass       \n   \n");
  ck_assert_str_eq(blanked("%time x.f(s)\n"), "pass; x.f(s)\n");
  ck_assert_str_eq(blanked("%%time\nx = 1\n"), "      \nx = 1\n");
  ck_assert_str_eq(blanked("\n%%bash\nls\n"), "\n      \n  \n");
}
END_TEST

START_TEST(python_stays_as_it_is) {
  static const char *const same[] = {"x = (\"%d\"\n  % 3)\n",     "s = '''\n%magic\n!no\n'''\n",
                                     "y = a \\\n  % b\n",         "assert a != b\nc = d % e\n",
                                     "# what?\ns = '?'\n",        "@decorated\ndef f(): pass\n",
                                     "\"\"\" unterminated\n% x\n"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    ck_assert_str_eq(blanked(same[i]), same[i]);
  ck_assert_str_eq(blanked("f(x, '(')\n%d\n"), "f(x, '(')\n  \n");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("notebook");
  TCase *tests = tcase_create("notebook");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, code_cells_follow_each_other);
  tcase_add_test(tests, places_are_those_of_the_file);
  tcase_add_test(tests, findings_name_their_cell);
  tcase_add_test(tests, what_is_no_notebook_is_refused);
  tcase_add_test(tests, odd_cells_are_no_code);
  tcase_add_test(tests, lines_of_ipython_are_blank);
  tcase_add_test(tests, python_stays_as_it_is);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
