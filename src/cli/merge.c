/* `merge`: reading by merge/, writing by the formats of every run. */
#include "cli/driver.h"

#include "base/fs.h"
#include "cli/output.h"
#include "merge/merge.h"
#include "ruleset/ruleset.h"

#include <errno.h>
#include <string.h>

static int merge_results(const sa_options *o, sa_arena *arena, sa_diag *diag,
                         const sa_reports *reports) {
  sa_ruleset *rules;
  sa_result result;
  const char *root = sa_fs_working_directory(arena);
  if (sa_ruleset_load(&rules, arena, diag, o->rules) != SA_OK ||
      sa_merge_results(&result, arena, diag, rules, reports) != SA_OK)
    return SA_EXIT_USAGE;
  sa_filter_options options = sa_filter_options_of(o);
  sa_filter(&result, arena, &options);
  if (o->root != NULL) root = o->root;
  if (sa_output_reports(arena, diag, o, root, &result) != SA_OK) return SA_EXIT_USAGE;
  if (o->statistics) sa_output_statistics(&result);
  return sa_output_status(o, &result);
}

static sa_status write_sarif(const sa_options *o, sa_arena *arena, sa_diag *diag,
                             const sa_reports *reports, bool *failed, int *worst) {
  const char *path = o->formats.at[0].path;
  sa_output out;
  if (path == NULL) {
    sa_status status = sa_merge_sarif(stdout, arena, diag, reports, o->category, failed, worst);
    return status == SA_E_SYNTAX ? status : sa_output_flush(diag);
  }
  sa_status status = sa_output_open(&out, arena, diag, path);
  if (status != SA_OK) return status;
  status = sa_merge_sarif(out.file, arena, diag, reports, o->category, failed, worst);
  if (status == SA_OK) return sa_output_commit(&out, diag);
  if (status == SA_E_IO) sa_report(diag, SA_ERROR, path, 0, 0, "cannot write: %s", strerror(errno));
  sa_output_abandon(&out);
  return status;
}

static int merge_sarif(const sa_options *o, sa_arena *arena, sa_diag *diag,
                       const sa_reports *reports) {
  bool failed = false;
  int worst = -1, fail_on = o->fail_on >= 0 ? o->fail_on : SA_WARNING;
  if (o->formats.n > 1 || strcmp(o->formats.at[0].reporter->name, "sarif") != 0) {
    sa_report(
        diag, SA_ERROR, NULL, 0, 0,
        "merge: SARIF reports give SARIF only (--format sarif); JSON reports give any format");
    return SA_EXIT_USAGE;
  }
  if (write_sarif(o, arena, diag, reports, &failed, &worst) != SA_OK) return SA_EXIT_USAGE;
  if (o->exit_zero) return SA_EXIT_CLEAN;
  if (worst >= fail_on) return SA_EXIT_FINDINGS;
  return failed && !o->parse_errors_warn ? SA_EXIT_INCOMPLETE : SA_EXIT_CLEAN;
}

int sa_run_merge(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  sa_reports *reports;
  if (options->paths.n == 0) {
    sa_report(diag, SA_ERROR, NULL, 0, 0, "merge: which reports? Give JSON or SARIF files");
    return SA_EXIT_USAGE;
  }
  if (sa_reports_load(&reports, arena, diag, options->paths.at, options->paths.n, SA_VERSION) !=
      SA_OK)
    return SA_EXIT_USAGE;
  int code = sa_reports_are_sarif(reports) ? merge_sarif(options, arena, diag, reports)
                                           : merge_results(options, arena, diag, reports);
  sa_reports_free(reports);
  return code;
}
