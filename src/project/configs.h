/* The configurations of a run: each file obeys the nearest .sa-lint.yaml above it, up to the root.
 */
#ifndef SA_PROJECT_CONFIGS_H
#define SA_PROJECT_CONFIGS_H

#include "project/config.h"

#define SA_CONFIG_NAME ".sa-lint.yaml"

typedef struct sa_configs sa_configs;

/* `forced` is the configuration of every file; without it, and with `search`, files are looked for
 * as they are asked about. Everything lives in `arena`. */
sa_configs *sa_configs_new(sa_arena *arena, sa_diag *diag, const char *root,
                           const sa_config *forced, bool search);

/* The configuration of a file, or of what is in a directory, by absolute path; NULL: there is none.
 * Outside of the root it is that of the root. */
const sa_config *sa_configs_of_file(sa_configs *configs, const char *file);
const sa_config *sa_configs_of_directory(sa_configs *configs, const char *directory);

/* Whether a configuration in a directory above the path excludes it. */
bool sa_configs_exclude(sa_configs *configs, const char *absolute);

/* Whether any that was met could not be read; `diag` then has the reason. */
bool sa_configs_failed(const sa_configs *configs);

#endif
