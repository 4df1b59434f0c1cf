/* From paths on the command line to the files to look at. */
#ifndef SA_PROJECT_SELECT_H
#define SA_PROJECT_SELECT_H

#include "base/diag.h"

#include <stdbool.h>

typedef struct {
  const char *path;     /* relative to the root; absolute when it lies outside */
  const char *absolute; /* clean */
  bool named;           /* given by name, not found in a directory */
} sa_source;

typedef SA_ARRAY(sa_source) sa_source_array;

typedef struct {
  const char *cwd, *root;     /* absolute and clean */
  const char *const *exclude; /* globs, relative to `exclude_base` */
  uint32_t nexclude;
  const char *exclude_base;                              /* absolute; NULL: the root */
  bool (*excludes)(void *context, const char *absolute); /* likewise; NULL: nothing more */
  void *context;
} sa_select_options;

/* Fills `out` with every source among `paths` and below the directories in it: sorted by path, each
 * once. A path that does not exist is an error (SA_E_USAGE, after all paths were looked at). A
 * named file that is no source by its name, and a directory that cannot be read, give a warning. */
sa_status sa_select(sa_source_array *out, sa_arena *arena, sa_diag *diag,
                    const sa_select_options *options, const char *const *paths, uint32_t npaths);

/* "c", "cpp", "cuda", "hip", "python", "notebook", "ir" by the name, or "header" where the contents
 * decide; NULL: not a source that this tool reads. */
const char *sa_language_of_name(const char *path);

/* The endings of names of sources that are found in directories; NULL behind the last one. */
const char *sa_source_extension(uint32_t number);

/* The language of a file: by its name, and for headers by what they hold. */
const char *sa_language_of(const char *path, const char *text, size_t length);

#endif
