#include "model/source.h"

static int compare(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

int sa_range_compare(sa_range a, sa_range b) {
  int c = compare(a.file, b.file);
  if (c == 0) c = compare(a.line, b.line);
  if (c == 0) c = compare(a.column, b.column);
  if (c == 0) c = compare(a.end_line, b.end_line);
  if (c == 0) c = compare(a.end_column, b.end_column);
  return c;
}
