/* The summaries of a program, found by what they define, call and declare. Read-only once loaded.
 */
#ifndef SA_LINK_SUMMARIES_H
#define SA_LINK_SUMMARIES_H

#include "link/summary.h"

/* One function of one summary under the name by which others look for it. */
typedef struct {
  const char *name;
  uint32_t count; /* parameters or arguments, `this` included; 0 where only the name counts */
  uint32_t unit, func;
} sa_link_entry;

typedef SA_ARRAY(sa_link_entry) sa_link_entries;

typedef struct {
  SA_ARRAY(sa_summary) units; /* by path, each once */
  /* Sorted by name, count, unit, function. */
  sa_link_entries definitions; /* functions that other units can call */
  sa_link_entries calls;       /* named functions with a call of something not in their unit */
  sa_link_entries methods;     /* by class */
  sa_link_entries classes;     /* by the last component of the name; func is the class's index */
  sa_link_entries bases;       /* the same for what classes derive from */
} sa_summaries;

/* Reads every summary below the directories. A directory that is not there is an error, SA_E_USAGE;
 * a file that is no sound summary is a warning, and left out. Of several for one unit the first in
 * the order of the directories counts; when they differ, a warning says so. */
sa_status sa_summaries_load(sa_summaries **out, sa_arena *arena, sa_diag *diag,
                            const char *const *directories, uint32_t n, const char *tool);

/* Takes summaries that were read already; `units` need not be sorted. */
sa_summaries *sa_summaries_of(sa_arena *arena, const sa_summary *units, uint32_t n);

/* The summary of the unit of that path, or NULL. */
const sa_summary *sa_summaries_find(const sa_summaries *all, const char *path);

/* Last components of the names of functions that are given a stream and record: a source that calls
 * one may have something to report without spelling the API. */
typedef SA_ARRAY(const char *) sa_link_names;
sa_link_names sa_summaries_recorders(sa_arena *arena, const sa_summaries *all);

/* The entries under a name and count: *first up to the result, which is *first when there is none.
 */
uint32_t sa_link_find(const sa_link_entries *in, const char *name, uint32_t count, uint32_t *first);

#endif
