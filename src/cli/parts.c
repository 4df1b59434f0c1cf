#include "cli/parts.h"

#include "base/near.h"
#include "base/path.h"
#include "ruleset/ruleset.h"

#include <string.h>

typedef struct {
  sa_parts *out;
  sa_arena *arena;
  sa_diag *diag;
  const sa_options *options;
  sa_ruleset *plain; /* without rows of a configuration; NULL: nobody needed them yet */
} loader;

static bool names_a_rule(const sa_ruleset *rules, const char *name) {
  for (uint32_t i = 0; i < rules->rules.n; i++)
    if (strncmp(rules->rules.at[i].id, name, strlen(name)) == 0) return true;
  return false;
}

/* Every rule that a configuration names must be there: a misspelt one would do nothing. */
static sa_status check_levels(sa_arena *arena, sa_diag *diag, const sa_config *config,
                              const sa_ruleset *rules) {
  sa_status status = SA_OK;
  SA_ARRAY(const char *) ids = {0};
  for (uint32_t i = 0; i < rules->rules.n; i++) sa_push(arena, &ids, rules->rules.at[i].id);
  for (uint32_t i = 0; i < config->levels.n; i++) {
    const sa_level_setting *setting = &config->levels.at[i];
    if (names_a_rule(rules, setting->rule)) continue;
    const char *near = sa_nearest(setting->rule, ids.at, ids.n);
    sa_report(diag, SA_ERROR, config->path, setting->line, setting->column,
              "there is no rule '%s'%s%s%s", setting->rule, near != NULL ? "; did you mean '" : "",
              near != NULL ? near : "", near != NULL ? "'?" : "");
    status = SA_E_SYNTAX;
  }
  return status;
}

static sa_status load_rules(const sa_ruleset **out, loader *l, const sa_config *config) {
  bool own = config != NULL && config->wrappers != NULL;
  sa_status status = SA_OK;
  sa_ruleset *rules = own ? NULL : l->plain;
  if (rules == NULL) status = sa_ruleset_load(&rules, l->arena, l->diag, l->options->rules);
  if (status != SA_OK) return status;
  if (own)
    status = sa_ruleset_add_apis(rules, l->arena, l->diag, config->path, config->wrappers);
  else
    l->plain = rules;
  if (status == SA_OK && config != NULL) status = check_levels(l->arena, l->diag, config, rules);
  *out = rules;
  return status;
}

sa_policy sa_parts_policy(sa_arena *arena, const sa_config *config, const sa_options *options) {
  /* Patterns of one that lies outside of the project are relative to the root. */
  bool outside = config->path[0] == '/';
  const char *directory = outside ? "." : sa_path_directory(arena, config->path);
  return (sa_policy){.directory = options->config != NULL || outside ? NULL : directory,
                     .base = directory,
                     .levels = config->levels.at,
                     .nlevels = config->levels.n,
                     .fail_on = config->fail_on};
}

static sa_status add_part(loader *l, const sa_config *config) {
  for (uint32_t i = 0; i < l->out->all.n; i++)
    if (l->out->all.at[i].config == config) return SA_OK;
  sa_part part = {.config = config};
  sa_status status = load_rules(&part.rules, l, config);
  if (status != SA_OK) return status;
  sa_push(l->arena, &l->out->all, part);
  if (config == NULL) return SA_OK;
  sa_push(l->arena, &l->out->policies, sa_parts_policy(l->arena, config, l->options));
  return SA_OK;
}

sa_status sa_parts_load(sa_parts *parts, sa_arena *arena, sa_diag *diag, const char *directory,
                        const sa_source_array *sources) {
  sa_configs *configs = parts->configs;
  loader l = {.out = parts, .arena = arena, .diag = diag, .options = parts->options};
  sa_status status = add_part(&l, sa_configs_of_directory(configs, directory));
  for (uint32_t i = 0; i < sources->n && status == SA_OK; i++) {
    const sa_config *config = sa_configs_of_file(configs, sources->at[i].absolute);
    if (!sa_configs_failed(configs)) status = add_part(&l, config);
  }
  return sa_configs_failed(configs) ? SA_E_SYNTAX : status;
}

sa_status sa_parts_check(sa_arena *arena, sa_diag *diag, const sa_config *config,
                         const sa_options *options) {
  sa_parts none = {0};
  loader l = {.out = &none, .arena = arena, .diag = diag, .options = options};
  const sa_ruleset *rules;
  return load_rules(&rules, &l, config);
}

sa_part *sa_parts_of(sa_parts *parts, const sa_source *source) {
  const sa_config *config = sa_configs_of_file(parts->configs, source->absolute);
  for (uint32_t i = 0; i < parts->all.n; i++)
    if (parts->all.at[i].config == config) return &parts->all.at[i];
  return &parts->all.at[0];
}

#define append_all(arena, to, from)                                                                \
  for (uint32_t i_ = 0; i_ < (from)->n; i_++) sa_push((arena), (to), (from)->at[i_])

void sa_parts_adopt(sa_result *to, sa_arena *arena, const sa_result *from) {
  append_all(arena, &to->sites, &from->sites);
  append_all(arena, &to->suppressions, &from->suppressions);
  append_all(arena, &to->messages, &from->messages);
  for (uint32_t i = 0; i < from->findings.n; i++) {
    sa_finding finding = from->findings.at[i];
    finding.rule = &to->rules->rules.at[finding.rule - from->rules->rules.at];
    sa_push(arena, &to->findings, finding);
  }
}
