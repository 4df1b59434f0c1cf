#include "rewrite/shape.h"

#include "base/hash.h"
#include "rewrite/tokens.h"

#include <string.h>

enum { MAX_DEPTH = 150 };

typedef struct {
  sa_arena *arena;
  sa_shape *shape;
  const sa_code_token *at;
  uint32_t n;
  int depth;
} parser;

static bool is(const parser *p, uint32_t i, char kind) {
  return i < p->n && p->at[i].kind == kind;
}

static bool is_word(const parser *p, uint32_t i, const char *word) {
  size_t n = strlen(word);
  return is(p, i, 'w') && p->at[i].end - p->at[i].begin == n &&
         memcmp(p->shape->text + p->at[i].begin, word, n) == 0;
}

static uint32_t add(parser *p, sa_stmt_kind kind, sa_stmt_role role, uint32_t parent, uint32_t i) {
  sa_push(p->arena, &p->shape->stmts,
          ((sa_stmt){.kind = kind, .role = role, .parent = parent, .begin = p->at[i].begin}));
  return p->shape->stmts.n - 1;
}

/* Ends a statement with token i - 1; returns i. */
static uint32_t finish(parser *p, uint32_t stmt, uint32_t i) {
  p->shape->stmts.at[stmt].end = p->at[i - 1].end;
  return i;
}

static uint32_t parse(parser *p, uint32_t i, uint32_t end, uint32_t parent, sa_stmt_role role);

/* The block whose brace is token i. */
static uint32_t parse_block(parser *p, uint32_t i, uint32_t parent, sa_stmt_role role) {
  uint32_t block = add(p, SA_STMT_BLOCK, role, parent, i), close = p->at[i].match;
  for (uint32_t k = i + 1; k < close;) k = parse(p, k, close, block, SA_IN_BLOCK);
  return finish(p, block, close + 1);
}

/* Blocks between tokens i and end of an expression. */
static void parse_nested(parser *p, uint32_t i, uint32_t end, uint32_t parent) {
  while (i < end) {
    if (is(p, i, '{'))
      i = parse_block(p, i, parent, SA_IN_NESTED);
    else
      i++;
  }
}

/* Whether an expression goes on behind a `}` that is followed by token i. */
static bool goes_on(const parser *p, uint32_t i) {
  return i < p->n && strchr(";,)(].-=?:<>+/%|^{", p->at[i].kind) != NULL;
}

static uint32_t parse_plain(parser *p, uint32_t i, uint32_t end, uint32_t parent,
                            sa_stmt_role role) {
  static const char *const jumps[] = {"return", "throw", "break", "continue", "goto", "co_return"};
  uint32_t stmt = add(p, SA_STMT_PLAIN, role, parent, i);
  for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++)
    p->shape->stmts.at[stmt].jumps |= is_word(p, i, jumps[k]);
  while (i < end) {
    if (is(p, i, ';')) return finish(p, stmt, i + 1);
    if (is(p, i, '(') || is(p, i, '[')) {
      parse_nested(p, i + 1, p->at[i].match, stmt);
      i = p->at[i].match + 1;
    } else if (is(p, i, '{')) {
      i = parse_block(p, i, stmt, SA_IN_NESTED);
      if (!goes_on(p, i)) return finish(p, stmt, i);
    } else {
      i++;
    }
  }
  return finish(p, stmt, end);
}

/* Behind the parentheses of a statement's head, whose word is token i; i + 1 when there is none. */
static uint32_t parse_head(parser *p, uint32_t i, uint32_t stmt) {
  uint32_t open = i + 1;
  if (is_word(p, open, "constexpr")) open++;
  if (!is(p, open, '(')) return i + 1;
  p->shape->stmts.at[stmt].head_begin = p->at[open].end;
  p->shape->stmts.at[stmt].head_end = p->at[p->at[open].match].begin;
  parse_nested(p, open + 1, p->at[open].match, stmt);
  return p->at[open].match + 1;
}

static uint32_t parse_if(parser *p, uint32_t i, uint32_t end, uint32_t parent, sa_stmt_role role) {
  uint32_t stmt = add(p, SA_STMT_IF, role, parent, i);
  i = parse_head(p, i, stmt);
  if (i < end) i = parse(p, i, end, stmt, SA_IN_BODY);
  if (i < end && is_word(p, i, "else")) {
    i++;
    if (i < end) i = parse(p, i, end, stmt, SA_IN_ELSE);
  }
  return finish(p, stmt, i);
}

