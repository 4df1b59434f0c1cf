#include "model/ir.h"
#include "model/ir_lex.h"
#include "model/ir_words.h"

#include <string.h>

typedef struct {
  sa_arena *arena;
  sa_diag *diag;
  const char *name;
  sa_lexer lexer;
  sa_lex_token token; /* the one we look at */
  sa_ir_unit *unit;
  sa_ir_func *func;   /* being read, NULL before the first */
  sa_ir_block *block; /* being read; NULL when the last one is closed */
  bool failed;
} parser;

static void fail_at(parser *p, const sa_lex_token *token, const char *what, const char *detail) {
  if (p->failed) return;
  p->failed = true;
  sa_report(p->diag, SA_ERROR, p->name, token->line, token->column, "%s%s%s%s", what,
            detail != NULL ? " '" : "", detail != NULL ? detail : "", detail != NULL ? "'" : "");
}

static void advance(parser *p) {
  p->token = sa_lex_next(&p->lexer);
  if (p->token.kind == SA_LEX_BAD) fail_at(p, &p->token, p->token.text, NULL);
}

static bool at_word(const parser *p, const char *word) {
  return p->token.kind == SA_LEX_WORD && strcmp(p->token.text, word) == 0;
}

static bool take_word(parser *p, const char *word) {
  if (!at_word(p, word)) return false;
  advance(p);
  return true;
}

static bool take_punct(parser *p, const char *mark) {
  if (p->token.kind != SA_LEX_PUNCT || strcmp(p->token.text, mark) != 0) return false;
  advance(p);
  return true;
}

static const char *take_string(parser *p) {
  if (p->token.kind != SA_LEX_STRING) return NULL;
  const char *text = p->token.text;
  advance(p);
  return text;
}

static const char *expect_string(parser *p, const char *what) {
  const char *text = take_string(p);
  if (text == NULL) fail_at(p, &p->token, what, NULL);
  return text != NULL ? text : "";
}

static uint32_t expect_number(parser *p, const char *what) {
  uint32_t number = p->token.number;
  if (p->token.kind != SA_LEX_NUMBER) {
    fail_at(p, &p->token, what, NULL);
    return 0;
  }
  advance(p);
  return number;
}

static sa_reg expect_reg(parser *p) {
  uint32_t number = p->token.number;
  if (p->token.kind != SA_LEX_REG) {
    fail_at(p, &p->token, "expected a register", NULL);
    return 0;
  }
  advance(p);
  return number;
}

/* Numbers in headings are for readers; they must count up so that a reference means one thing. */
static void expect_next(parser *p, uint32_t next, const char *what) {
  sa_lex_token token = p->token;
  if (expect_number(p, what) != next && !p->failed)
    fail_at(p, &token, "numbers must count up from 0:", what);
}

static sa_range take_range(parser *p) {
  sa_range range = {0};
  if (p->token.kind == SA_LEX_RANGE) {
    range = p->token.range;
    advance(p);
  }
  return range;
}

/* Index of the word in a NULL-ended list, or -1 with a message. */
static int expect_one_of(parser *p, const char *const *words, const char *what) {
  for (int i = 0; words[i] != NULL; i++)
    if (take_word(p, words[i])) return i;
  fail_at(p, &p->token, what, p->token.kind == SA_LEX_WORD ? p->token.text : NULL);
  return -1;
}

static sa_ir_type expect_type(parser *p) {
  sa_ir_type type = {.name = ""};
  int kind = SA_TYPE_UNKNOWN;
  while (kind <= SA_TYPE_VOID && !at_word(p, sa_type_word((sa_type)kind))) kind++;
  if (kind > SA_TYPE_VOID) {
    fail_at(p, &p->token, "expected a type", NULL);
    return type;
  }
  advance(p);
  type.kind = (sa_type)kind;
  type.many = take_word(p, "many");
  type.weak = take_word(p, "weak");
  const char *name = take_string(p);
  if (name != NULL) type.name = name;
  return type;
}

static void parse_class(parser *p) {
  sa_ir_class class = {.name = expect_string(p, "expected the class's name")};
  while (take_word(p, "base")) sa_push(p->arena, &class.bases, expect_string(p, "expected a base"));
  class.at = take_range(p);
  sa_push(p->arena, &p->unit->classes, class);
}

static void parse_field(parser *p) {
  sa_ir_field field = {.name = expect_string(p, "expected the field's name")};
  field.type = expect_type(p);
  if (p->unit->classes.n == 0 || p->unit->funcs.n != 0) {
    fail_at(p, &p->token, "a field stands below its class", NULL);
    return;
  }
  sa_push(p->arena, &p->unit->classes.at[p->unit->classes.n - 1].fields, field);
}

static uint32_t parse_flags(parser *p) {
  uint32_t flags = 0;
  while (p->token.kind == SA_LEX_WORD && !at_word(p, "returns")) {
    int bit = expect_one_of(p, sa_ir_flag_words, "unknown function flag");
    if (bit < 0) break;
    flags |= 1u << bit;
  }
  return flags;
}

