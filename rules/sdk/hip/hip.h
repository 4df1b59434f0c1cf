// Model of c10/hip, ATen/hip and their classes that masquerade as CUDA.
#pragma once
#pragma GCC system_header
#include "hip_runtime.h"
#include "../torch/aten.h"

namespace c10 {
namespace hip {
#define SA_SDK_P HIP
#define SA_SDK_RAW_STREAM hipStream_t
#define SA_SDK_RAW_EVENT hipEvent_t
#include "../torch/twin_begin.inc"
#include "../torch/twin.inc"
#include "../torch/twin_end.inc"
} // namespace hip
} // namespace c10

namespace c10 {
namespace hip {
class HIPStreamMasqueradingAsCUDA : public HIPStream {
public:
  using HIPStream::HIPStream;
  HIPStreamMasqueradingAsCUDA(HIPStream);
  HIPStream hip_stream() const;
};
class HIPStreamGuardMasqueradingAsCUDA {
public:
  explicit HIPStreamGuardMasqueradingAsCUDA(Stream);
  void reset_stream(Stream);
  HIPStreamMasqueradingAsCUDA original_stream() const;
  HIPStreamMasqueradingAsCUDA current_stream() const;
};
class OptionalHIPStreamGuardMasqueradingAsCUDA {
public:
  OptionalHIPStreamGuardMasqueradingAsCUDA();
  explicit OptionalHIPStreamGuardMasqueradingAsCUDA(std::optional<Stream>);
  void reset_stream(Stream);
};
struct HIPGuardMasqueradingAsCUDA : HIPGuard {
  using HIPGuard::HIPGuard;
};
struct OptionalHIPGuardMasqueradingAsCUDA : OptionalHIPGuard {
  using OptionalHIPGuard::OptionalHIPGuard;
};
class HIPMultiStreamGuardMasqueradingAsCUDA {
public:
  explicit HIPMultiStreamGuardMasqueradingAsCUDA(ArrayRef<HIPStreamMasqueradingAsCUDA>);
};
HIPStreamMasqueradingAsCUDA getStreamFromPoolMasqueradingAsCUDA(bool = false, DeviceIndex = -1);
HIPStreamMasqueradingAsCUDA getStreamFromExternalMasqueradingAsCUDA(hipStream_t, DeviceIndex);
HIPStreamMasqueradingAsCUDA getDefaultHIPStreamMasqueradingAsCUDA(DeviceIndex = -1);
HIPStreamMasqueradingAsCUDA getCurrentHIPStreamMasqueradingAsCUDA(DeviceIndex = -1);
void setCurrentHIPStreamMasqueradingAsCUDA(HIPStreamMasqueradingAsCUDA);
namespace HIPCachingAllocatorMasqueradingAsCUDA {
c10::Allocator *get();
void recordStreamMasqueradingAsCUDA(const c10::DataPtr &, HIPStreamMasqueradingAsCUDA);
} // namespace HIPCachingAllocatorMasqueradingAsCUDA
} // namespace hip
} // namespace c10
namespace at {
namespace hip {
using namespace c10::hip;
}
} // namespace at
// The event of the HIP build keeps CUDA's name.
namespace at {
namespace cuda {
class CUDAEvent : public c10::hip::HIPEvent {
public:
  using c10::hip::HIPEvent::HIPEvent;
};
} // namespace cuda
} // namespace at
