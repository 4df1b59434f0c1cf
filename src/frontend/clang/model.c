/* The model headers against what a file says itself: which of them declares an unknown name, and
 * which of their classes the file (or a header of its project) defines on its own. */
#include "frontend/clang/internal.h"

#include <ctype.h>
#include <string.h>

static bool whole_word(const char *text, size_t length, const char *at, size_t n) {
  return (at == text || !is_name(at[-1])) && (at + n == text + length || !is_name(at[n]));
}

static const char *find_word(const char *text, size_t length, const char *from, const char *word) {
  size_t n = strlen(word);
  while (from < text + length) {
    const char *at = memmem(from, length - (size_t)(from - text), word, n);
    if (at == NULL) return NULL;
    if (whole_word(text, length, at, n)) return at;
    from = at + n;
  }
  return NULL;
}

static bool follows_word(const char *text, const char *at, const char *word) {
  size_t n = strlen(word);
  while (at > text && isspace((unsigned char)at[-1])) at--;
  return (size_t)(at - text) >= n && memcmp(at - n, word, n) == 0 &&
         (at - n == text || !is_name(at[-(long)n - 1]));
}

/* Whether the name at `at` is being declared there, as far as a glance tells. */
static bool looks_declared(const char *text, const char *at, size_t n) {
  static const char *const heads[] = {"struct", "class", "enum", "using", "namespace"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    if (follows_word(text, at, heads[i])) return true;
  const char *next = at + n;
  while (*next == ' ') next++;
  return *next == '(' || *next == ';' || *next == '=';
}

const char *model_header_with(const sa_sdk *sdk, const char *name) {
  size_t n = strlen(name);
  if (n < 3) return NULL;
  for (uint32_t i = 0; i < sdk->files.n; i++) {
    const sa_sdk_file *file = &sdk->files.at[i];
    for (const char *at = find_word(file->text, file->length, file->text, name); at != NULL;
         at = find_word(file->text, file->length, at + n, name))
      if (looks_declared(file->text, at, n)) return file->path;
  }
  return NULL;
}

/* Whether a class or enumeration is defined, not only declared, at its name. */
static bool is_definition(const char *text, size_t length, const char *at) {
  for (; at < text + length; at++) {
    if (*at == '{') return true;
    if (*at == ';' || *at == '(' || *at == ')' || *at == '>' || *at == ',') return false;
  }
  return false;
}

/* Renames the model's own definitions of `name`, leaving a declaration, so that the file's counts.
 */
static const char *hide(sa_arena *arena, const char *text, size_t *length, const char *name) {
  static const char *const heads[] = {"struct", "class"};
  size_t n = strlen(name);
  for (const char *at = find_word(text, *length, text, name); at != NULL;) {
    const char *head = NULL;
    for (size_t i = 0; i < 2; i++)
      if (follows_word(text, at, heads[i]) &&
          !follows_word(text, at - strlen(heads[i]) - 1, "enum"))
        head = heads[i];
    bool enumeration =
        follows_word(text, at, "enum") || (head == NULL && follows_word(text, at, "class"));
    if ((head == NULL && !enumeration) || !is_definition(text, *length, at + n)) {
      at = find_word(text, *length, at + n, name);
      continue;
    }
    size_t offset = (size_t)(at - text);
    const char *declared = head != NULL ? sa_printf(arena, "%s; %s ", name, head) : "";
    const char *changed =
        sa_printf(arena, "%.*s%ssa_model_%s", (int)offset, text, declared, text + offset);
    *length = strlen(changed);
    text = changed;
    at = find_word(text, *length, text + offset + strlen(declared) + n, name);
  }
  return text;
}

/* A device family's classes are made by a macro from the family's prefix: `class SA_SDK_N(Event)`
 * is CUDAEvent, HIPEvent and so on. Finds the next such definition that can be `name`. */
static const char *find_made(const char *text, size_t length, const char *from, const char *name) {
  static const char mark[] = "SA_SDK_N(";
  size_t n = strlen(name);
  while (from < text + length) {
    const char *at = memmem(from, length - (size_t)(from - text), mark, sizeof mark - 1);
    if (at == NULL) return NULL;
    const char *part = at + sizeof mark - 1;
    from = part;
    size_t m = strcspn(part, ")");
    if (part[m] != ')' || m == 0 || m >= n || memcmp(name + n - m, part, m) != 0) continue;
    bool prefix = true;
    for (size_t i = 0; i < n - m; i++) prefix = prefix && isupper((unsigned char)name[i]);
    if (prefix && (follows_word(text, at, "class") || follows_word(text, at, "struct")) &&
        is_definition(text, length, part + m + 1))
      return at;
  }
  return NULL;
}

bool model_makes(const sa_sdk *sdk, const char *name) {
  for (uint32_t i = 0; i < sdk->files.n; i++)
    if (find_made(sdk->files.at[i].text, sdk->files.at[i].length, sdk->files.at[i].text, name))
      return true;
  return false;
}

/* What hide() does, for a class that a macro names. */
static const char *hide_made(sa_arena *arena, const char *text, size_t *length, const char *name) {
  const char *at = find_made(text, *length, text, name);
  if (at == NULL) return text;
  size_t head = (size_t)(at - text), made = strcspn(at, ")") + 1;
  const char *key = follows_word(text, at, "class") ? "class" : "struct";
  text =
      sa_printf(arena, "%.*s%.*s; %s sa_model_%.*s%s", (int)head, text, (int)made, at, key,
                (int)(made - sizeof "SA_SDK_N(" + 1 - 1), at + sizeof "SA_SDK_N(" - 1, at + made);
  *length = strlen(text);
  return text;
}

const char *model_text(sa_arena *arena, const sa_sdk_file *file, const name_array *hidden,
                       size_t *length) {
  const char *text = file->text;
  *length = file->length;
  for (uint32_t i = 0; i < hidden->n; i++) {
    if (find_word(text, *length, text, hidden->at[i]) != NULL)
      text = hide(arena, text, length, hidden->at[i]);
    text = hide_made(arena, text, length, hidden->at[i]);
  }
  return text;
}
