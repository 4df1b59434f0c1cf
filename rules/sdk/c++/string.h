// Strings, string views, hashes, streams and formatting.
#pragma once
#pragma GCC system_header
#include "base.h"

namespace std {
template <class T> class allocator {
public:
  using value_type = T;
  template <class U> struct rebind { using other = allocator<U>; };
  allocator() noexcept {}
  template <class U> allocator(const allocator<U> &) noexcept {}
  T *allocate(size_t) {}
  void deallocate(T *, size_t) {}
};
template <class A> struct allocator_traits { using value_type = typename A::value_type; };
template <class T> struct hash {
  size_t operator()(const T &) const noexcept {}
};
template <class C> struct char_traits {
  static size_t length(const C *) {}
};
template <class C, class T = char_traits<C>> class basic_string_view;
template <class C, class T = char_traits<C>, class A = allocator<C>> class basic_string {
public:
  using value_type = C;
  using size_type = size_t;
  using iterator = C *;
  using const_iterator = const C *;
  static constexpr size_t npos = size_t(-1);
  basic_string() noexcept {}
  basic_string(const C *) {}
  basic_string(const C *, size_t) {}
  basic_string(size_t, C) {}
  basic_string(const basic_string &) {}
  basic_string(basic_string &&) noexcept {}
  basic_string(const basic_string &, size_t, size_t = npos) {}
  basic_string(initializer_list<C>) {}
  explicit basic_string(basic_string_view<C, T>) {}
  template <class I, class = decltype(*declval<I &>())> basic_string(I, I) {}
  ~basic_string() {}
  basic_string &operator=(const basic_string &) {}
  basic_string &operator=(basic_string &&) noexcept {}
  basic_string &operator=(const C *) {}
  basic_string &operator=(C) {}
  basic_string &operator=(basic_string_view<C, T>) {}
  basic_string &operator+=(const basic_string &) {}
  basic_string &operator+=(const C *) {}
  basic_string &operator+=(C) {}
  basic_string &operator+=(basic_string_view<C, T>) {}
  operator basic_string_view<C, T>() const noexcept {}
  C &operator[](size_t) {}
  const C &operator[](size_t) const {}
  C &at(size_t) {}
  const C &at(size_t) const {}
  C &front() {}
  C &back() {}
  const C &front() const {}
  const C &back() const {}
  const C *c_str() const noexcept {}
  C *data() noexcept {}
  const C *data() const noexcept {}
  size_t size() const noexcept {}
  size_t length() const noexcept {}
  size_t capacity() const noexcept {}
  bool empty() const noexcept {}
  void clear() noexcept {}
  void reserve(size_t) {}
  void resize(size_t) {}
  void resize(size_t, C) {}
  void shrink_to_fit() {}
  void push_back(C) {}
  void pop_back() {}
  void swap(basic_string &) {}
  basic_string &append(const basic_string &) {}
  basic_string &append(const C *) {}
  basic_string &append(const C *, size_t) {}
  basic_string &append(size_t, C) {}
  template <class I> basic_string &append(I, I) {}
  basic_string &assign(const basic_string &) {}
  basic_string &assign(const C *, size_t = npos) {}
  basic_string &insert(size_t, const basic_string &) {}
  iterator insert(const_iterator, C) {}
  basic_string &erase(size_t = 0, size_t = npos) {}
  iterator erase(const_iterator) {}
  iterator erase(const_iterator, const_iterator) {}
  basic_string &replace(size_t, size_t, const basic_string &) {}
  size_t find(const basic_string &, size_t = 0) const noexcept {}
  size_t find(const C *, size_t = 0) const noexcept {}
  size_t find(C, size_t = 0) const noexcept {}
  size_t rfind(const basic_string &, size_t = npos) const noexcept {}
  size_t rfind(const C *, size_t = npos) const noexcept {}
  size_t rfind(C, size_t = npos) const noexcept {}
  size_t find_first_of(const C *, size_t = 0) const noexcept {}
  size_t find_first_of(C, size_t = 0) const noexcept {}
  size_t find_last_of(const C *, size_t = npos) const noexcept {}
  size_t find_last_of(C, size_t = npos) const noexcept {}
  size_t find_first_not_of(const C *, size_t = 0) const noexcept {}
  size_t find_last_not_of(const C *, size_t = npos) const noexcept {}
  basic_string substr(size_t = 0, size_t = npos) const {}
  int compare(const basic_string &) const noexcept {}
  int compare(size_t, size_t, const basic_string &) const noexcept {}
  bool starts_with(basic_string_view<C, T>) const noexcept {}
  bool ends_with(basic_string_view<C, T>) const noexcept {}
  iterator begin() {}
  iterator end() {}
  const_iterator begin() const {}
  const_iterator end() const {}
  const_iterator cbegin() const {}
  const_iterator cend() const {}
  reverse_iterator<iterator> rbegin() {}
  reverse_iterator<iterator> rend() {}
};
using string = basic_string<char>;
using wstring = basic_string<wchar_t>;
template <class C, class T> class basic_string_view {
public:
  static constexpr size_t npos = size_t(-1);
  using const_iterator = const C *;
  constexpr basic_string_view() noexcept {}
  constexpr basic_string_view(const C *) noexcept {}
  constexpr basic_string_view(const C *, size_t) noexcept {}
  constexpr const C *data() const noexcept { return nullptr; }
  constexpr size_t size() const noexcept { return 0; }
  constexpr size_t length() const noexcept { return 0; }
  constexpr bool empty() const noexcept { return true; }
  const C &operator[](size_t) const {}
  const C &front() const {}
  const C &back() const {}
  constexpr basic_string_view substr(size_t = 0, size_t = npos) const { return {}; }
  constexpr size_t find(basic_string_view, size_t = 0) const noexcept { return 0; }
  constexpr size_t find(C, size_t = 0) const noexcept { return 0; }
  constexpr size_t rfind(basic_string_view, size_t = npos) const noexcept { return 0; }
  constexpr size_t rfind(C, size_t = npos) const noexcept { return 0; }
  constexpr void remove_prefix(size_t) {}
  constexpr void remove_suffix(size_t) {}
  constexpr int compare(basic_string_view) const noexcept { return 0; }
  constexpr bool starts_with(basic_string_view) const noexcept { return true; }
  constexpr bool ends_with(basic_string_view) const noexcept { return true; }
  const C *begin() const {}
  const C *end() const {}
};
using string_view = basic_string_view<char>;
#define SA_SDK_STRING_COMPARE(op)                                                                  \
  bool operator op(const string &, const string &) noexcept;                                       \
  bool operator op(const string &, const char *) noexcept;                                         \
  bool operator op(const char *, const string &) noexcept;                                         \
  bool operator op(string_view, string_view) noexcept;                                             \
  bool operator op(const string &, string_view) noexcept;                                          \
  bool operator op(string_view, const char *) noexcept;
SA_SDK_STRING_COMPARE(==)
SA_SDK_STRING_COMPARE(!=)
SA_SDK_STRING_COMPARE(<)
SA_SDK_STRING_COMPARE(>)
SA_SDK_STRING_COMPARE(<=)
SA_SDK_STRING_COMPARE(>=)
#undef SA_SDK_STRING_COMPARE
string operator+(const string &, const string &);
string operator+(const string &, const char *);
string operator+(const char *, const string &);
string operator+(const string &, char);
string operator+(char, const string &);
string to_string(int);
string to_string(unsigned);
string to_string(long);
string to_string(unsigned long);
string to_string(long long);
string to_string(unsigned long long);
string to_string(float);
string to_string(double);
int stoi(const string &, size_t * = nullptr, int = 10);
long stol(const string &, size_t * = nullptr, int = 10);
long long stoll(const string &, size_t * = nullptr, int = 10);
unsigned long stoul(const string &, size_t * = nullptr, int = 10);
unsigned long long stoull(const string &, size_t * = nullptr, int = 10);
float stof(const string &, size_t * = nullptr);
double stod(const string &, size_t * = nullptr);
inline namespace literals {
inline namespace string_literals {
string operator""s(const char *, size_t);
}
inline namespace string_view_literals {
constexpr string_view operator""sv(const char *, size_t) { return {}; }
}
} // namespace literals

#define SA_SDK_ERROR(name, base)                                                                   \
  class name : public base {                                                                       \
  public:                                                                                          \
    explicit name(const string &);                                                                 \
    explicit name(const char *);                                                                   \
  };
SA_SDK_ERROR(logic_error, exception)
SA_SDK_ERROR(runtime_error, exception)
SA_SDK_ERROR(invalid_argument, logic_error)
SA_SDK_ERROR(domain_error, logic_error)
SA_SDK_ERROR(length_error, logic_error)
SA_SDK_ERROR(out_of_range, logic_error)
SA_SDK_ERROR(range_error, runtime_error)
SA_SDK_ERROR(overflow_error, runtime_error)
SA_SDK_ERROR(underflow_error, runtime_error)
#undef SA_SDK_ERROR
enum class errc { invalid_argument = 22, timed_out = 110, result_out_of_range = 34 };
class error_category;
class error_code {
public:
  error_code() noexcept;
  error_code(int, const error_category &) noexcept;
  int value() const noexcept;
  string message() const;
  explicit operator bool() const noexcept;
  bool operator==(errc) const;
};
const error_category &generic_category() noexcept;
const error_category &system_category() noexcept;
class system_error : public runtime_error {
public:
  system_error(error_code, const string &);
  system_error(int, const error_category &, const string &);
  const error_code &code() const noexcept;
};

// streams
using streamsize = long;
using streamoff = long;
using streampos = long;
class ios_base {
public:
  using fmtflags = int;
  using openmode = int;
  static constexpr int in = 1, out = 2, ate = 4, app = 8, trunc = 16, binary = 32;
  static constexpr int beg = 0, cur = 1, end = 2;
  static constexpr int hex = 1, dec = 2, oct = 4, fixed = 8;
  static bool sync_with_stdio(bool);
  fmtflags flags() const;
  streamsize precision(streamsize);
  streamsize width(streamsize);
};
class ios : public ios_base {
public:
  bool good() const;
  bool eof() const;
  bool fail() const;
  bool bad() const;
  void clear(int = 0);
  bool operator!() const;
  explicit operator bool() const;
  void exceptions(int);
};
struct sa_sdk_manipulator {};
class streambuf {};
class ostream : virtual public ios {
public:
  explicit ostream(streambuf *);
  virtual ~ostream();
  ostream &operator<<(bool);
  ostream &operator<<(short);
  ostream &operator<<(unsigned short);
  ostream &operator<<(int);
  ostream &operator<<(unsigned);
  ostream &operator<<(long);
  ostream &operator<<(unsigned long);
  ostream &operator<<(long long);
  ostream &operator<<(unsigned long long);
  ostream &operator<<(float);
  ostream &operator<<(double);
  ostream &operator<<(long double);
  ostream &operator<<(const void *);
  ostream &operator<<(nullptr_t);
  ostream &operator<<(ostream &(*)(ostream &));
  ostream &operator<<(ios_base &(*)(ios_base &));
  ostream &operator<<(sa_sdk_manipulator);
  ostream &operator<<(streambuf *);
  ostream &put(char);
  ostream &write(const char *, streamsize);
  ostream &flush();
  ostream &seekp(streamoff, int = 0);
  streampos tellp();
};
ostream &operator<<(ostream &, char);
ostream &operator<<(ostream &, signed char);
ostream &operator<<(ostream &, unsigned char);
ostream &operator<<(ostream &, const char *);
ostream &operator<<(ostream &, const string &);
ostream &operator<<(ostream &, string_view);
ostream &operator<<(ostream &, const error_code &);
class istream : virtual public ios {
public:
  explicit istream(streambuf *);
  virtual ~istream();
  template <class T> istream &operator>>(T &) {}
  istream &operator>>(ios_base &(*)(ios_base &));
  istream &read(char *, streamsize);
  istream &get(char &);
  int get();
  int peek();
  istream &ignore(streamsize = 1, int = -1);
  istream &seekg(streamoff, int = 0);
  streampos tellg();
  streamsize gcount() const;
};
istream &getline(istream &, string &);
istream &getline(istream &, string &, char);
class iostream : public istream, public ostream {
public:
  explicit iostream(streambuf *);
};
extern ostream cout, cerr, clog;
extern istream cin;
ostream &endl(ostream &);
ostream &flush(ostream &);
ostream &ends(ostream &);
ios_base &hex(ios_base &);
ios_base &dec(ios_base &);
ios_base &oct(ios_base &);
ios_base &fixed(ios_base &);
ios_base &scientific(ios_base &);
ios_base &boolalpha(ios_base &);
ios_base &left(ios_base &);
ios_base &right(ios_base &);
ios_base &showbase(ios_base &);
sa_sdk_manipulator setw(int);
sa_sdk_manipulator setprecision(int);
sa_sdk_manipulator setfill(char);
template <class T> sa_sdk_manipulator put_time(const T *, const char *) {}
template <class T> sa_sdk_manipulator quoted(const T &) {}
class stringstream : public iostream {
public:
  stringstream();
  explicit stringstream(const string &, int = 3);
  string str() const;
  void str(const string &);
};
class ostringstream : public ostream {
public:
  ostringstream();
  explicit ostringstream(const string &);
  string str() const;
  void str(const string &);
};
class istringstream : public istream {
public:
  istringstream();
  explicit istringstream(const string &);
  string str() const;
};
class fstream : public iostream {
public:
  fstream();
  explicit fstream(const string &, int = 3);
  void open(const string &, int = 3);
  bool is_open() const;
  void close();
};
class ofstream : public ostream {
public:
  ofstream();
  explicit ofstream(const string &, int = 2);
  void open(const string &, int = 2);
  bool is_open() const;
  void close();
};
class ifstream : public istream {
public:
  ifstream();
  explicit ifstream(const string &, int = 1);
  void open(const string &, int = 1);
  bool is_open() const;
  void close();
};
template <class... A> string format(string_view, A &&...) {}
class regex {
public:
  regex();
  explicit regex(const string &);
};
class smatch {
public:
  struct item {
    bool matched;
    string str() const;
    operator string() const;
  };
  item operator[](size_t) const;
  size_t size() const;
};
bool regex_match(const string &, const regex &);
bool regex_match(const string &, smatch &, const regex &);
bool regex_search(const string &, smatch &, const regex &);
bool regex_search(const string &, const regex &);
string regex_replace(const string &, const regex &, const string &);
namespace filesystem {
class path {
public:
  path();
  path(const char *);
  path(const string &);
  path operator/(const path &) const;
  path &operator/=(const path &);
  const char *c_str() const;
  std::string string() const;
  path parent_path() const;
  path filename() const;
  path extension() const;
  path stem() const;
  bool empty() const;
};
bool exists(const path &);
bool is_directory(const path &);
bool is_regular_file(const path &);
bool create_directories(const path &);
bool create_directory(const path &);
bool remove(const path &);
unsigned long remove_all(const path &);
path temp_directory_path();
path current_path();
size_t file_size(const path &);
class directory_entry {
public:
  const filesystem::path &path() const;
};
class directory_iterator {
public:
  explicit directory_iterator(const path &);
  const directory_entry *begin() const;
  const directory_entry *end() const;
};
} // namespace filesystem
} // namespace std
