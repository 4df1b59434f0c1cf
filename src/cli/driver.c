#include "cli/driver.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/shown.h"
#include "cli/baseline.h"
#include "cli/change.h"
#include "cli/fix.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/recall.h"
#include "cli/sdk.h"
#include "cli/unit.h"
#include "cli/wire.h"
#include "cli/workers.h"
#include "filter/directive.h"
#include "model/names.h"
#include "project/affected.h"
#include "project/root.h"
#include "project/scan.h"
#include "ruleset/ruleset.h"

#include <string.h>
#include <unistd.h>

/* A file whose analysis was given up. */
typedef struct {
  const sa_source *source;
  const char *why;
} lost_unit;

typedef struct {
  const sa_options *options;
  sa_arena *arena;
  sa_diag *diag;
  const char *cwd, *root;
  sa_configs *configs;
  sa_parts parts;
  const sa_ruleset *rules; /* of the first part: what the result's findings refer to */
  sa_cpp cpp;
  sa_compile_db *db;
  sa_baseline *baseline;           /* NULL: none */
  const sa_changes *changes;       /* NULL: everything counts */
  sa_summaries *summaries;         /* --use-summary */
  sa_source_array selected, units; /* all sources; those that hold something to analyse */
  sa_source_array rest;            /* --emit-summary: the others */
  sa_source_array remarked;        /* of the others: with comments that concern this tool */
  SA_ARRAY(lost_unit) lost;
  sa_result result;
  uint32_t finished;
  bool progress; /* a progress line stands on the terminal */
  double started, scanned, analysed;
  sa_unit_times times;
} run;

static const char *absolute(const run *r, const char *path) {
  return sa_fs_resolve(r->arena, r->cwd, path);
}

static sa_status find_root(run *r) {
  const sa_options *o = r->options;
  r->cwd = sa_fs_working_directory(r->arena);
  r->root = o->root != NULL ? absolute(r, o->root)
                            : sa_project_root(r->arena, r->cwd, o->paths.at, o->paths.n);
  if (sa_fs_is_directory(r->root)) return SA_OK;
  sa_report(r->diag, SA_ERROR, o->root, 0, 0, "the project root is not a directory");
  return SA_E_USAGE;
}

static sa_status load_config(run *r) {
  const sa_options *o = r->options;
  sa_config *forced = NULL;
  if (o->config != NULL && !o->no_config) {
    sa_status status = sa_config_load(&forced, r->arena, r->diag, absolute(r, o->config), r->root);
    if (status != SA_OK) return status;
  }
  r->configs = sa_configs_new(r->arena, r->diag, r->root, forced, !o->no_config);
  return SA_OK;
}

/* A baseline to write begins as what is there, or empty. */
static sa_status load_baseline(run *r) {
  sa_status status = sa_baseline_load(&r->baseline, r->arena, r->diag, r->options);
  if (status == SA_OK && r->baseline == NULL && r->options->write_baseline != NULL) {
    r->baseline = sa_alloc(r->arena, sizeof *r->baseline);
    r->baseline->name = r->options->write_baseline;
  }
  return status;
}

static sa_status load_change(run *r) {
  return sa_change_load(&r->changes, r->arena, r->diag, r->options, r->root);
}

static sa_status load_database(run *r) {
  const sa_options *o = r->options;
  if (o->database != NULL)
    return sa_compile_db_load(&r->db, r->arena, r->diag, absolute(r, o->database), r->root);
  if (o->require_database) {
    sa_report(r->diag, SA_ERROR, NULL, 0, 0, "no compile database: give one with -p");
    return SA_E_USAGE;
  }
  sa_report(r->diag, SA_NOTE, NULL, 0, 0,
            "no compile database (-p): sources are read with model headers");
  sa_diag_mark_configuration(r->diag);
  return SA_OK;
}

/* The rules of each part, with the project's own rows before the tool's. */
static sa_status load_rules(run *r) {
  bool inside = sa_path_inside(r->root, r->cwd) != NULL;
  r->parts.configs = r->configs;
  r->parts.options = r->options;
  sa_status status =
      sa_parts_load(&r->parts, r->arena, r->diag, inside ? r->cwd : r->root, &r->selected);
  if (status == SA_OK) r->rules = r->parts.all.at[0].rules;
  return status;
}

