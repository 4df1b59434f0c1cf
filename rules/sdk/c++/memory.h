// Smart pointers, optional, variant, any, functional.
#pragma once
#pragma GCC system_header
#include "containers.h"

namespace std {
template <class T> struct default_delete {
  void operator()(T *) const {}
};
template <class T, class D = default_delete<T>> class unique_ptr {
public:
  using element_type = remove_extent_t<T>;
  using pointer = element_type *;
  unique_ptr() noexcept {}
  unique_ptr(nullptr_t) noexcept {}
  explicit unique_ptr(pointer) noexcept {}
  template <class E> unique_ptr(pointer, E &&) noexcept {}
  unique_ptr(unique_ptr &&) noexcept {}
  template <class U, class E, class = enable_if_t<__is_convertible_to(U *, T *)>>
  unique_ptr(unique_ptr<U, E> &&) noexcept {}
  unique_ptr(const unique_ptr &) = delete;
  ~unique_ptr() {}
  unique_ptr &operator=(unique_ptr &&) noexcept {}
  unique_ptr &operator=(nullptr_t) noexcept {}
  template <class U, class E> unique_ptr &operator=(unique_ptr<U, E> &&) noexcept {}
  element_type &operator*() const {}
  pointer operator->() const noexcept {}
  element_type &operator[](size_t) const {}
  pointer get() const noexcept {}
  pointer release() noexcept {}
  void reset(pointer = pointer()) noexcept {}
  void swap(unique_ptr &) noexcept {}
  D &get_deleter() noexcept {}
  explicit operator bool() const noexcept {}
};
template <class T> class weak_ptr;
template <class T> class shared_ptr {
public:
  using element_type = remove_extent_t<T>;
  shared_ptr() noexcept {}
  shared_ptr(nullptr_t) noexcept {}
  template <class U, class = enable_if_t<__is_convertible_to(U *, element_type *)>> explicit shared_ptr(U *) {}
  template <class U, class D> shared_ptr(U *, D) {}
  template <class U> shared_ptr(const shared_ptr<U> &, element_type *) noexcept {}
  shared_ptr(const shared_ptr &) noexcept {}
  shared_ptr(shared_ptr &&) noexcept {}
  template <class U, class = enable_if_t<__is_convertible_to(U *, element_type *)>>
  shared_ptr(const shared_ptr<U> &) noexcept {}
  template <class U, class D> shared_ptr(unique_ptr<U, D> &&) {}
  template <class U> explicit shared_ptr(const weak_ptr<U> &) {}
  ~shared_ptr() {}
  shared_ptr &operator=(const shared_ptr &) noexcept {}
  shared_ptr &operator=(shared_ptr &&) noexcept {}
  template <class U> shared_ptr &operator=(const shared_ptr<U> &) noexcept {}
  template <class U, class D> shared_ptr &operator=(unique_ptr<U, D> &&) {}
  shared_ptr &operator=(nullptr_t) noexcept {}
  add_lvalue_reference_t<element_type> operator*() const noexcept {}
  element_type *operator->() const noexcept {}
  add_lvalue_reference_t<element_type> operator[](ptrdiff_t) const {}
  element_type *get() const noexcept {}
  void reset() noexcept {}
  template <class U> void reset(U *) {}
  template <class U, class D> void reset(U *, D) {}
  void swap(shared_ptr &) noexcept {}
  long use_count() const noexcept {}
  explicit operator bool() const noexcept {}
};
template <class T> class weak_ptr {
public:
  weak_ptr() noexcept {}
  weak_ptr(const weak_ptr &) noexcept {}
  template <class U> weak_ptr(const shared_ptr<U> &) noexcept {}
  template <class U> weak_ptr(const weak_ptr<U> &) noexcept {}
  weak_ptr &operator=(const weak_ptr &) noexcept {}
  template <class U> weak_ptr &operator=(const shared_ptr<U> &) noexcept {}
  shared_ptr<T> lock() const noexcept {}
  bool expired() const noexcept {}
  long use_count() const noexcept {}
  void reset() noexcept {}
};
template <class T> class enable_shared_from_this {
protected:
  enable_shared_from_this() noexcept {}
  enable_shared_from_this(const enable_shared_from_this &) noexcept {}
  enable_shared_from_this &operator=(const enable_shared_from_this &) noexcept {}
  ~enable_shared_from_this() {}

public:
  shared_ptr<T> shared_from_this() {}
  shared_ptr<const T> shared_from_this() const {}
  weak_ptr<T> weak_from_this() noexcept {}
};
template <class T, class... A> shared_ptr<T> make_shared(A &&...) {}
template <class T, class... A> unique_ptr<T> make_unique(A &&...) {}
template <class T, class U> shared_ptr<T> static_pointer_cast(const shared_ptr<U> &) noexcept {}
template <class T, class U> shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U> &) noexcept {}
template <class T, class U> shared_ptr<T> const_pointer_cast(const shared_ptr<U> &) noexcept {}
#define SA_SDK_POINTER_COMPARE(P, ...)                                                             \
  template <__VA_ARGS__> bool operator==(const P &, nullptr_t) noexcept {}                         \
  template <__VA_ARGS__> bool operator!=(const P &, nullptr_t) noexcept {}                         \
  template <__VA_ARGS__> bool operator==(const P &, const P &) noexcept {}                         \
  template <__VA_ARGS__> bool operator!=(const P &, const P &) noexcept {}                         \
  template <__VA_ARGS__> bool operator<(const P &, const P &) noexcept {}
