#include "rewrite/spell.h"

#include "model/names.h"

#include <ctype.h>
#include <string.h>

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The class that a declared type is about: without qualifiers, references and pointers. */
static sa_span class_of(const char *type) {
  static const char *const words[] = {"const ", "volatile ", "struct ", "class "};
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      if (strncmp(type, words[i], strlen(words[i])) != 0) continue;
      type += strlen(words[i]);
      again = true;
    }
  }
  size_t length = strlen(type);
  while (length > 0 && strchr(" &*", type[length - 1]) != NULL) length--;
  return (sa_span){type, length};
}

const sa_spelling *sa_spell_find(const sa_ruleset *rules, const char *stream_type,
                                 const char *language) {
  bool python = strcmp(language, "python") == 0;
  if (!python && (stream_type == NULL || stream_type[0] == '\0')) return NULL;
  sa_span class = python ? (sa_span){0} : class_of(stream_type);
  for (uint32_t i = 0; i < rules->rewrites.n; i++) {
    const sa_spelling *s = &rules->rewrites.at[i];
    bool spoken = false;
    for (uint32_t k = 0; k < s->languages.n; k++)
      spoken |= strcmp(s->languages.at[k], language) == 0;
    if (spoken && python) return s;
    for (uint32_t k = 0; spoken && k < s->streams.n; k++)
      if (sa_name_span_matches(s->streams.at[k], class)) return s;
  }
  return NULL;
}

/* The parenthesis that closes the one at `open`, before `end`; `end` when there is none. */
static uint32_t closing(const sa_shape *shape, uint32_t open, uint32_t end) {
  int depth = 0;
  for (uint32_t i = open; i < end; i++) {
    char c = shape->text[i];
    if (c == '"' || c == '\'') {
      for (i++; i < end && shape->text[i] != c; i++) i += shape->text[i] == '\\';
      continue;
    }
    depth += strchr("([{", c) != NULL && c != '\0';
    depth -= strchr(")]}", c) != NULL && c != '\0';
    if (depth == 0) return i;
  }
  return end;
}

static const char *trimmed(sa_arena *arena, const char *text, uint32_t begin, uint32_t end) {
  while (begin < end && isspace((unsigned char)text[begin])) begin++;
  while (end > begin && isspace((unsigned char)text[end - 1])) end--;
  return begin < end ? sa_strndup(arena, text + begin, end - begin) : NULL;
}

/* Arguments between the parenthesis at `open` and the one that closes it. */
static const char *argument_at(sa_arena *arena, const sa_shape *shape, uint32_t open, uint32_t end,
                               uint32_t index) {
  uint32_t close = closing(shape, open, end), from = open + 1;
  if (close == end) return NULL;
  for (uint32_t i = from; i < close; i++) {
    char c = shape->text[i];
    if (strchr("([{", c) != NULL && c != '\0') i = closing(shape, i, close);
    if (c != ',') continue;
    if (index-- == 0) return trimmed(arena, shape->text, from, i);
    from = i + 1;
  }
  return index == 0 ? trimmed(arena, shape->text, from, close) : NULL;
}

const char *sa_spell_argument(sa_arena *arena, const sa_shape *shape, uint32_t begin, uint32_t end,
                              uint32_t index) {
  /* The last group of the call holds its arguments: x.storage().record_stream(s). */
  uint32_t open = end;
  for (uint32_t i = begin; i < end; i++) {
    if (shape->text[i] != '(') continue;
    open = i;
    i = closing(shape, i, end);
  }
  const char *text = open < end ? argument_at(arena, shape, open, end, index) : NULL;
  const char *equals = text != NULL && shape->suites ? strchr(text, '=') : NULL;
  return equals != NULL ? equals + 1 + strspn(equals + 1, " ") : text;
}

bool sa_spell_is_path(const char *text) {
  if (text == NULL || !(isalpha((unsigned char)text[0]) || text[0] == '_')) return false;
  for (size_t i = 0; text[i] != '\0'; i++) {
    if (is_name(text[i]) || strchr(".:[]", text[i]) != NULL) continue;
    if (text[i] == '-' && text[i + 1] == '>')
      i++;
    else
      return false;
  }
  return is_name(text[strlen(text) - 1]) || text[strlen(text) - 1] == ']';
}

