#include "cli/options.h"

#include "base/fs.h"
#include "filter/directive.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_RESPONSE = 64 << 20,
  MAX_JOBS = 256,
  MODEL_TIMEOUT = 60, /* model headers are small; real ones take a slow machine a minute */
  MODEL_MEMORY = 1024,
  NATIVE_TIMEOUT = 300,
  NATIVE_MEMORY = 4096,
  DEFAULT_CACHE = 512
};

static const unsigned NOT_GIVEN = UINT_MAX;

typedef struct {
  sa_options *options;
  sa_arena *arena;
  sa_diag *diag;
  const char *output; /* --output, until it has found its format */
} reader;

/* What to do with an option's value. Returns NULL, or what is wrong with it. */
typedef const char *(*handler)(reader *r, const char *value);

static const char *add_name(sa_names *names, reader *r, const char *value) {
  sa_push(r->arena, names, value);
  return NULL;
}

/* "SA101,SA2" is two names; a name may be the beginning of several ids. */
static const char *add_rules(sa_names *names, reader *r, const char *value) {
  for (const char *at = value; *at != '\0';) {
    size_t n = strcspn(at, ",");
    if (strncmp(at, "SA", 2) != 0) return "rules are named SA101, or SA1 for all that begin so";
    sa_push(r->arena, names, sa_strndup(r->arena, at, n));
    at += n + (at[n] == ',');
  }
  return NULL;
}

static const char *read_number(unsigned *out, const char *value, unsigned most) {
  char *end;
  errno = 0;
  long number = strtol(value, &end, 10);
  if (end == value || *end != '\0' || errno != 0 || number < 0 || (unsigned long)number > most)
    return "not a number in range";
  *out = (unsigned)number;
  return NULL;
}

static const char *set_format(reader *r, const char *value) {
  const char *equals = strchr(value, '=');
  size_t length = equals != NULL ? (size_t)(equals - value) : strlen(value);
  const sa_reporter *reporter = sa_reporter_find(sa_strndup(r->arena, value, length));
  if (reporter == NULL) return "no such format; --help lists them";
  if (equals != NULL && equals[1] == '\0') return "the path after '=' is empty";
  sa_push(r->arena, &r->options->formats,
          (sa_format){reporter, equals != NULL ? equals + 1 : NULL});
  return NULL;
}

static const char *set_fail_on(reader *r, const char *value) {
  for (int level = SA_NOTE; level <= SA_ERROR; level++)
    if (strcmp(value, sa_severity_name((sa_severity)level)) == 0) {
      r->options->fail_on = level;
      return NULL;
    }
  return "must be note, warning or error";
}

static const char *set_colour(reader *r, const char *value) {
  static const char *const words[] = {"auto", "always", "never"};
  for (int i = 0; i < 3; i++)
    if (strcmp(value, words[i]) == 0) {
      r->options->colour = (sa_when)i;
      return NULL;
    }
  return "must be auto, always or never";
}

static const char *set_today(reader *r, const char *value) {
  r->options->today = value;
  return sa_is_date(value) ? NULL : "must be a date such as 2027-01-31";
}

static const char *set_dump(reader *r, const char *value) {
  static const char *const words[] = {"ir", "cfg", "facts", "tokens"};
  for (unsigned i = 0; i < 4; i++)
    if (strcmp(value, words[i]) == 0) {
      r->options->dump |= 1u << i;
      return NULL;
    }
  return "must be ir, cfg, facts or tokens";
}

static const char *set_sarif_profile(reader *r, const char *value) {
  static const char *const words[] = {"plain", "github", "azure"};
  for (unsigned i = 0; i < 3; i++)
    if (strcmp(value, words[i]) == 0) {
      r->options->sarif_profile = (sa_sarif_profile)i;
      return NULL;
    }
  return "must be plain, github or azure";
}

static const char *set_help_form(reader *r, const char *value) {
  static const char *const words[] = {"man", "bash", "zsh", "fish"};
  for (unsigned i = 0; i < 4; i++)
    if (strcmp(value, words[i]) == 0) {
      r->options->show_help = true;
      r->options->help_form = (sa_help_form)(SA_HELP_MAN + i);
      return NULL;
    }
  return "must be man, bash, zsh or fish";
}

