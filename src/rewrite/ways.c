/* What Python leaves to whoever reads the statements: where a function ends that has no brace, and
 * where a name has a value. */
#include "rewrite/ways.h"

#include <ctype.h>
#include <string.h>

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The suite of a definition, or SA_SHAPE_NONE. */
static uint32_t suite_of(const sa_shape *shape, uint32_t stmt) {
  bool has = stmt + 1 < shape->stmts.n && shape->stmts.at[stmt + 1].parent == stmt &&
             shape->stmts.at[stmt].kind == SA_STMT_PLAIN;
  return has ? stmt + 1 : SA_SHAPE_NONE;
}

/* The suite of the function that begins at byte `function`, when it holds the statement. */
static uint32_t body_around(const sa_shape *shape, uint32_t stmt, uint32_t function) {
  uint32_t body = suite_of(shape, stmt);
  if (body == SA_SHAPE_NONE) body = sa_shape_function_of(shape, stmt);
  while (body != SA_SHAPE_NONE) {
    uint32_t definition = shape->stmts.at[body].parent;
    if (definition == SA_SHAPE_NONE || shape->stmts.at[definition].begin <= function) return body;
    body = sa_shape_function_of(shape, definition);
  }
  return SA_SHAPE_NONE;
}

/* The try that ends where the range does, or SA_SHAPE_NONE: an exception that none of its handlers
 * takes is said to leave there. */
static uint32_t try_ending_at(const sa_shape *shape, uint32_t stmt, sa_range at) {
  for (uint32_t up = stmt; up != SA_SHAPE_NONE; up = shape->stmts.at[up].parent)
    if (shape->stmts.at[up].kind == SA_STMT_OTHER && shape->stmts.at[up].end == at.end_offset)
      return up;
  return SA_SHAPE_NONE;
}

uint32_t sa_ways_out(const sa_shape *shape, sa_range at, uint32_t function,
                     sa_way out[SA_MAX_WAYS]) {
  uint32_t stmt = sa_shape_at(shape, at.offset, at.end_offset), n = 0;
  if (stmt == SA_SHAPE_NONE) return 0;
  const sa_stmt *s = &shape->stmts.at[stmt];
  uint32_t body = body_around(shape, stmt, function);
  bool whole = suite_of(shape, stmt) != SA_SHAPE_NONE && suite_of(shape, stmt) == body;
  bool byte = at.end_offset - at.offset == 1;
  bool end = body != SA_SHAPE_NONE && shape->stmts.at[body].end == at.end_offset && (whole || byte);
  uint32_t leaves = byte ? try_ending_at(shape, stmt, at) : SA_SHAPE_NONE;
  bool own = sa_shape_function_of(shape, stmt) == body, simple = s->kind == SA_STMT_PLAIN;
  bool before = simple ? !whole && ((!end && leaves == SA_SHAPE_NONE) || s->jumps)
                       : s->role == SA_IN_BLOCK && !end;
  if (own && before) out[n++] = (sa_way){stmt, false, s->begin};
  if (own && leaves != SA_SHAPE_NONE)
    out[n++] = (sa_way){leaves, false, shape->stmts.at[leaves].begin};
  if (end && sa_shape_falls_through(shape, body))
    out[n++] = (sa_way){body, true, shape->stmts.at[body].end};
  return n;
}

/* ---- names ---- */

/* Whether what stands in `block` behind the word runs only when the word was read or bound. */
static bool always_before(const sa_shape *shape, const sa_word *word, uint32_t block) {
  uint32_t stmt = sa_shape_at(shape, word->begin, word->end);
  if (stmt == SA_SHAPE_NONE) return false;
  bool head = shape->stmts.at[stmt].kind == SA_STMT_LOOP || suite_of(shape, stmt) != SA_SHAPE_NONE;
  if (head) return sa_shape_inside(shape, block, stmt);
  uint32_t around = sa_shape_block_of(shape, stmt);
  return around == SA_SHAPE_NONE || sa_shape_inside(shape, block, around);
}

