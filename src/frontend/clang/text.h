/* Source text as it is read without a compiler: names, lines, comments and quotes. Every function
 * takes `length` bytes and a place in them, and gives a place that is not beyond `length`. */
#ifndef SA_FRONTEND_CLANG_TEXT_H
#define SA_FRONTEND_CLANG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A letter, digit or underscore. */
bool is_name(char c);

size_t after_blanks(const char *text, size_t length, size_t at);

/* The newline that ends the line at `at`, spliced lines (a backslash before the end) included. */
size_t logical_line_end(const char *text, size_t length, size_t at);

/* Behind the comment that starts at `at`; of a line comment, its newline. */
size_t skip_comment(const char *text, size_t length, size_t at);

/* Behind the string or character that opens at `at`. A quote that is not closed in its line ends
 * with the line, or, for a lone apostrophe, at once. */
size_t skip_quoted(const char *text, size_t length, size_t at);

#endif
