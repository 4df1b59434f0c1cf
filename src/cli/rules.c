/* What the rules say: `rules` lists them, `explain` shows one, or what they say of a line. */
#include "base/fs.h"
#include "base/json.h"
#include "cli/driver.h"
#include "cli/output.h"
#include "ruleset/ruleset.h"

#include <stdlib.h>
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

static int explain_rules(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  sa_ruleset *rules;
  if (sa_ruleset_load(&rules, arena, diag, options->rules) != SA_OK) return SA_EXIT_USAGE;
  for (uint32_t i = 0; i < options->paths.n; i++) {
    const sa_rule *rule = sa_ruleset_find_rule(rules, options->paths.at[i]);
    if (rule == NULL) {
      sa_report(diag, SA_ERROR, NULL, 0, 0,
                "there is no rule '%s'; `sa-lint rules` lists them, and a line of a source is "
                "FILE:LINE",
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

/* "a.cpp:12", also "a.cpp:12:3" as messages have it. False when it is no place at all; *line is 0
 * when its number is none that a line can have. */
static bool read_place(sa_arena *arena, const char *text, const char **file, unsigned *line) {
  static const char digits[] = "0123456789";
  size_t end = strlen(text), parts = 0;
  *line = 0;
  for (; parts < 2 && end > 0; parts++) {
    size_t start = end;
    while (start > 0 && strchr(digits, text[start - 1]) != NULL) start--;
    if (start == end || start < 2 || text[start - 1] != ':') break;
    unsigned long value = end - start > 9 ? 0 : strtoul(text + start, NULL, 10);
    *line = (unsigned)value;
    end = start - 1;
  }
  if (parts > 0) *file = sa_strndup(arena, text, end);
  return parts > 0;
}

static int explain_place(const sa_options *options, sa_arena *arena, sa_diag *diag,
                         const char *file, unsigned line) {
  const char *place = options->paths.at[0], *wrong = NULL;
  if (options->paths.n > 1) wrong = "one place at a time";
  if (strcmp(options->formats.at[0].reporter->name, "text") != 0 ||
      options->formats.at[0].path != NULL || options->formats.n > 1)
    wrong = "the reasoning is written as text, to standard output";
  if (line == 0) wrong = "lines count from 1";
  if (wrong == NULL && sa_fs_is_directory(file)) wrong = "that is a directory";
  if (wrong != NULL) {
    sa_report(diag, SA_ERROR, NULL, 0, 0, "explain '%s': %s", place, wrong);
    return SA_EXIT_USAGE;
  }
  sa_options check = *options;
  check.command = SA_COMMAND_CHECK;
  check.paths = (sa_names){0};
  sa_push(arena, &check.paths, file);
  check.line = line;
  check.dump = SA_DUMP_NONE;
  check.list_files = false;
  return sa_run_check(&check, arena, diag);
}

int sa_run_explain(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  const char *file = NULL;
  unsigned line = 0;
  if (options->paths.n == 0) {
    sa_report(diag, SA_ERROR, NULL, 0, 0,
              "explain: which rule, or which FILE:LINE? `sa-lint rules` lists the rules");
    return SA_EXIT_USAGE;
  }
  if (read_place(arena, options->paths.at[0], &file, &line))
    return explain_place(options, arena, diag, file, line);
  return explain_rules(options, arena, diag);
}