static bool names_a_rule(const sa_ruleset *rules, const char *name) {
  for (uint32_t i = 0; i < rules->rules.n; i++)
    if (strncmp(rules->rules.at[i].id, name, strlen(name)) == 0) return true;
  return false;
}

/* Every rule that an option names must be there: a misspelt one would do nothing. */
static sa_status check_rule_names(run *r) {
  const sa_names *lists[] = {&r->options->select, &r->options->ignore};
  sa_status status = SA_OK;
  for (size_t i = 0; i < 2; i++)
    for (uint32_t j = 0; j < lists[i]->n; j++) {
      if (names_a_rule(r->rules, lists[i]->at[j])) continue;
      sa_report(r->diag, SA_ERROR, NULL, 0, 0, "%s '%s': there is no such rule",
                i == 0 ? "--select" : "--ignore", lists[i]->at[j]);
      status = SA_E_USAGE;
    }
  return status;
}

static bool is_excluded(void *context, const char *absolute_path) {
  return sa_configs_exclude(context, absolute_path);
}

/* The includers of a changed header may include it through files that were not asked for. */
static void keep_affected(run *r, const sa_select_options *options) {
  sa_source_array project = {0};
  sa_diag said_before = {.arena = r->arena};
  bool others = sa_affected_others(r->changes);
  if (others) sa_select(&project, r->arena, &said_before, options, &r->root, 1);
  for (uint32_t i = 0; i < r->selected.n && !others; i++)
    sa_push(r->arena, &project, r->selected.at[i]);
  sa_affected_keep(&r->selected, r->arena, &project, r->changes, r->options->jobs);
}

static sa_status select_sources(run *r) {
  sa_select_options options = {
      .cwd = r->cwd, .root = r->root, .excludes = is_excluded, .context = r->configs};
  sa_names paths = r->options->paths;
  if (paths.n == 0 && r->options->stdin_name != NULL)
    sa_push(r->arena, &paths, r->options->stdin_name);
  if (paths.n == 0 && r->changes != NULL) sa_push(r->arena, &paths, r->root);
  if (paths.n == 0) {
    sa_report(r->diag, SA_ERROR, NULL, 0, 0, "no paths given; see sa-lint --help");
    return SA_E_USAGE;
  }
  sa_status status = sa_select(&r->selected, r->arena, r->diag, &options, paths.at, paths.n);
  if (status == SA_OK && r->changes != NULL) keep_affected(r, &options);
  return status;
}

static sa_status load_summaries(run *r) {
  const sa_names *directories = &r->options->use_summary;
  if (directories->n == 0) return SA_OK;
  return sa_summaries_load(&r->summaries, r->arena, r->diag, directories->at, directories->n,
                           SA_VERSION);
}

static void keep_source(run *r, sa_source source, uint8_t state) {
  bool nothing = state == SA_SCAN_SKIP || state == SA_SCAN_REMARK || state == SA_SCAN_BINARY;
  /* Compilers read over a NUL byte, so a source could hide behind one. */
  if (state == SA_SCAN_BINARY)
    sa_report(r->diag, SA_WARNING, source.path, 0, 0,
              "a binary file that names what is looked for; passed over");
  if (!nothing || r->options->no_prefilter) {
    sa_push(r->arena, &r->units, source);
    return;
  }
  if (r->options->emit_summary != NULL) sa_push(r->arena, &r->rest, source);
  if (state == SA_SCAN_REMARK) sa_push(r->arena, &r->remarked, source);
}

static bool is_language(const sa_source *source, const char *language) {
  return strcmp(sa_language_of_name(source->path), language) == 0;
}

static bool is_python(const sa_source *source) {
  return is_language(source, "python") || is_language(source, "notebook");
}

