/* YAML trees, the rules that the program carries, and what the loader refuses. */
#include "base/fs.h"
#include "ruleset/ruleset.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sa_arena *arena;
static sa_diag diag;
static char directory[] = "/tmp/sa-rules-XXXXXX";

static void setup(void) {
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
}

static void teardown(void) {
  sa_arena_free(arena);
}

/* ---- YAML ---- */

static const sa_yaml *parse(const char *text) {
  const sa_yaml *root;
  sa_status status = sa_yaml_parse(&root, arena, &diag, "t.yaml", text, strlen(text));
  ck_assert_msg(status == SA_OK, "%s", diag.messages.n > 0 ? diag.messages.at[0].text : "");
  return root;
}

START_TEST(yaml_keeps_values_and_places) {
  const sa_yaml *root = parse("a: 1\nb: [x, 'y z']\nc:\n  d: |-\n    two\n    lines\n");
  ck_assert_int_eq(root->kind, SA_YAML_MAP);
  ck_assert_uint_eq(root->entries.n, 3);
  ck_assert_str_eq(sa_yaml_get(root, "a")->text, "1");
  ck_assert(!sa_yaml_get(root, "a")->quoted);
  const sa_yaml *list = sa_yaml_get(root, "b");
  ck_assert_uint_eq(list->items.n, 2);
  ck_assert_str_eq(list->items.at[1]->text, "y z");
  ck_assert(list->items.at[1]->quoted);
  ck_assert_uint_eq(list->items.at[1]->line, 2);
  ck_assert_uint_eq(list->items.at[1]->column, 8);
  ck_assert_str_eq(sa_yaml_get(sa_yaml_get(root, "c"), "d")->text, "two\nlines");
  ck_assert_ptr_null(sa_yaml_get(root, "z"));
  ck_assert_ptr_null(sa_yaml_get(list, "a"));
  ck_assert_uint_eq(parse("")->entries.n, 0);
}
END_TEST

static void expect_yaml_error(const char *text, unsigned line, unsigned column, const char *part) {
  const sa_yaml *root = (const sa_yaml *)&diag;
  diag.messages.n = 0;
  ck_assert_int_eq(sa_yaml_parse(&root, arena, &diag, "t.yaml", text, strlen(text)), SA_E_SYNTAX);
  ck_assert_ptr_null(root);
  ck_assert_uint_eq(diag.messages.n, 1);
  const sa_message *m = &diag.messages.at[0];
  ck_assert_msg(strstr(m->text, part) != NULL, "'%s' has no '%s'", m->text, part);
  ck_assert_str_eq(m->file, "t.yaml");
  ck_assert_uint_eq(m->line, line);
  ck_assert_uint_eq(m->column, column);
}

START_TEST(yaml_refuses_with_the_place) {
  expect_yaml_error("a: 1\nb: 2\na: 3\n", 3, 1, "twice, first in line 1");
  expect_yaml_error("a: &x 1\n", 1, 4, "anchors");
  expect_yaml_error("a: [1]\nb: *x\n", 2, 4, "aliases");
  expect_yaml_error("a: !!int 1\n", 1, 4, "tags");
  expect_yaml_error("[1, 2]: 3\n", 1, 1, "key must be a text");
  expect_yaml_error("a: 1\n---\nb: 2\n", 2, 1, "second document");
  expect_yaml_error("a: [1, 2\nb: 3\n", 2, 2, "flow sequence");
  expect_yaml_error("a: 'x\n", 2, 1, "quoted scalar");
  char deep[200];
  memset(deep, '[', 100);
  strcpy(deep + 100, "\n");
  expect_yaml_error(deep, 1, 65, "64 levels");
  expect_yaml_error("a: \xff\n", 1, 1, "UTF-8");
}
END_TEST

/* ---- the embedded rules ---- */

static sa_ruleset *load(const char *from) {
  sa_ruleset *rules;
  sa_status status = sa_ruleset_load(&rules, arena, &diag, from);
  for (uint32_t i = 0; i < diag.messages.n; i++)
    fprintf(stderr, "%s:%u: %s\n", diag.messages.at[i].file, diag.messages.at[i].line,
            diag.messages.at[i].text);
  ck_assert_int_eq(status, SA_OK);
  return rules;
}

