/* What analysis says of the release of one block, whether anything is recorded or not. */
#ifndef SA_MODEL_RELEASE_H
#define SA_MODEL_RELEASE_H

#include "model/source.h"

/* What is known of one release of one block: whether the next owner, on the creation stream, comes
 * after every use. */
typedef enum {
  SA_RELEASE_UNKNOWN,   /* cannot tell; the reason is given */
  SA_RELEASE_COVERED,   /* ordered, or recorded, on every path */
  SA_RELEASE_UNORDERED, /* on some path a use on another stream is neither */
} sa_release_state;

/* "unknown", "covered", "unordered" */
const char *sa_release_name(sa_release_state state);

typedef struct {
  uint32_t func;
  sa_range at;       /* the release */
  sa_range made_at;  /* of the block; nowhere when the block is not known */
  const char *block; /* spelling */
  sa_release_state state;
  const char *why; /* of an unknown; NULL otherwise */
  bool joined;     /* of an unknown: each path by itself may have an answer */
  bool reassigned; /* the variable gets another value: in a loop where the block was made */
} sa_release_facts;

#endif
