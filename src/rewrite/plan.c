/* What could be done about each finding. */
#include "model/names.h"
#include "rewrite/order.h"
#include "rewrite/stash.h"

#include <string.h>

/* Findings of these rules are settled by taking the call out. */
static const char *const NO_USE[] = {"SA201", "SA202"};
static const char AVOIDABLE[] = "SA101", WRONG_STREAM[] = "SA203", EVENT_ORDER[] = "SA304";

typedef struct {
  const sa_rewrite_input *in;
  sa_plans plans;
} planner;

static const char *rule_of(const planner *p, const bool *wanted, uint32_t site) {
  const sa_result *r = p->in->result;
  for (uint32_t i = 0; i < r->findings.n; i++)
    if (r->findings.at[i].site != NULL && (wanted == NULL || wanted[i]) &&
        strcmp(r->findings.at[i].site, r->sites.at[site].id) == 0 &&
        strcmp(r->findings.at[i].rule->id, "SA3") < 0)
      return r->findings.at[i].rule->id;
  return NULL;
}

static uint32_t finding_of(const planner *p, uint32_t site) {
  const sa_result *r = p->in->result;
  for (uint32_t i = 0; i < r->findings.n; i++)
    if (r->findings.at[i].site != NULL &&
        strcmp(r->findings.at[i].site, r->sites.at[site].id) == 0 &&
        strcmp(r->findings.at[i].rule->id, WRONG_STREAM) == 0)
      return i;
  return SA_NO_INDEX;
}

static const char *unfit(const planner *p, const sa_site_facts *facts) {
  if (facts->kind == SA_SITE_MACRO) return "the call stands in a macro";
  /* What runs later may use the block again after it: the record call covers that, an event not. */
  int closure = facts->facts[SA_FACT_closure].word;
  if (closure == sa_fact_word_index(SA_FACT_closure, "deferred") ||
      closure == sa_fact_word_index(SA_FACT_closure, "passed"))
    return "the call stands in a closure that somebody else runs";
  if (facts->at.file != 0 || facts->at.end_offset <= facts->at.offset ||
      facts->at.end_offset > p->in->length)
    return "the call does not stand in this file";
  return NULL;
}

/* Python says little of what a call that is not seen does with what it is given: nothing is ordered
 * for work that is only guessed, or for a block that somebody else owns. */
static const char *unsure(const planner *p, const sa_site_facts *facts) {
  if (strcmp(p->in->language, "python") != 0) return NULL;
  if (!sa_facts_are(facts, SA_FACT_side_use, "yes") &&
      !sa_facts_are(facts, SA_FACT_other_use, "yes"))
    return "no work on the recorded stream is seen that is sure to use the block";
  if (!sa_facts_are(facts, SA_FACT_escape, "none") && !sa_facts_are(facts, SA_FACT_escape, "moved"))
    return "the block leaves the function";
  if (sa_facts_are(facts, SA_FACT_element, "yes") &&
      sa_facts_are(facts, SA_FACT_release, "unknown"))
    return "where the elements are released is not seen";
  return sa_facts_are(facts, SA_FACT_release, "owner") ? "the owner of the block may use it later"
                                                       : NULL;
}

/* The text of the stream in the call itself, or NULL. */
static const char *argument_of(const planner *p, const sa_shape *shape,
                               const sa_site_facts *facts) {
  const sa_ruleset *rules = p->in->rules;
  for (uint32_t i = 0; i < rules->apis.n; i++) {
    const sa_api *api = &rules->apis.at[i];
    if (!sa_name_span_matches(api->name, (sa_span){facts->api, strlen(facts->api)})) continue;
    for (uint32_t k = 0; k < api->effects.n; k++)
      if (api->effects.at[k].op == SA_OP_record &&
          api->effects.at[k].operands[1].kind == SA_FROM_ARG)
        return sa_spell_argument(p->in->arena, shape, facts->at.offset, facts->at.end_offset,
                                 api->effects.at[k].operands[1].index);
  }
  return NULL;
}

/* The stream that the call names, as it can be written elsewhere in the function. */
static const char *stream_of(const planner *p, const sa_shape *shape, const sa_site_facts *facts) {
  const char *known = facts->recorded_stream;
  if (facts->uncovered_stream[0] != '\0')
    return sa_spell_is_path(facts->uncovered_stream)
               ? sa_spell_member(p->in->arena, shape, facts->uncovered_stream, facts->at.offset)
               : NULL;
  if (!shape->suites && sa_spell_is_path(known) && sa_shape_has_word(shape, known)) return known;
  const char *argument = argument_of(p, shape, facts);
  bool direct = argument != NULL && facts->helper == SA_NO_INDEX && sa_spell_is_path(argument);
  if (!shape->suites || direct) return argument;
  return sa_spell_is_path(known) ? sa_spell_member(p->in->arena, shape, known, facts->at.offset)
                                 : NULL;
}

