#include "model/origin.h"

#include <string.h>

static void find_lines(sa_offset_array *out, sa_arena *arena, const char *text, size_t length) {
  sa_push(arena, out, 0);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\n') sa_push(arena, out, (uint32_t)i + 1);
}

void sa_origin_finish(sa_origin *origin, sa_arena *arena, const char *file, size_t file_length) {
  find_lines(&origin->text_lines, arena, origin->text, origin->length);
  find_lines(&origin->file_lines, arena, file, file_length);
}

/* The last element that is not above `offset`; the first one is 0. */
static uint32_t line_at(const sa_offset_array *lines, uint32_t offset) {
  uint32_t low = 0, high = lines->n;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (lines->at[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Offset in the text of a line and column of it, moved into the text where they lie outside. */
static uint32_t text_offset(const sa_origin *o, uint32_t line, uint32_t column) {
  if (line == 0) return 0;
  if (line > o->text_lines.n) return (uint32_t)o->length;
  size_t offset = (size_t)o->text_lines.at[line - 1] + (column > 0 ? column - 1 : 0);
  return offset < o->length ? (uint32_t)offset : (uint32_t)o->length;
}

static void place(const sa_origin *o, sa_range *range) {
  if (!sa_range_known(*range) || range->file != 0) return;
  uint32_t begin = o->offsets.at[text_offset(o, range->line, range->column)];
  uint32_t end = o->offsets.at[text_offset(o, range->end_line, range->end_column)];
  if (end < begin) end = begin;
  uint32_t first = line_at(&o->file_lines, begin), last = line_at(&o->file_lines, end);
  *range = (sa_range){.line = first + 1,
                      .column = begin - o->file_lines.at[first] + 1,
                      .end_line = last + 1,
                      .end_column = end - o->file_lines.at[last] + 1,
                      .offset = begin,
                      .end_offset = end};
}

static void place_func(const sa_origin *o, sa_ir_func *func) {
  place(o, &func->at);
  for (uint32_t i = 0; i < func->regs.n; i++) place(o, &func->regs.at[i].at);
  for (uint32_t i = 0; i < func->blocks.n; i++) {
    sa_ir_block *block = &func->blocks.at[i];
    place(o, &block->at);
    for (uint32_t j = 0; j < block->insts.n; j++) place(o, &block->insts.at[j].at);
  }
}

void sa_origin_place_unit(sa_ir_unit *unit, const sa_origin *origin) {
  for (uint32_t i = 0; i < unit->classes.n; i++) place(origin, &unit->classes.at[i].at);
  for (uint32_t i = 0; i < unit->funcs.n; i++) place_func(origin, &unit->funcs.at[i]);
  for (uint32_t i = 0; i < unit->sites.n; i++) place(origin, &unit->sites.at[i].at);
  for (uint32_t i = 0; i < unit->tokens.n; i++) place(origin, &unit->tokens.at[i].at);
}

/* The cell and the line in it; false for a place that is in no cell. */
static bool find_cell(const sa_origin *o, const sa_place *at, uint32_t *number, uint32_t *line) {
  if (at->line == 0 || at->line > o->file_lines.n || o->cells.n == 0) return false;
  uint32_t offset = o->file_lines.at[at->line - 1] + (at->column > 0 ? at->column - 1 : 0);
  uint32_t in_text = line_at(&o->offsets, offset), low = 0;
  while (low + 1 < o->cells.n && o->cells.at[low + 1].begin <= in_text) low++;
  *number = o->cells.at[low].number;
  *line = line_at(&o->text_lines, in_text) - line_at(&o->text_lines, o->cells.at[low].begin) + 1;
  return true;
}

uint32_t sa_origin_offset(const sa_origin *o, uint32_t line, uint32_t column) {
  if (line == 0 || line > o->file_lines.n) return (uint32_t)o->length;
  return line_at(&o->offsets, o->file_lines.at[line - 1] + (column > 0 ? column - 1 : 0));
}

void sa_origin_move(const sa_origin *o, sa_place *at) {
  sa_range range = {.line = at->line,
                    .column = at->column,
                    .end_line = at->end_line,
                    .end_column = at->end_column};
  place(o, &range);
  at->line = range.line;
  at->column = range.column;
  at->end_line = range.end_line;
  at->end_column = range.end_column;
  find_cell(o, at, &at->cell, &at->cell_line);
}

static bool name_place(const sa_origin *o, const char *file, sa_place *at) {
  return at->file != NULL && strcmp(at->file, file) == 0 &&
         find_cell(o, at, &at->cell, &at->cell_line);
}

static void name_steps(const sa_origin *o, const char *file, sa_step *steps, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) name_place(o, file, &steps[i].at);
}

void sa_origin_name_cells(sa_result *result, sa_arena *arena, const sa_origin *origin,
                          const char *file, uint32_t sites, uint32_t findings) {
  for (uint32_t i = sites; i < result->sites.n; i++) {
    sa_site *site = &result->sites.at[i];
    name_place(origin, file, &site->at);
    name_steps(origin, file, site->evidence.at, site->evidence.n);
  }
  for (uint32_t i = findings; i < result->findings.n; i++) {
    sa_finding *finding = &result->findings.at[i];
    name_steps(origin, file, finding->evidence.at, finding->evidence.n);
    if (name_place(origin, file, &finding->at))
      finding->message = sa_printf(arena, "%s In cell %u, line %u.", finding->message,
                                   finding->at.cell, finding->at.cell_line);
  }
}
