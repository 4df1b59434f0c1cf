/* The JSON writer, read back by jansson. */
#include "base/json.h"

#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t length;

static sa_json start(void) {
  return sa_json_to(open_memstream(&text, &length));
}

static void finish(sa_json *json) {
  ck_assert_int_eq(sa_json_finish(json), SA_OK);
  fclose(json->out);
}

START_TEST(values_and_order) {
  sa_json json = start();
  sa_json_open(&json, NULL, '{');
  sa_json_string(&json, "z", "a\"b\\c\n\x01\x7f");
  sa_json_open(&json, "list", '[');
  sa_json_int(&json, NULL, INT64_MIN);
  sa_json_bool(&json, NULL, true);
  sa_json_string(&json, NULL, NULL);
  sa_json_open(&json, NULL, '{');
  sa_json_close(&json);
  sa_json_close(&json);
  sa_json_text(&json, "a", "x\0y", 3);
  sa_json_close(&json);
  finish(&json);
  ck_assert_str_eq(text,
                   "{\"z\":\"a\\\"b\\\\c\\n\\u0001\\u007f\",\"list\":[-9223372036854775808,true,"
                   "null,{}],\"a\":\"x\\u0000y\"}\n");
  free(text);
}
END_TEST

START_TEST(any_bytes_give_valid_json) {
  srand(1);
  for (int round = 0; round < 2000; round++) {
    char bytes[64];
    size_t n = (size_t)rand() % sizeof bytes;
    for (size_t i = 0; i < n; i++) bytes[i] = (char)(rand() % 4 == 0 ? rand() % 128 : rand() % 256);
    sa_json json = start();
    sa_json_open(&json, NULL, '[');
    sa_json_text(&json, NULL, bytes, n);
    sa_json_close(&json);
    finish(&json);
    json_error_t error;
    json_t *value = json_loadb(text, length, JSON_ALLOW_NUL, &error);
    ck_assert_msg(value != NULL, "round %d: %s", round, error.text);
    json_decref(value);
    free(text);
  }
}
END_TEST

START_TEST(invalid_utf8_becomes_the_replacement_character) {
  static const char *const cases[][2] = {
      {"\xc3\xa9", "\"\xc3\xa9\""},
      {"\xff", "\"\xef\xbf\xbd\""},
      {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
      {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
      {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
      {"\xf0\x9f\x98", "\"\xef\xbf\xbd\""},
      {"\xf5\x80\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
      {"\xef\xbf\xbd", "\"\xef\xbf\xbd\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sa_json json = start();
    sa_json_string(&json, NULL, cases[i][0]);
    finish(&json);
    text[length - 1] = '\0';
    ck_assert_str_eq(text, cases[i][1]);
    free(text);
  }
}
END_TEST

START_TEST(a_full_disk_is_an_error) {
  FILE *full = fopen("/dev/full", "w");
  ck_assert_ptr_nonnull(full);
  sa_json json = sa_json_to(full);
  sa_json_string(&json, NULL, "text");
  ck_assert_int_eq(sa_json_finish(&json), SA_E_IO);
  ck_assert_int_eq(errno, ENOSPC);
  fclose(full);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("json");
  tcase_add_test(tests, values_and_order);
  tcase_add_test(tests, any_bytes_give_valid_json);
  tcase_add_test(tests, invalid_utf8_becomes_the_replacement_character);
  tcase_add_test(tests, a_full_disk_is_an_error);
  Suite *suite = suite_create("json");
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
