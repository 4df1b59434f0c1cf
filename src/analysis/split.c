/* Judges functions path by path, where their paths can be listed, and puts the answers together.
 *
 * On one path an answer is exact. A firm path is one that any caller can bring about: what goes
 * wrong there goes wrong. Of other paths nobody knows whether they are possible, so they must agree
 * before anything is reported. */
#include "analysis/paths.h"
#include "analysis/site.h"

#include <string.h>

enum { MAX_LENGTH = 20000, MAX_ALL = 100000 }; /* instructions: of a function, of a unit */

/* The paths of one function, as functions of the unit that is made for them. */
typedef struct {
  uint32_t func, first;
  sa_paths paths; /* firm also depends on who can call the function */
} split;

typedef SA_ARRAY(split) split_array;

/* One release or one hazard, over the paths of a function. */
typedef struct {
  sa_release_facts release;
  uint32_t paths, unordered, unknown;
  bool firm;            /* unordered on a firm path */
  uint32_t last;        /* path, plus one, that was counted last */
  sa_release_state now; /* what that path said so far */
} release_tally;

typedef struct {
  sa_hazard hazard;
  uint32_t paths, last;
  const sa_path *firm; /* the first firm path that has it, or NULL */
} hazard_tally;

typedef struct {
  SA_ARRAY(release_tally) releases;
  SA_ARRAY(hazard_tally) hazards;
} tally;

/* ---- the unit of paths ---- */

static bool about_releases(sa_hazard_kind kind) {
  return kind == SA_HAZARD_UNORDERED_RELEASE || kind == SA_HAZARD_WAIT_ON_WRONG_STREAM ||
         kind == SA_HAZARD_EVENT_ORDER || kind == SA_HAZARD_READ_BEFORE_READY;
}

/* The functions in which something was found, or was in doubt because paths meet. */
static bool *find_doubtful(const sa_analysis *an) {
  bool *doubtful = sa_alloc(an->arena, an->unit->funcs.n + 1);
  for (uint32_t i = 0; i < an->out->releases.n; i++) {
    const sa_release_facts *r = &an->out->releases.at[i];
    doubtful[r->func] |= r->state == SA_RELEASE_UNORDERED || r->joined;
  }
  for (uint32_t i = 0; i < an->out->hazards.n; i++)
    doubtful[an->out->hazards.at[i].func] |= about_releases(an->out->hazards.at[i].kind);
  return doubtful;
}

static void mark_needed(const sa_ir_unit *unit, sa_arena *arena, const sa_ir_func *from,
                        bool *needed) {
  SA_ARRAY(const sa_ir_func *) work = {0};
  sa_push(arena, &work, from);
  while (work.n > 0) {
    const sa_ir_func *func = work.at[--work.n];
    for (uint32_t b = 0; b < func->blocks.n; b++)
      for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
        uint32_t callee = func->blocks.at[b].insts.at[i].func;
        if (callee == SA_NO_INDEX || needed[callee]) continue;
        needed[callee] = true;
        sa_push(arena, &work, &unit->funcs.at[callee]);
      }
  }
}

/* A copy of the unit: the functions that paths still call, and the paths behind them. */
static sa_ir_unit *unit_of_paths(sa_analysis *an, split_array *splits) {
  sa_ir_unit *unit = sa_alloc(an->arena, sizeof *unit);
  uint32_t own = an->unit->funcs.n, left = MAX_ALL;
  const bool *doubtful = find_doubtful(an);
  bool *needed = sa_alloc(an->arena, own + 1);
  *unit = *an->unit;
  memset(&unit->funcs, 0, sizeof unit->funcs);
  for (uint32_t f = 0; f < own; f++) sa_push(an->arena, &unit->funcs, an->unit->funcs.at[f]);
  for (uint32_t f = 0; f < own; f++) {
    sa_paths paths;
    uint32_t limit = left < MAX_LENGTH ? left : MAX_LENGTH;
    bool built = doubtful[f] && sa_paths_build(&paths, an->arena, an->unit, f, limit);
    if (!built || !paths.changed) continue;
    left -= paths.length;
    bool known_callers = (an->unit->funcs.at[f].flags & SA_FUNC_INTERNAL) != 0;
    split one = {.func = f, .first = unit->funcs.n, .paths = paths};
    for (uint32_t i = 0; i < paths.at.n; i++) {
      one.paths.at.at[i].firm &= !known_callers || paths.at.n == 1;
      mark_needed(an->unit, an->arena, paths.at.at[i].func, needed);
      sa_push(an->arena, &unit->funcs, *paths.at.at[i].func);
    }
    sa_push(an->arena, splits, one);
  }
  for (uint32_t f = 0; f < own; f++)
    if (!needed[f]) memset(&unit->funcs.at[f].blocks, 0, sizeof unit->funcs.at[f].blocks);
  return unit;
}