static const char *set_parse_errors(reader *r, const char *value) {
  r->options->parse_errors_warn = strcmp(value, "warn") == 0;
  return r->options->parse_errors_warn || strcmp(value, "fail") == 0 ? NULL
                                                                     : "must be fail or warn";
}

static const char *set_jobs(reader *r, const char *value) {
  return read_number(&r->options->jobs, value, MAX_JOBS);
}
static const char *set_timeout(reader *r, const char *value) {
  return read_number(&r->options->timeout, value, 86400);
}
static const char *set_memory(reader *r, const char *value) {
  return read_number(&r->options->memory, value, 1 << 20);
}
static const char *set_cache_size(reader *r, const char *value) {
  return read_number(&r->options->cache_size, value, 1 << 20);
}
static const char *add_define(reader *r, const char *value) {
  return add_name(&r->options->defines, r, value);
}
static const char *add_select(reader *r, const char *value) {
  return add_rules(&r->options->select, r, value);
}
static const char *add_ignore(reader *r, const char *value) {
  return add_rules(&r->options->ignore, r, value);
}
static const char *add_summary(reader *r, const char *value) {
  return add_name(&r->options->use_summary, r, value);
}
static const char *set_output(reader *r, const char *value) {
  r->output = value;
  return NULL;
}

/* One option: either a place for its text, or a switch, or a handler. */
typedef struct {
  char letter; /* 0: none */
  const char *name, *value, *help;
  size_t text, flag; /* offset of a const char * or bool in sa_options; 0: none */
  handler handle;
  const char *words; /* the values that it can have; NULL: others */
} option_row;

#define TEXT(member)   .text = offsetof(sa_options, member)
#define SWITCH(member) .flag = offsetof(sa_options, member)
#define CALL(function) .handle = (function)
#define WORDS(list)    .words = (list)

