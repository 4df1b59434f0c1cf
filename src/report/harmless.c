#include "report/harmless.h"

#include "base/array.h"
#include "base/shown.h"

#include <stdlib.h>
#include <string.h>

static char *shown(sa_arena *arena, const char *text, void (*show)(FILE *, const char *)) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  if (out == NULL) sa_out_of_memory();
  show(out, text);
  if (fclose(out) != 0) sa_out_of_memory();
  char *copy = sa_strndup(arena, bytes, length);
  free(bytes);
  return copy;
}

char *sa_harmless_text(sa_arena *arena, const char *text) {
  return shown(arena, text, sa_shown_text);
}

char *sa_harmless_path(sa_arena *arena, const char *path) {
  return shown(arena, path, sa_shown_path);
}

char *sa_harmless_markdown(sa_arena *arena, const char *text) {
  static const char zero_width_space[] = "\xe2\x80\x8b";
  SA_ARRAY(char) out = {0};
  for (const char *at = sa_harmless_text(arena, text); *at != '\0'; at++) {
    bool link = at[0] == '(' && out.n > 0 && out.at[out.n - 1] == ']';
    if (*at == '<' || *at == '`' || *at == '!' || link) sa_push(arena, &out, '\\');
    sa_push(arena, &out, *at);
    for (const char *more = *at == '@' ? zero_width_space : ""; *more != '\0'; more++)
      sa_push(arena, &out, *more);
  }
  sa_push(arena, &out, '\0');
  return out.at;
}
