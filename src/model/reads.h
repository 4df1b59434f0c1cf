/* What a frontend looked at on the disk while it read one file, as far as the result depends on it:
 * files, places where there was none, and searches. When all of it is as it was, so is the result.
 */
#ifndef SA_MODEL_READS_H
#define SA_MODEL_READS_H

#include "base/array.h"
#include "base/hash.h"

typedef enum {
  SA_READ_FILE,   /* the contents of the file `name`, or that there is no text to be had */
  SA_READ_EXISTS, /* whether there is anything at `name` */
  SA_READ_SEARCH, /* the project's header that the spelling `name`, included by `where`, leads to */
  SA_READ_PLACES, /* which of the spellings in `name` lie below which of the directories in `where`;
                     both lists with a newline behind each entry */
  SA_READ_HEADER, /* the contents of the file `name`, of any size and kind */
  SA_READ_FLAGS,  /* where libclang looks for headers with the arguments in `name`, a newline behind
                     each */
  SA_READ_MODULE, /* where the file `name` of a Python module lies without links, and its text */
  SA_READ_KINDS
} sa_read_kind;

typedef struct {
  sa_read_kind kind;
  const char *name, *where;
  sa_hash128 answer;
} sa_read;

/* The frontend adds, its caller provides. */
typedef struct {
  sa_arena *arena;
  const uint8_t *secret; /* for every hash in `rows` */
  SA_ARRAY(sa_read) rows;
  bool open; /* something was read that no row describes: nobody can tell whether it changed */
} sa_reads;

/* Appends a row; its strings are copied. Does nothing when `reads` is NULL. */
void sa_reads_add(sa_reads *reads, sa_read_kind kind, const char *name, const char *where,
                  sa_hash128 answer);

/* Sorts the rows and drops repetitions. Two answers to one question mean that the disk changed in
 * the meantime: sets `open`. */
void sa_reads_settle(sa_reads *reads);

#endif
