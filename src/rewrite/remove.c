/* Taking statements out, with what is left without anything to do. */
#include "rewrite/layout.h"
#include "rewrite/lines.h"

#include <ctype.h>
#include <string.h>

static const char *put(const sa_layout *l, uint32_t begin, uint32_t end, const char *text) {
  bool added = sa_splices_add(l->arena, l->splices, (sa_splice){begin, end, text});
  return added ? NULL : "its edits overlap";
}

/* ---- what may be left out ---- */

static bool is_one_of(const sa_shape *s, const sa_word *w, const char *const *names, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (strlen(names[i]) == w->end - w->begin &&
        memcmp(names[i], s->text + w->begin, w->end - w->begin) == 0)
      return true;
  return false;
}

/* Whether the text has the word, in Python: as a word of the language, which is no identifier. */
static bool has_keyword(const sa_shape *s, uint32_t begin, uint32_t end, const char *word) {
  size_t n = strlen(word);
  for (uint32_t i = begin; i + n <= end; i++) {
    bool starts = i == begin || !(isalnum((unsigned char)s->text[i - 1]) || s->text[i - 1] == '_');
    char after = i + n < end ? s->text[i + n] : ' ';
    if (starts && memcmp(s->text + i, word, n) == 0 && !isalnum((unsigned char)after) &&
        after != '_')
      return true;
  }
  return false;
}

/* Whether the text assigns: `=` that is no comparison, `++`, `--`; in Python `:=`. */
static bool assigns(const sa_shape *s, uint32_t begin, uint32_t end) {
  if (s->suites && (has_keyword(s, begin, end, "await") || has_keyword(s, begin, end, "yield")))
    return true;
  for (uint32_t i = begin; i < end; i++) {
    char c = s->text[i], before = i > 0 ? s->text[i - 1] : ' ',
         after = i + 1 < end ? s->text[i + 1] : ' ';
    if (s->suites && c == ':' && after == '=') return true;
    if (s->suites) continue;
    if (c == '=' && after == '=')
      i++;
    else if (c == '=' && strchr("!<>", before) == NULL)
      return true;
    if ((c == '+' || c == '-') && after == c) return true;
  }
  return false;
}

/* Whether every call in the range is one that can be left out, but that of the word at `but`. */
static bool calls_are_pure(const sa_layout *l, uint32_t begin, uint32_t end, uint32_t but) {
  const sa_shape *s = l->shape;
  for (uint32_t i = 0; i < s->words.n; i++) {
    const sa_word *w = &s->words.at[i];
    if (w->begin < begin || w->end > end || w->begin == but) continue;
    uint32_t after = w->end;
    while (after < end && isspace((unsigned char)s->text[after])) after++;
    if (after >= end || s->text[after] != '(') continue;
    bool pure = is_one_of(s, w, l->rules->pure.at, l->rules->pure.n) ||
                is_one_of(s, w, l->rules->spellings.at, l->rules->spellings.n) ||
                (s->suites && is_one_of(s, w, l->rules->pure_python.at, l->rules->pure_python.n));
    if (!pure) return false;
  }
  return memchr(s->text + begin, '{', end - begin) == NULL;
}

/* Where the name of the call stands whose text is [begin, end): in front of its last arguments. */
static uint32_t name_of_call(const sa_shape *s, uint32_t begin, uint32_t end) {
  int depth = 0;
  uint32_t open = end, name = SA_SHAPE_NONE;
  while (open > begin) {
    char c = s->text[--open];
    depth += c == ')';
    depth -= c == '(';
    if (depth == 0) break;
  }
  for (uint32_t i = 0; i < s->words.n && s->words.at[i].end <= open; i++)
    if (s->words.at[i].begin >= begin) name = s->words.at[i].begin;
  return name;
}

