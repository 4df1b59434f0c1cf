/* The prefilter over many files at once. */
#ifndef SA_PROJECT_SCAN_H
#define SA_PROJECT_SCAN_H

#include "project/prefilter.h"
#include "project/select.h"

typedef enum {
  SA_SCAN_SKIP,   /* nothing of interest in it */
  SA_SCAN_HIT,    /* holds a word, or is IR text */
  SA_SCAN_REMARK, /* nothing to analyse, but a comment that concerns this tool */
  SA_SCAN_BINARY, /* nobody named it, it is no text, and holds a word all the same */
  SA_SCAN_TROUBLE /* cannot be read as text; whoever reads it next says why */
} sa_scan_state;

/* A source larger than `SA_SCAN_LIMIT` is not even searched. */
enum { SA_SCAN_LIMIT = 256 << 20 };

typedef struct {
  const sa_prefilter *words;  /* what makes a source in C or one of its relatives interesting */
  const sa_prefilter *python; /* the same for Python, notebooks too */
  const sa_prefilter *texts;  /* what stands in a Python source that holds one in C++ */
  const sa_prefilter *all;    /* all words of these, and those of comments that concern this tool */
  bool (*remarks)(const char *text, size_t length); /* a closer look at a text with these only */
} sa_scan_filter;

/* Fills states[i] for every source, with that many threads. A binary file that was not named on the
 * command line is skipped, or BINARY. */
void sa_scan(uint8_t *states, const sa_source_array *sources, const sa_scan_filter *filter,
             unsigned threads);

#endif
