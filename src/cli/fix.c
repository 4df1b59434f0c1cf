/* In the worker: from verdicts to edits that hold. */
#include "cli/fix.h"

#include "base/hash.h"
#include "filter/filter.h"
#include "model/key.h"
#include "rewrite/proof.h"
#include "rewrite/rewrite.h"
#include "rewrite/stash.h"

#include <string.h>

/* A proof costs as much as the file itself did. Reports are written often, patches on request. */
enum { MAX_PROOFS = 60, MAX_PROOFS_OF_REPORT = 16, MAX_SITES_OF_REPORT = 200, MAX_CANDIDATES = 7 };

typedef struct {
  sa_judged *judged;
  sa_arena *arena;
  const sa_session *session;
  const sa_job *job;
  unsigned proofs, limit;
  sa_plans held; /* with the candidate that holds in candidates.at[0] */
} prover;

bool sa_fix_wanted(const sa_options *options) {
  bool structured = false;
  for (uint32_t i = 0; i < options->formats.n; i++)
    structured |= strcmp(options->formats.at[i].reporter->name, "json") == 0 ||
                  strcmp(options->formats.at[i].reporter->name, "sarif") == 0;
  bool reports = options->line == 0 && options->dump == 0;
  return options->diff || options->fix || ((options->show_fixes || structured) && reports);
}

/* The edited text, judged. Lives in `scratch`. NULL, or why it cannot be. */
static const char *judge_edited(const prover *p, sa_judged *out, sa_proof *proof, sa_arena *scratch,
                                const sa_splices *edits) {
  const sa_job *job = p->job;
  size_t length = 0;
  char *edited = sa_splices_apply(scratch, job->text, job->length, edits, &length);
  sa_job changed = *job;
  changed.text = edited;
  changed.length = length;
  if (sa_unit_again(out, scratch, p->session, &changed) != SA_OK)
    return "the edited text could not be parsed";
  *proof = (sa_proof){.before = &p->judged->result,
                      .after = &out->result,
                      .complaints_before = &p->judged->complaints,
                      .complaints_after = &out->complaints,
                      .edits = edits,
                      .text = job->text,
                      .edited = edited,
                      .length = job->length,
                      .edited_length = length};
  return NULL;
}

static const char *unkept(const sa_site *site) {
  if (site == NULL || (!site->kept && site->unkept == NULL)) return "no holder keeps the block";
  return site->kept ? NULL : site->unkept;
}

/* With the order put in and the calls still there, each call must have become redundant: ordered,
 * or kept by a holder until a wait. */
static const char *order_fails(prover *p, const sa_plan *plan, const sa_candidate *candidate) {
  const char *now = NULL;
  for (uint32_t i = 0; i < plan->sites.n && candidate->keeps && now == NULL; i++)
    now = unkept(&p->judged->result.sites.at[plan->sites.at[i]]);
  if (candidate->ordering.n == 0) return now;
  sa_arena *scratch = sa_arena_new();
  sa_judged again;
  sa_proof proof;
  p->proofs++;
  const char *why = judge_edited(p, &again, &proof, scratch, &candidate->ordering);
  if (why == NULL) why = sa_proof_fails(scratch, &proof, NULL, 0);
  for (uint32_t i = 0; i < plan->sites.n && why == NULL; i++) {
    const sa_site *site = sa_proof_site(&proof, plan->sites.at[i]);
    if (candidate->keeps)
      why = unkept(site);
    else if (site == NULL || !site->ordered)
      why = "the order of the release is not proved";
  }
  if (why != NULL) why = sa_strdup(p->arena, why);
  sa_arena_free(scratch);
  return why;
}

