/* Orders that are missing where everything needed to say so is seen. What is only likely is marked
 * so; where the creation stream, the owner or a callee is not known, nothing is said. */
#include "analysis/site.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_BLOCKS_ASKED = 512, /* blocks per function that are followed */
  MAX_FIELDS_ASKED = 8,   /* members per function that are followed */
  MAX_STEPS = 20000       /* questions of order between two actions, per function */
};

typedef struct {
  sa_analysis *an;
  const sa_fn *fn;
  sa_sync *sync;
  sa_val block, creation;
  const sa_sync_result *order; /* of the block; NULL: not asked */
  sa_range made_at;
  bool device;          /* the block is known to be device memory */
  bool host;            /* the block is memory of the host */
  const bool *captured; /* per action: some stream is being captured there, on every way */
  uint32_t *steps;
  sa_release_notes releases;
} watch;

static const char *spelling(const watch *w, sa_val value) {
  return sa_value_spelling(w->an->world, value);
}

static const sa_action *action_at(const watch *w, uint32_t index) {
  return &w->sync->actions->list.at[index];
}

static sa_hazard *add(const watch *w, sa_hazard_kind kind, sa_range at) {
  sa_hazard hazard = {.kind = kind,
                      .func = w->fn->index,
                      .site_facts = SA_NO_INDEX,
                      .at = at,
                      .certain = true,
                      .block = spelling(w, w->block),
                      .stream = "",
                      .other_stream = ""};
  sa_timeline_subject subject = {.sync = w->sync,
                                 .order = w->order,
                                 .block = w->block,
                                 .creation = w->creation,
                                 .name = hazard.block,
                                 .made_at = w->made_at};
  if (sa_analysis_wants(w->an, at)) hazard.timeline = sa_timeline_draw(w->an, &subject);
  sa_push(w->an->arena, &w->an->out->hazards, hazard);
  return &w->an->out->hazards.at[w->an->out->hazards.n - 1];
}

__attribute__((format(printf, 5, 6))) static void
note(const watch *w, sa_hazard *hazard, sa_role role, sa_range at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = sa_vprintf(w->an->arena, format, args);
  va_end(args);
  sa_push(w->an->arena, &hazard->evidence, (sa_evidence){role, at, text});
}

static bool apart(const watch *w, sa_val a, sa_val b) {
  return sa_sync_same(w->sync, a, b) == SA_SAME_NO;
}

static bool surely_apart(const watch *w, sa_val a, sa_val b) {
  return sa_value_same(w->an->world, a, b) == SA_SAME_NO;
}

static bool follows(const watch *w, uint32_t first, uint32_t second) {
  const sa_action *a = action_at(w, first), *b = action_at(w, second);
  if (a->point == b->point) return first < second;
  if (++*w->steps > MAX_STEPS) return true; /* "after" is the answer that reports nothing */
  return sa_cfg_reaches(w->fn->cfg, w->an->arena, a->point, b->point);
}

/* The newest record of the event that can come before `index`, or SA_NO_INDEX. */
static uint32_t event_record_of(const watch *w, sa_val event, uint32_t index) {
  const sa_action_array *list = &w->sync->actions->list;
  for (uint32_t i = list->n; i-- > 0;)
    if (list->at[i].kind == SA_ACT_EVENT_RECORD && list->at[i].a == event && follows(w, i, index))
      return i;
  return SA_NO_INDEX;
}

/* Whether anything but event operations touches the event: then somebody else may record it. */
static bool event_is_ours(const watch *w, sa_val event) {
  const sa_value *v = sa_value_about(w->an->world, event);
  if (v->kind != SA_VAL_MADE || v->op != SA_OP_new_event || v->func != w->fn->index) return false;
  for (uint32_t b = 0; b < w->fn->cfg->n; b++)
    for (uint32_t i = 0; i < w->fn->func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &w->fn->func->blocks.at[b].insts.at[i];
      bool passes = inst->op == SA_OP_call || inst->op == SA_OP_lambda ||
                    inst->op == SA_OP_setfield || inst->op == SA_OP_append ||
                    inst->op == SA_OP_escape || inst->op == SA_OP_pack;
      const sa_val *args = &w->fn->args[w->fn->first[w->fn->cfg->base[b] + i]];
      for (uint32_t j = 0; passes && j < inst->nargs; j++)
        if (args[j] == event) return false;
    }
  return true;
}

