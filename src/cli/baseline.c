#include "cli/baseline.h"

#include "base/fs.h"

#include <errno.h>
#include <string.h>

enum { MOST_BASELINE = 256 << 20 };

sa_status sa_baseline_load(sa_baseline **out, sa_arena *arena, sa_diag *diag, const sa_options *o) {
  const char *path = o->baseline != NULL ? o->baseline : o->write_baseline;
  char *text;
  size_t length;
  *out = NULL;
  if (path == NULL || (o->baseline == NULL && !sa_fs_exists(path))) return SA_OK;
  sa_status status = sa_fs_read_text(&text, &length, arena, diag, path, MOST_BASELINE);
  if (status != SA_OK) return status;
  sa_baseline *baseline = sa_alloc(arena, sizeof *baseline);
  status = sa_baseline_read(baseline, arena, diag, path, text, length);
  if (status == SA_OK) *out = baseline;
  return status;
}

sa_status sa_baseline_store(const sa_baseline *baseline, sa_arena *arena, sa_diag *diag,
                            const char *path) {
  sa_output out;
  sa_status status = sa_output_open(&out, arena, diag, path);
  if (status != SA_OK) return status;
  status = sa_baseline_write(out.file, baseline);
  if (status == SA_OK) return sa_output_commit(&out, diag);
  sa_report(diag, SA_ERROR, path, 0, 0, "cannot write: %s", strerror(errno));
  sa_output_abandon(&out);
  return status;
}
