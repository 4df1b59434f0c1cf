/* The IR's text form: print, parse, check, and the page that documents it. */
#include "model/ir.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sa_arena *arena;
static sa_diag diag;

static void setup(void) {
  arena = sa_arena_new();
  diag = (sa_diag){.arena = arena};
}

static void teardown(void) {
  sa_arena_free(arena);
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  SA_ARRAY(char) text = {0};
  for (int c; (c = fgetc(file)) != EOF;) sa_push(arena, &text, (char)c);
  sa_push(arena, &text, '\0');
  fclose(file);
  return text.at;
}

static sa_ir_unit *parse(const char *text) {
  sa_ir_unit *unit = NULL;
  sa_status status = sa_ir_parse(&unit, arena, &diag, "t.ir", text);
  ck_assert_msg(status == SA_OK, "%s",
                diag.messages.n > 0 ? diag.messages.at[0].text : "no message");
  return unit;
}

static void expect_error(const char *text, unsigned line, unsigned column, const char *part) {
  sa_ir_unit *unit = (sa_ir_unit *)&diag;
  diag.messages.n = 0;
  ck_assert_int_eq(sa_ir_parse(&unit, arena, &diag, "t.ir", text), SA_E_SYNTAX);
  ck_assert_ptr_null(unit);
  ck_assert_uint_eq(diag.messages.n, 1);
  const sa_message *message = &diag.messages.at[0];
  ck_assert_msg(strstr(message->text, part) != NULL, "'%s' lacks '%s'", message->text, part);
  ck_assert_str_eq(message->file, "t.ir");
  ck_assert_msg(message->line == line && message->column == column, "%u:%u for: %s", message->line,
                message->column, text);
}

static const char *documented_example(void) {
  char *page = read_file("docs/ir.md");
  char *start = strstr(page, "```ir\n");
  ck_assert_ptr_nonnull(start);
  char *end = strstr(start + 6, "```");
  ck_assert_ptr_nonnull(end);
  return sa_strndup(arena, start + 6, (size_t)(end - start - 6));
}

START_TEST(documented_example_parses_and_means_what_it_says) {
  sa_ir_unit *unit = parse(documented_example());
  ck_assert_str_eq(unit->path, "csrc/copy.cpp");
  const sa_ir_class *class = sa_ir_find_class(unit, "ext::Copier");
  ck_assert_ptr_nonnull(class);
  ck_assert_ptr_null(sa_ir_find_class(unit, "Copier"));
  ck_assert_str_eq(class->bases.at[0], "ext::Base");
  ck_assert(class->fields.at[1].type.many && class->fields.at[1].type.kind == SA_TYPE_TENSOR);
  const sa_ir_func *func = &unit->funcs.at[0];
  ck_assert_uint_eq(func->nparams, 2);
  ck_assert_uint_eq(func->flags, SA_FUNC_METHOD);
  ck_assert(func->regs.at[2].by_ref && func->regs.at[2].is_const && !func->regs.at[2].rvalue);
  const sa_ir_inst *record = &func->blocks.at[1].insts.at[2];
  ck_assert_int_eq(record->op, SA_OP_record);
  ck_assert_uint_eq(record->site, 0);
  ck_assert_uint_eq(record->at.offset, 140);
  ck_assert_uint_eq(unit->tokens.at[0].at.column, 7);
}
END_TEST

START_TEST(print_then_parse_then_print_is_the_same) {
  char *first = sa_ir_print(arena, parse(documented_example()));
  ck_assert_str_eq(first, sa_ir_print(arena, parse(first)));
  ck_assert_ptr_nonnull(strstr(first, "@10:5-10:27#140-162"));
}
END_TEST

