// Model of c10: devices, streams, events, storage, intrusive pointers, guards, checks.
#pragma once
#pragma GCC system_header
#include "../c++/std.h"
#include "../misc/log.h"

namespace sa_sdk {
// Takes whatever an argument that no rule looks at may be, braced lists included.
struct any {
  any();
  template <class T> any(const T &) {}
  any(std::initializer_list<any>);
};
} // namespace sa_sdk

#define C10_API
#define C10_BACKEND_API
#define C10_NPU_API
#define C10_NPU_EXPORT
#define TORCH_NPU_API
#define TORCH_MLU_API
#define TORCH_MLU_EXPORT
#define TORCH_MUSA_API
#define C10_MUSA_API
#define TORCH_BACKEND_API
#define CAFFE2_API
#define AT_API
#define C10_EXPORT
#define C10_IMPORT
#define C10_HIDDEN
#define C10_CUDA_API
#define C10_HIP_API
#define C10_XPU_API
#define TORCH_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define TORCH_HIP_API
#define TORCH_XPU_API
#define TORCH_PYTHON_API
#define C10_ALWAYS_INLINE inline
#define C10_NOINLINE
#define C10_UNUSED [[maybe_unused]]
#define C10_NODISCARD [[nodiscard]]
#define C10_LIKELY(e) (e)
#define C10_UNLIKELY(e) (e)
#define C10_RESTRICT __restrict
#define C10_FALLTHROUGH [[fallthrough]]
#define C10_LOG_FIRST_N(severity, n) LOG(severity)
#define C10_LOG_API_USAGE_ONCE(...)
#define C10_DISABLE_COPY_AND_ASSIGN(name)                                                          \
  name(const name &) = delete;                                                                     \
  name &operator=(const name &) = delete
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_ANONYMOUS_VARIABLE(name) C10_CONCATENATE(name, __COUNTER__)
#define C10_STRINGIZE(x) #x
#define TORCH_STATIC_ASSERT(...)
#define AT_CUDA_CHECK(...) C10_CUDA_CHECK(__VA_ARGS__)
#define C10_CUDA_CHECK(...) sa_sdk_check(__VA_ARGS__)
#define C10_CUDA_CHECK_WARN(...) sa_sdk_check(__VA_ARGS__)
#define C10_CUDA_IGNORE_ERROR(...) sa_sdk_check(__VA_ARGS__)
#define C10_CUDA_ERROR_HANDLED(...) (__VA_ARGS__)
#define C10_CUDA_CHECK_WARN(...) sa_sdk_check(__VA_ARGS__)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() (void)0
#define C10_HIP_CHECK(...) sa_sdk_check(__VA_ARGS__)
#define C10_XPU_CHECK(...) sa_sdk_check(__VA_ARGS__)
#define C10_NPU_CHECK(...) sa_sdk_check(__VA_ARGS__)
#define TORCH_CHECK(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) sa_sdk_require((a) == (b))
#define TORCH_CHECK_NE(a, b) sa_sdk_require((a) != (b))
#define TORCH_CHECK_GE(a, b) sa_sdk_require((a) >= (b))
#define TORCH_CHECK_GT(a, b) sa_sdk_require((a) > (b))
#define TORCH_CHECK_LE(a, b) sa_sdk_require((a) <= (b))
#define TORCH_CHECK_LT(a, b) sa_sdk_require((a) < (b))
#define TORCH_CHECK_WITH(type, ...) sa_sdk_require(__VA_ARGS__)
#define TORCH_CHECK_INDEX(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_CHECK_VALUE(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_CHECK_TYPE(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_CHECK_ALWAYS_SHOW_CPP_STACKTRACE(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) sa_sdk_require(__VA_ARGS__)
#define TORCH_WARN(...) sa_sdk_note(__VA_ARGS__)
#define TORCH_WARN_ONCE(...) sa_sdk_note(__VA_ARGS__)
#define AT_ASSERT(...) sa_sdk_require(__VA_ARGS__)
#define AT_ASSERTM(...) sa_sdk_require(__VA_ARGS__)
#define AT_ERROR(...) sa_sdk_fail(__VA_ARGS__)
#define C10_THROW_ERROR(type, ...) sa_sdk_fail(__VA_ARGS__)
#define TORCH_CUDA_CHECK(...) sa_sdk_check(__VA_ARGS__)
template <class... A> void sa_sdk_check(const A &...) {}
template <class... A> void sa_sdk_require(const A &...) {}
template <class... A> void sa_sdk_note(const A &...) {}
template <class... A> [[noreturn]] void sa_sdk_fail(const A &...);


