/* Keeps the directory within its size. */
#include "base/array.h"
#include "cache/cache.h"
#include "cache/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LEFT_BEHIND = 3600 /* seconds; no run writes one entry for that long */ };

typedef struct {
  const char *name;
  unsigned folder;
  int64_t used; /* nanoseconds */
  uint64_t size;
} entry;

typedef struct {
  sa_arena *arena;
  SA_ARRAY(entry) entries;
  uint64_t total;
  time_t now;
} inventory;

static bool is_temporary(const char *name) {
  return strncmp(name, SA_CACHE_TEMPORARY, strlen(SA_CACHE_TEMPORARY)) == 0;
}

static void take(inventory *all, int folder, unsigned number, const char *name) {
  struct stat status;
  if (name[0] == '.' || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (is_temporary(name)) {
    if (all->now - status.st_mtime > LEFT_BEHIND) unlinkat(folder, name, 0);
    return;
  }
  int64_t used = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  uint64_t size = (uint64_t)status.st_blocks * 512;
  sa_push(all->arena, &all->entries, ((entry){sa_strdup(all->arena, name), number, used, size}));
  all->total += size;
}

static void take_folder(inventory *all, const sa_cache *cache, unsigned number) {
  int folder = sa_cache_folder(cache, number, false);
  if (folder < 0) return;
  DIR *listing = fdopendir(folder);
  if (listing == NULL) {
    close(folder);
    return;
  }
  for (struct dirent *next; (next = readdir(listing)) != NULL;)
    take(all, folder, number, next->d_name);
  closedir(listing);
}

static int oldest_first(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->used != y->used) return x->used < y->used ? -1 : 1;
  return strcmp(x->name, y->name);
}

static void remove_entry(const sa_cache *cache, const entry *e) {
  int folder = sa_cache_folder(cache, e->folder, false);
  if (folder < 0) return;
  unlinkat(folder, e->name, 0);
  close(folder);
}

void sa_cache_sweep(const sa_cache *cache, uint64_t limit) {
  inventory all = {.arena = sa_arena_new(), .now = time(NULL)};
  for (unsigned i = 0; i < SA_CACHE_FOLDERS; i++) take_folder(&all, cache, i);
  if (all.total > limit) {
    /* More than is needed, so that not every run has to. */
    uint64_t target = limit - limit / 4;
    qsort(all.entries.at, all.entries.n, sizeof *all.entries.at, oldest_first);
    for (uint32_t i = 0; i < all.entries.n && all.total > target; i++) {
      remove_entry(cache, &all.entries.at[i]);
      all.total -= all.entries.at[i].size;
    }
  }
  sa_arena_free(all.arena);
}
