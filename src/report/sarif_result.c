/* The results: where, what, the path that shows it, and the keys by which a result is known again.
 */
#include "base/hash.h"
#include "report/digest.h"
#include "report/sarif.h"
#include "report/summary.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_STEPS = 100, CONTEXT_LINES = 3 };

/* A region on one line: annotations need all lines of a region inside the diff. */
typedef struct {
  uint32_t line, start, end; /* UTF-16 columns */
  sa_line text;
  size_t from, to; /* bytes of `text` */
} line_region;

static line_region region_of(const sa_file_lines *file, sa_place place) {
  line_region r = {.line = place.line, .text = sa_lines_get(file, place.line)};
  uint32_t start = place.column > 0 ? place.column : 1;
  bool one_line = place.end_line == place.line && place.end_column > start;
  if (r.text.at == NULL) {
    r.start = start;
    r.end = one_line ? place.end_column : start + 1;
    return r;
  }
  r.from = start - 1 < r.text.length ? start - 1 : r.text.length;
  r.to = one_line && place.end_column - 1 < r.text.length ? place.end_column - 1 : r.text.length;
  if (!one_line && place.end_line <= place.line && r.from < r.text.length) {
    uint32_t code = 0;
    r.to = r.from + sa_utf8_next(r.text.at + r.from, r.text.length - r.from, &code);
  }
  r.start = sa_lines_utf16_column(r.text, (uint32_t)r.from + 1);
  r.end = sa_lines_utf16_column(r.text, (uint32_t)r.to + 1);
  if (r.end <= r.start) r.end = r.start + 1;
  return r;
}

static void put_snippet(sa_json *json, const char *at, size_t length) {
  sa_json_open(json, "snippet", '{');
  sa_json_text(json, "text", at, length);
  sa_json_close(json);
}

static void put_context(sa_json *json, const sa_file_lines *file, uint32_t line) {
  uint32_t first = line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;
  uint32_t last = line + CONTEXT_LINES < file->nlines ? line + CONTEXT_LINES : file->nlines;
  if (first == last) return;
  sa_line end = sa_lines_get(file, last);
  const char *at = file->text + file->starts[first - 1];
  sa_json_open(json, "contextRegion", '{');
  sa_json_int(json, "startLine", first);
  sa_json_int(json, "endLine", last);
  put_snippet(json, at, (size_t)(end.at + end.length - at));
  sa_json_close(json);
}

void sa_sarif_put_physical(sa_sarif *s, sa_place place, uint32_t index, bool excerpt) {
  sa_json *json = &s->json;
  const sa_file_lines *file = sa_lines_of(s->lines, place.file);
  line_region r = region_of(file, place);
  sa_json_open(json, "physicalLocation", '{');
  sa_sarif_put_artifact_location(json, "artifactLocation", place.file, index);
  sa_json_open(json, "region", '{');
  sa_json_int(json, "startLine", r.line);
  sa_json_int(json, "startColumn", r.start);
  sa_json_int(json, "endLine", r.line);
  sa_json_int(json, "endColumn", r.end);
  if (excerpt && r.to > r.from) put_snippet(json, r.text.at + r.from, r.to - r.from);
  sa_json_close(json);
  if (excerpt && r.text.at != NULL) put_context(json, file, r.line);
  sa_json_close(json);
}

static void put_text(sa_json *json, const char *key, const char *text) {
  sa_json_open(json, key, '{');
  sa_json_string(json, "text", text);
  sa_json_close(json);
}

/* The finding's words, then links to the steps. A "](" of the source must not look like a link. */
static char *message_of(sa_arena *arena, const sa_finding *finding) {
  SA_ARRAY(char) text = {0};
  for (const char *at = finding->message; *at != '\0'; at++) {
    sa_push(arena, &text, *at);
    if (at[0] == ']' && at[1] == '(') sa_push(arena, &text, ' ');
  }
  const char *separator = " Path: ";
  for (uint32_t i = 0, id = 0; i < finding->evidence.n && i < MAX_STEPS; i++) {
    const sa_step *step = &finding->evidence.at[i];
    if (!sa_sarif_inside(step->at)) continue;
    const char *link = sa_printf(arena, "%s[%s](%" PRIu32 ")", separator, step->role, ++id);
    for (; *link != '\0'; link++) sa_push(arena, &text, *link);
    separator = ", ";
  }
  if (separator[0] == ',') sa_push(arena, &text, '.');
  sa_push(arena, &text, '\0');
  return text.at;
}

static void put_logical(sa_json *json, const char *name, const char *kind) {
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "fullyQualifiedName", name);
  sa_json_string(json, "kind", kind);
  sa_json_close(json);
}

