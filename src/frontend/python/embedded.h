/* C++ and CUDA that a Python source compiles at run time. */
#ifndef SA_FRONTEND_PYTHON_EMBEDDED_H
#define SA_FRONTEND_PYTHON_EMBEDDED_H

#include "model/job.h"

typedef struct {
  const char *language; /* "cpp" or "cuda" */
  sa_origin origin;     /* its text, and where each byte of it stands in the job's text */
} sa_embedded;

typedef SA_ARRAY(sa_embedded) sa_embedded_array;

/* One of these words stands in every source that holds such a text. Ends with NULL. */
extern const char *const sa_python_text_words[];

/* Every text that the file gives to a call as `cpp_sources` or `cuda_sources` (and the second and
 * third argument of load_inline): strings, lists and sums of strings, and names that the function
 * or the module gives such a value. What a value has besides (a file that is read, a formatted
 * number) is left out, so the text may not be complete. Everything lives in `arena`. */
void sa_python_embedded(sa_embedded_array *out, sa_arena *arena, const sa_job *job);

#endif
