/* The model headers: each parses alone, in every language mode it is meant for, and so does code of
 * the kind they are made for. libclang is called through the few functions that this needs. */
#include "ruleset/ruleset.h"

#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in clang-c/CXString.h, clang-c/Index.h. */
typedef struct {
  const void *data;
  unsigned flags;
} clang_text;

typedef struct {
  const char *name, *contents;
  unsigned long length;
} clang_file;

static struct {
  void *(*create_index)(int, int);
  void (*dispose_index)(void *);
  int (*parse)(void *, const char *, const char *const *, int, clang_file *, unsigned, unsigned,
               void **);
  void (*dispose_unit)(void *);
  unsigned (*count)(void *);
  void *(*get)(void *, unsigned);
  int (*severity)(void *);
  clang_text (*format)(void *, unsigned);
  const char *(*c_string)(clang_text);
} clang;

static sa_arena *arena;

static void *open_library(void) {
  const char *names[] = {getenv("SA_LINT_LIBCLANG"),
                         "libclang-19.so.1",
                         "libclang-20.so.1",
                         "libclang-18.so.1",
                         "libclang-17.so.1",
                         "/usr/lib/llvm-19/lib/libclang.so.1",
                         "/usr/lib/llvm-18/lib/libclang.so.1",
                         "libclang.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = names[i] != NULL ? dlopen(names[i], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library != NULL) return library;
  }
  ck_abort_msg("there is no libclang");
  return NULL;
}

static void setup(void) {
  arena = sa_arena_new();
  void *library = open_library();
  static const struct {
    const char *name;
    void **place;
  } functions[] = {
      {"clang_createIndex", (void **)&clang.create_index},
      {"clang_disposeIndex", (void **)&clang.dispose_index},
      {"clang_parseTranslationUnit2", (void **)&clang.parse},
      {"clang_disposeTranslationUnit", (void **)&clang.dispose_unit},
      {"clang_getNumDiagnostics", (void **)&clang.count},
      {"clang_getDiagnostic", (void **)&clang.get},
      {"clang_getDiagnosticSeverity", (void **)&clang.severity},
      {"clang_formatDiagnostic", (void **)&clang.format},
      {"clang_getCString", (void **)&clang.c_string},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    *functions[i].place = dlsym(library, functions[i].name);
    ck_assert_msg(*functions[i].place != NULL, "libclang has no %s", functions[i].name);
  }
}

static void teardown(void) {
  sa_arena_free(arena);
}

typedef enum { C17, CPP17, CPP20, CUDA, MODES } mode;

/* Parses `text` as rules/sdk/check.*; every error is a failure. */
static void expect_clean(mode m, const char *what, const char *text) {
  static const char *const args[MODES][9] = {
      {"-x", "c", "-std=c17"},
      {"-x", "c++", "-std=c++17", "-nostdinc++"},
      {"-x", "c++", "-std=c++20", "-nostdinc++"},
      {"-x", "cuda", "-std=c++20", "-nostdinc++", "--cuda-host-only", "-nocudainc", "-nocudalib"}};
  const char *all[16] = {"-nostdinc", "-w", "-ferror-limit=0"};
  int n = 3;
  for (int i = 0; i < 9 && args[m][i] != NULL; i++) all[n++] = args[m][i];
  void *index = clang.create_index(0, 0), *unit = NULL;
  clang_file file = {"rules/sdk/check.cu", text, strlen(text)};
  ck_assert_int_eq(clang.parse(index, file.name, all, n, &file, 1, 0, &unit), 0);
  for (unsigned i = 0; i < clang.count(unit); i++) {
    void *diagnostic = clang.get(unit, i);
    if (clang.severity(diagnostic) < 3) continue; /* a warning */
    ck_abort_msg("%s (%s): %s", what, args[m][2], clang.c_string(clang.format(diagnostic, 1)));
  }
  clang.dispose_unit(unit);
  clang.dispose_index(index);
}

