/* One result: where, what, the path that shows it, and the keys by which it is known again. */
#include "base/hash.h"
#include "report/digest.h"
#include "report/sarif.h"

#include <inttypes.h>
#include <string.h>

static void put_message(sa_sarif *s, const sa_sarif_entry *entry) {
  sa_json *json = &s->json;
  sa_sarif_message message = sa_sarif_message_of(s->arena, s->result->rules, entry);
  sa_json_open(json, "message", '{');
  sa_json_string(json, "id", message.id);
  sa_json_string(json, "text", sa_message_fill(s->arena, message.numbered, &message.values));
  sa_json_open(json, "arguments", '[');
  for (uint32_t i = 0; i < message.values.n; i++) sa_json_string(json, NULL, message.values.at[i]);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_logical(sa_json *json, const char *name, const char *kind) {
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "fullyQualifiedName", name);
  sa_json_string(json, "kind", kind);
  sa_json_close(json);
}

static void put_location(sa_sarif *s, const sa_sarif_entry *entry) {
  sa_json *json = &s->json;
  sa_place at = sa_sarif_place_of(entry);
  const char *function = entry->finding != NULL ? entry->finding->function : entry->site->function;
  bool in_function = function != NULL && function[0] != '\0', in_cell = at.cell != 0;
  sa_json_open(json, "locations", '[');
  sa_json_open(json, NULL, '{');
  sa_sarif_put_physical(s, at, entry->artifact, !entry->absent);
  if (in_function || in_cell) sa_json_open(json, "logicalLocations", '[');
  if (in_function) put_logical(json, function, "function");
  if (in_cell)
    put_logical(json, sa_printf(s->arena, "cell %" PRIu32 ", line %" PRIu32, at.cell, at.cell_line),
                "cell");
  if (in_function || in_cell) sa_json_close(json);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_one_related(sa_sarif *s, uint32_t id, sa_place place, const char *text) {
  sa_json_open(&s->json, NULL, '{');
  sa_json_int(&s->json, "id", id);
  sa_sarif_put_physical(s, place, SA_NO_INDEX, false);
  sa_sarif_put_wrapped(&s->json, "message", "text", text);
  sa_json_close(&s->json);
}

/* The places that the message links to: the steps, or the call itself. */
static void put_related(sa_sarif *s, const sa_finding *finding) {
  uint32_t id = 0;
  sa_json_open(&s->json, "relatedLocations", '[');
  for (uint32_t i = 0; i < finding->evidence.n && i < SA_SARIF_MAX_STEPS; i++) {
    const sa_step *step = &finding->evidence.at[i];
    if (sa_sarif_inside(step->at)) put_one_related(s, ++id, step->at, step->text);
  }
  if (id == 0) put_one_related(s, 1, finding->at, finding->rule->summary);
  sa_json_close(&s->json);
}

static void put_step(sa_sarif *s, const sa_step *step) {
  static const char *const essential[] = {"record", "release", "side-use", "wait"};
  sa_json *json = &s->json;
  const char *importance = "important";
  for (size_t i = 0; i < sizeof essential / sizeof *essential; i++)
    if (strcmp(step->role, essential[i]) == 0) importance = "essential";
  sa_json_open(json, NULL, '{');
  sa_json_open(json, "location", '{');
  if (sa_sarif_inside(step->at)) sa_sarif_put_physical(s, step->at, SA_NO_INDEX, false);
  sa_sarif_put_wrapped(json, "message", "text", step->text);
  sa_json_close(json);
  sa_json_open(json, "kinds", '[');
  sa_json_string(json, NULL, step->role);
  sa_json_close(json);
  sa_json_string(json, "importance", importance);
  sa_json_close(json);
}

static void put_flow(sa_sarif *s, const sa_finding *finding) {
  sa_json *json = &s->json;
  if (finding->evidence.n == 0) return;
  sa_json_open(json, "codeFlows", '[');
  sa_json_open(json, NULL, '{');
  sa_json_open(json, "threadFlows", '[');
  sa_json_open(json, NULL, '{');
  sa_json_open(json, "locations", '[');
  for (uint32_t i = 0; i < finding->evidence.n && i < SA_SARIF_MAX_STEPS; i++)
    put_step(s, &finding->evidence.at[i]);
  for (int open = 0; open < 5; open++) sa_json_close(json);
}

/* The key without a line in it: the finding's own, or what a call that is right is about. */
static const char *site_key(sa_sarif *s, const sa_sarif_entry *entry) {
  if (entry->finding != NULL) return entry->finding->key;
  const char *parts[] = {SA_SARIF_PASS_RULE, entry->site->at.file, entry->site->id};
  uint64_t hash = 0;
  for (int i = 0; i < 3; i++) hash = sa_hash_string(parts[i], hash);
  return sa_printf(s->arena, "%016" PRIx64 ":1", hash);
}

static void put_fingerprints(sa_sarif *s, const sa_sarif_entry *entry) {
  sa_json *json = &s->json;
  sa_place place = sa_sarif_place_of(entry);
  sa_file_lines *file = sa_lines_of(s->lines, place.file);
  const char *line = sa_line_fingerprint(file, place.line);
  sa_json_open(json, "partialFingerprints", '{');
  if (line != NULL && !entry->absent) sa_json_string(json, "primaryLocationLineHash", line);
  sa_json_string(json, "saLintSite/v1", site_key(s, entry));
  sa_json_close(json);
}

/* Edits of one file, from `first` on; returns the index after the last of them. */
static uint32_t put_file_edits(sa_sarif *s, const sa_edit *edits, uint32_t n, uint32_t first) {
  sa_json *json = &s->json;
  const char *name = edits[first].at.file;
  sa_json_open(json, NULL, '{');
  sa_sarif_put_artifact_location(json, "artifactLocation", name, SA_NO_INDEX);
  sa_json_open(json, "replacements", '[');
  uint32_t i = first;
  for (; i < n && strcmp(edits[i].at.file, name) == 0; i++) {
    sa_json_open(json, NULL, '{');
    sa_sarif_put_edit_region(s, edits[i].at);
    sa_sarif_put_wrapped(json, "insertedContent", "text", edits[i].text);
    sa_json_close(json);
  }
  sa_json_close(json);
  sa_json_close(json);
  return i;
}

/* The finding's own edits, or, for a verdict, those of its site. */
static void put_fix(sa_sarif *s, const sa_finding *finding, const sa_site *site) {
  bool verdict = finding->rule->hazard == SA_HAZARD_COUNT;
  const sa_edit *edits = finding->edits.at;
  uint32_t n = finding->edits.n;
  if (n == 0 && site != NULL && verdict && site->has_fix && site->fix_safe) {
    edits = site->edits.at;
    n = site->edits.n;
  }
  if (n == 0) return;
  sa_json *json = &s->json;
  sa_json_open(json, "fixes", '[');
  sa_json_open(json, NULL, '{');
  sa_sarif_put_wrapped(json, "description", "text",
                       finding->help[0] != '\0' ? finding->help : finding->rule->summary);
  sa_json_open(json, "artifactChanges", '[');
  for (uint32_t i = 0; i < n;) i = put_file_edits(s, edits, n, i);
  for (int open = 0; open < 3; open++) sa_json_close(json);
}

/* By a comment, or by the baseline. */
static void put_suppression(sa_json *json, const sa_finding *finding) {
  bool by_comment = finding->suppression != NULL;
  sa_json_open(json, "suppressions", '[');
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "kind", by_comment ? "inSource" : "external");
  sa_json_string(json, "status", "accepted");
  const char *reason = by_comment ? finding->suppression->reason : finding->accepted;
  if (reason[0] != '\0') sa_json_string(json, "justification", reason);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_texts(sa_json *json, const char *key, const char *const *at, uint32_t n) {
  sa_json_open(json, key, '[');
  for (uint32_t i = 0; i < n; i++) sa_json_string(json, NULL, at[i]);
  sa_json_close(json);
}

/* The first step of the path that is a wait: the sync that was found. */
static void put_sync(sa_sarif *s, const sa_site *site) {
  const sa_step *wait = NULL;
  for (uint32_t i = 0; i < site->evidence.n && wait == NULL; i++)
    if (strcmp(site->evidence.at[i].role, "wait") == 0) wait = &site->evidence.at[i];
  if (wait == NULL) {
    sa_json_null(&s->json, "sync");
    return;
  }
  sa_json_open(&s->json, "sync", '{');
  sa_json_string(&s->json, "file", wait->at.file);
  sa_json_int(&s->json, "line", wait->at.line);
  sa_json_string(&s->json, "text", wait->text);
  sa_json_close(&s->json);
}

static void put_properties(sa_sarif *s, const sa_site *site) {
  sa_json *json = &s->json;
  if (site == NULL) return;
  sa_json_open(json, "properties", '{');
  sa_json_open(json, "saLint", '{');
  sa_json_string(json, "category", site->category);
  sa_json_string(json, "effect", site->effect);
  sa_json_string(json, "confidence", site->confidence);
  sa_json_open(json, "release", '{');
  sa_json_string(json, "kind", site->release_kind);
  if (site->release_line > 0) sa_json_int(json, "line", site->release_line);
  sa_json_close(json);
  put_sync(s, site);
  put_texts(json, "proved", site->proved.at, site->proved.n);
  put_texts(json, "assumed", site->assumed.at, site->assumed.n);
  put_texts(json, "missing", site->missing.at, site->missing.n);
  sa_json_bool(json, "degraded", site->modelled || !site->analysed);
  sa_json_close(json);
  sa_json_close(json);
}

static void put_level(sa_sarif *s, const sa_sarif_entry *entry) {
  const sa_ruleset *rules = s->result->rules;
  const sa_rule *rule = entry->finding != NULL ? entry->finding->rule
                                               : sa_ruleset_find_rule(rules, SA_SARIF_PASS_RULE);
  sa_json_string(&s->json, "ruleId", rule->id);
  sa_json_int(&s->json, "ruleIndex", rule - rules->rules.at);
  sa_json_string(&s->json, "kind", entry->finding != NULL ? "fail" : "pass");
  sa_json_string(&s->json, "level",
                 entry->finding != NULL ? sa_severity_name(entry->finding->level) : "none");
}

static const char *baseline_state(const sa_sarif_entry *entry) {
  if (entry->absent) return "absent";
  return entry->finding->accepted != NULL ? "unchanged" : "new";
}

void sa_sarif_put_result(sa_sarif *s, const sa_sarif_entry *entry) {
  sa_json *json = &s->json;
  sa_arena *outer = s->arena;
  s->arena = sa_arena_new();
  sa_json_open(json, NULL, '{');
  put_level(s, entry);
  put_message(s, entry);
  put_location(s, entry);
  if (entry->finding != NULL) {
    put_related(s, entry->finding);
    put_flow(s, entry->finding);
  }
  put_fingerprints(s, entry);
  if (entry->finding != NULL &&
      (entry->finding->suppression != NULL || entry->finding->accepted != NULL))
    put_suppression(json, entry->finding);
  if (entry->finding != NULL && s->result->has_baseline)
    sa_json_string(json, "baselineState", baseline_state(entry));
  if (entry->occurrences > 1) sa_json_int(json, "occurrenceCount", entry->occurrences);
  sa_json_int(json, "rank", entry->rank);
  if (entry->finding != NULL) put_fix(s, entry->finding, entry->site);
  put_properties(s, entry->site);
  sa_json_close(json);
  sa_arena_free(s->arena);
  s->arena = outer;
}