/* A program that was built without the frontend says so once, where there is anything to read. */
static void leave_out_python(run *r) {
  uint32_t units = 0, rest = 0;
  if (sa_unit_reads_python()) return;
  for (uint32_t i = 0; i < r->units.n; i++)
    if (!is_python(&r->units.at[i])) r->units.at[units++] = r->units.at[i];
  for (uint32_t i = 0; i < r->rest.n; i++)
    if (!is_python(&r->rest.at[i])) r->rest.at[rest++] = r->rest.at[i];
  if (units < r->units.n)
    sa_report(r->diag, SA_WARNING, NULL, 0, 0, ".py files are not analysed: built without Python");
  r->units.n = units;
  r->rest.n = rest;
}

typedef SA_ARRAY(const char *) word_list;

#define PUSH_ALL(arena, to, from)                                                                  \
  for (uint32_t i_ = 0; i_ < (from)->n; i_++) sa_push((arena), (to), (from)->at[i_])

static const sa_prefilter *filter_of(const run *r, const word_list *list) {
  return sa_prefilter_new(r->arena, list->at, list->n);
}

static sa_scan_filter scan_filter(const run *r) {
  word_list c = {0}, python = {0}, texts = {0}, all = {0};
  for (uint32_t i = 0; i < r->parts.all.n; i++) {
    const sa_ruleset *rules = r->parts.all.at[i].rules;
    if (i > 0 && rules == r->rules) continue;
    PUSH_ALL(r->arena, &c, &rules->spellings);
    PUSH_ALL(r->arena, &python, &rules->spellings);
    PUSH_ALL(r->arena, &c, &rules->triggers);
    PUSH_ALL(r->arena, &python, &rules->triggers_python);
  }
  sa_link_names more = {0};
  if (r->summaries != NULL) more = sa_summaries_recorders(r->arena, r->summaries);
  PUSH_ALL(r->arena, &c, &more);
  PUSH_ALL(r->arena, &python, &more);
  for (const char *const *word = sa_unit_text_words(); *word != NULL; word++)
    sa_push(r->arena, &texts, *word);
  PUSH_ALL(r->arena, &all, &c);
  PUSH_ALL(r->arena, &all, &python);
  for (const char *const *word = sa_directive_words(); c.n > 0 && *word != NULL; word++)
    sa_push(r->arena, &all, *word);
  return (sa_scan_filter){.words = filter_of(r, &c),
                          .python = filter_of(r, &python),
                          .texts = filter_of(r, &texts),
                          .all = filter_of(r, &all),
                          .remarks = sa_directives_likely};
}

/* Leaves out, before any parse, what no rule can say anything about. */
static void keep_interesting(run *r) {
  uint8_t *states = sa_alloc(r->arena, r->selected.n + 1);
  sa_scan_filter filter = scan_filter(r);
  sa_scan(states, &r->selected, &filter, r->options->jobs);
  for (uint32_t i = 0; i < r->selected.n; i++) keep_source(r, r->selected.at[i], states[i]);
  leave_out_python(r);
  r->result.files = r->selected.n;
  r->result.files_skipped = r->selected.n - r->units.n;
  r->scanned = sa_now();
}

/* A source without the name of any API of the rules does nothing to streams that others could see.
 */
static sa_prefilter *filter_of_effects(sa_arena *arena, const sa_ruleset *rules) {
  enum { SHORTEST = 4 };
  SA_ARRAY(const char *) words = {0};
  for (uint32_t i = 0; i < rules->apis.n; i++) {
    sa_span last = sa_last_component(rules->apis.at[i].name);
    if (last.length < SHORTEST || memchr(last.at, '*', last.length) != NULL) continue;
    sa_push(arena, &words, sa_strndup(arena, last.at, last.length));
  }
  return sa_prefilter_new(arena, words.at, words.n);
}

static sa_filter_options filter_options(const run *r) {
  sa_filter_options options = sa_filter_options_of(r->options);
  options.keep_suppressed = r->options->line != 0;
  options.changes = r->changes;
  options.renew_baseline = r->options->write_baseline != NULL;
  if (!options.renew_baseline) options.baseline = r->baseline;
  options.policies = r->parts.policies.at;
  options.npolicies = r->parts.policies.n;
  return options;
}

