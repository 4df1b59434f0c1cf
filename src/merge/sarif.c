/* SARIF logs are merged as they are: results keep their words, places and fingerprints; only the
 * numbers of artifacts change. */
#include "base/gzip.h"
#include "base/json.h"
#include "merge/internal.h"
#include "model/limits.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *uri, *rule, *key, *bytes; /* bytes: the whole value, to tell and order equal ones */
  json_int_t line, column;
  json_t *value;
} item;

typedef SA_ARRAY(item) item_array;

/* Findings that are no results, as runs count them in their properties. */
typedef enum { SUPPRESSED, BASELINED, UNCHANGED, COUNTS } count_kind;

static const char *const COUNT_NAMES[] = {"suppressed", "baselined", "unchanged"};

typedef struct {
  sa_arena *arena;
  sa_diag *diag;
  const json_t *driver, *details; /* of the first run; details: NULL when runs differ */
  item_array all, files;          /* all results, the strongest first, and their artifacts */
  item_array results, artifacts, configuration, execution; /* the last two: notifications */
  json_int_t counts[COUNTS];                               /* sums; -1: no run has it */
  bool failed;                                             /* a run was not successful */
  int worst;
} merger;

static const json_t *get(const json_t *object, const char *path) {
  char key[64];
  while (object != NULL && *path != '\0') {
    size_t n = strcspn(path, "/");
    if (n >= sizeof key) return NULL;
    memcpy(key, path, n);
    key[n] = '\0';
    object = json_is_array(object) ? json_array_get(object, strtoul(key, NULL, 10))
                                   : json_object_get(object, key);
    path += n + (path[n] == '/');
  }
  return object;
}

static const char *text_at(const json_t *object, const char *path) {
  const char *text = json_string_value(get(object, path));
  return text != NULL ? text : "";
}

static const char *bytes_of(merger *m, const json_t *value) {
  char *dumped = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
  if (dumped == NULL) sa_out_of_memory();
  char *copy = sa_strdup(m->arena, dumped);
  free(dumped);
  return copy;
}

#define LOCATION "locations/0/physicalLocation/"

static const char *fingerprint(const json_t *result) {
  const char *key =
      json_string_value(json_object_get(get(result, "partialFingerprints"), "saLintSite/v1"));
  return key != NULL ? key : "";
}

static item item_of(merger *m, json_t *value, const char *uri_path) {
  return (item){.uri = text_at(value, uri_path),
                .rule = text_at(value, "ruleId"),
                .key = fingerprint(value),
                .bytes = bytes_of(m, value),
                .line = json_integer_value(get(value, LOCATION "region/startLine")),
                .column = json_integer_value(get(value, LOCATION "region/startColumn")),
                .value = value};
}

static int compare_items(const void *a, const void *b) {
  const item *x = a, *y = b;
  int order = strcmp(x->uri, y->uri);
  if (order == 0) order = (x->line > y->line) - (x->line < y->line);
  if (order == 0) order = (x->column > y->column) - (x->column < y->column);
  if (order == 0) order = strcmp(x->rule, y->rule);
  return order != 0 ? order : strcmp(x->bytes, y->bytes);
}

/* "inSource", "external", or "". */
static const char *suppression_of(const json_t *result) {
  return text_at(result, "suppressions/0/kind");
}

/* A result is the same when rule, place, fingerprint and suppression are; other things when their
 * bytes are. */
static bool same(const item *a, const item *b) {
  bool result = a->rule[0] != '\0' && a->key[0] != '\0';
  bool place = strcmp(a->uri, b->uri) == 0 && a->line == b->line && a->column == b->column;
  if (result)
    return place && strcmp(a->rule, b->rule) == 0 && strcmp(a->key, b->key) == 0 &&
           strcmp(suppression_of(a->value), suppression_of(b->value)) == 0;
  return strcmp(a->bytes, b->bytes) == 0;
}

