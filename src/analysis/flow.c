/* What the order of streams says about the call: uses, joins and releases around it. */
#include "analysis/site.h"

#include <string.h>

static const char *spelling(const sa_site_study *s, sa_val value) {
  return sa_value_spelling(s->an->world, value);
}

static bool same_stream(sa_val a, sa_val b) {
  return a != 0 && a == b;
}

/* For an element of a container, work on any member shows the use. */
static sa_same uses_block(const sa_site_study *s, sa_val used) {
  sa_same touches = sa_site_touches(s, used);
  const sa_value *v = sa_value_about(s->an->world, s->block);
  if (touches != SA_SAME_MAYBE || v->kind != SA_VAL_ELEM) return touches;
  uint32_t n = 0;
  const sa_val *in = sa_value_members(s->an->world, v->args[0], &n);
  for (uint32_t i = 0; i < n; i++)
    if (sa_value_covers(s->an->world, used, in[i]) == SA_SAME_YES) return SA_SAME_YES;
  return touches;
}

static void judge_uses(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  const char *word = "no";
  uint32_t first = SA_NO_INDEX;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind == SA_ACT_OPAQUE && strcmp(word, "no") == 0) word = "unknown";
    if (action->kind != SA_ACT_USE) continue;
    sa_same touches = uses_block(s, action->a);
    if (touches == SA_SAME_NO) continue;
    if (same_stream(action->b, s->stream) && !action->unseen && touches == SA_SAME_YES) {
      word = "yes";
      if (first == SA_NO_INDEX) first = i;
    } else if (strcmp(word, "no") == 0 &&
               (action->unseen || touches == SA_SAME_MAYBE ||
                sa_sync_same(s->sync, action->b, s->stream) != SA_SAME_NO)) {
      word = "unknown";
    }
  }
  sa_range at = first != SA_NO_INDEX ? list->at[first].at : (sa_range){0};
  sa_site_set(s, SA_FACT_side_use, word, at);
  if (first != SA_NO_INDEX)
    sa_site_note(s, SA_ROLE_USED, at, "work on stream '%s' uses '%s'", s->facts->recorded_stream,
                 s->facts->block);
}

/* Streams other than the recorded one that the block can still be used on when it goes. */
static void judge_other_uses(sa_site_study *s) {
  const sa_sync_result *order = s->order;
  bool uncovered = false, unsure = order->unknown != NULL;
  sa_range at = {0};
  for (uint32_t i = 0; i < order->ends.n; i++) {
    const sa_sync_end *end = &order->ends.at[i];
    const sa_sync_lane *lane = &order->lanes.at[end->lane];
    if (same_stream(lane->stream, s->stream) || end->order == SA_ORDER_YES || end->recorded)
      continue;
    bool apart = sa_sync_same(s->sync, lane->stream, s->stream) == SA_SAME_NO &&
                 sa_sync_same(s->sync, lane->stream, s->creation) == SA_SAME_NO;
    /* Where the function ends and the block lives on, nothing is released. */
    bool lives_on = end->action == SA_NO_INDEX && order->releases.n > 0;
    if (apart && lane->certain && end->exact && !end->maybe_recorded && !lives_on) {
      uncovered = true;
      at = s->sync->actions->list.at[lane->last_use].at;
      s->facts->uncovered_stream = spelling(s, lane->stream);
    } else {
      unsure = true;
    }
  }
  sa_site_set(s, SA_FACT_other_use, uncovered ? "yes" : unsure ? "unknown" : "no", at);
  if (uncovered)
    sa_site_note(s, SA_ROLE_USED, at, "work on stream '%s' uses '%s', and nothing covers that",
                 s->facts->uncovered_stream, s->facts->block);
}

/* What an object of this function holds goes with it. In a loop the object of the turn before goes
 * where the next one takes its place, and that is no release of the block that is seen. */
static bool goes_with_an_earlier_turn(const sa_site_study *s) {
  return sa_site_is(s, SA_FACT_origin, "holder-member") && s->order->releases.n == 0 &&
         s->home->cfg->in_loop[s->home_block];
}

static void judge_order(sa_site_study *s) {
  const sa_sync_result *order = s->order;
  bool any = false, no = false, unknown = order->unknown != NULL || goes_with_an_earlier_turn(s);
  for (uint32_t i = 0; i < order->ends.n; i++) {
    const sa_sync_end *end = &order->ends.at[i];
    any = true;
    no |= end->order == SA_ORDER_NO;
    unknown |= end->order == SA_ORDER_UNKNOWN;
  }
  sa_site_set(s, SA_FACT_ordered,
              !any      ? "unknown"
              : no      ? "no"
              : unknown ? "unknown"
                        : "yes",
              (sa_range){0});
  if (order->unknown != NULL) sa_site_miss(s, order->unknown);
}

