/* nvcc's command line in the spelling of a host compiler. */
#ifndef SA_PROJECT_NVCC_H
#define SA_PROJECT_NVCC_H

#include "project/flags.h"

/* Whether a compiler's path names nvcc. */
bool sa_is_nvcc(const char *compiler);

/* Appends to `out` what `words` (without the compiler) say: long and `=` spellings become the host
 * compiler's, what nvcc hands to the host compiler stands for itself, what chooses the host
 * compiler is gone. Every other word stays as it is. */
void sa_nvcc_translate(sa_words *out, sa_arena *arena, const sa_words *words);

#endif