static void open_session(run *r, sa_part *part) {
  const sa_options *o = r->options;
  SA_ARRAY(const char *) defines = {0};
  for (uint32_t i = 0; part->config != NULL && i < part->config->defines.n; i++)
    sa_push(r->arena, &defines, part->config->defines.at[i]);
  for (uint32_t i = 0; i < o->defines.n; i++) sa_push(r->arena, &defines, o->defines.at[i]);
  part->session = (sa_session){.options = o,
                               .config = part->config,
                               .filter = filter_options(r),
                               .rules = part->rules,
                               .cpp = &r->cpp,
                               .read = {r->root, r->db, defines.at, defines.n},
                               .tool = SA_VERSION,
                               .emit = o->emit_summary,
                               .summaries = r->summaries};
  if (o->emit_summary != NULL) part->session.effects = filter_of_effects(r->arena, part->rules);
  part->recall = sa_recall_open(r->arena, r->diag, &part->session);
  part->session.recall = part->recall;
}

/* What a unit needs beyond the rules; nothing is loaded when there is no unit. */
static sa_status prepare_units(run *r) {
  const sa_options *o = r->options;
  bool sources = false;
  r->cpp.arena = r->arena;
  for (uint32_t i = 0; i < r->units.n && !sources; i++)
    sources = !is_language(&r->units.at[i], "ir") && !is_python(&r->units.at[i]);
  sources |= r->rest.n > 0;
  if (sources) {
    sa_status status = sa_clang_open(&r->cpp.clang, r->diag, o->libclang);
    if (status != SA_OK) return status;
    r->result.libclang_version = sa_clang_version(r->cpp.clang);
    status = sa_sdk_load(&r->cpp.sdk, r->arena, r->diag, o->rules);
    if (status != SA_OK) return status;
  }
  if (o->emit_summary != NULL && sa_fs_make_directory(r->arena, r->diag, o->emit_summary) != SA_OK)
    return SA_E_USAGE;
  for (uint32_t i = 0; i < r->parts.all.n; i++) open_session(r, &r->parts.all.at[i]);
  return SA_OK;
}

/* In the worker. */
static void run_unit(void *context, uint32_t unit, FILE *reply) {
  run *r = context;
  const sa_source *source = unit < r->units.n ? &r->units.at[unit] : &r->rest.at[unit - r->units.n];
  const sa_part *part = sa_parts_of(&r->parts, source);
  sa_arena *arena = sa_arena_new();
  sa_unit_times times;
  sa_result result = {.rules = part->rules};
  if (unit < r->units.n)
    sa_recall_unit(&result, &times, arena, &part->session, source);
  else
    sa_unit_summarise(&result, &times, arena, &part->session, source);
  fwrite(&times, sizeof times, 1, reply);
  sa_wire_write(reply, &result);
  sa_arena_free(arena);
}

static void unit_lost(void *context, uint32_t unit, const char *why) {
  run *r = context;
  r->finished++;
  if (unit >= r->units.n) {
    sa_report(r->diag, SA_WARNING, r->rest.at[unit - r->units.n].path, 0, 0,
              "no summary is written: the analysis of this file %s", why);
    return;
  }
  r->result.files_failed++;
  sa_push(r->arena, &r->result.messages,
          (sa_message){.severity = SA_ERROR,
                       .file = r->units.at[unit].path,
                       .text = sa_printf(r->arena, "the analysis of this file %s", why)});
  sa_push(r->arena, &r->lost,
          ((lost_unit){&r->units.at[unit], sa_printf(r->arena, "the analysis %s", why)}));
}

static void unit_done(void *context, uint32_t unit, const char *bytes, size_t length) {
  run *r = context;
  sa_unit_times times;
  bool whole = length >= sizeof times &&
               sa_wire_read(&r->result, r->arena, bytes + sizeof times, length - sizeof times);
  if (!whole) {
    unit_lost(r, unit, "gave a broken result");
    return;
  }
  memcpy(&times, bytes, sizeof times);
  r->times.parse += times.parse;
  r->times.lower += times.lower;
  r->times.analyse += times.analyse;
  r->times.recalled += times.recalled;
  r->times.kept += times.kept;
  r->times.damaged += times.damaged;
  r->finished++;
}

