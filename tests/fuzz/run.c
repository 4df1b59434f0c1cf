/* libFuzzer's entry; with SA_REPLAY a main() that gives it files and directories of files. */
#include "target.h"

#include "base/fs.h"

#include <stdlib.h>

void sa_fuzz_check(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "property: %s\n", what);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  sa_arena *arena = sa_arena_new();
  sa_diag diag = {.arena = arena};
  char *text = sa_strndup(arena, (const char *)bytes, length);
  sa_fuzz_one(arena, &diag, text, length);
  sa_arena_free(arena);
  return 0;
}

#ifdef SA_REPLAY
static unsigned count;

static bool enter(void *context, const char *path) {
  (void)context;
  (void)path;
  return true;
}

static void replay(void *context, const char *path, bool is_link) {
  enum { LIMIT = 64 << 20 };
  sa_buffer buffer = {0};
  (void)context;
  (void)is_link;
  sa_file_kind kind = sa_fs_read(&buffer, path, LIMIT);
  if (kind == SA_FILE_TEXT || kind == SA_FILE_BINARY) {
    LLVMFuzzerTestOneInput((const uint8_t *)buffer.bytes, buffer.length);
    count++;
  }
  sa_buffer_free(&buffer);
}

static void trouble(void *context, const char *path) {
  (void)context;
  fprintf(stderr, "%s cannot be read\n", path);
  exit(1);
}

int main(int argc, char **argv) {
  sa_arena *arena = sa_arena_new();
  sa_walk walk = {NULL, enter, replay, trouble};
  for (int i = 1; i < argc; i++)
    if (sa_fs_is_directory(argv[i]))
      sa_fs_walk(arena, argv[i], &walk);
    else
      replay(NULL, argv[i], false);
  sa_arena_free(arena);
  printf("%u inputs\n", count);
  return count > 0 ? 0 : 1;
}
#endif
