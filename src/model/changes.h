/* Which lines of which files a change has touched. */
#ifndef SA_MODEL_CHANGES_H
#define SA_MODEL_CHANGES_H

#include "base/array.h"

#include <stdbool.h>

typedef struct {
  uint32_t first, last; /* lines, from 1 */
} sa_line_range;

typedef struct {
  const char *path;    /* relative to the root, clean */
  const char *spelled; /* as the patch has it, when that differs: "a/x" where `path` is "x" */
  bool whole;          /* every line: the file is new and not in the patch */
  SA_ARRAY(sa_line_range) lines; /* in order */
} sa_changed_file;

typedef struct {
  SA_ARRAY(sa_changed_file) files; /* sorted by path */
} sa_changes;

/* Sorts the files and joins those of one path. */
void sa_changes_sort(sa_changes *changes, sa_arena *arena);

/* NULL when the file is not part of the change. */
const sa_changed_file *sa_changes_find(const sa_changes *changes, const char *path);

/* Whether a line from `first` to `last` (both count) of a file has changed. */
bool sa_changes_touch(const sa_changes *changes, const char *path, uint32_t first, uint32_t last);

#endif
