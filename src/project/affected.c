#include "project/affected.h"

#include "base/fs.h"
#include "base/path.h"
#include "project/scan.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  sa_arena *arena;
  const sa_source_array *sources;
  bool *affected;               /* of each source */
  SA_ARRAY(const char *) fresh; /* paths whose includers were not looked for yet */
  unsigned threads;
} search;

/* Whether `path` ends in the components of the include. */
static bool leads_to(const char *include, size_t length, const char *path) {
  for (size_t dots; (dots = strspn(include, ".")) > 0 && dots < length && dots <= 2;) {
    if (include[dots] != '/') break;
    include += dots + 1;
    length -= dots + 1;
  }
  size_t n = strlen(path);
  if (length == 0 || length > n || memcmp(path + n - length, include, length) != 0) return false;
  return length == n || path[n - length - 1] == '/';
}

static const char *after_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return at;
}

/* The path in an include directive; its length is 0 when the line is none. */
static const char *include_in(const char *at, const char *end, size_t *length) {
  static const char *const words[] = {"include_next", "include", "import"};
  *length = 0;
  at = after_blanks(at, end);
  if (at >= end || *at != '#') return at;
  at = after_blanks(at + 1, end);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(end - at) <= n || memcmp(at, words[i], n) != 0) continue;
    at = after_blanks(at + n, end);
    if (at >= end || (*at != '"' && *at != '<')) return at;
    const char *close = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(end - at - 1));
    if (close != NULL) *length = (size_t)(close - at - 1);
    return at + 1;
  }
  return at;
}

static bool includes_any(const search *s, const char *text, size_t length) {
  const char *end = text + length;
  for (const char *line = text; line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line)),
               *stop = newline != NULL ? newline : end;
    size_t n;
    const char *include = include_in(line, stop, &n);
    for (uint32_t i = 0; n > 0 && i < s->fresh.n; i++)
      if (leads_to(include, n, s->fresh.at[i])) return true;
    line = stop + 1;
  }
  return false;
}

static bool is_compiled(const char *path) {
  const char *language = sa_language_of_name(path);
  static const char *const others[] = {"python", "notebook", "ir"};
  for (size_t i = 0; i < sizeof others / sizeof *others && language != NULL; i++)
    if (strcmp(language, others[i]) == 0) return false;
  return language != NULL;
}

/* What the text of an includer holds at least: the names of the files, without their directories.
 */
static sa_prefilter *filter_of_names(const search *s) {
  SA_ARRAY(const char *) names = {0};
  for (uint32_t i = 0; i < s->fresh.n; i++) sa_push(s->arena, &names, sa_path_name(s->fresh.at[i]));
  return sa_prefilter_new(s->arena, names.at, names.n);
}

/* One step up: sources that include a fresh file are affected, and fresh in the next step. */
static void find_includers(search *s) {
  sa_scan_filter filter = {.words = filter_of_names(s)};
  filter.all = filter.words;
  uint8_t *states = sa_alloc(s->arena, s->sources->n + 1);
  sa_scan(states, s->sources, &filter, s->threads);
  sa_buffer buffer = {0};
  search next = *s;
  next.fresh.at = NULL;
  next.fresh.n = next.fresh.capacity = 0;
  for (uint32_t i = 0; i < s->sources->n; i++) {
    const sa_source *source = &s->sources->at[i];
    if (states[i] != SA_SCAN_HIT || s->affected[i] || !is_compiled(source->path)) continue;
    if (sa_fs_read(&buffer, source->absolute, SA_SCAN_LIMIT) != SA_FILE_TEXT) continue;
    if (!includes_any(s, buffer.bytes, buffer.length)) continue;
    s->affected[i] = true;
    sa_push(s->arena, &next.fresh, source->path);
  }
  sa_buffer_free(&buffer);
  *s = next;
}

bool sa_affected_others(const sa_changes *changes) {
  static const char *const headers[] = {".cuh", ".muh"};
  for (uint32_t i = 0; i < changes->files.n; i++) {
    const char *path = changes->files.at[i].path, *language = sa_language_of_name(path);
    if (language != NULL && strcmp(language, "header") == 0) return true;
    for (size_t j = 0; j < sizeof headers / sizeof *headers; j++)
      if (strcmp(sa_path_extension(path), headers[j]) == 0) return true;
  }
  return false;
}

static int compare_sources(const void *a, const void *b) {
  return strcmp(((const sa_source *)a)->path, ((const sa_source *)b)->path);
}

void sa_affected_keep(sa_source_array *sources, sa_arena *arena, const sa_source_array *project,
                      const sa_changes *changes, unsigned threads) {
  search s = {.arena = arena, .sources = project, .threads = threads};
  s.affected = sa_alloc(arena, project->n + 1);
  for (uint32_t i = 0; i < project->n; i++)
    s.affected[i] = sa_changes_find(changes, project->at[i].path) != NULL;
  for (uint32_t i = 0; i < changes->files.n; i++)
    if (is_compiled(changes->files.at[i].path)) sa_push(arena, &s.fresh, changes->files.at[i].path);
  while (s.fresh.n > 0) find_includers(&s);
  uint32_t n = 0;
  for (uint32_t i = 0; i < sources->n; i++) {
    const sa_source *known = project->n > 0 ? bsearch(&sources->at[i], project->at, project->n,
                                                      sizeof *known, compare_sources)
                                            : NULL;
    bool kept = known != NULL ? s.affected[known - project->at]
                              : sa_changes_find(changes, sources->at[i].path) != NULL;
    if (kept) sources->at[n++] = sources->at[i];
  }
  sources->n = n;
}
