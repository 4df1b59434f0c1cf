#include "frontend/clang/reads.h"

#include "base/path.h"
#include "frontend/clang/internal.h"
#include "frontend/clang/search.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the disk said to a question, for as long as the library is open. */
typedef struct {
  char *question; /* NULL: a free place */
  sa_hash128 answer;
} answer_row;

struct answers {
  sa_arena *arena;
  answer_row *rows;
  uint32_t n, capacity; /* capacity: a power of two */
};

/* ---- answers ---- */

static sa_hash128 answer_of_file(const uint8_t *secret, sa_file_kind kind, const char *bytes,
                                 size_t length) {
  if (kind == SA_FILE_TEXT) return sa_hash_keyed(bytes, length, secret);
  return (sa_hash128){.low = (uint64_t)kind};
}

static sa_hash128 answer_of_text(const uint8_t *secret, const char *text) {
  return text != NULL ? sa_hash_keyed(text, strlen(text), secret) : (sa_hash128){0};
}

sa_file_kind read_project_header(sa_buffer *buffer, const char *root, const char *path) {
  buffer->length = 0;
  if (sa_fs_leads_outside(root, path)) return SA_FILE_SPECIAL;
  return sa_fs_read(buffer, path, MAX_HEADER_BYTES);
}

void note_file(sa_reads *reads, const char *path, sa_file_kind kind, const char *bytes,
               size_t length) {
  if (reads == NULL) return;
  sa_reads_add(reads, SA_READ_FILE, path, "", answer_of_file(reads->secret, kind, bytes, length));
}

void note_existence(sa_reads *reads, const char *path, bool there) {
  sa_reads_add(reads, SA_READ_EXISTS, path, "", (sa_hash128){.low = there});
}

void note_search(sa_reads *reads, const char *spelling, const char *includer, const char *found) {
  if (reads == NULL) return;
  sa_reads_add(reads, SA_READ_SEARCH, spelling, includer, answer_of_text(reads->secret, found));
}

/* One letter a place. A directory is no header. */
static char look(const char *path, struct timespec *newest) {
  struct stat found;
  if (stat(path, &found) != 0 || S_ISDIR(found.st_mode)) return '-';
  bool later = found.st_ctim.tv_sec > newest->tv_sec ||
               (found.st_ctim.tv_sec == newest->tv_sec && found.st_ctim.tv_nsec > newest->tv_nsec);
  if (later) *newest = found.st_ctim;
  return '+';
}

sa_hash128 answer_of_places(sa_arena *arena, const uint8_t *secret, const char *names,
                            const char *directories, struct timespec *newest) {
  SA_ARRAY(char) bits = {0};
  char path[PATH_MAX];
  const char *end;
  *newest = (struct timespec){0};
  for (const char *directory = directories; (end = strchr(directory, '\n')) != NULL;
       directory = end + 1) {
    int base = (int)(end - directory);
    const char *stop;
    for (const char *name = names; (stop = strchr(name, '\n')) != NULL; name = stop + 1) {
      int length = name[0] == '/' ? snprintf(path, sizeof path, "%.*s", (int)(stop - name), name)
                                  : snprintf(path, sizeof path, "%.*s/%.*s", base, directory,
                                             (int)(stop - name), name);
      bool fits = length > 0 && (size_t)length < sizeof path;
      sa_push(arena, &bits, fits ? look(path, newest) : '?');
    }
  }
  return sa_hash_keyed(bits.at, bits.n, secret);
}

/* ---- asking again ---- */

static answer_row *place_of(const struct answers *all, const char *question) {
  uint32_t mask = all->capacity - 1, at = (uint32_t)sa_hash_string(question, 0) & mask;
  while (all->rows[at].question != NULL && strcmp(all->rows[at].question, question) != 0)
    at = (at + 1) & mask;
  return &all->rows[at];
}