typedef struct {
  uint32_t wrong_wait;  /* a wait for the lane's work by a third stream */
  uint32_t early_event; /* recorded on the lane's stream before the last use, waited for after it */
  uint32_t early_wait;
  bool unrecorded; /* the creation stream waits for an event that nobody has recorded yet */
} explanation;

/* Why the creation stream was not reached: the nearest miss that was made. */
static explanation explain(const watch *w, const sa_sync_lane *lane, uint32_t release) {
  const sa_action_array *list = &w->sync->actions->list;
  explanation e = {SA_NO_INDEX, SA_NO_INDEX, SA_NO_INDEX, false};
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    bool between = (action->kind == SA_ACT_EVENT_WAIT || action->kind == SA_ACT_STREAM_WAIT) &&
                   follows(w, lane->last_use, i) && follows(w, i, release);
    if (!between) continue;
    uint32_t mark = action->kind == SA_ACT_EVENT_WAIT ? event_record_of(w, action->b, i) : i;
    if (mark == SA_NO_INDEX)
      e.unrecorded |= action->a == w->creation && event_is_ours(w, action->b);
    if (mark == SA_NO_INDEX || action_at(w, mark)->b != lane->stream) continue;
    bool late = mark == i || follows(w, lane->last_use, mark);
    if (late && apart(w, action->a, w->creation) && action->a != lane->stream)
      e.wrong_wait = i;
    else if (!late && action->a == w->creation)
      e.early_event = mark, e.early_wait = i;
  }
  return e;
}

static void note_story(const watch *w, sa_hazard *h, const sa_sync_lane *lane, uint32_t release) {
  h->stream = spelling(w, lane->stream);
  h->other_stream = spelling(w, w->creation);
  note(w, h, SA_ROLE_CREATED, w->made_at, "'%s' is allocated here on stream '%s'", h->block,
       h->other_stream);
  note(w, h, SA_ROLE_USED, action_at(w, lane->last_use)->at, "work on stream '%s' uses '%s'",
       h->stream, h->block);
  note(w, h, SA_ROLE_RELEASE, action_at(w, release)->at, "the last handle of '%s' goes away here",
       h->block);
  h->reassigned = action_at(w, release)->kind == SA_ACT_ASSIGN;
}

static void report_release(const watch *w, const sa_sync_lane *lane, const sa_sync_end *end) {
  explanation e = explain(w, lane, end->action);
  sa_hazard *h;
  if (e.unrecorded) return; /* follow_events() says so at the wait */
  if (e.wrong_wait != SA_NO_INDEX) {
    h = add(w, SA_HAZARD_WAIT_ON_WRONG_STREAM, action_at(w, e.wrong_wait)->at);
    note(w, h, SA_ROLE_WAIT, h->at, "stream '%s' waits, which is not the creation stream",
         spelling(w, action_at(w, e.wrong_wait)->a));
  } else if (e.early_event != SA_NO_INDEX) {
    h = add(w, SA_HAZARD_EVENT_ORDER, action_at(w, e.early_event)->at);
    note(w, h, SA_ROLE_EVENT, h->at, "the event is recorded before the last use");
    note(w, h, SA_ROLE_WAIT, action_at(w, e.early_wait)->at, "the wait does not cover that use");
  } else {
    h = add(w, SA_HAZARD_UNORDERED_RELEASE, action_at(w, end->action)->at);
  }
  h->certain = surely_apart(w, lane->stream, w->creation);
  note_story(w, h, lane, end->action);
  if (e.wrong_wait != SA_NO_INDEX)
    h->other_stream = spelling(w, action_at(w, e.wrong_wait)->a); /* who waits instead */
}

