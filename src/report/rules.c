/* docs/rules.md: every rule's page and the decision table, from the loaded rules. */
#include "report/report.h"

#include <string.h>

static void put_index(FILE *out, const sa_ruleset *rules) {
  fputs("| rule | name | level | says |\n|---|---|---|---|\n", out);
  for (uint32_t i = 0; i < rules->rules.n; i++) {
    const sa_rule *rule = &rules->rules.at[i];
    fprintf(out, "| [%s](#%s) | %s | %s | %s |\n", rule->id, rule->id, rule->name,
            sa_severity_name(rule->level), rule->summary);
  }
}

static void put_code(FILE *out, const char *title, const char *code) {
  size_t length = strlen(code);
  while (length > 0 && code[length - 1] == '\n') length--;
  fprintf(out, "%s:\n\n```cpp\n%.*s\n```\n\n", title, (int)length, code);
}

static void put_page(FILE *out, const sa_rule *rule) {
  fprintf(out, "<a id=\"%s\"></a>\n\n### %s %s\n\n", rule->id, rule->id, rule->name);
  fprintf(out, "Level %s, precision %s. %s\n\n%s\n\n", sa_severity_name(rule->level),
          rule->precision, rule->summary, rule->description);
  put_code(out, "Instead of", rule->bad);
  put_code(out, "write", rule->good);
  fprintf(out, "Help line: %s.\n\n", rule->help);
}

static int word_count(const char *words) {
  int count = 1;
  for (; *words != '\0'; words++) count += *words == ' ';
  return count;
}

/* "origin: local, result" or, where that is shorter, "origin: not foreign". */
static void put_condition(FILE *out, const sa_condition *condition) {
  int total = word_count(sa_fact_about(condition->fact)->words), set = 0;
  for (int i = 0; i < total; i++) set += condition->words >> i & 1;
  bool negated = set * 2 > total;
  fprintf(out, "%s: %s", sa_fact_about(condition->fact)->name, negated ? "not " : "");
  const char *separator = "";
  for (int i = 0; i < total; i++) {
    if ((condition->words >> i & 1) == negated) continue;
    fprintf(out, "%s%s", separator, sa_fact_word(condition->fact, i));
    separator = negated ? " nor " : " or ";
  }
}

static void put_row(FILE *out, const sa_verdict_row *row) {
  fprintf(out, "| %s | ", row->id);
  for (uint32_t i = 0; i < row->when.n; i++) {
    if (i > 0) fputs("; ", out);
    put_condition(out, &row->when.at[i]);
  }
  if (row->when.n == 0) fputs("always", out);
  fprintf(out, " | %s | %s | %s | %s |\n", row->category == NULL ? "-" : row->category, row->effect,
          row->confidence, row->rule == NULL ? "-" : row->rule);
}

static void put_facts(FILE *out) {
  fputs("| fact | words | meaning |\n|---|---|---|\n", out);
  for (int fact = 0; fact < SA_FACT_COUNT; fact++) {
    const sa_fact_info *info = sa_fact_about((sa_fact)fact);
    fprintf(out, "| %s | %s | %s |\n", info->name, info->words, info->meaning);
  }
}

sa_status sa_rules_write(FILE *out, const sa_ruleset *rules) {
  fputs("# Rules\n\nGenerated from `rules/`; do not edit.\n\n"
        "A rule has one page: what it says, a bad and a good example, and when record_stream is "
        "right. A finding of low confidence is one level lower than its rule. Sites on which "
        "record_stream is right have no finding but SA104, which a comment beside the call "
        "silences. SA902 to SA905 are about the comments that allow findings "
        "(docs/suppressions.md).\n\n",
        out);
  put_index(out, rules);
  fputs("\n## Pages\n\n", out);
  for (uint32_t i = 0; i < rules->rules.n; i++) put_page(out, &rules->rules.at[i]);
  fputs("## The decision table\n\nThe verdict on a call is the first row whose conditions all "
        "hold. A row without a rule makes no finding; `--report-all` shows it.\n\n"
        "| row | facts | category | effect | confidence | rule |\n|---|---|---|---|---|---|\n",
        out);
  for (uint32_t i = 0; i < rules->verdicts.n; i++) put_row(out, &rules->verdicts.at[i]);
  fputs("\n## Facts\n\nThe first word of each fact means that nothing was established.\n\n", out);
  put_facts(out);
  return fflush(out) != 0 || ferror(out) ? SA_E_IO : SA_OK;
}
