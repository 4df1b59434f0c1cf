/* Runs generated programs on the simulated device, in every schedule, and prints what went wrong.
 *
 *     sar-oracle < COMMANDS
 *     load FILE                          shared object of programs, built with hooks.h
 *     steps                              forgets the steps
 *     step NAME LINE CALL A B C          one more step, see replay.h; `run steps 0` plays them
 *     run NAME FLAGS [LINE...]           flags as a number, bits 0 to 2 are flags, bits 3 and 4 the
 *                                        count of loops; record calls left out
 *
 * A run answers with one line of JSON. Each release is judged against the worst next owner: right
 * behind it the harness asks for a block of that size on the creation stream and writes to it, and
 * keeps it. Right behind each allocation the harness writes to the new block on its creation
 * stream, as a last owner may have done. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks.h"
#include "replay.h"
#include <sar/sim.h>

#undef sar_malloc
#undef sar_free
#undef sar_record_stream
#undef sar_fill

#define BLOCK_BYTES ((size_t)12 << 20) /* a segment of its own, so that nothing is split */

enum {
  MAX_ALLOCS = 512,
  MAX_FREES = 256,
  MAX_OPS = 1024,
  MAX_DEPTH = 32,
  MAX_SKIPPED = 16,
  MAX_FOUND = 256,
  MAX_TRIES = 32
};

typedef void (*program_fn)(const sar_program *, int, int, int, int);

/* A place in the program: the line, and that of the outermost call on the way to it (0: none). */
typedef struct {
  int line, call;
} place;

typedef struct {
  sar_addr addr;
  sar_stream stream;
  size_t bytes;
  place at;
  bool ours; /* the harness made it */
} allocation;

typedef struct {
  place at;
  bool ours;
} operation;

typedef struct {
  sar_hazard_kind kind;
  place release, made, first, second;
  bool ours; /* the second access is the harness's: a next owner, or the writing after a malloc */
} found;

static struct {
  sar_device *device;
  sar_pool *pool;
  allocation allocs[MAX_ALLOCS];
  place frees[MAX_FREES], freed[MAX_FREES]; /* where, and where the block was made */
  operation ops[MAX_OPS];
  int calls[MAX_DEPTH];
  int nallocs, nfrees, nops, depth;
  bool overflow;
} run;

static int skipped[MAX_SKIPPED], nskipped;
static found findings[MAX_FOUND];
static int nfindings;
static struct {
  place at, made;
} released[MAX_FREES]; /* in any schedule */
static int nreleased;
static uint64_t sequences[64];
static int nsequences;
static program_fn program;
static int flags;

static place here(int line) {
  return (place){line, run.depth > 0 ? run.calls[0] : 0};
}

void oracle_enter(int line) {
  if (run.depth < MAX_DEPTH)
    run.calls[run.depth] = line;
  else
    run.overflow = true;
  run.depth++;
}

void oracle_leave(void) {
  run.depth--;
}

static sar_status count_op(place at, bool ours, sar_status status) {
  if (status == SAR_OK && run.nops < MAX_OPS)
    run.ops[run.nops++] = (operation){at, ours};
  else if (status == SAR_OK)
    run.overflow = true;
  return status;
}

sar_status oracle_op(int line, sar_status status) {
  return count_op(here(line), false, status);
}

static sar_status allocate(sar_addr *out, sar_pool *pool, size_t bytes, sar_stream stream, place at,
                           bool ours) {
  sar_status st = sar_malloc(out, pool, bytes, stream);
  if (st != SAR_OK) return st;
  if (run.nallocs == MAX_ALLOCS) {
    run.overflow = true;
    return SAR_E_OOM;
  }
  run.allocs[run.nallocs++] = (allocation){*out, stream, bytes, at, ours};
  return count_op(at, true, sar_fill(run.device, stream, *out, 0xee, bytes));
}

sar_status oracle_malloc(int line, sar_addr *out, sar_pool *pool, size_t bytes, sar_stream stream) {
  return allocate(out, pool, bytes, stream, here(line), false);
}

