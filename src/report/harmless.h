/* Text of sources for programs that show it as they get it: on a terminal, in a log, in a comment.
 */
#ifndef SA_REPORT_HARMLESS_H
#define SA_REPORT_HARMLESS_H

#include "base/arena.h"

/* On one line, without characters that steer a terminal (base/shown.h). */
char *sa_harmless_text(sa_arena *arena, const char *text);
char *sa_harmless_path(sa_arena *arena, const char *path);

/* Likewise for what is read as Markdown: no tags, no links, nobody is mentioned. */
char *sa_harmless_markdown(sa_arena *arena, const char *text);

#endif
