#include "rewrite/lines.h"

#include <string.h>

bool sa_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

uint32_t sa_line_start(const sa_shape *s, uint32_t at) {
  while (at > 0 && s->text[at - 1] != '\n') at--;
  return at;
}

uint32_t sa_line_next(const sa_shape *s, uint32_t at) {
  while (at < s->length && s->text[at] != '\n') at++;
  return at < s->length ? at + 1 : at;
}

const char *sa_line_end(const sa_shape *s) {
  const char *stop = memchr(s->text, '\n', s->length);
  return stop != NULL && stop > s->text && stop[-1] == '\r' ? "\r\n" : "\n";
}

/* Whether the line that begins at `at` goes on from the one before. */
static bool is_joined(const sa_shape *s, uint32_t at) {
  if (at < 2) return false;
  uint32_t end = at - 1;
  if (s->text[end - 1] == '\r') end--;
  return end > 0 && s->text[end - 1] == '\\';
}

bool sa_line_begins_at(const sa_shape *s, uint32_t at) {
  uint32_t line = sa_line_start(s, at), begin = line;
  while (begin < at && sa_is_blank(s->text[begin])) begin++;
  return begin == at && !(s->suites && is_joined(s, line));
}

bool sa_line_ends_at(const sa_shape *s, uint32_t at) {
  while (at < s->length && sa_is_blank(s->text[at])) at++;
  if (at >= s->length || s->text[at] == '\n') return true;
  if (s->suites) return s->text[at] == '#' || (s->text[at] == ';' && sa_line_ends_at(s, at + 1));
  if (at + 1 >= s->length || s->text[at] != '/') return false;
  if (s->text[at + 1] == '/') {
    uint32_t end = sa_line_next(s, at);
    return end < 2 || s->text[end - 2] != '\\';
  }
  if (s->text[at + 1] != '*') return false;
  for (uint32_t i = at + 2; i + 1 < s->length && s->text[i] != '\n'; i++)
    if (s->text[i] == '*' && s->text[i + 1] == '/') return sa_line_ends_at(s, i + 2);
  return false;
}

bool sa_line_is_empty(const sa_shape *s, uint32_t at) {
  while (at < s->length && sa_is_blank(s->text[at])) at++;
  return at < s->length && s->text[at] == '\n';
}

uint32_t sa_line_indent(const sa_shape *s, uint32_t at) {
  uint32_t begin = sa_line_start(s, at), end = begin;
  while (end < s->length && (s->text[end] == ' ' || s->text[end] == '\t')) end++;
  return end - begin;
}

bool sa_line_is_comment(const sa_shape *s, uint32_t at) {
  uint32_t first = at + sa_line_indent(s, at);
  return first < s->length && s->text[first] == '#';
}
