/* The account of record calls: every token that spells one gets a fate. */
#include "frontend/python/internal.h"

#include <string.h>

enum { COMMENT_LINES = 14 };

static bool spells(const lowering *lo, const char *at, size_t length) {
  for (uint32_t i = 0; i < lo->rules->spellings.n; i++) {
    const char *word = lo->rules->spellings.at[i];
    if (*word == *at && strlen(word) == length && memcmp(word, at, length) == 0) return true;
  }
  return false;
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

/* The end of the string that begins at `at`. */
static size_t skip_string(const lowering *lo, size_t at) {
  const char *text = lo->job->text;
  size_t length = lo->job->length;
  char quote = text[at];
  size_t marks = at + 2 < length && text[at + 1] == quote && text[at + 2] == quote ? 3 : 1;
  for (size_t i = at + marks; i < length; i++) {
    if (text[i] == '\\') {
      i++;
      continue;
    }
    if (marks == 1 && text[i] == '\n') return i;
    if (text[i] != quote) continue;
    if (marks == 1) return i + 1;
    if (i + 2 < length && text[i + 1] == quote && text[i + 2] == quote) return i + 3;
  }
  return length;
}

static void set_text(sa_ir_token *token) {
  token->fate = SA_TOKEN_TEXT;
  token->why = "comment or string";
}

/* Comments and strings by the text alone. */
static void tell_by_text(lowering *lo) {
  const char *text = lo->job->text;
  size_t length = lo->job->length;
  uint32_t next = 0;
  for (size_t i = 0; i < length && next < lo->tokens.n;) {
    size_t begin = i;
    if (text[i] == '#') {
      while (i < length && text[i] != '\n') i++;
    } else if (text[i] == '"' || text[i] == '\'') {
      i = skip_string(lo, i);
    } else {
      begin = ++i;
    }
    for (; next < lo->tokens.n && lo->tokens.at[next].at.offset < i; next++)
      if (lo->tokens.at[next].at.offset >= begin) set_text(&lo->tokens.at[next]);
  }
}

/* What begins an identifier of the tree is code. Only nodes around tokens are entered. */
static void tell_by_tree(lowering *lo) {
  TSTreeCursor cursor = ts_tree_cursor_new(lo->root);
  uint32_t next = 0;
  for (bool more = true; more && next < lo->tokens.n;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
    while (next < lo->tokens.n && lo->tokens.at[next].at.offset < begin)
      set_text(&lo->tokens.at[next++]);
    bool around = next < lo->tokens.n && lo->tokens.at[next].at.offset < end;
    if (around && py_is_type(node, "identifier") && lo->tokens.at[next].at.offset == begin) next++;
    if (around && ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)))
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
  }
  while (next < lo->tokens.n) set_text(&lo->tokens.at[next++]);
  ts_tree_cursor_delete(&cursor);
}

static void find_tokens(lowering *lo) {
  const char *text = lo->job->text;
  size_t length = lo->job->length, line_start = 0;
  uint32_t line = 1;
  for (size_t i = 0, end; i < length; i = end) {
    for (end = i; end < length && is_name(text[end]);) end++;
    if (end == i) {
      if (text[end++] == '\n') line++, line_start = end;
      continue;
    }
    if (!spells(lo, text + i, end - i)) continue;
    uint32_t column = (uint32_t)(i - line_start) + 1, size = (uint32_t)(end - i);
    sa_ir_token token = {.at = {.line = line,
                                .column = column,
                                .end_line = line,
                                .end_column = column + size,
                                .offset = (uint32_t)i,
                                .end_offset = (uint32_t)end},
                         .fate = SA_TOKEN_NOT_ANALYSED,
                         .site = SA_NO_INDEX};
    sa_push(lo->arena, &lo->tokens, token);
  }
}

void py_scan_tokens(lowering *lo) {
  find_tokens(lo);
  if (ts_node_is_null(lo->root))
    tell_by_text(lo);
  else
    tell_by_tree(lo);
}

