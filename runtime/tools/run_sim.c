#include <stdlib.h>
#include <string.h>

#include "fixture.h"

static void digest_result(void *arg, uint64_t value) {
  uint64_t *digest = arg;
  *digest = (*digest ^ value) * 0x100000001B3u + 7;
}

static void program(sar_device *sim, sar_pool *pool, void *arg, uint64_t *results) {
  const fixture *f = arg;
  f->main(&(sar_program){.device = sim,
                         .pool = pool,
                         .turns = f->explore,
                         .bytes = (size_t)f->mib << 20,
                         .spin_us = f->spin_us,
                         .report = digest_result,
                         .arg = results});
}

static bool explore(row *out, const fixture *f, const sar_config *config) {
  sar_exploration x;
  sar_explore_config c = {.size = sizeof c, .pool = *config};
  out->status = sar_explore(&x, &c, program, (void *)f);
  if (!out->status) out->status = x.status;
  out->schedules = x.schedules;
  out->states = x.states;
  out->exhausted = x.exhausted;
  out->hazards = x.hazard_count;
  out->blocks_min = x.blocks_min;
  out->blocks_max = x.blocks_max;
  out->active = x.active.peak;
  out->reserved = x.reserved.peak;
  out->has_witness = x.has_witness;
  out->expected = x.witness.expected;
  out->got = x.witness.got;
  if (x.hazard_count) out->first_hazard = x.hazards[0].kind;
  bool equal = x.results_equal;
  sar_exploration_free(&x);
  return equal;
}

/* Seeded runs: what a device that is now early and now late would do. */
static bool seeded(row *out, const fixture *f, const options *o, const sar_config *config,
                   run_record *reference) {
  run_record *runs = calloc(o->runs, sizeof *runs);
  if (!runs) return false;
  for (unsigned i = 0; i < o->runs && !out->status; i++) {
    sar_device *sim;
    sar_sim_config c = {.size = sizeof c, .oracle = SAR_ORACLE_SEEDED, .seed = i + 1};
    if (o->trace) c.oracle = SAR_ORACLE_TIMED;
    out->status = sar_sim_create(&sim, &c);
    if (out->status) break;
    if (o->trace && !i) runs[i].trace = fopen(o->trace, "w");
    run_fixture(&runs[i], f, sim, config, o->trace ? f->turns : f->explore);
    if (runs[i].trace) fclose(runs[i].trace);
    out->status = runs[i].status;
    sar_device_destroy(sim);
  }
  out->sequences = run_distinct(runs, o->runs);
  out->results = runs[0].result_count;
  if (!reference->result_count) memcpy(reference, &runs[0], sizeof *reference);
  out->wrong = run_wrong(&runs[0], reference);
  free(runs);
  return true;
}

bool run_on_sim(row *out, const fixture *f, const options *o, const sar_config *config,
                run_record *reference) {
  bool equal = explore(out, f, config);
  out->runs = o->runs;
  if (!seeded(out, f, o, config, reference)) return false;
  out->ok = !out->status && equal && !out->wrong && out->results && out->exhausted &&
            (f->hazard ? out->hazards && out->has_witness : !out->hazards);
  if (f->form == 'E' || f->form == 'W')
    out->ok = out->ok && out->schedules == 1 && out->sequences == 1;
  return true;
}
