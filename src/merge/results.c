/* JSON reports back into the result that they were written from. */
#include "merge/internal.h"

#include <string.h>

/* Reads one report; the first thing that is not as the schema says ends it. */
typedef struct {
  sa_arena *arena;
  const sa_ruleset *rules;
  sa_result *out;
  const char *wrong; /* what; NULL so far */
  const char *list;  /* in which list, at which index */
  size_t index;
} reader;

static void *complain(reader *r, const char *key, const char *what) {
  if (r->wrong != NULL) return NULL;
  r->wrong = sa_printf(r->arena, "%s[%zu].%s: %s", r->list, r->index, key, what);
  return NULL;
}

/* A string, or NULL where `optional` allows null. */
static const char *text(reader *r, const json_t *object, const char *key, bool optional) {
  const json_t *value = json_object_get(object, key);
  if (optional && json_is_null(value)) return NULL;
  const char *at = json_string_value(value);
  if (at == NULL || strlen(at) != json_string_length(value)) {
    complain(r, key, "must be a text");
    return "";
  }
  return sa_strdup(r->arena, at);
}

static uint32_t number(reader *r, const json_t *object, const char *key, bool optional) {
  const json_t *value = json_object_get(object, key);
  if (optional && json_is_null(value)) return 0;
  json_int_t n = json_integer_value(value);
  if (json_is_integer(value) && n >= 0 && n < UINT32_MAX) return (uint32_t)n;
  complain(r, key, "must be a number");
  return 0;
}

static bool flag(reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_boolean(value)) complain(r, key, "must be true or false");
  return json_is_true(value);
}

static const json_t *list(reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_array(value) ? value : complain(r, key, "must be a list");
}

/* Only places in notebooks have a cell. */
static uint32_t in_cell(const json_t *object, const char *key) {
  json_int_t n = json_integer_value(json_object_get(object, key));
  return n > 0 && n < UINT32_MAX ? (uint32_t)n : 0;
}

static sa_place place(reader *r, const json_t *object) {
  return (sa_place){.file = text(r, object, "file", false),
                    .line = number(r, object, "line", false),
                    .column = number(r, object, "column", false),
                    .cell = in_cell(object, "cell"),
                    .cell_line = in_cell(object, "cellLine")};
}

static sa_place range(reader *r, const json_t *object) {
  sa_place at = place(r, object);
  at.end_line = number(r, object, "endLine", false);
  at.end_column = number(r, object, "endColumn", false);
  return at;
}

static sa_severity level(reader *r, const json_t *object) {
  const char *word = text(r, object, "level", false);
  for (int i = SA_NOTE; i <= SA_ERROR; i++)
    if (strcmp(word, sa_severity_name((sa_severity)i)) == 0) return (sa_severity)i;
  complain(r, "level", "must be note, warning or error");
  return SA_NOTE;
}

static sa_step step(reader *r, const json_t *object) {
  return (sa_step){text(r, object, "role", false), place(r, object),
                   text(r, object, "text", false)};
}

static sa_edit edit(reader *r, const json_t *object) {
  sa_place at = {.file = text(r, object, "file", false),
                 .line = number(r, object, "startLine", false),
                 .column = number(r, object, "startColumn", false),
                 .end_line = number(r, object, "endLine", false),
                 .end_column = number(r, object, "endColumn", false)};
  return (sa_edit){at, text(r, object, "text", false)};
}

static const char *word(reader *r, const json_t *value) {
  if (json_is_string(value)) return sa_strdup(r->arena, json_string_value(value));
  complain(r, "proved, assumed or missing", "must be a list of texts");
  return "";
}

#define read_list(r, object, key, into, element)                                                   \
  do {                                                                                             \
    const json_t *from_ = list((r), (object), (key));                                              \
    for (size_t i_ = 0; i_ < json_array_size(from_); i_++)                                         \
      sa_push((r)->arena, (into), element((r), json_array_get(from_, i_)));                        \
  } while (0)

static void read_fix(reader *r, const json_t *object, sa_site *site) {
  const json_t *fix = json_object_get(object, "fix");
  site->has_fix = json_is_object(fix);
  if (json_object_get(object, "fixReason") != NULL)
    site->fix_reason = text(r, object, "fixReason", false);
  if (!site->has_fix) return;
  site->fix_safe = flag(r, fix, "safe");
  read_list(r, fix, "edits", &site->edits, edit);
}

