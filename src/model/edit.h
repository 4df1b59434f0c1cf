/* Changes to one text: what an edit is, when two disagree, and the text after it. */
#ifndef SA_MODEL_EDIT_H
#define SA_MODEL_EDIT_H

#include "base/array.h"

#include <stdbool.h>

/* Bytes `begin` up to `end` are replaced by `text`; an empty range inserts. */
typedef struct {
  uint32_t begin, end;
  const char *text;
} sa_splice;

/* Invariant where nothing else is said: sorted by begin, no two overlap, no two are equal.
 * Insertions at one place stand in the order in which they were added. */
typedef SA_ARRAY(sa_splice) sa_splices;

/* Adds a splice in its place. An equal one that is there already counts as the same change. False,
 * and nothing is added, when it overlaps another one. */
bool sa_splices_add(sa_arena *arena, sa_splices *splices, sa_splice splice);

/* Adds all of `more`, or nothing when one of them overlaps. */
bool sa_splices_merge(sa_arena *arena, sa_splices *splices, const sa_splices *more);

/* The text after the changes, NUL-terminated, in `arena`. */
char *sa_splices_apply(sa_arena *arena, const char *text, size_t length, const sa_splices *splices,
                       size_t *new_length);

/* Where a byte of the text ends up; what is replaced goes to the beginning of its replacement. */
uint32_t sa_splices_map(const sa_splices *splices, uint32_t offset);

/* Line (from 1) and byte column (from 1) of an offset, and back; an offset or line past the end
 * gives the end. */
void sa_text_position(const char *text, size_t length, uint32_t offset, uint32_t *line,
                      uint32_t *column);
uint32_t sa_text_offset(const char *text, size_t length, uint32_t line, uint32_t column);

#endif
