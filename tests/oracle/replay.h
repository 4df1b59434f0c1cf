/* A list of operations that is played like a compiled program. */
#ifndef ORACLE_REPLAY_H
#define ORACLE_REPLAY_H

#include <stdbool.h>

#include <sar/program.h>

void replay_clear(void);
/* Adds a step: "NAME LINE CALL A B C", numbers of blocks, streams and events in the order of the
 * operation's operands. False when it is not understood or there are too many. */
bool replay_add(const char *text);
/* The steps so far; the flags play no part. */
void replay_program(const sar_program *program, int flag0, int flag1, int flag2, int count);

#endif
