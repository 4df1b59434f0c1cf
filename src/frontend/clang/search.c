#include "frontend/clang/search.h"

#include "base/fs.h"
#include "base/path.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char WORKING[] = "-working-directory=";

const char *sa_search_flags(sa_arena *arena, const char *const *args, uint32_t n) {
  static const char *const with_file[] = {"-include", "--include", "-imacros"};
  size_t length = 0;
  for (uint32_t i = 0; i < n; i++) length += strlen(args[i]) + 1;
  char *flags = sa_alloc(arena, length + 1), *to = flags;
  for (uint32_t i = 0; i < n; i++) {
    bool file = false;
    for (size_t k = 0; k < sizeof with_file / sizeof *with_file; k++)
      file |= strcmp(args[i], with_file[k]) == 0;
    if (file)
      i++;
    else
      to = stpcpy(stpcpy(to, args[i]), "\n");
  }
  return flags;
}

typedef SA_ARRAY(const char *) words;

static words split(sa_arena *arena, const char *flags) {
  words list = {0};
  for (const char *end; (end = strchr(flags, '\n')) != NULL; flags = end + 1)
    sa_push(arena, &list, sa_strndup(arena, flags, (size_t)(end - flags)));
  return list;
}

static void parse_nothing(const sa_clang *clang, const words *args) {
  struct CXUnsavedFile empty = {.Filename = "/sa-empty/empty.c", .Contents = "\n", .Length = 1};
  CXIndex index = clang->createIndex(0, 0);
  CXTranslationUnit tu = NULL;
  if (clang->parseTranslationUnit2(index, empty.Filename, args->at, (int)args->n, &empty, 1,
                                   CXTranslationUnit_None, &tu) == CXError_Success &&
      tu != NULL)
    clang->disposeTranslationUnit(tu);
  clang->disposeIndex(index);
}

/* What is written to standard error meanwhile; NULL when the system does not let us look. */
static const char *overhear(const sa_clang *clang, sa_arena *arena, const words *args) {
  enum { LONGEST = 1 << 20 };
  sa_buffer buffer = {0};
  const char *text = NULL;
  int paper = memfd_create("sa-lint", MFD_CLOEXEC), saved = dup(STDERR_FILENO);
  if (paper < 0 || saved < 0 || dup2(paper, STDERR_FILENO) < 0) goto done;
  parse_nothing(clang, args);
  dup2(saved, STDERR_FILENO);
  if (lseek(paper, 0, SEEK_SET) != 0) goto done;
  sa_file_kind kind = sa_fs_read_stream(&buffer, paper, LONGEST);
  if (kind == SA_FILE_TEXT) text = sa_strndup(arena, buffer.bytes, buffer.length);
done:
  if (paper >= 0) close(paper);
  if (saved >= 0) close(saved);
  sa_buffer_free(&buffer);
  return text;
}

static const char *working_directory(const words *args) {
  for (uint32_t i = args->n; i-- > 0;)
    if (strncmp(args->at[i], WORKING, sizeof WORKING - 1) == 0)
      return args->at[i] + sizeof WORKING - 1;
  return "/";
}

/* A directory stands alone on its line, behind one blank; what is none has a word behind it. */
static bool read_directories(sa_search *out, sa_arena *arena, const char *base) {
  static const char begin[] = "#include \"...\" search starts here:\n";
  const char *at = strstr(out->told, begin), *end = strstr(out->told, "End of search list.\n");
  size_t room = 1;
  if (at == NULL || end == NULL || end < at) return false;
  for (at += sizeof begin - 1; at < end;) {
    size_t length = strcspn(at, "\n");
    if (*at == ' ') {
      const char *name = sa_strndup(arena, at + 1, length - 1);
      if (name[0] == '\0' || name[length - 2] == ')') return false;
      const char *path = sa_path_join(arena, base, name);
      sa_push(arena, &out->directories, path);
      room += strlen(path) + 1;
    }
    at += length + 1;
  }
  char *list = sa_alloc(arena, room), *to = list;
  for (uint32_t i = 0; i < out->directories.n; i++)
    to = stpcpy(stpcpy(to, out->directories.at[i]), "\n");
  out->list = list;
  return true;
}

bool sa_search_ask(sa_search *out, const sa_clang *clang, sa_arena *arena, const char *flags) {
  *out = (sa_search){0};
  words args = split(arena, flags);
  sa_push(arena, &args, "-v");
  out->told = overhear(clang, arena, &args);
  return out->told != NULL && read_directories(out, arena, working_directory(&args));
}
