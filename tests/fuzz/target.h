/* What every target has: it reads bytes that anybody may have written, in an arena of its own. A
 * target is one file with sa_fuzz_one(). With libFuzzer it is a fuzzer; without, it reads the files
 * that it is given (run.c). */
#ifndef SA_FUZZ_TARGET_H
#define SA_FUZZ_TARGET_H

#include "base/diag.h"

#include <stdint.h>

/* `text` has a NUL behind its end. A property that does not hold ends the program. */
void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length);

/* Ends the program when a property does not hold. */
void sa_fuzz_check(int holds, const char *what);

#endif
