/* From a family's spelling to lines of the file at hand. */
#ifndef SA_REWRITE_SPELL_H
#define SA_REWRITE_SPELL_H

#include "model/edit.h"
#include "model/ruleset.h"
#include "rewrite/shape.h"

typedef SA_ARRAY(const char *) sa_lines_of_code;

/* What the lines of one rewrite are filled with. */
typedef struct {
  const sa_shape *shape;
  const sa_spelling *spelling;
  const char *event, *stream, *waiter;
  uint32_t at;    /* operands are looked for before this byte */
  uint32_t block; /* the lines go into it; Python */
} sa_spell;

/* The spelling for a stream of that declared type in that language; NULL when there is none. Python
 * declares few types: there any spelling of the language serves. */
const sa_spelling *sa_spell_find(const sa_ruleset *rules, const char *stream_type,
                                 const char *language);

/* The text for {NAME.ATTRIBUTE}: that attribute of the module which the file uses, or NULL. */
const char *sa_spell_attribute(sa_arena *arena, const sa_spell *spell, const char *name,
                               size_t length);

/* Fills the lines in and wraps checked calls as the file does. False when an operand is nowhere in
 * the file. */
bool sa_spell_lines(sa_lines_of_code *out, sa_arena *arena, const sa_spell *spell,
                    const char *const *lines, uint32_t n);

/* A name for the event of that stream, "side_done", that the file does not use yet; the first
 * `skip` free ones are left to others. */
const char *sa_spell_name(sa_arena *arena, const sa_shape *shape, const char *stream,
                          const char *suffix, uint32_t skip);

/* Adds the include that the spelling needs, where it is not there. */
void sa_spell_include(sa_arena *arena, sa_splices *splices, const sa_shape *shape,
                      const sa_spelling *spelling);

/* Argument `index` of the call whose text is [begin, end): its text, or NULL. */
const char *sa_spell_argument(sa_arena *arena, const sa_shape *shape, uint32_t begin, uint32_t end,
                              uint32_t index);

/* What to write at byte `at` for a stream that the analysis calls `name`: a member's name alone is
 * not enough in Python. NULL when the function names no such thing, or several. */
const char *sa_spell_member(sa_arena *arena, const sa_shape *shape, const char *name, uint32_t at);

/* Whether the text is a variable, a member or an element: naming it again gives the same thing. */
bool sa_spell_is_path(const char *text);

#endif
