/* The words of a finding as data: a template with names in braces, and what the names stand for. */
#ifndef SA_MODEL_MESSAGE_H
#define SA_MODEL_MESSAGE_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

/* NULL or "" gives a neutral phrase, such as "the block". */
typedef struct {
  const char *block, *creation, *recorded, *function, *stream, *other;
  int release;           /* word of the fact `release`; -1: a hazard, which has none */
  uint32_t release_line; /* 0: unknown */
} sa_message_names;

typedef SA_ARRAY(const char *) sa_message_values;

/* Replaces {block} {creation} {recorded} {function} {release} {stream} {other}; every other brace
 * stands for itself. A neutral phrase at the start of a sentence gets a capital. */
char *sa_message_render(sa_arena *arena, const char *template, const sa_message_names *names);

/* Whether the template says how the block is released. */
bool sa_message_tells_release(const char *template);

/* The template as formats want it that carry words and values apart: names are quoted numbers
 * ("Recording '{0}' ..."), in the order in which they first appear, and {release} is the phrase of
 * the word `release`. The same for every finding of the template. */
char *sa_message_numbered(sa_arena *arena, const char *template, int release);

/* What the numbers of that form stand for, without quotes. */
sa_message_values sa_message_arguments(sa_arena *arena, const char *template,
                                       const sa_message_names *names);

/* Puts values into a numbered form. */
char *sa_message_fill(sa_arena *arena, const char *numbered, const sa_message_values *values);

#endif
