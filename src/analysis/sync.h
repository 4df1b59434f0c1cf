/* Order analysis: for a block and each stream that used it, which streams, events and the host come
 * after its last use there (DESIGN 4.5). Three sets are kept: what surely comes after, what comes
 * after if every unknown is kind, and what comes after on some path. */
#ifndef SA_ANALYSIS_SYNC_H
#define SA_ANALYSIS_SYNC_H

#include "analysis/action.h"

/* Entities are the bits of a word. Some bits stay free, so that entities alone never make up the
 * full set, which stands for the host: what comes after it comes after everything. */
enum { SA_SYNC_ENTITIES = 62, SA_SYNC_LANES = 8 };

typedef enum { SA_ORDER_NO, SA_ORDER_UNKNOWN, SA_ORDER_YES } sa_order;

/* One function's streams and events, prepared once for all its blocks. */
typedef struct {
  sa_world *world;
  const sa_fn *fn;
  const sa_actions *actions;
  sa_val entity[SA_SYNC_ENTITIES]; /* streams and events, numbered by bit */
  uint32_t n;
  bool too_many;
  uint64_t streams, events;         /* which bits are which */
  uint64_t legacy, blocking;        /* streams that order each other implicitly */
  uint64_t perhaps_legacy;          /* streams that may be the legacy default stream */
  uint64_t alike[SA_SYNC_ENTITIES]; /* entities that may be the same thing, itself included */
  int8_t *a, *b;                    /* per action: entity of its operands, -1 for none or unknown */
  uint8_t *relation; /* memo: per value, how it covers the block in question, plus one */
  uint32_t relation_size;
  sa_val relation_block; /* the block in question */
} sa_sync;

/* A stream that uses the block, apart from its creation stream. */
typedef struct {
  sa_val stream;
  uint32_t first_use, last_use; /* actions */
  bool certain;                 /* some use is seen, of exactly this block */
} sa_sync_lane;

/* One place where the block can go, and how one lane stands there. */
typedef struct {
  uint32_t action; /* the release, or SA_NO_INDEX: the function ends and the block lives on */
  uint32_t block;
  const char *how; /* a word of the fact `release`; "" at a function's end */
  bool definite;   /* no other handle can be alive on any path */
  uint32_t lane;
  sa_order order; /* the creation stream comes after the lane's last use */
  bool recorded;  /* record_stream covers the lane */
  bool on_itself; /* by a call that names the lane's own stream */
  bool maybe_recorded;
  bool exact; /* order is NO on every path, with nothing unknown */
} sa_sync_end;

typedef struct {
  const char *unknown; /* why there is no answer, or NULL */
  SA_ARRAY(sa_sync_lane) lanes;
  SA_ARRAY(sa_sync_end) ends;  /* per release or exit and lane, in program order */
  SA_ARRAY(uint32_t) releases; /* actions, with or without lanes */
  SA_ARRAY(uint32_t) doubtful; /* actions that may let go of it, or of what it is in, too early */
  bool unseen;                 /* a call that is not seen was given the block */
  bool escapes;                /* somebody else keeps, or may keep, a reference */
} sa_sync_result;

sa_sync *sa_sync_prepare(sa_world *world, const sa_fn *fn, const sa_actions *actions);
/* The number of a stream or event, which is added where it is new; -1: it is not known, or there
 * are too many. */
int sa_sync_entity(sa_sync *sync, sa_val value, bool stream);

/* `owned`: the function has every reference (`block` is what an instruction in it makes); otherwise
 * it lives when the function is entered and its last release is the caller's. `creation` may be 0.
 */
sa_sync_result *sa_sync_run(sa_sync *sync, sa_val block, sa_val creation, bool owned);

/* The other question: is the data there when it is used? Lanes are the streams that write the
 * block, ends are the uses on other streams (`action`), and `order` says whether the using stream
 * comes after the last write. Allocation counts as a write on `creation` for streams made in the
 * function, as long as nothing has waited before. */
sa_sync_result *sa_sync_ready(sa_sync *sync, sa_val block, sa_val creation);

/* What surely comes after a lane's work, wherever the function ends: entities by bit, all of them
 * for the host. */
typedef struct {
  const char *unknown; /* why there is no answer, or NULL */
  uint64_t lanes[SA_SYNC_LANES];
  uint32_t nlanes; /* 0: no end behind the record was found */
} sa_sync_after;

/* How the function leaves a block that somebody else keeps on. Action `record` counts as work on
 * its stream: the call speaks for work that nobody may see. */
sa_sync_after sa_sync_leave(sa_sync *sync, sa_val block, sa_val creation, uint32_t record);

/* How using `used` uses the block; cheap when one block is asked about many times. */
sa_same sa_sync_touches(sa_sync *sync, sa_val used, sa_val block);
/* Whether two streams are one here: code that orders or switches between two streams treats them as
 * different, which sa_value_same() cannot know. */
sa_same sa_sync_same(const sa_sync *sync, sa_val a, sa_val b);

#endif