/* `finding`: one that must be settled, or SA_NO_INDEX. */
static const char *change_fails(prover *p, const uint32_t *gone, uint32_t ngone,
                                const sa_splices *edits, uint32_t finding) {
  sa_arena *scratch = sa_arena_new();
  sa_judged again;
  sa_proof proof;
  p->proofs++;
  const char *why = judge_edited(p, &again, &proof, scratch, edits);
  if (why == NULL) why = sa_proof_fails(scratch, &proof, gone, ngone);
  if (why == NULL && finding != SA_NO_INDEX && !sa_proof_settles(&proof, finding))
    why = "the finding would stay";
  if (why != NULL) why = sa_strdup(p->arena, why);
  sa_arena_free(scratch);
  return why;
}

/* Adds the sites that the plan takes away to `gone`; returns how many there are then. */
static uint32_t add_gone(uint32_t *gone, uint32_t n, const sa_plan *plan) {
  if (plan->kind != SA_PLAN_DELETE && plan->kind != SA_PLAN_ORDER) return n;
  for (uint32_t i = 0; i < plan->sites.n; i++) gone[n++] = plan->sites.at[i];
  for (uint32_t i = 0; i < plan->retired.n; i++) gone[n++] = plan->retired.at[i];
  return n;
}

static uint32_t *room_for_gone(const prover *p) {
  return sa_alloc(p->arena, (2 * p->judged->result.sites.n + 1) * sizeof(uint32_t));
}

/* NULL when some candidate holds; it is then the first. Otherwise why the best one does not. */
static const char *prove(prover *p, sa_plan *plan) {
  const char *first = plan->refused;
  uint32_t *gone = room_for_gone(p), ngone = add_gone(gone, 0, plan);
  for (uint32_t i = 0; i < plan->candidates.n && i < MAX_CANDIDATES; i++) {
    if (p->proofs >= p->limit) return "too many edits to prove in one file";
    const sa_candidate *candidate = &plan->candidates.at[i];
    const char *why = order_fails(p, plan, candidate);
    if (why == NULL) why = change_fails(p, gone, ngone, &candidate->all, plan->finding);
    if (why == NULL) {
      plan->candidates.at[0] = *candidate;
      return NULL;
    }
    if (first == NULL) first = why;
    /* A name that is not there is not there for the other candidates either. */
    if (strncmp(why, SA_PROOF_COMPLAINT, strlen(SA_PROOF_COMPLAINT)) == 0) break;
  }
  return first != NULL ? first : "no edit is known for this";
}

/* What only delays reuse is sure to be needless where the order is there; by callers it is not. */
static bool may_delete(const prover *p, const sa_plan *plan) {
  if (plan->kind != SA_PLAN_DELETE) return true;
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    const sa_site *site = &p->judged->result.sites.at[plan->sites.at[i]];
    if (strcmp(site->effect, "redundant") == 0 && !site->ordered) return false;
  }
  return true;
}

static void tell(prover *p, const sa_plan *plan, const char *why) {
  for (uint32_t i = 0; i < plan->sites.n; i++)
    p->judged->result.sites.at[plan->sites.at[i]].fix_reason = why;
}

static void try_plan(prover *p, const sa_rewrite_input *input, const sa_plans *all, sa_plan *plan) {
  const char *why = may_delete(p, plan) ? prove(p, plan) : "only callers order the release";
  if (why == NULL) {
    sa_push(p->arena, &p->held, *plan);
    return;
  }
  tell(p, plan, why);
  if (plan->sites.n < 2) return;
  sa_plans single = sa_rewrite_split(input, all, plan);
  for (uint32_t i = 0; i < single.n; i++) try_plan(p, input, &single, &single.at[i]);
}

static sa_place place_of(const sa_job *job, const sa_splice *splice) {
  sa_place at = {.file = job->path};
  sa_text_position(job->text, job->length, splice->begin, &at.line, &at.column);
  sa_text_position(job->text, job->length, splice->end, &at.end_line, &at.end_column);
  return at;
}

#define push_edits(p, list, all)                                                                   \
  for (uint32_t k_ = 0; k_ < (all)->n; k_++)                                                       \
  sa_push((p)->arena, (list), ((sa_edit){place_of((p)->job, &(all)->at[k_]), (all)->at[k_].text}))