SA_SDK_POINTER_COMPARE(shared_ptr<T>, class T)
template <class T, class D> bool operator==(const unique_ptr<T, D> &, nullptr_t) noexcept {}
template <class T, class D> bool operator!=(const unique_ptr<T, D> &, nullptr_t) noexcept {}
template <class T, class D> bool operator==(const unique_ptr<T, D> &, const unique_ptr<T, D> &) {}
#undef SA_SDK_POINTER_COMPARE
template <class T> void destroy_at(T *) {}

struct nullopt_t {
  constexpr explicit nullopt_t(int) {}
};
inline constexpr nullopt_t nullopt{0};
class bad_optional_access : public exception {};
template <class T> class optional {
public:
  using value_type = T;
  constexpr optional() noexcept {}
  constexpr optional(nullopt_t) noexcept {}
  constexpr optional(const optional &) {}
  constexpr optional(optional &&) {}
  template <class U = T, class = enable_if_t<__is_constructible(T, U) && !__is_same(remove_cvref_t<U>, optional) &&
                                             !__is_same(remove_cvref_t<U>, in_place_t)>>
  constexpr optional(U &&) {}
  template <class U, class = enable_if_t<__is_constructible(T, const U &)>> optional(const optional<U> &) {}
  template <class... A> explicit optional(in_place_t, A &&...) {}
  ~optional() {}
  optional &operator=(nullopt_t) noexcept {}
  optional &operator=(const optional &) {}
  optional &operator=(optional &&) {}
  template <class U = T, class = enable_if_t<__is_constructible(T, U) && !__is_same(remove_cvref_t<U>, optional)>>
  optional &operator=(U &&) {}
  template <class U> optional &operator=(const optional<U> &) {}
  T *operator->() {}
  const T *operator->() const {}
  T &operator*() & {}
  const T &operator*() const & {}
  T &&operator*() && {}
  T &value() & {}
  const T &value() const & {}
  T &&value() && {}
  template <class U> T value_or(U &&) const {}
  bool has_value() const noexcept {}
  explicit operator bool() const noexcept {}
  void reset() noexcept {}
  void swap(optional &) {}
  template <class... A> T &emplace(A &&...) {}
};
template <class T> optional(T) -> optional<T>;
template <class T> optional<decay_t<T>> make_optional(T &&) {}
template <class T, class... A> optional<T> make_optional(A &&...) {}
template <class T> bool operator==(const optional<T> &, nullopt_t) noexcept {}
template <class T> bool operator!=(const optional<T> &, nullopt_t) noexcept {}
template <class T> bool operator==(const optional<T> &, const optional<T> &) {}
template <class T> bool operator!=(const optional<T> &, const optional<T> &) {}
template <class T, class U> bool operator==(const optional<T> &, const U &) {}
template <class T, class U> bool operator!=(const optional<T> &, const U &) {}
template <class T, class U> bool operator<(const optional<T> &, const U &) {}

