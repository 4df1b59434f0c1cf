#include "rewrite/layout.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static uint32_t line_start(const sa_shape *s, uint32_t at) {
  while (at > 0 && s->text[at - 1] != '\n') at--;
  return at;
}

/* Behind the line's end. */
static uint32_t next_line(const sa_shape *s, uint32_t at) {
  while (at < s->length && s->text[at] != '\n') at++;
  return at < s->length ? at + 1 : at;
}

static const char *line_end_of(const sa_shape *s) {
  const char *stop = memchr(s->text, '\n', s->length);
  return stop != NULL && stop > s->text && stop[-1] == '\r' ? "\r\n" : "\n";
}

static const char *indent_of(const sa_layout *l, uint32_t at) {
  uint32_t begin = line_start(l->shape, at), end = begin;
  while (end < l->shape->length && (l->shape->text[end] == ' ' || l->shape->text[end] == '\t'))
    end++;
  return sa_strndup(l->arena, l->shape->text + begin, end - begin);
}

/* One step of indentation: what the first statement of some block has more than its brace's line.
 */
static const char *step_of(const sa_layout *l) {
  for (uint32_t i = 0; i < l->shape->stmts.n; i++) {
    const sa_stmt *stmt = &l->shape->stmts.at[i];
    if (stmt->parent == SA_SHAPE_NONE || stmt->role != SA_IN_BLOCK) continue;
    const sa_stmt *block = &l->shape->stmts.at[stmt->parent];
    const char *outer = indent_of(l, block->begin), *inner = indent_of(l, stmt->begin);
    size_t n = strlen(outer);
    if (strlen(inner) > n && strncmp(outer, inner, n) == 0) return inner + n;
  }
  return "  ";
}

static bool starts_line(const sa_shape *s, uint32_t at) {
  uint32_t begin = line_start(s, at);
  while (begin < at && is_blank(s->text[begin])) begin++;
  return begin == at;
}

/* Whether nothing but blanks and a comment follows on the line. */
static bool ends_line(const sa_shape *s, uint32_t at) {
  while (at < s->length && is_blank(s->text[at])) at++;
  if (at >= s->length || s->text[at] == '\n') return true;
  if (at + 1 >= s->length || s->text[at] != '/') return false;
  if (s->text[at + 1] == '/') {
    uint32_t end = next_line(s, at);
    return end < 2 || s->text[end - 2] != '\\';
  }
  if (s->text[at + 1] != '*') return false;
  for (uint32_t i = at + 2; i + 1 < s->length && s->text[i] != '\n'; i++)
    if (s->text[i] == '*' && s->text[i + 1] == '/') return ends_line(s, i + 2);
  return false;
}

static const char *stacked(const sa_layout *l, const char *indent, const sa_lines_of_code *lines) {
  const char *out = "", *eol = line_end_of(l->shape);
  for (uint32_t i = 0; i < lines->n; i++)
    out = sa_printf(l->arena, "%s%s%s%s", out, indent, lines->at[i], eol);
  return out;
}

static const char *in_a_row(const sa_layout *l, const sa_lines_of_code *lines) {
  const char *out = "";
  for (uint32_t i = 0; i < lines->n; i++)
    out = sa_printf(l->arena, "%s%s%s", out, i > 0 ? " " : "", lines->at[i]);
  return out;
}

static const char *put(const sa_layout *l, uint32_t begin, uint32_t end, const char *text) {
  bool added = sa_splices_add(l->arena, l->splices, (sa_splice){begin, end, text});
  return added ? NULL : "its edits overlap";
}

/* `if (x) return;` gets the braces that two statements need. */
static const char *with_braces(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[stmt], *parent = &l->shape->stmts.at[s->parent];
  const char *eol = line_end_of(l->shape), *outer = indent_of(l, parent->begin);
  const char *inner = sa_printf(l->arena, "%s%s", outer, step_of(l));
  uint32_t from = s->begin;
  while (from > 0 && isspace((unsigned char)l->shape->text[from - 1])) from--;
  bool plain = from > 0 && (l->shape->text[from - 1] == ')' ||
                            isalpha((unsigned char)l->shape->text[from - 1]));
  if (!plain || !ends_line(l->shape, s->end)) return "a statement without braces cannot get any";
  for (uint32_t i = line_start(l->shape, s->begin); i < s->begin; i++)
    if (l->shape->text[i] == '#') return "a statement without braces cannot get any";
  const char *why =
      put(l, from, s->begin, sa_printf(l->arena, " {%s%s%s", eol, stacked(l, inner, lines), inner));
  if (why != NULL) return why;
  return put(l, s->end, s->end, sa_printf(l->arena, "%s%s}", eol, outer));
}

