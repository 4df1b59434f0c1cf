// Threads, locks, atomics, futures, time.
#pragma once
#pragma GCC system_header
#include "memory.h"

namespace std {
template <intmax_t N, intmax_t D = 1> struct ratio {
  static constexpr intmax_t num = N, den = D;
};
using nano = ratio<1, 1000000000>;
using micro = ratio<1, 1000000>;
using milli = ratio<1, 1000>;
namespace chrono {
template <class R, class P = ratio<1>> class duration {
public:
  using rep = R;
  using period = P;
  constexpr duration() {}
  template <class U, class = enable_if_t<__is_arithmetic(U)>> constexpr explicit duration(const U &) {}
  template <class S, class Q> constexpr duration(const duration<S, Q> &) {}
  constexpr R count() const { return R(); }
  static constexpr duration zero() { return {}; }
  static constexpr duration max() { return {}; }
  static constexpr duration min() { return {}; }
  duration &operator+=(const duration &) {}
  duration &operator-=(const duration &) {}
  duration &operator++() {}
  constexpr duration operator-() const { return {}; }
};
#define SA_SDK_DURATION(op)                                                                        \
  template <class R, class P, class S, class Q>                                                    \
  constexpr bool operator op(const duration<R, P> &, const duration<S, Q> &) {                     \
    return true;                                                                                   \
  }
SA_SDK_DURATION(==)
SA_SDK_DURATION(!=)
SA_SDK_DURATION(<)
SA_SDK_DURATION(>)
SA_SDK_DURATION(<=)
SA_SDK_DURATION(>=)
#undef SA_SDK_DURATION
template <class R, class P, class S, class Q>
constexpr duration<R, P> operator+(const duration<R, P> &, const duration<S, Q> &) { return {}; }
template <class R, class P, class S, class Q>
constexpr duration<R, P> operator-(const duration<R, P> &, const duration<S, Q> &) { return {}; }
template <class R, class P, class T, class = enable_if_t<__is_arithmetic(T)>>
constexpr duration<R, P> operator*(const duration<R, P> &, T) { return {}; }
template <class R, class P, class T, class = enable_if_t<__is_arithmetic(T)>>
constexpr duration<R, P> operator/(const duration<R, P> &, T) { return {}; }
template <class R, class P> constexpr R operator/(const duration<R, P> &, const duration<R, P> &) { return R(); }
using nanoseconds = duration<long, nano>;
using microseconds = duration<long, micro>;
using milliseconds = duration<long, milli>;
using seconds = duration<long>;
using minutes = duration<long, ratio<60>>;
using hours = duration<long, ratio<3600>>;
template <class D, class R, class P> constexpr D duration_cast(const duration<R, P> &) { return D(); }
template <class C, class D = nanoseconds> class time_point {
public:
  using duration = D;
  using clock = C;
  constexpr time_point() {}
  explicit time_point(const D &) {}
  template <class E> time_point(const time_point<C, E> &) {}
  D time_since_epoch() const {}
  static constexpr time_point max() { return {}; }
  static constexpr time_point min() { return {}; }
};
template <class D, class C, class E> time_point<C, D> time_point_cast(const time_point<C, E> &) {}
template <class C, class D> D operator-(const time_point<C, D> &, const time_point<C, D> &) {}
template <class C, class D, class R, class P>
time_point<C, D> operator+(const time_point<C, D> &, const duration<R, P> &) {}
template <class C, class D, class R, class P>
time_point<C, D> operator-(const time_point<C, D> &, const duration<R, P> &) {}
template <class C, class D, class E> bool operator<(const time_point<C, D> &, const time_point<C, E> &) {}
template <class C, class D, class E> bool operator>(const time_point<C, D> &, const time_point<C, E> &) {}
template <class C, class D, class E> bool operator<=(const time_point<C, D> &, const time_point<C, E> &) {}
template <class C, class D, class E> bool operator>=(const time_point<C, D> &, const time_point<C, E> &) {}
template <class C, class D, class E> bool operator==(const time_point<C, D> &, const time_point<C, E> &) {}
template <class C, class D, class E> bool operator!=(const time_point<C, D> &, const time_point<C, E> &) {}
struct steady_clock {
  using duration = nanoseconds;
  using rep = long;
  using period = nano;
  using time_point = chrono::time_point<steady_clock>;
  static time_point now() noexcept;
};
struct system_clock {
  using duration = nanoseconds;
  using rep = long;
  using period = nano;
  using time_point = chrono::time_point<system_clock>;
  static time_point now() noexcept;
  static time_t to_time_t(const time_point &) noexcept;
  static time_point from_time_t(time_t) noexcept;
};
using high_resolution_clock = steady_clock;
} // namespace chrono
inline namespace literals {
inline namespace chrono_literals {
constexpr chrono::seconds operator""s(unsigned long long) { return {}; }
constexpr chrono::milliseconds operator""ms(unsigned long long) { return {}; }
constexpr chrono::microseconds operator""us(unsigned long long) { return {}; }
constexpr chrono::nanoseconds operator""ns(unsigned long long) { return {}; }
constexpr chrono::minutes operator""min(unsigned long long) { return {}; }
} // namespace chrono_literals
} // namespace literals
namespace chrono {
using namespace literals::chrono_literals;
}

class thread {
public:
  struct id {
    friend bool operator==(id, id) { return true; }
    friend bool operator!=(id, id) { return true; }
    friend bool operator<(id, id) { return true; }
    friend ostream &operator<<(ostream &out, id) { return out; }
  };
  thread() noexcept;
  thread(thread &&) noexcept;
  template <class F, class... A, class = enable_if_t<!__is_same(remove_cvref_t<F>, thread)>>
  explicit thread(F &&, A &&...) {}
  ~thread();
  thread &operator=(thread &&) noexcept;
  void join();
  void detach();
  bool joinable() const noexcept;
  id get_id() const noexcept;
  unsigned long native_handle();
  static unsigned hardware_concurrency() noexcept;
};
class jthread : public thread {
public:
  using thread::thread;
};
namespace this_thread {
thread::id get_id() noexcept;
void yield() noexcept;
template <class R, class P> void sleep_for(const chrono::duration<R, P> &) {}
template <class C, class D> void sleep_until(const chrono::time_point<C, D> &) {}
} // namespace this_thread

#define SA_SDK_MUTEX(name)                                                                         \
  class name {                                                                                     \
  public:                                                                                          \
    constexpr name() noexcept {}                                                                   \
    name(const name &) = delete;                                                                   \
    name &operator=(const name &) = delete;                                                        \
    void lock();                                                                                   \
    bool try_lock();                                                                               \
    void unlock();                                                                                 \
    void lock_shared();                                                                            \
    bool try_lock_shared();                                                                        \
    void unlock_shared();                                                                          \
    template <class R, class P> bool try_lock_for(const chrono::duration<R, P> &) {}               \
  };
SA_SDK_MUTEX(mutex)
SA_SDK_MUTEX(recursive_mutex)
SA_SDK_MUTEX(timed_mutex)
SA_SDK_MUTEX(shared_mutex)
SA_SDK_MUTEX(shared_timed_mutex)
#undef SA_SDK_MUTEX
struct defer_lock_t {};
struct try_to_lock_t {};
struct adopt_lock_t {};
inline constexpr defer_lock_t defer_lock{};
inline constexpr try_to_lock_t try_to_lock{};
inline constexpr adopt_lock_t adopt_lock{};
template <class M> class lock_guard {
public:
  explicit lock_guard(M &) {}
  lock_guard(M &, adopt_lock_t) {}
  ~lock_guard() {}
};
template <class M> lock_guard(M &) -> lock_guard<M>;
template <class... M> class scoped_lock {
public:
  explicit scoped_lock(M &...) {}
  ~scoped_lock() {}
};
template <class... M> scoped_lock(M &...) -> scoped_lock<M...>;
template <class M> class unique_lock {
public:
  unique_lock() noexcept {}
  explicit unique_lock(M &) {}
  unique_lock(M &, defer_lock_t) noexcept {}
  unique_lock(M &, try_to_lock_t) {}
  unique_lock(M &, adopt_lock_t) {}
  unique_lock(unique_lock &&) noexcept {}
  unique_lock &operator=(unique_lock &&) noexcept {}
  ~unique_lock() {}
  void lock() {}
  bool try_lock() {}
  void unlock() {}
  bool owns_lock() const noexcept {}
  explicit operator bool() const noexcept {}
  M *mutex() const noexcept {}
};
template <class M> unique_lock(M &) -> unique_lock<M>;
template <class M> class shared_lock : public unique_lock<M> {
public:
  using unique_lock<M>::unique_lock;
};
template <class M> shared_lock(M &) -> shared_lock<M>;
struct once_flag {
  constexpr once_flag() noexcept {}
};
template <class F, class... A> void call_once(once_flag &, F &&f, A &&...a) {
  f(static_cast<A &&>(a)...);
}
enum class cv_status { no_timeout, timeout };
class condition_variable {
public:
  void notify_one() noexcept;
  void notify_all() noexcept;
  template <class L> void wait(L &) {}
  template <class L, class P> void wait(L &, P) {}
  template <class L, class R, class Q> cv_status wait_for(L &, const chrono::duration<R, Q> &) {}
  template <class L, class R, class Q, class P> bool wait_for(L &, const chrono::duration<R, Q> &, P) {}
  template <class L, class C, class D> cv_status wait_until(L &, const chrono::time_point<C, D> &) {}
  template <class L, class C, class D, class P> bool wait_until(L &, const chrono::time_point<C, D> &, P) {}
};
using condition_variable_any = condition_variable;

enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
template <class T> class atomic {
public:
  atomic() noexcept = default;
  constexpr atomic(T) noexcept {}
  atomic(const atomic &) = delete;
  T operator=(T) noexcept {}
  operator T() const noexcept {}
  T load(memory_order = memory_order_seq_cst) const noexcept {}
  void store(T, memory_order = memory_order_seq_cst) noexcept {}
  T exchange(T, memory_order = memory_order_seq_cst) noexcept {}
  bool compare_exchange_weak(T &, T, memory_order = memory_order_seq_cst) noexcept {}
  bool compare_exchange_weak(T &, T, memory_order, memory_order) noexcept {}
  bool compare_exchange_strong(T &, T, memory_order = memory_order_seq_cst) noexcept {}
  bool compare_exchange_strong(T &, T, memory_order, memory_order) noexcept {}
  T fetch_add(T, memory_order = memory_order_seq_cst) noexcept {}
  T fetch_sub(T, memory_order = memory_order_seq_cst) noexcept {}
  T fetch_or(T, memory_order = memory_order_seq_cst) noexcept {}
  T fetch_and(T, memory_order = memory_order_seq_cst) noexcept {}
  T operator++() noexcept {}
  T operator++(int) noexcept {}
  T operator--() noexcept {}
  T operator--(int) noexcept {}
  T operator+=(T) noexcept {}
  T operator-=(T) noexcept {}
  bool is_lock_free() const noexcept {}
};
using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_int64_t = atomic<int64_t>;
using atomic_uint64_t = atomic<uint64_t>;
using atomic_size_t = atomic<size_t>;
struct atomic_flag {
  bool test_and_set(memory_order = memory_order_seq_cst) noexcept;
  void clear(memory_order = memory_order_seq_cst) noexcept;
};
void atomic_thread_fence(memory_order) noexcept;

enum class future_status { ready, timeout, deferred };
enum class launch { async = 1, deferred = 2 };
template <class T> class shared_future;
template <class T> class future {
public:
  future() noexcept {}
  future(future &&) noexcept {}
  future &operator=(future &&) noexcept {}
  T get() {}
  bool valid() const noexcept {}
  void wait() const {}
  template <class R, class P> future_status wait_for(const chrono::duration<R, P> &) const {}
  shared_future<T> share() noexcept {}
};
template <class T> class shared_future {
public:
  shared_future() noexcept {}
  shared_future(const shared_future &) noexcept {}
  shared_future(future<T> &&) noexcept {}
  shared_future &operator=(const shared_future &) noexcept {}
  add_lvalue_reference_t<const T> get() const {}
  bool valid() const noexcept {}
  void wait() const {}
  template <class R, class P> future_status wait_for(const chrono::duration<R, P> &) const {}
};
template <class T> class promise {
public:
  promise() {}
  promise(promise &&) noexcept {}
  promise &operator=(promise &&) noexcept {}
  future<T> get_future() {}
  template <class U> void set_value(U &&) {}
  void set_value() {}
  void set_exception(exception_ptr) {}
};
template <class> class packaged_task;
template <class R, class... A> class packaged_task<R(A...)> {
public:
  packaged_task() noexcept {}
  template <class F> explicit packaged_task(F &&) {}
  future<R> get_future() {}
  void operator()(A...) {}
};
template <class F, class... A> future<invoke_result_t<F, A...>> async(launch, F &&, A &&...) {}
template <class F, class... A> future<invoke_result_t<F, A...>> async(F &&, A &&...) {}
} // namespace std
