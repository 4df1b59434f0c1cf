#include "filter/filter.h"

#include "base/path.h"
#include "filter/hygiene.h"
#include "model/key.h"

#include <string.h>

static bool named(const char *const *names, uint32_t n, const char *rule) {
  for (uint32_t i = 0; i < n; i++)
    if (strncmp(rule, names[i], strlen(names[i])) == 0) return true;
  return false;
}

/* The policy that a file obeys, or NULL. */
static const sa_policy *policy_of(const sa_filter_options *o, const char *file) {
  const sa_policy *best = NULL;
  size_t depth = 0;
  for (uint32_t i = 0; i < o->npolicies; i++) {
    const char *directory = o->policies[i].directory;
    bool everywhere = directory == NULL || strcmp(directory, ".") == 0;
    size_t length = everywhere ? 0 : strlen(directory);
    if (!everywhere && (file == NULL || sa_path_inside(directory, file) == NULL)) continue;
    if (best != NULL && length < depth) continue;
    best = &o->policies[i];
    depth = length;
  }
  return best;
}

static bool setting_fits(const sa_level_setting *setting, const sa_policy *policy, const char *rule,
                         const char *file) {
  if (strncmp(rule, setting->rule, strlen(setting->rule)) != 0) return false;
  if (setting->paths.n == 0) return true;
  bool below = file != NULL && strcmp(policy->base, ".") != 0;
  const char *path = below ? sa_path_inside(policy->base, file) : file;
  for (uint32_t i = 0; path != NULL && i < setting->paths.n; i++)
    if (sa_path_matches(setting->paths.at[i], path)) return true;
  return false;
}

const sa_level_setting *sa_filter_setting(const sa_filter_options *o, const char *rule,
                                          const char *file) {
  const sa_policy *policy = policy_of(o, file);
  for (uint32_t i = policy != NULL ? policy->nlevels : 0; i-- > 0;)
    if (setting_fits(&policy->levels[i], policy, rule, file)) return &policy->levels[i];
  return NULL;
}

/* A configured level replaces the rule's own; what low confidence took off stays off. */
static void set_level(sa_finding *finding, const sa_level_setting *setting) {
  int lowered = (int)finding->rule->level - (int)finding->level;
  int level = (int)setting->level - (lowered > 0 ? lowered : 0);
  finding->level = level > SA_NOTE ? (sa_severity)level : SA_NOTE;
}

static bool rule_is_on(const sa_filter_options *o, const char *rule, const char *file) {
  const sa_level_setting *setting = sa_filter_setting(o, rule, file);
  if (o->nselect > 0 && !named(o->select, o->nselect, rule)) return false;
  return !named(o->ignore, o->nignore, rule) && (setting == NULL || !setting->off);
}

/* Whether the finding or a step of its evidence stands on a changed line. */
static bool is_touched(const sa_finding *finding, const sa_changes *changes) {
  if (sa_changes_touch(changes, finding->at.file, finding->at.line, finding->at.end_line))
    return true;
  for (uint32_t i = 0; i < finding->evidence.n; i++) {
    sa_place at = finding->evidence.at[i].at;
    if (sa_changes_touch(changes, at.file, at.line, at.end_line)) return true;
  }
  return false;
}

/* Dates of the form 2027-01-31 are in order as texts. */
static bool has_expired(const sa_suppression *s, const sa_filter_options *o) {
  return s->until[0] != '\0' && strcmp(s->until, o->today) < 0;
}

bool sa_filter_wants(const sa_filter_options *o, const sa_finding *finding) {
  const sa_suppression *by = finding->suppression;
  if ((by != NULL && !has_expired(by, o)) || !rule_is_on(o, finding->rule->id, finding->at.file))
    return false;
  if (o->baseline != NULL && sa_baseline_has(o->baseline, finding)) return false;
  return o->changes == NULL || is_touched(finding, o->changes);
}

static bool wants_rule(const void *context, const char *rule, const char *file) {
  return rule_is_on(context, rule, file);
}

static void count_suppressed(sa_result *result, const sa_finding *finding, int more) {
  uint32_t *count = finding->suppression != NULL ? &result->allowed : &result->baselined;
  *count += (uint32_t)more;
}

