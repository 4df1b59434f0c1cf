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

/* The edit of a file that is read as in the index (`file` is its path below `root`; `base` and
 * `edited` are the index's text before and after). The index gets the edited text; what the work
 * tree has beside it stays as it is: the edit is merged into it. Where the two touch, nothing is
 * changed. SA_E_IO with a message then, and when git fails. */
typedef struct {
  const char *file;
  const char *base, *edited;
  size_t base_length, edited_length;
} sa_staged_edit;

sa_status sa_revision_stage(sa_arena *arena, sa_diag *diag, const char *root,
                            const sa_staged_edit *edit);

#endif
