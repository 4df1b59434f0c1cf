// Model of DGL's arrays and device API.
#pragma once
#pragma GCC system_header
#include "../c++/std.h"
#include "../misc/log.h"

typedef void *DGLStreamHandle;
typedef struct { int device_type, device_id; } DGLContext;
typedef struct { uint8_t code, bits; uint16_t lanes; } DGLDataType;
typedef struct { void *data; DGLContext ctx; int ndim; DGLDataType dtype; int64_t *shape, *strides; uint64_t byte_offset; } DGLArray;
namespace dgl {
namespace runtime {
class NDArray {
public:
  NDArray();
  NDArray(const NDArray &);
  NDArray(NDArray &&);
  NDArray &operator=(const NDArray &);
  const DGLArray *operator->() const;
  template <class T> T *Ptr() const {}
  int64_t NumElements() const;
  int64_t GetSize() const;
  bool IsContiguous() const;
  bool IsPinned() const;
  void reset();
  void CopyFrom(const NDArray &) const;
  void CopyTo(const NDArray &) const;
  NDArray CopyTo(const DGLContext &) const;
  NDArray Clone(const DGLContext &) const;
  NDArray CreateView(std::vector<int64_t>, DGLDataType, int64_t = 0);
  void RecordStream(DGLStreamHandle) const;
  void PinMemory_();
  void UnpinMemory_();
  static NDArray Empty(std::vector<int64_t>, DGLDataType, DGLContext);
  static NDArray FromVector(const std::vector<int64_t> &, DGLContext = DGLContext());
  static void RecordStream(DGLArray *, DGLStreamHandle);
};
using IdArray = NDArray;
class DeviceAPI {
public:
  static DeviceAPI *Get(DGLContext, bool = false);
  virtual void SetDevice(DGLContext);
  virtual void *AllocDataSpace(DGLContext, size_t, size_t, DGLDataType);
  virtual void FreeDataSpace(DGLContext, void *);
  virtual void *AllocWorkspace(DGLContext, size_t, DGLDataType = {});
  virtual void FreeWorkspace(DGLContext, void *);
  virtual DGLStreamHandle CreateStream(DGLContext);
  virtual void FreeStream(DGLContext, DGLStreamHandle);
  virtual void StreamSync(DGLContext, DGLStreamHandle);
  virtual void SetStream(DGLContext, DGLStreamHandle);
  virtual DGLStreamHandle GetStream() const;
  virtual void SyncStreamFromTo(DGLContext, DGLStreamHandle, DGLStreamHandle);
};
} // namespace runtime
using runtime::IdArray;
using runtime::NDArray;
} // namespace dgl
