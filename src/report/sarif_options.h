/* What a SARIF log can say beyond the results. */
#ifndef SA_REPORT_SARIF_OPTIONS_H
#define SA_REPORT_SARIF_OPTIONS_H

#include "model/provenance.h"

#include <stdint.h>

typedef enum {
  SA_SARIF_PLAIN,
  SA_SARIF_GITHUB, /* nothing but findings: whatever else is in a log would become an alert */
  SA_SARIF_AZURE   /* the ids and properties of an Azure pipeline */
} sa_sarif_profile;

/* The pipeline, from its variables; `definition` is a number, the texts are not empty. */
typedef struct {
  const char *organization, *project, *definition, *definition_name, *phase, *phase_name, *branch,
      *build;
} sa_azure_pipeline;

/* Who ran what. */
typedef struct {
  const char *const *arguments;
  uint32_t narguments;
  const char *directory;  /* absolute */
  int64_t started, ended; /* seconds since 1970, UTC */
} sa_sarif_run;

typedef struct {
  sa_sarif_profile profile;
  bool suppressed;                 /* also findings that a comment allows */
  bool absent;                     /* also findings of the baseline that are gone */
  uint32_t most_bytes;             /* of the log after gzip; 0: what GitHub takes */
  uint32_t *left_out;              /* results over the limits are counted here; NULL: nowhere */
  const char *root_uri;            /* of the project root, "file:///.../"; NULL: not said */
  const sa_provenance *provenance; /* NULL: not known, or not wanted */
  const sa_sarif_run *run;         /* NULL: not wanted */
  const sa_azure_pipeline *azure;  /* for SA_SARIF_AZURE */
} sa_sarif_options;

#endif
