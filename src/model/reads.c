#include "model/reads.h"

#include <stdlib.h>
#include <string.h>

void sa_reads_add(sa_reads *reads, sa_read_kind kind, const char *name, const char *where,
                  sa_hash128 answer) {
  if (reads == NULL) return;
  sa_read row = {kind, sa_strdup(reads->arena, name), sa_strdup(reads->arena, where), answer};
  sa_push(reads->arena, &reads->rows, row);
}

static int compare(const void *a, const void *b) {
  const sa_read *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  int order = strcmp(x->name, y->name);
  return order != 0 ? order : strcmp(x->where, y->where);
}

void sa_reads_settle(sa_reads *reads) {
  uint32_t n = 0;
  if (reads->rows.n > 1) qsort(reads->rows.at, reads->rows.n, sizeof *reads->rows.at, compare);
  for (uint32_t i = 0; i < reads->rows.n; i++) {
    sa_read *row = &reads->rows.at[i];
    if (n == 0 || compare(row, &reads->rows.at[n - 1]) != 0)
      reads->rows.at[n++] = *row;
    else if (!sa_hash_same(row->answer, reads->rows.at[n - 1].answer))
      reads->open = true;
  }
  reads->rows.n = n;
}
