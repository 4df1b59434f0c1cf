#include "report/lines.h"

#include <string.h>

enum { CACHED_FILES = 8, MAX_FILE_BYTES = 1 << 28 };

struct sa_lines {
  sa_arena *arena; /* holds this struct; every file has its own */
  const char *root;
  sa_file_lines files[CACHED_FILES];
  uint32_t next; /* the slot that is given up next */
};

sa_lines *sa_lines_new(const char *root) {
  sa_arena *arena = sa_arena_new();
  sa_lines *lines = sa_alloc(arena, sizeof *lines);
  lines->arena = arena;
  lines->root = root;
  return lines;
}

static void drop(sa_file_lines *file) {
  sa_buffer_free(&file->buffer);
  if (file->arena != NULL) sa_arena_free(file->arena);
}

void sa_lines_free(sa_lines *lines) {
  if (lines == NULL) return;
  for (int i = 0; i < CACHED_FILES; i++) drop(&lines->files[i]);
  sa_arena_free(lines->arena);
}

static void read_text(sa_file_lines *file, const char *root) {
  bool rooted = root != NULL && root[0] != '\0';
  bool below = rooted && file->name[0] != '/';
  const char *path = below ? sa_printf(file->arena, "%s/%s", root, file->name) : file->name;
  if (rooted && sa_fs_leads_outside(root, path)) return;
  sa_file_kind kind = sa_fs_read(&file->buffer, path, MAX_FILE_BYTES);
  if (kind != SA_FILE_TEXT && kind != SA_FILE_BINARY) return;
  file->text = file->buffer.bytes;
  file->length = file->buffer.length;
}

static void find_lines(sa_file_lines *file) {
  SA_ARRAY(uint32_t) starts = {0};
  sa_push(file->arena, &starts, 0);
  for (size_t i = 0; i < file->length; i++) {
    char c = file->text[i];
    bool ends = c == '\n' || (c == '\r' && file->text[i + 1] != '\n');
    if (ends) sa_push(file->arena, &starts, (uint32_t)(i + 1));
  }
  file->nlines = starts.n;
  sa_push(file->arena, &starts, (uint32_t)file->length);
  file->starts = starts.at;
}

sa_file_lines *sa_lines_of(sa_lines *lines, const char *name) {
  for (int i = 0; i < CACHED_FILES; i++)
    if (lines->files[i].arena != NULL && strcmp(lines->files[i].name, name) == 0)
      return &lines->files[i];
  sa_file_lines *file = &lines->files[lines->next];
  lines->next = (lines->next + 1) % CACHED_FILES;
  drop(file);
  *file = (sa_file_lines){.arena = sa_arena_new()};
  file->name = sa_strdup(file->arena, name);
  read_text(file, lines->root);
  if (file->text != NULL) find_lines(file);
  return file;
}

sa_line sa_lines_get(const sa_file_lines *file, uint32_t number) {
  if (file->text == NULL || number == 0 || number > file->nlines) return (sa_line){0};
  sa_line line = {file->text + file->starts[number - 1],
                  file->starts[number] - file->starts[number - 1]};
  while (line.length > 0 && (line.at[line.length - 1] == '\n' || line.at[line.length - 1] == '\r'))
    line.length--;
  return line;
}

uint32_t sa_lines_utf16_column(sa_line line, uint32_t column) {
  size_t end = column == 0 ? 0 : column - 1;
  if (end > line.length) end = line.length;
  uint32_t units = 1, code = 0;
  for (size_t i = 0; i < end;) {
    size_t step = sa_utf8_next(line.at + i, line.length - i, &code);
    i += step;
    units += code >= 0x10000 ? 2 : 1;
  }
  return units;
}
