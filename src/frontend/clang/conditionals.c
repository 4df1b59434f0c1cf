/* Conditional regions. A record call that the preprocessor would leave out is a call all the same:
 * the directives around it are rewritten in memory (#if 1, #elif 0, padded to the same length), so
 * that no macro has to be guessed and every position stays what it is in the file. */
#include "frontend/clang/internal.h"

#include <ctype.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_VARIANTS = 4 };

typedef enum { D_NONE, D_IF, D_ELIF, D_ELSE, D_ENDIF } directive_kind;

typedef struct {
  directive_kind kind;
  size_t begin, end; /* from the '#' to the end of the logical line */
  bool calls;        /* the branch that starts here holds a record call */
  bool guard;        /* #ifndef X, directly followed by #define X */
} directive;

typedef SA_ARRAY(directive) directive_array;

static bool word_at(const char *text, size_t length, size_t at, const char *word) {
  size_t n = strlen(word);
  return at + n <= length && memcmp(text + at, word, n) == 0 &&
         (at + n == length || !is_name(text[at + n]));
}

static directive_kind kind_at(const char *text, size_t length, size_t hash) {
  size_t at = after_blanks(text, length, hash + 1);
  if (word_at(text, length, at, "if") || word_at(text, length, at, "ifdef") ||
      word_at(text, length, at, "ifndef"))
    return D_IF;
  if (word_at(text, length, at, "elif") || word_at(text, length, at, "elifdef") ||
      word_at(text, length, at, "elifndef"))
    return D_ELIF;
  if (word_at(text, length, at, "else")) return D_ELSE;
  if (word_at(text, length, at, "endif")) return D_ENDIF;
  return D_NONE;
}

/* #ifndef NAME on one line, #define NAME on the next that is not blank. */
static bool is_include_guard(const char *text, size_t length, size_t hash, size_t end) {
  size_t at = after_blanks(text, length, hash + 1);
  if (!word_at(text, length, at, "ifndef")) return false;
  size_t name = after_blanks(text, length, at + 6);
  size_t n = 0;
  while (name + n < length && is_name(text[name + n])) n++;
  size_t next = end;
  while (next < length && isspace((unsigned char)text[next])) next++;
  if (next >= length || text[next] != '#') return false;
  next = after_blanks(text, length, next + 1);
  if (!word_at(text, length, next, "define")) return false;
  next = after_blanks(text, length, next + 6);
  return n > 0 && next + n <= length && memcmp(text + name, text + next, n) == 0;
}

static bool spells_record(const sa_ruleset *rules, const char *text, size_t length, size_t at) {
  for (uint32_t i = 0; i < rules->spellings.n; i++)
    if (word_at(text, length, at, rules->spellings.at[i])) return true;
  return false;
}

bool mentions_record(const sa_ruleset *rules, const char *text, size_t length) {
  for (uint32_t i = 0; i < rules->spellings.n; i++)
    if (memmem(text, length, rules->spellings.at[i], strlen(rules->spellings.at[i])) != NULL)
      return true;
  return false;
}

typedef struct {
  sa_arena *arena;
  directive_array list;
  uint32_t open[MAX_DEPTH]; /* the branch that each open chain is in, the outermost first */
  uint32_t depth;           /* open chains; what lies deeper than MAX_DEPTH is not kept */
} scanner;

static void mark_call(scanner *s) {
  for (uint32_t i = 0; i < s->depth && i < MAX_DEPTH; i++) s->list.at[s->open[i]].calls = true;
}

static void add_directive(scanner *s, const char *text, size_t length, size_t hash, size_t end) {
  directive_kind kind = kind_at(text, length, hash);
  if (kind == D_NONE) return;
  directive d = {.kind = kind, .begin = hash, .end = end};
  d.guard = kind == D_IF && is_include_guard(text, length, hash, end);
  sa_push(s->arena, &s->list, d);
  if (kind == D_IF) {
    if (s->depth < MAX_DEPTH) s->open[s->depth] = s->list.n - 1;
    s->depth++;
  } else if (s->depth > 0) {
    if (kind == D_ENDIF)
      s->depth--;
    else if (s->depth <= MAX_DEPTH)
      s->open[s->depth - 1] = s->list.n - 1;
  }
}

/* Walks the code (comments and strings aside) and finds directives and record calls. A macro body
 * is code too: it is seen by those who expand it. */
