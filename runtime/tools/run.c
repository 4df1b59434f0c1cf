/* sar-run: every fixture in every form, on the simulator or on a GPU, as one table. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

/* ---- one run -------------------------------------------------------------------------------- */

void run_report(void *record, uint64_t value) {
  run_record *r = record;
  if (r->result_count < RUN_RESULTS) r->results[r->result_count++] = value;
}

static void note_block(run_record *r, sar_addr addr) {
  size_t i = 0;
  while (i < r->seen_count && r->seen[i] != addr) i++;
  if (i == r->seen_count && i < RUN_BLOCKS) r->seen[r->seen_count++] = addr;
  r->sequence = (r->sequence ^ i) * 0x100000001B3u + 1;
}

static void write_trace(run_record *r, const sar_trace_entry *e) {
  static const char *const kinds[] = {"segment_alloc", "segment_free", "malloc", "record_stream",
                                      "free",          "available",    "oom"};
  fprintf(r->trace, "%llu\t%s\t%u\t%llu\t%llu\t%llu\t%llu\t%llu\n", (unsigned long long)r->steps++,
          kinds[e->kind], e->stream, (unsigned long long)e->bytes,
          (unsigned long long)e->allocation, (unsigned long long)e->allocated,
          (unsigned long long)e->active, (unsigned long long)e->reserved);
}

void run_watch(void *record, const sar_trace_entry *e) {
  run_record *r = record;
  if (e->kind == SAR_TRACE_MALLOC) note_block(r, e->addr);
  if (r->trace) write_trace(r, e);
}

/* The pool's trace leads to run_watch, directly or through the simulator. */
static void play(run_record *r, const fixture *f, sar_device *device, sar_pool *pool,
                 unsigned turns) {
  const sar_program program = {.device = device,
                               .pool = pool,
                               .turns = turns,
                               .bytes = (size_t)f->mib << 20,
                               .spin_us = f->spin_us,
                               .report = run_report,
                               .arg = r};
  f->main(&program);
  sar_get_stats(&r->stats, pool);
  r->status = sar_device_status(device);
  if (!r->status) r->status = sar_check(pool);
}

void run_fixture(run_record *out, const fixture *f, sar_device *device, const sar_config *config,
                 unsigned turns) {
  FILE *trace = out->trace;
  sar_pool *pool = NULL;
  memset(out, 0, sizeof *out);
  out->trace = trace;
  out->status = sar_create(&pool, config, sar_device_backend(device));
  if (out->status) return;
  sar_set_trace(pool, run_watch, out);
  play(out, f, device, pool, turns);
  sar_status st = sar_destroy(pool);
  if (!out->status) out->status = st;
}

unsigned run_distinct(const run_record *runs, unsigned count) {
  unsigned distinct = 0;
  for (unsigned i = 0; i < count; i++) {
    unsigned k = 0;
    while (k < i && runs[k].sequence != runs[i].sequence) k++;
    distinct += k == i;
  }
  return distinct;
}

size_t run_wrong(const run_record *run, const run_record *reference) {
  if (!reference->result_count) return 0;
  if (run->result_count != reference->result_count) return reference->result_count;
  size_t wrong = 0;
  for (size_t i = 0; i < run->result_count; i++) wrong += run->results[i] != reference->results[i];
  return wrong;
}

/* ---- all runs ------------------------------------------------------------------------------- */

typedef struct {
  row *rows;
  size_t count, failed;
  run_record *reference; /* results of the fixture's first form that is right */
} table;

static bool add_row(table *t, const options *o, const fixture *f, sar_capture_rule rule) {
  row *bigger = realloc(t->rows, (t->count + 1) * sizeof *bigger);
  if (!bigger) return false;
  t->rows = bigger;
  row *r = &t->rows[t->count];
  *r = (row){.f = f};
  r->config = (sar_config){.size = sizeof r->config, .mode = o->mode, .capture_rule = rule};
  bool ran = o->cuda ? run_on_cuda(r, f, o, &r->config, t->reference)
                     : run_on_sim(r, f, o, &r->config, t->reference);
  if (!ran) return false;
  t->count++;
  t->failed += !r->ok;
  table_row(o, r);
  return true;
}

/* Capture fixtures that record run under each rule. */
static bool add_fixture(table *t, const options *o, const fixture *f) {
  sar_capture_rule last = f->capture && f->form == 'R' ? SAR_CAPTURE_STRONG : SAR_CAPTURE_DEFER;
  for (int rule = SAR_CAPTURE_DEFER; rule <= (int)last; rule++)
    if (!add_row(t, o, f, (sar_capture_rule)rule)) return false;
  return true;
}

/* A form that is right comes first, so that every other one is compared with its results. */
static bool add_forms(table *t, const options *o, size_t first, size_t end) {
  t->reference->result_count = 0;
  for (int hazard = 0; hazard < 2; hazard++)
    for (size_t i = first; i < end; i++)
      if (fixtures[i].hazard == (hazard != 0) && (!o->form || o->form == fixtures[i].form) &&
          !add_fixture(t, o, &fixtures[i]))
        return false;
  return true;
}

static bool run_all(table *t, const options *o) {
  for (size_t i = 0, end; i < fixture_count; i = end) {
    for (end = i + 1; end < fixture_count && fixtures[end].name == fixtures[i].name; end++);
    while (end < fixture_count && !strcmp(fixtures[end].name, fixtures[i].name)) end++;
    if (o->fixture && strcmp(o->fixture, fixtures[i].name)) continue;
    if (!add_forms(t, o, i, end)) return false;
  }
  return true;
}

/* ---- command line --------------------------------------------------------------------------- */

static const char usage[] =
    "usage: sar-run [--backend sim|cuda] [--fixture NAME] [--form R|E|N|W] [--runs N]\n"
    "               [--mode record|early|wait] [--json FILE] [--trace FILE]\n";

static bool take_option(options *o, const char *name, const char *value) {
  if (!strcmp(name, "--backend") && (!strcmp(value, "sim") || !strcmp(value, "cuda")))
    return o->cuda = !strcmp(value, "cuda"), true;
  if (!strcmp(name, "--fixture")) return o->fixture = value, true;
  if (!strcmp(name, "--form") && strchr("RENW", *value)) return o->form = *value, true;
  if (!strcmp(name, "--json")) return o->json = value, true;
  if (!strcmp(name, "--trace")) return o->trace = value, true;
  if (!strcmp(name, "--runs")) return (o->runs = (unsigned)atoi(value)) > 0;
  if (strcmp(name, "--mode")) return false;
  static const char *const modes[] = {"record", "early", "wait"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(value, modes[i])) return o->mode = (sar_mode)i, true;
  return false;
}

int main(int argc, char **argv) {
  options o = {.runs = 10};
  char device[256] = "simulator";
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && take_option(&o, argv[i], argv[i + 1])) continue;
    fputs(usage, stderr);
    return 2;
  }
  if (o.cuda && !run_cuda_describe(device, sizeof device)) {
    puts("skipped: no device");
    return 77;
  }
  table t = {.reference = calloc(1, sizeof *t.reference)};
  table_head(&o);
  bool ran = t.reference && run_all(&t, &o) && table_json(&o, device, t.rows, t.count);
  if (ran) printf("%zu rows on %s, %zu not as expected\n", t.count, device, t.failed);
  if (!ran) fputs("sar-run: out of memory, or the output cannot be written\n", stderr);
  free(t.rows);
  free(t.reference);
  return !ran ? 3 : t.failed || !t.count;
}
