#include "filter/suppress.h"

#include "base/near.h"
#include "filter/directive.h"
#include "filter/hygiene.h"

#include <string.h>

/* A rule that a comment allows, and the code that it is about. */
typedef struct {
  sa_suppression *entry;
  const sa_comment *comment;
  unsigned places;
  uint32_t next; /* the code directly below the comment; SA_NO_MARK: none */
} permit;

typedef struct {
  sa_result *result;
  sa_arena *arena;
  const sa_job *job;
  const sa_ir_unit *unit;
  const sa_outline *outline;
  SA_ARRAY(permit) permits;
  uint32_t run_end; /* behind the last comment of the run that was met last */
} matcher;

static bool here(const matcher *m, sa_place at) {
  return at.file != NULL && strcmp(at.file, m->job->path) == 0;
}

static sa_place place_of(const matcher *m, uint32_t at, size_t length) {
  uint32_t line = sa_outline_line(m->outline, at);
  uint32_t column = at - m->outline->starts.at[line - 1] + 1;
  sa_place place = {.file = m->job->path,
                    .line = line,
                    .column = column,
                    .end_line = line,
                    .end_column = column + (uint32_t)length};
  if (m->job->origin != NULL) sa_origin_move(m->job->origin, &place);
  return place;
}

/* The byte of the text for a place in the file. */
static uint32_t offset_of(const matcher *m, uint32_t line, uint32_t column) {
  if (m->job->origin != NULL) return sa_origin_offset(m->job->origin, line, column);
  return sa_outline_offset(m->outline, line, column);
}

static sa_extent extent_of(const matcher *m, const sa_ir_func *func) {
  return (sa_extent){offset_of(m, func->at.line, func->at.column),
                     offset_of(m, func->at.end_line, func->at.end_column)};
}

/* The code below a comment and the comments that follow it directly, when the next line has any.
 * Comments are asked about in their order, so that a run of them is walked once. */
static uint32_t code_below(matcher *m, uint32_t index) {
  const sa_outline *o = m->outline;
  if (!o->comments.at[index].alone) return SA_NO_MARK;
  if (index >= m->run_end) m->run_end = index + 1;
  while (m->run_end < o->comments.n && o->comments.at[m->run_end].alone &&
         o->comments.at[m->run_end].line == o->comments.at[m->run_end - 1].end_line + 1)
    m->run_end++;
  const sa_comment *last = &o->comments.at[m->run_end - 1];
  if (last->code >= o->length) return SA_NO_MARK;
  return sa_outline_line(o, last->code) == last->end_line + 1 ? last->code : SA_NO_MARK;
}

/* ---- what a comment covers ---- */

static bool on_lines(const matcher *m, const sa_comment *comment, sa_extent extent) {
  uint32_t first = sa_outline_line(m->outline, extent.begin);
  uint32_t last = sa_outline_line(m->outline, extent.end);
  return comment->line <= last && comment->end_line >= first;
}

static bool within(uint32_t at, sa_extent extent) {
  return at >= extent.begin && at <= extent.end;
}

static bool covers_statement(const matcher *m, const permit *p, sa_extent statement) {
  if ((p->places & SA_ON_STATEMENT) && on_lines(m, p->comment, statement)) return true;
  return (p->places & SA_ON_NEXT_LINE) && p->next != SA_NO_MARK && within(p->next, statement);
}

/* The head of what begins at `at`: behind decorators, up to the body. */
static sa_extent head_from(const matcher *m, uint32_t at) {
  const sa_outline *o = m->outline;
  sa_extent head = sa_outline_head(o, at);
  while (o->text[at] == '@' && head.end + 1 < o->length) {
    uint32_t next = sa_outline_code_from(o, head.end + 1);
    if (next >= o->length) break;
    at = next;
    head.end = sa_outline_head(o, at).end;
  }
  return head;
}

/* A function is covered from above, and from the lines of its head. */
static bool covers_function(const matcher *m, const permit *p, uint32_t begin) {
  if (!(p->places & SA_ON_FUNCTION)) return false;
  if (p->next != SA_NO_MARK && within(begin, head_from(m, p->next))) return true;
  sa_extent head = sa_outline_head(m->outline, begin);
  return (p->places & SA_ON_STATEMENT) && on_lines(m, p->comment, head);
}

static bool covers_any_function(const matcher *m, const permit *p, uint32_t at) {
  for (uint32_t i = 0; m->unit != NULL && i < m->unit->funcs.n; i++) {
    const sa_ir_func *func = &m->unit->funcs.at[i];
    if (func->at.file != 0 || !sa_range_known(func->at) || (func->flags & SA_FUNC_LAMBDA)) continue;
    sa_extent extent = extent_of(m, func);
    if (within(at, extent) && covers_function(m, p, extent.begin)) return true;
  }
  return false;
}

/* The comment that allows `rule` at a place: on the statement before on the function.
 */