START_TEST(embedded_rules_load_and_are_those_of_the_tree) {
  const sa_ruleset *built_in = load(NULL), *tree = load("rules");
  ck_assert_uint_gt(built_in->apis.n, 1000);
  ck_assert_uint_eq(built_in->apis.n, tree->apis.n);
  ck_assert_uint_eq(built_in->types.n, tree->types.n);
  ck_assert_uint_eq(built_in->verdicts.n, tree->verdicts.n);
  ck_assert_uint_eq(built_in->rules.n, tree->rules.n);
  for (uint32_t i = 0; i < tree->apis.n; i++)
    ck_assert_str_eq(built_in->apis.at[i].name, tree->apis.at[i].name);
  for (uint32_t i = 1; i < tree->rules.n; i++)
    ck_assert_int_lt(strcmp(tree->rules.at[i - 1].id, tree->rules.at[i].id), 0);
  ck_assert_ptr_nonnull(sa_ruleset_find_rule(tree, "SA101"));
  ck_assert_ptr_null(sa_ruleset_find_rule(tree, "SA000"));
}
END_TEST

typedef struct {
  unsigned files;
  const char *last;
  const char *from;
} comparison;

static void compare_file(void *context, const char *path, const char *text, size_t length) {
  comparison *c = context;
  ck_assert_msg(c->last == NULL || strcmp(c->last, path) < 0, "%s after %s", path, c->last);
  c->last = sa_strdup(arena, path);
  c->files++;
  size_t other_length = 0;
  const char *other = sa_ruleset_file(arena, c->from, path, &other_length);
  ck_assert_msg(other != NULL, "%s is missing", path);
  ck_assert_uint_eq(length, other_length);
  ck_assert_msg(memcmp(text, other, length) == 0, "%s differs", path);
}

START_TEST(every_file_is_embedded_byte_for_byte) {
  comparison tree = {.from = "rules"}, embedded = {.from = NULL};
  sa_ruleset_each_file(NULL, "", compare_file, &tree);
  sa_ruleset_each_file("rules", "", compare_file, &embedded);
  ck_assert_uint_gt(tree.files, 50);
  ck_assert_uint_eq(tree.files, embedded.files);
  ck_assert_ptr_null(sa_ruleset_file(arena, NULL, "sdk/no.h", NULL));
  ck_assert_ptr_null(sa_ruleset_file(arena, "rules", "sdk/no.h", NULL));
}
END_TEST

/* ---- what is refused ---- */

static void write_file(const char *name, const char *text) {
  const char *path = sa_printf(arena, "%s/%s", directory, name);
  FILE *file = fopen(path, "w");
  ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
  fputs(text, file);
  ck_assert_int_eq(fclose(file), 0);
}

static void make_directory(void) {
  memcpy(directory + strlen(directory) - 6, "XXXXXX", 6);
  ck_assert_ptr_nonnull(mkdtemp(directory));
  static const char *const folders[] = {"apis", "rules", "verdicts", "rewrites"};
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(mkdir(sa_printf(arena, "%s/%s", directory, folders[i]), 0777), 0);
  write_file("apis/a.yaml", "family: t\napis:\n  - {function: f, does: []}\n");
  write_file("rules/SA101.yaml",
             "{id: SA101, name: n, level: note, precision: low, summary: s, description: d,\n"
             " help: h, bad: b, good: g}\n");
  write_file("verdicts/a.yaml", "verdicts: []\n");
}

static void setup_directory(void) {
  setup();
  make_directory();
}

static void teardown_directory(void) {
  ck_assert_int_eq(system(sa_printf(arena, "rm -rf '%s'", directory)), 0);
  teardown();
}

/* Loading with one file replaced fails, and one message has `part` and the place. */
static void expect_refusal(const char *name, const char *text, unsigned line, const char *part) {
  sa_ruleset *rules = (sa_ruleset *)&diag;
  diag.messages.n = 0;
  write_file(name, text);
  ck_assert_int_eq(sa_ruleset_load(&rules, arena, &diag, directory), SA_E_SYNTAX);
  ck_assert_ptr_null(rules);
  for (uint32_t i = 0; i < diag.messages.n; i++) {
    const sa_message *m = &diag.messages.at[i];
    if (strstr(m->text, part) == NULL) continue;
    ck_assert_str_eq(m->file, sa_printf(arena, "%s/%s", directory, name));
    ck_assert_msg(m->line == line, "line %u, not %u: %s", m->line, line, m->text);
    ck_assert_uint_gt(m->column, 0);
    return;
  }
  ck_abort_msg("no message has '%s'; the first is '%s'", part,
               diag.messages.n > 0 ? diag.messages.at[0].text : "");
}

