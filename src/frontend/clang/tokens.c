/* The account of record calls: every token that spells one gets a fate. */
#include "frontend/clang/internal.h"
#include "model/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { COMMENT_LINES = 14, MAX_COMMENT_NESTING = 64 };

static bool spelled_at(const sa_ruleset *rules, const char *text, size_t length, size_t at,
                       size_t *size) {
  for (uint32_t i = 0; i < rules->spellings.n; i++) {
    size_t n = strlen(rules->spellings.at[i]);
    if (at + n <= length && memcmp(text + at, rules->spellings.at[i], n) == 0 &&
        (at + n == length || !is_name(text[at + n]))) {
      *size = n;
      return true;
    }
  }
  return false;
}

typedef struct {
  unsigned line;
  size_t line_start;
  size_t at;
} line_cursor;

static void advance(line_cursor *c, const char *text, size_t to) {
  for (; c->at < to; c->at++)
    if (text[c->at] == '\n') {
      c->line++;
      c->line_start = c->at + 1;
    }
}

static void add_token(lowering *lo, line_cursor *lines, size_t at, size_t size, bool is_text) {
  advance(lines, lo->text, at);
  uint32_t column = (uint32_t)(at - lines->line_start) + 1;
  sa_ir_token token = {.at = {.line = lines->line,
                              .column = column,
                              .end_line = lines->line,
                              .end_column = column + (uint32_t)size,
                              .offset = (uint32_t)at,
                              .end_offset = (uint32_t)(at + size)},
                       .fate = is_text ? SA_TOKEN_TEXT : SA_TOKEN_NOT_ANALYSED,
                       .site = SA_NO_INDEX,
                       .why = is_text ? "comment or string" : NULL};
  sa_push(lo->arena, &lo->unit->tokens, token);
}

static void scan_piece(lowering *lo, line_cursor *lines, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++) {
    size_t size;
    bool starts = is_name(lo->text[i]) && (i == 0 || !is_name(lo->text[i - 1]));
    if (starts && spelled_at(lo->rules, lo->text, end, i, &size))
      add_token(lo, lines, i, size, true);
  }
}

void scan_tokens(lowering *lo) {
  const char *text = lo->text;
  line_cursor lines = {.line = 1};
  size_t length = lo->job->length;
  for (size_t i = 0; i < length;) {
    size_t end = i, size;
    char c = text[i];
    if (c == '/' && i + 1 < length && (text[i + 1] == '/' || text[i + 1] == '*'))
      end = skip_comment(text, length, i);
    else if (c == '"' || (c == '\'' && (i == 0 || !is_name(text[i - 1]))))
      end = skip_quoted(text, length, i);
    if (end > i) {
      scan_piece(lo, &lines, i, end);
      i = end;
    } else if (is_name(c)) {
      if (spelled_at(lo->rules, text, length, i, &size)) add_token(lo, &lines, i, size, false);
      while (i < length && is_name(text[i])) i++;
    } else {
      i++;
    }
  }
}

static sa_ir_token *token_at(lowering *lo, unsigned offset) {
  for (uint32_t i = 0; i < lo->unit->tokens.n; i++)
    if (lo->unit->tokens.at[i].at.offset == offset) return &lo->unit->tokens.at[i];
  return NULL;
}

/* ---- what lowering says of a token ---- */

static sa_span name_at(const lowering *lo, size_t begin) {
  size_t end = begin;
  while (end < lo->length && is_name(lo->text[end])) end++;
  return (sa_span){lo->text + begin, end - begin};
}

