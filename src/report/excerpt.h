/* Source lines under a message, as a terminal shows them. */
#ifndef SA_REPORT_EXCERPT_H
#define SA_REPORT_EXCERPT_H

#include "model/finding.h"
#include "report/lines.h"

#include <stdio.h>

/* The line of `place` with a caret line below; nothing when the file or the line is not there. */
void sa_put_excerpt(FILE *out, sa_lines *lines, sa_place place, bool colour);

#endif
