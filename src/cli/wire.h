/* A unit's result as bytes, to go from a worker process to the run, or into the cache. Only the
 * same build of the program with the same rules reads what it wrote: there is no version. Bytes
 * that are not whole are told, whatever is in them. */
#ifndef SA_CLI_WIRE_H
#define SA_CLI_WIRE_H

#include "model/finding.h"
#include "model/reads.h"

#include <stdio.h>

/* Writes sites, findings, messages and counts of `result`. */
void sa_wire_write(FILE *out, const sa_result *result);

/* Appends what sa_wire_write() wrote to `result`, whose `rules` are those of the writer. Everything
 * is copied into `arena`. False when the bytes are not whole; then `result` is as before. */
bool sa_wire_read(sa_result *result, sa_arena *arena, const char *bytes, size_t length);

/* The same for what a unit was made from. Reading fills the rows and gives the number of bytes they
 * took; 0: the bytes are not whole, and there are no rows. */
void sa_wire_write_reads(FILE *out, const sa_reads *reads);
size_t sa_wire_read_reads(sa_reads *reads, const char *bytes, size_t length);

#endif