static const option_row rows[] = {
    {'p', "compile-db", "PATH", "compile_commands.json, or the directory that holds it",
     TEXT(database)},
    {'D', "define", "NAME[=V]", "define a macro while parsing without a compile database",
     CALL(add_define)},
    {0, "require-compile-db", NULL, "end with status 2 when there is no compile database",
     SWITCH(require_database)},
    {'f', "format", "F[=PATH]", "output format, to a file with =PATH; may be repeated",
     CALL(set_format)},
    {'o', "output", "PATH", "write the first format without a path there, whole or not at all",
     CALL(set_output)},
    {0, "emit-summary", "DIR", "write a summary of each source there, for other units",
     TEXT(emit_summary)},
    {0, "use-summary", "DIR", "read the summaries of other units there; may be repeated",
     CALL(add_summary)},
    {0, "select", "RULES", "report only these rules (SA101,SA2: ids or their beginnings)",
     CALL(add_select)},
    {0, "ignore", "RULES", "do not report these rules", CALL(add_ignore)},
    {0, "diff", NULL, "print the proved edits as a patch instead of a report", SWITCH(diff)},
    {0, "fix", NULL, "apply the proved edits to the files, then report", SWITCH(fix)},
    {0, "show-fixes", NULL, "prove edits for every format (json and sarif always have them)",
     SWITCH(show_fixes)},
    {0, "diff-base", "REV", "only findings on lines changed since the work left that commit",
     TEXT(diff_base)},
    {0, "patch", "FILE", "only findings on lines that this unified diff changes (- : stdin)",
     TEXT(patch)},
    {0, "staged", NULL, "only findings on staged lines, in sources as git's index has them",
     SWITCH(staged)},
    {0, "stdin-filename", "FILE", "read the contents of this file from standard input",
     TEXT(stdin_name)},
    {0, "baseline", "FILE", "do not report findings that are in this file", TEXT(baseline)},
    {0, "write-baseline", "FILE", "put all findings into this file instead of reporting them",
     TEXT(write_baseline)},
    {0, "show-suppressed", NULL, "also report findings that a comment allows, with its reason",
     SWITCH(show_suppressed)},
    {0, "today", "DATE", "the day that 'until=' is compared with (2027-01-31)", CALL(set_today)},
    {0, "report-all", NULL, "also report sites that need no change", SWITCH(report_all)},
    {0, "fail-on", "LEVEL", "note, warning or error: from where on findings give status 1",
     CALL(set_fail_on), WORDS("note warning error")},
    {0, "exit-zero", NULL, "status 0 whatever was found; mistakes in use still give 2",
     SWITCH(exit_zero)},
    {0, "on-parse-error", "WHAT", "fail (status 3, the default) or warn", CALL(set_parse_errors),
     WORDS("fail warn")},
    {0, "root", "DIR", "project root; found by .git or .sa-lint.yaml otherwise", TEXT(root)},
    {0, "config", "FILE", "configuration; .sa-lint.yaml is searched upwards otherwise",
     TEXT(config)},
    {0, "show", NULL, "config: which configuration a path obeys, and what it says", SWITCH(show)},
    {0, "check", NULL, "config: whether configurations are right", SWITCH(check)},
    {0, "no-config", NULL, "read no configuration", SWITCH(no_config)},
    {0, "rules", "DIR", "use these rules instead of the built-in ones", TEXT(rules)},
    {0, "libclang", "PATH", "use this libclang", TEXT(libclang)},
    {0, "sarif-category", "NAME", "category of the run in SARIF", TEXT(category)},
    {0, "cache", NULL, "keep results in ~/.cache/sa-lint, and use what has not changed",
     SWITCH(cache)},
    {0, "cache-dir", "DIR", "the same, in that directory", TEXT(cache_directory)},
    {0, "cache-size", "MIB", "the most that the cache may take (512)", CALL(set_cache_size)},
    {0, "sarif-profile", "WHO", "plain, github (findings only) or azure (ids of the pipeline)",
     CALL(set_sarif_profile), WORDS("plain github azure")},
    {0, "sarif-suppressed", NULL, "--show-suppressed, in SARIF alone", SWITCH(sarif_suppressed)},
    {0, "report-absent", NULL, "with --baseline: also its findings that are gone, in SARIF",
     SWITCH(report_absent)},
    {0, "sarif-root-uri", "URI", "file:///DIRECTORY/ of the project root; not told otherwise",
     TEXT(sarif_root_uri)},
    {0, "sarif-invocation", NULL, "also arguments, directory and times of the run in SARIF",
     SWITCH(sarif_invocation)},
    {0, "no-sarif-provenance", NULL, "do not name repository, commit and branch in SARIF",
     SWITCH(no_sarif_provenance)},
    {'j', "jobs", "N", "worker processes (all processors by default; 0: none)", CALL(set_jobs)},
    {0, "timeout", "SECONDS", "processor time that a file may take (60, with -p 300; 0: any)",
     CALL(set_timeout)},
    {0, "memory", "MIB", "memory that a file may take (1024, with -p 4096; 0: any)",
     CALL(set_memory)},
    {0, "color", "WHEN", "auto, always or never", CALL(set_colour), WORDS("auto always never")},
    {'q', "quiet", NULL, "findings and errors only", SWITCH(quiet)},
    {'v', "verbose", NULL, "also notes about the run, and what libclang itself writes",
     SWITCH(verbose)},
    {0, "statistics", NULL, "counts of rules and categories on standard error", SWITCH(statistics)},
    {0, "timing", NULL, "where the time went, on standard error", SWITCH(timing)},
    {0, "list-files", NULL, "print the files that hold something to analyse, and stop",
     SWITCH(list_files)},
    {0, "no-prefilter", NULL, "analyse every file, also those without a record call",
     SWITCH(no_prefilter)},
    {0, "dump", "WHAT", "ir, cfg, facts or tokens: print that stage instead of a report",
     CALL(set_dump), WORDS("ir cfg facts tokens")},
    {0, "help-as", "FORM", NULL, CALL(set_help_form), WORDS("man bash zsh fish")},
    {'h', "help", NULL, "this text", SWITCH(show_help)},
    {'V', "version", NULL, "version of the tool and of libclang", SWITCH(show_version)},
};

