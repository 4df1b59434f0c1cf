/* Saying what was read from the disk, and asking the disk again. */
#ifndef SA_FRONTEND_CLANG_READS_H
#define SA_FRONTEND_CLANG_READS_H

#include "base/fs.h"
#include "frontend/clang/internal.h"

#include <time.h>

enum { MAX_HEADER_BYTES = 512 * 1024 /* of one project header */ };

/* Reads a header of the project; one to which a link leads from outside `root` is as SPECIAL as a
 * device. */
sa_file_kind read_project_header(sa_buffer *buffer, const char *root, const char *path);

/* Each does nothing when `reads` is NULL. */
void note_file(sa_reads *reads, const char *path, sa_file_kind kind, const char *bytes,
               size_t length);
void note_existence(sa_reads *reads, const char *path, bool there);
/* `found`: the path, or NULL. */
void note_search(sa_reads *reads, const char *spelling, const char *includer, const char *found);

/* Which of `names` are there below which of `directories`, two lists with a newline behind each
 * entry; *newest becomes the latest time at which one of those that are there was changed. */
sa_hash128 answer_of_places(sa_arena *arena, const uint8_t *secret, const char *names,
                            const char *directories, struct timespec *newest);

/* inclusions.c: of a native parse that began at `begun` (the coarse clock, as files have it), in
 * which libclang itself opened the headers. */
void note_inclusions(lowering *lo, sa_reads *reads, const input *in, const struct timespec *begun);

void forget_answers(sa_clang *clang);

#endif
