// Model of ATen and torch: tensors, factories, operators, IValue, library registration.
#pragma once
#pragma GCC system_header
#include "c10.h"

namespace caffe2 {
class TypeMeta {
public:
  size_t itemsize() const noexcept;
  std::string name() const;
  template <class T> static TypeMeta Make() {}
  template <class T> bool Match() const {}
  friend bool operator==(TypeMeta, TypeMeta) { return true; }
  friend bool operator!=(TypeMeta, TypeMeta) { return true; }
};
} // namespace caffe2

namespace c10 {
using caffe2::TypeMeta;
enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8,
  QInt32, BFloat16, Float8_e5m2, Float8_e4m3fn, Float8_e5m2fnuz, Float8_e4m3fnuz, UInt16, UInt32, UInt64, Undefined,
  NumOptions
};
inline bool operator==(TypeMeta, ScalarType) { return true; }
inline bool operator!=(TypeMeta, ScalarType) { return true; }
constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short,
                     kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half,
                     kFloat = ScalarType::Float, kDouble = ScalarType::Double, kBool = ScalarType::Bool,
                     kBFloat16 = ScalarType::BFloat16, kComplexFloat = ScalarType::ComplexFloat,
                     kComplexDouble = ScalarType::ComplexDouble, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn,
                     kFloat8_e5m2 = ScalarType::Float8_e5m2, kUInt16 = ScalarType::UInt16,
                     kUInt32 = ScalarType::UInt32, kUInt64 = ScalarType::UInt64, kQInt8 = ScalarType::QInt8;
constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong, kF16 = kHalf,
                     kFloat16 = kHalf, kFloat32 = kFloat, kF32 = kFloat, kFloat64 = kDouble;
const char *toString(ScalarType);
size_t elementSize(ScalarType);
bool isFloatingType(ScalarType);
bool isIntegralType(ScalarType, bool = false);
bool isComplexType(ScalarType);
ScalarType typeMetaToScalarType(TypeMeta);
TypeMeta scalarTypeToTypeMeta(ScalarType);
std::ostream &operator<<(std::ostream &, ScalarType);
template <class T> struct CppTypeToScalarType { static constexpr ScalarType value = ScalarType::Float; };
enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged, NumOptions };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse, kSparseCsr = Layout::SparseCsr, kSparseCsc = Layout::SparseCsc, kSparseBsr = Layout::SparseBsr,
                 kSparseBsc = Layout::SparseBsc, kJagged = Layout::Jagged,
                 kMkldnn = Layout::Mkldnn;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class DispatchKey : uint16_t { Undefined, CPU, CUDA, HIP, XPU, PrivateUse1, Autograd, CompositeExplicitAutograd };
class DispatchKeySet {
public:
  DispatchKeySet();
  DispatchKeySet(DispatchKey);
  DispatchKey highestPriorityTypeId() const;
  bool has(DispatchKey) const;
};
class Scalar {
public:
  Scalar();
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>> Scalar(T) {}
  Scalar(Half);
  Scalar(BFloat16);
  template <class T> T to() const {}
  double toDouble() const;
  float toFloat() const;
  int64_t toLong() const;
  int toInt() const;
  bool toBool() const;
  bool isIntegral(bool) const;
  ScalarType type() const;
};
struct TensorOptions {
  TensorOptions();
  TensorOptions(Layout);
  TensorOptions(Device);
  TensorOptions(DeviceType);
  TensorOptions(ScalarType);
  TensorOptions(TypeMeta);
  TensorOptions(std::initializer_list<sa_sdk::any>);
  TensorOptions dtype(ScalarType) const;
  TensorOptions dtype(TypeMeta) const;
  TensorOptions dtype(std::optional<ScalarType>) const;
  template <class T> TensorOptions dtype() const {}
  TypeMeta dtype() const;
  TensorOptions device(Device) const;
  TensorOptions device(DeviceType, DeviceIndex = -1) const;
  TensorOptions device(std::optional<Device>) const;
  TensorOptions device(const std::string &) const;
  TensorOptions device_index(DeviceIndex) const;
  Device device() const;
  TensorOptions layout(Layout) const;
  Layout layout() const;
  TensorOptions requires_grad(std::optional<bool>) const;
  bool requires_grad() const;
  TensorOptions pinned_memory(std::optional<bool>) const;
  bool pinned_memory() const;
  TensorOptions memory_format(MemoryFormat) const;
};
TensorOptions dtype(ScalarType);
TensorOptions device(Device);
TensorOptions device(DeviceType, DeviceIndex = -1);
TensorOptions device(const std::string &);
TensorOptions layout(Layout);
TensorOptions requires_grad(bool = true);
TensorOptions pinned_memory(bool);
class TensorImpl;
class Dict_;
} // namespace c10

template <class F> struct function_traits : function_traits<decltype(&F::operator())> {};
template <class R, class... A> struct function_traits<R(A...)> {
  using result_type = R;
  using ArgsTuple = std::tuple<A...>;
  static constexpr size_t arity = sizeof...(A);
  template <size_t I> struct arg { using type = std::tuple_element_t<I, ArgsTuple>; };
};
template <class C, class R, class... A> struct function_traits<R (C::*)(A...) const> : function_traits<R(A...)> {};
template <class C, class R, class... A> struct function_traits<R (C::*)(A...)> : function_traits<R(A...)> {};
template <class R, class... A> struct function_traits<R (*)(A...)> : function_traits<R(A...)> {};