static void count_listed(json_int_t *counts, const json_t *result) {
  const char *kind = suppression_of(result);
  const json_t *times = json_object_get(result, "occurrenceCount");
  if (kind[0] == '\0') return;
  counts[strcmp(kind, "external") == 0 ? BASELINED : SUPPRESSED] +=
      json_is_integer(times) ? json_integer_value(times) : 1;
}

static void unify(item_array *items) {
  uint32_t kept = 0;
  if (items->n > 1) qsort(items->at, items->n, sizeof *items->at, compare_items);
  for (uint32_t i = 0; i < items->n; i++)
    if (kept == 0 || !same(&items->at[kept - 1], &items->at[i])) items->at[kept++] = items->at[i];
  items->n = kept;
}

/* A suppressed result that two logs list was counted twice. */
static void unify_results(merger *m) {
  json_int_t listed[] = {0, 0}, left[] = {0, 0};
  for (uint32_t i = 0; i < m->all.n; i++) count_listed(listed, m->all.at[i].value);
  unify(&m->all);
  for (uint32_t i = 0; i < m->all.n; i++) count_listed(left, m->all.at[i].value);
  for (int c = SUPPRESSED; c <= BASELINED; c++) {
    json_int_t again = listed[c] - left[c];
    if (again > 0) m->counts[c] = m->counts[c] > again ? m->counts[c] - again : 0;
  }
}

static int by_rank(const void *a, const void *b) {
  json_int_t x = json_integer_value(json_object_get(((const item *)a)->value, "rank"));
  json_int_t y = json_integer_value(json_object_get(((const item *)b)->value, "rank"));
  return x != y ? (x < y) - (x > y) : compare_items(a, b);
}

static int compare_uris(const void *a, const void *b) {
  return strcmp(((const item *)a)->uri, ((const item *)b)->uri);
}

/* Makes every `step`-th of the `n` strongest results, and the artifacts that they are in, those
 * that are written. */
static void keep(merger *m, uint32_t n, uint32_t step) {
  m->results.n = m->artifacts.n = 0;
  for (uint32_t i = 0; i < n; i += step) sa_push(m->arena, &m->results, m->all.at[i]);
  if (m->results.n > 1) qsort(m->results.at, m->results.n, sizeof *m->results.at, compare_items);
  for (uint32_t i = 0; i < m->files.n; i++) {
    const item *file = &m->files.at[i];
    if (m->results.n == m->all.n ||
        (m->results.n > 0 &&
         bsearch(file, m->results.at, m->results.n, sizeof *file, compare_uris) != NULL))
      sa_push(m->arena, &m->artifacts, *file);
  }
}

/* Whether the value holds only what this program writes: no fraction, and no deeper than it nests.
 */
static bool is_plain(const json_t *value, unsigned depth) {
  const char *name;
  json_t *element;
  size_t i;
  if (depth >= SA_JSON_DEPTH || json_is_real(value)) return false;
  json_object_foreach((json_t *)value, name,
                      element) if (!is_plain(element, depth + 1)) return false;
  json_array_foreach((json_t *)value, i, element) if (!is_plain(element, depth + 1)) return false;
  return true;
}

static void add_notifications(merger *m, item_array *to, const json_t *list) {
  size_t i;
  json_t *value;
  json_array_foreach(list, i, value)
      sa_push(m->arena, to, item_of(m, value, LOCATION "artifactLocation/uri"));
}

static void add_counts(merger *m, const json_t *run) {
  for (int c = 0; c < COUNTS; c++) {
    const json_t *count = json_object_get(get(run, "properties/saLint"), COUNT_NAMES[c]);
    if (!json_is_integer(count)) continue;
    json_int_t n = json_integer_value(count);
    if (m->counts[c] < 0) m->counts[c] = 0;
    if (n > 0 && n < UINT32_MAX) m->counts[c] += n;
  }
}

