/* The log: tool, rules, files, notifications. The rules do not depend on the input. */
#include "report/sarif.h"
#include "report/digest.h"
#include "report/formats.h"
#include "report/summary.h"

#include <ctype.h>
#include <string.h>

bool sa_sarif_inside(sa_place place) {
  return sa_place_known(place) && place.file[0] != '/' && strncmp(place.file, "../", 3) != 0;
}

/* Percent-encodes a path. */
static void put_uri(sa_json *json, const char *file) {
  char small[512];
  size_t size = 3 * strlen(file) + 1;
  sa_arena *arena = size > sizeof small ? sa_arena_new() : NULL;
  char *uri = arena != NULL ? sa_alloc(arena, size) : small, *to = uri;
  for (const unsigned char *at = (const unsigned char *)file; *at != '\0'; at++) {
    bool plain = *at < 0x80 && (isalnum(*at) || strchr("-._~/+,=@", *at) != NULL);
    if (plain)
      *to++ = (char)*at;
    else
      to += sprintf(to, "%%%02X", *at);
  }
  *to = '\0';
  sa_json_string(json, "uri", uri);
  if (arena != NULL) sa_arena_free(arena);
}

void sa_sarif_put_artifact_location(sa_json *json, const char *key, const char *file,
                                    uint32_t index) {
  sa_json_open(json, key, '{');
  put_uri(json, file);
  sa_json_string(json, "uriBaseId", "%SRCROOT%");
  if (index != SA_NO_INDEX) sa_json_int(json, "index", index);
  sa_json_close(json);
}

static void put_wrapped(sa_json *json, const char *key, const char *member, const char *text) {
  sa_json_open(json, key, '{');
  sa_json_string(json, member, text);
  sa_json_close(json);
}

/* "avoidable-record-stream" as "AvoidableRecordStream". */
static char *pascal_case(sa_arena *arena, const char *slug) {
  char *name = sa_strdup(arena, slug), *to = name;
  bool upper = true;
  for (const char *at = slug; *at != '\0'; at++) {
    if (*at != '-') *to++ = upper ? (char)toupper((unsigned char)*at) : *at;
    upper = *at == '-';
  }
  *to = '\0';
  return name;
}

static void put_rule_properties(sa_json *json, const sa_rule *rule) {
  static const char *const severities[] = {"recommendation", "warning", "error"};
  sa_json_open(json, "properties", '{');
  sa_json_string(json, "precision", rule->precision);
  sa_json_string(json, "problem.severity", severities[rule->level]);
  sa_json_open(json, "tags", '[');
  sa_json_string(json, NULL, "gpu");
  sa_json_string(json, NULL, "memory");
  sa_json_string(json, NULL, rule->level == SA_ERROR ? "correctness" : "performance");
  sa_json_close(json);
  sa_json_close(json);
}

static void put_rule(sa_json *json, sa_arena *arena, const sa_rule *rule) {
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "id", rule->id);
  sa_json_string(json, "name", pascal_case(arena, rule->name));
  put_wrapped(json, "shortDescription", "text", rule->summary);
  put_wrapped(json, "fullDescription", "text", rule->description);
  sa_json_open(json, "help", '{');
  sa_json_string(json, "text", rule->help);
  sa_json_string(json, "markdown",
                 sa_printf(arena,
                           "%s\n\nInstead of\n\n```cpp\n%s\n```\n\nwrite\n\n```cpp\n%s\n```\n",
                           rule->help, rule->bad, rule->good));
  sa_json_close(json);
#ifdef SA_PROJECT_URI
  sa_json_string(json, "helpUri", sa_printf(arena, SA_PROJECT_URI "/docs/rules.md#%s", rule->id));
#endif
  sa_json_open(json, "messageStrings", '{');
  put_wrapped(json, "default", "text", rule->summary);
  sa_json_close(json);
  put_wrapped(json, "defaultConfiguration", "level", sa_severity_name(rule->level));
  put_rule_properties(json, rule);
  sa_json_close(json);
}

static const struct {
  const char *id, *what, *help;
} NOTIFICATIONS[] = {
    [SA_NOTE] = {"run-note", "Something is worth knowing about the run.",
                 "Nothing needs to be done."},
    [SA_WARNING] = {"run-warning", "A file was analysed with less than it needs.",
                    "Give the tool the compile flags of the file."},
    [SA_ERROR] = {"run-error", "A file could not be read or analysed.",
                  "Check that the file exists and that its compile flags are right."},
};

static void put_driver(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, "tool", '{');
  sa_json_open(json, "driver", '{');
  sa_json_string(json, "name", "sa-lint");
  sa_json_string(json, "fullName", "sa-lint, static analysis of record_stream calls");
  sa_json_string(json, "organization", "sa-lint");
  sa_json_string(json, "version", s->result->tool_version);
  sa_json_string(json, "semanticVersion", s->result->tool_version);
