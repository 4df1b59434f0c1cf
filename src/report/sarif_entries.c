/* Which results there are, and which are left out when there are too many. */
#include "report/sarif.h"
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

sa_place sa_sarif_place_of(const sa_sarif_entry *entry) {
  return entry->finding != NULL ? entry->finding->at : entry->site->at;
}

static int rank_of(const sa_finding *finding) {
  static const char *const precisions[] = {"low", "medium", "high", "very-high"};
  if (finding == NULL) return 0;
  int rank = 30 + 30 * (int)finding->level;
  for (int i = 0; i < 4; i++)
    if (strcmp(finding->rule->precision, precisions[i]) == 0) rank += 3 * i;
  return rank;
}

/* The entry for the same rule and line, or NULL. Findings of one line are neighbours. */
static sa_sarif_entry *merge_target(sa_sarif *s, const sa_finding *finding) {
  for (uint32_t i = s->all.n; i-- > 0;) {
    sa_sarif_entry *entry = &s->all.at[i];
    const sa_finding *other = entry->finding;
    if (other->at.line != finding->at.line || strcmp(other->at.file, finding->at.file) != 0)
      return NULL;
    if (other->rule == finding->rule && other->suppression == finding->suppression &&
        (other->accepted == NULL) == (finding->accepted == NULL))
      return entry;
  }
  return NULL;
}

static void add_entry(sa_sarif *s, const sa_finding *finding, const sa_site *site) {
  sa_sarif_entry entry = {
      .finding = finding, .site = site, .occurrences = 1, .rank = rank_of(finding)};
  sa_push(s->arena, &s->all, entry);
}

static void collect(sa_sarif *s, const sa_finding *findings, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (!sa_sarif_inside(findings[i].at)) continue;
    sa_sarif_entry *known = merge_target(s, &findings[i]);
    if (known != NULL)
      known->occurrences++;
    else
      add_entry(s, &findings[i], sa_site_index_find(&s->sites, findings[i].site));
  }
}

/* Suppressed findings would become alerts on GitHub, so they stay away unless they are asked for.
 */
static void collect_findings(sa_sarif *s) {
  collect(s, s->result->findings.at, s->result->findings.n);
  bool wanted = s->options->show_suppressed || s->options->sarif.suppressed;
  if (wanted && s->options->sarif.profile != SA_SARIF_GITHUB)
    collect(s, s->result->suppressed.at, s->result->suppressed.n);
}

/* Calls that are right and say why: readers of whole reports want to see that they were judged. */
static void collect_passes(sa_sarif *s) {
  bool wanted = s->options->report_all && s->options->sarif.profile != SA_SARIF_GITHUB;
  if (!wanted || sa_ruleset_find_rule(s->result->rules, SA_SARIF_PASS_RULE) == NULL) return;
  for (uint32_t i = 0; i < s->result->sites.n; i++) {
    const sa_site *site = &s->result->sites.at[i];
    if (site->justified && site->category != NULL && strcmp(site->category, "unavoidable") == 0 &&
        sa_sarif_inside(site->at))
      add_entry(s, NULL, site);
  }
}

/* What the baseline has and the sources no longer have; an alert for each would be wrong. */
static void collect_absent(sa_sarif *s) {
  if (!s->options->sarif.absent || s->options->sarif.profile == SA_SARIF_GITHUB) return;
  for (uint32_t i = 0; i < s->result->absent.n; i++) {
    const sa_finding *finding = &s->result->absent.at[i];
    if (!sa_sarif_inside(finding->at)) continue;
    sa_sarif_entry entry = {.finding = finding, .occurrences = 1, .absent = true};
    sa_push(s->arena, &s->all, entry);
  }
}

static int compare_numbers(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

static bool is_suppressed(const sa_sarif_entry *entry) {
  const sa_finding *f = entry->finding;
  return f != NULL && (f->suppression != NULL || f->accepted != NULL);
}

static const char *key_of(const sa_sarif_entry *entry) {
  const char *key = entry->finding != NULL ? entry->finding->key : entry->site->id;
  return key != NULL ? key : "";
}

static int by_place(const void *left, const void *right) {
  const sa_sarif_entry *a = left, *b = right;
  sa_place x = sa_sarif_place_of(a), y = sa_sarif_place_of(b);
  int order = strcmp(x.file, y.file);
  if (order == 0) order = compare_numbers(x.line, y.line);
  if (order == 0) order = compare_numbers(x.column, y.column);
  if (order == 0)
    order = strcmp(a->finding != NULL ? a->finding->rule->id : "",
                   b->finding != NULL ? b->finding->rule->id : "");
  if (order == 0) order = strcmp(key_of(a), key_of(b));
  return order != 0 ? order : compare_numbers(is_suppressed(a), is_suppressed(b));
}

static int by_rank(const void *left, const void *right) {
  const sa_sarif_entry *a = left, *b = right;
  return a->rank != b->rank ? (a->rank < b->rank) - (a->rank > b->rank) : by_place(left, right);
}

static void sort(sa_sarif_entries *entries, int (*compare)(const void *, const void *)) {
  if (entries->n > 1) qsort(entries->at, entries->n, sizeof *entries->at, compare);
}

void sa_sarif_collect(sa_sarif *s) {
  collect_findings(s);
  collect_passes(s);
  collect_absent(s);
  sort(&s->all, by_rank);
}

void sa_sarif_keep(sa_sarif *s, uint32_t n, uint32_t step) {
  s->entries.n = 0;
  for (uint32_t i = 0; i < n; i += step) sa_push(s->arena, &s->entries, s->all.at[i]);
  sort(&s->entries, by_place);
}