static void refuse_api(const char *row, unsigned line, const char *part) {
  expect_refusal("apis/a.yaml", sa_printf(arena, "family: t\napis:\n  - %s\n", row), line, part);
}

START_TEST(a_minimal_directory_loads) {
  const sa_ruleset *rules = load(directory);
  ck_assert_uint_eq(rules->apis.n, 1);
  ck_assert_uint_eq(rules->rules.n, 1);
}
END_TEST

START_TEST(api_rows_are_checked) {
  refuse_api("{function: f, does: [], nonsense: 1}", 3, "unknown key 'nonsense'");
  refuse_api("{function: f}", 3, "has no 'does'");
  refuse_api("[f]", 3, "must be a map, not a list");
  refuse_api("{function: f, method: g, does: []}", 3, "one of 'function'");
  refuse_api("{function: [], does: [], args: [1]}", 3, "'args' must not be a list");
  refuse_api("{function: 'a b', does: []}", 3, "is no name");
  refuse_api("{function: f, does: fly}", 3, "no operation is named 'fly'");
  refuse_api("{function: f, does: call}", 3, "cannot be the effect");
  refuse_api("{function: f, args: x, does: []}", 3, "no number of arguments");
  refuse_api("{function: f, args: 3..2, does: []}", 3, "no number of arguments");
  refuse_api("{function: f, receiver: tensor, does: []}", 3, "only a method has a receiver");
  refuse_api("{method: f, receiver: tenor, does: []}", 3, "no kind of type");
  refuse_api("{function: f, first: Tensor, does: []}", 3, "no kind of type");
  refuse_api("{function: f, args: 1, does: copy, with: [arg1]}", 3, "at most 1 arguments");
  refuse_api("{function: f, does: copy, with: [self]}", 3, "only a method has 'self'");
  refuse_api("{function: f, does: copy, with: [there]}", 3, "is no operand");
  refuse_api("{function: f, does: copy}", 3, "'copy' takes 1 operands, not 0");
  refuse_api("{function: f, does: elem, with: [arg0, arg1, arg2]}", 3, "takes 1 to 2 operands");
  refuse_api("{function: f, does: use}", 3, "'use' takes 1 operands or more");
  refuse_api("{function: f, does: record, with: [arg0, arg1], result: arg0}", 3, "has no result");
  refuse_api("{function: f, does: alloc, with: [current], result: current}", 3, "be assigned");
  refuse_api("{function: f, does: record, with: [current, arg0]}", 3, "operand 0 of 'record'");
  refuse_api("{function: f, does: use, with: [rest0, arg1]}", 3, "must be the last operand");
  refuse_api("{function: f, does: escape, with: [rest0]}", 3, "'rest' may be any number");
  refuse_api("{function: f, does: use, with: [arg0], writes: [arg0]}", 3, "no operand after");
  refuse_api("{function: f, does: copy, with: [arg0], writes: [arg0]}", 3, "only 'use' writes");
  refuse_api("{function: f, does: copy, with: [arg0], text: x}", 3, "carries no text");
  refuse_api("{function: f, with: [arg0], does: [{op: copy, with: [arg0]}]}", 3, "belongs into");
  refuse_api("{function: f, does: [{op: copy, what: 1}]}", 3, "unknown key 'what'");
}
END_TEST