/* ---- tallies ---- */

static release_tally *tally_of(sa_arena *arena, tally *t, const sa_release_facts *release) {
  for (uint32_t i = 0; i < t->releases.n; i++) {
    const sa_release_facts *known = &t->releases.at[i].release;
    if (sa_range_compare(known->at, release->at) == 0 &&
        sa_range_compare(known->made_at, release->made_at) == 0)
      return &t->releases.at[i];
  }
  sa_push(arena, &t->releases, ((release_tally){.release = *release}));
  return &t->releases.at[t->releases.n - 1];
}

static uint32_t badness(sa_release_state state) {
  return state == SA_RELEASE_COVERED ? 0 : state == SA_RELEASE_UNKNOWN ? 1 : 2;
}

/* A path that passes the place several times says the worst of it. */
static void settle(release_tally *r, bool firm) {
  r->paths++;
  r->unknown += r->now == SA_RELEASE_UNKNOWN;
  r->unordered += r->now == SA_RELEASE_UNORDERED;
  r->firm |= firm && r->now == SA_RELEASE_UNORDERED;
}

static void add_release(sa_arena *arena, tally *t, const sa_release_facts *release, uint32_t path) {
  release_tally *r = tally_of(arena, t, release);
  if (r->last != path + 1) r->now = SA_RELEASE_COVERED;
  r->last = path + 1;
  if (badness(release->state) > badness(r->now)) r->now = release->state;
  if (release->why != NULL) r->release.why = release->why;
}

static void add_hazard(sa_arena *arena, tally *t, const sa_hazard *hazard, uint32_t path,
                       const sa_path *on) {
  hazard_tally *found = NULL;
  for (uint32_t i = 0; i < t->hazards.n && found == NULL; i++) {
    const sa_hazard *known = &t->hazards.at[i].hazard;
    if (known->kind == hazard->kind && sa_range_compare(known->at, hazard->at) == 0 &&
        strcmp(known->block, hazard->block) == 0)
      found = &t->hazards.at[i];
  }
  if (found == NULL) {
    sa_push(arena, &t->hazards, ((hazard_tally){.hazard = *hazard}));
    found = &t->hazards.at[t->hazards.n - 1];
    memset(&found->hazard.evidence, 0, sizeof found->hazard.evidence);
  }
  /* One variable can hold several blocks, made and released at places of their own. */
  for (uint32_t i = 0; i < hazard->evidence.n; i++)
    sa_evidence_add(arena, &found->hazard.evidence, &hazard->evidence.at[i]);
  found->paths += found->last != path + 1;
  found->last = path + 1;
  if (found->firm == NULL && on->firm) found->firm = on;
}

/* What is made and released by one call is the callee's own, unless a loop comes to it again. */
static bool is_callees(const sa_release_facts *release) {
  return !release->reassigned && sa_range_known(release->made_at) &&
         sa_range_compare(release->at, release->made_at) == 0;
}

static sa_range evidence_at(const sa_hazard *hazard, sa_role role) {
  for (uint32_t i = 0; i < hazard->evidence.n; i++)
    if (hazard->evidence.at[i].role == role) return hazard->evidence.at[i].at;
  return (sa_range){0};
}