namespace at {
using namespace c10;
using c10::Device;
class Tensor;
class Generator {
public:
  template <class T> T *get() const {}
  bool defined() const;
  std::mutex &mutex();
  uint64_t current_seed() const;
  void set_current_seed(uint64_t);
  Device device() const;
};
struct Quantizer;
enum Reduction { None, Mean, Sum };
using TensorList = ArrayRef<Tensor>;
using ITensorListRef = ArrayRef<Tensor>;
using OptionalTensorRef = std::optional<Tensor>;
namespace indexing {
struct Slice {
  Slice(std::optional<int64_t> = {}, std::optional<int64_t> = {}, std::optional<int64_t> = {});
};
constexpr std::nullopt_t None{0};
enum class EllipsisIndexType { Ellipsis };
constexpr EllipsisIndexType Ellipsis = EllipsisIndexType::Ellipsis;
struct TensorIndex {
  template <class T> TensorIndex(const T &) {}
};
} // namespace indexing
template <class T, size_t N> class TensorAccessor {
public:
  template <class U> TensorAccessor<T, N ? N - 1 : 0> operator[](U) const {}
  T *data() const {}
  int64_t size(int64_t) const {}
  operator T &() const {}
  const TensorAccessor &operator=(T) const {}
};
template <class T, size_t N, class I = int64_t> using PackedTensorAccessor = TensorAccessor<T, N>;

#define SA_SDK_VIEW(name) Tensor name(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}) const;
#define SA_SDK_OP(name)                                                                            \
  Tensor name(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}) const;
#define SA_SDK_INPLACE(name)                                                                       \
  Tensor &name(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}) const;
#define SA_SDK_PAIR(name)                                                                          \
  Tensor name() const;                                                                             \
  std::tuple<Tensor, Tensor> name(sa_sdk::any, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}) const;
