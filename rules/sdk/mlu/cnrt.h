/* Model of the CNRT runtime and the CNCL collectives. */
#ifndef SA_SDK_CNRT_H
#define SA_SDK_CNRT_H
#pragma GCC system_header

#include "../c/std.h"

SA_SDK_C_BEGIN

typedef struct cnrtQueue_st *cnrtQueue_t;
typedef struct cnrtNotifier_st *cnrtNotifier_t;
typedef struct cnnlContext *cnnlHandle_t;
typedef struct cnclComm *cnclComm_t;
typedef enum { cnrtSuccess, cnrtErrorNotReady, cnrtErrorNoMem } cnrtRet_t;
typedef enum { cnrtMemcpyHostToDev, cnrtMemcpyDevToDev, cnrtMemcpyDevToHost, cnrtMemcpyNoDirection } cnrtMemTransDir_t;
typedef enum { CNCL_RET_SUCCESS, CNCL_RET_ERR_UNSUPPORTED } cnclResult_t;
typedef enum { cnclInvalid, cnclFloat32, cnclFloat16, cnclInt32, cnclInt8, cnclUint8, cnclInt64, cnclBfloat16 } cnclDataType_t;
typedef enum { cnclSum, cnclProd, cnclMax, cnclMin } cnclReduceOp_t;
typedef struct { char data[128]; } cnclCliqueId, *cnclCliqueId_t;
#define CNRT_NOTIFIER_DISABLE_TIMING_ALL 3
cnrtRet_t cnrtQueueCreate(cnrtQueue_t *);
cnrtRet_t cnrtQueueCreateWithPriority(cnrtQueue_t *, int, int);
cnrtRet_t cnrtQueueDestroy(cnrtQueue_t);
cnrtRet_t cnrtQueueSync(cnrtQueue_t);
cnrtRet_t cnrtQueueQuery(cnrtQueue_t);
cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t, cnrtQueue_t, unsigned);
cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t *);
cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t *, unsigned);
cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t);
cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t, cnrtQueue_t);
cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t);
cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t);
cnrtRet_t cnrtSyncDevice(void);
cnrtRet_t cnrtSetDevice(int);
cnrtRet_t cnrtGetDevice(int *);
cnrtRet_t cnrtMalloc(void **, size_t);
cnrtRet_t cnrtFree(void *);
cnrtRet_t cnrtHostMalloc(void **, size_t);
cnrtRet_t cnrtFreeHost(void *);
cnrtRet_t cnrtMemcpy(void *, void *, size_t, cnrtMemTransDir_t);
cnrtRet_t cnrtMemcpyAsync(void *, void *, size_t, cnrtQueue_t, cnrtMemTransDir_t);
cnrtRet_t cnrtMemsetAsync(void *, int, size_t, cnrtQueue_t);
cnclResult_t cnclAllReduce(const void *, void *, size_t, cnclDataType_t, cnclReduceOp_t, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclBroadcast(const void *, void *, size_t, cnclDataType_t, int, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclReduce(const void *, void *, size_t, cnclDataType_t, cnclReduceOp_t, int, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclAllGather(const void *, void *, size_t, cnclDataType_t, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclReduceScatter(const void *, void *, size_t, cnclDataType_t, cnclReduceOp_t, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclAlltoAll(const void *, void *, size_t, cnclDataType_t, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclSend(void *, size_t, cnclDataType_t, int, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclRecv(void *, size_t, cnclDataType_t, int, cnclComm_t, cnrtQueue_t);
cnclResult_t cnclGroupStart(void);
cnclResult_t cnclGroupEnd(void);

SA_SDK_C_END

#endif
