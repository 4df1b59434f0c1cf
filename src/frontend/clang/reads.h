/* Saying what was read from the disk, and asking the disk again. */
#ifndef SA_FRONTEND_CLANG_READS_H
#define SA_FRONTEND_CLANG_READS_H

#include "base/fs.h"
#include "frontend/clang/internal.h"

enum { MAX_HEADER_BYTES = 512 * 1024 /* of one project header */ };

/* Each does nothing when `reads` is NULL. */
void note_file(sa_reads *reads, const char *path, sa_file_kind kind, const char *bytes,
               size_t length);
void note_existence(sa_reads *reads, const char *path, bool there);
/* `found`: the path, or NULL. */
void note_search(sa_reads *reads, const char *spelling, const char *includer, const char *found);

/* inclusions.c: of a native parse, in which libclang itself opens the headers. */
void note_inclusions(lowering *lo, sa_reads *reads, const input *in);

void forget_answers(sa_clang *clang);

#endif
