/* Model of the Ascend Computing Language runtime and the HCCL collectives. */
#ifndef SA_SDK_ACL_H
#define SA_SDK_ACL_H
#pragma GCC system_header

#include "../c/std.h"

SA_SDK_C_BEGIN

typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef void *aclrtContext;
typedef void *aclrtNotify;
typedef int aclError;
typedef struct aclTensor aclTensor;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclOpExecutor aclOpExecutor;
typedef struct aclDataBuffer aclDataBuffer;
typedef struct aclTensorDesc aclTensorDesc;
typedef struct sa_sdk_model *aclmdlRI;
typedef int aclnnStatus;
typedef enum { ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT32, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_INT64, ACL_UINT64, ACL_DOUBLE, ACL_BOOL, ACL_BF16 = 27 } aclDataType;
typedef enum { ACL_FORMAT_UNDEFINED = -1, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_ND, ACL_FORMAT_FRACTAL_NZ = 29 } aclFormat;
typedef enum { ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE } aclrtMemcpyKind;
typedef enum { ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY, ACL_MEM_MALLOC_NORMAL_ONLY } aclrtMemMallocPolicy;
typedef enum { ACL_EVENT_RECORDED_STATUS_NOT_READY, ACL_EVENT_RECORDED_STATUS_COMPLETE } aclrtEventRecordedStatus;
#define ACL_SUCCESS 0
#define ACL_ERROR_NONE 0
#define ACL_EVENT_SYNC 1
#define ACL_EVENT_TIME_LINE 8
#define ACL_STREAM_FAST_LAUNCH 1
#define ACL_STREAM_FAST_SYNC 2
aclError aclInit(const char *);
aclError aclFinalize(void);
aclError aclrtSetDevice(int);
aclError aclrtGetDevice(int *);
aclError aclrtSynchronizeDevice(void);
aclError aclrtCreateStream(aclrtStream *);
aclError aclrtCreateStreamWithConfig(aclrtStream *, uint32_t, uint32_t);
aclError aclrtDestroyStream(aclrtStream);
aclError aclrtSynchronizeStream(aclrtStream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream, int);
aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent);
aclError aclrtCreateEvent(aclrtEvent *);
aclError aclrtCreateEventWithFlag(aclrtEvent *, uint32_t);
aclError aclrtCreateEventExWithFlag(aclrtEvent *, uint32_t);
aclError aclrtDestroyEvent(aclrtEvent);
aclError aclrtRecordEvent(aclrtEvent, aclrtStream);
aclError aclrtResetEvent(aclrtEvent, aclrtStream);
aclError aclrtQueryEventStatus(aclrtEvent, aclrtEventRecordedStatus *);
aclError aclrtSynchronizeEvent(aclrtEvent);
aclError aclrtMalloc(void **, size_t, aclrtMemMallocPolicy);
aclError aclrtFree(void *);
aclError aclrtMallocHost(void **, size_t);
aclError aclrtFreeHost(void *);
aclError aclrtMemcpy(void *, size_t, const void *, size_t, aclrtMemcpyKind);
aclError aclrtMemcpyAsync(void *, size_t, const void *, size_t, aclrtMemcpyKind, aclrtStream);
aclError aclrtMemset(void *, size_t, int, size_t);
aclError aclrtMemsetAsync(void *, size_t, int, size_t, aclrtStream);
aclError aclrtLaunchCallback(void (*)(void *), void *, int, aclrtStream);
const char *aclGetRecentErrMsg(void);
aclTensor *aclCreateTensor(const int64_t *, uint64_t, aclDataType, const int64_t *, int64_t, aclFormat, const int64_t *, uint64_t, void *);
aclError aclDestroyTensor(const aclTensor *);

typedef void *HcclComm;
typedef struct { char internal[4108]; } HcclRootInfo;
typedef enum { HCCL_SUCCESS, HCCL_E_PARA, HCCL_E_INTERNAL } HcclResult;
typedef enum { HCCL_DATA_TYPE_INT8, HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_INT32, HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_INT64, HCCL_DATA_TYPE_UINT64, HCCL_DATA_TYPE_UINT8, HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_FP64, HCCL_DATA_TYPE_BFP16 } HcclDataType;
typedef enum { HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN } HcclReduceOp;
typedef struct { void *sendBuf; uint64_t count; HcclDataType dataType; uint32_t remoteRank; } HcclSendRecvItem;
HcclResult HcclAllReduce(void *, void *, uint64_t, HcclDataType, HcclReduceOp, HcclComm, aclrtStream);
HcclResult HcclBroadcast(void *, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream);
HcclResult HcclReduce(void *, void *, uint64_t, HcclDataType, HcclReduceOp, uint32_t, HcclComm, aclrtStream);
HcclResult HcclScatter(void *, void *, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream);
HcclResult HcclReduceScatter(void *, void *, uint64_t, HcclDataType, HcclReduceOp, HcclComm, aclrtStream);
HcclResult HcclAllGather(void *, void *, uint64_t, HcclDataType, HcclComm, aclrtStream);
HcclResult HcclSend(void *, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream);
HcclResult HcclRecv(void *, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream);
HcclResult HcclAlltoAll(const void *, uint64_t, HcclDataType, const void *, uint64_t, HcclDataType, HcclComm, aclrtStream);
HcclResult HcclAlltoAllV(const void *, const void *, const void *, HcclDataType, const void *, const void *, const void *, HcclDataType, HcclComm, aclrtStream);
HcclResult HcclBatchSendRecv(HcclSendRecvItem *, uint32_t, HcclComm, aclrtStream);
HcclResult HcclBarrier(HcclComm, aclrtStream);
HcclResult HcclCommDestroy(HcclComm);
HcclResult HcclGetRootInfo(HcclRootInfo *);
HcclResult HcclCommInitRootInfo(uint32_t, const HcclRootInfo *, uint32_t, HcclComm *);
HcclResult HcclGetCommAsyncError(HcclComm, HcclResult *);

SA_SDK_C_END

#endif
