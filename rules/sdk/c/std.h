/* Model of the C standard library: declarations only, enough to parse code that uses them. */
#ifndef SA_SDK_C_STD_H
#define SA_SDK_C_STD_H
#pragma GCC system_header

#ifdef __cplusplus
#define SA_SDK_C_BEGIN extern "C" {
#define SA_SDK_C_END }
#else
#define SA_SDK_C_BEGIN
#define SA_SDK_C_END
#endif

SA_SDK_C_BEGIN

/* stddef.h, stdint.h, stdarg.h */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long ssize_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT8_TYPE__ int_least8_t, int_fast8_t;
typedef __INT16_TYPE__ int_least16_t, int_fast16_t;
typedef __INT32_TYPE__ int_least32_t, int_fast32_t;
typedef __INT64_TYPE__ int_least64_t, int_fast64_t;
typedef __UINT8_TYPE__ uint_least8_t, uint_fast8_t;
typedef __UINT16_TYPE__ uint_least16_t, uint_fast16_t;
typedef __UINT32_TYPE__ uint_least32_t, uint_fast32_t;
typedef __UINT64_TYPE__ uint_least64_t, uint_fast64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
#ifdef __cplusplus
typedef decltype(nullptr) sa_sdk_nullptr_t;
#else
typedef __WCHAR_TYPE__ wchar_t;
#endif
typedef __WINT_TYPE__ wint_t;
typedef struct {
  long long sa_sdk_a;
  long double sa_sdk_b;
} max_align_t;
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define offsetof(type, member) __builtin_offsetof(type, member)
#undef NULL
#ifdef __cplusplus
#define NULL __null
#else
#define NULL ((void *)0)
#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
#define static_assert _Static_assert
#define noreturn _Noreturn
#define alignas _Alignas
#define alignof _Alignof
#define thread_local _Thread_local
#endif

#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define SIZE_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define INT32_C(x) x
#define UINT32_C(x) x##U

/* limits.h, float.h */
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN INT32_MIN
#define INT_MAX INT32_MAX
#define UINT_MAX UINT32_MAX
#define LONG_MIN INT64_MIN
#define LONG_MAX INT64_MAX
#define ULONG_MAX UINT64_MAX
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define PATH_MAX 4096
#define NAME_MAX 255
#define HOST_NAME_MAX 64
#define FLT_MAX 3.40282347e+38F
#define FLT_MIN 1.17549435e-38F
#define FLT_EPSILON 1.1920929e-07F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16

/* inttypes.h */
#define PRId8 "hhd"
#define PRId16 "hd"
#define PRId32 "d"
#define PRId64 "ld"
#define PRIi64 "li"
#define PRIu8 "hhu"
#define PRIu16 "hu"
#define PRIu32 "u"
#define PRIu64 "lu"
#define PRIx32 "x"
#define PRIx64 "lx"
#define PRIX64 "lX"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#define SCNd64 "ld"
#define SCNu64 "lu"

/* assert.h, errno.h */
void sa_sdk_assert_failed(const char *);
#define assert(condition) ((condition) ? (void)0 : sa_sdk_assert_failed(#condition))
int *__errno_location(void);
#define errno (*__errno_location())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define ENOSYS 38
#define ETIMEDOUT 110
#define ECONNREFUSED 111
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 115