uint32_t sa_layout_statement(const sa_layout *l, sa_layout_call call) {
  const sa_shape *s = l->shape;
  uint32_t stmt = sa_shape_at(s, call.begin, call.end);
  if (stmt == SA_SHAPE_NONE || s->stmts.at[stmt].kind != SA_STMT_PLAIN) return SA_SHAPE_NONE;
  uint32_t at = call.end, begin = s->stmts.at[stmt].begin;
  bool alone = begin == call.begin;
  if (s->suites) return alone && s->stmts.at[stmt].end == call.end ? stmt : SA_SHAPE_NONE;
  while (at < s->length && isspace((unsigned char)s->text[at])) at++;
  if (!alone) { /* (void)call */
    const char *text = s->text + begin;
    alone = call.begin - begin >= 6 && memcmp(text, "(void)", 6) == 0 &&
            strspn(text + 6, " ") == call.begin - begin - 6;
  }
  return alone && s->text[at] == ';' && at + 1 == s->stmts.at[stmt].end ? stmt : SA_SHAPE_NONE;
}

/* Whether the function goes on to read a name that the loop's head binds. */
static bool target_outlives(const sa_shape *s, uint32_t stmt) {
  const sa_stmt *loop = &s->stmts.at[stmt];
  uint32_t function = sa_shape_function_of(s, stmt);
  uint32_t end = function != SA_SHAPE_NONE ? s->stmts.at[function].end : (uint32_t)s->length;
  for (uint32_t i = 0; i < s->words.n; i++) {
    const sa_word *w = &s->words.at[i], *next = NULL;
    if (w->begin < loop->head_begin || w->end > loop->head_end) continue;
    if (has_keyword(s, loop->head_begin, w->begin, "in")) continue; /* no target */
    for (uint32_t k = i + 1; k < s->words.n && next == NULL; k++)
      if (s->words.at[k].begin >= loop->end && s->words.at[k].end <= end &&
          s->words.at[k].end - s->words.at[k].begin == w->end - w->begin &&
          memcmp(s->text + s->words.at[k].begin, s->text + w->begin, w->end - w->begin) == 0)
        next = &s->words.at[k];
    bool again =
        next != NULL && next->begin >= 4 && memcmp(s->text + next->begin - 4, "for ", 4) == 0;
    if (next != NULL && next->bare && !again) return true;
  }
  return false;
}

/* One call, as `with` enters it, and nothing that names the result. */
static bool is_one_call(const sa_shape *s, uint32_t begin, uint32_t end) {
  int depth = 0;
  for (uint32_t i = begin; i < end; i++) {
    depth += strchr("([", s->text[i]) != NULL;
    depth -= strchr(")]", s->text[i]) != NULL;
    if (depth == 0 && strchr(", \t\r\n", s->text[i]) != NULL) return false;
  }
  return s->text[end - 1] == ')';
}

/* Whether a branch's condition or a loop's head can go together with what it decides about. */
static bool head_can_go(const sa_layout *l, uint32_t index) {
  const sa_shape *s = l->shape;
  const sa_stmt *stmt = &s->stmts.at[index];
  if (stmt->head_end <= stmt->head_begin) return false;
  bool is_for = stmt->kind == SA_STMT_LOOP && memcmp(s->text + stmt->begin, "for", 3) == 0;
  if (stmt->kind == SA_STMT_LOOP && !is_for) return false;
  if (stmt->kind == SA_STMT_CONTEXT && !is_one_call(s, stmt->head_begin, stmt->head_end))
    return false;
  if (s->suites && is_for && target_outlives(s, index)) return false;
  if ((!is_for || s->suites) && assigns(s, stmt->head_begin, stmt->head_end)) return false;
  return calls_are_pure(l, stmt->head_begin, stmt->head_end, SA_SHAPE_NONE);
}

/* ---- what goes ---- */

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
    gone[i] = stmt->kind == SA_STMT_BLOCK || (stmt->kind != SA_STMT_SWITCH && head_can_go(l, i));
  }
}

