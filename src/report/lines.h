/* Source text for carets, snippets and fingerprints: files below the project root, read once, with
 * their lines found. A file that cannot be read simply has no lines; reports then show no excerpt.
 */
#ifndef SA_REPORT_LINES_H
#define SA_REPORT_LINES_H

#include "base/fs.h"
#include "base/json.h"

typedef struct sa_lines sa_lines; /* a small cache of files */

typedef struct {
  const char *name; /* as asked for */
  const char *text; /* NULL: not readable */
  size_t length;
  uint32_t *starts; /* byte offset of each line, and the length at the end */
  uint32_t nlines;
  char **fingerprints; /* of each line; NULL until sa_line_fingerprint() is called */
  sa_buffer buffer;
  sa_arena *arena;
} sa_file_lines;

typedef struct {
  const char *at; /* not terminated; NULL when there is no such line */
  size_t length;  /* without the line's end */
} sa_line;

/* `root` may be NULL: names are then relative to the working directory. Free with sa_lines_free().
 */
sa_lines *sa_lines_new(const char *root);
void sa_lines_free(sa_lines *lines);

/* The file of that name, read at most once while it stays among the last few asked for. The result
 * stays valid until eight other files were asked for; never NULL. */
sa_file_lines *sa_lines_of(sa_lines *lines, const char *name);

/* Line `number` (from 1) of the file. A byte-order mark counts as part of line 1. */
sa_line sa_lines_get(const sa_file_lines *file, uint32_t number);

/* The column in UTF-16 units, from 1, of the byte column `column` (from 1); a column past the end
 * of the line counts from the end of the line. */
uint32_t sa_lines_utf16_column(sa_line line, uint32_t column);

#endif
