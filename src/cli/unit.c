#include "cli/unit.h"

#include "analysis/analyse.h"
#include "base/clock.h"
#include "base/hash.h"
#include "classify/classify.h"
#include "cli/fix.h"
#include "filter/suppress.h"
#include "link/link.h"
#ifdef SA_PYTHON
#include "cli/embedded.h"
#include "frontend/python/embedded.h"
#include "frontend/python/python.h"
#endif

#include <string.h>

static bool is_ir(const sa_job *job) {
  return strcmp(job->language, "ir") == 0;
}

#ifdef SA_PYTHON
static bool is_python(const sa_job *job) {
  return strcmp(job->language, "python") == 0;
}
#endif

const char *const *sa_unit_text_words(void) {
#ifdef SA_PYTHON
  return sa_python_text_words;
#else
  static const char *const none[] = {NULL};
  return none;
#endif
}

bool sa_unit_modules_unchanged(const char *root, const sa_reads *reads) {
#ifdef SA_PYTHON
  return sa_python_unchanged(root, reads);
#else
  return (void)root, (void)reads, false;
#endif
}

bool sa_unit_reads_python(void) {
#ifdef SA_PYTHON
  return true;
#else
  return false;
#endif
}

static sa_status lower_text(sa_ir_unit **out, sa_arena *arena, sa_diag *diag,
                            const sa_session *session, const sa_job *job) {
  if (is_ir(job)) return sa_ir_parse(out, arena, diag, job->path, job->text);
#ifdef SA_PYTHON
  if (is_python(job)) return sa_python_lower(out, arena, diag, session->rules, job);
#endif
  return sa_clang_lower(out, arena, diag, session->cpp->clang, session->rules, &session->cpp->sdk,
                        job);
}

static sa_status lower(sa_ir_unit **out, sa_arena *arena, sa_diag *diag, const sa_session *session,
                       const sa_job *job) {
  sa_status status = lower_text(out, arena, diag, session, job);
  if (status == SA_OK && job->origin != NULL) sa_origin_place_unit(*out, job->origin);
  return status;
}

/* Analysis relies on the unit's invariants; a frontend that breaks one costs the file, not the run.
 */
static sa_status check(const sa_ir_unit *unit, sa_arena *arena, sa_diag *diag) {
  const char *why = "";
  if (sa_ir_check(unit, arena, &why)) return SA_OK;
  sa_report(diag, SA_ERROR, unit->path, 0, 0, "cannot be analysed, its form is not sound: %s", why);
  return SA_E_PARSE;
}

static void dump_tokens(const sa_ir_unit *unit) {
  for (uint32_t i = 0; i < unit->tokens.n; i++) {
    const sa_ir_token *t = &unit->tokens.at[i];
    const char *file = t->at.file < unit->files.n ? unit->files.at[t->at.file] : unit->path;
    printf("%s:%u:%u: %s%s%s\n", file, t->at.line, t->at.column, sa_token_word(t->fate),
           t->why != NULL ? ": " : "", t->why != NULL ? t->why : "");
  }
}

static void dump(const sa_ir_unit *unit, const sa_facts *facts, sa_arena *arena, unsigned what) {
  if (what & SA_DUMP_TOKENS) dump_tokens(unit);
  if (what & SA_DUMP_IR) fputs(sa_ir_print(arena, unit), stdout);
  if (what & SA_DUMP_CFG) fputs(sa_cfg_print(arena, unit), stdout);
  if (what & SA_DUMP_FACTS) fputs(sa_facts_print(arena, unit, facts), stdout);
}

/* Facts and verdicts of a sound unit. */
static void judge(sa_result *result, sa_facts *facts, sa_arena *arena, const sa_session *session,
                  const sa_job *job, const sa_ir_unit *unit) {
  sa_classify_options options = {.stable_api = sa_config_api(session->config, job->absolute)};
  sa_analyse_line(facts, arena, unit, session->rules, session->options->line);
  uint32_t sites = result->sites.n, findings = result->findings.n;
  sa_classify(result, arena, unit, facts, session->rules, &options);
  for (uint32_t i = sites; i < result->sites.n; i++)
    result->sites.at[i].modelled = !job->native && !is_ir(job);
  if (job->origin != NULL)
    sa_origin_name_cells(result, arena, job->origin, job->path, sites, findings);
}