/* One operation table in the page, the other in ir_ops.def. */
START_TEST(documented_operations_are_those_of_the_table) {
  char *page = read_file("docs/ir.md");
  char *at = strstr(page, "| operation | result |");
  ck_assert_ptr_nonnull(at);
  at = strchr(strchr(at, '\n') + 1, '\n') + 1;
  SA_ARRAY(char) expected = {0};
  for (int op = 0; op < SA_OP_COUNT; op++) {
    const sa_ir_op_info *info = sa_ir_op_about((sa_ir_op)op);
    char args[32];
    if (info->min_args == info->max_args)
      snprintf(args, sizeof args, "%d", info->min_args);
    else if (info->max_args == 255)
      snprintf(args, sizeof args, "%d or more", info->min_args);
    else
      snprintf(args, sizeof args, "%d to %d", info->min_args, info->max_args);
    char *row = sa_printf(arena, "| `%s` | %s | %s | %s | %s |\n", info->name,
                          info->has_result ? "yes" : "no", args, info->has_text ? "yes" : "no",
                          info->meaning);
    for (char *c = row; *c != '\0'; c++) sa_push(arena, &expected, *c);
  }
  sa_push(arena, &expected, '\0');
  ck_assert_str_eq(at, expected.at);
}
END_TEST

/* A unit with every operation, type, flag, kind and fate, random ranges and hostile strings. */
typedef struct {
  uint32_t state;
} dice;

static uint32_t roll(dice *d, uint32_t sides) {
  d->state = d->state * 1664525u + 1013904223u;
  return (d->state >> 8) % sides;
}

static const char *random_text(dice *d) {
  static const char *const texts[] = {"",
                                      "x",
                                      "a::b<c, d>",
                                      "say \"no\"",
                                      "back\\slash",
                                      "line\nend\ttab\x01\x7f",
                                      "\xc3\xa4\xe2\x82\xac",
                                      "; %1 = @"};
  return texts[roll(d, 8)];
}

static sa_range random_range(dice *d) {
  sa_range range = {0};
  if (roll(d, 3) == 0) return range;
  range = (sa_range){.file = roll(d, 3),
                     .line = 1 + roll(d, 99),
                     .column = 1 + roll(d, 99),
                     .end_line = 1 + roll(d, 99),
                     .end_column = 1 + roll(d, 99)};
  if (roll(d, 2)) range.offset = roll(d, 1000), range.end_offset = range.offset + roll(d, 9);
  return range;
}

static sa_ir_type random_type(dice *d) {
  return (sa_ir_type){.kind = (sa_type)roll(d, SA_TYPE_VOID + 1),
                      .many = roll(d, 2),
                      .weak = roll(d, 2),
                      .name = random_text(d)};
}

static sa_ir_inst random_inst(dice *d, sa_ir_op op, sa_ir_unit *unit, uint32_t func) {
  const sa_ir_op_info *info = sa_ir_op_about(op);
  sa_ir_inst inst = {.op = op,
                     .text = info->has_text ? random_text(d) : "",
                     .func = SA_NO_INDEX,
                     .site = SA_NO_INDEX,
                     .at = random_range(d)};
  inst.nargs = info->min_args + (info->max_args > info->min_args ? roll(d, 3) : 0);
  if (inst.nargs > info->max_args) inst.nargs = info->max_args;
  inst.args = sa_alloc(arena, (inst.nargs + 1) * sizeof *inst.args);
  for (uint32_t i = 0; i < inst.nargs; i++) inst.args[i] = 1 + roll(d, 9);
  if (info->has_result && roll(d, 4) != 0) inst.result = 1 + roll(d, 9);
  if (op == SA_OP_use) inst.mask = roll(d, 1u << inst.nargs);
  if (op == SA_OP_call) inst.mask = roll(d, 2);
  if ((op == SA_OP_call || op == SA_OP_lambda) && roll(d, 2)) inst.func = roll(d, 3);
  if (op == SA_OP_record) {
    inst.site = unit->sites.n;
    sa_ir_site site = {.kind = (sa_site_kind)roll(d, 5),
                       .at = random_range(d),
                       .api = random_text(d),
                       .family = random_text(d),
                       .func = roll(d, 2) ? func : SA_NO_INDEX,
                       .function = random_text(d),
                       .reason = roll(d, 2) ? random_text(d) : NULL,
                       .justified = roll(d, 2),
                       .waived = roll(d, 2)};
    sa_push(arena, &unit->sites, site);
  }
  return inst;
}

