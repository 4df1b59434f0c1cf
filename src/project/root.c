#include "project/root.h"

#include "base/fs.h"
#include "base/path.h"

#include <string.h>

const char *sa_project_find_up(sa_arena *arena, const char *from, const char *last,
                               const char *name) {
  for (const char *at = from;; at = sa_path_directory(arena, at)) {
    const char *candidate = sa_path_join(arena, at, name);
    if (sa_fs_exists(candidate)) return candidate;
    if (strcmp(at, last) == 0 || strcmp(at, "/") == 0 || strcmp(at, ".") == 0) return NULL;
  }
}

/* Where the first path lies, when that is not below `cwd`. A link below it does not lead away: the
 * root must not be what somebody's link says. */
static const char *search_from(sa_arena *arena, const char *cwd, const char *const *paths,
                               uint32_t npaths) {
  if (npaths == 0) return cwd;
  const char *named = sa_path_join(arena, cwd, paths[0]);
  if (sa_path_inside(cwd, sa_path_clean(arena, named)) != NULL) return cwd;
  const char *path = sa_fs_canonical(arena, named);
  if (path == NULL || sa_path_inside(cwd, path) != NULL) return cwd;
  return sa_fs_is_directory(path) ? path : sa_path_directory(arena, path);
}

const char *sa_project_root(sa_arena *arena, const char *cwd, const char *const *paths,
                            uint32_t npaths) {
  static const char *const marks[] = {".git", ".sa-lint.yaml"};
  const char *from = search_from(arena, cwd, paths, npaths);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const char *mark = sa_project_find_up(arena, from, "/", marks[i]);
    if (mark != NULL) return sa_path_directory(arena, mark);
  }
  return from;
}