/* The body of the macro `name` as this file defines it; empty when it does not. */
static sa_span macro_body(const lowering *lo, sa_span name) {
  const char *at = lo->text, *stop = lo->text + lo->length;
  while (name.length > 0 && (at = memmem(at, (size_t)(stop - at), "define", 6)) != NULL) {
    const char *before = at;
    at += 6;
    while (before > lo->text && (before[-1] == ' ' || before[-1] == '\t')) before--;
    if (before == lo->text || before[-1] != '#') continue;
    while (at < stop && (*at == ' ' || *at == '\t')) at++;
    sa_span defined = name_at(lo, (size_t)(at - lo->text));
    if (sa_span_compare(defined, name) != 0) continue;
    const char *end = at += name.length;
    while (end < stop && (*end != '\n' || end[-1] == '\\')) end++;
    return (sa_span){at, (size_t)(end - at)};
  }
  return (sa_span){lo->text, 0};
}

/* A record call that the macro `name` expands to, by itself or through other macros of this file:
 * libclang before 19 says of a call in a macro only where the macro is used. */
static sa_ir_token *macro_token(lowering *lo, sa_span name, unsigned depth) {
  sa_span text = macro_body(lo, name);
  size_t begin = (size_t)(text.at - lo->text), end = begin + text.length;
  for (size_t i = begin; depth < 8 && i < end; i++) {
    if (!is_name(lo->text[i]) || is_name(lo->text[i - 1])) continue;
    sa_ir_token *token = token_at(lo, (unsigned)i);
    sa_span inner = name_at(lo, i);
    if (token == NULL && sa_span_compare(inner, name) != 0)
      token = macro_token(lo, inner, depth + 1);
    if (token != NULL) return token;
  }
  return NULL;
}

/* The last token inside the callee: `a.b(...)` is spelled at b. `in_macro` tells that the callee is
 * written in a macro's definition, here or elsewhere. */
static sa_ir_token *callee_token(lowering *lo, CXCursor call, bool *in_macro) {
  *in_macro = false;
  span whole = span_of(lo, call);
  cursors parts = children_of(lo, call);
  if (parts.n == 0) return NULL;
  CXCursor callee = parts.at[0];
  for (int depth = 0; depth < 8 && kind_of(lo, callee) == CXCursor_UnexposedExpr; depth++) {
    cursors inner = children_of(lo, callee);
    if (inner.n != 1 || span_of(lo, inner.at[0]).end != span_of(lo, callee).end) break;
    callee = inner.at[0];
  }
  CXFile file = NULL;
  unsigned offset = 0;
  lo->lib->getSpellingLocation(lo->lib->getCursorLocation(callee), &file, NULL, NULL, &offset);
  bool here = file != NULL && same_file(lo, file, lo->main);
  bool main_call = whole.file != NULL && same_file(lo, whole.file, lo->main);
  if (here && main_call && (offset < whole.begin || offset >= whole.end)) *in_macro = true;
  if (!here && main_call) *in_macro = true;
  if (*in_macro) return here ? token_at(lo, offset) : NULL;
  if (!here) return NULL;
  span head = span_of(lo, callee);
  sa_ir_token *found = NULL;
  for (uint32_t i = 0; i < lo->unit->tokens.n; i++) {
    sa_ir_token *token = &lo->unit->tokens.at[i];
    if (token->at.offset >= head.begin && token->at.end_offset <= head.end) found = token;
  }
  if (found == NULL && main_call && !lo->lib->spells_macros) {
    found = macro_token(lo, name_at(lo, whole.begin), 0);
    *in_macro = found != NULL;
  }
  return found;
}

/* Text of comments, and where each nesting of braces began to add to it. */
typedef struct {
  char *text;
  size_t n;
  size_t began[MAX_COMMENT_NESTING]; /* length of the text when the brace was opened */
  int depth;
} remarks;

/* What is said inside a block that is closed again is said of that block. */
static void count_brace(remarks *r, char c) {
  if (c == '{') {
    if (r->depth < MAX_COMMENT_NESTING) r->began[r->depth] = r->n;
    r->depth++;
  } else if (c == '}') {
    bool opened_here = r->depth > 0;
    r->depth -= opened_here;
    if (r->depth < MAX_COMMENT_NESTING) r->n = opened_here ? r->began[r->depth] : 0;
  }
}

