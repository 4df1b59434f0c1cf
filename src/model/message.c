#include "model/message.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
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

enum { NAME_COUNT = 6 };

static const struct {
  const char *name, *neutral;
  size_t member;
} NAMES[NAME_COUNT] = {
    {"block", "the block", offsetof(sa_message_names, block)},
    {"creation", "the creation stream", offsetof(sa_message_names, creation)},
    {"recorded", "the recorded stream", offsetof(sa_message_names, recorded)},
    {"function", "this function", offsetof(sa_message_names, function)},
    {"stream", "a side stream", offsetof(sa_message_names, stream)},
    {"other", "another stream", offsetof(sa_message_names, other)},
};

enum { NO_NAME = -1, RELEASE = NAME_COUNT };

/* The name in braces at `at`: an index of NAMES, RELEASE, or NO_NAME. *length has the braces. */
static int name_at(const char *at, size_t *length) {
  if (*at != '{') return NO_NAME;
  size_t n = strcspn(at + 1, "{}");
  if (at[n + 1] != '}') return NO_NAME;
  *length = n + 2;
  for (int i = 0; i < NAME_COUNT; i++)
    if (strlen(NAMES[i].name) == n && memcmp(at + 1, NAMES[i].name, n) == 0) return i;
  return n == strlen("release") && memcmp(at + 1, "release", n) == 0 ? RELEASE : NO_NAME;
}

/* NULL when the name is not known. */
static const char *known_value(int name, const sa_message_names *names) {
  const char *value =
      *(const char *const *)(const void *)((const char *)names + NAMES[name].member);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static const char *shown_value(sa_arena *arena, int name, const sa_message_names *names) {
  if (name == RELEASE) return release_phrase(arena, names);
  const char *value = known_value(name, names);
  return value != NULL ? sa_printf(arena, "'%s'", value) : NAMES[name].neutral;
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
    size_t length = 1;
    int name = name_at(at, &length);
    if (name == NO_NAME)
      sa_push(arena, &text, *at++);
    else
      append(arena, &text, shown_value(arena, name, names));
    if (name != NO_NAME) at += length;
  }
  sa_push(arena, &text, '\0');
  return text.at;
}

bool sa_message_tells_release(const char *template) {
  return strstr(template, "{release}") != NULL;
}

/* The names of a template in the order in which they first appear. */
typedef struct {
  int names[NAME_COUNT];
  int n;
} name_order;

static int number_of(name_order *order, int name) {
  int i = 0;
  while (i < order->n && order->names[i] != name) i++;
  if (i == order->n) order->names[order->n++] = name;
  return i;
}

char *sa_message_numbered(sa_arena *arena, const char *template, int release) {
  const sa_message_names names = {.release = release};
  text_buffer text = {0};
  name_order order = {.n = 0};
  for (const char *at = template; *at != '\0';) {
    size_t length = 1;
    int name = name_at(at, &length);
    if (name == RELEASE)
      append(arena, &text, release_phrase(arena, &names));
    else if (name != NO_NAME)
      append(arena, &text, sa_printf(arena, "'{%d}'", number_of(&order, name)));
    else
      sa_push(arena, &text, *at);
    at += name == NO_NAME ? 1 : length;
  }
  sa_push(arena, &text, '\0');
  return text.at;
}

sa_message_values sa_message_arguments(sa_arena *arena, const char *template,
                                       const sa_message_names *names) {
  sa_message_values values = {0};
  name_order order = {.n = 0};
  for (const char *at = template; *at != '\0'; at++) {
    size_t length;
    int name = name_at(at, &length), known = order.n;
    if (name == NO_NAME || name == RELEASE || number_of(&order, name) < known) continue;
    const char *value = known_value(name, names);
    sa_push(arena, &values, value != NULL ? value : NAMES[name].neutral);
  }
  return values;
}

char *sa_message_fill(sa_arena *arena, const char *numbered, const sa_message_values *values) {
  text_buffer text = {0};
  for (const char *at = numbered; *at != '\0';) {
    char *end;
    unsigned long number = *at == '{' ? strtoul(at + 1, &end, 10) : 0;
    if (*at != '{' || end == at + 1 || *end != '}' || number >= values->n) {
      sa_push(arena, &text, *at++);
      continue;
    }
    for (const char *from = values->at[number]; *from != '\0'; from++) sa_push(arena, &text, *from);
    at = end + 1;
  }
  sa_push(arena, &text, '\0');
  return text.at;
}
