// Model of torch_npu.
#pragma once
#pragma GCC system_header
#include "../torch/aten.h"
#include "acl.h"

namespace c10_npu {
#define SA_SDK_P NPU
#define SA_SDK_RAW_STREAM aclrtStream
#define SA_SDK_RAW_EVENT aclrtEvent
#include "../torch/twin_begin.inc"
#include "../torch/twin.inc"
#include "../torch/twin_end.inc"
} // namespace c10_npu

namespace c10_npu {
NPUStream getNPUStreamFromPool(c10::DeviceIndex);
NPUStream getCurrentSecondaryStream(c10::DeviceIndex = -1);
NPUStream getStreamFromSyncLaunchPool(c10::DeviceIndex = -1);
aclrtStream getCurrentNPUStreamNoWait(c10::DeviceIndex = -1);
bool npuSynchronizeDevice(bool = true);
bool npuSynchronizeUsedDevices(bool = true);
class SecondaryStreamGuard {
public:
  SecondaryStreamGuard() = delete;
  explicit SecondaryStreamGuard(c10::Stream);
  ~SecondaryStreamGuard();
};
namespace acl {}
namespace impl {}
} // namespace c10_npu
namespace at_npu {
namespace native {
class OpCommand {
public:
  OpCommand &Name(const std::string &);
  OpCommand &Input(const at::Tensor &);
  OpCommand &Output(at::Tensor &);
  template <class T> OpCommand &Attr(const std::string &, T);
  void Run();
  static void RunOpApi(const std::string &, std::function<int()>, bool = false);
  OpCommand &SetCustomHandler(std::function<int()>);
};
class OpPreparation {
public:
  static at::Tensor apply_tensor(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
  static at::Tensor apply_tensor_without_format(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
  static at::Tensor apply_tensor_with_format(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
  static at::Tensor ApplyTensor(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
  static at::Tensor ApplyTensorWithoutFormat(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
  static at::Tensor ApplyTensorWithFormat(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
  static at::Tensor unsafe_empty_workspace(uint64_t);
};
at::Tensor npu_format_cast(const at::Tensor &, int64_t);
int64_t get_npu_format(const at::Tensor &);
} // namespace native
} // namespace at_npu
#define NPU_CHECK_ERROR(...) sa_sdk_check(__VA_ARGS__)
#define ASCEND_LOGI(...) sa_sdk_note(__VA_ARGS__)
#define ASCEND_LOGD(...) sa_sdk_note(__VA_ARGS__)
#define ASCEND_LOGW(...) sa_sdk_note(__VA_ARGS__)
#define ASCEND_LOGE(...) sa_sdk_note(__VA_ARGS__)
#define HCCL_CHECK_ERROR(...) sa_sdk_check(__VA_ARGS__)
#define PTA_ERROR(...) std::string()
#define OPS_ERROR(...) std::string()
#define DIST_ERROR(...) std::string()
