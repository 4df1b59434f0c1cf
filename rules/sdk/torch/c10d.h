// Model of torch.distributed's C++ side: Work, Store, Backend, ProcessGroup, options.
#pragma once
#pragma GCC system_header
#include "aten.h"

namespace c10d {
using at::Tensor;
using c10::Device;
using c10::DeviceIndex;
constexpr auto kNoTimeout = std::chrono::milliseconds(0);
constexpr auto kUnsetTimeout = std::chrono::milliseconds(-1);
constexpr auto kDefaultTimeout = std::chrono::milliseconds(1800000);
constexpr auto kBackendDefaultTimeout = std::chrono::milliseconds(1800000);
enum class OpType : uint8_t {
  BROADCAST, ALLREDUCE, ALLREDUCE_COALESCED, REDUCE, ALLGATHER, _ALLGATHER_BASE, ALLGATHER_COALESCED, GATHER, SCATTER,
  REDUCE_SCATTER, ALLTOALL_BASE, ALLTOALL, SEND, RECV, RECVANYSOURCE, BARRIER, _REDUCE_SCATTER_BASE, COALESCED,
  _ALLREDUCE_SPARSE, REDUCE_SCATTER_TENSOR_COALESCED, BATCH_ISEND_IRECV, UNKNOWN = 100
};
std::string opTypeToString(OpType);
bool isP2POp(OpType, bool = false);
struct ReduceOp : c10::intrusive_ptr_target {
  enum RedOpType : uint8_t { SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM, UNUSED };
  ReduceOp();
  ReduceOp(RedOpType);
  operator RedOpType() const;
  bool operator==(RedOpType) const;
  RedOpType op_;
};
enum class WorkResult : int { SUCCESS, TIMEOUT, COMM_ERROR, UNKNOWN };
class Work : public c10::intrusive_ptr_target {
public:
  Work(int = -1, OpType = OpType::UNKNOWN, const char * = nullptr, const std::optional<std::vector<at::Tensor>> & = {});
  ~Work() override;
  virtual bool isCompleted();
  virtual bool isSuccess() const;
  virtual std::exception_ptr exception() const;
  virtual int sourceRank() const;
  virtual std::vector<at::Tensor> result();
  virtual void synchronize();
  virtual bool wait(std::chrono::milliseconds = kNoTimeout);
  virtual void blockCurrentStream();
  virtual void abort();
  virtual c10::intrusive_ptr<c10::ivalue::Future> getFuture();
  virtual c10::intrusive_ptr<c10::ivalue::Future> getFutureResult();
  virtual float getDuration() const;
  virtual uint64_t getSequencenumber() const;
  OpType retrieveOpType() const;
  static c10::intrusive_ptr<Work> create_from_future(const c10::intrusive_ptr<c10::ivalue::Future> &);

protected:
  void finish(std::exception_ptr = nullptr);
  void finishAndThrow(std::exception_ptr);
  mutable std::mutex mutex_;
  std::condition_variable cv_;
  bool completed_ = false;
  std::exception_ptr exception_;
  const int rank_;
  OpType opType_;
  std::function<void()> recordFunctionEndCallback_;
};
class Store : public c10::intrusive_ptr_target {
public:
  static constexpr std::chrono::milliseconds kDefaultTimeout{300000};
  void set(const std::string &, const std::string &);
  virtual void set(const std::string &, const std::vector<uint8_t> &);
  std::string get_to_str(const std::string &);
  virtual std::vector<uint8_t> get(const std::string &);
  virtual int64_t add(const std::string &, int64_t);
  virtual bool deleteKey(const std::string &);
  virtual bool check(const std::vector<std::string> &);
  virtual void wait(const std::vector<std::string> &);
  virtual void wait(const std::vector<std::string> &, const std::chrono::milliseconds &);
  virtual std::vector<uint8_t> compareSet(const std::string &, const std::vector<uint8_t> &, const std::vector<uint8_t> &);
  virtual const std::chrono::milliseconds &getTimeout() const noexcept;
  virtual void setTimeout(const std::chrono::milliseconds &);
};
class PrefixStore : public Store {
public:
  explicit PrefixStore(std::string, c10::intrusive_ptr<Store>);
};
class TCPStore : public Store {
public:
  template <class... A> explicit TCPStore(A &&...) {}
};
class FileStore : public Store {
public:
  explicit FileStore(std::string, int);
};
class HashStore : public Store {};
#define SA_SDK_TIMEOUT std::chrono::milliseconds timeout = kUnsetTimeout
struct BroadcastOptions { int64_t rootRank = 0, rootTensor = 0; SA_SDK_TIMEOUT; bool asyncOp = true; };
struct AllreduceOptions { ReduceOp reduceOp; SA_SDK_TIMEOUT; bool asyncOp = true; std::optional<at::Tensor> sparseIndices; };
struct AllreduceCoalescedOptions : AllreduceOptions {};
struct ReduceOptions { ReduceOp reduceOp; int64_t rootRank = 0, rootTensor = 0; SA_SDK_TIMEOUT; bool asyncOp = true; };
struct AllgatherOptions { SA_SDK_TIMEOUT; bool asyncOp = true; };
struct GatherOptions { int64_t rootRank = 0; SA_SDK_TIMEOUT; bool asyncOp = true; };
struct ScatterOptions { int64_t rootRank = 0; SA_SDK_TIMEOUT; bool asyncOp = true; };
struct ReduceScatterOptions { ReduceOp reduceOp; SA_SDK_TIMEOUT; bool asyncOp = true; };
struct AllToAllOptions { SA_SDK_TIMEOUT; bool asyncOp = true; };
struct BarrierOptions { std::vector<int64_t> device_ids; SA_SDK_TIMEOUT; std::optional<at::Device> device; bool asyncOp = true; };
struct DistributedBackendOptions {
  c10::intrusive_ptr<Store> store;
  int group_rank, group_size;
  std::chrono::duration<float> timeout;
  std::string group_id;
  std::vector<int64_t> global_ranks_in_group;
};
using sa_sdk_work = c10::intrusive_ptr<Work>;
using sa_sdk_lists = std::vector<std::vector<at::Tensor>>;
#define SA_SDK_COLLECTIVES                                                                         \
  virtual sa_sdk_work broadcast(std::vector<at::Tensor> &, const BroadcastOptions & = BroadcastOptions());             \
  virtual sa_sdk_work allreduce(std::vector<at::Tensor> &, const AllreduceOptions & = AllreduceOptions());             \
  virtual sa_sdk_work allreduce_sparse(std::vector<at::Tensor> &, const AllreduceOptions & = AllreduceOptions());      \
  virtual sa_sdk_work allreduce_coalesced(std::vector<at::Tensor> &, const AllreduceCoalescedOptions & = AllreduceCoalescedOptions()); \
  virtual sa_sdk_work reduce(std::vector<at::Tensor> &, const ReduceOptions & = ReduceOptions());                      \
  virtual sa_sdk_work allgather(sa_sdk_lists &, std::vector<at::Tensor> &, const AllgatherOptions & = AllgatherOptions()); \
  virtual sa_sdk_work _allgather_base(at::Tensor &, at::Tensor &, const AllgatherOptions & = AllgatherOptions());      \
  virtual sa_sdk_work allgather_coalesced(sa_sdk_lists &, std::vector<at::Tensor> &, const AllgatherOptions & = AllgatherOptions()); \
  virtual sa_sdk_work allgather_into_tensor_coalesced(std::vector<at::Tensor> &, std::vector<at::Tensor> &, const AllgatherOptions & = AllgatherOptions()); \
  virtual sa_sdk_work gather(sa_sdk_lists &, std::vector<at::Tensor> &, const GatherOptions & = GatherOptions());      \
  virtual sa_sdk_work scatter(std::vector<at::Tensor> &, sa_sdk_lists &, const ScatterOptions & = ScatterOptions());   \
  virtual sa_sdk_work reduce_scatter(std::vector<at::Tensor> &, sa_sdk_lists &, const ReduceScatterOptions & = ReduceScatterOptions()); \
  virtual sa_sdk_work _reduce_scatter_base(at::Tensor &, at::Tensor &, const ReduceScatterOptions & = ReduceScatterOptions()); \
  virtual sa_sdk_work reduce_scatter_tensor_coalesced(std::vector<at::Tensor> &, std::vector<at::Tensor> &, const ReduceScatterOptions & = ReduceScatterOptions()); \
  virtual sa_sdk_work alltoall_base(at::Tensor &, at::Tensor &, std::vector<int64_t> &, std::vector<int64_t> &, const AllToAllOptions & = AllToAllOptions()); \
  virtual sa_sdk_work alltoall(std::vector<at::Tensor> &, std::vector<at::Tensor> &, const AllToAllOptions & = AllToAllOptions()); \
  virtual sa_sdk_work send(std::vector<at::Tensor> &, int, int);                                   \
  virtual sa_sdk_work recv(std::vector<at::Tensor> &, int, int);                                   \
  virtual sa_sdk_work recvAnysource(std::vector<at::Tensor> &, int);                               \
  virtual sa_sdk_work barrier(const BarrierOptions & = BarrierOptions());                          \
  virtual void monitoredBarrier(const BarrierOptions &, bool = false);                             \
  virtual void startCoalescing();                                                                  \
  virtual sa_sdk_work endCoalescing();                                                             \
  virtual void setSequenceNumberForGroup();                                                        \
  virtual uint64_t getSequenceNumberForGroup();                                                    \
  virtual const std::string getBackendName() const;                                                \
  int getRank() const;                                                                             \
  int getSize() const;                                                                             \
  const std::string &getGroupName() const;                                                         \
  const std::string &getGroupUid() const;
class Backend : public c10::intrusive_ptr_target {
public:
  struct Options : c10::intrusive_ptr_target {
    explicit Options(std::string, std::chrono::milliseconds = kBackendDefaultTimeout);
    std::chrono::milliseconds timeout;
    const std::string backend;
    std::string group_name;
    std::vector<uint64_t> global_ranks_in_group;
  };
  explicit Backend(int, int);
  ~Backend() override;
  SA_SDK_COLLECTIVES
  virtual void abort();
  virtual void shutdown();
  virtual bool supportsCoalescing() const;
  virtual bool supportsSplitting() const;
  virtual c10::intrusive_ptr<Options> getBackendOptions();
  void init();

protected:
  const int rank_;
  const int size_;
  int dist_debug_level_;
  std::string pg_uid_, pg_desc_;
  std::optional<at::Device> bound_device_id_;
};
class ProcessGroup : public c10::intrusive_ptr_target {
public:
  enum BackendType : uint8_t { UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL, CUSTOM };
  using Options = Backend::Options;
  using Work = c10d::Work;
  explicit ProcessGroup(int, int);
  ~ProcessGroup() override;
  SA_SDK_COLLECTIVES
  c10::intrusive_ptr<Backend> getBackend(c10::DeviceType) const;
  c10::intrusive_ptr<Backend> getDefaultBackend() const;
  void setBackend(c10::DeviceType, BackendType, const std::optional<c10::intrusive_ptr<Backend>> &);
  int64_t getID() const;

protected:
  const int rank_;
  const int size_;
};
class ProcessGroupNCCL;
class ProcessGroupGloo;
enum class DebugLevel : int { Off, Info, Detail };
DebugLevel debug_level() noexcept;
class Logger;
class Reducer;
namespace ops {}
void check_gpu_single_tensor(const at::Tensor &);
std::vector<at::Tensor> getTensorShapes(const std::vector<at::Tensor> &);
template <class... A> std::string getCvarString(A &&...) {}
template <class... A> bool getCvarBool(A &&...) {}
template <class... A> int getCvarInt(A &&...) {}
at::Tensor newLikeFlat(sa_sdk_lists &, size_t);
at::Tensor newLikeFlat(std::vector<at::Tensor> &);
at::Tensor flattenDenseTensors(at::TensorList);
c10::intrusive_ptr<ProcessGroup> resolve_process_group(const std::string &);
} // namespace c10d
namespace torch {
namespace distributed {
namespace rpc {
class Message;
class RpcAgent;
} // namespace rpc
} // namespace distributed
} // namespace torch
