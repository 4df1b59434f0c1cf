#include "model/edit.h"

#include <string.h>

static bool equal(const sa_splice *a, const sa_splice *b) {
  return a->begin == b->begin && a->end == b->end && strcmp(a->text, b->text) == 0;
}

/* An insertion at the edge of a replacement stays outside of it. */
static bool overlap(const sa_splice *a, const sa_splice *b) {
  if (a->begin == a->end && b->begin == b->end) return false;
  return a->begin < b->end && b->begin < a->end;
}

bool sa_splices_add(sa_arena *arena, sa_splices *splices, sa_splice splice) {
  uint32_t at = splices->n;
  for (uint32_t i = 0; i < splices->n; i++) {
    if (equal(&splices->at[i], &splice)) return true;
    if (overlap(&splices->at[i], &splice)) return false;
  }
  while (at > 0 && (splices->at[at - 1].begin > splice.begin ||
                    (splices->at[at - 1].begin == splice.begin && splice.begin == splice.end &&
                     splices->at[at - 1].end > splice.begin)))
    at--;
  sa_push(arena, splices, splice);
  memmove(splices->at + at + 1, splices->at + at, (splices->n - 1 - at) * sizeof splice);
  splices->at[at] = splice;
  return true;
}

bool sa_splices_merge(sa_arena *arena, sa_splices *splices, const sa_splices *more) {
  for (uint32_t i = 0; i < more->n; i++)
    for (uint32_t k = 0; k < splices->n; k++)
      if (!equal(&splices->at[k], &more->at[i]) && overlap(&splices->at[k], &more->at[i]))
        return false;
  for (uint32_t i = 0; i < more->n; i++) sa_splices_add(arena, splices, more->at[i]);
  return true;
}

char *sa_splices_apply(sa_arena *arena, const char *text, size_t length, const sa_splices *splices,
                       size_t *new_length) {
  size_t size = length;
  for (uint32_t i = 0; i < splices->n; i++) size += strlen(splices->at[i].text);
  char *out = sa_alloc(arena, size + 1);
  size_t from = 0, to = 0;
  for (uint32_t i = 0; i < splices->n; i++) {
    const sa_splice *s = &splices->at[i];
    size_t kept = s->begin - from, added = strlen(s->text);
    memcpy(out + to, text + from, kept);
    memcpy(out + to + kept, s->text, added);
    to += kept + added;
    from = s->end;
  }
  memcpy(out + to, text + from, length - from);
  *new_length = to + length - from;
  return out;
}

uint32_t sa_splices_map(const sa_splices *splices, uint32_t offset) {
  int64_t moved = 0;
  for (uint32_t i = 0; i < splices->n; i++) {
    const sa_splice *s = &splices->at[i];
    if (s->begin > offset) break;
    if (offset < s->end) return (uint32_t)(s->begin + moved);
    moved += (int64_t)strlen(s->text) - (s->end - s->begin);
  }
  return (uint32_t)(offset + moved);
}

void sa_text_position(const char *text, size_t length, uint32_t offset, uint32_t *line,
                      uint32_t *column) {
  if (offset > length) offset = (uint32_t)length;
  uint32_t start = 0;
  *line = 1;
  for (const char *at; (at = memchr(text + start, '\n', offset - start)) != NULL;) {
    start = (uint32_t)(at - text) + 1;
    ++*line;
  }
  *column = offset - start + 1;
}

uint32_t sa_text_offset(const char *text, size_t length, uint32_t line, uint32_t column) {
  size_t start = 0;
  for (uint32_t n = 1; n < line; n++) {
    const char *at = memchr(text + start, '\n', length - start);
    if (at == NULL) return (uint32_t)length;
    start = (size_t)(at - text) + 1;
  }
  size_t offset = start + (column > 0 ? column - 1 : 0);
  return (uint32_t)(offset < length ? offset : length);
}