const char *sa_layout_before(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[stmt];
  if (s->role != SA_IN_BLOCK && s->kind != SA_STMT_BLOCK) return with_braces(l, stmt, lines);
  if (s->role != SA_IN_BLOCK) return "there is no place in front of it";
  if (starts_line(l->shape, s->begin)) {
    uint32_t at = line_start(l->shape, s->begin);
    return put(l, at, at, stacked(l, indent_of(l, s->begin), lines));
  }
  return put(l, s->begin, s->begin, sa_printf(l->arena, "%s ", in_a_row(l, lines)));
}

const char *sa_layout_after(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[stmt];
  if (s->role != SA_IN_BLOCK) return "there is no place behind it";
  uint32_t at = next_line(l->shape, s->end);
  bool room = ends_line(l->shape, s->end) && at > 0 && l->shape->text[at - 1] == '\n';
  if (!room) return put(l, s->end, s->end, sa_printf(l->arena, " %s", in_a_row(l, lines)));
  return put(l, at, at, stacked(l, indent_of(l, s->begin), lines));
}

const char *sa_layout_at_close(const sa_layout *l, uint32_t block, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[block];
  uint32_t brace = s->end - 1;
  if (!starts_line(l->shape, brace))
    return put(l, brace, brace, sa_printf(l->arena, "%s ", in_a_row(l, lines)));
  const char *indent = NULL;
  for (uint32_t i = block + 1; i < l->shape->stmts.n; i++)
    if (l->shape->stmts.at[i].parent == block && starts_line(l->shape, l->shape->stmts.at[i].begin))
      indent = indent_of(l, l->shape->stmts.at[i].begin);
  if (indent == NULL) indent = sa_printf(l->arena, "%s%s", indent_of(l, brace), step_of(l));
  uint32_t at = line_start(l->shape, brace);
  return put(l, at, at, stacked(l, indent, lines));
}

/* ---- taking statements out ---- */

static bool is_one_of(const sa_shape *s, const sa_word *w, const char *const *names, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (strlen(names[i]) == w->end - w->begin &&
        memcmp(names[i], s->text + w->begin, w->end - w->begin) == 0)
      return true;
  return false;
}

/* Whether the text assigns: `=` that is no comparison, `++`, `--`. */
static bool assigns(const sa_shape *s, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) {
    char c = s->text[i], before = i > 0 ? s->text[i - 1] : ' ',
         after = i + 1 < end ? s->text[i + 1] : ' ';
    if (c == '=' && after == '=')
      i++;
    else if (c == '=' && strchr("!<>", before) == NULL)
      return true;
    if ((c == '+' || c == '-') && after == c) return true;
  }
  return false;
}

/* Whether every call in the range is one that can be left out; `but` begins one that is to go. */
static bool calls_are_pure(const sa_layout *l, uint32_t begin, uint32_t end, bool last_counts) {
  const sa_shape *s = l->shape;
  for (uint32_t i = 0; i < s->words.n; i++) {
    const sa_word *w = &s->words.at[i];
    if (w->begin < begin || w->end > end) continue;
    uint32_t after = w->end;
    while (after < end && isspace((unsigned char)s->text[after])) after++;
    if (after >= end || s->text[after] != '(') continue;
    bool pure = is_one_of(s, w, l->rules->pure.at, l->rules->pure.n) ||
                is_one_of(s, w, l->rules->spellings.at, l->rules->spellings.n);
    if (!pure && last_counts) return false;
    if (!pure) last_counts = true; /* the call's own name: a helper's */
  }
  return memchr(s->text + begin, '{', end - begin) == NULL;
}

