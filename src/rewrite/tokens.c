#include "rewrite/tokens.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const char *text;
  size_t length, at;
  bool line_start; /* only blanks since the line began */
} cursor;

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static char peek(const cursor *c, size_t ahead) {
  return c->at + ahead < c->length ? c->text[c->at + ahead] : '\0';
}

/* To the end of the line; a backslash before it continues the line. */
static void skip_line(cursor *c) {
  while (c->at < c->length && c->text[c->at] != '\n') {
    bool continued =
        peek(c, 0) == '\\' && (peek(c, 1) == '\n' || (peek(c, 1) == '\r' && peek(c, 2) == '\n'));
    c->at += continued ? (peek(c, 1) == '\n' ? 2 : 3) : 1;
  }
  if (c->at > c->length) c->at = c->length;
}

static void skip_comment(cursor *c) {
  const char *end = NULL;
  for (size_t i = c->at + 2; i + 1 < c->length && end == NULL; i++)
    if (c->text[i] == '*' && c->text[i + 1] == '/') end = c->text + i + 2;
  c->at = end != NULL ? (size_t)(end - c->text) : c->length;
}

static void skip_quoted(cursor *c) {
  char quote = c->text[c->at++];
  while (c->at < c->length && c->text[c->at] != quote && c->text[c->at] != '\n')
    c->at += c->text[c->at] == '\\' && c->at + 1 < c->length ? 2 : 1;
  if (c->at < c->length && c->text[c->at] == quote) c->at++;
}

/* R"x( ... )x" */
static void skip_raw(cursor *c) {
  size_t open = ++c->at;
  while (c->at < c->length && c->text[c->at] != '(' && c->text[c->at] != '\n') c->at++;
  size_t n = c->at - open;
  for (; c->at < c->length; c->at++) {
    if (c->text[c->at] != ')' || c->at + n + 1 >= c->length) continue;
    if (memcmp(c->text + c->at + 1, c->text + open, n) == 0 && c->text[c->at + n + 1] == '"') {
      c->at += n + 2;
      return;
    }
  }
}

static bool is_raw_prefix(const char *at, size_t n) {
  return n > 0 && n <= 3 && at[n - 1] == 'R' &&
         (n == 1 || at[0] == 'u' || at[0] == 'U' || at[0] == 'L');
}

/* Blanks, comments, directives; false at the end. */
static bool skip_to_token(cursor *c) {
  while (c->at < c->length) {
    char here = c->text[c->at];
    if (here == '\n') {
      c->line_start = true;
      c->at++;
    } else if (isspace((unsigned char)here) || here == '\0' ||
               (here == '\\' && isspace((unsigned char)peek(c, 1)))) {
      c->at++;
    } else if (here == '/' && peek(c, 1) == '/') {
      skip_line(c);
    } else if (here == '/' && peek(c, 1) == '*') {
      skip_comment(c);
    } else if (here == '#' && c->line_start) {
      skip_line(c);
    } else {
      c->line_start = false;
      return true;
    }
  }
  return false;
}

static sa_code_token next(cursor *c) {
  sa_code_token token = {.begin = (uint32_t)c->at, .kind = c->text[c->at]};
  if (is_word(token.kind)) {
    bool number = isdigit((unsigned char)token.kind);
    while (c->at < c->length &&
           (is_word(peek(c, 0)) || (number && peek(c, 0) == '\'' && is_word(peek(c, 1)))))
      c->at++;
    size_t n = c->at - token.begin;
    token.kind = number ? '0' : 'w';
    if (peek(c, 0) == '"' && !number && is_raw_prefix(c->text + token.begin, n)) {
      skip_raw(c);
      token.kind = '"';
    }
  } else if (token.kind == '"' || token.kind == '\'') {
    skip_quoted(c);
    token.kind = '"';
  } else {
    c->at++;
  }
  token.end = (uint32_t)c->at;
  return token;
}

