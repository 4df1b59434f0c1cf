#include "cli/driver.h"
#include "cli/manual.h"
#include "cli/output.h"
#include "frontend/clang/clang.h"

#include <signal.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Names libclang too: results depend on it. That it is missing is worth saying, but no failure. */
static void print_version(const sa_options *options, sa_arena *arena) {
  sa_clang *clang = NULL;
  sa_diag quiet = {.arena = arena};
  if (sa_clang_open(&clang, &quiet, options->libclang) == SA_OK)
    printf("sa-lint %s (libclang %s)\n", SA_VERSION, sa_clang_version(clang));
  else
    printf("sa-lint %s (no libclang found)\n", SA_VERSION);
  if (clang != NULL) sa_clang_close(clang);
}

static int run_command(const sa_options *options, sa_arena *arena, sa_diag *diag) {
  static int (*const commands[])(const sa_options *, sa_arena *, sa_diag *) = {
      [SA_COMMAND_CHECK] = sa_run_check,     [SA_COMMAND_RULES] = sa_run_rules,
      [SA_COMMAND_EXPLAIN] = sa_run_explain, [SA_COMMAND_MERGE] = sa_run_merge,
      [SA_COMMAND_CONFIG] = sa_run_config,   [SA_COMMAND_DOCTOR] = sa_run_doctor,
  };
  if (!options->show_help && !options->show_version)
    return commands[options->command](options, arena, diag);
  if (options->show_help)
    sa_manual_write(stdout, options->help_form);
  else
    print_version(options, arena);
  return sa_output_flush(diag) == SA_OK ? SA_EXIT_CLEAN : SA_EXIT_USAGE;
}

/* The memory of one file is for the next one, not for the system in between. */
static void keep_memory(void) {
#ifdef __GLIBC__
  enum { KEPT = 64 << 20, MAPPED = 16 << 20 };
  mallopt(M_TRIM_THRESHOLD, KEPT);
  mallopt(M_MMAP_THRESHOLD, MAPPED);
#endif
}

int main(int argc, char **argv) {
  keep_memory();
  sa_arena *arena = sa_arena_new();
  sa_diag diag = {.arena = arena};
  sa_options options;
  int code = SA_EXIT_USAGE;
  /* A reader that went away is a write that fails, and is reported as one. */
  signal(SIGPIPE, SIG_IGN);
  if (sa_options_read(&options, arena, &diag, argc, argv) == SA_OK)
    code = run_command(&options, arena, &diag);
  sa_output_messages(&diag.messages, &options);
  sa_arena_free(arena);
  return code;
}
