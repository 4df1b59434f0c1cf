/* Keys by which findings are known again in another version of the sources. */
#ifndef SA_MODEL_KEY_H
#define SA_MODEL_KEY_H

#include "model/finding.h"

/* Gives every finding without one its key: what it is about (rule, file, function, site; no line),
 * and its number among those about the same, in the order of the file. Findings of one rule on one
 * line that are about the same have one key. */
void sa_keys_give(sa_result *result, sa_arena *arena);

#endif
