// Model of the C++ language support library: traits, utility, tuple, limits, iterators, exceptions.
// Names and signatures follow the standard; there is no code behind them unless a constant
// expression or a deduced type needs it.
#pragma once
#pragma GCC system_header
#include "../c/std.h"

void *operator new(size_t, void *) noexcept;
void *operator new[](size_t, void *) noexcept;

namespace std {
using ::size_t, ::ptrdiff_t, ::max_align_t;
using ::int8_t, ::int16_t, ::int32_t, ::int64_t, ::uint8_t, ::uint16_t, ::uint32_t, ::uint64_t;
using ::intptr_t, ::uintptr_t, ::intmax_t, ::uintmax_t;
using ::int_fast32_t, ::int_fast64_t, ::uint_fast32_t, ::uint_fast64_t;
using ::div_t, ::FILE, ::time_t, ::clock_t, ::tm, ::timespec, ::sig_atomic_t, ::va_list;
using ::memcpy, ::memmove, ::memset, ::memcmp, ::memchr, ::strlen, ::strcmp, ::strncmp, ::strcpy;
using ::strncpy, ::strcat, ::strchr, ::strrchr, ::strstr, ::strtok, ::strerror;
using ::malloc, ::calloc, ::realloc, ::free, ::aligned_alloc, ::abort, ::exit, ::atexit, ::getenv;
using ::system, ::atoi, ::atol, ::atoll, ::atof, ::strtol, ::strtoul, ::strtoll, ::strtoull;
using ::strtod, ::strtof, ::rand, ::srand, ::qsort, ::printf, ::fprintf, ::sprintf, ::snprintf;
using ::vsnprintf, ::vprintf, ::vfprintf, ::sscanf, ::fopen, ::fclose, ::fflush, ::fread, ::fwrite;
using ::fseek, ::ftell, ::fgets, ::fputs, ::puts, ::putchar, ::remove, ::rename, ::perror, ::feof;
using ::isalnum, ::isalpha, ::isdigit, ::isspace, ::isupper, ::islower, ::isxdigit, ::ispunct;
using ::isprint, ::tolower, ::toupper, ::time, ::clock, ::localtime, ::gmtime, ::mktime, ::strftime;
using ::difftime, ::signal, ::raise, ::longjmp;
using ::fma, ::ldexp, ::frexp, ::modf, ::lround, ::lrint, ::llround, ::labs, ::llabs;

using nullptr_t = decltype(nullptr);
enum class byte : unsigned char {};

// type_traits
template <class T, T V> struct integral_constant {
  static constexpr T value = V;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const noexcept { return V; }
  constexpr T operator()() const noexcept { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <class T> struct type_identity { using type = T; };
template <class T> using type_identity_t = T;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { using type = T; };
template <class T, class F> struct conditional<false, T, F> { using type = F; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class...> using void_t = void;
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T &> { using type = T; };
template <class T> struct remove_reference<T &&> { using type = T; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_cv { using type = remove_const_t<typename remove_volatile<T>::type>; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_cvref { using type = remove_cv_t<remove_reference_t<T>>; };
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T *> { using type = T; };
template <class T> struct remove_pointer<T *const> { using type = T; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> struct add_pointer { using type = remove_reference_t<T> *; };
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> struct add_const { using type = const T; };
template <class T> using add_const_t = const T;
template <class T> struct add_lvalue_reference { using type = T &; };
template <> struct add_lvalue_reference<void> { using type = void; };
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> struct add_rvalue_reference { using type = T &&; };
template <> struct add_rvalue_reference<void> { using type = void; };
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <class T> typename add_rvalue_reference<T>::type declval() noexcept;
template <class T> struct remove_extent { using type = T; };
template <class T> struct remove_extent<T[]> { using type = T; };
template <class T, size_t N> struct remove_extent<T[N]> { using type = T; };
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class T> struct remove_all_extents : remove_extent<T> {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, size_t N> struct is_array<T[N]> : true_type {};
template <class T> struct decay { using type = remove_cv_t<remove_reference_t<T>>; };
template <class T, size_t N> struct decay<T (&)[N]> { using type = T *; };
template <class T, size_t N> struct decay<const T (&)[N]> { using type = const T *; };
template <class R, class... A> struct decay<R(A...)> { using type = R (*)(A...); };
template <class R, class... A> struct decay<R (&)(A...)> { using type = R (*)(A...); };
template <class T> using decay_t = typename decay<T>::type;
template <class T> struct underlying_type { using type = __underlying_type(T); };
template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T> struct make_unsigned { using type = T; };
template <> struct make_unsigned<int> { using type = unsigned; };
template <> struct make_unsigned<long> { using type = unsigned long; };
template <> struct make_unsigned<long long> { using type = unsigned long long; };
template <> struct make_unsigned<short> { using type = unsigned short; };
template <> struct make_unsigned<signed char> { using type = unsigned char; };
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> struct make_signed { using type = T; };
template <> struct make_signed<unsigned> { using type = int; };
template <> struct make_signed<unsigned long> { using type = long; };
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class... T> struct common_type;
template <class T> struct common_type<T> { using type = decay_t<T>; };
template <class T, class U> struct common_type<T, U> {
  using type = decay_t<decltype(false ? declval<T>() : declval<U>())>;
};
template <class T, class U, class V, class... W> struct common_type<T, U, V, W...> {
  using type = typename common_type<typename common_type<T, U>::type, V, W...>::type;
};
template <class... T> using common_type_t = typename common_type<T...>::type;
template <size_t N, size_t A = 8> struct aligned_storage {
  struct type {
    alignas(A) unsigned char data[N];
  };
};
template <size_t N, size_t A = 8> using aligned_storage_t = typename aligned_storage<N, A>::type;

#define SA_SDK_TRAIT(name, ...)                                                                    \
  template <class T> inline constexpr bool name##_v = __VA_ARGS__;                                 \
  template <class T> struct name : bool_constant<__VA_ARGS__> {};
#define SA_SDK_TRAIT2(name, ...)                                                                   \
  template <class T, class U> inline constexpr bool name##_v = __VA_ARGS__;                        \
  template <class T, class U> struct name : bool_constant<__VA_ARGS__> {};
SA_SDK_TRAIT2(is_same, __is_same(T, U))
SA_SDK_TRAIT2(is_base_of, __is_base_of(T, U))
SA_SDK_TRAIT2(is_convertible, __is_convertible_to(T, U))
SA_SDK_TRAIT2(is_assignable, __is_assignable(T, U))
SA_SDK_TRAIT(is_void, __is_same(remove_cv_t<T>, void))
SA_SDK_TRAIT(is_integral, __is_integral(T))
SA_SDK_TRAIT(is_floating_point, __is_floating_point(T))
SA_SDK_TRAIT(is_arithmetic, __is_arithmetic(T))
SA_SDK_TRAIT(is_scalar, __is_scalar(T))
SA_SDK_TRAIT(is_fundamental, __is_fundamental(T))
SA_SDK_TRAIT(is_signed, __is_signed(T))
SA_SDK_TRAIT(is_unsigned, __is_unsigned(T))
SA_SDK_TRAIT(is_enum, __is_enum(T))
SA_SDK_TRAIT(is_class, __is_class(T))
SA_SDK_TRAIT(is_union, __is_union(T))
SA_SDK_TRAIT(is_function, __is_function(T))
SA_SDK_TRAIT(is_pointer, __is_pointer(T))
SA_SDK_TRAIT(is_const, __is_const(T))
SA_SDK_TRAIT(is_reference, __is_reference(T))
SA_SDK_TRAIT(is_lvalue_reference, __is_lvalue_reference(T))
SA_SDK_TRAIT(is_rvalue_reference, __is_rvalue_reference(T))
SA_SDK_TRAIT(is_object, __is_object(T))
SA_SDK_TRAIT(is_abstract, __is_abstract(T))
SA_SDK_TRAIT(is_final, __is_final(T))
SA_SDK_TRAIT(is_empty, __is_empty(T))
SA_SDK_TRAIT(is_polymorphic, __is_polymorphic(T))
SA_SDK_TRAIT(is_trivial, __is_trivial(T))
SA_SDK_TRAIT(is_pod, __is_pod(T))
SA_SDK_TRAIT(is_standard_layout, __is_standard_layout(T))
SA_SDK_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
SA_SDK_TRAIT(is_member_function_pointer, __is_member_function_pointer(T))
SA_SDK_TRAIT(is_member_pointer, __is_member_pointer(T))
SA_SDK_TRAIT(is_null_pointer, __is_same(remove_cv_t<T>, nullptr_t))
SA_SDK_TRAIT(is_default_constructible, __is_constructible(T))
SA_SDK_TRAIT(is_copy_constructible, __is_constructible(T, const T &))
SA_SDK_TRAIT(is_move_constructible, __is_constructible(T, T))
SA_SDK_TRAIT(is_nothrow_default_constructible, __is_constructible(T))
SA_SDK_TRAIT(is_nothrow_move_constructible, __is_constructible(T, T))
SA_SDK_TRAIT(is_nothrow_move_assignable, __is_assignable(T &, T))
SA_SDK_TRAIT(is_nothrow_copy_constructible, __is_constructible(T, const T &))
SA_SDK_TRAIT(is_trivially_destructible, true)
SA_SDK_TRAIT(is_trivially_default_constructible, __is_constructible(T))
SA_SDK_TRAIT(is_destructible, true)
SA_SDK_TRAIT(is_copy_assignable, __is_assignable(T &, const T &))
SA_SDK_TRAIT(is_move_assignable, __is_assignable(T &, T))
template <class T> inline constexpr bool is_array_v = is_array<T>::value;
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T, class... A>
inline constexpr bool is_constructible_v = __is_constructible(T, A...);
template <class T, class... A> struct is_nothrow_constructible : is_constructible<T, A...> {};
template <class T, class... A>
inline constexpr bool is_nothrow_constructible_v = __is_constructible(T, A...);
template <class F, class... A>
auto sa_sdk_invoke(int) -> decltype(declval<F>()(declval<A>()...)) {}
struct sa_sdk_no {};
template <class F, class... A> sa_sdk_no sa_sdk_invoke(...) {}
template <class F, class... A> struct invoke_result {
  using type = decltype(sa_sdk_invoke<F, A...>(0));
};
template <class R, class C, class O, class... A> struct invoke_result<R (C::*)(A...), O, A...> {
  using type = R;
};
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class> struct result_of;
template <class F, class... A> struct result_of<F(A...)> : invoke_result<F, A...> {};
template <class F> using result_of_t = typename result_of<F>::type;
template <class F, class... A>
inline constexpr bool is_invocable_v = !__is_same(invoke_result_t<F, A...>, sa_sdk_no);
template <class F, class... A> struct is_invocable : bool_constant<is_invocable_v<F, A...>> {};
template <class R, class F, class... A>
struct is_invocable_r : bool_constant<is_invocable_v<F, A...>> {};
template <class... B> struct conjunction : bool_constant<(... && B::value)> {};
template <class... B> struct disjunction : bool_constant<(... || B::value)> {};
template <class B> struct negation : bool_constant<!B::value> {};
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class B> inline constexpr bool negation_v = !B::value;
constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }

// utility
template <class T> constexpr T &&forward(remove_reference_t<T> &value) noexcept {
  return static_cast<T &&>(value);
}
template <class T> constexpr T &&forward(remove_reference_t<T> &&value) noexcept {
  return static_cast<T &&>(value);
}
template <class T> constexpr remove_reference_t<T> &&move(T &&value) noexcept {
  return static_cast<remove_reference_t<T> &&>(value);
}
template <class T> constexpr T &&move_if_noexcept(T &value) noexcept {
  return static_cast<T &&>(value);
}
template <class T> constexpr const T &as_const(T &value) noexcept { return value; }
template <class T> void swap(T &, T &) {}
template <class T, class U = T> T exchange(T &, U &&) {}
template <class T> constexpr T *addressof(T &value) noexcept { return __builtin_addressof(value); }
[[noreturn]] void unreachable();
template <class T, T... I> struct integer_sequence {
  static constexpr size_t size() { return sizeof...(I); }
};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
// Bounded: a length computed from what is not known must not keep the compiler busy for ever.
template <class T, T N>
using make_integer_sequence = __make_integer_seq<integer_sequence, T, (N < 0 || N > 4096) ? T(0) : N>;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
struct in_place_t {};
inline constexpr in_place_t in_place{};
template <class T> struct in_place_type_t {};
template <class T> inline constexpr in_place_type_t<T> in_place_type{};
struct piecewise_construct_t {};
inline constexpr piecewise_construct_t piecewise_construct{};

template <class T> class initializer_list {
  const T *first_ = nullptr;
  size_t size_ = 0;

public:
  using value_type = T;
  using iterator = const T *;
  using const_iterator = const T *;
  constexpr initializer_list() noexcept {}
  constexpr size_t size() const noexcept { return size_; }
  constexpr const T *begin() const noexcept { return first_; }
  constexpr const T *end() const noexcept { return first_ + size_; }
};

template <class... T> class tuple;
template <class A, class B> struct pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;
  constexpr pair() : first(), second() {}
  constexpr pair(const A &a, const B &b) : first(a), second(b) {}
  template <class U, class V, class = enable_if_t<__is_constructible(A, U) && __is_constructible(B, V)>>
  constexpr pair(U &&a, V &&b) : first(static_cast<U &&>(a)), second(static_cast<V &&>(b)) {}
  template <class U, class V>
  constexpr pair(const pair<U, V> &o) : first(o.first), second(o.second) {}
  template <class... U, class... V> pair(piecewise_construct_t, tuple<U...>, tuple<V...>) {}
  constexpr pair(const pair &) = default;
  constexpr pair(pair &&) = default;
  pair &operator=(const pair &) = default;
  pair &operator=(pair &&) = default;
  template <class U, class V> pair &operator=(const pair<U, V> &) {}
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> constexpr pair<decay_t<A>, decay_t<B>> make_pair(A &&a, B &&b) {
  return pair<decay_t<A>, decay_t<B>>(static_cast<A &&>(a), static_cast<B &&>(b));
}
template <class A, class B> bool operator==(const pair<A, B> &, const pair<A, B> &) {}
template <class A, class B> bool operator!=(const pair<A, B> &, const pair<A, B> &) {}
template <class A, class B> bool operator<(const pair<A, B> &, const pair<A, B> &) {}

// tuple
template <class T> struct tuple_size;
template <class T> struct tuple_size<const T> : tuple_size<T> {};
template <class T> inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t I, class T> struct tuple_element;
template <size_t I, class T> struct tuple_element<I, const T> {
  using type = const typename tuple_element<I, T>::type;
};
template <size_t I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
struct allocator_arg_t {};
template <class... T> class tuple {
public:
  tuple() {}
  tuple(const T &...) {}
  template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T) && (... && __is_constructible(T, U))>>
  tuple(U &&...) {}
  template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T)>> tuple(const tuple<U...> &) {}
  template <class A, class B> tuple(const pair<A, B> &) {}
  constexpr tuple(const tuple &) = default;
  constexpr tuple(tuple &&) = default;
  tuple &operator=(const tuple &) {}
  tuple &operator=(tuple &&) {}
  template <class... U> tuple &operator=(const tuple<U...> &) {}
  template <class A, class B> tuple &operator=(const pair<A, B> &) {}
};
template <> class tuple<> {};
template <class... T> tuple(T...) -> tuple<T...>;
template <class A, class B> tuple(pair<A, B>) -> tuple<A, B>;
template <class... T> bool operator==(const tuple<T...> &, const tuple<T...> &) {}
template <class... T> bool operator!=(const tuple<T...> &, const tuple<T...> &) {}
template <class... T> bool operator<(const tuple<T...> &, const tuple<T...> &) {}
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class H, class... T> struct tuple_element<0, tuple<H, T...>> { using type = H; };
template <size_t I, class H, class... T>
struct tuple_element<I, tuple<H, T...>> : tuple_element<I - 1, tuple<T...>> {};
template <class A, class B> struct tuple_element<0, pair<A, B>> { using type = A; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { using type = B; };
template <size_t I, class... T> tuple_element_t<I, tuple<T...>> &get(tuple<T...> &) noexcept {}
template <size_t I, class... T>
const tuple_element_t<I, tuple<T...>> &get(const tuple<T...> &) noexcept {}
template <size_t I, class... T> tuple_element_t<I, tuple<T...>> &&get(tuple<T...> &&) noexcept {}
template <class E, class... T> E &get(tuple<T...> &) noexcept {}
template <class E, class... T> const E &get(const tuple<T...> &) noexcept {}
template <size_t I, class A, class B>
tuple_element_t<I, pair<A, B>> &get(pair<A, B> &) noexcept {}
template <size_t I, class A, class B>
const tuple_element_t<I, pair<A, B>> &get(const pair<A, B> &) noexcept {}
template <size_t I, class A, class B>
tuple_element_t<I, pair<A, B>> &&get(pair<A, B> &&) noexcept {}
template <class... T> tuple<decay_t<T>...> make_tuple(T &&...) {}
template <class... T> tuple<T &...> tie(T &...) noexcept {}
template <class... T> tuple<T &&...> forward_as_tuple(T &&...) noexcept {}
template <class... T> auto sa_sdk_cat(const T &...) -> tuple<T...> {}
template <class... A> tuple<A...> tuple_cat(const tuple<A...> &) {}
template <class... A, class... B> tuple<A..., B...> tuple_cat(const tuple<A...> &, const tuple<B...> &) {}
template <class... A, class... B, class... C>
tuple<A..., B..., C...> tuple_cat(const tuple<A...> &, const tuple<B...> &, const tuple<C...> &) {}
template <class F, class T> decltype(auto) sa_sdk_apply(F &&f, T &&) {}
template <class F, class... T> auto apply(F &&f, const tuple<T...> &) -> decltype(f(declval<T &>()...)) {}
template <class T, class U> T make_from_tuple(U &&) {}
struct sa_sdk_ignore {
  template <class T> const sa_sdk_ignore &operator=(const T &) const {}
};
inline constexpr sa_sdk_ignore ignore{};

// limits
enum float_denorm_style { denorm_absent };
template <class T> struct numeric_limits {
  static constexpr bool is_specialized = __is_arithmetic(T);
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr bool is_integer = __is_integral(T);
  static constexpr bool has_infinity = __is_floating_point(T);
  static constexpr bool has_quiet_NaN = __is_floating_point(T);
  static constexpr int digits = sizeof(T) * 8 - is_signed;
  static constexpr int digits10 = digits * 3 / 10;
  static constexpr int max_digits10 = digits10 + 2;
  static constexpr T max() noexcept {
    if constexpr (__is_floating_point(T)) return T(sizeof(T) == 4 ? 3.4e38 : 1.79e308);
    else return T(is_signed ? (T(1) << (digits - 1)) - 1 + (T(1) << (digits - 1)) : T(-1));
  }
  static constexpr T lowest() noexcept {
    if constexpr (__is_floating_point(T)) return -max();
    else return is_signed ? T(-max() - 1) : T(0);
  }
  static constexpr T min() noexcept {
    if constexpr (__is_floating_point(T)) return T(sizeof(T) == 4 ? 1.2e-38 : 2.3e-308);
    else return lowest();
  }
  static constexpr T epsilon() noexcept { return T(sizeof(T) == 4 ? 1.2e-7 : 2.3e-16); }
  static constexpr T infinity() noexcept { return T(__builtin_huge_val()); }
  static constexpr T quiet_NaN() noexcept { return T(__builtin_nan("")); }
};

// compare
#if __cplusplus >= 202002L
class strong_ordering;
class weak_ordering;
class partial_ordering {
  signed char value_;

public:
  constexpr explicit partial_ordering(signed char v) : value_(v) {}
  static const partial_ordering less, equivalent, greater, unordered;
  friend constexpr bool operator==(partial_ordering a, partial_ordering b) noexcept { return a.value_ == b.value_; }
  friend constexpr bool operator==(partial_ordering a, decltype(nullptr)) noexcept { return a.value_ == 0; }
  friend constexpr bool operator<(partial_ordering a, decltype(nullptr)) noexcept { return a.value_ < 0; }
  friend constexpr bool operator>(partial_ordering a, decltype(nullptr)) noexcept { return a.value_ > 0; }
  friend constexpr bool operator<=(partial_ordering a, decltype(nullptr)) noexcept { return a.value_ <= 0; }
  friend constexpr bool operator>=(partial_ordering a, decltype(nullptr)) noexcept { return a.value_ >= 0; }
};
inline constexpr partial_ordering partial_ordering::less(-1);
inline constexpr partial_ordering partial_ordering::equivalent(0);
inline constexpr partial_ordering partial_ordering::greater(1);
inline constexpr partial_ordering partial_ordering::unordered(2);
class weak_ordering {
  signed char value_;

public:
  constexpr explicit weak_ordering(signed char v) : value_(v) {}
  static const weak_ordering less, equivalent, greater;
  constexpr operator partial_ordering() const noexcept { return partial_ordering(value_); }
};
inline constexpr weak_ordering weak_ordering::less(-1);
inline constexpr weak_ordering weak_ordering::equivalent(0);
inline constexpr weak_ordering weak_ordering::greater(1);
class strong_ordering {
  signed char value_;

public:
  constexpr explicit strong_ordering(signed char v) : value_(v) {}
  static const strong_ordering less, equal, equivalent, greater;
  constexpr operator partial_ordering() const noexcept { return partial_ordering(value_); }
  constexpr operator weak_ordering() const noexcept { return weak_ordering(value_); }
  friend constexpr bool operator==(strong_ordering a, strong_ordering b) noexcept { return a.value_ == b.value_; }
  friend constexpr bool operator==(strong_ordering a, decltype(nullptr)) noexcept { return a.value_ == 0; }
  friend constexpr bool operator<(strong_ordering a, decltype(nullptr)) noexcept { return a.value_ < 0; }
  friend constexpr bool operator>(strong_ordering a, decltype(nullptr)) noexcept { return a.value_ > 0; }
  friend constexpr bool operator<=(strong_ordering a, decltype(nullptr)) noexcept { return a.value_ <= 0; }
  friend constexpr bool operator>=(strong_ordering a, decltype(nullptr)) noexcept { return a.value_ >= 0; }
};
inline constexpr strong_ordering strong_ordering::less(-1);
inline constexpr strong_ordering strong_ordering::equal(0);
inline constexpr strong_ordering strong_ordering::equivalent(0);
inline constexpr strong_ordering strong_ordering::greater(1);
#endif

// concepts
#if __cplusplus >= 202002L
template <class T, class U> concept same_as = __is_same(T, U);
template <class T, class U> concept derived_from = __is_base_of(U, T);
template <class T, class U> concept convertible_to = __is_convertible_to(T, U);
template <class T> concept integral = __is_integral(T);
template <class T> concept signed_integral = __is_integral(T) && __is_signed(T);
template <class T> concept unsigned_integral = __is_integral(T) && !__is_signed(T);
template <class T> concept floating_point = __is_floating_point(T);
template <class T, class... A> concept constructible_from = __is_constructible(T, A...);
template <class T> concept default_initializable = __is_constructible(T);
template <class T> concept move_constructible = __is_constructible(T, T);
template <class T> concept copy_constructible = __is_constructible(T, const T &);
template <class F, class... A> concept invocable = is_invocable_v<F, A...>;
template <class F, class... A> concept predicate = is_invocable_v<F, A...>;
template <class T> concept equality_comparable = requires(const T &a) { a == a; };
#endif

// iterator
struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
template <class I> struct iterator_traits {
  using value_type = remove_cvref_t<decltype(*declval<I &>())>;
  using reference = decltype(*declval<I &>());
  using pointer = value_type *;
  using difference_type = ptrdiff_t;
  using iterator_category = random_access_iterator_tag;
};
template <class C, class T, class D = ptrdiff_t, class P = T *, class R = T &> struct iterator {
  using iterator_category = C;
  using value_type = T;
  using difference_type = D;
  using pointer = P;
  using reference = R;
};
template <class I> struct reverse_iterator {
  reverse_iterator() {}
  explicit reverse_iterator(I) {}
  decltype(*declval<I &>()) operator*() const {}
  I operator->() const {}
  I base() const {}
  reverse_iterator &operator++() {}
  reverse_iterator operator++(int) {}
  reverse_iterator &operator--() {}
  reverse_iterator operator+(ptrdiff_t) const {}
  reverse_iterator operator-(ptrdiff_t) const {}
  friend bool operator==(const reverse_iterator &, const reverse_iterator &) { return true; }
  friend bool operator!=(const reverse_iterator &, const reverse_iterator &) { return true; }
};
template <class I> reverse_iterator<I> make_reverse_iterator(I) {}
template <class I> struct move_iterator {
  remove_reference_t<decltype(*declval<I &>())> &&operator*() const {}
  move_iterator &operator++() {}
  friend bool operator==(const move_iterator &, const move_iterator &) { return true; }
  friend bool operator!=(const move_iterator &, const move_iterator &) { return true; }
};
template <class I> move_iterator<I> make_move_iterator(I) {}
template <class C> struct back_insert_iterator {
  template <class T> back_insert_iterator &operator=(T &&) {}
  back_insert_iterator &operator*() {}
  back_insert_iterator &operator++() {}
  back_insert_iterator &operator++(int) {}
};
template <class C> back_insert_iterator<C> back_inserter(C &) {}
template <class C> back_insert_iterator<C> inserter(C &, typename C::iterator) {}
template <class T> struct istream_iterator;
template <class T> struct ostream_iterator;
template <class C> constexpr auto begin(C &c) -> decltype(c.begin()) { return c.begin(); }
template <class C> constexpr auto begin(const C &c) -> decltype(c.begin()) { return c.begin(); }
template <class C> constexpr auto end(C &c) -> decltype(c.end()) { return c.end(); }
template <class C> constexpr auto end(const C &c) -> decltype(c.end()) { return c.end(); }
template <class T, size_t N> constexpr T *begin(T (&a)[N]) { return a; }
template <class T, size_t N> constexpr T *end(T (&a)[N]) { return a + N; }
template <class C> constexpr auto cbegin(const C &c) -> decltype(c.begin()) { return c.begin(); }
template <class C> constexpr auto cend(const C &c) -> decltype(c.end()) { return c.end(); }
template <class C> auto rbegin(C &c) -> decltype(c.rbegin()) {}
template <class C> auto rend(C &c) -> decltype(c.rend()) {}
template <class C> constexpr auto size(const C &c) -> decltype(c.size()) { return c.size(); }
template <class T, size_t N> constexpr size_t size(const T (&)[N]) { return N; }
template <class C> auto data(C &c) -> decltype(c.data()) {}
template <class C> bool empty(const C &) {}
template <class I> I next(I i, ptrdiff_t n = 1) {}
template <class I> I prev(I i, ptrdiff_t n = 1) {}
template <class I, class D> void advance(I &, D) {}
template <class I> ptrdiff_t distance(I, I) {}

// new, exception, stdexcept, typeinfo, source_location
struct nothrow_t {
  explicit nothrow_t() = default;
};
extern const nothrow_t nothrow;
enum class align_val_t : size_t {};
class type_info {
public:
  virtual ~type_info();
  const char *name() const noexcept;
  size_t hash_code() const noexcept;
  bool operator==(const type_info &) const noexcept;
};
class type_index {
public:
  type_index(const type_info &) noexcept;
  const char *name() const noexcept;
  bool operator==(const type_index &) const noexcept;
  bool operator<(const type_index &) const noexcept;
};
template <class C> class basic_string_traits_tag;
class exception {
public:
  exception() noexcept;
  exception(const exception &) noexcept;
  exception &operator=(const exception &) noexcept;
  virtual ~exception();
  virtual const char *what() const noexcept;
};
class bad_alloc : public exception {};
class bad_cast : public exception {};
class exception_ptr {
public:
  exception_ptr() noexcept;
  exception_ptr(nullptr_t) noexcept;
  explicit operator bool() const noexcept;
  bool operator==(nullptr_t) const noexcept;
  bool operator!=(nullptr_t) const noexcept;
};
exception_ptr current_exception() noexcept;
[[noreturn]] void rethrow_exception(exception_ptr);
template <class E> exception_ptr make_exception_ptr(E) {}
int uncaught_exceptions() noexcept;
[[noreturn]] void terminate() noexcept;
using terminate_handler = void (*)();
terminate_handler set_terminate(terminate_handler) noexcept;
struct source_location {
  static constexpr source_location current() noexcept { return {}; }
  constexpr unsigned line() const noexcept { return 0; }
  constexpr unsigned column() const noexcept { return 0; }
  constexpr const char *file_name() const noexcept { return ""; }
  constexpr const char *function_name() const noexcept { return ""; }
};

// cmath
#define SA_SDK_MATH(name)                                                                          \
  template <class T> auto name(T x)->conditional_t<__is_integral(T), double, T> {}
SA_SDK_MATH(sin) SA_SDK_MATH(cos) SA_SDK_MATH(tan) SA_SDK_MATH(asin) SA_SDK_MATH(acos)
SA_SDK_MATH(atan) SA_SDK_MATH(tanh) SA_SDK_MATH(sinh) SA_SDK_MATH(cosh) SA_SDK_MATH(exp)
SA_SDK_MATH(exp2) SA_SDK_MATH(expm1) SA_SDK_MATH(log) SA_SDK_MATH(log2) SA_SDK_MATH(log10)
SA_SDK_MATH(log1p) SA_SDK_MATH(sqrt) SA_SDK_MATH(cbrt) SA_SDK_MATH(fabs) SA_SDK_MATH(ceil)
SA_SDK_MATH(floor) SA_SDK_MATH(trunc) SA_SDK_MATH(round) SA_SDK_MATH(rint)
SA_SDK_MATH(nearbyint) SA_SDK_MATH(erf) SA_SDK_MATH(tgamma) SA_SDK_MATH(lgamma)
#undef SA_SDK_MATH
template <class T> constexpr T abs(T x) { return x < T(0) ? -x : x; }
template <class T, class U> common_type_t<T, U> pow(T, U) {}
template <class T, class U> common_type_t<T, U> fmod(T, U) {}
template <class T, class U> common_type_t<T, U> atan2(T, U) {}
template <class T, class U> common_type_t<T, U> fmax(T, U) {}
template <class T, class U> common_type_t<T, U> fmin(T, U) {}
template <class T, class U> common_type_t<T, U> hypot(T, U) {}
template <class T> T copysign(T, T) {}
template <class T> bool isnan(T) {}
template <class T> bool isinf(T) {}
template <class T> bool isfinite(T) {}
template <class T> bool signbit(T) {}
} // namespace std
using std::isnan, std::isinf, std::isfinite;
