/* Text that was taken out of a file: the code of a notebook, C++ in a string of a Python source. It
 * is read like a file of its own; afterwards its places become places in the file. */
#ifndef SA_MODEL_ORIGIN_H
#define SA_MODEL_ORIGIN_H

#include "model/finding.h"
#include "model/ir.h"

/* A part of the text that people know by a number. */
typedef struct {
  uint32_t number; /* from 1, as the file counts */
  uint32_t begin;  /* offset in the text */
} sa_cell;

typedef SA_ARRAY(uint32_t) sa_offset_array;

typedef struct {
  const char *text; /* what was taken out */
  size_t length;
  sa_offset_array offsets; /* where in the file each byte of the text comes from, and its end */
  SA_ARRAY(sa_cell) cells; /* in order; none: the text has no such parts */
  /* Where lines begin, in the text and in the file; made by sa_origin_finish(). */
  sa_offset_array text_lines, file_lines;
} sa_origin;

/* Finds the lines. `offsets` has length + 1 numbers, none above `file_length`, in rising order. */
void sa_origin_finish(sa_origin *origin, sa_arena *arena, const char *file, size_t file_length);

/* Every place of the unit that is in its file 0 becomes one in the file that the text was in. */
void sa_origin_place_unit(sa_ir_unit *unit, const sa_origin *origin);

/* The byte of the text for a place in the file: the nearest before it. */
uint32_t sa_origin_offset(const sa_origin *origin, uint32_t line, uint32_t column);

/* Moves a place in the text into the file, and names its cell. */
void sa_origin_move(const sa_origin *origin, sa_place *place);

/* Tells sites, findings and their steps, from number `sites` and `findings` on, which cell they are
 * in. Findings say so in words, too. */
void sa_origin_name_cells(sa_result *result, sa_arena *arena, const sa_origin *origin,
                          const char *file, uint32_t sites, uint32_t findings);

#endif