static void scan(scanner *s, const char *text, size_t length, const sa_ruleset *rules) {
  bool line_start = true;
  for (size_t i = 0; i < length;) {
    char c = text[i];
    if (c == '/' && i + 1 < length && text[i + 1] == '/') {
      i = logical_line_end(text, length, i);
    } else if (c == '/' && i + 1 < length && text[i + 1] == '*') {
      const char *end = memmem(text + i + 2, length - i - 2, "*/", 2);
      i = end != NULL ? (size_t)(end - text) + 2 : length;
    } else if (c == '"') {
      for (i++; i < length && text[i] != '"' && text[i] != '\n'; i++)
        if (text[i] == '\\') i++;
      if (i < length) i++;
    } else if (c == '#' && line_start) {
      size_t end = logical_line_end(text, length, i);
      add_directive(s, text, length, i, end);
      i = kind_at(text, length, i) != D_NONE ? end : i + 1;
    } else if (isalpha((unsigned char)c) || c == '_') {
      if (spells_record(rules, text, length, i)) mark_call(s);
      while (i < length && is_name(text[i])) i++;
    } else {
      i++;
    }
    if (i > 0 && i <= length && text[i - 1] == '\n')
      line_start = true;
    else if (!isspace((unsigned char)c))
      line_start = false;
    if (i < length && text[i] == '\n') line_start = true;
  }
}

static void rewrite(char *text, const directive *d, const char *as) {
  size_t n = strlen(as);
  if (d->end - d->begin < n) return;
  for (size_t i = d->begin; i < d->end; i++)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  memcpy(text + d->begin, as, n);
}

/* The macros that the condition of a taken branch wants defined: other files ask for them too, so a
 * header that belongs to the branch is seen with it. `#ifdef A`, `#if defined(A) && B`. */
static void add_wanted(scanner *s, const char *text, const directive *d, name_array *wanted) {
  size_t at = after_blanks(text, d->end, d->begin + 1);
  size_t word = at;
  while (at < d->end && isalpha((unsigned char)text[at])) at++;
  if (word_at(text, d->end, word, "ifndef") || word_at(text, d->end, word, "else") ||
      word_at(text, d->end, word, "elifndef"))
    return;
  bool negated = false;
  while (at < d->end) {
    char c = text[at];
    if (!isalpha((unsigned char)c) && c != '_') {
      negated = c == '!' || (negated && (c == '(' || c == ' '));
      while (at < d->end && isdigit((unsigned char)text[at])) at++;
      at += at < d->end && text[at] == c;
      continue;
    }
    size_t begin = at;
    while (at < d->end && is_name(text[at])) at++;
    if (word_at(text, d->end, begin, "defined")) continue;
    size_t next = after_blanks(text, d->end, at);
    bool compared = next < d->end && strchr("<>=!", text[next]) != NULL;
    bool called = next < d->end && text[next] == '(';
    if (!negated && !compared && !called && at - begin < 100)
      sa_push(s->arena, wanted, sa_strndup(s->arena, text + begin, at - begin));
    negated = false;
  }
}

/* Forces the chain that starts at `first`; returns how many of its branches hold calls. */
static unsigned force_chain(scanner *s, char *text, uint32_t first, unsigned variant,
                            name_array *wanted_macros) {
  const directive_array *list = &s->list;
  uint32_t branches[256];
  uint32_t n = 0, depth = 0;
  unsigned with_calls = 0;
  for (uint32_t i = first; i < list->n && n < 256; i++) {
    directive_kind kind = list->at[i].kind;
    if (kind == D_IF && depth++ > 0) continue;
    if (kind == D_ENDIF && --depth == 0) break;
    if (depth == 1 && kind != D_ENDIF) {
      branches[n++] = i;
      with_calls += list->at[i].calls;
    }
  }
  if (with_calls == 0 || list->at[first].guard) return 0;
  unsigned wanted = variant < with_calls ? variant : with_calls - 1, seen = 0;
  for (uint32_t k = 0; k < n; k++) {
    const directive *d = &list->at[branches[k]];
    bool take = d->calls && seen++ == wanted;
    if (take) add_wanted(s, text, d, wanted_macros);
    if (d->kind == D_IF)
      rewrite(text, d, take ? "#if 1" : "#if 0");
    else if (d->kind == D_ELIF)
      rewrite(text, d, take ? "#elif 1" : "#elif 0");
  }
  return with_calls;
}

unsigned force_conditionals(sa_arena *arena, char *text, size_t length, const sa_ruleset *rules,
                            unsigned variant, name_array *wanted) {
  scanner s = {.arena = arena};
  scan(&s, text, length, rules);
  unsigned variants = 1;
  for (uint32_t i = 0; i < s.list.n; i++) {
    if (s.list.at[i].kind != D_IF) continue;
    unsigned n = force_chain(&s, text, i, variant, wanted);
    if (n > variants) variants = n;
  }
  return variants < MAX_VARIANTS ? variants : MAX_VARIANTS;
}
