/* .sa-lint.yaml. What is accepted can be asked. */
#include "target.h"

#include "base/fs.h"
#include "project/config.h"
#include "ruleset/ruleset.h"

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  static const char path[] = "/fuzz/.sa-lint.yaml";
  sa_config *config = NULL;
  sa_fs_pretend(path, text, length);
  sa_status status = sa_config_load(&config, arena, diag, path, "/fuzz");
  sa_fuzz_check((status == SA_OK) == (config != NULL), "a configuration, or a reason");
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
  if (config == NULL) return;
  sa_config_api(config, "/fuzz/a/b.cpp");
}
