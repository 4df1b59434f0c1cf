/* Units whose result an earlier run kept, and that nothing has happened to since. */
#ifndef SA_CLI_RECALL_H
#define SA_CLI_RECALL_H

#include "cli/unit.h"

/* Opens the cache that the options ask for. NULL: they ask for none, or the run is one that a cache
 * cannot serve (it prints stages, edits files or writes summaries), or there is none to be had,
 * which `diag` then says. The caller closes it. */
sa_recall *sa_recall_open(sa_arena *arena, sa_diag *diag, const sa_session *session);
void sa_recall_close(sa_recall *recall);

/* sa_unit_run(), or what it gave when all that it looked at was as it is now. A result is kept when
 * the file could be analysed; `times` says what was done. */
void sa_recall_unit(sa_result *result, sa_unit_times *times, sa_arena *arena,
                    const sa_session *session, const sa_source *source);

/* After the last unit: keeps the cache within its size, and says on standard error what was
 * damaged. No report says so: it has the same bytes whether a cache was used or not. */
void sa_recall_finish(const sa_recall *recall, const sa_unit_times *sums,
                      const sa_options *options);

#endif
