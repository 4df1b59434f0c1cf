#include "report/summary.h"

#include <string.h>

const char *const SA_CATEGORIES[SA_CATEGORY_COUNT] = {"avoidable", "api-redesignable",
                                                      "hard-to-avoid", "unavoidable"};

bool sa_site_is_decision(const sa_site *site) {
  return strcmp(site->kind, "forwarding") != 0 && strcmp(site->kind, "implementation") != 0;
}

bool sa_place_known(sa_place place) {
  return place.file != NULL && place.file[0] != '\0' && place.line != 0;
}

sa_summary sa_summarise(const sa_result *result) {
  sa_summary sum = {.sites = result->sites.n};
  for (uint32_t i = 0; i < result->sites.n; i++) {
    const sa_site *site = &result->sites.at[i];
    bool decision = sa_site_is_decision(site);
    sum.analysed += site->analysed;
    sum.decisions += decision;
    sum.not_judged += decision && site->category == NULL && site->analysed;
    sum.not_analysed += decision && site->category == NULL && !site->analysed;
    for (int c = 0; site->category != NULL && c < SA_CATEGORY_COUNT; c++)
      sum.categories[c] += strcmp(site->category, SA_CATEGORIES[c]) == 0;
  }
  for (uint32_t i = 0; i < result->findings.n; i++) sum.levels[result->findings.at[i].level]++;
  return sum;
}
