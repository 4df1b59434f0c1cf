/* Members that hold one thing at a time: fields, and elements of a literal index. */
#ifndef SA_ANALYSIS_MEMBER_H
#define SA_ANALYSIS_MEMBER_H

#include "analysis/action.h"

/* The number of the member that the store at `point` fills, index into out->members plus one; a new
 * one is added. 0: the container has other names, or the index is not known. */
uint32_t sa_member_of(sa_world *world, const sa_fn *fn, sa_actions *out, uint32_t point);
/* Likewise of the field `name` of an object, where that is the one whose method the function is. */
uint32_t sa_member_of_this(sa_world *world, const sa_fn *fn, sa_actions *out, sa_val object,
                           const char *name);

/* Whether action `index` takes what that member of the own object held before, and does not name
 * it: a method read it, and keeps it, or gives it to its caller. */
bool sa_member_is_read(const sa_world *world, const sa_fn *fn, const sa_actions *actions,
                       uint32_t index, uint32_t member);

#endif