static void check_header(void *context, const char *path, const char *text, size_t length) {
  unsigned *headers = context;
  if (length < 2 || strcmp(path + strlen(path) - 2, ".h") != 0) return;
  const char *include = sa_printf(arena, "#include \"%s\"\n", path + strlen("sdk/"));
  ++*headers;
  /* Headers for C too have an include guard, the others `#pragma once`. */
  if (strstr(text, "#ifndef SA_SDK_") != NULL) expect_clean(C17, path, include);
  expect_clean(CPP17, path, include);
  expect_clean(CPP20, path, include);
  expect_clean(CUDA, path, include);
}

START_TEST(every_header_parses_alone) {
  unsigned headers = 0;
  sa_ruleset_each_file("rules", "sdk/", check_header, &headers);
  ck_assert_uint_gt(headers, 20);
}
END_TEST

static const char everything[] =
    "#include \"torch/extension.h\"\n#include \"torch/cuda.h\"\n#include \"hip/hip.h\"\n"
    "#include \"xpu/xpu.h\"\n#include \"npu/npu.h\"\n#include \"mlu/mlu.h\"\n"
    "#include \"musa/musa.h\"\n#include \"paddle/paddle.h\"\n#include \"dgl/dgl.h\"\n"
    "#include \"cuda/nccl.h\"\n#include \"c/posix.h\"\n#include \"sar/sar.h\"\n";

START_TEST(all_of_them_go_together) {
  expect_clean(CPP17, "everything", everything);
  expect_clean(CPP20, "everything", everything);
  expect_clean(CUDA, "everything", everything);
}
END_TEST

static const char standard_library[] =
    "#include \"c++/std.h\"\n"
    "struct node { int value; std::unique_ptr<node> next; };\n"
    "std::vector<int> numbers{1, 2, 3};\n"
    "std::map<std::string, std::vector<int>> table{{\"a\", {1, 2}}, {\"b\", {}}};\n"
    "int walk() {\n"
    "  int sum = 0;\n"
    "  for (int n : numbers) sum += n;\n"
    "  for (auto &[key, value] : table) sum += (int)key.size() + (int)value.size();\n"
    "  for (const auto &x : {1, 2, 3}) sum += x;\n"
    "  std::optional<int> maybe; if (maybe) sum += *maybe + maybe.value() + maybe.value_or(2);\n"
    "  auto [a, b] = std::make_tuple(1, std::string(\"x\")); sum += a + (int)b.length();\n"
    "  int c; std::string d; std::tie(c, d) = std::make_pair(1, std::string());\n"
    "  std::sort(numbers.begin(), numbers.end(), [](int x, int y) { return x < y; });\n"
    "  std::function<int(int)> f = [=](int x) { return x + sum; };\n"
    "  std::mutex m; std::lock_guard<std::mutex> lock(m); std::unique_lock<std::mutex> other(m);\n"
    "  std::condition_variable cv; cv.wait(other, [&] { return sum > 0; });\n"
    "  std::thread t([&] { sum++; }); t.join();\n"
    "  std::atomic<bool> flag{false}; flag.store(true); flag = false;\n"
    "  auto later = std::async([] { return 1; }); sum += later.get();\n"
    "  std::promise<int> p; p.set_value(1); sum += p.get_future().get();\n"
    "  auto start = std::chrono::steady_clock::now();\n"
    "  auto took = std::chrono::duration_cast<std::chrono::milliseconds>(\n"
    "      std::chrono::steady_clock::now() - start).count();\n"
    "  std::cout << \"took \" << took << ' ' << 1.5 << std::endl;\n"
    "  std::stringstream out; out << std::setw(3) << std::hex << sum; d = out.str() + \"x\";\n"
    "  std::shared_ptr<node> s = std::make_shared<node>(); std::weak_ptr<node> w = s;\n"
    "  if (auto locked = w.lock()) sum += locked->value;\n"
    "  std::variant<int, std::string> v = 1; if (std::holds_alternative<int>(v)) sum += "
    "std::get<int>(v);\n"
    "  static_assert(std::is_same_v<std::decay_t<const int &>, int>, \"\");\n"
    "  static_assert(std::numeric_limits<int>::max() == 2147483647, \"\");\n"
    "  constexpr int most = std::max(1, std::min(2, 3)); std::array<int, most> fixed{};\n"
    "  std::transform(fixed.begin(), fixed.end(), std::back_inserter(numbers), [](int x) { return "
    "x; });\n"
    "  try { throw std::runtime_error(\"x\" + std::to_string(1)); } catch (const std::exception "
    "&e) {\n"
    "    std::cerr << e.what(); }\n"
    "  std::set<int> seen; seen.insert(1); if (seen.find(1) != seen.end()) seen.erase(1);\n"
    "  auto it = table.find(\"a\"); if (it != table.end()) sum += (int)it->second.size();\n"
    "  return f(sum) + std::accumulate(numbers.begin(), numbers.end(), 0);\n"
    "}\n";