static uint32_t parse_do(parser *p, uint32_t i, uint32_t end, uint32_t parent, sa_stmt_role role) {
  uint32_t stmt = add(p, SA_STMT_LOOP, role, parent, i);
  if (++i < end) i = parse(p, i, end, stmt, SA_IN_BODY);
  if (i < end && is_word(p, i, "while")) i = parse_head(p, i, stmt);
  if (i < end && is(p, i, ';')) i++;
  return finish(p, stmt, i);
}

static uint32_t parse_try(parser *p, uint32_t i, uint32_t end, uint32_t parent, sa_stmt_role role) {
  uint32_t stmt = add(p, SA_STMT_OTHER, role, parent, i++);
  if (i < end && is(p, i, '{')) i = parse_block(p, i, stmt, SA_IN_BODY);
  while (i < end && is_word(p, i, "catch")) {
    i = parse_head(p, i, stmt);
    if (i < end && is(p, i, '{')) i = parse_block(p, i, stmt, SA_IN_ELSE);
  }
  return finish(p, stmt, i);
}

/* Behind labels and cases in front of token i. */
static uint32_t skip_labels(const parser *p, uint32_t i, uint32_t end) {
  for (uint32_t from = i;; from = i) {
    bool is_case = is_word(p, i, "case"),
         one = is(p, i, 'w') && is(p, i + 1, ':') && !is(p, i + 2, ':');
    uint32_t k = i + 1;
    while (is_case && k < end && !(is(p, k, ':') && !is(p, k + 1, ':') && !is(p, k - 1, ':'))) k++;
    if ((is_case || one) && k < end) i = k + 1;
    if (i == from || i >= end) return i;
  }
}

static uint32_t parse_one(parser *p, uint32_t i, uint32_t end, uint32_t parent, sa_stmt_role role) {
  if (is(p, i, '{')) return parse_block(p, i, parent, role);
  if (is_word(p, i, "if")) return parse_if(p, i, end, parent, role);
  if (is_word(p, i, "do")) return parse_do(p, i, end, parent, role);
  if (is_word(p, i, "try")) return parse_try(p, i, end, parent, role);
  bool loop = is_word(p, i, "for") || is_word(p, i, "while"), choice = is_word(p, i, "switch");
  if (!loop && !choice) return parse_plain(p, i, end, parent, role);
  uint32_t stmt = add(p, loop ? SA_STMT_LOOP : SA_STMT_SWITCH, role, parent, i);
  i = parse_head(p, i, stmt);
  if (i < end) i = parse(p, i, end, stmt, SA_IN_BODY);
  return finish(p, stmt, i);
}

/* One statement from token i on, `end` at most. Returns the token behind it, i + 1 at least. */
static uint32_t parse(parser *p, uint32_t i, uint32_t end, uint32_t parent, sa_stmt_role role) {
  uint32_t first = skip_labels(p, i, end), stmt = p->shape->stmts.n;
  if (first >= end) return end;
  if (++p->depth > MAX_DEPTH) {
    p->shape->unsound = "its statements are nested too deeply";
    p->depth--;
    return end;
  }
  uint32_t next = parse_one(p, first, end, parent, role);
  p->shape->stmts.at[stmt].label = first != i;
  p->depth--;
  return next;
}

static void collect_words(parser *p) {
  for (uint32_t i = 0; i < p->n; i++)
    if (p->at[i].kind == 'w')
      sa_shape_add_word(p->arena, p->shape, (sa_word){p->at[i].begin, p->at[i].end, true});
}

sa_shape *sa_shape_read(sa_arena *arena, const char *text, size_t length, uint32_t focus) {
  sa_shape *shape = sa_alloc(arena, sizeof *shape);
  *shape = (sa_shape){.text = text, .length = length};
  sa_text_gaps gaps = {0};
  sa_code_tokens tokens = {0};
  shape->unsound = sa_tokens_read(&tokens, arena, text, length, &gaps);
  shape->whole = shape->unsound == NULL;
  if (shape->unsound != NULL) {
    gaps = sa_tokens_branches(arena, text, length, focus);
    tokens.n = 0;
    shape->unsound = sa_tokens_read(&tokens, arena, text, length, &gaps);
  }
  parser p = {.arena = arena, .shape = shape, .at = tokens.at, .n = tokens.n};
  collect_words(&p);
  if (shape->unsound != NULL) return shape;
  for (uint32_t i = 0; i < p.n;) i = parse(&p, i, p.n, SA_SHAPE_NONE, SA_IN_BLOCK);
  return shape;
}