/* Takes blocks on the creation stream until it is this one, or there is none and memory grows. */
static void own_next(sar_pool *pool, const allocation *freed, place at) {
  for (int i = 0; i < MAX_TRIES; i++) {
    sar_stats before, after;
    sar_addr next = 0;
    sar_get_stats(&before, pool);
    if (allocate(&next, pool, freed->bytes, freed->stream, at, true) != SAR_OK) return;
    sar_get_stats(&after, pool);
    if (next == freed->addr || after.reserved.current > before.reserved.current) return;
  }
  run.overflow = true;
}

sar_status oracle_free(int line, sar_pool *pool, sar_addr addr) {
  int i = run.nallocs - 1;
  while (i >= 0 && run.allocs[i].addr != addr) i--;
  sar_status st = sar_free(pool, addr);
  if (st != SAR_OK || i < 0) return st;
  if (run.nfrees == MAX_FREES) {
    run.overflow = true;
    return SAR_OK;
  }
  allocation freed = run.allocs[i];
  run.freed[run.nfrees] = freed.at;
  run.frees[run.nfrees++] = here(line);
  own_next(pool, &freed, here(line));
  return SAR_OK;
}

sar_status oracle_record(int line, sar_pool *pool, sar_addr addr, sar_stream stream) {
  place at = here(line);
  for (int i = 0; i < nskipped; i++)
    if (skipped[i] == at.line || skipped[i] == at.call) return SAR_OK;
  return sar_record_stream(pool, addr, stream);
}

/* ---- what a run found ------------------------------------------------------------------------ */

static bool same_place(place a, place b) {
  return a.line == b.line && a.call == b.call;
}

static void keep_release(place at, place made) {
  for (int i = 0; i < nreleased; i++)
    if (same_place(released[i].at, at) && same_place(released[i].made, made)) return;
  if (nreleased == MAX_FREES) {
    run.overflow = true;
    return;
  }
  released[nreleased].at = at;
  released[nreleased++].made = made;
}

static operation op_of(const sar_access *access) {
  int i = (int)access->number - 1;
  return i >= 0 && i < run.nops ? run.ops[i] : (operation){0};
}

static void keep(const sar_hazard *h) {
  operation first = op_of(&h->first), second = op_of(&h->second);
  found f = {.kind = h->kind, .first = first.at, .second = second.at, .ours = second.ours};
  if (h->free > 0 && h->free <= (uint64_t)run.nfrees) f.release = run.frees[h->free - 1];
  if (h->first_malloc > 0 && h->first_malloc <= (uint64_t)run.nallocs)
    f.made = run.allocs[h->first_malloc - 1].at;
  for (int i = 0; i < nfindings; i++) {
    const found *g = &findings[i];
    if (g->kind == f.kind && g->ours == f.ours && same_place(g->release, f.release) &&
        same_place(g->made, f.made) && same_place(g->first, f.first) &&
        same_place(g->second, f.second))
      return;
  }
  if (nfindings < MAX_FOUND)
    findings[nfindings++] = f;
  else
    run.overflow = true;
}

/* Which blocks the program's own allocations got, named by first use: what must repeat. */
static void keep_sequence(void) {
  uint64_t digest = 1;
  for (int i = 0; i < run.nallocs; i++) {
    int name = 0;
    while (run.allocs[name].addr != run.allocs[i].addr) name++;
    digest = digest * 0x100000001B3u + (uint64_t)name;
  }
  for (int i = 0; i < nsequences; i++)
    if (sequences[i] == digest) return;
  if (nsequences < 64) sequences[nsequences++] = digest;
}

static void no_report(void *arg, uint64_t value) {
  (void)arg;
  (void)value;
}