START_TEST(code_on_the_standard_library) {
  expect_clean(CPP17, "standard library", standard_library);
  expect_clean(CPP20, "standard library", standard_library);
}
END_TEST

static const char torch_code[] =
    "#include \"torch/extension.h\"\n#include \"torch/cuda.h\"\n#include \"cuda/nccl.h\"\n"
    "std::tuple<at::Tensor, std::optional<torch::Tensor>> work(const at::Tensor &x,\n"
    "    std::optional<at::Tensor> y, at::cuda::CUDAStream side, ncclComm_t comm) {\n"
    "  TORCH_CHECK(x.is_cuda() && x.dim() == 2, \"bad \", x.sizes());\n"
    "  auto main = at::cuda::getCurrentCUDAStream();\n"
    "  at::cuda::CUDAEvent ready; ready.record(main); ready.block(side);\n"
    "  at::Tensor out;\n"
    "  { c10::cuda::CUDAStreamGuard guard(side);\n"
    "    out = at::empty({x.size(0), x.size(1) * 2}, x.options().dtype(at::kFloat));\n"
    "    out.narrow(1, 0, x.size(1)).copy_(x, true); out.add_(1).mul_(x.sum({0}, true)); }\n"
    "  for (auto &t : {x, out}) t.record_stream(side);\n"
    "  y.has_value() ? y->record_stream(side) : void();\n"
    "  c10::cuda::CUDACachingAllocator::recordStream(x.storage().data_ptr(), side);\n"
    "  c10::cuda::CUDACachingAllocator::get()->recordStream(out.storage().data_ptr(), side);\n"
    "  C10_CUDA_CHECK(cudaMemcpyAsync(out.data_ptr<float>(), x.const_data_ptr(), x.nbytes(),\n"
    "      cudaMemcpyDeviceToDevice, side));\n"
    "  ncclAllReduce(x.data_ptr(), out.data_ptr(), x.numel(), ncclFloat, ncclSum, comm, "
    "side.stream());\n"
    "  auto event = std::make_shared<torch::Event>(torch::kCUDA); event->record(side);\n"
    "  main.unwrap().wait(*event);\n"
    "  std::vector<at::Tensor> parts = at::split(out, 2); out = at::cat(parts, 0) + x * 2;\n"
    "  return {out, torch::zeros_like(x)};\n"
    "}\n"
    "class MyWork : public c10d::Work {\n"
    " public:\n"
    "  bool wait(std::chrono::milliseconds timeout) override { synchronize(); return true; }\n"
    "  void synchronize() override { for (auto &e : events_) "
    "e.block(at::cuda::getCurrentCUDAStream()); }\n"
    "  std::vector<at::cuda::CUDAEvent> events_; std::vector<at::Tensor> inputs_;\n"
    "};\n"
    "class MyGroup : public c10d::Backend {\n"
    " public:\n"
    "  MyGroup(int rank, int size) : Backend(rank, size) {}\n"
    "  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor> &tensors,\n"
    "      const c10d::AllreduceOptions &opts) override {\n"
    "    auto work = c10::make_intrusive<MyWork>(); work->inputs_ = tensors; return work; }\n"
    "};\n"
    "TORCH_LIBRARY(mine, m) { m.def(\"work(Tensor x) -> Tensor\"); }\n"
    "TORCH_LIBRARY_IMPL(mine, CUDA, m) { m.impl(\"work\", &work); }\n"
    "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n"
    "  m.def(\"work\", &work, \"doc\", py::arg(\"x\"), py::call_guard<py::gil_scoped_release>());\n"
    "  py::class_<MyGroup, std::shared_ptr<MyGroup>>(m, \"G\").def(py::init<int, int>());\n"
    "}\n";

