/* rules/verdicts and rules/rules: the decision table and the pages. */
#include "ruleset/internal.h"

#include <string.h>

static uint32_t all_words(sa_fact fact) {
  uint32_t count = 1;
  for (const char *at = sa_fact_about(fact)->words; *at != '\0'; at++) count += *at == ' ';
  return (1u << count) - 1;
}

static void add_word(sa_loader *l, sa_fact fact, const sa_yaml *word, uint32_t *words) {
  int index = word->kind == SA_YAML_SCALAR ? sa_fact_word_index(fact, word->text) : -1;
  if (index < 0) {
    sa_loader_error(l, word, "'%s' is no word of the fact '%s' (known: %s)", word->text,
                    sa_fact_about(fact)->name, sa_fact_about(fact)->words);
    return;
  }
  if ((*words >> index & 1) != 0) sa_loader_error(l, word, "'%s' stands here twice", word->text);
  *words |= 1u << index;
}

/* A word, a list of words, or {not: either}. */
static uint32_t load_words(sa_loader *l, sa_fact fact, const sa_yaml *value) {
  bool negated = value->kind == SA_YAML_MAP;
  if (negated) {
    static const sa_key keys[] = {{"not", SA_TEXT | SA_LIST, true}, {NULL, 0, false}};
    if (!sa_loader_check_keys(l, value, keys, "a condition")) return all_words(fact);
    value = sa_yaml_get(value, "not");
  }
  uint32_t words = 0;
  if (value->kind == SA_YAML_SCALAR) add_word(l, fact, value, &words);
  for (uint32_t i = 0; value->kind == SA_YAML_LIST && i < value->items.n; i++)
    add_word(l, fact, value->items.at[i], &words);
  return negated ? all_words(fact) & ~words : words;
}

static void load_condition(sa_loader *l, sa_verdict_row *row, const sa_yaml_entry *entry) {
  sa_fact fact = sa_fact_find(entry->key->text);
  if (fact == SA_FACT_COUNT) {
    sa_loader_error(l, entry->key, "no fact is named '%s'", entry->key->text);
    return;
  }
  bool failed = l->failed;
  l->failed = false;
  uint32_t words = load_words(l, fact, entry->value);
  bool bad = l->failed;
  l->failed = failed || bad;
  if (bad) return;
  if (words == 0)
    sa_loader_error(l, entry->value, "the condition on '%s' can never hold", entry->key->text);
  else if (words == all_words(fact))
    sa_loader_error(l, entry->value, "the condition on '%s' always holds", entry->key->text);
  else
    sa_push(l->arena, &row->when, ((sa_condition){fact, words}));
}

/* Names in braces that a message may have; verdicts know the first five. */
static bool known_name(const char *name, size_t length, bool hazard) {
  static const char *const names[] = {"block",   "creation", "recorded", "function",
                                      "release", "stream",   "other"};
  size_t count = hazard ? sizeof names / sizeof *names : 5;
  for (size_t i = 0; i < count; i++)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return true;
  return false;
}

static void check_template(sa_loader *l, const sa_yaml *map, const char *key, bool hazard) {
  const sa_yaml *value = sa_yaml_get(map, key);
  if (value == NULL) return;
  for (const char *at = value->text; (at = strchr(at, '{')) != NULL; at++) {
    size_t length = strcspn(at + 1, "{}");
    if (at[length + 1] != '}') {
      sa_loader_error(l, value, "'%s' has a brace that is not closed", key);
      return;
    }
    if (!known_name(at + 1, length, hazard))
      sa_loader_error(l, value, "'%s' has no value for {%.*s}", key, (int)length, at + 1);
  }
}

static const char *const CATEGORIES[] = {"avoidable", "unavoidable", "api-redesignable",
                                         "hard-to-avoid", NULL};
static const char *const EFFECTS[] = {"no-effect", "redundant", "protects", "unknown", NULL};
static const char *const CONFIDENCES[] = {"high", "medium", "low", NULL};

static const sa_key VERDICT_KEYS[] = {{"id", SA_TEXT, true},         {"when", SA_MAP, true},
                                      {"category", SA_TEXT, false},  {"effect", SA_TEXT, true},
                                      {"confidence", SA_TEXT, true}, {"rule", SA_TEXT, false},
                                      {"message", SA_TEXT, true},    {"advice", SA_TEXT, true},
                                      {"missing", SA_LIST, false},   {NULL, 0, false}};

