#include "model/names.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

int sa_span_compare(sa_span a, sa_span b) {
  size_t common = a.length < b.length ? a.length : b.length;
  int order = memcmp(a.at, b.at, common);
  return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

bool sa_span_equals(sa_span a, const char *text) {
  return strlen(text) == a.length && memcmp(a.at, text, a.length) == 0;
}

static bool is_identifier(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static bool starts_operator(const char *at, const char *end) {
  return end - at > 8 && memcmp(at, "operator", 8) == 0 && !is_identifier(at[8]);
}

/* Where a bracketed part that starts at `at` ends; `end` when it is not closed. */
static const char *skip_brackets(const char *at, const char *end) {
  int depth = 0;
  for (; at < end; at++) {
    if (*at == '<' || *at == '(' || *at == '[') depth++;
    if (*at == '>' && at[-1] == '-') continue; /* an arrow inside */
    if ((*at == '>' || *at == ')' || *at == ']') && --depth == 0) return at + 1;
  }
  return end;
}

/* Takes one component off the front of *name. */
static sa_span next_component(sa_span *name) {
  const char *at = name->at, *end = name->at + name->length;
  sa_span component = {at, 0};
  if (starts_operator(at, end)) {
    component.length = name->length;
    *name = (sa_span){end, 0};
    return component;
  }
  while (at < end && *at != '<' && *at != '(' && !(end - at > 1 && at[0] == ':' && at[1] == ':'))
    at++;
  if (at == name->at && at < end && *at == '(') at = skip_brackets(at, end); /* (anonymous ...) */
  component.length = (size_t)(at - component.at);
  while (at < end && (*at == '<' || *at == '(')) at = skip_brackets(at, end);
  while (at < end && *at == ':') at++;
  *name = (sa_span){at, (size_t)(end - at)};
  return component;
}

enum { MAX_COMPONENTS = 24 };

/* The last MAX_COMPONENTS components of a name, in order. */
static size_t split(sa_span name, sa_span components[MAX_COMPONENTS]) {
  size_t n = 0;
  while (name.length > 0) {
    const char *before = name.at;
    sa_span component = next_component(&name);
    if (name.at == before) break;
    if (component.length == 0) continue;
    if (n == MAX_COMPONENTS) memmove(components, components + 1, --n * sizeof *components);
    components[n++] = component;
  }
  return n;
}

sa_span sa_last_component(const char *name) {
  sa_span rest = {name, strlen(name)}, last = rest;
  while (rest.length > 0) {
    const char *before = rest.at;
    sa_span component = next_component(&rest);
    if (component.length > 0) last = component;
    if (rest.at == before) break;
  }
  return last;
}

/* `*` matches any part of the component, except in the name of an operator. */
static bool component_matches(sa_span pattern, sa_span text) {
  if (starts_operator(pattern.at, pattern.at + pattern.length))
    return sa_span_compare(pattern, text) == 0;
  size_t p = 0, t = 0, star = SIZE_MAX, retry = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern.at[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.length && pattern.at[p] == text.at[t]) {
      p++;
      t++;
    } else if (star != SIZE_MAX) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.length && pattern.at[p] == '*') p++;
  return p == pattern.length;
}

/* Inline namespaces of the implementation: std::__1::vector, std::__cxx11::basic_string. */
static bool is_inline_namespace(sa_span component) {
  return component.length > 2 && component.at[0] == '_' && component.at[1] == '_';
}

bool sa_name_span_matches(const char *pattern, sa_span name) {
  sa_span wanted[MAX_COMPONENTS], given[MAX_COMPONENTS];
  size_t n = split((sa_span){pattern, strlen(pattern)}, wanted), m = split(name, given);
  while (n > 0) {
    while (m > 0 && is_inline_namespace(given[m - 1]) && !is_inline_namespace(wanted[n - 1])) m--;
    if (m == 0 || !component_matches(wanted[n - 1], given[m - 1])) return false;
    n--;
    m--;
  }
  return true;
}
