/* The simulated device's nouns.
 *
 * Work runs in the order of the calls, at once; what a schedule could do otherwise is told by the
 * clocks. A stream's clock holds what its next operation follows, the host's clock what the host
 * has proof of. An event whose clock the host's clock covers is ready in every schedule. */
#ifndef SAR_SIM_SIM_H
#define SAR_SIM_SIM_H

#include <pthread.h>

#include <sar/sim.h>

#include "../ops/device.h"
#include "clock.h"
#include "memory.h"
#include "shadow.h"

typedef struct sim_device sim_device;
typedef struct sim_capture sim_capture;
typedef struct sim_graph sim_graph;

typedef struct {
  sar_op op;
  uint32_t number; /* from 1, in the order of the calls */
  uint32_t lane, tick;
  sim_clock clock; /* what it follows, itself included */
  uint64_t read;   /* digest of what it read */
  bool owned;      /* a graph's: owners were fixed at capture */
  uint64_t dst_owner, src_owner;
} sim_op;

typedef struct {
  sim_clock clock;
  uint64_t end; /* timed: when its last operation is done */
  sim_capture *capture;
  sar_tip *tips;
  size_t tip_count, tip_cap;
  bool programmatic; /* the tips' edges, for the next node */
  uint32_t lane;
} sim_stream;

typedef struct {
  sim_clock clock;
  uint64_t done;
  uint64_t id;
  sar_capture captured; /* recorded inside this capture */
  sar_tip *tips;
  size_t tip_count;
} sim_event;

/* Decides a query that the host cannot know the answer of. */
typedef bool (*sim_choose_fn)(void *arg, sim_device *, uint64_t event, bool from_pool);

struct sim_device {
  sar_device base; /* first member */
  pthread_mutex_t lock;
  sar_sim_config config;
  uint64_t random;
  uint64_t now;
  sar_addr next_addr;
  uint64_t reserved;
  sim_clock host;
  uint32_t lanes;
  sim_stream *streams; /* id - 1 */
  size_t stream_count, stream_cap;
  sim_event *events; /* alive, by id */
  size_t event_count, event_cap;
  uint64_t next_event;
  sim_op **log;
  size_t op_count, op_cap;
  sim_memory memory;
  sim_shadow shadow;
  sar_hazard *hazards;
  size_t hazard_count, hazard_cap;
  sim_capture *captures;
  sim_graph *graphs;
  uint64_t next_id; /* captures, nodes and graphs */
  sar_pool *pool;   /* watched */
  sar_trace_fn next_trace;
  void *next_trace_arg;
  uint64_t host_calls; /* position of the host in its program */
  uint64_t host_answers;
  sim_choose_fn choose;
  void *choose_arg;
  sar_tip *tips_answer;
  sar_node *parents_answer;
};

sim_stream *sim_stream_get(sim_device *, sar_stream);
sim_event *sim_event_get(sim_device *, sar_event);
sar_status sim_run(sim_device *, const sim_op *template, const sim_clock *follows, uint32_t lane,
                   sim_op **out);
uint64_t sim_duration(const sim_device *, const sar_op *);

/* graph.c */
sar_status sim_capture_node(sim_device *, sim_stream *, const sar_op *);
sar_status sim_capture_begin(sar_device *, sar_stream);
sar_status sim_capture_end(sar_graph *out, sar_device *, sar_stream);
sar_status sim_capture_wait(sim_device *, sim_stream *, const sim_event *);
sar_status sim_capture_event(const sim_stream *, sim_event *);
sar_status sim_graph_launch(sar_device *, sar_graph, sar_stream);
sar_status sim_graph_destroy(sar_device *, sar_graph);
sar_status sim_set_tips(sar_device *, sar_stream, const sar_node *, size_t);
sar_status sim_tips_answer(sim_device *, const sim_stream *, sar_capture *, const sar_tip **,
                           size_t *);
sar_status sim_parents_answer(sim_device *, sar_node, const sar_node **, size_t *);
void sim_graphs_drop(sim_device *);
/* The laws of CUDA's thread-local captures. SAR_E_CAPTURE: the call is illegal now, and what it
 * touched is spoilt. */
sar_status sim_capture_spoil(sim_capture *);
/* A call that no stream orders: illegal while this thread captures anything. */
sar_status sim_capture_unordered(sim_device *);
sar_status sim_capture_spoil_all(sim_device *);
/* The host asks or awaits an event of a capture; SAR_E_ARG once that is over or spoilt. */
sar_status sim_capture_ask(sim_device *, const sim_event *);

/* hazards */
void sim_report(sim_device *, const sar_hazard *);

#endif
