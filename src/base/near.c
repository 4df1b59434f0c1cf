#include "base/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static int lower(char c) {
  return tolower((unsigned char)c);
}

/* Letters to insert, delete, replace or swap with a neighbour to make `b` of `a`. */
static unsigned distance(const char *a, const char *b) {
  unsigned rows[3][LONGEST + 1];
  size_t n = strlen(a), m = strlen(b);
  for (size_t j = 0; j <= m; j++) rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      unsigned other = lower(a[i - 1]) != lower(b[j - 1]);
      row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + other);
      bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                     lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = least(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

const char *sa_nearest(const char *word, const char *const *known, uint32_t n) {
  const char *best = NULL;
  size_t length = strlen(word);
  unsigned limit = length <= 3 ? 1 : 2;
  if (length > LONGEST) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (strlen(known[i]) > LONGEST) continue;
    unsigned d = distance(word, known[i]);
    if (d > limit || (best != NULL && d == limit)) continue;
    best = known[i];
    limit = d;
  }
  return best;
}
