#include "cli/output.h"

#include "cli/driver.h"
#include "cli/sarif.h"

#include "base/fs.h"
#include "base/shown.h"
#include "model/limits.h"
#include "report/explain.h"
#include "report/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINES_NAMED = 40 };

static bool wants_colour(const sa_options *options, const sa_format *format) {
  const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (options->colour != SA_WHEN_AUTO) return options->colour == SA_WHEN_ALWAYS;
  return format->path == NULL && isatty(STDOUT_FILENO) && (no_color == NULL || *no_color == '\0') &&
         terminal != NULL && strcmp(terminal, "dumb") != 0;
}

static sa_status stdout_failed(sa_diag *diag) {
  sa_report(diag, SA_ERROR, NULL, 0, 0, "cannot write to standard output: %s",
            errno != 0 ? strerror(errno) : "the stream failed");
  return SA_E_IO;
}

sa_status sa_output_flush(sa_diag *diag) {
  return fflush(stdout) != 0 || ferror(stdout) ? stdout_failed(diag) : SA_OK;
}

static sa_status write_report(sa_arena *arena, sa_diag *diag, const sa_format *format,
                              const sa_result *result, const sa_report_options *how) {
  errno = 0;
  if (format->path == NULL) {
    sa_status status = format->reporter->write(stdout, result, how);
    return status != SA_OK ? stdout_failed(diag) : sa_output_flush(diag);
  }
  sa_output out;
  sa_status status = sa_output_open(&out, arena, diag, format->path);
  if (status != SA_OK) return status;
  status = format->reporter->write(out.file, result, how);
  if (status == SA_OK) return sa_output_commit(&out, diag);
  sa_report(diag, SA_ERROR, format->path, 0, 0, "cannot write: %s", strerror(errno));
  sa_output_abandon(&out);
  return status;
}

sa_status sa_output_reports(sa_arena *arena, sa_diag *diag, const sa_options *options,
                            const char *root, const sa_result *result) {
  sa_sarif_options sarif;
  sa_status status = sa_sarif_prepare(&sarif, arena, diag, options, root);
  if (status != SA_OK) return status;
  for (uint32_t i = 0; i < options->formats.n; i++) {
    const sa_format *format = &options->formats.at[i];
    sa_report_options how = {.colour = wants_colour(options, format),
                             .report_all = options->report_all,
                             .show_suppressed = options->show_suppressed,
                             .quiet = options->quiet || result->files == 0,
                             .root = root,
                             .category = options->category != NULL ? options->category : "",
                             .sarif = sarif};
    uint32_t left_out = 0;
    how.sarif.left_out = &left_out;
    sa_status one = write_report(arena, diag, format, result, &how);
    if (left_out > 0)
      sa_report(diag, SA_WARNING, format->path, 0, 0, SA_SARIF_LEFT_OUT, (unsigned)left_out);
    if (one != SA_OK) status = one;
  }
  return status;
}

/* "6, 18 and 40": lines that have something to explain. */
static const char *explainable_lines(sa_arena *arena, const sa_result *result) {
  SA_ARRAY(uint32_t) lines = {0};
  const char *text = "";
  for (uint32_t i = 0; i < result->sites.n; i++)
    sa_push(arena, &lines, result->sites.at[i].at.line);
  for (uint32_t i = 0; i < result->findings.n; i++)
    sa_push(arena, &lines, result->findings.at[i].at.line);
  for (uint32_t last = 0, shown = 0;; shown++) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < lines.n; i++)
      if (lines.at[i] > last && (next == 0 || lines.at[i] < next)) next = lines.at[i];
    if (next == 0) return text;
    if (shown == MAX_LINES_NAMED) return sa_printf(arena, "%s ...", text);
    text = sa_printf(arena, "%s%s%u", text, last != 0 ? ", " : "", (unsigned)next);
    last = next;
  }
}

sa_status sa_output_explanation(sa_arena *arena, sa_diag *diag, const sa_options *options,
                                const char *root, const sa_result *result) {
  const char *file = options->paths.at[0];
  if (sa_explain_has(result, options->line)) {
    sa_report_options how = {.colour = wants_colour(options, &options->formats.at[0]),
                             .root = root};
    if (sa_explain_write(stdout, result, &how, options->line) != SA_OK) return stdout_failed(diag);
    return sa_output_flush(diag);
  }
  const char *lines = explainable_lines(arena, result);
  if (*lines != '\0')
    sa_report(diag, SA_ERROR, file, options->line, 0,
              "nothing on this line to explain; there is something on: %s", lines);
  else
    sa_report(diag, SA_ERROR, file, 0, 0,
              "nothing in this file to explain: no record call, no finding");
  return SA_E_USAGE;
}

int sa_output_status(const sa_options *options, const sa_result *result) {
  for (uint32_t i = 0; i < options->formats.n; i++)
    if (options->formats.at[i].path == NULL && options->formats.at[i].reporter->carries_status)
      return SA_EXIT_CLEAN;
  if (options->exit_zero) return SA_EXIT_CLEAN;
  if (result->failures > 0) return SA_EXIT_FINDINGS;
  bool incomplete = result->files_failed > 0 && !options->parse_errors_warn;
  return incomplete ? SA_EXIT_INCOMPLETE : SA_EXIT_CLEAN;
}

void sa_output_messages(const sa_message_array *messages, const sa_options *options) {
  sa_severity least = options->quiet ? SA_ERROR : options->verbose ? SA_NOTE : SA_WARNING;
  for (uint32_t i = 0; i < messages->n; i++) {
    const sa_message *m = &messages->at[i];
    if (m->severity < least) continue;
    if (m->file == NULL)
      fputs("sa-lint", stderr);
    else
      sa_shown_path(stderr, m->file);
    if (m->file != NULL && m->line > 0) fprintf(stderr, ":%u", m->line);
    if (m->file != NULL && m->line > 0 && m->column > 0) fprintf(stderr, ":%u", m->column);
    fprintf(stderr, ": %s: ", sa_severity_name(m->severity));
    sa_shown_text(stderr, m->text);
    putc('\n', stderr);
  }
}

static void count_rules(const sa_result *result) {
  for (uint32_t i = 0; i < result->rules->rules.n; i++) {
    const sa_rule *rule = &result->rules->rules.at[i];
    unsigned n = 0;
    for (uint32_t j = 0; j < result->findings.n; j++) n += result->findings.at[j].rule == rule;
    if (n > 0) fprintf(stderr, "%7u  %s  %s\n", n, rule->id, rule->name);
  }
}

void sa_output_statistics(const sa_result *result) {
  sa_summary sum = sa_summarise(result);
  count_rules(result);
  for (int i = 0; i < SA_CATEGORY_COUNT; i++)
    fprintf(stderr, "%7u  %s\n", sum.categories[i], SA_CATEGORIES[i]);
  fprintf(stderr, "%7u  suppressed by comments\n%7u  in the baseline\n%7u  not on changed lines\n",
          result->allowed, result->baselined, result->unchanged);
  fprintf(stderr, "%7u  sites in %u files, %u skipped, %u not analysed\n", sum.sites, result->files,
          result->files_skipped, result->files_failed);
}
