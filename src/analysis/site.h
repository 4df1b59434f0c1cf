/* One record call under study, and the passes that fill its facts. Every pass reads values, actions
 * and order and writes its own facts and evidence; none changes another's. */
#ifndef SA_ANALYSIS_SITE_H
#define SA_ANALYSIS_SITE_H

#include "analysis/analyse.h"
#include "analysis/sync.h"

typedef struct {
  sa_arena *arena;
  const sa_ir_unit *unit;
  sa_world *world;
  sa_action_table *actions;
  sa_sync **syncs; /* by function, made when asked for */
  sa_facts *out;
  uint32_t line; /* timelines are wanted for what stands there; 0: none */
} sa_analysis;

typedef struct {
  sa_analysis *an;
  sa_site_facts *facts;
  const sa_fn *fn;    /* where the call stands */
  uint32_t point;     /* of the call */
  uint32_t cfg_block; /* in fn */
  const sa_fn *home;  /* the function whose run includes it: fn, or what calls the lambda fn here */
  uint32_t home_point, home_block;
  const sa_fn *outer; /* the named function around lambdas */
  sa_val block, stream;
  sa_val creation;       /* creation stream; 0 unknown */
  bool owned;            /* home has every reference: the block is made in it */
  sa_sync *sync;         /* of home */
  sa_sync_result *order; /* of the block in home */
  bool *reached;         /* blocks of home that can run after the call */
  uint32_t record;       /* action in home's list, SA_NO_INDEX when none was found */
} sa_site_study;

void sa_site_set(sa_site_study *s, sa_fact fact, const char *word, sa_range at);
bool sa_site_is(const sa_site_study *s, sa_fact fact, const char *word);
__attribute__((format(printf, 4, 5))) void sa_site_note(sa_site_study *s, sa_role role, sa_range at,
                                                        const char *format, ...);
void sa_site_assume(sa_site_study *s, const char *what);
void sa_site_miss(sa_site_study *s, const char *what);

/* Order of a function's streams; NULL when the function was not valued. */
sa_sync *sa_analysis_sync(sa_analysis *an, const sa_fn *fn);
/* Whether what happens at action `index` of home can run after the call. */
bool sa_site_after(const sa_site_study *s, uint32_t index);
/* Whether `value` is the block, its container or an alias. */
sa_same sa_site_touches(const sa_site_study *s, sa_val value);
/* Whether the block itself, or the container it was taken from, goes along with `value`: not
 * through an object that only refers to it. */
bool sa_site_carried(const sa_site_study *s, sa_val value);
/* Classes that one question about a hierarchy looks at: on its ways up the same bases can be met
 * any number of times. */
enum { SA_MAX_CLASSES = 200 };

/* Whether objects of the class, which may be NULL, have a member (a base's too) that keeps blocks
 * alive. */
bool sa_class_keeps_tensors(const sa_ir_unit *unit, const sa_ir_class *class);
/* Arms that exclude the call: every block of fn that runs only when the call does not. */
bool *sa_site_other_arms(const sa_site_study *s, const sa_fn *fn, uint32_t block);

/* The creation stream of a block; 0 when it is not known. *foreign: not the allocator's memory. */
sa_val sa_origin_creation(sa_analysis *an, sa_val block, bool *foreign);

/* Fills origin, element, creation, recorded, same_stream, direction. Sets s->creation before the
 * order is run. */
void sa_origin_find_creation(sa_site_study *s);
void sa_origin_run(sa_site_study *s);
/* Needs order. Fills side_use, other_use, ordered, release, join. */
void sa_flow_run(sa_site_study *s);
/* Fills guard; returns the deciding branch's condition through *flag (0 when it is no flag). */
void sa_guard_run(sa_site_study *s, sa_val *flag);
/* Whether the block comes in as a parameter, and every caller in the unit returns or yields what it
 * gave; *at: where one does. */
bool sa_handed_by_callers(const sa_site_study *s, sa_range *at);
/* Whether `value` is the block, or what a function of the unit gives back of it. */
bool sa_handed_part(const sa_site_study *s, sa_val value);
/* Needs origin, flow. Fills stash, escape. */
void sa_keep_run(sa_site_study *s, sa_val flag);
/* Needs returns. Fills contract. */
void sa_contract_run(sa_site_study *s);
/* Whether a type's or call's spelling names the class: the length of the name found, or 0. */
size_t sa_contract_names_class(const char *spelling, const char *class);
/* Needs order. Fills the places that a rewrite starts from. */
void sa_places_find(sa_site_study *s, const char *stream_type);
/* Needs all of it. Fills places.kept. */
void sa_holder_run(sa_site_study *s);
/* Needs all above. Fills returns, handle_owns, contract, surface, closure, callback, engine,
 * callers, captured, loop. */
void sa_shape_run(sa_site_study *s);

/* Whose timeline is drawn. */
typedef struct {
  sa_sync *sync; /* of the function */
  const sa_sync_result *order;
  sa_val block, creation, stream; /* stream: the recorded one; 0: none */
  const char *name;               /* of the block */
  sa_range made_at;               /* where it is made or comes in; may be nowhere */
} sa_timeline_subject;

/* Whether somebody asked about that place. */
bool sa_analysis_wants(const sa_analysis *an, sa_range at);
/* The life of the block over the streams of one function. Lives in the analysis's arena. */
const sa_timeline *sa_timeline_draw(sa_analysis *an, const sa_timeline_subject *subject);

/* The releases of one function, noted while its blocks are followed one by one. */
typedef struct {
  sa_analysis *an;
  const sa_fn *fn;
  const sa_sync *sync;
  bool *seen; /* per action: noted for some block */
} sa_release_notes;

sa_release_notes sa_release_begin(sa_analysis *an, const sa_fn *fn, const sa_sync *sync);
/* Appends what the order of `block`, made at `made_at` on `creation`, says of each of its releases.
 */
void sa_release_note(sa_release_notes *notes, const sa_sync_result *order, sa_val block,
                     sa_val creation, sa_range made_at);
/* Appends the explicit frees that were noted for no block, as unknown. */
void sa_release_end(sa_release_notes *notes);
/* The end shows a use on another stream that is neither ordered nor recorded, whatever is unknown.
 */
bool sa_release_is_unordered(const sa_sync *sync, const sa_sync_result *order,
                             const sa_sync_end *end, sa_val creation);

/* Appends hazards and releases of one function, without what sites show. */
void sa_hazard_watch(sa_analysis *an, uint32_t func);
/* Needs hazards and releases. Where a function's paths can be listed, puts in their place what the
 * paths say, each followed by itself. */
void sa_split_run(sa_analysis *an);
/* Needs sites. Appends hazards and releases of every function. */
void sa_hazard_run(sa_analysis *an);

/* Whether conditions have one value: equal, or one the negation of the other. */
bool sa_guard_same_condition(const sa_world *world, sa_val a, sa_val b);

#endif
