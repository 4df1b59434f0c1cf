/* Where a rewrite can start from: the side uses of a block and the places where it goes. */
#include "analysis/site.h"

#include <string.h>

/* The instruction of home that an action comes from: an action of a callee has the callee's place.
 */
static sa_range place_of(const sa_site_study *s, uint32_t point) {
  uint32_t block = sa_cfg_block_of(s->home->cfg, point);
  return sa_cfg_inst(s->home->cfg, block, point)->at;
}

/* Whether a rewrite would have to order that stream: the recorded one, or, where another one uses
 * the block and nothing covers it, that one. */
static bool concerns(const sa_site_study *s, sa_val stream) {
  if (s->creation != 0 && stream == s->creation) return false;
  if (s->facts->uncovered_stream[0] != '\0')
    return strcmp(sa_value_spelling(s->an->world, stream), s->facts->uncovered_stream) == 0;
  return sa_sync_same(s->sync, stream, s->stream) != SA_SAME_NO;
}

static void find_uses(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind != SA_ACT_USE || sa_site_touches(s, action->a) == SA_SAME_NO) continue;
    if (!concerns(s, action->b)) continue;
    sa_push(s->an->arena, &s->facts->places.uses, place_of(s, action->point));
  }
}

/* Where control leaves the function: a return, or its closing brace. */
static sa_range exit_of(const sa_site_study *s, uint32_t block) {
  sa_range at = s->home->cfg->func->blocks.at[block].at;
  if (sa_range_known(at)) return at;
  at = s->home->cfg->func->at;
  if (!sa_range_known(at)) return at;
  at.line = at.end_line;
  at.offset = at.end_offset - (at.end_offset > 0);
  at.column = at.end_column - (at.end_column > 1);
  return at;
}

static void find_releases(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  for (uint32_t i = 0; i < s->order->ends.n; i++) {
    const sa_sync_end *end = &s->order->ends.at[i];
    if (end->order == SA_ORDER_YES) continue;
    if (!concerns(s, s->order->lanes.at[end->lane].stream)) continue;
    sa_range at = end->action == SA_NO_INDEX ? exit_of(s, end->block)
                                             : place_of(s, list->at[end->action].point);
    if (sa_range_known(at)) sa_push(s->an->arena, &s->facts->places.releases, at);
  }
}

/* Whether the release comes after all that the call speaks for: the work on its stream. Other
 * streams are ordered, too, or have a call of their own. */
static bool is_ordered(const sa_site_study *s) {
  for (uint32_t i = 0; i < s->order->ends.n; i++) {
    const sa_sync_end *end = &s->order->ends.at[i];
    bool own = s->order->lanes.at[end->lane].stream == s->stream;
    if (end->order != SA_ORDER_YES && (own || !end->on_itself)) return false;
  }
  return s->order->ends.n > 0 && s->order->unknown == NULL && s->order->doubtful.n == 0;
}

static void add_doubts(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  for (uint32_t i = 0; i < s->order->doubtful.n; i++) {
    sa_range at = place_of(s, list->at[s->order->doubtful.at[i]].point);
    if (sa_range_known(at)) sa_push(s->an->arena, &s->facts->places.releases, at);
  }
  s->facts->places.ordered = is_ordered(s);
}

void sa_places_find(sa_site_study *s, const char *stream_type) {
  s->facts->places.stream_type = stream_type;
  for (uint32_t i = 0; i < s->facts->evidence.n; i++)
    if (s->facts->evidence.at[i].role == SA_ROLE_CREATED && !sa_range_known(s->facts->places.made))
      s->facts->places.made = s->facts->evidence.at[i].at;
  find_uses(s);
  find_releases(s);
  add_doubts(s);
}
