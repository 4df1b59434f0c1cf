/* What libclang is given in native mode: the flags of the compile database, the headers of the
 * machine. Compiler builtins' headers come from the directory beside the library; CUDA is read as
 * its host half, with the toolkit's headers but without clang's wrapper around them, which knows
 * only the toolkits of its own time. */
#include "base/path.h"
#include "frontend/clang/internal.h"

#include <string.h>

/* What nvcc adds by itself: the runtime's header, and the keywords as attributes that the launch
 * syntax needs. `__CUDACC__` stays undefined, so headers do not ask for nvcc's own builtins. */
static const char CUDA_PRELUDE[] =
    "#if __has_include(<stdlib.h>)\n"
    "#include <stdlib.h>\n" /* clang's replacement of <new> uses it unasked */
    "#endif\n"
    "#if __has_include(<cuda_runtime.h>)\n"
    "#include <cuda_runtime.h>\n"
    "#include <device_launch_parameters.h>\n"
    "#endif\n"
    "#undef __CUDA__\n" /* nvcc does not define it, and headers take it for clang with its wrapper
                         */
    "#undef __host__\n"
    "#undef __device__\n"
    "#undef __global__\n"
    "#undef __shared__\n"
    "#undef __constant__\n"
    "#undef __managed__\n"
    "#undef __launch_bounds__\n"
    "#undef __grid_constant__\n"
    "#undef __forceinline__\n"
    "#undef __noinline__\n"
    "#define __host__ __attribute__((host))\n"
    "#define __device__ __attribute__((device))\n"
    "#define __global__ __attribute__((global))\n"
    "#define __shared__ __attribute__((shared))\n"
    "#define __constant__ __attribute__((constant))\n"
    "#define __managed__ __attribute__((managed))\n"
    "#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n"
    "#define __grid_constant__\n"
    "#define __forceinline__ inline __attribute__((always_inline))\n"
    "#define __noinline__ __attribute__((noinline))\n"
    "#if __has_include(<cuda_runtime.h>)\n"
    "cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);\n"
    "extern \"C\" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);\n"
    "__attribute__((device)) void __syncthreads();\n"
    "__attribute__((device)) void __syncwarp(unsigned = ~0u);\n"
    "#endif\n";

static void add(input *in, sa_arena *arena, const char *arg) {
  sa_push(arena, &in->args, arg);
}

static bool is_cuda(const sa_job *job) {
  return strcmp(job->language, "cuda") == 0 || strcmp(job->language, "hip") == 0;
}

static bool has_standard(const sa_job *job) {
  for (uint32_t i = 0; i < job->flags.n; i++) {
    const char *flag = job->flags.at[i];
    if (strncmp(flag, "-std=", 5) == 0 || strncmp(flag, "--std=", 6) == 0) return true;
  }
  return false;
}

void add_native_args(input *in, sa_arena *arena, const sa_clang *clang, const sa_job *job) {
  static const char *const cuda[] = {"--cuda-host-only", "-nocudainc", "-nocudalib", "-include",
                                     NATIVE_CUDA_HEADER};
  add(in, arena, "-x");
  add(in, arena, is_cuda(job) ? "cuda" : strcmp(job->language, "c") == 0 ? "c" : "c++");
  if (is_cuda(job)) {
    for (size_t i = 0; i < sizeof cuda / sizeof *cuda; i++) add(in, arena, cuda[i]);
    if (!has_standard(job)) add(in, arena, "-std=gnu++17"); /* nvcc's own choice */
    sa_push(arena, &in->files,
            ((struct CXUnsavedFile){.Filename = NATIVE_CUDA_HEADER,
                                    .Contents = CUDA_PRELUDE,
                                    .Length = sizeof CUDA_PRELUDE - 1}));
  }
  for (uint32_t i = 0; i < job->flags.n; i++) add(in, arena, job->flags.at[i]);
  if (clang->resources != NULL) {
    add(in, arena, "-resource-dir");
    add(in, arena, clang->resources);
  }
  static const char *const last[] = {"-ferror-limit=0", "-w", "-fno-color-diagnostics",
                                     "-fbracket-depth=256", "-Qunused-arguments"};
  for (size_t i = 0; i < sizeof last / sizeof *last; i++) add(in, arena, last[i]);
  if (job->directory != NULL)
    add(in, arena, sa_printf(arena, "-working-directory=%s", job->directory));
}

const char *missing_header(lowering *lo) {
  const char *missing = NULL;
  unsigned n = lo->lib->getNumDiagnostics(lo->tu);
  for (unsigned i = 0; i < n && missing == NULL; i++) {
    CXDiagnostic diagnostic = lo->lib->getDiagnostic(lo->tu, i);
    CXString text = lo->lib->getDiagnosticSpelling(diagnostic);
    const char *message = lo->lib->getCString(text);
    const char *end = message != NULL ? strstr(message, "' file not found") : NULL;
    if (end != NULL && message[0] == '\'')
      missing = sa_strndup(lo->arena, message + 1, (size_t)(end - message) - 1);
    lo->lib->disposeString(text);
    lo->lib->disposeDiagnostic(diagnostic);
  }
  return missing;
}

void note_errors(lowering *lo) {
  unsigned n = lo->lib->getNumDiagnostics(lo->tu), errors = 0;
  const char *first = "";
  for (unsigned i = 0; i < n; i++) {
    CXDiagnostic diagnostic = lo->lib->getDiagnostic(lo->tu, i);
    if (lo->lib->getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && errors++ == 0) {
      CXFile file = NULL;
      unsigned line = 0;
      lo->lib->getSpellingLocation(lo->lib->getDiagnosticLocation(diagnostic), &file, &line, NULL,
                                   NULL);
      CXString name = lo->lib->getFileName(file), text = lo->lib->getDiagnosticSpelling(diagnostic);
      const char *path = file != NULL ? lo->lib->getCString(name) : NULL;
      const char *inside = path != NULL ? sa_path_inside(lo->job->root, path) : NULL;
      first = sa_printf(lo->arena, "%s (%s:%u)", lo->lib->getCString(text),
                        inside != NULL ? inside
                        : path != NULL ? path
                                       : lo->job->path,
                        line);
      lo->lib->disposeString(name);
      lo->lib->disposeString(text);
    }
    lo->lib->disposeDiagnostic(diagnostic);
  }
  if (errors > 0)
    sa_report(lo->diag, SA_NOTE, lo->job->path, 0, 0,
              "%u error%s with the flags of the compile database, the first: %s", errors,
              errors == 1 ? "" : "s", first);
}
