#include "classify/internal.h"

#include <string.h>

static bool holds(const sa_condition *condition, const sa_site_facts *facts) {
  return (condition->words >> facts->facts[condition->fact].word & 1u) != 0;
}

static bool row_fits(const sa_verdict_row *row, const sa_site_facts *facts) {
  for (uint32_t i = 0; i < row->when.n; i++)
    if (!holds(&row->when.at[i], facts)) return false;
  return true;
}

const sa_verdict_row *sa_verdict_find(const sa_ruleset *rules, const sa_site_facts *facts) {
  for (uint32_t i = 0; i < rules->verdicts.n; i++)
    if (row_fits(&rules->verdicts.at[i], facts)) return &rules->verdicts.at[i];
  return NULL;
}

sa_site_facts sa_facts_configured(const sa_site_facts *facts, const sa_classify_options *options) {
  sa_site_facts out = *facts;
  if (options == NULL || options->stable_api == NULL) return out;
  int word = sa_fact_word_index(SA_FACT_surface, options->stable_api);
  if (word >= 0) out.facts[SA_FACT_surface].word = (uint8_t)word;
  return out;
}
