#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>

// Adds the sum of a batch on a side stream.
void add_aside(at::Tensor &total, const c10::cuda::CUDAStream &side) {
  at::Tensor batch = at::rand({1 << 20}, total.options());
  c10::cuda::CUDAStreamGuard guard(side);
  total.add_(batch.sum());
  // sa-lint: allow(SA101) until=2099-12-31 rewritten together with its caller,
  // which polls the stream already
  batch.record_stream(side);
}

int calls = 0; // sa-lint: allow(SA301) the first version released early
