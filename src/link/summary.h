/* What one unit tells the others: its functions that touch streams, events, blocks or handles, and
 * its classes, as IR text behind one line of version, tool, source and checksum. One file a unit;
 * the same unit gives the same bytes on every machine. docs/whole-program.md describes the form. */
#ifndef SA_LINK_SUMMARY_H
#define SA_LINK_SUMMARY_H

#include "model/ir.h"

enum { SA_SUMMARY_FORMAT = 1, SA_SUMMARY_LIMIT = 32 << 20 };

#define SA_SUMMARY_SUFFIX ".sasum"

typedef struct {
  const sa_ir_unit *unit; /* no sites, no tokens */
  uint64_t source;        /* hash of the source that it was made from */
  const char *file;       /* where it was read from, for messages */
} sa_summary;

/* The unit without what other units cannot use: sites, tokens, functions without effects, values
 * nobody reads, offsets, files outside the project. Lives in `arena`, may share strings with
 * `unit`. */
sa_ir_unit *sa_summary_prune(sa_arena *arena, const sa_ir_unit *unit);

/* The whole file, NUL-terminated. `tool` is the program's version, one word. */
char *sa_summary_print(sa_arena *arena, const sa_ir_unit *unit, uint64_t source, const char *tool);

/* Reads what sa_summary_print() wrote. Anything else (cut off, changed, of another version,
 * unsound, with places outside the project) is refused with one warning that names `name` and the
 * line; SA_E_SYNTAX. */
sa_status sa_summary_read(sa_summary *out, sa_arena *arena, sa_diag *diag, const char *name,
                          const char *text, size_t length, const char *tool);

/* Name of the file for a unit: a hash of its path, and the suffix. */
const char *sa_summary_name(sa_arena *arena, const char *unit_path);

/* Writes the file below `directory`, which exists, whole or not at all. A unit outside the project
 * root has no name that others could know: a warning, and nothing is written. */
sa_status sa_summary_write(sa_arena *arena, sa_diag *diag, const char *directory,
                           const sa_ir_unit *unit, uint64_t source, const char *tool);

#endif
