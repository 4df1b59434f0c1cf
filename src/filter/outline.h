/* Comments and statements of a source by its text alone: no parse, so broken sources have them too.
 */
#ifndef SA_FILTER_OUTLINE_H
#define SA_FILTER_OUTLINE_H

#include "base/array.h"

#include <stdbool.h>

typedef struct {
  uint32_t begin, end;     /* bytes, with the marks of the comment */
  uint32_t line, end_line; /* from 1 */
  uint32_t code;           /* the first byte of code behind it, or the length of the text */
  bool alone;              /* no code on its lines */
} sa_comment;

/* A bracket, the end of a statement, or the border of a preprocessor directive. */
typedef struct {
  uint32_t at;
  char kind;        /* one of ;{}()[] */
  uint32_t around;  /* mark of the bracket around it; SA_NO_MARK: none */
  uint32_t partner; /* of a bracket; SA_NO_MARK: it has none */
  bool inner;       /* of a bracket: what is inside belongs to the statement around */
  bool goes_on;     /* of a brace: the statement goes on behind it, as behind a lambda's body */
} sa_mark;

#define SA_NO_MARK UINT32_MAX

typedef struct {
  sa_arena *arena;
  const char *text;
  uint32_t length;
  SA_ARRAY(uint32_t) starts;     /* where each line begins */
  SA_ARRAY(sa_comment) comments; /* in order */
  SA_ARRAY(sa_mark) marks;       /* in order */
} sa_outline;

/* Bytes from the first to the last of a statement, or of the head of a compound one. */
typedef struct {
  uint32_t begin, end;
} sa_extent;

/* Reads the text of a language (Python has comments and statements of its own; all others are read
 * as C). `text` must outlive the outline; it is at most 1 GiB long. */
sa_outline *sa_outline_of(sa_arena *arena, const char *language, const char *text, size_t length);

/* The statement around the byte `at`. In brackets it is the statement that the brackets belong to;
 * in a lambda's body it is the one in the body. */
sa_extent sa_outline_statement(const sa_outline *outline, uint32_t at);

/* Of that statement what comes before its first block: the head of a function or class. */
sa_extent sa_outline_head(const sa_outline *outline, uint32_t at);

/* The first byte of code from `at` on; the length of the text when there is none. */
uint32_t sa_outline_code_from(const sa_outline *outline, uint32_t at);

/* The line of a byte, and the byte of a place; a place outside of the text is its end. */
uint32_t sa_outline_line(const sa_outline *outline, uint32_t at);
uint32_t sa_outline_offset(const sa_outline *outline, uint32_t line, uint32_t column);

#endif