static void count_path(sa_analysis *an, tally *t, const sa_facts *said, uint32_t path,
                       const sa_path *on) {
  for (uint32_t i = 0; i < said->releases.n; i++)
    if (!is_callees(&said->releases.at[i])) add_release(an->arena, t, &said->releases.at[i], path);
  for (uint32_t i = 0; i < t->releases.n; i++)
    if (t->releases.at[i].last == path + 1) settle(&t->releases.at[i], on->firm);
  for (uint32_t i = 0; i < said->hazards.n; i++) {
    const sa_hazard *h = &said->hazards.at[i];
    sa_range made = evidence_at(h, SA_ROLE_CREATED), gone = evidence_at(h, SA_ROLE_RELEASE);
    bool callees = !h->reassigned && sa_range_known(gone) && sa_range_compare(made, gone) == 0;
    if (about_releases(h->kind) && !callees) add_hazard(an->arena, t, h, path, on);
  }
}

/* ---- answers ---- */

/* Whether every path that comes there has it. */
static bool on_every_path(const tally *t, const hazard_tally *h, uint32_t paths) {
  if (h->paths == paths) return true;
  sa_range gone = evidence_at(&h->hazard, SA_ROLE_RELEASE);
  sa_range made = evidence_at(&h->hazard, SA_ROLE_CREATED);
  for (uint32_t i = 0; i < t->releases.n && sa_range_known(gone); i++) {
    const release_tally *r = &t->releases.at[i];
    if (sa_range_compare(r->release.at, gone) == 0 &&
        sa_range_compare(r->release.made_at, made) == 0)
      return r->unordered == r->paths;
  }
  return false;
}

/* What happens on some paths only is said with the case in which it happens. */
static void add_case(sa_analysis *an, sa_hazard *hazard, const sa_path *path) {
  hazard->certain = false;
  if (path->when == NULL) return;
  const char *text = sa_printf(an->arena, "this happens when %s", path->when);
  sa_push(an->arena, &hazard->evidence, ((sa_evidence){SA_ROLE_CONTEXT, path->when_at, text}));
}

/* Takes the function's own answers, which had to be careful, out. */
static void forget(sa_analysis *an, uint32_t func) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < an->out->hazards.n; i++) {
    sa_hazard h = an->out->hazards.at[i];
    if (h.func != func || !about_releases(h.kind)) an->out->hazards.at[kept++] = h;
  }
  an->out->hazards.n = kept;
  kept = 0;
  for (uint32_t i = 0; i < an->out->releases.n; i++)
    if (an->out->releases.at[i].func != func)
      an->out->releases.at[kept++] = an->out->releases.at[i];
  an->out->releases.n = kept;
}

/* Whether a path has something of that kind about the same release or use. */
static bool is_confirmed(const tally *t, const sa_hazard *hazard) {
  sa_range gone = evidence_at(hazard, SA_ROLE_RELEASE), made = evidence_at(hazard, SA_ROLE_CREATED);
  for (uint32_t i = 0; i < t->hazards.n; i++) {
    const sa_hazard *h = &t->hazards.at[i].hazard;
    bool ready = h->kind == SA_HAZARD_READ_BEFORE_READY;
    if (ready != (hazard->kind == SA_HAZARD_READ_BEFORE_READY)) continue;
    if (ready ? sa_range_compare(h->at, hazard->at) == 0
              : sa_range_compare(evidence_at(h, SA_ROLE_RELEASE), gone) == 0 &&
                    sa_range_compare(evidence_at(h, SA_ROLE_CREATED), made) == 0)
      return true;
  }
  return false;
}

static const release_tally *tally_at(const tally *t, const sa_release_facts *release) {
  for (uint32_t i = 0; i < t->releases.n; i++)
    if (sa_range_compare(t->releases.at[i].release.at, release->at) == 0 &&
        sa_range_compare(t->releases.at[i].release.made_at, release->made_at) == 0)
      return &t->releases.at[i];
  return NULL;
}

static void add_firm(sa_analysis *an, const split *s, const hazard_tally *h) {
  sa_hazard hazard = h->hazard;
  hazard.func = s->func;
  add_case(an, &hazard, h->firm);
  sa_push(an->arena, &an->out->hazards, hazard);
}

