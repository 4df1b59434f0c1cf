/* Paths, globs, hashes, files and directories. */
#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sa_arena *arena;
static sa_diag diag;
static char *directory;

static void set_up(void) {
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
  directory = sa_strdup(arena, "/tmp/sa-fs-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  directory = sa_fs_canonical(arena, directory);
}

static void tear_down(void) {
  ck_assert_int_eq(system(sa_printf(arena, "rm -rf '%s'", directory)), 0);
  sa_arena_free(arena);
}

static const char *in(const char *name) {
  return sa_path_join(arena, directory, name);
}

static void put(const char *name, const char *bytes, size_t length) {
  FILE *file = fopen(in(name), "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
  fclose(file);
}

START_TEST(clean_takes_dots_and_slashes_away) {
  static const char *const cases[][2] = {
      {"a/./b//../c/", "a/c"}, {"", "."},         {"./", "."},        {"../a/../..", "../.."},
      {"/../a", "/a"},         {"/", "/"},        {"a/..", "."},      {"//a//b", "/a/b"},
      {"a/../../b", "../b"},   {"/a/b/..", "/a"}, {"...", "..."},     {"a/..b", "a/..b"},
      {"../..", "../.."},      {"/..", "/"},      {"a/b/../..", "."}, {"./a", "a"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_str_eq(sa_path_clean(arena, cases[i][0]), cases[i][1]);
}
END_TEST

START_TEST(parts_of_a_path) {
  ck_assert_str_eq(sa_path_join(arena, "a", "b"), "a/b");
  ck_assert_str_eq(sa_path_join(arena, "/", "b"), "/b");
  ck_assert_str_eq(sa_path_join(arena, "a", "/b"), "/b");
  ck_assert_str_eq(sa_path_directory(arena, "a/b/c"), "a/b");
  ck_assert_str_eq(sa_path_directory(arena, "c"), ".");
  ck_assert_str_eq(sa_path_directory(arena, "/c"), "/");
  ck_assert_str_eq(sa_path_extension("a.b/c.cpp"), ".cpp");
  ck_assert_str_eq(sa_path_extension("a.b/c"), "");
  ck_assert_str_eq(sa_path_extension("a/.clang"), "");
  ck_assert_str_eq(sa_path_inside("/a", "/a/b/c"), "b/c");
  ck_assert_str_eq(sa_path_inside("/a", "/a"), ".");
  ck_assert_str_eq(sa_path_inside("/", "/a"), "a");
  ck_assert_ptr_null(sa_path_inside("/a", "/ab"));
  ck_assert_ptr_null(sa_path_inside(".", "../x"));
}
END_TEST

START_TEST(globs) {
  static const struct {
    const char *pattern, *path;
    bool matches;
  } cases[] = {
      {"*.cpp", "a/b.cpp", true},
      {"*.cpp", "a/b.cppx", false},
      {"third_party", "x/third_party/y.h", true},
      {"third_party/", "third_party/y.h", true},
      {"a/*.h", "a/b.h", true},
      {"a/*.h", "a/b/c.h", false},
      {"a/**/c.h", "a/c.h", true},
      {"a/**/c.h", "a/b/b/c.h", true},
      {"**/c.h", "c.h", true},
      {"**/c.h", "abc.h", false},
      {"a/**", "a/b/c", true},
      {"a/**", "ab/c", false},
      {"a/b", "a/b/c/d.cpp", true},
      {"a/b", "a/bc", false},
      {"./a/b", "a/b", true},
      {"/a/b", "a/b", true},
      {"[a-c]?.h", "b1.h", true},
      {"[!a-c]?.h", "b1.h", false},
      {"[]x].h", "].h", true},
      {"a[.h", "a[.h", true},
      {"\\*.h", "*.h", true},
      {"\\*.h", "a.h", false},
      {"", "a", false},
      {"*", "a/b", true},
      {"a/***********************b", "a/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false},
      {"a/*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "a/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(sa_path_matches(cases[i].pattern, cases[i].path) == cases[i].matches,
                  "'%s' on '%s'", cases[i].pattern, cases[i].path);
}
END_TEST

START_TEST(hashes_are_stable_and_chain) {
  ck_assert_str_eq(sa_hash_hex(arena, sa_hash("", 0, 0)), "2d06800538d394c2");
  uint64_t one = sa_hash_string("c", sa_hash_string("ab", 0));
  uint64_t two = sa_hash_string("bc", sa_hash_string("a", 0));
  ck_assert(one != two);
}
END_TEST

START_TEST(read_tells_what_a_path_is) {
  sa_buffer buffer = {0};
  put("text", "hello", 5);
  put("binary", "a\0b", 3);
  put("empty", "", 0);
  ck_assert_int_eq(mkfifo(in("pipe"), 0600), 0);
  ck_assert_int_eq(symlink("loop", in("loop")), 0);
  ck_assert_int_eq(sa_fs_read(&buffer, in("text"), 5), SA_FILE_TEXT);
  ck_assert_str_eq(buffer.bytes, "hello");
  ck_assert_int_eq(sa_fs_read(&buffer, in("text"), 4), SA_FILE_TOO_LARGE);
  ck_assert_int_eq(sa_fs_read(&buffer, in("binary"), 100), SA_FILE_BINARY);
  ck_assert_uint_eq(buffer.length, 3);
  ck_assert_int_eq(sa_fs_read(&buffer, in("empty"), 100), SA_FILE_TEXT);
  ck_assert_uint_eq(buffer.length, 0);
  ck_assert_int_eq(sa_fs_read(&buffer, in("none"), 100), SA_FILE_MISSING);
  ck_assert_int_eq(sa_fs_read(&buffer, in("text/below"), 100), SA_FILE_MISSING);
  ck_assert_int_eq(sa_fs_read(&buffer, directory, 100), SA_FILE_DIRECTORY);
  ck_assert_int_eq(sa_fs_read(&buffer, in("pipe"), 100), SA_FILE_SPECIAL);
  ck_assert_int_eq(sa_fs_read(&buffer, in("loop"), 100), SA_FILE_UNREADABLE);
  ck_assert_str_eq(sa_file_problem(SA_FILE_UNREADABLE),
                   sa_printf(arena, "cannot be read: %s", strerror(ELOOP)));
  ck_assert_ptr_null(sa_fs_canonical(arena, in("loop")));
  sa_buffer_free(&buffer);
}
END_TEST

START_TEST(read_text_reports_once) {
  char *text;
  ck_assert_int_eq(sa_fs_read_text(&text, NULL, arena, &diag, in("none"), 10), SA_E_IO);
  ck_assert_ptr_null(text);
  ck_assert_uint_eq(diag.messages.n, 1);
  ck_assert_str_eq(diag.messages.at[0].text, "the file does not exist");
}
END_TEST

typedef struct {
  char *seen;
} seen_paths;

static bool enter_unless_skipped(void *context, const char *path) {
  (void)context;
  return strcmp(sa_path_name(path), "skipped") != 0;
}

static void see(void *context, const char *path, bool is_link) {
  seen_paths *paths = context;
  paths->seen =
      sa_printf(arena, "%s%s%s ", paths->seen, sa_path_inside(directory, path), is_link ? "@" : "");
}

static void see_trouble(void *context, const char *path) {
  seen_paths *paths = context;
  paths->seen = sa_printf(arena, "%s!%s ", paths->seen, path);
}

START_TEST(walk_is_sorted_and_ends) {
  static const char *const made[] = {"b", "a", "a/z", "skipped"};
  for (size_t i = 0; i < 4; i++) ck_assert_int_eq(mkdir(in(made[i]), 0700), 0);
  put("c", "", 0);
  put("a/y", "", 0);
  put("a/z/x", "", 0);
  put("skipped/s", "", 0);
  ck_assert_int_eq(symlink("..", in("a/up")), 0);
  ck_assert_int_eq(symlink("c", in("link")), 0);
  ck_assert_int_eq(symlink("nowhere", in("broken")), 0);
  seen_paths paths = {sa_strdup(arena, "")};
  sa_walk walk = {&paths, enter_unless_skipped, see, see_trouble};
  sa_fs_walk(arena, directory, &walk);
  ck_assert_str_eq(paths.seen, "a/y a/z/x c link@ ");
  paths.seen = sa_strdup(arena, "");
  sa_fs_walk(arena, "/tmp/sa-no-such-directory", &walk);
  ck_assert_str_eq(paths.seen, "!/tmp/sa-no-such-directory ");
}
END_TEST

START_TEST(output_is_whole_or_absent) {
  sa_output out;
  sa_buffer buffer = {0};
  put("old", "old", 3);
  ck_assert_int_eq(chmod(in("old"), 0640), 0);
  ck_assert_int_eq(symlink("old", in("link")), 0);
  ck_assert_int_eq(sa_output_open(&out, arena, &diag, in("link")), SA_OK);
  fputs("new text", out.file);
  sa_output_abandon(&out);
  sa_fs_read(&buffer, in("old"), 100);
  ck_assert_str_eq(buffer.bytes, "old");
  ck_assert_int_eq(sa_output_open(&out, arena, &diag, in("link")), SA_OK);
  fputs("new text", out.file);
  ck_assert_int_eq(sa_output_commit(&out, &diag), SA_OK);
  sa_fs_read(&buffer, in("old"), 100);
  ck_assert_str_eq(buffer.bytes, "new text");
  struct stat status;
  ck_assert_int_eq(lstat(in("link"), &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
  ck_assert_int_eq(stat(in("old"), &status), 0);
  ck_assert_uint_eq(status.st_mode & 0777, 0640);
  seen_paths paths = {sa_strdup(arena, "")};
  sa_walk walk = {&paths, enter_unless_skipped, see, see_trouble};
  sa_fs_walk(arena, directory, &walk);
  ck_assert_str_eq(paths.seen, "link@ old ");
  sa_buffer_free(&buffer);
}
END_TEST

START_TEST(output_failures_are_reported) {
  sa_output out;
  ck_assert_int_eq(sa_output_open(&out, arena, &diag, in("no/such/place")), SA_E_IO);
  ck_assert_int_eq(sa_output_open(&out, arena, &diag, directory), SA_E_IO);
  ck_assert_int_eq(sa_output_open(&out, arena, &diag, "/dev/full"), SA_OK);
  fputs("text", out.file);
  ck_assert_int_eq(sa_output_commit(&out, &diag), SA_E_IO);
  ck_assert_uint_eq(diag.messages.n, 3);
  ck_assert_str_eq(diag.messages.at[2].text,
                   sa_printf(arena, "cannot write: %s", strerror(ENOSPC)));
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("fs");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, clean_takes_dots_and_slashes_away);
  tcase_add_test(tests, parts_of_a_path);
  tcase_add_test(tests, globs);
  tcase_add_test(tests, hashes_are_stable_and_chain);
  tcase_add_test(tests, read_tells_what_a_path_is);
  tcase_add_test(tests, read_text_reports_once);
  tcase_add_test(tests, walk_is_sorted_and_ends);
  tcase_add_test(tests, output_is_whole_or_absent);
  tcase_add_test(tests, output_failures_are_reported);
  Suite *suite = suite_create("fs");
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
