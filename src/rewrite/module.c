/* How a Python file names things: a module of streams, as it does already, near the place or
 * anywhere; a member of an object. */
#include "model/names.h"
#include "rewrite/spell.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  sa_span spelled;    /* what stands before the dot; empty: the name was imported by itself */
  const char *module; /* imports undone, arguments of calls left out */
  uint32_t at;
} mention;

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static const char *imported(const sa_shape *shape, const char *name, size_t length) {
  for (uint32_t i = shape->imports.n; i > 0; i--) {
    const sa_shape_import *import = &shape->imports.at[i - 1];
    if (strlen(import->name) == length && memcmp(import->name, name, length) == 0)
      return import->dotted;
  }
  return NULL;
}

/* The bracket that the one before `end` closes, or `end`. */
static uint32_t opening(const char *text, uint32_t end) {
  int depth = 0;
  for (uint32_t i = end; i > 0; i--) {
    depth += strchr(")]", text[i - 1]) != NULL;
    depth -= strchr("([", text[i - 1]) != NULL;
    if (depth == 0) return i - 1;
  }
  return end;
}

/* Where the expression before a dot begins: names, calls and elements. */
static uint32_t primary_before(const char *text, uint32_t dot) {
  uint32_t at = dot;
  for (;;) {
    while (at > 0 && strchr(")]", text[at - 1]) != NULL) {
      uint32_t open = opening(text, at);
      if (open == at) return dot;
      at = open;
    }
    uint32_t end = at;
    while (at > 0 && is_name(text[at - 1])) at--;
    if (at == end) return dot;
    if (at == 0 || text[at - 1] != '.') return at;
    at--;
  }
}

/* "torch.get_device_module()" for `get_device_module(x)` behind an import of it. */
static const char *plain_module(sa_arena *arena, const sa_shape *shape, sa_span spelled) {
  size_t head = 0;
  while (head < spelled.length && is_name(spelled.at[head])) head++;
  const char *first = imported(shape, spelled.at, head);
  const char *out = first != NULL ? first : sa_strndup(arena, spelled.at, head);
  int depth = 0;
  for (size_t i = head; i < spelled.length; i++) {
    char c = spelled.at[i];
    depth -= c == ')' || c == ']';
    if (depth == 0) out = sa_printf(arena, "%s%c", out, c);
    depth += c == '(' || c == '[';
  }
  return out;
}

static bool may_be(const sa_spelling_operand *operand, const char *module) {
  size_t n = strlen(module);
  for (uint32_t i = 0; i < operand->of.n; i++) {
    const char *of = operand->of.at[i];
    size_t m = strlen(of);
    if (strcmp(of, "*") == 0) return true;
    if (n >= m && strcmp(module + n - m, of) == 0 && (n == m || module[n - m - 1] == '.'))
      return true;
  }
  return false;
}

static bool is_one_of(const sa_spelling_operand *operand, const char *word, size_t length) {
  for (uint32_t i = 0; i < operand->calls.n; i++)
    if (strlen(operand->calls.at[i]) == length && memcmp(operand->calls.at[i], word, length) == 0)
      return true;
  return false;
}

static bool read_mention(mention *out, sa_arena *arena, const sa_shape *shape, const sa_word *w,
                         const sa_spelling_operand *operand) {
  const char *word = shape->text + w->begin;
  size_t length = w->end - w->begin;
  if (!is_one_of(operand, word, length)) return false;
  *out = (mention){.at = w->begin};
  if (w->begin > 0 && word[-1] == '.') {
    uint32_t dot = w->begin - 1, begin = primary_before(shape->text, dot);
    if (begin == dot) return false;
    out->spelled = (sa_span){shape->text + begin, dot - begin};
    out->module = plain_module(arena, shape, out->spelled);
  } else if (w->bare) {
    const char *dotted = imported(shape, word, length);
    const char *dot = dotted != NULL ? strrchr(dotted, '.') : NULL;
    if (dot == NULL || strlen(dot + 1) != length || memcmp(dot + 1, word, length) != 0)
      return false;
    out->module = sa_strndup(arena, dotted, (size_t)(dot - dotted));
  }
  return out->module != NULL && may_be(operand, out->module);
}