sa_shape *sa_shape_of(const sa_rewrite_input *input, uint32_t focus) {
  if (*input->whole != NULL) return *input->whole;
  bool suites = strcmp(input->language, "python") == 0;
  sa_shape *shape = suites ? sa_suites_read(input->arena, input->text, input->length, focus)
                           : sa_shape_read(input->arena, input->text, input->length, focus);
  if (shape->whole) *input->whole = shape;
  return shape;
}

uint32_t sa_shape_at(const sa_shape *shape, uint32_t begin, uint32_t end) {
  uint32_t best = SA_SHAPE_NONE;
  for (uint32_t i = 0; i < shape->stmts.n; i++)
    if (shape->stmts.at[i].begin <= begin && shape->stmts.at[i].end >= end) best = i;
  return best; /* children come after their parents */
}

uint32_t sa_shape_block_of(const sa_shape *shape, uint32_t stmt) {
  if (stmt == SA_SHAPE_NONE) return stmt;
  uint32_t at = shape->stmts.at[stmt].parent;
  while (at != SA_SHAPE_NONE && shape->stmts.at[at].kind != SA_STMT_BLOCK)
    at = shape->stmts.at[at].parent;
  return at;
}

uint32_t sa_shape_child_of(const sa_shape *shape, uint32_t stmt, uint32_t block) {
  while (stmt != SA_SHAPE_NONE && shape->stmts.at[stmt].parent != block)
    stmt = shape->stmts.at[stmt].parent;
  return stmt;
}

bool sa_shape_inside(const sa_shape *shape, uint32_t inner, uint32_t outer) {
  while (inner != SA_SHAPE_NONE && inner != outer) inner = shape->stmts.at[inner].parent;
  return inner == outer;
}

uint32_t sa_shape_function_of(const sa_shape *shape, uint32_t stmt) {
  while (stmt != SA_SHAPE_NONE && shape->stmts.at[stmt].role != SA_IN_NESTED)
    stmt = shape->stmts.at[stmt].parent;
  return stmt;
}

static bool is_child(const sa_shape *shape, uint32_t stmt, uint32_t parent, sa_stmt_role role) {
  return shape->stmts.at[stmt].parent == parent && shape->stmts.at[stmt].role == role;
}

/* The last statement of a block decides; of an if both branches must not. */
bool sa_shape_falls_through(const sa_shape *shape, uint32_t stmt) {
  const sa_stmt *s = &shape->stmts.at[stmt];
  uint32_t last = SA_SHAPE_NONE, body = SA_SHAPE_NONE, other = SA_SHAPE_NONE;
  for (uint32_t i = stmt + 1; i < shape->stmts.n && shape->stmts.at[i].begin < s->end; i++) {
    if (is_child(shape, i, stmt, SA_IN_BLOCK)) last = i;
    if (is_child(shape, i, stmt, SA_IN_BODY)) body = i;
    if (is_child(shape, i, stmt, SA_IN_ELSE)) other = i;
  }
  if (s->kind == SA_STMT_PLAIN) return !s->jumps;
  if (s->kind == SA_STMT_BLOCK) return last == SA_SHAPE_NONE || sa_shape_falls_through(shape, last);
  if (s->kind == SA_STMT_CONTEXT)
    return body == SA_SHAPE_NONE || sa_shape_falls_through(shape, body);
  bool both = s->kind == SA_STMT_IF && body != SA_SHAPE_NONE && other != SA_SHAPE_NONE;
  return !both || sa_shape_falls_through(shape, body) || sa_shape_falls_through(shape, other);
}

static uint64_t name_key(const char *name, size_t length) {
  return sa_hash(name, length, 0) | 1; /* no key is 0 */
}

void sa_shape_add_word(sa_arena *arena, sa_shape *shape, sa_word word) {
  bool is_new = false;
  sa_push(arena, &shape->words, word);
  sa_table_at(arena, &shape->names, name_key(shape->text + word.begin, word.end - word.begin),
              &is_new)[0] = 1;
}

bool sa_shape_has_word(const sa_shape *shape, const char *name) {
  return sa_table_get(&shape->names, name_key(name, strlen(name))) != 0;
}
