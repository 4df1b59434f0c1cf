#ifndef SA_SDK_CUDA_RUNTIME_H
/* Model of the CUDA runtime and driver API: declarations only, for plain C and C++ and for
 * clang's CUDA language mode without its own headers. */
#define SA_SDK_CUDA_RUNTIME_H
#pragma GCC system_header

#include "../c/std.h"

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define SA_SDK_BOTH __attribute__((host)) __attribute__((device))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define SA_SDK_BOTH
#endif
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define CUDART_CB
#define CUDARTAPI
#ifndef CUDART_VERSION
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#endif

#define SA_SDK_VECTOR(base, name)                                                                  \
  typedef struct name##1 { base x; } name##1;                                                      \
  typedef struct name##2 { base x, y; } name##2;                                                   \
  typedef struct name##3 { base x, y, z; } name##3;                                                \
  typedef struct name##4 { base x, y, z, w; } name##4;
SA_SDK_VECTOR(char, char) SA_SDK_VECTOR(unsigned char, uchar) SA_SDK_VECTOR(short, short)
SA_SDK_VECTOR(unsigned short, ushort) SA_SDK_VECTOR(int, int) SA_SDK_VECTOR(unsigned, uint)
SA_SDK_VECTOR(long, long) SA_SDK_VECTOR(unsigned long, ulong) SA_SDK_VECTOR(long long, longlong)
SA_SDK_VECTOR(float, float) SA_SDK_VECTOR(double, double)
#undef SA_SDK_VECTOR

#ifdef __cplusplus
struct dim3 {
  unsigned x, y, z;
  SA_SDK_BOTH constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
#else
typedef struct dim3 {
  unsigned x, y, z;
} dim3;
#endif

SA_SDK_C_BEGIN

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct cudaArray *cudaArray_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef struct { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct { char reserved[64]; } cudaIpcEventHandle_t;
typedef enum cudaError {
  cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInitializationError,
  cudaErrorCudartUnloading, cudaErrorInvalidDevice, cudaErrorNotReady = 600, cudaErrorPeerAccessAlreadyEnabled,
  cudaErrorNotSupported, cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated, cudaErrorUnknown = 999,
  cudaErrorNoDevice, cudaErrorInsufficientDriver, cudaErrorLaunchFailure, cudaErrorHostMemoryAlreadyRegistered
} cudaError, cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated
};
enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic,
  cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent,
  cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh
};
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrMemoryPoolsSupported = 115,
  cudaDevAttrCooperativeLaunch = 95, cudaDevAttrClockRate = 13
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout,
  cudaFuncAttributeNonPortableClusterSizeAllowed
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
struct cudaMemPoolProps { int allocType, handleTypes; struct { int type, id; } location; };
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin;
  int regsPerBlock, warpSize, maxThreadsPerBlock, major, minor, multiProcessorCount, clockRate, concurrentKernels,
      asyncEngineCount, pciBusID, pciDeviceID, pciDomainID, l2CacheSize, maxThreadsPerMultiProcessor, memoryPoolsSupported;
};
struct cudaFuncAttributes { size_t sharedSizeBytes; int numRegs, maxThreadsPerBlock; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaMemcpy3DParms { struct cudaPitchedPtr srcPtr, dstPtr; struct cudaExtent extent; enum cudaMemcpyKind kind; };
struct cudaKernelNodeParams { void *func; dim3 gridDim, blockDim; unsigned sharedMemBytes; void **kernelParams, **extra; };
typedef enum cudaLaunchAttributeID {
  cudaLaunchAttributeCooperative = 2, cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6
} cudaLaunchAttributeID;
typedef struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  union { struct { unsigned x, y, z; } clusterDim; int cooperative, programmaticStreamSerializationAllowed; } val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
} cudaLaunchConfig_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaEventRecordExternal 1
#define cudaEventWaitDefault 0
#define cudaEventWaitExternal 1
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaIpcMemLazyEnablePeerAccess 1
#define cudaDeviceScheduleSpin 1
#define cudaGraphInstantiateFlagAutoFreeOnLaunch 1
#define cudaCpuDeviceId (-1)

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaDeviceGetPCIBusId(char *, int, int);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaHostRegister(void *, size_t, unsigned);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *, cudaStream_t);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, cudaStream_t);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t);
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t, cudaStream_t);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t);
cudaError_t cudaMemAdvise(const void *, size_t, int, int);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const struct cudaMemPoolProps *);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *, const void *);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *);
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned);
cudaError_t cudaIpcCloseMemHandle(void *);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned *);
cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaStreamIsCapturing(cudaStream_t, enum cudaStreamCaptureStatus *);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *, unsigned);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t, unsigned);
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, void *);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const struct cudaKernelNodeParams *);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *);

