/* A backend without a device: streams complete when told to, calls fail when told to, and what
 * the allocator holds is counted. */
#ifndef SAR_TESTS_MOCK_H
#define SAR_TESTS_MOCK_H

#include <sar/backend.h>

#define MOCK_STREAMS 8
#define MOCK_EVENTS  4096

typedef struct {
  sar_stream stream;
  uint64_t place; /* in its stream */
  bool live;
} mock_event;

typedef struct {
  sar_backend backend;
  uint64_t memory, reserved; /* limit, and what is out */
  uint64_t next_addr;
  uint64_t queued[MOCK_STREAMS], done[MOCK_STREAMS];
  mock_event events[MOCK_EVENTS];
  uint64_t live_events, segments;
  uint64_t calls, fail_at; /* the call that fails, once; 0: none */
  bool failed;
} mock;

void mock_init(mock *m, uint64_t memory);
void mock_complete(mock *m, sar_stream stream);

#endif
