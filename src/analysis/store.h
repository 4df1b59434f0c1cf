/* Stores: who has the object, and what they say of the block that it held before. */
#ifndef SA_ANALYSIS_STORE_H
#define SA_ANALYSIS_STORE_H

#include "analysis/sync.h"

/* The local that owns the object in `reg`, so that what is put into it goes with that local; 0:
 * none does. `out` has the owners and the actions before the store. */
sa_reg sa_store_owner(const sa_world *world, const sa_fn *fn, const sa_actions *out, sa_reg reg,
                      sa_val object);

/* `x.data = block`: what the statement of action `index` lets go of is not what it puts there. */
bool sa_store_follows(sa_sync *sync, uint32_t index, sa_val block);
/* Whether the store may let go of the block that an object of somebody else's was given before. */
bool sa_store_empties(sa_sync *sync, uint32_t index, sa_val block);

#endif
