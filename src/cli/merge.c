#include "cli/driver.h"

int sa_run_merge(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  (void)options;
  (void)arena;
  sa_report(diag, SA_ERROR, NULL, 0, 0, "merge: which reports?");
  return SA_EXIT_USAGE;
}