/* `unit` as its source has it, before anything of other units is in it. */
static sa_status summarise(sa_arena *arena, sa_diag *diag, const sa_session *session,
                           const sa_ir_unit *unit, const sa_job *job) {
  if (session->emit == NULL) return SA_OK;
  return sa_summary_write(arena, diag, session->emit, unit, sa_hash(job->text, job->length, 0),
                          session->tool);
}

/* The unit with what it imports of other files. */
static const sa_ir_unit *link_imports(sa_arena *arena, const sa_ir_unit *unit) {
  sa_summary *files = sa_alloc(arena, (unit->imports.n + 1) * sizeof *files);
  const char *why = "";
  uint32_t n = 0;
  for (uint32_t i = 0; i < unit->imports.n; i++) {
    const sa_ir_unit *file = unit->imports.at[i];
    if (sa_ir_check(file, arena, &why)) files[n++] = (sa_summary){.unit = file, .file = file->path};
  }
  return n == 0 ? unit : sa_link(arena, unit, sa_summaries_of(arena, files, n));
}

/* The unit with what the program's other units say. */
static const sa_ir_unit *link_unit(sa_arena *arena, sa_diag *diag, const sa_session *session,
                                   const sa_ir_unit *unit, const sa_job *job) {
  unit = link_imports(arena, unit);
  if (session->summaries == NULL) return unit;
  const sa_summary *own = sa_summaries_find(session->summaries, unit->path);
  if (own != NULL && own->source != sa_hash(job->text, job->length, 0))
    sa_report(diag, SA_WARNING, unit->path, 0, 0,
              "its summary is older than the file: other units see what it was");
  return sa_link(arena, unit, session->summaries);
}

/* What a source holds in another language. */
static void judge_embedded(sa_result *result, sa_arena *arena, sa_diag *diag,
                           const sa_session *session, const sa_job *job) {
#ifdef SA_PYTHON
  if (!is_python(job)) return;
  sa_unit_array units = {0};
  sa_embedded_lower(&units, arena, diag, session, job);
  for (uint32_t i = 0; i < units.n; i++) {
    sa_facts facts = {0};
    if (check(units.at[i], arena, diag) != SA_OK) continue;
    judge(result, &facts, arena, session, job, units.at[i]);
    dump(units.at[i], &facts, arena, session->options->dump);
  }
#else
  (void)result, (void)arena, (void)diag, (void)session, (void)job;
#endif
}

sa_status sa_unit_again(sa_judged *out, sa_arena *arena, const sa_session *session,
                        const sa_job *job) {
  sa_diag said_before = {.arena = arena};
  sa_ir_unit *unit = NULL;
  *out = (sa_judged){.result.rules = session->rules};
  sa_status status = lower(&unit, arena, &said_before, session, job);
  if (status == SA_OK) status = check(unit, arena, &said_before);
  if (status != SA_OK) return status;
  out->complaints = unit->complaints;
  out->unit = link_unit(arena, &said_before, session, unit, job);
  judge(&out->result, &out->facts, arena, session, job, out->unit);
  judge_embedded(&out->result, arena, &said_before, session, job);
  return SA_OK;
}

/* Facts, verdicts, the comments that allow findings, and what an edit could do about the others. */
static void judge_whole(sa_result *result, sa_arena *arena, sa_diag *diag,
                        const sa_session *session, const sa_job *job, const sa_ir_unit *unit) {
  sa_judged own = {.complaints = unit->complaints, .result.rules = session->rules};
  own.unit = link_unit(arena, diag, session, unit, job);
  judge(&own.result, &own.facts, arena, session, job, own.unit);
  dump(own.unit, &own.facts, arena, session->options->dump);
  judge_embedded(&own.result, arena, diag, session, job);
  if (!is_ir(job)) sa_suppress(&own.result, arena, job, unit, true);
  sa_fix_advise(&own, arena, session, job);
  if (sa_fix_wanted(session->options)) sa_fix_unit(&own, arena, session, job);
  sa_result_append(result, arena, &own.result);
}

/* How much of the time so far libclang had for itself. */
static double parsing(const sa_session *session) {
  return session->cpp->clang != NULL ? sa_clang_parsing(session->cpp->clang) : 0;
}

static void remember(const sa_session *session, bool on) {
  if (session->cpp->clang != NULL) sa_clang_remember(session->cpp->clang, on);
}

