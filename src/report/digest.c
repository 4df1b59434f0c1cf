#include "report/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t ROUND_KEYS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n) {
  return x >> n | x << (32 - n);
}

static void schedule(uint32_t words[64], const unsigned char *block) {
  for (int i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = words[i - 15], b = words[i - 2];
    uint32_t s0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3;
    uint32_t s1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10;
    words[i] = words[i - 16] + s0 + words[i - 7] + s1;
  }
}

static void compress(uint32_t state[8], const unsigned char *block) {
  uint32_t words[64], s[8];
  schedule(words, block);
  memcpy(s, state, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t s1 = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
    uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t t1 = s[7] + s1 + choice + ROUND_KEYS[i] + words[i];
    uint32_t s0 = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
    uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t1;
    s[0] = t1 + s0 + majority;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

void sa_sha256_hex(char out[65], const char *data, size_t length) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const unsigned char *bytes = (const unsigned char *)data;
  size_t done = 0;
  for (; length - done >= 64; done += 64) compress(state, bytes + done);
  unsigned char tail[128] = {0};
  size_t rest = length - done, padded = rest < 56 ? 64 : 128;
  if (rest > 0) memcpy(tail, bytes + done, rest);
  tail[rest] = 0x80;
  for (int i = 0; i < 8; i++) tail[padded - 1 - i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
  for (size_t i = 0; i < padded; i += 64) compress(state, tail + i);
  for (int i = 0; i < 8; i++) snprintf(out + 8 * i, 9, "%08" PRIx32, state[i]);
}

/* The line hash: a rolling hash (base 37, modulo 2^64) over a window of 100 UTF-16 units that
 * starts at the line; blanks and tabs are dropped, every line end is one LF, 65535 marks the end.
 */
enum { WINDOW = 100, END_OF_FILE = 65535 };

typedef struct {
  uint64_t hash, first_power; /* 37 to the power of WINDOW */
  uint32_t window[WINDOW];
  uint32_t lines[WINDOW]; /* the line that starts at this unit; 0: none */
  uint32_t index, line;
  bool line_start, after_cr;
  uint64_t *out;
} roller;

static void push_unit(roller *r, uint32_t unit) {
  uint32_t oldest = r->window[r->index];
  r->window[r->index] = unit;
  r->hash = r->hash * 37 + unit - r->first_power * oldest;
  r->index = (r->index + 1) % WINDOW;
}

static void emit_due(roller *r) {
  uint32_t line = r->lines[r->index];
  if (line != 0) r->out[line - 1] = r->hash;
  r->lines[r->index] = 0;
}

static void add_unit(roller *r, uint32_t unit) {
  bool lf_of_crlf = r->after_cr && unit == '\n';
  r->after_cr = unit == '\r';
  if (unit == ' ' || unit == '\t' || lf_of_crlf) {
    r->after_cr = false;
    return;
  }
  if (unit == '\r') unit = '\n';
  emit_due(r);
  if (r->line_start) r->lines[r->index] = ++r->line;
  r->line_start = unit == '\n';
  push_unit(r, unit);
}

static void roll_file(roller *r, const sa_file_lines *file) {
  uint32_t code = 0;
  for (size_t i = 0, step; i < file->length; i += step) {
    step = sa_utf8_next(file->text + i, file->length - i, &code);
    if (code >= 0x10000) add_unit(r, 0xd7c0 + (code >> 10));
    add_unit(r, code >= 0x10000 ? 0xdc00 + (code & 0x3ff) : code);
  }
  add_unit(r, END_OF_FILE);
  for (int i = 0; i < WINDOW; i++) {
    emit_due(r);
    push_unit(r, 0);
  }
}

typedef struct {
  uint64_t hash;
  uint32_t line;
} line_hash;

static int by_hash_then_line(const void *a, const void *b) {
  const line_hash *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static void name_hashes(sa_file_lines *file, const uint64_t *hashes) {
  line_hash *sorted = sa_alloc(file->arena, file->nlines * sizeof *sorted);
  for (uint32_t i = 0; i < file->nlines; i++) sorted[i] = (line_hash){hashes[i], i};
  qsort(sorted, file->nlines, sizeof *sorted, by_hash_then_line);
  file->fingerprints = sa_alloc(file->arena, file->nlines * sizeof *file->fingerprints);
  uint32_t count = 0;
  for (uint32_t i = 0; i < file->nlines; i++) {
    count = i > 0 && sorted[i].hash == sorted[i - 1].hash ? count + 1 : 1;
    file->fingerprints[sorted[i].line] =
        sa_printf(file->arena, "%" PRIx64 ":%" PRIu32, sorted[i].hash, count);
  }
}

const char *sa_line_fingerprint(sa_file_lines *file, uint32_t number) {
  if (file->text == NULL || number == 0 || number > file->nlines) return NULL;
  if (file->fingerprints == NULL) {
    roller *r = sa_alloc(file->arena, sizeof *r);
    r->line_start = true;
    r->first_power = 1;
    for (int i = 0; i < WINDOW; i++) r->first_power *= 37;
    r->out = sa_alloc(file->arena, file->nlines * sizeof *r->out);
    roll_file(r, file);
    name_hashes(file, r->out);
  }
  return file->fingerprints[number - 1];
}
