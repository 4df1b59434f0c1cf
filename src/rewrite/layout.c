#include "rewrite/layout.h"

#include "rewrite/lines.h"

#include <ctype.h>
#include <string.h>

static const char *indent_of(const sa_layout *l, uint32_t at) {
  const char *line = l->shape->text + sa_line_start(l->shape, at);
  return sa_strndup(l->arena, line, sa_line_indent(l->shape, at));
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

static const char *stacked(const sa_layout *l, const char *indent, const sa_lines_of_code *lines) {
  const char *out = "", *eol = sa_line_end(l->shape);
  for (uint32_t i = 0; i < lines->n; i++)
    out = sa_printf(l->arena, "%s%s%s%s", out, indent, lines->at[i], eol);
  return out;
}

/* Between two statements of one line. */
static const char *between(const sa_layout *l) {
  return l->shape->suites ? "; " : " ";
}

static const char *in_a_row(const sa_layout *l, const sa_lines_of_code *lines) {
  const char *out = "";
  for (uint32_t i = 0; i < lines->n; i++)
    out = sa_printf(l->arena, "%s%s%s", out, i > 0 ? between(l) : "", lines->at[i]);
  return out;
}

static const char *put(const sa_layout *l, uint32_t begin, uint32_t end, const char *text) {
  bool added = sa_splices_add(l->arena, l->splices, (sa_splice){begin, end, text});
  return added ? NULL : "its edits overlap";
}

/* `if (x) return;` gets the braces that two statements need. */
static const char *with_braces(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[stmt], *parent = &l->shape->stmts.at[s->parent];
  const char *eol = sa_line_end(l->shape), *outer = indent_of(l, parent->begin);
  const char *inner = sa_printf(l->arena, "%s%s", outer, step_of(l));
  uint32_t from = s->begin;
  while (from > 0 && isspace((unsigned char)l->shape->text[from - 1])) from--;
  bool plain = from > 0 && (l->shape->text[from - 1] == ')' ||
                            isalpha((unsigned char)l->shape->text[from - 1]));
  if (!plain || !sa_line_ends_at(l->shape, s->end))
    return "a statement without braces cannot get any";
  for (uint32_t i = sa_line_start(l->shape, s->begin); i < s->begin; i++)
    if (l->shape->text[i] == '#') return "a statement without braces cannot get any";
  const char *why =
      put(l, from, s->begin, sa_printf(l->arena, " {%s%s%s", eol, stacked(l, inner, lines), inner));
  if (why != NULL) return why;
  return put(l, s->end, s->end, sa_printf(l->arena, "%s%s}", eol, outer));
}

/* The first line of the comment that stands right above a statement, or the statement's own. */
static uint32_t with_comment(const sa_shape *s, uint32_t at) {
  uint32_t first = sa_line_start(s, at);
  while (s->suites && first > 0) {
    uint32_t above = sa_line_start(s, first - 1);
    bool own = sa_line_is_comment(s, above) && sa_line_indent(s, above) == sa_line_indent(s, at);
    if (!own) break;
    first = above;
  }
  return first;
}

const char *sa_layout_before(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[stmt];
  bool braces = s->role != SA_IN_BLOCK && s->kind != SA_STMT_BLOCK && !l->shape->suites;
  if (braces) return with_braces(l, stmt, lines);
  if (s->role != SA_IN_BLOCK) return "there is no place in front of it";
  if (sa_line_begins_at(l->shape, s->begin)) {
    uint32_t at = with_comment(l->shape, s->begin);
    return put(l, at, at, stacked(l, indent_of(l, s->begin), lines));
  }
  return put(l, s->begin, s->begin, sa_printf(l->arena, "%s%s", in_a_row(l, lines), between(l)));
}

/* Behind comments that stand deeper than the statement: they belong to its last suite. */
static uint32_t behind_comments(const sa_shape *s, uint32_t stmt, uint32_t at) {
  uint32_t indent = sa_line_indent(s, s->stmts.at[stmt].begin), next = at;
  while (s->suites && next < s->length) {
    bool deeper = sa_line_is_comment(s, next) && sa_line_indent(s, next) > indent;
    if (!deeper && !sa_line_is_empty(s, next)) break;
    next = sa_line_next(s, next);
    if (deeper) at = next;
  }
  return at;
}

static bool has_suite(const sa_shape *s, uint32_t stmt) {
  return s->stmts.at[stmt].kind != SA_STMT_PLAIN ||
         (stmt + 1 < s->stmts.n && s->stmts.at[stmt + 1].parent == stmt);
}

/* Lines in front of the line that begins at `at`, or behind a last line that has no end. */
static const char *put_lines(const sa_layout *l, uint32_t at, const char *indent,
                             const sa_lines_of_code *lines) {
  const char *text = stacked(l, indent, lines), *eol = sa_line_end(l->shape);
  if (at == 0 || l->shape->text[at - 1] == '\n') return put(l, at, at, text);
  return put(l, at, at,
             sa_printf(l->arena, "%s%.*s", eol, (int)(strlen(text) - strlen(eol)), text));
}

const char *sa_layout_after(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[stmt];
  bool suites = l->shape->suites, suite = suites && has_suite(l->shape, stmt);
  uint32_t at = sa_line_next(l->shape, s->end);
  bool room = sa_line_ends_at(l->shape, s->end);
  if (s->role != SA_IN_BLOCK) return "there is no place behind it";
  if (suites)
    room = room && (suite || sa_line_begins_at(l->shape, s->begin));
  else
    room = room && at > 0 && l->shape->text[at - 1] == '\n';
  if (!room && suite) return "there is no place behind it";
  if (!room)
    return put(l, s->end, s->end, sa_printf(l->arena, "%s%s", between(l), in_a_row(l, lines)));
  if (suite) at = behind_comments(l->shape, stmt, at);
  return put_lines(l, at, indent_of(l, s->begin), lines);
}

static uint32_t last_child(const sa_shape *s, uint32_t block) {
  uint32_t last = SA_SHAPE_NONE;
  for (uint32_t i = block + 1; i < s->stmts.n && s->stmts.at[i].begin < s->stmts.at[block].end; i++)
    if (s->stmts.at[i].parent == block) last = i;
  return last;
}

const char *sa_layout_at_close(const sa_layout *l, uint32_t block, const sa_lines_of_code *lines) {
  const sa_stmt *s = &l->shape->stmts.at[block];
  if (l->shape->suites) {
    uint32_t last = last_child(l->shape, block);
    return last != SA_SHAPE_NONE ? sa_layout_after(l, last, lines) : "there is no place behind it";
  }
  uint32_t brace = s->end - 1;
  if (!sa_line_begins_at(l->shape, brace))
    return put(l, brace, brace, sa_printf(l->arena, "%s ", in_a_row(l, lines)));
  const char *indent = NULL;
  for (uint32_t i = block + 1; i < l->shape->stmts.n; i++)
    if (l->shape->stmts.at[i].parent == block &&
        sa_line_begins_at(l->shape, l->shape->stmts.at[i].begin))
      indent = indent_of(l, l->shape->stmts.at[i].begin);
  if (indent == NULL) indent = sa_printf(l->arena, "%s%s", indent_of(l, brace), step_of(l));
  uint32_t at = sa_line_start(l->shape, brace);
  return put(l, at, at, stacked(l, indent, lines));
}
