// Model of pybind11 and of the CPython names that extensions use.
#pragma once
#pragma GCC system_header
#include "aten.h"

typedef struct _object PyObject;
typedef struct _typeobject PyTypeObject;
typedef ssize_t Py_ssize_t;
struct PyMethodDef {
  const char *ml_name;
  PyObject *(*ml_meth)(PyObject *, PyObject *);
  int ml_flags;
  const char *ml_doc;
};
struct PyModuleDef;
extern PyObject _Py_NoneStruct, _Py_TrueStruct, _Py_FalseStruct;
#define Py_None (&_Py_NoneStruct)
#define Py_True (&_Py_TrueStruct)
#define Py_False (&_Py_FalseStruct)
#define Py_RETURN_NONE return Py_None
#define Py_RETURN_TRUE return Py_True
#define Py_RETURN_FALSE return Py_False
#define Py_BEGIN_ALLOW_THREADS {
#define Py_END_ALLOW_THREADS }
#define PyMODINIT_FUNC extern "C" PyObject *
#define METH_VARARGS 1
#define METH_KEYWORDS 2
#define METH_NOARGS 4
#define METH_O 8
#define HANDLE_TH_ERRORS try {
#define END_HANDLE_TH_ERRORS_RET(value)                                                            \
  }                                                                                                \
  catch (...) {                                                                                    \
    return value;                                                                                  \
  }
#define END_HANDLE_TH_ERRORS END_HANDLE_TH_ERRORS_RET(nullptr)
extern "C" {
void Py_INCREF(PyObject *);
void Py_DECREF(PyObject *);
void Py_XDECREF(PyObject *);
int Py_IsInitialized(void);
int PyGILState_Check(void);
PyObject *PyLong_FromLong(long);
long PyLong_AsLong(PyObject *);
void *PyLong_AsVoidPtr(PyObject *);
PyObject *PyTuple_GetItem(PyObject *, Py_ssize_t);
PyObject *PyObject_GetAttrString(PyObject *, const char *);
PyObject *PyErr_Occurred(void);
void PyErr_SetString(PyObject *, const char *);
int PyArg_ParseTuple(PyObject *, const char *, ...);
}
at::Tensor THPVariable_Unpack(PyObject *);
PyObject *THPVariable_Wrap(const at::Tensor &);
bool THPVariable_Check(PyObject *);

namespace pybind11 {
class handle {
public:
  handle();
  handle(PyObject *);
  template <class... A> class object operator()(A &&...) const;
  class object attr(const char *) const;
  PyObject *ptr() const;
  bool is_none() const;
  const handle &inc_ref() const;
  explicit operator bool() const;
  template <class T> T cast() const {}
};
class object : public handle {
public:
  object();
  object(const object &);
  template <class K> object operator[](const K &) const {}
  handle release();
};
class none : public object {};
class str : public object {
public:
  template <class T> str(const T &) {}
  operator std::string() const;
};
class bytes : public object {
public:
  size_t size() const;
  bytes(const char *, size_t);
  bytes(const std::string &);
  operator std::string() const;
};
class bytearray : public object {
public:
  size_t size() const;
  bytearray(const char *, size_t);
  operator std::string() const;
};
class tuple : public object {
public:
  size_t size() const;
};
class list : public object {
public:
  template <class T> void append(T &&) {}
  size_t size() const;
};
class dict : public object {};
class function : public object {};
class args : public tuple {};
class kwargs : public dict {};
class buffer : public object {};
template <class T> class array_t : public object {
public:
  T *data() const {}
};
class gil_scoped_release {
public:
  gil_scoped_release();
};
class gil_scoped_acquire {
public:
  gil_scoped_acquire();
};
template <class... T> struct call_guard {};
template <size_t A, size_t B> struct keep_alive {};
template <class... A> struct init_t {};
template <class... A> init_t<A...> init() {}
template <class F> init_t<F> init(F &&) {}
struct arg {
  arg(const char *);
  template <class T> arg operator=(T &&) const {}
  arg noconvert() const;
};
namespace literals {
arg operator""_a(const char *, size_t);
}
enum class return_value_policy { automatic, copy, move, reference, reference_internal, take_ownership };
template <class R, class... A> auto overload_cast_impl(R (*)(A...)) {}
class module_ : public object {
public:
  template <class... A> module_ &def(const char *, A &&...) {}
  module_ def_submodule(const char *, const char * = nullptr);
  template <class T> void add_object(const char *, T &&) {}
  static module_ import(const char *);
  sa_sdk::any doc();
};
using module = module_;
template <class T, class... O> class class_ : public object {
public:
  template <class... A> class_(A &&...) {}
  template <class... A> class_ &def(A &&...) {}
  template <class... A> class_ &def_static(A &&...) {}
  template <class... A> class_ &def_readwrite(A &&...) {}
  template <class... A> class_ &def_readonly(A &&...) {}
  template <class... A> class_ &def_property(A &&...) {}
  template <class... A> class_ &def_property_readonly(A &&...) {}
};
template <class T> class enum_ : public object {
public:
  template <class... A> enum_(A &&...) {}
  enum_ &value(const char *, T) {}
  enum_ &export_values() {}
};
template <class... A> tuple make_tuple(A &&...) {}
template <class T> object cast(T &&) {}
template <class T> T cast(const handle &) {}
template <class T> T reinterpret_borrow(handle) {}
template <class T> T reinterpret_steal(handle) {}
template <class T> bool isinstance(handle) {}
class error_already_set : public std::exception {};
class type_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
class value_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
struct cpp_function : function {
  template <class... A> cpp_function(A &&...) {}
};
} // namespace pybind11
#define PYBIND11_MODULE(name, variable) void pybind11_init_##name(pybind11::module_ &variable)
#define PYBIND11_OVERRIDE(ret, base, name, ...) return base::name(__VA_ARGS__)
#define PYBIND11_OVERRIDE_PURE(ret, base, name, ...)
#define PYBIND11_MAKE_OPAQUE(...)
#define PYBIND11_DECLARE_HOLDER_TYPE(...)
template <class T, class H = std::shared_ptr<T>> using intrusive_ptr_class_ = pybind11::class_<T, c10::intrusive_ptr<T>>;
template <class T> using shared_ptr_class_ = pybind11::class_<T, std::shared_ptr<T>>;
