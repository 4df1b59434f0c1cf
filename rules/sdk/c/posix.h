/* Model of the POSIX headers that GPU code includes: declarations only. */
#ifndef SA_SDK_C_POSIX_H
#define SA_SDK_C_POSIX_H
#pragma GCC system_header

#include "std.h"

SA_SDK_C_BEGIN

typedef int pid_t;
typedef unsigned uid_t, gid_t, mode_t, socklen_t;
typedef long off_t, suseconds_t;
typedef unsigned long dev_t, ino_t, nlink_t, rlim_t;
typedef unsigned short sa_family_t, in_port_t;
typedef unsigned in_addr_t;
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
int gettimeofday(struct timeval *, void *);

/* unistd.h, fcntl.h */
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_CLOEXEC 02000000
#define S_IRUSR 0400
#define S_IWUSR 0200
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_ONLN 84
#define F_OK 0
int open(const char *, int, ...);
int creat(const char *, mode_t);
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
int fsync(int);
int unlink(const char *);
int access(const char *, int);
int dup(int);
int dup2(int, int);
int pipe(int[2]);
int fcntl(int, int, ...);
int ioctl(int, unsigned long, ...);
pid_t fork(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
uid_t getuid(void);
int execvp(const char *, char *const[]);
pid_t waitpid(pid_t, int *, int);
int kill(pid_t, int);
unsigned sleep(unsigned);
int usleep(unsigned);
long sysconf(int);
long syscall(long, ...);
int gethostname(char *, size_t);
char *getcwd(char *, size_t);
ssize_t readlink(const char *, char *, size_t);
int getpagesize(void);
int isatty(int);
void _exit(int) __attribute__((__noreturn__));

/* sys/stat.h, dirent.h */
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  mode_t st_mode;
  off_t st_size;
  time_t st_mtime;
};
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int mkdir(const char *, mode_t);
int chmod(const char *, mode_t);
#define S_ISDIR(mode) (((mode) & 0170000) == 0040000)
#define S_ISREG(mode) (((mode) & 0170000) == 0100000)
typedef struct sa_sdk_dir DIR;
struct dirent {
  ino_t d_ino;
  char d_name[256];
};
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);

/* sys/mman.h */
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void *)-1)
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int mlock(const void *, size_t);
int madvise(void *, size_t, int);
int shm_open(const char *, int, mode_t);
int shm_unlink(const char *);

/* sys/socket.h, netdb.h, arpa/inet.h */
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define SOCK_STREAM 1
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define INADDR_ANY ((in_addr_t)0)
#define NI_MAXHOST 1025
#define NI_NUMERICHOST 1
struct in_addr {
  in_addr_t s_addr;
};
struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_in {
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
};
struct sockaddr_un {
  sa_family_t sun_family;
  char sun_path[108];
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char ss_data[126];
};
struct addrinfo {
  int ai_flags, ai_family, ai_socktype, ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr *ai_addr;
  char *ai_canonname;
  struct addrinfo *ai_next;
};
struct ifaddrs {
  struct ifaddrs *ifa_next;
  char *ifa_name;
  unsigned ifa_flags;
  struct sockaddr *ifa_addr;
};
struct pollfd {
  int fd;
  short events, revents;
};
int socket(int, int, int);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *, socklen_t *);
int connect(int, const struct sockaddr *, socklen_t);
ssize_t send(int, const void *, size_t, int);
ssize_t recv(int, void *, size_t, int);
int setsockopt(int, int, int, const void *, socklen_t);
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
void freeaddrinfo(struct addrinfo *);
int getnameinfo(const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int);
const char *gai_strerror(int);
int getifaddrs(struct ifaddrs **);
void freeifaddrs(struct ifaddrs *);
int poll(struct pollfd *, unsigned long, int);
const char *inet_ntop(int, const void *, char *, socklen_t);
int inet_pton(int, const char *, void *);
char *inet_ntoa(struct in_addr);
uint16_t htons(uint16_t);
uint16_t ntohs(uint16_t);
uint32_t htonl(uint32_t);
uint32_t ntohl(uint32_t);

/* pthread.h, semaphore.h, sched.h */
typedef unsigned long pthread_t;
typedef struct {
  long value[7];
} pthread_attr_t;
typedef struct {
  long value[5];
} pthread_mutex_t;
typedef struct {
  long value[6];
} pthread_cond_t;
typedef struct {
  long value[7];
} pthread_rwlock_t;
typedef struct {
  long value[1];
} pthread_mutexattr_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t;
typedef struct {
  long value[4];
} sem_t;
typedef struct {
  unsigned long bits[16];
} cpu_set_t;
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define PTHREAD_ONCE_INIT 0
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
int pthread_setname_np(pthread_t, const char *);
int pthread_setaffinity_np(pthread_t, size_t, const cpu_set_t *);
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
int pthread_once(pthread_once_t *, void (*)(void));
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const void *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_key_create(pthread_key_t *, void (*)(void *));
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
int sem_destroy(sem_t *);
int sched_yield(void);
int sched_setaffinity(pid_t, size_t, const cpu_set_t *);
int sched_getcpu(void);

/* dlfcn.h, sys/resource.h, getopt.h, execinfo.h, sys/syscall.h */
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 256
#define RTLD_LOCAL 0
#define RTLD_NOLOAD 4
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT ((void *)-1)
typedef struct {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;
void *dlopen(const char *, int);
void *dlsym(void *, const char *);
int dlclose(void *);
char *dlerror(void);
int dladdr(const void *, Dl_info *);
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);
int getopt_long(int, char *const[], const char *, const struct option *, int *);
int backtrace(void **, int);
char **backtrace_symbols(void *const *, int);
#define SYS_gettid 186
#define SYS_mbind 237

SA_SDK_C_END

#endif
