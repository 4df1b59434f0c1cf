#include "frontend/clang/text.h"

#include <ctype.h>
#include <string.h>

enum { MAX_DELIMITER = 16 }; /* of a raw string, by the C++ standard */

bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

size_t after_blanks(const char *text, size_t length, size_t at) {
  while (at < length && (text[at] == ' ' || text[at] == '\t')) at++;
  return at;
}

size_t logical_line_end(const char *text, size_t length, size_t at) {
  while (at < length && text[at] != '\n') {
    size_t newline = at + 1 + (at + 1 < length && text[at + 1] == '\r');
    bool spliced = text[at] == '\\' && newline < length && text[newline] == '\n';
    at = spliced ? newline + 1 : at + 1;
  }
  return at;
}

/* `open` is the parenthesis of R"delimiter( at `at`. */
static size_t skip_raw_string(const char *text, size_t length, size_t at, const char *open) {
  char end[MAX_DELIMITER + 2] = ")";
  size_t n = (size_t)(open - (text + at)) - 1;
  memcpy(end + 1, text + at + 1, n);
  end[n + 1] = '"';
  for (size_t i = at; i + n + 2 <= length; i++)
    if (memcmp(text + i, end, n + 2) == 0) return i + n + 2;
  return length;
}

size_t skip_quoted(const char *text, size_t length, size_t at) {
  char quote = text[at];
  if (quote == '"' && at > 0 && text[at - 1] == 'R') {
    size_t head = length - at < MAX_DELIMITER + 2 ? length - at : MAX_DELIMITER + 2;
    const char *open = memchr(text + at, '(', head);
    if (open != NULL) return skip_raw_string(text, length, at, open);
  }
  for (size_t i = at + 1; i < length; i++) {
    if (text[i] == '\\')
      i += 1 + (i + 2 < length && text[i + 1] == '\r' && text[i + 2] == '\n');
    else if (text[i] == quote)
      return i + 1;
    else if (text[i] == '\n') /* broken text; a lone ' separates digits or abbreviates a word */
      return quote == '"' ? i : at + 1;
  }
  return length;
}

size_t skip_comment(const char *text, size_t length, size_t at) {
  if (text[at + 1] == '/') return logical_line_end(text, length, at);
  for (at += 2; at + 1 < length; at++)
    if (text[at] == '*' && text[at + 1] == '/') return at + 2;
  return length;
}
