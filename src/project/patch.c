#include "project/patch.h"

#include "base/path.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 1 << 30 };

typedef struct {
  const char *at, *end; /* without the line's end */
} piece;

typedef struct {
  sa_changes *out;
  sa_arena *arena;
  sa_diag *diag;
  const char *name;
  const char *next, *end; /* what was not read yet */
  unsigned line;          /* of the piece that was read last */
  const char *old_path;   /* of the file header that was read last; NULL: none */
  sa_changed_file *file;  /* that hunks belong to; NULL: none, or one that is deleted */
  bool in_file;           /* a file header was read */
} reader;

static sa_status wrong(reader *r, const char *what) {
  sa_report(r->diag, SA_ERROR, r->name, r->line, 0, "not a patch that can be read: %s", what);
  return SA_E_SYNTAX;
}

static bool next_line(reader *r, piece *line) {
  if (r->next >= r->end) return false;
  const char *newline = memchr(r->next, '\n', (size_t)(r->end - r->next));
  *line = (piece){r->next, newline != NULL ? newline : r->end};
  r->next = newline != NULL ? newline + 1 : r->end;
  r->line++;
  return true;
}

static bool begins(piece p, const char *word) {
  size_t n = strlen(word);
  return (size_t)(p.end - p.at) >= n && memcmp(p.at, word, n) == 0;
}

/* ---- names ---- */

static char unescaped(char c) {
  static const char from[] = "abtnvfr", to[] = "\a\b\t\n\v\f\r";
  const char *found = c != '\0' ? strchr(from, c) : NULL;
  return found != NULL ? to[found - from] : c;
}

/* A name in quotes, with the escapes that git writes; NULL when it does not end. */
static char *unquoted(sa_arena *arena, piece p) {
  SA_ARRAY(char) out = {0};
  for (p.at++; p.at < p.end && *p.at != '"'; p.at++) {
    char c = *p.at;
    if (c == '\\') {
      if (++p.at >= p.end) return NULL;
      c = unescaped(*p.at);
      bool octal = p.end - p.at >= 3 && *p.at >= '0' && *p.at <= '3' && p.at[1] >= '0' &&
                   p.at[1] <= '7' && p.at[2] >= '0' && p.at[2] <= '7';
      if (octal) {
        c = (char)((p.at[0] - '0') * 64 + (p.at[1] - '0') * 8 + (p.at[2] - '0'));
        p.at += 2;
      }
    }
    if (c == '\0') return NULL;
    sa_push(arena, &out, c);
  }
  if (p.at >= p.end) return NULL;
  sa_push(arena, &out, '\0');
  return out.at;
}

/* The name in "--- name<tab>time"; a carriage return of the patch itself is not part of it. */
static char *name_in(sa_arena *arena, piece p) {
  p.at += 4; /* every caller has seen as many bytes */
  if (p.at >= p.end) return sa_strdup(arena, "");
  if (*p.at == '"') return unquoted(arena, p);
  const char *tab = memchr(p.at, '\t', (size_t)(p.end - p.at));
  if (tab != NULL) p.end = tab;
  if (p.end > p.at && p.end[-1] == '\r') p.end--;
  return sa_strndup(arena, p.at, (size_t)(p.end - p.at));
}

static bool is_nothing(const char *path) {
  return strcmp(path, "/dev/null") == 0;
}

/* Whether both names carry the one-letter prefixes of git; other tools write names as they are. */
static bool prefixed(const char *old_path, const char *new_path) {
  static const char *const pairs[] = {"ab", "iw", "ci", "cw", "ow"};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    bool old_fits = is_nothing(old_path) || (old_path[0] == pairs[i][0] && old_path[1] == '/');
    bool new_fits = new_path[0] == pairs[i][1] && new_path[1] == '/';
    if (old_fits && new_fits) return true;
  }
  return false;
}

static void begin_file(reader *r, const char *new_path) {
  bool strip = prefixed(r->old_path, new_path);
  r->file = NULL;
  r->in_file = true;
  if (is_nothing(new_path)) return;
  const char *path = sa_path_clean(r->arena, strip ? new_path + 2 : new_path);
  bool climbs = strncmp(path, "..", 2) == 0 && (path[2] == '/' || path[2] == '\0');
  /* "b/../x" would be "x" of a directory "b", and was written to name a file outside. */
  const char *spelled = strip && !climbs ? sa_path_clean(r->arena, new_path) : NULL;
  sa_push(r->arena, &r->out->files, (sa_changed_file){.path = path, .spelled = spelled});
  r->file = &r->out->files.at[r->out->files.n - 1];
}

/* ---- hunks ---- */

