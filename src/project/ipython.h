/* What IPython adds to Python. */
#ifndef SA_PROJECT_IPYTHON_H
#define SA_PROJECT_IPYTHON_H

#include <stddef.h>

/* Turns one cell into plain Python of the same length, in place: lines of `%magic`, `!command` and
 * `name?` become `pass` and blanks, a cell in another language (`%%bash`) becomes blank, and of
 * `%time` and cells like `%%time` only the magic itself goes. */
void sa_ipython_blank(char *cell, size_t length);

#endif
