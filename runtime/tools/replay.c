/* sar-replay: feeds a trace to the allocator and compares how its segments grow.
 *
 * usage: sar-replay TRACE.tsv [--trace OUT.tsv]
 * The trace is one of sar-run, or of a PyTorch snapshot through snapshot.py. Mallocs and frees are
 * repeated; a block that became available later than its free is recorded on a stream of its own,
 * whose event is ready from that entry on. What the trace's allocator did with segments is only
 * compared, except that a run of segment_free entries stands for a release of the cached ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sar/alloc.h>

#define SEGMENT_GAP ((uint64_t)1 << 21)

typedef struct {
  char kind[16];
  sar_stream stream;
  uint64_t bytes, allocation, allocated, active, reserved;
} entry;

typedef struct {
  sar_addr addr;
  bool freed, waits; /* waits: its event is not ready yet */
} block;

typedef struct {
  const char *path;
  entry *entries;
  size_t count, cap;
  block *blocks; /* by allocation */
  uint64_t last_allocation;
  sar_backend backend;
  sar_pool *pool;
  sar_addr next_addr;
  uint64_t pending, releases, theirs, ours;
  uint64_t our_peak, their_peak, widest; /* of reserved bytes */
  FILE *out;
  uint64_t steps;
} replay;

static int bad(const replay *r, size_t line, const char *what) {
  fprintf(stderr, "%s:%zu: %s\n", r->path, line + 1, what);
  return 1;
}

/* ---- the device: streams are block numbers, and an event is ready when its block is ---------- */

static sar_status segment_alloc(void *ctx, sar_addr *out, size_t bytes) {
  replay *r = ctx;
  *out = r->next_addr;
  r->next_addr += bytes + SEGMENT_GAP;
  return SAR_OK;
}

static sar_status segment_free(void *ctx, sar_addr addr, size_t bytes) {
  (void)ctx;
  (void)addr;
  (void)bytes;
  return SAR_OK;
}

/* Streams of the trace are small; the ones of blocks lie behind them. */
#define BLOCK_STREAMS ((sar_stream)1 << 31)

static sar_status event_record(void *ctx, sar_event *out, sar_stream stream) {
  (void)ctx;
  *out = stream - BLOCK_STREAMS;
  return SAR_OK;
}

static sar_status event_query(void *ctx, sar_event event) {
  const replay *r = ctx;
  return r->blocks[event].waits ? SAR_NOT_READY : SAR_OK;
}

static sar_status event_sync(void *ctx, sar_event event) {
  replay *r = ctx;
  r->blocks[event].waits = false;
  return SAR_OK;
}

static void event_release(void *ctx, sar_event event) {
  (void)ctx;
  (void)event;
}

static sar_status stream_wait(void *ctx, sar_stream stream, sar_event event) {
  (void)ctx;
  (void)stream;
  (void)event;
  return SAR_OK;
}

static sar_status capture_tips(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                               sar_stream stream) {
  (void)ctx;
  (void)stream;
  *out = 0;
  *tips = NULL;
  *count = 0;
  return SAR_OK;
}

static sar_status node_parents(void *ctx, const sar_node **parents, size_t *count, sar_node node) {
  (void)ctx;
  (void)node;
  *parents = NULL;
  *count = 0;
  return SAR_OK;
}

static const sar_backend device = {.size = sizeof device,
                                   .segment_alloc = segment_alloc,
                                   .segment_free = segment_free,
                                   .event_record = event_record,
                                   .event_query = event_query,
                                   .event_sync = event_sync,
                                   .event_release = event_release,
                                   .stream_wait = stream_wait,
                                   .capture_tips = capture_tips,
                                   .node_parents = node_parents};

/* ---- reading -------------------------------------------------------------------------------- */

static bool parse(entry *e, const char *line) {
  unsigned long long n[5];
  unsigned stream;
  int end = -1;
  if (sscanf(line, "%*u %15s %u %llu %llu %llu %llu %llu %n", e->kind, &stream, &n[0], &n[1], &n[2],
             &n[3], &n[4], &end) != 7 ||
      end < 0 || line[end] || stream >= BLOCK_STREAMS)
    return false;
  e->stream = stream;
  e->bytes = n[0];
  e->allocation = n[1];
  e->allocated = n[2];
  e->active = n[3];
  e->reserved = n[4];
  return true;
}

static int read_all(replay *r, FILE *f) {
  char line[256];
  for (; fgets(line, sizeof line, f); r->count++) {
    if (r->count == r->cap) {
      size_t cap = r->cap ? r->cap * 2 : 1024;
      entry *bigger = realloc(r->entries, cap * sizeof *bigger);
      if (!bigger) return bad(r, r->count, "no memory for the trace");
      r->entries = bigger;
      r->cap = cap;
    }
    entry *e = &r->entries[r->count];
    if (!parse(e, line)) return bad(r, r->count, "not an entry of a trace");
    if (!strcmp(e->kind, "malloc") && e->allocation != ++r->last_allocation)
      return bad(r, r->count, "mallocs are numbered from 1, one by one");
    if (e->allocation > r->last_allocation)
      return bad(r, r->count, "the block was not allocated before");
  }
  if (r->last_allocation >= BLOCK_STREAMS) return bad(r, 0, "too many blocks");
  r->blocks = calloc(r->last_allocation + 1, sizeof *r->blocks);
  return r->blocks ? 0 : bad(r, 0, "no memory for the blocks");
}

/* ---- replay --------------------------------------------------------------------------------- */

