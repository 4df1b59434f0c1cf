/* The log: the tool, the run, its files and notifications, and the results. */
#include "report/sarif.h"

#include "base/gzip.h"
#include "report/digest.h"
#include "report/formats.h"

#include <string.h>
#include <time.h>

static void put_message(sa_sarif *s, const sa_message *message) {
  sa_json *json = &s->json;
  sa_json_open(json, NULL, '{');
  sa_sarif_put_wrapped(json, "descriptor", "id", sa_sarif_notification_id(message));
  sa_json_string(json, "level", sa_severity_name(message->severity));
  sa_sarif_put_wrapped(json, "message", "text", message->text);
  sa_place at = {.file = message->file,
                 .line = message->line > 0 ? message->line : 1,
                 .column = message->column};
  if (sa_sarif_inside(at)) {
    sa_json_open(json, "locations", '[');
    sa_json_open(json, NULL, '{');
    sa_json_open(json, "physicalLocation", '{');
    sa_sarif_put_artifact_location(json, "artifactLocation", at.file, SA_NO_INDEX);
    if (message->line > 0) {
      sa_json_open(json, "region", '{');
      sa_json_int(json, "startLine", message->line);
      sa_json_close(json);
    }
    sa_json_close(json);
    sa_json_close(json);
    sa_json_close(json);
  }
  sa_json_close(json);
}

/* What became of findings that are no results. */
static void put_left_out(sa_sarif *s) {
  for (uint32_t i = 0; i < s->result->findings.n; i++) {
    const sa_finding *finding = &s->result->findings.at[i];
    if (sa_sarif_inside(finding->at)) continue;
    sa_message outside = {.severity = SA_NOTE};
    outside.text = sa_printf(s->arena, "A finding of %s is outside the project root: %s",
                             finding->rule->id, finding->message);
    put_message(s, &outside);
  }
}

static void put_notifications(sa_sarif *s, bool configuration) {
  sa_json_open(&s->json,
               configuration ? "toolConfigurationNotifications" : "toolExecutionNotifications",
               '[');
  for (uint32_t i = 0; i < s->result->messages.n; i++)
    if (s->result->messages.at[i].configuration == configuration)
      put_message(s, &s->result->messages.at[i]);
  if (!configuration) put_left_out(s);
  if (configuration && s->all.n > s->entries.n) {
    sa_message limit = {.severity = SA_WARNING, .configuration = true};
    limit.text = sa_printf(s->arena, SA_SARIF_LEFT_OUT, (unsigned)(s->all.n - s->entries.n));
    put_message(s, &limit);
  }
  sa_json_close(&s->json);
}

static void put_time(sa_json *json, const char *key, time_t when) {
  char text[32];
  struct tm parts;
  if (gmtime_r(&when, &parts) == NULL) return;
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  sa_json_string(json, key, text);
}

/* Who ran what, where and when; only on request: it makes every log different. */
static void put_circumstances(sa_sarif *s, const sa_sarif_run *run) {
  sa_json *json = &s->json;
  sa_json_open(json, "arguments", '[');
  for (uint32_t i = 0; i < run->narguments; i++) sa_json_string(json, NULL, run->arguments[i]);
  sa_json_close(json);
  put_time(json, "startTimeUtc", (time_t)run->started);
  put_time(json, "endTimeUtc", (time_t)run->ended);
  sa_sarif_put_wrapped(json, "workingDirectory", "uri",
                       sa_sarif_directory_uri(s->arena, run->directory));
}

static void put_invocation(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, "invocations", '[');
  sa_json_open(json, NULL, '{');
  if (s->options->sarif.run != NULL) put_circumstances(s, s->options->sarif.run);
  sa_json_bool(json, "executionSuccessful", s->result->files_failed == 0);
  put_notifications(s, true);
  put_notifications(s, false);
  sa_json_close(json);
  sa_json_close(json);
}

static const char *language_of(const char *file) {
  static const char *const table[][2] = {{".c", "c"},     {".py", "python"}, {".pyi", "python"},
                                         {".cu", "cuda"}, {".cuh", "cuda"},  {".hip", "hip"},
                                         {".mu", "musa"}, {NULL, NULL}};
  const char *dot = strrchr(file, '.');
  for (int i = 0; dot != NULL && table[i][0] != NULL; i++)
    if (strcmp(dot, table[i][0]) == 0) return table[i][1];
  return "cplusplus";
}

static void put_artifact(sa_sarif *s, const char *name) {
  sa_json *json = &s->json;
  sa_json_open(json, NULL, '{');
  sa_sarif_put_artifact_location(json, "location", name, SA_NO_INDEX);
  const sa_file_lines *file = sa_lines_of(s->lines, name);
  if (file->text != NULL) {
    char hex[65];
    sa_sha256_hex(hex, file->text, file->length);
    sa_json_int(json, "length", (int64_t)file->length);
    sa_sarif_put_wrapped(json, "hashes", "sha-256", hex);
  }
  sa_json_string(json, "sourceLanguage", language_of(name));
  sa_json_close(json);
}

