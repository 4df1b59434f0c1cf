/* What analysis found out: one sa_site_facts per record_stream call and a list of hazards.
 * Facts are words from facts.def, each with the place that shows it. Unknown is an answer. */
#ifndef SA_MODEL_FACTS_H
#define SA_MODEL_FACTS_H

#include "model/account.h"
#include "model/ir.h"
#include "model/release.h"

typedef enum {
#define SA_FACT(name, words, what) SA_FACT_##name,
#include "model/facts.def"
#undef SA_FACT
  SA_FACT_COUNT
} sa_fact;

typedef struct {
  const char *name, *words, *meaning;
} sa_fact_info;

const sa_fact_info *sa_fact_about(sa_fact fact);
/* The fact of that name, or SA_FACT_COUNT. */
sa_fact sa_fact_find(const char *name);
/* The index of `word` in the fact's word list, or -1. */
int sa_fact_word_index(sa_fact fact, const char *word);
/* The word at that index; never NULL. The text is static. */
const char *sa_fact_word(sa_fact fact, int index);

/* One step of the evidence path. */
typedef enum {
  SA_ROLE_CREATED, /* the block is made, or comes in */
  SA_ROLE_USED,    /* work on a side stream uses it */
  SA_ROLE_EVENT,   /* an event is recorded */
  SA_ROLE_WAIT,    /* a stream or the host waits */
  SA_ROLE_RECORD,  /* record_stream */
  SA_ROLE_RELEASE, /* a handle goes away */
  SA_ROLE_ESCAPE,  /* a handle goes where we do not see */
  SA_ROLE_STASH,   /* a place that keeps, or could keep, the reference */
  SA_ROLE_CONTEXT  /* anything else worth reading: the caller, the flag, the class */
} sa_role;

/* "creation", "side-use", "event", "wait", "record", "release", "escape", "stash", "context". */
const char *sa_role_name(sa_role role);

typedef struct {
  sa_role role;
  sa_range at;
  const char *text; /* one sentence without a full stop, names in single quotes */
} sa_evidence;

typedef SA_ARRAY(sa_evidence) sa_evidence_array;

/* Adds a copy of the step behind the others, unless one of that role stands at its place. */
void sa_evidence_add(sa_arena *arena, sa_evidence_array *evidence, const sa_evidence *step);
/* Sorts by range, then role, then text. */
void sa_evidence_sort(sa_evidence_array *evidence);

typedef struct {
  uint8_t word; /* index into the fact's words */
  sa_range at;  /* the place that shows it; may be nowhere */
} sa_fact_value;

/* What a rewrite starts from: places in the function that records, in program order. */
typedef struct {
  const char *stream_type;     /* declared type of the recorded stream, "" */
  sa_range made;               /* what makes the block; may be nowhere */
  SA_ARRAY(sa_range) uses;     /* work on the recorded stream that uses the block */
  SA_ARRAY(sa_range) releases; /* where it goes, or the function ends, before an order is there */
  bool ordered; /* the release comes after the recorded stream's work, and other streams' work is
                   ordered or recorded by itself; nothing that the block may be in goes too early */
  bool kept;    /* a holder has it before the call, and lets go only behind a wait for the stream */
  const char *unkept; /* why that is not so, or NULL: nobody has it before the call */
} sa_places;

typedef struct {
  sa_site_kind kind;
  uint32_t site;   /* index into unit->sites; SA_NO_INDEX for a helper call */
  uint32_t func;   /* enclosing function */
  uint32_t helper; /* helper call: the forwarding function; else SA_NO_INDEX */
  sa_range at;     /* the call */
  const char *api;
  bool analysed;
  const char *reason; /* why not analysed, or what was not established; NULL */
  const char *block;  /* spelling of the block, "" */
  const char *creation_stream, *recorded_stream; /* spelling, "" when unknown */
  const char *uncovered_stream; /* the third stream of other_use: yes; "" when there is none */
  sa_range release_at;
  sa_fact_value facts[SA_FACT_COUNT];
  sa_evidence_array evidence;     /* in program order */
  SA_ARRAY(const char *) assumed; /* what was taken for granted */
  SA_ARRAY(const char *) missing; /* facts that no source here can give */
  sa_places places;
  const sa_timeline *timeline; /* NULL unless it was asked for */
} sa_site_facts;

/* Whether the fact has that word. */
bool sa_facts_are(const sa_site_facts *facts, sa_fact fact, const char *word);

typedef enum {
  SA_HAZARD_UNORDERED_RELEASE,    /* SA301 */
  SA_HAZARD_READ_BEFORE_READY,    /* SA302 */
  SA_HAZARD_WAIT_ON_WRONG_STREAM, /* SA303 */
  SA_HAZARD_EVENT_ORDER, /* SA304: waited before it is recorded, or recorded before the last use */
  SA_HAZARD_WAIT_TOO_EARLY,        /* SA401 */
  SA_HAZARD_DEFERRED_IN_CAPTURE,   /* SA501 */
  SA_HAZARD_QUERY_IN_CAPTURE,      /* SA502 */
  SA_HAZARD_WRONG_STREAM_RECORDED, /* SA203: site is set */
  SA_HAZARD_COUNT
} sa_hazard_kind;

/* "unordered-release", "read-before-ready", ...: the words in rules and dumps. */
const char *sa_hazard_name(sa_hazard_kind kind);

typedef struct {
  sa_hazard_kind kind;
  uint32_t func;
  uint32_t site_facts; /* index into sa_facts.sites the hazard belongs to, or SA_NO_INDEX */
  sa_range at;
  bool certain; /* false: a stream, a call or an alias on the way is not known */
  const char *block, *stream, *other_stream; /* spellings, "" when there is none */
  sa_evidence_array evidence;
  const sa_timeline *timeline; /* NULL unless it was asked for */
  bool reassigned;             /* as in sa_release_facts */
} sa_hazard;

typedef struct {
  SA_ARRAY(sa_site_facts) sites;       /* sorted by range */
  SA_ARRAY(sa_hazard) hazards;         /* sorted by range, then kind */
  SA_ARRAY(sa_release_facts) releases; /* of blocks made in the function, and explicit frees */
} sa_facts;

#endif