uint32_t sa_layout_statement(const sa_layout *l, sa_layout_call call) {
  const sa_shape *s = l->shape;
  uint32_t stmt = sa_shape_at(s, call.begin, call.end);
  if (stmt == SA_SHAPE_NONE || s->stmts.at[stmt].kind != SA_STMT_PLAIN) return SA_SHAPE_NONE;
  uint32_t at = call.end, begin = s->stmts.at[stmt].begin;
  while (at < s->length && isspace((unsigned char)s->text[at])) at++;
  bool alone = begin == call.begin;
  if (!alone) { /* (void)call */
    const char *text = s->text + begin;
    alone = call.begin - begin >= 6 && memcmp(text, "(void)", 6) == 0 &&
            strspn(text + 6, " ") == call.begin - begin - 6;
  }
  return alone && s->text[at] == ';' && at + 1 == s->stmts.at[stmt].end ? stmt : SA_SHAPE_NONE;
}

/* Whether a branch's condition or a loop's head can go together with what it decides about. */
static bool head_can_go(const sa_layout *l, const sa_stmt *stmt) {
  if (stmt->head_end <= stmt->head_begin) return false;
  bool is_for = stmt->kind == SA_STMT_LOOP && memcmp(l->shape->text + stmt->begin, "for", 3) == 0;
  if (stmt->kind == SA_STMT_LOOP && !is_for) return false;
  if (!is_for && assigns(l->shape, stmt->head_begin, stmt->head_end)) return false;
  return calls_are_pure(l, stmt->head_begin, stmt->head_end, true);
}

static bool children_gone(const sa_shape *s, const bool *gone, uint32_t parent) {
  for (uint32_t i = parent + 1; i < s->stmts.n && s->stmts.at[i].begin < s->stmts.at[parent].end;
       i++)
    if (s->stmts.at[i].parent == parent && !gone[i]) return false;
  return true;
}

/* Marks what is left without anything to do, from the inside out. */
static void spread(const sa_layout *l, bool *gone) {
  const sa_shape *s = l->shape;
  for (uint32_t i = s->stmts.n; i-- > 0;) {
    const sa_stmt *stmt = &s->stmts.at[i];
    if (gone[i] || stmt->kind == SA_STMT_PLAIN || stmt->kind == SA_STMT_OTHER) continue;
    bool has_child = i + 1 < s->stmts.n && s->stmts.at[i + 1].parent == i;
    if (!has_child || stmt->role == SA_IN_NESTED || !children_gone(s, gone, i)) continue;
    if (stmt->kind == SA_STMT_BLOCK &&
        (stmt->parent == SA_SHAPE_NONE || s->stmts.at[stmt->parent].kind == SA_STMT_PLAIN))
      continue;
    gone[i] = stmt->kind == SA_STMT_BLOCK || (stmt->kind != SA_STMT_SWITCH && head_can_go(l, stmt));
  }
}

static bool is_blank_line(const sa_shape *s, uint32_t at) {
  uint32_t end = at;
  while (end < s->length && is_blank(s->text[end])) end++;
  return end < s->length && s->text[end] == '\n';
}

/* The last byte of the line before `at` (which begins a line) that is not blank, or 0. */
static char last_of_line_before(const sa_shape *s, uint32_t at) {
  if (at == 0) return '\0';
  uint32_t begin = line_start(s, at - 1), end = at - 1;
  while (end > begin && is_blank(s->text[end - 1])) end--;
  return end > begin ? s->text[end - 1] : '\0';
}

/* Whole lines where the range has them for itself; an empty line beside them goes too where it
 * would be one too many. */
static void widen(const sa_shape *s, uint32_t *begin, uint32_t *end) {
  if (!starts_line(s, *begin) || !ends_line(s, *end)) {
    if (*begin > 0 && is_blank(s->text[*begin - 1]) && !starts_line(s, *begin)) --*begin;
    return;
  }
  *begin = line_start(s, *begin);
  *end = next_line(s, *end);
  bool blank_before = *begin > 0 && is_blank_line(s, line_start(s, *begin - 1));
  bool opens_before = last_of_line_before(s, *begin) == '{';
  if ((blank_before || opens_before) && is_blank_line(s, *end)) {
    *end = next_line(s, *end);
    return;
  }
  uint32_t at = *end;
  while (at < s->length && is_blank(s->text[at])) at++;
  if (blank_before && at < s->length && s->text[at] == '}') *begin = line_start(s, *begin - 1);
}