static void put_location(sa_sarif *s, const sa_finding *finding, uint32_t artifact) {
  sa_json *json = &s->json;
  sa_json_open(json, "locations", '[');
  sa_json_open(json, NULL, '{');
  sa_sarif_put_physical(s, finding->at, artifact, true);
  bool in_function = finding->function != NULL && finding->function[0] != '\0';
  bool in_cell = finding->at.cell != 0;
  if (in_function || in_cell) sa_json_open(json, "logicalLocations", '[');
  if (in_function) put_logical(json, finding->function, "function");
  if (in_cell)
    put_logical(json,
                sa_printf(s->arena, "cell %" PRIu32 ", line %" PRIu32, finding->at.cell,
                          finding->at.cell_line),
                "cell");
  if (in_function || in_cell) sa_json_close(json);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_related(sa_sarif *s, const sa_finding *finding) {
  sa_json *json = &s->json;
  sa_json_open(json, "relatedLocations", '[');
  for (uint32_t i = 0, id = 0; i < finding->evidence.n && i < MAX_STEPS; i++) {
    const sa_step *step = &finding->evidence.at[i];
    if (!sa_sarif_inside(step->at)) continue;
    sa_json_open(json, NULL, '{');
    sa_json_int(json, "id", ++id);
    sa_sarif_put_physical(s, step->at, SA_NO_INDEX, false);
    put_text(json, "message", step->text);
    sa_json_close(json);
  }
  sa_json_close(json);
}

static void put_flow(sa_sarif *s, const sa_finding *finding) {
  if (finding->evidence.n < 2) return;
  sa_json *json = &s->json;
  sa_json_open(json, "codeFlows", '[');
  sa_json_open(json, NULL, '{');
  sa_json_open(json, "threadFlows", '[');
  sa_json_open(json, NULL, '{');
  sa_json_open(json, "locations", '[');
  for (uint32_t i = 0; i < finding->evidence.n && i < MAX_STEPS; i++) {
    const sa_step *step = &finding->evidence.at[i];
    bool essential = strcmp(step->role, "record") == 0 || strcmp(step->role, "release") == 0;
    sa_json_open(json, NULL, '{');
    sa_json_open(json, "location", '{');
    if (sa_sarif_inside(step->at)) sa_sarif_put_physical(s, step->at, SA_NO_INDEX, false);
    put_text(json, "message", step->text);
    sa_json_close(json);
    sa_json_string(json, "importance", essential ? "essential" : "important");
    sa_json_close(json);
  }
  for (int open = 0; open < 5; open++) sa_json_close(json);
}

/* A key without line numbers: what the finding is about, and its number among equal ones. */
static uint64_t site_key(const sa_finding *finding) {
  const char *parts[] = {finding->rule->id, finding->at.file,
                         finding->function == NULL ? "" : finding->function,
                         finding->site == NULL ? "" : finding->site};
  uint64_t hash = 0;
  for (int i = 0; i < 4; i++) hash = sa_hash_string(parts[i], hash);
  return hash;
}

static void put_fingerprints(sa_sarif *s, const sa_finding *finding, uint64_t key, uint32_t nth) {
  sa_json *json = &s->json;
  sa_file_lines *file = sa_lines_of(s->lines, finding->at.file);
  const char *line = sa_line_fingerprint(file, finding->at.line);
  sa_json_open(json, "partialFingerprints", '{');
  if (line != NULL) sa_json_string(json, "primaryLocationLineHash", line);
  sa_json_string(json, "saLintSite/v1", sa_printf(s->arena, "%016" PRIx64 ":%" PRIu32, key, nth));
  sa_json_close(json);
}

/* Edits of one file, from `first` on; returns the index after the last of them. */
static uint32_t put_file_edits(sa_sarif *s, const sa_site *site, uint32_t first) {
  sa_json *json = &s->json;
  const char *name = site->edits.at[first].at.file;
  sa_json_open(json, NULL, '{');
  sa_sarif_put_artifact_location(json, "artifactLocation", name, SA_NO_INDEX);
  sa_json_open(json, "replacements", '[');
  uint32_t i = first;
  for (; i < site->edits.n && strcmp(site->edits.at[i].at.file, name) == 0; i++) {
    sa_place at = site->edits.at[i].at;
    const sa_file_lines *file = sa_lines_of(s->lines, name);
    sa_json_open(json, NULL, '{');
    sa_json_open(json, "deletedRegion", '{');
    sa_json_int(json, "startLine", at.line);
    sa_json_int(json, "startColumn", sa_lines_utf16_column(sa_lines_get(file, at.line), at.column));
    sa_json_int(json, "endLine", at.end_line);
    sa_json_int(json, "endColumn",
                sa_lines_utf16_column(sa_lines_get(file, at.end_line), at.end_column));
    sa_json_close(json);
    put_text(json, "insertedContent", site->edits.at[i].text);
    sa_json_close(json);
  }
  sa_json_close(json);
  sa_json_close(json);
  return i;
}

static void put_fix(sa_sarif *s, const sa_finding *finding, const sa_site *site) {
  bool verdict = finding->rule->hazard == SA_HAZARD_COUNT;
  if (site == NULL || !verdict || !site->has_fix || !site->fix_safe || site->edits.n == 0) return;
  sa_json *json = &s->json;
  sa_json_open(json, "fixes", '[');
  sa_json_open(json, NULL, '{');
  put_text(json, "description", finding->help[0] != '\0' ? finding->help : finding->rule->summary);
  sa_json_open(json, "artifactChanges", '[');
  for (uint32_t i = 0; i < site->edits.n;) i = put_file_edits(s, site, i);
  for (int open = 0; open < 3; open++) sa_json_close(json);
}

static void put_properties(sa_sarif *s, const sa_site *site) {
  if (site == NULL) return;
  sa_json *json = &s->json;
  sa_json_open(json, "properties", '{');
  sa_json_open(json, "saLint", '{');
  sa_json_string(json, "category", site->category);
  sa_json_string(json, "effect", site->effect);
  sa_json_string(json, "confidence", site->confidence);
  sa_json_string(json, "release", site->release_kind);
  sa_json_open(json, "missing", '[');
  for (uint32_t i = 0; i < site->missing.n; i++) sa_json_string(json, NULL, site->missing.at[i]);
  for (int open = 0; open < 3; open++) sa_json_close(json);
}

static int rank_of(const sa_finding *finding) {
  static const char *const precisions[] = {"low", "medium", "high", "very-high"};
  int rank = 30 + 30 * (int)finding->level;
  for (int i = 0; i < 4; i++)
    if (strcmp(finding->rule->precision, precisions[i]) == 0) rank += 3 * i;
  return rank;
}

typedef struct {
  uint32_t index;       /* of the finding */
  uint32_t occurrences; /* findings that this result stands for */
  uint64_t key;
  uint32_t nth;
} result_entry;

static void put_result(sa_sarif *s, const result_entry *entry) {
  sa_json *json = &s->json;
  const sa_finding *finding = &s->result->findings.at[entry->index];
  const sa_site *site = sa_site_index_find(&s->sites, finding->site);
  sa_arena *outer = s->arena;
  s->arena = sa_arena_new();
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "ruleId", finding->rule->id);
  sa_json_int(json, "ruleIndex", finding->rule - s->result->rules->rules.at);
  sa_json_string(json, "level", sa_severity_name(finding->level));
  put_text(json, "message", message_of(s->arena, finding));
  put_location(s, finding, s->artifacts[entry->index]);
  put_related(s, finding);
  put_flow(s, finding);
  put_fingerprints(s, finding, entry->key, entry->nth);
  if (entry->occurrences > 1) sa_json_int(json, "occurrenceCount", entry->occurrences);
  sa_json_int(json, "rank", rank_of(finding));
  put_fix(s, finding, site);
  put_properties(s, site);
  sa_json_close(json);
  sa_arena_free(s->arena);
  s->arena = outer;
}