static bool follow_release(const watch *w, const sa_sync_result *order) {
  for (uint32_t i = 0; i < order->ends.n; i++) {
    const sa_sync_end *end = &order->ends.at[i];
    if (!sa_release_is_unordered(w->sync, order, end, w->creation)) continue;
    report_release(w, &order->lanes.at[end->lane], end);
    return true;
  }
  return false;
}

static bool made_in(const watch *w, sa_val stream) {
  const sa_value *v = sa_value_about(w->an->world, stream);
  return v->kind == SA_VAL_MADE && v->func == w->fn->index;
}

/* Whether a use of a block that is only allocated comes too early. What reads wants what is not
 * written yet; what writes device memory can meet the last owner's work. Nobody else can have
 * ordered a stream that is made here. */
static bool comes_too_early(const watch *w, uint32_t index) {
  const sa_action *use = action_at(w, index);
  if (!made_in(w, use->b)) return false;
  return !use->written || (w->device && !made_in(w, w->creation) && !w->captured[index]);
}

static void follow_data(const watch *w) {
  const sa_sync_result *ready = sa_sync_ready(w->sync, w->block, w->creation);
  for (uint32_t i = 0; i < ready->ends.n && ready->unknown == NULL; i++) {
    const sa_sync_end *end = &ready->ends.at[i];
    const sa_sync_lane *lane = &ready->lanes.at[end->lane];
    const sa_action *use = action_at(w, end->action);
    bool allocation_only =
        lane->first_use == SA_NO_INDEX || !follows(w, lane->first_use, end->action);
    if (!end->exact || !apart(w, lane->stream, use->b)) continue;
    if (allocation_only && !comes_too_early(w, end->action)) continue;
    if (w->host && lane->stream == w->creation) continue; /* the host fills it itself */
    sa_hazard *h = add(w, SA_HAZARD_READ_BEFORE_READY, use->at);
    h->certain = surely_apart(w, lane->stream, use->b) && !(allocation_only && use->written);
    h->stream = spelling(w, use->b);
    h->other_stream = spelling(w, lane->stream);
    if (!allocation_only)
      note(w, h, SA_ROLE_CREATED, action_at(w, lane->last_use)->at,
           "work on stream '%s' writes '%s'", h->other_stream, h->block);
    else
      note(w, h, SA_ROLE_CREATED, w->made_at, "'%s' is allocated here on stream '%s'", h->block,
           h->other_stream);
    note(w, h, SA_ROLE_USED, use->at, "stream '%s' uses it without waiting", h->stream);
    return;
  }
}

/* A wait right behind the side work, with work on the creation stream only after it. */
static void follow_overlap(const watch *w, const sa_sync_result *order) {
  const sa_action_array *list = &w->sync->actions->list;
  if (order->lanes.n != 1 || order->unknown != NULL || order->releases.n == 0) return;
  const sa_sync_lane *lane = &order->lanes.at[0];
  uint32_t wait = SA_NO_INDEX, release = order->releases.at[0];
  uint32_t home = sa_cfg_block_of(w->fn->cfg, list->at[lane->last_use].point);
  for (uint32_t i = lane->last_use + 1; i < list->n && wait == SA_NO_INDEX; i++) {
    const sa_action *action = &list->at[i];
    if (sa_cfg_block_of(w->fn->cfg, action->point) != home) return;
    if (action->kind == SA_ACT_OPAQUE) return;
    if (action->kind == SA_ACT_USE && action->b == w->creation) return;
    if ((action->kind == SA_ACT_STREAM_WAIT && action->b == lane->stream) ||
        action->kind == SA_ACT_EVENT_WAIT)
      wait = i;
  }
  /* A wait in a callee serves all its callers. */
  if (wait == SA_NO_INDEX || list->at[wait].a != w->creation || list->at[wait].via != SA_NO_INDEX)
    return;
  uint32_t later = 0;
  for (uint32_t i = wait + 1; i < release; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind == SA_ACT_USE && action->b == w->creation) {
      /* Work that needs what the side stream made has to wait anyway. */
      if (sa_sync_touches(w->sync, action->a, w->block) != SA_SAME_NO) return;
      for (uint32_t j = 0; j < wait; j++)
        if (list->at[j].kind == SA_ACT_USE && list->at[j].written &&
            list->at[j].b == lane->stream &&
            sa_value_covers(w->an->world, action->a, list->at[j].a) != SA_SAME_NO)
          return;
      later++;
    }
  }
  if (later == 0) return;
  sa_hazard *h = add(w, SA_HAZARD_WAIT_TOO_EARLY, list->at[wait].at);
  h->certain = surely_apart(w, lane->stream, w->creation);
  h->stream = spelling(w, lane->stream);
  h->other_stream = spelling(w, w->creation);
  note(w, h, SA_ROLE_USED, list->at[lane->last_use].at, "the last work on stream '%s' uses '%s'",
       h->stream, h->block);
  note(w, h, SA_ROLE_RELEASE, list->at[release].at, "'%s' is needed up to here", h->block);
}

