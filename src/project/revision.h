/* Changes and contents as git knows them. git runs with everything off that a repository can make
 * it run: hooks, external diff programs, text conversions, filters, file monitors, fetching. */
#ifndef SA_PROJECT_REVISION_H
#define SA_PROJECT_REVISION_H

#include "base/diag.h"
#include "model/changes.h"

/* What the sources below `root` have that the commit where the work left `revision` has not; files
 * that git does not know yet are changed as a whole. SA_E_USAGE with a message when there is no
 * git, no repository or no such revision, or nothing in common with it. */
sa_status sa_revision_changes(sa_changes *out, sa_arena *arena, sa_diag *diag, const char *root,
                              const char *revision);

/* What the index has that the last commit has not. */
sa_status sa_revision_staged(sa_changes *out, sa_arena *arena, sa_diag *diag, const char *root);

/* Lets every source below `root` that differs from the index read as in the index
 * (sa_fs_pretend()). Its contents live in `arena`, which must outlive the run. */
sa_status sa_revision_use_index(sa_arena *arena, sa_diag *diag, const char *root);

#endif