/* A line for who waits: only on a terminal, and only in a run of more than a second. */
static void show_progress(void *context) {
  run *r = context;
  if (r->options->quiet || sa_now() - r->started < 1 || !isatty(STDERR_FILENO)) return;
  r->progress = true;
  fprintf(stderr, "\r\033[Ksa-lint: %u of %u files, %u sites", r->finished, r->units.n + r->rest.n,
          r->result.sites.n);
}

static void remark(run *r, const sa_source *source) {
  const sa_part *part = sa_parts_of(&r->parts, source);
  sa_result alone = {.rules = part->rules};
  sa_unit_remarks(&alone, r->arena, &part->session, source);
  sa_parts_adopt(&r->result, r->arena, &alone);
}

/* In a worker. */
static void account_unit(void *context, uint32_t index, FILE *reply) {
  run *r = context;
  const lost_unit *lost = &r->lost.at[index];
  const sa_part *part = sa_parts_of(&r->parts, lost->source);
  sa_arena *arena = sa_arena_new();
  sa_result result = {.rules = part->rules};
  sa_unit_account(&result, arena, &part->session, lost->source, lost->why);
  sa_wire_write(reply, &result);
  sa_arena_free(arena);
}

static void account_lost(void *context, uint32_t index, const char *why) {
  run *r = context;
  sa_push(r->arena, &r->result.messages,
          (sa_message){.severity = SA_ERROR,
                       .file = r->lost.at[index].source->path,
                       .text = sa_printf(r->arena, "the list of its calls %s", why)});
}

static void account_done(void *context, uint32_t index, const char *bytes, size_t length) {
  run *r = context;
  if (!sa_wire_read(&r->result, r->arena, bytes, length)) account_lost(r, index, "is broken");
}

/* What was too much for the analysis may be too much for the list of its calls as well, so that is
 * made within the same limits. */
static void account_for_lost(run *r, const sa_work *limits) {
  sa_work work = *limits;
  work.tasks = r->lost.n;
  work.run = account_unit;
  work.done = account_done;
  work.lost = account_lost;
  if (work.tasks > 0) sa_workers_run(&work);
}

static void run_units(run *r) {
  const sa_options *o = r->options;
  sa_work work = {.workers = r->options->dump != 0 ? 0 : r->options->jobs,
                  .timeout = r->options->timeout,
                  .memory = r->options->memory,
                  .quiet = !r->options->verbose,
                  .tasks = r->units.n + r->rest.n,
                  .context = r,
                  .begin = sa_clang_may_crash,
                  .run = run_unit,
                  .done = unit_done,
                  .lost = unit_lost,
                  .tick = show_progress};
  sa_workers_run(&work);
  account_for_lost(r, &work);
  for (uint32_t i = 0; i < r->remarked.n; i++) remark(r, &r->remarked.at[i]);
  if (r->progress) fputs("\r\033[K", stderr);
  sa_recall_finish(r->parts.all.at[0].recall, &r->times, o);
  r->analysed = sa_now();
}

static int list_files(run *r) {
  for (uint32_t i = 0; i < r->units.n; i++) {
    sa_shown_path(stdout, r->units.at[i].path);
    putchar('\n');
  }
  return sa_output_flush(r->diag) == SA_OK ? SA_EXIT_CLEAN : SA_EXIT_USAGE;
}

static void show_timing(const run *r) {
  double reported = sa_now();
  fprintf(
      stderr,
      "timing: select and scan %.3f s, units %.3f s (parse %.3f s, lower %.3f s, analyse %.3f s "
      "in all workers), report %.3f s\n",
      r->scanned - r->started, r->analysed - r->scanned, r->times.parse, r->times.lower,
      r->times.analyse, reported - r->analysed);
}

/* A file that was lost may have had what was asked about, so that comes before "nothing there". */
static int explain(run *r) {
  sa_status status = sa_output_explanation(r->arena, r->diag, r->options, r->root, &r->result);
  if (status == SA_OK) return SA_EXIT_CLEAN;
  return status == SA_E_USAGE && r->result.files_failed > 0 ? SA_EXIT_INCOMPLETE : SA_EXIT_USAGE;
}