void sa_unit_run(sa_result *result, sa_unit_times *times, sa_arena *arena,
                 const sa_session *session, const sa_source *source) {
  sa_diag diag = {.arena = arena};
  sa_job job;
  sa_ir_unit *unit = NULL;

  double start = sa_now(), before = parsing(session);
  sa_status status = sa_read_job(&job, arena, &diag, source, &session->read);
  bool have_text = status == SA_OK;
  job.reads = session->reads;
  /* The texts inside of a Python source have nothing but their path in common. */
  remember(session, have_text && strcmp(job.language, "python") != 0);
  if (status == SA_OK) status = lower(&unit, arena, &diag, session, &job);
  if (status == SA_OK) status = check(unit, arena, &diag);
  if (status == SA_OK) status = summarise(arena, &diag, session, unit, &job);
  double lowered = sa_now(), parsed = parsing(session);
  if (status == SA_OK) {
    judge_whole(result, arena, &diag, session, &job, unit);
  } else if (have_text && !is_ir(&job)) {
    sa_unit_account(result, arena, session, source, "the file could not be parsed");
  }
  remember(session, false);
  result->files_failed += status != SA_OK;
  for (uint32_t i = 0; i < diag.messages.n; i++)
    sa_push(arena, &result->messages, diag.messages.at[i]);
  double end = sa_now(), parsed_later = parsing(session) - parsed;
  *times = (sa_unit_times){.parse = parsed - before + parsed_later,
                           .lower = lowered - start - (parsed - before),
                           .analyse = end - lowered - parsed_later};
}

void sa_unit_remarks(sa_result *result, sa_arena *arena, const sa_session *session,
                     const sa_source *source) {
  sa_diag said_elsewhere = {.arena = arena};
  sa_job job;
  sa_read_options read = {.root = session->read.root};
  if (sa_read_job(&job, arena, &said_elsewhere, source, &read) == SA_OK && !is_ir(&job))
    sa_suppress(result, arena, &job, NULL, true);
}

/* A unit that says only that there is nothing in it. */
static sa_ir_unit *empty_unit(sa_arena *arena, const sa_job *job) {
  sa_ir_unit *unit = sa_alloc(arena, sizeof *unit);
  unit->path = job->path;
  unit->language = job->language;
  sa_push(arena, &unit->files, job->path);
  return unit;
}

void sa_unit_summarise(sa_result *result, sa_unit_times *times, sa_arena *arena,
                       const sa_session *session, const sa_source *source) {
  sa_diag diag = {.arena = arena};
  sa_job job;
  double start = sa_now();
  sa_status status = sa_read_job(&job, arena, &diag, source, &session->read);
  if (status == SA_OK) {
    sa_ir_unit *unit = NULL;
    if (!sa_prefilter_hits(session->effects, job.text, job.length))
      unit = empty_unit(arena, &job);
    else if (lower(&unit, arena, &diag, session, &job) != SA_OK ||
             check(unit, arena, &diag) != SA_OK)
      unit = NULL;
    if (unit != NULL) summarise(arena, &diag, session, unit, &job);
  }
  for (uint32_t i = 0; i < diag.messages.n; i++) {
    sa_message message = diag.messages.at[i];
    message.severity = SA_NOTE;
    sa_push(arena, &result->messages, message);
  }
  *times = (sa_unit_times){.parse = sa_now() - start};
}

/* The calls of a file that was not lowered, each with `reason`. */
static sa_ir_unit *account(sa_arena *arena, const sa_ruleset *rules, const sa_job *job,
                           const char *reason) {
#ifdef SA_PYTHON
  if (is_python(job)) return sa_python_account(arena, rules, job, reason);
#endif
  return sa_clang_account(arena, rules, job, reason);
}

void sa_unit_account(sa_result *result, sa_arena *arena, const sa_session *session,
                     const sa_source *source, const char *reason) {
  sa_diag said_before = {.arena = arena};
  sa_job job;
  if (sa_read_job(&job, arena, &said_before, source, &session->read) != SA_OK || is_ir(&job))
    return;
  sa_ir_unit *unit = account(arena, session->rules, &job, reason);
  if (job.origin != NULL) sa_origin_place_unit(unit, job.origin);
  sa_facts facts = {0};
  judge(result, &facts, arena, session, &job, unit);
  sa_suppress(result, arena, &job, NULL, false);
}
