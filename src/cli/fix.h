/* Edits: planned, proved, printed and applied. */
#ifndef SA_CLI_FIX_H
#define SA_CLI_FIX_H

#include "cli/options.h"
#include "cli/unit.h"

/* Whether some output of this run holds edits. */
bool sa_fix_wanted(const sa_options *options);

/* In the worker. Names, for calls whose block somebody else can keep, the statement that does it.
 */
void sa_fix_advise(sa_judged *judged, sa_arena *arena, const sa_session *session,
                   const sa_job *job);

/* In the worker. Plans edits for what was found, proves each by analysing the edited text again,
 * and adds those that hold to the sites and, all together, as a patch to the result. Sites without
 * an edit get the reason. The number of proofs is bounded. */
void sa_fix_unit(sa_judged *judged, sa_arena *arena, const sa_session *session, const sa_job *job);

/* Prints the patches as one unified diff. A file that cannot be read, or is not the one that was
 * analysed, is left out with an error. SA_E_IO when standard output failed. */
sa_status sa_fix_print(sa_arena *arena, sa_diag *diag, const char *root, const sa_result *result);

/* Writes the edited files, each whole or not at all. A file that changed since it was read, is
 * read-only, or lies outside the root is left alone with an error. With `staged` the index gets the
 * edits, and the work tree beside what is not staged. Returns how many were written. */
uint32_t sa_fix_apply(sa_arena *arena, sa_diag *diag, const char *root, const sa_result *result,
                      bool staged);

/* The unified diff of one text and its edited form; `file` is the name in its head. */
char *sa_fix_diff(sa_arena *arena, const char *file, const char *text, size_t length,
                  const sa_splices *splices);

#endif
