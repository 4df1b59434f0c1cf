/* Summaries: what they hold, that they come back, what is refused; and what linking does with them.
 */
#include "base/fs.h"
#include "base/hash.h"
#include "link/link.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "1.2.3"

static sa_arena *arena;
static sa_diag diag;

static void set_up(void) {
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
}

static void tear_down(void) {
  sa_arena_free(arena);
}

static sa_ir_unit *parse(const char *text) {
  sa_ir_unit *unit;
  sa_status status = sa_ir_parse(&unit, arena, &diag, "test.ir", text);
  ck_assert_msg(status == SA_OK, "%u: %s", diag.messages.n > 0 ? diag.messages.at[0].line : 0,
                diag.messages.n > 0 ? diag.messages.at[0].text : "");
  return unit;
}

/* A unit through print and read. */
static sa_summary summary_of(const char *text) {
  sa_summary summary;
  const char *file = sa_summary_print(arena, parse(text), sa_hash_string(text, 0), TOOL);
  sa_status status =
      sa_summary_read(&summary, arena, &diag, "test.sasum", file, strlen(file), TOOL);
  ck_assert_msg(status == SA_OK, "%s", diag.messages.n > 0 ? diag.messages.at[0].text : "");
  return summary;
}

static const sa_ir_unit *link_two(const char *unit, const char *a, const char *b) {
  sa_summary both[2] = {summary_of(a)};
  if (b != NULL) both[1] = summary_of(b);
  const sa_ir_unit *linked =
      sa_link(arena, parse(unit), sa_summaries_of(arena, both, 1 + (b != NULL)));
  const char *why = "";
  ck_assert_msg(sa_ir_check(linked, arena, &why), "%s", why);
  const char *printed = sa_ir_print(arena, linked);
  ck_assert_str_eq(sa_ir_print(arena, parse(printed)), printed);
  return linked;
}

static uint32_t find(const sa_ir_unit *unit, const char *name) {
  for (uint32_t f = 0; f < unit->funcs.n; f++)
    if (strcmp(unit->funcs.at[f].name, name) == 0) return f;
  return SA_NO_INDEX;
}

static const sa_ir_inst *call_in(const sa_ir_unit *unit, const char *caller, const char *callee) {
  const sa_ir_func *func = &unit->funcs.at[find(unit, caller)];
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      if (inst->op == SA_OP_call && strcmp(inst->text, callee) == 0) return inst;
    }
  return NULL;
}

static const char HELPER[] = "unit \"help.cpp\" cpp\n"
                             "file 0 \"help.cpp\"\n"
                             "file 1 \"/usr/include/other.h\"\n"
                             "file 2 \"lib/../help.h\"\n"
                             "class \"n::Work\" base \"n::Base\" @f2:3:1-9:2\n"
                             "  field \"kept_\" tensor many \"std::vector<Tensor>\"\n"
                             "class \"n::Numbers\" @f2:10:1-11:2\n"
                             "  field \"n\" scalar \"int\"\n"
                             "func 0 \"n::inner\" internal returns void @2:1-4:2\n"
                             "  param %1 \"a\": stream\n"
                             "  param %2 \"b\": stream\n"
                             "  block 0:\n"
                             "    stream_wait %1 %2 @3:1-3:9#30-39\n"
                             "    return\n"
                             "func 1 \"n::order\" returns void @5:1-9:2\n"
                             "  param %1 \"a\": stream\n"
                             "  param %2 \"b\": stream\n"
                             "  temp %3: scalar\n"
                             "  temp %4: scalar\n"
                             "  temp %5: void\n"
                             "  block 0:\n"
                             "    %3 = const \"7\"\n"
                             "    %4 = op %3 \"+\"\n"
                             "    %5 = call %1 %2 \"n::inner\" func 0 @6:1-6:9\n"
                             "    return\n"
                             "func 2 \"n::add\" returns scalar \"int\" @10:1-12:2\n"
                             "  param %1 \"x\": scalar \"int\"\n"
                             "  block 0:\n"
                             "    return %1\n"
                             "func 3 \"n::outside\" header returns void @f1:1:1-2:2\n"
                             "  param %1 \"a\": stream\n"
                             "  block 0:\n"
                             "    sync_stream %1\n"
                             "    return\n"
                             "func 4 \"n::note\" returns void @13:1-15:2\n"
                             "  param %1 \"x\": tensor\n"
                             "  param %2 \"s\": stream\n"
                             "  block 0:\n"
                             "    record %1 %2 \"record_stream\" site 0 @14:1-14:9\n"
                             "    return\n"
                             "site 0 call \"record_stream\" func 4 in \"n::note\" @14:1-14:9\n"
                             "token site 0 @14:3-14:9\n";

