#include "model/key.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t hash;
  sa_finding *finding;
} entry;

static const char *or_empty(const char *text) {
  return text == NULL ? "" : text;
}

/* A site's id has its block and stream in it; without a site they stand for themselves. */
static uint64_t hash_of(const sa_finding *finding) {
  const char *parts[] = {
      finding->rule->id,       or_empty(finding->at.file),     or_empty(finding->function),
      or_empty(finding->site), or_empty(finding->names.block), or_empty(finding->names.stream)};
  int n = finding->site == NULL ? 6 : 4;
  uint64_t hash = 0;
  for (int i = 0; i < n; i++) hash = sa_hash_string(parts[i], hash);
  return hash;
}

static int compare_numbers(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

static int compare(const void *left, const void *right) {
  const entry *a = left, *b = right;
  int order = compare_numbers(a->hash, b->hash);
  if (order == 0) order = compare_numbers(a->finding->at.line, b->finding->at.line);
  if (order == 0) order = compare_numbers(a->finding->at.column, b->finding->at.column);
  return order != 0 ? order : strcmp(a->finding->message, b->finding->message);
}

void sa_keys_give(sa_result *result, sa_arena *arena) {
  uint32_t n = 0, nth = 1;
  entry *entries = sa_alloc(arena, (result->findings.n + 1) * sizeof *entries);
  for (uint32_t i = 0; i < result->findings.n; i++)
    if (result->findings.at[i].key == NULL)
      entries[n++] = (entry){hash_of(&result->findings.at[i]), &result->findings.at[i]};
  if (n > 1) qsort(entries, n, sizeof *entries, compare);
  for (uint32_t i = 0; i < n; i++) {
    const entry *before = i > 0 ? &entries[i - 1] : NULL;
    if (before == NULL || before->hash != entries[i].hash)
      nth = 1;
    else
      nth += before->finding->at.line != entries[i].finding->at.line;
    entries[i].finding->key = sa_printf(arena, "%016" PRIx64 ":%" PRIu32, entries[i].hash, nth);
  }
}
