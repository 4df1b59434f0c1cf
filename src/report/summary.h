/* What every format says alike: counts, and the order in which a limited reader should see
 * findings. */
#ifndef SA_REPORT_SUMMARY_H
#define SA_REPORT_SUMMARY_H

#include "model/finding.h"

enum { SA_CATEGORY_COUNT = 4 };

/* "avoidable", "api-redesignable", "hard-to-avoid", "unavoidable": the order of all counts. */
extern const char *const SA_CATEGORIES[SA_CATEGORY_COUNT];

typedef struct {
  uint32_t sites; /* all of them */
  uint32_t analysed;
  uint32_t decisions;    /* sites that are not forwarding helpers or implementations */
  uint32_t not_analysed; /* decisions without a verdict, for want of an analysis */
  uint32_t not_judged;   /* without a verdict on purpose: a test of the call itself */
  uint32_t categories[SA_CATEGORY_COUNT];
  uint32_t levels[3]; /* findings by sa_severity */
} sa_summary;

sa_summary sa_summarise(const sa_result *result);

/* Whether the site is a decision: a call that somebody could leave out. */
bool sa_site_is_decision(const sa_site *site);

/* Whether `place` names a line of a file. */
bool sa_place_known(sa_place place);

#endif
