#include "analysis/site.h"

#include <stdlib.h>
#include <string.h>

static const char *block_spelling(const sa_site_study *s, sa_reg reg) {
  const char *name = reg != 0 ? s->fn->func->regs.at[reg].name : "";
  return name[0] != '\0' ? name : sa_value_spelling(s->an->world, s->block);
}

/* A lambda called on the spot is part of the function that calls it. */
static void find_home(sa_site_study *s) {
  const sa_world *world = s->an->world;
  s->home = s->fn;
  s->home_point = s->point;
  while (s->home->called_at != SA_NO_INDEX && !s->home->many_calls &&
         world->fns[s->home->func->parent].valued) {
    s->home_point = s->home->called_at;
    s->home = &world->fns[s->home->func->parent];
  }
  s->home_block = sa_cfg_block_of(s->home->cfg, s->home_point);
  for (s->outer = s->fn; s->outer->func->parent != SA_NO_INDEX;)
    s->outer = &world->fns[s->outer->func->parent];
}

static void find_record(sa_site_study *s) {
  const sa_action_array *list = &s->sync->actions->list;
  s->record = SA_NO_INDEX;
  for (uint32_t i = 0; i < list->n && s->record == SA_NO_INDEX; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind != SA_ACT_RECORD || action->point != s->home_point) continue;
    if (s->facts->site == SA_NO_INDEX || action->site == s->facts->site) s->record = i;
  }
}

/* Marks the blocks of home that can run after the call, by exceptions too. */
static void mark_reached(sa_site_study *s) {
  const sa_cfg *cfg = s->home->cfg;
  s->reached = sa_alloc(s->an->arena, cfg->n + 1);
  const sa_ir_block *block = &cfg->func->blocks.at[s->home_block];
  sa_index_array work = {0};
  for (uint32_t i = 0; i < block->succ.n; i++) sa_push(s->an->arena, &work, block->succ.at[i]);
  while (work.n > 0) {
    uint32_t at = work.at[--work.n];
    if (s->reached[at]) continue;
    s->reached[at] = true;
    const sa_ir_block *b = &cfg->func->blocks.at[at];
    for (uint32_t i = 0; i < b->succ.n; i++) sa_push(s->an->arena, &work, b->succ.at[i]);
  }
}

static void draw_timeline(sa_site_study *s) {
  sa_timeline_subject subject = {.sync = s->sync,
                                 .order = s->order,
                                 .block = s->block,
                                 .creation = s->creation,
                                 .stream = s->stream,
                                 .name = s->facts->block};
  for (uint32_t i = 0; i < s->facts->evidence.n && subject.made_at.line == 0; i++)
    if (s->facts->evidence.at[i].role == SA_ROLE_CREATED)
      subject.made_at = s->facts->evidence.at[i].at;
  s->facts->timeline = sa_timeline_draw(s->an, &subject);
}

/* Needs s->fn, point, block, stream. Runs every pass on one call. */
static void study(sa_site_study *s, sa_reg block_reg) {
  sa_val flag = 0;
  s->cfg_block = sa_cfg_block_of(s->fn->cfg, s->point);
  find_home(s);
  s->sync = sa_analysis_sync(s->an, s->home);
  s->facts->block = block_spelling(s, block_reg);
  find_record(s);
  mark_reached(s);
  sa_origin_find_creation(s);
  s->order = sa_sync_run(s->sync, s->block, s->creation, s->owned);
  sa_origin_run(s);
  sa_site_note(s, SA_ROLE_RECORD, s->facts->at, "'%s' is recorded on stream '%s'", s->facts->block,
               s->facts->recorded_stream);
  sa_flow_run(s);
  sa_guard_run(s, &flag);
  sa_keep_run(s, flag);
  sa_shape_run(s);
  sa_evidence_sort(&s->facts->evidence);
  if (sa_analysis_wants(s->an, s->facts->at)) draw_timeline(s);
}

static sa_site_facts blank(sa_site_kind kind) {
  return (sa_site_facts){.kind = kind,
                         .site = SA_NO_INDEX,
                         .func = SA_NO_INDEX,
                         .helper = SA_NO_INDEX,
                         .block = "",
                         .creation_stream = "",
                         .recorded_stream = "",
                         .uncovered_stream = "",
                         .api = ""};
}

/* A function that does nothing but record what it is given, for the stream that is current: where
 * several call it, each of them knows its block. */
static bool records_for_several(const sa_analysis *an, uint32_t func) {
  uint32_t n = 0;
  if (!an->actions->of[func].only_marks) return false;
  for (uint32_t i = 0; i < an->actions->callers[func].n; i++) {
    uint32_t caller = an->actions->callers[func].at[i].func;
    n += caller != func && an->world->fns[caller].valued;
  }
  return n > 1;
}

