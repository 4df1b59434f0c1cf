/* From verdicts to edits (DESIGN 4.7). This stage says what could be done; whether it does what it
 * should is found by analysing the edited text again, which the caller does: a plan's candidates
 * come best first, and the first one that holds is offered. Leaves facts and sites alone. */
#ifndef SA_REWRITE_REWRITE_H
#define SA_REWRITE_REWRITE_H

#include "model/edit.h"
#include "model/finding.h"

/* One way to do it. */
typedef struct {
  sa_splices
      ordering;   /* puts the order in and leaves the calls; empty: the order is there already */
  sa_splices all; /* the whole change */
  bool keeps;     /* no order is put in: with `ordering`, a holder keeps the block behind a wait */
} sa_candidate;

typedef enum {
  SA_PLAN_DELETE, /* the call does nothing, or the order is there: it goes */
  SA_PLAN_ORDER,  /* an event orders the release, and the call goes */
  SA_PLAN_STREAM, /* the call names another stream; it stays */
  SA_PLAN_EVENT   /* an event is recorded at another place */
} sa_plan_kind;

/* What is to be done about some sites of one function, or about one finding. */
typedef struct {
  sa_plan_kind kind;
  SA_ARRAY(uint32_t) sites;   /* indices into the unit's sites; they get the same edits */
  SA_ARRAY(uint32_t) retired; /* sites in helpers that nobody calls any more and that go too */
  uint32_t finding;           /* index into the result's findings, SA_NO_INDEX: the sites' own */
  SA_ARRAY(sa_candidate) candidates;
  const char *refused; /* why there is no candidate, or NULL */
} sa_plan;

typedef SA_ARRAY(sa_plan) sa_plans;

/* One unit that was judged. */
typedef struct {
  sa_arena *arena;
  const sa_ruleset *rules;
  const sa_ir_unit *unit;
  const sa_facts *facts;
  const sa_result *result; /* its sites in the order of facts->sites, from the first on */
  const char *text;
  size_t length;
  const char *language;
  struct sa_shape **whole; /* where the shape of the text is kept for the next question */
} sa_rewrite_input;

/* Plans for every finding that an edit could settle; `wanted` says which findings count (by index;
 * NULL: all). Sorted by place. */
sa_plans sa_rewrite_plan(const sa_rewrite_input *input, const bool *wanted);

/* `plan` of several sites, one of `plans`, did not hold, so each site gets a plan of its own. */
sa_plans sa_rewrite_split(const sa_rewrite_input *input, const sa_plans *plans,
                          const sa_plan *plan);

#endif
