/* Macros that hold a record call but are not expanded in the file that defines them. A function
 * that expands the macro is appended to the text in memory, so that the call can be read where it
 * stands. */
#include "frontend/clang/internal.h"

#include <string.h>

enum { MAX_FUNCTIONS = 500 };

typedef struct {
  const char *name;
  SA_ARRAY(const char *) params;
  size_t begin, end; /* the logical line of the #define */
} macro;

static const char *take_name(sa_arena *arena, const char *text, size_t end, size_t *at) {
  size_t begin = *at;
  while (*at < end && is_name(text[*at])) (*at)++;
  return sa_strndup(arena, text + begin, *at - begin);
}

/* Reads `#define NAME(a, b)` at the '#'; false for anything else. */
static bool read_macro(sa_arena *arena, const char *text, size_t length, size_t hash, macro *out) {
  size_t end = logical_line_end(text, length, hash);
  size_t at = after_blanks(text, end, hash + 1);
  if (at + 6 > end || memcmp(text + at, "define", 6) != 0) return false;
  at = after_blanks(text, end, at + 6);
  *out = (macro){.begin = hash, .end = end};
  out->name = take_name(arena, text, end, &at);
  if (out->name[0] == '\0' || at >= end || text[at] != '(') return false;
  at++;
  while (at < end && text[at] != ')') {
    if (!is_name(text[at])) {
      if (text[at] == '.') return false; /* variadic: what to pass is anybody's guess */
      at++;
      continue;
    }
    sa_push(arena, &out->params, take_name(arena, text, end, &at));
  }
  return at < end;
}

static bool used_elsewhere(const macro *m, const char *text, size_t length) {
  size_t n = strlen(m->name);
  for (const char *at = memmem(text, length, m->name, n); at != NULL;
       at = memmem(at + n, length - (size_t)(at + n - text), m->name, n)) {
    size_t offset = (size_t)(at - text);
    bool whole = (offset == 0 || !is_name(text[offset - 1])) &&
                 (offset + n == length || !is_name(text[offset + n]));
    bool own = offset >= m->begin && offset < m->end;
    bool define = offset >= 7 && memmem(text + offset - 7, 7, "define", 6) != NULL;
    if (whole && !own && !define) return true;
  }
  return false;
}

/* Whether the macro's text walks or indexes a parameter. */
static bool takes_lists(const macro *m, const char *text) {
  for (uint32_t i = 0; i < m->params.n; i++) {
    size_t n = strlen(m->params.at[i]);
    for (size_t at = m->begin; at + n + 8 < m->end; at++) {
      if (memcmp(text + at, m->params.at[i], n) != 0) continue;
      size_t next = at + n + (text[at + n] == ')');
      if (text[next] == '[' || memcmp(text + next, ".size()", 7) == 0) return true;
    }
  }
  return false;
}

/* Whether the parameter is, alone, the last argument of a record call: the stream. */
static bool is_stream(const macro *m, const char *text, const sa_ruleset *rules,
                      const char *param) {
  size_t n = strlen(param);
  for (uint32_t i = 0; i < rules->spellings.n; i++) {
    size_t size = strlen(rules->spellings.at[i]);
    for (size_t at = m->begin; at + size < m->end; at++) {
      if (memcmp(text + at, rules->spellings.at[i], size) != 0 || text[at + size] != '(') continue;
      size_t last = at + size + 1, end = last;
      for (int depth = 1; end < m->end; end++) {
        depth += text[end] == '(';
        depth -= text[end] == ')';
        if (depth == 0) break;
        if (depth == 1 && text[end] == ',') last = end + 1;
      }
      last = after_blanks(text, end, last);
      while (end > last && (text[end - 1] == ' ' || text[end - 1] == '\t')) end--;
      if (end - last == n && memcmp(text + last, param, n) == 0) return true;
    }
  }
  return false;
}

/* Parameters have concrete types: in a template clang would not resolve what the macro names, and
 * the place of a name inside a macro cannot be had otherwise. */
static const char *wrapper(sa_arena *arena, const macro *m, const char *text,
                           const sa_ruleset *rules) {
  const char *type = takes_lists(m, text) ? "std::vector<at::Tensor> &" : "at::Tensor &";
  const char *params = "", *args = "";
  for (uint32_t i = 0; i < m->params.n; i++) {
    const char *comma = i > 0 ? ", " : "", *name = m->params.at[i];
    const char *own = is_stream(m, text, rules, name) ? "c10::Stream " : type;
    params = sa_printf(arena, "%s%s%s%s", params, comma, own, name);
    args = sa_printf(arena, "%s%s%s", args, comma, name);
  }
  return sa_printf(arena, "\nvoid " SA_MACRO_PREFIX "%s(%s) { %s(%s); }", m->name, params, m->name,
                   args);
}

static bool known_name(const name_array *names, const char *name) {
  for (uint32_t i = 0; i < names->n; i++)
    if (strcmp(names->at[i], name) == 0) return true;
  return false;
}

char *append_macro_functions(sa_arena *arena, char *text, size_t *length, const sa_ruleset *rules) {
  name_array names = {0}, added = {0};
  size_t size = *length;
  for (size_t i = 0; i < *length && added.n < MAX_FUNCTIONS; i++) {
    if (text[i] != '#') continue;
    macro m;
    if (!read_macro(arena, text, *length, i, &m)) continue;
    if (mentions_record(rules, text + m.begin, m.end - m.begin) &&
        !used_elsewhere(&m, text, *length) && !known_name(&names, m.name)) {
      const char *function = wrapper(arena, &m, text, rules);
      sa_push(arena, &names, m.name);
      sa_push(arena, &added, function);
      size += strlen(function);
    }
    i = m.end;
  }
  if (added.n == 0) return text;
  char *longer = sa_alloc(arena, size + 2);
  memcpy(longer, text, *length);
  for (uint32_t i = 0; i < added.n; i++) {
    size_t n = strlen(added.at[i]);
    memcpy(longer + *length, added.at[i], n);
    *length += n;
  }
  longer[(*length)++] = '\n';
  return longer;
}