static void random_func(dice *d, sa_ir_unit *unit, uint32_t number) {
  sa_ir_func func = {.name = random_text(d),
                     .class_name = roll(d, 2) ? random_text(d) : NULL,
                     .parent = number == 2 ? 0 : SA_NO_INDEX,
                     .flags = roll(d, 1u << 12),
                     .returns = random_type(d),
                     .nparams = 2,
                     .at = random_range(d)};
  sa_push(arena, &func.regs, (sa_ir_reg){.name = ""});
  for (int i = 1; i <= 9; i++) {
    sa_ir_reg reg = {.kind = i == 1 && number == 1 ? SA_REG_THIS
                             : i <= 2              ? SA_REG_PARAM
                             : i % 3 == 0          ? SA_REG_LOCAL
                             : i % 3 == 1          ? SA_REG_TEMP
                                                   : SA_REG_CAPTURE,
                     .type = random_type(d),
                     .name = random_text(d),
                     .by_ref = roll(d, 2),
                     .is_const = roll(d, 2),
                     .rvalue = roll(d, 2),
                     .at = random_range(d)};
    sa_push(arena, &func.regs, reg);
  }
  if (number == 2) sa_push(arena, &func.captures, (sa_ir_capture){3, 5, roll(d, 2)});
  for (uint32_t b = 0; b < 4; b++) {
    sa_ir_block block = {.term = (sa_term)b,
                         .value = b == 1 || b == 2 ? roll(d, 9) : 0,
                         .exceptional = roll(d, 2),
                         .at = random_range(d)};
    uint32_t nsucc = b == SA_TERM_GOTO ? 1 : b == SA_TERM_BRANCH ? 2 + roll(d, 3) : 0;
    for (uint32_t i = 0; i < nsucc; i++) sa_push(arena, &block.succ, roll(d, 4));
    for (int i = 0; i < 40; i++)
      sa_push(arena, &block.insts, random_inst(d, (sa_ir_op)roll(d, SA_OP_COUNT), unit, number));
    sa_push(arena, &func.blocks, block);
  }
  sa_push(arena, &unit->funcs, func);
}

static sa_ir_unit *random_unit(dice *d) {
  sa_ir_unit *unit = sa_alloc(arena, sizeof *unit);
  unit->path = random_text(d);
  unit->language = "cpp";
  sa_push(arena, &unit->files, unit->path);
  sa_push(arena, &unit->files, random_text(d));
  sa_ir_class class = {.name = random_text(d), .at = random_range(d)};
  sa_push(arena, &class.bases, random_text(d));
  sa_push(arena, &class.fields, (sa_ir_field){random_text(d), random_type(d)});
  sa_push(arena, &unit->classes, class);
  for (uint32_t i = 0; i < 3; i++) random_func(d, unit, i);
  sa_push(arena, &unit->funcs,
          (sa_ir_func){.name = "declared", .parent = SA_NO_INDEX, .returns = random_type(d)});
  for (int i = 0; i < 6 && unit->sites.n > 0; i++) {
    sa_ir_token token = {.at = random_range(d),
                         .fate = (sa_token_fate)roll(d, 5),
                         .site = roll(d, unit->sites.n),
                         .why = random_text(d)};
    sa_push(arena, &unit->tokens, token);
  }
  return unit;
}

START_TEST(random_units_survive_print_and_parse) {
  for (uint32_t seed = 1; seed <= 300; seed++) {
    dice d = {seed};
    sa_ir_unit *unit = random_unit(&d);
    const char *why = "";
    ck_assert_msg(sa_ir_check(unit, arena, &why), "seed %u: %s", seed, why);
    char *text = sa_ir_print(arena, unit);
    ck_assert_str_eq(text, sa_ir_print(arena, parse(text)));
  }
}
END_TEST

#define HEAD "unit \"a\" c\nfunc 0 \"f\"\n  param %1: tensor\n"