/* The operand's text: an argument of the nearest call before the place. */
static const char *operand(sa_arena *arena, const sa_spell *spell, const char *name,
                           size_t length) {
  const sa_shape *shape = spell->shape;
  for (uint32_t i = shape->words.n; i-- > 0;) {
    const sa_word *w = &shape->words.at[i];
    if (w->begin >= spell->at || shape->text[w->end] != '(') continue;
    for (uint32_t k = 0; k < spell->spelling->operands.n; k++) {
      const sa_spelling_operand *o = &spell->spelling->operands.at[k];
      if (strlen(o->name) != length || memcmp(o->name, name, length) != 0) continue;
      for (uint32_t c = 0; c < o->calls.n; c++) {
        size_t n = strlen(o->calls.at[c]);
        if (n != w->end - w->begin || memcmp(o->calls.at[c], shape->text + w->begin, n) != 0)
          continue;
        const char *text = argument_at(arena, shape, w->end, (uint32_t)shape->length, o->arg);
        if (sa_spell_is_path(text)) return text;
      }
    }
  }
  return NULL;
}

static const char *value_of(sa_arena *arena, const sa_spell *spell, const char *name,
                            size_t length) {
  const struct {
    const char *name, *value;
  } known[] = {{"event", spell->event},
               {"stream", spell->stream},
               {"waiter", spell->waiter},
               {"current", spell->spelling->current}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0)
      return known[i].value;
  if (memchr(name, '.', length) != NULL) return sa_spell_attribute(arena, spell, name, length);
  return operand(arena, spell, name, length);
}

static const char *fill(sa_arena *arena, const sa_spell *spell, const char *line) {
  const char *out = "";
  while (*line != '\0') {
    size_t plain = strcspn(line, "{");
    out = sa_printf(arena, "%s%.*s", out, (int)plain, line);
    line += plain;
    if (*line == '\0') break;
    size_t length = strcspn(line + 1, "}");
    const char *value = value_of(arena, spell, line + 1, length);
    /* The current stream is spelled with operands of its own. */
    if (value != NULL && value == spell->spelling->current) value = fill(arena, spell, value);
    if (value == NULL) return NULL;
    out = sa_printf(arena, "%s%s", out, value);
    line += length + 2;
  }
  return out;
}

/* What the file wraps around calls whose names begin with `prefix`: CHECK(cudaEventRecord(...)).
 * Only a call alone in a statement tells; most of them must be wrapped. */
static const char *wrapper(sa_arena *arena, const sa_shape *shape, const char *prefix) {
  size_t n = strlen(prefix);
  uint32_t bare = 0, wrapped = 0, last = 0;
  for (uint32_t i = 0; i < shape->words.n; i++) {
    const sa_word *w = &shape->words.at[i];
    const char *text = shape->text + w->begin;
    if (w->end - w->begin <= n || memcmp(text, prefix, n) != 0 || shape->text[w->end] != '(')
      continue;
    uint32_t stmt = sa_shape_at(shape, w->begin, w->end);
    if (stmt == SA_SHAPE_NONE) continue;
    if (shape->stmts.at[stmt].begin == w->begin) bare++;
    bool inside = i > 0 && shape->words.at[i - 1].begin == shape->stmts.at[stmt].begin &&
                  shape->words.at[i - 1].end + 1 == w->begin && w->begin > 0 && text[-1] == '(';
    if (!inside) continue;
    wrapped++;
    last = i - 1;
  }
  if (wrapped == 0 || bare > wrapped) return NULL;
  const sa_word *w = &shape->words.at[last];
  return sa_strndup(arena, shape->text + w->begin, w->end - w->begin);
}

bool sa_spell_lines(sa_lines_of_code *out, sa_arena *arena, const sa_spell *spell,
                    const char *const *lines, uint32_t n) {
  const char *prefix = spell->spelling->checked;
  const char *check = prefix != NULL ? wrapper(arena, spell->shape, prefix) : NULL;
  for (uint32_t i = 0; i < n; i++) {
    const char *line = fill(arena, spell, lines[i]);
    if (line == NULL) return false;
    size_t length = strlen(line), head = strcspn(line, "( ");
    bool call = check != NULL && strncmp(line, prefix, strlen(prefix)) == 0 && line[head] == '(';
    if (call) line = sa_printf(arena, "%s(%.*s);", check, (int)(length - 1), line);
    sa_push(arena, out, line);
  }
  return true;
}

const char *sa_spell_name(sa_arena *arena, const sa_shape *shape, const char *stream,
                          const char *suffix, uint32_t skip) {
  const char *end = stream + strcspn(stream, "(");
  while (end > stream && !is_name(end[-1])) end--;
  while (end > stream && end[-1] == '_') end--;
  const char *begin = end;
  while (begin > stream && is_name(begin[-1])) begin--;
  bool usable = begin < end && !isdigit((unsigned char)*begin) && *begin != '_';
  const char *base = usable ? sa_printf(arena, "%.*s%s", (int)(end - begin), begin, suffix)
                            : sa_printf(arena, "stream%s", suffix);
  const char *name = base;
  for (unsigned i = 2; sa_shape_has_word(shape, name) || skip > 0; i++) {
    if (!sa_shape_has_word(shape, name)) skip--;
    name = sa_printf(arena, "%s_%u", base, i);
  }
  return name;
}
