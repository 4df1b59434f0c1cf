/* A fixture: a program that takes its device, its pool and its dimensions from the runner.
 *
 * It is built three times: as it stands (sar_record_stream), with SAR_EVENT_FORM (an order by
 * events in its place) and with SAR_UNPROTECTED (neither: the negative control). */
#ifndef SAR_PROGRAM_H
#define SAR_PROGRAM_H

#include <sar/alloc.h>
#include <sar/ops.h>

typedef struct {
  sar_device *device;
  sar_pool *pool;
  unsigned turns;   /* how often a loop runs */
  size_t bytes;     /* size of a block */
  unsigned spin_us; /* how long a side stream is kept busy before it uses a block */
  void (*report)(void *arg, uint64_t value); /* a result; both safe forms report the same */
  void *arg;
} sar_program;

void sar_program_main(const sar_program *program);

#endif
