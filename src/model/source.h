/* Positions in source files. */
#ifndef SA_MODEL_SOURCE_H
#define SA_MODEL_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* A half-open range of bytes in one file of a unit. Lines and columns count from 1, columns in
 * bytes; `offset` and `end_offset` are byte offsets into the file. A range with line 0 is
 * "nowhere". `file` indexes sa_ir_unit.files; file 0 is the file that is being linted. */
typedef struct {
  uint32_t file;
  uint32_t line, column, end_line, end_column;
  uint32_t offset, end_offset;
} sa_range;

static inline bool sa_range_known(sa_range range) {
  return range.line != 0;
}

/* Order by file, then start, then end: the order of every output. */
int sa_range_compare(sa_range a, sa_range b);

#endif
