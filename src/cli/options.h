/* The command line. */
#ifndef SA_CLI_OPTIONS_H
#define SA_CLI_OPTIONS_H

#include "base/diag.h"
#include "filter/filter.h"
#include "report/report.h"

typedef enum {
  SA_COMMAND_CHECK,
  SA_COMMAND_RULES,
  SA_COMMAND_EXPLAIN,
  SA_COMMAND_MERGE,
  SA_COMMAND_CONFIG,
  SA_COMMAND_DOCTOR,
  SA_COMMAND_COUNT
} sa_command_name;

typedef enum {
  SA_DUMP_NONE,
  SA_DUMP_IR = 1,
  SA_DUMP_CFG = 2,
  SA_DUMP_FACTS = 4,
  SA_DUMP_TOKENS = 8
} sa_dump;

/* What the option table can be turned into. */
typedef enum { SA_HELP_TEXT, SA_HELP_MAN, SA_HELP_BASH, SA_HELP_ZSH, SA_HELP_FISH } sa_help_form;

typedef enum { SA_WHEN_AUTO, SA_WHEN_ALWAYS, SA_WHEN_NEVER } sa_when;

/* One --format: where it goes is NULL for standard output. */
typedef struct {
  const sa_reporter *reporter;
  const char *path;
} sa_format;

typedef SA_ARRAY(const char *) sa_names;

typedef struct {
  sa_command_name command;
  sa_names paths;
  SA_ARRAY(sa_format) formats; /* at least one */
  sa_names defines, select, ignore;
  const char *root, *config, *rules, *libclang, *database, *category; /* NULL: not given */
  const char *emit_summary;                                           /* NULL: none is written */
  const char *cache_directory;                                        /* NULL: the user's own */
  bool cache;                                                         /* use the user's own */
  unsigned cache_size;                                                /* MiB */
  sa_names use_summary;                                               /* directories to read from */
  sa_sarif_profile sarif_profile;
  const char *sarif_root_uri; /* NULL: not given */
  bool sarif_suppressed, report_absent, sarif_invocation, no_sarif_provenance;
  sa_names arguments; /* the command line, without the program */
  int64_t started;    /* seconds since 1970 */
  bool no_config, require_database;
  const char *today;                          /* 2026-11-29 */
  const char *diff_base, *patch, *stdin_name; /* NULL: not given; at most one of the first two... */
  const char *baseline, *write_baseline;      /* NULL: not given; at most one */
  bool staged;                                /* ...and this */
  bool show_suppressed;
  bool show, check; /* config */
  int fail_on;      /* an sa_severity; -1: as configured */
  bool exit_zero, parse_errors_warn;
  bool report_all, quiet, verbose, timing, statistics, list_files, no_prefilter;
  bool diff, fix, show_fixes; /* edits: print, apply, put into every report */
  sa_when colour;
  unsigned dump;    /* of sa_dump */
  unsigned line;    /* explain FILE:LINE; 0: not asked */
  unsigned jobs;    /* 0: no worker processes */
  unsigned timeout; /* seconds of processor time for one file; 0: any */
  unsigned memory;  /* MiB for one file; 0: any */
  bool show_help, show_version;
  sa_help_form help_form;
} sa_options;

/* Reads the command line. Everything lives in `arena`; strings may point into argv. A mistake is
 * SA_E_USAGE with a message. */
sa_status sa_options_read(sa_options *out, sa_arena *arena, sa_diag *diag, int argc, char **argv);

/* What the command line says about the findings to report. */
sa_filter_options sa_filter_options_of(const sa_options *options);

/* An option as its help shows it. */
typedef struct {
  char letter;       /* 0: none */
  const char *name;  /* without dashes */
  const char *value; /* NULL: takes none */
  const char *help;
  const char *words; /* the values that it can have, separated by spaces; NULL: any */
} sa_option_help;

/* Option number `index`, from 0, in the order of the help; false when there is none. */
bool sa_option_at(sa_option_help *out, unsigned index);

/* Name and one line of help of a command. */
const char *sa_command_text(sa_command_name command);
const char *sa_command_help(sa_command_name command);

/* The text of --help. */
void sa_options_help(FILE *out);

#endif
