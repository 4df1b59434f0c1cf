#include "kernels.h"

#include <dlfcn.h>
#include <string.h>

#include "cuda_device.h"

/* ISO C has no cast from an object pointer to a function pointer. */
static bool find(void *library, const char *name, void *out) {
  void *symbol = dlsym(library, name);
  memcpy(out, &symbol, sizeof symbol);
  return symbol;
}

sar_status cuda_driver_open(cuda_device *d) {
  static const char *const names[] = {"sar_add", "sar_checksum", "sar_spin", "sar_gate"};
  cuda_driver *v = &d->driver;
  v->library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!v->library || !find(v->library, "cuEventQuery", &v->event_query) ||
      !find(v->library, "cuModuleLoadData", &v->module_load) ||
      !find(v->library, "cuModuleUnload", &v->module_unload) ||
      !find(v->library, "cuModuleGetFunction", &v->module_function) ||
      !find(v->library, "cuLaunchKernel", &v->launch) || v->module_load(&v->module, sar_ptx))
    return SAR_E_BACKEND;
  for (int i = 0; i < KERNEL_COUNT; i++)
    if (v->module_function(&v->kernels[i], v->module, names[i])) return SAR_E_BACKEND;
  return SAR_OK;
}

void cuda_driver_close(cuda_device *d) {
  if (d->driver.module) d->driver.module_unload(d->driver.module);
  if (d->driver.library) dlclose(d->driver.library);
}

/* A thread's first call makes the device's context current; the driver's launch needs it. */
sar_status cuda_bind(const cuda_device *d) {
  static _Thread_local int bound = -1;
  if (bound == d->ordinal) return SAR_OK;
  sar_status st = cuda_status(cudaSetDevice(d->ordinal));
  if (!st) bound = d->ordinal;
  return st;
}

sar_status cuda_launch(cuda_device *d, int kernel, cudaStream_t stream, unsigned blocks,
                       unsigned threads, const uint64_t parameters[3]) {
  uint64_t values[3] = {parameters[0], parameters[1], parameters[2]};
  void *pointers[3] = {&values[0], &values[1], &values[2]};
  sar_status st = cuda_bind(d);
  if (st) return st;
  return d->driver.launch(d->driver.kernels[kernel], blocks, 1, 1, threads, 1, 1, 0, stream,
                          pointers, NULL)
             ? SAR_E_BACKEND
             : SAR_OK;
}

static unsigned blocks_for(size_t bytes) {
  size_t blocks = (bytes + 255) / 256;
  return blocks > 1056 ? 1056 : (unsigned)blocks; /* eight for each multiprocessor of an H200 */
}

static sar_status checksum(cuda_device *d, cudaStream_t stream, const sar_op *op) {
  sar_status st =
      cuda_status(cudaMemsetAsync((void *)(uintptr_t)op->dst, 0, SAR_CHECKSUM_BYTES, stream));
  if (st) return st;
  return cuda_launch(d, KERNEL_CHECKSUM, stream, blocks_for(op->bytes), 256,
                     (uint64_t[]){op->dst, op->src, op->bytes});
}

static sar_status check_op(const sar_op *op) {
  bool needs_dst = op->kind <= SAR_OP_CHECKSUM;
  bool needs_src = op->kind == SAR_OP_COPY || op->kind == SAR_OP_ADD ||
                   op->kind == SAR_OP_CHECKSUM || op->kind == SAR_OP_READ;
  return (needs_dst && !op->dst) || (needs_src && !op->src) ? SAR_E_ARG : SAR_OK;
}

sar_status cuda_queue(sar_device *base, const sar_op *op) {
  cuda_device *d = (cuda_device *)base;
  cudaStream_t s;
  void *dst = (void *)(uintptr_t)op->dst, *src = (void *)(uintptr_t)op->src;
  if (!cuda_stream(d, op->stream, &s) || check_op(op)) return SAR_E_ARG;
  if (!op->bytes && op->kind != SAR_OP_SPIN && op->kind != SAR_OP_CALLBACK) return SAR_OK;
  switch (op->kind) {
  case SAR_OP_FILL:
    return cuda_status(cudaMemsetAsync(dst, op->byte, op->bytes, s));
  case SAR_OP_COPY:
    return cuda_status(cudaMemcpyAsync(dst, src, op->bytes, cudaMemcpyDeviceToDevice, s));
  case SAR_OP_READ:
    return cuda_status(cudaMemcpyAsync(op->host, src, op->bytes, cudaMemcpyDeviceToHost, s));
  case SAR_OP_CALLBACK:
    return cuda_status(cudaLaunchHostFunc(s, op->fn, op->host));
  case SAR_OP_CHECKSUM:
    return checksum(d, s, op);
  case SAR_OP_ADD:
    return cuda_launch(d, KERNEL_ADD, s, blocks_for(op->bytes), 256,
                       (uint64_t[]){op->dst, op->src, op->bytes});
  case SAR_OP_SPIN:
    return cuda_launch(d, KERNEL_SPIN, s, 1, 1,
                       (uint64_t[]){1000u * (uint64_t)op->microseconds, 0, 0});
  }
  return SAR_E_ARG;
}