static sa_seen seen_files(run *r) {
  SA_ARRAY(const char *) paths = {0};
  for (uint32_t i = 0; i < r->selected.n; i++) sa_push(r->arena, &paths, r->selected.at[i].path);
  return (sa_seen){.paths = paths.at, .n = paths.n, .root = r->root};
}

static void filter(run *r) {
  sa_filter_options options = filter_options(r);
  options.baseline = r->baseline;
  options.seen = seen_files(r);
  sa_filter(&r->result, r->arena, &options);
}

/* The reports hold what was said about the project before its files were looked at, too. */
static int report(run *r) {
  const sa_options *o = r->options;
  for (uint32_t i = 0; i < r->diag->messages.n; i++)
    sa_push(r->arena, &r->result.messages, r->diag->messages.at[i]);
  r->diag->messages.n = 0;
  filter(r);
  sa_output_messages(&r->result.messages, o);
  if (o->line != 0) return explain(r);
  if (o->write_baseline != NULL &&
      sa_baseline_store(r->baseline, r->arena, r->diag, o->write_baseline) != SA_OK)
    return SA_EXIT_USAGE;
  if (o->dump != 0) {
    if (sa_output_flush(r->diag) != SA_OK) return SA_EXIT_USAGE;
  } else if (o->diff) {
    if (sa_fix_print(r->arena, r->diag, r->root, &r->result) != SA_OK) return SA_EXIT_USAGE;
  } else if (sa_output_reports(r->arena, r->diag, o, r->root, &r->result) != SA_OK) {
    return SA_EXIT_USAGE;
  }
  if (o->statistics) sa_output_statistics(&r->result);
  if (o->timing) show_timing(r);
  return sa_output_status(o, &r->result);
}

static void look_again(run *r, const sa_message_array *messages) {
  r->result = (sa_result){.tool_version = r->result.tool_version,
                          .libclang_version = r->result.libclang_version,
                          .rules = r->rules,
                          .messages = *messages,
                          .files = r->selected.n,
                          .files_skipped = r->selected.n - r->units.n};
  r->finished = 0;
  run_units(r);
}

/* Applies the edits, and those that they make possible; the report is then about the files as they
 * are. */
static void fix_and_look_again(run *r) {
  enum { MAX_ROUNDS = 4 };
  uint32_t edited = 0;
  sa_message_array messages = r->result.messages;
  for (int round = 0; round < MAX_ROUNDS && r->result.patches.n > 0; round++) {
    sa_result_sort(&r->result);
    uint32_t written = sa_fix_apply(r->arena, r->diag, r->root, &r->result, r->options->staged);
    if (round == 0) edited = written;
    if (round == 0 && !r->options->quiet)
      fprintf(stderr, "sa-lint: %u of %u files edited\n", (unsigned)edited,
              (unsigned)r->result.patches.n);
    if (written == 0) return;
    look_again(r, &messages);
  }
}

int sa_run_check(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  run r = {.options = options, .arena = arena, .diag = diag, .started = sa_now()};
  int code = SA_EXIT_USAGE;
  if (find_root(&r) != SA_OK || load_config(&r) != SA_OK || load_change(&r) != SA_OK ||
      load_baseline(&r) != SA_OK || select_sources(&r) != SA_OK || load_database(&r) != SA_OK ||
      load_rules(&r) != SA_OK || check_rule_names(&r) != SA_OK || load_summaries(&r) != SA_OK)
    goto done;
  r.result = (sa_result){.tool_version = SA_VERSION, .libclang_version = "", .rules = r.rules};
  keep_interesting(&r);
  if (options->list_files) {
    code = list_files(&r);
    goto done;
  }
  if (prepare_units(&r) != SA_OK) goto done;
  run_units(&r);
  if (options->fix) fix_and_look_again(&r);
  code = report(&r);
done:
  for (uint32_t i = 0; i < r.parts.all.n; i++) sa_recall_close(r.parts.all.at[i].recall);
  if (r.cpp.clang != NULL) sa_clang_close(r.cpp.clang);
  return code;
}
