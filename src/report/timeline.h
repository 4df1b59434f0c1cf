/* A timeline as plain ASCII: one column a stream, time downwards, at most 100 columns wide. */
#ifndef SA_REPORT_TIMELINE_H
#define SA_REPORT_TIMELINE_H

#include "model/account.h"

#include <stdio.h>

enum { SA_TIMELINE_WIDTH = 100 };

/* `line` is marked in the margin. Writes nothing when no stream is known. */
void sa_timeline_write(FILE *out, const sa_timeline *timeline, uint32_t line);

#endif
