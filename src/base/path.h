/* Paths as text, with forward slashes. Nothing here touches the disk. Results live in `arena`. */
#ifndef SA_BASE_PATH_H
#define SA_BASE_PATH_H

#include "base/arena.h"

#include <stdbool.h>

/* `path` below `directory`; `path` itself when it is absolute or `directory` is "" or ".". */
char *sa_path_join(sa_arena *arena, const char *directory, const char *path);

/* Without ".", "..", doubled and trailing slashes, as text: "a/./b//../c/" is "a/c". A ".." that
 * has nothing to cancel stays; the empty path becomes ".". */
char *sa_path_clean(sa_arena *arena, const char *path);

/* Everything before the last slash: "a/b" for "a/b/c", "." for "c", "/" for "/c". */
char *sa_path_directory(sa_arena *arena, const char *path);

/* The last component; points into `path`. */
const char *sa_path_name(const char *path);

/* From the last dot of the last component on (".cpp"), or ""; points into `path`. A name that
 * starts with its only dot has no extension. */
const char *sa_path_extension(const char *path);

/* The rest of `path` below `root` when it lies inside ("." for the root itself), else NULL; points
 * into `path`. Both are clean and absolute, or both relative to one place. */
const char *sa_path_inside(const char *root, const char *path);

/* Whether `path` matches a glob: `*` and `?` stay within one component, `**` spans components,
 * `[a-z]` and `[!a-z]` are sets, a backslash takes the next character literally. A pattern without
 * a slash matches any component of the path, one that ends in a slash (or names a directory)
 * matches everything below. Takes time proportional to the product of both lengths. */
bool sa_path_matches(const char *pattern, const char *path);

#endif
