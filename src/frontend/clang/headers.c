/* The headers of a project by name, for includes that nothing else resolves. The list is made at
 * the first such include: many files need none. */
#include "base/fs.h"
#include "base/path.h"
#include "frontend/clang/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_INDEXED_HEADERS = 60 * 1000, /* of one project */
  MAX_DIRECTORIES = 40 * 1000 /* looked into; the rest of a project beyond that stays unknown */
};

typedef struct {
  const char *path; /* absolute */
  const char *name; /* last component */
} header_entry;

struct header_index {
  sa_arena *arena;
  const char *root;
  SA_ARRAY(header_entry) entries; /* sorted by name, then path */
  uint32_t directories;
};

/* Build directories hold copies and generated files of another state of the sources. */
static bool is_build_directory(sa_arena *arena, const char *path) {
  static const char *const marks[] = {"CMakeCache.txt", "build.ninja", "CACHEDIR.TAG"};
  const char *name = sa_path_name(path);
  if (strstr(name, "build") == NULL && strcmp(name, "out") != 0 && strcmp(name, "target") != 0)
    return false;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (sa_fs_exists(sa_path_join(arena, path, marks[i]))) return true;
  return false;
}

/* Hidden directories are version control's, editors' and caches'. */
static bool enter_directory(void *context, const char *path) {
  struct header_index *index = context;
  const char *name = sa_path_name(path);
  if (name[0] == '.' || strcmp(name, "node_modules") == 0 || strcmp(name, "__pycache__") == 0)
    return false;
  if (index->entries.n >= MAX_INDEXED_HEADERS || index->directories++ >= MAX_DIRECTORIES)
    return false;
  return !is_build_directory(index->arena, path);
}

static void add_header(void *context, const char *path, bool is_link) {
  struct header_index *index = context;
  static const char *const extensions[] = {".h",   ".hpp", ".hh",  ".hxx", ".cuh", ".inl",
                                           ".inc", ".ipp", ".tpp", ".muh", ".hip"};
  const char *extension = sa_path_extension(path);
  (void)is_link;
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(extension, extensions[i]) == 0) {
      sa_push(index->arena, &index->entries, ((header_entry){path, sa_path_name(path)}));
      return;
    }
}

/* What cannot be read has no headers to offer; the selection of sources has told the user. */
static void pass_over(void *context, const char *path) {
  (void)context;
  (void)path;
}

static int compare_headers(const void *a, const void *b) {
  const header_entry *x = a, *y = b;
  int c = strcmp(x->name, y->name);
  return c != 0 ? c : strcmp(x->path, y->path);
}

void forget_headers(sa_clang *clang) {
  if (clang->headers == NULL) return;
  sa_arena_free(clang->headers->arena);
  free(clang->headers);
  clang->headers = NULL;
}

static const struct header_index *headers_of(sa_clang *clang, const char *root) {
  if (clang->headers != NULL && strcmp(clang->headers->root, root) == 0) return clang->headers;
  forget_headers(clang);
  struct header_index *index = calloc(1, sizeof *index);
  if (index == NULL) sa_out_of_memory();
  index->arena = sa_arena_new();
  index->root = sa_strdup(index->arena, root);
  sa_walk walk = {
      .context = index, .enter = enter_directory, .file = add_header, .trouble = pass_over};
  sa_fs_walk(index->arena, root, &walk);
  if (index->entries.n > 0)
    qsort(index->entries.at, index->entries.n, sizeof *index->entries.at, compare_headers);
  clang->headers = index;
  return index;
}

static bool ends_with_path(const char *path, const char *spelling) {
  size_t n = strlen(path), m = strlen(spelling);
  return n > m && path[n - m - 1] == '/' && strcmp(path + n - m, spelling) == 0;
}

static size_t common_prefix(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] != '\0' && a[n] == b[n]) n++;
  return n;
}

const char *find_header(sa_clang *clang, sa_arena *arena, const char *root, const char *spelling,
                        const char *includer) {
  const struct header_index *index = headers_of(clang, root);
  spelling = sa_path_clean(arena, spelling);
  while (strncmp(spelling, "../", 3) == 0) spelling += 3;
  const char *name = sa_path_name(spelling), *best = NULL;
  size_t low = 0, high = index->entries.n, best_near = 0;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (strcmp(index->entries.at[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < index->entries.n && strcmp(index->entries.at[low].name, name) == 0; low++) {
    const char *path = index->entries.at[low].path;
    if (!ends_with_path(path, spelling)) continue;
    size_t near = common_prefix(path, includer);
    if (best == NULL || near > best_near || (near == best_near && strlen(path) < strlen(best))) {
      best = path;
      best_near = near;
    }
  }
  return best;
}
