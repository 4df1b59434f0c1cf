/* What each function does to streams, events and blocks, as one list of actions in program order.
 * Calls of functions in the unit are replaced by what they do, in the caller's values. */
#ifndef SA_ANALYSIS_ACTION_H
#define SA_ANALYSIS_ACTION_H

#include "analysis/value.h"

typedef enum {
  SA_ACT_ALLOC,        /* block a is made on stream b */
  SA_ACT_USE,          /* work on stream b uses a */
  SA_ACT_RECORD,       /* record_stream(a, b) */
  SA_ACT_ERASE,        /* takes a record of a on b back */
  SA_ACT_EVENT_RECORD, /* event a marks its place in stream b */
  SA_ACT_EVENT_WAIT,   /* stream a waits for event b */
  SA_ACT_STREAM_WAIT,  /* stream a waits for stream b */
  SA_ACT_SYNC_EVENT,   /* the host waits for event a */
  SA_ACT_SYNC_STREAM,  /* the host waits for stream a */
  SA_ACT_SYNC_DEVICE,
  SA_ACT_WAIT_HANDLE, /* stream b waits for the work behind handle a */
  SA_ACT_QUERY,       /* event or stream a is asked without waiting */
  SA_ACT_SWITCH,      /* the current stream changes from a to b */
  SA_ACT_CAPTURE_BEGIN,
  SA_ACT_CAPTURE_END,
  SA_ACT_ASSIGN, /* register reg holds a from here on */
  SA_ACT_DROP,   /* register reg, which holds a, lets go; text says how (a word of `release`) */
  SA_ACT_FREE,   /* a is freed at its place in stream b */
  SA_ACT_STORE,  /* object or container b keeps a; reg: the local that owns b, or 0 */
  SA_ACT_ESCAPE, /* somebody unseen keeps a; text says how */
  SA_ACT_RETURN, /* a is returned */
  SA_ACT_OPAQUE  /* a call that is not seen: it may order anything */
} sa_action_kind;

typedef struct {
  sa_action_kind kind;
  sa_ir_op op;  /* of the instruction */
  bool written; /* use: the block is written */
  bool maybe;   /* does not happen on every path through the callee it comes from */
  bool unseen;  /* comes from a call whose body is not seen */
  sa_val a, b;
  sa_reg reg;
  uint32_t member; /* store: index into members plus one, or 0 */
  uint32_t point;  /* in the function that has the list */
  uint32_t site;   /* record: index into unit->sites, or SA_NO_INDEX */
  uint32_t via;    /* function the action comes from, SA_NO_INDEX for this one */
  const char *text;
  sa_range at;
} sa_action;

typedef SA_ARRAY(sa_action) sa_action_array;

/* A member of a container or an object of the function that nothing else can name: it holds what
 * was put there last, until `owner` goes.
 * What the own object holds outlives the method. */
typedef struct {
  sa_reg owner;     /* 0: the object whose method this is */
  const char *name; /* a field, or "[index]" */
} sa_member;

typedef struct {
  sa_action_array list;
  SA_ARRAY(sa_member) members;
  uint32_t *first, *end; /* per block: its actions are list.at[first] up to list.at[end] */
  bool *owner;           /* registers whose life keeps what they hold alive */
  bool forwards;         /* a forwarding helper: hands its own block and stream on to a record */
  bool only_records;     /* the same with the stream that is current: its caller knows the block */
  bool only_marks;       /* and nothing else gets the block */
  bool has_streams;      /* something happens on another stream than the one at entry */
} sa_actions;

typedef struct {
  uint32_t func, point;
} sa_call;

typedef struct {
  sa_world *world;
  sa_actions *of; /* by function index */
  SA_ARRAY(sa_call) * callers;
} sa_action_table;

/* Whether the action makes a stream or the host wait for work. */
bool sa_action_waits(sa_action_kind kind);

/* Needs values. Lives in the world's arena. */
sa_action_table *sa_action_run(sa_world *world);

#endif
