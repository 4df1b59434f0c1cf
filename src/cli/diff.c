/* Unified diffs of edits: line ranges, hunks, heads as git writes them. */
#include "cli/fix.h"

#include <string.h>

enum { CONTEXT = 3 };

/* Old lines `first` up to `end` (numbered from 0) become `text`. */
typedef struct {
  uint32_t first, end;
  const char *text;
} change;

typedef struct {
  sa_arena *arena;
  const char *text;
  SA_ARRAY(uint32_t) starts; /* of each line, and the text's length at the end */
  SA_ARRAY(change) changes;
  SA_ARRAY(char) out;
} differ;

static void put(differ *d, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) sa_push(d->arena, &d->out, text[i]);
}

static void find_lines(differ *d, size_t length) {
  for (size_t at = 0; at < length;) {
    sa_push(d->arena, &d->starts, (uint32_t)at);
    const char *stop = memchr(d->text + at, '\n', length - at);
    at = stop != NULL ? (size_t)(stop - d->text) + 1 : length;
  }
  sa_push(d->arena, &d->starts, (uint32_t)length);
}

static uint32_t line_of(const differ *d, uint32_t offset) {
  uint32_t low = 0, high = d->starts.n - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (d->starts.at[middle + 1 < d->starts.n ? middle + 1 : middle] <= offset &&
        middle + 1 < d->starts.n)
      low = middle + 1;
    else
      high = middle;
  }
  /* Behind a last line that has no end is still that line. */
  if (low > 0 && offset == d->starts.at[low] && d->text[offset - 1] != '\n') low--;
  return low;
}

/* Splices that touch one line are one change of whole lines. */
static void find_changes(differ *d, const sa_splices *splices) {
  uint32_t last = d->starts.n - 1;
  for (uint32_t i = 0; i < splices->n;) {
    uint32_t first = line_of(d, splices->at[i].begin), end = first, from = d->starts.at[first];
    const char *text = "";
    uint32_t k = i;
    for (; k < splices->n; k++) {
      const sa_splice *s = &splices->at[k];
      bool starts = s->begin == d->starts.at[line_of(d, s->begin)];
      if (k > i && line_of(d, s->begin) >= end && !(starts && line_of(d, s->begin) == end)) break;
      text = sa_printf(d->arena, "%s%.*s%s", text, (int)(s->begin - from), d->text + from, s->text);
      from = s->end;
      uint32_t line = line_of(d, s->end);
      uint32_t whole =
          s->end == d->starts.at[line] && (s->end > s->begin || starts) ? line : line + 1;
      if (whole > last) whole = last;
      if (whole > end) end = whole;
    }
    uint32_t rest = d->starts.at[end] > from ? d->starts.at[end] - from : 0;
    text = sa_printf(d->arena, "%s%.*s", text, (int)rest, d->text + from);
    sa_push(d->arena, &d->changes, ((change){first, end, text}));
    i = k;
  }
}

/* The change without lines that stay the same at its ends. */
static void trim(differ *d, change *c) {
  for (; c->first < c->end; c->first++) {
    size_t n = d->starts.at[c->first + 1] - d->starts.at[c->first];
    const char *line = d->text + d->starts.at[c->first];
    if (strncmp(c->text, line, n) != 0) break;
    if (line[n - 1] != '\n' && c->text[n] != '\0') break;
    c->text += n;
  }
  for (; c->first < c->end; c->end--) {
    size_t n = d->starts.at[c->end] - d->starts.at[c->end - 1], m = strlen(c->text);
    if (m < n || memcmp(c->text + m - n, d->text + d->starts.at[c->end - 1], n) != 0) break;
    if (m > n && c->text[m - n - 1] != '\n') break;
    c->text = sa_strndup(d->arena, c->text, m - n);
  }
}

static uint32_t count_lines(const char *text) {
  uint32_t n = 0;
  for (; *text != '\0'; n++) {
    const char *stop = strchr(text, '\n');
    text = stop != NULL ? stop + 1 : text + strlen(text);
  }
  return n;
}

