#include "cli/sarif.h"

#include "base/fs.h"
#include "project/git.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A variable of the pipeline; NULL with a message when it is not set. */
static const char *variable(sa_diag *diag, const char *name) {
  const char *value = getenv(name);
  if (value != NULL && value[0] != '\0') return value;
  sa_report(diag, SA_ERROR, NULL, 0, 0,
            "--sarif-profile azure: %s is not set; the profile is for runs in an Azure pipeline",
            name);
  return NULL;
}

static bool is_number(const char *text) {
  return text[strspn(text, "0123456789")] == '\0';
}

/* "https://dev.azure.com/name/" as "name". */
static const char *last_part(sa_arena *arena, const char *address) {
  size_t end = strlen(address);
  while (end > 0 && address[end - 1] == '/') end--;
  size_t start = end;
  while (start > 0 && address[start - 1] != '/') start--;
  return sa_strndup(arena, address + start, end - start);
}

static sa_status read_pipeline(sa_azure_pipeline *out, sa_arena *arena, sa_diag *diag) {
  const struct {
    const char *name, **member;
  } table[] = {
      {"SYSTEM_COLLECTIONURI", &out->organization},
      {"SYSTEM_TEAMPROJECT", &out->project},
      {"SYSTEM_DEFINITIONID", &out->definition},
      {"BUILD_DEFINITIONNAME", &out->definition_name},
      {"SYSTEM_PHASEID", &out->phase},
      {"SYSTEM_PHASENAME", &out->phase_name},
      {"BUILD_SOURCEBRANCH", &out->branch},
      {"BUILD_BUILDID", &out->build},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    *table[i].member = variable(diag, table[i].name);
    if (*table[i].member == NULL) return SA_E_USAGE;
  }
  out->organization = last_part(arena, out->organization);
  if (strlen(out->definition) < 10 && is_number(out->definition)) return SA_OK;
  sa_report(diag, SA_ERROR, NULL, 0, 0, "--sarif-profile azure: SYSTEM_DEFINITIONID is no number");
  return SA_E_USAGE;
}

static const char *root_uri(sa_arena *arena, sa_diag *diag, const char *given) {
  bool plain = strncmp(given, "file:///", 8) == 0;
  for (const char *at = given; *at != '\0' && plain; at++)
    plain = isalnum((unsigned char)*at) || strchr("-._~/+,=@:%", *at) != NULL;
  if (plain) return sa_printf(arena, "%s%s", given, given[strlen(given) - 1] == '/' ? "" : "/");
  sa_report(diag, SA_ERROR, NULL, 0, 0,
            "--sarif-root-uri '%s': must be file:///DIRECTORY/, with other letters than A-Z, a-z, "
            "0-9 and -._~/+,=@: written as %%XX",
            given);
  return NULL;
}

static const sa_provenance *provenance(sa_arena *arena, const char *root) {
  sa_provenance *found = sa_alloc(arena, sizeof *found);
  return sa_git_provenance(found, arena, root) ? found : NULL;
}

static const sa_sarif_run *describe_run(sa_arena *arena, const sa_options *options) {
  sa_sarif_run *run = sa_alloc(arena, sizeof *run);
  *run = (sa_sarif_run){.arguments = options->arguments.at,
                        .narguments = options->arguments.n,
                        .directory = sa_fs_working_directory(arena),
                        .started = options->started,
                        .ended = (int64_t)time(NULL)};
  return run;
}

sa_status sa_sarif_prepare(sa_sarif_options *out, sa_arena *arena, sa_diag *diag,
                           const sa_options *options, const char *root) {
  *out = (sa_sarif_options){.profile = options->sarif_profile,
                            .suppressed = options->sarif_suppressed,
                            .absent = options->report_absent};
  if (options->sarif_root_uri != NULL) {
    out->root_uri = root_uri(arena, diag, options->sarif_root_uri);
    if (out->root_uri == NULL) return SA_E_USAGE;
  }
  if (out->profile == SA_SARIF_AZURE) {
    sa_azure_pipeline *azure = sa_alloc(arena, sizeof *azure);
    if (read_pipeline(azure, arena, diag) != SA_OK) return SA_E_USAGE;
    out->azure = azure;
  }
  if (!options->no_sarif_provenance) out->provenance = provenance(arena, root);
  if (options->sarif_invocation) out->run = describe_run(arena, options);
  return SA_OK;
}
