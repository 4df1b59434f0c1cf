// Model of c10/xpu and ATen/xpu.
#pragma once
#pragma GCC system_header
#include "../torch/aten.h"
#include "sycl.h"

namespace c10 {
namespace xpu {
#define SA_SDK_P XPU
#define SA_SDK_RAW_STREAM sycl::queue &
#define SA_SDK_RAW_EVENT sycl::event &
#include "../torch/twin_begin.inc"
#include "../torch/twin.inc"
#include "../torch/twin_end.inc"
} // namespace xpu
} // namespace c10

namespace c10 {
namespace xpu {
void syncStreamsOnDevice(DeviceIndex = -1);
sycl::device &get_raw_device(DeviceIndex);
sycl::context &get_device_context();
} // namespace xpu
} // namespace c10
namespace at {
namespace xpu {
using namespace c10::xpu;
}
} // namespace at
namespace xpu {
using namespace c10::xpu;
sycl::queue &get_queue_from_stream(c10::Stream);
} // namespace xpu
