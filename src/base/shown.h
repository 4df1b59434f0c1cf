/* Text that others wrote (names of files, source lines, messages about them), made harmless for a
 * terminal or the log of a CI service before it is shown. */
#ifndef SA_BASE_SHOWN_H
#define SA_BASE_SHOWN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Whether a character steers a terminal or hides the order of what is shown: control characters
 * (tab and newline too) and marks of writing direction. */
bool sa_shown_is_control(uint32_t code);

/* Writes the text on one line: a newline as a blank, other controls as '?', broken UTF-8 as
 * U+FFFD. */
void sa_shown_text(FILE *out, const char *text);

/* A path at the start of a line, likewise. One that begins with ':' or '#' would read as a command
 * of the CI service that runs the tool, so it begins with "./" then. */
void sa_shown_path(FILE *out, const char *path);

#endif