static void parse_func(parser *p) {
  expect_next(p, p->unit->funcs.n, "function");
  sa_ir_func func = {.name = expect_string(p, "expected the function's name"),
                     .parent = SA_NO_INDEX,
                     .returns = {.kind = SA_TYPE_VOID, .name = ""}};
  if (take_word(p, "class")) func.class_name = expect_string(p, "expected the class's name");
  if (take_word(p, "parent")) func.parent = expect_number(p, "expected the parent's number");
  func.flags = parse_flags(p);
  if (take_word(p, "returns")) func.returns = expect_type(p);
  func.at = take_range(p);
  sa_push(p->arena, &func.regs, (sa_ir_reg){.name = "", .type = {.name = ""}});
  if (p->block != NULL) fail_at(p, &p->token, "the last block has no end", NULL);
  sa_push(p->arena, &p->unit->funcs, func);
  p->func = &p->unit->funcs.at[p->unit->funcs.n - 1];
  p->block = NULL;
}

static void parse_reg(parser *p, sa_reg_kind kind) {
  sa_lex_token token = p->token;
  sa_reg number = expect_reg(p);
  if (!p->failed && number != p->func->regs.n)
    fail_at(p, &token, "registers must count up from %1", NULL);
  const char *name = take_string(p);
  sa_ir_reg reg = {.kind = kind, .name = name != NULL ? name : ""};
  if (!take_punct(p, ":")) fail_at(p, &p->token, "expected ':' and a type", NULL);
  reg.type = expect_type(p);
  reg.by_ref = take_word(p, "ref");
  reg.is_const = take_word(p, "const");
  reg.rvalue = take_word(p, "rvalue");
  reg.at = take_range(p);
  if (p->func->blocks.n != 0) fail_at(p, &token, "registers stand above the first block", NULL);
  if (kind == SA_REG_PARAM || kind == SA_REG_THIS) {
    if (p->func->nparams + 1 != p->func->regs.n)
      fail_at(p, &token, "parameters stand above all other registers", NULL);
    p->func->nparams++;
  }
  sa_push(p->arena, &p->func->regs, reg);
}

static void parse_bind(parser *p) {
  sa_ir_capture capture = {.inner = expect_reg(p)};
  if (!take_word(p, "from")) fail_at(p, &p->token, "expected 'from'", NULL);
  capture.outer = expect_reg(p);
  capture.by_ref = take_word(p, "ref");
  sa_push(p->arena, &p->func->captures, capture);
}

static void parse_block(parser *p) {
  if (p->block != NULL) fail_at(p, &p->token, "the block above has no end", NULL);
  expect_next(p, p->func->blocks.n, "block");
  sa_ir_block block = {.exceptional = take_word(p, "exceptional")};
  if (!take_punct(p, ":")) fail_at(p, &p->token, "expected ':'", NULL);
  sa_push(p->arena, &p->func->blocks, block);
  p->block = &p->func->blocks.at[p->func->blocks.n - 1];
}

/* The end of a block, or false when the word is none. */
static bool parse_term(parser *p) {
  static const char *const words[] = {"goto", "branch", "return", "unreachable"};
  int term = 0;
  while (term < 4 && !at_word(p, words[term])) term++;
  if (term == 4) return false;
  advance(p);
  p->block->term = (sa_term)term;
  if (term != SA_TERM_GOTO && p->token.kind == SA_LEX_REG) p->block->value = expect_reg(p);
  while (!p->failed && p->token.kind == SA_LEX_NUMBER)
    sa_push(p->arena, &p->block->succ, expect_number(p, "expected a block"));
  p->block->at = take_range(p);
  p->block = NULL;
  return true;
}

static void parse_operands(parser *p, sa_ir_inst *inst) {
  SA_ARRAY(sa_reg) args = {0};
  while (!p->failed && p->token.kind == SA_LEX_REG) {
    sa_lex_token token = p->token;
    sa_push(p->arena, &args, expect_reg(p));
    if (!take_punct(p, "!")) continue;
    if (inst->op != SA_OP_use || args.n > 32)
      fail_at(p, &token, "'!' marks a use's argument", NULL);
    inst->mask |= 1u << ((args.n - 1) & 31);
  }
  inst->args = args.at;
  inst->nargs = args.n;
}

static void parse_inst(parser *p) {
  sa_ir_inst inst = {.text = "", .func = SA_NO_INDEX, .site = SA_NO_INDEX};
  if (p->token.kind == SA_LEX_REG) {
    inst.result = expect_reg(p);
    if (!take_punct(p, "=")) fail_at(p, &p->token, "expected '='", NULL);
  }
  int op = 0;
  while (op < SA_OP_COUNT && !at_word(p, sa_ir_op_about((sa_ir_op)op)->name)) op++;
  if (op == SA_OP_COUNT) {
    fail_at(p, &p->token, "unknown operation", p->token.kind == SA_LEX_WORD ? p->token.text : NULL);
    return;
  }
  advance(p);
  inst.op = (sa_ir_op)op;
  parse_operands(p, &inst);
  const char *text = take_string(p);
  if (text != NULL) inst.text = text;
  if (take_word(p, "method")) inst.mask |= 1u;
  if (take_word(p, "mask")) inst.mask |= expect_number(p, "expected the mask");
  if (take_word(p, "func")) inst.func = expect_number(p, "expected a function");
  if (take_word(p, "site")) inst.site = expect_number(p, "expected a site");
  inst.at = take_range(p);
  sa_push(p->arena, &p->block->insts, inst);
}

