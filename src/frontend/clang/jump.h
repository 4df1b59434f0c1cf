/* Labels and the gotos that lead to them. */
#ifndef SA_FRONTEND_CLANG_JUMP_H
#define SA_FRONTEND_CLANG_JUMP_H

#include "frontend/clang/internal.h"

/* A goto leaves the scopes that its label does not stand in; their variables end there. What a goto
 * to a label further down leaves is known at the label, and its block gets the ends then. */
void lower_goto(body *b, CXCursor cursor);
void lower_label(body *b, CXCursor cursor);

#endif
