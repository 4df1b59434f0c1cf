/* One report from those of several runs (shards): the same bytes for any order of them. Reports are
 * JSON or SARIF as this program wrote them, all of one form and one version. */
#ifndef SA_MERGE_MERGE_H
#define SA_MERGE_MERGE_H

#include "model/finding.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sa_reports sa_reports; /* read, none twice, in an order of their own */

/* Reads the files. What is no report, of another form than the first, or written by another version
 * than `tool` is refused with a message that names file and line, as far as there is one:
 * SA_E_SYNTAX, SA_E_IO or SA_E_LIMIT. On success the caller releases *out. */
sa_status sa_reports_load(sa_reports **out, sa_arena *arena, sa_diag *diag,
                          const char *const *paths, uint32_t n, const char *tool);
void sa_reports_free(sa_reports *reports);

/* Whether they are SARIF; else JSON. */
bool sa_reports_are_sarif(const sa_reports *reports);

/* JSON reports as one result, sorted, each site, finding and message once; counts are sums. `rules`
 * are those of `tool`: a finding of a rule that is not there is refused, SA_E_SYNTAX. Everything is
 * copied into `arena`. */
sa_status sa_merge_results(sa_result *out, sa_arena *arena, sa_diag *diag, const sa_ruleset *rules,
                           const sa_reports *reports);

/* SARIF reports as one log with one run. `category` renames the run; NULL keeps what all agree on.
 * *errors tells whether some run failed on a file, *worst is the highest level of a result, -1 for
 * none. SA_E_SYNTAX with a message, or SA_E_IO when the stream failed (errno says why). */
sa_status sa_merge_sarif(FILE *out, sa_arena *arena, sa_diag *diag, const sa_reports *reports,
                         const char *category, bool *errors, int *worst);

#endif
