/* Why the verdict is what it is: the facts, and the rows that nearly came first. */
#include "classify/internal.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_NEAR = 6, MIN_WEIGHT = 2, MAX_WEIGHT = 8 };

static bool asks_for(const sa_verdict_row *row, sa_fact fact) {
  for (uint32_t i = 0; row != NULL && i < row->when.n; i++)
    if (row->when.at[i].fact == fact) return true;
  return false;
}

static bool starts_unknown(const char *words) {
  return strncmp(words, "unknown", 7) == 0 || strncmp(words, "unseen", 6) == 0;
}

static void tell_facts(sa_account *account, sa_arena *arena, const sa_ir_unit *unit,
                       const sa_site_facts *facts, const sa_verdict_row *row) {
  for (int i = 0; i < SA_FACT_COUNT; i++) {
    sa_fact fact = (sa_fact)i;
    const sa_fact_info *info = sa_fact_about(fact);
    sa_fact_value value = facts->facts[fact];
    bool decides = asks_for(row, fact);
    if (value.word == 0 && starts_unknown(info->words))
      sa_push(arena, &account->unseen, sa_printf(arena, "%s: %s", info->name, info->meaning));
    else if (value.word != 0 || decides)
      sa_push(arena, &account->facts,
              (sa_told_fact){info->name, sa_fact_word(fact, value.word), info->meaning,
                             sa_place_of(unit, value.at), decides});
  }
}

static bool holds(const sa_condition *condition, const sa_site_facts *facts) {
  return (condition->words >> facts->facts[condition->fact].word & 1u) != 0;
}

static int count_words(const char *words) {
  int count = 1;
  for (; *words != '\0'; words++) count += *words == ' ';
  return count;
}

/* "reset or reassign", or, where that is shorter, "not foreign nor member". */
static const char *wanted_words(sa_arena *arena, const sa_condition *condition) {
  int total = count_words(sa_fact_about(condition->fact)->words), set = 0;
  for (int i = 0; i < total; i++) set += condition->words >> i & 1;
  bool negated = set * 2 > total;
  const char *text = negated ? "not" : "", *separator = negated ? " " : "";
  for (int i = 0; i < total; i++) {
    if ((condition->words >> i & 1) == negated) continue;
    text = sa_printf(arena, "%s%s%s", text, separator, sa_fact_word(condition->fact, i));
    separator = negated ? " nor " : " or ";
  }
  return text;
}

static const char *needs(sa_arena *arena, const sa_condition *condition,
                         const sa_site_facts *facts) {
  sa_fact_value value = facts->facts[condition->fact];
  const char *where = "";
  if (sa_range_known(value.at)) where = sa_printf(arena, " (line %" PRIu32 ")", value.at.line);
  return sa_printf(arena, "%s: %s; here it is %s%s", sa_fact_about(condition->fact)->name,
                   wanted_words(arena, condition), sa_fact_word(condition->fact, value.word),
                   where);
}

/* The one condition that keeps the row away, or NULL. *weight: how much of what the row asks about
 * was established here, the more the closer it was. */
static const sa_condition *only_failure(const sa_verdict_row *row, const sa_site_facts *facts,
                                        uint32_t *weight) {
  const sa_condition *failed = NULL;
  *weight = 0;
  for (uint32_t i = 0; i < row->when.n; i++) {
    const sa_condition *condition = &row->when.at[i];
    *weight += facts->facts[condition->fact].word != 0;
    if (holds(condition, facts)) continue;
    if (failed != NULL) return NULL;
    failed = condition;
  }
  return failed;
}

static bool same_text(const char *a, const char *b) {
  return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static bool same_answer(const sa_verdict_row *a, const sa_verdict_row *b) {
  return same_text(a->category, b->category) && same_text(a->effect, b->effect);
}

/* Rows of another category or effect that teach something: the closest ones, in the table's order.
 */
static void tell_near_rows(sa_account *account, sa_arena *arena, const sa_ruleset *rules,
                           const sa_site_facts *facts, const sa_verdict_row *row) {
  if (row == NULL) return;
  uint32_t before = (uint32_t)(row - rules->verdicts.at), close[MAX_WEIGHT + 1] = {0};
  uint32_t *weights = sa_alloc(arena, (before + 1) * sizeof *weights);
  for (uint32_t i = 0; i < before; i++) {
    const sa_verdict_row *r = &rules->verdicts.at[i];
    if (same_answer(r, row) || only_failure(r, facts, &weights[i]) == NULL) weights[i] = 0;
    if (weights[i] > MAX_WEIGHT) weights[i] = MAX_WEIGHT;
    close[weights[i]]++;
  }
  uint32_t least = MAX_WEIGHT, n = close[MAX_WEIGHT];
  while (least > MIN_WEIGHT && n + close[least - 1] <= MAX_NEAR) n += close[--least];
  for (uint32_t i = 0; i < before && account->near.n < MAX_NEAR; i++) {
    const sa_verdict_row *r = &rules->verdicts.at[i];
    if (weights[i] < least) continue;
    uint32_t weight;
    const char *what = needs(arena, only_failure(r, facts, &weight), facts);
    sa_push(arena, &account->near,
            (sa_near_row){r->id, r->category != NULL ? r->category : "no decision", what});
  }
}

sa_account *sa_account_make(sa_arena *arena, const sa_ir_unit *unit, const sa_ruleset *rules,
                            const sa_site_facts *facts, const sa_verdict_row *row) {
  if (facts->timeline == NULL) return NULL;
  sa_account *account = sa_alloc(arena, sizeof *account);
  account->timeline = *facts->timeline;
  account->message = "";
  tell_facts(account, arena, unit, facts, row);
  tell_near_rows(account, arena, rules, facts, row);
  return account;
}

sa_account *sa_account_of_hazard(sa_arena *arena, const sa_hazard *hazard) {
  if (hazard->timeline == NULL) return NULL;
  sa_account *account = sa_alloc(arena, sizeof *account);
  account->timeline = *hazard->timeline;
  account->message = "";
  return account;
}
