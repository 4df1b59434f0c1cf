/* Tokens of C and its relatives, as far as statements need them. */
#ifndef SA_REWRITE_TOKENS_H
#define SA_REWRITE_TOKENS_H

#include "base/array.h"

#include <stdbool.h>

typedef struct {
  uint32_t begin, end;
  char kind;      /* 'w' word, '0' number, '"' string or character, else the punctuation itself */
  uint32_t match; /* bracket: the token that closes or opens it */
} sa_code_token;

typedef SA_ARRAY(sa_code_token) sa_code_tokens;

/* A piece of the text that does not count: a branch of #if. */
typedef struct {
  uint32_t begin, end;
} sa_text_gap;

typedef SA_ARRAY(sa_text_gap) sa_text_gaps;

/* Comments, directives and gaps are left out. Returns why brackets do not match, or NULL. */
const char *sa_tokens_read(sa_code_tokens *out, sa_arena *arena, const char *text, size_t length,
                           const sa_text_gaps *gaps);

/* The branches of #if other than the one that holds `focus` (or the first one). */
sa_text_gaps sa_tokens_branches(sa_arena *arena, const char *text, size_t length, uint32_t focus);

#endif