#ifdef __cplusplus
}
#define SA_SDK_DEFAULT(v) = v
#define SA_SDK_POINTER(T) T **
template <class T> cudaError_t cudaMalloc(T **, size_t) {}
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t) {}
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaMemPool_t, cudaStream_t) {}
template <class T> cudaError_t cudaMallocFromPoolAsync(T **, size_t, cudaMemPool_t, cudaStream_t) {}
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned = 0) {}
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned) {}
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned = 1) {}
template <class T> cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned) {}
template <class F> cudaError_t cudaFuncSetAttribute(F, enum cudaFuncAttribute, int) {}
template <class F> cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, F) {}
template <class F> cudaError_t cudaLaunchKernel(F, dim3, dim3, void **, size_t = 0, cudaStream_t = 0) {}
template <class F> cudaError_t cudaLaunchCooperativeKernel(F, dim3, dim3, void **, size_t = 0, cudaStream_t = 0) {}
template <class... P, class... A> cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(P...), A &&...) {}
template <class F> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, F, int, size_t) {}
template <class T> cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0, enum cudaMemcpyKind = cudaMemcpyHostToDevice) {}
template <class T> cudaError_t cudaGetSymbolAddress(void **, const T &) {}
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemsetAsync(void *, int, size_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreate(cudaEvent_t *, unsigned);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t);
extern "C" {
#else
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaMallocFromPoolAsync(void **, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned);
cudaError_t cudaMallocManaged(void **, size_t, unsigned);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned);
cudaError_t cudaFuncSetAttribute(const void *, enum cudaFuncAttribute, int);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
#endif

/* driver API */
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaGraph_t CUgraph;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaMemPool_t CUmemoryPool;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef enum { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NOT_READY = 600 } CUresult;
typedef enum { CU_STREAM_DEFAULT, CU_STREAM_NON_BLOCKING } CUstream_flags;
typedef enum { CU_EVENT_DEFAULT, CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING } CUevent_flags;
typedef struct { int type, requestedHandleTypes; struct { int type, id; } location; } CUmemAllocationProp;
typedef struct { struct { int type, id; } location; int flags; } CUmemAccessDesc;
CUresult cuInit(unsigned);
CUresult cuDeviceGet(CUdevice *, int);
CUresult cuCtxGetCurrent(CUcontext *);
CUresult cuCtxSetCurrent(CUcontext);
CUresult cuCtxSynchronize(void);
CUresult cuGetErrorString(CUresult, const char **);
CUresult cuModuleLoadData(CUmodule *, const void *);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CUresult cuMemAlloc(CUdeviceptr *, size_t);
CUresult cuMemAllocAsync(CUdeviceptr *, size_t, CUstream);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *, size_t, CUmemoryPool, CUstream);
CUresult cuMemFree(CUdeviceptr);
CUresult cuMemFreeAsync(CUdeviceptr, CUstream);
CUresult cuMemcpyAsync(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpyHtoDAsync(CUdeviceptr, const void *, size_t, CUstream);
CUresult cuMemcpyDtoHAsync(void *, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned, size_t, CUstream);
CUresult cuStreamCreate(CUstream *, unsigned);
CUresult cuStreamCreateWithPriority(CUstream *, unsigned, int);
CUresult cuStreamDestroy(CUstream);
CUresult cuStreamSynchronize(CUstream);
CUresult cuStreamQuery(CUstream);
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned);
CUresult cuStreamBeginCapture(CUstream, int);
CUresult cuStreamEndCapture(CUstream, CUgraph *);
CUresult cuStreamWriteValue32(CUstream, CUdeviceptr, uint32_t, unsigned);
CUresult cuStreamWaitValue32(CUstream, CUdeviceptr, uint32_t, unsigned);
CUresult cuEventCreate(CUevent *, unsigned);
CUresult cuEventRecord(CUevent, CUstream);
CUresult cuEventQuery(CUevent);
CUresult cuEventSynchronize(CUevent);
CUresult cuEventDestroy(CUevent);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
CUresult cuLaunchHostFunc(CUstream, cudaHostFn_t, void *);
CUresult cuGraphLaunch(CUgraphExec, CUstream);

#ifdef __cplusplus
SA_SDK_C_END

