/* sar-bench: what the calls of the allocator cost. Microseconds on the host, medians of samples.
 *
 * usage: sar-bench [--cuda] [--hit] [--json FILE]      --hit: the hit path alone
 *        sar-bench --pairs COUNT BYTES     no clock: pairs of malloc and free, for instructions.sh
 * On CUDA, streams are kept busy by gates, so a pending event stays pending while it is polled. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sar/sim.h>
#ifdef SAR_HAVE_CUDA
#include <sar/cuda.h>
#endif

#define MIB     ((size_t)1 << 20)
#define SAMPLES 101

typedef struct {
  sar_device *device;
  sar_pool *pool;
  sar_stream main;
  sar_backend noting; /* the device's table, noting the events that the pool makes */
  sar_event noted[64];
  unsigned note_count;
  bool cuda;
  FILE *json;
  unsigned rows;
} bench;

typedef void (*body)(bench *b, void *arg);

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void give_up(const char *what) {
  fprintf(stderr, "sar-bench: %s failed\n", what);
  exit(1);
}

static void need(sar_status st, const char *what) {
  if (st) give_up(what);
}

static double mean_of(bench *b, body f, void *arg, unsigned reps) {
  double start = now_us();
  for (unsigned i = 0; i < reps; i++) f(b, arg);
  return (now_us() - start) / reps;
}

static double median(double t[SAMPLES]) {
  qsort(t, SAMPLES, sizeof *t, by_size);
  return t[SAMPLES / 2];
}

/* Median over samples of the mean of reps calls. */
static double measure(bench *b, body f, void *arg, unsigned reps) {
  double t[SAMPLES];
  mean_of(b, f, arg, reps);
  for (unsigned s = 0; s < SAMPLES; s++) t[s] = mean_of(b, f, arg, reps);
  return median(t);
}

typedef struct {
  body f;
  void *arg;
  double us;
} side;

/* Some things in turns, so that what the machine does meanwhile meets them all. */
static void measure_in_turns(bench *b, side *sides, unsigned n, unsigned reps) {
  double t[3][SAMPLES];
  if (n > sizeof t / sizeof *t) give_up("so many things in turns");
  for (unsigned i = 0; i < n; i++) mean_of(b, sides[i].f, sides[i].arg, reps);
  for (unsigned s = 0; s < SAMPLES; s++)
    for (unsigned i = 0; i < n; i++) t[i][s] = mean_of(b, sides[i].f, sides[i].arg, reps);
  for (unsigned i = 0; i < n; i++) sides[i].us = median(t[i]);
}

static void print(bench *b, const char *name, double us) {
  printf("%-58s %10.4f\n", name, us);
  fflush(stdout);
  if (b->json) fprintf(b->json, "%s    \"%s\": %.5f", b->rows++ ? ",\n" : "", name, us);
}

/* ---- set up --------------------------------------------------------------------------------- */

static sar_status make_device(bench *b, sar_oracle oracle) {
#ifdef SAR_HAVE_CUDA
  if (b->cuda) return sar_cuda_create(&b->device, 0);
#endif
  return sar_sim_create(&b->device,
                        &(sar_sim_config){.size = sizeof(sar_sim_config), .oracle = oracle});
}

static void open_bed_with(bench *b, const sar_backend *backend) {
  need(sar_create(&b->pool, NULL, backend), "pool");
  need(sar_stream_create(&b->main, b->device), "stream");
}

static void open_bed(bench *b, sar_oracle oracle) {
  need(make_device(b, oracle), "device");
  open_bed_with(b, sar_device_backend(b->device));
}

static void close_bed(bench *b) {
  need(sar_device_sync(b->device), "sync");
  need(sar_destroy(b->pool), "destroy");
  sar_device_destroy(b->device);
}

static sar_addr must_malloc(bench *b, size_t bytes) {
  sar_addr x;
  need(sar_malloc(&x, b->pool, bytes, b->main), "malloc");
  return x;
}

static void pair(bench *b, void *bytes) {
  sar_addr x;
  if (sar_malloc(&x, b->pool, *(size_t *)bytes, b->main) || sar_free(b->pool, x)) give_up("pair");
}

/* ---- hit path ------------------------------------------------------------------------------- */

