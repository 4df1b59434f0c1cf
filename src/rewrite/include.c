/* Where an include goes: into the block of includes that is most like it, in its order. */
#include "rewrite/spell.h"

#include <string.h>

typedef struct {
  uint32_t begin, end; /* the line, without its end */
  const char *name;
  size_t length;
  char close; /* '>' or '"' */
} include;

typedef SA_ARRAY(include) includes;

/* The line that begins at `at`, when it is an include. */
static bool read_include(include *out, const char *text, uint32_t at, uint32_t end) {
  uint32_t i = at;
  while (i < end && (text[i] == ' ' || text[i] == '\t')) i++;
  if (i >= end || text[i++] != '#') return false;
  while (i < end && (text[i] == ' ' || text[i] == '\t')) i++;
  if (end - i < 10 || memcmp(text + i, "include", 7) != 0) return false;
  i += 7;
  while (i < end && (text[i] == ' ' || text[i] == '\t')) i++;
  if (i >= end || (text[i] != '<' && text[i] != '"')) return false;
  char close = text[i] == '<' ? '>' : '"';
  const char *stop = memchr(text + i + 1, close, end - i - 1);
  if (stop == NULL) return false;
  *out = (include){at, end, text + i + 1, (size_t)(stop - text) - i - 1, close};
  return true;
}

static includes find(sa_arena *arena, const sa_shape *shape) {
  includes found = {0};
  for (uint32_t at = 0; at < shape->length;) {
    const char *stop = memchr(shape->text + at, '\n', shape->length - at);
    uint32_t end = stop != NULL ? (uint32_t)(stop - shape->text) : (uint32_t)shape->length;
    include one;
    if (read_include(&one, shape->text, at, end)) sa_push(arena, &found, one);
    at = end + 1;
  }
  return found;
}

static size_t common(const char *a, size_t n, const char *b) {
  size_t i = 0, parts = 0;
  for (; i < n && b[i] == a[i] && b[i] != '\0'; i++) parts += a[i] == '/';
  return parts * 1000 + i;
}

static bool goes_before(const char *name, const include *other) {
  size_t n = strlen(name), m = other->length;
  int order = memcmp(name, other->name, n < m ? n : m);
  return order != 0 ? order < 0 : n < m;
}

/* Neighbours have nothing but a line's end between them. */
static bool neighbours(const include *a, const include *b) {
  return b->begin <= a->end + 1;
}

static void insert(sa_arena *arena, sa_splices *splices, const sa_shape *shape, uint32_t at,
                   const char *name) {
  const char *stop = memchr(shape->text, '\n', shape->length);
  const char *eol = stop != NULL && stop > shape->text && stop[-1] == '\r' ? "\r\n" : "\n";
  const char *line = sa_printf(arena, "#include <%s>%s", name, eol);
  sa_splices_add(arena, splices, (sa_splice){at, at, line});
}

void sa_spell_include(sa_arena *arena, sa_splices *splices, const sa_shape *shape,
                      const sa_spelling *spelling) {
  if (spelling->includes.n == 0) return;
  const char *name = spelling->includes.at[0];
  includes all = find(arena, shape);
  uint32_t best = 0;
  size_t likeness = 0;
  for (uint32_t i = 0; i < all.n; i++) {
    const include *one = &all.at[i];
    for (uint32_t k = 0; k < spelling->includes.n; k++) {
      size_t n = strlen(spelling->includes.at[k]);
      if (one->length >= n && memcmp(one->name + one->length - n, spelling->includes.at[k], n) == 0)
        return;
    }
    size_t like = common(one->name, one->length, name) * 2 + (one->close == '>');
    if (like > likeness) {
      likeness = like;
      best = i;
    }
  }
  if (all.n == 0) {
    insert(arena, splices, shape, 0, name);
    return;
  }
  uint32_t first = best, last = best;
  while (first > 0 && neighbours(&all.at[first - 1], &all.at[first]) &&
         all.at[first - 1].close == all.at[best].close)
    first--;
  while (last + 1 < all.n && neighbours(&all.at[last], &all.at[last + 1]) &&
         all.at[last + 1].close == all.at[best].close)
    last++;
  while (first <= last && !goes_before(name, &all.at[first])) first++;
  uint32_t at = first <= last ? all.at[first].begin : all.at[last].end + 1;
  if (at > shape->length) at = (uint32_t)shape->length;
  insert(arena, splices, shape, at, name);
}
