/* Selection, prefilter, compile database and flags. */
#include "base/fs.h"
#include "base/path.h"
#include "project/compile_db.h"
#include "project/config.h"
#include "project/prefilter.h"
#include "project/root.h"
#include "project/scan.h"
#include "project/select.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sa_arena *arena;
static sa_diag diag;
static const char *root;

static void set_up(void) {
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
  char *directory = sa_strdup(arena, "/tmp/sa-project-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  root = sa_fs_canonical(arena, directory);
}

static void tear_down(void) {
  ck_assert_int_eq(system(sa_printf(arena, "rm -rf '%s'", root)), 0);
  sa_arena_free(arena);
}

static const char *in(const char *name) {
  return sa_path_join(arena, root, name);
}

static void put(const char *name, const char *text) {
  const char *command = sa_printf(arena, "mkdir -p '%s'", sa_path_directory(arena, in(name)));
  ck_assert_int_eq(system(command), 0);
  FILE *file = fopen(in(name), "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

/* "a b* " for the sources chosen; * marks those given by name. */
static const char *selected(sa_status expected, const char *const *paths, uint32_t npaths,
                            const char *exclude) {
  sa_source_array sources = {0};
  sa_select_options options = {
      .cwd = root, .root = root, .exclude = &exclude, .nexclude = exclude != NULL};
  ck_assert_int_eq(sa_select(&sources, arena, &diag, &options, paths, npaths), expected);
  char *text = sa_strdup(arena, "");
  for (uint32_t i = 0; i < sources.n; i++)
    text = sa_printf(arena, "%s%s%s ", text, sources.at[i].path, sources.at[i].named ? "*" : "");
  return text;
}

START_TEST(select_sorts_and_takes_each_once) {
  put("b.cpp", "");
  put("a/x.cu", "");
  put("a/notes.txt", "");
  put(".git/y.c", "");
  put("build/z.cc", "");
  ck_assert_int_eq(symlink("a/x.cu", in("link.cu")), 0);
  ck_assert_int_eq(symlink("..", in("a/loop")), 0);
  const char *twice[] = {".", "a", "./b.cpp", "link.cu"};
  ck_assert_str_eq(selected(SA_OK, twice, 4, NULL), "a/x.cu* b.cpp* build/z.cc ");
  ck_assert_str_eq(selected(SA_OK, twice, 1, "build"), "a/x.cu b.cpp ");
  const char *named[] = {"build/z.cc"};
  ck_assert_str_eq(selected(SA_OK, named, 1, "build/"), "");
  const char *text[] = {"a/notes.txt"};
  ck_assert_uint_eq(diag.messages.n, 0);
  ck_assert_str_eq(selected(SA_OK, text, 1, NULL), "");
  ck_assert_uint_eq(diag.messages.n, 1);
}
END_TEST

START_TEST(links_keep_their_name_where_it_says_more) {
  put("store/0a1b", "");
  put("a/x.cpp", "");
  ck_assert_int_eq(mkdir(in("p"), 0700), 0);
  ck_assert_int_eq(symlink("../store/0a1b", in("p/blob.cpp")), 0);
  ck_assert_int_eq(symlink("/dev/null", in("p/out.cpp")), 0);
  ck_assert_int_eq(symlink("../a/x.cpp", in("p/y.cpp")), 0);
  const char *named[] = {"p/blob.cpp", "p/out.cpp", "p/y.cpp"};
  ck_assert_str_eq(selected(SA_OK, named, 3, NULL), "a/x.cpp* p/blob.cpp* p/out.cpp* ");
  const char *walked[] = {"p"};
  ck_assert_str_eq(selected(SA_OK, walked, 1, NULL), "a/x.cpp p/blob.cpp ");
}
END_TEST

START_TEST(select_reports_every_missing_path) {
  put("b.cpp", "");
  const char *paths[] = {"none.cpp", "b.cpp", "no/where"};
  ck_assert_str_eq(selected(SA_E_USAGE, paths, 3, NULL), "b.cpp* ");
  ck_assert_uint_eq(diag.messages.n, 2);
  ck_assert_str_eq(diag.messages.at[1].file, "no/where");
}
END_TEST

START_TEST(languages) {
  static const char *const cases[][3] = {
      {"a.c", "class X;", "c"},
      {"a.C", "", "cpp"},
      {"a.cuh", "", "cuda"},
      {"a.hip", "", "hip"},
      {"a.h", "int f(void);", "c"},
      {"a.h", "std::string f();", "cpp"},
      {"a.h", "__global__ void f();", "cuda"},
      {"a.hpp", "", "cpp"},
      {"a.inl", "f<<<1, 2>>>();", "cuda"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_str_eq(sa_language_of(cases[i][0], cases[i][1], strlen(cases[i][1])), cases[i][2]);
  ck_assert_ptr_null(sa_language_of("a.txt", "", 0));
}
END_TEST

START_TEST(root_is_git_then_configuration_then_here) {
  put("outer/.git/HEAD", "");
  put("outer/sub/.sa-lint.yaml", "");
  put("outer/sub/a.c", "");
  put("plain/deep/.sa-lint.yaml", "");
  put("plain/deep/er/a.c", "");
  const char *path = in("outer/sub/a.c");
  ck_assert_str_eq(sa_project_root(arena, in("outer/sub"), &path, 1), in("outer"));
  ck_assert_str_eq(sa_project_root(arena, in("plain"), &path, 1), in("outer"));
  ck_assert_str_eq(sa_project_root(arena, in("plain/deep/er"), NULL, 0), in("plain/deep"));
  ck_assert_str_eq(sa_project_root(arena, in("plain"), NULL, 0), in("plain"));
}
END_TEST

static bool naive_hit(const char *const *words, size_t n, const char *text, size_t length) {
  for (size_t i = 0; i < n; i++)
    if (memmem(text, length, words[i], strlen(words[i])) != NULL) return true;
  return false;
}

START_TEST(prefilter_agrees_with_a_plain_search) {
  static const char *const words[] = {"abca", "bcb", "cacacac", "aabbcc"};
  sa_prefilter *filter = sa_prefilter_new(arena, words, 4);
  srand(7);
  unsigned hits = 0;
  for (int round = 0; round < 20000; round++) {
    char text[40];
    size_t n = (size_t)rand() % sizeof text;
    for (size_t i = 0; i < n; i++) text[i] = (char)("abcd\0"[rand() % 5]);
    bool expected = naive_hit(words, 4, text, n);
    hits += expected;
    ck_assert(sa_prefilter_hits(filter, text, n) == expected);
  }
  ck_assert_uint_gt(hits, 2000);
  ck_assert_uint_lt(hits, 18000);
}
END_TEST

START_TEST(prefilter_without_words_or_with_short_ones) {
  static const char *const words[] = {"x"};
  ck_assert(!sa_prefilter_hits(sa_prefilter_new(arena, words, 0), "abc", 3));
  ck_assert(sa_prefilter_hits(sa_prefilter_new(arena, words, 1), "abc", 3));
}
END_TEST

static bool concerns_us(const char *text, size_t length) {
  return memmem(text, length, "record_strand", 13) != NULL;
}

START_TEST(scan_is_the_same_with_any_number_of_threads) {
  static const char *const words[] = {"record_stream", "record_str"};
  const sa_prefilter *none = sa_prefilter_new(arena, words, 0);
  sa_scan_filter filter = {sa_prefilter_new(arena, words, 1), none, none,
                           sa_prefilter_new(arena, words, 2), concerns_us};
  sa_source_array sources = {0};
  for (int i = 0; i < 300; i++) {
    const char *name = sa_printf(arena, "f%d.cpp", i);
    put(name, i % 3 == 0 ? "t.record_stream(s);" : "t.record_strand(s);");
    sa_push(arena, &sources, (sa_source){.path = name, .absolute = in(name)});
  }
  put("f3.cpp", "record_strea");
  sa_push(arena, &sources, (sa_source){.path = "none.cpp", .absolute = in("none.cpp")});
  sa_push(arena, &sources, (sa_source){.path = "none.ir", .absolute = in("none.ir")});
  static const unsigned threads[] = {0, 1, 4, 100};
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
    uint8_t states[302];
    memset(states, 9, sizeof states);
    sa_scan(states, &sources, &filter, threads[t]);
    for (uint32_t i = 0; i < 300; i++)
      ck_assert_uint_eq(states[i], i == 3       ? SA_SCAN_SKIP
                                   : i % 3 == 0 ? SA_SCAN_HIT
                                                : SA_SCAN_REMARK);
    ck_assert_uint_eq(states[300], SA_SCAN_TROUBLE);
    ck_assert_uint_eq(states[301], SA_SCAN_HIT);
  }
}
END_TEST

/* Words of C++ count in a Python source that says that it holds some. */
START_TEST(scan_looks_for_the_words_of_each_language) {
  static const char *const words[] = {"FreeAsync", ".stream(", "load_inline"};
  sa_scan_filter filter = {sa_prefilter_new(arena, words, 1), sa_prefilter_new(arena, words + 1, 1),
                           sa_prefilter_new(arena, words + 2, 1), sa_prefilter_new(arena, words, 3),
                           concerns_us};
  static const struct {
    const char *name, *text;
    sa_scan_state state;
  } cases[] = {{"a.cu", "FreeAsync(p, s)", SA_SCAN_HIT},
               {"b.cu", "x.stream(s)", SA_SCAN_SKIP},
               {"c.py", "x.stream(s)", SA_SCAN_HIT},
               {"d.py", "# FreeAsync", SA_SCAN_SKIP},
               {"e.py", "load_inline(FreeAsync)", SA_SCAN_HIT},
               {"f.py", "load_inline(x)", SA_SCAN_SKIP},
               {"g.ipynb", "x.stream(s)", SA_SCAN_HIT}};
  enum { N = sizeof cases / sizeof *cases };
  sa_source_array sources = {0};
  for (size_t i = 0; i < N; i++) {
    put(cases[i].name, cases[i].text);
    sa_push(arena, &sources, (sa_source){.path = cases[i].name, .absolute = in(cases[i].name)});
  }
  uint8_t states[N];
  sa_scan(states, &sources, &filter, 1);
  for (size_t i = 0; i < N; i++)
    ck_assert_msg(states[i] == cases[i].state, "%s: %d", cases[i].name, states[i]);
}
END_TEST

static const char *joined(const sa_words *words) {
  char *text = sa_strdup(arena, "");
  for (uint32_t i = 0; i < words->n; i++) text = sa_printf(arena, "%s[%s]", text, words->at[i]);
  return text;
}

START_TEST(commands_are_split_as_a_shell_would) {
  static const char *const cases[][2] = {
      {"  a  b ", "[a][b]"},
      {"'a b' \"c d\"e", "[a b][c de]"},
      {"-DX=\\\"y\\\" a\\ b", "[-DX=\"y\"][a b]"},
      {"\"a\\\\b\\c\" '\\'", "[a\\b\\c][\\]"},
      {"'' $(rm) `x`", "[][$(rm)][`x`]"},
      {"'open", "[open]"},
      {"tail\\", "[tail\\]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sa_words words = {0};
    sa_flags_split(&words, arena, cases[i][0]);
    ck_assert_str_eq(joined(&words), cases[i][1]);
  }
}
END_TEST

static const char *cleaned(const char *command, uint32_t notices) {
  sa_flags_context context = {arena, &diag, "db", 1, 1, root, root};
  sa_words words = {0};
  sa_command out;
  diag.messages.n = 0;
  sa_flags_split(&words, arena, command);
  sa_flags_clean(&out, &context, &words);
  ck_assert_msg(diag.messages.n == notices, "%u notices for: %s", diag.messages.n, command);
  return sa_printf(arena, "%s%s", joined(&out.flags), out.language != NULL ? out.language : "");
}

START_TEST(flags_that_matter_stay) {
  static const char *const cases[][2] = {
      {"g++ -Ia -I b -DX=1 -isystem c -std=c++17 -o x.o -c x.cpp",
       "[-Ia][-I][b][-DX=1][-isystem][c][-std=c++17]"},
      {"ccache /usr/bin/clang++ -include pch.h -MD -MF x.d -MT -Idep -O2 -Wall -Werror -g x.cpp",
       "[-include][pch.h]"},
      {"nvcc -gencode arch=compute_80,code=sm_80 -Xcompiler -Ihost -x cu -DA y.cu -dc",
       "[-Ihost][-DA]cuda"},
      {"/opt/cuda/bin/nvcc -forward-unknown-to-host-compiler -ccbin /bin/-DNOT --std c++17 "
       "-isystem=a"
       " --define-macro=B=1 --expt-relaxed-constexpr -Xcompiler=-fPIC,-DC,-fno-exceptions,-O2 -I=b"
       " --compiler-options -pthread --pre-include p.h -gencode=arch=compute_90,code=sm_90 -c y.cu",
       "[-std=c++17][-isystem][a][-D][B=1][-DC][-fno-exceptions][-I][b][-pthread][-include][p.h]"},
      {"sccache nvcc -Xcompiler", ""},
      {"nvcc", ""},
      {"g++ -Xcompiler -Inot -std=c++20", "[-std=c++20]"},
      {"cc -x c++ -fno-exceptions -fsomething-new -- -DB", "[-fno-exceptions]cpp"},
      {"cc -I", ""},
      {"", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_str_eq(cleaned(cases[i][0], 0), cases[i][1]);
}
END_TEST

START_TEST(flags_that_load_code_go_with_a_notice) {
  static const char *const refused[] = {
      "-fplugin=x.so",
      "-fplugin-arg-x-y=z",
      "-fpass-plugin=x.so",
      "-Xclang -load",
      "-Xclang -add-plugin",
      "-mllvm -load=x.so",
      "-include-pch x.pch",
      "-specs=x",
      "-wrapper gdb,--args",
      "-Bdir",
      "-B dir",
      "-load x.so",
      "--config=x",
      "@missing.rsp",
      "@/etc/passwd",
      "-fmodule-file=x.pcm",
      "-Xclang -fplugin",
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    ck_assert_str_eq(cleaned(sa_printf(arena, "cc -DA %s -DB x.c", refused[i]), 1), "[-DA][-DB]");
}
END_TEST

START_TEST(response_files_inside_the_root_are_read) {
  put("a.rsp", "-DA '-DB=1 2' @b.rsp");
  put("b.rsp", "-DC -fplugin=x.so @b.rsp");
  ck_assert_str_eq(cleaned("cc @a.rsp -DD", 4), "[-DA][-DB=1 2][-DC][-DC][-DC][-DD]");
  ck_assert_int_eq(symlink("/etc/passwd", in("out.rsp")), 0);
  ck_assert_str_eq(cleaned("cc @out.rsp -DD", 1), "[-DD]");
}
END_TEST

static sa_status load(sa_compile_db **db, const char *text) {
  put("b/compile_commands.json", text);
  diag.messages.n = 0;
  return sa_compile_db_load(db, arena, &diag, in("b"), root);
}

START_TEST(database_gives_flags_by_file) {
  sa_compile_db *db;
  put("src/a.cpp", "");
  const char *text =
      "[{\"directory\": \"..\", \"file\": \"src/a.cpp\", \"command\": \"c++ -DA -c a\"},\n"
      " {\"directory\": \"..\", \"file\": \"src/./a.cpp\", \"arguments\": [\"c++\", \"-DB\"]},\n"
      " {\"directory\": \"gone\", \"file\": \"x\\\"}.cpp\", \"command\": \"c++ -DC\"},\n"
      " {\"directory\": \"gone\", \"file\": \"y.cpp\", \"command\": \"c++ -fplugin=p\"}]";
  ck_assert_int_eq(load(&db, text), SA_OK);
  ck_assert_uint_eq(db->entries.n, 3);
  ck_assert_uint_eq(diag.messages.n, 1);
  ck_assert_str_eq(diag.messages.at[0].file, "b/compile_commands.json");
  ck_assert_uint_eq(diag.messages.at[0].line, 3);
  const sa_db_entry *entry = sa_compile_db_find(db, in("src/a.cpp"));
  ck_assert_ptr_nonnull(entry);
  ck_assert(entry->usable);
  ck_assert_str_eq(entry->directory, root);
  sa_command command;
  sa_compile_db_command(&command, arena, &diag, db, entry);
  ck_assert_str_eq(joined(&command.flags), "[-DA]");
  entry = sa_compile_db_find(db, in("b/gone/y.cpp"));
  ck_assert(entry != NULL && !entry->usable);
  sa_compile_db_command(&command, arena, &diag, db, entry);
  ck_assert_uint_eq(diag.messages.at[1].line, 4);
  ck_assert_uint_eq(diag.messages.at[1].column, 2);
  ck_assert_ptr_null(sa_compile_db_find(db, in("src/b.cpp")));
}
END_TEST

START_TEST(broken_databases_have_a_position) {
  static const struct {
    const char *text;
    unsigned line, column;
  } cases[] = {
      {"", 1, 1},
      {" \n", 1, 1},
      {"{}", 1, 1},
      {"[\n{\"directory\": \".\",}]", 2, 19},
      {"[{\"directory\": \".\", \"file\": \"a\", \"command\": \"c\"},\n\n   3]", 3, 4},
      {"[\n  {\"file\": \"[{,\\\"\", \"directory\": \"/\", \"command\": \"x\"}, {}]", 2, 56},
      {"[{\"directory\": 1, \"file\": \"a\", \"command\": \"c\"}]", 1, 2},
      {"[{\"directory\": \".\", \"command\": \"c\"}]", 1, 2},
      {"[{\"directory\": \".\", \"file\": \"a\", \"arguments\": [1]}]", 1, 2},
      {"[{\"directory\": \".\", \"file\": \"a\", \"arguments\": []}]", 1, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sa_compile_db *db;
    ck_assert_int_eq(load(&db, cases[i].text), SA_E_SYNTAX);
    ck_assert_ptr_null(db);
    ck_assert_uint_eq(diag.messages.n, 1);
    ck_assert_msg(diag.messages.at[0].line == cases[i].line &&
                      diag.messages.at[0].column == cases[i].column,
                  "case %zu: %u:%u: %s", i, diag.messages.at[0].line, diag.messages.at[0].column,
                  diag.messages.at[0].text);
  }
  sa_compile_db *db;
  ck_assert_int_eq(load(&db, "[]"), SA_OK);
  ck_assert_uint_eq(diag.messages.n, 1);
  ck_assert_int_eq(sa_compile_db_load(&db, arena, &diag, in("none"), root), SA_E_IO);
}
END_TEST

static sa_status configure(sa_config **config, const char *text) {
  put("sub/.sa-lint.yaml", text);
  diag.messages.n = 0;
  return sa_config_load(config, arena, &diag, in("sub/.sa-lint.yaml"), root);
}

START_TEST(configuration_is_read) {
  sa_config *config;
  ck_assert_int_eq(configure(&config, "exclude: [third_party/, '*.gen.cpp']\n"
                                      "levels:\n  SA1: note\n  SA104: off\n"
                                      "api:\n- {paths: [include], stability: stable}\n"
                                      "- paths: ['**']\n  stability: internal\n"
                                      "defines: [USE_X, Y=1]\nfail_on: error\nwrappers: {}\n"),
                   SA_OK);
  ck_assert_str_eq(config->path, "sub/.sa-lint.yaml");
  ck_assert_uint_eq(config->exclude.n, 2);
  ck_assert_str_eq(config->defines.at[1], "Y=1");
  ck_assert_int_eq(config->fail_on, SA_ERROR);
  ck_assert_ptr_nonnull(config->wrappers);
  ck_assert_uint_eq(config->levels.n, 2);
  ck_assert_int_eq(config->levels.at[0].level, SA_NOTE);
  ck_assert_str_eq(config->levels.at[1].rule, "SA104");
  ck_assert(config->levels.at[1].off);
  ck_assert_str_eq(sa_config_api(config, in("sub/include/a.h")), "stable");
  ck_assert_str_eq(sa_config_api(config, in("sub/src/a.h")), "internal");
  ck_assert_ptr_null(sa_config_api(config, in("other/include/a.h")));
  ck_assert_ptr_null(sa_config_api(NULL, in("a.h")));
  ck_assert_int_eq(configure(&config, ""), SA_OK);
  ck_assert_int_eq(config->fail_on, -1);
}
END_TEST

START_TEST(mistakes_in_the_configuration_have_a_position) {
  static const struct {
    const char *text;
    unsigned line, column;
  } cases[] = {
      {"exclude: []\nexlude: []\n", 2, 1},
      {"exclude: third_party\n", 1, 10},
      {"exclude:\n- a\n- {b: c}\n", 3, 3},
      {"levels: [SA101]\n", 1, 9},
      {"levels:\n  SA101: loud\n", 2, 10},
      {"levels:\n  SA101:\n", 2, 9},
      {"fail_on: never\n", 1, 10},
      {"defines: ['1X']\n", 1, 11},
      {"api:\n- {paths: [a], stability: solid}\n", 2, 27},
      {"api:\n- {paths: [a]}\n", 2, 3},
      {"api:\n- {paths: [a], stability: stable, x: 1}\n", 2, 35},
      {"wrappers: 3\n", 1, 11},
      {"- a\n", 1, 1},
      {"a: [\n", 2, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sa_config *config;
    ck_assert_int_eq(configure(&config, cases[i].text), SA_E_SYNTAX);
    ck_assert_ptr_null(config);
    ck_assert_uint_eq(diag.messages.n, 1);
    const sa_message *m = &diag.messages.at[0];
    ck_assert_str_eq(m->file, "sub/.sa-lint.yaml");
    ck_assert_msg(m->line == cases[i].line && m->column == cases[i].column, "case %zu: %u:%u: %s",
                  i, m->line, m->column, m->text);
  }
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("project");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, select_sorts_and_takes_each_once);
  tcase_add_test(tests, links_keep_their_name_where_it_says_more);
  tcase_add_test(tests, select_reports_every_missing_path);
  tcase_add_test(tests, languages);
  tcase_add_test(tests, root_is_git_then_configuration_then_here);
  tcase_add_test(tests, prefilter_agrees_with_a_plain_search);
  tcase_add_test(tests, prefilter_without_words_or_with_short_ones);
  tcase_add_test(tests, scan_is_the_same_with_any_number_of_threads);
  tcase_add_test(tests, scan_looks_for_the_words_of_each_language);
  tcase_add_test(tests, commands_are_split_as_a_shell_would);
  tcase_add_test(tests, flags_that_matter_stay);
  tcase_add_test(tests, flags_that_load_code_go_with_a_notice);
  tcase_add_test(tests, response_files_inside_the_root_are_read);
  tcase_add_test(tests, database_gives_flags_by_file);
  tcase_add_test(tests, broken_databases_have_a_position);
  tcase_add_test(tests, configuration_is_read);
  tcase_add_test(tests, mistakes_in_the_configuration_have_a_position);
  Suite *suite = suite_create("project");
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
