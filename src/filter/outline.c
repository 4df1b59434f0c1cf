#include "filter/outline.h"

#include <ctype.h>
#include <string.h>

enum { MAX_DELIMITER = 16 }; /* of a raw string, by the C++ standard */

/* What the scan of C knows at its place. */
typedef struct {
  sa_outline *o;
  uint32_t at;
  uint32_t around;   /* the innermost open bracket */
  uint32_t closed;   /* a brace that was just closed: what follows says whether it was inner */
  uint32_t last;     /* the last byte of code; SA_NO_MARK: none yet */
  bool directive;    /* inside a preprocessor directive */
  bool code_on_line; /* the line has code so far */
} scan;

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static char at_or_nul(const sa_outline *o, uint32_t at) {
  return at < o->length ? o->text[at] : '\0';
}

/* ---- text that is no code ---- */

/* Behind the line that `at` stands on, lines joined by a backslash counting as one. */
static uint32_t line_end(const sa_outline *o, uint32_t at) {
  for (; at < o->length && o->text[at] != '\n'; at++) {
    if (o->text[at] != '\\') continue;
    uint32_t next = at + 1 + (at_or_nul(o, at + 1) == '\r');
    if (at_or_nul(o, next) == '\n') at = next;
  }
  return at;
}

static uint32_t block_comment_end(const sa_outline *o, uint32_t at) {
  const char *end = memmem(o->text + at + 2, o->length - at - 2, "*/", 2);
  return end != NULL ? (uint32_t)(end - o->text) + 2 : o->length;
}

static uint32_t raw_string_end(const sa_outline *o, uint32_t at) {
  char end[MAX_DELIMITER + 2] = ")";
  uint32_t n = 0;
  while (n < MAX_DELIMITER && at + 1 + n < o->length && o->text[at + 1 + n] != '(') n++;
  if (at_or_nul(o, at + 1 + n) != '(') return at + 1;
  memcpy(end + 1, o->text + at + 1, n);
  end[n + 1] = '"';
  const char *found = memmem(o->text + at, o->length - at, end, n + 2);
  return found != NULL ? (uint32_t)(found - o->text) + n + 2 : o->length;
}

/* Behind the quoted text at `at`; it ends at the line's end at the latest. A lone ' abbreviates a
 * word in text that is no code. */
static uint32_t quoted_end(const sa_outline *o, uint32_t at) {
  char quote = o->text[at];
  for (uint32_t i = at + 1; i < o->length; i++) {
    if (o->text[i] == '\\')
      i += 1 + (at_or_nul(o, i + 1) == '\r' && at_or_nul(o, i + 2) == '\n');
    else if (o->text[i] == quote)
      return i + 1;
    else if (o->text[i] == '\n')
      return quote == '"' ? i : at + 1;
  }
  return o->length;
}

/* Whether the ' at `at` begins a character and does not separate digits: 'a', L'a', but 1'000. */
static bool begins_character(const sa_outline *o, uint32_t at) {
  if (at == 0 || !is_name(o->text[at - 1])) return true;
  return strchr("LuU8", o->text[at - 1]) != NULL && (at == 1 || !is_name(o->text[at - 2]));
}

static void add_comment(scan *s, uint32_t end) {
  sa_push(s->o->arena, &s->o->comments,
          (sa_comment){.begin = s->at, .end = end, .alone = !s->code_on_line});
  s->at = end;
}

/* ---- C and its relatives ---- */

static uint32_t add_mark(scan *s, uint32_t at, char kind) {
  sa_push(s->o->arena, &s->o->marks,
          (sa_mark){.at = at, .kind = kind, .around = s->around, .partner = SA_NO_MARK});
  return s->o->marks.n - 1;
}

/* Whether the word "return" ends at the last byte of code. */
static bool after_return(const scan *s) {
  static const char word[] = "return";
  size_t n = sizeof word - 1;
  const char *end = s->o->text + s->last + 1;
  return s->last + 1 >= n && memcmp(end - n, word, n) == 0;
}

static bool opens_inner(const scan *s) {
  if (s->last == SA_NO_MARK) return false;
  char before = s->o->text[s->last];
  bool in_list = s->around != SA_NO_MARK && s->o->marks.at[s->around].inner &&
                 s->o->marks.at[s->around].kind == '{';
  return strchr("=(,", before) != NULL || (in_list && before == '{') || after_return(s);
}

static void open_bracket(scan *s, char c) {
  uint32_t mark = add_mark(s, s->at, c);
  s->o->marks.at[mark].inner = c != '{' || opens_inner(s);
  s->around = mark;
}

