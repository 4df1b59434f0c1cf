/* A whole run. */
#ifndef SA_CLI_DRIVER_H
#define SA_CLI_DRIVER_H

#include "cli/options.h"

enum { SA_EXIT_CLEAN, SA_EXIT_FINDINGS, SA_EXIT_USAGE, SA_EXIT_INCOMPLETE };

/* `check`: from paths to reports. Returns the exit status; messages that no report holds are in
 * `diag`, for the caller to print. */
int sa_run_check(const sa_options *options, sa_arena *arena, sa_diag *diag);

/* `rules`, and `explain RULE` or `explain FILE:LINE`. */
int sa_run_rules(const sa_options *options, sa_arena *arena, sa_diag *diag);
int sa_run_explain(const sa_options *options, sa_arena *arena, sa_diag *diag);

/* `config`: shows or checks configurations. */
int sa_run_config(const sa_options *options, sa_arena *arena, sa_diag *diag);

/* `merge`: one report from those of several runs. */
int sa_run_merge(const sa_options *options, sa_arena *arena, sa_diag *diag);

/* `doctor`: what was found on this machine, and what is missing. Status 2 when sources cannot be
 * analysed. */
int sa_run_doctor(const sa_options *options, sa_arena *arena, sa_diag *diag);

#endif