static void confirm_hazards(sa_analysis *an, const split *s, const tally *t) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < an->out->hazards.n; i++) {
    sa_hazard h = an->out->hazards.at[i];
    bool drop = h.func == s->func && about_releases(h.kind) && !is_confirmed(t, &h);
    if (!drop) an->out->hazards.at[kept++] = h;
  }
  an->out->hazards.n = kept;
  for (uint32_t i = 0; i < t->hazards.n; i++) {
    const hazard_tally *h = &t->hazards.at[i];
    bool known = h->firm == NULL;
    for (uint32_t k = 0; k < kept && !known; k++) {
      const sa_hazard *old = &an->out->hazards.at[k];
      tally one = {.hazards = {.at = (hazard_tally *)h, .n = 1}};
      known = old->func == s->func && about_releases(old->kind) && is_confirmed(&one, old);
    }
    if (!known) add_firm(an, s, h);
  }
}

/* Not all paths are there. What the function's own answer takes for unordered must be so on one of
 * them; what it doubts is unordered where it is so on a firm one. */
static void confirm(sa_analysis *an, const split *s, const tally *t) {
  for (uint32_t i = 0; i < an->out->releases.n; i++) {
    sa_release_facts *facts = &an->out->releases.at[i];
    if (facts->func != s->func) continue;
    const release_tally *r = tally_at(t, facts);
    if (facts->state == SA_RELEASE_UNORDERED && (r == NULL || r->unordered == 0)) {
      facts->state = SA_RELEASE_UNKNOWN;
      facts->why = "nothing covers it on some paths, and whether these are possible is not known";
    } else if (facts->state == SA_RELEASE_UNKNOWN && r != NULL && r->firm) {
      facts->state = SA_RELEASE_UNORDERED;
      facts->why = NULL;
    }
  }
  confirm_hazards(an, s, t);
}

static void answer(sa_analysis *an, const split *s, const tally *t) {
  forget(an, s->func);
  for (uint32_t i = 0; i < t->releases.n; i++) {
    const release_tally *r = &t->releases.at[i];
    sa_release_facts facts = r->release;
    facts.func = s->func;
    bool unordered = r->firm || r->unordered == r->paths;
    bool covered = r->unordered == 0 && r->unknown == 0;
    facts.state = unordered ? SA_RELEASE_UNORDERED
                  : covered ? SA_RELEASE_COVERED
                            : SA_RELEASE_UNKNOWN;
    if (facts.state != SA_RELEASE_UNKNOWN)
      facts.why = NULL;
    else if (facts.why == NULL)
      facts.why = "nothing covers it on some paths, and whether these are possible is not known";
    sa_push(an->arena, &an->out->releases, facts);
  }
  for (uint32_t i = 0; i < t->hazards.n; i++) {
    const hazard_tally *h = &t->hazards.at[i];
    bool everywhere = on_every_path(t, h, s->paths.at.n);
    if (!everywhere && h->firm == NULL) continue;
    sa_hazard hazard = h->hazard;
    hazard.func = s->func;
    if (!everywhere) add_case(an, &hazard, h->firm);
    sa_push(an->arena, &an->out->hazards, hazard);
  }
}

void sa_split_run(sa_analysis *an) {
  split_array splits = {0};
  sa_ir_unit *unit = unit_of_paths(an, &splits);
  if (splits.n == 0) return;
  sa_facts said = {0};
  sa_analysis paths = {.arena = an->arena, .unit = unit, .out = &said, .line = an->line};
  paths.world = sa_value_run(an->arena, unit);
  paths.actions = sa_action_run(paths.world);
  paths.syncs = sa_alloc(an->arena, (unit->funcs.n + 1) * sizeof *paths.syncs);
  for (uint32_t i = 0; i < splits.n; i++) {
    tally t = {0};
    for (uint32_t k = 0; k < splits.at[i].paths.at.n; k++) {
      said = (sa_facts){0};
      sa_hazard_watch(&paths, splits.at[i].first + k);
      count_path(an, &t, &said, k, &splits.at[i].paths.at.at[k]);
    }
    if (splits.at[i].paths.partial)
      confirm(an, &splits.at[i], &t);
    else
      answer(an, &splits.at[i], &t);
  }
}