enum { NROWS = sizeof rows / sizeof *rows, FIRST_LONG = 256 };

bool sa_option_at(sa_option_help *out, unsigned index) {
  for (size_t i = 0; i < NROWS; i++) {
    if (rows[i].help == NULL || index-- > 0) continue;
    *out =
        (sa_option_help){rows[i].letter, rows[i].name, rows[i].value, rows[i].help, rows[i].words};
    return true;
  }
  return false;
}

static const struct {
  const char *name, *help;
} commands[SA_COMMAND_COUNT] = {
    [SA_COMMAND_CHECK] = {"check", "analyse sources; the default"},
    [SA_COMMAND_RULES] = {"rules", "list the rules"},
    [SA_COMMAND_EXPLAIN] = {"explain", "show a rule's page, or the reasoning about FILE:LINE"},
    [SA_COMMAND_MERGE] = {"merge", "make one report of several"},
    [SA_COMMAND_CONFIG] = {"config", "show or check .sa-lint.yaml"},
    [SA_COMMAND_DOCTOR] = {"doctor", "say what the program found on this machine"},
};

const char *sa_command_text(sa_command_name command) {
  return commands[command].name;
}

const char *sa_command_help(sa_command_name command) {
  return commands[command].help;
}

void sa_options_help(FILE *out) {
  fputs("usage: sa-lint [check] [OPTIONS] PATHS...\n"
        "       sa-lint rules [--format json]\n"
        "       sa-lint explain RULE\n"
        "       sa-lint explain FILE:LINE [OPTIONS]\n"
        "       sa-lint merge [--format F] REPORTS...\n"
        "       sa-lint config [--show | --check] [PATHS...]\n"
        "       sa-lint doctor [-p PATH]\n\n"
        "Finds record_stream calls in C, C++, CUDA, HIP and Python sources, says of each what it "
        "does\n"
        "and whether an event can take its place, and finds blocks that nothing protects.\n"
        "A file given as @FILE holds one argument a line. Behind -- there are paths only.\n\n",
        out);
  sa_option_help option, *row = &option;
  for (unsigned i = 0; sa_option_at(row, i); i++) {
    char names[64];
    snprintf(names, sizeof names, "--%s%s%s", row->name, row->value != NULL ? " " : "",
             row->value != NULL ? row->value : "");
    char letter[] = "-x,";
    letter[1] = row->letter;
    fprintf(out, "  %-3s %-24s %s\n", row->letter != 0 ? letter : "", names, row->help);
  }
  fputs("\nFormats:\n", out);
  for (const sa_reporter *r = sa_reporters(); r->name != NULL; r++)
    fprintf(out, "  %-10s %s\n", r->name, r->description);
  fputs("\nStatus: 0 nothing to report, 1 findings, 2 wrong use or configuration, 3 a file could\n"
        "not be analysed and nothing was found.\n",
        out);
}

static void make_getopt_tables(char *letters, struct option *longs) {
  *letters++ = ':'; /* tell a missing value from an unknown option */
  for (int i = 0; i < NROWS; i++) {
    bool takes_value = rows[i].value != NULL;
    longs[i] = (struct option){rows[i].name, takes_value ? required_argument : no_argument, NULL,
                               FIRST_LONG + i};
    if (rows[i].letter == 0) continue;
    *letters++ = rows[i].letter;
    if (takes_value) *letters++ = ':';
  }
  *letters = '\0';
}

static const option_row *row_of(int found) {
  if (found >= FIRST_LONG) return &rows[found - FIRST_LONG];
  for (size_t i = 0; i < NROWS; i++)
    if (rows[i].letter == found) return &rows[i];
  return NULL;
}

static sa_status mistake(reader *r, const char *what, const char *why) {
  sa_report(r->diag, SA_ERROR, NULL, 0, 0, "%s: %s; see sa-lint --help", what, why);
  return SA_E_USAGE;
}

