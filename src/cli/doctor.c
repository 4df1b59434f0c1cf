/* `doctor`: what was found on this machine, what is missing, and what that costs. */
#include "base/fs.h"
#include "base/path.h"
#include "base/shown.h"
#include "cli/driver.h"
#include "cli/output.h"
#include "frontend/clang/clang.h"
#include "project/compile_db.h"
#include "project/config.h"
#include "project/root.h"
#include "ruleset/ruleset.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const sa_options *options;
  sa_arena *arena;
  sa_diag *diag;
  const char *cwd, *root;
  SA_ARRAY(const char *) degraded; /* what is missing, and what that costs */
  bool broken;                     /* sources cannot be analysed */
} doctor;

static void say(const char *what, const char *text) {
  printf("%-15s", what);
  sa_shown_text(stdout, text);
  putchar('\n');
}

static void lack(doctor *d, const char *text) {
  sa_push(d->arena, &d->degraded, text);
}

static void show_libclang(doctor *d) {
  sa_clang *clang = NULL;
  if (sa_clang_open(&clang, d->diag, d->options->libclang) != SA_OK) {
    say("libclang", "not found");
    lack(d, "C, C++, CUDA and HIP sources cannot be analysed: there is no libclang");
    d->broken = true;
    return;
  }
  say("libclang", sa_printf(d->arena, "%s, %s", sa_clang_version(clang), sa_clang_path(clang)));
  const char *headers = sa_clang_headers(clang);
  say("its headers", headers != NULL ? headers : "not found");
  if (headers == NULL)
    lack(d, "with -p, headers that need stddef.h and the like cannot be read: install the package "
            "libclang-common-NN-dev; without -p nothing is lost");
  sa_clang_close(clang);
}

static void show_python(doctor *d) {
#ifdef SA_PYTHON
  (void)d;
  say("Python", "read with tree-sitter, which is compiled in");
#else
  say("Python", "not compiled in");
  lack(d, "Python sources are left out: build with -DSA_PYTHON=ON");
#endif
}

static void show_rules(doctor *d) {
  sa_ruleset *rules;
  if (sa_ruleset_load(&rules, d->arena, d->diag, d->options->rules) != SA_OK) {
    say("rules", "cannot be read");
    d->broken = true;
    return;
  }
  say("rules",
      sa_printf(d->arena, "%u rules, %u calls and %u types known, %s", (unsigned)rules->rules.n,
                (unsigned)rules->apis.n, (unsigned)rules->types.n,
                d->options->rules != NULL ? d->options->rules : "built in"));
}

static const char *absolute(doctor *d, const char *path) {
  return sa_path_clean(d->arena, sa_path_join(d->arena, d->cwd, path));
}

static void show_config(doctor *d) {
  const char *path = d->options->config;
  sa_config *config = NULL;
  if (path == NULL && !d->options->no_config)
    path = sa_project_find_up(d->arena, d->cwd, d->root, ".sa-lint.yaml");
  if (path == NULL) {
    say("configuration", "none");
    return;
  }
  bool good = sa_config_load(&config, d->arena, d->diag, absolute(d, path), d->root) == SA_OK;
  say("configuration", sa_printf(d->arena, "%s%s", path, good ? "" : ", which is not valid"));
  d->broken |= !good;
}

static void show_database(doctor *d) {
  const char *path = d->options->database;
  sa_compile_db *db = NULL;
  if (path == NULL) {
    say("compile flags", "no compile database (-p)");
    lack(d, "sources are read with model headers instead of the project's flags: pass -p BUILD "
            "where macros or headers of a build matter");
    return;
  }
  if (sa_compile_db_load(&db, d->arena, d->diag, absolute(d, path), d->root) != SA_OK) {
    say("compile flags", sa_printf(d->arena, "%s cannot be read", path));
    d->broken = true;
    return;
  }
  unsigned usable = 0;
  for (uint32_t i = 0; i < db->entries.n; i++) usable += db->entries.at[i].usable;
  say("compile flags", sa_printf(d->arena, "%s, %u files, %u of them usable", db->shown,
                                 (unsigned)db->entries.n, usable));
  if (usable < db->entries.n)
    lack(d, "some commands of the compile database cannot be used; their files are read with "
            "model headers");
}

/* CUDA is found by the flags of a build; here it only tells whether a native run could work. */
static void show_cuda(doctor *d) {
  const char *places[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/usr"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (places[i] == NULL || places[i][0] == '\0') continue;
    const char *header = sa_path_join(d->arena, places[i], "include/cuda_runtime.h");
    if (!sa_fs_exists(header)) continue;
    say("CUDA headers", header);
    return;
  }
  say("CUDA headers", "not found");
  if (d->options->database != NULL)
    lack(d, "CUDA's headers are not in a usual place: sources whose flags do not lead to them are "
            "read with model headers");
}

int sa_run_doctor(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  doctor d = {.options = options, .arena = arena, .diag = diag};
  d.cwd = sa_fs_working_directory(arena);
  d.root = options->root != NULL
               ? absolute(&d, options->root)
               : sa_project_root(arena, d.cwd, options->paths.at, options->paths.n);
  say("sa-lint", SA_VERSION);
  show_libclang(&d);
  show_python(&d);
  show_rules(&d);
  say("project root", d.root);
  show_config(&d);
  show_database(&d);
  show_cuda(&d);
  if (d.degraded.n > 0) puts("\nWhat is missing:");
  for (uint32_t i = 0; i < d.degraded.n; i++) {
    fputs("- ", stdout);
    sa_shown_text(stdout, d.degraded.at[i]);
    putchar('\n');
  }
  if (sa_output_flush(diag) != SA_OK) return SA_EXIT_USAGE;
  return d.broken ? SA_EXIT_USAGE : SA_EXIT_CLEAN;
}
