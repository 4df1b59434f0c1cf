/* The fixtures as the runner sees them, and one row of its table. */
#ifndef SAR_TOOLS_FIXTURE_H
#define SAR_TOOLS_FIXTURE_H

#include <stdio.h>

#include <sar/program.h>
#include <sar/sim.h>

typedef struct {
  const char *name;
  char form; /* R: sar_record_stream, E: events, N: neither, W: R rewritten */
  bool capture;
  bool hazard; /* this form is wrong on purpose */
  unsigned explore, turns, mib, spin_us;
  void (*main)(const sar_program *);
} fixture;

extern const fixture fixtures[];
extern const size_t fixture_count;

#define RUN_RESULTS 512
#define RUN_BLOCKS  4096

/* What one run of a fixture leaves behind. Blocks are named by first use. */
typedef struct {
  uint64_t results[RUN_RESULTS];
  size_t result_count;
  sar_addr seen[RUN_BLOCKS];
  size_t seen_count;
  uint64_t sequence; /* digest of the block names in order */
  sar_stats stats;
  sar_status status;
  FILE *trace;
  uint64_t steps;
} run_record;

typedef struct {
  const fixture *f;
  sar_config config;
  unsigned runs, sequences;
  size_t results, wrong; /* values reported, and values that differ from the reference form's */
  uint64_t active, reserved;
  uint64_t blocks_min, blocks_max;
  double ms;                  /* cuda: median of the runs */
  uint64_t schedules, states; /* sim */
  size_t hazards;
  bool has_witness, exhausted, ok;
  sar_hazard_kind first_hazard;
  uint64_t expected, got;
  sar_status status;
} row;

typedef struct {
  const char *fixture;
  char form; /* 0: all */
  unsigned runs;
  const char *json;
  const char *trace;
  sar_mode mode;
  bool cuda;
} options;

/* run.c */
void run_fixture(run_record *out, const fixture *f, sar_device *device, const sar_config *config,
                 unsigned turns);
void run_watch(void *record, const sar_trace_entry *entry);
void run_report(void *record, uint64_t value);
unsigned run_distinct(const run_record *runs, unsigned count);
size_t run_wrong(const run_record *run, const run_record *reference);

/* run_sim.c, run_cuda.c */
bool run_on_sim(row *out, const fixture *f, const options *o, const sar_config *config,
                run_record *reference);
bool run_on_cuda(row *out, const fixture *f, const options *o, const sar_config *config,
                 run_record *reference);
bool run_cuda_describe(char *text, size_t bytes);

/* table.c */
void table_head(const options *o);
void table_row(const options *o, const row *r);
bool table_json(const options *o, const char *device, const row *rows, size_t count);

#endif
