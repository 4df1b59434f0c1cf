/* The parts of a run: sources that obey one configuration, with the rules and the session that come
 * of it. */
#ifndef SA_CLI_PARTS_H
#define SA_CLI_PARTS_H

#include "cli/unit.h"
#include "project/configs.h"

typedef struct {
  const sa_config *config; /* NULL: none */
  const sa_ruleset *rules; /* with the configuration's own rows */
  sa_session session;      /* the caller fills it in */
  sa_recall *recall;       /* likewise */
} sa_part;

typedef struct {
  sa_configs *configs;          /* the caller's */
  const sa_options *options;    /* likewise */
  SA_ARRAY(sa_part) all;        /* the first is that of the working directory */
  SA_ARRAY(sa_policy) policies; /* of all configurations */
} sa_parts;

/* Finds the configurations of the sources, and of the directory that the run works in, checks the
 * rules that they name, and loads the rules of each. SA_E_SYNTAX when a configuration is wrong. */
sa_status sa_parts_load(sa_parts *parts, sa_arena *arena, sa_diag *diag, const char *directory,
                        const sa_source_array *sources);

/* What a configuration says about findings. */
sa_policy sa_parts_policy(sa_arena *arena, const sa_config *config, const sa_options *options);

/* Checks one configuration as a run would: the rules it names and its own rows. */
sa_status sa_parts_check(sa_arena *arena, sa_diag *diag, const sa_config *config,
                         const sa_options *options);

/* The part that a source belongs to. */
sa_part *sa_parts_of(sa_parts *parts, const sa_source *source);

/* Moves what `from`, made with a part's rules, holds to `to`, made with the first part's. */
void sa_parts_adopt(sa_result *to, sa_arena *arena, const sa_result *from);

#endif
