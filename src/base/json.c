/* One thread writes a report, so the stream needs no lock for each byte. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

sa_json sa_json_to(FILE *out) {
  return (sa_json){.out = out};
}

/* How many bytes a lead byte promises; 0: it cannot start a character. */
static size_t promised(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

/* Whether `next` may come second after `lead`: neither an overlong form nor a surrogate nor beyond
 * the last character. */
static bool may_follow(unsigned char lead, unsigned char next) {
  unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  return next >= least && next <= most;
}

size_t sa_utf8_next(const char *at, size_t left, uint32_t *code) {
  if (left == 0) return 0;
  const unsigned char *bytes = (const unsigned char *)at;
  size_t need = promised(bytes[0]);
  *code = need == 1 ? bytes[0] : 0xfffd;
  if (need < 2) return 1;
  uint32_t value = bytes[0] & (0xffu >> (need + 1));
  for (size_t i = 1; i < need; i++) {
    bool good = i < left && (i == 1 ? may_follow(bytes[0], bytes[1]) : (bytes[i] & 0xc0) == 0x80);
    if (!good) return i;
    value = value << 6 | (bytes[i] & 0x3fu);
  }
  *code = value;
  return need;
}

/* Bytes from `at` on that need no attention: printable ASCII without quote and backslash. */
static size_t plain_run(const char *at, size_t left) {
  size_t run = 0;
  while (run < left && at[run] >= ' ' && at[run] < 0x7f && at[run] != '"' && at[run] != '\\') run++;
  return run;
}

static void write_escaped(FILE *out, const char *at, size_t length) {
  static const char names[] = "btn?fr";
  putc_unlocked('"', out);
  for (size_t i = 0; i < length;) {
    uint32_t code = 0;
    size_t step = plain_run(at + i, length - i);
    if (step == 0) step = sa_utf8_next(at + i, length - i, &code);
    if (code == '"' || code == '\\')
      fprintf(out, "\\%c", (int)code);
    else if (code >= 8 && code <= 13 && code != 11)
      fprintf(out, "\\%c", names[code - 8]);
    else if (code == 0xfffd)
      fputs_unlocked("\xef\xbf\xbd", out);
    else if (step == 1 && (code < 0x20 || code == 0x7f) && plain_run(at + i, 1) == 0)
      fprintf(out, "\\u%04" PRIx32, code);
    else
      fwrite_unlocked(at + i, 1, step, out);
    i += step;
  }
  putc_unlocked('"', out);
}

/* Writes the comma and key that come before a value. */
static void before(sa_json *json, const char *key) {
  if (json->depth > 0) {
    assert((key != NULL) == (json->closers[json->depth - 1] == '}'));
    if (json->filled[json->depth - 1]) putc_unlocked(',', json->out);
    json->filled[json->depth - 1] = true;
  }
  if (key == NULL) return;
  write_escaped(json->out, key, strlen(key));
  putc_unlocked(':', json->out);
}

void sa_json_open(sa_json *json, const char *key, char bracket) {
  assert(json->depth < SA_JSON_DEPTH);
  before(json, key);
  putc_unlocked(bracket, json->out);
  json->closers[json->depth] = bracket == '{' ? '}' : ']';
  json->filled[json->depth++] = false;
}

void sa_json_close(sa_json *json) {
  assert(json->depth > 0);
  putc_unlocked(json->closers[--json->depth], json->out);
}

void sa_json_string(sa_json *json, const char *key, const char *text) {
  if (text == NULL)
    sa_json_null(json, key);
  else
    sa_json_text(json, key, text, strlen(text));
}

void sa_json_text(sa_json *json, const char *key, const char *at, size_t length) {
  before(json, key);
  write_escaped(json->out, at, length);
}

void sa_json_int(sa_json *json, const char *key, int64_t value) {
  before(json, key);
  char digits[24], *at = digits + sizeof digits;
  uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do *--at = (char)('0' + left % 10);
  while ((left /= 10) != 0);
  if (value < 0) *--at = '-';
  fwrite_unlocked(at, 1, (size_t)(digits + sizeof digits - at), json->out);
}

void sa_json_bool(sa_json *json, const char *key, bool value) {
  before(json, key);
  fputs_unlocked(value ? "true" : "false", json->out);
}

void sa_json_null(sa_json *json, const char *key) {
  before(json, key);
  fputs_unlocked("null", json->out);
}

sa_status sa_json_finish(sa_json *json) {
  assert(json->depth == 0);
  putc_unlocked('\n', json->out);
  return fflush(json->out) != 0 || ferror(json->out) ? SA_E_IO : SA_OK;
}

const char *sa_json_problem(sa_arena *arena, const char *said) {
  const char *quote = strstr(said, " near '");
  return quote != NULL ? sa_strndup(arena, said, (size_t)(quote - said)) : said;
}