/* A closure of a forwarding function is a part of it: its callers are the sites. */
static bool is_forwarding(const sa_analysis *an, uint32_t func) {
  for (; func != SA_NO_INDEX; func = an->unit->funcs.at[func].parent)
    if (an->actions->of[func].forwards || records_for_several(an, func) ||
        (an->unit->funcs.at[func].flags & SA_FUNC_IS_RECORD) != 0)
      return true;
  return false;
}

/* The record number `skip` that the call makes in the functions it runs, or NULL. */
static const sa_action *record_through(const sa_analysis *an, const sa_fn *fn, uint32_t point,
                                       uint32_t skip) {
  const sa_action_array *list = &an->actions->of[fn->index].list;
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i].kind == SA_ACT_RECORD && list->at[i].point == point &&
        list->at[i].via != SA_NO_INDEX && skip-- == 0)
      return &list->at[i];
  return NULL;
}

/* The only call of a function that does nothing but record, calls by itself left out. */
static const sa_call *only_caller(const sa_analysis *an, const sa_fn *fn) {
  const sa_call *found = NULL;
  if (!an->actions->of[fn->index].only_records) return NULL;
  for (uint32_t i = 0; i < an->actions->callers[fn->index].n; i++) {
    const sa_call *call = &an->actions->callers[fn->index].at[i];
    if (call->func == fn->index) continue;
    if (found != NULL || !an->world->fns[call->func].valued) return NULL;
    found = call;
  }
  return found;
}

static void study_record(sa_analysis *an, const sa_fn *fn, uint32_t point, const sa_ir_inst *inst) {
  const sa_ir_site *site = &an->unit->sites.at[inst->site];
  sa_site_facts *facts = &an->out->sites.at[inst->site];
  facts->func = fn->index;
  facts->analysed =
      site->reason == NULL && fn->cfg->order[sa_cfg_block_of(fn->cfg, point)] != SA_NO_INDEX;
  if (is_forwarding(an, fn->index)) facts->kind = SA_SITE_FORWARDING;
  if (!facts->analysed) {
    if (facts->reason == NULL) facts->reason = "the call cannot be reached";
    return;
  }
  const sa_val *args = &fn->args[fn->first[point]];
  sa_site_study s = {
      .an = an, .facts = facts, .fn = fn, .point = point, .block = args[0], .stream = args[1]};
  const sa_call *caller = only_caller(an, fn);
  const sa_action *record =
      caller != NULL ? record_through(an, &an->world->fns[caller->func], caller->point, 0) : NULL;
  if (record != NULL) { /* where the block is known, it is judged */
    s.fn = &an->world->fns[caller->func];
    s.point = caller->point;
    s.block = record->a;
    s.stream = record->b;
    facts->at = sa_cfg_inst_at(s.fn->cfg, s.point)->at;
  }
  study(&s, record == NULL ? inst->args[0] : 0);
  facts->at = site->at;
  const char *comment = site->waived ? "waived" : site->justified ? "reason" : "none";
  sa_site_set(&s, SA_FACT_comment, comment, facts->at);
  sa_places_find(&s, inst->args[1] != 0 ? fn->func->regs.at[inst->args[1]].type.name : "");
  sa_holder_run(&s);
}

/* A row for every site of the unit, as much as the frontend says of it. */
static void add_unit_sites(sa_analysis *an) {
  for (uint32_t i = 0; i < an->unit->sites.n; i++) {
    const sa_ir_site *site = &an->unit->sites.at[i];
    sa_site_facts facts = blank(site->kind);
    facts.site = i;
    facts.func = site->func;
    facts.at = site->at;
    facts.api = site->api;
    facts.reason = site->reason;
    facts.analysed = site->reason == NULL && site->kind == SA_SITE_IMPLEMENTATION;
    if (facts.kind != SA_SITE_IMPLEMENTATION && is_forwarding(an, site->func))
      facts.kind = SA_SITE_FORWARDING;
    sa_push(an->arena, &an->out->sites, facts);
  }
}

/* Needs the unit's rows. Fills those of the sites that were lowered; the others get a reason. */
static void study_unit_sites(sa_analysis *an) {
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const sa_fn *fn = &an->world->fns[f];
    for (uint32_t b = 0; b < fn->func->blocks.n; b++) {
      for (uint32_t i = 0; i < fn->func->blocks.at[b].insts.n; i++) {
        const sa_ir_inst *inst = &fn->func->blocks.at[b].insts.at[i];
        if (inst->op != SA_OP_record || inst->site == SA_NO_INDEX) continue;
        if (fn->valued)
          study_record(an, fn, fn->cfg->base[b] + i, inst);
        else
          an->out->sites.at[inst->site].reason = "the function is too large";
      }
    }
  }
  for (uint32_t i = 0; i < an->out->sites.n; i++) {
    sa_site_facts *facts = &an->out->sites.at[i];
    if (!facts->analysed && facts->reason == NULL)
      facts->reason = "the call was not lowered to an operation";
  }
}

