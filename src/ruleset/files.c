/* Files of rules/, from the program or from a directory. */
#include "base/fs.h"
#include "base/path.h"
#include "ruleset/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 4 << 20 };

static const sa_embedded *find_embedded(const char *path) {
  size_t low = 0, high = sa_embedded_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(path, sa_embedded_files[middle].path);
    if (order == 0) return &sa_embedded_files[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

static const char *read_below(sa_arena *arena, const char *directory, const char *path,
                              size_t *length) {
  sa_buffer buffer = {0};
  const char *text = NULL;
  if (sa_fs_read(&buffer, sa_path_join(arena, directory, path), MAX_FILE) == SA_FILE_TEXT) {
    text = sa_strndup(arena, buffer.bytes, buffer.length);
    if (length != NULL) *length = buffer.length;
  }
  sa_buffer_free(&buffer);
  return text;
}

const char *sa_ruleset_file(sa_arena *arena, const char *directory, const char *path,
                            size_t *length) {
  if (directory != NULL) return read_below(arena, directory, path, length);
  const sa_embedded *file = find_embedded(path);
  if (file == NULL) return NULL;
  if (length != NULL) *length = (size_t)(file->end - file->begin);
  return file->begin;
}

typedef struct {
  sa_arena *arena;
  const char *directory, *prefix;
  SA_ARRAY(const char *) paths;
} listing;

static bool enter_any(void *context, const char *path) {
  (void)context;
  (void)path;
  return true;
}

static void add_path(void *context, const char *path, bool is_link) {
  (void)is_link;
  listing *l = context;
  const char *below = sa_path_inside(l->directory, path);
  if (below != NULL && strncmp(below, l->prefix, strlen(l->prefix)) == 0)
    sa_push(l->arena, &l->paths, below);
}

static void ignore_trouble(void *context, const char *path) {
  (void)context;
  (void)path;
}

static int by_path(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

static void each_below(const char *directory, const char *prefix, sa_ruleset_visit visit,
                       void *context) {
  sa_arena *arena = sa_arena_new();
  listing l = {.arena = arena, .directory = sa_path_clean(arena, directory), .prefix = prefix};
  sa_walk walk = {&l, enter_any, add_path, ignore_trouble};
  sa_fs_walk(arena, l.directory, &walk);
  if (l.paths.n > 0) qsort(l.paths.at, l.paths.n, sizeof *l.paths.at, by_path);
  for (uint32_t i = 0; i < l.paths.n; i++) {
    size_t length = 0;
    const char *text = read_below(arena, l.directory, l.paths.at[i], &length);
    if (text != NULL) visit(context, l.paths.at[i], text, length);
  }
  sa_arena_free(arena);
}

void sa_ruleset_each_file(const char *directory, const char *prefix, sa_ruleset_visit visit,
                          void *context) {
  if (directory != NULL) {
    each_below(directory, prefix, visit, context);
    return;
  }
  size_t length = strlen(prefix);
  for (size_t i = 0; i < sa_embedded_count; i++) {
    const sa_embedded *file = &sa_embedded_files[i];
    if (strncmp(file->path, prefix, length) == 0)
      visit(context, file->path, file->begin, (size_t)(file->end - file->begin));
  }
}
