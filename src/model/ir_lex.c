#include "model/ir_lex.h"

#include <string.h>

static bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Reads a decimal number that fits 32 bits; false leaves the position at the offending byte. */
static bool number(const char **at, uint32_t *out) {
  if (!is_digit(**at)) return false;
  uint64_t value = 0;
  for (; is_digit(**at); (*at)++) {
    value = value * 10 + (uint64_t)(**at - '0');
    if (value >= SA_LEX_LIMIT) return false;
  }
  *out = (uint32_t)value;
  return true;
}

static bool literal(const char **at, char c) {
  if (**at != c) return false;
  (*at)++;
  return true;
}

/* @12:5-12:20, @f1:12:5-12:20, each with an optional #offset-end */
static bool range(const char **at, sa_range *out) {
  *out = (sa_range){0};
  if (**at == 'f') {
    (*at)++;
    if (!number(at, &out->file) || !literal(at, ':')) return false;
  }
  if (!number(at, &out->line) || !literal(at, ':') || !number(at, &out->column) ||
      !literal(at, '-') || !number(at, &out->end_line) || !literal(at, ':') ||
      !number(at, &out->end_column))
    return false;
  if (!literal(at, '#')) return true;
  return number(at, &out->offset) && literal(at, '-') && number(at, &out->end_offset);
}

static int hex(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static void lex_string(sa_lexer *lexer, sa_lex_token *token) {
  size_t length = 0;
  const char *c = lexer->at;
  for (; *c != '\0' && *c != '"' && *c != '\n'; c++, length++)
    if (*c == '\\' && c[1] != '\0' && c[1] != '\n') c++;
  char *text = sa_alloc(lexer->arena, length + 1);
  size_t n = 0;
  for (c = lexer->at; *c != '\0' && *c != '"' && *c != '\n'; c++) {
    char byte = *c;
    if (byte == '\\') {
      byte = *++c;
      if (byte == 'n') {
        byte = '\n';
      } else if (byte == 'x' && hex(c[1]) >= 0 && hex(c[2]) >= 0 && hex(c[1]) + hex(c[2]) > 0) {
        byte = (char)(hex(c[1]) * 16 + hex(c[2]));
        c += 2;
      } else if (byte != '"' && byte != '\\') {
        lexer->at = c;
        token->kind = SA_LEX_BAD;
        token->text = "unknown escape in a string";
        return;
      }
    }
    text[n++] = byte;
  }
  lexer->at = c;
  token->kind = *c == '"' ? SA_LEX_STRING : SA_LEX_BAD;
  token->text = *c == '"' ? text : "the string does not end on its line";
  if (*c == '"') lexer->at++;
}

static void skip_blank(sa_lexer *lexer) {
  while (*lexer->at == ' ' || *lexer->at == '\t' || *lexer->at == '\r') lexer->at++;
  if (*lexer->at == ';')
    while (*lexer->at != '\0' && *lexer->at != '\n') lexer->at++;
}

static void lex_lines(sa_lexer *lexer) {
  while (*lexer->at == '\n') {
    lexer->at++;
    lexer->line++;
    lexer->line_start = lexer->at;
    skip_blank(lexer);
  }
}

static void lex_word(sa_lexer *lexer, sa_lex_token *token) {
  const char *start = lexer->at;
  while (is_word_start(*lexer->at) || is_digit(*lexer->at) || *lexer->at == '-') lexer->at++;
  token->kind = SA_LEX_WORD;
  token->text = sa_strndup(lexer->arena, start, (size_t)(lexer->at - start));
}

sa_lex_token sa_lex_next(sa_lexer *lexer) {
  skip_blank(lexer);
  char c = *lexer->at;
  sa_lex_token token = {.line = lexer->line,
                        .column = (unsigned)(lexer->at - lexer->line_start) + 1,
                        .kind = SA_LEX_BAD,
                        .text = "unexpected character"};
  if (c == '\0') {
    token.kind = SA_LEX_END;
  } else if (c == '\n') {
    token.kind = SA_LEX_LINE;
    lex_lines(lexer);
  } else if (is_word_start(c)) {
    lex_word(lexer, &token);
  } else if (is_digit(c)) {
    token.text = "number is too large";
    if (number(&lexer->at, &token.number)) token.kind = SA_LEX_NUMBER;
  } else if (c == '"') {
    lexer->at++;
    lex_string(lexer, &token);
  } else if (c == '%') {
    lexer->at++;
    token.text = "a register is '%' and a number";
    if (number(&lexer->at, &token.number)) token.kind = SA_LEX_REG;
  } else if (c == '@') {
    lexer->at++;
    token.text = "a position is @line:column-line:column";
    if (range(&lexer->at, &token.range)) token.kind = SA_LEX_RANGE;
  } else if (strchr(":=!", c) != NULL) {
    lexer->at++;
    token.kind = SA_LEX_PUNCT;
    token.text = c == ':' ? ":" : c == '=' ? "=" : "!";
  }
  return token;
}
