/* What the command line says about changes and contents: --diff-base, --patch, --staged and
 * --stdin-filename. */
#ifndef SA_CLI_CHANGE_H
#define SA_CLI_CHANGE_H

#include "cli/options.h"
#include "model/changes.h"

/* Fills *out with the change to look at; NULL when none is asked for. Contents that are not those
 * on disk are made known to base/fs.h. `root` is absolute. */
sa_status sa_change_load(const sa_changes **out, sa_arena *arena, sa_diag *diag,
                         const sa_options *options, const char *root);

#endif
