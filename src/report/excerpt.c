#include "report/excerpt.h"

#include "base/shown.h"
#include "report/summary.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_SHOWN_COLUMNS = 160, TAB_WIDTH = 4 };

typedef struct {
  FILE *out;
  bool colour;
} excerpt;

/* Characters that take two columns on a terminal: East Asian wide forms and emoji. */
static const uint32_t WIDE[][2] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
                                   {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                                   {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};

/* Columns that a character takes on the terminal: control characters show as one '?'. */
static uint32_t shown_width(uint32_t code) {
  if (code == '\t') return TAB_WIDTH;
  for (size_t i = 0; code >= WIDE[0][0] && i < sizeof WIDE / sizeof *WIDE; i++)
    if (code >= WIDE[i][0] && code <= WIDE[i][1]) return 2;
  return code >= 0x300 && code <= 0x36f ? 0 : 1; /* combining marks take none */
}

static void put_shown(FILE *out, const char *at, size_t step, uint32_t code) {
  if (code == '\t')
    fprintf(out, "%*s", TAB_WIDTH, "");
  else if (sa_shown_is_control(code))
    putc('?', out);
  else if (code == 0xfffd)
    fputs("\xef\xbf\xbd", out);
  else
    fwrite(at, 1, step, out);
}

static void put_line(const excerpt *w, uint32_t number, sa_line line) {
  fprintf(w->out, "%6" PRIu32 " | ", number);
  uint32_t width = 0, code = 0;
  for (size_t i = 0, step; i < line.length && width < MAX_SHOWN_COLUMNS; i += step) {
    step = sa_utf8_next(line.at + i, line.length - i, &code);
    put_shown(w->out, line.at + i, step, code);
    width += shown_width(code);
  }
  putc('\n', w->out);
}

/* A caret at the first column of `place`, tildes up to its end or the end of the line. */
static void put_caret(const excerpt *w, sa_place place, sa_line line) {
  size_t start = place.column == 0 ? 0 : place.column - 1;
  size_t end = place.end_line == place.line ? (size_t)place.end_column - 1 : line.length;
  if (start > line.length) start = line.length;
  if (end > line.length || place.end_column == 0) end = line.length;
  fprintf(w->out, "%6s | ", "");
  uint32_t width = 0, code = 0;
  size_t i = 0;
  for (size_t step; i < start && width < MAX_SHOWN_COLUMNS; i += step) {
    step = sa_utf8_next(line.at + i, line.length - i, &code);
    width += shown_width(code);
    fprintf(w->out, "%*s", (int)shown_width(code), "");
  }
  if (w->colour) fputs("\033[1;32m", w->out);
  putc('^', w->out);
  for (size_t step; i < end && width < MAX_SHOWN_COLUMNS; i += step) {
    step = sa_utf8_next(line.at + i, line.length - i, &code);
    for (uint32_t n = i < start + step && i == start ? 1 : 0; n < shown_width(code); n++)
      putc('~', w->out);
    width += shown_width(code);
  }
  if (w->colour) fputs("\033[0m", w->out);
  putc('\n', w->out);
}

void sa_put_excerpt(FILE *out, sa_lines *lines, sa_place place, bool colour) {
  excerpt w = {out, colour};
  if (!sa_place_known(place)) return;
  sa_line line = sa_lines_get(sa_lines_of(lines, place.file), place.line);
  if (line.at == NULL || place.column > MAX_SHOWN_COLUMNS) return;
  put_line(&w, place.line, line);
  put_caret(&w, place, line);
}
