#include "model/finding.h"

#include <stdlib.h>
#include <string.h>

static int compare_text(const char *a, const char *b) {
  return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

static int compare_number(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static int compare_places(sa_place a, sa_place b) {
  int c = compare_text(a.file, b.file);
  if (c == 0) c = compare_number(a.line, b.line);
  if (c == 0) c = compare_number(a.column, b.column);
  return c;
}

static int compare_sites(const void *left, const void *right) {
  const sa_site *a = left, *b = right;
  int c = compare_places(a->at, b->at);
  if (c == 0) c = compare_number(a->at.end_line, b->at.end_line);
  if (c == 0) c = compare_number(a->at.end_column, b->at.end_column);
  if (c == 0) c = compare_text(a->block, b->block);
  if (c == 0) c = compare_text(a->recorded_stream, b->recorded_stream);
  return c == 0 ? compare_text(a->id, b->id) : c;
}

static int compare_findings(const void *left, const void *right) {
  const sa_finding *a = left, *b = right;
  int c = compare_places(a->at, b->at);
  if (c == 0) c = compare_text(a->rule->id, b->rule->id);
  if (c == 0) c = compare_text(a->message, b->message);
  return c == 0 ? compare_text(a->site, b->site) : c;
}

static int compare_messages(const void *left, const void *right) {
  const sa_message *a = left, *b = right;
  int c = compare_text(a->file, b->file);
  if (c == 0) c = compare_number(a->line, b->line);
  if (c == 0) c = compare_number(a->column, b->column);
  if (c == 0) c = compare_number(b->severity, a->severity);
  return c == 0 ? compare_text(a->text, b->text) : c;
}

static int compare_patches(const void *left, const void *right) {
  return compare_text(((const sa_patch *)left)->file, ((const sa_patch *)right)->file);
}

static void sort(void *at, uint32_t n, size_t size, int (*compare)(const void *, const void *)) {
  if (n > 1) qsort(at, n, size, compare);
}

void sa_result_sort_findings(sa_result *result) {
  sort(result->findings.at, result->findings.n, sizeof *result->findings.at, compare_findings);
}

void sa_result_sort(sa_result *result) {
  sort(result->sites.at, result->sites.n, sizeof *result->sites.at, compare_sites);
  sa_result_sort_findings(result);
  sort(result->suppressed.at, result->suppressed.n, sizeof *result->suppressed.at,
       compare_findings);
  sort(result->patches.at, result->patches.n, sizeof *result->patches.at, compare_patches);
  sort(result->messages.at, result->messages.n, sizeof *result->messages.at, compare_messages);
}

#define append_all(arena, to, from)                                                                \
  for (uint32_t i_ = 0; i_ < (from)->n; i_++) sa_push((arena), (to), (from)->at[i_])

void sa_result_append(sa_result *result, sa_arena *arena, const sa_result *more) {
  append_all(arena, &result->sites, &more->sites);
  append_all(arena, &result->findings, &more->findings);
  append_all(arena, &result->suppressions, &more->suppressions);
  append_all(arena, &result->messages, &more->messages);
  append_all(arena, &result->patches, &more->patches);
  result->files += more->files;
  result->files_skipped += more->files_skipped;
  result->files_failed += more->files_failed;
}