/* Comments in the lines above the call, from the head of its function on, and behind it. */
static const char *comments_near(lowering *lo, const span *s, size_t from) {
  size_t begin = s->begin;
  for (int lines = 0; begin > from && lines <= COMMENT_LINES; begin--)
    lines += lo->text[begin - 1] == '\n';
  size_t end = s->end;
  while (end < lo->length && lo->text[end] != '\n') end++;
  remarks r = {.text = sa_alloc(lo->arena, end - begin + 2)};
  for (size_t i = begin; i < end;) {
    if (lo->text[i] == '/' && i + 1 < lo->length &&
        (lo->text[i + 1] == '/' || lo->text[i + 1] == '*')) {
      size_t stop = skip_comment(lo->text, end, i);
      for (i += 2; i < stop; i++)
        r.text[r.n++] = lo->text[i] == '*' || lo->text[i] == '/' ? ' ' : lo->text[i];
      r.text[r.n++] = ' ';
      i = stop;
    } else {
      if (i < s->begin) count_brace(&r, lo->text[i]);
      i++;
    }
  }
  r.text[r.n] = '\0';
  return r.text;
}

static size_t outermost_begin(body *b) {
  while (b->outer != NULL) b = b->outer;
  return func_of(b)->at.file == 0 ? func_of(b)->at.offset : 0;
}

uint32_t add_site(body *b, CXCursor call, const sa_api *api, const char *name) {
  lowering *lo = b->lo;
  bool in_macro;
  sa_ir_token *token = callee_token(lo, call, &in_macro);
  span s = span_of(lo, call);
  bool main_call = s.file != NULL && same_file(lo, s.file, lo->main);
  const char *comments = main_call ? comments_near(lo, &s, outermost_begin(b)) : "";
  sa_ir_site site = {.kind = in_macro ? SA_SITE_MACRO : SA_SITE_CALL,
                     .at = range_of(lo, call),
                     .api = name,
                     .family = api->family != NULL ? api->family : "",
                     .func = b->func,
                     .function = func_of(b)->name,
                     .justified = sa_comment_justifies(lo->rules, comments),
                     .waived = sa_comment_waives(lo->rules, comments)};
  if (main_call && s.begin >= lo->job->length && token != NULL) {
    /* a macro function: the place is the macro's own text */
    size_t prefix = sizeof SA_MACRO_PREFIX - 1;
    site.at = token->at;
    if (strncmp(site.function, SA_MACRO_PREFIX, prefix) == 0) site.function += prefix;
  }
  sa_push(lo->arena, &lo->unit->sites, site);
  uint32_t index = lo->unit->sites.n - 1;
  if (token != NULL && token->fate != SA_TOKEN_SITE) {
    token->fate = SA_TOKEN_SITE;
    token->site = index;
  }
  return index;
}

void note_namesake(lowering *lo, CXCursor call, const char *why) {
  bool in_macro;
  sa_ir_token *token = callee_token(lo, call, &in_macro);
  if (token == NULL || token->fate != SA_TOKEN_NOT_ANALYSED) return;
  token->fate = SA_TOKEN_NAMESAKE;
  token->why = why;
}

/* ---- tokens that no lowered call accounts for ---- */

static void add_declared_site(lowering *lo, sa_ir_token *token, sa_site_kind kind,
                              const char *reason) {
  sa_ir_site site = {.kind = kind,
                     .at = token->at,
                     .api = sa_strndup(lo->arena, lo->text + token->at.offset,
                                       token->at.end_offset - token->at.offset),
                     .family = "",
                     .func = SA_NO_INDEX,
                     .function = "",
                     .reason = reason};
  sa_push(lo->arena, &lo->unit->sites, site);
  token->site = lo->unit->sites.n - 1;
}

static char next_code_char(const lowering *lo, size_t at) {
  while (at < lo->length && isspace((unsigned char)lo->text[at])) at++;
  return at < lo->length ? lo->text[at] : '\0';
}