static bool stands_at_site(const sa_analysis *an, sa_range at) {
  for (uint32_t i = 0; i < an->unit->sites.n; i++)
    if (sa_range_known(at) && sa_range_compare(an->unit->sites.at[i].at, at) == 0) return true;
  return false;
}

static bool does_nothing(const sa_site_study *s) {
  return sa_site_is(s, SA_FACT_same_stream, "yes") || sa_site_is(s, SA_FACT_ordered, "yes");
}

/* A call of a forwarding helper is a site of its own: there the decision is made. Of several
 * records that the call makes, one that protects speaks for it. */
static void study_helper_call(sa_analysis *an, const sa_fn *fn, uint32_t point, uint32_t callee) {
  const sa_action *record = record_through(an, fn, point, 0);
  const sa_ir_inst *inst = sa_cfg_inst_at(fn->cfg, point);
  if (record == NULL || stands_at_site(an, inst->at)) return;
  sa_site_study s;
  uint32_t place = an->out->sites.n;
  sa_push(an->arena, &an->out->sites, ((sa_site_facts){0}));
  for (uint32_t next = 1; record != NULL; next++) {
    sa_site_facts *facts = &an->out->sites.at[place];
    *facts = blank(SA_SITE_HELPER_CALL);
    facts->func = fn->index;
    facts->helper = callee;
    facts->at = inst->at;
    facts->api = record->site != SA_NO_INDEX ? an->unit->sites.at[record->site].api : record->text;
    facts->analysed = true;
    s = (sa_site_study){.an = an,
                        .facts = facts,
                        .fn = fn,
                        .point = point,
                        .block = record->a,
                        .stream = record->b};
    study(&s, 0);
    record = does_nothing(&s) ? record_through(an, fn, point, next) : NULL;
  }
  /* Of several records one alone is judged, so nothing can be said about the call without them. */
  if (record_through(an, fn, point, 1) == NULL) sa_places_find(&s, "");
  sa_site_note(&s, SA_ROLE_CONTEXT, an->unit->funcs.at[callee].at, "'%s' only forwards to '%s'",
               an->unit->funcs.at[callee].name, s.facts->api);
}

static void study_helper_calls(sa_analysis *an) {
  for (uint32_t f = 0; f < an->unit->funcs.n; f++) {
    const sa_fn *fn = &an->world->fns[f];
    if (!fn->valued || (fn->func->flags & SA_FUNC_HEADER) != 0 || is_forwarding(an, f)) continue;
    for (uint32_t i = 0; i < fn->cfg->rpo.n; i++) {
      uint32_t b = fn->cfg->rpo.at[i];
      for (uint32_t p = fn->cfg->base[b]; p < fn->cfg->base[b + 1]; p++) {
        uint32_t skip = 0;
        if (sa_cfg_inst(fn->cfg, b, p)->op != SA_OP_call) continue;
        uint32_t callee = sa_value_callee(an->world, fn, p, &skip);
        if (callee != SA_NO_INDEX && is_forwarding(an, callee))
          study_helper_call(an, fn, p, callee);
      }
    }
  }
}

static int compare_sites(const void *a, const void *b) {
  const sa_site_facts *x = a, *y = b;
  int order = sa_range_compare(x->at, y->at);
  return order != 0 ? order : (x->site > y->site) - (x->site < y->site);
}

void sa_analyse(sa_facts *out, sa_arena *arena, const sa_ir_unit *unit, const sa_ruleset *rules) {
  sa_analyse_line(out, arena, unit, rules, 0);
}

void sa_analyse_line(sa_facts *out, sa_arena *arena, const sa_ir_unit *unit,
                     const sa_ruleset *rules, uint32_t line) {
  (void)rules; /* API models did their work in the frontend; the contract keeps them at hand */
  *out = (sa_facts){0};
  sa_analysis an = {.arena = arena, .unit = unit, .out = out, .line = line};
  /* Needs the unit. Fills cfg and value numbers of every function. */
  an.world = sa_value_run(arena, unit);
  /* Needs values. Fills actions and callers; sees through calls in the unit. */
  an.actions = sa_action_run(an.world);
  an.syncs = sa_alloc(arena, (unit->funcs.n + 1) * sizeof *an.syncs);
  /* Needs actions. Fills one row of facts per call; order is run per block. */
  add_unit_sites(&an);
  study_unit_sites(&an);
  study_helper_calls(&an);
  if (out->sites.n > 0) qsort(out->sites.at, out->sites.n, sizeof *out->sites.at, compare_sites);
  /* Needs sites. Fills hazards. */
  sa_hazard_run(&an);
}
