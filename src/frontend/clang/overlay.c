/* A file system for the hermetic mode in which nothing lies but what libclang is given in memory.
 * So an include whose name only the preprocessor knows opens no file, whoever wrote it. */
#include "frontend/clang/overlay.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char NOTHING[] = "{'version': 0, 'redirecting-with': 'redirect-only', 'roots': []}\n";

/* Where a standard stream is closed, its number must stay free: nobody's output belongs in here. */
static int above_standard_streams(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(fd);
  return moved;
}

/* libclang wants the description as a file, so it is one without a name. */
void open_overlay(sa_clang *clang) {
  clang->overlay_path[0] = '\0';
  clang->overlay = above_standard_streams(memfd_create("sa-lint-overlay", MFD_CLOEXEC));
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
