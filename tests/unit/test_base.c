/* Arenas, arrays, tables and messages. */
#include "base/diag.h"
#include "base/table.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(arena_gives_zeroed_aligned_memory) {
  sa_arena *arena = sa_arena_new();
  for (size_t size = 1; size < 300000; size = size * 3 + 1) {
    unsigned char *bytes = sa_alloc(arena, size);
    ck_assert_uint_eq((uintptr_t)bytes % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++) ck_assert_uint_eq(bytes[i], 0);
    memset(bytes, 0xff, size);
  }
  sa_arena_free(arena);
}
END_TEST

START_TEST(regrow_keeps_the_old_part_and_zeroes_the_new) {
  sa_arena *arena = sa_arena_new();
  char *text = sa_strndup(arena, "abcdef", 3);
  char *grown = sa_regrow(arena, text, 3, 100);
  ck_assert_mem_eq(grown, "abc\0\0\0", 6);
  ck_assert_int_eq(grown[99], 0);
  ck_assert_str_eq(sa_printf(arena, "%s-%d", text, 7), "abc-7");
  sa_arena_free(arena);
}
END_TEST

START_TEST(array_grows_and_keeps_order) {
  sa_arena *arena = sa_arena_new();
  SA_ARRAY(int) numbers = {0};
  for (int i = 0; i < 1000; i++) sa_push(arena, &numbers, i);
  ck_assert_uint_eq(numbers.n, 1000);
  for (int i = 0; i < 1000; i++) ck_assert_int_eq(numbers.at[i], i);
  sa_arena_free(arena);
}
END_TEST

START_TEST(table_keeps_what_was_put_under_each_key) {
  sa_arena *arena = sa_arena_new();
  sa_table table = {0};
  bool is_new;
  ck_assert_uint_eq(sa_table_get(&table, 7), 0);
  for (uint32_t i = 1; i <= 5000; i++) {
    *sa_table_at(arena, &table, (uint64_t)i << 32, &is_new) = i;
    ck_assert(is_new);
  }
  for (uint32_t i = 1; i <= 5000; i++) {
    ck_assert_uint_eq(*sa_table_at(arena, &table, (uint64_t)i << 32, &is_new), i);
    ck_assert(!is_new);
    ck_assert_uint_eq(sa_table_get(&table, ((uint64_t)i << 32) + 1), 0);
  }
  ck_assert_uint_eq(table.n, 5000);
  sa_arena_free(arena);
}
END_TEST

START_TEST(diag_keeps_messages_in_order) {
  sa_arena *arena = sa_arena_new();
  sa_diag diag = {.arena = arena};
  char file[] = "a.yaml";
  sa_report(&diag, SA_WARNING, file, 3, 4, "unknown key '%s'", "x");
  file[0] = 'b';
  ck_assert_int_eq(sa_diag_has_errors(&diag), 0);
  sa_report(&diag, SA_ERROR, NULL, 0, 0, "second");
  ck_assert_int_ne(sa_diag_has_errors(&diag), 0);
  ck_assert_str_eq(diag.messages.at[0].file, "a.yaml");
  ck_assert_str_eq(diag.messages.at[0].text, "unknown key 'x'");
  ck_assert_ptr_null(diag.messages.at[1].file);
  ck_assert_str_eq(sa_severity_name(diag.messages.at[1].severity), "error");
  sa_arena_free(arena);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("base");
  tcase_add_test(tests, arena_gives_zeroed_aligned_memory);
  tcase_add_test(tests, regrow_keeps_the_old_part_and_zeroes_the_new);
  tcase_add_test(tests, array_grows_and_keeps_order);
  tcase_add_test(tests, table_keeps_what_was_put_under_each_key);
  tcase_add_test(tests, diag_keeps_messages_in_order);
  Suite *suite = suite_create("base");
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
