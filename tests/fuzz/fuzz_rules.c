/* Rules: an input is a file of API rows, one of rule texts and one of verdict rows, with a line of
 * %% between them. */
#include "target.h"

#include "ruleset/ruleset.h"

#include <string.h>

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

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  static const char *const paths[] = {"apis/a.yaml", "rules/a.yaml", "verdicts/a.yaml"};
  enum { FILES = sizeof paths / sizeof *paths };
  sa_ruleset_text files[FILES];
  const char *at = text, *end = text + length;
  for (int i = 0; i < FILES; i++) {
    const char *next = memmem(at, (size_t)(end - at), "\n%%\n", 4);
    size_t part = next != NULL ? (size_t)(next - at) + 1 : (size_t)(end - at);
    files[i] = (sa_ruleset_text){paths[i], sa_strndup(arena, at, part), part};
    at = next != NULL ? next + 4 : end;
  }
  wrappers(arena, diag, files[0].text, files[0].length);
  sa_ruleset *rules = NULL;
  diag->messages.n = 0;
  sa_status status = sa_ruleset_load_texts(&rules, arena, diag, files, FILES);
  sa_fuzz_check((status == SA_OK) == (rules != NULL), "rules, or a reason");
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
}