static permit *find_permit(const matcher *m, const char *rule, sa_place place) {
  uint32_t at = offset_of(m, place.line, place.column);
  sa_extent statement = sa_outline_statement(m->outline, at);
  for (int scope = 0; scope < 2; scope++)
    for (uint32_t i = 0; i < m->permits.n; i++) {
      permit *p = &m->permits.at[i];
      if (strcmp(p->entry->rule, rule) != 0) continue;
      if (scope == 0 ? covers_statement(m, p, statement) : covers_any_function(m, p, at)) return p;
    }
  return NULL;
}

/* ---- reading ---- */

static void complain(matcher *m, const char *rule, sa_place at, const char *message) {
  sa_hygiene_add(m->result, m->arena, rule, at, message);
}

static bool is_known(matcher *m, const char *rule, sa_place at) {
  const sa_ruleset *rules = m->result->rules;
  if (sa_ruleset_find_rule(rules, rule) != NULL) return true;
  SA_ARRAY(const char *) ids = {0};
  for (uint32_t i = 0; i < rules->rules.n; i++) sa_push(m->arena, &ids, rules->rules.at[i].id);
  const char *near = sa_nearest(rule, ids.at, ids.n);
  complain(m, SA_RULE_UNKNOWN, at,
           near != NULL ? sa_printf(m->arena, "There is no rule '%s' to allow. Did you mean '%s'?",
                                    rule, near)
                        : sa_printf(m->arena, "There is no rule '%s' to allow.", rule));
  return false;
}

static void add_permit(matcher *m, uint32_t comment, const sa_directive *d, uint32_t number) {
  const char *rule = d->rules.at[number].name;
  sa_place at = place_of(m, d->rules.at[number].at, strlen(rule));
  if (!is_known(m, rule, at)) return;
  if (d->reason[0] == '\0') {
    complain(
        m, SA_RULE_NO_REASON, at,
        sa_printf(m->arena, "This comment allows '%s' without a reason. It has no effect.", rule));
    return;
  }
  sa_suppression *entry = sa_alloc(m->arena, sizeof *entry);
  *entry = (sa_suppression){.at = at, .rule = rule, .reason = d->reason, .until = d->until};
  sa_push(m->arena, &m->permits,
          (permit){entry, &m->outline->comments.at[comment], d->places, code_below(m, comment)});
}

static void read_comments(matcher *m) {
  for (uint32_t i = 0; i < m->outline->comments.n; i++) {
    sa_directives directives = {0};
    sa_directives_read(&directives, m->arena, m->outline, i);
    for (uint32_t j = 0; j < directives.n; j++) {
      const sa_directive *d = &directives.at[j];
      if (d->flaw != NULL)
        complain(
            m, SA_RULE_UNKNOWN, place_of(m, d->at, 1),
            sa_printf(m->arena, "This suppression cannot be read: %s. It has no effect.", d->flaw));
      for (uint32_t k = 0; d->flaw == NULL && k < d->rules.n; k++) add_permit(m, i, d, k);
    }
  }
}

/* ---- matching ---- */

static void match_findings(matcher *m) {
  for (uint32_t i = 0; i < m->result->findings.n; i++) {
    sa_finding *finding = &m->result->findings.at[i];
    if (!here(m, finding->at) || sa_hygiene_is(finding->rule)) continue;
    permit *p = find_permit(m, finding->rule->id, finding->at);
    if (p == NULL) continue;
    p->entry->used = true;
    finding->suppression = p->entry;
  }
}

/* Comments whose code could not be judged, or where the reason itself already keeps the finding
 * away, are not unused. */
static void match_sites(matcher *m) {
  for (uint32_t i = 0; i < m->result->sites.n; i++) {
    const sa_site *site = &m->result->sites.at[i];
    if (!here(m, site->at) || (site->analysed && !site->justified)) continue;
    uint32_t at = offset_of(m, site->at.line, site->at.column);
    sa_extent statement = sa_outline_statement(m->outline, at);
    for (uint32_t j = 0; j < m->permits.n; j++) {
      permit *p = &m->permits.at[j];
      if (covers_statement(m, p, statement) || covers_any_function(m, p, at))
        p->entry->undecided = true;
    }
  }
}

void sa_suppress(sa_result *result, sa_arena *arena, const sa_job *job, const sa_ir_unit *unit,
                 bool complete) {
  if (!sa_directives_likely(job->text, job->length)) return;
  matcher m = {.result = result, .arena = arena, .job = job, .unit = unit};
  m.outline = sa_outline_of(arena, job->language, job->text, job->length);
  read_comments(&m);
  match_findings(&m);
  match_sites(&m);
  for (uint32_t i = 0; i < m.permits.n; i++) {
    m.permits.at[i].entry->undecided |= unit == NULL && !complete;
    sa_push(arena, &result->suppressions, *m.permits.at[i].entry);
  }
}
