/* The terminal report: compiler-style messages, each with its source line, a caret line, one note
 * per step of the evidence path, and a help line. */
#include "base/shown.h"
#include "report/excerpt.h"
#include "report/formats.h"
#include "report/index.h"
#include "report/summary.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  FILE *out;
  sa_lines *lines;
  bool colour;
} text_writer;

static const char *const LEVEL_COLOUR[] = {"\033[36m", "\033[1;35m", "\033[1;31m"};
#define BOLD "\033[1m"

static void paint(const text_writer *w, const char *code) {
  if (w->colour) fputs(code, w->out);
}

static void unpaint(const text_writer *w) {
  if (w->colour) fputs("\033[0m", w->out);
}

static void put_head(const text_writer *w, sa_place place, const char *level, const char *colour) {
  paint(w, BOLD);
  sa_shown_path(w->out, sa_place_known(place) ? place.file : "<unknown>");
  if (sa_place_known(place)) fprintf(w->out, ":%" PRIu32 ":%" PRIu32, place.line, place.column);
  fputs(": ", w->out);
  unpaint(w);
  paint(w, colour);
  fprintf(w->out, "%s: ", level);
  unpaint(w);
}

static void put_steps(const text_writer *w, const sa_step *steps, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    put_head(w, steps[i].at, "note", LEVEL_COLOUR[SA_NOTE]);
    fprintf(w->out, "%s: ", steps[i].role);
    sa_shown_text(w->out, steps[i].text);
    putc('\n', w->out);
    sa_put_excerpt(w->out, w->lines, steps[i].at, w->colour);
  }
}

static void put_help(const text_writer *w, const char *help) {
  if (help == NULL || help[0] == '\0') return;
  fputs("  help: ", w->out);
  sa_shown_text(w->out, help);
  putc('\n', w->out);
}

static void put_finding(const text_writer *w, const sa_finding *finding) {
  put_head(w, finding->at, sa_severity_name(finding->level), LEVEL_COLOUR[finding->level]);
  sa_shown_text(w->out, finding->message);
  fprintf(w->out, " [%s]\n", finding->rule->id);
  sa_put_excerpt(w->out, w->lines, finding->at, w->colour);
  put_steps(w, finding->evidence.at, finding->evidence.n);
  put_help(w, finding->help);
  if (finding->fixable) fputs("  fix: --diff shows a proved edit, --fix makes it\n", w->out);
}

static void put_suppressed(const text_writer *w, const sa_finding *finding) {
  bool accepted = finding->suppression == NULL;
  const char *reason = accepted ? finding->accepted : finding->suppression->reason;
  put_head(w, finding->at, accepted ? "baseline" : "suppressed", BOLD);
  sa_shown_text(w->out, finding->message);
  fprintf(w->out, " [%s]\n  reason: ", finding->rule->id);
  sa_shown_text(w->out, reason[0] != '\0' ? reason : "none is given");
  if (!accepted && finding->suppression->until[0] != '\0')
    fprintf(w->out, " (until %s)", finding->suppression->until);
  putc('\n', w->out);
}

static void put_list(const text_writer *w, const char *title, const char *const *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    fprintf(w->out, "  %s: ", title);
    sa_shown_text(w->out, at[i]);
    putc('\n', w->out);
  }
}

static void put_site(const text_writer *w, const sa_site *site) {
  put_head(w, site->at, "site", BOLD);
  if (site->category != NULL)
    fprintf(w->out, "%s, effect %s, confidence %s", site->category, site->effect, site->confidence);
  else
    fputs(site->analysed ? site->kind : "not analysed", w->out);
  if (site->reason != NULL) {
    fputs(": ", w->out);
    sa_shown_text(w->out, site->reason);
  }
  if (site->verdict[0] != '\0') fprintf(w->out, " (%s)", site->verdict);
  putc('\n', w->out);
  sa_put_excerpt(w->out, w->lines, site->at, w->colour);
  put_steps(w, site->evidence.at, site->evidence.n);
  put_list(w, "proved", site->proved.at, site->proved.n);
  put_list(w, "assumed", site->assumed.at, site->assumed.n);
  put_list(w, "missing", site->missing.at, site->missing.n);
}

static void put_count(FILE *out, uint32_t n, const char *noun, const char *separator) {
  fprintf(out, "%s%" PRIu32 " %s%s", separator, n, noun, n == 1 ? "" : "s");
}

static void put_summary(const text_writer *w, const sa_result *result) {
  static const char *const levels[] = {"note", "warning", "error"};
  sa_summary sum = sa_summarise(result);
  put_count(w->out, sum.decisions, "record_stream call", "");
  const char *separator = ": ";
  for (int c = 0; c < SA_CATEGORY_COUNT; c++) {
    if (sum.categories[c] == 0) continue;
    fprintf(w->out, "%s%" PRIu32 " %s", separator, sum.categories[c], SA_CATEGORIES[c]);
    separator = ", ";
  }
  if (sum.not_judged > 0) {
    fprintf(w->out, "%s%" PRIu32 " not judged", separator, sum.not_judged);
    separator = ", ";
  }
  if (sum.not_analysed > 0)
    fprintf(w->out, "%s%" PRIu32 " not analysed", separator, sum.not_analysed);
  separator = "; ";
  for (int level = SA_ERROR; level >= SA_NOTE; level--) {
    if (sum.levels[level] == 0) continue;
    put_count(w->out, sum.levels[level], levels[level], separator);
    separator = ", ";
  }
  if (result->allowed > 0) fprintf(w->out, "; %" PRIu32 " suppressed", result->allowed);
  if (result->baselined > 0) fprintf(w->out, "; %" PRIu32 " in the baseline", result->baselined);
  if (result->unchanged > 0)
    fprintf(w->out, "; %" PRIu32 " not on changed lines", result->unchanged);
  put_count(w->out, result->files, "file", "; ");
  if (result->files_failed > 0) fprintf(w->out, " (%" PRIu32 " failed)", result->files_failed);
  putc('\n', w->out);
}

/* Sites that no finding speaks of. */
static void put_silent_sites(const text_writer *w, const sa_result *result) {
  sa_arena *arena = sa_arena_new();
  sa_site_index index = sa_site_index_of(arena, result);
  bool *told = sa_alloc(arena, result->sites.n + 1);
  for (uint32_t i = 0; i < result->findings.n; i++) {
    const sa_site *site = sa_site_index_find(&index, result->findings.at[i].site);
    if (site != NULL) told[site - result->sites.at] = true;
  }
  for (uint32_t i = 0; i < result->sites.n; i++)
    if (!told[i]) put_site(w, &result->sites.at[i]);
  sa_arena_free(arena);
}

sa_status sa_text_write(FILE *out, const sa_result *result, const sa_report_options *options) {
  text_writer w = {out, sa_lines_new(options->root), options->colour};
  for (uint32_t i = 0; i < result->findings.n; i++) put_finding(&w, &result->findings.at[i]);
  for (uint32_t i = 0; options->show_suppressed && i < result->suppressed.n; i++)
    put_suppressed(&w, &result->suppressed.at[i]);
  if (options->report_all) put_silent_sites(&w, result);
  if (!options->quiet) put_summary(&w, result);
  sa_lines_free(w.lines);
  return fflush(out) != 0 || ferror(out) ? SA_E_IO : SA_OK;
}