static bool closes(char open, char close) {
  return (open == '(' && close == ')') || (open == '[' && close == ']') ||
         (open == '{' && close == '}');
}

const char *sa_tokens_read(sa_code_tokens *out, sa_arena *arena, const char *text, size_t length,
                           const sa_text_gaps *gaps) {
  cursor c = {text, length, 0, true};
  SA_ARRAY(uint32_t) open = {0};
  uint32_t gap = 0;
  while (skip_to_token(&c)) {
    while (gap < gaps->n && gaps->at[gap].end <= c.at) gap++;
    if (gap < gaps->n && c.at >= gaps->at[gap].begin) {
      c.at = gaps->at[gap].end;
      c.line_start = true;
      continue;
    }
    sa_code_token token = next(&c);
    if (strchr("([{", token.kind) != NULL) sa_push(arena, &open, out->n);
    if (strchr(")]}", token.kind) != NULL) {
      if (open.n == 0 || !closes(out->at[open.at[open.n - 1]].kind, token.kind))
        return "its brackets do not match";
      token.match = open.at[--open.n];
      out->at[token.match].match = out->n;
    }
    sa_push(arena, out, token);
  }
  return open.n > 0 ? "its brackets do not match" : NULL;
}

typedef struct {
  uint32_t begin, end;
} branch;

/* The branches of one #if; `chosen` is the one that holds the focus, or the first. */
typedef struct {
  SA_ARRAY(branch) branches;
  uint32_t from;
} group;

static void close_branch(sa_arena *arena, group *g, uint32_t end) {
  sa_push(arena, &g->branches, ((branch){g->from, end}));
}

static void close_group(sa_text_gaps *gaps, sa_arena *arena, const group *g, uint32_t focus) {
  uint32_t chosen = 0;
  for (uint32_t i = 0; i < g->branches.n; i++)
    if (focus >= g->branches.at[i].begin && focus < g->branches.at[i].end) chosen = i;
  for (uint32_t i = 0; i < g->branches.n; i++) {
    const branch *b = &g->branches.at[i];
    if (i == chosen || b->begin >= b->end) continue;
    uint32_t at =
        gaps->n; /* outer groups close after inner ones: keep order, drop what lies inside */
    while (at > 0 && gaps->at[at - 1].begin >= b->begin) at--;
    gaps->n = at;
    sa_push(arena, gaps, ((sa_text_gap){b->begin, b->end}));
  }
}

static bool directive(const cursor *c, const char *word) {
  size_t at = c->at + 1, n = strlen(word);
  while (at < c->length && (c->text[at] == ' ' || c->text[at] == '\t')) at++;
  return at + n <= c->length && memcmp(c->text + at, word, n) == 0;
}

sa_text_gaps sa_tokens_branches(sa_arena *arena, const char *text, size_t length, uint32_t focus) {
  enum { MAX_DEPTH = 64 };
  group stack[MAX_DEPTH] = {{{0}, 0}};
  int depth = 0;
  sa_text_gaps gaps = {0};
  for (cursor c = {text, length, 0, true}; c.at < length; c.at++) {
    while (c.at < length && (text[c.at] == ' ' || text[c.at] == '\t')) c.at++;
    uint32_t start = (uint32_t)c.at;
    bool hash = c.at < length && text[c.at] == '#';
    bool opens = hash && directive(&c, "if"), ends = hash && directive(&c, "endif");
    bool turns = hash && directive(&c, "el");
    skip_line(&c);
    uint32_t after = (uint32_t)c.at;
    if (opens && depth < MAX_DEPTH) stack[depth++] = (group){{0}, after};
    if ((turns || ends) && depth > 0) close_branch(arena, &stack[depth - 1], start);
    if (turns && depth > 0) stack[depth - 1].from = after;
    if (ends && depth > 0) close_group(&gaps, arena, &stack[--depth], focus);
  }
  return gaps;
}
