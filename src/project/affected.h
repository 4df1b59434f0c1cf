/* Which sources a change concerns. */
#ifndef SA_PROJECT_AFFECTED_H
#define SA_PROJECT_AFFECTED_H

#include "model/changes.h"
#include "project/select.h"

/* Whether the change concerns other sources than the changed ones: it has a header. */
bool sa_affected_others(const sa_changes *changes);

/* Takes out of `sources` what is neither changed nor includes, directly or through sources of
 * `project`, a file that is. An include is known by the end of its path: "b/c.h" may be "a/b/c.h".
 */
void sa_affected_keep(sa_source_array *sources, sa_arena *arena, const sa_source_array *project,
                      const sa_changes *changes, unsigned threads);

#endif