/* Programs put the names of files behind the options or into a list, and whoever names a file
 * "--rules=x.py" would give an option. Without a "--" nobody knows which of the two is meant. */
static sa_status refuse_file(reader *r, const char *word) {
  struct stat status;
  if (lstat(word, &status) != 0) return SA_OK;
  return mistake(r, word, "this is also the name of a file; put -- before the paths");
}

static bool is_option(const char *word) {
  return word[0] == '-' && word[1] != '\0';
}

/* The lines of a list; a line "--" makes `paths_only` true. A list is not nested. */
static sa_status expand_list(sa_names *out, bool *paths_only, reader *r, const char *path) {
  char *text;
  sa_status status = sa_fs_read_text(&text, NULL, r->arena, r->diag, path, MAX_RESPONSE);
  if (status != SA_OK) return SA_E_USAGE;
  for (char *line; (line = strsep(&text, "\n")) != NULL;) {
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r') line[--length] = '\0';
    if (length == 0) continue;
    *paths_only |= strcmp(line, "--") == 0;
    if (!*paths_only && is_option(line)) status = refuse_file(r, line);
    if (status != SA_OK) return status;
    sa_push(r->arena, out, line);
  }
  return SA_OK;
}

/* Replaces @FILE by its lines; behind "--" there are paths only. A "--" among the arguments says
 * which of them are options, and nothing of the words of a list. */
static sa_status expand(sa_names *out, reader *r, int argc, char **argv) {
  bool marked = false, paths_only = false;
  for (int i = 1; i < argc; i++) marked |= strcmp(argv[i], "--") == 0;
  for (int i = 0; i < argc; i++) {
    sa_status status = SA_OK;
    paths_only |= i > 0 && strcmp(argv[i], "--") == 0;
    bool list = i > 0 && !paths_only && argv[i][0] == '@';
    bool option = i > 0 && !paths_only && is_option(argv[i]);
    if (!marked && (list || option)) status = refuse_file(r, argv[i]);
    if (status == SA_OK && list) status = expand_list(out, &paths_only, r, argv[i] + 1);
    if (status != SA_OK) return status;
    if (!list) sa_push(r->arena, out, argv[i]);
  }
  return SA_OK;
}

static sa_status apply(reader *r, const option_row *row, const char *value) {
  char *base = (char *)r->options;
  const char *wrong = NULL;
  if (row->flag != 0) *(bool *)(void *)(base + row->flag) = true;
  if (row->text != 0) *(const char **)(void *)(base + row->text) = value;
  if (row->handle != NULL) wrong = row->handle(r, value);
  if (wrong == NULL) return SA_OK;
  return mistake(r, sa_printf(r->arena, "--%s '%s'", row->name, value), wrong);
}

static sa_status read_options(reader *r, int argc, char **argv) {
  char letters[2 * NROWS + 2];
  struct option longs[NROWS + 1] = {0};
  make_getopt_tables(letters, longs);
  optind = 0; /* start anew, whatever ran before */
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
    const option_row *row = row_of(found == ':' ? optopt : found);
    const char *word = argv[optind > 0 ? optind - 1 : 0];
    if (found == ':') return mistake(r, word, "the value is missing");
    if (row == NULL) return mistake(r, word, "no such option, or not a clear abbreviation of one");
    sa_status status = apply(r, row, optarg);
    if (status != SA_OK) return status;
  }
  for (int i = optind; i < argc; i++) sa_push(r->arena, &r->options->paths, argv[i]);
  return SA_OK;
}

/* Gives --output to its format and fills in the default; only one format may use standard output.
 */
static sa_status settle_formats(reader *r) {
  sa_options *o = r->options;
  unsigned on_stdout = 0;
  if (o->formats.n == 0)
    sa_push(r->arena, &o->formats, (sa_format){sa_reporter_find("text"), NULL});
  for (uint32_t i = 0; i < o->formats.n; i++) {
    if (o->formats.at[i].path == NULL && r->output != NULL) {
      o->formats.at[i].path = r->output;
      r->output = NULL;
    }
    on_stdout += o->formats.at[i].path == NULL;
  }
  if (r->output != NULL) return mistake(r, "--output", "every format has a path of its own");
  if (on_stdout > 1) return mistake(r, "--format", "only one format can go to standard output");
  return SA_OK;
}