static void read_site(reader *r, const json_t *object) {
  const json_t *release = json_object_get(object, "release");
  sa_site s = {.id = text(r, object, "id", false),
               .at = range(r, object),
               .language = text(r, object, "language", false),
               .function = text(r, object, "function", false),
               .api = text(r, object, "api", false),
               .kind = text(r, object, "kind", false),
               .analysed = flag(r, object, "analysed"),
               .reason = text(r, object, "reason", true),
               .category = text(r, object, "category", true),
               .effect = text(r, object, "effect", true),
               .confidence = text(r, object, "confidence", true),
               .creation_stream = text(r, object, "creationStream", false),
               .recorded_stream = text(r, object, "recordedStream", false),
               .block = text(r, object, "block", false),
               .release_kind = text(r, release, "kind", false),
               .release_line = number(r, release, "line", true),
               .justified = flag(r, object, "justified"),
               .verdict = text(r, object, "verdict", false),
               .advice = text(r, object, "advice", true)};
  read_list(r, object, "evidence", &s.evidence, step);
  read_list(r, object, "proved", &s.proved, word);
  read_list(r, object, "assumed", &s.assumed, word);
  read_list(r, object, "missing", &s.missing, word);
  read_fix(r, object, &s);
  sa_push(r->arena, &r->out->sites, s);
}

static sa_finding finding(reader *r, const json_t *object) {
  sa_finding f = {.rule = sa_ruleset_find_rule(r->rules, text(r, object, "rule", false)),
                  .level = level(r, object),
                  .at = range(r, object),
                  .message = text(r, object, "message", false),
                  .help = text(r, object, "help", false),
                  .site = text(r, object, "site", true),
                  .function = text(r, object, "function", false),
                  .key = text(r, object, "key", false)};
  if (f.rule == NULL) complain(r, "rule", "there is no such rule");
  read_list(r, object, "evidence", &f.evidence, step);
  const json_t *fix = json_object_get(object, "fix"); /* a site's edits stand at the site */
  if (json_is_object(fix)) read_list(r, fix, "edits", &f.edits, edit);
  return f;
}

static void read_finding(reader *r, const json_t *object) {
  sa_push(r->arena, &r->out->findings, finding(r, object));
}

/* One that a comment allows, or the baseline. */
static void read_suppressed(reader *r, const json_t *object) {
  const json_t *by = json_object_get(object, "suppression"),
               *accepted = json_object_get(object, "baseline");
  sa_finding f = finding(r, object);
  if (accepted != NULL) {
    f.accepted = text(r, accepted, "reason", false);
  } else {
    const char *until = text(r, by, "until", true);
    sa_suppression *s = sa_alloc(r->arena, sizeof *s);
    *s = (sa_suppression){.at = {.file = f.at.file, .line = number(r, by, "line", false)},
                          .rule = f.rule != NULL ? f.rule->id : "",
                          .reason = text(r, by, "reason", false),
                          .until = until != NULL ? until : "",
                          .used = true};
    f.suppression = s;
  }
  sa_push(r->arena, &r->out->suppressed, f);
}

static void read_message(reader *r, const json_t *object) {
  sa_message m = {.severity = level(r, object),
                  .file = text(r, object, "file", true),
                  .line = number(r, object, "line", false),
                  .text = text(r, object, "text", false)};
  sa_push(r->arena, &r->out->messages, m);
}

static void read_all(reader *r, const json_t *root, const char *key,
                     void (*element)(reader *r, const json_t *object)) {
  const json_t *from = json_object_get(root, key);
  r->list = key;
  r->index = 0;
  if (!json_is_array(from)) complain(r, "", "must be a list");
  for (; r->index < json_array_size(from) && r->wrong == NULL; r->index++)
    element(r, json_array_get(from, r->index));
}

static void read_counts(reader *r, const json_t *root) {
  const json_t *summary = json_object_get(root, "summary");
  r->list = "summary";
  r->index = 0;
  r->out->files += number(r, summary, "files", false);
  r->out->files_skipped += number(r, summary, "filesSkipped", false);
  r->out->files_failed += number(r, summary, "filesFailed", false);
  r->out->allowed += number(r, summary, "suppressed", false);
  r->out->baselined += number(r, summary, "baselined", true);
  r->out->unchanged += number(r, summary, "unchanged", true);
  r->out->has_baseline |= json_is_integer(json_object_get(summary, "baselined"));
  r->out->has_changes |= json_is_integer(json_object_get(summary, "unchanged"));
}

