#include "cli/workers.h"

#include "base/clock.h"
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_WORKERS = 256,
  TICK_MS = 200,
  NO_TASK = -1,
  PATIENCE = 5,     /* times --timeout that may pass while a worker gets no processor */
  LAST_WORDS = 4096 /* bytes of what a worker wrote that are looked at */
};

/* In the length of a reply: its worker ends with it. */
static const size_t LAST_REPLY = ~(SIZE_MAX >> 1);

typedef struct {
  pid_t pid; /* 0: not running */
  int request, reply;
  int said;                /* what it writes on standard error; -1: goes where ours goes */
  int64_t task;            /* NO_TASK: waits for one */
  double began, processor; /* of the task: time, and the worker's processor time so far */
  char *bytes;             /* of the reply so far */
  size_t length, capacity;
} worker;

typedef struct {
  const sa_work *work;
  worker workers[MAX_WORKERS];
  unsigned n;
  uint32_t next, finished;
} pool;

/* One task into a buffer that the caller frees. */
static char *run_task(const sa_work *work, uint32_t task, size_t *length) {
  char *bytes = NULL;
  FILE *reply = open_memstream(&bytes, length);
  if (reply == NULL) sa_out_of_memory();
  work->run(work->context, task, reply);
  if (fclose(reply) != 0) sa_out_of_memory();
  return bytes;
}

#ifdef SA_SANITIZED
/* AddressSanitizer reserves terabytes for itself, and what it says must be seen. */
static void limit_memory(const sa_work *work) {
  (void)work;
}
static int open_said(void) {
  return -1;
}
#else
static void limit_memory(const sa_work *work) {
  rlim_t bytes = (rlim_t)work->memory << 20;
  if (bytes > 0) setrlimit(RLIMIT_DATA, &(struct rlimit){.rlim_cur = bytes, .rlim_max = bytes});
}
static int open_said(void) {
  int fd = memfd_create("sa-lint-worker", MFD_CLOEXEC);
  if (fd >= 0) fcntl(fd, F_SETFL, O_APPEND);
  return fd;
}
#endif

/* One file must not take the machine's memory, leave a core behind or outlive the run, nor may a
 * library read the run's input (flags can name it) or write on the user's terminal. */
static void confine(const sa_work *work, const worker *w, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0});
  limit_memory(work);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (w->said >= 0) dup2(w->said, STDERR_FILENO);
}

/* Shows what the worker said since its task began, to those who want to see it, and forgets it. */
static void hear(const sa_work *work, const worker *w) {
  char bytes[LAST_WORDS];
  ssize_t n;
  if (w->said < 0) return;
  for (off_t at = 0; !work->quiet && (n = pread(w->said, bytes, sizeof bytes, at)) > 0; at += n)
    sa_fs_write_exactly(STDERR_FILENO, bytes, (size_t)n);
  if (ftruncate(w->said, 0) != 0) close(w->said);
}

/* What C and C++ programs, and tree-sitter, say when they get no more memory. That they had much
 * when they ended shows nothing: they may have crashed for another reason. */
static bool ran_out_of_memory(const worker *w) {
  static const char *const words[] = {"out of memory", "bad_alloc", "failed to allocate"};
  char bytes[LAST_WORDS];
  if (w->said < 0) return false;
  off_t size = lseek(w->said, 0, SEEK_END);
  ssize_t n = pread(w->said, bytes, sizeof bytes, size > LAST_WORDS ? size - LAST_WORDS : 0);
  for (size_t i = 0; n > 0 && i < sizeof words / sizeof *words; i++)
    if (memmem(bytes, (size_t)n, words[i], strlen(words[i])) != NULL) return true;
  return false;
}

/* Seconds of processor time that the worker has had; 0 when the system does not say. */
static double processor_time(const worker *w) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(w->pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Processor time counts, so that a busy machine gives nothing up. */
static bool is_overdue(const pool *p, const worker *w) {
  double limit = p->work->timeout, passed = sa_now() - w->began;
  if (w->task == NO_TASK || limit <= 0 || passed <= limit) return false;
  return passed > limit * PATIENCE || processor_time(w) - w->processor > limit;
}

/* A library that ran out of memory once keeps what it had, so the next task deserves a new process.
 */
static bool is_spent(const sa_work *work) {
  struct rusage usage;
  return work->memory > 0 && getrusage(RUSAGE_SELF, &usage) == 0 &&
         (size_t)usage.ru_maxrss >> 10 > work->memory / 2;
}

/* The worker's life: a task number in, the length and bytes of its result out. It ends when the
 * other side of the pipe is closed, also by the parent's death, and when it says so in the length.
 */
_Noreturn static void serve(const sa_work *work, int request, int reply) {
  uint32_t task;
  if (work->begin != NULL) work->begin();
  while (sa_fs_read_exactly(request, &task, sizeof task)) {
    size_t length = 0;
    char *bytes = run_task(work, task, &length);
    bool spent = is_spent(work);
    size_t head = spent ? length | LAST_REPLY : length;
    bool sent =
        sa_fs_write_exactly(reply, &head, sizeof head) && sa_fs_write_exactly(reply, bytes, length);
    free(bytes);
    if (!sent || spent) break;
  }
  _exit(0);
}

/* In a new worker: ends of other workers' pipes would keep those alive. */
static void close_others(const pool *p) {
  for (unsigned i = 0; i < p->n; i++)
    if (p->workers[i].pid != 0) {
      close(p->workers[i].request);
      close(p->workers[i].reply);
    }
}

static bool start(pool *p, worker *w) {
  int request[2], reply[2];
  w->task = NO_TASK;
  w->length = 0;
  w->pid = 0;
  if (w->said < 0) w->said = open_said();
  if (pipe(request) != 0) return false;
  if (pipe(reply) != 0) {
    close(request[0]);
    close(request[1]);
    return false;
  }
  fflush(NULL);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    close_others(p);
    confine(p->work, w, parent);
    close(request[1]);
    close(reply[0]);
    serve(p->work, request[0], reply[1]);
  }
  close(request[0]);
  close(reply[1]);
  if (pid < 0) {
    close(request[1]);
    close(reply[0]);
    return false;
  }
  w->pid = pid;
  w->request = request[1];
  w->reply = reply[0];
  return true;
}