static const char USER[] = "unit \"use.cpp\" cpp\n"
                           "file 0 \"use.cpp\"\n"
                           "func 0 \"run\" returns void @1:1-9:2\n"
                           "  param %1 \"x\": tensor\n"
                           "  local %2 \"s\": stream\n"
                           "  local %3 \"m\": stream\n"
                           "  temp %4: void\n"
                           "  block 0:\n"
                           "    %2 = pool_stream\n"
                           "    %3 = current_stream\n"
                           "    use %2 %1 \"n::note\" @4:1-4:9\n"
                           "    %4 = call %1 %2 \"n::note\" @4:1-4:9\n"
                           "    %4 = call %3 %2 \"n::order\" @5:1-5:9\n"
                           "    return\n";

START_TEST(a_summary_holds_what_others_can_use) {
  sa_summary s = summary_of(HELPER);
  ck_assert_str_eq(s.unit->path, "help.cpp");
  ck_assert_uint_eq(s.source, sa_hash_string(HELPER, 0));
  ck_assert_uint_eq(s.unit->sites.n + s.unit->tokens.n, 0);
  ck_assert_uint_eq(s.unit->files.n, 2); /* nothing outside the project has a name */
  ck_assert_str_eq(s.unit->files.at[1], "help.h");
  ck_assert_uint_eq(s.unit->classes.n, 1);
  ck_assert_uint_eq(find(s.unit, "n::add"), SA_NO_INDEX);
  ck_assert_uint_eq(find(s.unit, "n::outside"), SA_NO_INDEX); /* nobody here calls it */
  const sa_ir_func *order = &s.unit->funcs.at[find(s.unit, "n::order")];
  ck_assert_uint_eq(order->blocks.at[0].insts.n, 1);
  ck_assert_uint_eq(order->blocks.at[0].insts.at[0].func, find(s.unit, "n::inner"));
  ck_assert_uint_eq(s.unit->funcs.at[find(s.unit, "n::inner")].blocks.at[0].insts.at[0].at.offset,
                    0);
}
END_TEST

START_TEST(printing_what_was_read_gives_the_same_bytes) {
  const char *once = sa_summary_print(arena, parse(HELPER), 1, TOOL);
  sa_summary s;
  ck_assert_int_eq(sa_summary_read(&s, arena, &diag, "x", once, strlen(once), TOOL), SA_OK);
  ck_assert_str_eq(sa_ir_print(arena, s.unit), strchr(once, '\n') + 1);
}
END_TEST

/* Every byte of a summary is covered: whichever is cut or changed, it is refused with its place. */
START_TEST(damage_is_noticed_wherever_it_is) {
  const char *whole = sa_summary_print(arena, parse(HELPER), 1, TOOL);
  size_t length = strlen(whole);
  for (size_t i = 0; i < length; i += 3) {
    sa_summary s;
    char *changed = sa_strdup(arena, whole);
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    diag.messages.n = 0;
    ck_assert_int_eq(sa_summary_read(&s, arena, &diag, "d/a.sasum", changed, length, TOOL),
                     SA_E_SYNTAX);
    ck_assert_uint_eq(diag.messages.n, 1);
    ck_assert_int_eq(diag.messages.at[0].severity, SA_WARNING);
    ck_assert_str_eq(diag.messages.at[0].file, "d/a.sasum");
    ck_assert_uint_gt(diag.messages.at[0].line, 0);
    const char *cut = sa_strndup(arena, whole, i);
    ck_assert_int_eq(sa_summary_read(&s, arena, &diag, "d/a.sasum", cut, i, TOOL), SA_E_SYNTAX);
  }
}
END_TEST

/* Somebody who computes the checksum, too. */
static const char *forged(const char *body) {
  const char *head = sa_printf(arena, "; sa-lint summary %d tool " TOOL " source %s checksum ",
                               SA_SUMMARY_FORMAT, sa_hash_hex(arena, 0));
  uint64_t sum = sa_hash(body, strlen(body), sa_hash_string(head, 0));
  return sa_printf(arena, "%s%s\n%s", head, sa_hash_hex(arena, sum), body);
}

static const char *why_not(const char *text, size_t length) {
  sa_summary s;
  diag.messages.n = 0;
  ck_assert_int_eq(sa_summary_read(&s, arena, &diag, "x", text, length, TOOL), SA_E_SYNTAX);
  ck_assert_uint_eq(diag.messages.n, 1);
  return diag.messages.at[0].text;
}

