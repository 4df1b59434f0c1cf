/* The CUDA device's nouns, shared by the files of this folder only. */
#ifndef SAR_CUDA_CUDA_DEVICE_H
#define SAR_CUDA_CUDA_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include <cuda_runtime_api.h>
#include <sar/cuda.h>

#include "../ops/device.h"

#define EVENT_CHUNK  256
#define EVENT_CHUNKS 4096

enum { KERNEL_ADD, KERNEL_CHECKSUM, KERNEL_SPIN, KERNEL_GATE, KERNEL_COUNT };

typedef struct {
  cudaEvent_t event;
  uint32_t generation;
  bool live;
  uint32_t next_free; /* index + 1 */
} cuda_event;

typedef struct cuda_graph {
  struct cuda_graph *next;
  sar_graph id;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
} cuda_graph;

/* Entry points of the driver, found at run time, so that nothing links against it. */
typedef struct {
  void *library;
  int (*event_query)(void *event);
  int (*module_load)(void **module, const void *image);
  int (*module_unload)(void *module);
  int (*module_function)(void **function, void *module, const char *name);
  int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                unsigned shared, cudaStream_t, void **parameters, void **extra);
  void *module;
  void *kernels[KERNEL_COUNT];
} cuda_driver;

/* Chunks of events and streams never move, so a query needs no lock to find its event. */
typedef struct {
  sar_device base; /* first member */
  pthread_mutex_t lock;
  int ordinal;
  cudaStream_t *streams; /* id - 1; room for all of them is made at once */
  uint32_t stream_count;
  cuda_event *events[EVENT_CHUNKS];
  uint32_t event_count, free_event;
  cuda_graph *graphs;
  sar_graph next_graph;
  atomic_uint captures; /* begun and not ended */
  uint32_t *gates;  /* by stream id; pinned, seen by the device: gates up to this number are open */
  uint32_t *closed; /* by stream id: gates closed so far */
  cuda_driver driver;
  sar_tip *tips;
  sar_node *parents;
  cudaGraphEdgeData *edges;
  size_t tip_cap, parent_cap;
} cuda_device;

#define CUDA_STREAMS 4096

sar_status cuda_status(cudaError_t);

/* CUDA calls that no stream orders (memory, instantiation, queries) fail while this thread captures
 * any stream, and spoil what it captures. What the device does on its own account runs between
 * these two, where they are allowed and harm nothing. */
typedef enum cudaStreamCaptureMode cuda_mode;
sar_status cuda_relax(cuda_mode *previous);
void cuda_restore(cuda_mode previous);
bool cuda_stream(const cuda_device *, sar_stream, cudaStream_t *out);
sar_status cuda_bind(const cuda_device *);

/* kernels.c */
sar_status cuda_driver_open(cuda_device *);
void cuda_driver_close(cuda_device *);
sar_status cuda_queue(sar_device *, const sar_op *);
sar_status cuda_launch(cuda_device *, int kernel, cudaStream_t, unsigned blocks, unsigned threads,
                       const uint64_t parameters[3]);

/* graph.c */
sar_status cuda_capture_begin(sar_device *, sar_stream);
sar_status cuda_capture_end(sar_graph *out, sar_device *, sar_stream);
sar_status cuda_graph_launch(sar_device *, sar_graph, sar_stream);
sar_status cuda_graph_destroy(sar_device *, sar_graph);
sar_status cuda_set_tips(sar_device *, sar_stream, const sar_node *, size_t);
sar_status cuda_capture_tips(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                             sar_stream);
sar_status cuda_node_parents(void *ctx, const sar_node **parents, size_t *count, sar_node);
void cuda_graphs_drop(cuda_device *);

#endif
