/* The stream that a kernel is launched on. */
#include "frontend/clang/internal.h"

#include <string.h>

bool is_launch_configuration(lowering *lo, CXCursor cursor) {
  if (kind_of(lo, cursor) != CXCursor_CallExpr) return false;
  const char *name = spelling_of(lo, cursor);
  return strcmp(name, "cudaConfigureCall") == 0 || strcmp(name, "hipConfigureCall") == 0 ||
         strcmp(name, "__cudaPushCallConfiguration") == 0 ||
         strcmp(name, "__hipPushCallConfiguration") == 0;
}

static bool has_place(lowering *lo, CXCursor cursor) {
  span s = span_of(lo, cursor);
  return s.file != NULL && s.line != 0; /* a default argument has none */
}

/* Of `configuration`; the default stream when none is given. A number that is no literal is the
 * handle of some stream. */
sa_reg launch_stream(body *b, CXCursor configuration, CXCursor launch) {
  lowering *lo = b->lo;
  sa_reg stream = 0;
  if (lo->lib->Cursor_getNumArguments(configuration) > 3) {
    CXCursor given = lo->lib->Cursor_getArgument(configuration, 3);
    if (has_place(lo, given)) stream = lower_literal_stream(b, given);
    if (stream == 0 && has_place(lo, given)) stream = lower_expr(b, given);
  }
  if (stream != 0 && reg_type(b, stream).kind != SA_TYPE_SCALAR) return stream;
  sa_reg result = add_temp(b, (sa_ir_type){.kind = SA_TYPE_STREAM, .name = ""});
  if (stream == 0)
    emit(b, SA_OP_default_stream, result, "legacy", launch);
  else
    add_arg(b, emit(b, SA_OP_extern_stream, result, "launch", launch), stream);
  return result;
}
