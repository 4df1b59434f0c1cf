/* What the files of this folder share. */
#ifndef SA_CACHE_INTERNAL_H
#define SA_CACHE_INTERNAL_H

#include "base/hash.h"

#define SA_CACHE_TEMPORARY "tmp-"

struct sa_cache {
  int directory;
  uint8_t secret[SA_HASH_SECRET];
};

enum { SA_CACHE_FOLDERS = 256 };

/* The folder for keys that end in `number`; -1 when it is not there. */
int sa_cache_folder(const struct sa_cache *cache, unsigned number, bool make);

#endif
