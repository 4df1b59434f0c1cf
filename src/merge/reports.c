#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "merge/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REPORT = 512 << 20 };

sa_status sa_merge_refuse(sa_diag *diag, const sa_one_report *report, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = sa_vprintf(diag->arena, format, args);
  va_end(args);
  sa_report(diag, SA_ERROR, report->path, 1, 1, "%s", text);
  return SA_E_SYNTAX;
}

static const char *string_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

/* The part of a report that says which program wrote it; NULL when there is none. */
static const json_t *writer_of(const json_t *root, bool sarif) {
  if (!sarif) return json_object_get(root, "tool");
  const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
  return json_object_get(json_object_get(run, "tool"), "driver");
}

static sa_status check(const sa_one_report *report, sa_diag *diag, bool *sarif, const char *tool) {
  const json_t *root = report->root;
  *sarif = strcmp(string_of(root, "version"), "2.1.0") == 0;
  if (!*sarif && strcmp(string_of(root, "schema"), "sa-lint/1") != 0)
    return sa_merge_refuse(diag, report, "neither a JSON report of sa-lint nor SARIF 2.1.0");
  const json_t *writer = writer_of(root, *sarif);
  if (strcmp(string_of(writer, "name"), "sa-lint") != 0)
    return sa_merge_refuse(diag, report, "the report was not written by sa-lint");
  if (strcmp(string_of(writer, "version"), tool) != 0)
    return sa_merge_refuse(diag, report, "the report was written by version '%s', this is %s",
                           string_of(writer, "version"), tool);
  return SA_OK;
}

static sa_status load(sa_one_report *out, sa_arena *arena, sa_diag *diag, const char *path) {
  char *text;
  size_t length;
  json_error_t error;
  *out = (sa_one_report){.path = path};
  sa_status status = sa_fs_read_text(&text, &length, arena, diag, path, MAX_REPORT);
  if (status != SA_OK) return status;
  out->hash = sa_hash(text, length, 0);
  out->root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
  if (out->root != NULL) return SA_OK;
  sa_report(diag, SA_ERROR, path, error.line > 0 ? (unsigned)error.line : 1,
            error.column > 0 ? (unsigned)error.column : 1, "the report is no JSON: %s",
            sa_json_problem(arena, error.text));
  return SA_E_SYNTAX;
}

static int compare_reports(const void *a, const void *b) {
  const sa_one_report *x = a, *y = b;
  return (x->hash > y->hash) - (x->hash < y->hash);
}

/* The order of the arguments is forgotten, and a report that is given twice counts once. */
static void settle(sa_reports *reports) {
  uint32_t kept = 0;
  if (reports->list.n > 1)
    qsort(reports->list.at, reports->list.n, sizeof *reports->list.at, compare_reports);
  for (uint32_t i = 0; i < reports->list.n; i++) {
    if (kept > 0 && reports->list.at[kept - 1].hash == reports->list.at[i].hash)
      json_decref(reports->list.at[i].root);
    else
      reports->list.at[kept++] = reports->list.at[i];
  }
  reports->list.n = kept;
}

sa_status sa_reports_load(sa_reports **out, sa_arena *arena, sa_diag *diag,
                          const char *const *paths, uint32_t n, const char *tool) {
  sa_reports *reports = sa_alloc(arena, sizeof *reports);
  sa_status status = SA_OK;
  *out = NULL;
  json_object_seed(1); /* nothing depends on the order of a table, and nothing should */
  for (uint32_t i = 0; i < n && status == SA_OK; i++) {
    sa_one_report one;
    bool sarif = false;
    status = load(&one, arena, diag, paths[i]);
    if (status != SA_OK) break;
    sa_push(arena, &reports->list, one);
    status = check(&one, diag, &sarif, tool);
    if (status == SA_OK && i > 0 && sarif != reports->sarif)
      status = sa_merge_refuse(diag, &one, "JSON and SARIF cannot be merged with each other");
    reports->sarif = sarif;
  }
  if (status != SA_OK) {
    sa_reports_free(reports);
    return status;
  }
  settle(reports);
  *out = reports;
  return SA_OK;
}

void sa_reports_free(sa_reports *reports) {
  for (uint32_t i = 0; reports != NULL && i < reports->list.n; i++)
    json_decref(reports->list.at[i].root);
}

bool sa_reports_are_sarif(const sa_reports *reports) {
  return reports->sarif;
}