/* Whether every name of an expression of the text has a value where the new lines go. */
static bool has_values(const sa_spell *spell, sa_span spelled) {
  const sa_shape *shape = spell->shape;
  uint32_t begin = (uint32_t)(spelled.at - shape->text), end = begin + (uint32_t)spelled.length;
  for (uint32_t i = 0; i < shape->words.n && shape->words.at[i].begin < end; i++) {
    const sa_word *w = &shape->words.at[i];
    if (w->begin >= begin && w->bare &&
        !sa_shape_binds(shape, shape->text + w->begin, spell->block, spell->at))
      return false;
  }
  return true;
}

/* The last mention before the place in its function; otherwise one of the file, whose mentions must
 * agree. */
static bool find_mention(mention *out, sa_arena *arena, const sa_spell *spell, const char *name,
                         size_t length) {
  const sa_shape *shape = spell->shape;
  uint32_t here = sa_shape_function_of(shape, spell->block);
  uint32_t from = here != SA_SHAPE_NONE ? shape->stmts.at[here].begin : (uint32_t)shape->length;
  bool found = false, near = false, differ = false;
  for (uint32_t i = 0; i < shape->words.n; i++)
    for (uint32_t k = 0; k < spell->spelling->operands.n; k++) {
      const sa_spelling_operand *o = &spell->spelling->operands.at[k];
      mention one;
      if (strlen(o->name) != length || memcmp(o->name, name, length) != 0) continue;
      if (!read_mention(&one, arena, shape, &shape->words.at[i], o)) continue;
      bool usable = one.spelled.length == 0 || has_values(spell, one.spelled);
      bool closer = usable && one.at >= from && one.at < spell->at;
      differ |= found && !near && strcmp(one.module, out->module) != 0;
      if (closer || (!found && usable) ||
          (usable && !near && out->spelled.length == 0 && one.spelled.length > 0))
        *out = one;
      found |= usable;
      near |= closer;
    }
  return near || (found && !differ);
}

/* The attribute by a name that an import gives it, or by the longest part that an import names. */
static const char *by_imports(sa_arena *arena, const sa_shape *shape, const char *module,
                              const char *attribute) {
  const char *whole = sa_printf(arena, "%s.%s", module, attribute), *best = NULL;
  size_t length = 0;
  for (uint32_t i = 0; i < shape->imports.n; i++) {
    const sa_shape_import *import = &shape->imports.at[i];
    size_t n = strlen(import->dotted);
    bool leads = strncmp(whole, import->dotted, n) == 0 && (whole[n] == '.' || whole[n] == '\0');
    if (!leads || n <= length) continue;
    length = n;
    best = sa_printf(arena, "%s%s", import->name, whole + n);
  }
  return best;
}

const char *sa_spell_attribute(sa_arena *arena, const sa_spell *spell, const char *name,
                               size_t length) {
  const char *dot = memchr(name, '.', length);
  mention found = {0};
  if (dot == NULL || !find_mention(&found, arena, spell, name, (size_t)(dot - name))) return NULL;
  const char *attribute = sa_strndup(arena, dot + 1, length - (size_t)(dot - name) - 1);
  const char *named = by_imports(arena, spell->shape, found.module, attribute);
  bool alone = named != NULL && strchr(named, '.') == NULL;
  if (found.spelled.length == 0 || alone) return named;
  return sa_printf(arena, "%.*s.%s", (int)found.spelled.length, found.spelled.at, attribute);
}

const char *sa_spell_member(sa_arena *arena, const sa_shape *shape, const char *name, uint32_t at) {
  uint32_t stmt = sa_shape_at(shape, at, at), block = sa_shape_block_of(shape, stmt);
  uint32_t function = sa_shape_function_of(shape, stmt);
  size_t n = strlen(name);
  sa_span found = {0};
  if (!shape->suites || !sa_spell_is_path(name)) return name;
  if (strchr(name, '.') == NULL && sa_shape_binds(shape, name, block, at)) return name;
  if (function == SA_SHAPE_NONE) return NULL;
  for (uint32_t i = 0; i < shape->words.n; i++) {
    const sa_word *w = &shape->words.at[i];
    const char *text = shape->text + w->begin;
    bool here =
        w->begin >= shape->stmts.at[function].begin && w->end <= shape->stmts.at[function].end;
    if (!here || w->end - w->begin != n || memcmp(text, name, n) != 0) continue;
    if (w->begin == 0 || text[-1] != '.') continue;
    uint32_t begin = primary_before(shape->text, w->begin - 1);
    sa_span one = {shape->text + begin, w->end - begin};
    if (found.length > 0 && sa_span_compare(found, one) != 0) return NULL;
    found = one;
  }
  return found.length > 0 ? sa_strndup(arena, found.at, found.length) : NULL;
}
