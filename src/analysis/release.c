/* What the order of streams says of each release: covered, unordered, or why there is no answer. */
#include "analysis/site.h"

#include <string.h>

sa_release_notes sa_release_begin(sa_analysis *an, const sa_fn *fn, const sa_sync *sync) {
  bool *seen = sa_alloc(an->arena, sync->actions->list.n + 1);
  return (sa_release_notes){.an = an, .fn = fn, .sync = sync, .seen = seen};
}

/* Any call may raise, and what is released on that way is said of none of them. */
static bool leaves_by_exception(const sa_sync *sync, const sa_sync_end *end) {
  return sync->fn->func->blocks.at[end->block].term == SA_TERM_UNREACHABLE;
}

bool sa_release_is_unordered(const sa_sync *sync, const sa_sync_result *order,
                             const sa_sync_end *end, sa_val creation) {
  const sa_sync_lane *lane = &order->lanes.at[end->lane];
  if (order->unknown != NULL || order->unseen || order->escapes) return false;
  if (leaves_by_exception(sync, end)) return false;
  return end->action != SA_NO_INDEX && end->definite && end->exact && lane->certain &&
         !end->recorded && !end->maybe_recorded &&
         sa_sync_same(sync, lane->stream, creation) == SA_SAME_NO;
}

/* On a path of its own it may be known which one it is. */
static bool is_of_container(const sa_release_notes *n, sa_val stream) {
  return sa_value_about(n->an->world, stream)->kind == SA_VAL_ELEM;
}

/* Why an end that is neither covered nor unordered is neither. */
static void doubt(sa_release_facts *out, const sa_release_notes *n, const sa_sync_result *order,
                  const sa_sync_end *end, sa_val creation) {
  const sa_sync_lane *lane = &order->lanes.at[end->lane];
  out->state = SA_RELEASE_UNKNOWN;
  if (order->unseen)
    out->why = "a call that is not seen is given the block";
  else if (order->escapes)
    out->why = "somebody else may keep the block";
  else if (sa_sync_same(n->sync, lane->stream, creation) != SA_SAME_NO)
    out->why = "the streams may be one";
  else if (leaves_by_exception(n->sync, end))
    out->why = "it is the way out of an exception";
  else if (!end->definite)
    out->why = "another handle may keep the block";
  else if (!lane->certain)
    out->why = "the use may be of another block";
  else if (end->maybe_recorded)
    out->why = "the block is recorded on some paths, or on a stream that may be another";
  else
    out->why = "the streams are ordered on some paths, or by what may be another stream or event";
  bool apart = sa_sync_same(n->sync, lane->stream, creation) == SA_SAME_NO ||
               is_of_container(n, lane->stream) || is_of_container(n, creation);
  out->joined |= apart && !order->unseen && !order->escapes;
}

static void note_one(sa_release_notes *n, const sa_sync_result *order, sa_val creation,
                     uint32_t release, sa_release_facts *out) {
  out->state = SA_RELEASE_COVERED;
  for (uint32_t i = 0; i < order->ends.n; i++) {
    const sa_sync_end *end = &order->ends.at[i];
    if (end->action != release || end->order == SA_ORDER_YES || end->recorded) continue;
    if (sa_release_is_unordered(n->sync, order, end, creation)) {
      out->state = SA_RELEASE_UNORDERED;
      out->why = NULL;
      return;
    }
    doubt(out, n, order, end, creation);
  }
}

void sa_release_note(sa_release_notes *n, const sa_sync_result *order, sa_val block,
                     sa_val creation, sa_range made_at) {
  if (order->unknown != NULL) return;
  for (uint32_t i = 0; i < order->releases.n; i++) {
    uint32_t release = order->releases.at[i];
    sa_release_facts facts = {.func = n->fn->index,
                              .at = n->sync->actions->list.at[release].at,
                              .made_at = made_at,
                              .block = sa_value_spelling(n->an->world, block)};
    facts.reassigned = n->sync->actions->list.at[release].kind == SA_ACT_ASSIGN;
    note_one(n, order, creation, release, &facts);
    const sa_action *action = &n->sync->actions->list.at[release];
    if (action->kind == SA_ACT_STORE && action->member == 0 && facts.state == SA_RELEASE_COVERED) {
      facts.state = SA_RELEASE_UNKNOWN;
      facts.why = "whether it is this block that goes here is not known";
    }
    n->seen[release] = true;
    sa_push(n->an->arena, &n->an->out->releases, facts);
  }
}

void sa_release_end(sa_release_notes *n) {
  const sa_action_array *list = &n->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    bool explicit = action->kind == SA_ACT_FREE ||
                    (action->kind == SA_ACT_DROP && strcmp(action->text, "free") == 0);
    const sa_value *v = sa_value_about(n->an->world, action->a);
    bool nothing = v->kind == SA_VAL_CONST || (v->kind == SA_VAL_MADE && v->op == SA_OP_const);
    if (!explicit || n->seen[i] || nothing) continue;
    sa_release_facts facts = {.func = n->fn->index,
                              .at = action->at,
                              .block = sa_value_spelling(n->an->world, action->a),
                              .state = SA_RELEASE_UNKNOWN,
                              .joined = true,
                              .why = "which block goes here is not known"};
    sa_push(n->an->arena, &n->an->out->releases, facts);
  }
}
