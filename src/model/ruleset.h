/* Rules as data: what an API call does, what a type is, which verdict follows from which facts, and
 * the texts of every rule. Loaded once from YAML (embedded in the binary, or --rules DIR) and
 * checked while loading; read-only afterwards. */
#ifndef SA_MODEL_RULESET_H
#define SA_MODEL_RULESET_H

#include "model/facts.h"
#include "model/names.h"

/* An attribute is read, not called; only Python has them. */
typedef enum { SA_API_FUNCTION, SA_API_METHOD, SA_API_CONSTRUCTOR, SA_API_ATTRIBUTE } sa_api_kind;

/* Where an operand of an effect comes from. */
typedef enum {
  SA_FROM_ARG,     /* argument number `index`; C pointers to variables count as the variable */
  SA_FROM_SELF,    /* the receiver */
  SA_FROM_RESULT,  /* what the call returns or constructs */
  SA_FROM_CURRENT, /* the current stream */
  SA_FROM_REST     /* every argument from `index` on */
} sa_operand_kind;

typedef struct {
  sa_operand_kind kind;
  uint8_t index;
} sa_operand;

/* One thing that a call does: an IR operation with operands. */
typedef struct {
  sa_ir_op op;
  sa_operand operands[6];
  uint8_t noperands;
  uint32_t written; /* use: bit i: operands[i] is written */
  bool has_result;
  sa_operand result; /* for operations that assign: RESULT, or an output ARG */
  sa_type makes;     /* kind of the result where the operation leaves it open; UNKNOWN */
  const char *text;  /* overrides the API name as the operation's text; NULL */
} sa_effect;

typedef struct {
  const char *file; /* rule file, for messages */
  unsigned line;
  sa_api_kind kind;
  bool python; /* a row for Python: dots of its name are read as "::"; else for C and C++ */
  /* Qualified name, matched from its end by whole components; `*` matches any part of one
   * component: "CUDACachingAllocator::recordStream" matches
   * "c10::cuda::CUDACachingAllocator::recordStream". For methods, the method's name alone; for
   * constructors, the class. */
  const char *name;
  const char *receiver; /* method: type kind word (tensor, stream, event, handle, ...) or class name
                           pattern; NULL any */
  const char *first;    /* type kind word that argument 0 must have (or be unknown); NULL any */
  const char *
      keyword; /* an argument that must be given by that name, and not as False or None; NULL any */
  uint8_t min_args, max_args; /* SA_ANY_ARGS: no limit */
  const char *family;
  SA_ARRAY(sa_effect) effects; /* empty: the call is known to do nothing of interest */
} sa_api;

typedef struct {
  const char *file;
  unsigned line;
  const char *name; /* class name pattern, as above, without template arguments */
  bool python;      /* as in sa_api */
  sa_type kind;
  bool many; /* a container of what its template arguments are; kind is then ignored */
  bool weak;
  const char *family;
} sa_type_rule;

/* A condition of a verdict row: the fact's word is one of (or, negated, none of) a set. */
typedef struct {
  sa_fact fact;
  uint32_t words; /* bit per word index */
} sa_condition;

typedef struct {
  const char *file;
  unsigned line;
  const char *id;              /* unique slug, appears in --report-all and `explain` */
  SA_ARRAY(sa_condition) when; /* all must hold; none: always */
  const char *category;        /* avoidable ... or NULL: no decision (implementation, forwarding) */
  const char *effect;          /* no-effect, redundant, protects, unknown */
  const char *confidence;      /* high, medium, low */
  const char *rule;            /* SA101 ..., or NULL: no finding */
  const char *message;         /* with {block} {creation} {recorded} {function} {release} */
  const char *advice;          /* the help line */
  SA_ARRAY(const char *) missing; /* hard-to-avoid: facts that a sync point would need */
} sa_verdict_row;

/* A rule's page. */
typedef struct {
  const char *file;
  unsigned line;
  const char *id;   /* "SA101" */
  const char *name; /* "avoidable-record-stream" */
  sa_severity level;
  const char *precision; /* very-high, high, medium, low */
  const char *summary, *description, *help;
  const char *bad, *good;          /* examples */
  sa_hazard_kind hazard;           /* the hazard it reports, or SA_HAZARD_COUNT */
  const char *message;             /* hazard rules: template as above with {stream} {other} */
  SA_ARRAY(const char *) formerly; /* ids that it had in earlier versions */
} sa_rule;

/* A name in braces of a spelling's lines whose text comes from the file: an argument of the nearest
 * call before the place that has one of those names, or the module that the name belongs to. */
typedef struct {
  const char *name;
  SA_ARRAY(const char *) calls;
  uint32_t arg;
  SA_ARRAY(const char *) of; /* modules, "*": any; {NAME.ATTRIBUTE} is then an attribute of it */
} sa_spelling_operand;

/* How a family of streams spells an order by an event. Lines have {event} {stream} {waiter} and the
 * operands; each is a statement of its own. */
typedef struct {
  const char *file;
  unsigned line;
  const char *id;
  SA_ARRAY(const char *) streams;   /* class patterns of the recorded stream */
  SA_ARRAY(const char *) languages; /* as in sa_job.language */
  SA_ARRAY(const char *) declare;   /* makes the event */
  SA_ARRAY(const char *) record;    /* marks the place in {stream} */
  SA_ARRAY(const char *) wait;      /* lets {waiter} wait */
  SA_ARRAY(const char *) includes;  /* one of them must be there; the first is added */
  SA_ARRAY(sa_spelling_operand) operands;
  const char *current; /* the current stream, or NULL: there is no such expression */
  const char *hold;    /* a line that keeps {current} as {waiter}, or NULL */
  const char *join;    /* a line that lets {waiter} wait for all of {stream}, or NULL */
  bool declare_marks;  /* `declare` records the event, too */
  const char *checked; /* prefix of calls that are checked as the file checks them, or NULL */
  bool once;           /* the wait may run once only: it also ends the event's life */
} sa_spelling;

typedef struct {
  sa_span last; /* component of the row's name */
  uint32_t api;
} sa_named_api;

typedef struct {
  SA_ARRAY(sa_api) apis;
  SA_ARRAY(sa_type_rule) types;
  SA_ARRAY(sa_verdict_row) verdicts;
  SA_ARRAY(sa_rule) rules; /* sorted by id */
  SA_ARRAY(sa_spelling) rewrites;
  SA_ARRAY(const char *) pure;            /* calls of these names can be left out: accessors */
  SA_ARRAY(const char *) pure_python;     /* the same, in Python only */
  SA_ARRAY(const char *) spellings;       /* names of record APIs: token account and prefilter */
  SA_ARRAY(const char *) triggers;        /* other words that a finding can start from: prefilter */
  SA_ARRAY(const char *) triggers_python; /* the same, in Python only */
  SA_ARRAY(const char *) justifying;      /* words that make a comment near a call a reason */
  SA_ARRAY(const char *) waiving;       /* of those: the ones that say that callers need not wait */
  SA_ARRAY(const char *) optional_wait; /* method names whose handle callers may drop */
  SA_ARRAY(sa_named_api) by_name;       /* by the last component, then in order */
  SA_ARRAY(uint32_t) wild;              /* apis whose last component has a wildcard, in order */
} sa_ruleset;

/* NULL when there is no such rule. */
const sa_rule *sa_ruleset_find_rule(const sa_ruleset *rules, const char *id);

#endif
