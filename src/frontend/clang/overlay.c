/* A file system for the hermetic mode in which nothing lies but what libclang is given in memory.
 * So an include whose name only the preprocessor knows opens no file, whoever wrote it. */
#include "frontend/clang/overlay.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char NOTHING[] = "{'version': 0, 'redirecting-with': 'redirect-only', 'roots': []}\n";

/* libclang wants the description as a file, so it is one without a name. */
void open_overlay(sa_clang *clang) {
  clang->overlay_path[0] = '\0';
  clang->overlay = memfd_create("sa-lint-overlay", MFD_CLOEXEC);
  if (clang->overlay < 0) return;
  ssize_t written = write(clang->overlay, NOTHING, strlen(NOTHING));
  char path[sizeof clang->overlay_path];
  snprintf(path, sizeof path, "/proc/self/fd/%d", clang->overlay);
  if (written == (ssize_t)strlen(NOTHING) && access(path, R_OK) == 0)
    memcpy(clang->overlay_path, path, sizeof path);
}

void close_overlay(sa_clang *clang) {
  if (clang->overlay >= 0) close(clang->overlay);
}
