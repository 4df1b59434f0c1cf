/* The tool: its rules, which do not depend on the input, and its messages with numbers for names.
 */
#include "report/sarif.h"

#include <ctype.h>
#include <string.h>

/* Under which id a rule has the words of a finding that is made of no template. */
static const char PLAIN[] = "plain", OWN[] = "found", PASS[] = "pass";
static const char PASS_WORDS[] = "Recording '{0}' is right here, and a comment says why.";

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

/* ---- messages ---- */

/* The words under one id: the template, then the path, whose number is the first free one. */
static char *words_of(sa_arena *arena, const char *template, int release, uint32_t names) {
  return sa_printf(arena, "%s Path: '{%u}'.", sa_message_numbered(arena, template, release), names);
}

static uint32_t count_names(sa_arena *arena, const char *template) {
  const sa_message_names none = {0};
  return sa_message_arguments(arena, template, &none).n;
}

/* The releases that the row's conditions let through: a bit per word. */
static uint32_t releases_of(const sa_verdict_row *row) {
  uint32_t words = UINT32_MAX;
  for (uint32_t i = 0; i < row->when.n; i++)
    if (row->when.at[i].fact == SA_FACT_release) words &= row->when.at[i].words;
  return words;
}

static const char *id_of(sa_arena *arena, const sa_verdict_row *row, int release) {
  if (!sa_message_tells_release(row->message)) return row->id;
  return sa_printf(arena, "%s/%s", row->id, sa_fact_word(SA_FACT_release, release));
}

static int release_words(void) {
  int n = 1;
  for (const char *at = sa_fact_about(SA_FACT_release)->words; *at != '\0'; at++) n += *at == ' ';
  return n;
}

static void put_row_messages(sa_sarif *s, const sa_verdict_row *row) {
  uint32_t names = count_names(s->arena, row->message), allowed = releases_of(row);
  int words = sa_message_tells_release(row->message) ? release_words() : 1;
  for (int word = 0; word < words; word++)
    if (words == 1 || (allowed >> word & 1) != 0)
      sa_sarif_put_wrapped(&s->json, id_of(s->arena, row, word), "text",
                           words_of(s->arena, row->message, word, names));
}

static char *plain_words(sa_arena *arena, const sa_rule *rule) {
  return sa_printf(arena, "%s '{0}' Path: '{1}'.", rule->summary);
}

static void put_messages(sa_sarif *s, const sa_rule *rule) {
  const sa_ruleset *rules = s->result->rules;
  sa_json_open(&s->json, "messageStrings", '{');
  sa_sarif_put_wrapped(&s->json, PLAIN, "text", plain_words(s->arena, rule));
  if (rule->message != NULL)
    sa_sarif_put_wrapped(
        &s->json, OWN, "text",
        words_of(s->arena, rule->message, 0, count_names(s->arena, rule->message)));
  for (uint32_t i = 0; i < rules->verdicts.n; i++)
    if (rules->verdicts.at[i].rule != NULL && strcmp(rules->verdicts.at[i].rule, rule->id) == 0)
      put_row_messages(s, &rules->verdicts.at[i]);
  if (strcmp(rule->id, SA_SARIF_PASS_RULE) == 0)
    sa_sarif_put_wrapped(&s->json, PASS, "text", PASS_WORDS);
  sa_json_close(&s->json);
}

/* A "](" of the source must not look like a link. */
static const char *without_links(sa_arena *arena, const char *value) {
  SA_ARRAY(char) text = {0};
  if (strstr(value, "](") == NULL) return value;
  for (const char *at = value; *at != '\0'; at++) {
    sa_push(arena, &text, *at);
    if (at[0] == ']' && at[1] == '(') sa_push(arena, &text, ' ');
  }
  sa_push(arena, &text, '\0');
  return text.at;
}

/* "[creation](1), [release](2)": links to the related locations. */
static const char *path_of(sa_arena *arena, const sa_finding *finding) {
  const char *text = NULL;
  for (uint32_t i = 0, id = 0; i < finding->evidence.n && i < SA_SARIF_MAX_STEPS; i++) {
    const sa_step *step = &finding->evidence.at[i];
    if (!sa_sarif_inside(step->at)) continue;
    text = sa_printf(arena, "%s%s[%s](%u)", text != NULL ? text : "", text != NULL ? ", " : "",
                     step->role, (unsigned)++id);
  }
  return text != NULL ? text : "[here](1)";
}

static const sa_verdict_row *row_of(const sa_ruleset *rules, const char *id) {
  for (uint32_t i = 0; i < rules->verdicts.n; i++)
    if (strcmp(rules->verdicts.at[i].id, id) == 0) return &rules->verdicts.at[i];
  return NULL;
}