/* Merged reports bring findings that were suppressed before. */
static void drop_unwanted_suppressed(sa_result *result, const sa_filter_options *o) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < result->suppressed.n; i++) {
    const sa_finding *finding = &result->suppressed.at[i];
    if (rule_is_on(o, finding->rule->id, finding->at.file))
      result->suppressed.at[n++] = *finding;
    else
      count_suppressed(result, finding, -1);
  }
  result->suppressed.n = n;
}

static void drop_unwanted(sa_result *result, sa_arena *arena, const sa_filter_options *o) {
  uint32_t n = 0;
  drop_unwanted_suppressed(result, o);
  for (uint32_t i = 0; i < result->findings.n; i++) {
    sa_finding finding = result->findings.at[i];
    const sa_level_setting *setting = sa_filter_setting(o, finding.rule->id, finding.at.file);
    if (!rule_is_on(o, finding.rule->id, finding.at.file)) continue;
    if (setting != NULL) set_level(&finding, setting);
    if (finding.suppression == NULL || o->keep_suppressed) {
      result->findings.at[n++] = finding;
      continue;
    }
    count_suppressed(result, &finding, 1);
    sa_push(arena, &result->suppressed, finding);
  }
  result->findings.n = n;
}

static void drop_unchanged(sa_result *result, const sa_changes *changes) {
  uint32_t n = 0, suppressed = 0;
  for (uint32_t i = 0; i < result->findings.n; i++)
    if (is_touched(&result->findings.at[i], changes))
      result->findings.at[n++] = result->findings.at[i];
  for (uint32_t i = 0; i < result->suppressed.n; i++)
    if (is_touched(&result->suppressed.at[i], changes))
      result->suppressed.at[suppressed++] = result->suppressed.at[i];
    else
      count_suppressed(result, &result->suppressed.at[i], -1);
  result->has_changes = true;
  result->unchanged = result->findings.n - n;
  result->findings.n = n;
  result->suppressed.n = suppressed;
}

static void compare_with_baseline(sa_result *result, sa_arena *arena, const sa_filter_options *o) {
  sa_seen seen = o->seen;
  seen.wants_rule = wants_rule;
  seen.context = o;
  if (o->renew_baseline) {
    sa_baseline old = *o->baseline;
    sa_baseline_renew(o->baseline, arena, result, &old, &seen);
  }
  sa_baseline_apply(result, arena, o->baseline, &seen);
}

/* An expired suppression has no effect; one without a finding is reported. */
static void judge_suppressions(sa_result *result, sa_arena *arena, const sa_filter_options *o) {
  for (uint32_t i = 0; i < result->findings.n; i++) {
    sa_finding *finding = &result->findings.at[i];
    if (finding->suppression != NULL && has_expired(finding->suppression, o))
      finding->suppression = NULL;
  }
  for (uint32_t i = 0; i < result->suppressions.n; i++) {
    const sa_suppression *s = &result->suppressions.at[i];
    if (has_expired(s, o))
      sa_hygiene_add(result, arena, SA_RULE_EXPIRED, s->at,
                     sa_printf(arena, "The suppression of '%s' ended on %s. It has no effect.",
                               s->rule, s->until));
    else if (!s->used && !s->undecided)
      sa_hygiene_add(result, arena, SA_RULE_UNUSED, s->at,
                     sa_printf(arena, "Nothing here needs the suppression of '%s'.", s->rule));
  }
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

/* Findings at or above the level from which a run fails. */
static void count_failures(sa_result *result, const sa_filter_options *o) {
  for (uint32_t i = 0; i < result->findings.n; i++) {
    const sa_policy *policy = policy_of(o, result->findings.at[i].at.file);
    int least = o->fail_on >= 0                          ? o->fail_on
                : policy != NULL && policy->fail_on >= 0 ? policy->fail_on
                                                         : SA_WARNING;
    result->failures += (int)result->findings.at[i].level >= least;
  }
}

void sa_filter(sa_result *result, sa_arena *arena, const sa_filter_options *options) {
  judge_suppressions(result, arena, options);
  sa_keys_give(result, arena);
  drop_unwanted(result, arena, options);
  sa_result_sort(result);
  if (options->baseline != NULL) compare_with_baseline(result, arena, options);
  if (options->changes != NULL) drop_unchanged(result, options->changes);
  sa_result_sort(result);
  drop_repeated(&result->messages);
  count_failures(result, options);
}
