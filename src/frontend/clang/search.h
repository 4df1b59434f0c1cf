/* Where libclang looks for headers, as it says itself when it is asked with -v. */
#ifndef SA_FRONTEND_CLANG_SEARCH_H
#define SA_FRONTEND_CLANG_SEARCH_H

#include "frontend/clang/library.h"

typedef struct {
  const char *told;                   /* all that it said */
  SA_ARRAY(const char *) directories; /* absolute, in order */
  const char *list;                   /* the same, with a newline behind each */
} sa_search;

/* The arguments that decide about the search, with a newline behind each: all but the files that
 * are included before the first line. */
const char *sa_search_flags(sa_arena *arena, const char *const *args, uint32_t n);

/* Parses an empty file with `flags` and reads what libclang says on standard error meanwhile. False
 * when that is not understood, or when the search is not one of directories alone. */
bool sa_search_ask(sa_search *out, const sa_clang *clang, sa_arena *arena, const char *flags);

#endif