#ifdef SA_PROJECT_URI
  sa_json_string(json, "informationUri", SA_PROJECT_URI);
#endif
  sa_json_string(json, "language", "en-US");
  sa_json_open(json, "rules", '[');
  for (uint32_t i = 0; i < s->result->rules->rules.n; i++)
    put_rule(json, s->arena, &s->result->rules->rules.at[i]);
  sa_json_close(json);
  sa_json_open(json, "notifications", '[');
  for (int level = SA_NOTE; level <= SA_ERROR; level++) {
    sa_json_open(json, NULL, '{');
    sa_json_string(json, "id", NOTIFICATIONS[level].id);
    sa_json_string(json, "name", pascal_case(s->arena, NOTIFICATIONS[level].id));
    put_wrapped(json, "shortDescription", "text", NOTIFICATIONS[level].what);
    put_wrapped(json, "fullDescription", "text", NOTIFICATIONS[level].what);
    put_wrapped(json, "help", "text", NOTIFICATIONS[level].help);
    sa_json_close(json);
  }
  sa_json_close(json);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_message(sa_sarif *s, const sa_message *message) {
  sa_json *json = &s->json;
  sa_json_open(json, NULL, '{');
  put_wrapped(json, "descriptor", "id", NOTIFICATIONS[message->severity].id);
  sa_json_string(json, "level", sa_severity_name(message->severity));
  put_wrapped(json, "message", "text", message->text);
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

static void put_invocation(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, "invocations", '[');
  sa_json_open(json, NULL, '{');
  sa_json_bool(json, "executionSuccessful", s->result->files_failed == 0);
  sa_json_open(json, "toolExecutionNotifications", '[');
  for (uint32_t i = 0; i < s->result->messages.n; i++) put_message(s, &s->result->messages.at[i]);
  for (uint32_t i = 0; i < s->result->findings.n; i++) {
    const sa_finding *finding = &s->result->findings.at[i];
    if (sa_sarif_inside(finding->at)) continue;
    sa_message outside = {SA_NOTE, NULL, 0, 0, NULL};
    outside.text = sa_printf(s->arena, "A finding of %s is outside the project root: %s",
                             finding->rule->id, finding->message);
    put_message(s, &outside);
  }
  sa_json_close(json);
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
    put_wrapped(json, "hashes", "sha-256", hex);
  }
  sa_json_string(json, "sourceLanguage", language_of(name));
  sa_json_close(json);
}

/* Writes the files that have results and numbers them. Findings are sorted by file. */
static void put_artifacts(sa_sarif *s) {
  uint32_t n = s->result->findings.n, count = 0;
  const char *last = NULL;
  s->artifacts = sa_alloc(s->arena, (n + 1) * sizeof *s->artifacts);
  sa_json_open(&s->json, "artifacts", '[');
  for (uint32_t i = 0; i < n; i++) {
    const sa_finding *finding = &s->result->findings.at[i];
    s->artifacts[i] = SA_NO_INDEX;
    if (!sa_sarif_inside(finding->at)) continue;
    if (last == NULL || strcmp(last, finding->at.file) != 0) {
      last = finding->at.file;
      put_artifact(s, last);
      count++;
    }
    s->artifacts[i] = count - 1;
  }
  sa_json_close(&s->json);
}

static void put_run(sa_sarif *s, const char *category) {
  sa_json *json = &s->json;
  bool named = category != NULL && category[0] != '\0';
  sa_json_open(json, NULL, '{');
  put_driver(s);
  put_wrapped(json, "automationDetails", "id",
              named ? sa_printf(s->arena, "sa-lint/%s/", category) : "sa-lint/");
  sa_json_string(json, "columnKind", "utf16CodeUnits");
  sa_json_open(json, "originalUriBaseIds", '{');
  sa_json_open(json, "%SRCROOT%", '{');
  put_wrapped(json, "description", "text", "The root of the project.");
  sa_json_close(json);
  sa_json_close(json);
  put_invocation(s);
  put_artifacts(s);
  sa_sarif_put_results(s);
  sa_json_close(json);
}

sa_status sa_sarif_write(FILE *out, const sa_result *result, const sa_report_options *options) {
  sa_sarif s = {.json = sa_json_to(out), .arena = sa_arena_new(), .result = result};
  s.lines = sa_lines_new(options->root);
  s.sites = sa_site_index_of(s.arena, result);
  sa_json_open(&s.json, NULL, '{');
  sa_json_string(&s.json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  sa_json_string(&s.json, "version", "2.1.0");
  sa_json_open(&s.json, "runs", '[');
  put_run(&s, options->category);
  sa_json_close(&s.json);
  sa_json_close(&s.json);
  sa_status status = sa_json_finish(&s.json);
  sa_lines_free(s.lines);
  sa_arena_free(s.arena);
  return status;
}