/* A suite cannot be empty: one that stays keeps its statements marked, and gets a `pass`. */
static void keep_suites(const sa_shape *s, bool *gone) {
  for (uint32_t i = 0; i < s->stmts.n && s->suites; i++) {
    const sa_stmt *stmt = &s->stmts.at[i];
    if (!gone[i] || stmt->role == SA_IN_BLOCK || gone[stmt->parent]) continue;
    bool branch = stmt->role == SA_IN_ELSE && s->stmts.at[stmt->parent].kind == SA_STMT_IF;
    gone[i] = branch;
  }
}

/* The last byte of the line before `at` (which begins a line) that is not blank, or 0. */
static char last_of_line_before(const sa_shape *s, uint32_t at) {
  if (at == 0) return '\0';
  uint32_t begin = sa_line_start(s, at - 1), end = at - 1;
  while (end > begin && sa_is_blank(s->text[end - 1])) end--;
  return end > begin ? s->text[end - 1] : '\0';
}

/* A statement that shares its line with others goes with one `;`. */
static void widen_in_line(const sa_shape *s, uint32_t *begin, uint32_t *end) {
  uint32_t before = *begin, after = *end;
  while (before > 0 && sa_is_blank(s->text[before - 1])) before--;
  while (after < s->length && sa_is_blank(s->text[after])) after++;
  if (before > 0 && s->text[before - 1] == ';') {
    *begin = before - 1;
  } else if (after < s->length && s->text[after] == ';') {
    for (after++; after < s->length && sa_is_blank(s->text[after]);) after++;
    *end = after;
  }
}

/* Whole lines where the range has them for itself; an empty line beside them goes too where it
 * would be one too many. */
static void widen(const sa_shape *s, uint32_t *begin, uint32_t *end) {
  if (!sa_line_begins_at(s, *begin) || !sa_line_ends_at(s, *end)) {
    if (s->suites) {
      widen_in_line(s, begin, end);
      return;
    }
    if (*begin > 0 && sa_is_blank(s->text[*begin - 1]) && !sa_line_begins_at(s, *begin)) --*begin;
    return;
  }
  *begin = sa_line_start(s, *begin);
  *end = sa_line_next(s, *end);
  bool blank_before = *begin > 0 && sa_line_is_empty(s, sa_line_start(s, *begin - 1));
  bool opens_before = last_of_line_before(s, *begin) == (s->suites ? ':' : '{');
  if ((blank_before || opens_before) && sa_line_is_empty(s, *end)) {
    *end = sa_line_next(s, *end);
    return;
  }
  uint32_t at = *end;
  while (at < s->length && sa_is_blank(s->text[at])) at++;
  bool closes = at < s->length ? s->text[at] == '}' : s->suites;
  if (blank_before && closes) *begin = sa_line_start(s, *begin - 1);
}

static bool only_space(const sa_shape *s, uint32_t begin, uint32_t end) {
  while (begin < end &&
         (isspace((unsigned char)s->text[begin]) || (s->suites && s->text[begin] == ';')))
    begin++;
  return begin >= end;
}

/* The range to take out for a marked statement whose parent stays. */
static const char *range_of(const sa_layout *l, uint32_t i, uint32_t *begin, uint32_t *end) {
  const sa_shape *s = l->shape;
  const sa_stmt *stmt = &s->stmts.at[i];
  *begin = stmt->begin;
  *end = stmt->end;
  if (stmt->role == SA_IN_BLOCK && !stmt->label) return NULL;
  if (s->suites && stmt->role != SA_IN_BLOCK) {
    if (stmt->kind == SA_STMT_BLOCK) *begin = stmt->head_begin;
    return NULL;
  }
  if (stmt->role == SA_IN_ELSE && s->stmts.at[stmt->parent].kind == SA_STMT_IF) {
    for (uint32_t k = stmt->parent + 1; k < i; k++)
      if (s->stmts.at[k].parent == stmt->parent && s->stmts.at[k].role == SA_IN_BODY)
        *begin = s->stmts.at[k].end;
    return NULL;
  }
  return stmt->label ? "a label stands at the call"
                     : "what decides about the call does something itself";
}

