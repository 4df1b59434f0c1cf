// Model of torch_musa and the MUSA runtime.
#pragma once
#pragma GCC system_header
#include "../cuda/cuda_runtime.h"
#include "../torch/aten.h"

typedef cudaStream_t musaStream_t;
typedef cudaEvent_t musaEvent_t;
typedef cudaError_t musaError_t;
constexpr musaError_t musaSuccess = cudaSuccess;
musaError_t musaStreamWaitEvent(musaStream_t, musaEvent_t, unsigned = 0);
musaError_t musaEventRecord(musaEvent_t, musaStream_t = 0);
musaError_t musaEventSynchronize(musaEvent_t);
musaError_t musaEventQuery(musaEvent_t);
musaError_t musaEventCreate(musaEvent_t *);
musaError_t musaStreamCreate(musaStream_t *);
musaError_t musaStreamSynchronize(musaStream_t);
musaError_t musaDeviceSynchronize();
musaError_t musaMemcpyAsync(void *, const void *, size_t, int, musaStream_t = 0);
musaError_t musaMemsetAsync(void *, int, size_t, musaStream_t = 0);
musaError_t musaFree(void *);
musaError_t musaMalloc(void **, size_t);

namespace c10 {
namespace musa {
#define SA_SDK_P MUSA
#define SA_SDK_RAW_STREAM musaStream_t
#define SA_SDK_RAW_EVENT musaEvent_t
#include "../torch/twin_begin.inc"
#include "../torch/twin.inc"
#include "../torch/twin_end.inc"
} // namespace musa
} // namespace c10

namespace at {
namespace musa {
using namespace c10::musa;
constexpr c10::DeviceType kMUSA = c10::DeviceType::PrivateUse1;
} // namespace musa
} // namespace at
