/* In the run: patches to a diff or to files. */
#include "cli/fix.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"
#include "cli/output.h"
#include "project/read.h"
#include "project/revision.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static sa_status refuse(sa_diag *diag, const char *file, const char *why) {
  sa_report(diag, SA_ERROR, file, 0, 0, "not edited: %s", why);
  return SA_E_IO;
}

/* The file's text, when it is the one that the patch is about. */
static sa_status read_same(char **text, size_t *length, sa_arena *arena, sa_diag *diag,
                           const char *path, const sa_patch *patch) {
  sa_buffer buffer = {0};
  sa_file_kind kind = sa_fs_read(&buffer, path, SA_SOURCE_LIMIT);
  sa_status status = SA_OK;
  if (kind != SA_FILE_TEXT && kind != SA_FILE_BINARY) {
    status = refuse(diag, patch->file, sa_printf(arena, "it %s", sa_file_problem(kind)));
  } else {
    uint64_t hash = sa_hash(buffer.bytes, buffer.length, 0);
    bool same = patch->hash[0] == (uint32_t)hash && patch->hash[1] == (uint32_t)(hash >> 32);
    if (!same) status = refuse(diag, patch->file, "it has changed since it was read");
    *text = sa_strndup(arena, buffer.bytes, buffer.length);
    *length = buffer.length;
  }
  sa_buffer_free(&buffer);
  return status;
}

/* Where the file really lies; only what is inside the root, and may be written, is edited. */
static sa_status resolve(const char **out, sa_arena *arena, sa_diag *diag, const char *root,
                         const char *file) {
  struct stat status;
  const char *path = sa_path_join(arena, root, file), *real = sa_fs_canonical(arena, path);
  const char *real_root = sa_fs_canonical(arena, root);
  if (real == NULL || stat(real, &status) != 0) return refuse(diag, file, strerror(errno));
  if (real_root == NULL || sa_path_inside(real_root, real) == NULL)
    return refuse(diag, file, "it lies outside of the project's root");
  if (!S_ISREG(status.st_mode)) return refuse(diag, file, "it is no regular file");
  if ((status.st_mode & 0222) == 0) return refuse(diag, file, "it is read-only");
  *out = real;
  return SA_OK;
}

sa_status sa_fix_print(sa_arena *arena, sa_diag *diag, const char *root, const sa_result *result) {
  for (uint32_t i = 0; i < result->patches.n; i++) {
    const sa_patch *patch = &result->patches.at[i];
    char *text = NULL;
    size_t length = 0;
    const char *path = sa_path_join(arena, root, patch->file);
    if (read_same(&text, &length, arena, diag, path, patch) != SA_OK) continue;
    const char *diff = sa_fix_diff(arena, patch->file, text, length, &patch->splices);
    fwrite(diff, 1, strlen(diff), stdout);
  }
  return sa_output_flush(diag);
}

static sa_status apply(sa_arena *arena, sa_diag *diag, const char *root, const sa_patch *patch,
                       bool staged) {
  const char *path = NULL;
  char *text = NULL;
  size_t length = 0, edited_length = 0;
  sa_output out;
  sa_status status = resolve(&path, arena, diag, root, patch->file);
  if (status == SA_OK) status = read_same(&text, &length, arena, diag, path, patch);
  if (status != SA_OK) return status;
  char *edited = sa_splices_apply(arena, text, length, &patch->splices, &edited_length);
  if (staged) {
    sa_staged_edit edit = {patch->file, text, edited, length, edited_length};
    status = sa_revision_stage(arena, diag, root, &edit);
    /* What is analysed again is the index as it is now. */
    if (status == SA_OK) sa_fs_pretend(path, edited, edited_length);
    return status;
  }
  status = sa_output_open(&out, arena, diag, path);
  if (status != SA_OK) return status;
  fwrite(edited, 1, edited_length, out.file);
  return sa_output_commit(&out, diag);
}

uint32_t sa_fix_apply(sa_arena *arena, sa_diag *diag, const char *root, const sa_result *result,
                      bool staged) {
  uint32_t written = 0;
  for (uint32_t i = 0; i < result->patches.n; i++)
    written += apply(arena, diag, root, &result->patches.at[i], staged) == SA_OK;
  return written;
}
