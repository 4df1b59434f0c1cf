/* Stream capture and graphs. CUDA 13 folded edge data into the calls that had it as _v2 and _v3 in
 * 12.3; older runtimes have no edges to report. */
#include <stdlib.h>

#include "cuda_device.h"

#define HAVE_EDGES (CUDART_VERSION >= 12030)

static cudaError_t capture_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id, const cudaGraphNode_t **nodes,
                                const cudaGraphEdgeData **edges, size_t *count) {
  cudaGraph_t graph;
  *edges = NULL;
#if CUDART_VERSION >= 13000
  return cudaStreamGetCaptureInfo(s, status, id, &graph, nodes, edges, count);
#elif HAVE_EDGES
  return cudaStreamGetCaptureInfo_v3(s, status, id, &graph, nodes, edges, count);
#else
  return cudaStreamGetCaptureInfo_v2(s, status, id, &graph, nodes, count);
#endif
}

static cudaError_t dependencies(cudaGraphNode_t node, cudaGraphNode_t *parents,
                                cudaGraphEdgeData *edges, size_t *count) {
#if CUDART_VERSION >= 13000
  return cudaGraphNodeGetDependencies(node, parents, edges, count);
#elif HAVE_EDGES
  return cudaGraphNodeGetDependencies_v2(node, parents, edges, count);
#else
  (void)edges;
  return cudaGraphNodeGetDependencies(node, parents, count);
#endif
}

static cudaError_t set_dependencies(cudaStream_t s, cudaGraphNode_t *nodes, size_t count) {
#if CUDART_VERSION >= 13000
  return cudaStreamUpdateCaptureDependencies(s, nodes, NULL, count,
                                             cudaStreamSetCaptureDependencies);
#else
  return cudaStreamUpdateCaptureDependencies(s, nodes, count, cudaStreamSetCaptureDependencies);
#endif
}

/* Port 0 is full completion. */
static bool finishes(const cudaGraphEdgeData *edges, size_t i) {
  return !edges || edges[i].from_port == 0;
}

static bool reserve(void **array, size_t *cap, size_t count, size_t piece) {
  if (count <= *cap) return true;
  void *bigger = realloc(*array, count * 2 * piece);
  if (!bigger) return false;
  *array = bigger;
  *cap = count * 2;
  return true;
}

sar_status cuda_capture_tips(void *ctx, sar_capture *out, const sar_tip **tips, size_t *count,
                             sar_stream stream) {
  cuda_device *d = ctx;
  cudaStream_t s;
  enum cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  const cudaGraphNode_t *nodes = NULL;
  const cudaGraphEdgeData *edges = NULL;
  size_t n = 0;
  *out = 0;
  *tips = NULL;
  *count = 0;
  if (!cuda_stream(d, stream, &s)) return SAR_E_ARG;
  sar_status st = cuda_status(capture_info(s, &status, &id, &nodes, &edges, &n));
  if (st || status == cudaStreamCaptureStatusNone) return st;
  if (status != cudaStreamCaptureStatusActive) return SAR_E_CAPTURE; /* invalidated */
  if (!reserve((void **)&d->tips, &d->tip_cap, n, sizeof *d->tips)) return SAR_E_NOMEM_HOST;
  for (size_t i = 0; i < n; i++)
    d->tips[i] = (sar_tip){(sar_node)(uintptr_t)nodes[i], finishes(edges, i)};
  *out = id;
  *tips = d->tips;
  *count = n;
  return SAR_OK;
}

static sar_status read_parents(cuda_device *d, cudaGraphNode_t node, size_t n) {
  size_t cap = d->parent_cap;
  if (!reserve((void **)&d->edges, &cap, n, sizeof *d->edges) ||
      !reserve((void **)&d->parents, &d->parent_cap, n, sizeof *d->parents))
    return SAR_E_NOMEM_HOST;
  _Static_assert(sizeof(cudaGraphNode_t) == sizeof(sar_node), "nodes are pointers of 64 bits");
  return cuda_status(dependencies(node, (cudaGraphNode_t *)(void *)d->parents, d->edges, &n));
}