static void play(sar_device *device, sar_pool *pool, void *arg, uint64_t *results) {
  (void)arg;
  (void)results;
  bool overflow = run.overflow;
  memset(&run, 0, sizeof run);
  run.overflow = overflow;
  run.device = device;
  run.pool = pool;
  sar_program p = {
      .device = device, .pool = pool, .turns = 2, .bytes = BLOCK_BYTES, .report = no_report};
  program(&p, flags & 1, flags >> 1 & 1, flags >> 2 & 1, flags >> 3 & 3);
  const sar_hazard *hazards = NULL;
  size_t n = sar_sim_hazards(device, &hazards);
  for (size_t i = 0; i < n; i++) keep(&hazards[i]);
  for (int i = 0; i < run.nfrees; i++) keep_release(run.frees[i], run.freed[i]);
  keep_sequence();
}

/* ---- answers --------------------------------------------------------------------------------- */

static void print_place(const char *name, place at) {
  printf(",\"%s\":[%d,%d]", name, at.line, at.call);
}

static void print_answer(const sar_exploration *x, sar_status status) {
  printf("{\"status\":\"%s\",\"exhausted\":%s,\"overflow\":%s,\"schedules\":%llu,\"states\":%llu,"
         "\"sequences\":%d,\"hazards\":[",
         sar_status_name(status), x->exhausted ? "true" : "false", run.overflow ? "true" : "false",
         (unsigned long long)x->schedules, (unsigned long long)x->states, nsequences);
  for (int i = 0; i < nfindings; i++) {
    const found *f = &findings[i];
    printf("%s{\"kind\":\"%s\",\"ours\":%s", i ? "," : "", sar_hazard_name(f->kind),
           f->ours ? "true" : "false");
    print_place("release", f->release);
    print_place("made", f->made);
    print_place("first", f->first);
    print_place("second", f->second);
    printf("}");
  }
  printf("],\"releases\":[");
  for (int i = 0; i < nreleased; i++)
    printf("%s[%d,%d,%d,%d]", i ? "," : "", released[i].at.line, released[i].at.call,
           released[i].made.line, released[i].made.call);
  printf("]}\n");
  fflush(stdout);
}

static void explore(void) {
  sar_exploration x;
  sar_explore_config config = {.size = sizeof config,
                               .pool = {.size = sizeof config.pool, .mode = SAR_MODE_RECORD},
                               .max_states = 200000};
  nfindings = nsequences = nreleased = 0;
  run.overflow = false;
  sar_status st = sar_explore(&x, &config, play, NULL);
  print_answer(&x, st != SAR_OK ? st : x.status);
  sar_exploration_free(&x);
}

static bool command(void **library, char *line) {
  if (strncmp(line, "step ", 5) == 0) return replay_add(line + 5);
  char *word = strtok(line, " \n");
  if (word == NULL) return true;
  if (strcmp(word, "steps") == 0) {
    replay_clear();
    return true;
  }
  char *name = strtok(NULL, " \n");
  if (name == NULL) return false;
  if (strcmp(word, "load") == 0) {
    if (*library != NULL) dlclose(*library);
    *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (*library == NULL) fprintf(stderr, "sar-oracle: %s\n", dlerror());
    return *library != NULL;
  }
  bool steps = strcmp(name, "steps") == 0;
  if (strcmp(word, "run") != 0 || (*library == NULL && !steps)) return false;
  if (steps)
    program = replay_program;
  else
    *(void **)&program = dlsym(*library, name);
  char *bits = strtok(NULL, " \n");
  if (program == NULL || bits == NULL) return false;
  flags = atoi(bits);
  for (nskipped = 0; nskipped < MAX_SKIPPED && (bits = strtok(NULL, " \n")) != NULL;)
    skipped[nskipped++] = atoi(bits);
  explore();
  return true;
}

int main(void) {
  static char line[4096];
  void *library = NULL;
  while (fgets(line, sizeof line, stdin) != NULL)
    if (!command(&library, line)) {
      fprintf(stderr, "sar-oracle: not understood, or not there: %s\n", line);
      return 2;
    }
  if (library != NULL) dlclose(library);
  return 0;
}