/* stdio.h */
typedef struct sa_sdk_file FILE;
typedef long fpos_t;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int vprintf(const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
FILE *fopen(const char *, const char *);
FILE *freopen(const char *, const char *, FILE *);
FILE *fdopen(int, const char *);
FILE *tmpfile(void);
FILE *popen(const char *, const char *);
int pclose(FILE *);
int fclose(FILE *);
int fflush(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
int feof(FILE *);
int ferror(FILE *);
int fileno(FILE *);
int fgetc(FILE *);
int getc(FILE *);
int getchar(void);
int ungetc(int, FILE *);
char *fgets(char *, int, FILE *);
int fputc(int, FILE *);
int putc(int, FILE *);
int putchar(int);
int fputs(const char *, FILE *);
int puts(const char *);
void perror(const char *);
int remove(const char *);
int rename(const char *, const char *);
int setvbuf(FILE *, char *, int, size_t);

/* stdlib.h */
typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void free(void *);
void abort(void) __attribute__((__noreturn__));
void exit(int) __attribute__((__noreturn__));
void _Exit(int) __attribute__((__noreturn__));
int atexit(void (*)(void));
char *getenv(const char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int system(const char *);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
int rand(void);
void srand(unsigned);
long random(void);
int abs(int);
long labs(long);
long long llabs(long long);
div_t div(int, int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int mkstemp(char *);
char *mkdtemp(char *);
char *realpath(const char *, char *);

/* string.h, strings.h */
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
#ifdef __cplusplus
}
const void *memchr(const void *, int, size_t);
void *memchr(void *, int, size_t);
const char *strchr(const char *, int);
char *strchr(char *, int);
const char *strrchr(const char *, int);
char *strrchr(char *, int);
const char *strstr(const char *, const char *);
char *strstr(char *, const char *);
const char *strpbrk(const char *, const char *);
extern "C" {
#else
void *memchr(const void *, int, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strpbrk(const char *, const char *);
#endif
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
char *strdup(const char *);
char *strndup(const char *, size_t);
char *strerror(int);

/* ctype.h */
int isalnum(int);
int isalpha(int);
int iscntrl(int);
int isdigit(int);
int isgraph(int);
int islower(int);
int isprint(int);
int ispunct(int);
int isspace(int);
int isupper(int);
int isxdigit(int);
int tolower(int);
int toupper(int);

/* math.h */
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#ifndef __cplusplus
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#endif
#define SA_SDK_MATH1(name)                                                                         \
  double name(double);                                                                             \
  float name##f(float);
#define SA_SDK_MATH2(name)                                                                         \
  double name(double, double);                                                                     \
  float name##f(float, float);
SA_SDK_MATH1(sin) SA_SDK_MATH1(cos) SA_SDK_MATH1(tan) SA_SDK_MATH1(asin) SA_SDK_MATH1(acos)
SA_SDK_MATH1(atan) SA_SDK_MATH1(sinh) SA_SDK_MATH1(cosh) SA_SDK_MATH1(tanh) SA_SDK_MATH1(asinh)
SA_SDK_MATH1(acosh) SA_SDK_MATH1(atanh) SA_SDK_MATH1(exp) SA_SDK_MATH1(exp2) SA_SDK_MATH1(expm1)
SA_SDK_MATH1(log) SA_SDK_MATH1(log2) SA_SDK_MATH1(log10) SA_SDK_MATH1(log1p) SA_SDK_MATH1(sqrt)
SA_SDK_MATH1(cbrt) SA_SDK_MATH1(fabs) SA_SDK_MATH1(ceil) SA_SDK_MATH1(floor) SA_SDK_MATH1(trunc)
SA_SDK_MATH1(round) SA_SDK_MATH1(rint) SA_SDK_MATH1(nearbyint) SA_SDK_MATH1(erf)
SA_SDK_MATH1(erfc) SA_SDK_MATH1(tgamma) SA_SDK_MATH1(lgamma)
SA_SDK_MATH2(pow) SA_SDK_MATH2(fmod) SA_SDK_MATH2(atan2) SA_SDK_MATH2(fmax) SA_SDK_MATH2(fmin)
SA_SDK_MATH2(hypot) SA_SDK_MATH2(copysign) SA_SDK_MATH2(remainder) SA_SDK_MATH2(fdim)
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
double frexp(double, int *);
double modf(double, double *);
long lround(double);
long lrint(double);
long long llround(double);

/* time.h */
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
time_t time(time_t *);
clock_t clock(void);
double difftime(time_t, time_t);
struct tm *localtime(const time_t *);
struct tm *localtime_r(const time_t *, struct tm *);
struct tm *gmtime(const time_t *);
struct tm *gmtime_r(const time_t *, struct tm *);
time_t mktime(struct tm *);
char *ctime(const time_t *);
size_t strftime(char *, size_t, const char *, const struct tm *);
int clock_gettime(clockid_t, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);
int timespec_get(struct timespec *, int);

/* signal.h, setjmp.h, locale.h */
typedef int sig_atomic_t;
typedef void (*sa_sdk_signal)(int);
#define SIGINT 2
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGTERM 15
#define SIG_DFL ((sa_sdk_signal)0)
#define SIG_IGN ((sa_sdk_signal)1)
sa_sdk_signal signal(int, sa_sdk_signal);
int raise(int);
typedef long jmp_buf[32];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int) __attribute__((__noreturn__));
char *setlocale(int, const char *);

/* stdatomic.h (C), threads.h */
#ifndef __cplusplus
typedef enum {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
} memory_order;
typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(size_t) atomic_size_t;
typedef _Atomic(uint64_t) atomic_uint_fast64_t;
typedef struct {
  atomic_bool value;
} atomic_flag;
#define ATOMIC_FLAG_INIT {0}
#define atomic_init(object, value) __c11_atomic_init(object, value)
#define atomic_load(object) __c11_atomic_load(object, 5)
#define atomic_load_explicit(object, order) __c11_atomic_load(object, order)
#define atomic_store(object, value) __c11_atomic_store(object, value, 5)
#define atomic_store_explicit(object, value, order) __c11_atomic_store(object, value, order)
#define atomic_exchange(object, value) __c11_atomic_exchange(object, value, 5)
#define atomic_fetch_add(object, value) __c11_atomic_fetch_add(object, value, 5)
#define atomic_fetch_sub(object, value) __c11_atomic_fetch_sub(object, value, 5)
#define atomic_compare_exchange_strong(object, old, value)                                         \
  __c11_atomic_compare_exchange_strong(object, old, value, 5, 5)
#define atomic_compare_exchange_weak(object, old, value)                                           \
  __c11_atomic_compare_exchange_weak(object, old, value, 5, 5)
typedef unsigned long thrd_t;
typedef struct {
  long value[5];
} mtx_t;
typedef int (*thrd_start_t)(void *);
int thrd_create(thrd_t *, thrd_start_t, void *);
int thrd_join(thrd_t, int *);
int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *);
int mtx_unlock(mtx_t *);
void mtx_destroy(mtx_t *);
#endif

SA_SDK_C_END

#endif
