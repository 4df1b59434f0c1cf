/* Checks across rows: what can never match, what is named but not there. */
#include "model/names.h"
#include "ruleset/internal.h"

#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 4, 5))) static void fail_at(sa_loader *l, const char *file,
                                                          unsigned line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = sa_vprintf(l->arena, format, args);
  va_end(args);
  sa_report(l->diag, SA_ERROR, file, line, 1, "%s", text);
  l->failed = true;
}

/* ---- API rows ---- */

static bool is_wild(sa_span last) {
  return memchr(last.at, '*', last.length) != NULL && strncmp(last.at, "operator", 8) != 0;
}

static int by_last_component(const void *a, const void *b) {
  const sa_named_api *x = a, *y = b;
  int order = sa_span_compare(x->last, y->last);
  return order != 0 ? order : (x->api > y->api) - (x->api < y->api);
}

void sa_index_apis(sa_loader *l) {
  sa_ruleset *rules = l->rules;
  uint32_t n = rules->apis.n;
  rules->by_name.n = rules->wild.n = 0;
  if (n == 0) return;
  sa_named_api *named = sa_alloc(l->arena, n * sizeof *named);
  for (uint32_t i = 0; i < n; i++) {
    named[i] = (sa_named_api){sa_last_component(rules->apis.at[i].name), i};
    if (is_wild(named[i].last)) sa_push(l->arena, &rules->wild, i);
  }
  qsort(named, n, sizeof *named, by_last_component);
  for (uint32_t i = 0; i < n; i++) sa_push(l->arena, &rules->by_name, named[i]);
}

static bool same_or_any(const char *wide, const char *narrow) {
  return wide == NULL || (narrow != NULL && strcmp(wide, narrow) == 0);
}

/* Whether every call that fits `b` fits `a`. Patterns are compared as texts: `a` ends `b`. */
static bool covers(const sa_api *a, const sa_api *b) {
  size_t n = strlen(a->name), m = strlen(b->name);
  if (a->kind != b->kind || a->python != b->python || n > m ||
      strcmp(a->name, b->name + (m - n)) != 0)
    return false;
  if (m > n && (m - n < 2 || memcmp(b->name + (m - n) - 2, "::", 2) != 0)) return false;
  return same_or_any(a->receiver, b->receiver) && same_or_any(a->first, b->first) &&
         same_or_any(a->keyword, b->keyword) && a->min_args <= b->min_args &&
         a->max_args >= b->max_args;
}

void sa_verify_apis(sa_loader *l) {
  const sa_ruleset *rules = l->rules;
  for (uint32_t i = 0; i < rules->by_name.n; i++) {
    const sa_api *later = &rules->apis.at[rules->by_name.at[i].api];
    sa_span last = rules->by_name.at[i].last;
    for (uint32_t k = i; k-- > 0;) {
      const sa_api *earlier = &rules->apis.at[rules->by_name.at[k].api];
      if (sa_span_compare(rules->by_name.at[k].last, last) != 0) break;
      if (!covers(earlier, later)) continue;
      fail_at(l, later->file, later->line, "'%s' can never match: the row in %s:%u covers it",
              later->name, earlier->file, earlier->line);
      break;
    }
  }
  for (uint32_t i = 0; i < rules->types.n; i++)
    for (uint32_t k = 0; k < i; k++)
      if (rules->types.at[i].python == rules->types.at[k].python &&
          strcmp(rules->types.at[i].name, rules->types.at[k].name) == 0)
        fail_at(l, rules->types.at[i].file, rules->types.at[i].line,
                "class '%s' has a row already, in %s:%u", rules->types.at[i].name,
                rules->types.at[k].file, rules->types.at[k].line);
}

/* ---- verdicts ---- */

static bool row_covers(const sa_verdict_row *a, const sa_verdict_row *b) {
  for (uint32_t i = 0; i < a->when.n; i++) {
    const sa_condition *wide = &a->when.at[i];
    bool held = false;
    for (uint32_t k = 0; k < b->when.n && !held; k++)
      held = b->when.at[k].fact == wide->fact && (b->when.at[k].words & ~wide->words) == 0;
    if (!held) return false;
  }
  return true;
}

void sa_verify_verdicts(sa_loader *l) {
  const sa_ruleset *rules = l->rules;
  for (uint32_t i = 0; i < rules->verdicts.n; i++) {
    const sa_verdict_row *row = &rules->verdicts.at[i];
    if (row->rule != NULL && sa_ruleset_find_rule(rules, row->rule) == NULL)
      fail_at(l, row->file, row->line, "'%s' names the rule '%s', which has no page", row->id,
              row->rule);
    for (uint32_t k = 0; k < i; k++) {
      const sa_verdict_row *earlier = &rules->verdicts.at[k];
      if (strcmp(earlier->id, row->id) == 0)
        fail_at(l, row->file, row->line, "'%s' is an id already, in %s:%u", row->id, earlier->file,
                earlier->line);
      if (!row_covers(earlier, row)) continue;
      fail_at(l, row->file, row->line, "'%s' can never match: '%s' in %s:%u covers it", row->id,
              earlier->id, earlier->file, earlier->line);
      break;
    }
  }
}

/* ---- pages ---- */

static int by_id(const void *a, const void *b) {
  const sa_rule *x = a, *y = b;
  return strcmp(x->id, y->id);
}

void sa_verify_rules(sa_loader *l) {
  sa_ruleset *rules = l->rules;
  if (rules->rules.n > 0) qsort(rules->rules.at, rules->rules.n, sizeof *rules->rules.at, by_id);
  const sa_rule *reported[SA_HAZARD_COUNT] = {NULL};
  for (uint32_t i = 0; i < rules->rules.n; i++) {
    const sa_rule *rule = &rules->rules.at[i];
    if (i > 0 && strcmp(rule->id, rule[-1].id) == 0)
      fail_at(l, rule->file, rule->line, "'%s' has a page already, %s", rule->id, rule[-1].file);
    if (rule->hazard == SA_HAZARD_COUNT) continue;
    const sa_rule **other = &reported[rule->hazard];
    if (*other != NULL)
      fail_at(l, rule->file, rule->line, "'%s' reports the same hazard as '%s'", rule->id,
              (*other)->id);
    *other = rule;
  }
}
