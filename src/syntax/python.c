#include "syntax/python.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { MAX_JOINED = 1000 };

/* What the parser may ask of the allocator, in bytes: sources that people wrote take up to 100 for
 * each of theirs. See spent(). */
enum { WORK_FREE = 64 << 20, WORK_PER_BYTE = 1024 };

/* The work of this thread's parse. tree-sitter reads `stop` every hundred actions. */
static _Thread_local struct {
  uint64_t left;
  size_t stop;
} work;

/* After an error the parser copies all that it has skipped so far, at each of the next errors: a
 * long run of them costs the square of its length, and each copy is asked of the allocator. So the
 * bytes that were asked for, freed or not, measure the work. */
static void spent(uint64_t bytes) {
  work.left = bytes < work.left ? work.left - bytes : 0;
  if (work.left == 0) work.stop = 1;
}

static void *of_memory(void *memory, size_t size) {
  if (memory == NULL && size > 0) sa_out_of_memory();
  return memory;
}

static void *counted_malloc(size_t size) {
  spent(size);
  return of_memory(malloc(size), size);
}

static void *counted_calloc(size_t n, size_t size) {
  spent((uint64_t)n * size);
  return of_memory(calloc(n, size), n * size);
}

static void *counted_realloc(void *old, size_t size) {
  spent(size);
  return of_memory(realloc(old, size), size);
}

/* Whether more lines than anybody writes hold a backslash and nothing else, one after the other:
 * the grammar's scanner looks through all of them again for each. */
static bool joins_too_many(const char *text, size_t length) {
  unsigned joined = 0;
  for (size_t i = 0; i < length && joined <= MAX_JOINED; i++) {
    char c = text[i];
    if (c == '\\')
      joined++;
    else if (strchr(" \t\r\n\f", c) == NULL || c == '\0')
      joined = 0;
  }
  return joined > MAX_JOINED;
}

static void count_allocations(void) {
  ts_set_allocator(counted_malloc, counted_calloc, counted_realloc, free);
}

static TSTree *parse(const char *text, size_t length) {
  static once_flag counting = ONCE_FLAG_INIT;
  call_once(&counting, count_allocations);
  work.left = WORK_FREE + WORK_PER_BYTE * (uint64_t)length;
  work.stop = 0;
  TSParser *parser = ts_parser_new();
  ts_parser_set_cancellation_flag(parser, &work.stop);
  TSTree *tree = ts_parser_set_language(parser, tree_sitter_python())
                     ? ts_parser_parse_string(parser, NULL, text, (uint32_t)length)
                     : NULL;
  ts_parser_delete(parser);
  return tree;
}

TSTree *sa_python_tree(const char *text, size_t length, const char **why) {
  TSTree *tree = NULL;
  *why = NULL;
  if (length > UINT32_MAX / 2)
    *why = "it is too long";
  else if (joins_too_many(text, length))
    *why = "too many lines with a backslash alone follow each other";
  else if ((tree = parse(text, length)) == NULL)
    *why = "it has too many syntax errors in a row";
  return tree;
}
