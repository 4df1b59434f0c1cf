/* Worker processes: a crash or an endless loop in one file costs that file, not the run. */
#ifndef SA_CLI_WORKERS_H
#define SA_CLI_WORKERS_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  unsigned workers; /* 0: no processes, everything happens in this one */
  unsigned timeout; /* seconds of processor time for one task; 0: no limit */
  unsigned memory;  /* MiB that one worker may allocate; 0: no limit */
  bool quiet;       /* what a task writes on standard error is not shown: libraries write there */
  uint32_t tasks;
  void *context;
  void (*begin)(void); /* in a new worker, before its first task; may be NULL */
  /* In the worker: does one task and writes its result. */
  void (*run)(void *context, uint32_t task, FILE *reply);
  /* In this process, in no particular order: the result of a task. */
  void (*done)(void *context, uint32_t task, const char *bytes, size_t length);
  /* Instead of `done`, when the worker died or took too long. */
  void (*lost)(void *context, uint32_t task, const char *why);
  /* Called a few times in a second while tasks run; may be NULL. */
  void (*tick)(void *context);
} sa_work;

/* Does every task, each exactly once, and ends its processes. When no process can be started the
 * tasks run in this one. */
void sa_workers_run(const sa_work *work);

#endif