class TensorBase {
public:
  TensorBase();
  TensorBase(const TensorBase &);
  explicit TensorBase(intrusive_ptr<TensorImpl>);
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t size(int64_t) const;
  SymInt sym_size(int64_t) const;
  SymInt sym_numel() const;
  int64_t stride(int64_t) const;
  int64_t numel() const;
  int64_t storage_offset() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  SymIntArrayRef sym_sizes() const;
  SymIntArrayRef sym_strides() const;
  size_t nbytes() const;
  int64_t itemsize() const;
  int64_t element_size() const;
  bool defined() const;
  bool has_storage() const;
  bool is_same(const TensorBase &) const;
  bool is_alias_of(const TensorBase &) const;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  MemoryFormat suggest_memory_format(bool = false) const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_hip() const;
  bool is_xpu() const;
  bool is_mps() const;
  bool is_privateuseone() const;
  bool is_meta() const;
  bool is_sparse() const;
  bool is_sparse_csr() const;
  bool is_quantized() const;
  bool is_nested() const;
  bool is_coalesced() const;
  bool is_complex() const;
  bool is_floating_point() const;
  bool is_pinned() const;
  bool is_leaf() const;
  bool is_view() const;
  bool is_inference() const;
  bool is_neg() const;
  bool is_conj() const;
  bool is_signed() const;
  bool _is_zerotensor() const;
  bool is_mkldnn() const;
  bool is_vulkan() const;
  bool is_npu() const;
  bool is_mlu() const;
  bool is_musa() const;
  bool is_ipu() const;
  bool is_xla() const;
  bool requires_grad() const;
  Device device() const;
  int64_t get_device() const;
  ScalarType scalar_type() const;
  TypeMeta dtype() const;
  Layout layout() const;
  TensorOptions options() const;
  DispatchKeySet key_set() const;
  std::string toString() const;
  const Storage &storage() const;
  void *data_ptr() const;
  template <class T> T *data_ptr() const {}
  const void *const_data_ptr() const;
  template <class T> const T *const_data_ptr() const {}
  void *mutable_data_ptr() const;
  template <class T> T *mutable_data_ptr() const {}
  template <class T> T *data() const {}
  template <class T, size_t N> TensorAccessor<T, N> accessor() const {}
  template <class T, size_t N> TensorAccessor<T, N> packed_accessor32() const {}
  template <class T, size_t N> TensorAccessor<T, N> packed_accessor64() const {}
  template <class T, size_t N, template <class> class P> TensorAccessor<T, N> packed_accessor32() const;
  TensorImpl *unsafeGetTensorImpl() const;
  TensorImpl *unsafeReleaseTensorImpl();
  const intrusive_ptr<TensorImpl> &getIntrusivePtr() const;
  size_t use_count() const;
  size_t weak_use_count() const;
  void reset();
  int64_t _version() const;
};
class Tensor : public TensorBase {
public:
  Tensor();
  Tensor(const Tensor &);
  Tensor(Tensor &&);
  explicit Tensor(const TensorBase &);
  explicit Tensor(intrusive_ptr<TensorImpl>);
  ~Tensor();
  Tensor &operator=(const Tensor &);
  Tensor &operator=(Tensor &&);
  Tensor &operator=(const Scalar &);
  Tensor operator[](int64_t) const;
  Tensor operator[](const Tensor &) const;
  Tensor operator-() const;
  Tensor operator~() const;
  Tensor &operator+=(const Tensor &);
  Tensor &operator+=(const Scalar &);
  Tensor &operator-=(const Tensor &);
  Tensor &operator-=(const Scalar &);
  Tensor &operator*=(const Tensor &);
  Tensor &operator*=(const Scalar &);
  Tensor &operator/=(const Tensor &);
  Tensor &operator/=(const Scalar &);
  void record_stream(Stream) const;
  template <class T> T item() const {}
  Scalar item() const;
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  Tensor to(sa_sdk::any, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}) const;
  Tensor cuda() const;
  Tensor cpu() const;
  Tensor xpu() const;
  Tensor clone(std::optional<MemoryFormat> = {}) const;
  Tensor &copy_(const Tensor &, bool = false) const;
  Tensor &set_(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}) const;
  const Tensor &resize_(IntArrayRef, std::optional<MemoryFormat> = {}) const;
  const Tensor &resize_as_(const Tensor &, std::optional<MemoryFormat> = {}) const;
  Tensor &set_data(const Tensor &) const;
  Tensor tensor_data() const;
  Tensor variable_data() const;
  Tensor &requires_grad_(bool = true) const;
  Tensor &mutable_grad() const;
  const Tensor &grad() const;
  void backward(sa_sdk::any = {}, sa_sdk::any = {}, bool = false, sa_sdk::any = {}) const;
  template <class F> unsigned register_hook(F &&) const {}
  void retain_grad() const;
  Tensor index(sa_sdk::any) const;
  Tensor index(std::initializer_list<indexing::TensorIndex>) const;
  Tensor &index_put_(sa_sdk::any, sa_sdk::any, bool = false) const;
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex>, sa_sdk::any) const;
  std::vector<Tensor> split(sa_sdk::any, int64_t = 0) const;
  std::vector<Tensor> split_with_sizes(IntArrayRef, int64_t = 0) const;
  std::vector<Tensor> chunk(int64_t, int64_t = 0) const;
  std::vector<Tensor> unbind(int64_t = 0) const;
  std::vector<Tensor> tensor_split(sa_sdk::any, int64_t = 0) const;
  bool equal(const Tensor &) const;
  bool allclose(const Tensor &, double = 0, double = 0, bool = false) const;
  int64_t sparse_dim() const;
  int64_t dense_dim() const;
  int64_t _nnz() const;
  Tensor new_empty(IntArrayRef, TensorOptions = {}) const;
  Tensor new_zeros(IntArrayRef, TensorOptions = {}) const;
  Tensor new_ones(IntArrayRef, TensorOptions = {}) const;
  Tensor new_full(IntArrayRef, const Scalar &, TensorOptions = {}) const;
  Tensor new_tensor(sa_sdk::any) const;
  SA_SDK_PAIR(max) SA_SDK_PAIR(min) SA_SDK_PAIR(sort) SA_SDK_PAIR(topk)
  SA_SDK_VIEW(view) SA_SDK_VIEW(view_as) SA_SDK_VIEW(reshape) SA_SDK_VIEW(reshape_as) SA_SDK_VIEW(slice)
  SA_SDK_VIEW(narrow) SA_SDK_VIEW(select) SA_SDK_VIEW(squeeze) SA_SDK_VIEW(unsqueeze) SA_SDK_VIEW(transpose)
  SA_SDK_VIEW(permute) SA_SDK_VIEW(t) SA_SDK_VIEW(expand) SA_SDK_VIEW(expand_as) SA_SDK_VIEW(flatten)
  SA_SDK_VIEW(unflatten) SA_SDK_VIEW(detach) SA_SDK_VIEW(alias) SA_SDK_VIEW(as_strided) SA_SDK_VIEW(diagonal)
  SA_SDK_VIEW(unfold) SA_SDK_VIEW(movedim) SA_SDK_VIEW(swapaxes) SA_SDK_VIEW(values) SA_SDK_VIEW(indices)
  SA_SDK_VIEW(_values) SA_SDK_VIEW(_indices) SA_SDK_VIEW(crow_indices) SA_SDK_VIEW(col_indices)
  SA_SDK_VIEW(ccol_indices) SA_SDK_VIEW(row_indices) SA_SDK_VIEW(ravel) SA_SDK_VIEW(conj) SA_SDK_VIEW(type_as)
  SA_SDK_VIEW(toType) SA_SDK_VIEW(to_dense) SA_SDK_VIEW(to_sparse) SA_SDK_VIEW(coalesce) SA_SDK_VIEW(pin_memory)
  SA_SDK_OP(add) SA_SDK_OP(sub) SA_SDK_OP(mul) SA_SDK_OP(div) SA_SDK_OP(matmul) SA_SDK_OP(mm) SA_SDK_OP(bmm)
  SA_SDK_OP(addmm) SA_SDK_OP(dot) SA_SDK_OP(sum) SA_SDK_OP(mean) SA_SDK_OP(prod) SA_SDK_OP(std) SA_SDK_OP(var)
  SA_SDK_OP(norm) SA_SDK_OP(abs) SA_SDK_OP(neg) SA_SDK_OP(exp) SA_SDK_OP(log) SA_SDK_OP(sqrt) SA_SDK_OP(rsqrt)
  SA_SDK_OP(pow) SA_SDK_OP(sin) SA_SDK_OP(cos) SA_SDK_OP(tanh) SA_SDK_OP(sigmoid) SA_SDK_OP(relu) SA_SDK_OP(softmax)
  SA_SDK_OP(log_softmax) SA_SDK_OP(clamp) SA_SDK_OP(clamp_min) SA_SDK_OP(clamp_max) SA_SDK_OP(round) SA_SDK_OP(floor)
  SA_SDK_OP(ceil) SA_SDK_OP(trunc) SA_SDK_OP(eq) SA_SDK_OP(ne) SA_SDK_OP(lt) SA_SDK_OP(le) SA_SDK_OP(gt) SA_SDK_OP(ge)
  SA_SDK_OP(any) SA_SDK_OP(all) SA_SDK_OP(argmax) SA_SDK_OP(argmin) SA_SDK_OP(argsort) SA_SDK_OP(amax) SA_SDK_OP(amin)
  SA_SDK_OP(cumsum) SA_SDK_OP(cumprod) SA_SDK_OP(nonzero) SA_SDK_OP(masked_select) SA_SDK_OP(masked_fill)
  SA_SDK_OP(index_select) SA_SDK_OP(gather) SA_SDK_OP(scatter) SA_SDK_OP(scatter_add) SA_SDK_OP(repeat)
  SA_SDK_OP(repeat_interleave) SA_SDK_OP(flip) SA_SDK_OP(roll) SA_SDK_OP(tril) SA_SDK_OP(triu) SA_SDK_OP(where)
  SA_SDK_OP(isnan) SA_SDK_OP(isinf) SA_SDK_OP(isfinite) SA_SDK_OP(logical_and) SA_SDK_OP(logical_or)
  SA_SDK_OP(logical_not) SA_SDK_OP(bitwise_and) SA_SDK_OP(bitwise_or) SA_SDK_OP(bitwise_not) SA_SDK_OP(bincount)
  SA_SDK_OP(median) SA_SDK_OP(take) SA_SDK_OP(maximum) SA_SDK_OP(minimum) SA_SDK_OP(remainder) SA_SDK_OP(fmod)
  SA_SDK_OP(reciprocal) SA_SDK_OP(square) SA_SDK_OP(erf) SA_SDK_OP(logsumexp) SA_SDK_OP(outer) SA_SDK_OP(mv)
  SA_SDK_OP(hash_tensor) SA_SDK_OP(dequantize) SA_SDK_OP(floor_divide) SA_SDK_OP(index_add) SA_SDK_OP(type)
  SA_SDK_INPLACE(zero_) SA_SDK_INPLACE(fill_) SA_SDK_INPLACE(add_) SA_SDK_INPLACE(sub_) SA_SDK_INPLACE(mul_)
  SA_SDK_INPLACE(div_) SA_SDK_INPLACE(addcmul_) SA_SDK_INPLACE(addcdiv_) SA_SDK_INPLACE(addmm_) SA_SDK_INPLACE(clamp_)
  SA_SDK_INPLACE(clamp_min_) SA_SDK_INPLACE(clamp_max_) SA_SDK_INPLACE(exp_) SA_SDK_INPLACE(log_)
  SA_SDK_INPLACE(sqrt_) SA_SDK_INPLACE(neg_) SA_SDK_INPLACE(abs_) SA_SDK_INPLACE(pow_) SA_SDK_INPLACE(relu_)
  SA_SDK_INPLACE(sigmoid_) SA_SDK_INPLACE(tanh_) SA_SDK_INPLACE(floor_) SA_SDK_INPLACE(ceil_) SA_SDK_INPLACE(round_)
  SA_SDK_INPLACE(masked_fill_) SA_SDK_INPLACE(masked_scatter_) SA_SDK_INPLACE(index_fill_) SA_SDK_INPLACE(index_copy_)
  SA_SDK_INPLACE(index_add_) SA_SDK_INPLACE(scatter_) SA_SDK_INPLACE(scatter_add_) SA_SDK_INPLACE(uniform_)
  SA_SDK_INPLACE(normal_) SA_SDK_INPLACE(random_) SA_SDK_INPLACE(bernoulli_) SA_SDK_INPLACE(exponential_)
  SA_SDK_INPLACE(lerp_) SA_SDK_INPLACE(squeeze_) SA_SDK_INPLACE(unsqueeze_) SA_SDK_INPLACE(transpose_)
  SA_SDK_INPLACE(t_) SA_SDK_INPLACE(detach_) SA_SDK_INPLACE(_coalesced_) SA_SDK_INPLACE(sparse_resize_)
  SA_SDK_INPLACE(logical_not_) SA_SDK_INPLACE(logical_and_) SA_SDK_INPLACE(logical_or_) SA_SDK_INPLACE(bitwise_and_)
  SA_SDK_INPLACE(bitwise_or_) SA_SDK_INPLACE(triu_) SA_SDK_INPLACE(tril_) SA_SDK_INPLACE(fill_diagonal_)
  SA_SDK_INPLACE(eq_) SA_SDK_INPLACE(cumsum_) SA_SDK_INPLACE(put_) SA_SDK_INPLACE(as_strided_)
  SA_SDK_INPLACE(reciprocal_) SA_SDK_INPLACE(zero_grad_)
};
#undef SA_SDK_VIEW
#undef SA_SDK_OP
#undef SA_SDK_INPLACE
#undef SA_SDK_PAIR
#define SA_SDK_BINARY(op)                                                                          \
  Tensor operator op(const Tensor &, const Tensor &);                                              \
  Tensor operator op(const Tensor &, const Scalar &);                                              \
  Tensor operator op(const Scalar &, const Tensor &);