static void write_trace(void *arg, const sar_trace_entry *e) {
  static const char *const kinds[] = {"segment_alloc", "segment_free", "malloc", "record_stream",
                                      "free",          "available",    "oom"};
  replay *r = arg;
  if (e->kind == SAR_TRACE_RECORD_STREAM) return;
  fprintf(r->out, "%llu\t%s\t%u\t%llu\t%llu\t%llu\t%llu\t%llu\n", (unsigned long long)r->steps++,
          kinds[e->kind], e->stream, (unsigned long long)e->bytes,
          (unsigned long long)e->allocation, (unsigned long long)e->allocated,
          (unsigned long long)e->active, (unsigned long long)e->reserved);
}

static bool is(const entry *e, const char *kind) {
  return !strcmp(e->kind, kind);
}

static sar_status free_block(replay *r, size_t i) {
  const entry *e = &r->entries[i];
  block *b = &r->blocks[e->allocation];
  bool at_once = i + 1 < r->count && is(e + 1, "available") && e[1].allocation == e->allocation;
  sar_status st = SAR_OK;
  if (!at_once) {
    st = sar_record_stream(r->pool, b->addr, BLOCK_STREAMS + (sar_stream)e->allocation);
    b->waits = true;
    r->pending++;
  }
  b->freed = true;
  return st ? st : sar_free(r->pool, b->addr);
}

static sar_status step(replay *r, size_t i) {
  const entry *e = &r->entries[i];
  block *b = &r->blocks[e->allocation];
  if (is(e, "malloc")) return sar_malloc(&b->addr, r->pool, e->bytes, e->stream);
  if (is(e, "free")) return b->addr && !b->freed ? free_block(r, i) : SAR_E_NOT_LIVE;
  if (is(e, "available")) {
    b->waits = false;
    return b->freed ? SAR_OK : SAR_E_STATE;
  }
  if (is(e, "segment_alloc")) r->theirs++;
  if (is(e, "segment_free") && (i + 1 == r->count || !is(e + 1, "segment_free"))) {
    r->releases++;
    return sar_release_cached(r->pool);
  }
  return is(e, "segment_alloc") || is(e, "segment_free") || is(e, "record_stream") || is(e, "oom")
             ? SAR_OK
             : SAR_E_ARG;
}

/* The trace's segments come one by one before the malloc that needs them, and go one by one; ours
 * come with the malloc and go together. So the two are compared where no such entry is next. */
static void compare(replay *r, size_t i) {
  const entry *e = &r->entries[i];
  sar_stats s;
  sar_get_stats(&s, r->pool);
  r->our_peak = s.reserved.peak;
  r->ours = s.segment_allocs;
  if (e->reserved > r->their_peak) r->their_peak = e->reserved;
  if (is(e, "segment_alloc") || (i + 1 < r->count && is(e + 1, "segment_free"))) return;
  uint64_t here = s.reserved.current, there = e->reserved;
  uint64_t apart = here > there ? here - there : there - here;
  if (apart > r->widest) r->widest = apart;
}

static int play(replay *r) {
  r->backend = device;
  r->backend.ctx = r;
  r->next_addr = (sar_addr)1 << 30;
  if (sar_create(&r->pool, NULL, &r->backend)) return bad(r, 0, "no memory for the allocator");
  if (r->out) sar_set_trace(r->pool, write_trace, r);
  for (size_t i = 0; i < r->count; i++) {
    sar_status st = step(r, i);
    if (st) return bad(r, i, sar_status_name(st));
    compare(r, i);
  }
  return sar_check(r->pool) ? bad(r, r->count, "the allocator's books do not balance") : 0;
}

static void report(const replay *r) {
  const double mib = 1 << 20;
  printf("entries                         %zu\n", r->count);
  printf("blocks                          %llu\n", (unsigned long long)r->last_allocation);
  printf("frees that waited               %llu\n", (unsigned long long)r->pending);
  printf("releases of cached segments     %llu\n", (unsigned long long)r->releases);
  printf("segments made, trace            %llu\n", (unsigned long long)r->theirs);
  printf("segments made, here             %llu\n", (unsigned long long)r->ours);
  printf("reserved peak, trace            %.1f MiB\n", (double)r->their_peak / mib);
  printf("reserved peak, here             %.1f MiB\n", (double)r->our_peak / mib);
  printf("reserved apart at most          %.1f MiB\n", (double)r->widest / mib);
}

/* Live blocks stay: the trace ends where the program was looked at. */
static void close_pool(replay *r) {
  for (uint64_t i = 1; r->pool && i <= r->last_allocation; i++) {
    r->blocks[i].waits = false;
    if (r->blocks[i].addr && !r->blocks[i].freed) sar_free(r->pool, r->blocks[i].addr);
  }
  if (r->pool) sar_destroy(r->pool);
}

int main(int argc, char **argv) {
  replay r = {.path = argc > 1 ? argv[1] : ""};
  if ((argc != 2 && argc != 4) || (argc == 4 && strcmp(argv[2], "--trace"))) {
    fputs("usage: sar-replay TRACE.tsv [--trace OUT.tsv]\n", stderr);
    return 2;
  }
  FILE *f = fopen(argv[1], "r");
  if (!f || (argc == 4 && !(r.out = fopen(argv[3], "w")))) {
    perror(f ? argv[3] : argv[1]);
    if (f) fclose(f);
    return 2;
  }
  int rc = read_all(&r, f);
  if (!rc) rc = play(&r);
  if (!rc) report(&r);
  if (r.pool) sar_set_trace(r.pool, NULL, NULL);
  close_pool(&r);
  fclose(f);
  if (r.out && fclose(r.out)) rc = bad(&r, r.count, "the trace could not be written");
  free(r.blocks);
  free(r.entries);
  return rc;
}
