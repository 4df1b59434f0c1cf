#include "cli/change.h"

#include "base/fs.h"
#include "base/path.h"
#include "project/patch.h"
#include "project/read.h"
#include "project/revision.h"

#include <string.h>
#include <unistd.h>

enum { MOST_PATCH = 1 << 30 };

/* All of standard input, in `arena`. */
static sa_status read_input(char **out, size_t *length, sa_arena *arena, sa_diag *diag,
                            size_t limit) {
  sa_buffer buffer = {0};
  sa_file_kind kind = sa_fs_read_stream(&buffer, STDIN_FILENO, limit);
  sa_status status = kind <= SA_FILE_BINARY ? SA_OK : SA_E_USAGE;
  if (status == SA_OK) {
    *out = sa_strndup(arena, buffer.bytes, buffer.length);
    *length = buffer.length;
  } else {
    sa_report(diag, SA_ERROR, NULL, 0, 0, "standard input %s", sa_file_problem(kind));
  }
  sa_buffer_free(&buffer);
  return status;
}

/* A directory may really be named "a" or "b". */
static void settle_prefixes(sa_changes *changes, sa_arena *arena, const char *root) {
  for (uint32_t i = 0; i < changes->files.n; i++) {
    sa_changed_file *file = &changes->files.at[i];
    if (file->spelled == NULL || sa_fs_exists(sa_path_join(arena, root, file->path))) continue;
    if (sa_fs_exists(sa_path_join(arena, root, file->spelled))) file->path = file->spelled;
  }
  sa_changes_sort(changes, arena);
}

static sa_status read_patch(sa_changes *out, sa_arena *arena, sa_diag *diag, const char *path,
                            const char *root) {
  char *text = NULL;
  size_t length = 0;
  bool input = strcmp(path, "-") == 0;
  sa_status status = input ? read_input(&text, &length, arena, diag, MOST_PATCH)
                           : sa_fs_read_text(&text, &length, arena, diag, path, MOST_PATCH);
  if (status == SA_OK)
    status = sa_patch_read(out, arena, diag, input ? "standard input" : path, text, length);
  if (status == SA_OK) settle_prefixes(out, arena, root);
  return status;
}

static sa_status use_input(sa_arena *arena, sa_diag *diag, const char *name) {
  char *text = NULL;
  size_t length = 0;
  sa_status status = read_input(&text, &length, arena, diag, SA_SOURCE_LIMIT);
  if (status != SA_OK) return status;
  const char *path =
      sa_path_clean(arena, sa_path_join(arena, sa_fs_working_directory(arena), name));
  const char *real = sa_fs_canonical(arena, path);
  sa_fs_pretend(real != NULL ? real : path, text, length);
  return SA_OK;
}

static sa_status read_change(sa_changes *out, sa_arena *arena, sa_diag *diag, const sa_options *o,
                             const char *root) {
  if (o->diff_base != NULL) return sa_revision_changes(out, arena, diag, root, o->diff_base);
  if (o->patch != NULL) return read_patch(out, arena, diag, o->patch, root);
  sa_status status = sa_revision_staged(out, arena, diag, root);
  return status == SA_OK ? sa_revision_use_index(arena, diag, root) : status;
}

sa_status sa_change_load(const sa_changes **out, sa_arena *arena, sa_diag *diag,
                         const sa_options *o, const char *root) {
  sa_status status = SA_OK;
  *out = NULL;
  if (o->stdin_name != NULL) status = use_input(arena, diag, o->stdin_name);
  if (status != SA_OK || (o->diff_base == NULL && o->patch == NULL && !o->staged)) return status;
  sa_changes *changes = sa_alloc(arena, sizeof *changes);
  status = read_change(changes, arena, diag, o, root);
  if (status == SA_OK) *out = changes;
  return status;
}
