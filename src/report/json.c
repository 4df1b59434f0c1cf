/* The JSON contract, schema docs/schema/sa-lint-1.schema.json. Columns are bytes here. */
#include "base/json.h"
#include "report/formats.h"
#include "report/summary.h"

#include <string.h>

static void put_tool(sa_json *json, const sa_result *result) {
  sa_json_open(json, "tool", '{');
  sa_json_string(json, "name", "sa-lint");
  sa_json_string(json, "version", result->tool_version);
  sa_json_string(json, "libclang", result->libclang_version);
  sa_json_close(json);
}

static void put_strings(sa_json *json, const char *key, const char *const *at, uint32_t n) {
  sa_json_open(json, key, '[');
  for (uint32_t i = 0; i < n; i++) sa_json_string(json, NULL, at[i]);
  sa_json_close(json);
}

static void put_position(sa_json *json, sa_place at) {
  sa_json_string(json, "file", at.file);
  sa_json_int(json, "line", at.line);
  sa_json_int(json, "column", at.column);
  if (at.cell == 0) return;
  sa_json_int(json, "cell", at.cell);
  sa_json_int(json, "cellLine", at.cell_line);
}

static void put_steps(sa_json *json, const sa_step *steps, uint32_t n) {
  sa_json_open(json, "evidence", '[');
  for (uint32_t i = 0; i < n; i++) {
    sa_json_open(json, NULL, '{');
    sa_json_string(json, "role", steps[i].role);
    put_position(json, steps[i].at);
    sa_json_string(json, "text", steps[i].text);
    sa_json_close(json);
  }
  sa_json_close(json);
}

static void put_edits(sa_json *json, const sa_edit *edits, uint32_t n, bool safe) {
  sa_json_open(json, "fix", '{');
  sa_json_bool(json, "safe", safe);
  sa_json_open(json, "edits", '[');
  for (uint32_t i = 0; i < n; i++) {
    const sa_edit *edit = &edits[i];
    sa_json_open(json, NULL, '{');
    sa_json_string(json, "file", edit->at.file);
    sa_json_int(json, "startLine", edit->at.line);
    sa_json_int(json, "startColumn", edit->at.column);
    sa_json_int(json, "endLine", edit->at.end_line);
    sa_json_int(json, "endColumn", edit->at.end_column);
    sa_json_string(json, "text", edit->text);
    sa_json_close(json);
  }
  sa_json_close(json);
  sa_json_close(json);
}

static void put_fix(sa_json *json, const sa_site *site) {
  if (site->has_fix)
    put_edits(json, site->edits.at, site->edits.n, site->fix_safe);
  else
    sa_json_null(json, "fix");
}

static void put_release(sa_json *json, const sa_site *site) {
  sa_json_open(json, "release", '{');
  sa_json_string(json, "kind", site->release_kind);
  if (site->release_line != 0)
    sa_json_int(json, "line", site->release_line);
  else
    sa_json_null(json, "line");
  sa_json_close(json);
}

static void put_site(sa_json *json, const sa_site *site) {
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "id", site->id);
  put_position(json, site->at);
  sa_json_int(json, "endLine", site->at.end_line);
  sa_json_int(json, "endColumn", site->at.end_column);
  sa_json_string(json, "language", site->language);
  sa_json_string(json, "function", site->function);
  sa_json_string(json, "api", site->api);
  sa_json_string(json, "kind", site->kind);
  sa_json_bool(json, "analysed", site->analysed);
  sa_json_string(json, "reason", site->reason);
  sa_json_string(json, "category", site->category);
  sa_json_string(json, "effect", site->effect);
  sa_json_string(json, "confidence", site->confidence);
  sa_json_string(json, "block", site->block);
  sa_json_string(json, "creationStream", site->creation_stream);
  sa_json_string(json, "recordedStream", site->recorded_stream);
  put_release(json, site);
  sa_json_bool(json, "justified", site->justified);
  sa_json_string(json, "verdict", site->verdict);
  put_steps(json, site->evidence.at, site->evidence.n);
  put_strings(json, "proved", site->proved.at, site->proved.n);
  put_strings(json, "assumed", site->assumed.at, site->assumed.n);
  put_strings(json, "missing", site->missing.at, site->missing.n);
  sa_json_string(json, "advice", site->advice);
  put_fix(json, site);
  if (site->fix_reason != NULL) sa_json_string(json, "fixReason", site->fix_reason);
  sa_json_close(json);
}

