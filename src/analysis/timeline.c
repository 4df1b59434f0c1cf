/* The life of one block, stream by stream, for `explain`. Reads actions and the order that was
 * found; decides nothing. */
#include "analysis/site.h"
#include "model/names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LANES = 5, MAX_MOMENTS = 60, MAX_ANSWERS = 8 };

typedef struct {
  sa_moment moment;
  sa_range at;
} entry;

typedef struct {
  sa_analysis *an;
  const sa_timeline_subject *subject;
  const sa_action_array *list;
  sa_val streams[MAX_LANES + 1]; /* of the lanes; the host's is 0 */
  uint32_t host;                 /* its lane, SA_NO_LANE: none */
  bool made;                     /* a moment shows where the block is made */
  SA_ARRAY(entry) entries;
  sa_timeline *out;
} drawing;

bool sa_analysis_wants(const sa_analysis *an, sa_range at) {
  return an->line != 0 && at.file == 0 && at.line <= an->line &&
         an->line <= (at.end_line > at.line ? at.end_line : at.line);
}

static uint32_t lane_of(const drawing *d, sa_val stream) {
  for (uint32_t i = 0; i < d->out->lanes.n; i++)
    if (i != d->host && stream != 0 && d->streams[i] == stream) return i;
  return SA_NO_LANE;
}

static uint32_t add_lane(drawing *d, sa_val stream, const char *role) {
  uint32_t lane = lane_of(d, stream);
  if (stream == 0 || lane != SA_NO_LANE) return lane;
  if (d->out->lanes.n >= MAX_LANES) {
    d->out->cut = true;
    return SA_NO_LANE;
  }
  d->streams[d->out->lanes.n] = stream;
  sa_push(d->an->arena, &d->out->lanes, (sa_lane){sa_value_spelling(d->an->world, stream), role});
  return d->out->lanes.n - 1;
}

static bool touches(const drawing *d, sa_val value) {
  return value != 0 && d->subject->block != 0 &&
         sa_sync_touches(d->subject->sync, value, d->subject->block) != SA_SAME_NO;
}

/* The stream that the newest record of the event before action `index` marks. */
static sa_val marked_by(const drawing *d, sa_val event, uint32_t index) {
  for (uint32_t i = index; event != 0 && i-- > 0;)
    if (d->list->at[i].kind == SA_ACT_EVENT_RECORD && d->list->at[i].a == event)
      return d->list->at[i].b;
  return 0;
}

static bool is_host_wait(sa_action_kind kind) {
  return kind == SA_ACT_SYNC_DEVICE || kind == SA_ACT_SYNC_STREAM || kind == SA_ACT_SYNC_EVENT;
}

/* What the action waits for: a stream, 0 when that is not known. */
static sa_val waited_for(const drawing *d, uint32_t index) {
  const sa_action *action = &d->list->at[index];
  switch (action->kind) {
  case SA_ACT_STREAM_WAIT:
    return action->b;
  case SA_ACT_SYNC_STREAM:
    return action->a;
  case SA_ACT_EVENT_WAIT:
    return marked_by(d, action->b, index);
  case SA_ACT_SYNC_EVENT:
    return marked_by(d, action->a, index);
  default:
    return 0;
  }
}

/* Creation and recorded stream come first, then whoever uses the block or waits for its users, and
 * the host where it waits. */
static void find_lanes(drawing *d) {
  const sa_timeline_subject *s = d->subject;
  bool same = s->creation != 0 && s->creation == s->stream;
  d->host = SA_NO_LANE;
  if (s->block != 0 && s->creation == 0)
    sa_push(d->an->arena, &d->out->lanes, (sa_lane){"not known", "creation"});
  add_lane(d, s->creation, same ? "creation, recorded" : "creation");
  add_lane(d, s->stream, "recorded");
  for (uint32_t i = 0; i < d->list->n; i++)
    if (d->list->at[i].kind == SA_ACT_USE && touches(d, d->list->at[i].a))
      add_lane(d, d->list->at[i].b, "user");
    else if (d->list->at[i].kind == SA_ACT_EVENT_RECORD && s->block == 0)
      add_lane(d, d->list->at[i].b, "");
  bool host = false;
  for (uint32_t i = 0; i < d->list->n; i++) {
    const sa_action *action = &d->list->at[i];
    bool from_lane = lane_of(d, waited_for(d, i)) != SA_NO_LANE;
    if (from_lane && (action->kind == SA_ACT_EVENT_WAIT || action->kind == SA_ACT_STREAM_WAIT))
      add_lane(d, action->a, "");
    host |= is_host_wait(action->kind) && (from_lane || action->kind == SA_ACT_SYNC_DEVICE);
  }
  if (!host) return;
  d->host = d->out->lanes.n;
  sa_push(d->an->arena, &d->out->lanes, (sa_lane){"host", ""});
}