static void settle_limits(sa_options *o) {
  bool native = o->database != NULL;
  if (o->timeout == NOT_GIVEN) o->timeout = native ? NATIVE_TIMEOUT : MODEL_TIMEOUT;
  if (o->memory == NOT_GIVEN) o->memory = native ? NATIVE_MEMORY : MODEL_MEMORY;
}

static sa_status check_changes(reader *r) {
  const sa_options *o = r->options;
  if ((o->diff_base != NULL) + (o->patch != NULL) + o->staged > 1)
    return mistake(r, "--diff-base, --patch and --staged", "only one of them can be given");
  if (o->baseline != NULL && o->write_baseline != NULL)
    return mistake(r, "--baseline and --write-baseline", "only one of them can be given");
  if (o->write_baseline != NULL && (o->diff_base != NULL || o->patch != NULL || o->staged))
    return mistake(r, "--write-baseline",
                   "a baseline is made of all findings, not of changed lines");
  if (o->fix && o->stdin_name != NULL)
    return mistake(r, "--fix and --stdin-filename",
                   "there is no file to edit; --diff prints the edit");
  if (o->stdin_name != NULL && o->patch != NULL && strcmp(o->patch, "-") == 0)
    return mistake(r, "--patch -", "standard input already is what --stdin-filename names");
  return SA_OK;
}

static void take_command(sa_options *o) {
  for (unsigned i = 0; o->paths.n > 0 && i < SA_COMMAND_COUNT; i++) {
    if (strcmp(o->paths.at[0], commands[i].name) != 0) continue;
    o->command = (sa_command_name)i;
    o->paths.at++;
    o->paths.n--;
    return;
  }
}

/* The day of SOURCE_DATE_EPOCH where a build sets it, else of the clock; in UTC. */
static const char *today(sa_arena *arena) {
  const char *set = getenv("SOURCE_DATE_EPOCH");
  char *end = NULL;
  errno = 0;
  long long seconds = set != NULL && *set != '\0' ? strtoll(set, &end, 10) : (long long)time(NULL);
  if (end != NULL && (*end != '\0' || errno != 0 || seconds < 0)) seconds = (long long)time(NULL);
  time_t when = (time_t)seconds;
  struct tm day;
  if (gmtime_r(&when, &day) == NULL) return "1970-01-01";
  return sa_printf(arena, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

sa_filter_options sa_filter_options_of(const sa_options *o) {
  return (sa_filter_options){.select = o->select.at,
                             .nselect = o->select.n,
                             .ignore = o->ignore.at,
                             .nignore = o->ignore.n,
                             .fail_on = o->fail_on,
                             .today = o->today};
}

sa_status sa_options_read(sa_options *out, sa_arena *arena, sa_diag *diag, int argc, char **argv) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *out = (sa_options){.fail_on = -1,
                      .started = (int64_t)time(NULL),
                      .timeout = NOT_GIVEN,
                      .memory = NOT_GIVEN,
                      .cache_size = DEFAULT_CACHE,
                      .jobs = processors < 1          ? 1
                              : processors > MAX_JOBS ? MAX_JOBS
                                                      : (unsigned)processors};
  reader r = {.options = out, .arena = arena, .diag = diag};
  out->today = today(arena);
  sa_names words = {0};
  sa_status status = expand(&words, &r, argc, argv);
  if (status != SA_OK) return status;
  char **list = sa_alloc(arena, (words.n + 1) * sizeof *list);
  for (uint32_t i = 0; i < words.n; i++) list[i] = (char *)words.at[i];
  for (uint32_t i = 1; i < words.n; i++) sa_push(arena, &out->arguments, words.at[i]);
  status = read_options(&r, (int)words.n, list);
  if (status == SA_OK) status = settle_formats(&r);
  if (status == SA_OK) status = check_changes(&r);
  if (status == SA_OK) take_command(out);
  settle_limits(out);
  return status;
}