static const char *unseen_release(const sa_site_study *s) {
  static const struct {
    const char *origin, *release;
  } rows[] = {{"param", "caller"},       {"member", "owner"}, {"holder-member", "owner"},
              {"captured", "owner"},     {"weak", "owner"},   {"global", "owner"},
              {"param-owned", "unknown"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (sa_site_is(s, SA_FACT_origin, rows[i].origin)) return rows[i].release;
  return "unknown";
}

static void judge_release(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  const sa_action *found = NULL;
  for (uint32_t i = 0; i < s->order->releases.n && found == NULL; i++)
    if (sa_site_after(s, s->order->releases.at[i])) found = &list->at[s->order->releases.at[i]];
  const char *how = found == NULL                  ? unseen_release(s)
                    : found->kind == SA_ACT_FREE   ? "free"
                    : found->kind == SA_ACT_ASSIGN ? "reassign"
                                                   : found->text;
  for (uint32_t i = 0; found == NULL && i < list->n; i++)
    if (list->at[i].kind == SA_ACT_DROP && strcmp(list->at[i].text, "moved") == 0 &&
        sa_site_touches(s, list->at[i].a) == SA_SAME_YES && sa_site_after(s, i)) {
      found = &list->at[i];
      how = "moved";
    }
  sa_range at = found != NULL ? found->at : (sa_range){0};
  sa_site_set(s, SA_FACT_release, how, at);
  s->facts->release_at = at;
  if (found != NULL)
    sa_site_note(s, SA_ROLE_RELEASE, at, "the last handle of '%s' that is seen goes away here (%s)",
                 s->facts->block, how);
  else
    sa_site_miss(s, "the place where the last reference is dropped");
}

/* Events that mark a place on the recorded stream. */
static bool marks_stream(const sa_site_study *s, const sa_action_array *list, sa_val event) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i].kind == SA_ACT_EVENT_RECORD && same_stream(list->at[i].a, event) &&
        same_stream(list->at[i].b, s->stream))
      return true;
  return false;
}

typedef enum { JOIN_NONE, JOIN_WRONG, JOIN_HOST, JOIN_CREATION } join;

static bool may_be_creation(const sa_site_study *s, sa_val stream) {
  if (same_stream(stream, s->creation)) return true;
  if (s->creation != 0) return false;
  return sa_value_about(s->an->world, stream)->kind == SA_VAL_ENTRY;
}

/* What one action does to order the recorded stream before something. */
static join join_of(const sa_site_study *s, const sa_action_array *list, const sa_action *action) {
  bool from = false;
  switch (action->kind) {
  case SA_ACT_SYNC_DEVICE:
    return JOIN_HOST;
  case SA_ACT_SYNC_STREAM:
    return same_stream(action->a, s->stream) ? JOIN_HOST : JOIN_NONE;
  case SA_ACT_SYNC_EVENT:
    return marks_stream(s, list, action->a) ? JOIN_HOST : JOIN_NONE;
  case SA_ACT_STREAM_WAIT:
    from = same_stream(action->b, s->stream);
    break;
  case SA_ACT_EVENT_WAIT:
    from = marks_stream(s, list, action->b);
    break;
  default:
    return JOIN_NONE;
  }
  if (!from || same_stream(action->a, s->stream)) return JOIN_NONE;
  if (may_be_creation(s, action->a)) return JOIN_CREATION;
  bool apart = s->creation != 0 && sa_sync_same(s->sync, action->a, s->creation) == SA_SAME_NO;
  return apart ? JOIN_WRONG : JOIN_NONE;
}

/* Whether two streams are joined, in either direction, by what runs instead of the call. */
static const sa_action *sibling_join(const sa_site_study *s, const sa_fn *fn, uint32_t block) {
  const sa_actions *actions = &s->an->actions->of[fn->index];
  bool *marked = sa_site_other_arms(s, fn, block);
  for (uint32_t b = 0; marked != NULL && b < fn->cfg->n; b++) {
    for (uint32_t i = actions->first[b]; marked[b] && i < actions->end[b]; i++) {
      const sa_action *action = &actions->list.at[i];
      bool wait = action->kind == SA_ACT_STREAM_WAIT || action->kind == SA_ACT_EVENT_WAIT;
      if (!wait) continue;
      bool ours = same_stream(action->a, s->stream) || same_stream(action->b, s->stream) ||
                  may_be_creation(s, action->a) || marks_stream(s, &actions->list, action->b);
      if (ours) return action;
    }
  }
  return NULL;
}

/* Whether the wait runs whenever the call does: what decides about it decides about the call too,
 * or leaves the function on its other way (an error that is handed up). */