static void hit_path(bench *b) {
  static const struct {
    size_t bytes;
    const char *name;
  } sizes[] = {{512, "512 B"},     {4096, "4 KiB"},      {65536, "64 KiB"},   {MIB, "1 MiB"},
               {2 * MIB, "2 MiB"}, {16 * MIB, "16 MiB"}, {64 * MIB, "64 MiB"}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char name[80];
    size_t bytes = sizes[i].bytes;
    open_bed(b, SAR_ORACLE_ALWAYS);
    snprintf(name, sizeof name, "hit: malloc + free, %s, whole pair", sizes[i].name);
    print(b, name, measure(b, pair, &bytes, 1000));
    close_bed(b);
  }
  open_bed(b, SAR_ORACLE_ALWAYS);
  size_t bytes = 4096;
  sar_addr fence[3] = {must_malloc(b, bytes), must_malloc(b, bytes), must_malloc(b, bytes)};
  need(sar_free(b->pool, fence[1]), "free");
  print(b, "hit: malloc + free, 4 KiB, no split and no merge", measure(b, pair, &bytes, 1000));
  need(sar_free(b->pool, fence[0]), "free");
  need(sar_free(b->pool, fence[2]), "free");
  close_bed(b);
}

/* ---- miss path ------------------------------------------------------------------------------ */

static void miss(bench *b, void *bytes) {
  pair(b, bytes);
  need(sar_release_cached(b->pool), "release");
}

static void miss_path(bench *b) {
  size_t bytes = 64 * MIB;
  open_bed(b, SAR_ORACLE_ALWAYS);
  print(b, "miss: malloc + free + release_cached, 64 MiB",
        measure(b, miss, &bytes, b->cuda ? 4 : 100));
  close_bed(b);
}

/* ---- pending blocks ------------------------------------------------------------------------- */

typedef struct {
  sar_stream streams[64];
  sar_addr blocks[64];
  unsigned n;
} sweep;

static bench *noting_bench; /* the device's calls know their own context only */

static sar_status note_event(void *ctx, sar_event *out, sar_stream stream) {
  bench *b = noting_bench;
  sar_status st = sar_device_backend(b->device)->event_record(ctx, out, stream);
  if (!st && b->note_count < 64) b->noted[b->note_count++] = *out;
  return st;
}

static void open_noting_bed(bench *b, sar_oracle oracle) {
  need(make_device(b, oracle), "device");
  noting_bench = b;
  b->noting = *sar_device_backend(b->device);
  b->noting.event_record = note_event;
  open_bed_with(b, &b->noting);
}

static void close_gates(bench *b, sweep *s) {
#ifdef SAR_HAVE_CUDA
  sar_event e;
  if (!b->cuda) return;
  need(sar_cuda_gate_close(b->device, b->main), "gate");
  need(sar_event_record(&e, b->device, b->main), "record");
  for (unsigned i = 0; i < s->n; i++)
    need(sar_stream_wait_event(b->device, s->streams[i], e), "wait");
  need(sar_event_destroy(b->device, e), "destroy");
#else
  (void)b;
  (void)s;
#endif
}

static void open_gates(bench *b) {
#ifdef SAR_HAVE_CUDA
  if (b->cuda) need(sar_cuda_gate_open(b->device), "gate");
#endif
  need(sar_device_sync(b->device), "sync");
}

/* What a poll asks and no more: the events of the pool itself, through the same call, in the order
 * of the streams. */
static void bare_queries(bench *b, void *arg) {
  const sweep *s = arg;
  const sar_backend *be = sar_device_backend(b->device);
  for (unsigned i = 0; i < s->n; i++)
    if (be->event_query(be->ctx, b->noted[i]) != SAR_NOT_READY) give_up("an event was ready");
}

/* The same pair in a pool of its own, where the blocks are live and nothing is ever pending. */
static void idle_pair(bench *b, void *pool) {
  sar_addr x;
  if (sar_malloc(&x, pool, 512, b->main) || sar_free(pool, x)) give_up("pair");
}

