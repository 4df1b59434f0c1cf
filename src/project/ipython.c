#include "project/ipython.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
  char *text;
  size_t length, at;
  int depth; /* of brackets */
} scanner;

static size_t line_end(const scanner *s, size_t at) {
  const char *end = memchr(s->text + at, '\n', s->length - at);
  return end != NULL ? (size_t)(end - s->text) : s->length;
}

static size_t after_indent(const scanner *s, size_t at) {
  while (at < s->length && (s->text[at] == ' ' || s->text[at] == '\t')) at++;
  return at;
}

static bool starts(const scanner *s, size_t at, const char *word) {
  size_t n = strlen(word);
  return s->length - at >= n && memcmp(s->text + at, word, n) == 0;
}

static void blank(scanner *s, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (s->text[i] != '\n' && s->text[i] != '\r') s->text[i] = ' ';
}

/* A statement that does nothing keeps a block from being empty. */
static void blank_statement(scanner *s, size_t from, size_t to) {
  blank(s, from, to);
  if (to - from >= 4) memcpy(s->text + from, "pass", 4);
}

static bool ends_with_backslash(const scanner *s, size_t from, size_t to) {
  while (to > from && s->text[to - 1] == '\r') to--;
  return to > from && s->text[to - 1] == '\\';
}

/* The end of the line at `from` and of those that a backslash joins to it. */
static size_t joined_end(const scanner *s, size_t from) {
  size_t end = line_end(s, from);
  while (end < s->length && ends_with_backslash(s, from, end)) end = line_end(s, end + 1);
  return end;
}

/* `names = %magic` and `names = !command`, which no Python statement looks like. */
static bool assigns_magic(const scanner *s, size_t from, size_t to) {
  static const char *const name =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_., ";
  size_t at = from;
  while (at < to && strchr(name, s->text[at]) != NULL && s->text[at] != '\0') at++;
  if (at == from || at >= to || s->text[at] != '=') return false;
  at = after_indent(s, at + 1);
  return at < to && (s->text[at] == '%' || s->text[at] == '!');
}

/* `name?`: no string and no comment may hold that question mark. */
static bool asks_help(const scanner *s, size_t from, size_t to) {
  while (to > from && strchr(" \t\r", s->text[to - 1]) != NULL) to--;
  if (to == from || s->text[to - 1] != '?') return false;
  for (size_t i = from; i < to; i++)
    if (strchr("#'\"", s->text[i]) != NULL) return false;
  return true;
}

/* At the beginning of a statement: takes it away when it is IPython's. */
static bool take_magic(scanner *s) {
  size_t from = after_indent(s, s->at), end = line_end(s, from);
  if (from >= end) return false;
  if (starts(s, from, "%time ")) {
    memcpy(s->text + from, "pass;", 5);
    return false;
  }
  bool ours = strchr("%!?", s->text[from]) != NULL || assigns_magic(s, from, end) ||
              asks_help(s, from, end);
  if (!ours) return false;
  end = joined_end(s, from);
  blank_statement(s, from, end);
  s->at = end;
  return true;
}

/* Behind the string whose quote stands at the scanner's place. */
static void skip_string(scanner *s) {
  char quote = s->text[s->at];
  char three[] = {quote, quote, quote, '\0'};
  bool triple = starts(s, s->at, three);
  s->at += triple ? 3 : 1;
  while (s->at < s->length) {
    if (s->text[s->at] == '\\') {
      s->at += 2;
    } else if (triple ? starts(s, s->at, three) : s->text[s->at] == quote) {
      s->at += triple ? 3 : 1;
      return;
    } else if (!triple && s->text[s->at] == '\n') {
      return;
    } else {
      s->at++;
    }
  }
  s->at = s->length;
}

/* To the newline that ends the statement's line, or to the end. */
static void skip_statement(scanner *s) {
  for (; s->at < s->length; s->at++) {
    char c = s->text[s->at];
    if (c == '\n' && s->depth == 0 && !ends_with_backslash(s, 0, s->at)) return;
    if (c == '#') s->at = line_end(s, s->at) - 1;
    if (strchr("([{", c) != NULL && c != '\0') s->depth++;
    if (strchr(")]}", c) != NULL && c != '\0' && s->depth > 0) s->depth--;
    if (c == '"' || c == '\'') {
      skip_string(s);
      s->at--;
    }
  }
}

/* Whether the cell's first line is a cell magic; what stays of the cell then is Python. */
static bool take_cell_magic(scanner *s) {
  static const char *const python[] = {"time", "timeit", "capture", "prun", "python", "python3"};
  size_t from = 0;
  while (from < s->length && strchr(" \t\r\n", s->text[from]) != NULL) from++;
  if (!starts(s, from, "%%")) return false;
  size_t end = line_end(s, from), n = 0;
  while (from + 2 + n < end && strchr(" \t\r", s->text[from + 2 + n]) == NULL) n++;
  bool stays = false;
  for (size_t i = 0; i < sizeof python / sizeof *python; i++)
    stays |= strlen(python[i]) == n && memcmp(python[i], s->text + from + 2, n) == 0;
  blank(s, from, stays ? end : s->length);
  s->at = stays ? end : s->length;
  return true;
}

void sa_ipython_blank(char *cell, size_t length) {
  scanner s = {.text = cell, .length = length};
  take_cell_magic(&s);
  while (s.at < s.length) {
    if (s.text[s.at] == '\n')
      s.at++;
    else if (!take_magic(&s))
      skip_statement(&s);
  }
}