START_TEST(rows_that_cannot_match_are_refused) {
  refuse_api("{function: f, does: []}\n  - {function: f, args: 2, does: []}", 4, "can never match");
  refuse_api("{function: f, does: []}\n  - {function: a::f, does: []}", 4, "can never match");
  refuse_api("{method: m, does: []}\n  - {method: m, receiver: tensor, does: []}", 4,
             "can never match");
  write_file("apis/a.yaml", "family: t\napis:\n"
                            "  - {function: a::f, does: []}\n"
                            "  - {function: f, args: 1..2, does: []}\n"
                            "  - {function: f, args: 3.., does: []}\n"
                            "  - {method: f, receiver: tensor, does: []}\n"
                            "  - {method: f, does: []}\n"
                            "  - {function: xf, does: []}\n");
  diag.messages.n = 0;
  ck_assert_uint_eq(load(directory)->apis.n, 6);
}
END_TEST

START_TEST(types_are_checked) {
  static const char head[] = "family: t\ntypes:\n  - ";
  expect_refusal("apis/a.yaml", sa_printf(arena, "%s{class: A, is: thing}\n", head), 3, "no kind");
  expect_refusal("apis/a.yaml", sa_printf(arena, "%s{class: A, is: event, weak: maybe}\n", head), 3,
                 "no weak");
  expect_refusal("apis/a.yaml",
                 sa_printf(arena, "%s{class: A, is: event}\n  - {class: A, is: stream}\n", head), 4,
                 "has a row already");
}
END_TEST

static void refuse_verdict(const char *when, const char *rest, const char *part) {
  expect_refusal("verdicts/a.yaml",
                 sa_printf(arena,
                           "verdicts:\n  - {id: a, when: %s, effect: unknown, confidence: low,\n"
                           "     %s advice: ''}\n",
                           when, rest),
                 part[0] == '@' ? 3 : 2, part + (part[0] == '@'));
}