/* The first round warms up what the second one measures. */
static void polls(bench *b, sweep *s, bool quiet) {
  char name[80];
  size_t bytes = 512;
  sar_pool *idle_pool;
  need(sar_create(&idle_pool, NULL, sar_device_backend(b->device)), "pool");
  sar_addr kept[64];
  for (unsigned i = 0; i < s->n; i++) {
    s->blocks[i] = must_malloc(b, 512);
    need(sar_malloc(&kept[i], idle_pool, 512, b->main), "malloc");
  }
  pair(b, &bytes);
  b->note_count = 0;
  close_gates(b, s);
  double start = now_us();
  for (unsigned i = 0; i < s->n; i++)
    need(sar_record_stream(b->pool, s->blocks[i], s->streams[i]), "record_stream");
  double recorded = now_us();
  for (unsigned i = 0; i < s->n; i++) need(sar_free(b->pool, s->blocks[i]), "free");
  double freed = now_us();
  side sides[] = {{pair, &bytes, 0}, {bare_queries, s, 0}, {idle_pair, idle_pool, 0}};
  measure_in_turns(b, sides, 3, 100);
  double poll = sides[0].us, bare = sides[1].us, idle = sides[2].us;
  open_gates(b);
  double start_reclaim = now_us();
  sar_addr x = must_malloc(b, 512);
  double reclaimed = now_us() - start_reclaim;
  need(sar_free(b->pool, x), "free");
  for (unsigned i = 0; i < s->n; i++) need(sar_free(idle_pool, kept[i]), "free");
  need(sar_destroy(idle_pool), "destroy");
  if (quiet) return;
  const struct {
    const char *format;
    double us;
  } rows[] = {{"record_stream, per block of %u", (recorded - start) / s->n},
              {"free with an event, per block of %u", (freed - recorded) / s->n},
              {"malloc + free, %u pending, a stream each", poll},
              {"%u bare event queries, not ready", bare},
              {"poll over bare queries, %u pending (ratio)", (poll - idle) / bare},
              {"malloc that reclaims %u blocks", reclaimed}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    snprintf(name, sizeof name, rows[i].format, s->n);
    print(b, name, rows[i].us);
  }
}

static void pending_path(bench *b) {
  static const unsigned counts[] = {1, 8, 64};
  for (int i = 0; i < 3; i++) {
    sweep s = {.n = counts[i]};
    open_noting_bed(b, SAR_ORACLE_NEVER);
    for (unsigned k = 0; k < s.n; k++) need(sar_stream_create(&s.streams[k], b->device), "stream");
    polls(b, &s, true);
    polls(b, &s, false);
    close_bed(b);
  }
}

/* ---- many blocks ---------------------------------------------------------------------------- */

static size_t spread_size(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return 512 * (1 + (*seed >> 33) % 64);
}

typedef struct {
  uint64_t seed;
} random_pairs;

static void random_pair(bench *b, void *arg) {
  size_t bytes = spread_size(&((random_pairs *)arg)->seed);
  pair(b, &bytes);
}

/* free_count blocks of 64 sizes lie free, kept apart by live ones of 512 bytes. */
static double with_free_blocks(bench *b, size_t free_count, double *one_size) {
  sar_addr *blocks = malloc(2 * free_count * sizeof *blocks);
  random_pairs r = {7};
  size_t bytes = 4096;
  if (!blocks) give_up("malloc");
  open_bed(b, SAR_ORACLE_ALWAYS);
  for (size_t i = 0; i < free_count; i++) {
    blocks[2 * i] = must_malloc(b, spread_size(&r.seed));
    blocks[2 * i + 1] = must_malloc(b, 512);
  }
  for (size_t i = 0; i < free_count; i++) need(sar_free(b->pool, blocks[2 * i]), "free");
  *one_size = measure(b, pair, &bytes, 1000);
  double us = measure(b, random_pair, &r, 1000);
  for (size_t i = 0; i < free_count; i++) need(sar_free(b->pool, blocks[2 * i + 1]), "free");
  close_bed(b);
  free(blocks);
  return us;
}

static void many_blocks(bench *b) {
  double few_one, many_one;
  double few = with_free_blocks(b, 100, &few_one);
  double many = with_free_blocks(b, 100000, &many_one);
  print(b, "malloc + free of 4 KiB beside 10^2 free and live blocks", few_one);
  print(b, "malloc + free of 4 KiB beside 10^5 free and live blocks", many_one);
  print(b, "10^5 over 10^2, one size (ratio)", many_one / few_one);
  print(b, "malloc + free of random sizes beside 10^2", few);
  print(b, "malloc + free of random sizes beside 10^5", many);
  print(b, "10^5 over 10^2, random sizes (ratio)", many / few);
}

