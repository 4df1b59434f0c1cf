#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"

#ifdef SAR_HAVE_CUDA
#include <sar/cuda.h>

bool run_cuda_describe(char *text, size_t bytes) {
  sar_device *device;
  if (sar_cuda_create(&device, 0)) return false;
  bool ok = !sar_cuda_describe(device, text, bytes);
  sar_device_destroy(device);
  return ok;
}

static double now_ms(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void summarise(row *out, const run_record *runs, double *ms, run_record *reference) {
  const unsigned count = out->runs;
  if (!reference->result_count && !out->f->hazard) memcpy(reference, &runs[0], sizeof *reference);
  out->blocks_min = UINT64_MAX;
  for (unsigned i = 0; i < count; i++) {
    size_t wrong = run_wrong(&runs[i], reference);
    if (wrong > out->wrong) out->wrong = wrong;
    if (runs[i].stats.active.peak > out->active) out->active = runs[i].stats.active.peak;
    if (runs[i].stats.reserved.peak > out->reserved) out->reserved = runs[i].stats.reserved.peak;
    if (runs[i].seen_count < out->blocks_min) out->blocks_min = runs[i].seen_count;
    if (runs[i].seen_count > out->blocks_max) out->blocks_max = runs[i].seen_count;
    if (!out->status) out->status = runs[i].status;
  }
  out->results = runs[0].result_count;
  out->sequences = run_distinct(runs, count);
  qsort(ms, count, sizeof *ms, by_size);
  out->ms = ms[count / 2];
}

/* A fresh device each time would hide what streams and events of earlier runs leave behind, so
 * all runs of a form share one; the pool is fresh. */
bool run_on_cuda(row *out, const fixture *f, const options *o, const sar_config *config,
                 run_record *reference) {
  run_record *runs = calloc(o->runs, sizeof *runs);
  double *ms = calloc(o->runs, sizeof *ms);
  sar_device *device = NULL;
  if (!runs || !ms || sar_cuda_create(&device, 0)) {
    free(runs);
    free(ms);
    return false;
  }
  out->runs = o->runs;
  for (unsigned i = 0; i < o->runs; i++) {
    if (o->trace && !i) runs[i].trace = fopen(o->trace, "w");
    double start = now_ms();
    run_fixture(&runs[i], f, device, config, f->turns);
    ms[i] = now_ms() - start;
    if (runs[i].trace) fclose(runs[i].trace);
  }
  summarise(out, runs, ms, reference);
  out->exhausted = true;
  out->ok = !out->status && out->results && (f->hazard ? out->wrong > 0 : !out->wrong);
  if (f->form == 'E') out->ok = out->ok && out->sequences == 1;
  sar_device_destroy(device);
  free(runs);
  free(ms);
  return true;
}

#else

bool run_cuda_describe(char *text, size_t bytes) {
  (void)text;
  (void)bytes;
  return false;
}

bool run_on_cuda(row *out, const fixture *f, const options *o, const sar_config *config,
                 run_record *reference) {
  (void)f;
  (void)o;
  (void)config;
  (void)reference;
  (void)out;
  return false;
}

#endif
