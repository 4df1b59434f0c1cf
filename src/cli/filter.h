/* What the user wants to see, decided once before any writer runs. */
#ifndef SA_CLI_FILTER_H
#define SA_CLI_FILTER_H

#include "cli/options.h"
#include "project/config.h"

/* Whether options and configuration leave the rule on. */
bool sa_filter_wants(const sa_options *options, const sa_config *config, const char *rule);

/* Applies configured levels, --select and --ignore to the findings, takes repeated messages out and
 * sorts the result. `config` may be NULL. */
void sa_filter(sa_result *result, const sa_options *options, const sa_config *config);

#endif
