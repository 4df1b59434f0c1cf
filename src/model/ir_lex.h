/* Tokens of the IR's text form. A line ends a statement; `;` starts a comment. */
#ifndef SA_MODEL_IR_LEX_H
#define SA_MODEL_IR_LEX_H

#include "base/diag.h"
#include "model/source.h"

/* Numbers from here on are refused; SA_NO_INDEX lies above. */
#define SA_LEX_LIMIT UINT32_MAX

typedef enum {
  SA_LEX_END,
  SA_LEX_LINE,   /* one or more line ends */
  SA_LEX_WORD,   /* letters, digits, '_', '-': keywords, types, operations */
  SA_LEX_STRING, /* text is unescaped */
  SA_LEX_REG,    /* %N, number is set */
  SA_LEX_NUMBER,
  SA_LEX_RANGE, /* @..., range is set */
  SA_LEX_PUNCT, /* one of : = ! */
  SA_LEX_BAD    /* text says what is wrong */
} sa_lex_kind;

typedef struct {
  sa_lex_kind kind;
  unsigned line, column;
  const char *text; /* word, string, punctuation or complaint */
  uint32_t number;
  sa_range range;
} sa_lex_token;

typedef struct {
  sa_arena *arena;
  const char *at;         /* next byte */
  const char *line_start; /* for columns */
  unsigned line;
} sa_lexer;

sa_lex_token sa_lex_next(sa_lexer *lexer);

#endif
