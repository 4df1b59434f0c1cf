#include "base/shown.h"

#include "base/json.h"

#include <string.h>

bool sa_shown_is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
         code == 0x2028 || code == 0x2029 || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void sa_shown_text(FILE *out, const char *text) {
  size_t left = strlen(text);
  uint32_t code = 0;
  for (size_t step; (step = sa_utf8_next(text, left, &code)) > 0; text += step, left -= step) {
    if (code == '\n' || code == '\t')
      putc(' ', out);
    else if (sa_shown_is_control(code))
      putc('?', out);
    else if (code == 0xfffd)
      fputs("\xef\xbf\xbd", out);
    else
      fwrite(text, 1, step, out);
  }
}

void sa_shown_path(FILE *out, const char *path) {
  size_t blanks = strspn(path, " \t\r\n");
  if (path[blanks] == ':' || path[blanks] == '#') fputs("./", out);
  sa_shown_text(out, path);
}
