/* .sa-lint.yaml: what a project wants from the linter. */
#ifndef SA_PROJECT_CONFIG_H
#define SA_PROJECT_CONFIG_H

#include "base/yaml.h"
#include "model/policy.h"

/* Whether the functions of some files can change their shape. */
typedef struct {
  sa_globs paths;
  bool stable; /* else internal */
} sa_api_setting;

typedef struct {
  const char *path;      /* relative to the root where it lies inside */
  const char *directory; /* absolute: globs are relative to it; the root for one outside */
  const char *text;      /* as it was read */
  size_t length;
  sa_globs exclude;
  SA_ARRAY(const char *) defines;
  SA_ARRAY(sa_level_setting) levels; /* later ones win; those of 'overrides' come last */
  SA_ARRAY(sa_api_setting) api;      /* the first that fits wins */
  int fail_on;                       /* an sa_severity, or -1 */
  const sa_yaml *wrappers;           /* a map in the form of a file of rules/apis, or NULL */
} sa_config;

/* Reads and checks a configuration. Unknown keys, wrong types and words are SA_E_SYNTAX with file,
 * line and column; then *out is NULL. Everything lives in `arena`. */
sa_status sa_config_load(sa_config **out, sa_arena *arena, sa_diag *diag, const char *path,
                         const char *root);

/* The key of that number at a place of the configuration: "" for the top, "api" and "overrides" for
 * an entry of these lists. NULL behind the last. */
const char *sa_config_key(const char *place, uint32_t number);

/* What is configured for a file (by absolute path): "stable", "internal", or NULL. `config` may be
 * NULL. */
const char *sa_config_api(const sa_config *config, const char *absolute);

#endif
