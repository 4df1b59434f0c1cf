/* The model headers of the hermetic mode, from rules/sdk. */
#ifndef SA_CLI_SDK_H
#define SA_CLI_SDK_H

#include "frontend/clang/clang.h"

/* Fills `out` with the headers and the table of includes (sdk/includes.txt, which describes itself)
 * of `rules`, a directory or NULL for the embedded ones. Everything lives in `arena`. SA_E_SYNTAX
 * with file and line when the table names a header that is not there. */
sa_status sa_sdk_load(sa_sdk *out, sa_arena *arena, sa_diag *diag, const char *rules);

#endif
