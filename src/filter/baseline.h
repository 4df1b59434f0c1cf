/* Findings that were accepted before: a text file, one a line.
 *
 *   # sa-lint baseline 1
 *   SA101<tab>src/a.cpp<tab>function<tab>key<tab>reason
 *
 * Sorted by file, rule and key. No line numbers: an entry stays as long as its finding does. Other
 * lines that begin with # and empty lines mean nothing. */
#ifndef SA_FILTER_BASELINE_H
#define SA_FILTER_BASELINE_H

#include "model/finding.h"

#include <stdio.h>

typedef struct {
  const char *rule, *file, *function, *key;
  const char *reason; /* "" when nobody gave one */
  unsigned line;      /* in the baseline's file; 0: it is new */
  bool met;           /* its finding is there */
} sa_baseline_entry;

typedef struct {
  const char *name;                    /* of the file, in messages */
  SA_ARRAY(sa_baseline_entry) entries; /* sorted by key */
} sa_baseline;

/* What the run has looked at: files, and rules. */
typedef struct {
  const char *const *paths; /* sorted */
  uint32_t n;
  const char *root; /* a file that is not there counts as looked at; NULL: nobody looks */
  bool (*wants_rule)(const void *context, const char *rule, const char *file);
  const void *context;
} sa_seen;

/* Reads a baseline. What is wrong with it is SA_E_SYNTAX with its line. */
sa_status sa_baseline_read(sa_baseline *out, sa_arena *arena, sa_diag *diag, const char *name,
                           const char *text, size_t length);

/* Whether the finding, which has its key, is in the baseline. */
bool sa_baseline_has(const sa_baseline *baseline, const sa_finding *finding);

/* Takes the findings of the baseline out of result->findings, into result->suppressed with
 * `accepted` set, reports entries whose finding is gone although the run looked for it, and puts
 * these findings into result->absent. */
void sa_baseline_apply(sa_result *result, sa_arena *arena, sa_baseline *baseline,
                       const sa_seen *seen);

/* The baseline of all findings there are now, with the reasons of `old` (may be NULL), and with its
 * entries that the run had nothing to say about. */
void sa_baseline_renew(sa_baseline *out, sa_arena *arena, const sa_result *result,
                       const sa_baseline *old, const sa_seen *seen);

/* SA_E_IO when the stream failed. */
sa_status sa_baseline_write(FILE *out, const sa_baseline *baseline);

#endif