/* Whether an edit of the site settles the finding: what the verdict says, or that its stream is the
 * wrong one. */
static bool goes_with_site(const sa_finding *finding, const sa_site *site) {
  bool own = finding->rule->hazard == SA_HAZARD_COUNT ||
             finding->rule->hazard == SA_HAZARD_WRONG_STREAM_RECORDED;
  return own && finding->site != NULL && strcmp(finding->site, site->id) == 0;
}

static void offer(prover *p, const sa_plan *plan) {
  const sa_splices *all = &plan->candidates.at[0].all;
  sa_result *r = &p->judged->result;
  if (plan->finding != SA_NO_INDEX) {
    push_edits(p, &r->findings.at[plan->finding].edits, all);
    r->findings.at[plan->finding].fixable = true;
  }
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    sa_site *site = &r->sites.at[plan->sites.at[i]];
    site->has_fix = site->fix_safe = true;
    site->fix_reason = NULL;
    push_edits(p, &site->edits, all);
    for (uint32_t k = 0; k < r->findings.n; k++)
      r->findings.at[k].fixable |= goes_with_site(&r->findings.at[k], site);
  }
}

/* Plans whose edits overlap: none of them is applied, since neither was shown to be the better. */
static bool conflicts(const prover *p, uint32_t index) {
  for (uint32_t i = 0; i < p->held.n; i++) {
    sa_splices both = {0};
    if (i == index) continue;
    sa_splices_merge(p->arena, &both, &p->held.at[i].candidates.at[0].all);
    if (!sa_splices_merge(p->arena, &both, &p->held.at[index].candidates.at[0].all)) return true;
  }
  return false;
}

static void refuse(prover *p, const sa_plan *plan, const char *why) {
  const sa_result *r = &p->judged->result;
  sa_place at =
      plan->sites.n > 0 ? r->sites.at[plan->sites.at[0]].at : r->findings.at[plan->finding].at;
  sa_message message = {.severity = SA_WARNING,
                        .file = p->job->path,
                        .line = at.line,
                        .column = at.column,
                        .text = why};
  sa_push(p->arena, &p->judged->result.messages, message);
}

/* Takes plan `index` into the patch when everything taken so far holds together with it. */
static bool join(prover *p, sa_patch *patch, uint32_t index, uint32_t *gone, uint32_t *ngone,
                 bool proof) {
  const sa_plan *plan = &p->held.at[index];
  sa_splices merged = {0};
  sa_splices_merge(p->arena, &merged, &patch->splices);
  if (!sa_splices_merge(p->arena, &merged, &plan->candidates.at[0].all)) return false;
  uint32_t n = add_gone(gone, *ngone, plan);
  if (proof && change_fails(p, gone, n, &merged, SA_NO_INDEX) != NULL) return false;
  patch->splices = merged;
  patch->findings += plan->sites.n > 0 ? plan->sites.n : 1;
  *ngone = n;
  return true;
}

/* All edits of the file together. Proved again, since two edits that each hold may not together. */
static void make_patch(prover *p) {
  uint64_t hash = sa_hash(p->job->text, p->job->length, 0);
  sa_patch patch = {.file = p->job->path, .hash = {(uint32_t)hash, (uint32_t)(hash >> 32)}};
  uint32_t *gone = room_for_gone(p), ngone = 0, taken = 0;
  bool *out = sa_alloc(p->arena, p->held.n + 1);
  for (uint32_t i = 0; i < p->held.n; i++) out[i] = conflicts(p, i);
  for (uint32_t i = 0; i < p->held.n; i++)
    if (!out[i]) taken += join(p, &patch, i, gone, &ngone, false);
  if (taken > 1 && change_fails(p, gone, ngone, &patch.splices, SA_NO_INDEX) != NULL) {
    patch.splices = (sa_splices){0};
    patch.findings = ngone = 0;
    for (uint32_t i = 0; i < p->held.n; i++)
      if (!out[i] && !join(p, &patch, i, gone, &ngone, true)) out[i] = true;
  }
  for (uint32_t i = 0; i < p->held.n; i++)
    if (out[i])
      refuse(p, &p->held.at[i], "its edit is refused, it does not go together with another one");
  if (patch.splices.n > 0) sa_push(p->arena, &p->judged->result.patches, patch);
}

