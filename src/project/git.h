/* What .git says about the sources. Files are read, git itself never runs: no hook, filter or
 * helper of a repository that somebody else made is started. */
#ifndef SA_PROJECT_GIT_H
#define SA_PROJECT_GIT_H

#include "base/arena.h"
#include "model/provenance.h"

/* Finds the work tree that `root` (absolute) lies in. False when there is none, when it has no
 * commit, or when its remote is not an address that everybody could use: none at all, or a path. */
bool sa_git_provenance(sa_provenance *out, sa_arena *arena, const char *root);

/* The address of a remote as a URI without user, password, query and fragment; NULL when it is a
 * path or no address. "git@host:a/b" becomes "ssh://host/a/b". */
const char *sa_git_public_address(sa_arena *arena, const char *remote);

#endif
