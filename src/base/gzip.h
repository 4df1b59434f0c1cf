/* How large a text is after gzip, without keeping it: uploads are limited by that. */
#ifndef SA_BASE_GZIP_H
#define SA_BASE_GZIP_H

#include <stdint.h>
#include <stdio.h>

/* Writes a text with every `step`-th of the `n` first elements of something; may be called several
 * times. */
typedef void (*sa_gzip_writer)(void *context, FILE *out, uint32_t n, uint32_t step);

/* How many elements, `n` or fewer, a text may have to take at most `limit` bytes after gzip at its
 * usual level. Fewer than would go, by a few in a hundred; 0 also when the text without any is too
 * large. A text of which a thousand elements promise half the limit is not looked at any closer.
 * Needs constant memory. */
uint32_t sa_gzip_fit(uint32_t n, uint64_t limit, sa_gzip_writer write, void *context);

#endif
