#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 64 * 1024, ALIGNMENT = _Alignof(max_align_t) };

typedef struct chunk {
  struct chunk *next;
  size_t used, capacity;
  _Alignas(max_align_t) unsigned char bytes[];
} chunk;

struct sa_arena {
  chunk *chunks; /* the newest first; only it has room */
};

void sa_out_of_memory(void) {
  fputs("sa-lint: out of memory\n", stderr);
  exit(2);
}

sa_arena *sa_arena_new(void) {
  sa_arena *arena = calloc(1, sizeof *arena);
  if (arena == NULL) sa_out_of_memory();
  return arena;
}

void sa_arena_free(sa_arena *arena) {
  if (arena == NULL) return;
  for (chunk *c = arena->chunks; c != NULL;) {
    chunk *next = c->next;
    free(c);
    c = next;
  }
  free(arena);
}

static chunk *add_chunk(sa_arena *arena, size_t size) {
  size_t capacity = size > CHUNK_SIZE ? size : CHUNK_SIZE;
  if (capacity > SIZE_MAX - sizeof(chunk)) sa_out_of_memory();
  chunk *c = calloc(1, sizeof *c + capacity);
  if (c == NULL) sa_out_of_memory();
  c->capacity = capacity;
  c->next = arena->chunks;
  arena->chunks = c;
  return c;
}

void *sa_alloc(sa_arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) sa_out_of_memory();
  size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  chunk *c = arena->chunks;
  if (c == NULL || c->capacity - c->used < rounded) c = add_chunk(arena, rounded);
  void *result = c->bytes + c->used;
  c->used += rounded;
  return result;
}

void *sa_regrow(sa_arena *arena, void *old, size_t old_size, size_t new_size) {
  void *result = sa_alloc(arena, new_size);
  if (old_size > 0) memcpy(result, old, old_size);
  return result;
}

char *sa_strndup(sa_arena *arena, const char *text, size_t length) {
  char *copy = sa_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *sa_strdup(sa_arena *arena, const char *text) {
  return sa_strndup(arena, text, strlen(text));
}

char *sa_vprintf(sa_arena *arena, const char *format, va_list args) {
  assert(format != NULL);
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return sa_strdup(arena, "");
  char *text = sa_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, args);
  return text;
}

char *sa_printf(sa_arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = sa_vprintf(arena, format, args);
  va_end(args);
  return text;
}
