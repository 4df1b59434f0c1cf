/* What one stream follows inside one capture: its tips and all their ancestors.
 *
 * The set only grows while the stream only appends. A stream whose dependencies were set back to
 * older nodes no longer follows all it followed: refreshing notices, because a tip seen last time
 * is missing, and rebuilds the set. */
#ifndef SAR_SRC_VIEW_H
#define SAR_SRC_VIEW_H

#include "node_set.h"

typedef struct sar_view {
  struct sar_view *next;
  sar_stream stream;
  sar_node_set follows;
  sar_tip *tips;
  size_t tip_count, tip_cap;
  sar_node *stack;
  size_t stack_cap;
  uint64_t suspect; /* allocations up to this ordinal were used before a step back */
} sar_view;

typedef enum { SAR_VIEW_OK, SAR_VIEW_SET_BACK, SAR_VIEW_OUTSIDE, SAR_VIEW_FAILED } sar_view_news;

/* OUTSIDE: stream is not in this capture. FAILED: nothing is known, *status says why. */
sar_view_news sar_view_refresh(sar_view *, const sar_backend *, sar_capture, sar_status *status);
bool sar_view_finishes(const sar_view *); /* the next operation waits for every tip to finish */
void sar_view_drop(sar_view *);

#endif
