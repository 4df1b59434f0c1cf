#include "model/ir.h"
#include "model/ir_words.h"

#include <string.h>

static const sa_ir_op_info OPS[SA_OP_COUNT] = {
#define SA_IR_OP(name, result, min, max, text, what) {#name, result, text, min, max, what},
#include "model/ir_ops.def"
#undef SA_IR_OP
};

const sa_ir_op_info *sa_ir_op_about(sa_ir_op op) {
  return &OPS[op];
}

bool sa_ir_takes_current(sa_ir_op op, uint32_t index) {
  switch (op) {
  case SA_OP_alloc:
  case SA_OP_use:
  case SA_OP_event_wait:
  case SA_OP_host_callback:
  case SA_OP_sync_stream:
  case SA_OP_capture_begin:
  case SA_OP_capture_end:
    return index == 0;
  case SA_OP_stream_wait:
    return index <= 1;
  case SA_OP_event_record:
  case SA_OP_record:
  case SA_OP_erase_record:
  case SA_OP_free:
    return index == 1;
  default:
    return false;
  }
}

const char *sa_type_word(sa_type type) {
  static const char *const words[] = {"unknown", "scalar", "tensor", "memory", "stream", "event",
                                      "guard",   "handle", "func",   "object", "void"};
  return words[type];
}

const char *sa_site_word(sa_site_kind kind) {
  return sa_ir_site_words[kind];
}

const char *sa_token_word(sa_token_fate fate) {
  return sa_ir_token_words[fate];
}

const sa_ir_class *sa_ir_find_class(const sa_ir_unit *unit, const char *name) {
  if (name == NULL) return NULL;
  for (uint32_t i = 0; i < unit->classes.n; i++)
    if (strcmp(unit->classes.at[i].name, name) == 0) return &unit->classes.at[i];
  return NULL;
}