/* Whether that stream is being captured where the action stands. What is allocated then lies in the
 * graph's own pool, and work on it runs when the graph is launched, on the stream that launches. */
static bool in_capture_of(const watch *w, uint32_t index, sa_val stream) {
  for (uint32_t i = index; w->captured[index] && i-- > 0;) {
    const sa_action *action = action_at(w, i);
    bool begin = action->kind == SA_ACT_CAPTURE_BEGIN;
    if ((begin || action->kind == SA_ACT_CAPTURE_END) && action->a == stream) return begin;
  }
  return false;
}

static bool is_copy_made(const char *text) {
  return strcmp(text, "copy") == 0 || strcmp(text, "upload") == 0;
}

/* Made by a function that was told no device, or computed from such blocks alone: on the host,
 * unless the program has named a default device somewhere. */
static bool is_unplaced(const sa_world *world, sa_val value, int depth) {
  const sa_value *v = sa_value_about(world, value);
  if (v->kind != SA_VAL_MADE || v->op != SA_OP_alloc || depth > 8) return false;
  const sa_fn *fn = &world->fns[v->func];
  const char *text = sa_cfg_inst_at(fn->cfg, v->at)->text;
  if (strcmp(text, "unplaced") == 0 || strcmp(text, "host") == 0) return true;
  uint32_t next = v->at + 1, block = sa_cfg_block_of(fn->cfg, v->at);
  if (is_copy_made(text) || next >= fn->cfg->base[block + 1]) return false;
  const sa_ir_inst *work = sa_cfg_inst_at(fn->cfg, next);
  const sa_val *args = &fn->args[fn->first[next]];
  if (work->op != SA_OP_use || work->nargs < 3 || args[1] != value) return false;
  bool any = false;
  for (uint32_t i = 2; i < work->nargs; i++) {
    if (sa_value_about(world, args[i])->kind == SA_VAL_CONST) continue;
    if (!is_unplaced(world, args[i], depth + 1)) return false;
    any = true;
  }
  return any;
}

/* Whether the block is copied to where it is wanted: `x.to(device)`, `x.cuda()`. */
static bool is_uploaded(const watch *w) {
  const sa_action_array *list = &w->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *copy = &list->at[i];
    bool made = copy->kind == SA_ACT_ALLOC && copy->via == SA_NO_INDEX && is_copy_made(copy->text);
    for (uint32_t j = i + 1; made && j < list->n; j++) {
      const sa_action *use = &list->at[j];
      if (sa_range_compare(use->at, copy->at) != 0) break;
      if (use->kind == SA_ACT_USE && use->a == w->block) return true;
    }
  }
  return false;
}