SA_SDK_BINARY(+)
SA_SDK_BINARY(-)
SA_SDK_BINARY(*)
SA_SDK_BINARY(/)
SA_SDK_BINARY(%)
SA_SDK_BINARY(==)
SA_SDK_BINARY(!=)
SA_SDK_BINARY(<)
SA_SDK_BINARY(>)
SA_SDK_BINARY(<=)
SA_SDK_BINARY(>=)
SA_SDK_BINARY(&)
SA_SDK_BINARY(|)
#undef SA_SDK_BINARY
std::ostream &operator<<(std::ostream &, const Tensor &);
struct TensorArg {
  TensorArg(const Tensor &, const char *, int);
  const Tensor *operator->() const;
};
class WeakTensor {
public:
  explicit WeakTensor(const Tensor &);
  Tensor lock() const;
  bool expired() const;
};

#define SA_SDK_FACTORY(name)                                                                       \
  Tensor name(IntArrayRef, TensorOptions = {}, std::optional<MemoryFormat> = {});                  \
  Tensor name(IntArrayRef, std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>, std::optional<bool>); \
  Tensor name(IntArrayRef, std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>, std::optional<bool>, std::optional<MemoryFormat>);
#define SA_SDK_LIKE(name)                                                                          \
  Tensor name(const Tensor &, TensorOptions = {}, std::optional<MemoryFormat> = {});
