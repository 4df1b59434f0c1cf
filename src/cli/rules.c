/* What the rules say: `rules` lists them, `explain` shows one. */
#include "base/json.h"
#include "cli/driver.h"
#include "cli/output.h"
#include "ruleset/ruleset.h"

#include <string.h>

static void put_rule(sa_json *json, const sa_rule *rule) {
  sa_json_open(json, NULL, '{');
  sa_json_string(json, "id", rule->id);
  sa_json_string(json, "name", rule->name);
  sa_json_string(json, "level", sa_severity_name(rule->level));
  sa_json_string(json, "precision", rule->precision);
  sa_json_string(json, "summary", rule->summary);
  sa_json_string(json, "description", rule->description);
  sa_json_string(json, "help", rule->help);
  sa_json_close(json);
}

static void list_as_json(const sa_ruleset *rules) {
  sa_json json = sa_json_to(stdout);
  sa_json_open(&json, NULL, '[');
  for (uint32_t i = 0; i < rules->rules.n; i++) put_rule(&json, &rules->rules.at[i]);
  sa_json_close(&json);
  sa_json_finish(&json);
}

static void list_as_text(const sa_ruleset *rules) {
  for (uint32_t i = 0; i < rules->rules.n; i++) {
    const sa_rule *rule = &rules->rules.at[i];
    printf("%s  %-8s %-26s %s\n", rule->id, sa_severity_name(rule->level), rule->name,
           rule->summary);
  }
}

int sa_run_rules(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  sa_ruleset *rules;
  if (sa_ruleset_load(&rules, arena, diag, options->rules) != SA_OK) return SA_EXIT_USAGE;
  if (strcmp(options->formats.at[0].reporter->name, "json") == 0)
    list_as_json(rules);
  else
    list_as_text(rules);
  return sa_output_flush(diag) == SA_OK ? SA_EXIT_CLEAN : SA_EXIT_USAGE;
}

static void put_section(const char *title, const char *text) {
  if (text != NULL && *text != '\0') printf("\n%s%s%s\n", title, *title != '\0' ? "\n" : "", text);
}

int sa_run_explain(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  sa_ruleset *rules;
  if (sa_ruleset_load(&rules, arena, diag, options->rules) != SA_OK) return SA_EXIT_USAGE;
  if (options->paths.n == 0) {
    sa_report(diag, SA_ERROR, NULL, 0, 0, "explain: which rule? `sa-lint rules` lists them");
    return SA_EXIT_USAGE;
  }
  for (uint32_t i = 0; i < options->paths.n; i++) {
    const sa_rule *rule = sa_ruleset_find_rule(rules, options->paths.at[i]);
    if (rule == NULL) {
      sa_report(diag, SA_ERROR, NULL, 0, 0, "there is no rule '%s'; `sa-lint rules` lists them",
                options->paths.at[i]);
      return SA_EXIT_USAGE;
    }
    printf("%s %s (%s)\n", rule->id, rule->name, sa_severity_name(rule->level));
    put_section("", rule->summary);
    put_section("", rule->description);
    put_section("What to do:", rule->help);
    put_section("Reported:", rule->bad);
    put_section("Not reported:", rule->good);
  }
  return sa_output_flush(diag) == SA_OK ? SA_EXIT_CLEAN : SA_EXIT_USAGE;
}
