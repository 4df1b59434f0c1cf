/* Words in comments that allow findings. */
#ifndef SA_FILTER_DIRECTIVE_H
#define SA_FILTER_DIRECTIVE_H

#include "filter/outline.h"

/* Where a directive applies; bits. */
enum { SA_ON_STATEMENT = 1, SA_ON_NEXT_LINE = 2, SA_ON_FUNCTION = 4 };

typedef struct {
  const char *name; /* a rule's id as it is written */
  uint32_t at;      /* byte in the text */
} sa_directive_rule;

typedef struct {
  uint32_t at;     /* byte where it begins */
  unsigned places; /* bits */
  SA_ARRAY(sa_directive_rule) rules;
  const char *until;  /* a date as it is written; "" when there is none */
  const char *reason; /* one line; "" when there is none */
  const char *flaw;   /* why it cannot be read; NULL when it can */
} sa_directive;

typedef SA_ARRAY(sa_directive) sa_directives;

/* Appends what comment number `index` says to us; a reason goes on in the comments that follow on
 * lines of their own. */
void sa_directives_read(sa_directives *out, sa_arena *arena, const sa_outline *outline,
                        uint32_t index);

/* Words of which every directive holds one; ends with NULL. */
const char *const *sa_directive_words(void);

/* Whether the text may hold a directive; a quick look that never misses one. */
bool sa_directives_likely(const char *text, size_t length);

/* Whether it is a date of the calendar, written 2027-01-31. */
bool sa_is_date(const char *text);

#endif
