// Model of the parts of Paddle that move memory between streams.
#pragma once
#pragma GCC system_header
#include "../cuda/cuda_runtime.h"
#include "../misc/log.h"

using gpuStream_t = cudaStream_t;
using gpuEvent_t = cudaEvent_t;
using gpuError_t = cudaError_t;
namespace phi {
struct Place {
  bool operator==(const Place &) const;
  int GetDeviceId() const;
};
struct CPUPlace : Place {};
struct GPUPlace : Place {
  explicit GPUPlace(int = 0);
};
struct GPUPinnedPlace : Place {};
struct CustomPlace : Place {};
using DataType = int;
class Allocation {
public:
  virtual ~Allocation();
  void *ptr() const noexcept;
  size_t size() const noexcept;
  const Place &place() const noexcept;
};
class Allocator {
public:
  using AllocationPtr = std::unique_ptr<Allocation>;
};
class stream_sa_sdk;
class Stream {
public:
  explicit Stream(uint64_t);
  uint64_t id() const;
};
class DenseTensor {
public:
  DenseTensor();
  DenseTensor(const DenseTensor &);
  DenseTensor(DenseTensor &&);
  DenseTensor &operator=(const DenseTensor &);
  const std::shared_ptr<Allocation> &Holder() const;
  std::shared_ptr<Allocation> MoveMemoryHolder();
  void ResetHolder(const std::shared_ptr<Allocation> &);
  DenseTensor &ShareDataWith(const DenseTensor &);
  DenseTensor &ShareBufferWith(const DenseTensor &);
  DenseTensor Slice(int64_t, int64_t) const;
  const Place &place() const;
  int64_t numel() const;
  DataType dtype() const;
  bool initialized() const;
  bool IsInitialized() const;
  void clear();
  const void *data() const;
  void *data();
  template <class T> const T *data() const {}
  template <class T> T *data() {}
  template <class T> T *mutable_data(const Place &) {}
};
class DeviceContext {
public:
  virtual ~DeviceContext();
  const Place &GetPlace() const;
  virtual void Wait() const;
  template <class T> T *Alloc(DenseTensor *, size_t = 0) const {}
};
class GPUContext : public DeviceContext {
public:
  gpuStream_t stream() const;
  void WaitEvent(gpuEvent_t) const;
  void RecordEvent(gpuEvent_t, const std::function<void()> &) const;
  void RecordEvent(gpuEvent_t) const;
  void AddStreamCallback(const std::function<void()> &) const;
};
namespace distributed {
class ProcessGroup;
}
template <class C> void Copy(const C &, const DenseTensor &, const Place &, bool, DenseTensor *) {}
template <class T> bool is_gpu_place(const T &) {}
} // namespace phi
namespace paddle {
using phi::DenseTensor;
class Tensor {
public:
  Tensor();
  Tensor(const Tensor &);
  Tensor &operator=(const Tensor &);
  const std::shared_ptr<phi::DenseTensor> &impl() const;
  const phi::Place &place() const;
  int64_t numel() const;
  bool initialized() const;
  bool is_dense_tensor() const;
  void reset();
  Tensor copy_to(const phi::Place &, bool) const;
  template <class T> T *data() {}
};
namespace platform {
class CUDADeviceContext;
class DeviceEvent {
public:
  DeviceEvent(const phi::Place &, unsigned);
  void Record(const phi::DeviceContext *);
  bool Query();
  void Finish();
  void Reset();
  void *GetEvent();
};
class DeviceContextPool {
public:
  static DeviceContextPool &Instance();
  phi::DeviceContext *Get(const phi::Place &);
};
} // namespace platform
namespace memory {
using phi::Allocation;
std::shared_ptr<Allocation> AllocShared(const phi::Place &, size_t);
std::shared_ptr<Allocation> AllocShared(const phi::Place &, size_t, const phi::Stream &);
phi::Allocator::AllocationPtr Alloc(const phi::Place &, size_t);
phi::Allocator::AllocationPtr Alloc(const phi::Place &, size_t, const phi::Stream &);
uint64_t Release(const phi::Place &);
bool RecordStream(std::shared_ptr<Allocation>, gpuStream_t);
void EraseStream(std::shared_ptr<Allocation>, gpuStream_t);
gpuStream_t GetStream(const std::shared_ptr<Allocation> &);
template <class D, class S> void Copy(D, void *, S, const void *, size_t) {}
template <class D, class S> void Copy(D, void *, S, const void *, size_t, void *) {}
} // namespace memory
} // namespace paddle
#define PADDLE_ENFORCE_GPU_SUCCESS(...) sa_sdk_enforce(__VA_ARGS__)
#define PADDLE_ENFORCE_EQ(a, b, ...) sa_sdk_enforce((a) == (b))
#define PADDLE_ENFORCE_NE(a, b, ...) sa_sdk_enforce((a) != (b))
#define PADDLE_ENFORCE_GE(a, b, ...) sa_sdk_enforce((a) >= (b))
#define PADDLE_ENFORCE_NOT_NULL(a, ...) sa_sdk_enforce((a) != nullptr)
#define PADDLE_THROW(...) sa_sdk_enforce(false)
template <class T> void sa_sdk_enforce(const T &) {}
