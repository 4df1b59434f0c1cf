/* --baseline and --write-baseline. */
#ifndef SA_CLI_BASELINE_H
#define SA_CLI_BASELINE_H

#include "cli/options.h"
#include "filter/baseline.h"

/* Reads the baseline that the options name; *out is NULL when they name none, or name one to write
 * that is not there yet. A broken one is SA_E_SYNTAX, also when it is only to be replaced. */
sa_status sa_baseline_load(sa_baseline **out, sa_arena *arena, sa_diag *diag,
                           const sa_options *options);

/* Replaces it, whole or not at all. */
sa_status sa_baseline_store(const sa_baseline *baseline, sa_arena *arena, sa_diag *diag,
                            const char *path);

#endif