static void load_verdict(sa_loader *l, const sa_yaml *map) {
  if (!sa_loader_check_keys(l, map, VERDICT_KEYS, "a verdict row")) return;
  sa_verdict_row row = {.file = l->file,
                        .line = map->line,
                        .id = sa_loader_text(map, "id", ""),
                        .rule = sa_loader_text(map, "rule", NULL),
                        .message = sa_loader_text(map, "message", ""),
                        .advice = sa_loader_text(map, "advice", "")};
  const sa_yaml *when = sa_yaml_get(map, "when");
  for (uint32_t i = 0; i < when->entries.n; i++) load_condition(l, &row, &when->entries.at[i]);
  int category = sa_loader_word(l, map, "category", CATEGORIES);
  int effect = sa_loader_word(l, map, "effect", EFFECTS);
  int confidence = sa_loader_word(l, map, "confidence", CONFIDENCES);
  row.category = category >= 0 ? CATEGORIES[category] : NULL;
  row.effect = effect >= 0 ? EFFECTS[effect] : "unknown";
  row.confidence = confidence >= 0 ? CONFIDENCES[confidence] : "low";
  check_template(l, map, "message", false);
  check_template(l, map, "advice", false);
  sa_texts missing = sa_loader_texts(l, map, "missing");
  for (uint32_t i = 0; i < missing.n; i++) sa_push(l->arena, &row.missing, missing.at[i]->text);
  bool hard = row.category != NULL && strcmp(row.category, "hard-to-avoid") == 0;
  if (hard && row.missing.n == 0)
    sa_loader_error(l, map, "a hard-to-avoid row must say what is 'missing' for a sync point");
  sa_push(l->arena, &l->rules->verdicts, row);
}

void sa_load_verdicts(sa_loader *l, const sa_yaml *map) {
  static const sa_key keys[] = {{"verdicts", SA_LIST, true}, {NULL, 0, false}};
  if (!sa_loader_check_keys(l, map, keys, "a file of verdicts")) return;
  const sa_yaml *list = sa_yaml_get(map, "verdicts");
  for (uint32_t i = 0; i < list->items.n; i++) load_verdict(l, list->items.at[i]);
}

static const char *const LEVELS[] = {"note", "warning", "error", NULL};
static const char *const PRECISIONS[] = {"very-high", "high", "medium", "low", NULL};

static const sa_key RULE_KEYS[] = {{"id", SA_TEXT, true},
                                   {"name", SA_TEXT, true},
                                   {"level", SA_TEXT, true},
                                   {"precision", SA_TEXT, true},
                                   {"summary", SA_TEXT, true},
                                   {"description", SA_TEXT, true},
                                   {"help", SA_TEXT, true},
                                   {"bad", SA_TEXT, true},
                                   {"good", SA_TEXT, true},
                                   {"hazard", SA_TEXT, false},
                                   {"message", SA_TEXT, false},
                                   {"formerly", SA_LIST, false},
                                   {NULL, 0, false}};

static bool valid_id(const char *id) {
  return strlen(id) == 5 && strncmp(id, "SA", 2) == 0 && strspn(id + 2, "0123456789") == 3;
}

/* The hazard under `hazard`, or SA_HAZARD_COUNT. */
static sa_hazard_kind load_hazard(sa_loader *l, const sa_yaml *map) {
  const char *names[SA_HAZARD_COUNT + 1] = {NULL};
  for (int kind = 0; kind < SA_HAZARD_COUNT; kind++)
    names[kind] = sa_hazard_name((sa_hazard_kind)kind);
  int found = sa_loader_word(l, map, "hazard", names);
  return found >= 0 ? (sa_hazard_kind)found : SA_HAZARD_COUNT;
}

void sa_load_rule(sa_loader *l, const sa_yaml *map) {
  if (!sa_loader_check_keys(l, map, RULE_KEYS, "a rule's page")) return;
  int level = sa_loader_word(l, map, "level", LEVELS);
  int precision = sa_loader_word(l, map, "precision", PRECISIONS);
  sa_rule rule = {.file = l->file,
                  .line = map->line,
                  .id = sa_loader_text(map, "id", ""),
                  .name = sa_loader_text(map, "name", ""),
                  .level = level >= 0 ? (sa_severity)level : SA_NOTE,
                  .precision = PRECISIONS[precision >= 0 ? precision : 3],
                  .summary = sa_loader_text(map, "summary", ""),
                  .description = sa_loader_text(map, "description", ""),
                  .help = sa_loader_text(map, "help", ""),
                  .bad = sa_loader_text(map, "bad", ""),
                  .good = sa_loader_text(map, "good", ""),
                  .hazard = load_hazard(l, map),
                  .message = sa_loader_text(map, "message", NULL)};
  if (!valid_id(rule.id))
    sa_loader_error(l, sa_yaml_get(map, "id"), "'%s' is no rule id (SA and three digits)", rule.id);
  if ((sa_yaml_get(map, "hazard") != NULL) != (rule.message != NULL))
    sa_loader_error(l, map, "'hazard' and 'message' go together");
  check_template(l, map, "message", true);
  sa_texts formerly = sa_loader_texts(l, map, "formerly");
  for (uint32_t i = 0; i < formerly.n; i++) {
    if (!valid_id(formerly.at[i]->text))
      sa_loader_error(l, formerly.at[i], "'%s' is no rule id", formerly.at[i]->text);
    sa_push(l->arena, &rule.formerly, formerly.at[i]->text);
  }
  sa_push(l->arena, &l->rules->rules, rule);
}
