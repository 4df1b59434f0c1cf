#include "classify/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* What follows "released" in a message, in the order of the words of the fact `release`. */
static const char *const RELEASES[] = {
    [0] = "somewhere this function does not show",
    [1] = "at the end of its scope",
    [2] = "where its handle is reset",
    [3] = "where its variable gets another value",
    [4] = "where its container is cleared",
    [5] = "where its storage is resized to nothing",
    [6] = "where it is freed",
    [7] = "by whoever it is moved to",
    [8] = "by the caller",
    [9] = "together with the object that owns it",
};

enum { RELEASE_COUNT = sizeof RELEASES / sizeof *RELEASES };

static const char *release_phrase(sa_arena *arena, const sa_message_names *names) {
  bool known = names->release >= 0 && names->release < RELEASE_COUNT;
  const char *phrase = RELEASES[known ? names->release : 0];
  if (names->release_line == 0) return phrase;
  return sa_printf(arena, "%s (line %" PRIu32 ")", phrase, names->release_line);
}

static const char *quoted(sa_arena *arena, const char *name, const char *neutral) {
  bool known = name != NULL && name[0] != '\0';
  return known ? sa_printf(arena, "'%s'", name) : neutral;
}

/* What the name in braces stands for, or NULL when it is none of ours. */
static const char *value_of(sa_arena *arena, const char *name, const sa_message_names *names) {
  const struct {
    const char *name, *value, *neutral;
  } table[] = {
      {"block", names->block, "the block"},
      {"creation", names->creation, "the creation stream"},
      {"recorded", names->recorded, "the recorded stream"},
      {"function", names->function, "this function"},
      {"stream", names->stream, "a side stream"},
      {"other", names->other, "another stream"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(name, table[i].name) == 0) return quoted(arena, table[i].value, table[i].neutral);
  return strcmp(name, "release") == 0 ? release_phrase(arena, names) : NULL;
}

typedef SA_ARRAY(char) text_buffer;

static bool at_sentence_start(const text_buffer *text) {
  uint32_t n = text->n;
  return n == 0 || (n >= 2 && text->at[n - 2] == '.' && text->at[n - 1] == ' ');
}

static void append(sa_arena *arena, text_buffer *text, const char *value) {
  bool start = at_sentence_start(text);
  for (const char *at = value; *at != '\0'; at++) {
    char c = start && at == value ? (char)toupper((unsigned char)*at) : *at;
    sa_push(arena, text, c);
  }
}

char *sa_message_render(sa_arena *arena, const char *template, const sa_message_names *names) {
  text_buffer text = {0};
  for (const char *at = template; *at != '\0';) {
    size_t length = *at == '{' ? strcspn(at + 1, "{}") : 0;
    const char *value = NULL;
    if (*at == '{' && at[length + 1] == '}')
      value = value_of(arena, sa_strndup(arena, at + 1, length), names);
    if (value != NULL) {
      append(arena, &text, value);
      at += length + 2;
    } else {
      sa_push(arena, &text, *at++);
    }
  }
  sa_push(arena, &text, '\0');
  return text.at;
}