namespace c10 {
using std::in_place;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
using std::string_view;
using std::variant;
template <class T> class ArrayRef {
public:
  using value_type = T;
  using iterator = const T *;
  ArrayRef() {}
  ArrayRef(const T &) {}
  ArrayRef(const T *, size_t) {}
  ArrayRef(const T *, const T *) {}
  ArrayRef(const std::initializer_list<T> &) {}
  ArrayRef(const std::vector<T> &) {}
  template <size_t N> ArrayRef(const std::array<T, N> &) {}
  template <size_t N> ArrayRef(const T (&)[N]) {}
  template <class C, class = decltype(std::declval<const C &>().sa_sdk_array())> ArrayRef(const C &) {}
  const T *begin() const {}
  const T *end() const {}
  const T *data() const {}
  size_t size() const {}
  bool empty() const {}
  const T &front() const {}
  const T &back() const {}
  const T &at(size_t) const {}
  const T &operator[](size_t) const {}
  bool equals(ArrayRef) const {}
  ArrayRef slice(size_t, size_t) const {}
  ArrayRef slice(size_t) const {}
  std::vector<T> vec() const {}
  friend bool operator==(ArrayRef, ArrayRef) { return true; }
  friend bool operator!=(ArrayRef, ArrayRef) { return true; }
};
using IntArrayRef = ArrayRef<int64_t>;
template <class T> class OptionalArrayRef : public std::optional<ArrayRef<T>> {
public:
  using std::optional<ArrayRef<T>>::optional;
  OptionalArrayRef(std::initializer_list<T>) {}
};
using OptionalIntArrayRef = OptionalArrayRef<int64_t>;
template <class T, unsigned N = 4> class SmallVector : public std::vector<T> {
public:
  using std::vector<T>::vector;
  const T &sa_sdk_array() const {}
};
template <class T> using SmallVectorImpl = std::vector<T>;
template <class K, class V, class... R> using FastMap = std::unordered_map<K, V>;
template <class F> class FunctionRef : public F {};
template <class R, class... A> class function_ref;
template <class R, class... A> class function_ref<R(A...)> : public std::function<R(A...)> {
public:
  using std::function<R(A...)>::function;
};
class SymInt {
public:
  SymInt(int64_t = 0);
  int64_t expect_int() const;
  int64_t guard_int(const char *, int64_t) const;
  operator int64_t() const;
};
using SymIntArrayRef = ArrayRef<SymInt>;

struct SymFloat {
  SymFloat(double = 0);
};
struct SymBool {
  SymBool(bool = false);
};
class Error : public std::exception {
public:
  explicit Error(std::string);
  const char *what() const noexcept override;
  const std::string &msg() const;
};
using DistBackendError = Error;
using DistNetworkError = Error;
using OutOfMemoryError = Error;
class NotImplementedError : public Error {
public:
  using Error::Error;
};
template <class... A> std::string str(const A &...) {}
template <class... A> std::string Join(const std::string &, const A &...) {}
const char *demangle(const char *);
struct sa_sdk_range {
  struct iterator {
    int64_t operator*() const;
    iterator &operator++();
    bool operator!=(const iterator &) const;
  };
  iterator begin() const;
  iterator end() const;
};
template <class T> struct integer_range {
  struct iterator {
    T operator*() const {}
    iterator &operator++() {}
    bool operator!=(const iterator &) const {}
    bool operator==(const iterator &) const {}
  };
  iterator begin() const {}
  iterator end() const {}
};
template <class T> integer_range<T> irange(T) {}
template <class T, class U> integer_range<U> irange(T, U) {}
template <class F> class ScopeExit {
public:
  explicit ScopeExit(F) {}
  ~ScopeExit() {}
  void release() {}
};
template <class F> ScopeExit<F> make_scope_exit(F) {}
struct Half {
  Half() = default;
  Half(float);
  operator float() const;
  unsigned short x;
};
struct BFloat16 {
  BFloat16() = default;
  BFloat16(float);
  operator float() const;
  unsigned short x;
};
struct Float8_e4m3fn {
  unsigned char x;
};
struct Float8_e5m2 {
  unsigned char x;
};
template <class T> class complex {
public:
  complex(T = T(), T = T()) {}
  T real() const {}
  T imag() const {}
};
struct once_flag {};
template <class F, class... A> void call_once(once_flag &, F &&, A &&...) {}
template <class T> class LeftRight;
template <class T, class... A> class Synchronized {
public:
  template <class F> auto withLock(F &&f) -> decltype(f(std::declval<T &>())) {}
};

using DeviceIndex = signed char;
enum class DeviceType : signed char {
  CPU, CUDA, MKLDNN, OPENGL, OPENCL, IDEEP, HIP, FPGA, MAIA, XLA, Vulkan, Metal, XPU, MPS, Meta, HPU, VE, Lazy, IPU,
  MTIA, PrivateUse1, COMPILE_TIME_MAX_DEVICE_TYPES
};
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kHIP = DeviceType::HIP, kXPU = DeviceType::XPU,
                     kMPS = DeviceType::MPS, kMeta = DeviceType::Meta, kMTIA = DeviceType::MTIA,
                     kPrivateUse1 = DeviceType::PrivateUse1, kXLA = DeviceType::XLA, kHPU = DeviceType::HPU;
std::string DeviceTypeName(DeviceType, bool = false);
struct Device {
  using Type = DeviceType;
  Device(DeviceType, DeviceIndex = -1);
  Device(const std::string &);
  DeviceType type() const noexcept;
  DeviceIndex index() const noexcept;
  bool has_index() const noexcept;
  bool is_cuda() const noexcept;
  bool is_cpu() const noexcept;
  bool is_privateuseone() const noexcept;
  bool is_xpu() const noexcept;
  bool is_meta() const noexcept;
  void set_index(DeviceIndex);
  std::string str() const;
  bool operator==(const Device &) const noexcept;
  bool operator!=(const Device &) const noexcept;
};
std::ostream &operator<<(std::ostream &, const Device &);
std::ostream &operator<<(std::ostream &, DeviceType);
struct DeviceHash {
  size_t operator()(const Device &) const;
};

using StreamId = int64_t;
class Event;
class Stream {
public:
  enum Unsafe { UNSAFE };
  enum Default { DEFAULT };
  explicit Stream(Unsafe, Device, StreamId);
  explicit Stream(Default, Device);
  bool operator==(const Stream &) const noexcept;
  bool operator!=(const Stream &) const noexcept;
  Device device() const noexcept;
  DeviceType device_type() const noexcept;
  DeviceIndex device_index() const noexcept;
  StreamId id() const noexcept;
  void *native_handle() const;
  template <class E> void wait(const E &) const {}
  bool query() const;
  void synchronize() const;
  uint64_t hash() const noexcept;
  struct StreamData3 pack3() const;
  uint64_t pack() const noexcept;
  static Stream unpack(uint64_t);
  static Stream unpack3(StreamId, DeviceIndex, DeviceType);
};
struct StreamData3 {
  StreamId stream_id;
  DeviceIndex device_index;
  DeviceType device_type;
};
std::ostream &operator<<(std::ostream &, const Stream &);
enum class EventFlag { PYTORCH_DEFAULT, BACKEND_DEFAULT, INVALID };
class Event {
public:
  Event(DeviceType, EventFlag = EventFlag::PYTORCH_DEFAULT);
  Event(Event &&) noexcept;
  Event &operator=(Event &&) noexcept;
  ~Event();
  Device device() const noexcept;
  DeviceType device_type() const noexcept;
  DeviceIndex device_index() const noexcept;
  EventFlag flag() const noexcept;
  bool was_marked_for_recording() const noexcept;
  void recordOnce(const Stream &);
  void record(const Stream &);
  void block(const Stream &) const;
  bool query() const;
  void synchronize() const;
  double elapsedTime(const Event &) const;
  void *eventId() const;
};
using EventPool = Event;

using DeleterFnPtr = void (*)(void *);
class DataPtr {
public:
  DataPtr();
  DataPtr(void *, Device);
  DataPtr(void *, void *, DeleterFnPtr, Device);
  DataPtr(DataPtr &&);
  DataPtr &operator=(DataPtr &&);
  void *operator->() const;
  void clear();
  void *get() const;
  void *mutable_get();
  void *get_context() const;
  void *release_context();
  DeleterFnPtr get_deleter() const;
  template <class T> T *cast_context(DeleterFnPtr) const {}
  bool unsafe_reset_data_and_ctx(void *);
  Device device() const;
  void unsafe_set_device(Device);
  operator bool() const;
};
bool operator==(const DataPtr &, std::nullptr_t) noexcept;
bool operator!=(const DataPtr &, std::nullptr_t) noexcept;
using CaptureId_t = unsigned long long;
using MempoolId_t = std::pair<CaptureId_t, CaptureId_t>;
struct Allocator {
  virtual ~Allocator();
  virtual DataPtr allocate(size_t);
  DataPtr clone(const void *, size_t);
  virtual DeleterFnPtr raw_deleter() const;
  void *raw_allocate(size_t);
  void raw_deallocate(void *);
  virtual void copy_data(void *, const void *, size_t) const;
};
struct DeviceAllocator : Allocator {
  virtual bool initialized();
  virtual void emptyCache(MempoolId_t = {0, 0});
  virtual void recordStream(const DataPtr &, Stream);
};
DeviceAllocator *getDeviceAllocator(const DeviceType &);
Allocator *GetAllocator(const DeviceType &);
void SetAllocator(DeviceType, Allocator *, uint8_t = 0);
Allocator *GetCPUAllocator();
Allocator *GetDefaultCPUAllocator();
class GatheredContext {
public:
  virtual ~GatheredContext();
};

namespace raw {
namespace intrusive_ptr {
template <class T> void incref(T *) {}
template <class T> void decref(T *) {}
} // namespace intrusive_ptr
} // namespace raw
class intrusive_ptr_target {
protected:
  intrusive_ptr_target() noexcept;
  virtual ~intrusive_ptr_target();
  virtual void release_resources();
};
template <class T, class N = void> class weak_intrusive_ptr;
template <class T, class N = void> class intrusive_ptr {
public:
  using element_type = T;
  intrusive_ptr() noexcept {}
  intrusive_ptr(std::nullptr_t) noexcept {}
  explicit intrusive_ptr(std::unique_ptr<T>) noexcept {}
  intrusive_ptr(const intrusive_ptr &) {}
  intrusive_ptr(intrusive_ptr &&) noexcept {}
  template <class U, class M, class = std::enable_if_t<__is_convertible_to(U *, T *)>>
  intrusive_ptr(const intrusive_ptr<U, M> &) {}
  ~intrusive_ptr() noexcept {}
  intrusive_ptr &operator=(const intrusive_ptr &) {}
  intrusive_ptr &operator=(intrusive_ptr &&) noexcept {}
  template <class U, class M> intrusive_ptr &operator=(const intrusive_ptr<U, M> &) {}
  T *get() const noexcept {}
  T &operator*() const noexcept {}
  T *operator->() const noexcept {}
  operator bool() const noexcept {}
  void reset() noexcept {}
  void swap(intrusive_ptr &) noexcept {}
  bool defined() const noexcept {}
  uint32_t use_count() const noexcept {}
  uint32_t weak_use_count() const noexcept {}
  bool unique() const noexcept {}
  T *release() noexcept {}
  static intrusive_ptr reclaim(T *) {}
  static intrusive_ptr reclaim_copy(T *) {}
  static intrusive_ptr unsafe_steal_from_new(T *) {}
  template <class... A> static intrusive_ptr make(A &&...) {}
};
template <class T, class N> class weak_intrusive_ptr {
public:
  explicit weak_intrusive_ptr(const intrusive_ptr<T, N> &) {}
  weak_intrusive_ptr(const weak_intrusive_ptr &) {}
  weak_intrusive_ptr &operator=(const weak_intrusive_ptr &) {}
  intrusive_ptr<T, N> lock() const noexcept {}
  bool expired() const noexcept {}
  void reset() noexcept {}
  uint32_t use_count() const noexcept {}
  T *_unsafe_get_target() const noexcept {}
  static weak_intrusive_ptr reclaim(T *) {}
  T *release() noexcept {}
};
template <class T, class N = void, class... A> intrusive_ptr<T> make_intrusive(A &&...) {}
template <class T, class U> intrusive_ptr<T> static_intrusive_pointer_cast(intrusive_ptr<U>) {}
template <class T, class U> intrusive_ptr<T> dynamic_intrusive_pointer_cast(intrusive_ptr<U>) {}
template <class T, class N> bool operator==(const intrusive_ptr<T, N> &, std::nullptr_t) noexcept {}
template <class T, class N> bool operator!=(const intrusive_ptr<T, N> &, std::nullptr_t) noexcept {}
template <class T, class N> bool operator==(const intrusive_ptr<T, N> &, const intrusive_ptr<T, N> &) noexcept {}
template <class T, class N> bool operator!=(const intrusive_ptr<T, N> &, const intrusive_ptr<T, N> &) noexcept {}
template <class T> class MaybeOwned {
public:
  static MaybeOwned borrowed(const T &) {}
  static MaybeOwned owned(T &&) {}
  const T &operator*() const {}
  const T *operator->() const {}
};

struct StorageImpl : intrusive_ptr_target {
  struct use_byte_size_t {};
  StorageImpl(use_byte_size_t, size_t, DataPtr, Allocator *, bool);
  StorageImpl(use_byte_size_t, size_t, Allocator *, bool);
  const DataPtr &data_ptr() const;
  DataPtr &mutable_data_ptr();
  DataPtr &_mutable_data_ptr_no_checks();
  DataPtr set_data_ptr(DataPtr &&);
  void set_data_ptr_noswap(DataPtr &&);
  const void *data() const;
  void *mutable_data();
  size_t nbytes() const;
  void set_nbytes(size_t);
  bool resizable() const;
  Allocator *allocator();
  void set_allocator(Allocator *);
  DeviceType device_type() const;
  Device device() const;
  void release_resources() override;
  void reset();
};
struct Storage {
  struct use_byte_size_t {};
  Storage();
  Storage(intrusive_ptr<StorageImpl>);
  Storage(use_byte_size_t, size_t, Allocator *, bool = false);
  Storage(use_byte_size_t, size_t, DataPtr, Allocator * = nullptr, bool = false);
  const DataPtr &data_ptr() const;
  DataPtr &mutable_data_ptr() const;
  DataPtr set_data_ptr(DataPtr &&) const;
  void set_data_ptr_noswap(DataPtr &&) const;
  const void *data() const;
  void *mutable_data() const;
  size_t nbytes() const;
  void set_nbytes(size_t) const;
  bool resizable() const;
  Device device() const;
  DeviceType device_type() const;
  Allocator *allocator() const;
  StorageImpl *unsafeReleaseStorageImpl();
  StorageImpl *unsafeGetStorageImpl() const noexcept;
  intrusive_ptr<StorageImpl> getIntrusivePtr() const;
  weak_intrusive_ptr<StorageImpl> getWeakStorageImpl() const;
  bool is_alias_of(const Storage &) const;
  bool unique() const;
  size_t use_count() const;
  void reset() const;
  operator bool() const;
};

class DeviceGuard {
public:
  DeviceGuard() = delete;
  explicit DeviceGuard(Device);
  ~DeviceGuard();
  void reset_device(Device);
  void set_index(DeviceIndex);
  Device original_device() const;
  Device current_device() const;
};
class OptionalDeviceGuard {
public:
  OptionalDeviceGuard();
  explicit OptionalDeviceGuard(Device);
  explicit OptionalDeviceGuard(std::optional<Device>);
  ~OptionalDeviceGuard();
  void reset_device(Device);
};
#define SA_SDK_STREAM_GUARDS(STREAM)                                                               \
  class STREAM##Guard {                                                                            \
  public:                                                                                          \
    STREAM##Guard() = delete;                                                                      \
    explicit STREAM##Guard(Stream);                                                                \
    STREAM##Guard(const STREAM##Guard &) = delete;                                                 \
    ~STREAM##Guard();                                                                              \
    void reset_stream(Stream);                                                                     \
    STREAM original_stream() const;                                                                \
    STREAM current_stream() const;                                                                 \
    Device current_device() const;                                                                 \
    Device original_device() const;                                                                \
  };                                                                                               \
  class Optional##STREAM##Guard {                                                                  \
  public:                                                                                          \
    Optional##STREAM##Guard();                                                                     \
    explicit Optional##STREAM##Guard(Stream);                                                      \
    explicit Optional##STREAM##Guard(std::optional<Stream>);                                       \
    ~Optional##STREAM##Guard();                                                                    \
    void reset_stream(Stream);                                                                     \
    std::optional<STREAM> original_stream() const;                                                 \
    std::optional<STREAM> current_stream() const;                                                  \
    void reset();                                                                                  \
  };