static sa_shape *shape_at(const planner *p, const sa_site_facts *facts) {
  return sa_shape_of(p->in, facts->at.offset);
}

static uint32_t times_used(const sa_shape *shape, sa_span name) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < shape->words.n; i++) {
    const sa_word *w = &shape->words.at[i];
    n += w->end - w->begin == name.length &&
         memcmp(shape->text + w->begin, name.at, name.length) == 0;
  }
  return n;
}

/* A static function that only forwarded to the record call would be left without a caller. */
const char *sa_retire_helper(const sa_rewrite_input *in, const sa_layout *layout, sa_plan *plan) {
  uint32_t helper = in->facts->sites.at[plan->sites.at[0]].helper;
  if (helper == SA_NO_INDEX || helper >= in->unit->funcs.n) return NULL;
  const sa_ir_func *func = &in->unit->funcs.at[helper];
  /* In Python a name that begins with '_' can still be imported; a function in a function not. */
  bool hidden =
      layout->shape->suites ? func->parent != SA_NO_INDEX : (func->flags & SA_FUNC_INTERNAL) != 0;
  bool ours = hidden && func->class_name == NULL;
  uint32_t calls = 0;
  for (uint32_t i = 0; i < plan->sites.n; i++)
    calls += in->facts->sites.at[plan->sites.at[i]].helper == helper;
  if (!ours || func->at.file != 0 || !sa_range_known(func->at)) return NULL;
  if (times_used(layout->shape, sa_last_component(func->name)) != calls + 1) return NULL;
  plan->retired.n = 0;
  for (uint32_t i = 0; i < in->facts->sites.n; i++)
    if (in->facts->sites.at[i].func == helper && in->facts->sites.at[i].helper == SA_NO_INDEX)
      sa_push(in->arena, &plan->retired, i);
  return sa_layout_delete_function(layout, func->at.offset, func->at.end_offset);
}

/* Needs plan->sites. */
static void plan_delete(planner *p, sa_plan *plan) {
  sa_arena *arena = p->in->arena;
  const sa_site_facts *facts = &p->in->facts->sites.at[plan->sites.at[0]];
  sa_layout_call *calls = sa_alloc(arena, plan->sites.n * sizeof *calls);
  for (uint32_t i = 0; i < plan->sites.n && plan->refused == NULL; i++) {
    const sa_site_facts *one = &p->in->facts->sites.at[plan->sites.at[i]];
    plan->refused = unfit(p, one);
    calls[i] = (sa_layout_call){one->at.offset, one->at.end_offset};
  }
  sa_shape *shape = plan->refused == NULL ? shape_at(p, facts) : NULL;
  if (shape != NULL) plan->refused = shape->unsound;
  if (plan->refused != NULL) return;
  sa_candidate candidate = {0};
  sa_layout l = {arena, p->in->rules, shape, &candidate.all};
  plan->refused = sa_layout_delete(&l, calls, plan->sites.n);
  if (plan->refused == NULL) plan->refused = sa_retire_helper(p->in, &l, plan);
  if (plan->refused == NULL) sa_push(arena, &plan->candidates, candidate);
}

static bool is_useless(const char *rule) {
  for (size_t k = 0; rule != NULL && k < sizeof NO_USE / sizeof *NO_USE; k++)
    if (strcmp(rule, NO_USE[k]) == 0) return true;
  return false;
}

/* Whether nothing but the statement's end and blanks stands between two calls. */
static bool is_next(const planner *p, const sa_site_facts *a, const sa_site_facts *b) {
  if (a->func != b->func || a->at.file != 0 || b->at.offset < a->at.end_offset) return false;
  if (b->at.offset > p->in->length) return false;
  for (uint32_t i = a->at.end_offset; i < b->at.offset; i++)
    if (strchr(" \t\r\n;", p->in->text[i]) == NULL) return false;
  return true;
}

/* Calls that follow each other go together. */
static void plan_deletes(planner *p, const bool *wanted, uint32_t first, bool *done) {
  const sa_facts *facts = p->in->facts;
  sa_plan plan = {.kind = SA_PLAN_DELETE, .finding = SA_NO_INDEX};
  sa_push(p->in->arena, &plan.sites, first);
  for (uint32_t i = first + 1; i < facts->sites.n && !done[i]; i++) {
    bool follows = is_next(p, &facts->sites.at[i - 1], &facts->sites.at[i]);
    if (!follows || !is_useless(rule_of(p, wanted, i))) break;
    sa_push(p->in->arena, &plan.sites, i);
    done[i] = true;
  }
  plan_delete(p, &plan);
  sa_push(p->in->arena, &p->plans, plan);
}

static bool same_place(const sa_site_facts *a, const sa_site_facts *b) {
  return a->func == b->func && strcmp(a->recorded_stream, b->recorded_stream) == 0;
}

