/* Ways out of a Python function, and names that have a value there. */
#ifndef SA_REWRITE_WAYS_H
#define SA_REWRITE_WAYS_H

#include "model/ir.h"
#include "rewrite/shape.h"

/* A place: in front of a statement, or at the end of a block. */
typedef struct {
  uint32_t stmt;
  bool at_close;
  uint32_t at; /* byte, for the order of places */
} sa_way;

enum { SA_MAX_WAYS = 3 };

/* The places that a release at `at` stands for, in the function of a text with suites that begins
 * at byte `function`: several where its end, that of a return and that of a try are the same byte.
 * Returns how many. */
uint32_t sa_ways_out(const sa_shape *shape, sa_range at, uint32_t function,
                     sa_way out[SA_MAX_WAYS]);

/* Whether the variable or member may hold None, as far as the function around byte `at` shows: it
 * is compared with None, tested, or bound to something with None in it. Members: anywhere in the
 * text.
 */
bool sa_ways_may_be_none(const sa_shape *shape, const char *path, uint32_t at);

#endif
