#include "model/changes.h"

#include <stdlib.h>
#include <string.h>

static int compare_files(const void *a, const void *b) {
  return strcmp(((const sa_changed_file *)a)->path, ((const sa_changed_file *)b)->path);
}

static int compare_ranges(const void *left, const void *right) {
  const sa_line_range *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return (a->last > b->last) - (a->last < b->last);
}

void sa_changes_sort(sa_changes *changes, sa_arena *arena) {
  uint32_t n = 0;
  if (changes->files.n > 1)
    qsort(changes->files.at, changes->files.n, sizeof *changes->files.at, compare_files);
  for (uint32_t i = 0; i < changes->files.n; i++) {
    sa_changed_file *file = &changes->files.at[i];
    sa_changed_file *before = n > 0 ? &changes->files.at[n - 1] : NULL;
    if (before == NULL || strcmp(before->path, file->path) != 0) {
      changes->files.at[n++] = *file;
      continue;
    }
    before->whole |= file->whole;
    for (uint32_t j = 0; j < file->lines.n; j++) sa_push(arena, &before->lines, file->lines.at[j]);
  }
  changes->files.n = n;
  for (uint32_t i = 0; i < n; i++) {
    sa_changed_file *file = &changes->files.at[i];
    if (file->lines.n > 1)
      qsort(file->lines.at, file->lines.n, sizeof *file->lines.at, compare_ranges);
  }
}

const sa_changed_file *sa_changes_find(const sa_changes *changes, const char *path) {
  sa_changed_file key = {.path = path};
  if (changes->files.n == 0 || path == NULL) return NULL;
  return bsearch(&key, changes->files.at, changes->files.n, sizeof key, compare_files);
}

bool sa_changes_touch(const sa_changes *changes, const char *path, uint32_t first, uint32_t last) {
  const sa_changed_file *file = sa_changes_find(changes, path);
  if (file == NULL || first == 0) return false;
  if (last < first) last = first;
  for (uint32_t i = 0; i < file->lines.n; i++)
    if (file->lines.at[i].first <= last && first <= file->lines.at[i].last) return true;
  return file->whole;
}
