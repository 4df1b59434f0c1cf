/* Unified diffs, as git and others write them. */
#ifndef SA_PROJECT_PATCH_H
#define SA_PROJECT_PATCH_H

#include "base/diag.h"
#include "model/changes.h"

/* Adds the lines that the patch adds or alters, as numbered in the new files; where it only takes
 * lines away, the lines around the gap. `name` stands for the patch in messages. Files that the
 * patch deletes, and binary ones, have no lines. A patch that is not sound is SA_E_SYNTAX with its
 * line. Paths lose the prefixes a/ and b/; nothing is looked up on disk. */
sa_status sa_patch_read(sa_changes *out, sa_arena *arena, sa_diag *diag, const char *name,
                        const char *text, size_t length);

#endif