#define SA_SDK_DEVICE_GUARDS(PREFIX)                                                               \
  struct PREFIX##Guard {                                                                           \
    PREFIX##Guard() = delete;                                                                      \
    explicit PREFIX##Guard(DeviceIndex);                                                           \
    explicit PREFIX##Guard(Device);                                                                \
    ~PREFIX##Guard();                                                                              \
    void set_device(Device);                                                                       \
    void reset_device(Device);                                                                     \
    void set_index(DeviceIndex);                                                                   \
    Device original_device() const;                                                                \
    Device current_device() const;                                                                 \
  };                                                                                               \
  struct Optional##PREFIX##Guard {                                                                 \
    Optional##PREFIX##Guard();                                                                     \
    explicit Optional##PREFIX##Guard(std::optional<Device>);                                       \
    explicit Optional##PREFIX##Guard(Device);                                                      \
    explicit Optional##PREFIX##Guard(std::optional<DeviceIndex>);                                  \
    explicit Optional##PREFIX##Guard(DeviceIndex);                                                 \
    explicit Optional##PREFIX##Guard(int);                                                         \
    ~Optional##PREFIX##Guard();                                                                    \
    void set_device(Device);                                                                       \
    void reset_device(Device);                                                                     \
    void set_index(DeviceIndex);                                                                   \
    void reset();                                                                                  \
    std::optional<Device> original_device() const;                                                 \
    std::optional<Device> current_device() const;                                                  \
  };