static bool on_directive_line(const lowering *lo, size_t at, const char *directive) {
  while (at > 0 && !(lo->text[at - 1] == '\n' && (at < 2 || lo->text[at - 2] != '\\'))) at--;
  while (at < lo->length && (lo->text[at] == ' ' || lo->text[at] == '\t')) at++;
  if (at >= lo->length || lo->text[at] != '#') return false;
  at++;
  while (at < lo->length && (lo->text[at] == ' ' || lo->text[at] == '\t')) at++;
  size_t n = strlen(directive);
  return at + n <= lo->length && memcmp(lo->text + at, directive, n) == 0;
}

/* Back over white space, then over one name. */
static size_t word_before(const lowering *lo, size_t at, size_t *begin) {
  while (at > 0 && isspace((unsigned char)lo->text[at - 1])) at--;
  *begin = at;
  while (*begin > 0 && is_name(lo->text[*begin - 1])) (*begin)--;
  return at;
}

/* Whether what stands before the token, written `name(...)`, can only be the type of a declaration:
 * a word, or a reference or pointer mark behind one. For text that clang could not make use of. */
static bool after_a_type(const lowering *lo, size_t at) {
  static const char *const statements[] = {"return", "else", "do",        "throw",    "case",
                                           "goto",   "new",  "co_return", "co_await", "co_yield",
                                           "not",    "and",  "or"};
  size_t begin, end = word_before(lo, at, &begin);
  while (end >= 2 && begin == end && lo->text[end - 1] == ':' && lo->text[end - 2] == ':') {
    end = word_before(lo, end - 2, &begin); /* ns::Class::name */
    if (begin == end) return false;
    end = word_before(lo, begin, &begin);
  }
  if (begin == end && end > 0 && (lo->text[end - 1] == '&' || lo->text[end - 1] == '*'))
    end = word_before(lo, end - 1, &begin);
  if (begin == end || isdigit((unsigned char)lo->text[begin])) return false;
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
    if (strlen(statements[i]) == end - begin &&
        memcmp(lo->text + begin, statements[i], end - begin) == 0)
      return false;
  return true;
}

static bool is_function_kind(enum CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
         kind == CXCursor_FunctionTemplate;
}

/* Whether a declaration that bears the name of a record API can be one: it takes a block and a
 * stream, or is a member that takes a stream. Profilers and recorders take numbers, texts or
 * events. */
static bool declares_record(lowering *lo, CXCursor function) {
  cursors parts = children_of(lo, function);
  sa_ir_type first = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < parts.n; i++) {
    if (kind_of(lo, parts.at[i]) != CXCursor_ParmDecl) continue;
    sa_ir_type type = type_of(lo, parts.at[i]);
    if (type.kind == SA_TYPE_EVENT) return false;
    if (n++ == 0) first = type;
  }
  bool number = first.kind == SA_TYPE_SCALAR;
  return n > 0 && !number && (n > 1 || kind_of(lo, function) != CXCursor_FunctionDecl);
}

static const char other_parameters[] = "declares a function of that name with other parameters";

/* A call without receiver or scope, in a file that declares functions of that name only with other
 * parameters than a record API has, calls one of those. */
static bool calls_own_namesake(const lowering *lo, const sa_ir_token *token) {
  size_t before = token->at.offset, size = token->at.end_offset - token->at.offset;
  while (before > 0 && isspace((unsigned char)lo->text[before - 1])) before--;
  if (before == 0 || strchr(";{}()", lo->text[before - 1]) == NULL) return false;
  bool found = false;
  for (uint32_t i = 0; i < lo->unit->tokens.n; i++) {
    const sa_ir_token *other = &lo->unit->tokens.at[i];
    if (other->at.end_offset - other->at.offset != size ||
        memcmp(lo->text + other->at.offset, lo->text + token->at.offset, size) != 0)
      continue;
    if (other->fate == SA_TOKEN_IMPLEMENTATION) return false;
    found = found || other->why == other_parameters;
  }
  return found;
}