static void put_suppression(sa_json *json, const sa_suppression *suppression) {
  sa_json_open(json, "suppression", '{');
  sa_json_int(json, "line", suppression->at.line);
  sa_json_string(json, "reason", suppression->reason);
  sa_json_string(json, "until", suppression->until[0] != '\0' ? suppression->until : NULL);
  sa_json_close(json);
}

static void put_finding(sa_json *json, const sa_finding *finding) {
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "rule", finding->rule->id);
  sa_json_string(json, "level", sa_severity_name(finding->level));
  put_position(json, finding->at);
  sa_json_int(json, "endLine", finding->at.end_line);
  sa_json_int(json, "endColumn", finding->at.end_column);
  sa_json_string(json, "function", finding->function);
  sa_json_string(json, "message", finding->message);
  sa_json_string(json, "help", finding->help);
  sa_json_string(json, "site", finding->site);
  sa_json_string(json, "key", finding->key);
  put_steps(json, finding->evidence.at, finding->evidence.n);
  if (finding->suppression != NULL) put_suppression(json, finding->suppression);
  if (finding->accepted != NULL) {
    sa_json_open(json, "baseline", '{');
    sa_json_string(json, "reason", finding->accepted);
    sa_json_close(json);
  }
  if (finding->site == NULL && finding->edits.n > 0)
    put_edits(json, finding->edits.at, finding->edits.n, true);
  sa_json_close(json);
}

static void put_message(sa_json *json, const sa_message *message) {
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "level", sa_severity_name(message->severity));
  sa_json_string(json, "file", message->file);
  sa_json_int(json, "line", message->line);
  sa_json_string(json, "text", message->text);
  sa_json_close(json);
}

/* null where nobody asked for that. */
static void put_count(sa_json *json, const char *key, bool counted, uint32_t n) {
  if (counted)
    sa_json_int(json, key, n);
  else
    sa_json_null(json, key);
}

static void put_summary(sa_json *json, const sa_result *result) {
  sa_summary sum = sa_summarise(result);
  sa_json_open(json, "summary", '{');
  sa_json_int(json, "files", result->files);
  sa_json_int(json, "filesSkipped", result->files_skipped);
  sa_json_int(json, "filesFailed", result->files_failed);
  sa_json_int(json, "sites", sum.sites);
  sa_json_int(json, "analysed", sum.analysed);
  sa_json_int(json, "suppressed", result->allowed);
  put_count(json, "baselined", result->has_baseline, result->baselined);
  put_count(json, "unchanged", result->has_changes, result->unchanged);
  sa_json_open(json, "byCategory", '{');
  for (int c = 0; c < SA_CATEGORY_COUNT; c++)
    sa_json_int(json, SA_CATEGORIES[c], sum.categories[c]);
  sa_json_close(json);
  sa_json_close(json);
}

sa_status sa_json_write(FILE *out, const sa_result *result, const sa_report_options *options) {
  sa_json json = sa_json_to(out);
  sa_json_open(&json, NULL, '{');
  sa_json_string(&json, "schema", "sa-lint/1");
  put_tool(&json, result);
  sa_json_open(&json, "sites", '[');
  for (uint32_t i = 0; i < result->sites.n; i++) put_site(&json, &result->sites.at[i]);
  sa_json_close(&json);
  sa_json_open(&json, "findings", '[');
  for (uint32_t i = 0; i < result->findings.n; i++) put_finding(&json, &result->findings.at[i]);
  sa_json_close(&json);
  if (options->show_suppressed) {
    sa_json_open(&json, "suppressed", '[');
    for (uint32_t i = 0; i < result->suppressed.n; i++)
      put_finding(&json, &result->suppressed.at[i]);
    sa_json_close(&json);
  }
  sa_json_open(&json, "notifications", '[');
  for (uint32_t i = 0; i < result->messages.n; i++) put_message(&json, &result->messages.at[i]);
  sa_json_close(&json);
  put_summary(&json, result);
  sa_json_close(&json);
  return sa_json_finish(&json);
}