/* kernels */
struct sa_sdk_index {
  unsigned x, y, z;
  SA_SDK_BOTH operator dim3() const;
};
#ifdef __CUDA__
extern const __device__ sa_sdk_index threadIdx, blockIdx, blockDim, gridDim;
extern const __device__ int warpSize;
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = nullptr);
#else
extern const sa_sdk_index threadIdx, blockIdx, blockDim, gridDim;
extern const int warpSize;
#endif
#define SA_SDK_DEVICE SA_SDK_BOTH
#ifdef __CUDA__
__attribute__((device)) void __syncthreads();
#else
void __syncthreads();
#endif
SA_SDK_DEVICE void __syncwarp(unsigned = 0xffffffffu);
SA_SDK_DEVICE void __threadfence();
SA_SDK_DEVICE void __threadfence_block();
SA_SDK_DEVICE void __threadfence_system();
SA_SDK_DEVICE void __nanosleep(unsigned);
SA_SDK_DEVICE void __trap();
SA_SDK_DEVICE long long clock64();
SA_SDK_DEVICE unsigned __ballot_sync(unsigned, int);
SA_SDK_DEVICE unsigned __activemask();
SA_SDK_DEVICE int __any_sync(unsigned, int);
SA_SDK_DEVICE int __all_sync(unsigned, int);
SA_SDK_DEVICE int __popc(unsigned);
SA_SDK_DEVICE int __ffs(int);
SA_SDK_DEVICE int __clz(int);
SA_SDK_DEVICE size_t __cvta_generic_to_shared(const void *);
template <class T> SA_SDK_DEVICE T __shfl_sync(unsigned, T, int, int = 32) {}
template <class T> SA_SDK_DEVICE T __shfl_down_sync(unsigned, T, unsigned, int = 32) {}
template <class T> SA_SDK_DEVICE T __shfl_up_sync(unsigned, T, unsigned, int = 32) {}
template <class T> SA_SDK_DEVICE T __shfl_xor_sync(unsigned, T, int, int = 32) {}
template <class T> SA_SDK_DEVICE T __ldg(const T *) {}
template <class T, class U> SA_SDK_DEVICE T atomicAdd(T *, U) {}
template <class T, class U> SA_SDK_DEVICE T atomicSub(T *, U) {}
template <class T, class U> SA_SDK_DEVICE T atomicMax(T *, U) {}
template <class T, class U> SA_SDK_DEVICE T atomicMin(T *, U) {}
template <class T, class U> SA_SDK_DEVICE T atomicExch(T *, U) {}
template <class T, class U> SA_SDK_DEVICE T atomicOr(T *, U) {}
template <class T, class U, class V> SA_SDK_DEVICE T atomicCAS(T *, U, V) {}
SA_SDK_DEVICE float __expf(float);
SA_SDK_DEVICE float rsqrtf(float);
SA_SDK_DEVICE float __fdividef(float, float);
SA_SDK_DEVICE float __int_as_float(int);
SA_SDK_DEVICE int __float_as_int(float);
SA_SDK_DEVICE unsigned __float_as_uint(float);
#define SA_SDK_MAKE(T, base)                                                                       \
  SA_SDK_BOTH T##2 make_##T##2(base, base);                                                        \
  SA_SDK_BOTH T##3 make_##T##3(base, base, base);                                                  \
  SA_SDK_BOTH T##4 make_##T##4(base, base, base, base);
SA_SDK_MAKE(int, int)
SA_SDK_MAKE(uint, unsigned)
SA_SDK_MAKE(float, float)
SA_SDK_MAKE(double, double)
#undef SA_SDK_MAKE

/* cuda_fp16.h, cuda_bf16.h, cuda_fp8.h */
#define SA_SDK_SMALL(name)                                                                         \
  struct name {                                                                                    \
    name() = default;                                                                              \
    SA_SDK_BOTH name(float);                                                                       \
    SA_SDK_BOTH operator float() const;                                                            \
    unsigned short sa_sdk_bits;                                                                    \
  };                                                                                               \
  struct name##2 {                                                                                 \
    name x, y;                                                                                     \
  };
SA_SDK_SMALL(__half)
SA_SDK_SMALL(__nv_bfloat16)
SA_SDK_SMALL(__nv_fp8_e4m3)
SA_SDK_SMALL(__nv_fp8_e5m2)
#undef SA_SDK_SMALL
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef unsigned char __nv_fp8_storage_t;
SA_SDK_BOTH float __half2float(__half);
SA_SDK_BOTH __half __float2half(float);
SA_SDK_BOTH __half __float2half_rn(float);
SA_SDK_BOTH float __bfloat162float(__nv_bfloat16);
SA_SDK_BOTH __nv_bfloat16 __float2bfloat16(float);
SA_SDK_BOTH __nv_bfloat16 __float2bfloat16_rn(float);
namespace cooperative_groups {
struct thread_block {
  SA_SDK_BOTH void sync() const;
  SA_SDK_BOTH unsigned thread_rank() const;
};
struct grid_group : thread_block {};
SA_SDK_BOTH thread_block this_thread_block();
SA_SDK_BOTH grid_group this_grid();
} // namespace cooperative_groups
#endif

#endif
