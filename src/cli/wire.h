/* A unit's result as bytes, to go from a worker process to the run. Only this program reads what it
 * wrote, in the same run: there is no version. */
#ifndef SA_CLI_WIRE_H
#define SA_CLI_WIRE_H

#include "model/finding.h"

#include <stdio.h>

/* Writes sites, findings, messages and counts of `result`. */
void sa_wire_write(FILE *out, const sa_result *result);

/* Appends what sa_wire_write() wrote to `result`, whose `rules` are those of the writer. Everything
 * is copied into `arena`. False when the bytes are not whole; then `result` is as before. */
bool sa_wire_read(sa_result *result, sa_arena *arena, const char *bytes, size_t length);

#endif