/* Closes the pipes and waits for the process; gives its wait status. */
static int stop(worker *w) {
  int status = 0;
  close(w->request);
  close(w->reply);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) continue;
  w->pid = 0;
  return status;
}

static void give_task(pool *p, worker *w) {
  if (p->next == p->work->tasks) return;
  uint32_t task = p->next++;
  w->task = task;
  w->length = 0;
  w->began = sa_now();
  w->processor = processor_time(w);
  sa_fs_write_exactly(w->request, &task, sizeof task); /* a failure shows as the end of the reply */
}

/* Takes the task away from a worker that cannot finish it, and puts another in its place. */
static void lose(pool *p, worker *w, const char *why) {
  char text[128];
  int64_t task = w->task;
  if (why != NULL) kill(w->pid, SIGKILL);
  int status = stop(w);
  if (why == NULL && p->work->memory > 0 && ran_out_of_memory(w))
    snprintf(text, sizeof text, "needs more memory than the limit of %u MiB (--memory)",
             p->work->memory);
  else if (why == NULL && WIFSIGNALED(status))
    snprintf(text, sizeof text, "crashed (%s)", strsignal(WTERMSIG(status)));
  else if (why == NULL)
    snprintf(text, sizeof text, "ended with status %d", WEXITSTATUS(status));
  else
    snprintf(text, sizeof text, "%s", why);
  hear(p->work, w);
  if (task != NO_TASK) {
    p->work->lost(p->work->context, (uint32_t)task, text);
    p->finished++;
  }
  if (p->next < p->work->tasks && start(p, w)) give_task(p, w);
}

/* Reads what has come; when the reply is whole, hands it over and gives the next task. */
static void receive(pool *p, worker *w) {
  if (w->capacity - w->length < 65536) {
    w->capacity = w->capacity * 2 + 65536;
    w->bytes = realloc(w->bytes, w->capacity);
    if (w->bytes == NULL) sa_out_of_memory();
  }
  ssize_t n = read(w->reply, w->bytes + w->length, w->capacity - w->length);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    lose(p, w, NULL);
    return;
  }
  w->length += (size_t)n;
  size_t wanted;
  if (w->length < sizeof wanted) return;
  memcpy(&wanted, w->bytes, sizeof wanted);
  bool last = (wanted & LAST_REPLY) != 0;
  wanted &= ~LAST_REPLY;
  if (w->length - sizeof wanted < wanted) return;
  p->work->done(p->work->context, (uint32_t)w->task, w->bytes + sizeof wanted, wanted);
  p->finished++;
  w->task = NO_TASK;
  hear(p->work, w);
  if (last) {
    stop(w);
    if (p->next == p->work->tasks || !start(p, w)) return;
  }
  give_task(p, w);
}

static void wait_for_some(pool *p) {
  struct pollfd fds[MAX_WORKERS];
  unsigned owner[MAX_WORKERS], n = 0;
  for (unsigned i = 0; i < p->n; i++) {
    if (p->workers[i].pid == 0) continue;
    owner[n] = i;
    fds[n++] = (struct pollfd){.fd = p->workers[i].reply, .events = POLLIN};
  }
  if (poll(fds, n, TICK_MS) < 0) return;
  for (unsigned i = 0; i < n; i++) {
    worker *w = &p->workers[owner[i]];
    if (fds[i].revents != 0)
      receive(p, w);
    else if (is_overdue(p, w))
      lose(p, w, "took longer than --timeout allows");
  }
  if (p->work->tick != NULL) p->work->tick(p->work->context);
}

static unsigned running(const pool *p) {
  unsigned n = 0;
  for (unsigned i = 0; i < p->n; i++) n += p->workers[i].pid != 0;
  return n;
}

static void run_here(pool *p) {
  while (p->next < p->work->tasks) {
    uint32_t task = p->next++;
    size_t length = 0;
    char *bytes = run_task(p->work, task, &length);
    p->work->done(p->work->context, task, bytes, length);
    free(bytes);
    if (p->work->tick != NULL) p->work->tick(p->work->context);
  }
}

void sa_workers_run(const sa_work *work) {
  pool *p = calloc(1, sizeof *p);
  if (p == NULL) sa_out_of_memory();
  p->work = work;
  unsigned n = work->workers < work->tasks ? work->workers : work->tasks;
  if (n > MAX_WORKERS) n = MAX_WORKERS;
  for (unsigned i = 0; i < n; i++) p->workers[i].said = -1;
  while (p->n < n && start(p, &p->workers[p->n])) p->n++;
  for (unsigned i = 0; i < p->n; i++) give_task(p, &p->workers[i]);
  while (running(p) > 0 && p->finished < work->tasks) wait_for_some(p);
  for (unsigned i = 0; i < n; i++) {
    if (p->workers[i].pid != 0) stop(&p->workers[i]);
    if (p->workers[i].said >= 0) close(p->workers[i].said);
    free(p->workers[i].bytes);
  }
  run_here(p);
  free(p);
}
