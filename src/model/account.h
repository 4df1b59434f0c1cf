/* What stands behind a verdict or a hazard, for who asks about one line (`explain`). Nothing of
 * this is made in an ordinary run. */
#ifndef SA_MODEL_ACCOUNT_H
#define SA_MODEL_ACCOUNT_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  SA_MOMENT_MADE,      /* the block is made, or comes in */
  SA_MOMENT_USE,       /* work on the lane's stream uses it */
  SA_MOMENT_EVENT,     /* an event marks a place in the lane */
  SA_MOMENT_WAIT,      /* the lane waits for what lane `from` has done so far */
  SA_MOMENT_RECORD,    /* record_stream names the lane */
  SA_MOMENT_RELEASE,   /* a last handle goes away, or the block is freed in the lane */
  SA_MOMENT_REFERENCE, /* another handle: kept, returned, given away */
  SA_MOMENT_KINDS
} sa_moment_kind;

#define SA_NO_LANE UINT32_MAX

typedef struct {
  sa_moment_kind kind;
  uint32_t line;
  uint32_t lane;    /* index into lanes */
  uint32_t from;    /* wait: the lane waited for, SA_NO_LANE when it is not known or is no lane */
  const char *text; /* a few words */
} sa_moment;

/* A stream, or the host. */
typedef struct {
  const char *name;
  const char *role; /* "creation", "recorded", "" ... */
} sa_lane;

/* One block's life over the streams that it meets. */
typedef struct {
  SA_ARRAY(sa_lane) lanes;
  SA_ARRAY(sa_moment) moments;    /* in program order */
  SA_ARRAY(const char *) answers; /* sentences: how the creation stream stands at each release */
  bool cut;                       /* there is more than is shown */
} sa_timeline;

#endif