static uint32_t twins_of(const planner *p, const sa_site_facts *facts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->plans.n; i++)
    n += p->plans.at[i].kind == SA_PLAN_ORDER &&
         same_place(&p->in->facts->sites.at[p->plans.at[i].sites.at[0]], facts);
  return n;
}

/* Needs plan->sites; all of them record on one stream in one function. */
static const char *plan_event(const planner *p, const sa_shape *shape, sa_plan *plan) {
  const sa_site_facts *facts = &p->in->facts->sites.at[plan->sites.at[0]];
  sa_order_input in = {.input = p->in, .shape = shape, .twins = twins_of(p, facts)};
  in.spelling = sa_spell_find(p->in->rules, facts->places.stream_type, p->in->language);
  if (in.spelling == NULL) return "there is no rewrite for streams of this type";
  in.stream = stream_of(p, shape, facts);
  return in.stream == NULL ? "the recorded stream has no expression of its own"
                           : sa_order_plan(&in, plan);
}

/* An event where the release is here. Where a holder can keep the block until it waits, a wait here
 * would end the overlap that the holder is for. */
static void plan_order(planner *p, sa_plan *plan) {
  const sa_site_facts *facts = &p->in->facts->sites.at[plan->sites.at[0]];
  for (uint32_t i = 0; i < plan->sites.n && plan->refused == NULL; i++) {
    plan->refused = unfit(p, &p->in->facts->sites.at[plan->sites.at[i]]);
    if (plan->refused == NULL)
      plan->refused = unsure(p, &p->in->facts->sites.at[plan->sites.at[i]]);
  }
  if (plan->refused != NULL) return;
  const sa_shape *shape = shape_at(p, facts);
  plan->refused = shape->unsound;
  if (plan->refused != NULL) return;
  bool held = plan->finding == SA_NO_INDEX && !shape->suites &&
              sa_stash_advice(p->in, plan->sites.at[0]) != NULL;
  plan->refused = held ? sa_keep_plan(p->in, shape, plan) : plan_event(p, shape, plan);
}

static bool same_group(const sa_site_facts *a, const sa_site_facts *b) {
  return a->func == b->func && strcmp(a->recorded_stream, b->recorded_stream) == 0 &&
         strcmp(a->creation_stream, b->creation_stream) == 0 &&
         strcmp(a->uncovered_stream, b->uncovered_stream) == 0 && a->recorded_stream[0] != '\0';
}

static void plan_group(planner *p, const bool *wanted, uint32_t first, bool *done) {
  sa_plan plan = {.kind = SA_PLAN_ORDER, .finding = SA_NO_INDEX};
  const sa_facts *facts = p->in->facts;
  for (uint32_t i = first; i < facts->sites.n; i++) {
    const char *rule = done[i] ? NULL : rule_of(p, wanted, i);
    if (rule == NULL || strcmp(rule, rule_of(p, wanted, first)) != 0) continue;
    if (i != first && !same_group(&facts->sites.at[first], &facts->sites.at[i])) continue;
    sa_push(p->in->arena, &plan.sites, i);
    done[i] = true;
  }
  if (strcmp(rule_of(p, wanted, first), WRONG_STREAM) == 0) plan.finding = finding_of(p, first);
  plan_order(p, &plan);
  sa_push(p->in->arena, &p->plans, plan);
}

sa_plans sa_rewrite_plan(const sa_rewrite_input *input, const bool *wanted) {
  planner p = {.in = input};
  bool *done = sa_alloc(input->arena, input->facts->sites.n + 1);
  for (uint32_t i = 0; i < input->facts->sites.n; i++) {
    const char *rule = done[i] ? NULL : rule_of(&p, wanted, i);
    if (rule == NULL) continue;
    if (strcmp(rule, AVOIDABLE) == 0 || strcmp(rule, WRONG_STREAM) == 0)
      plan_group(&p, wanted, i, done);
    if (is_useless(rule)) plan_deletes(&p, wanted, i, done);
  }
  for (uint32_t i = 0; i < input->result->findings.n; i++)
    if (strcmp(input->result->findings.at[i].rule->id, EVENT_ORDER) == 0 &&
        (wanted == NULL || wanted[i]))
      sa_plan_event(input, i, &p.plans);
  return p.plans;
}

sa_plans sa_rewrite_split(const sa_rewrite_input *input, const sa_plans *plans,
                          const sa_plan *plan) {
  planner p = {.in = input};
  for (uint32_t i = 0; i < plans->n; i++) sa_push(input->arena, &p.plans, plans->at[i]);
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    sa_plan one = {.kind = plan->kind, .finding = SA_NO_INDEX};
    sa_push(input->arena, &one.sites, plan->sites.at[i]);
    if (plan->kind == SA_PLAN_DELETE)
      plan_delete(&p, &one);
    else
      plan_order(&p, &one);
    sa_push(input->arena, &p.plans, one);
  }
  p.plans.at += plans->n;
  p.plans.n = p.plans.capacity = plan->sites.n;
  return p.plans;
}
