/* GitLab's Code Quality report. */
#include "base/json.h"
#include "report/formats.h"
#include "report/harmless.h"
#include "report/summary.h"

static void put_finding(sa_json *json, sa_arena *arena, const sa_finding *finding) {
  static const char *const severities[] = {"info", "minor", "major"};
  uint32_t first = finding->at.line, last = finding->at.end_line;
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "description", sa_harmless_text(arena, finding->message));
  sa_json_string(json, "check_name", finding->rule->id);
  sa_json_string(json, "fingerprint", finding->key);
  sa_json_string(json, "severity", severities[finding->level]);
  sa_json_open(json, "location", '{');
  sa_json_string(json, "path", sa_harmless_path(arena, finding->at.file));
  sa_json_open(json, "lines", '{');
  sa_json_int(json, "begin", first);
  sa_json_int(json, "end", last > first ? last : first);
  for (int open = 0; open < 3; open++) sa_json_close(json);
}

sa_status sa_gitlab_write(FILE *out, const sa_result *result, const sa_report_options *options) {
  (void)options;
  sa_json json = sa_json_to(out);
  sa_json_open(&json, NULL, '[');
  for (uint32_t i = 0; i < result->findings.n; i++) {
    if (!sa_place_known(result->findings.at[i].at)) continue;
    sa_arena *arena = sa_arena_new();
    put_finding(&json, arena, &result->findings.at[i]);
    sa_arena_free(arena);
  }
  sa_json_close(&json);
  return sa_json_finish(&json);
}
