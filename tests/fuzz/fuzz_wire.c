/* What the cache holds. Bytes that are accepted are written again as they were. */
#include "target.h"

#include "cli/wire.h"
#include "ruleset/ruleset.h"

#include <stdlib.h>
#include <string.h>

static const sa_ruleset *rules(void) {
  static sa_ruleset *loaded;
  static sa_arena *kept;
  if (loaded == NULL) {
    kept = sa_arena_new();
    sa_diag diag = {.arena = kept};
    sa_fuzz_check(sa_ruleset_load(&loaded, kept, &diag, NULL) == SA_OK, "the rules load");
  }
  return loaded;
}

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  sa_reads reads = {.arena = arena};
  sa_result result = {.rules = rules()};
  char *bytes = NULL;
  size_t size = 0;
  (void)diag;
  size_t used = sa_wire_read_reads(&reads, text, length);
  sa_fuzz_check(used <= length, "reads no more than there is");
  if (used == 0 || !sa_wire_read(&result, arena, text + used, length - used)) {
    sa_fuzz_check(result.sites.n == 0 && result.findings.n == 0, "refused bytes leave nothing");
    return;
  }
  FILE *out = open_memstream(&bytes, &size);
  if (out == NULL) sa_out_of_memory();
  sa_wire_write_reads(out, &reads);
  sa_wire_write(out, &result);
  fclose(out);
  sa_reads reads_again = {.arena = arena};
  sa_result again = {.rules = rules()};
  used = sa_wire_read_reads(&reads_again, bytes, size);
  sa_fuzz_check(used > 0 && sa_wire_read(&again, arena, bytes + used, size - used),
                "what is written can be read");
  free(bytes);
}
