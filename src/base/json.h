/* Writing JSON as a stream: constant memory, keys in the order of the calls, compact text.
 *
 *   sa_json json = sa_json_to(stdout);
 *   sa_json_open(&json, NULL, '{');
 *   sa_json_string(&json, "name", "value");
 *   sa_json_open(&json, "list", '[');
 *   sa_json_int(&json, NULL, 1);
 *   sa_json_close(&json);
 *   sa_json_close(&json);
 *   sa_status status = sa_json_finish(&json);
 *
 * `key` is given inside an object and NULL inside an array or at the top. Strings may hold any
 * bytes: what is not valid UTF-8 is written as U+FFFD, so the text is always valid JSON. */
#ifndef SA_BASE_JSON_H
#define SA_BASE_JSON_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SA_JSON_DEPTH = 32 };

typedef struct {
  FILE *out;
  uint32_t depth;
  char closers[SA_JSON_DEPTH]; /* what ends each open value */
  bool filled[SA_JSON_DEPTH];  /* whether it has an element already */
} sa_json;

sa_json sa_json_to(FILE *out);

/* Opens an object ('{') or array ('['); at most SA_JSON_DEPTH may be open. */
void sa_json_open(sa_json *json, const char *key, char bracket);
void sa_json_close(sa_json *json);

/* NULL is written as null. */
void sa_json_string(sa_json *json, const char *key, const char *text);
/* `length` bytes, which may hold NUL. */
void sa_json_text(sa_json *json, const char *key, const char *at, size_t length);
void sa_json_int(sa_json *json, const char *key, int64_t value);
void sa_json_bool(sa_json *json, const char *key, bool value);
void sa_json_null(sa_json *json, const char *key);

/* Ends the text with a newline and flushes. Everything must be closed. SA_E_IO when any write
 * failed; errno says why. */
sa_status sa_json_finish(sa_json *json);

/* What a reader of JSON says is wrong, without the words of the text that it quotes: a link may
 * have led to a file that is nobody's business. */
const char *sa_json_problem(sa_arena *arena, const char *said);

/* Decodes one character of at most `left` bytes; returns the bytes it takes, 0 at the end. What is
 * not valid UTF-8 gives U+FFFD: one for each longest beginning of a character, as the web's
 * decoders do.
 */
size_t sa_utf8_next(const char *at, size_t left, uint32_t *code);

#endif
