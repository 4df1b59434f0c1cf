/* Functions and classes of other files of the project. */
#ifndef SA_FRONTEND_PYTHON_IMPORTS_H
#define SA_FRONTEND_PYTHON_IMPORTS_H

#include "frontend/python/internal.h"

/* What makes another file worth a parse. */
typedef enum {
  PY_FOR_STREAMS, /* a word of streams or events */
  PY_FOR_RECORDS, /* a record in the function that is asked for */
  PY_FOR_CLASSES  /* work with streams in the class that is asked for */
} py_interest;

typedef struct {
  lowering *lo;          /* of the other file */
  uint32_t func;         /* SA_NO_INDEX: a class */
  const py_class *klass; /* NULL: a function */
} py_imported;

/* What the name, dotted or plain, stands for by an import of this file. Reads and lowers the other
 * file when it is the first one of it; bounded in files, bytes and depth. */
bool py_find_imported(py_imported *out, lowering *lo, const char *spelled, py_interest why);
/* As `unit->imports` calls a function of that file. */
const char *py_name_elsewhere(const lowering *of, uint32_t func);
/* "package.module.name" for a name of this file. */
const char *py_name_below_module(const lowering *lo, const char *name);

typedef struct {
  lowering *lo; /* of the file that it stands in */
  uint32_t func;
} py_method;

/* The class of an object, in this file or in one that was read. */
const py_class *py_known_class(lowering *lo, sa_ir_type type, lowering **of);
/* The method of an object's class, or of the first base that has it. */
bool py_find_method_of(py_method *out, lowering *lo, sa_ir_type type, const char *name);
/* The method of a base of the class. */
bool py_find_base_method(py_method *out, lowering *lo, const py_class *klass, const char *name);
/* Whether a variable of that type may well hold an object of a class that derives from it. */
bool py_is_base_class(lowering *lo, const py_class *klass);
/* What a field of an object holds, where a class of another file says so. */
sa_ir_type py_field_elsewhere(lowering *lo, sa_ir_type object, const char *field);

/* Moves what was read into the unit. */
void py_finish_imports(lowering *lo);

#endif
