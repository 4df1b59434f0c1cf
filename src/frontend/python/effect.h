/* Calls, and what a recognised one does. */
#ifndef SA_FRONTEND_PYTHON_EFFECT_H
#define SA_FRONTEND_PYTHON_EFFECT_H

#include "frontend/python/imports.h"

enum { MAX_ARGS = 48 };
typedef struct {
  TSNode node;
  sa_api_kind kind;
  const char *name;     /* components parted by "::" for the rules */
  const char *spelling; /* as people write it */
  sa_reg receiver;
  sa_reg function_value;
  bool of_module; /* the receiver, a module or a base, is given nothing */
  sa_reg args[MAX_ARGS];
  const char *keyword[MAX_ARGS]; /* NULL: given by position */
  bool splat[MAX_ARGS];
  uint32_t nargs;
  uint32_t func;    /* in this file, or SA_NO_INDEX */
  py_method method; /* in another file; its lo is NULL: none */
} py_call;
const sa_api *py_recognise_call(body *b, const py_call *c);
sa_reg py_emit_api(body *b, py_call *c, const sa_api *api);
sa_reg py_emit_pure(body *b, const py_call *c);
/* A call of a method without arguments, of this file or another one. */
sa_reg py_emit_method(body *b, sa_reg object, const py_method *method, TSNode at);

#endif
