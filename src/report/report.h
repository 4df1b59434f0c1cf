/* Writers: the same result in different forms. */
#ifndef SA_REPORT_REPORT_H
#define SA_REPORT_REPORT_H

#include "model/finding.h"
#include "report/sarif_options.h"

#include <stdio.h>

typedef struct {
  bool colour;
  bool report_all;      /* also sites without a finding */
  bool show_suppressed; /* also findings that a comment allows */
  bool quiet;           /* text: no count line */
  const char *root;     /* where sources are read from for carets and snippets */
  const char *category; /* SARIF automation category; "" for the default */
  sa_sarif_options sarif;
} sa_report_options;

typedef struct {
  const char *name;        /* "text", "json", "sarif", ... */
  const char *description; /* for --help */
  /* Writes the whole report. Returns SA_E_IO when the stream failed (errno says why). */
  sa_status (*write)(FILE *out, const sa_result *result, const sa_report_options *options);
  bool carries_status; /* its reader takes status 1 and 3 for a failure of the program */
} sa_reporter;

/* NULL when there is no format of that name. */
const sa_reporter *sa_reporter_find(const char *name);
/* All formats, ended by a row with name NULL. */
const sa_reporter *sa_reporters(void);

/* Where the project lives, and where the page of a rule is at this version; NULL when the build was
 * told no address. */
const char *sa_project_address(void);
const char *sa_rule_page(sa_arena *arena, const sa_rule *rule);

/* Writes docs/rules.md: the pages of all rules, the decision table and the facts it asks for.
 * SA_E_IO when the stream failed. */
sa_status sa_rules_write(FILE *out, const sa_ruleset *rules);

#endif
