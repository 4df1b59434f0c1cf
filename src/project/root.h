/* Where a project begins. */
#ifndef SA_PROJECT_ROOT_H
#define SA_PROJECT_ROOT_H

#include "base/diag.h"

/* The project root for a run in `cwd` (absolute) on `paths`: the nearest directory upwards that
 * holds .git; else the nearest that holds .sa-lint.yaml; else `cwd`. The search starts in `cwd`
 * when the first path lies below it, else where that path lies (which is then the last resort). */
const char *sa_project_root(sa_arena *arena, const char *cwd, const char *const *paths,
                            uint32_t npaths);

/* The nearest `name` in `from` or a directory above it, up to and with `last` ("/" for all); NULL
 * when there is none. */
const char *sa_project_find_up(sa_arena *arena, const char *from, const char *last,
                               const char *name);

#endif