sar_status cuda_node_parents(void *ctx, const sar_node **parents, size_t *count, sar_node id) {
  cuda_device *d = ctx;
  cudaGraphNode_t node = (cudaGraphNode_t)(uintptr_t)id;
  size_t n = 0, kept = 0;
  *count = 0;
  sar_status st = cuda_status(dependencies(node, NULL, NULL, &n));
  if (!st && n) st = read_parents(d, node, n);
  if (st) return st;
  for (size_t i = 0; i < n; i++)
    if (finishes(HAVE_EDGES ? d->edges : NULL, i)) d->parents[kept++] = d->parents[i];
  *parents = d->parents;
  *count = kept;
  return SAR_OK;
}

sar_status cuda_set_tips(sar_device *base, sar_stream stream, const sar_node *nodes, size_t count) {
  cudaStream_t s;
  if (!cuda_stream((cuda_device *)base, stream, &s)) return SAR_E_ARG;
  cudaGraphNode_t *copy = malloc((count + 1) * sizeof *copy);
  if (!copy) return SAR_E_NOMEM_HOST;
  for (size_t i = 0; i < count; i++) copy[i] = (cudaGraphNode_t)(uintptr_t)nodes[i];
  sar_status st = cuda_status(set_dependencies(s, copy, count));
  free(copy);
  return st;
}

/* ---- graphs --------------------------------------------------------------------------------- */

/* Thread-local: what other threads do meanwhile stays legal. */
sar_status cuda_capture_begin(sar_device *base, sar_stream stream) {
  enum cudaStreamCaptureStatus capturing;
  cudaStream_t s;
  if (!cuda_stream((cuda_device *)base, stream, &s)) return SAR_E_ARG;
  sar_status st = cuda_status(cudaStreamIsCapturing(s, &capturing));
  if (st) return st;
  if (capturing != cudaStreamCaptureStatusNone) return SAR_E_STATE;
  return cuda_status(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
}

static sar_status keep_graph(sar_graph *out, cuda_device *d, cudaGraph_t graph) {
  cuda_graph *g = calloc(1, sizeof *g);
  sar_status st = g ? cuda_status(cudaGraphInstantiate(&g->exec, graph, 0)) : SAR_E_NOMEM_HOST;
  if (st) {
    cudaGraphDestroy(graph);
    free(g);
    return st;
  }
  pthread_mutex_lock(&d->lock);
  g->graph = graph;
  g->id = *out = ++d->next_graph;
  g->next = d->graphs;
  d->graphs = g;
  pthread_mutex_unlock(&d->lock);
  return SAR_OK;
}

sar_status cuda_capture_end(sar_graph *out, sar_device *base, sar_stream stream) {
  cuda_device *d = (cuda_device *)base;
  enum cudaStreamCaptureStatus capturing;
  cudaStream_t s;
  cudaGraph_t graph = NULL;
  if (!cuda_stream(d, stream, &s)) return SAR_E_ARG;
  sar_status st = cuda_status(cudaStreamIsCapturing(s, &capturing));
  if (st) return st;
  if (capturing == cudaStreamCaptureStatusNone) return SAR_E_STATE;
  st = cuda_status(cudaStreamEndCapture(s, &graph));
  return st ? st : keep_graph(out, d, graph);
}

static cuda_graph **find_graph(cuda_device *d, sar_graph id) {
  cuda_graph **at = &d->graphs;
  while (*at && (*at)->id != id) at = &(*at)->next;
  return at;
}

sar_status cuda_graph_launch(sar_device *base, sar_graph id, sar_stream stream) {
  cuda_device *d = (cuda_device *)base;
  cudaStream_t s;
  pthread_mutex_lock(&d->lock);
  const cuda_graph *g = *find_graph(d, id);
  pthread_mutex_unlock(&d->lock);
  if (!g || !cuda_stream(d, stream, &s)) return SAR_E_ARG;
  return cuda_status(cudaGraphLaunch(g->exec, s));
}

static void drop_graph(cuda_graph *g) {
  cudaGraphExecDestroy(g->exec);
  cudaGraphDestroy(g->graph);
  free(g);
}

sar_status cuda_graph_destroy(sar_device *base, sar_graph id) {
  cuda_device *d = (cuda_device *)base;
  pthread_mutex_lock(&d->lock);
  cuda_graph **at = find_graph(d, id), *g = *at;
  if (g) *at = g->next;
  pthread_mutex_unlock(&d->lock);
  if (!g) return SAR_E_ARG;
  drop_graph(g);
  return SAR_OK;
}

void cuda_graphs_drop(cuda_device *d) {
  while (d->graphs) {
    cuda_graph *g = d->graphs;
    d->graphs = g->next;
    drop_graph(g);
  }
}
