#include "pool.h"

void sar_trace_write(sar_pool *p, sar_trace_kind kind, const sar_block *b, sar_stream stream) {
  p->trace(p->trace_arg, &(sar_trace_entry){.kind = kind,
                                            .stream = stream,
                                            .addr = b->node.addr,
                                            .bytes = b->node.size,
                                            .allocation = b->allocation,
                                            .allocated = p->stats.allocated.current,
                                            .active = p->stats.active.current,
                                            .reserved = p->stats.reserved.current});
}

const char *sar_status_name(sar_status status) {
  static const char *const names[] = {
      [SAR_OK] = "ok",
      [SAR_NOT_READY] = "not ready",
      [SAR_E_ARG] = "bad argument",
      [SAR_E_OOM] = "out of device memory",
      [SAR_E_NOT_LIVE] = "block is not live",
      [SAR_E_CAPTURE] = "illegal during a capture",
      [SAR_E_STATE] = "wrong state",
      [SAR_E_NOMEM_HOST] = "out of host memory",
      [SAR_E_BACKEND] = "device failure",
  };
  size_t i = (size_t)status;
  return i < sizeof names / sizeof *names ? names[i] : "unknown status";
}
