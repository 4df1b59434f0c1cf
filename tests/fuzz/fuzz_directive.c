/* Comments in a source that concern this tool. */
#include "target.h"

#include "filter/suppress.h"

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  static const char *const languages[] = {"cpp", "python"};
  static const sa_ruleset rules;
  (void)diag;
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
    sa_job job = {.root = "/fuzz",
                  .path = "a",
                  .absolute = "/fuzz/a",
                  .text = text,
                  .length = length,
                  .language = languages[i]};
    sa_result result = {.rules = &rules};
    sa_suppress(&result, arena, &job, NULL, true);
  }
}
