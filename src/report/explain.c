#include "report/explain.h"

#include "base/shown.h"
#include "report/excerpt.h"
#include "report/timeline.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  FILE *out;
  sa_lines *lines;
  const sa_result *result;
  bool colour;
  uint32_t line;
} teller;

enum { TEXT_WIDTH = 98 };

static bool stands_on(sa_place at, uint32_t line) {
  return at.line == line || (at.line < line && line <= at.end_line);
}

bool sa_explain_has(const sa_result *result, uint32_t line) {
  for (uint32_t i = 0; i < result->sites.n; i++)
    if (stands_on(result->sites.at[i].at, line)) return true;
  for (uint32_t i = 0; i < result->findings.n; i++)
    if (stands_on(result->findings.at[i].at, line)) return true;
  return false;
}

/* A paragraph, `indent` columns in, the first line behind `head`. */
static void put_wrapped(const teller *t, const char *head, size_t indent, const char *text) {
  size_t column = strlen(head);
  fputs(head, t->out);
  for (bool first = true; *text != '\0'; first = false) {
    size_t length = strcspn(text, " \n");
    if (!first && column + 1 + length > TEXT_WIDTH) {
      fprintf(t->out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (!first) {
      putc(' ', t->out);
      column++;
    }
    char word[256];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
             text);
    sa_shown_text(t->out, word);
    column += length;
    text += length;
    text += strspn(text, " \n");
  }
  putc('\n', t->out);
}

static void put_heading(const teller *t, const char *text) {
  if (t->colour) fputs("\033[1m", t->out);
  fprintf(t->out, "\n%s\n", text);
  if (t->colour) fputs("\033[0m", t->out);
}

static void put_list(const teller *t, const char *heading, const char *const *at, uint32_t n) {
  if (n == 0) return;
  put_heading(t, heading);
  for (uint32_t i = 0; i < n; i++) put_wrapped(t, "  - ", 4, at[i]);
}

static void put_place(const teller *t, sa_place at, const char *what, const char *function) {
  sa_shown_path(t->out, at.file);
  fprintf(t->out, ":%" PRIu32 ":%" PRIu32 ": %s", at.line, at.column, what);
  if (function[0] != '\0') {
    fputs(" in ", t->out);
    sa_shown_text(t->out, function);
  }
  putc('\n', t->out);
  sa_put_excerpt(t->out, t->lines, at, t->colour);
}

/* Advice for another shape of an interface comes as option and cost; each gets its own line. */
static void put_advice(const teller *t, const char *advice) {
  static const char option[] = "option: ", cost[] = "; cost: ";
  if (advice[0] == '\0') return;
  const char *at = strstr(advice, cost);
  if (strncmp(advice, option, sizeof option - 1) != 0 || at == NULL) {
    put_heading(t, "What to do");
    put_wrapped(t, "  ", 2, advice);
    return;
  }
  sa_arena *arena = sa_arena_new();
  const char *shape = advice + sizeof option - 1;
  put_heading(t, "The shape that would help");
  put_wrapped(t, "  ", 2, sa_strndup(arena, shape, (size_t)(at - shape)));
  put_wrapped(t, "  cost: ", 8, at + sizeof cost - 1);
  sa_arena_free(arena);
}

static void put_facts(const teller *t, const sa_account *account) {
  if (account->facts.n == 0) return;
  put_heading(t, "Facts (* the verdict rests on these)");
  for (uint32_t i = 0; i < account->facts.n; i++) {
    const sa_told_fact *fact = &account->facts.at[i];
    char head[96], where[32] = "";
    if (fact->at.line != 0) snprintf(where, sizeof where, "line %" PRIu32, fact->at.line);
    snprintf(head, sizeof head, "  %c %-13s %-13s %-10s ", fact->decides ? '*' : ' ', fact->name,
             fact->word, where);
    put_wrapped(t, head, 43, fact->meaning);
  }
}

static void put_steps(const teller *t, const sa_step *steps, uint32_t n) {
  if (n == 0) return;
  put_heading(t, "What shows it");
  for (uint32_t i = 0; i < n; i++) {
    char head[64];
    snprintf(head, sizeof head, "  %6" PRIu32 "  %-9s ", steps[i].at.line, steps[i].role);
    put_wrapped(t, head, 20, steps[i].text);
  }
}

static void put_near(const teller *t, const sa_account *account) {
  if (account->near.n == 0) return;
  put_heading(t, "Rows that came first and failed on one condition");
  for (uint32_t i = 0; i < account->near.n; i++) {
    const sa_near_row *near = &account->near.at[i];
    char head[128];
    snprintf(head, sizeof head, "  - %s (%s) needs ", near->row, near->category);
    put_wrapped(t, head, 4, near->needs);
  }
}

static void put_timeline(const teller *t, const sa_account *account) {
  if (account->timeline.lanes.n == 0) return;
  put_heading(t, "Streams, time downwards");
  sa_timeline_write(t->out, &account->timeline, t->line);
  put_list(t, "Order at each release", account->timeline.answers.at, account->timeline.answers.n);
}

static void put_finding(const teller *t, const sa_finding *finding) {
  char head[64];
  snprintf(head, sizeof head, "  %s (%s) ", finding->rule->id, sa_severity_name(finding->level));
  put_wrapped(t, head, 2, finding->message);
}

static bool belongs(const sa_finding *finding, const sa_site *site) {
  return finding->site != NULL && strcmp(finding->site, site->id) == 0;
}

/* Findings on the site's own words, and on hazards that belong to it. */
static void put_verdict(const teller *t, const sa_site *site) {
  bool told = false;
  char head[160];
  put_heading(t, "Verdict");
  snprintf(head, sizeof head, "  %s, effect %s, confidence %s",
           site->category != NULL ? site->category : site->kind, site->effect, site->confidence);
  fprintf(t->out, "%s%s%s%s\n", head, site->verdict[0] != '\0' ? " (row " : "", site->verdict,
          site->verdict[0] != '\0' ? ")" : "");
  for (uint32_t i = 0; i < t->result->findings.n; i++) {
    const sa_finding *finding = &t->result->findings.at[i];
    if (!belongs(finding, site)) continue;
    put_finding(t, finding);
    told = true;
  }
  if (!told && site->account != NULL && site->account->message[0] != '\0')
    put_wrapped(t, "  No finding. ", 2, site->account->message);
  if (site->justified) fputs("  A comment beside the call gives the reason.\n", t->out);
}

/* What the findings advise: a hazard can make the verdict's own advice moot. */
static void put_site_advice(const teller *t, const sa_site *site) {
  const char *last = "";
  bool found = false;
  for (uint32_t i = 0; i < t->result->findings.n; i++) {
    const sa_finding *finding = &t->result->findings.at[i];
    if (!belongs(finding, site)) continue;
    found = true;
    if (strcmp(finding->help, last) != 0) put_advice(t, finding->help);
    last = finding->help;
  }
  if (!found) put_advice(t, site->advice);
}

static void put_site(const teller *t, const sa_site *site) {
  put_place(t, site->at, site->api[0] != '\0' ? site->api : "record_stream", site->function);
  if (!site->analysed) {
    put_heading(t, "Not analysed");
    put_wrapped(t, "  ", 2, site->reason != NULL ? site->reason : "the reason is not known");
    return;
  }
  put_verdict(t, site);
  put_site_advice(t, site);
  if (site->account == NULL) return;
  put_timeline(t, site->account);
  put_facts(t, site->account);
  put_steps(t, site->evidence.at, site->evidence.n);
  put_list(t, "Assumed", site->assumed.at, site->assumed.n);
  put_list(t, "Not seen", site->account->unseen.at, site->account->unseen.n);
  put_list(t, "Missing", site->missing.at, site->missing.n);
  put_near(t, site->account);
}

static void put_hazard(const teller *t, const sa_finding *finding) {
  put_place(t, finding->at, finding->rule->name,
            finding->function != NULL ? finding->function : "");
  put_heading(t, "Finding");
  put_finding(t, finding);
  put_advice(t, finding->help);
  if (finding->account != NULL) put_timeline(t, finding->account);
  put_steps(t, finding->evidence.at, finding->evidence.n);
}

/* Whether the finding is told together with a site on the line. */
static bool told_with_site(const teller *t, const sa_finding *finding) {
  for (uint32_t i = 0; i < t->result->sites.n && finding->site != NULL; i++) {
    const sa_site *site = &t->result->sites.at[i];
    if (strcmp(site->id, finding->site) == 0) return stands_on(site->at, t->line);
  }
  return false;
}

sa_status sa_explain_write(FILE *out, const sa_result *result, const sa_report_options *options,
                           uint32_t line) {
  teller t = {out, sa_lines_new(options->root), result, options->colour, line};
  const char *separator = "";
  for (uint32_t i = 0; i < result->sites.n; i++) {
    if (!stands_on(result->sites.at[i].at, line)) continue;
    fputs(separator, out);
    put_site(&t, &result->sites.at[i]);
    separator = "\n";
  }
  for (uint32_t i = 0; i < result->findings.n; i++) {
    const sa_finding *finding = &result->findings.at[i];
    if (!stands_on(finding->at, line) || told_with_site(&t, finding)) continue;
    fputs(separator, out);
    put_hazard(&t, finding);
    separator = "\n";
  }
  sa_lines_free(t.lines);
  return fflush(out) != 0 || ferror(out) ? SA_E_IO : SA_OK;
}
