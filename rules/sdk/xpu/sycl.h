// Model of SYCL: queues, events, barriers, unified memory.
#pragma once
#pragma GCC system_header
#include "../c++/std.h"

namespace sycl {
class device {
public:
  bool is_gpu() const;
};
class context {};
class event {
public:
  event();
  void wait();
  void wait_and_throw();
  static void wait(const std::vector<event> &);
  template <class I> int get_info() const {}
};
template <int D = 1> class range {
public:
  range(size_t = 1, size_t = 1, size_t = 1) {}
};
template <int D = 1> class nd_range {
public:
  nd_range(range<D>, range<D>) {}
};
template <int D = 1> class id {
public:
  size_t operator[](int) const {}
  operator size_t() const {}
};
template <int D = 1> class item {
public:
  size_t get_id(int) const {}
};
template <int D = 1> class nd_item {
public:
  size_t get_global_id(int) const {}
  size_t get_local_id(int) const {}
};
class handler {
public:
  void depends_on(event);
  void depends_on(const std::vector<event> &);
  template <class R, class F> void parallel_for(R, F &&) {}
  template <class F> void single_task(F &&) {}
  template <class F> void host_task(F &&) {}
  void memcpy(void *, const void *, size_t);
  void memset(void *, int, size_t);
  void ext_oneapi_barrier();
  void ext_oneapi_barrier(const std::vector<event> &);
};
class queue {
public:
  queue();
  template <class... A> explicit queue(A &&...) {}
  template <class F> event submit(F &&) {}
  void wait();
  void wait_and_throw();
  event memcpy(void *, const void *, size_t);
  event memcpy(void *, const void *, size_t, event);
  event memset(void *, int, size_t);
  template <class T> event fill(void *, const T &, size_t) {}
  template <class T> event copy(const T *, T *, size_t) {}
  template <class R, class F> event parallel_for(R, F &&) {}
  template <class F> event single_task(F &&) {}
  event ext_oneapi_submit_barrier();
  event ext_oneapi_submit_barrier(const std::vector<event> &);
  context get_context() const;
  device get_device() const;
  bool is_in_order() const;
  bool ext_oneapi_empty() const;
};
void *malloc_device(size_t, const queue &);
void *malloc_shared(size_t, const queue &);
void *malloc_host(size_t, const queue &);
template <class T> T *malloc_device(size_t, const queue &) {}
void free(void *, const queue &);
namespace property {
namespace queue {
struct in_order {};
struct enable_profiling {};
} // namespace queue
} // namespace property
class property_list {
public:
  template <class... P> property_list(P...) {}
};
class exception : public std::exception {};
} // namespace sycl