bool sa_shape_binds(const sa_shape *shape, const char *path, uint32_t block, uint32_t at) {
  size_t n = 0;
  while (is_name(path[n])) n++;
  for (uint32_t i = 0; i < shape->imports.n; i++)
    if (strlen(shape->imports.at[i].name) == n && memcmp(shape->imports.at[i].name, path, n) == 0)
      return true;
  for (uint32_t i = 0; i < shape->words.n && shape->words.at[i].begin < at; i++) {
    const sa_word *w = &shape->words.at[i];
    if (w->bare && w->end - w->begin == n && memcmp(shape->text + w->begin, path, n) == 0 &&
        always_before(shape, w, block))
      return true;
  }
  return false;
}

/* ---- None ---- */

static bool word_at(const sa_shape *shape, uint32_t at, const char *word) {
  size_t n = strlen(word);
  return at + n <= shape->length && memcmp(shape->text + at, word, n) == 0 &&
         (at + n == shape->length || !is_name(shape->text[at + n])) &&
         (at == 0 || !is_name(shape->text[at - 1]));
}

static uint32_t behind_blanks(const sa_shape *shape, uint32_t at) {
  while (at < shape->length && (shape->text[at] == ' ' || shape->text[at] == '\t')) at++;
  return at;
}

/* Whether None stands in the expression from `at` on: up to its line's end, a comma or a bracket.
 */
static bool holds_none(const sa_shape *shape, uint32_t at) {
  int depth = 0;
  for (; at < shape->length; at++) {
    char c = shape->text[at];
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ')' || c == ']' || c == '}') depth--;
    if (depth < 0 || (depth == 0 && (c == '\n' || c == ','))) return false;
    if (word_at(shape, at, "None")) return true;
  }
  return false;
}

/* The `=` that binds what ends at `at`, behind a hint or not; 0: none does. */
static uint32_t binding_behind(const sa_shape *shape, uint32_t at) {
  at = behind_blanks(shape, at);
  if (at < shape->length && shape->text[at] == ':')
    while (at < shape->length && strchr("=\n)", shape->text[at]) == NULL) at++;
  bool binds = at + 1 < shape->length && shape->text[at] == '=' && shape->text[at + 1] != '=';
  return binds ? at : 0;
}

static bool is_compared(const sa_shape *shape, uint32_t end) {
  uint32_t at = behind_blanks(shape, end);
  if (!word_at(shape, at, "is")) return false;
  at = behind_blanks(shape, at + 2);
  if (word_at(shape, at, "not")) at = behind_blanks(shape, at + 3);
  return word_at(shape, at, "None");
}

/* `if side:`, `not side`, `side or other` */
static bool is_tested(const sa_shape *shape, uint32_t begin, uint32_t end) {
  static const char *const before[] = {"if", "elif", "while", "not", "and", "or"};
  static const char *const behind[] = {"and", "or", "else"};
  uint32_t at = behind_blanks(shape, end), from = begin;
  bool ends = at >= shape->length || strchr(":)\n", shape->text[at]) != NULL;
  bool chosen = false;
  for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
    chosen |= word_at(shape, at, behind[i]);
  while (from > 0 && shape->text[from - 1] == ' ') from--;
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    size_t n = strlen(before[i]);
    if (from >= n && word_at(shape, from - (uint32_t)n, before[i])) return ends || chosen;
  }
  return word_at(shape, at, "or") || word_at(shape, at, "and");
}

bool sa_ways_may_be_none(const sa_shape *shape, const char *path, uint32_t at) {
  uint32_t body = sa_shape_function_of(shape, sa_shape_at(shape, at, at + 1));
  uint32_t first = 0, last = (uint32_t)shape->length;
  size_t n = strlen(path);
  if (body != SA_SHAPE_NONE && strchr(path, '.') == NULL) {
    uint32_t definition = shape->stmts.at[body].parent;
    first = shape->stmts.at[definition != SA_SHAPE_NONE ? definition : body].begin;
    last = shape->stmts.at[body].end;
  }
  for (uint32_t i = 0; i < shape->words.n; i++) {
    uint32_t begin = shape->words.at[i].begin, end = begin + (uint32_t)n;
    if (begin < first || end > last || memcmp(shape->text + begin, path, n) != 0) continue;
    bool whole = (begin == 0 || shape->text[begin - 1] != '.') && !is_name(shape->text[end]);
    if (!whole) continue;
    uint32_t binds = binding_behind(shape, end);
    if (is_compared(shape, end) || is_tested(shape, begin, end) ||
        (binds != 0 && holds_none(shape, binds + 1)))
      return true;
  }
  return false;
}
