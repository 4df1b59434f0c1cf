/* Finding and loading libclang. */
#include "frontend/clang/internal.h"
#include "frontend/clang/overlay.h"
#include "frontend/clang/reads.h"

#include <ctype.h>
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OLDEST = 17, NEWEST_TRIED = 30 };

/* Where distributions and PyPI's libclang wheel put the library; globs, tried newest first. */
static const char *const PLACES[] = {
    "/usr/lib/llvm-%d/lib/libclang-%d.so.1",
    "/usr/lib/llvm-%d/lib/libclang.so.1",
    "/usr/lib/x86_64-linux-gnu/libclang-%d.so.1",
    "/usr/lib/aarch64-linux-gnu/libclang-%d.so.1",
    "/usr/lib64/libclang.so.%d*",
};

static const char *const WHEELS[] = {
    "/usr/lib/python3/dist-packages/clang/native/libclang.so",
    "/usr/local/lib/python3*/*-packages/clang/native/libclang.so",
};

/* The "17" of "Debian clang version 17.0.6 (...)", and in `version` the "17.0.6". */
static int parse_version(const char *text, char *version, size_t size) {
  const char *at = strstr(text, "version ");
  at = at != NULL ? at + strlen("version ") : text;
  size_t length = strspn(at, "0123456789.");
  snprintf(version, size, "%.*s", (int)length, at);
  return atoi(version);
}

static bool load_functions(sa_clang *clang, const char **absent) {
#define SA_LOAD(name)                                                                              \
  *(void **)&clang->name = dlsym(clang->handle, "clang_" #name);                                   \
  if (clang->name == NULL) {                                                                       \
    *absent = "clang_" #name;                                                                      \
    return false;                                                                                  \
  }
  SA_CLANG_FUNCTIONS(SA_LOAD)
#undef SA_LOAD
  return true;
}

static bool has_headers(const char *directory) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/include/stddef.h", directory);
  return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

/* One pattern with the version put in; the last match wins, which is the newest minor version. */
static char *resources_at(const char *pattern, const char *directory, int major) {
  char path[PATH_MAX];
  glob_t found;
  char *result = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (directory != NULL)
    snprintf(path, sizeof path, pattern, directory, major);
  else
    snprintf(path, sizeof path, pattern, major, major);
#pragma GCC diagnostic pop
  if (glob(path, 0, NULL, &found) == 0)
    for (size_t i = found.gl_pathc; i-- > 0 && result == NULL;)
      if (has_headers(found.gl_pathv[i])) result = strdup(found.gl_pathv[i]);
  globfree(&found);
  return result;
}

/* The compiler's own headers (stddef.h, immintrin.h): beside the library, where distributions put
 * them for its version, then those of another version, the nearest first: a wheel has none. */
static char *find_resources(const sa_clang *clang) {
  static const char *const beside[] = {"%s/clang/%d*", "%s/../lib/clang/%d*",
                                       "%s/../lib64/clang/%d*"};
  static const char *const usual[] = {"/usr/lib/llvm-%d/lib/clang/%d*", "/usr/lib/clang/%d*",
                                      "/usr/lib64/clang/%d*", "/usr/local/lib/clang/%d*"};
  char *result = NULL, real[PATH_MAX];
  int major = atoi(clang->version);
  Dl_info info;
  if (dladdr(*(void *const *)&clang->getClangVersion, &info) != 0 && info.dli_fname != NULL)
    for (int resolved = 0; resolved < 2 && result == NULL; resolved++) {
      if (resolved == 0) snprintf(real, sizeof real, "%s", info.dli_fname);
      if (resolved == 1 && realpath(info.dli_fname, real) == NULL) break;
      char *slash = strrchr(real, '/');
      if (slash == NULL) continue;
      *slash = '\0';
      for (size_t i = 0; i < sizeof beside / sizeof *beside && result == NULL; i++)
        result = resources_at(beside[i], real, major);
    }
  for (int away = 0; away <= NEWEST_TRIED - OLDEST && result == NULL; away++)
    for (int sign = 1; sign >= -1 && result == NULL; sign -= 2)
      for (size_t i = 0; i < sizeof usual / sizeof *usual && result == NULL; i++)
        if (major + sign * away > 0) result = resources_at(usual[i], NULL, major + sign * away);
  return result;
}

/* Opens one file; on failure *why says what is wrong with it. */
static bool try_open(sa_clang *clang, const char *path, char *why, size_t size) {
  clang->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (clang->handle == NULL) {
    snprintf(why, size, "%s", dlerror());
    return false;
  }
  const char *absent = NULL;
  char version[32] = "";
  int major = 0;
  if (load_functions(clang, &absent)) {
    CXString text = clang->getClangVersion();
    major = parse_version(clang->getCString(text), version, sizeof version);
    clang->disposeString(text);
  }
  if (absent != NULL)
    snprintf(why, size, "%s has no %s: libclang %d or newer is needed", path, absent, OLDEST);
  else if (major < OLDEST)
    snprintf(why, size, "%s is libclang %s; %d or newer is needed", path, version, OLDEST);
  if (absent == NULL && major >= OLDEST) {
    clang->version = strdup(version);
    CXString text = clang->getClangVersion();
    clang->identity = strdup(clang->getCString(text));
    clang->disposeString(text);
    if (clang->version == NULL || clang->identity == NULL) sa_out_of_memory();
    clang->spells_macros = major >= 19;
    clang->resources = find_resources(clang);
    return true;
  }
  dlclose(clang->handle);
  clang->handle = NULL;
  return false;
}

static bool try_glob(sa_clang *clang, const char *pattern, char *why, size_t size) {
  glob_t found;
  bool opened = false;
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc && !opened; i++)
      opened = try_open(clang, found.gl_pathv[i], why, size);
  globfree(&found);
  return opened;
}