struct monostate {};
class bad_variant_access : public exception {};
inline constexpr size_t variant_npos = size_t(-1);
template <class... T> class variant {
public:
  variant() {}
  variant(const variant &) {}
  variant(variant &&) {}
  template <class U, class = enable_if_t<!__is_same(remove_cvref_t<U>, variant)>> variant(U &&) {}
  variant &operator=(const variant &) {}
  variant &operator=(variant &&) {}
  template <class U, class = enable_if_t<!__is_same(remove_cvref_t<U>, variant)>> variant &operator=(U &&) {}
  size_t index() const noexcept {}
  bool valueless_by_exception() const noexcept {}
  template <class U, class... A> U &emplace(A &&...) {}
};
template <size_t I, class V> struct variant_alternative;
template <size_t I, class... T> struct variant_alternative<I, variant<T...>> : tuple_element<I, tuple<T...>> {};
template <class V> struct variant_size;
template <class... T> struct variant_size<variant<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class U, class... T> U &get(variant<T...> &) {}
template <class U, class... T> const U &get(const variant<T...> &) {}
template <class U, class... T> U &&get(variant<T...> &&) {}
template <size_t I, class... T> tuple_element_t<I, tuple<T...>> &get(variant<T...> &) {}
template <size_t I, class... T> const tuple_element_t<I, tuple<T...>> &get(const variant<T...> &) {}
template <class U, class... T> U *get_if(variant<T...> *) noexcept {}
template <class U, class... T> const U *get_if(const variant<T...> *) noexcept {}
template <class U, class... T> bool holds_alternative(const variant<T...> &) noexcept {}
template <class F, class H, class... T>
auto visit(F &&f, variant<H, T...> &) -> decltype(f(declval<H &>())) {}
template <class F, class H, class... T>
auto visit(F &&f, const variant<H, T...> &) -> decltype(f(declval<const H &>())) {}
class bad_any_cast : public bad_cast {};
class any {
public:
  any() noexcept;
  any(const any &);
  template <class T, class = enable_if_t<!__is_same(remove_cvref_t<T>, any)>> any(T &&) {}
  any &operator=(const any &);
  template <class T, class = enable_if_t<!__is_same(remove_cvref_t<T>, any)>> any &operator=(T &&) {}
  bool has_value() const noexcept;
  void reset() noexcept;
  const type_info &type() const noexcept;
};
template <class T> T any_cast(const any &) {}
template <class T> T *any_cast(any *) noexcept {}

template <class> class function;
template <class R, class... A> class function<R(A...)> {
public:
  using result_type = R;
  function() noexcept {}
  function(nullptr_t) noexcept {}
  function(const function &) {}
  function(function &&) noexcept {}
  template <class F, class = enable_if_t<!__is_same(remove_cvref_t<F>, function) &&
                                         is_invocable_v<remove_reference_t<F> &, A...>>>
  function(F &&) {}
  ~function() {}
  function &operator=(const function &) {}
  function &operator=(function &&) noexcept {}
  function &operator=(nullptr_t) noexcept {}
  template <class F, class = enable_if_t<!__is_same(remove_cvref_t<F>, function)>> function &operator=(F &&) {}
  R operator()(A...) const {}
  explicit operator bool() const noexcept {}
  void swap(function &) noexcept {}
};
template <class R, class... A> function(R (*)(A...)) -> function<R(A...)>;
template <class R, class... A> bool operator==(const function<R(A...)> &, nullptr_t) noexcept {}
template <class R, class... A> bool operator!=(const function<R(A...)> &, nullptr_t) noexcept {}
struct sa_sdk_bound {
  template <class... A> int operator()(A &&...) const {}
};
template <class F, class... A> sa_sdk_bound bind(F &&, A &&...) {}
template <class F> sa_sdk_bound mem_fn(F) {}
template <class F, class... A> auto invoke(F &&f, A &&...a) -> decltype(f(static_cast<A &&>(a)...)) {
  return f(static_cast<A &&>(a)...);
}
template <class T> class reference_wrapper {
public:
  reference_wrapper(T &) noexcept {}
  operator T &() const noexcept {}
  T &get() const noexcept {}
};
template <class T> reference_wrapper<T> ref(T &) noexcept {}
template <class T> reference_wrapper<const T> cref(const T &) noexcept {}
template <class T> struct unwrap_reference { using type = T; };
namespace placeholders {
extern const int _1, _2, _3, _4, _5, _6;
}
} // namespace std
