#include "project/configs.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"

#include <string.h>

enum { BUCKETS = 1024 };

typedef struct directory {
  const char *path;
  const sa_config *own;           /* its own configuration, or NULL */
  const sa_config *nearest;       /* that or the one of a directory above */
  const struct directory *parent; /* NULL: it is the root, or lies outside */
  struct directory *next;         /* in the bucket */
} directory;

struct sa_configs {
  sa_arena *arena;
  sa_diag *diag;
  const char *root;
  const sa_config *forced;
  bool search, failed;
  directory *buckets[BUCKETS];
};

sa_configs *sa_configs_new(sa_arena *arena, sa_diag *diag, const char *root,
                           const sa_config *forced, bool search) {
  sa_configs *c = sa_alloc(arena, sizeof *c);
  c->arena = arena;
  c->diag = diag;
  c->root = root;
  c->forced = forced;
  c->search = search && forced == NULL;
  return c;
}

/* A link could lead to any file, and messages about it show pieces of it. */
static bool stays_inside(sa_configs *c, const char *path) {
  const char *real = sa_fs_canonical(c->arena, path);
  const char *root = sa_fs_canonical(c->arena, c->root);
  if (real == NULL || sa_path_inside(root != NULL ? root : c->root, real) != NULL) return true;
  sa_report(c->diag, SA_ERROR, sa_path_inside(c->root, path), 0, 0,
            "the configuration is a link that leads out of the project");
  return false;
}

static const sa_config *load(sa_configs *c, const char *path) {
  sa_config *config = NULL;
  const char *name = sa_path_join(c->arena, path, SA_CONFIG_NAME);
  if (!sa_fs_exists(name)) return NULL;
  if (!stays_inside(c, name) || sa_config_load(&config, c->arena, c->diag, name, c->root) != SA_OK)
    c->failed = true;
  return config;
}

static const directory *directory_of(sa_configs *c, const char *path) {
  if (sa_path_inside(c->root, path) == NULL) path = c->root;
  directory **bucket = &c->buckets[sa_hash_string(path, 0) % BUCKETS];
  for (directory *d = *bucket; d != NULL; d = d->next)
    if (strcmp(d->path, path) == 0) return d;
  directory *d = sa_alloc(c->arena, sizeof *d);
  d->path = sa_strdup(c->arena, path);
  if (strcmp(path, c->root) != 0) d->parent = directory_of(c, sa_path_directory(c->arena, path));
  d->own = load(c, path);
  d->nearest = d->own != NULL ? d->own : d->parent != NULL ? d->parent->nearest : NULL;
  d->next = *bucket;
  *bucket = d;
  return d;
}

const sa_config *sa_configs_of_directory(sa_configs *c, const char *path) {
  return c->search ? directory_of(c, path)->nearest : c->forced;
}

const sa_config *sa_configs_of_file(sa_configs *c, const char *file) {
  return sa_configs_of_directory(c, sa_path_directory(c->arena, file));
}

static bool excludes(const sa_config *config, const char *absolute) {
  const char *path = config != NULL ? sa_path_inside(config->directory, absolute) : NULL;
  for (uint32_t i = 0; path != NULL && i < config->exclude.n; i++)
    if (sa_path_matches(config->exclude.at[i], path)) return true;
  return false;
}

bool sa_configs_exclude(sa_configs *c, const char *absolute) {
  if (!c->search) return excludes(c->forced, absolute);
  if (strcmp(absolute, c->root) == 0) return false;
  for (const directory *d = directory_of(c, sa_path_directory(c->arena, absolute)); d != NULL;
       d = d->parent)
    if (excludes(d->own, absolute)) return true;
  return false;
}

bool sa_configs_failed(const sa_configs *c) {
  return c->failed;
}
