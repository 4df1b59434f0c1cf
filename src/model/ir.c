#include "model/ir.h"

#include <string.h>

static const sa_ir_op_info OPS[SA_OP_COUNT] = {
#define SA_IR_OP(name, result, min, max, text, what) {#name, result, text, min, max, what},
#include "model/ir_ops.def"
#undef SA_IR_OP
};

const sa_ir_op_info *sa_ir_op_about(sa_ir_op op) {
  return &OPS[op];
}

const char *sa_type_word(sa_type type) {
  static const char *const words[] = {"unknown", "scalar", "tensor", "memory", "stream", "event",
                                      "guard",   "handle", "func",   "object", "void"};
  return words[type];
}

const sa_ir_class *sa_ir_find_class(const sa_ir_unit *unit, const char *name) {
  if (name == NULL) return NULL;
  for (uint32_t i = 0; i < unit->classes.n; i++)
    if (strcmp(unit->classes.at[i].name, name) == 0) return &unit->classes.at[i];
  return NULL;
}
