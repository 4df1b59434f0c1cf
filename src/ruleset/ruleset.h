/* Loads and verifies the rules. Needs rules/ (embedded or a directory), fills a sa_ruleset. */
#ifndef SA_RULESET_RULESET_H
#define SA_RULESET_RULESET_H

#include "base/yaml.h"
#include "model/ruleset.h"

/* Reads every YAML file below apis/, verdicts/ and rules/ in `directory`, or in the copy
 * embedded in the binary when it is NULL, and verifies every row: unknown keys, wrong types,
 * unknown operations, facts or words, operands that the operation cannot take, contradictory,
 * shadowed or impossible rows are errors with file, line and column. On failure *out is NULL and
 * the status is SA_E_SYNTAX or SA_E_IO. Everything lives in `arena`. */
sa_status sa_ruleset_load(sa_ruleset **out, sa_arena *arena, sa_diag *diag, const char *directory);

/* The same of files in memory, in this order; paths are below rules/ ("apis/torch.yaml"). */
typedef struct {
  const char *path, *text;
  size_t length;
} sa_ruleset_text;

sa_status sa_ruleset_load_texts(sa_ruleset **out, sa_arena *arena, sa_diag *diag,
                                const sa_ruleset_text *texts, uint32_t n);

/* Adds a project's own API rows: a map in the form of one file of rules/apis
 * (docs/rules-format.md), for example the `wrappers` of a configuration. They go before the rows
 * already there. `file` is the name in messages. On failure the ruleset is as it was, and the
 * status is SA_E_SYNTAX. */
sa_status sa_ruleset_add_apis(sa_ruleset *rules, sa_arena *arena, sa_diag *diag, const char *file,
                              const sa_yaml *map);

/* A file of rules/ by its path below it ("sdk/torch/c10.h"), embedded or below
 * `directory`; NULL when there is none. `length` may be NULL. */
const char *sa_ruleset_file(sa_arena *arena, const char *directory, const char *path,
                            size_t *length);

/* Calls `visit` for every embedded (or, with `directory`, present) file below `prefix`, in path
 * order. Path and text live until `visit` returns. */
typedef void (*sa_ruleset_visit)(void *context, const char *path, const char *text, size_t length);
void sa_ruleset_each_file(const char *directory, const char *prefix, sa_ruleset_visit visit,
                          void *context);

#endif
