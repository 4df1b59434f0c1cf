/* C++ and CUDA in strings of a Python source, through the C++ frontend. */
#ifndef SA_CLI_EMBEDDED_H
#define SA_CLI_EMBEDDED_H

#include "cli/unit.h"

typedef SA_ARRAY(sa_ir_unit *) sa_unit_array;

/* A unit for every such text that holds a word which a finding can start from. Its places are those
 * of the Python source. libclang is loaded when the first one needs it; without it, calls in the
 * text are sites that were not analysed. */
void sa_embedded_lower(sa_unit_array *out, sa_arena *arena, sa_diag *diag,
                       const sa_session *session, const sa_job *job);

#endif