static void parse_site(parser *p) {
  expect_next(p, p->unit->sites.n, "site");
  int kind = expect_one_of(p, sa_ir_site_words, "unknown kind of site");
  sa_ir_site site = {.kind = kind < 0 ? SA_SITE_CALL : (sa_site_kind)kind,
                     .api = expect_string(p, "expected the API's name"),
                     .family = "",
                     .func = SA_NO_INDEX,
                     .function = ""};
  if (take_word(p, "family")) site.family = expect_string(p, "expected the family");
  if (take_word(p, "func")) site.func = expect_number(p, "expected a function");
  if (take_word(p, "in")) site.function = expect_string(p, "expected the function's name");
  if (take_word(p, "reason")) site.reason = expect_string(p, "expected the reason");
  site.justified = take_word(p, "justified");
  site.waived = take_word(p, "waived");
  site.at = take_range(p);
  sa_push(p->arena, &p->unit->sites, site);
}

static void parse_token(parser *p) {
  int fate = expect_one_of(p, sa_ir_token_words, "unknown fate of a token");
  sa_ir_token token = {
      .fate = fate < 0 ? SA_TOKEN_TEXT : (sa_token_fate)fate, .site = SA_NO_INDEX, .why = ""};
  if (p->token.kind == SA_LEX_NUMBER) token.site = expect_number(p, "expected a site");
  if (take_word(p, "why")) token.why = expect_string(p, "expected the reason");
  token.at = take_range(p);
  sa_push(p->arena, &p->unit->tokens, token);
}

/* Lines of the unit's level; false when the word opens none of them. */
static bool parse_table_line(parser *p) {
  if (take_word(p, "file")) {
    expect_next(p, p->unit->files.n, "file");
    sa_push(p->arena, &p->unit->files, expect_string(p, "expected a path"));
  } else if (take_word(p, "class")) {
    parse_class(p);
  } else if (take_word(p, "field") && p->block == NULL) {
    parse_field(p);
  } else if (take_word(p, "func")) {
    parse_func(p);
  } else if (take_word(p, "site")) {
    parse_site(p);
  } else if (take_word(p, "token")) {
    parse_token(p);
  } else {
    return false;
  }
  return true;
}

/* Lines below a function. `field` is an operation here, so blocks are tried first. */
static void parse_func_line(parser *p) {
  if (p->block != NULL) {
    if (!parse_term(p)) parse_inst(p);
    return;
  }
  for (int kind = 0; sa_ir_reg_words[kind] != NULL; kind++) {
    if (!take_word(p, sa_ir_reg_words[kind])) continue;
    parse_reg(p, (sa_reg_kind)kind);
    return;
  }
  if (take_word(p, "bind")) {
    parse_bind(p);
  } else if (take_word(p, "block")) {
    parse_block(p);
  } else if (!parse_table_line(p)) {
    fail_at(p, &p->token, "expected a register, a block or the next function", NULL);
  }
}

static void parse_line(parser *p) {
  if (p->func != NULL)
    parse_func_line(p);
  else if (!parse_table_line(p))
    fail_at(p, &p->token, "expected file, class, field, func, site or token", NULL);
  if (!p->failed && p->token.kind != SA_LEX_LINE && p->token.kind != SA_LEX_END)
    fail_at(p, &p->token, "expected the end of the line", NULL);
}

static void parse_unit(parser *p) {
  if (p->token.kind == SA_LEX_LINE) advance(p);
  if (!take_word(p, "unit")) fail_at(p, &p->token, "expected 'unit'", NULL);
  p->unit->path = expect_string(p, "expected the unit's path");
  p->unit->language = p->token.kind == SA_LEX_WORD ? p->token.text : "";
  if (p->token.kind != SA_LEX_WORD) fail_at(p, &p->token, "expected a language", NULL);
  advance(p);
  while (!p->failed && p->token.kind != SA_LEX_END) {
    if (p->token.kind == SA_LEX_LINE)
      advance(p);
    else
      parse_line(p);
  }
  if (p->block != NULL) fail_at(p, &p->token, "the last block has no end", NULL);
}

sa_status sa_ir_parse(sa_ir_unit **out, sa_arena *arena, sa_diag *diag, const char *name,
                      const char *text) {
  parser p = {.arena = arena,
              .diag = diag,
              .name = name,
              .lexer = {.arena = arena, .at = text, .line_start = text, .line = 1}};
  p.unit = sa_alloc(arena, sizeof *p.unit);
  *out = NULL;
  advance(&p);
  parse_unit(&p);
  if (p.failed) return SA_E_SYNTAX;
  const char *why = NULL;
  if (!sa_ir_check(p.unit, arena, &why)) {
    sa_report(diag, SA_ERROR, name, 0, 0, "%s", why);
    return SA_E_SYNTAX;
  }
  *out = p.unit;
  return SA_OK;
}
