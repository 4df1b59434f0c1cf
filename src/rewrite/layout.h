/* Text put between statements, and statements taken out, in the manner of the file: its
 * indentation, its line ends, whole lines where a statement has them for itself. */
#ifndef SA_REWRITE_LAYOUT_H
#define SA_REWRITE_LAYOUT_H

#include "rewrite/spell.h"

typedef struct {
  sa_arena *arena;
  const sa_ruleset *rules; /* which calls can be left out */
  const sa_shape *shape;
  sa_splices *splices;
} sa_layout;

/* Lines in front of a statement, which gets braces where it has none around it. Each function
 * returns NULL, or why it cannot be done. */
const char *sa_layout_before(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines);
/* Lines behind a statement of a block. */
const char *sa_layout_after(const sa_layout *l, uint32_t stmt, const sa_lines_of_code *lines);
/* Lines in front of a block's closing brace. */
const char *sa_layout_at_close(const sa_layout *l, uint32_t block, const sa_lines_of_code *lines);

/* A call to take out, with the statement that it is. */
typedef struct {
  uint32_t begin, end;
} sa_layout_call;

/* Takes out one statement of a block, whatever it does. */
const char *sa_layout_take_out(const sa_layout *l, uint32_t stmt);

/* Takes out a definition, with the comment that stands right above it. */
const char *sa_layout_delete_function(const sa_layout *l, uint32_t begin, uint32_t end);

/* Takes out the statements that consist of these calls, and the loops and branches that are left
 * without anything to do. */
const char *sa_layout_delete(const sa_layout *l, const sa_layout_call *calls, uint32_t n);

/* The statement that consists of that call and nothing else, or SA_SHAPE_NONE. */
uint32_t sa_layout_statement(const sa_layout *l, sa_layout_call call);

#endif