static void follow_blocks(watch *w) {
  uint32_t asked = 0;
  for (uint32_t i = 0; i < w->sync->actions->list.n && asked < MAX_BLOCKS_ASKED; i++) {
    const sa_action *action = action_at(w, i);
    const sa_value *v = sa_value_about(w->an->world, action->a);
    bool ours = action->kind == SA_ACT_ALLOC && !action->unseen && v->op == SA_OP_alloc &&
                v->kind == SA_VAL_MADE && v->func == w->fn->index && action->b != 0;
    if (!ours || in_capture_of(w, i, action->b)) continue;
    asked++;
    w->block = action->a;
    w->creation = action->b;
    w->made_at = action->at;
    w->device = strcmp(action->text, "device") == 0;
    w->host = strcmp(action->text, "host") == 0;
    if (!w->host && is_unplaced(w->an->world, w->block, 0) && is_uploaded(w)) continue;
    w->order = sa_sync_run(w->sync, w->block, w->creation, true);
    if (!w->host) {
      sa_release_note(&w->releases, w->order, w->block, w->creation, w->made_at);
      if (!follow_release(w, w->order)) follow_overlap(w, w->order);
    }
    follow_data(w);
  }
}

/* Blocks from outside: only what this function writes and uses itself can be judged. */
static void follow_params(watch *w) {
  w->host = false;
  const sa_ir_func *func = w->fn->func;
  for (sa_reg reg = 1; reg <= func->nparams; reg++) {
    if (func->regs.at[reg].type.kind != SA_TYPE_TENSOR || func->regs.at[reg].type.many) continue;
    w->block = sa_value_of(w->an->world,
                           &(sa_value){.kind = SA_VAL_PARAM, .func = w->fn->index, .at = reg});
    w->creation = 0;
    w->order = NULL;
    w->made_at = func->regs.at[reg].at;
    follow_data(w);
  }
}

static bool is_own_tensor(const sa_world *world, const sa_value *v) {
  return v->kind == SA_VAL_FIELD && v->type.kind == SA_TYPE_TENSOR && !v->type.many &&
         sa_value_about(world, v->args[0])->kind == SA_VAL_THIS;
}

/* Blocks that the object keeps, likewise: what is said rests on a write and a use that both stand
 * here, and nothing is said of the release, which may be another method's. */
static void follow_fields(watch *w) {
  sa_val asked[MAX_FIELDS_ASKED];
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->sync->actions->list.n && n < MAX_FIELDS_ASKED; i++) {
    const sa_action *action = action_at(w, i);
    bool own = action->kind == SA_ACT_USE && action->written && !action->unseen &&
               is_own_tensor(w->an->world, sa_value_about(w->an->world, action->a));
    for (uint32_t j = 0; own && j < n; j++) own = asked[j] != action->a;
    if (!own) continue;
    w->block = asked[n++] = action->a;
    w->creation = 0;
    w->order = NULL;
    w->made_at = action->at;
    follow_data(w);
  }
}

/* What follows is about events alone. */
static void forget_block(watch *w) {
  w->block = w->creation = 0;
  w->order = NULL;
  w->made_at = (sa_range){0};
}

static void follow_events(watch *w) {
  const sa_action_array *list = &w->sync->actions->list;
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    sa_val event = action->kind == SA_ACT_EVENT_WAIT   ? action->b
                   : action->kind == SA_ACT_SYNC_EVENT ? action->a
                                                       : 0;
    if (event == 0 || !event_is_ours(w, event)) continue;
    if (event_record_of(w, event, i) != SA_NO_INDEX) continue;
    forget_block(w);
    sa_hazard *h = add(w, SA_HAZARD_EVENT_ORDER, action->at);
    h->stream = action->kind == SA_ACT_EVENT_WAIT ? spelling(w, action->a) : "";
    note(w, h, SA_ROLE_WAIT, action->at, "event '%s' was not recorded before this wait",
         spelling(w, event));
  }
}

