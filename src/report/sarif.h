/* SARIF 2.1.0, shared by its two files: the log around (sarif.c) and the results (sarif_result.c).
 */
#ifndef SA_REPORT_SARIF_H
#define SA_REPORT_SARIF_H

#include "base/json.h"
#include "model/finding.h"
#include "report/index.h"
#include "report/lines.h"

typedef struct {
  sa_json json;
  sa_arena *arena;
  sa_lines *lines;
  const sa_result *result;
  sa_site_index sites;
  uint32_t *artifacts; /* index of the artifact of each finding; SA_NO_INDEX: not a result */
} sa_sarif;

/* Whether the place is in a file below the project root. Others cannot be results. */
bool sa_sarif_inside(sa_place place);

/* Writes an artifactLocation relative to %SRCROOT%; `index` may be SA_NO_INDEX. */
void sa_sarif_put_artifact_location(sa_json *json, const char *key, const char *file,
                                    uint32_t index);

/* Writes a physicalLocation with its region in UTF-16 columns; `excerpt` adds the text and the
 * lines around. */
void sa_sarif_put_physical(sa_sarif *s, sa_place place, uint32_t index, bool excerpt);

/* Writes the array of results. Findings of one rule on one line become one result. */
void sa_sarif_put_results(sa_sarif *s);

#endif