/* The first token at or behind a place; they lie in order. */
static uint32_t token_from(const lowering *lo, uint32_t offset) {
  uint32_t low = 0, high = lo->unit->tokens.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lo->unit->tokens.at[middle].at.offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static sa_ir_token *token_at(lowering *lo, uint32_t offset) {
  uint32_t i = token_from(lo, offset);
  bool found = i < lo->unit->tokens.n && lo->unit->tokens.at[i].at.offset == offset;
  return found ? &lo->unit->tokens.at[i] : NULL;
}

void py_note_token(lowering *lo, TSNode name, sa_token_fate fate, const char *why) {
  sa_ir_token *token = token_at(lo, ts_node_start_byte(name));
  if (token == NULL || token->fate != SA_TOKEN_NOT_ANALYSED) return;
  token->fate = fate;
  token->why = why;
}

/* ---- sites ---- */

static bool holds(TSNode node, uint32_t offset) {
  return ts_node_start_byte(node) <= offset && offset < ts_node_end_byte(node);
}

/* The innermost block of statements around a place; NULL: the module. */
static const TSNode *block_around(const lowering *lo, uint32_t offset) {
  const TSNode *found = NULL;
  for (uint32_t i = 0; i < lo->blocks.n && ts_node_start_byte(lo->blocks.at[i]) <= offset; i++)
    if (holds(lo->blocks.at[i], offset)) found = &lo->blocks.at[i];
  return found;
}

/* Comments in the lines above the call, from the head of its function on, and behind it. What is
 * said inside a block that is closed again is said of that block. */
static const char *comments_near(lowering *lo, TSNode call, uint32_t from) {
  uint32_t at = ts_node_start_byte(call), line = ts_node_start_point(call).row;
  uint32_t last = ts_node_end_point(call).row;
  const char *text = "";
  for (uint32_t i = 0; i < lo->comments.n; i++) {
    TSNode comment = lo->comments.at[i];
    uint32_t row = ts_node_start_point(comment).row, begin = ts_node_start_byte(comment);
    if (begin < from || row + COMMENT_LINES < line || row > last) continue;
    const TSNode *block = block_around(lo, begin);
    if (begin < at && block != NULL && !holds(*block, at)) continue;
    text = sa_printf(lo->arena, "%s %s", text, py_text_of(lo, comment) + 1);
  }
  return text;
}

/* The last token inside the callee: `a.b(...)` is spelled at b. */
static sa_ir_token *callee_token(lowering *lo, TSNode call) {
  TSNode function = py_field_of(call, "function");
  uint32_t begin = ts_node_start_byte(function), end = ts_node_end_byte(function);
  sa_ir_token *found = NULL;
  for (uint32_t i = token_from(lo, begin); i < lo->unit->tokens.n; i++) {
    sa_ir_token *token = &lo->unit->tokens.at[i];
    if (token->at.end_offset > end) break;
    if (token->fate != SA_TOKEN_TEXT) found = token;
  }
  return found;
}

static uint32_t outermost_begin(const body *b) {
  while (b->outer != NULL) b = b->outer;
  return b->func == 0 ? 0 : ts_node_start_byte(b->lo->funcs.at[b->func].node);
}

enum { JUSTIFIES = 1, WAIVES = 2 };

/* What comments say of a call, found once. */
static uint32_t said_of(body *b, TSNode call) {
  lowering *lo = b->lo;
  bool is_new;
  uint32_t *said = sa_table_at(lo->arena, &lo->said, (uintptr_t)call.id, &is_new);
  if (!is_new) return *said;
  const char *comments = comments_near(lo, call, outermost_begin(b));
  if (sa_comment_justifies(lo->rules, comments)) *said |= JUSTIFIES;
  if (sa_comment_waives(lo->rules, comments)) *said |= WAIVES;
  return *said;
}

uint32_t py_add_site(body *b, TSNode call, const sa_api *api, const char *name) {
  lowering *lo = b->lo;
  sa_ir_token *token = callee_token(lo, call);
  uint32_t said = said_of(b, call);
  sa_ir_site site = {.kind = SA_SITE_CALL,
                     .at = py_range_of(call),
                     .api = name,
                     .family = api->family != NULL ? api->family : "",
                     .func = b->func,
                     .function = py_func_of(b)->name,
                     .justified = (said & JUSTIFIES) != 0,
                     .waived = (said & WAIVES) != 0};
  sa_push(lo->arena, &lo->unit->sites, site);
  uint32_t index = lo->unit->sites.n - 1;
  if (token != NULL && token->fate != SA_TOKEN_SITE) {
    token->fate = SA_TOKEN_SITE;
    token->site = index;
  }
  return index;
}

/* ---- tokens that no lowered call accounts for ---- */

static void add_declared_site(lowering *lo, sa_ir_token *token, sa_site_kind kind,
                              const char *reason) {
  sa_ir_site site = {.kind = kind,
                     .at = token->at,
                     .api = sa_strndup(lo->arena, lo->job->text + token->at.offset,
                                       token->at.end_offset - token->at.offset),
                     .family = "",
                     .func = SA_NO_INDEX,
                     .function = "",
                     .reason = reason};
  sa_push(lo->arena, &lo->unit->sites, site);
  token->site = lo->unit->sites.n - 1;
}

static const py_func *declared_at(const lowering *lo, uint32_t offset) {
  for (uint32_t i = 1; i < lo->funcs.n; i++) {
    TSNode name = py_field_of(lo->funcs.at[i].node, "name");
    if (!ts_node_is_null(name) && ts_node_start_byte(name) == offset) return &lo->funcs.at[i];
  }
  return NULL;
}

/* A function that bears the name of a record API takes a stream: besides the object, or after a
 * block, or as a closure that knows the stream already. */
static bool declares_record(const py_func *f) {
  uint32_t n = f->params.n - f->method;
  return n >= 2 || (n == 1 && (f->method || f->parent != SA_NO_INDEX || f->klass != SA_NO_INDEX));
}

static char next_char(const lowering *lo, size_t at) {
  while (at < lo->job->length && strchr(" \t\\\r\n", lo->job->text[at]) != NULL &&
         lo->job->text[at] != '\0')
    at++;
  return at < lo->job->length ? lo->job->text[at] : '\0';
}

static bool after_def(const lowering *lo, size_t at) {
  while (at > 0 && lo->job->text[at - 1] == ' ') at--;
  return at >= 4 && memcmp(lo->job->text + at - 3, "def", 3) == 0;
}

static void settle_token(lowering *lo, sa_ir_token *token, const char *reason) {
  const py_func *f = declared_at(lo, token->at.offset);
  if (f != NULL ? declares_record(f) : after_def(lo, token->at.offset)) {
    token->fate = SA_TOKEN_IMPLEMENTATION;
    token->why = "declares or defines the API";
    add_declared_site(lo, token, SA_SITE_IMPLEMENTATION, NULL);
  } else if (f != NULL) {
    token->fate = SA_TOKEN_NAMESAKE;
    token->why = "declares a function of that name with other parameters";
  } else if (next_char(lo, token->at.end_offset) != '(') {
    token->fate = SA_TOKEN_NAMESAKE;
    token->why = "named, but not called";
  } else {
    token->fate = SA_TOKEN_NOT_ANALYSED;
    token->why = reason;
    add_declared_site(lo, token, SA_SITE_CALL, reason);
  }
}

void py_settle_tokens(lowering *lo, const char *reason) {
  for (uint32_t i = 0; i < lo->unit->tokens.n; i++) {
    sa_ir_token *token = &lo->unit->tokens.at[i];
    if (token->fate == SA_TOKEN_NOT_ANALYSED && token->why == NULL) settle_token(lo, token, reason);
  }
}
