/* A simulated device: streams, events, graphs and memory with a history, all on the CPU.
 *
 * The answer of an event query is the only thing that time decides. Where the host cannot know
 * it, an oracle does; sar_explore tries both answers and so runs every schedule of a program. */
#ifndef SAR_SIM_H
#define SAR_SIM_H

#include <sar/alloc.h>
#include <sar/ops.h>

typedef enum {
  SAR_ORACLE_ALWAYS, /* ready */
  SAR_ORACLE_NEVER,  /* not ready, unless the host has seen proof */
  SAR_ORACLE_SEEDED, /* a coin */
  SAR_ORACLE_TIMED,  /* by a virtual clock */
} sar_oracle;

typedef struct {
  size_t size; /* sizeof(sar_sim_config) */
  sar_oracle oracle;
  uint64_t seed;
  uint64_t memory;    /* bytes of device memory; 0: 141 GiB */
  uint64_t host_ns;   /* timed: what a call costs the host; 0: 2,000 */
  uint64_t byte_ns_k; /* timed: nanoseconds per KiB that an operation moves; 0: 1 */
  bool downward;      /* each segment lies below the one before, as CUDA places large ones */
} sar_sim_config;

typedef enum {
  SAR_HAZARD_REUSE,     /* a new owner's access does not follow one by an old owner */
  SAR_HAZARD_RACE,      /* two accesses of one owner, at least one write, without an order */
  SAR_HAZARD_FREED,     /* access to a block after its free */
  SAR_HAZARD_UNWRITTEN, /* read of bytes that this owner never wrote */
  SAR_HAZARD_OUTSIDE,   /* access outside every block */
} sar_hazard_kind;

typedef struct {
  uint32_t number; /* position in the order of the calls, from 1; 0: none */
  sar_stream stream;
  const char *name;
  bool writes;
} sar_access;

typedef struct {
  sar_hazard_kind kind;
  sar_access first, second;
  uint64_t first_malloc, second_malloc; /* ordinals of the allocations, from 1 */
  uint64_t free;                        /* ordinal of the free between them; 0: none */
  sar_addr addr;                        /* first byte in common */
  size_t bytes;
} sar_hazard;

/* A legal order of the device's work in which the hazard shows. */
typedef struct {
  sar_access reader; /* the read that sees another value; number 0: final memory differs */
  uint64_t expected, got;
} sar_witness;

sar_status sar_sim_create(sar_device **out, const sar_sim_config *config);
/* Lets the simulator see allocations, and frees; a program without this reports no hazards.
 * Takes the pool's trace slot and hands each entry on to next. */
void sar_sim_watch(sar_device *sim, sar_pool *pool, sar_trace_fn next, void *arg);
size_t sar_sim_hazards(const sar_device *sim, const sar_hazard **out);
bool sar_sim_witness(sar_witness *out, sar_device *sim, const sar_hazard *hazard);
/* The next captured operation of stream depends on its tips through a programmatic port: it may
 * start before they are done. */
sar_status sar_sim_programmatic(sar_device *sim, sar_stream stream);
uint64_t sar_sim_now(const sar_device *sim); /* virtual nanoseconds */
const char *sar_hazard_name(sar_hazard_kind kind);

typedef struct {
  size_t size; /* sizeof(sar_explore_config) */
  sar_config pool;
  uint64_t memory;
  uint64_t max_states; /* 0: 2,000,000 */
  bool every_path;     /* no merging of equal states: one run per schedule */
  /* With every_path: called once per schedule with the blocks it handed out, in order. */
  void (*schedule)(void *arg, const sar_addr *blocks, size_t count);
  void *arg;
} sar_explore_config;

typedef struct {
  uint64_t schedules, states, runs;
  bool exhausted; /* false: max_states ended it, and the figures are lower bounds */
  uint64_t blocks_min, blocks_max;
  sar_level active, reserved; /* smallest and largest peak over the schedules, as current, peak */
  sar_hazard *hazards;        /* distinct, in order of discovery */
  size_t hazard_count;
  sar_witness witness; /* of the first hazard that has one */
  bool has_witness;
  uint64_t results; /* digest of what the program reported in its first run */
  bool results_equal;
  sar_status status; /* first failure of a run */
} sar_exploration;

/* The program must make the same calls whenever queries give the same answers. */
typedef void (*sar_sim_program)(sar_device *sim, sar_pool *pool, void *arg, uint64_t *results);
sar_status sar_explore(sar_exploration *out, const sar_explore_config *config,
                       sar_sim_program program, void *arg);
void sar_exploration_free(sar_exploration *exploration);

#endif