#define SA_SDK_FUNCTION(name)                                                                      \
  Tensor name(sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
#define SA_SDK_OUT(name)                                                                           \
  Tensor &name(Tensor &, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {}, sa_sdk::any = {});
#define SA_SDK_FUNCTIONS                                                                           \
  SA_SDK_FACTORY(empty) SA_SDK_FACTORY(zeros) SA_SDK_FACTORY(ones) SA_SDK_FACTORY(rand) SA_SDK_FACTORY(randn)          \
  SA_SDK_LIKE(empty_like) SA_SDK_LIKE(zeros_like) SA_SDK_LIKE(ones_like) SA_SDK_LIKE(rand_like) SA_SDK_LIKE(randn_like) \
  Tensor full(IntArrayRef, const Scalar &, TensorOptions = {});                                    \
  Tensor full_like(const Tensor &, const Scalar &, TensorOptions = {});                            \
  Tensor empty_strided(IntArrayRef, IntArrayRef, TensorOptions = {});                              \
  Tensor empty_quantized(IntArrayRef, const Tensor &);                                             \
  Tensor arange(const Scalar &, TensorOptions = {});                                               \
  Tensor arange(const Scalar &, const Scalar &, TensorOptions = {});                               \
  Tensor arange(const Scalar &, const Scalar &, const Scalar &, TensorOptions = {});               \
  Tensor linspace(const Scalar &, const Scalar &, int64_t, TensorOptions = {});                    \
  Tensor eye(int64_t, TensorOptions = {});                                                         \
  Tensor randint(int64_t, IntArrayRef, TensorOptions = {});                                        \
  Tensor randint(int64_t, int64_t, IntArrayRef, TensorOptions = {});                               \
  Tensor randperm(int64_t, TensorOptions = {});                                                    \
  Tensor scalar_tensor(const Scalar &, TensorOptions = {});                                        \
  Tensor tensor(sa_sdk::any, TensorOptions = {});                                                  \
  Tensor cat(TensorList, int64_t = 0);                                                             \
  Tensor concat(TensorList, int64_t = 0);                                                          \
  Tensor stack(TensorList, int64_t = 0);                                                           \
  Tensor vstack(TensorList);                                                                       \
  Tensor hstack(TensorList);                                                                       \
  Tensor _sparse_coo_tensor_unsafe(const Tensor &, const Tensor &, IntArrayRef, TensorOptions = {}); \
  Tensor sparse_coo_tensor(const Tensor &, const Tensor &, IntArrayRef, TensorOptions = {});       \
  Tensor from_blob(void *, IntArrayRef, TensorOptions = {});                                       \
  Tensor from_blob(void *, IntArrayRef, IntArrayRef, TensorOptions = {});                          \
  Tensor from_blob(void *, IntArrayRef, const std::function<void(void *)> &, TensorOptions = {}, std::optional<Device> = {}); \
  Tensor from_blob(void *, IntArrayRef, IntArrayRef, const std::function<void(void *)> &, TensorOptions = {}); \
  std::vector<Tensor> split(const Tensor &, sa_sdk::any, int64_t = 0);                             \
  std::vector<Tensor> split_with_sizes(const Tensor &, IntArrayRef, int64_t = 0);                  \
  std::vector<Tensor> chunk(const Tensor &, int64_t, int64_t = 0);                                 \
  std::vector<Tensor> unbind(const Tensor &, int64_t = 0);                                         \
  std::tuple<Tensor, Tensor> topk(const Tensor &, int64_t, int64_t = -1, bool = true, bool = true); \
  std::tuple<Tensor, Tensor> sort(const Tensor &, int64_t = -1, bool = false);                     \
  std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor &, bool = true, bool = false, bool = false); \
  bool equal(const Tensor &, const Tensor &);                                                      \
  bool allclose(const Tensor &, const Tensor &, double = 0, double = 0, bool = false);             \
  SA_SDK_FUNCTION(add) SA_SDK_FUNCTION(sub) SA_SDK_FUNCTION(mul) SA_SDK_FUNCTION(div) SA_SDK_FUNCTION(matmul)          \
  SA_SDK_FUNCTION(mm) SA_SDK_FUNCTION(bmm) SA_SDK_FUNCTION(addmm) SA_SDK_FUNCTION(linear) SA_SDK_FUNCTION(einsum)      \
  SA_SDK_FUNCTION(sum) SA_SDK_FUNCTION(mean) SA_SDK_FUNCTION(amax) SA_SDK_FUNCTION(amin) SA_SDK_FUNCTION(max)          \
  SA_SDK_FUNCTION(min) SA_SDK_FUNCTION(abs) SA_SDK_FUNCTION(exp) SA_SDK_FUNCTION(log) SA_SDK_FUNCTION(sqrt)            \
  SA_SDK_FUNCTION(pow) SA_SDK_FUNCTION(tanh) SA_SDK_FUNCTION(sigmoid) SA_SDK_FUNCTION(relu) SA_SDK_FUNCTION(silu)      \
  SA_SDK_FUNCTION(gelu) SA_SDK_FUNCTION(softmax) SA_SDK_FUNCTION(log_softmax) SA_SDK_FUNCTION(dropout)                 \
  SA_SDK_FUNCTION(layer_norm) SA_SDK_FUNCTION(embedding) SA_SDK_FUNCTION(conv2d) SA_SDK_FUNCTION(where)                \
  SA_SDK_FUNCTION(clamp) SA_SDK_FUNCTION(cumsum) SA_SDK_FUNCTION(gather) SA_SDK_FUNCTION(scatter)                      \
  SA_SDK_FUNCTION(index_select) SA_SDK_FUNCTION(masked_select) SA_SDK_FUNCTION(nonzero) SA_SDK_FUNCTION(argsort)       \
  SA_SDK_FUNCTION(argmax) SA_SDK_FUNCTION(searchsorted) SA_SDK_FUNCTION(bincount) SA_SDK_FUNCTION(norm)                \
  SA_SDK_FUNCTION(all) SA_SDK_FUNCTION(eq) SA_SDK_FUNCTION(ne) SA_SDK_FUNCTION(lt) SA_SDK_FUNCTION(gt)                 \
  SA_SDK_FUNCTION(le) SA_SDK_FUNCTION(ge) SA_SDK_FUNCTION(logical_and) SA_SDK_FUNCTION(logical_or)                     \
  SA_SDK_FUNCTION(logical_not) SA_SDK_FUNCTION(floor_divide) SA_SDK_FUNCTION(remainder) SA_SDK_FUNCTION(square)        \
  SA_SDK_FUNCTION(isnan) SA_SDK_FUNCTION(isinf) SA_SDK_FUNCTION(maximum) SA_SDK_FUNCTION(minimum)                      \
  SA_SDK_FUNCTION(rsqrt) SA_SDK_FUNCTION(neg) SA_SDK_FUNCTION(reciprocal) SA_SDK_FUNCTION(one_hot)                     \
  SA_SDK_FUNCTION(reshape) SA_SDK_FUNCTION(transpose) SA_SDK_FUNCTION(squeeze) SA_SDK_FUNCTION(unsqueeze)              \
  SA_SDK_FUNCTION(flatten) SA_SDK_FUNCTION(slice) SA_SDK_FUNCTION(narrow) SA_SDK_FUNCTION(select)                      \
  SA_SDK_FUNCTION(permute) SA_SDK_FUNCTION(view_as_real) SA_SDK_FUNCTION(view_as_complex) SA_SDK_FUNCTION(as_strided)  \
  SA_SDK_FUNCTION(clone) SA_SDK_FUNCTION(tril) SA_SDK_FUNCTION(triu) SA_SDK_FUNCTION(repeat_interleave)                \
  SA_SDK_FUNCTION(_foreach_add) SA_SDK_FUNCTION(native_dropout) SA_SDK_FUNCTION(bernoulli) SA_SDK_FUNCTION(multinomial) \
  SA_SDK_OUT(add_out) SA_SDK_OUT(sub_out) SA_SDK_OUT(mul_out) SA_SDK_OUT(div_out) SA_SDK_OUT(sum_out)                  \
  SA_SDK_OUT(amax_out) SA_SDK_OUT(amin_out) SA_SDK_OUT(cat_out) SA_SDK_OUT(stack_out) SA_SDK_OUT(mm_out)               \
  SA_SDK_OUT(matmul_out) SA_SDK_OUT(bmm_out) SA_SDK_OUT(addmm_out) SA_SDK_OUT(index_select_out)                        \
  SA_SDK_OUT(copy_out) SA_SDK_OUT(zeros_out) SA_SDK_OUT(empty_out) SA_SDK_OUT(clamp_out) SA_SDK_OUT(gather_out)        \
  SA_SDK_OUT(where_out) SA_SDK_OUT(linear_out)
