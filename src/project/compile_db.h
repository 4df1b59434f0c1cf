/* compile_commands.json. */
#ifndef SA_PROJECT_COMPILE_DB_H
#define SA_PROJECT_COMPILE_DB_H

#include "project/flags.h"

typedef struct {
  const char *file;      /* absolute, clean, without links where the file exists */
  const char *directory; /* absolute: where the compiler ran */
  bool usable;           /* the directory exists */
  const char *command;   /* one text, or NULL when there are `arguments` */
  sa_words arguments;
  unsigned line, column; /* of the entry */
} sa_db_entry;

typedef struct {
  const char *path;  /* absolute */
  const char *shown; /* relative to the root where it lies inside: the name in messages */
  const char *root;
  SA_ARRAY(sa_db_entry) entries; /* sorted by file, one for each: the first in the database */
} sa_compile_db;

/* Reads the database `path` (absolute), a file or a directory that holds one. Everything lives in
 * `arena`. SA_E_IO when it cannot be read, SA_E_SYNTAX with line and column when it is not JSON or
 * an entry is not as it should be; then *out is NULL. A working directory that is missing gives one
 * warning.
 */
sa_status sa_compile_db_load(sa_compile_db **out, sa_arena *arena, sa_diag *diag, const char *path,
                             const char *root);

/* The entry of that file (absolute, clean, without links), or NULL. */
const sa_db_entry *sa_compile_db_find(const sa_compile_db *db, const char *file);

/* The entry's flags, cleaned (see sa_flags_clean()). */
void sa_compile_db_command(sa_command *out, sa_arena *arena, sa_diag *diag, const sa_compile_db *db,
                           const sa_db_entry *entry);

#endif