static bool only_space(const sa_shape *s, uint32_t begin, uint32_t end) {
  while (begin < end && isspace((unsigned char)s->text[begin])) begin++;
  return begin >= end;
}

/* The range to take out for a marked statement whose parent stays. */
static const char *range_of(const sa_layout *l, uint32_t i, uint32_t *begin, uint32_t *end) {
  const sa_shape *s = l->shape;
  const sa_stmt *stmt = &s->stmts.at[i];
  *begin = stmt->begin;
  *end = stmt->end;
  if (stmt->role == SA_IN_BLOCK && !stmt->label) return NULL;
  if (stmt->role == SA_IN_ELSE && s->stmts.at[stmt->parent].kind == SA_STMT_IF) {
    for (uint32_t k = stmt->parent + 1; k < i; k++)
      if (s->stmts.at[k].parent == stmt->parent && s->stmts.at[k].role == SA_IN_BODY)
        *begin = s->stmts.at[k].end;
    return NULL;
  }
  return stmt->label ? "a label stands at the call"
                     : "what decides about the call does something itself";
}

static const char *take_out(const sa_layout *l, const bool *gone) {
  const sa_shape *s = l->shape;
  uint32_t from = 0, to = 0;
  for (uint32_t i = 0; i < s->stmts.n; i++) {
    uint32_t begin, end, parent = s->stmts.at[i].parent;
    if (!gone[i] || (parent != SA_SHAPE_NONE && gone[parent])) continue;
    const char *why = range_of(l, i, &begin, &end);
    if (why != NULL) return why;
    if (to > 0 && only_space(s, to, begin)) {
      to = end;
      continue;
    }
    if (to > 0) widen(s, &from, &to);
    if (to > 0 && (why = put(l, from, to, "")) != NULL) return why;
    from = begin;
    to = end;
  }
  if (to == 0) return "there is no statement to take out";
  widen(s, &from, &to);
  return put(l, from, to, "");
}

const char *sa_layout_delete(const sa_layout *l, const sa_layout_call *calls, uint32_t n) {
  bool *gone = sa_alloc(l->arena, l->shape->stmts.n + 1);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t stmt = sa_layout_statement(l, calls[i]);
    if (stmt == SA_SHAPE_NONE) return "the call is part of a larger statement";
    if (assigns(l->shape, calls[i].begin, calls[i].end) ||
        !calls_are_pure(l, calls[i].begin, calls[i].end, false))
      return "an argument of the call may do something itself";
    gone[stmt] = true;
  }
  spread(l, gone);
  return take_out(l, gone);
}

const char *sa_layout_take_out(const sa_layout *l, uint32_t stmt) {
  bool *gone = sa_alloc(l->arena, l->shape->stmts.n + 1);
  gone[stmt] = true;
  return take_out(l, gone);
}

/* The beginning of the comment that ends in the line above, or `at`, which begins a line. */
static uint32_t comment_above(const sa_shape *s, uint32_t at) {
  uint32_t first = at;
  bool block = false;
  while (first > 0) {
    uint32_t begin = line_start(s, first - 1), from = begin, to = first - 1;
    while (from < to && is_blank(s->text[from])) from++;
    while (to > from && is_blank(s->text[to - 1])) to--;
    bool line = to - from >= 2 && s->text[from] == '/' && s->text[from + 1] == '/';
    bool closes = to - from >= 2 && s->text[to - 1] == '/' && s->text[to - 2] == '*';
    bool opens = to - from >= 2 && s->text[from] == '/' && s->text[from + 1] == '*';
    if (!block && !line && !closes) return at;
    block = (block || closes) && !opens;
    first = begin;
    if (!block) at = first;
    if (opens && !block) return at;
  }
  return at;
}

const char *sa_layout_delete_function(const sa_layout *l, uint32_t begin, uint32_t end) {
  const sa_shape *s = l->shape;
  uint32_t stmt = sa_shape_at(s, begin, end);
  if (stmt == SA_SHAPE_NONE || s->stmts.at[stmt].role != SA_IN_BLOCK) return "it is no definition";
  begin = s->stmts.at[stmt].begin;
  end = s->stmts.at[stmt].end;
  widen(s, &begin, &end);
  if (starts_line(s, begin)) begin = comment_above(s, line_start(s, begin));
  return put(l, begin, end, "");
}