static sa_status add_run(merger *m, const sa_one_report *report, const json_t *run) {
  static const char *const levels[] = {"note", "warning", "error"};
  const json_t *driver = get(run, "tool/driver"), *results = json_object_get(run, "results");
  if (!json_is_object(driver) || !json_is_array(results))
    return sa_merge_refuse(m->diag, report, "a run has no driver or no results");
  if (!is_plain(run, 4))
    return sa_merge_refuse(m->diag, report, "a run holds what sa-lint does not write");
  if (m->driver == NULL) {
    m->driver = driver;
    m->details = json_object_get(run, "automationDetails");
  } else if (!json_equal(m->driver, driver)) {
    return sa_merge_refuse(m->diag, report, "the runs were made with different rules");
  }
  if (!json_equal(m->details, json_object_get(run, "automationDetails"))) m->details = NULL;
  add_counts(m, run);
  m->failed |= json_is_false(get(run, "invocations/0/executionSuccessful"));
  size_t i;
  json_t *value;
  json_array_foreach(results, i, value) {
    sa_push(m->arena, &m->all, item_of(m, value, LOCATION "artifactLocation/uri"));
    for (int l = SA_NOTE; l <= SA_ERROR; l++)
      if (strcmp(text_at(value, "level"), levels[l]) == 0 && l > m->worst) m->worst = l;
  }
  json_array_foreach(json_object_get(run, "artifacts"), i, value)
      sa_push(m->arena, &m->files, item_of(m, value, "location/uri"));
  add_notifications(m, &m->configuration, get(run, "invocations/0/toolConfigurationNotifications"));
  add_notifications(m, &m->execution, get(run, "invocations/0/toolExecutionNotifications"));
  return SA_OK;
}

/* ---- writing ---- */

typedef struct {
  sa_json json;
  merger *m;
  const json_t *first; /* the first log: what is the same in all is taken from it */
  const char *category;
} writer;

static int64_t artifact_number(const merger *m, const char *uri) {
  for (uint32_t i = 0; i < m->artifacts.n; i++)
    if (strcmp(m->artifacts.at[i].uri, uri) == 0) return i;
  return -1;
}

static void put(writer *w, const char *key, const json_t *value);

/* The number of an artifact is its place in the merged list. */
static void put_object(writer *w, const char *key, const json_t *value) {
  const char *name, *uri = json_string_value(json_object_get(value, "uri"));
  json_t *member;
  sa_json_open(&w->json, key, '{');
  json_object_foreach((json_t *)value, name, member) {
    int64_t number = uri != NULL && strcmp(name, "index") == 0 ? artifact_number(w->m, uri) : -1;
    if (number >= 0)
      sa_json_int(&w->json, name, number);
    else
      put(w, name, member);
  }
  sa_json_close(&w->json);
}

static void put(writer *w, const char *key, const json_t *value) {
  size_t i;
  json_t *element;
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    put_object(w, key, value);
    break;
  case JSON_ARRAY:
    sa_json_open(&w->json, key, '[');
    json_array_foreach((json_t *)value, i, element) put(w, NULL, element);
    sa_json_close(&w->json);
    break;
  case JSON_STRING:
    sa_json_text(&w->json, key, json_string_value(value), json_string_length(value));
    break;
  case JSON_INTEGER:
    sa_json_int(&w->json, key, json_integer_value(value));
    break;
  case JSON_NULL:
    sa_json_null(&w->json, key);
    break;
  default:
    sa_json_bool(&w->json, key, json_is_true(value));
    break;
  }
}

static void put_items(writer *w, const char *key, const item_array *items) {
  sa_json_open(&w->json, key, '[');
  for (uint32_t i = 0; i < items->n; i++) put(w, NULL, items->at[i].value);
  sa_json_close(&w->json);
}

static void put_configuration(writer *w) {
  uint32_t left_out = w->m->all.n - w->m->results.n;
  sa_json_open(&w->json, "toolConfigurationNotifications", '[');
  for (uint32_t i = 0; i < w->m->configuration.n; i++)
    put(w, NULL, w->m->configuration.at[i].value);
  if (left_out > 0) {
    json_t *told = json_pack("{s{ss}sss{so}}", "descriptor", "id", "run-setup", "level", "warning",
                             "message", "text", json_sprintf(SA_SARIF_LEFT_OUT, left_out));
    if (told == NULL) sa_out_of_memory();
    put(w, NULL, told);
    json_decref(told);
  }
  sa_json_close(&w->json);
}