/* Per action, whether some capture is open there on every way. */
static const bool *find_captured(const watch *w) {
  const sa_actions *actions = w->sync->actions;
  const sa_cfg *cfg = w->fn->cfg;
  bool *open = sa_alloc(w->an->arena, cfg->n + 1);
  bool *captured = sa_alloc(w->an->arena, actions->list.n + 1);
  for (uint32_t i = 0; i < cfg->rpo.n; i++) {
    uint32_t block = cfg->rpo.at[i];
    bool inside = block != 0;
    for (uint32_t j = 0; j < cfg->preds[block].n; j++) {
      uint32_t pred = cfg->preds[block].at[j];
      if (cfg->order[pred] < cfg->order[block]) inside &= open[pred]; /* turns of a loop agree */
    }
    for (uint32_t j = actions->first[block]; j < actions->end[block]; j++) {
      if (actions->list.at[j].kind == SA_ACT_CAPTURE_BEGIN) inside = true;
      if (actions->list.at[j].kind == SA_ACT_CAPTURE_END) inside = false;
      captured[j] = inside;
    }
    open[block] = inside;
  }
  return captured;
}

/* Asking or stopping the host while a capture is open. */
static void follow_capture(watch *w) {
  for (uint32_t i = 0; i < w->sync->actions->list.n; i++) {
    const sa_action *action = action_at(w, i);
    bool breaks = action->kind == SA_ACT_QUERY || action->kind == SA_ACT_SYNC_EVENT ||
                  action->kind == SA_ACT_SYNC_STREAM || action->kind == SA_ACT_SYNC_DEVICE;
    /* A callee that asks under a condition may ask whether a capture is open. */
    if (!w->captured[i] || !breaks || action->maybe) continue;
    forget_block(w);
    sa_hazard *h = add(w, SA_HAZARD_QUERY_IN_CAPTURE, action->at);
    h->stream = spelling(w, action->a);
    h->certain = true;
  }
}

static bool is_made_at(const sa_evidence_array *evidence, sa_range made) {
  for (uint32_t i = 0; i < evidence->n && sa_range_known(made); i++)
    if (evidence->at[i].role == SA_ROLE_CREATED && sa_range_compare(evidence->at[i].at, made) == 0)
      return true;
  return false;
}

static bool share_creation(const sa_evidence_array *a, const sa_evidence_array *b) {
  for (uint32_t i = 0; i < a->n; i++)
    if (a->at[i].role == SA_ROLE_CREATED && is_made_at(b, a->at[i].at)) return true;
  return false;
}

/* The wrong record says it all: the release itself needs no second report. One variable can hold
 * several blocks, so the record names all that the reports told of. */
static void drop_release_report(sa_analysis *an, sa_hazard *wrong) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < an->out->hazards.n; i++) {
    const sa_hazard *h = &an->out->hazards.at[i];
    bool same =
        h->kind == SA_HAZARD_UNORDERED_RELEASE && h->func == wrong->func &&
        (strcmp(h->block, wrong->block) == 0 || share_creation(&h->evidence, &wrong->evidence));
    if (!same) an->out->hazards.at[kept++] = *h;
    for (uint32_t k = 0; same && k < h->evidence.n; k++)
      if (h->evidence.at[k].role == SA_ROLE_CREATED)
        sa_evidence_add(an->arena, &wrong->evidence, &h->evidence.at[k]);
  }
  an->out->hazards.n = kept;
}

/* Path by path, every release of the block that is seen is covered: the uncovered use and the
 * release exclude each other. */
static bool is_refuted(const sa_analysis *an, const sa_site_facts *facts) {
  bool named = false, made = false, all_named = true, all_made = true;
  for (uint32_t i = 0; i < an->out->releases.n; i++) {
    const sa_release_facts *release = &an->out->releases.at[i];
    bool covered = release->state == SA_RELEASE_COVERED;
    if (release->func != facts->func) continue;
    if (strcmp(release->block, facts->block) == 0) named = true, all_named &= covered;
    if (is_made_at(&facts->evidence, release->made_at)) made = true, all_made &= covered;
  }
  /* One variable can hold several blocks: where each is made tells them apart. */
  return made ? all_made : named && all_named;
}

