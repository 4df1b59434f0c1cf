/* The CUDA device, over the CUDA runtime (12 and 13). */
#ifndef SAR_CUDA_H
#define SAR_CUDA_H

#include <sar/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SAR_E_BACKEND and no device where the machine has none. */
sar_status sar_cuda_create(sar_device **out, int ordinal);
/* Name, driver and runtime versions, as one line. */
sar_status sar_cuda_describe(const sar_device *device, char *text, size_t bytes);
/* Holds stream until sar_cuda_gate_open, five seconds at most. While a gate is closed: no
 * segment may be freed, and at most 256 operations queued behind it. */
sar_status sar_cuda_gate_close(sar_device *device, sar_stream stream);
/* Opens the first so many gates of one stream, counted over the stream's life: with a gate behind
 * each event a stream moves step by step. */
sar_status sar_cuda_gate_step(sar_device *device, sar_stream stream, uint32_t gates);
sar_status sar_cuda_gate_open(sar_device *device); /* all of every stream */

#ifdef __cplusplus
}
#endif
#endif
