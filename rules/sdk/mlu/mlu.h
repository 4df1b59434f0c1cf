// Model of torch_mlu and the CNRT, CNNL and CNCL libraries.
#pragma once
#pragma GCC system_header
#include "../torch/aten.h"
#include "cnrt.h"

namespace torch_mlu {
#define SA_SDK_P MLU
#define SA_SDK_RAW_STREAM cnrtQueue_t
#define SA_SDK_RAW_EVENT cnrtNotifier_t
#include "../torch/twin_begin.inc"
#include "../torch/twin.inc"
#include "../torch/twin_end.inc"
} // namespace torch_mlu

namespace torch_mlu {
using cnrtQueue = cnrtQueue_t;
MLUStream getStreamFromPool(const bool, int, int);
MLUStream getCurMLUStream(c10::DeviceIndex = -1);
cnrtQueue_t getCurQueue(c10::DeviceIndex = -1);
void *getCurrentHandle(c10::DeviceIndex = -1);
void synchronize();
void lazyInitDevice();
} // namespace torch_mlu
#define TORCH_MLU_CHECK(...) sa_sdk_check(__VA_ARGS__)
#define TORCH_CNRT_CHECK(...) sa_sdk_check(__VA_ARGS__)
#define TORCH_CNNL_CHECK(...) sa_sdk_check(__VA_ARGS__)
