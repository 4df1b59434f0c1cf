// Algorithms, numeric, random.
#pragma once
#pragma GCC system_header
#include "thread.h"

namespace std {
template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T, class L> constexpr const T &min(const T &a, const T &b, L l) { return l(b, a) ? b : a; }
template <class T, class L> constexpr const T &max(const T &a, const T &b, L l) { return l(a, b) ? b : a; }
template <class T> constexpr T min(initializer_list<T> l) { return *l.begin(); }
template <class T> constexpr T max(initializer_list<T> l) { return *l.begin(); }
template <class T> constexpr const T &clamp(const T &v, const T &, const T &) { return v; }
template <class T> pair<const T &, const T &> minmax(const T &, const T &) {}
template <class I> I min_element(I, I) {}
template <class I> I max_element(I, I) {}
template <class I, class L> I min_element(I, I, L) {}
template <class I, class L> I max_element(I, I, L) {}
template <class I> pair<I, I> minmax_element(I, I) {}
template <class I, class F> F for_each(I a, I b, F f) {
  for (; a != b; ++a) f(*a);
  return f;
}
template <class I, class N, class F> I for_each_n(I, N, F) {}
template <class I, class T> I find(I, I, const T &) {}
template <class I, class P> I find_if(I, I, P) {}
template <class I, class P> I find_if_not(I, I, P) {}
template <class I, class J> I search(I, I, J, J) {}
template <class I, class T> ptrdiff_t count(I, I, const T &) {}
template <class I, class P> ptrdiff_t count_if(I, I, P) {}
template <class I, class P> bool all_of(I, I, P) {}
template <class I, class P> bool any_of(I, I, P) {}
template <class I, class P> bool none_of(I, I, P) {}
template <class I, class J> bool equal(I, I, J) {}
template <class I, class J> bool equal(I, I, J, J) {}
template <class I, class J> pair<I, J> mismatch(I, I, J) {}
template <class I, class J> bool lexicographical_compare(I, I, J, J) {}
template <class I, class O> O copy(I, I, O) {}
template <class I, class N, class O> O copy_n(I, N, O) {}
template <class I, class O, class P> O copy_if(I, I, O, P) {}
template <class I, class O> O copy_backward(I, I, O) {}
template <class I, class O> O move(I, I, O) {}
template <class I, class O, class F> O transform(I a, I b, O o, F f) {
  for (; a != b; ++a) *o++ = f(*a);
  return o;
}
template <class I, class J, class O, class F> O transform(I, I, J, O, F) {}
template <class I, class T> void fill(I, I, const T &) {}
template <class I, class N, class T> I fill_n(I, N, const T &) {}
template <class I, class F> void generate(I, I, F) {}
template <class I, class N, class F> I generate_n(I, N, F) {}
template <class I, class T> I remove(I, I, const T &) {}
template <class I, class P> I remove_if(I, I, P) {}
template <class I, class T> void replace(I, I, const T &, const T &) {}
template <class I> I unique(I, I) {}
template <class I, class P> I unique(I, I, P) {}
template <class I> void reverse(I, I) {}
template <class I> I rotate(I, I, I) {}
template <class I> void sort(I, I) {}
template <class I, class L> void sort(I, I, L) {}
template <class I> void stable_sort(I, I) {}
template <class I, class L> void stable_sort(I, I, L) {}
template <class I> void partial_sort(I, I, I) {}
template <class I> void nth_element(I, I, I) {}
template <class I> bool is_sorted(I, I) {}
template <class I, class T> I lower_bound(I, I, const T &) {}
template <class I, class T, class L> I lower_bound(I, I, const T &, L) {}
template <class I, class T> I upper_bound(I, I, const T &) {}
template <class I, class T, class L> I upper_bound(I, I, const T &, L) {}
template <class I, class T> bool binary_search(I, I, const T &) {}
template <class I, class P> I partition(I, I, P) {}
template <class I> void swap_ranges(I, I, I) {}
template <class I, class G> void shuffle(I, I, G &&) {}
template <class I, class J, class O> O set_difference(I, I, J, J, O) {}
template <class I, class J, class O> O set_intersection(I, I, J, J, O) {}
template <class I, class J, class O> O merge(I, I, J, J, O) {}
template <class I> void push_heap(I, I) {}
template <class I> void pop_heap(I, I) {}
template <class C, class P> size_t erase_if(C &, P) {}
template <class I, class T> T accumulate(I, I, T) {}
template <class I, class T, class F> T accumulate(I, I, T, F) {}
template <class I, class T> T reduce(I, I, T) {}
template <class I, class J, class T> T inner_product(I, I, J, T) {}
template <class I, class O> O partial_sum(I, I, O) {}
template <class I, class O> O exclusive_scan(I, I, O) {}
template <class I, class T> void iota(I, I, T) {}
template <class T> constexpr T gcd(T a, T b) { return b == 0 ? a : gcd(b, T(a % b)); }
template <class T> constexpr T lcm(T a, T b) { return a / gcd(a, b) * b; }
template <class T> constexpr int popcount(T) { return 0; }
template <class T> constexpr T bit_ceil(T x) { return x; }
template <class T, class U> constexpr T bit_cast(const U &) { return T(); }
class mt19937 {
public:
  explicit mt19937(unsigned long = 0);
  unsigned long operator()();
  void seed(unsigned long);
};
using mt19937_64 = mt19937;
using default_random_engine = mt19937;
class random_device {
public:
  unsigned operator()();
};
template <class T> class uniform_int_distribution {
public:
  explicit uniform_int_distribution(T = 0, T = 0) {}
  template <class G> T operator()(G &) {}
};
template <class T = double> class uniform_real_distribution {
public:
  explicit uniform_real_distribution(T = 0, T = 1) {}
  template <class G> T operator()(G &) {}
};
template <class T = double> class normal_distribution {
public:
  explicit normal_distribution(T = 0, T = 1) {}
  template <class G> T operator()(G &) {}
};
template <class T> class complex {
public:
  complex(T = T(), T = T()) {}
  T real() const {}
  T imag() const {}
};
} // namespace std
