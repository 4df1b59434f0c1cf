// Model of c10/cuda and ATen/cuda.
#pragma once
#pragma GCC system_header
#include "../cuda/cuda_runtime.h"
#include "aten.h"

namespace c10 {
namespace cuda {
#define SA_SDK_P CUDA
#define SA_SDK_RAW_STREAM cudaStream_t
#define SA_SDK_RAW_EVENT cudaEvent_t
#include "../torch/twin_begin.inc"
#include "../torch/twin.inc"
#include "../torch/twin_end.inc"
} // namespace cuda
} // namespace c10
namespace c10 {
namespace cuda {
namespace impl {
struct CUDAGuardImpl final : c10::impl::DeviceGuardImplInterface {
  DeviceType type() const override;
  Device exchangeDevice(Device) const override;
  Device getDevice() const override;
  void setDevice(Device) const override;
  void uncheckedSetDevice(Device) const noexcept override;
  Stream getStream(Device) const override;
  Stream exchangeStream(Stream) const override;
  DeviceIndex deviceCount() const noexcept override;
};
} // namespace impl
struct MemPool {
  MemPool(CUDACachingAllocator::CUDAAllocator * = nullptr, bool = true);
  c10::MempoolId_t id();
};
struct MemPoolContext {
  explicit MemPoolContext(MemPool *);
};
} // namespace cuda
} // namespace c10
namespace at {
namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(int64_t);
bool is_available();
int warp_size();
bool canDeviceAccessPeer(int64_t, int64_t);
c10::Allocator *getCUDADeviceAllocator();
void *getCurrentCUDABlasHandle();
void *getCurrentCUDASparseHandle();
c10::Allocator *getPinnedMemoryAllocator();
enum { sa_sdk_int8 = 3 };
int ScalarTypeToCudaDataType(c10::ScalarType);
bool CachingHostAllocator_recordEvent(void *, void *, CUDAStream);
const Generator &getDefaultCUDAGenerator(DeviceIndex = -1);
template <class F> void blockingForward(F) {}
at::Allocator *getCachingHostAllocator();
namespace detail {}
class CUDAPluggableAllocator;
} // namespace cuda
namespace native {
template <class F> void gpu_kernel(sa_sdk::any, F) {}
}
} // namespace at
namespace torch {
namespace cuda {
using namespace c10::cuda;
namespace nccl {
using ncclComm_t = void *;
using comm_list = std::vector<ncclComm_t>;
using stream_list = std::vector<std::optional<at::cuda::CUDAStream>>;
bool is_available(at::TensorList);
uint64_t version();
void all_reduce(const std::vector<at::Tensor> &, std::vector<at::Tensor> &, int32_t = 0, const stream_list & = {}, const comm_list & = {});
void all2all_single_equal_split(at::Tensor &, at::Tensor &, int, ncclComm_t, at::cuda::CUDAStream &);
void all2all(std::vector<at::Tensor> &, std::vector<at::Tensor> &, ncclComm_t, at::cuda::CUDAStream &);
void gather(const at::Tensor &, std::vector<at::Tensor> &, ncclComm_t, at::cuda::CUDAStream &, int32_t = 0);
void scatter(const std::vector<at::Tensor> &, at::Tensor &, ncclComm_t, at::cuda::CUDAStream &, int32_t = 0);
} // namespace nccl
} // namespace cuda
} // namespace torch
c10::Allocator *THCCachingAllocator_get();
void THCCachingAllocator_recordStream(const c10::DataPtr &, c10::cuda::CUDAStream);