/* Writes the files that have results and numbers them. Results are sorted by file. */
static void put_artifacts(sa_sarif *s) {
  uint32_t count = 0;
  const char *last = NULL;
  sa_json_open(&s->json, "artifacts", '[');
  for (uint32_t i = 0; i < s->entries.n; i++) {
    const char *file = sa_sarif_place_of(&s->entries.at[i]).file;
    if (last == NULL || strcmp(last, file) != 0) {
      put_artifact(s, file);
      last = file;
      count++;
    }
    s->entries.at[i].artifact = count - 1;
  }
  sa_json_close(&s->json);
}

/* Ids and properties as Azure's advanced security asks for them. */
static void put_azure_details(sa_sarif *s, const sa_azure_pipeline *azure) {
  sa_json *json = &s->json;
  sa_json_open(json, "automationDetails", '{');
  sa_json_string(json, "id",
                 sa_printf(s->arena, "azuredevops/pipeline/build/%s/%s/%s/%s/%s/%s",
                           azure->organization, azure->project, azure->definition, azure->phase,
                           azure->branch, azure->build));
  sa_json_open(json, "properties", '{');
  sa_json_string(json, "azuredevops/pipeline/build/buildDefinitionId", azure->definition);
  sa_json_string(json, "azuredevops/pipeline/build/buildDefinitionName", azure->definition_name);
  sa_json_string(json, "azuredevops/pipeline/build/phaseId", azure->phase);
  sa_json_string(json, "azuredevops/pipeline/build/phaseName", azure->phase_name);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_details(sa_sarif *s) {
  const char *category = s->options->category;
  if (s->options->sarif.profile == SA_SARIF_AZURE) {
    put_azure_details(s, s->options->sarif.azure);
    return;
  }
  size_t length = category != NULL ? strlen(category) : 0;
  while (length > 0 && category[length - 1] == '/') length--;
  sa_sarif_put_wrapped(&s->json, "automationDetails", "id",
                       length > 0 ? sa_printf(s->arena, "sa-lint/%.*s/", (int)length, category)
                                  : "sa-lint/");
}

static void put_root(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, "originalUriBaseIds", '{');
  sa_json_open(json, "%SRCROOT%", '{');
  if (s->options->sarif.root_uri != NULL) sa_json_string(json, "uri", s->options->sarif.root_uri);
  sa_sarif_put_wrapped(json, "description", "text", "The root of the project.");
  sa_json_close(json);
  sa_json_close(json);
}

static void put_provenance(sa_sarif *s, const sa_provenance *from) {
  sa_json *json = &s->json;
  if (from == NULL) return;
  sa_json_open(json, "versionControlProvenance", '[');
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "repositoryUri", from->repository);
  sa_json_string(json, "revisionId", from->revision);
  if (from->branch != NULL) sa_json_string(json, "branch", from->branch);
  if (from->whole) sa_sarif_put_wrapped(json, "mappedTo", "uriBaseId", "%SRCROOT%");
  sa_json_close(json);
  sa_json_close(json);
}

/* How many findings are no results because somebody accepted them, or asked for others. */
static void put_counts(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, "properties", '{');
  sa_json_open(json, "saLint", '{');
  sa_json_int(json, "suppressed", s->result->allowed);
  if (s->result->has_baseline) sa_json_int(json, "baselined", s->result->baselined);
  if (s->result->has_changes) sa_json_int(json, "unchanged", s->result->unchanged);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_run(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, NULL, '{');
  sa_sarif_put_driver(s);
  put_details(s);
  sa_json_string(json, "columnKind", "utf16CodeUnits");
  put_root(s);
  put_provenance(s, s->options->sarif.provenance);
  put_invocation(s);
  put_artifacts(s);
  sa_json_open(json, "results", '[');
  for (uint32_t i = 0; i < s->entries.n; i++) sa_sarif_put_result(s, &s->entries.at[i]);
  sa_json_close(json);
  put_counts(s);
  sa_json_close(json);
}

static void put_log(void *context, FILE *out, uint32_t n, uint32_t step) {
  sa_sarif *s = context;
  sa_sarif_keep(s, n, step);
  s->json = sa_json_to(out);
  sa_json_open(&s->json, NULL, '{');
  sa_json_string(&s->json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  sa_json_string(&s->json, "version", "2.1.0");
  sa_json_open(&s->json, "runs", '[');
  put_run(s);
  sa_json_close(&s->json);
  sa_json_close(&s->json);
}

sa_status sa_sarif_write(FILE *out, const sa_result *result, const sa_report_options *options) {
  sa_sarif s = {.arena = sa_arena_new(), .result = result, .options = options};
  s.lines = sa_lines_new(options->root);
  s.sites = sa_site_index_of(s.arena, result);
  sa_sarif_collect(&s);
  uint32_t n = s.all.n <= SA_SARIF_MAX_RESULTS ? s.all.n : SA_SARIF_MAX_RESULTS;
  uint32_t most = options->sarif.most_bytes > 0 ? options->sarif.most_bytes : SA_SARIF_MAX_BYTES;
  n = sa_gzip_fit(n, most, put_log, &s);
  if (options->sarif.left_out != NULL) *options->sarif.left_out = s.all.n - n;
  put_log(&s, out, n, 1);
  sa_status status = sa_json_finish(&s.json);
  sa_lines_free(s.lines);
  sa_arena_free(s.arena);
  return status;
}