START_TEST(errors_name_line_and_column) {
  expect_error("", 1, 1, "expected 'unit'");
  expect_error("unit \"a", 1, 6, "does not end");
  expect_error("unit \"a\\q\" c", 1, 6, "unknown escape");
  expect_error("unit \"a\" c\nfunc 1 \"f\"\n", 2, 6, "count up");
  expect_error("unit \"a\" c\nfile 4294967295 \"f\"\n", 2, 6, "too large");
  expect_error("unit \"a\" c\nblock 0:\n", 2, 1, "expected file");
  expect_error(HEAD "  temp %3: tensor\n", 4, 8, "count up from %1");
  expect_error(HEAD "  temp %2: tensor\n  param %3: tensor\n", 5, 9, "above all other");
  expect_error(HEAD "  temp %2: tensr\n", 4, 12, "expected a type");
  expect_error(HEAD "  block 0:\n    fly %1\n", 5, 5, "unknown operation 'fly'");
  expect_error(HEAD "  block 0:\n    copy %1! \n", 5, 10, "marks a use");
  expect_error(HEAD "  block 0:\n    return %1 2-\n", 5, 16, "unexpected");
  expect_error(HEAD "  block 0:\n    end %1\nfunc 1 \"g\"\n", 6, 1, "unknown operation 'func'");
  expect_error(HEAD "  block 0:\n    end %1\n", 6, 1, "no end");
  expect_error(HEAD "  block 0:\n    return @4:5\n", 5, 12, "a position is");
  expect_error("unit \"a\" c\nfunc 0 \"f\" loud\n", 2, 12, "unknown function flag 'loud'");
}
END_TEST

START_TEST(broken_invariants_are_refused) {
  expect_error(HEAD "  block 0:\n    end %2\n    return\n", 0, 0, "not a register");
  expect_error(HEAD "  block 0:\n    end\n    return\n", 0, 0, "too few arguments");
  expect_error(HEAD "  block 0:\n    end %1 %1\n    return\n", 0, 0, "too many arguments");
  expect_error(HEAD "  block 0:\n    end %0\n    return\n", 0, 0, "%0 where");
  expect_error(HEAD "  block 0:\n    %1 = end %1\n    return\n", 0, 0, "no result");
  expect_error(HEAD "  block 0:\n    end %1 \"x\"\n    return\n", 0, 0, "no text");
  expect_error(HEAD "  block 0:\n    goto 1\n", 0, 0, "successor does not exist");
  expect_error(HEAD "  block 0:\n    branch %1 0\n", 0, 0, "two successors");
  expect_error(HEAD "  block 0:\n    record %1 %0\n    return\n", 0, 0, "without a site");
  expect_error(HEAD "  block 0:\n    record %1 %0 site 0\n    return\n", 0, 0, "does not exist");
  expect_error(HEAD "  block 0:\n    call \"g\" func 7\n    return\n", 0, 0, "does not exist");
  expect_error("unit \"a\" c\nfunc 0 \"f\" parent 0\n", 0, 0, "own ancestor");
  expect_error("unit \"a\" c\ntoken site 0\n", 0, 0, "site does not exist");
}
END_TEST

/* Cut and flipped texts end in an answer; sanitizers watch. */
START_TEST(damaged_text_is_an_error_or_a_unit) {
  dice d = {7};
  char *text = sa_ir_print(arena, random_unit(&d));
  size_t length = strlen(text);
  unsigned refused = 0;
  for (int i = 0; i < 2000; i++) {
    char *damaged = sa_strndup(arena, text, i % 2 == 0 ? roll(&d, (uint32_t)length) : length);
    for (int j = 0; j < 3 && damaged[0] != '\0'; j++)
      damaged[roll(&d, (uint32_t)strlen(damaged))] = "%\"@:=! \n9;az\\"[roll(&d, 13)];
    sa_ir_unit *unit = NULL;
    diag.messages.n = 0;
    sa_status status = sa_ir_parse(&unit, arena, &diag, "t.ir", damaged);
    ck_assert((status == SA_OK) == (unit != NULL));
    ck_assert((status == SA_OK) == (diag.messages.n == 0));
    refused += status != SA_OK;
  }
  ck_assert_uint_gt(refused, 1000);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("ir");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, documented_example_parses_and_means_what_it_says);
  tcase_add_test(tests, print_then_parse_then_print_is_the_same);
  tcase_add_test(tests, documented_operations_are_those_of_the_table);
  tcase_add_test(tests, random_units_survive_print_and_parse);
  tcase_add_test(tests, errors_name_line_and_column);
  tcase_add_test(tests, broken_invariants_are_refused);
  tcase_add_test(tests, damaged_text_is_an_error_or_a_unit);
  Suite *suite = suite_create("ir");
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
