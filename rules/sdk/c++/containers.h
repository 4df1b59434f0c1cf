// Containers. Iterators are pointers to elements: enough for range-for, `it->second` and `*it`.
#pragma once
#pragma GCC system_header
#include "string.h"

namespace std {
template <class T> struct less {
  constexpr bool operator()(const T &, const T &) const { return true; }
};
template <class T> struct greater {
  constexpr bool operator()(const T &, const T &) const { return true; }
};
template <class T> struct equal_to {
  constexpr bool operator()(const T &, const T &) const { return true; }
};
template <class T = void> struct plus {
  template <class U> T operator()(const U &, const U &) const {}
};
template <> struct plus<void> {
  template <class U> U operator()(const U &, const U &) const {}
};
template <class T = void> struct multiplies {
  template <class U> U operator()(const U &, const U &) const {}
};

#define SA_SDK_SEQUENCE(name)                                                                      \
  using value_type = T;                                                                            \
  using size_type = size_t;                                                                        \
  using difference_type = ptrdiff_t;                                                               \
  using reference = T &;                                                                           \
  using const_reference = const T &;                                                               \
  using pointer = T *;                                                                             \
  using iterator = T *;                                                                            \
  using const_iterator = const T *;                                                                \
  name() {}                                                                                        \
  explicit name(size_t) {}                                                                         \
  name(size_t, const T &) {}                                                                       \
  name(initializer_list<T>) {}                                                                     \
  name(const name &) {}                                                                            \
  name(name &&) noexcept {}                                                                        \
  template <class I, class = decltype(*declval<I &>())> name(I, I) {}                              \
  ~name() {}                                                                                       \
  name &operator=(const name &) {}                                                                 \
  name &operator=(name &&) noexcept {}                                                             \
  name &operator=(initializer_list<T>) {}                                                          \
  void assign(size_t, const T &) {}                                                                \
  void assign(initializer_list<T>) {}                                                              \
  template <class I> void assign(I, I) {}                                                          \
  T &front() {}                                                                                    \
  const T &front() const {}                                                                        \
  T &back() {}                                                                                     \
  const T &back() const {}                                                                         \
  T *begin() {}                                                                                    \
  const T *begin() const {}                                                                        \
  T *end() {}                                                                                      \
  const T *end() const {}                                                                          \
  const T *cbegin() const {}                                                                       \
  const T *cend() const {}                                                                         \
  reverse_iterator<T *> rbegin() {}                                                                \
  reverse_iterator<const T *> rbegin() const {}                                                    \
  reverse_iterator<T *> rend() {}                                                                  \
  reverse_iterator<const T *> rend() const {}                                                      \
  bool empty() const noexcept {}                                                                   \
  size_t size() const noexcept {}                                                                  \
  size_t max_size() const noexcept {}                                                              \
  void clear() noexcept {}                                                                         \
  void resize(size_t) {}                                                                           \
  void resize(size_t, const T &) {}                                                                \
  void push_back(const T &) {}                                                                     \
  void push_back(T &&) {}                                                                          \
  template <class... U> T &emplace_back(U &&...) {}                                                \
  void pop_back() {}                                                                               \
  T *insert(const T *, const T &) {}                                                               \
  T *insert(const T *, T &&) {}                                                                    \
  T *insert(const T *, size_t, const T &) {}                                                       \
  T *insert(const T *, initializer_list<T>) {}                                                     \
  template <class I> T *insert(const T *, I, I) {}                                                 \
  template <class... U> T *emplace(const T *, U &&...) {}                                          \
  T *erase(const T *) {}                                                                           \
  T *erase(const T *, const T *) {}                                                                \
  void swap(name &) noexcept {}                                                                    \
  friend bool operator==(const name &, const name &) { return true; }                              \
  friend bool operator!=(const name &, const name &) { return true; }                              \
  friend bool operator<(const name &, const name &) { return true; }

#define SA_SDK_INDEXED                                                                             \
  T &operator[](size_t) {}                                                                         \
  const T &operator[](size_t) const {}                                                             \
  T &at(size_t) {}                                                                                 \
  const T &at(size_t) const {}

#define SA_SDK_FRONT                                                                               \
  void push_front(const T &) {}                                                                    \
  void push_front(T &&) {}                                                                         \
  template <class... U> T &emplace_front(U &&...) {}                                               \
  void pop_front() {}

template <class T, class A = allocator<T>> class vector {
public:
  SA_SDK_SEQUENCE(vector)
  SA_SDK_INDEXED
  T *data() noexcept;
  const T *data() const noexcept {}
  void reserve(size_t) {}
  size_t capacity() const noexcept {}
  void shrink_to_fit() {}
};
template <class I> vector(I, I) -> vector<remove_cvref_t<decltype(*declval<I &>())>>;
template <class T, class A = allocator<T>> class deque {
public:
  SA_SDK_SEQUENCE(deque)
  SA_SDK_INDEXED
  SA_SDK_FRONT
};
template <class T, class A = allocator<T>> class list {
public:
  SA_SDK_SEQUENCE(list)
  SA_SDK_FRONT
  void remove(const T &);
  template <class P> void remove_if(P) {}
  void splice(const T *, list &) {}
  void splice(const T *, list &, const T *) {}
  void reverse() {}
  void sort() {}
};
template <class T, class A = allocator<T>> class forward_list {
public:
  SA_SDK_SEQUENCE(forward_list)
  SA_SDK_FRONT
};
template <class T, size_t N> struct array {
  T sa_sdk_data[N ? N : 1];
  using value_type = T;
  using iterator = T *;
  using const_iterator = const T *;
  constexpr T &operator[](size_t i) { return sa_sdk_data[i]; }
  constexpr const T &operator[](size_t i) const { return sa_sdk_data[i]; }
  constexpr T &at(size_t i) { return sa_sdk_data[i]; }
  constexpr const T &at(size_t i) const { return sa_sdk_data[i]; }
  constexpr T &front() { return sa_sdk_data[0]; }
  constexpr T &back() { return sa_sdk_data[N - 1]; }
  constexpr T *data() noexcept { return sa_sdk_data; }
  constexpr const T *data() const noexcept { return sa_sdk_data; }
  constexpr T *begin() { return sa_sdk_data; }
  constexpr const T *begin() const { return sa_sdk_data; }
  constexpr T *end() { return sa_sdk_data + N; }
  constexpr const T *end() const { return sa_sdk_data + N; }
  constexpr const T *cbegin() const { return sa_sdk_data; }
  constexpr const T *cend() const { return sa_sdk_data + N; }
  constexpr size_t size() const noexcept { return N; }
  constexpr bool empty() const noexcept { return N == 0; }
  void fill(const T &) {}
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <class T, size_t N> struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
template <size_t I, class T, size_t N> struct tuple_element<I, array<T, N>> { using type = T; };
template <size_t I, class T, size_t N> T &get(array<T, N> &) noexcept {}
template <size_t I, class T, size_t N> const T &get(const array<T, N> &) noexcept {}
template <class T, size_t N> bool operator==(const array<T, N> &, const array<T, N> &) {}
template <class T, size_t N> bool operator!=(const array<T, N> &, const array<T, N> &) {}

template <class T, class C = deque<T>> class queue {
public:
  using value_type = T;
  queue() {}
  T &front() {}
  const T &front() const {}
  T &back() {}
  const T &back() const {}
  bool empty() const {}
  size_t size() const {}
  void push(const T &) {}
  void push(T &&) {}
  template <class... U> T &emplace(U &&...) {}
  void pop() {}
  void swap(queue &) {}
};
template <class T, class C = deque<T>> class stack {
public:
  using value_type = T;
  T &top() {}
  const T &top() const {}
  bool empty() const {}
  size_t size() const {}
  void push(const T &) {}
  void push(T &&) {}
  template <class... U> T &emplace(U &&...) {}
  void pop() {}
};
template <class T, class C = vector<T>, class L = less<T>> class priority_queue {
public:
  priority_queue() {}
  explicit priority_queue(const L &) {}
  const T &top() const {}
  bool empty() const {}
  size_t size() const {}
  void push(const T &) {}
  void push(T &&) {}
  template <class... U> void emplace(U &&...) {}
  void pop() {}
};

#define SA_SDK_ASSOCIATIVE(name, key, value)                                                       \
  using key_type = key;                                                                            \
  using value_type = value;                                                                        \
  using size_type = size_t;                                                                        \
  using iterator = value *;                                                                        \
  using const_iterator = const value *;                                                            \
  name() {}                                                                                        \
  template <class F> explicit name(size_t, const F &) {}                                           \
  explicit name(size_t) {}                                                                         \
  name(initializer_list<value>) {}                                                                 \
  name(const name &) {}                                                                            \
  name(name &&) noexcept {}                                                                        \
  template <class I, class = decltype(*declval<I &>())> name(I, I) {}                              \
  ~name() {}                                                                                       \
  name &operator=(const name &) {}                                                                 \
  name &operator=(name &&) noexcept {}                                                             \
  name &operator=(initializer_list<value>) {}                                                      \
  value *begin() {}                                                                                \
  const value *begin() const {}                                                                    \
  value *end() {}                                                                                  \
  const value *end() const {}                                                                      \
  const value *cbegin() const {}                                                                   \
  const value *cend() const {}                                                                     \
  reverse_iterator<value *> rbegin() {}                                                            \
  reverse_iterator<value *> rend() {}                                                              \
  bool empty() const noexcept {}                                                                   \
  size_t size() const noexcept {}                                                                  \
  void clear() noexcept {}                                                                         \
  void reserve(size_t) {}                                                                          \
  size_t bucket_count() const {}                                                                   \
  pair<value *, bool> insert(const value &) {}                                                     \
  pair<value *, bool> insert(value &&) {}                                                          \
  template <class U, class = enable_if_t<__is_constructible(value, U)>>                            \
  pair<value *, bool> insert(U &&) {}                                                              \
  void insert(initializer_list<value>) {}                                                          \
  template <class I, class = decltype(*declval<I &>())> void insert(I, I) {}                       \
  template <class... U> pair<value *, bool> emplace(U &&...) {}                                    \
  template <class... U> value *emplace_hint(const value *, U &&...) {}                             \
  size_t erase(const key &) {}                                                                     \
  value *erase(const value *) {}                                                                   \
  value *erase(const value *, const value *) {}                                                    \
  template <class U> value *find(const U &) {}                                                     \
  template <class U> const value *find(const U &) const {}                                         \
  value *find(const key &) {}                                                                      \
  const value *find(const key &) const {}                                                          \
  size_t count(const key &) const {}                                                               \
  bool contains(const key &) const {}                                                              \
  value *lower_bound(const key &) {}                                                               \
  const value *lower_bound(const key &) const {}                                                   \
  value *upper_bound(const key &) {}                                                               \
  const value *upper_bound(const key &) const {}                                                   \
  pair<value *, value *> equal_range(const key &) {}                                               \
  void swap(name &) noexcept {}                                                                    \
  template <class O> void merge(O &&) {}                                                           \
  friend bool operator==(const name &, const name &) { return true; }                              \
  friend bool operator!=(const name &, const name &) { return true; }

#define SA_SDK_MAPPED                                                                              \
  using mapped_type = V;                                                                           \
  using sa_sdk_item = pair<const K, V>;                                                            \
  V &operator[](const K &) {}                                                                      \
  V &operator[](K &&) {}                                                                           \
  V &at(const K &) {}                                                                              \
  const V &at(const K &) const {}                                                                  \
  template <class... U> pair<sa_sdk_item *, bool> try_emplace(const K &, U &&...) {}               \
  template <class U> pair<sa_sdk_item *, bool> insert_or_assign(const K &, U &&) {}

template <class K, class V, class L = less<K>, class A = allocator<pair<const K, V>>> class map {
public:
  SA_SDK_MAPPED
  SA_SDK_ASSOCIATIVE(map, K, sa_sdk_item)
};
template <class K, class V, class L = less<K>, class A = allocator<pair<const K, V>>> class multimap {
public:
  using sa_sdk_item = pair<const K, V>;
  SA_SDK_ASSOCIATIVE(multimap, K, sa_sdk_item)
};
template <class K, class V, class H = hash<K>, class E = equal_to<K>, class A = allocator<pair<const K, V>>>
class unordered_map {
public:
  SA_SDK_MAPPED
  SA_SDK_ASSOCIATIVE(unordered_map, K, sa_sdk_item)
};
template <class K, class V, class H = hash<K>, class E = equal_to<K>> class unordered_multimap {
public:
  using sa_sdk_item = pair<const K, V>;
  SA_SDK_ASSOCIATIVE(unordered_multimap, K, sa_sdk_item)
};
template <class K, class L = less<K>, class A = allocator<K>> class set {
public:
  using sa_sdk_item = const K;
  using sa_sdk_key = K;
  SA_SDK_ASSOCIATIVE(set, sa_sdk_key, sa_sdk_key)
};
template <class K, class L = less<K>, class A = allocator<K>> class multiset {
public:
  using sa_sdk_key = K;
  SA_SDK_ASSOCIATIVE(multiset, sa_sdk_key, sa_sdk_key)
};
template <class K, class H = hash<K>, class E = equal_to<K>, class A = allocator<K>> class unordered_set {
public:
  using sa_sdk_key = K;
  SA_SDK_ASSOCIATIVE(unordered_set, sa_sdk_key, sa_sdk_key)
};
template <class K, class H = hash<K>, class E = equal_to<K>> class unordered_multiset {
public:
  using sa_sdk_key = K;
  SA_SDK_ASSOCIATIVE(unordered_multiset, sa_sdk_key, sa_sdk_key)
};
template <size_t N> class bitset {
public:
  bitset() {}
  bitset(unsigned long long) {}
  bitset &set() {}
  bitset &set(size_t, bool = true) {}
  bitset &reset() {}
  bitset &reset(size_t) {}
  bool test(size_t) const {}
  bool operator[](size_t) const {}
  size_t count() const {}
  bool any() const {}
  bool none() const {}
  bool all() const {}
};
template <class T, size_t N = size_t(-1)> class span {
public:
  constexpr span() noexcept {}
  template <class C> constexpr span(C &&) {}
  constexpr span(T *, size_t) {}
  T *data() const {}
  size_t size() const {}
  bool empty() const {}
  T &operator[](size_t) const {}
  T &front() const {}
  T &back() const {}
  T *begin() const {}
  T *end() const {}
  span subspan(size_t, size_t = size_t(-1)) const {}
};
template <class T> class valarray;
} // namespace std