/* Closes the innermost bracket of that kind; a brace also closes what was left open inside it. */
static void close_bracket(scan *s, char c) {
  char opener = c == '}' ? '{' : c == ')' ? '(' : '[';
  uint32_t open = s->around;
  while (c == '}' && open != SA_NO_MARK && s->o->marks.at[open].kind != '{')
    open = s->o->marks.at[open].around;
  if (open == SA_NO_MARK && c == '}') add_mark(s, s->at, ';'); /* a block that began elsewhere */
  if (open == SA_NO_MARK || s->o->marks.at[open].kind != opener) return;
  s->around = s->o->marks.at[open].around;
  uint32_t mark = add_mark(s, s->at, c);
  s->o->marks.at[mark].partner = open;
  s->o->marks.at[mark].inner = s->o->marks.at[open].inner;
  s->o->marks.at[open].partner = mark;
  if (c == '}') s->closed = mark;
}

/* A lambda's or class's brace ends no statement: something of it follows. */
static void see_after_brace(scan *s, char c) {
  if (s->closed == SA_NO_MARK) return;
  sa_mark *close = &s->o->marks.at[s->closed];
  bool called = c == '(' && s->at == close->at + 1;
  if (called || strchr(",;).]:?=/%|<>+", c) != NULL)
    close->goes_on = s->o->marks.at[close->partner].goes_on = true;
  s->closed = SA_NO_MARK;
}

static void see_code(scan *s) {
  char c = s->o->text[s->at];
  if (c == '#' && !s->code_on_line && !s->directive) {
    s->directive = true;
    add_mark(s, s->at > 0 ? s->at - 1 : 0, ';');
  }
  s->code_on_line = true;
  if (!s->directive) {
    see_after_brace(s, c);
    if (c == '(' || c == '[' || c == '{')
      open_bracket(s, c);
    else if (c == ')' || c == ']' || c == '}')
      close_bracket(s, c);
    else if (c == ';')
      add_mark(s, s->at, ';');
  }
  s->last = s->at++;
}

static void see_quoted(scan *s) {
  const sa_outline *o = s->o;
  bool raw = o->text[s->at] == '"' && s->at > 0 && o->text[s->at - 1] == 'R';
  s->code_on_line = true;
  if (!s->directive) see_after_brace(s, '"');
  s->at = raw ? raw_string_end(o, s->at) : quoted_end(o, s->at);
  s->last = s->at - 1;
}

static void see_newline(scan *s) {
  bool joined =
      s->at > 0 && (s->o->text[s->at - 1] == '\\' ||
                    (s->at > 1 && s->o->text[s->at - 1] == '\r' && s->o->text[s->at - 2] == '\\'));
  if (s->directive && !joined) {
    add_mark(s, s->at, ';');
    s->directive = false;
  }
  s->code_on_line = joined && s->code_on_line;
  s->at++;
}

static void scan_c(sa_outline *o) {
  scan s = {.o = o, .around = SA_NO_MARK, .closed = SA_NO_MARK, .last = SA_NO_MARK};
  while (s.at < o->length) {
    char c = o->text[s.at], next = at_or_nul(o, s.at + 1);
    if (c == '\n')
      see_newline(&s);
    else if (isspace((unsigned char)c))
      s.at++;
    else if (c == '/' && next == '/')
      add_comment(&s, line_end(o, s.at));
    else if (c == '/' && next == '*')
      add_comment(&s, block_comment_end(o, s.at));
    else if (c == '"' || (c == '\'' && begins_character(o, s.at)))
      see_quoted(&s);
    else
      see_code(&s);
  }
}

/* ---- Python ---- */

/* Behind the string at `at`, which may have three quotes. */
static uint32_t python_string_end(const sa_outline *o, uint32_t at) {
  char quote = o->text[at];
  bool triple = at_or_nul(o, at + 1) == quote && at_or_nul(o, at + 2) == quote;
  if (!triple) return quoted_end(o, at);
  for (uint32_t i = at + 3; i < o->length; i++) {
    if (o->text[i] == '\\')
      i++;
    else if (o->text[i] == quote && at_or_nul(o, i + 1) == quote && at_or_nul(o, i + 2) == quote)
      return i + 3;
  }
  return o->length;
}

static void see_python_code(scan *s, unsigned *depth) {
  char c = s->o->text[s->at];
  s->code_on_line = true;
  if (c == '(' || c == '[' || c == '{') (*depth)++;
  if ((c == ')' || c == ']' || c == '}') && *depth > 0) (*depth)--;
  s->last = s->at++;
}

static void scan_python(sa_outline *o) {
  scan s = {.o = o, .around = SA_NO_MARK, .last = SA_NO_MARK};
  unsigned depth = 0;
  while (s.at < o->length) {
    char c = o->text[s.at];
    if (c == '\n') {
      bool joined = depth > 0 || (s.last != SA_NO_MARK && o->text[s.last] == '\\');
      if (s.code_on_line && !joined) add_mark(&s, s.at, ';');
      s.code_on_line = false;
      s.at++;
    } else if (isspace((unsigned char)c)) {
      s.at++;
    } else if (c == '#') {
      add_comment(&s, line_end(o, s.at));
    } else if (c == '"' || c == '\'') {
      s.code_on_line = true;
      s.at = python_string_end(o, s.at);
      s.last = s.at - 1;
    } else {
      see_python_code(&s, &depth);
    }
  }
}

