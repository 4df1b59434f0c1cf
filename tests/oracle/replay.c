/* Plays a list of operations as if a program had called them: what a Python source did, as its
 * stand-in for PyTorch wrote it down (standin.py). */
#include <stdio.h>
#include <string.h>

#include "hooks.h"
#include "replay.h"

enum { MAX_STEPS = 1024, MAX_SLOTS = 512 };

typedef struct {
  int line, call; /* where, and the outermost call on the way there, or 0 */
  int args[3];
} step_place;

typedef struct play play;

typedef struct {
  char name[16];
  void (*fn)(play *p, int line, const int *args);
} operation_row;

typedef struct {
  const operation_row *row;
  step_place at;
} step;

struct play {
  const sar_program *program;
  sar_addr blocks[MAX_SLOTS];
  sar_stream streams[MAX_SLOTS];
  sar_event events[MAX_SLOTS];
};

static step steps[MAX_STEPS];
static int nsteps;
static unsigned char host[64];

static void make_stream(play *p, int line, const int *args) {
  (void)line;
  sar_stream_create(&p->streams[args[0]], p->program->device);
}

static void make_block(play *p, int line, const int *args) {
  oracle_malloc(line, &p->blocks[args[0]], p->program->pool, p->program->bytes,
                p->streams[args[1]]);
}

static void release(play *p, int line, const int *args) {
  oracle_free(line, p->program->pool, p->blocks[args[0]]);
}

static void record(play *p, int line, const int *args) {
  oracle_record(line, p->program->pool, p->blocks[args[0]], p->streams[args[1]]);
}

static void fill(play *p, int line, const int *args) {
  const sar_program *program = p->program;
  oracle_op(line, (sar_fill)(program->device, p->streams[args[0]], p->blocks[args[1]], 1,
                             program->bytes / 4));
}

static void copy(play *p, int line, const int *args) {
  const sar_program *program = p->program;
  oracle_op(line, (sar_copy)(program->device, p->streams[args[0]], p->blocks[args[1]],
                             p->blocks[args[2]], program->bytes / 4));
}

static void read(play *p, int line, const int *args) {
  oracle_op(line, (sar_read)(p->program->device, p->streams[args[0]], host, p->blocks[args[1]],
                             sizeof host));
}

static void mark(play *p, int line, const int *args) {
  (void)line;
  sar_event_record(&p->events[args[0]], p->program->device, p->streams[args[1]]);
}

static void wait(play *p, int line, const int *args) {
  (void)line;
  sar_stream_wait_event(p->program->device, p->streams[args[0]], p->events[args[1]]);
}

static void join(play *p, int line, const int *args) {
  (void)line;
  sar_stream_wait_stream(p->program->device, p->streams[args[0]], p->streams[args[1]]);
}

static void sync_event(play *p, int line, const int *args) {
  (void)line;
  sar_event_sync(p->program->device, p->events[args[0]]);
}

static void sync_stream(play *p, int line, const int *args) {
  (void)line;
  sar_stream_sync(p->program->device, p->streams[args[0]]);
}

static void sync_device(play *p, int line, const int *args) {
  (void)line;
  (void)args;
  sar_device_sync(p->program->device);
}

static const operation_row rows[] = {
    {"stream", make_stream},
    {"alloc", make_block},
    {"free", release},
    {"record", record},
    {"fill", fill},
    {"copy", copy},
    {"read", read},
    {"mark", mark},
    {"wait", wait},
    {"join", join},
    {"sync_event", sync_event},
    {"sync_stream", sync_stream},
    {"sync", sync_device},
};

void replay_clear(void) {
  nsteps = 0;
}

bool replay_add(const char *text) {
  char name[16];
  step s = {0};
  if (nsteps == MAX_STEPS || sscanf(text, "%15s %d %d %d %d %d", name, &s.at.line, &s.at.call,
                                    &s.at.args[0], &s.at.args[1], &s.at.args[2]) != 6)
    return false;
  for (int i = 0; i < 3; i++)
    if (s.at.args[i] < 0 || s.at.args[i] >= MAX_SLOTS) return false;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, name) == 0) s.row = &rows[i];
  if (s.row == NULL) return false;
  steps[nsteps++] = s;
  return true;
}

void replay_program(const sar_program *program, int flag0, int flag1, int flag2, int count) {
  (void)flag0;
  (void)flag1;
  (void)flag2;
  (void)count;
  static play p;
  memset(&p, 0, sizeof p);
  p.program = program;
  for (int i = 0; i < nsteps; i++) {
    const step_place *at = &steps[i].at;
    if (at->call > 0) oracle_enter(at->call);
    steps[i].row->fn(&p, at->line, at->args);
    if (at->call > 0) oracle_leave();
  }
}