static void judge_site(sa_analysis *an, uint32_t index) {
  const sa_site_facts *facts = &an->out->sites.at[index];
  bool ours = facts->kind == SA_SITE_CALL || facts->kind == SA_SITE_HELPER_CALL ||
              facts->kind == SA_SITE_MACRO;
  if (!facts->analysed || !ours) return;
  sa_hazard hazard = {.kind = SA_HAZARD_COUNT,
                      .func = facts->func,
                      .site_facts = index,
                      .at = facts->at,
                      .block = facts->block,
                      .stream = facts->recorded_stream,
                      .other_stream = facts->creation_stream,
                      .timeline = facts->timeline};
  bool gone = sa_facts_are(facts, SA_FACT_release, "scope-end") ||
              sa_facts_are(facts, SA_FACT_release, "reset") ||
              sa_facts_are(facts, SA_FACT_release, "reassign") ||
              sa_facts_are(facts, SA_FACT_release, "clear") ||
              sa_facts_are(facts, SA_FACT_release, "resize") ||
              sa_facts_are(facts, SA_FACT_release, "free");
  if (sa_facts_are(facts, SA_FACT_captured, "yes") && gone) {
    hazard.kind = SA_HAZARD_DEFERRED_IN_CAPTURE;
    hazard.certain = true;
  } else if (sa_facts_are(facts, SA_FACT_side_use, "no") &&
             sa_facts_are(facts, SA_FACT_other_use, "yes") &&
             sa_facts_are(facts, SA_FACT_same_stream, "no") &&
             sa_facts_are(facts, SA_FACT_origin, "local") &&
             sa_facts_are(facts, SA_FACT_escape, "none") && !is_refuted(an, facts)) {
    hazard.kind = SA_HAZARD_WRONG_STREAM_RECORDED;
    hazard.other_stream = facts->uncovered_stream;
    hazard.certain = sa_facts_are(facts, SA_FACT_loop, "no");
  }
  if (hazard.kind == SA_HAZARD_COUNT) return;
  for (uint32_t i = 0; i < facts->evidence.n; i++)
    sa_push(an->arena, &hazard.evidence, facts->evidence.at[i]);
  if (hazard.kind == SA_HAZARD_WRONG_STREAM_RECORDED && hazard.certain)
    drop_release_report(an, &hazard);
  sa_push(an->arena, &an->out->hazards, hazard);
}

static int compare_hazards(const void *a, const void *b) {
  const sa_hazard *x = a, *y = b;
  int order = sa_range_compare(x->at, y->at);
  if (order == 0) order = (int)x->kind - (int)y->kind;
  return order != 0 ? order : strcmp(x->block, y->block);
}

void sa_hazard_watch(sa_analysis *an, uint32_t func) {
  uint32_t steps = 0;
  watch w = {.an = an, .fn = &an->world->fns[func], .steps = &steps};
  bool skip = !w.fn->valued || (w.fn->func->flags & SA_FUNC_HEADER) != 0 ||
              !an->actions->of[func].has_streams;
  if (skip) return;
  w.sync = sa_analysis_sync(an, w.fn);
  if (w.sync->too_many) return;
  w.captured = find_captured(&w);
  w.releases = sa_release_begin(an, w.fn, w.sync);
  follow_blocks(&w);
  sa_release_end(&w.releases);
  follow_params(&w);
  follow_fields(&w);
  follow_events(&w);
  follow_capture(&w);
}

void sa_hazard_run(sa_analysis *an) {
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) sa_hazard_watch(an, f);
  sa_split_run(an);
  for (uint32_t i = 0; i < an->out->sites.n; i++) judge_site(an, i);
  for (uint32_t i = 0; i < an->out->hazards.n; i++)
    sa_evidence_sort(&an->out->hazards.at[i].evidence);
  if (an->out->hazards.n > 0)
    qsort(an->out->hazards.at, an->out->hazards.n, sizeof *an->out->hazards.at, compare_hazards);
}