SA_SDK_FUNCTIONS
namespace _ops {}
namespace native {
void record_stream(Tensor &, Stream);
SA_SDK_FACTORY(empty_cuda)
int64_t get_nested_sizes(const Tensor &);
} // namespace native
namespace detail {
class TensorBase_;
Tensor empty_generic(IntArrayRef, Allocator *, DispatchKeySet, ScalarType, std::optional<MemoryFormat>);
} // namespace detail
class TensorMaker {
public:
  TensorMaker strides(std::optional<IntArrayRef>);
  TensorMaker deleter(std::function<void(void *)>);
  TensorMaker context(void *, DeleterFnPtr = nullptr);
  TensorMaker target_device(std::optional<Device>);
  TensorMaker options(TensorOptions);
  Tensor make_tensor();
};
TensorMaker for_blob(void *, IntArrayRef);
class Context {
public:
  Allocator *getPinnedMemoryAllocator();
  const Generator &defaultGenerator(Device);
  bool hasCUDA() const;
  bool deterministicAlgorithms() const;
  void lazyInitDevice(DeviceType);
  void *getCurrentDeviceProperties();
};
Context &globalContext();
bool hasCUDA();
void manual_seed(uint64_t);
struct AutoDispatchBelowAutograd {};
struct AutoDispatchBelowADInplaceOrView {};
struct AutoNonVariableTypeMode {
  AutoNonVariableTypeMode(bool = true);
};
struct NoGradGuard {};
struct AutoGradMode {
  AutoGradMode(bool);
};
class ThreadLocalState {
public:
  ThreadLocalState();
  static void setThreadLocalState(const ThreadLocalState &);
};
class ThreadLocalStateGuard {
public:
  explicit ThreadLocalStateGuard(const ThreadLocalState &);
};
bool isBatchedTensor(const Tensor &);
bool isTensorSubclassLike(const Tensor &);
std::optional<Device> device_of(const Tensor &);
std::optional<Device> device_of(TensorList);
namespace sparse_csr {
int64_t getCompressedDims(...);
}
namespace caching {
bool is_cached_tensor(const Tensor &);
void adjusted_use_count(const Tensor &);
} // namespace caching
struct GradMode {
  static bool is_enabled();
  static void set_enabled(bool);
};
namespace impl {
using c10::impl::VirtualGuardImpl;
}
struct RecordFunction {
  template <class... A> explicit RecordFunction(A &&...) {}
  void before(sa_sdk::any, sa_sdk::any = {});
  void end();
  bool isActive() const;
  void _setAsync();
};
enum class RecordScope : uint8_t { FUNCTION, BACKWARD_FUNCTION, USER_SCOPE };
#define RECORD_FUNCTION(...)                                                                       \
  at::RecordFunction C10_ANONYMOUS_VARIABLE(guard_) {}
#define RECORD_PARAM_COMMS(...)
#define RECORD_PARAM_COMMS_DATA(...)
template <class F> void parallel_for(int64_t, int64_t, int64_t, const F &) {}
int get_num_threads();
constexpr DeviceType sa_sdk_kinds = kCUDA;
#define AT_DISPATCH_CASES(...) [&] { __VA_ARGS__; }()
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...)                                                \
  [&] {                                                                                            \
    using scalar_t = float;                                                                        \
    return (__VA_ARGS__)();                                                                        \
  }()
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_ALL_TYPES AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_INTEGRAL_TYPES AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_INDEX_TYPES(type, name, ...)                                                   \
  [&] {                                                                                            \
    using index_t = int64_t;                                                                       \
    return (__VA_ARGS__)();                                                                        \
  }()