/* ",5" or nothing, which means one. */
static bool read_count(const char **at, const char *end, uint32_t *out) {
  *out = 1;
  if (*at >= end || **at != ',') return true;
  uint64_t value = 0;
  const char *begin = ++*at;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
    if ((value = value * 10 + (uint64_t)(**at - '0')) > MOST_LINES) return false;
  *out = (uint32_t)value;
  return *at > begin;
}

/* "-3,2" or "+3". */
static bool read_range(const char **at, const char *end, char sign, uint32_t *first,
                       uint32_t *count) {
  if (*at >= end || **at != sign) return false;
  uint64_t value = 0;
  const char *begin = ++*at;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
    if ((value = value * 10 + (uint64_t)(**at - '0')) > MOST_LINES) return false;
  *first = (uint32_t)value;
  return *at > begin && read_count(at, end, count);
}

static void add_lines(reader *r, uint32_t first, uint32_t last) {
  if (r->file == NULL) return;
  uint32_t n = r->file->lines.n;
  sa_line_range *before = n > 0 ? &r->file->lines.at[n - 1] : NULL;
  if (before != NULL && first >= before->first && first <= before->last + 1) {
    if (last > before->last) before->last = last;
  } else {
    sa_push(r->arena, &r->file->lines, (sa_line_range){first, last});
  }
}

/* What is taken away leaves no line behind: the lines before and behind it stand for it. */
static void close_gap(reader *r, bool removed, bool added, uint32_t line) {
  if (removed && !added) add_lines(r, line > 1 ? line - 1 : 1, line);
}

static sa_status read_hunk(reader *r, piece head) {
  uint32_t old_first, old_left, line, new_left;
  const char *at = head.at + 3;
  bool sound = read_range(&at, head.end, '-', &old_first, &old_left) && at < head.end &&
               *at++ == ' ' && read_range(&at, head.end, '+', &line, &new_left) &&
               begins((piece){at, head.end}, " @@");
  if (!sound) return wrong(r, "a hunk begins with @@ -1,2 +3,4 @@");
  if (!r->in_file) return wrong(r, "a hunk stands before the name of its file");
  if (new_left > 0 && line == 0) return wrong(r, "lines count from 1");
  if (new_left == 0) line++;
  bool removed = false, added = false;
  while (old_left > 0 || new_left > 0) {
    piece body;
    if (!next_line(r, &body)) return wrong(r, "it ends inside a hunk");
    char kind = body.at < body.end ? *body.at : ' ';
    if (kind == '\\') continue;
    if (kind == '\r') kind = ' ';
    bool old_line = kind == ' ' || kind == '-', new_line = kind == ' ' || kind == '+';
    if ((!old_line && !new_line) || (old_line && old_left == 0) || (new_line && new_left == 0))
      return wrong(r, "a hunk has other lines than its head says");
    old_left -= old_line;
    new_left -= new_line;
    if (kind == ' ') {
      close_gap(r, removed, added, line);
      removed = added = false;
    }
    if (kind == '+') add_lines(r, line, line);
    removed |= kind == '-';
    added |= kind == '+';
    line += new_line;
  }
  close_gap(r, removed, added, line);
  return SA_OK;
}

/* ---- files ---- */

static sa_status read_names(reader *r, piece line) {
  piece second;
  r->old_path = name_in(r->arena, line);
  const char *before = r->next;
  if (!next_line(r, &second)) return wrong(r, "it ends after the name of a file");
  if (!begins(second, "+++ ")) {
    /* The words of a mail or of another tool. */
    r->next = before;
    r->line--;
    return SA_OK;
  }
  const char *new_path = name_in(r->arena, second);
  if (r->old_path == NULL || new_path == NULL || *new_path == '\0')
    return wrong(r, "the name of a file cannot be read");
  begin_file(r, new_path);
  return SA_OK;
}

sa_status sa_patch_read(sa_changes *out, sa_arena *arena, sa_diag *diag, const char *name,
                        const char *text, size_t length) {
  reader r = {
      .out = out, .arena = arena, .diag = diag, .name = name, .next = text, .end = text + length};
  sa_status status = SA_OK;
  for (piece line; status == SA_OK && next_line(&r, &line);) {
    if (begins(line, "diff --git "))
      r.in_file = false;
    else if (begins(line, "--- "))
      status = read_names(&r, line);
    else if (begins(line, "@@@ "))
      status = wrong(&r, "it compares with more than one version");
    else if (begins(line, "@@ "))
      status = read_hunk(&r, line);
  }
  if (status == SA_OK) sa_changes_sort(out, arena);
  return status;
}