/* A run that had nothing to parse names no libclang. */
static sa_status read_libclang(sa_result *out, sa_arena *arena, sa_diag *diag,
                               const sa_one_report *report) {
  const json_t *tool = json_object_get(report->root, "tool");
  const char *version = json_string_value(json_object_get(tool, "libclang"));
  if (version == NULL || version[0] == '\0') return SA_OK;
  if (out->libclang_version[0] == '\0') out->libclang_version = sa_strdup(arena, version);
  if (strcmp(out->libclang_version, version) == 0) return SA_OK;
  return sa_merge_refuse(diag, report, "the report was made with libclang %s, another with %s",
                         version, out->libclang_version);
}

/* ---- each once ---- */

static bool same_text(const char *a, const char *b) {
  return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static bool same_place(sa_place a, sa_place b) {
  return a.line == b.line && a.column == b.column && a.end_line == b.end_line &&
         a.end_column == b.end_column && same_text(a.file, b.file);
}

/* Of two accounts of one site the one that was analysed counts. */
static void unify_sites(sa_result *out) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->sites.n; i++) {
    sa_site *s = &out->sites.at[i], *last = kept > 0 ? &out->sites.at[kept - 1] : NULL;
    bool again = last != NULL && same_place(last->at, s->at) && same_text(last->kind, s->kind) &&
                 (same_text(last->id, s->id) || last->analysed != s->analysed);
    if (again && !last->analysed)
      *last = *s;
    else if (!again)
      out->sites.at[kept++] = *s;
  }
  out->sites.n = kept;
}

static bool same_finding(const sa_finding *a, const sa_finding *b) {
  return a->rule == b->rule && same_place(a->at, b->at) && same_text(a->message, b->message) &&
         same_text(a->site, b->site);
}

static void unify_findings(sa_result *out) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->findings.n; i++) {
    const sa_finding *f = &out->findings.at[i];
    if (kept == 0 || !same_finding(&out->findings.at[kept - 1], f)) out->findings.at[kept++] = *f;
  }
  out->findings.n = kept;
}

/* One that two reports list was counted twice. */
static void unify_suppressed(sa_result *out) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->suppressed.n; i++) {
    const sa_finding *f = &out->suppressed.at[i];
    uint32_t *count = f->suppression != NULL ? &out->allowed : &out->baselined;
    if (kept == 0 || !same_finding(&out->suppressed.at[kept - 1], f))
      out->suppressed.at[kept++] = *f;
    else if (*count > 0)
      --*count;
  }
  out->suppressed.n = kept;
}

static void unify_messages(sa_result *out) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->messages.n; i++) {
    const sa_message *m = &out->messages.at[i];
    const sa_message *last = kept > 0 ? &out->messages.at[kept - 1] : NULL;
    bool again = last != NULL && last->severity == m->severity && last->line == m->line &&
                 same_text(last->file, m->file) && same_text(last->text, m->text);
    if (!again) out->messages.at[kept++] = *m;
  }
  out->messages.n = kept;
}

sa_status sa_merge_results(sa_result *out, sa_arena *arena, sa_diag *diag, const sa_ruleset *rules,
                           const sa_reports *reports) {
  *out = (sa_result){.tool_version = "", .libclang_version = "", .rules = rules};
  for (uint32_t i = 0; i < reports->list.n; i++) {
    const sa_one_report *report = &reports->list.at[i];
    const json_t *tool = json_object_get(report->root, "tool");
    reader r = {.arena = arena, .rules = rules, .out = out};
    out->tool_version = sa_strdup(arena, json_string_value(json_object_get(tool, "version")));
    sa_status status = read_libclang(out, arena, diag, report);
    if (status != SA_OK) return status;
    read_all(&r, report->root, "sites", read_site);
    read_all(&r, report->root, "findings", read_finding);
    if (json_object_get(report->root, "suppressed") != NULL)
      read_all(&r, report->root, "suppressed", read_suppressed);
    read_all(&r, report->root, "notifications", read_message);
    if (r.wrong == NULL) read_counts(&r, report->root);
    if (r.wrong != NULL) return sa_merge_refuse(diag, report, "%s", r.wrong);
  }
  sa_result_sort(out);
  unify_sites(out);
  unify_findings(out);
  unify_suppressed(out);
  unify_messages(out);
  return SA_OK;
}