#define AT_DISPATCH_FLOATING_TYPES_AND(extra, type, name, ...)                                     \
  AT_DISPATCH_FLOATING_TYPES(type, name, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, type, name, ...)                                     \
  AT_DISPATCH_FLOATING_TYPES(type, name, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(extra, type, name, ...)                                          \
  AT_DISPATCH_FLOATING_TYPES(type, name, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(a, b, type, name, ...)                                          \
  AT_DISPATCH_FLOATING_TYPES(type, name, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(a, b, c, type, name, ...)                                       \
  AT_DISPATCH_FLOATING_TYPES(type, name, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(type, name, ...) AT_DISPATCH_CASES(__VA_ARGS__)
} // namespace at

namespace c10 {
class TensorImpl : public intrusive_ptr_target {
public:
  const Storage &storage() const;
  bool has_storage() const;
  IntArrayRef sizes() const;
  int64_t numel() const;
  Device device() const;
  void set_storage_keep_dtype(Storage);
  void set_sizes_contiguous(IntArrayRef);
  void set_sizes_and_strides(IntArrayRef, IntArrayRef);
  bool requires_grad() const;
};
template <class T> class List {
public:
  List() {}
  List(std::initializer_list<T>) {}
  T get(size_t) const {}
  T operator[](size_t) const {}
  void push_back(const T &) const {}
  template <class... A> void emplace_back(A &&...) const {}
  void append(List) const {}
  void clear() const {}
  void reserve(size_t) const {}
  void resize(size_t) const {}
  void set(size_t, const T &) const {}
  size_t size() const {}
  bool empty() const {}
  T *begin() const {}
  T *end() const {}
  std::vector<T> vec() const {}
};
template <class K, class V> class Dict {
public:
  struct item {
    const K &key() const {}
    const V &value() const {}
  };
  bool insert(const K &, const V &) const {}
  bool insert_or_assign(const K &, const V &) const {}
  bool contains(const K &) const {}
  V at(const K &) const {}
  size_t size() const {}
  item *begin() const {}
  item *end() const {}
};
class IValue;
struct Type {
  std::string str() const;
  std::string annotation_str() const;
  template <class T> std::shared_ptr<T> cast() {}
  template <class T> const T &expectRef() const {}
};
using TypePtr = std::shared_ptr<Type>;
#define SA_SDK_TYPE(name)                                                                          \
  struct name : Type {                                                                             \
    static std::shared_ptr<name> ofTensors();                                                      \
    static std::shared_ptr<name> ofInts();                                                         \
    static std::shared_ptr<name> ofStrings();                                                      \
    static std::shared_ptr<name> ofTensor();                                                       \
    static std::shared_ptr<name> get();                                                            \
    template <class... A> static std::shared_ptr<name> create(A &&...);                            \
  };
SA_SDK_TYPE(TensorType)
SA_SDK_TYPE(AnyType)
SA_SDK_TYPE(NoneType)
SA_SDK_TYPE(BoolType)
SA_SDK_TYPE(IntType)
SA_SDK_TYPE(FloatType)
SA_SDK_TYPE(StringType)
SA_SDK_TYPE(ListType)
SA_SDK_TYPE(OptionalType)
SA_SDK_TYPE(DictType)
SA_SDK_TYPE(DeviceObjType)
SA_SDK_TYPE(StreamObjType)
SA_SDK_TYPE(NumberType)
SA_SDK_TYPE(TupleType)
SA_SDK_TYPE(PyObjectType)
SA_SDK_TYPE(AnyClassType)
#undef SA_SDK_TYPE
namespace ivalue {
struct Future : intrusive_ptr_target {
  explicit Future(TypePtr, std::vector<Device> = {});
  using WeakStorage = weak_intrusive_ptr<StorageImpl>;
  void wait();
  void waitAndThrow();
  void markCompleted();
  void markCompleted(IValue, std::optional<std::vector<WeakStorage>> = {});
  void setError(std::exception_ptr);
  void setErrorIfNeeded(std::exception_ptr);
  IValue value();
  const IValue &constValue() const;
  bool completed() const;
  bool hasValue() const;
  bool hasError() const;
  std::exception_ptr exception_ptr() const;
  std::string tryRetrieveErrorMessage() const;
  const std::vector<Device> &devices() const;
  TypePtr elementType() const;
  const std::vector<WeakStorage> &storages() const;
  template <class F> void addCallback(F, bool = true) {}
  template <class F> intrusive_ptr<Future> then(F, TypePtr) {}
  template <class F> intrusive_ptr<Future> thenAsync(F, TypePtr) {}
  intrusive_ptr<Future> createInstance(TypePtr);
};
struct Tuple : intrusive_ptr_target {
  static intrusive_ptr<Tuple> create(std::vector<IValue>);
  const std::vector<IValue> &elements() const;
};
struct Object : intrusive_ptr_target {};
struct ConstantString;
struct Await : intrusive_ptr_target {};
} // namespace ivalue
using FuturePtr = intrusive_ptr<ivalue::Future>;
class IValue {
public:
  IValue();
  IValue(const IValue &);
  IValue(IValue &&) noexcept;
  IValue &operator=(const IValue &);
  template <class T, class = std::enable_if_t<!__is_same(std::remove_cvref_t<T>, IValue)>> IValue(T &&) {}
  bool isTensor() const;
  bool isNone() const;
  bool isInt() const;
  bool isDouble() const;
  bool isBool() const;
  bool isString() const;
  bool isList() const;
  bool isTuple() const;
  bool isTensorList() const;
  bool isStorage() const;
  bool isPyObject() const;
  bool isFuture() const;
  bool isCustomClass() const;
  at::Tensor toTensor() const;
  Storage toStorage() const;
  int64_t toInt() const;
  double toDouble() const;
  bool toBool() const;
  const std::string &toStringRef() const;
  intrusive_ptr<ivalue::Future> toFuture() const;
  intrusive_ptr<ivalue::Tuple> toTuple() const;
  std::vector<at::Tensor> toTensorVector() const;
  List<at::Tensor> toTensorList() const;
  List<IValue> toList() const;
  template <class T> T to() const {}
  template <class T> intrusive_ptr<T> toCustomClass() const {}
  Stream toStream() const;
  TypePtr type() const;
  bool isAliasOf(const IValue &) const;
  using HashAliasedIValues = std::unordered_set<int>;
  void getSubValues(HashAliasedIValues &) const;
  template <class F> bool visit(F &&) const {}
};
using Stack = std::vector<IValue>;
template <class T> TypePtr getTypePtr() {}
class OperatorName;
class OperatorHandle {
public:
  const std::string &schema() const;
  void callBoxed(Stack *) const;
  template <class F> F typed() const {}
};
class Dispatcher {
public:
  static Dispatcher &singleton();
  OperatorHandle findSchemaOrThrow(const char *, const char *);
};
} // namespace c10

namespace torch {
using namespace at;
using at::Tensor;
using at::TensorList;
using c10::Device;
using c10::DeviceType;
using c10::Dict;
using c10::Event;
using c10::IValue;
using c10::List;
using c10::Stream;
using Dtype = c10::ScalarType;
using c10::kBool;
using c10::kCUDA;
using c10::nullopt;
using c10::optional;
namespace indexing = at::indexing;
SA_SDK_FUNCTIONS
using NoGradGuard = at::NoGradGuard;
using at::operator<<;
template <class T> c10::ScalarType CppTypeToScalarType() {}
namespace nn {
namespace functional {
SA_SDK_FUNCTION(linear) SA_SDK_FUNCTION(relu) SA_SDK_FUNCTION(gelu) SA_SDK_FUNCTION(silu) SA_SDK_FUNCTION(softmax)
SA_SDK_FUNCTION(pad) SA_SDK_FUNCTION(embedding) SA_SDK_FUNCTION(one_hot)
} // namespace functional
class Module : public std::enable_shared_from_this<Module> {
public:
  Module();
  explicit Module(std::string);
  virtual ~Module();
  std::vector<Tensor> parameters(bool = true) const;
  Tensor &register_parameter(std::string, Tensor, bool = true);
  Tensor &register_buffer(std::string, Tensor);
  template <class M> std::shared_ptr<M> register_module(std::string, std::shared_ptr<M>) {}
  template <class H> H &register_module(std::string, H &) {}
  template <class... A> void to(A &&...) {}
  virtual void train(bool = true);
  void eval();
};
template <class T> class ModuleHolder {
public:
  ModuleHolder() {}
  ModuleHolder(std::nullptr_t) {}
  template <class... A> explicit ModuleHolder(A &&...) {}
  T *operator->() const {}
  T &operator*() const {}
  const std::shared_ptr<T> &ptr() const {}
  bool is_empty() const {}
};
#define TORCH_MODULE(name)                                                                         \
  class name : public torch::nn::ModuleHolder<name##Impl> {                                        \
  public:                                                                                          \
    using torch::nn::ModuleHolder<name##Impl>::ModuleHolder;                                       \
  }
} // namespace nn
namespace autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
using tensor_list = std::vector<Tensor>;
struct Edge;
struct InputMetadata;
struct Node : std::enable_shared_from_this<Node> {
  virtual ~Node();
  variable_list operator()(variable_list &&);
  virtual variable_list apply(variable_list &&);
  std::optional<c10::Stream> stream();
  Device device();
  virtual std::string name() const;
};
struct SavedVariable {
  SavedVariable();
  SavedVariable(const Variable &, bool, bool = false);
  Variable unpack(std::shared_ptr<Node> = nullptr) const;
};
struct AutogradContext {
  std::unordered_map<std::string, c10::IValue> saved_data;
  void save_for_backward(variable_list);
  void mark_dirty(const variable_list &);
  void mark_non_differentiable(const variable_list &);
  variable_list get_saved_variables() const;
  bool needs_input_grad(size_t) const;
};
template <class T> struct Function {
  template <class... A> static variable_list apply(A &&...) {}
};
struct AutoGradMode {
  AutoGradMode(bool);
};
} // namespace autograd
namespace jit {
using Stack = std::vector<c10::IValue>;
template <class... A> void push(Stack &, A &&...) {}
c10::IValue pop(Stack &);
} // namespace jit
struct CustomClassHolder : c10::intrusive_ptr_target {};
template <class T> class class_ {
public:
  template <class... A> class_(A &&...) {}
  template <class... A> class_ &def(A &&...) {}
  template <class... A> class_ &def_static(A &&...) {}
  template <class... A> class_ &def_pickle(A &&...) {}
  template <class... A> class_ &def_property(A &&...) {}
  template <class... A> class_ &def_readwrite(A &&...) {}
};
template <class... A> struct init {};
template <class F> F dispatch(c10::DispatchKey, F) {}
class Library {
public:
  template <class... A> Library &def(A &&...) {}
  template <class... A> Library &impl(const char *, A &&...) {}
  template <class T> torch::class_<T> class_(const std::string &) {}
  template <class F> void fallback(F &&) {}
};
class CppFunction {
public:
  template <class F> CppFunction(F *) {}
  template <class F> static CppFunction makeFromBoxedFunction() {}
};
namespace cuda {
size_t device_count();
bool is_available();
void synchronize(int64_t = -1);
} // namespace cuda
namespace python {
void init_bindings(...);
}
namespace utils {
at::Tensor tensor_new(...);
void device_lazy_init(at::DeviceType);
void cuda_lazy_init();
} // namespace utils
void manual_seed(uint64_t);
template <class... A> void save(A &&...) {}
template <class... A> void load(A &&...) {}
} // namespace torch
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_FN(f) (&(f))
#define TORCH_LIBRARY(ns, m) static void C10_CONCATENATE(TORCH_LIBRARY_init_##ns, _)(torch::Library & m)
#define TORCH_LIBRARY_FRAGMENT(ns, m)                                                              \
  static void C10_CONCATENATE(TORCH_LIBRARY_FRAGMENT_init_##ns##_, __COUNTER__)(torch::Library & m)
#define TORCH_LIBRARY_IMPL(ns, key, m)                                                             \
  static void C10_CONCATENATE(TORCH_LIBRARY_IMPL_init_##ns##_##key##_, __COUNTER__)(torch::Library & m)
#define TORCH_EXTENSION_NAME extension
#define C10_DECLARE_REGISTRY(...)
#define C10_DEFINE_REGISTRY(...)
#define C10_REGISTER_CLASS(...)
#define REGISTER_DISPATCH(...)
#define REGISTER_PRIVATEUSE1_DISPATCH(...)
#define REGISTER_ALLOCATOR(type, allocator)