static void settle_token(lowering *lo, sa_ir_token *token, bool declarations) {
  CXSourceLocation at = lo->lib->getLocationForOffset(lo->tu, lo->main, token->at.offset);
  CXCursor cursor = lo->lib->getCursor(lo->tu, at);
  enum CXCursorKind kind = is_null(lo, cursor) ? CXCursor_InvalidFile : kind_of(lo, cursor);
  bool macro = on_directive_line(lo, token->at.offset, "define");
  bool callish = next_code_char(lo, token->at.end_offset) == '(';
  bool function = !macro && is_function_kind(kind);
  bool declares = function || (!macro && callish && after_a_type(lo, token->at.offset));
  if (declarations != declares) return;
  if (function && !declares_record(lo, cursor)) {
    token->fate = SA_TOKEN_NAMESAKE;
    token->why = other_parameters;
  } else if (declares) {
    token->fate = SA_TOKEN_IMPLEMENTATION;
    token->why = "declares or defines the API";
    add_declared_site(lo, token, SA_SITE_IMPLEMENTATION, NULL);
  } else if (!macro && !callish) {
    token->fate = SA_TOKEN_NAMESAKE;
    token->why = "named, but not called";
  } else if (!macro && calls_own_namesake(lo, token)) {
    token->fate = SA_TOKEN_NAMESAKE;
    token->why = "calls a function of that name with other parameters";
  } else {
    token->fate = SA_TOKEN_NOT_ANALYSED;
    token->why = macro ? "stands in a macro that is not expanded in this file"
                       : "the compiler front end dropped or skipped this statement";
    add_declared_site(lo, token, macro ? SA_SITE_MACRO : SA_SITE_CALL, token->why);
  }
}

void settle_tokens(lowering *lo) {
  for (int declarations = 1; declarations >= 0; declarations--)
    for (uint32_t i = 0; i < lo->unit->tokens.n; i++) {
      sa_ir_token *token = &lo->unit->tokens.at[i];
      if (token->fate == SA_TOKEN_NOT_ANALYSED && token->why == NULL)
        settle_token(lo, token, declarations != 0);
    }
}

/* ---- a file without a translation unit ---- */

static void settle_unparsed(lowering *lo, sa_ir_token *token, const char *reason) {
  bool callish = next_code_char(lo, token->at.end_offset) == '(';
  if (callish && after_a_type(lo, token->at.offset)) {
    token->fate = SA_TOKEN_IMPLEMENTATION;
    token->why = "declares or defines the API";
    add_declared_site(lo, token, SA_SITE_IMPLEMENTATION, NULL);
    return;
  }
  token->fate = callish ? SA_TOKEN_NOT_ANALYSED : SA_TOKEN_NAMESAKE;
  token->why = callish ? reason : "named, but not called";
  if (callish) add_declared_site(lo, token, SA_SITE_CALL, reason);
}

void settle_tokens_by_text(lowering *lo, const char *reason) {
  for (uint32_t i = 0; i < lo->unit->tokens.n; i++) {
    sa_ir_token *token = &lo->unit->tokens.at[i];
    if (token->fate == SA_TOKEN_NOT_ANALYSED && token->why == NULL)
      settle_unparsed(lo, token, reason);
  }
}

sa_ir_unit *sa_clang_account(sa_arena *arena, const sa_ruleset *rules, const sa_job *job,
                             const char *reason) {
  sa_ir_unit *unit = sa_alloc(arena, sizeof *unit);
  unit->path = job->path;
  unit->language = job->language;
  sa_push(arena, &unit->files, job->path);
  lowering lo = {.arena = arena,
                 .rules = rules,
                 .job = job,
                 .unit = unit,
                 .text = job->text,
                 .length = job->length};
  scan_tokens(&lo);
  settle_tokens_by_text(&lo, reason);
  return unit;
}
