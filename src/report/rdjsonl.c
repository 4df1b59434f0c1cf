/* Diagnostics for reviewdog, one a line. Columns are bytes there. */
#include "base/json.h"
#include "report/formats.h"
#include "report/harmless.h"
#include "report/index.h"
#include "report/summary.h"

#include <string.h>

static void put_position(sa_json *json, const char *key, uint32_t line, uint32_t column) {
  sa_json_open(json, key, '{');
  sa_json_int(json, "line", line);
  sa_json_int(json, "column", column > 0 ? column : 1);
  sa_json_close(json);
}

static void put_range(sa_json *json, sa_place at) {
  sa_json_open(json, "range", '{');
  put_position(json, "start", at.line, at.column);
  put_position(json, "end", at.end_line > at.line ? at.end_line : at.line, at.end_column);
  sa_json_close(json);
}

static void put_location(sa_json *json, sa_arena *arena, sa_place at) {
  sa_json_open(json, "location", '{');
  sa_json_string(json, "path", sa_harmless_path(arena, at.file));
  put_range(json, at);
  sa_json_close(json);
}

static void put_related(sa_json *json, sa_arena *arena, const sa_finding *finding) {
  sa_json_open(json, "related_locations", '[');
  for (uint32_t i = 0; i < finding->evidence.n; i++) {
    const sa_step *step = &finding->evidence.at[i];
    if (!sa_place_known(step->at)) continue;
    sa_json_open(json, NULL, '{');
    sa_json_string(json, "message",
                   sa_printf(arena, "%s: %s", step->role, sa_harmless_markdown(arena, step->text)));
    put_location(json, arena, step->at);
    sa_json_close(json);
  }
  sa_json_close(json);
}

/* A reader takes each suggestion alone, so an edit of several places is none. */
static void put_suggestion(sa_json *json, const sa_finding *finding, const sa_site *site) {
  if (site == NULL || !site->has_fix || !site->fix_safe || site->edits.n != 1) return;
  const sa_edit *edit = &site->edits.at[0];
  if (finding->rule->hazard != SA_HAZARD_COUNT || strcmp(edit->at.file, finding->at.file) != 0)
    return;
  sa_json_open(json, "suggestions", '[');
  sa_json_open(json, NULL, '{');
  put_range(json, edit->at);
  sa_json_string(json, "text", edit->text);
  sa_json_close(json);
  sa_json_close(json);
}

static sa_status put_finding(FILE *out, const sa_finding *finding, const sa_site *site) {
  static const char *const severities[] = {"INFO", "WARNING", "ERROR"};
  sa_arena *arena = sa_arena_new();
  sa_json json = sa_json_to(out);
  sa_json_open(&json, NULL, '{');
  sa_json_string(&json, "message", sa_harmless_markdown(arena, finding->message));
  put_location(&json, arena, finding->at);
  sa_json_string(&json, "severity", severities[finding->level]);
  sa_json_open(&json, "source", '{');
  sa_json_string(&json, "name", "sa-lint");
  if (sa_project_address() != NULL) sa_json_string(&json, "url", sa_project_address());
  sa_json_close(&json);
  sa_json_open(&json, "code", '{');
  sa_json_string(&json, "value", finding->rule->id);
  if (sa_rule_page(arena, finding->rule) != NULL)
    sa_json_string(&json, "url", sa_rule_page(arena, finding->rule));
  sa_json_close(&json);
  put_suggestion(&json, finding, site);
  put_related(&json, arena, finding);
  sa_json_close(&json);
  sa_arena_free(arena);
  return sa_json_finish(&json);
}

sa_status sa_rdjsonl_write(FILE *out, const sa_result *result, const sa_report_options *options) {
  (void)options;
  sa_status status = SA_OK;
  sa_arena *arena = sa_arena_new();
  sa_site_index sites = sa_site_index_of(arena, result);
  for (uint32_t i = 0; i < result->findings.n && status == SA_OK; i++) {
    const sa_finding *finding = &result->findings.at[i];
    if (sa_place_known(finding->at))
      status = put_finding(out, finding, sa_site_index_find(&sites, finding->site));
  }
  sa_arena_free(arena);
  return fflush(out) != 0 || ferror(out) ? SA_E_IO : status;
}
