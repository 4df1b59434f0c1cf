#include "cli/filter.h"

#include <string.h>

static bool named(const sa_names *names, const char *rule) {
  for (uint32_t i = 0; i < names->n; i++)
    if (strncmp(rule, names->at[i], strlen(names->at[i])) == 0) return true;
  return false;
}

/* A configured level replaces the rule's own; what low confidence took off stays off. */
static void set_level(sa_finding *finding, const sa_level_setting *setting) {
  int lowered = (int)finding->rule->level - (int)finding->level;
  int level = (int)setting->level - (lowered > 0 ? lowered : 0);
  finding->level = level > SA_NOTE ? (sa_severity)level : SA_NOTE;
}

bool sa_filter_wants(const sa_options *options, const sa_config *config, const char *rule) {
  const sa_level_setting *setting = sa_config_level(config, rule);
  if (setting != NULL && setting->off) return false;
  return (options->select.n == 0 || named(&options->select, rule)) &&
         !named(&options->ignore, rule);
}

static void filter_findings(sa_result *result, const sa_options *options, const sa_config *config) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < result->findings.n; i++) {
    sa_finding finding = result->findings.at[i];
    const sa_level_setting *setting = sa_config_level(config, finding.rule->id);
    if (!sa_filter_wants(options, config, finding.rule->id)) continue;
    if (setting != NULL) set_level(&finding, setting);
    result->findings.at[n++] = finding;
  }
  result->findings.n = n;
}

static bool same(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Units that share a header or a database entry say the same; the first place is enough. */
static void drop_repeated(sa_message_array *messages) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < messages->n; i++) {
    const sa_message *m = &messages->at[i];
    bool repeated = false;
    for (uint32_t j = n; j-- > 0 && !repeated && same(messages->at[j].file, m->file);)
      repeated =
          messages->at[j].severity == m->severity && strcmp(messages->at[j].text, m->text) == 0;
    if (!repeated) messages->at[n++] = *m;
  }
  messages->n = n;
}

void sa_filter(sa_result *result, const sa_options *options, const sa_config *config) {
  filter_findings(result, options, config);
  sa_result_sort(result);
  drop_repeated(&result->messages);
}
