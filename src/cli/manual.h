/* The option table in other forms: manual page and completions of shells. */
#ifndef SA_CLI_MANUAL_H
#define SA_CLI_MANUAL_H

#include "cli/options.h"

void sa_manual_write(FILE *out, sa_help_form form);

#endif