/* Each line of a text with `mark` before it. */
static void put_lines(differ *d, char mark, const char *text, size_t length) {
  for (size_t at = 0; at < length;) {
    const char *stop = memchr(text + at, '\n', length - at);
    size_t end = stop != NULL ? (size_t)(stop - text) + 1 : length;
    put(d, &mark, 1);
    put(d, text + at, end - at);
    if (stop == NULL) put(d, "\n\\ No newline at end of file\n", 29);
    at = end;
  }
}

static void put_old(differ *d, char mark, uint32_t first, uint32_t end) {
  put_lines(d, mark, d->text + d->starts.at[first], d->starts.at[end] - d->starts.at[first]);
}

static void put_range(differ *d, const char *sign, uint32_t first, uint32_t count) {
  char *text = count == 1 ? sa_printf(d->arena, " %s%u", sign, (unsigned)first + 1)
                          : sa_printf(d->arena, " %s%u,%u", sign,
                                      (unsigned)(count == 0 ? first : first + 1), (unsigned)count);
  put(d, text, strlen(text));
}

/* Changes `from` up to `to` as one hunk; `moved`: how many lines were added before. */
static int64_t put_hunk(differ *d, uint32_t from, uint32_t to, int64_t moved) {
  uint32_t last = d->starts.n - 1, first = d->changes.at[from].first,
           end = d->changes.at[to - 1].end;
  first = first > CONTEXT ? first - CONTEXT : 0;
  end = end + CONTEXT < last ? end + CONTEXT : last;
  int64_t added = 0;
  for (uint32_t i = from; i < to; i++) {
    const change *c = &d->changes.at[i];
    added += (int64_t)count_lines(c->text) - (c->end - c->first);
  }
  put(d, "@@", 2);
  put_range(d, "-", first, end - first);
  put_range(d, "+", (uint32_t)(first + moved), (uint32_t)(end - first + added));
  put(d, " @@\n", 4);
  uint32_t at = first;
  for (uint32_t i = from; i < to; i++) {
    const change *c = &d->changes.at[i];
    put_old(d, ' ', at, c->first);
    put_old(d, '-', c->first, c->end);
    put_lines(d, '+', c->text, strlen(c->text));
    at = c->end;
  }
  put_old(d, ' ', at, end);
  return moved + added;
}

/* A path as git writes it: quoted when it holds what is not plain. */
static void put_path(differ *d, const char *head, const char *side, const char *path) {
  bool plain = true;
  for (const char *at = path; *at != '\0'; at++)
    plain &= (unsigned char)*at >= ' ' && (unsigned char)*at < 0x7f && *at != '"' && *at != '\\';
  char *text = sa_printf(d->arena, "%s%s%s/", head, plain ? "" : "\"", side);
  put(d, text, strlen(text));
  for (const char *at = path; *at != '\0'; at++) {
    unsigned char c = (unsigned char)*at;
    bool escaped = c < ' ' || c >= 0x7f;
    text = escaped ? sa_printf(d->arena, "\\%03o", c)
                   : sa_printf(d->arena, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
    put(d, text, strlen(text));
  }
  bool blank = plain && strchr(path, ' ') != NULL;
  put(d, plain ? blank ? "\t\n" : "\n" : "\"\n", plain && !blank ? 1 : 2);
}

char *sa_fix_diff(sa_arena *arena, const char *file, const char *text, size_t length,
                  const sa_splices *splices) {
  differ d = {.arena = arena, .text = text};
  find_lines(&d, length);
  find_changes(&d, splices);
  for (uint32_t i = 0; i < d.changes.n; i++) trim(&d, &d.changes.at[i]);
  put_path(&d, "--- ", "a", file);
  put_path(&d, "+++ ", "b", file);
  int64_t moved = 0;
  for (uint32_t i = 0; i < d.changes.n;) {
    uint32_t k = i + 1;
    while (k < d.changes.n && d.changes.at[k].first <= d.changes.at[k - 1].end + 2 * CONTEXT) k++;
    moved = put_hunk(&d, i, k, moved);
    i = k;
  }
  sa_push(arena, &d.out, '\0');
  return d.out.at;
}
