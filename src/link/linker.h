/* What the parts of the linker share. */
#ifndef SA_LINK_LINKER_H
#define SA_LINK_LINKER_H

#include "link/link.h"

enum {
  SA_LINK_DEPTH = 4,       /* calls away from the unit's own functions */
  SA_LINK_FUNCTIONS = 600, /* taken over into one unit */
  SA_LINK_SIZE = 100000,   /* instructions taken over */
  SA_LINK_CALLERS = 32,    /* of one function; more say no more */
  SA_LINK_METHODS = 64,    /* of one class */
  SA_LINK_CANDIDATES = 32  /* bodies of one name */
};

typedef struct {
  uint32_t unit, func; /* in the summaries */
  uint32_t to;         /* in the unit that is made */
  uint32_t depth;
} sa_link_job;

typedef struct {
  sa_arena *arena;
  const sa_summaries *all;
  sa_ir_unit *out;
  uint32_t nown; /* functions of the unit itself: out->funcs below this */
  uint32_t self; /* the unit's own summary, or SA_NO_INDEX */
  uint32_t size; /* instructions taken over */
  bool changed;
  uint32_t **taken;       /* per summary: number of each function in `out` plus one, or NULL */
  uint32_t **files;       /* the same for files */
  sa_link_entries own;    /* functions of the unit that others can call, by name and parameters */
  sa_link_entries places; /* the unit's functions by name; count is the line */
  SA_ARRAY(sa_link_job) jobs; /* functions whose bodies are still to be taken over */
  uint32_t done;              /* jobs before this one are */
} sa_linker;

/* The function's number in `out`; its body follows with the next sa_linker_run(). SA_NO_INDEX when
 * a bound is reached. What the unit has itself, from the same place of the same file, is not taken
 * twice. */
uint32_t sa_linker_take(sa_linker *l, uint32_t unit, uint32_t func, uint32_t depth);

/* Takes bodies over until nothing is left to do. */
void sa_linker_run(sa_linker *l);

/* The one body that a call by that name can mean: a function of the unit or of a summary. */
uint32_t sa_linker_resolve(sa_linker *l, const sa_ir_func *caller, const sa_ir_inst *call,
                           uint32_t depth);

/* A place of a summary, in the files of `out`. */
sa_range sa_linker_place(sa_linker *l, uint32_t unit, sa_range at);

/* Needs resolved calls. Takes over who calls functions of the unit that record, or call what
 * records. */
void sa_linker_callers(sa_linker *l);
/* Needs callers. Takes over the classes that recording functions and their callers name, and the
 * methods of those classes. */
void sa_linker_classes(sa_linker *l);

/* Per function of `out`: whether it records, or calls something that does. */
bool *sa_linker_recording(sa_linker *l);

#endif
