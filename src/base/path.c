#include "base/path.h"

#include <string.h>

char *sa_path_join(sa_arena *arena, const char *directory, const char *path) {
  if (path[0] == '/' || directory[0] == '\0' || strcmp(directory, ".") == 0)
    return sa_strdup(arena, path);
  size_t length = strlen(directory);
  return sa_printf(arena, directory[length - 1] == '/' ? "%s%s" : "%s/%s", directory, path);
}

/* Takes the last component off `out`, unless there is none to take. */
static bool drop_last(const char *out, size_t *length, size_t base) {
  size_t start = *length;
  while (start > base && out[start - 1] != '/') start--;
  bool is_parent = *length - start == 2 && memcmp(out + start, "..", 2) == 0;
  if (*length == base || is_parent) return false;
  *length = start > base ? start - 1 : base;
  return true;
}

char *sa_path_clean(sa_arena *arena, const char *path) {
  char *out = sa_alloc(arena, strlen(path) + 2);
  size_t base = path[0] == '/', length = base;
  out[0] = '/';
  for (const char *at = path; *at != '\0';) {
    size_t n = strcspn(at, "/");
    bool parent = n == 2 && memcmp(at, "..", 2) == 0;
    bool nothing = n == 0 || (n == 1 && at[0] == '.');
    /* "/.." is "/", while a relative path may climb */
    if (parent) nothing = drop_last(out, &length, base) || base == 1;
    if (!nothing) {
      if (length > base) out[length++] = '/';
      memcpy(out + length, at, n);
      length += n;
    }
    at += n;
    if (*at == '/') at++;
  }
  if (length == 0) out[length++] = '.';
  out[length] = '\0';
  return out;
}

char *sa_path_directory(sa_arena *arena, const char *path) {
  const char *name = sa_path_name(path);
  if (name == path) return sa_strdup(arena, ".");
  size_t length = (size_t)(name - path) - 1;
  return sa_strndup(arena, path, length > 0 ? length : 1);
}

const char *sa_path_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

const char *sa_path_extension(const char *path) {
  const char *name = sa_path_name(path), *dot = strrchr(name, '.');
  return dot != NULL && dot != name ? dot : name + strlen(name);
}

const char *sa_path_inside(const char *root, const char *path) {
  size_t length = strlen(root);
  if (strcmp(root, ".") == 0) return path[0] != '/' && strncmp(path, "..", 2) != 0 ? path : NULL;
  if (strncmp(root, path, length) != 0) return NULL;
  if (path[length] == '\0') return ".";
  if (length > 0 && root[length - 1] == '/') return path + length;
  return path[length] == '/' ? path + length + 1 : NULL;
}

/* One step of a glob: a literal, `?`, `*`, `**` or a set. */
typedef struct {
  enum { LITERAL, ANY_ONE, STAR, STAR_STAR, SET, END } kind;
  unsigned char literal;
  const char *set, *set_end;
  const char *next;
} token;

/* A set ends at the first ']' that is not its first member; without one the '[' is literal. */
static token read_set(const char *at) {
  const char *first = at + 1 + (at[1] == '!' || at[1] == '^');
  const char *end = *first != '\0' ? strchr(first + 1, ']') : NULL;
  if (end == NULL) return (token){.kind = LITERAL, .literal = '[', .next = at + 1};
  return (token){.kind = SET, .set = at + 1, .set_end = end, .next = end + 1};
}

static token read_token(const char *at) {
  switch (*at) {
  case '\0':
    return (token){.kind = END, .next = at};
  case '?':
    return (token){.kind = ANY_ONE, .next = at + 1};
  case '[':
    return read_set(at);
  case '*':
    if (at[1] != '*') return (token){.kind = STAR, .next = at + 1};
    while (*at == '*') at++;
    return (token){.kind = STAR_STAR, .next = at};
  case '\\':
    if (at[1] != '\0') at++;
    return (token){.kind = LITERAL, .literal = (unsigned char)*at, .next = at + 1};
  default:
    return (token){.kind = LITERAL, .literal = (unsigned char)*at, .next = at + 1};
  }
}

static bool set_has(token set, unsigned char c) {
  bool negated = *set.set == '!' || *set.set == '^', found = false;
  for (const char *at = set.set + negated; at < set.set_end; at++) {
    unsigned char low = (unsigned char)*at, high = low;
    if (at + 2 < set.set_end && at[1] == '-') {
      high = (unsigned char)at[2];
      at += 2;
    }
    found |= low <= c && c <= high;
  }
  return found != negated && c != '/';
}

static bool takes(token t, unsigned char c) {
  switch (t.kind) {
  case LITERAL:
    return t.literal == c;
  case SET:
    return set_has(t, c);
  case ANY_ONE:
  case STAR:
    return c != '/';
  case STAR_STAR:
    return true;
  default:
    return false;
  }
}

enum { MAX_TOKENS = 512 };

/* Marks state `i` and what can be reached from it without reading: past a star; and past "**" with
 * the slash after it, so that "**" may stand for no directory at all. */
static void enter(bool *states, const token *tokens, size_t i) {
  while (!states[i]) {
    states[i] = true;
    if (tokens[i].kind != STAR && tokens[i].kind != STAR_STAR) return;
    bool optional_slash =
        tokens[i].kind == STAR_STAR && tokens[i + 1].kind == LITERAL &&
        tokens[i + 1].literal == '/' &&
        (i == 0 || (tokens[i - 1].kind == LITERAL && tokens[i - 1].literal == '/'));
    if (optional_slash) enter(states, tokens, i + 2);
    i++;
  }
}

/* Runs all possibilities at once. With `below`, a match that ends at a slash counts: the pattern
 * names a directory above. */
static bool run_glob(const char *pattern, const char *path, size_t length, bool below) {
  token tokens[MAX_TOKENS + 2];
  size_t n = 0;
  for (const char *at = pattern; n < MAX_TOKENS; n++, at = tokens[n - 1].next) {
    tokens[n] = read_token(at);
    if (tokens[n].kind == END) break;
  }
  if (n == MAX_TOKENS) return false;
  bool states[MAX_TOKENS + 2] = {false};
  enter(states, tokens, 0);
  for (size_t at = 0; at < length; at++) {
    bool next[MAX_TOKENS + 2] = {false};
    if (below && path[at] == '/' && states[n]) return true;
    for (size_t i = 0; i < n; i++) {
      if (!states[i] || !takes(tokens[i], (unsigned char)path[at])) continue;
      if (tokens[i].kind == STAR || tokens[i].kind == STAR_STAR) next[i] = true;
      enter(next, tokens, i + 1);
    }
    memcpy(states, next, n + 1);
  }
  return states[n];
}

bool sa_path_matches(const char *pattern, const char *path) {
  char own[MAX_TOKENS];
  size_t length = strlen(pattern);
  while (length > 1 && pattern[length - 1] == '/') length--;
  if (length >= sizeof own) return false;
  memcpy(own, pattern, length);
  own[length] = '\0';
  if (strchr(own, '/') != NULL) {
    const char *start =
        own[0] == '/' ? own + 1 : own; /* a leading slash anchors, as they all are */
    return run_glob(strncmp(start, "./", 2) == 0 ? start + 2 : start, path, strlen(path), true);
  }
  for (const char *at = path; *at != '\0';) {
    size_t n = strcspn(at, "/");
    if (run_glob(own, at, n, false)) return true;
    at += n;
    if (*at == '/') at++;
  }
  return false;
}