static bool runs_with_call(const sa_site_study *s, const sa_action *wait) {
  const sa_cfg *cfg = s->home->cfg;
  uint32_t block = sa_cfg_block_of(cfg, wait->point);
  if (wait->maybe) return false;
  for (uint32_t i = 0; i < cfg->control[block].n; i++) {
    sa_control c = cfg->control[block].at[i];
    bool shared =
        cfg->ipdom[c.branch] == SA_NO_INDEX || sa_cfg_dominates(cfg, block, s->home_block);
    sa_control_array own = sa_cfg_controls(cfg, s->an->arena, s->home_block);
    for (uint32_t j = 0; j < own.n; j++)
      shared |= (own.at[j].branch == c.branch && own.at[j].arm == c.arm) ||
                sa_guard_same_condition(s->an->world, s->home->term[own.at[j].branch],
                                        s->home->term[c.branch]);
    if (!shared) return false;
  }
  return true;
}

/* Whether the block is gone before the wait, so that the wait comes too late for it. */
static bool comes_too_late(const sa_site_study *s, uint32_t wait) {
  const sa_cfg *cfg = s->home->cfg;
  const sa_action_array *list = &s->sync->actions->list;
  uint32_t block = sa_cfg_block_of(cfg, list->at[wait].point);
  for (uint32_t i = 0; i < s->order->releases.n; i++) {
    uint32_t release = s->order->releases.at[i];
    uint32_t at = sa_cfg_block_of(cfg, list->at[release].point);
    if (!sa_site_after(s, release) || !sa_cfg_dominates(cfg, at, block)) continue;
    if (at != block || release < wait) return true;
  }
  return false;
}

/* Joins that come after the call in `fn`, where the call stands at `point`. */
static join later_join(const sa_site_study *s, const sa_fn *fn, uint32_t point,
                       const sa_action **where) {
  const sa_actions *actions = &s->an->actions->of[fn->index];
  join best = JOIN_NONE;
  for (uint32_t i = 0; i < actions->list.n; i++) {
    const sa_action *action = &actions->list.at[i];
    join one = join_of(s, &actions->list, action);
    if (one <= best) continue;
    bool after = fn == s->home ? sa_site_after(s, i)
                               : sa_cfg_reaches(fn->cfg, s->an->arena, point, action->point);
    if (!after) continue;
    if (fn == s->home && (!runs_with_call(s, action) || comes_too_late(s, i))) continue;
    best = one;
    *where = action;
  }
  return best;
}

static uint32_t place_in_parent(const sa_fn *fn) {
  if (fn->called_at != SA_NO_INDEX) return fn->called_at;
  return fn->passed_at != SA_NO_INDEX ? fn->passed_at : fn->made_at;
}

static void judge_join(sa_site_study *s) {
  static const char *const words[] = {"none", "wrong-stream", "host", "later"};
  const sa_action *where = NULL;
  join best = later_join(s, s->home, s->home_point, &where);
  const sa_fn *fn = s->home;
  while (best == JOIN_NONE && fn->func->parent != SA_NO_INDEX) {
    uint32_t point = place_in_parent(fn);
    fn = &s->an->world->fns[fn->func->parent];
    if (point == SA_NO_INDEX || !fn->valued) break;
    best = later_join(s, fn, point, &where);
  }
  const sa_action *sibling = sibling_join(s, s->fn, s->cfg_block);
  if (sibling == NULL && s->home != s->fn) sibling = sibling_join(s, s->home, s->home_block);
  if (best < JOIN_HOST && sibling != NULL) {
    sa_site_set(s, SA_FACT_join, "sibling", sibling->at);
    sa_site_note(s, SA_ROLE_WAIT, sibling->at,
                 "when the call does not run, the streams are joined");
    return;
  }
  sa_site_set(s, SA_FACT_join, words[best], where != NULL ? where->at : (sa_range){0});
  if (best == JOIN_CREATION)
    sa_site_note(s, SA_ROLE_WAIT, where->at, "stream '%s' waits for stream '%s'",
                 spelling(s, where->a), s->facts->recorded_stream);
  else if (best == JOIN_HOST)
    sa_site_note(s, SA_ROLE_WAIT, where->at, "the host waits for stream '%s'",
                 s->facts->recorded_stream);
  else if (best == JOIN_WRONG)
    sa_site_note(s, SA_ROLE_WAIT, where->at,
                 "stream '%s' waits, which is not the creation stream of '%s'",
                 spelling(s, where->a), s->facts->block);
}

static void note_events(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].kind != SA_ACT_EVENT_RECORD || !same_stream(list->at[i].b, s->stream)) continue;
    sa_site_note(s, SA_ROLE_EVENT, list->at[i].at, "event '%s' is recorded on stream '%s'",
                 spelling(s, list->at[i].a), s->facts->recorded_stream);
    return;
  }
}

void sa_flow_run(sa_site_study *s) {
  judge_uses(s);
  judge_other_uses(s);
  judge_order(s);
  judge_release(s);
  judge_join(s);
  note_events(s);
}
