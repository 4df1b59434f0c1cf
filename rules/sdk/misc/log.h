// Model of the logging macros that glog, loguru-like and c10 headers share.
#pragma once
#pragma GCC system_header
#include "../c++/std.h"

#ifndef LOG
struct sa_sdk_log {
  template <class T> const sa_sdk_log &operator<<(const T &) const {}
  const sa_sdk_log &operator<<(std::ostream &(*)(std::ostream &)) const;
};
#define LOG(severity) sa_sdk_log()
#define VLOG(level) sa_sdk_log()
#define DLOG(severity) sa_sdk_log()
#define LOG_IF(severity, condition)                                                                \
  if (condition) sa_sdk_log()
#define LOG_EVERY_N(severity, n) sa_sdk_log()
#define LOG_FIRST_N(severity, n) sa_sdk_log()
#define CHECK(condition)                                                                           \
  if (!(condition)) sa_sdk_log()
#define DCHECK(condition) CHECK(condition)
#define CHECK_EQ(a, b) CHECK((a) == (b))
#define CHECK_NE(a, b) CHECK((a) != (b))
#define CHECK_LE(a, b) CHECK((a) <= (b))
#define CHECK_LT(a, b) CHECK((a) < (b))
#define CHECK_GE(a, b) CHECK((a) >= (b))
#define CHECK_GT(a, b) CHECK((a) > (b))
#define CHECK_NOTNULL(p) (p)
#define DCHECK_EQ(a, b) CHECK((a) == (b))
#define DCHECK_GE(a, b) CHECK((a) >= (b))
#define DCHECK_LT(a, b) CHECK((a) < (b))
#endif
