/* What the user is told: sites with a verdict, findings, and messages about the run. Writers in
 * report/ read nothing else. */
#ifndef SA_MODEL_FINDING_H
#define SA_MODEL_FINDING_H

#include "model/edit.h"
#include "model/message.h"
#include "model/ruleset.h"

/* A place in a named file, resolved from sa_range: paths are relative to the project root. */
typedef struct {
  const char *file;
  uint32_t line, column, end_line, end_column; /* bytes, from 1; end exclusive */
  uint32_t cell, cell_line; /* notebooks: the cell, from 1, and the line in it; 0: none */
} sa_place;

typedef struct {
  const char *role; /* sa_role_name() */
  sa_place at;
  const char *text;
} sa_step;

typedef struct {
  sa_place at; /* what is replaced; empty range inserts */
  const char *text;
} sa_edit;

/* One fact as it is shown to people. */
typedef struct {
  const char *name, *word, *meaning;
  sa_place at;  /* what shows it; line 0: no single place does */
  bool decides; /* the verdict's row asks for it */
} sa_told_fact;

/* A row of the decision table that came before the verdict's and failed on one condition alone. */
typedef struct {
  const char *row, *category;
  const char *needs; /* what it asks for and what is there instead */
} sa_near_row;

/* What stands behind a site or a hazard; made only for the line that somebody asked about. */
typedef struct {
  SA_ARRAY(sa_told_fact) facts;  /* in the order of facts.def */
  SA_ARRAY(const char *) unseen; /* facts that were not established, as they are described */
  SA_ARRAY(sa_near_row) near;
  sa_timeline timeline;
  const char *message; /* what the verdict's row says, whether it makes a finding or not; "" */
} sa_account;

/* One site of the JSON contract (DESIGN section 6). Strings are never NULL unless said. */
typedef struct {
  const char *id; /* stable key: hash of path, function, block and stream expression, ordinal */
  sa_place at;
  const char *language, *function, *api;
  const char *kind; /* call, helper-call, macro, forwarding, implementation */
  bool analysed;
  const char *reason;   /* NULL */
  const char *category; /* NULL for forwarding, implementation and unanalysed sites */
  const char *effect, *confidence;
  const char *creation_stream, *recorded_stream, *block;
  const char *release_kind;
  uint32_t release_line; /* 0 unknown */
  bool ordered, kept;    /* as in sa_places; both stay in the process that found them */
  const char *unkept;    /* why it is not kept, or NULL; likewise */
  bool justified;
  bool modelled;       /* read with model headers, for want of a compile command */
  const char *verdict; /* id of the verdict row, "" when none matched */
  SA_ARRAY(sa_step) evidence;
  SA_ARRAY(const char *) proved, assumed, missing;
  const char *advice;
  bool has_fix, fix_safe;
  const char *fix_reason; /* why there is no edit; NULL: nobody looked, or there is one */
  SA_ARRAY(sa_edit) edits;
  sa_account *account; /* NULL unless it was asked for */
} sa_site;

/* A comment that allows the findings of one rule on a statement or in a function. */
typedef struct {
  sa_place at;        /* the rule's id in the comment */
  const char *rule;   /* its id */
  const char *reason; /* one line */
  const char *until;  /* the last day, 2027-01-31; "" for ever */
  bool used;          /* a finding is allowed by it */
  bool undecided;     /* nobody can tell whether it is needed */
} sa_suppression;

typedef struct {
  const sa_rule *rule;
  sa_severity level; /* after lowering for confidence and configuration */
  sa_place at;
  const char *message; /* one paragraph; the first sentence is a title and ends with a full stop */
  const char *row;     /* id of the verdict row whose template `message` is; "" for the rule's own
                        * template; NULL: made of no template */
  sa_message_names names; /* what the template's names stand for */
  const char *help;       /* "" or one line of what to do */
  const char *site;       /* id of the site it belongs to, NULL */
  const char *function;
  SA_ARRAY(sa_step) evidence;
  sa_account *account;  /* NULL unless it was asked for */
  const char *key;      /* by which it is known again (model/key.h); NULL before the filter */
  const char *accepted; /* in the baseline: the reason there, or ""; NULL when it is not in one */
  const sa_suppression *suppression; /* the comment that allows it, or NULL */
  SA_ARRAY(sa_edit) edits; /* what settles it, where that is no matter of its site alone */
  bool fixable;            /* there is an edit, its own or its site's */
} sa_finding;

/* All edits of one file that hold together, for whoever applies them. */
typedef struct {
  const char *file; /* relative to the root */
  uint32_t hash[2]; /* of the text that the edits are about: sa_hash(), low half first */
  sa_splices splices;
  uint32_t findings; /* how many they settle */
} sa_patch;

typedef struct {
  const char *tool_version, *libclang_version;
  const sa_ruleset *rules;
  SA_ARRAY(sa_site) sites;       /* sorted by file, line, column */
  SA_ARRAY(sa_finding) findings; /* sorted by file, line, column, rule */
  SA_ARRAY(sa_finding)
  suppressed;                            /* allowed or baselined ones, sorted likewise; of merged
                                            reports those that list them */
  SA_ARRAY(sa_finding) absent;           /* of the baseline, no longer there; no line is known */
  SA_ARRAY(sa_suppression) suppressions; /* of the sources: what the filter judges */
  sa_message_array messages;             /* sorted by file, line */
  SA_ARRAY(sa_patch) patches;            /* sorted by file; only when edits were asked for */
  uint32_t files, files_skipped;         /* files_skipped: the prefilter found nothing to analyse */
  uint32_t failures;                     /* findings from the level on that makes the run fail */
  uint32_t allowed;                      /* findings that a comment allows */
  bool has_baseline, has_changes; /* there was a baseline; only changed lines were asked for */
  uint32_t baselined;             /* findings that are in the baseline */
  uint32_t unchanged;             /* findings that are not on changed lines */
  uint32_t files_failed;          /* could not be read or parsed */
} sa_result;

/* Adds everything of `more` to `result`. */
void sa_result_append(sa_result *result, sa_arena *arena, const sa_result *more);

/* Sorts the findings alone. */
void sa_result_sort_findings(sa_result *result);

/* Sorts everything into the order promised above. */
void sa_result_sort(sa_result *result);

#endif