START_TEST(forged_text_is_refused_with_its_line) {
  static const struct {
    const char *body, *why;
    unsigned line;
  } cases[] = {
      {"", "expected 'unit'", 2},
      {"unit \"a\" cpp\nfile 0 \"a\"\nnonsense\n", "expected file, class", 4},
      {"unit \"a\" cpp\nfile 0 \"a\"\nfile 1 \"/etc/passwd\"\n", "outside the project", 2},
      {"unit \"a\" cpp\nfile 0 \"a\"\nfile 1 \"b/../../c\"\n", "outside the project", 2},
      {"unit \"../a\" cpp\nfile 0 \"../a\"\n", "outside the project", 2},
      {"unit \"a\" cpp\nfile 0 \"b\"\n", "first file is not the unit", 2},
      {"unit \"a\" cpp\n", "first file is not the unit", 2},
      {"unit \"a\" cpp\nfile 0 \"a\"\nsite 0 call \"r\" @1:1-1:2\n", "no sites", 2},
      {"unit \"a\" cpp\nfile 0 \"a\"\nfunc 0 \"f\" returns void\n", "not marked as context", 2},
      {"unit \"a\" cpp\nfile 0 \"a\"\nfunc 0 \"f\" header returns void\n  temp %1: void\n"
       "  block 0:\n    %1 = call \"g\" func 9\n    return\n",
       "does not exist", 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *text = forged(cases[i].body), *why = why_not(text, strlen(text));
    ck_assert_msg(strstr(why, cases[i].why) != NULL, "case %zu: %s", i, why);
    ck_assert_uint_eq(diag.messages.at[0].line, cases[i].line);
  }
  ck_assert_ptr_nonnull(strstr(why_not("; sa-lint summary 2 tool " TOOL, 29), "format is 2"));
  ck_assert_ptr_nonnull(strstr(why_not("; sa-lint summary 1 tool 9 x", 28), "version 9"));
  ck_assert_ptr_nonnull(strstr(why_not("; sa-lint summary 1 tool", 24), "version (none)"));
  ck_assert_ptr_nonnull(strstr(why_not("; sa\0lint", 9), "not a text"));
}
END_TEST

START_TEST(calls_get_the_bodies_of_other_units) {
  const sa_ir_unit *linked = link_two(USER, HELPER, NULL);
  const sa_ir_inst *order = call_in(linked, "run", "n::order"),
                   *note = call_in(linked, "run", "n::note");
  ck_assert_uint_eq(order->func, find(linked, "n::order"));
  ck_assert_uint_eq(note->func, find(linked, "n::note"));
  ck_assert_uint_eq(call_in(linked, "n::order", "n::inner")->func, find(linked, "n::inner"));
  ck_assert((linked->funcs.at[note->func].flags & SA_FUNC_HEADER) != 0);
  ck_assert_uint_eq(linked->sites.n, 0);
  /* The use that stood for the call while it was not seen is gone. */
  ck_assert_uint_eq(linked->funcs.at[0].blocks.at[0].insts.n, 4);
  ck_assert_str_eq(linked->files.at[linked->funcs.at[note->func].at.file], "help.cpp");
}
END_TEST

START_TEST(nothing_to_add_leaves_the_unit_as_it_is) {
  sa_ir_unit *unit = parse(HELPER);
  sa_summary own = summary_of(HELPER);
  ck_assert_ptr_eq(sa_link(arena, unit, sa_summaries_of(arena, &own, 1)), unit);
  ck_assert_ptr_eq(sa_link(arena, unit, sa_summaries_of(arena, NULL, 0)), unit);
}
END_TEST

START_TEST(a_name_that_two_units_define_stays_open) {
  char *other = sa_strdup(arena, HELPER);
  for (char *at; (at = strstr(other, "help.cpp")) != NULL;) memcpy(at, "twin.cpp", 8);
  const sa_ir_unit *linked = link_two(USER, HELPER, other);
  ck_assert_uint_eq(call_in(linked, "run", "n::order")->func, SA_NO_INDEX);
}
END_TEST

START_TEST(parameters_must_fit) {
  char *other = sa_strdup(arena, USER);
  char *at = strstr(other, "call %3 %2 \"n::order\"");
  memcpy(at, "call %1 %2 \"n::order\"", 21); /* a tensor where a stream is wanted */
  const sa_ir_unit *linked = link_two(other, HELPER, NULL);
  ck_assert_uint_eq(call_in(linked, "run", "n::order")->func, SA_NO_INDEX);
}
END_TEST

START_TEST(the_order_of_summaries_does_not_matter) {
  static const char MORE[] =
      "unit \"more.cpp\" cpp\nfile 0 \"more.cpp\"\n"
      "func 0 \"go\" returns void @1:1-2:2\n  param %1 \"x\": tensor\n"
      "  temp %2: void\n  block 0:\n    %2 = call %1 \"run\" @1:3-1:9\n    return\n";
  const char *one = sa_ir_print(arena, link_two(USER, HELPER, MORE));
  ck_assert_str_eq(sa_ir_print(arena, link_two(USER, MORE, HELPER)), one);
  ck_assert_ptr_nonnull(strstr(one, "\"go\""));
}
END_TEST

/* `run` records (through n::note), so what calls it is of interest; it belongs to the program then.
 */
START_TEST(callers_come_along_and_close_the_function) {
  static const char CALLER[] =
      "unit \"main.cpp\" cpp\nfile 0 \"main.cpp\"\n"
      "func 0 \"main\" internal returns void @1:1-2:2\n  local %1 \"x\": tensor\n"
      "  temp %2: void\n  block 0:\n    %1 = alloc %0 \"empty\"\n"
      "    %2 = call %1 \"run\" @1:3-1:9\n    end %1\n    return\n";
  const sa_ir_unit *linked = link_two(USER, HELPER, CALLER);
  ck_assert_uint_eq(call_in(linked, "main", "run")->func, find(linked, "run"));
  ck_assert((linked->funcs.at[find(linked, "run")].flags & SA_FUNC_INTERNAL) != 0);
  linked = link_two(USER, HELPER, NULL);
  ck_assert((linked->funcs.at[find(linked, "run")].flags & SA_FUNC_INTERNAL) == 0);
}
END_TEST

/* `start` gives a handle of a base class: what the object holds is not known, so the class stays
 * out; a class that nothing derives from comes along. */
START_TEST(bases_without_blocks_stay_out) {
  static const char USE[] =
      "unit \"use.cpp\" cpp\nfile 0 \"use.cpp\"\n"
      "func 0 \"start\" returns handle \"ptr<n::Base>\" @1:1-9:2\n"
      "  param %1 \"x\": tensor\n  param %2 \"s\": stream\n  temp %3: handle \"ptr<n::Leaf>\"\n"
      "  block 0:\n    record %1 %2 \"r\" site 0 @2:1-2:2\n    %3 = call \"n::make\"\n"
      "    return %3\nsite 0 call \"r\" func 0 @2:1-2:2\n";
  static const char CLASSES[] =
      "unit \"c.cpp\" cpp\nfile 0 \"c.cpp\"\n"
      "class \"n::Base\" base \"n::Root\" @1:1-2:2\n  field \"e\" event \"E\"\n"
      "class \"n::Leaf\" base \"n::Base\" @3:1-4:2\n  field \"e\" event \"E\"\n"
      "func 0 \"n::Base::wait\" class \"n::Base\" method returns void @5:1-6:2\n"
      "  this %1 \"this\": object \"n::Base\" ref\n  temp %2: event\n  block 0:\n"
      "    %2 = field %1 \"e\"\n    sync_event %2\n    return\n";
  const sa_ir_unit *linked = link_two(USE, CLASSES, NULL);
  ck_assert_ptr_null(sa_ir_find_class(linked, "n::Base"));
  ck_assert_ptr_nonnull(sa_ir_find_class(linked, "n::Leaf"));
  ck_assert_uint_ne(find(linked, "n::Base::wait"), SA_NO_INDEX);
}
END_TEST

/* A chain f0 -> f1 -> ... over one unit each, longer than is followed, and one that bites its tail.
 */
START_TEST(depth_is_bounded) {
  enum { N = 40 };
  for (int circle = 0; circle < 2; circle++) {
    sa_summary all[N];
    for (int i = 0; i < N; i++)
      all[i] = summary_of(
          sa_printf(arena,
                    "unit \"u%d\" cpp\nfile 0 \"u%d\"\nfunc 0 \"f%d\" returns void @1:1-2:2\n"
                    "  param %%1 \"s\": stream\n  temp %%2: void\n  block 0:\n"
                    "    %%2 = call %%1 \"f%d\" @1:3-1:9\n    return\n",
                    i, i, i, circle != 0 ? (i + 1) % 3 : i + 1));
    const sa_ir_unit *linked =
        sa_link(arena,
                parse("unit \"a\" cpp\nfile 0 \"a\"\nfunc 0 \"a\" returns void\n"
                      "  param %1 \"s\": stream\n  temp %2: void\n  block 0:\n"
                      "    %2 = call %1 \"f0\" @1:3-1:9\n    return\n"),
                sa_summaries_of(arena, all, N));
    const char *why = "";
    ck_assert_msg(sa_ir_check(linked, arena, &why), "%s", why);
    ck_assert_uint_ge(linked->funcs.n, 4);
    ck_assert_uint_le(linked->funcs.n, 8);
  }
}
END_TEST

/* One unit that calls thousands of others. */
START_TEST(size_is_bounded) {
  enum { N = 3000 };
  FILE *text;
  char *bytes;
  size_t length;
  sa_summary *all = sa_alloc(arena, N * sizeof *all);
  text = open_memstream(&bytes, &length);
  fputs("unit \"a\" cpp\nfile 0 \"a\"\nfunc 0 \"a\" returns void\n  param %1 \"s\": stream\n"
        "  temp %2: void\n  block 0:\n",
        text);
  for (int i = 0; i < N; i++) {
    fprintf(text, "    %%2 = call %%1 \"f%d\"\n", i);
    all[i] = summary_of(sa_printf(arena,
                                  "unit \"u%d\" cpp\nfile 0 \"u%d\"\n"
                                  "func 0 \"f%d\" returns void @1:1-2:2\n"
                                  "  param %%1 \"s\": stream\n  block 0:\n"
                                  "    sync_stream %%1\n    return\n",
                                  i, i, i));
  }
  fputs("    return\n", text);
  fclose(text);
  const sa_ir_unit *linked = sa_link(arena, parse(bytes), sa_summaries_of(arena, all, N));
  const char *why = "";
  ck_assert_msg(sa_ir_check(linked, arena, &why), "%s", why);
  ck_assert_uint_gt(linked->funcs.n, 100);
  ck_assert_uint_lt(linked->funcs.n, 1000);
  free(bytes);
}
END_TEST

START_TEST(files_are_written_under_names_of_their_own) {
  char directory[] = "/tmp/sa-link-XXXXXX";
  const char *deep, *name = sa_summary_name(arena, "help.cpp");
  sa_summaries *all;
  ck_assert_ptr_nonnull(mkdtemp(directory));
  deep = sa_printf(arena, "%s/a/b", directory);
  ck_assert_int_eq(sa_fs_make_directory(arena, &diag, deep), SA_OK);
  ck_assert_int_eq(sa_fs_make_directory(arena, &diag, deep), SA_OK);
  ck_assert_int_eq(sa_summary_write(arena, &diag, deep, parse(HELPER), 1, TOOL), SA_OK);
  ck_assert_uint_eq(diag.messages.n, 0);
  ck_assert_str_ne(name, sa_summary_name(arena, "Help.cpp"));
  ck_assert_int_eq(sa_summaries_load(&all, arena, &diag, (const char *[]){directory}, 1, TOOL),
                   SA_OK);
  ck_assert_uint_eq(all->units.n, 1);
  ck_assert_ptr_nonnull(sa_summaries_find(all, "help.cpp"));
  ck_assert_ptr_null(sa_summaries_find(all, "help"));
  sa_ir_unit *outside = parse(HELPER);
  outside->path = "/somewhere/help.cpp";
  ck_assert_int_eq(sa_summary_write(arena, &diag, deep, outside, 1, TOOL), SA_OK);
  ck_assert_int_eq(diag.messages.at[0].severity, SA_WARNING);
  ck_assert_int_eq(remove(sa_printf(arena, "%s/%s", deep, name)), 0);
  ck_assert_int_eq(remove(deep), 0); /* nothing else was left there */
  remove(sa_printf(arena, "%s/a", directory));
  remove(directory);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("link");
  TCase *tests = tcase_create("all");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, a_summary_holds_what_others_can_use);
  tcase_add_test(tests, printing_what_was_read_gives_the_same_bytes);
  tcase_add_test(tests, damage_is_noticed_wherever_it_is);
  tcase_add_test(tests, forged_text_is_refused_with_its_line);
  tcase_add_test(tests, calls_get_the_bodies_of_other_units);
  tcase_add_test(tests, nothing_to_add_leaves_the_unit_as_it_is);
  tcase_add_test(tests, a_name_that_two_units_define_stays_open);
  tcase_add_test(tests, parameters_must_fit);
  tcase_add_test(tests, the_order_of_summaries_does_not_matter);
  tcase_add_test(tests, callers_come_along_and_close_the_function);
  tcase_add_test(tests, bases_without_blocks_stay_out);
  tcase_add_test(tests, depth_is_bounded);
  tcase_add_test(tests, size_is_bounded);
  tcase_add_test(tests, files_are_written_under_names_of_their_own);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