__attribute__((format(printf, 5, 6))) static sa_moment *add(drawing *d, sa_moment_kind kind,
                                                            const sa_action *action, uint32_t lane,
                                                            const char *format, ...) {
  if (lane == SA_NO_LANE || d->entries.n >= MAX_MOMENTS) {
    d->out->cut |= lane != SA_NO_LANE;
    return NULL;
  }
  va_list args;
  va_start(args, format);
  const char *text = sa_vprintf(d->an->arena, format, args);
  va_end(args);
  if (action->maybe) text = sa_printf(d->an->arena, "perhaps: %s", text);
  if (action->via != SA_NO_INDEX)
    text = sa_printf(d->an->arena, "%s (in %s)", text, d->an->unit->funcs.at[action->via].name);
  sa_moment moment = {kind, action->at.line, lane, SA_NO_LANE, text};
  sa_push(d->an->arena, &d->entries, (entry){moment, action->at});
  return &d->entries.at[d->entries.n - 1].moment;
}

static const char *spelling(const drawing *d, sa_val value) {
  return sa_value_spelling(d->an->world, value);
}

/* The name of what was called, without its namespaces. */
static const char *short_name(const drawing *d, const char *name) {
  sa_span last = sa_last_component(name);
  return sa_strndup(d->an->arena, last.at, last.length);
}

static void add_use(drawing *d, const sa_action *action) {
  const char *name = short_name(d, action->text);
  if (name[0] == '\0') name = "work";
  add(d, SA_MOMENT_USE, action, lane_of(d, action->b), "%s %s %s", name,
      action->written ? "writes" : "uses", d->subject->name);
}

static void add_wait(drawing *d, uint32_t index) {
  const sa_action *action = &d->list->at[index];
  sa_val from = waited_for(d, index);
  uint32_t lane = is_host_wait(action->kind) ? d->host : lane_of(d, action->a);
  bool event = action->kind == SA_ACT_EVENT_WAIT || action->kind == SA_ACT_SYNC_EVENT;
  sa_val what = event ? (action->kind == SA_ACT_EVENT_WAIT ? action->b : action->a) : from;
  if (lane_of(d, from) == SA_NO_LANE && action->kind != SA_ACT_SYNC_DEVICE &&
      (lane == d->host || from != 0))
    return; /* work that has nothing to do with the block */
  sa_moment *wait = add(d, SA_MOMENT_WAIT, action, lane, "waits for %s%s",
                        action->kind == SA_ACT_SYNC_DEVICE ? "the device" : spelling(d, what),
                        event && from == 0 ? ", not recorded before" : "");
  if (wait != NULL) wait->from = lane_of(d, from);
}

/* A handle of the block that stays somewhere, or goes. */
static void add_reference(drawing *d, const sa_action *action) {
  const char *name = d->subject->name;
  if (action->kind == SA_ACT_STORE)
    add(d, SA_MOMENT_REFERENCE, action, 0, "%s is kept in %s", name, spelling(d, action->b));
  else if (action->kind == SA_ACT_RETURN)
    add(d, SA_MOMENT_REFERENCE, action, 0, "%s is returned", name);
  else if (action->kind == SA_ACT_ESCAPE)
    add(d, SA_MOMENT_REFERENCE, action, 0, "%s goes out (%s)", name, action->text);
  else if (action->kind == SA_ACT_DROP && strcmp(action->text, "moved") == 0)
    add(d, SA_MOMENT_REFERENCE, action, 0, "%s is moved on", name);
}

static void add_action(drawing *d, uint32_t index) {
  const sa_action *action = &d->list->at[index];
  const char *name = d->subject->name;
  switch (action->kind) {
  case SA_ACT_ALLOC:
    if (action->a != d->subject->block) return;
    d->made = true;
    add(d, SA_MOMENT_MADE, action, 0, "%s is made", name);
    return;
  case SA_ACT_USE:
    if (touches(d, action->a)) add_use(d, action);
    return;
  case SA_ACT_EVENT_RECORD:
    add(d, SA_MOMENT_EVENT, action, lane_of(d, action->b), "event %s", spelling(d, action->a));
    return;
  case SA_ACT_EVENT_WAIT:
  case SA_ACT_STREAM_WAIT:
  case SA_ACT_SYNC_EVENT:
  case SA_ACT_SYNC_STREAM:
  case SA_ACT_SYNC_DEVICE:
    add_wait(d, index);
    return;
  case SA_ACT_WAIT_HANDLE:
    add(d, SA_MOMENT_WAIT, action, lane_of(d, action->b), "waits for the work of %s",
        spelling(d, action->a));
    return;
  case SA_ACT_RECORD:
  case SA_ACT_ERASE:
    if (touches(d, action->a))
      add(d, SA_MOMENT_RECORD, action, lane_of(d, action->b), "%s of %s",
          action->kind == SA_ACT_RECORD ? "record_stream" : "record taken back", name);
    return;
  default:
    if (touches(d, action->a)) add_reference(d, action);
  }
}

