/* One description of every structure serves both directions, so that they cannot disagree. */
#include "cli/wire.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  FILE *out; /* writing; NULL: reading */
  const char *at, *end;
  sa_arena *arena;
  const sa_ruleset *rules;
  bool broken;
} wire;

static void bytes(wire *w, void *value, size_t size) {
  if (w->out != NULL) {
    fwrite(value, 1, size, w->out);
  } else if (w->broken || (size_t)(w->end - w->at) < size) {
    w->broken = true;
    memset(value, 0, size);
  } else {
    memcpy(value, w->at, size);
    w->at += size;
  }
}

static void number(wire *w, uint32_t *value) {
  bytes(w, value, sizeof *value);
}

static void flag(wire *w, bool *value) {
  uint32_t as_number = *value;
  number(w, &as_number);
  *value = as_number != 0;
}

static void severity(wire *w, sa_severity *value) {
  uint32_t as_number = (uint32_t)*value;
  number(w, &as_number);
  *value = (sa_severity)as_number;
}

/* A string, or NULL. */
static void text(wire *w, const char **value) {
  uint32_t length = UINT32_MAX;
  if (w->out != NULL && *value != NULL) length = (uint32_t)strlen(*value);
  number(w, &length);
  if (w->out != NULL) {
    if (*value != NULL) fwrite(*value, 1, length, w->out);
    return;
  }
  *value = NULL;
  if (w->broken || length == UINT32_MAX) return;
  w->broken = (size_t)(w->end - w->at) < length;
  if (w->broken) return;
  *value = sa_strndup(w->arena, w->at, length);
  w->at += length;
}

/* The elements of an array, each by `element`. */
#define array(w, list, element)                                                                    \
  do {                                                                                             \
    uint32_t count = (list)->n;                                                                    \
    number((w), &count);                                                                           \
    if ((w)->out == NULL) {                                                                        \
      if ((size_t)((w)->end - (w)->at) < count) (w)->broken = true;                                \
      (list)->n = (list)->capacity = (w)->broken ? 0 : count;                                      \
      (list)->at = sa_alloc((w)->arena, (list)->n * sizeof *(list)->at);                           \
    }                                                                                              \
    for (uint32_t i_ = 0; i_ < (list)->n; i_++) element((w), &(list)->at[i_]);                     \
  } while (0)

static void place(wire *w, sa_place *p) {
  text(w, &p->file);
  number(w, &p->line);
  number(w, &p->column);
  number(w, &p->end_line);
  number(w, &p->end_column);
  number(w, &p->cell);
  number(w, &p->cell_line);
}

static void step(wire *w, sa_step *s) {
  text(w, &s->role);
  place(w, &s->at);
  text(w, &s->text);
}

static void edit(wire *w, sa_edit *e) {
  place(w, &e->at);
  text(w, &e->text);
}

static void told_fact(wire *w, sa_told_fact *f) {
  text(w, &f->name);
  text(w, &f->word);
  text(w, &f->meaning);
  place(w, &f->at);
  flag(w, &f->decides);
}

static void near_row(wire *w, sa_near_row *r) {
  text(w, &r->row);
  text(w, &r->category);
  text(w, &r->needs);
}

static void lane(wire *w, sa_lane *l) {
  text(w, &l->name);
  text(w, &l->role);
}

static void moment(wire *w, sa_moment *m) {
  uint32_t kind = (uint32_t)m->kind;
  number(w, &kind);
  if (kind >= SA_MOMENT_KINDS) w->broken = true;
  m->kind = w->broken ? SA_MOMENT_MADE : (sa_moment_kind)kind;
  number(w, &m->line);
  number(w, &m->lane);
  number(w, &m->from);
  text(w, &m->text);
}

/* An account, or NULL. */
static void account(wire *w, sa_account **value) {
  bool there = *value != NULL;
  flag(w, &there);
  if (w->out == NULL) *value = there ? sa_alloc(w->arena, sizeof **value) : NULL;
  if (!there) return;
  sa_account *a = *value;
  array(w, &a->facts, told_fact);
  array(w, &a->unseen, text);
  array(w, &a->near, near_row);
  array(w, &a->timeline.lanes, lane);
  array(w, &a->timeline.moments, moment);
  array(w, &a->timeline.answers, text);
  flag(w, &a->timeline.cut);
  text(w, &a->message);
}

static void site(wire *w, sa_site *s) {
  text(w, &s->id);
  place(w, &s->at);
  text(w, &s->language);
  text(w, &s->function);
  text(w, &s->api);
  text(w, &s->kind);
  flag(w, &s->analysed);
  text(w, &s->reason);
  text(w, &s->category);
  text(w, &s->effect);
  text(w, &s->confidence);
  text(w, &s->creation_stream);
  text(w, &s->recorded_stream);
  text(w, &s->block);
  text(w, &s->release_kind);
  number(w, &s->release_line);
  flag(w, &s->justified);
  flag(w, &s->modelled);
  text(w, &s->verdict);
  array(w, &s->evidence, step);
  array(w, &s->proved, text);
  array(w, &s->assumed, text);
  array(w, &s->missing, text);
  text(w, &s->advice);
  flag(w, &s->has_fix);
  flag(w, &s->fix_safe);
  text(w, &s->fix_reason);
  array(w, &s->edits, edit);
  account(w, &s->account);
}