/* The wheel that was installed together with this program: into the environment whose `bin` the
 * program is in. */
static bool try_beside_program(sa_clang *clang, char *why, size_t size) {
  static const char *const folders[] = {"site-packages", "dist-packages"};
  char program[PATH_MAX], pattern[PATH_MAX + 64];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return false;
  program[length] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(program, '/');
    if (slash == NULL || strpbrk(program, "*?[\\") != NULL) return false;
    *slash = '\0';
  }
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(pattern, sizeof pattern, "%s/lib/python3*/%s/clang/native/libclang.so", program,
             folders[i]);
    if (try_glob(clang, pattern, why, size)) return true;
  }
  return false;
}

static bool try_places(sa_clang *clang, char *why, size_t size) {
  if (try_beside_program(clang, why, size)) return true;
  for (int major = NEWEST_TRIED; major >= OLDEST; major--)
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
      char pattern[128];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      snprintf(pattern, sizeof pattern, PLACES[i], major, major);
#pragma GCC diagnostic pop
      if (try_glob(clang, pattern, why, size)) return true;
    }
  for (size_t i = 0; i < sizeof WHEELS / sizeof *WHEELS; i++)
    if (try_glob(clang, WHEELS[i], why, size)) return true;
  return try_open(clang, "libclang.so.1", why, size) || try_open(clang, "libclang.so", why, size);
}

sa_status sa_clang_open(sa_clang **out, sa_diag *diag, const char *path) {
  *out = NULL;
  sa_clang *clang = calloc(1, sizeof *clang);
  if (clang == NULL) sa_out_of_memory();
  char why[512] = "";
  if (path == NULL) path = getenv("SA_LINT_LIBCLANG");
  if (path != NULL && path[0] == '\0') path = NULL;
  bool opened =
      path != NULL ? try_open(clang, path, why, sizeof why) : try_places(clang, why, sizeof why);
  if (!opened) {
    sa_report(diag, SA_ERROR, NULL, 0, 0,
              "libclang was not found (%s); install libclang1-19 or the Python package "
              "'libclang', or set SA_LINT_LIBCLANG to the library's path",
              why);
    free(clang);
    return SA_E_IO;
  }
  open_overlay(clang);
  *out = clang;
  return SA_OK;
}

void sa_clang_close(sa_clang *clang) {
  if (clang == NULL) return;
  forget_headers(clang);
  close_overlay(clang);
  forget_answers(clang);
  free(clang->version);
  free(clang->identity);
  free(clang->resources);
  dlclose(clang->handle);
  free(clang);
}

double sa_clang_parsing(const sa_clang *clang) {
  return clang->parsing;
}

void sa_clang_may_crash(void) {
  setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
}

const char *sa_clang_identity(const sa_clang *clang) {
  return clang->identity;
}

const char *sa_clang_version(const sa_clang *clang) {
  return clang->version;
}

const char *sa_clang_path(const sa_clang *clang) {
  Dl_info info;
  bool known = dladdr(*(void *const *)&clang->getClangVersion, &info) != 0;
  return known && info.dli_fname != NULL ? info.dli_fname : "";
}

const char *sa_clang_headers(const sa_clang *clang) {
  return clang->resources;
}