sa_sarif_message sa_sarif_message_of(sa_arena *arena, const sa_ruleset *rules,
                                     const sa_sarif_entry *entry) {
  const sa_finding *f = entry->finding;
  sa_sarif_message m = {.id = PLAIN};
  if (f == NULL) {
    bool named = entry->site->block != NULL && entry->site->block[0] != '\0';
    sa_push(arena, &m.values, named ? without_links(arena, entry->site->block) : "the block");
    m.id = PASS;
    m.numbered = sa_strdup(arena, PASS_WORDS);
    return m;
  }
  const sa_verdict_row *row = f->row != NULL ? row_of(rules, f->row) : NULL;
  bool own = f->row != NULL && f->row[0] == '\0' && f->rule->message != NULL;
  const char *template = row != NULL ? row->message : own ? f->rule->message : NULL;
  if (template != NULL) {
    m.id = row != NULL ? id_of(arena, row, f->names.release) : OWN;
    m.values = sa_message_arguments(arena, template, &f->names);
    m.numbered = words_of(arena, template, f->names.release, m.values.n);
  } else {
    sa_push(arena, &m.values, f->message);
    m.numbered = plain_words(arena, f->rule);
  }
  for (uint32_t i = 0; i < m.values.n; i++) m.values.at[i] = without_links(arena, m.values.at[i]);
  sa_push(arena, &m.values, path_of(arena, f));
  return m;
}

/* ---- rules ---- */

static void put_properties(sa_json *json, const sa_rule *rule) {
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

static void put_rule(sa_sarif *s, const sa_rule *rule) {
  sa_json *json = &s->json;
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "id", rule->id);
  if (rule->formerly.n > 0) {
    sa_json_open(json, "deprecatedIds", '[');
    for (uint32_t i = 0; i < rule->formerly.n; i++)
      sa_json_string(json, NULL, rule->formerly.at[i]);
    sa_json_close(json);
  }
  sa_json_string(json, "name", pascal_case(s->arena, rule->name));
  sa_sarif_put_wrapped(json, "shortDescription", "text", rule->summary);
  sa_sarif_put_wrapped(json, "fullDescription", "text", rule->description);
  sa_json_open(json, "help", '{');
  sa_json_string(json, "text", rule->help);
  sa_json_string(json, "markdown",
                 sa_printf(s->arena,
                           "%s\n\nInstead of\n\n```cpp\n%s\n```\n\nwrite\n\n```cpp\n%s\n```\n",
                           rule->help, rule->bad, rule->good));
  sa_json_close(json);
  const char *page = sa_rule_page(s->arena, rule);
  if (page != NULL) sa_json_string(json, "helpUri", page);
  put_messages(s, rule);
  sa_sarif_put_wrapped(json, "defaultConfiguration", "level", sa_severity_name(rule->level));
  put_properties(json, rule);
  sa_json_close(json);
}

/* ---- notifications ---- */

static const struct {
  const char *id, *what, *help;
} NOTIFICATIONS[] = {
    [SA_NOTE] = {"run-note", "Something is worth knowing about the run.",
                 "Nothing needs to be done."},
    [SA_WARNING] = {"run-warning", "A file was analysed with less than it needs.",
                    "Give the tool the compile flags of the file."},
    [SA_ERROR] = {"run-error", "A file could not be read or analysed.",
                  "Check that the file exists and that its compile flags are right."},
    {"run-setup", "The run was set up so that less is known or shown.",
     "Give a compile database that has the file, remove suppressions that nothing needs, or narrow "
     "the run."},
};

enum { KINDS = sizeof NOTIFICATIONS / sizeof *NOTIFICATIONS };

const char *sa_sarif_notification_id(const sa_message *message) {
  return NOTIFICATIONS[message->configuration ? KINDS - 1 : (int)message->severity].id;
}

static void put_notification_kinds(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, "notifications", '[');
  for (int i = 0; i < KINDS; i++) {
    sa_json_open(json, NULL, '{');
    sa_json_string(json, "id", NOTIFICATIONS[i].id);
    sa_json_string(json, "name", pascal_case(s->arena, NOTIFICATIONS[i].id));
    sa_sarif_put_wrapped(json, "shortDescription", "text", NOTIFICATIONS[i].what);
    sa_sarif_put_wrapped(json, "fullDescription", "text", NOTIFICATIONS[i].what);
    sa_sarif_put_wrapped(json, "help", "text", NOTIFICATIONS[i].help);
    sa_json_close(json);
  }
  sa_json_close(json);
}

void sa_sarif_put_driver(sa_sarif *s) {
  sa_json *json = &s->json;
  sa_json_open(json, "tool", '{');
  sa_json_open(json, "driver", '{');
  sa_json_string(json, "name", "sa-lint");
  sa_json_string(json, "fullName", "sa-lint, static analysis of record_stream calls");
  sa_json_string(json, "organization", "sa-lint");
  sa_json_string(json, "version", s->result->tool_version);
  sa_json_string(json, "semanticVersion", s->result->tool_version);
  if (sa_project_address() != NULL) sa_json_string(json, "informationUri", sa_project_address());
  sa_json_string(json, "language", "en-US");
  sa_json_open(json, "rules", '[');
  for (uint32_t i = 0; i < s->result->rules->rules.n; i++)
    put_rule(s, &s->result->rules->rules.at[i]);
  sa_json_close(json);
  put_notification_kinds(s);
  sa_json_close(json);
  sa_json_close(json);
}
