/* The headers that libclang opened by itself, in native mode: what was in them, and in which places
 * that it tries before there was none. libclang does not say where it found nothing, but it says
 * where it looks: so every name by which a header was found or asked for is put to every directory
 * of the search. */
#include "base/path.h"
#include "frontend/clang/reads.h"
#include "frontend/clang/search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Beyond these a file is not kept: somebody made it so. */
enum { LONGEST_NAME = 1000, MOST_INCLUSIONS = 500000, MOST_PLACES = 3000000 };

/* A name that an #include or a __has_include may look for, and the directory of who asks. */
typedef struct {
  const char *directory, *name;
} question;

typedef struct {
  const char *path;
  CXFile file;
} included;

typedef struct {
  lowering *lo;
  const input *in;
  sa_reads *reads;
  sa_search search;
  SA_ARRAY(included) seen; /* once for every time it was included */
  SA_ARRAY(question) questions;
} inclusions;

/* ---- names ---- */

static void ask_for(inclusions *all, const char *directory, const char *name, size_t length) {
  if (length == 0) return;
  if (length > LONGEST_NAME || memchr(name, '\n', length) != NULL ||
      strchr(directory, '\n') != NULL)
    all->reads->open = true;
  else
    sa_push(all->lo->arena, &all->questions,
            ((question){directory, sa_strndup(all->lo->arena, name, length)}));
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return at;
}

/* Asks for the name between quotes or angles at `at`; false when there is none. */
static bool ask_for_literal(inclusions *all, const char *directory, const char *at,
                            const char *end) {
  if (at >= end || (*at != '"' && *at != '<')) return false;
  const char *line = memchr(at, '\n', (size_t)(end - at));
  if (line != NULL) end = line;
  const char *close = memchr(at + 1, *at == '<' ? '>' : '"', (size_t)(end - at) - 1);
  if (close == NULL) return false;
  ask_for(all, directory, at + 1, (size_t)(close - at) - 1);
  return true;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static bool says_has_include(const char *at, size_t length) {
  static const char wanted[] = "has_include";
  enum { LENGTH = sizeof wanted - 1 };
  for (size_t i = 0; i + LENGTH <= length; i++)
    if (strncasecmp(at + i, wanted, LENGTH) == 0) return true;
  return false;
}

/* Whether the line defines a macro that is a __has_include under another name. */
static bool defines_another(const char *text, const char *at, const char *end) {
  while (at > text && at[-1] != '\n') at--;
  at = skip_blanks(at, end);
  if (at >= end || *at != '#') return false;
  at = skip_blanks(at + 1, end);
  if (end - at < 7 || strncmp(at, "define", 6) != 0) return false;
  const char *name = skip_blanks(at + 6, end);
  size_t length = 0;
  while (name + length < end && is_word(name[length])) length++;
  return says_has_include(name, length);
}

/* One word with "include" in it. What a __has_include asks for must be there to be read. */
static void read_word(inclusions *all, const char *directory, const char *text, const char *end,
                      const char *word, size_t length) {
  const char *after = skip_blanks(word + length, end);
  if (length == 7 || (length == 12 && strncmp(word, "include_next", 12) == 0)) {
    ask_for_literal(all, directory, after, end);
    return;
  }
  if (!says_has_include(word, length) || after >= end || *after != '(') return;
  after = skip_blanks(after + 1, end);
  if (!ask_for_literal(all, directory, after, end) && !defines_another(text, word, end))
    all->reads->open = true;
}

static void read_names(inclusions *all, const char *directory, const char *text, size_t length) {
  if (all->questions.n > MOST_INCLUSIONS) return;
  static const char *const spelled[] = {"include", "INCLUDE"};
  const char *end = text + length;
  for (int i = 0; i < 2; i++)
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), spelled[i], 7)) != NULL;) {
      const char *word = at;
      while (word > text && is_word(word[-1])) word--;
      while (at < end && is_word(*at)) at++;
      read_word(all, directory, text, end, word, (size_t)(at - word));
    }
}

/* ---- files ---- */

static const char *file_name(lowering *lo, CXFile file) {
  if (file == NULL) return NULL;
  CXString text = lo->lib->getFileName(file);
  const char *name = lo->lib->getCString(text), *path = NULL;
  if (name != NULL && name[0] != '\0')
    path = sa_path_join(lo->arena, lo->job->directory != NULL ? lo->job->directory : "/", name);
  lo->lib->disposeString(text);
  return path;
}

static bool in_memory(const input *in, const char *path) {
  for (uint32_t i = 0; i < in->files.n; i++)
    if (strcmp(in->files.at[i].Filename, path) == 0) return true;
  return false;
}

/* The names by which a search would have come to `path`. */
static void ask_for_file(inclusions *all, const char *directory, const char *path) {
  for (uint32_t i = 0; i < all->search.directories.n; i++) {
    const char *base = all->search.directories.at[i];
    size_t length = strlen(base);
    if (strncmp(path, base, length) == 0 && path[length] == '/')
      ask_for(all, directory, path + length + 1, strlen(path + length + 1));
  }
}

