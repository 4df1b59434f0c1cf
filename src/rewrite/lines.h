/* Where lines begin and end around statements. */
#ifndef SA_REWRITE_LINES_H
#define SA_REWRITE_LINES_H

#include "rewrite/shape.h"

/* A blank that ends no line. */
bool sa_is_blank(char c);

/* The first byte of the line that `at` stands in. */
uint32_t sa_line_start(const sa_shape *shape, uint32_t at);
/* The byte behind the end of that line. */
uint32_t sa_line_next(const sa_shape *shape, uint32_t at);
/* "\r\n" or "\n", as the text's first line has it. */
const char *sa_line_end(const sa_shape *shape);

/* Whether the statement that begins at `at` has nothing before it on its line. */
bool sa_line_begins_at(const sa_shape *shape, uint32_t at);
/* Whether nothing but blanks, a comment and, where that parts statements, a `;` follows on the
 * line. */
bool sa_line_ends_at(const sa_shape *shape, uint32_t at);
/* Whether the line that begins at `at` is empty; the text's end is no line. */
bool sa_line_is_empty(const sa_shape *shape, uint32_t at);
/* Whether the line that begins at `at` holds a Python comment and nothing else. */
bool sa_line_is_comment(const sa_shape *shape, uint32_t at);
/* The blanks that the line of `at` begins with: how many bytes. */
uint32_t sa_line_indent(const sa_shape *shape, uint32_t at);

#endif
