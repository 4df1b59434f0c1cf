#include "report/timeline.h"

#include <inttypes.h>
#include <string.h>

enum {
  MARGIN = 9,
  MAX_CELL = 32,
  MIN_CELL = 8,
  MAX_LANES = (SA_TIMELINE_WIDTH - MARGIN) / MIN_CELL
};

typedef struct {
  FILE *out;
  const sa_timeline *timeline;
  uint32_t n, cell; /* lanes, and how wide each is */
  char row[SA_TIMELINE_WIDTH + 1];
} canvas;

static const char SYMBOLS[] = {
    [SA_MOMENT_MADE] = '*',     [SA_MOMENT_USE] = '#',    [SA_MOMENT_EVENT] = 'o',
    [SA_MOMENT_WAIT] = 'v',     [SA_MOMENT_RECORD] = 'R', [SA_MOMENT_RELEASE] = 'X',
    [SA_MOMENT_REFERENCE] = '='};

static uint32_t column_of(const canvas *c, uint32_t lane) {
  return MARGIN + lane * c->cell;
}

/* An empty row; with `lines`, every stream runs through it. */
static void begin_row(canvas *c, bool lines) {
  memset(c->row, ' ', SA_TIMELINE_WIDTH);
  c->row[SA_TIMELINE_WIDTH] = '\0';
  for (uint32_t i = 0; lines && i < c->n; i++) c->row[column_of(c, i)] = '|';
}

static void end_row(canvas *c) {
  size_t length = SA_TIMELINE_WIDTH;
  while (length > 0 && c->row[length - 1] == ' ') length--;
  c->row[length] = '\0';
  fprintf(c->out, "%s\n", c->row);
}

/* Up to `width` bytes of the text; what is no printable ASCII is shown as '?'. Returns the bytes.
 */
static size_t put_at(canvas *c, uint32_t column, const char *text, size_t length) {
  size_t room = column < SA_TIMELINE_WIDTH ? SA_TIMELINE_WIDTH - column : 0;
  if (length > room) length = room;
  for (size_t i = 0; i < length; i++)
    c->row[column + i] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '?';
  return length;
}

/* How much of the text goes into `width` columns: whole words, but for words that are longer. */
static size_t piece_of(const char *text, size_t width) {
  size_t length = strlen(text);
  if (length <= width) return length;
  for (size_t i = width; i > 0; i--)
    if (text[i] == ' ') return i;
  return width;
}

static void put_heading(canvas *c, bool roles) {
  begin_row(c, false);
  put_at(c, 3, roles ? "" : "line", roles ? 0 : 4);
  for (uint32_t i = 0; i < c->n; i++) {
    const sa_lane *lane = &c->timeline->lanes.at[i];
    const char *text = roles ? lane->role : lane->name;
    size_t length = strlen(text), most = c->cell - 2;
    put_at(c, column_of(c, i), text, length > most ? most : length);
    if (length > most) put_at(c, column_of(c, i) + c->cell - 4, "..", 2);
  }
  end_row(c);
}

/* From the lane that is waited for to the lane that waits; `after` is where the wait's text ends.
 */
static void put_arrow(canvas *c, const sa_moment *moment, uint32_t after) {
  uint32_t from = column_of(c, moment->from), to = column_of(c, moment->lane);
  uint32_t first = from < to ? from + 1 : after + 1, last = from < to ? to : from;
  for (uint32_t i = first; i < last; i++) c->row[i] = '-';
  c->row[from] = '+';
  c->row[to] = from < to ? '>' : '<';
}

static void put_moment(canvas *c, const sa_moment *moment, uint32_t line) {
  bool arrow = moment->from < c->n && moment->from != moment->lane;
  uint32_t column = column_of(c, moment->lane);
  const char *rest = moment->text;
  for (bool first = true; first || *rest != '\0'; first = false) {
    char number[MARGIN + 1];
    begin_row(c, true);
    size_t length = piece_of(rest, c->cell - 3);
    length = put_at(c, column + 2, rest, length);
    if (first) {
      c->row[column] = SYMBOLS[moment->kind];
      snprintf(number, sizeof number, "%c%6" PRIu32, moment->line == line ? '>' : ' ',
               moment->line % 1000000);
      put_at(c, 0, number, strlen(number));
      if (arrow) put_arrow(c, moment, column + 2 + (uint32_t)length);
    }
    rest += length;
    while (*rest == ' ') rest++;
    end_row(c);
  }
}

void sa_timeline_write(FILE *out, const sa_timeline *timeline, uint32_t line) {
  canvas c = {.out = out, .timeline = timeline, .n = timeline->lanes.n};
  if (c.n == 0) return;
  if (c.n > MAX_LANES) c.n = MAX_LANES;
  c.cell = (SA_TIMELINE_WIDTH - MARGIN) / c.n;
  if (c.cell > MAX_CELL) c.cell = MAX_CELL;
  put_heading(&c, false);
  put_heading(&c, true);
  for (uint32_t i = 0; i < timeline->moments.n; i++)
    if (timeline->moments.at[i].lane < c.n) put_moment(&c, &timeline->moments.at[i], line);
  if (timeline->cut) fputs("         more happens here than is shown\n", out);
}
