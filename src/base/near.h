/* Words that somebody may have meant. */
#ifndef SA_BASE_NEAR_H
#define SA_BASE_NEAR_H

#include <stdint.h>

/* The word of `known` that is nearest to `word`, letter case aside, when it is so near that it may
 * have been meant; else NULL. The first of several that are equally near. */
const char *sa_nearest(const char *word, const char *const *known, uint32_t n);

#endif
