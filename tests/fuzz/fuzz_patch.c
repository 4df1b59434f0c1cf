/* Unified diffs. Lines come in order, and every one of them is found again. */
#include "target.h"

#include "project/patch.h"

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  sa_changes changes = {0};
  sa_status status = sa_patch_read(&changes, arena, diag, "fuzz.patch", text, length);
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
  if (status != SA_OK) return;
  sa_changes_sort(&changes, arena);
  for (uint32_t i = 0; i < changes.files.n; i++) {
    const sa_changed_file *file = &changes.files.at[i];
    sa_fuzz_check(sa_changes_find(&changes, file->path) == file, "every file is found");
    for (uint32_t k = 0; k < file->lines.n; k++) {
      const sa_line_range *range = &file->lines.at[k];
      sa_fuzz_check(range->first > 0 && range->first <= range->last, "lines are a range");
      sa_fuzz_check(sa_changes_touch(&changes, file->path, range->first, range->first),
                    "every line is touched");
    }
  }
}
