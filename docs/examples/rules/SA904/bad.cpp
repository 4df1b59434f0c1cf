#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>

void accumulate(at::Tensor &sum, int64_t n, c10::cuda::CUDAStream side) {
  at::Tensor x = at::rand({n}, sum.options());
  at::cuda::CUDAEvent ready;
  ready.record();
  ready.block(side);
  {
    c10::cuda::CUDAStreamGuard guard(side);
    sum.add_(x);
  }
  x.record_stream(side); // sa-lint: allow(SA101)
}
