/* Baselines. What is read and written again is read as the same, and written as the same bytes. */
#include "target.h"

#include "filter/baseline.h"

#include <stdlib.h>
#include <string.h>

static char *written(sa_arena *arena, const sa_baseline *baseline, size_t *length) {
  char *bytes = NULL;
  FILE *out = open_memstream(&bytes, length);
  sa_fuzz_check(out != NULL && sa_baseline_write(out, baseline) == SA_OK, "it can be written");
  fclose(out);
  char *copy = sa_strndup(arena, bytes, *length);
  free(bytes);
  return copy;
}

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  sa_baseline first, second;
  sa_status status = sa_baseline_read(&first, arena, diag, "fuzz.txt", text, length);
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
  if (status != SA_OK) return;
  size_t once, twice;
  char *bytes = written(arena, &first, &once);
  sa_fuzz_check(sa_baseline_read(&second, arena, diag, "again.txt", bytes, once) == SA_OK,
                "what was written can be read");
  sa_fuzz_check(first.entries.n == second.entries.n, "no entry is lost");
  for (uint32_t i = 0; i < first.entries.n; i++) {
    const sa_baseline_entry *a = &first.entries.at[i], *b = &second.entries.at[i];
    sa_fuzz_check(strcmp(a->file, b->file) == 0 && strcmp(a->reason, b->reason) == 0 &&
                      strcmp(a->key, b->key) == 0 && strcmp(a->function, b->function) == 0,
                  "an entry stays as it is");
  }
  char *again = written(arena, &second, &twice);
  sa_fuzz_check(once == twice && memcmp(bytes, again, once) == 0, "the bytes stay the same");
}