static struct answers *answers_of(sa_clang *clang) {
  enum { FIRST_CAPACITY = 1024 };
  if (clang->answers != NULL) return clang->answers;
  struct answers *all = calloc(1, sizeof *all);
  if (all == NULL) sa_out_of_memory();
  all->arena = sa_arena_new();
  all->capacity = FIRST_CAPACITY;
  all->rows = sa_alloc(all->arena, all->capacity * sizeof *all->rows);
  clang->answers = all;
  return all;
}

void forget_answers(sa_clang *clang) {
  if (clang->answers == NULL) return;
  sa_arena_free(clang->answers->arena);
  free(clang->answers);
  clang->answers = NULL;
}

static void keep_answer(struct answers *all, const char *question, sa_hash128 answer) {
  if (all->n * 2 >= all->capacity) {
    struct answers old = *all;
    all->capacity *= 2;
    all->rows = sa_alloc(all->arena, all->capacity * sizeof *all->rows);
    for (uint32_t i = 0; i < old.capacity; i++)
      if (old.rows[i].question != NULL) *place_of(all, old.rows[i].question) = old.rows[i];
  }
  *place_of(all, question) = (answer_row){sa_strdup(all->arena, question), answer};
  all->n++;
}

typedef struct {
  sa_clang *clang;
  sa_arena *arena;
  const char *root;
  const uint8_t *secret;
} asker;

static sa_hash128 ask_file(const asker *a, const char *path) {
  sa_buffer buffer = {0};
  sa_file_kind kind = read_project_header(&buffer, a->root, path);
  sa_hash128 answer = answer_of_file(a->secret, kind, buffer.bytes, buffer.length);
  sa_buffer_free(&buffer);
  return answer;
}

static sa_hash128 ask_header(const asker *a, const char *path) {
  enum { LARGEST = 256 << 20 };
  sa_buffer buffer = {0};
  sa_file_kind kind = sa_fs_read(&buffer, path, LARGEST);
  bool read = kind == SA_FILE_TEXT || kind == SA_FILE_BINARY;
  sa_hash128 answer = read ? sa_hash_keyed(buffer.bytes, buffer.length, a->secret)
                           : (sa_hash128){.low = (uint64_t)kind};
  sa_buffer_free(&buffer);
  return answer;
}

static sa_hash128 ask_flags(const asker *a, const char *flags) {
  sa_search search;
  bool known = sa_search_ask(&search, a->clang, a->arena, flags);
  return answer_of_text(a->secret, known ? search.told : NULL);
}

static sa_hash128 ask(const asker *a, const sa_read *row) {
  struct timespec newest;
  switch (row->kind) {
  case SA_READ_FILE:
    return ask_file(a, row->name);
  case SA_READ_EXISTS:
    return (sa_hash128){.low = sa_fs_exists(row->name)};
  case SA_READ_PLACES:
    return answer_of_places(a->arena, a->secret, row->name, row->where, &newest);
  case SA_READ_HEADER:
    return ask_header(a, row->name);
  case SA_READ_FLAGS:
    return ask_flags(a, row->name);
  default:
    return answer_of_text(a->secret,
                          find_header(a->clang, a->arena, a->root, row->name, row->where));
  }
}

static sa_hash128 answer_to(const asker *a, const sa_read *row) {
  struct answers *all = answers_of(a->clang);
  const char *question =
      sa_printf(a->arena, "%c%s\n%s", "FESPHG"[row->kind], row -> name, row -> where);
  const answer_row *known = place_of(all, question);
  if (known->question != NULL) return known->answer;
  sa_hash128 answer = ask(a, row);
  keep_answer(all, question, answer);
  return answer;
}

void sa_clang_watch(sa_clang *clang, sa_reads *reads) {
  clang->reads = reads;
}

bool sa_clang_unchanged(sa_clang *clang, const char *root, const sa_reads *reads) {
  asker a = {clang, sa_arena_new(), root, reads->secret};
  bool same = !reads->open;
  for (uint32_t i = 0; i < reads->rows.n && same; i++) {
    const sa_read *row = &reads->rows.at[i];
    if (row->kind == SA_READ_MODULE) continue;
    same = sa_hash_same(answer_to(&a, row), row->answer);
  }
  sa_arena_free(a.arena);
  return same;
}