static void add_releases(drawing *d) {
  const sa_sync_result *order = d->subject->order;
  for (uint32_t i = 0; order != NULL && i < order->releases.n; i++) {
    const sa_action *action = &d->list->at[order->releases.at[i]];
    uint32_t lane = action->kind == SA_ACT_FREE ? lane_of(d, action->b) : 0;
    add(d, SA_MOMENT_RELEASE, action, lane == SA_NO_LANE ? 0 : lane, "%s is released (%s)",
        d->subject->name,
        action->kind == SA_ACT_FREE     ? "free"
        : action->kind == SA_ACT_ASSIGN ? "reassign"
                                        : action->text);
  }
}

/* By place; what begins at the same place as the instructions came. */
static int compare(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->at.line != y->at.line) return x->at.line < y->at.line ? -1 : 1;
  if (x->at.column != y->at.column) return x->at.column < y->at.column ? -1 : 1;
  if (x->moment.kind != y->moment.kind) return x->moment.kind < y->moment.kind ? -1 : 1;
  if (x->moment.lane != y->moment.lane) return x->moment.lane < y->moment.lane ? -1 : 1;
  return strcmp(x->moment.text, y->moment.text);
}

static bool repeats(const sa_moment *a, const sa_moment *b) {
  return a->kind == b->kind && a->line == b->line && a->lane == b->lane &&
         strcmp(a->text, b->text) == 0;
}

static void settle(drawing *d) {
  if (d->entries.n > 1) qsort(d->entries.at, d->entries.n, sizeof *d->entries.at, compare);
  for (uint32_t i = 0; i < d->entries.n; i++) {
    const sa_moment *moment = &d->entries.at[i].moment;
    uint32_t n = d->out->moments.n;
    if (n > 0 && repeats(&d->out->moments.at[n - 1], moment)) continue;
    sa_push(d->an->arena, &d->out->moments, *moment);
  }
}

static void add_answer(drawing *d, const char *text) {
  for (uint32_t i = 0; i < d->out->answers.n; i++)
    if (strcmp(d->out->answers.at[i], text) == 0) return;
  if (d->out->answers.n < MAX_ANSWERS)
    sa_push(d->an->arena, &d->out->answers, text);
  else
    d->out->cut = true;
}

/* How each stream that used the block stands at each place where it can go. */
static void answer(drawing *d) {
  const sa_sync_result *order = d->subject->order;
  static const char *const words[] = {[SA_ORDER_NO] = "is not ordered after",
                                      [SA_ORDER_UNKNOWN] = "may or may not be ordered after",
                                      [SA_ORDER_YES] = "is ordered after"};
  sa_arena *arena = d->an->arena;
  if (order == NULL) return;
  if (order->unknown != NULL) add_answer(d, sa_printf(arena, "no answer: %s", order->unknown));
  for (uint32_t i = 0; i < order->ends.n && order->unknown == NULL; i++) {
    const sa_sync_end *end = &order->ends.at[i];
    const sa_sync_lane *lane = &order->lanes.at[end->lane];
    const char *where = "when the function ends";
    if (end->action != SA_NO_INDEX)
      where = sa_printf(arena, "at the release in line %" PRIu32, d->list->at[end->action].at.line);
    const char *since = "its work";
    if (lane->last_use < d->list->n)
      since = sa_printf(arena, "the use in line %" PRIu32, d->list->at[lane->last_use].at.line);
    const char *record = end->recorded         ? "; record_stream covers it"
                         : end->maybe_recorded ? "; record_stream covers it on some ways"
                                               : "";
    add_answer(d, sa_printf(arena, "%s '%s' %s %s on '%s'%s", where,
                            d->subject->creation != 0 ? spelling(d, d->subject->creation)
                                                      : "the creation stream",
                            words[end->order], since, spelling(d, lane->stream), record));
  }
}

const sa_timeline *sa_timeline_draw(sa_analysis *an, const sa_timeline_subject *subject) {
  drawing d = {.an = an,
               .subject = subject,
               .list = &subject->sync->actions->list,
               .out = sa_alloc(an->arena, sizeof *d.out)};
  find_lanes(&d);
  if (d.out->lanes.n == 0) return d.out;
  for (uint32_t i = 0; i < d.list->n; i++) add_action(&d, i);
  add_releases(&d);
  sa_action from_outside = {.at = subject->made_at, .via = SA_NO_INDEX};
  if (!d.made && sa_range_known(subject->made_at))
    add(&d, SA_MOMENT_MADE, &from_outside, 0, "%s comes in", subject->name);
  settle(&d);
  answer(&d);
  return d.out;
}