/* ---- answers ---- */

static void find_lines(sa_outline *o) {
  sa_push(o->arena, &o->starts, 0);
  for (const char *at = o->text, *end = at + o->length;
       (at = memchr(at, '\n', (size_t)(end - at))) != NULL;)
    sa_push(o->arena, &o->starts, (uint32_t)(++at - o->text));
}

/* From the last to the first, since what is behind the next comment is behind this one too. A
 * comment before code on its last line does not stand alone either. */
static void settle_comments(sa_outline *o) {
  for (uint32_t i = o->comments.n; i-- > 0;) {
    sa_comment *c = &o->comments.at[i];
    c->code = sa_outline_code_from(o, c->end);
    c->line = sa_outline_line(o, c->begin);
    c->end_line = sa_outline_line(o, c->end > c->begin ? c->end - 1 : c->end);
    if (c->code < o->length && sa_outline_line(o, c->code) == c->end_line) c->alone = false;
  }
}

sa_outline *sa_outline_of(sa_arena *arena, const char *language, const char *text, size_t length) {
  sa_outline *o = sa_alloc(arena, sizeof *o);
  *o = (sa_outline){.arena = arena, .text = text, .length = (uint32_t)length};
  find_lines(o);
  if (strcmp(language, "python") == 0)
    scan_python(o);
  else
    scan_c(o);
  settle_comments(o);
  return o;
}

uint32_t sa_outline_line(const sa_outline *o, uint32_t at) {
  uint32_t low = 0, high = o->starts.n;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (o->starts.at[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

uint32_t sa_outline_offset(const sa_outline *o, uint32_t line, uint32_t column) {
  if (line == 0 || line > o->starts.n) return o->length;
  uint32_t at = o->starts.at[line - 1] + (column > 0 ? column - 1 : 0);
  return at < o->length ? at : o->length;
}

/* The first comment that ends behind `at`. */
static uint32_t comment_from(const sa_outline *o, uint32_t at) {
  uint32_t low = 0, high = o->comments.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (o->comments.at[middle].end <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t sa_outline_code_from(const sa_outline *o, uint32_t at) {
  uint32_t next = comment_from(o, at);
  uint32_t stop = next < o->comments.n ? o->comments.at[next].begin : o->length;
  while (at < stop && isspace((unsigned char)o->text[at])) at++;
  return at < stop || next == o->comments.n ? at : o->comments.at[next].code;
}

/* The number of marks before `at`. */
static uint32_t marks_before(const sa_outline *o, uint32_t at) {
  uint32_t low = 0, high = o->marks.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (o->marks.at[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_opener(const sa_mark *mark) {
  return strchr("({[", mark->kind) != NULL;
}

/* From the mark before `mark` to what ends the statement before: a byte behind it. */
static uint32_t begin_of(const sa_outline *o, uint32_t mark, uint32_t around) {
  while (mark-- > 0) {
    const sa_mark *m = &o->marks.at[mark];
    if (mark == around) return m->at + 1;
    if (m->around != around) continue;
    if (m->kind == ';' || (m->kind == '}' && !m->inner && !m->goes_on)) return m->at + 1;
    if (m->partner != SA_NO_MARK && m->partner < mark) mark = m->partner;
  }
  return 0;
}

static uint32_t end_of(const sa_outline *o, uint32_t mark, uint32_t around, bool head) {
  for (; mark < o->marks.n; mark++) {
    const sa_mark *m = &o->marks.at[mark];
    if (m->partner == around && around != SA_NO_MARK) return m->at - 1;
    if (m->around != around) continue;
    if (m->kind == ';' || (m->kind == '{' && !m->inner && (head || !m->goes_on))) return m->at;
    if (is_opener(m) && m->partner != SA_NO_MARK) mark = m->partner;
  }
  return o->length > 0 ? o->length - 1 : 0;
}

static sa_extent extent_at(const sa_outline *o, uint32_t at, bool head) {
  uint32_t next = marks_before(o, at), around = SA_NO_MARK, from = next;
  if (next > 0) {
    const sa_mark *before = &o->marks.at[next - 1];
    around = is_opener(before) ? next - 1 : before->around;
  }
  while (around != SA_NO_MARK && o->marks.at[around].inner) {
    const sa_mark *open = &o->marks.at[around];
    from = around;
    next = open->partner != SA_NO_MARK ? open->partner + 1 : o->marks.n;
    around = open->around;
  }
  sa_extent extent = {begin_of(o, from, around), end_of(o, next, around, head)};
  extent.begin = sa_outline_code_from(o, extent.begin);
  return extent;
}

sa_extent sa_outline_statement(const sa_outline *o, uint32_t at) {
  return extent_at(o, at, false);
}

sa_extent sa_outline_head(const sa_outline *o, uint32_t at) {
  return extent_at(o, at, true);
}
