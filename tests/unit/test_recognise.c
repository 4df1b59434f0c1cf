/* Calls and types against the rules that the program carries; comments that give a reason. */
#include "frontend/recognise.h"
#include "model/names.h"
#include "ruleset/ruleset.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static sa_arena *arena;
static sa_ruleset *rules;

static void setup(void) {
  arena = sa_arena_new();
  sa_diag diag = {.arena = arena};
  ck_assert_int_eq(sa_ruleset_load(&rules, arena, &diag, NULL), SA_OK);
}

static void teardown(void) {
  sa_arena_free(arena);
}

/* ---- names ---- */

START_TEST(names_match_from_the_end) {
  static const struct {
    const char *pattern, *name;
    bool matches;
  } cases[] = {
      {"f", "f", true},
      {"f", "a::f", true},
      {"f", "af", false},
      {"b::f", "a::b::f", true},
      {"b::f", "f", false},
      {"b::f", "a::xb::f", false},
      {"A::recordStream", "c10::cuda::A::recordStream", true},
      {"std::vector", "std::vector<at::Tensor, std::allocator<at::Tensor>>", true},
      {"std::vector::push_back", "std::vector<at::Tensor>::push_back", true},
      {"std::vector", "std::__1::vector<int>", true},
      {"std::basic_string", "std::__cxx11::basic_string<char>", true},
      {"nccl*", "ncclSend", true},
      {"nccl*", "my::ncclSend", true},
      {"nccl*", "xncclSend", false},
      {"*Stream", "c10::cuda::CUDAStream", true},
      {"a*c*e", "abcde", true},
      {"a*c*e", "abcd", false},
      {"operator*", "std::optional<int>::operator*", true},
      {"operator*", "std::optional<int>::operator+", false},
      {"operator[]", "at::Tensor::operator[]", true},
      {"operator->", "std::shared_ptr<at::Tensor>::operator->", true},
      {"operator c10::Stream", "c10::cuda::CUDAStream::operator c10::Stream", true},
      {"f", "(anonymous namespace)::f", true},
      {"g::f", "(anonymous namespace)::f", false},
      {"f", "a::b<c::d>(int)::f", true},
      {"f", "", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(sa_name_matches(cases[i].pattern, cases[i].name) == cases[i].matches,
                  "'%s' and '%s'", cases[i].pattern, cases[i].name);
}
END_TEST

START_TEST(odd_names_are_taken_apart) {
  static const struct {
    const char *name, *last;
  } cases[] = {{"a::b", "b"},
               {"std::vector<a::B>::push_back", "push_back"},
               {"x", "x"},
               {"a::operator<<", "operator<<"},
               {"a::operator()", "operator()"},
               {"f<a, b>", "f"},
               {"a<b->c>::d", "d"},
               {"a::", "a"},
               {"<<<", "<<<"},
               {"::::", "::::"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sa_span last = sa_last_component(cases[i].name);
    ck_assert_msg(sa_span_equals(last, cases[i].last), "'%s' gives '%.*s'", cases[i].name,
                  (int)last.length, last.at);
  }
}
END_TEST

/* ---- calls ---- */

static const sa_api *function(const char *name, uint32_t nargs, sa_type first) {
  sa_callee callee = {.kind = SA_API_FUNCTION, .name = name, .nargs = nargs, .first = first};
  return sa_recognise(rules, &callee);
}

static const sa_api *method(sa_type receiver, const char *class_name, const char *name,
                            uint32_t nargs, sa_type first) {
  sa_callee callee = {.kind = SA_API_METHOD,
                      .name = name,
                      .receiver = receiver,
                      .receiver_name = class_name,
                      .nargs = nargs,
                      .first = first};
  return sa_recognise(rules, &callee);
}

static bool has_op(const sa_api *api, sa_ir_op op) {
  for (uint32_t i = 0; api != NULL && i < api->effects.n; i++)
    if (api->effects.at[i].op == op) return true;
  return false;
}

START_TEST(record_calls_of_every_family) {
  static const struct {
    const char *name, *family;
    uint32_t nargs;
    sa_type first;
  } functions[] = {
      {"c10::cuda::CUDACachingAllocator::recordStream", "c10-cuda", 2, SA_TYPE_TENSOR},
      {"c10::cuda::CUDACachingAllocator::recordStream", "c10-cuda", 2, SA_TYPE_UNKNOWN},
      {"CUDACachingAllocator::recordStream", "c10-cuda", 2, SA_TYPE_TENSOR},
      {"c10_npu::NPUCachingAllocator::recordStream", "npu", 2, SA_TYPE_TENSOR},
      {"c10::xpu::XPUCachingAllocator::recordStream", "xpu", 2, SA_TYPE_TENSOR},
      {"torch_mlu::MLUCachingAllocator::recordStream", "mlu", 2, SA_TYPE_TENSOR},
      {"c10::musa::MUSACachingAllocator::recordStream", "musa", 2, SA_TYPE_TENSOR},
      {"c10::hip::HIPCachingAllocator::recordStream", "hip", 2, SA_TYPE_TENSOR},
      {"c10::hip::HIPCachingAllocatorMasqueradingAsCUDA::recordStreamMasqueradingAsCUDA", "hip", 2,
       SA_TYPE_TENSOR},
      {"paddle::memory::RecordStream", "paddle", 2, SA_TYPE_TENSOR},
      {"dgl::runtime::NDArray::RecordStream", "dgl", 2, SA_TYPE_TENSOR},
      {"THCCachingAllocator_recordStream", "c10-cuda", 2, SA_TYPE_TENSOR},
      {"at::native::record_stream", "torch", 2, SA_TYPE_TENSOR},
      {"sar_record_stream", "sar", 3, SA_TYPE_OBJECT},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const sa_api *api = function(functions[i].name, functions[i].nargs, functions[i].first);
    ck_assert_msg(has_op(api, SA_OP_record), "%s", functions[i].name);
    ck_assert_str_eq(api->family, functions[i].family);
  }
  static const struct {
    sa_type receiver;
    const char *class_name, *name;
    uint32_t nargs;
  } methods[] = {
      {SA_TYPE_TENSOR, "at::Tensor", "record_stream", 1},
      {SA_TYPE_UNKNOWN, "", "record_stream", 1},
      {SA_TYPE_OBJECT, "c10::cuda::CUDACachingAllocator::CUDAAllocator", "recordStream", 2},
      {SA_TYPE_OBJECT, "c10::DeviceAllocator", "recordStream", 2},
      {SA_TYPE_OBJECT, "c10::impl::VirtualGuardImpl", "recordDataPtrOnStream", 2},
      {SA_TYPE_OBJECT, "dgl::aten::CSRMatrix", "RecordStream", 1},
  };
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    ck_assert_msg(has_op(method(methods[i].receiver, methods[i].class_name, methods[i].name,
                                methods[i].nargs, SA_TYPE_TENSOR),
                         SA_OP_record),
                  "%s.%s", methods[i].class_name, methods[i].name);
}
END_TEST

START_TEST(namesakes_are_no_records) {
  /* A profiler's stream names, a recorder of audio, a host allocator's list of events. */
  ck_assert_ptr_null(method(SA_TYPE_OBJECT, "Profiler", "recordStream", 3, SA_TYPE_SCALAR));
  ck_assert_ptr_null(function("recordStream", 3, SA_TYPE_SCALAR));
  ck_assert_ptr_null(method(SA_TYPE_OBJECT, "Synchronizer", "record_stream", 2, SA_TYPE_SCALAR));
  ck_assert_ptr_null(method(SA_TYPE_OBJECT, "HostAllocator", "record_stream", 2, SA_TYPE_EVENT));
  ck_assert_ptr_null(method(SA_TYPE_OBJECT, "Synchronizer", "recordStream", 2, SA_TYPE_SCALAR));
  ck_assert_ptr_null(method(SA_TYPE_OBJECT, "audio::Recorder", "record_stream", 1, SA_TYPE_OBJECT));
  ck_assert_ptr_null(function("audio::record_stream", 2, SA_TYPE_OBJECT));
}
END_TEST

static void expect_op(const sa_api *api, sa_ir_op op, const char *what) {
  ck_assert_msg(has_op(api, op), "%s has no '%s'", what, sa_ir_op_about(op)->name);
}

START_TEST(a_method_means_what_its_receiver_is) {
  expect_op(method(SA_TYPE_STREAM, "", "wait", 1, SA_TYPE_EVENT), SA_OP_event_wait, "stream.wait");
  expect_op(method(SA_TYPE_EVENT, "", "wait", 1, SA_TYPE_STREAM), SA_OP_event_wait, "event.wait");
  expect_op(method(SA_TYPE_HANDLE, "", "wait", 0, SA_TYPE_UNKNOWN), SA_OP_wait_handle, "work.wait");
  ck_assert_ptr_null(method(SA_TYPE_OBJECT, "Latch", "wait", 0, SA_TYPE_UNKNOWN));
  ck_assert_ptr_null(method(SA_TYPE_UNKNOWN, "", "wait", 0, SA_TYPE_UNKNOWN));
  expect_op(method(SA_TYPE_EVENT, "", "synchronize", 0, SA_TYPE_UNKNOWN), SA_OP_sync_event,
            "event");
  expect_op(method(SA_TYPE_STREAM, "", "synchronize", 0, SA_TYPE_UNKNOWN), SA_OP_sync_stream,
            "stream");
  expect_op(method(SA_TYPE_TENSOR, "", "copy_", 1, SA_TYPE_TENSOR), SA_OP_use, "copy_");
  ck_assert_ptr_null(method(SA_TYPE_OBJECT, "Journal", "copy_", 1, SA_TYPE_TENSOR));
  expect_op(method(SA_TYPE_UNKNOWN, "", "copy_", 1, SA_TYPE_TENSOR), SA_OP_use, "unknown.copy_");
  expect_op(method(SA_TYPE_TENSOR, "std::vector", "push_back", 1, SA_TYPE_TENSOR), SA_OP_append,
            "push_back");
  const sa_api *size = method(SA_TYPE_TENSOR, "", "sizes", 0, SA_TYPE_UNKNOWN);
  ck_assert_ptr_nonnull(size);
  ck_assert_uint_eq(size->effects.n, 0);
}
END_TEST

START_TEST(a_class_is_found_in_its_spelling) {
  static const char *const spelled[] = {"CUDAGraph", "at::cuda::CUDAGraph &",
                                        "const c10::cuda::CUDAGraph *",
                                        "const std::shared_ptr<at::cuda::CUDAGraph> &",
                                        "std::optional<std::unique_ptr<at::cuda::CUDAGraph>>"};
  for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
    expect_op(method(SA_TYPE_OBJECT, spelled[i], "capture_begin", 0, SA_TYPE_UNKNOWN),
              SA_OP_capture_begin, spelled[i]);
  static const char *const others[] = {"CUDAGraphs", "std::vector<at::cuda::CUDAGraph>",
                                       "at::cuda::CUDAGraph::Node &", "Graph"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    ck_assert_msg(!sa_type_names("CUDAGraph", others[i]), "%s", others[i]);
}
END_TEST

START_TEST(raw_runtime_calls) {
  expect_op(function("cudaStreamCreate", 1, SA_TYPE_STREAM), SA_OP_blocking_stream, "create");
  const sa_api *api = function("cudaStreamCreateWithFlags", 2, SA_TYPE_STREAM);
  expect_op(api, SA_OP_pool_stream, "create with flags");
  ck_assert_int_eq(api->effects.at[0].result.kind, SA_FROM_ARG);
  ck_assert_uint_eq(api->effects.at[0].result.index, 0);
  expect_op(function("cudaMallocAsync", 3, SA_TYPE_MEMORY), SA_OP_alloc, "malloc async");
  expect_op(function("cudaFreeAsync", 2, SA_TYPE_MEMORY), SA_OP_free, "free async");
  expect_op(function("cudaMalloc", 2, SA_TYPE_MEMORY), SA_OP_foreign, "malloc");
  expect_op(function("cudaFree", 1, SA_TYPE_MEMORY), SA_OP_sync_device, "free");
  api = function("cudaMemcpyAsync", 5, SA_TYPE_MEMORY);
  expect_op(api, SA_OP_use, "memcpy async");
  ck_assert_uint_eq(api->effects.at[0].noperands, 3);
  ck_assert_uint_eq(api->effects.at[0].operands[0].index, 4);
  ck_assert_uint_eq(api->effects.at[0].written, 1u << 1);
  expect_op(function("cudaMemcpyAsync", 4, SA_TYPE_MEMORY), SA_OP_default_stream, "no stream");
  ck_assert_ptr_null(function("cudaMemcpyAsync", 2, SA_TYPE_MEMORY));
  api = function("ncclAllReduce", 7, SA_TYPE_MEMORY);
  expect_op(api, SA_OP_use, "all-reduce");
  ck_assert_uint_eq(api->effects.at[0].operands[0].index, 6);
  expect_op(function("HcclSend", 6, SA_TYPE_MEMORY), SA_OP_use, "hccl");
  expect_op(function("cnrtQueueWaitNotifier", 3, SA_TYPE_EVENT), SA_OP_event_wait, "notifier");
}
END_TEST

START_TEST(guards_and_getters_of_every_family) {
  static const char *const families[] = {"CUDA", "HIP", "XPU", "NPU", "MLU", "MUSA"};
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    const char *f = families[i];
    expect_op(function(sa_printf(arena, "x::getCurrent%sStream", f), 0, SA_TYPE_UNKNOWN),
              SA_OP_current_stream, f);
    expect_op(function(sa_printf(arena, "x::setCurrent%sStream", f), 1, SA_TYPE_STREAM),
              SA_OP_set_stream, f);
    sa_callee guard = {.kind = SA_API_CONSTRUCTOR,
                       .name = sa_printf(arena, "x::%sStreamGuard", f),
                       .nargs = 1,
                       .first = SA_TYPE_STREAM};
    expect_op(sa_recognise(rules, &guard), SA_OP_guard, f);
    guard.name = sa_printf(arena, "x::Optional%sStreamGuard", f);
    guard.nargs = 0;
    ck_assert_ptr_nonnull(sa_recognise(rules, &guard));
    ck_assert_uint_eq(sa_recognise(rules, &guard)->effects.n, 0);
  }
}
END_TEST

/* ---- types ---- */

START_TEST(types_by_their_spelling) {
  static const struct {
    const char *spelling;
    sa_type kind;
    bool many, weak;
  } cases[] = {
      {"at::Tensor", SA_TYPE_TENSOR, false, false},
      {"const at::Tensor &", SA_TYPE_TENSOR, false, false},
      {"torch::Tensor *", SA_TYPE_TENSOR, false, false},
      {"const std::vector<at::Tensor> &", SA_TYPE_TENSOR, true, false},
      {"std::vector<std::vector<at::Tensor>>", SA_TYPE_TENSOR, true, false},
      {"std::optional<torch::Tensor>", SA_TYPE_TENSOR, true, false},
      {"std::tuple<int, at::Tensor, std::string>", SA_TYPE_TENSOR, true, false},
      {"std::map<std::string, at::Tensor>", SA_TYPE_TENSOR, true, false},
      {"std::unordered_map<std::string, std::pair<int, c10::cuda::CUDAStream>>", SA_TYPE_STREAM,
       true, false},
      {"std::vector<int>", SA_TYPE_SCALAR, true, false},
      {"std::vector<ns::Thing>", SA_TYPE_OBJECT, true, false},
      {"std::pair<ns::Thing, at::Tensor>", SA_TYPE_TENSOR, true, false},
      {"c10::intrusive_ptr<c10d::Work>", SA_TYPE_HANDLE, true, false},
      {"std::shared_ptr<at::cuda::CUDAEvent>", SA_TYPE_EVENT, true, false},
      {"std::weak_ptr<at::Tensor>", SA_TYPE_TENSOR, true, true},
      {"c10::weak_intrusive_ptr<c10::StorageImpl>", SA_TYPE_TENSOR, true, true},
      {"at::cuda::CUDAStream", SA_TYPE_STREAM, false, false},
      {"cudaStream_t", SA_TYPE_STREAM, false, false},
      {"struct CUstream_st *", SA_TYPE_STREAM, false, false},
      {"cudaEvent_t *", SA_TYPE_EVENT, false, false},
      {"c10::OptionalStreamGuard", SA_TYPE_GUARD, false, false},
      {"at::Tensor[4]", SA_TYPE_TENSOR, true, false},
      {"float *", SA_TYPE_MEMORY, false, false},
      {"const void *", SA_TYPE_MEMORY, false, false},
      {"void **", SA_TYPE_MEMORY, false, false},
      {"const char *", SA_TYPE_SCALAR, false, false},
      {"unsigned long", SA_TYPE_SCALAR, false, false},
      {"const std::string &", SA_TYPE_SCALAR, false, false},
      {"std::size_t", SA_TYPE_SCALAR, false, false},
      {"void", SA_TYPE_VOID, false, false},
      {"auto", SA_TYPE_UNKNOWN, false, false},
      {"<dependent type>", SA_TYPE_UNKNOWN, false, false},
      {"", SA_TYPE_UNKNOWN, false, false},
      {"ns::Thing<int>", SA_TYPE_OBJECT, false, false},
      {"(lambda at f.cpp:1:2)", SA_TYPE_FUNC, false, false},
      {"std::function<void (at::Tensor)>", SA_TYPE_FUNC, false, false},
      {"void (*)(int)", SA_TYPE_FUNC, false, false},
      {"(anonymous namespace)::Thing", SA_TYPE_OBJECT, false, false},
      {"sar_addr", SA_TYPE_MEMORY, false, false},
      {"std::vector<", SA_TYPE_UNKNOWN, true, false},
      {"<", SA_TYPE_OBJECT, false, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sa_ir_type type = sa_classify_type(rules, arena, cases[i].spelling);
    ck_assert_msg(type.kind == cases[i].kind && type.many == cases[i].many &&
                      type.weak == cases[i].weak,
                  "'%s' is %s%s%s", cases[i].spelling, sa_type_word(type.kind),
                  type.many ? " many" : "", type.weak ? " weak" : "");
    ck_assert_str_eq(type.name, cases[i].spelling);
  }
}
END_TEST

START_TEST(deep_types_end) {
  size_t depth = 20000;
  char *text = sa_alloc(arena, depth * 13 + 20);
  char *at = text;
  for (size_t i = 0; i < depth; i++) at = stpcpy(at, "std::vector<");
  at = stpcpy(at, "int");
  memset(at, '>', depth);
  ck_assert_int_ne(sa_classify_type(rules, arena, text).kind, SA_TYPE_TENSOR);
}
END_TEST

/* ---- comments ---- */

START_TEST(comments_that_give_a_reason) {
  static const char *const reasons[] = {
      "// The callback may keep these, so their release point cannot be controlled.",
      "// We cannot know when the consumer frees it",
      "/* we CANNOT\n *   know when the consumer frees it */",
      "# user code may drop this at any time",
      "// isend does not require the caller to wait",
      "// There is no way to know who uses it last",
  };
  static const char *const others[] = {
      "// record the stream",
      "// used on the side stream, see allocator",
      "",
      "/* cannot */",
      "// does not require a contiguous tensor",
      "// See the note about the caching allocator and streams",
  };
  static const char *const waivers[] = {
      "// isend does not require the caller to wait",
      "// I don't think that the API requires\n  // users to wait() on the handle",
      "// callers need not wait",
      "/* nobody has to: the caller is not required\n * to wait */",
  };
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    ck_assert_msg(sa_comment_justifies(rules, reasons[i]), "%s", reasons[i]);
  for (size_t i = 0; i < sizeof waivers / sizeof *waivers; i++) {
    ck_assert_msg(sa_comment_waives(rules, waivers[i]), "%s", waivers[i]);
    ck_assert_msg(sa_comment_justifies(rules, waivers[i]), "%s", waivers[i]);
  }
  ck_assert(!sa_comment_waives(rules, reasons[0]));
  ck_assert(!sa_comment_waives(rules, "// the stream has to wait"));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    ck_assert_msg(!sa_comment_justifies(rules, others[i]), "%s", others[i]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("recognise");
  TCase *all = tcase_create("recognise");
  tcase_add_checked_fixture(all, setup, teardown);
  tcase_add_test(all, names_match_from_the_end);
  tcase_add_test(all, odd_names_are_taken_apart);
  tcase_add_test(all, record_calls_of_every_family);
  tcase_add_test(all, namesakes_are_no_records);
  tcase_add_test(all, a_method_means_what_its_receiver_is);
  tcase_add_test(all, a_class_is_found_in_its_spelling);
  tcase_add_test(all, raw_runtime_calls);
  tcase_add_test(all, guards_and_getters_of_every_family);
  tcase_add_test(all, types_by_their_spelling);
  tcase_add_test(all, deep_types_end);
  tcase_add_test(all, comments_that_give_a_reason);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
