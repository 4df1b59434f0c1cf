/* One file through all stages. */
#ifndef SA_CLI_UNIT_H
#define SA_CLI_UNIT_H

#include "cli/options.h"
#include "filter/filter.h"
#include "frontend/clang/clang.h"
#include "link/summaries.h"
#include "model/facts.h"
#include "project/config.h"
#include "project/prefilter.h"
#include "project/read.h"

typedef struct sa_recall sa_recall; /* recall.h */

/* libclang and the model headers. */
typedef struct {
  sa_arena *arena;
  sa_clang *clang; /* NULL until something needs it */
  sa_sdk sdk;
  bool tried;
} sa_cpp;

/* What the units of a run share; read-only while they run. */
typedef struct {
  const sa_options *options;
  const sa_config *config; /* NULL: none */
  sa_filter_options filter;
  const sa_ruleset *rules;
  sa_cpp *cpp; /* a process that needs libclang for a text in a Python source may load it late */
  sa_read_options read;
  const char *tool;              /* version, for summaries */
  const char *emit;              /* directory for summaries; NULL: none is written */
  const sa_summaries *summaries; /* of other units; NULL: every unit stands alone */
  const sa_recall *recall;       /* results of earlier runs; NULL: none are used */
  sa_reads *reads;               /* of a unit that is to be kept; NULL: none is */
  const sa_prefilter *effects;   /* words without which a source has nothing to summarise */
} sa_session;

typedef struct {
  double parse, lower, analyse;     /* seconds */
  uint32_t recalled, kept, damaged; /* by the cache */
} sa_unit_times;

/* Whether this program was built with the Python frontend; without it no Python source may get
 * here. */
bool sa_unit_reads_python(void);

/* Words of which one stands in every Python source that holds a text in C++. Ends with NULL. */
const char *const *sa_unit_text_words(void);

/* Whether the modules that a Python source was found to import are what they were: the rows of that
 * kind. */
bool sa_unit_modules_unchanged(const char *root, const sa_reads *reads);

/* One file as the stages see it, and what they say. */
typedef struct {
  const sa_ir_unit *unit;
  sa_ir_texts complaints;
  sa_facts facts;
  sa_result result; /* of that file alone; its sites in the order of facts.sites */
} sa_judged;

/* Judges a text that stands in no file: `job` with an edited text. What it has to say about the run
 * is dropped. SA_E_PARSE when it cannot be analysed. */
sa_status sa_unit_again(sa_judged *out, sa_arena *arena, const sa_session *session,
                        const sa_job *job);

/* Adds what there is to say about one file to `result`: sites, findings, messages, and whether it
 * failed. Cannot fail itself: a bad file is a message. `result` lives in `arena`. With --dump it
 * prints the stages asked for. */
void sa_unit_run(sa_result *result, sa_unit_times *times, sa_arena *arena,
                 const sa_session *session, const sa_source *source);

/* Instead, for a source that holds nothing but comments that concern this tool: what is to be said
 * about these. */
void sa_unit_remarks(sa_result *result, sa_arena *arena, const sa_session *session,
                     const sa_source *source);

/* Only writes the summary of a source that holds nothing to report. What is wrong with it is a
 * note.
 */
void sa_unit_summarise(sa_result *result, sa_unit_times *times, sa_arena *arena,
                       const sa_session *session, const sa_source *source);

/* Instead, when the run of a file was lost: adds its calls as sites that were not analysed, with
 * `reason`. */
void sa_unit_account(sa_result *result, sa_arena *arena, const sa_session *session,
                     const sa_source *source, const char *reason);

#endif
