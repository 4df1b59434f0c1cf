/* Rules: an input is a file of API rows, one of rule texts and one of verdict rows, with a line of
 * %% between them. */
#include "target.h"

#include "base/fs.h"
#include "ruleset/ruleset.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void wrappers(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  static sa_ruleset *base;
  static sa_arena *kept;
  const sa_yaml *map = NULL;
  if (base == NULL) {
    kept = sa_arena_new();
    sa_diag first = {.arena = kept};
    sa_fuzz_check(sa_ruleset_load(&base, kept, &first, NULL) == SA_OK, "the tool's own rules load");
  }
  sa_ruleset copy = *base;
  if (sa_yaml_parse(&map, arena, diag, "wrappers", text, length) != SA_OK) return;
  sa_status status = sa_ruleset_add_apis(&copy, arena, diag, "wrappers", map);
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
}

static const char *const NAMES[] = {"apis", "rules", "verdicts"};
static char directory[] = "/tmp/sa-fuzz-XXXXXX";

static void clean_up(void) {
  char path[128];
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    snprintf(path, sizeof path, "%s/%s/a.yaml", directory, NAMES[i]);
    unlink(path);
    snprintf(path, sizeof path, "%s/%s", directory, NAMES[i]);
    rmdir(path);
  }
  rmdir(directory);
}

static void make_directory(void) {
  static bool made;
  char path[128];
  if (made) return;
  made = mkdtemp(directory) != NULL;
  sa_fuzz_check(made, "there is a directory");
  atexit(clean_up);
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, NAMES[i]);
    sa_fuzz_check(mkdir(path, 0700) == 0, "and one in it");
  }
}

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  const char *at = text, *end = text + length;
  make_directory();
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    const char *next = memmem(at, (size_t)(end - at), "\n%%\n", 4);
    size_t part = next != NULL ? (size_t)(next - at) + 1 : (size_t)(end - at);
    FILE *file = fopen(sa_printf(arena, "%s/%s/a.yaml", directory, NAMES[i]), "w");
    sa_fuzz_check(file != NULL && fwrite(at, 1, part, file) == part && fclose(file) == 0,
                  "the files are written");
    if (i == 0) wrappers(arena, diag, at, part);
    at = next != NULL ? next + 4 : end;
  }
  sa_ruleset *rules = NULL;
  diag->messages.n = 0;
  sa_status status = sa_ruleset_load(&rules, arena, diag, directory);
  sa_fuzz_check((status == SA_OK) == (rules != NULL), "rules, or a reason");
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
}