static void visit(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
  inclusions *all = data;
  lowering *lo = all->lo;
  CXFile by = NULL;
  const char *path = all->reads->open ? NULL : file_name(lo, file);
  if (path == NULL) return;
  all->reads->open |= all->seen.n >= MOST_INCLUSIONS;
  sa_push(lo->arena, &all->seen, ((included){path, file}));
  if (depth > 0) lo->lib->getSpellingLocation(stack[0], &by, NULL, NULL, NULL);
  const char *includer = file_name(lo, by);
  ask_for_file(all, includer != NULL ? sa_path_directory(lo->arena, includer) : lo->job->directory,
               path);
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const included *)a)->path, ((const included *)b)->path);
}

/* Each file once: its contents, as libclang had them, and the names in it. */
static void note_files(inclusions *all) {
  lowering *lo = all->lo;
  if (all->seen.n > 1) qsort(all->seen.at, all->seen.n, sizeof *all->seen.at, by_path);
  for (uint32_t i = 0; i < all->seen.n; i++) {
    const char *path = all->seen.at[i].path;
    if (i > 0 && strcmp(path, all->seen.at[i - 1].path) == 0) continue;
    size_t length = 0;
    const char *text = lo->lib->getFileContents(lo->tu, all->seen.at[i].file, &length);
    if (text == NULL) {
      all->reads->open = true;
      continue;
    }
    if (!in_memory(all->in, path))
      sa_reads_add(all->reads, SA_READ_HEADER, path, "",
                   sa_hash_keyed(text, length, all->reads->secret));
    read_names(all, sa_path_directory(lo->arena, path), text, length);
  }
}

/* ---- places ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(((const question *)a)->name, ((const question *)b)->name);
}

static int by_directory(const void *a, const void *b) {
  int order = strcmp(((const question *)a)->directory, ((const question *)b)->directory);
  return order != 0 ? order : by_name(a, b);
}

/* The names of the questions, which are sorted, with a newline behind each. */
static const char *list_of(sa_arena *arena, const question *at, uint32_t n) {
  size_t length = 0;
  for (uint32_t i = 0; i < n; i++) length += strlen(at[i].name) + 1;
  char *list = sa_alloc(arena, length + 1), *to = list;
  for (uint32_t i = 0; i < n; i++) {
    if (i > 0 && strcmp(at[i].name, at[i - 1].name) == 0) continue;
    to = stpcpy(stpcpy(to, at[i].name), "\n");
  }
  return list;
}

/* A header that came while libclang was reading may have been seen or not. */
static void note_places(inclusions *all, const char *names, const char *directories,
                        const struct timespec *begun) {
  sa_arena *arena = all->lo->arena;
  struct timespec newest = {0};
  sa_hash128 answer = answer_of_places(arena, all->reads->secret, names, directories, &newest);
  bool later = newest.tv_sec > begun->tv_sec ||
               (newest.tv_sec == begun->tv_sec && newest.tv_nsec > begun->tv_nsec);
  if (later) all->reads->open = true;
  sa_reads_add(all->reads, SA_READ_PLACES, names, directories, answer);
}

static void note_questions(inclusions *all, const struct timespec *begun) {
  sa_arena *arena = all->lo->arena;
  question *at = all->questions.at;
  uint32_t n = all->questions.n;
  all->reads->open |= n > MOST_INCLUSIONS;
  if (n == 0 || all->reads->open) return;
  qsort(at, n, sizeof *at, by_name);
  const char *names = list_of(arena, at, n);
  uint64_t places = 0;
  for (const char *name = names; (name = strchr(name, '\n')) != NULL; name++)
    places += all->search.directories.n;
  all->reads->open |= places > MOST_PLACES;
  if (all->reads->open) return;
  note_places(all, names, all->search.list, begun);
  qsort(at, n, sizeof *at, by_directory);
  for (uint32_t i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && strcmp(at[next].directory, at[i].directory) == 0;) next++;
    note_places(all, list_of(arena, at + i, next - i), sa_printf(arena, "%s\n", at[i].directory),
                begun);
  }
}

void note_inclusions(lowering *lo, sa_reads *reads, const input *in, const struct timespec *begun) {
  inclusions all = {.lo = lo, .in = in, .reads = reads};
  if (reads == NULL || reads->open) return;
  for (uint32_t i = 0; i < in->args.n; i++) reads->open |= strchr(in->args.at[i], '\n') != NULL;
  const char *flags = sa_search_flags(lo->arena, in->args.at, in->args.n);
  if (reads->open || lo->job->directory == NULL ||
      !sa_search_ask(&all.search, lo->lib, lo->arena, flags)) {
    reads->open = true;
    return;
  }
  sa_reads_add(reads, SA_READ_FLAGS, flags, "",
               sa_hash_keyed(all.search.told, strlen(all.search.told), reads->secret));
  lo->lib->getInclusions(lo->tu, visit, &all);
  note_files(&all);
  note_questions(&all, begun);
}
