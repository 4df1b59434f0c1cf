/* Wu and Manber's search for several words: a table over hashed pairs of bytes says how far the
 * window may leap; only a pair that ends some word's window (shift 0) is looked at more closely. */
#include "project/prefilter.h"

#include <string.h>

enum { PAIRS = 4096, MAX_WINDOW = 255 };

typedef struct {
  const char *text;
  size_t length;
  uint32_t next; /* the next word whose window ends in the same pair; number + 1, 0 at the end */
} word;

struct sa_prefilter {
  word *words;
  uint32_t nwords;
  size_t window;         /* length of the shortest word; 0: everything hits */
  uint8_t shift[PAIRS];  /* how far the window may move when it ends in this pair */
  uint32_t first[PAIRS]; /* words by the pair that ends their window; number + 1 */
};

static uint32_t pair_at(const char *at) {
  return ((uint32_t)(unsigned char)at[0] << 5 ^ (unsigned char)at[1]) % PAIRS;
}

sa_prefilter *sa_prefilter_new(sa_arena *arena, const char *const *words, uint32_t n) {
  sa_prefilter *f = sa_alloc(arena, sizeof *f);
  f->words = sa_alloc(arena, n * sizeof *f->words);
  f->nwords = n;
  f->window = n > 0 ? MAX_WINDOW : 0;
  for (uint32_t i = 0; i < n; i++) {
    f->words[i] = (word){words[i], strlen(words[i]), 0};
    if (f->words[i].length < f->window) f->window = f->words[i].length;
  }
  if (f->window < 2) {
    f->window = 0;
    return f;
  }
  memset(f->shift, (int)f->window - 1, sizeof f->shift);
  for (uint32_t i = 0; i < n; i++) {
    for (size_t j = 0; j + 2 <= f->window; j++) {
      uint8_t *shift = &f->shift[pair_at(words[i] + j)];
      size_t left = f->window - 2 - j;
      if (left < *shift) *shift = (uint8_t)left;
    }
    uint32_t *first = &f->first[pair_at(words[i] + f->window - 2)];
    f->words[i].next = *first;
    *first = i + 1;
  }
  return f;
}

static bool any_word_at(const sa_prefilter *f, uint32_t pair, const char *at, size_t left) {
  for (uint32_t i = f->first[pair]; i != 0; i = f->words[i - 1].next) {
    const word *w = &f->words[i - 1];
    if (w->length <= left && memcmp(at, w->text, w->length) == 0) return true;
  }
  return false;
}

bool sa_prefilter_hits(const sa_prefilter *f, const char *text, size_t length) {
  if (f->window == 0) return f->nwords > 0;
  for (size_t end = f->window; end <= length;) {
    uint32_t pair = pair_at(text + end - 2);
    size_t shift = f->shift[pair];
    if (shift == 0) {
      size_t start = end - f->window;
      if (any_word_at(f, pair, text + start, length - start)) return true;
      shift = 1;
    }
    end += shift;
  }
  return false;
}