static bool same_file(const sa_finding *a, const sa_finding *b) {
  return strcmp(a->at.file, b->at.file) == 0;
}

/* The entry before `n` for the same rule and line, or NULL. Findings of one line are neighbours. */
static result_entry *merge_target(const sa_sarif *s, result_entry *entries, uint32_t n,
                                  const sa_finding *finding) {
  while (n-- > 0) {
    const sa_finding *other = &s->result->findings.at[entries[n].index];
    if (other->at.line != finding->at.line || !same_file(other, finding)) return NULL;
    if (other->rule == finding->rule) return &entries[n];
  }
  return NULL;
}

static uint32_t count_equal_keys(const sa_sarif *s, const result_entry *entries, uint32_t n,
                                 const result_entry *entry) {
  uint32_t count = 0;
  while (n-- > 0 && s->artifacts[entries[n].index] == s->artifacts[entry->index])
    count += entries[n].key == entry->key;
  return count;
}

void sa_sarif_put_results(sa_sarif *s) {
  uint32_t total = s->result->findings.n, n = 0;
  result_entry *entries = sa_alloc(s->arena, (total + 1) * sizeof *entries);
  for (uint32_t i = 0; i < total; i++) {
    const sa_finding *finding = &s->result->findings.at[i];
    if (s->artifacts[i] == SA_NO_INDEX) continue;
    result_entry *known = merge_target(s, entries, n, finding);
    if (known != NULL) {
      known->occurrences++;
      continue;
    }
    result_entry entry = {i, 1, site_key(finding), 1};
    entry.nth += count_equal_keys(s, entries, n, &entry);
    entries[n++] = entry;
  }
  sa_json_open(&s->json, "results", '[');
  for (uint32_t i = 0; i < n; i++) put_result(s, &entries[i]);
  sa_json_close(&s->json);
}
