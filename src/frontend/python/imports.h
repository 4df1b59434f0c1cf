/* Functions of other files of the project. */
#ifndef SA_FRONTEND_PYTHON_IMPORTS_H
#define SA_FRONTEND_PYTHON_IMPORTS_H

#include "frontend/python/internal.h"

typedef struct {
  lowering *lo; /* of the other file */
  uint32_t func;
  const char *name; /* in `unit->imports` */
} py_imported;
/* What the name, dotted or plain, stands for by an import of this file. Reads and lowers the other
 * file when it is the first one of it; bounded in files, bytes and depth. */
bool py_find_imported(py_imported *out, lowering *lo, const char *spelled);
/* Moves what was read into the unit. */
void py_finish_imports(lowering *lo);

#endif
