/* The prefilter over many files at once. */
#ifndef SA_PROJECT_SCAN_H
#define SA_PROJECT_SCAN_H

#include "project/prefilter.h"
#include "project/select.h"

typedef enum {
  SA_SCAN_SKIP,   /* nothing of interest in it */
  SA_SCAN_HIT,    /* holds a word, or is IR text */
  SA_SCAN_TROUBLE /* cannot be read as text; whoever reads it next says why */
} sa_scan_state;

/* A source larger than `SA_SCAN_LIMIT` is not even searched. */
enum { SA_SCAN_LIMIT = 256 << 20 };

/* Fills states[i] for every source, with that many threads. A binary file that was not named on the
 * command line is skipped. */
void sa_scan(uint8_t *states, const sa_source_array *sources, const sa_prefilter *filter,
             unsigned threads);

#endif