START_TEST(code_on_torch) {
  expect_clean(CPP17, "torch", torch_code);
  expect_clean(CPP20, "torch", torch_code);
}
END_TEST

static const char cuda_code[] =
    "#include \"cuda/cuda_runtime.h\"\n"
    "__global__ void twice(float *x, int n) {\n"
    "  __shared__ float part[32];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2;\n"
    "  part[threadIdx.x % 32] = x[i]; __syncthreads(); atomicAdd(&x[0], part[0]);\n"
    "}\n"
    "template <class T> __device__ __forceinline__ T half_of(T x) { return x / 2; }\n"
    "int run(int n) {\n"
    "  cudaStream_t a, b; cudaEvent_t e; float *x = nullptr;\n"
    "  cudaStreamCreate(&a); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);\n"
    "  cudaEventCreateWithFlags(&e, cudaEventDisableTiming); cudaMallocAsync(&x, n * 4, a);\n"
    "  cudaEventRecord(e, a); cudaStreamWaitEvent(b, e, 0);\n"
    "  twice<<<dim3((n + 255) / 256), 256, 0, b>>>(x, n); twice<<<1, 1>>>(x, n);\n"
    "  cudaEventRecord(e, b); cudaStreamWaitEvent(a, e); cudaFreeAsync(x, a);\n"
    "  return cudaGetLastError() == cudaSuccess ? 0 : 1;\n"
    "}\n";

static const char c_code[] =
    "#include \"cuda/cuda_runtime.h\"\n#include \"c/posix.h\"\n#include \"sar/sar.h\"\n"
    "int run(sar_pool *pool, size_t n) {\n"
    "  cudaStream_t s; void *p = NULL; sar_addr block; sar_event done;\n"
    "  if (cudaStreamCreate(&s) != cudaSuccess) return EXIT_FAILURE;\n"
    "  cudaMallocAsync(&p, n, s); cudaMemsetAsync(p, 0, n, s); cudaFreeAsync(p, s);\n"
    "  sar_malloc(&block, pool, n, 1); sar_record_stream(pool, block, 2); sar_free(pool, block);\n"
    "  sar_event_record(&done, NULL, 2); bool good = strlen(\"x\") == 1; assert(good);\n"
    "  fprintf(stderr, \"%s %zu\\n\", cudaGetErrorString(cudaGetLastError()), n); return errno;\n"
    "}\n";

START_TEST(code_on_the_runtimes) {
  expect_clean(CUDA, "cuda", cuda_code);
  expect_clean(C17, "c", c_code);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sdk");
  TCase *all = tcase_create("model headers");
  tcase_add_checked_fixture(all, setup, teardown);
  tcase_set_timeout(all, 120);
  tcase_add_test(all, every_header_parses_alone);
  tcase_add_test(all, all_of_them_go_together);
  tcase_add_test(all, code_on_the_standard_library);
  tcase_add_test(all, code_on_torch);
  tcase_add_test(all, code_on_the_runtimes);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