START_TEST(phrases_are_checked) {
  static const char *const bad[] = {"(a", "a)", "a | b", "(a)", "((a|b)|c)", "(a|b", "()"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect_refusal("apis/a.yaml", sa_printf(arena, "family: t\njustifying:\n  - '%s'\n", bad[i]), 3,
                   "(one|other)");
  write_file("apis/a.yaml", "family: t\njustifying: ['a (b|c) ... (d|e) f']\n");
  ck_assert_uint_eq(load(directory)->justifying.n, 1);
}
END_TEST

START_TEST(verdicts_are_checked) {
  static const char ok[] = "message: m,";
  refuse_verdict("{orign: local}", ok, "no fact is named 'orign'");
  refuse_verdict("{origin: nowhere}", ok, "is no word of the fact 'origin'");
  refuse_verdict("{loop: [no, no]}", ok, "stands here twice");
  refuse_verdict("{loop: [no, yes]}", ok, "always holds");
  refuse_verdict("{loop: {not: [no, yes]}}", ok, "can never hold");
  refuse_verdict("{loop: {nor: yes}}", ok, "unknown key 'nor'");
  refuse_verdict("{loop: yes}", "message: 'see {stream}',", "@no value for {stream}");
  refuse_verdict("{loop: yes}", "message: 'see {block',", "@not closed");
  refuse_verdict("{loop: yes}", "message: m, rule: SA999,", "which has no page");
  refuse_verdict("{loop: yes}", "message: m, category: hard-to-avoid,",
                 "must say what is 'missing'");
  refuse_verdict("{loop: yes}", "message: m, category: easy,", "@is no category");
}
END_TEST

START_TEST(verdicts_that_cannot_match_are_refused) {
  static const char row[] = "  - {id: %s, when: %s, effect: unknown, confidence: low, message: m, "
                            "advice: ''}\n";
  char text[1000], *at = text;
  at += sprintf(at, "verdicts:\n");
  at += sprintf(at, row, "a", "{loop: yes, captured: {not: yes}}");
  at += sprintf(at, row, "b", "{loop: no}");
  sprintf(at, row, "c", "{loop: yes, captured: no, engine: yes}");
  expect_refusal("verdicts/a.yaml", text, 4, "'c' can never match: 'a'");
  at = text;
  at += sprintf(at, "verdicts:\n");
  at += sprintf(at, row, "a", "{loop: yes, captured: no}");
  at += sprintf(at, row, "b", "{loop: yes}");
  sprintf(at, row, "c", "{}");
  write_file("verdicts/a.yaml", text);
  diag.messages.n = 0;
  ck_assert_uint_eq(load(directory)->verdicts.n, 3);
}
END_TEST

START_TEST(pages_are_checked) {
  static const char page[] =
      "{id: %s, name: n, level: %s, precision: low, summary: s, description: d,\n"
      " help: h, bad: b, good: g%s}\n";
  static const char name[] = "rules/SA101.yaml";
  expect_refusal(name, sa_printf(arena, page, "SAx01", "note", ""), 1, "is no rule id");
  expect_refusal(name, sa_printf(arena, page, "SA101", "loud", ""), 1, "is no level");
  expect_refusal(name, sa_printf(arena, page, "SA101", "note", ", hazard: event-order"), 1,
                 "go together");
  expect_refusal(name, sa_printf(arena, page, "SA101", "note", ", hazard: fire, message: m"), 2,
                 "is no hazard");
  expect_refusal(name,
                 sa_printf(arena, page, "SA101", "note", ", hazard: event-order, message: '{who}'"),
                 2, "no value for {who}");
  write_file(name, sa_printf(arena, page, "SA101", "note", ""));
  expect_refusal("rules/SA102.yaml", sa_printf(arena, page, "SA101", "note", ""), 1,
                 "has a page already");
}
END_TEST

/* A rewrite of one stream's family, with `more` keys; the keys stand in line 2 and on. */
static const char *rewrite(const char *more) {
  return sa_printf(arena,
                   "spellings:\n  - id: t\n    streams: [S]\n    languages: [python]\n"
                   "    declare: ['{event} = new()']\n    record: ['mark({event}, {stream})']\n"
                   "    wait: ['hold({waiter}, {event})']\n%s",
                   more);
}

START_TEST(rewrites_are_checked) {
  write_file("apis/a.yaml",
             "family: t\napis:\n  - {function: mark, does: event_record, with: [arg0, arg1]}\n"
             "  - {function: hold, does: event_wait, with: [arg0, arg1]}\n"
             "  - {function: join, does: stream_wait, with: [arg0, arg1]}\n"
             "types:\n  - {class: S, is: stream}\n");
  write_file("rewrites/a.yaml", rewrite("    join: 'join({waiter}, {stream})'\n"));
  const sa_ruleset *rules = load(directory);
  ck_assert_uint_eq(rules->rewrites.n, 1);
  ck_assert(!rules->rewrites.at[0].declare_marks);
  ck_assert_ptr_nonnull(rules->rewrites.at[0].join);
  const struct {
    const char *more, *part;
    unsigned line;
  } rows[] = {
      {"    join: 'hold({waiter}, {stream})'\n", "no call in 'join' waits for a stream", 2},
      {"    join: 'join({waiter})'\n", "'join' has no {stream}", 8},
      {"    current: '{current}.now()'\n", "cannot be spelled by itself", 2},
      {"    current: '{module.now}()'\n", "nothing gives {module.now} a value", 8},
      {"    operands: [{name: m, calls: [f]}]\n", "an 'arg' of its calls, or a module", 8},
      {"    operands: [{name: m, calls: [f], arg: 0, of: [x]}]\n", "an 'arg' of its calls", 8},
      {"    operands: [{name: m, calls: [f], arg: y}]\n", "'y' is no number of an argument", 8},
      {"    operands: [{name: m, calls: [f], of: [x]}]\n    current: '{m}.now()'\n",
       "nothing gives {m} a value", 9},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_refusal("rewrites/a.yaml", rewrite(rows[i].more), rows[i].line, rows[i].part);
}
END_TEST

START_TEST(missing_directories_are_said) {
  sa_ruleset *rules;
  ck_assert_int_eq(sa_ruleset_load(&rules, arena, &diag, "/nowhere/at/all"), SA_E_IO);
  ck_assert_uint_eq(diag.messages.n, 1);
  ck_assert_int_eq(unlink(sa_printf(arena, "%s/apis/a.yaml", directory)), 0);
  diag.messages.n = 0;
  ck_assert_int_eq(sa_ruleset_load(&rules, arena, &diag, directory), SA_E_SYNTAX);
  ck_assert_str_eq(diag.messages.at[0].text, "no rules: there is no apis/*.yaml");
}
END_TEST

START_TEST(added_rows_go_first_or_not_at_all) {
  sa_ruleset *rules = load(NULL);
  uint32_t before = rules->apis.n;
  const sa_yaml *map = parse("family: own\napis:\n  - {function: keep, does: append, "
                             "with: [arg0, arg1]}\nspellings: [note_use]\ntriggers: [let_go]\n");
  ck_assert_int_eq(sa_ruleset_add_apis(rules, arena, &diag, "c.yaml", map), SA_OK);
  ck_assert_uint_eq(rules->apis.n, before + 1);
  ck_assert_str_eq(rules->apis.at[0].name, "keep");
  ck_assert_str_eq(rules->spellings.at[0], "note_use");
  ck_assert_str_eq(rules->triggers.at[0], "let_go");
  ck_assert_uint_eq(rules->by_name.n, rules->apis.n);
  map = parse("family: own\napis:\n  - {function: keep, does: fly}\n");
  ck_assert_int_eq(sa_ruleset_add_apis(rules, arena, &diag, "c.yaml", map), SA_E_SYNTAX);
  ck_assert_uint_eq(rules->apis.n, before + 1);
}
END_TEST

/* A finding can start from a stream-ordered free alone, so each must make a file worth reading. */
START_TEST(every_free_is_a_trigger) {
  sa_ruleset *rules = load(NULL);
  unsigned frees = 0;
  for (uint32_t i = 0; i < rules->apis.n; i++)
    for (uint32_t k = 0; k < rules->apis.at[i].effects.n; k++) {
      if (rules->apis.at[i].effects.at[k].op != SA_OP_free) continue;
      bool found = false;
      for (uint32_t t = 0; t < rules->triggers.n; t++)
        found |= strstr(rules->apis.at[i].name, rules->triggers.at[t]) != NULL;
      ck_assert_msg(found, "%s is no trigger", rules->apis.at[i].name);
      frees++;
    }
  ck_assert_uint_gt(frees, 0);
}
END_TEST

/* The page that describes the format has an example of everything; it must load. */
START_TEST(the_example_of_the_page_loads) {
  char *page;
  size_t length;
  ck_assert_int_eq(sa_fs_read_text(&page, &length, arena, &diag, "docs/rules-format.md", 1 << 20),
                   SA_OK);
  char *begin = strstr(page, "```yaml\n");
  ck_assert_ptr_nonnull(begin);
  begin += strlen("```yaml\n");
  char *end = strstr(begin, "```");
  ck_assert_ptr_nonnull(end);
  *end = '\0';
  sa_ruleset *rules = load(NULL);
  uint32_t before = rules->types.n;
  ck_assert_int_eq(sa_ruleset_add_apis(rules, arena, &diag, "page", parse(begin)), SA_OK);
  ck_assert_uint_eq(rules->types.n, before + 4);
  ck_assert_str_eq(rules->apis.at[0].family, "c10-cuda");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ruleset");
  TCase *plain = tcase_create("yaml and embedded rules");
  tcase_add_checked_fixture(plain, setup, teardown);
  tcase_add_test(plain, yaml_keeps_values_and_places);
  tcase_add_test(plain, yaml_refuses_with_the_place);
  tcase_add_test(plain, embedded_rules_load_and_are_those_of_the_tree);
  tcase_add_test(plain, every_file_is_embedded_byte_for_byte);
  tcase_add_test(plain, added_rows_go_first_or_not_at_all);
  tcase_add_test(plain, every_free_is_a_trigger);
  tcase_add_test(plain, the_example_of_the_page_loads);
  suite_add_tcase(suite, plain);
  TCase *refused = tcase_create("refused");
  tcase_add_checked_fixture(refused, setup_directory, teardown_directory);
  tcase_add_test(refused, a_minimal_directory_loads);
  tcase_add_test(refused, api_rows_are_checked);
  tcase_add_test(refused, rows_that_cannot_match_are_refused);
  tcase_add_test(refused, types_are_checked);
  tcase_add_test(refused, phrases_are_checked);
  tcase_add_test(refused, verdicts_are_checked);
  tcase_add_test(refused, verdicts_that_cannot_match_are_refused);
  tcase_add_test(refused, pages_are_checked);
  tcase_add_test(refused, rewrites_are_checked);
  tcase_add_test(refused, missing_directories_are_said);
  suite_add_tcase(suite, refused);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