static void put_details(writer *w) {
  const char *category = w->category;
  if (category == NULL && w->m->details != NULL) {
    put(w, "automationDetails", w->m->details);
    return;
  }
  sa_json_open(&w->json, "automationDetails", '{');
  sa_json_string(&w->json, "id",
                 category != NULL && category[0] != '\0'
                     ? sa_printf(w->m->arena, "sa-lint/%s/", category)
                     : "sa-lint/");
  sa_json_close(&w->json);
}

static void put_counts(writer *w) {
  sa_json_open(&w->json, "properties", '{');
  sa_json_open(&w->json, "saLint", '{');
  for (int c = 0; c < COUNTS; c++)
    if (w->m->counts[c] >= 0) sa_json_int(&w->json, COUNT_NAMES[c], w->m->counts[c]);
  sa_json_close(&w->json);
  sa_json_close(&w->json);
}

/* Members that are written anew; the others are those of the first run. */
static void put_run(writer *w, const json_t *first) {
  const char *name;
  json_t *member;
  sa_json_open(&w->json, NULL, '{');
  json_object_foreach((json_t *)first, name, member) {
    if (strcmp(name, "automationDetails") == 0) {
      put_details(w);
    } else if (strcmp(name, "invocations") == 0) {
      sa_json_open(&w->json, name, '[');
      sa_json_open(&w->json, NULL, '{');
      sa_json_bool(&w->json, "executionSuccessful", !w->m->failed);
      put_configuration(w);
      put_items(w, "toolExecutionNotifications", &w->m->execution);
      sa_json_close(&w->json);
      sa_json_close(&w->json);
    } else if (strcmp(name, "artifacts") == 0) {
      put_items(w, name, &w->m->artifacts);
    } else if (strcmp(name, "results") == 0) {
      put_items(w, name, &w->m->results);
    } else if (strcmp(name, "properties") == 0) {
      put_counts(w);
    } else {
      put(w, name, member);
    }
  }
  sa_json_close(&w->json);
}

static void put_log(void *context, FILE *out, uint32_t n, uint32_t step) {
  writer *w = context;
  keep(w->m, n, step);
  w->json = sa_json_to(out);
  sa_json_open(&w->json, NULL, '{');
  sa_json_string(&w->json, "$schema", text_at(w->first, "$schema"));
  sa_json_string(&w->json, "version", "2.1.0");
  sa_json_open(&w->json, "runs", '[');
  put_run(w, get(w->first, "runs/0"));
  sa_json_close(&w->json);
  sa_json_close(&w->json);
}

sa_status sa_merge_sarif(FILE *out, sa_arena *arena, sa_diag *diag, const sa_reports *reports,
                         const char *category, bool *errors, int *worst) {
  merger m = {.arena = arena, .diag = diag, .counts = {-1, -1, -1}, .worst = -1};
  for (uint32_t i = 0; i < reports->list.n; i++) {
    size_t r;
    json_t *run;
    json_array_foreach(json_object_get(reports->list.at[i].root, "runs"), r, run) {
      sa_status status = add_run(&m, &reports->list.at[i], run);
      if (status != SA_OK) return status;
    }
  }
  unify_results(&m);
  unify(&m.files);
  unify(&m.configuration);
  unify(&m.execution);
  if (m.all.n > 1) qsort(m.all.at, m.all.n, sizeof *m.all.at, by_rank);
  uint32_t n = m.all.n <= SA_SARIF_MAX_RESULTS ? m.all.n : SA_SARIF_MAX_RESULTS;
  writer w = {.m = &m, .first = reports->list.at[0].root, .category = category};
  n = sa_gzip_fit(n, SA_SARIF_MAX_BYTES, put_log, &w);
  if (n < m.all.n)
    sa_report(diag, SA_WARNING, NULL, 0, 0, SA_SARIF_LEFT_OUT, (unsigned)(m.all.n - n));
  put_log(&w, out, n, 1);
  *errors = m.failed;
  *worst = m.worst;
  return sa_json_finish(&w.json);
}
