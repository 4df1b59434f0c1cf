/* SARIF 2.1.0, shared by its files: the log around (sarif.c), the tool (sarif_driver.c), which
 * results there are (sarif_entries.c), one result (sarif_result.c), places (sarif_place.c). */
#ifndef SA_REPORT_SARIF_H
#define SA_REPORT_SARIF_H

#include "base/json.h"
#include "model/limits.h"
#include "report/index.h"
#include "report/lines.h"
#include "report/report.h"

/* The rule under which a call appears that is right and says why. */
#define SA_SARIF_PASS_RULE "SA104"

/* One result. */
typedef struct {
  const sa_finding *finding; /* NULL: a call that is right as it is */
  const sa_site *site;       /* NULL: a finding of no call */
  uint32_t artifact;         /* index in the run's artifacts */
  uint32_t occurrences;      /* findings that it stands for */
  int rank;                  /* 0 to 100 */
  bool absent;               /* the finding is of the baseline, and no longer there */
} sa_sarif_entry;

typedef SA_ARRAY(sa_sarif_entry) sa_sarif_entries;

typedef struct {
  sa_json json;
  sa_arena *arena;
  sa_lines *lines;
  const sa_result *result;
  const sa_report_options *options;
  sa_site_index sites;
  sa_sarif_entries all;     /* the strongest first */
  sa_sarif_entries entries; /* those that are written, by file, line, column and rule */
} sa_sarif;

/* Whether the place is in a file below the project root. Others cannot be results. */
bool sa_sarif_inside(sa_place place);

/* {"KEY": {"MEMBER": TEXT}} */
void sa_sarif_put_wrapped(sa_json *json, const char *key, const char *member, const char *text);

/* Writes an artifactLocation relative to %SRCROOT%; `index` may be SA_NO_INDEX. */
void sa_sarif_put_artifact_location(sa_json *json, const char *key, const char *file,
                                    uint32_t index);

/* Writes a physicalLocation with its region in UTF-16 columns; `excerpt` adds the text and the
 * lines around. */
void sa_sarif_put_physical(sa_sarif *s, sa_place place, uint32_t index, bool excerpt);

/* "file:///a%20b/" for the absolute path "/a b". */
char *sa_sarif_directory_uri(sa_arena *arena, const char *path);

/* Writes the region of an edit, which may be empty and may span lines. */
void sa_sarif_put_edit_region(sa_sarif *s, sa_place place);

/* Writes the tool: rules with all their messages, and kinds of notifications. */
void sa_sarif_put_driver(sa_sarif *s);

/* The id of the notification for a message of that severity. */
const char *sa_sarif_notification_id(const sa_message *message);

/* The message of a result: its id, the numbered words that the rule has under that id, and the
 * values, of which the last is the path. */
typedef struct {
  const char *id;
  char *numbered;
  sa_message_values values;
} sa_sarif_message;

sa_sarif_message sa_sarif_message_of(sa_arena *arena, const sa_ruleset *rules,
                                     const sa_sarif_entry *entry);

/* Finds all results: those of one rule on one line are one. */
void sa_sarif_collect(sa_sarif *s);

/* Makes every `step`-th of the `n` strongest the ones that are written. */
void sa_sarif_keep(sa_sarif *s, uint32_t n, uint32_t step);

/* Where the result stands. */
sa_place sa_sarif_place_of(const sa_sarif_entry *entry);

void sa_sarif_put_result(sa_sarif *s, const sa_sarif_entry *entry);

#endif
