#ifndef SA_SDK_HIP_RUNTIME_H
/* Model of the HIP runtime: the CUDA model's streams and events under HIP's names. */
#define SA_SDK_HIP_RUNTIME_H
#pragma GCC system_header

#include "../cuda/cuda_runtime.h"

SA_SDK_C_BEGIN

typedef cudaStream_t hipStream_t;
typedef cudaEvent_t hipEvent_t;
typedef cudaGraph_t hipGraph_t;
typedef cudaGraphExec_t hipGraphExec_t;
typedef cudaMemPool_t hipMemPool_t;
typedef struct cudaDeviceProp hipDeviceProp_t;
typedef enum hipError_t {
  hipSuccess, hipErrorInvalidValue, hipErrorOutOfMemory, hipErrorNotReady = 600, hipErrorUnknown = 999
} hipError_t;
typedef enum hipMemcpyKind {
  hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice, hipMemcpyDefault
} hipMemcpyKind;
typedef enum { hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed } hipStreamCaptureMode;
#define hipStreamDefault 0
#define hipStreamNonBlocking 1
#define hipEventDisableTiming 2
#define hipEventDefault 0
#define hipHostMallocDefault 0
hipError_t hipGetLastError(void);
const char *hipGetErrorString(hipError_t);
hipError_t hipGetDevice(int *);
hipError_t hipSetDevice(int);
hipError_t hipGetDeviceCount(int *);
hipError_t hipGetDeviceProperties(hipDeviceProp_t *, int);
hipError_t hipDeviceSynchronize(void);
hipError_t hipFree(void *);
hipError_t hipFreeAsync(void *, hipStream_t);
hipError_t hipHostFree(void *);
hipError_t hipMemcpy(void *, const void *, size_t, hipMemcpyKind);
hipError_t hipMemcpyAsync(void *, const void *, size_t, hipMemcpyKind, hipStream_t);
hipError_t hipMemcpyPeerAsync(void *, int, const void *, int, size_t, hipStream_t);
hipError_t hipMemset(void *, int, size_t);
hipError_t hipMemsetAsync(void *, int, size_t, hipStream_t);
hipError_t hipStreamCreate(hipStream_t *);
hipError_t hipStreamCreateWithFlags(hipStream_t *, unsigned);
hipError_t hipStreamCreateWithPriority(hipStream_t *, unsigned, int);
hipError_t hipStreamDestroy(hipStream_t);
hipError_t hipStreamSynchronize(hipStream_t);
hipError_t hipStreamQuery(hipStream_t);
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned);
hipError_t hipStreamBeginCapture(hipStream_t, hipStreamCaptureMode);
hipError_t hipStreamEndCapture(hipStream_t, hipGraph_t *);
hipError_t hipLaunchHostFunc(hipStream_t, void (*)(void *), void *);
hipError_t hipEventCreate(hipEvent_t *);
hipError_t hipEventCreateWithFlags(hipEvent_t *, unsigned);
hipError_t hipEventDestroy(hipEvent_t);
hipError_t hipEventRecord(hipEvent_t, hipStream_t);
hipError_t hipEventSynchronize(hipEvent_t);
hipError_t hipEventQuery(hipEvent_t);
hipError_t hipEventElapsedTime(float *, hipEvent_t, hipEvent_t);
hipError_t hipGraphLaunch(hipGraphExec_t, hipStream_t);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t, hipStream_t);

#ifdef __cplusplus
SA_SDK_C_END

template <class T> hipError_t hipMalloc(T **, size_t);
template <class T> hipError_t hipMallocAsync(T **, size_t, hipStream_t) {}
template <class T> hipError_t hipHostMalloc(T **, size_t, unsigned = 0) {}
#else
hipError_t hipMalloc(void **, size_t);
hipError_t hipMallocAsync(void **, size_t, hipStream_t);
hipError_t hipHostMalloc(void **, size_t, unsigned);
#endif
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)                               \
  sa_sdk_launch(stream, kernel, __VA_ARGS__)
#ifdef __cplusplus
template <class F, class... A> void sa_sdk_launch(hipStream_t, F, A &&...) {}
#endif

#endif