/* The first statement of a suite that is left without any. */
static bool leaves_pass(const sa_shape *s, const bool *gone, uint32_t i) {
  uint32_t parent = s->stmts.at[i].parent;
  return s->suites && parent != SA_SHAPE_NONE && parent + 1 == i &&
         s->stmts.at[parent].kind == SA_STMT_BLOCK && children_gone(s, gone, parent);
}

/* Whether a branch, a loop, a context or a function would stay with nothing in it. */
static bool leaves_head(const sa_shape *s, const bool *gone, uint32_t i) {
  uint32_t owner = s->stmts.at[s->stmts.at[i].parent].parent;
  if (!leaves_pass(s, gone, i) || owner == SA_SHAPE_NONE) return false;
  sa_stmt_kind kind = s->stmts.at[owner].kind;
  if (kind == SA_STMT_OTHER || kind == SA_STMT_SWITCH) return false;
  for (uint32_t k = owner + 1; k < s->stmts.n && s->stmts.at[k].begin < s->stmts.at[owner].end; k++)
    if (s->stmts.at[k].parent == owner && !gone[k] && !children_gone(s, gone, k)) return false;
  return true;
}

static const char *take_out(const sa_layout *l, const bool *gone) {
  const sa_shape *s = l->shape;
  uint32_t from = 0, to = 0;
  bool any = false;
  for (uint32_t i = 0; i < s->stmts.n; i++) {
    uint32_t begin, end, parent = s->stmts.at[i].parent;
    if (!gone[i] || (parent != SA_SHAPE_NONE && gone[parent])) continue;
    const char *why = range_of(l, i, &begin, &end);
    if (leaves_head(s, gone, i))
      why = s->stmts.at[s->stmts.at[s->stmts.at[i].parent].parent].kind == SA_STMT_PLAIN
                ? "the function would be left with nothing to do"
                : "what decides about the call does something itself";
    if (why == NULL && leaves_pass(s, gone, i)) why = put(l, begin, end, "pass");
    if (why != NULL) return why;
    any = true;
    if (leaves_pass(s, gone, i)) continue;
    if (to > 0 && only_space(s, to, begin)) {
      to = end;
      continue;
    }
    if (to > 0) widen(s, &from, &to);
    if (to > 0 && (why = put(l, from, to, "")) != NULL) return why;
    from = begin;
    to = end;
  }
  if (!any) return "there is no statement to take out";
  if (to == 0) return NULL;
  widen(s, &from, &to);
  return put(l, from, to, "");
}

const char *sa_layout_delete(const sa_layout *l, const sa_layout_call *calls, uint32_t n) {
  bool *gone = sa_alloc(l->arena, l->shape->stmts.n + 1);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t stmt = sa_layout_statement(l, calls[i]);
    if (stmt == SA_SHAPE_NONE) return "the call is part of a larger statement";
    if (assigns(l->shape, calls[i].begin, calls[i].end) ||
        !calls_are_pure(l, calls[i].begin, calls[i].end,
                        name_of_call(l->shape, calls[i].begin, calls[i].end)))
      return "an argument of the call may do something itself";
    gone[stmt] = true;
  }
  spread(l, gone);
  keep_suites(l->shape, gone);
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
    uint32_t begin = sa_line_start(s, first - 1), from = begin, to = first - 1;
    while (from < to && sa_is_blank(s->text[from])) from++;
    while (to > from && sa_is_blank(s->text[to - 1])) to--;
    bool line = s->suites ? to > from && s->text[from] == '#'
                          : to - from >= 2 && s->text[from] == '/' && s->text[from + 1] == '/';
    if (s->suites && !line) return at;
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
  if (sa_line_begins_at(s, begin)) begin = comment_above(s, sa_line_start(s, begin));
  return put(l, begin, end, "");
}