/* ---- threads -------------------------------------------------------------------------------- */

#define THREADS      8
#define THREAD_PAIRS 100000

typedef struct {
  bench *b;
  sar_stream stream;
} worker;

static void *work(void *arg) {
  const worker *w = arg;
  for (int i = 0; i < THREAD_PAIRS; i++) {
    sar_addr x;
    if (sar_malloc(&x, w->b->pool, 4096, w->stream) || sar_free(w->b->pool, x)) give_up("pair");
  }
  return NULL;
}

static void threads(bench *b) {
  pthread_t id[THREADS];
  worker w[THREADS];
  open_bed(b, SAR_ORACLE_ALWAYS);
  for (int i = 0; i < THREADS; i++) {
    w[i].b = b;
    need(sar_stream_create(&w[i].stream, b->device), "stream");
  }
  double start = now_us();
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&id[i], NULL, work, &w[i])) give_up("thread");
  for (int i = 0; i < THREADS; i++) pthread_join(id[i], NULL);
  print(b, "8 threads on one pool, per pair", (now_us() - start) / (THREADS * THREAD_PAIRS));
  close_bed(b);
}

/* ---- exploration ---------------------------------------------------------------------------- */

static void sixteen_turns(sar_device *d, sar_pool *p, void *arg, uint64_t *results) {
  sar_stream a, b;
  (void)arg;
  (void)results;
  sar_stream_create(&a, d);
  sar_stream_create(&b, d);
  for (int i = 0; i < 16; i++) {
    sar_addr x;
    sar_malloc(&x, p, 32 * MIB, a);
    sar_fill(d, a, x, 1, 32 * MIB);
    sar_stream_wait_stream(d, b, a);
    sar_fill(d, b, x, 2, 32 * MIB);
    sar_record_stream(p, x, b);
    sar_free(p, x);
  }
}

static void exploration(bench *b) {
  sar_exploration x;
  sar_explore_config config = {.size = sizeof config, .pool = {.size = sizeof config.pool}};
  double start = now_us();
  need(sar_explore(&x, &config, sixteen_turns, NULL), "exploration");
  double took = now_us() - start;
  if (x.schedules != 35357670) give_up("counting the schedules of sixteen turns");
  print(b, "16 turns recorded: all 35,357,670 schedules", took);
  sar_exploration_free(&x);
}

static int pairs_only(bench *b, unsigned long count, size_t bytes) {
  open_bed(b, SAR_ORACLE_ALWAYS);
  for (unsigned long i = 0; i < count; i++) pair(b, &bytes);
  close_bed(b);
  return 0;
}

static void other_paths(bench *b) {
  miss_path(b);
  pending_path(b);
  many_blocks(b);
  threads(b);
  if (!b->cuda) exploration(b);
}

int main(int argc, char **argv) {
  bench b = {0};
  const char *json = NULL;
  bool hit_only = false;
  if (argc == 4 && !strcmp(argv[1], "--pairs"))
    return pairs_only(&b, strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--cuda")) {
      b.cuda = true;
    } else if (!strcmp(argv[i], "--hit")) {
      hit_only = true;
    } else if (!strcmp(argv[i], "--json") && i + 1 < argc) {
      json = argv[++i];
    } else {
      fputs("usage: sar-bench [--cuda] [--hit] [--json FILE] | --pairs COUNT BYTES\n", stderr);
      return 2;
    }
  }
  if (b.cuda && make_device(&b, SAR_ORACLE_ALWAYS)) {
    puts("skipped: no device");
    return 77;
  }
  if (b.cuda) sar_device_destroy(b.device);
  if (json && !(b.json = fopen(json, "w"))) give_up("opening the JSON file");
  printf("%-58s %10s\n", b.cuda ? "CUDA" : "simulator", "us");
  if (b.json) fprintf(b.json, "{\n  \"backend\": \"%s\",\n  \"us\": {\n", b.cuda ? "cuda" : "sim");
  hit_path(&b);
  if (!hit_only) other_paths(&b);
  if (b.json) {
    fprintf(b.json, "\n  }\n}\n");
    if (fclose(b.json)) give_up("writing the JSON file");
  }
  return 0;
}
