/* `config`: which configuration a path obeys, and whether configurations are right. */
#include "base/fs.h"
#include "base/path.h"
#include "base/shown.h"
#include "cli/driver.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "project/root.h"
#include "ruleset/ruleset.h"

#include <string.h>

typedef struct {
  const sa_options *options;
  sa_arena *arena;
  sa_diag *diag;
  const char *cwd, *root;
  sa_configs *configs;
} command;

static const char *absolute(const command *c, const char *path) {
  return sa_fs_resolve(c->arena, c->cwd, path);
}

static sa_status start(command *c) {
  const sa_options *o = c->options;
  sa_config *forced = NULL;
  c->cwd = sa_fs_working_directory(c->arena);
  c->root = o->root != NULL ? absolute(c, o->root)
                            : sa_project_root(c->arena, c->cwd, o->paths.at, o->paths.n);
  if (o->config != NULL) {
    sa_status status = sa_config_load(&forced, c->arena, c->diag, absolute(c, o->config), c->root);
    if (status != SA_OK) return status;
  }
  c->configs = sa_configs_new(c->arena, c->diag, c->root, forced, !o->no_config);
  return SA_OK;
}

/* The configuration that a path obeys; a file of YAML is one itself. */
static sa_status find(command *c, const char *path, const sa_config **out) {
  const char *full = absolute(c, path), *extension = sa_path_extension(full);
  *out = NULL;
  if (!sa_fs_exists(full)) {
    sa_report(c->diag, SA_ERROR, path, 0, 0, "no such file or directory");
    return SA_E_USAGE;
  }
  if (strcmp(extension, ".yaml") == 0 || strcmp(extension, ".yml") == 0 ||
      strcmp(sa_path_name(full), SA_CONFIG_NAME) == 0) {
    sa_config *config;
    sa_status status = sa_config_load(&config, c->arena, c->diag, full, c->root);
    *out = config;
    return status;
  }
  *out = sa_fs_is_directory(full) ? sa_configs_of_directory(c->configs, full)
                                  : sa_configs_of_file(c->configs, full);
  return sa_configs_failed(c->configs) ? SA_E_SYNTAX : SA_OK;
}

static sa_status check(command *c, const char *path) {
  const sa_config *config;
  sa_status status = find(c, path, &config);
  if (status == SA_OK && config != NULL)
    status = sa_parts_check(c->arena, c->diag, config, c->options);
  if (status != SA_OK) return status;
  sa_shown_path(stdout, config != NULL ? config->path : path);
  puts(config != NULL ? ": ok" : ": no configuration");
  return SA_OK;
}

static void put_list(const char *key, const char *const *list, uint32_t n) {
  printf("%s: [", key);
  for (uint32_t i = 0; i < n; i++) {
    if (i > 0) fputs(", ", stdout);
    sa_shown_text(stdout, list[i]);
  }
  puts("]");
}

static void put_levels(const command *c, const sa_config *config, const sa_ruleset *rules,
                       const char *file) {
  sa_policy policy = {.base = ".", .fail_on = -1};
  if (config != NULL) policy = sa_parts_policy(c->arena, config, c->options);
  sa_filter_options filter = sa_filter_options_of(c->options);
  filter.policies = &policy;
  filter.npolicies = 1;
  puts("levels:");
  for (uint32_t i = 0; i < rules->rules.n; i++) {
    const sa_rule *rule = &rules->rules.at[i];
    const sa_level_setting *setting = sa_filter_setting(&filter, rule->id, file);
    sa_severity level = setting != NULL ? setting->level : rule->level;
    bool off = setting != NULL && setting->off;
    printf("  %s: %s", rule->id, off ? "off" : sa_severity_name(level));
    if (setting != NULL) printf(" # line %u", setting->line);
    putchar('\n');
  }
}

static sa_status show(command *c, const char *path) {
  const sa_config *config;
  sa_ruleset *rules;
  sa_status status = find(c, path, &config);
  if (status == SA_OK) status = sa_ruleset_load(&rules, c->arena, c->diag, c->options->rules);
  if (status == SA_OK && config != NULL)
    status = sa_parts_check(c->arena, c->diag, config, c->options);
  if (status != SA_OK) return status;
  const char *full = absolute(c, path), *inside = sa_path_inside(c->root, full);
  const char *stability = sa_config_api(config, full);
  fputs("path: ", stdout);
  sa_shown_text(stdout, inside != NULL ? inside : full);
  fputs("\nconfiguration: ", stdout);
  sa_shown_text(stdout, config != NULL ? config->path : "none");
  printf("\nexcluded: %s\n", sa_configs_exclude(c->configs, full) ? "yes" : "no");
  printf("fail_on: %s\n",
         sa_severity_name(config != NULL && config->fail_on >= 0 ? (sa_severity)config->fail_on
                                                                 : SA_WARNING));
  printf("api: %s\n", stability != NULL ? stability : "not configured");
  if (config != NULL) {
    put_list("exclude", config->exclude.at, config->exclude.n);
    put_list("defines", config->defines.at, config->defines.n);
    printf("wrappers: %s\n", config->wrappers != NULL ? "yes" : "no");
  }
  put_levels(c, config, rules, inside != NULL ? inside : full);
  return SA_OK;
}

int sa_run_config(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  command c = {.options = options, .arena = arena, .diag = diag};
  sa_status status = start(&c), one;
  uint32_t n = options->paths.n > 0 ? options->paths.n : 1;
  for (uint32_t i = 0; i < n && c.configs != NULL; i++) {
    const char *path = options->paths.n > 0 ? options->paths.at[i] : ".";
    if (i > 0 && !options->check) putchar('\n');
    one = options->check ? check(&c, path) : show(&c, path);
    if (one != SA_OK) status = one;
  }
  if (sa_output_flush(diag) != SA_OK) return SA_EXIT_USAGE;
  return status == SA_OK ? SA_EXIT_CLEAN : SA_EXIT_USAGE;
}
