/* What the command line and the surroundings say for SARIF logs. */
#ifndef SA_CLI_SARIF_H
#define SA_CLI_SARIF_H

#include "cli/options.h"

/* Fills `out` for a run over the project at `root` (absolute). SA_E_USAGE with a message when the
 * pipeline that a profile needs is not there, or the root's address is none. */
sa_status sa_sarif_prepare(sa_sarif_options *out, sa_arena *arena, sa_diag *diag,
                           const sa_options *options, const char *root);

#endif