#define SA_SDK_MULTI_GUARD(STREAM, PREFIX)                                                         \
  class PREFIX##MultiStreamGuard {                                                                 \
  public:                                                                                          \
    explicit PREFIX##MultiStreamGuard(ArrayRef<STREAM>);                                           \
    explicit PREFIX##MultiStreamGuard(ArrayRef<Stream>);                                           \
    ~PREFIX##MultiStreamGuard();                                                                   \
  };
SA_SDK_STREAM_GUARDS(Stream)
class MultiStreamGuard {
public:
  explicit MultiStreamGuard(ArrayRef<Stream>);
  ~MultiStreamGuard();
};
struct InferenceMode {
  InferenceMode(bool = true);
  static bool is_enabled();
};
struct AutoGradMode {
  AutoGradMode(bool);
};
struct NoGradGuard {
  NoGradGuard();
};
class ThreadLocalDebugInfo;
class TaskThreadPoolBase {
public:
  virtual void run(std::function<void()>);
  virtual size_t size() const;
};
class ThreadPool : public TaskThreadPoolBase {
public:
  explicit ThreadPool(int, int = -1, std::function<void()> = nullptr);
  void waitWorkComplete();
};

namespace impl {
using c10::DeviceIndex;
struct DeviceGuardImplInterface {
  virtual ~DeviceGuardImplInterface() = default;
  virtual DeviceType type() const = 0;
  virtual Device exchangeDevice(Device) const = 0;
  virtual Device getDevice() const = 0;
  virtual void setDevice(Device) const = 0;
  virtual void uncheckedSetDevice(Device) const noexcept = 0;
  virtual Stream getStream(Device) const = 0;
  virtual Stream getDefaultStream(Device) const;
  virtual Stream getNewStream(Device, int = 0) const;
  virtual Stream getStreamFromGlobalPool(Device, bool = false) const;
  virtual Stream exchangeStream(Stream) const = 0;
  virtual void destroyEvent(void *, const DeviceIndex) const noexcept;
  virtual void record(void **, const Stream &, const DeviceIndex, const EventFlag) const;
  virtual void block(void *, const Stream &) const;
  virtual bool queryEvent(void *) const;
  virtual void synchronizeEvent(void *) const;
  virtual DeviceIndex deviceCount() const noexcept = 0;
  virtual bool queryStream(const Stream &) const;
  virtual void synchronizeStream(const Stream &) const;
  virtual void synchronizeDevice(const DeviceIndex) const;
  virtual void recordDataPtrOnStream(const DataPtr &, const Stream &) const;
  virtual double elapsedTime(void *, void *, const DeviceIndex) const;
};
class VirtualGuardImpl final : public DeviceGuardImplInterface {
public:
  VirtualGuardImpl(DeviceType);
  VirtualGuardImpl(const DeviceGuardImplInterface *);
  DeviceType type() const override;
  Device exchangeDevice(Device) const override;
  Device getDevice() const override;
  void setDevice(Device) const override;
  void uncheckedSetDevice(Device) const noexcept override;
  Stream getStream(Device) const override;
  Stream getDefaultStream(Device) const override;
  Stream getNewStream(Device, int = 0) const override;
  Stream getStreamFromGlobalPool(Device, bool = false) const override;
  Stream exchangeStream(Stream) const override;
  DeviceIndex deviceCount() const noexcept override;
  void record(void **, const Stream &, const DeviceIndex, const EventFlag) const override;
  void block(void *, const Stream &) const override;
  bool queryEvent(void *) const override;
  bool queryStream(const Stream &) const override;
  void synchronizeStream(const Stream &) const override;
  void synchronizeEvent(void *) const override;
  void synchronizeDevice(const DeviceIndex) const override;
  void recordDataPtrOnStream(const DataPtr &, const Stream &) const override;
};
class DeviceGuardImplRegistrar {
public:
  DeviceGuardImplRegistrar(DeviceType, const DeviceGuardImplInterface *);
};
const DeviceGuardImplInterface *getDeviceGuardImpl(DeviceType);
bool hasDeviceGuardImpl(DeviceType);
template <class T> class InlineDeviceGuard {
public:
  explicit InlineDeviceGuard(Device) {}
  explicit InlineDeviceGuard(DeviceIndex) {}
  void set_device(Device) {}
  void reset_device(Device) {}
  Device current_device() const {}
  Device original_device() const {}
};
template <class T> class InlineStreamGuard {
public:
  explicit InlineStreamGuard(Stream) {}
  void reset_stream(Stream) {}
  Stream original_stream() const {}
  Stream current_stream() const {}
  Device current_device() const {}
  Device original_device() const {}
};
template <class T> class InlineOptionalDeviceGuard {
public:
  explicit InlineOptionalDeviceGuard(std::optional<Device>) {}
  std::optional<Device> current_device() const {}
};
template <class T> class InlineOptionalStreamGuard {
public:
  explicit InlineOptionalStreamGuard(std::optional<Stream>) {}
  void reset_stream(Stream) {}
  void reset() {}
};
template <class T> class InlineMultiStreamGuard {
public:
  explicit InlineMultiStreamGuard(ArrayRef<Stream>) {}
};
template <class T> class InlineEvent {
public:
  InlineEvent(DeviceType, EventFlag = EventFlag::PYTORCH_DEFAULT) {}
  void recordOnce(const Stream &) {}
  void record(const Stream &) {}
  void block(const Stream &) const {}
  bool query() const {}
  void synchronize() const {}
};
struct GPUTrace;
} // namespace impl
#define C10_REGISTER_GUARD_IMPL(DevType, DeviceGuardImpl)                                          \
  static ::c10::impl::DeviceGuardImplRegistrar C10_ANONYMOUS_VARIABLE(g_)(                         \
      ::c10::DeviceType::DevType, new DeviceGuardImpl());

namespace CachingAllocator {
enum class StatType : uint64_t { AGGREGATE, SMALL_POOL, LARGE_POOL, NUM_TYPES };
struct Stat {
  int64_t current, peak, allocated, freed;
  void increase(size_t);
  void decrease(size_t);
};
using StatTypes = std::array<bool, 3>;
using StatArray = std::array<Stat, 3>;
} // namespace CachingAllocator
namespace CachingDeviceAllocator {
using namespace CachingAllocator;
struct DeviceStats {
  Stat oversize_allocations, oversize_segments;
  int64_t num_device_alloc, num_device_free, num_sync_all_streams, max_split_size;
  StatArray allocation, segment, active, inactive_split, allocated_bytes, reserved_bytes, active_bytes,
      inactive_split_bytes, requested_bytes;
  int64_t num_alloc_retries, num_ooms;
};
} // namespace CachingDeviceAllocator
} // namespace c10
namespace std {
template <> struct hash<c10::Stream> {
  size_t operator()(const c10::Stream &) const noexcept {}
};
template <> struct hash<c10::Device> {
  size_t operator()(const c10::Device &) const noexcept {}
};
} // namespace std
