#include "cli/workers.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORKERS = 256, TICK_MS = 200, NO_TASK = -1 };

/* In the length of a reply: its worker ends with it. */
static const size_t LAST_REPLY = ~(SIZE_MAX >> 1);

typedef struct {
  pid_t pid; /* 0: not running */
  int request, reply;
  int64_t task; /* NO_TASK: waits for one */
  double deadline;
  char *bytes; /* of the reply so far */
  size_t length, capacity;
} worker;

typedef struct {
  const sa_work *work;
  worker workers[MAX_WORKERS];
  unsigned n;
  uint32_t next, finished;
} pool;

static bool write_all(int fd, const void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = write(fd, (const char *)bytes + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

static bool read_all(int fd, void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = read(fd, (char *)bytes + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

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
static void confine(const sa_work *work) {
  (void)work;
}
#else
/* One file must not take the machine's memory, nor a library the user's terminal. */
static void confine(const sa_work *work) {
  rlim_t bytes = (rlim_t)work->memory << 20;
  if (bytes > 0) setrlimit(RLIMIT_DATA, &(struct rlimit){.rlim_cur = bytes, .rlim_max = bytes});
  int nowhere = work->quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}
#endif

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
  confine(work);
  if (work->begin != NULL) work->begin();
  while (read_all(request, &task, sizeof task)) {
    size_t length = 0;
    char *bytes = run_task(work, task, &length);
    bool spent = is_spent(work);
    size_t head = spent ? length | LAST_REPLY : length;
    bool sent = write_all(reply, &head, sizeof head) && write_all(reply, bytes, length);
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
  if (pipe(request) != 0) return false;
  if (pipe(reply) != 0) {
    close(request[0]);
    close(request[1]);
    return false;
  }
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    close_others(p);
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

/* Closes the pipes and waits for the process; gives its wait status and the MiB it had in use. */
static int stop(worker *w, size_t *used) {
  int status = 0;
  struct rusage usage = {0};
  close(w->request);
  close(w->reply);
  while (wait4(w->pid, &status, 0, &usage) < 0 && errno == EINTR) continue;
  *used = (size_t)usage.ru_maxrss >> 10;
  w->pid = 0;
  return status;
}

static void give_task(pool *p, worker *w) {
  if (p->next == p->work->tasks) return;
  uint32_t task = p->next++;
  w->task = task;
  w->length = 0;
  w->deadline = sa_now() + p->work->timeout;
  write_all(w->request, &task, sizeof task); /* a failure shows as the end of the reply */
}

/* Takes the task away from a worker that cannot finish it, and puts another in its place. */
static void lose(pool *p, worker *w, const char *why) {
  char text[128];
  int64_t task = w->task;
  size_t used, memory = p->work->memory;
  if (why != NULL) kill(w->pid, SIGKILL);
  int status = stop(w, &used);
  if (why == NULL && memory > 0 && used > memory / 2)
    snprintf(text, sizeof text, "needs more memory than the limit of %zu MiB (--memory)", memory);
  else if (why == NULL && WIFSIGNALED(status))
    snprintf(text, sizeof text, "crashed (%s)", strsignal(WTERMSIG(status)));
  else if (why == NULL)
    snprintf(text, sizeof text, "ended with status %d", WEXITSTATUS(status));
  else
    snprintf(text, sizeof text, "%s", why);
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
  if (last) {
    size_t used;
    stop(w, &used);
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
  double time = sa_now();
  for (unsigned i = 0; i < n; i++) {
    worker *w = &p->workers[owner[i]];
    if (fds[i].revents != 0)
      receive(p, w);
    else if (w->task != NO_TASK && p->work->timeout > 0 && time > w->deadline)
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
  while (p->n < n && start(p, &p->workers[p->n])) p->n++;
  for (unsigned i = 0; i < p->n; i++) give_task(p, &p->workers[i]);
  while (running(p) > 0 && p->finished < work->tasks) wait_for_some(p);
  for (unsigned i = 0; i < p->n; i++) {
    size_t used;
    if (p->workers[i].pid != 0) stop(&p->workers[i], &used);
    free(p->workers[i].bytes);
  }
  run_here(p);
  free(p);
}
