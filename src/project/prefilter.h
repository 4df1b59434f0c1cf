/* A text search that decides, before any parse, whether a file can hold anything of interest. */
#ifndef SA_PROJECT_PREFILTER_H
#define SA_PROJECT_PREFILTER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sa_prefilter sa_prefilter;

/* For `n` words of two bytes or more (shorter ones make every text interesting). The words must
 * outlive it. */
sa_prefilter *sa_prefilter_new(sa_arena *arena, const char *const *words, uint32_t n);

/* Whether any word stands anywhere in the text. The time is far below one step a byte: the search
 * leaps by up to the length of the shortest word. */
bool sa_prefilter_hits(const sa_prefilter *filter, const char *text, size_t length);

#endif