/* A rule is its index: both sides loaded the same rules. */
static void rule(wire *w, const sa_rule **value) {
  uint32_t index = w->out != NULL ? (uint32_t)(*value - w->rules->rules.at) : 0;
  number(w, &index);
  if (index >= w->rules->rules.n) w->broken = true;
  if (w->out == NULL) *value = w->broken ? NULL : &w->rules->rules.at[index];
}

static void names(wire *w, sa_message_names *n) {
  uint32_t release = (uint32_t)n->release;
  text(w, &n->block);
  text(w, &n->creation);
  text(w, &n->recorded);
  text(w, &n->function);
  text(w, &n->stream);
  text(w, &n->other);
  number(w, &release);
  n->release = (int)release;
  number(w, &n->release_line);
}

static void suppression(wire *w, sa_suppression *s) {
  place(w, &s->at);
  text(w, &s->rule);
  text(w, &s->reason);
  text(w, &s->until);
  flag(w, &s->used);
  flag(w, &s->undecided);
}

/* A suppression, or NULL. */
static void maybe_suppression(wire *w, const sa_suppression **value) {
  bool there = *value != NULL;
  flag(w, &there);
  sa_suppression copy = {0};
  if (there && w->out != NULL) copy = **value;
  if (there) suppression(w, &copy);
  if (w->out != NULL) return;
  sa_suppression *read = there ? sa_alloc(w->arena, sizeof *read) : NULL;
  if (there) *read = copy;
  *value = read;
}

static void finding(wire *w, sa_finding *f) {
  rule(w, &f->rule);
  severity(w, &f->level);
  place(w, &f->at);
  text(w, &f->message);
  text(w, &f->row);
  names(w, &f->names);
  text(w, &f->help);
  text(w, &f->site);
  text(w, &f->function);
  array(w, &f->evidence, step);
  array(w, &f->edits, edit);
  flag(w, &f->fixable);
  account(w, &f->account);
  maybe_suppression(w, &f->suppression);
}

static void message(wire *w, sa_message *m) {
  severity(w, &m->severity);
  text(w, &m->file);
  number(w, &m->line);
  number(w, &m->column);
  text(w, &m->text);
  flag(w, &m->configuration);
}

static void splice(wire *w, sa_splice *s) {
  number(w, &s->begin);
  number(w, &s->end);
  text(w, &s->text);
}

static void patch(wire *w, sa_patch *p) {
  text(w, &p->file);
  number(w, &p->hash[0]);
  number(w, &p->hash[1]);
  array(w, &p->splices, splice);
  number(w, &p->findings);
}

static void result(wire *w, sa_result *r) {
  array(w, &r->sites, site);
  array(w, &r->findings, finding);
  array(w, &r->suppressions, suppression);
  array(w, &r->messages, message);
  array(w, &r->patches, patch);
  number(w, &r->files);
  number(w, &r->files_skipped);
  number(w, &r->files_failed);
}

static void hash(wire *w, sa_hash128 *value) {
  bytes(w, &value->low, sizeof value->low);
  bytes(w, &value->high, sizeof value->high);
}

static void read_row(wire *w, sa_read *r) {
  uint32_t kind = (uint32_t)r->kind;
  number(w, &kind);
  if (kind >= SA_READ_KINDS) w->broken = true;
  r->kind = w->broken ? SA_READ_FILE : (sa_read_kind)kind;
  text(w, &r->name);
  text(w, &r->where);
  if (r->name == NULL || r->where == NULL) w->broken = true;
  hash(w, &r->answer);
}

void sa_wire_write_reads(FILE *out, const sa_reads *reads) {
  wire w = {.out = out};
  sa_reads copy = *reads;
  array(&w, &copy.rows, read_row);
}

size_t sa_wire_read_reads(sa_reads *reads, const char *at, size_t length) {
  wire w = {.at = at, .end = at + length, .arena = reads->arena};
  array(&w, &reads->rows, read_row);
  if (!w.broken) return (size_t)(w.at - at);
  reads->rows.n = 0;
  return 0;
}

void sa_wire_write(FILE *out, const sa_result *value) {
  wire w = {.out = out, .rules = value->rules};
  sa_result copy =
      *value; /* the description takes what it could also fill; writing changes nothing */
  result(&w, &copy);
}

bool sa_wire_read(sa_result *into, sa_arena *arena, const char *at, size_t length) {
  wire w = {.at = at, .end = at + length, .arena = arena, .rules = into->rules};
  sa_result got = {.rules = into->rules};
  result(&w, &got);
  if (w.broken || w.at != w.end) return false;
  sa_result_append(into, arena, &got);
  return true;
}