/* Reports show edits for everything, as they do in every run; a patch is about what is asked for.
 */
static bool *wanted_findings(const prover *p) {
  const sa_result *r = &p->judged->result;
  bool all = !p->session->options->diff && !p->session->options->fix;
  bool *wanted = sa_alloc(p->arena, r->findings.n + 1);
  sa_keys_give(&p->judged->result, p->arena);
  for (uint32_t i = 0; i < r->findings.n; i++)
    wanted[i] = all ? r->findings.at[i].suppression == NULL
                    : sa_filter_wants(&p->session->filter, &r->findings.at[i]);
  return wanted;
}

static bool has_braces(const char *language) {
  static const char *const languages[] = {"c", "cpp", "cuda", "hip"};
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strcmp(language, languages[i]) == 0) return true;
  return false;
}

static sa_rewrite_input input_of(const sa_judged *judged, sa_arena *arena,
                                 const sa_session *session, const sa_job *job) {
  return (sa_rewrite_input){.arena = arena,
                            .rules = session->rules,
                            .unit = judged->unit,
                            .facts = &judged->facts,
                            .result = &judged->result,
                            .text = job->text,
                            .length = job->length,
                            .language = job->language,
                            .whole = sa_alloc(arena, sizeof(struct sa_shape *))};
}

void sa_fix_advise(sa_judged *judged, sa_arena *arena, const sa_session *session,
                   const sa_job *job) {
  if (!has_braces(job->language) || job->origin != NULL) return;
  sa_rewrite_input input = input_of(judged, arena, session, job);
  for (uint32_t i = 0; i < judged->result.findings.n; i++) {
    sa_finding *finding = &judged->result.findings.at[i];
    if (finding->site == NULL || strcmp(finding->rule->id, "SA101") != 0) continue;
    for (uint32_t k = 0; k < judged->facts.sites.n; k++) {
      sa_site *site = &judged->result.sites.at[k];
      if (strcmp(site->id, finding->site) != 0) continue;
      const char *advice = sa_stash_advice(&input, k);
      if (advice != NULL) site->advice = finding->help = advice;
    }
  }
}

/* A report that only mentions edits is not to cost many times what a generated file did. */
static unsigned proofs_allowed(const sa_judged *judged, bool patch) {
  if (patch) return MAX_PROOFS;
  return judged->result.sites.n > MAX_SITES_OF_REPORT ? 0 : MAX_PROOFS_OF_REPORT;
}

void sa_fix_unit(sa_judged *judged, sa_arena *arena, const sa_session *session, const sa_job *job) {
  bool python = strcmp(job->language, "python") == 0;
  if (!has_braces(job->language) && !python) return;
  if (job->origin != NULL || judged->result.findings.n == 0) return;
  bool patch = session->options->diff || session->options->fix;
  prover p = {.judged = judged,
              .arena = arena,
              .session = session,
              .job = job,
              .limit = proofs_allowed(judged, patch)};
  sa_rewrite_input input = input_of(judged, arena, session, job);
  sa_plans plans = sa_rewrite_plan(&input, wanted_findings(&p));
  for (uint32_t i = 0; i < plans.n; i++) try_plan(&p, &input, &plans, &plans.at[i]);
  for (uint32_t i = 0; i < p.held.n; i++) offer(&p, &p.held.at[i]);
  if (p.held.n > 0) make_patch(&p);
}
