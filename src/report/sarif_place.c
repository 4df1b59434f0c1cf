/* Places: addresses of files, regions in UTF-16 columns, excerpts. */
#include "report/sarif.h"
#include "report/summary.h"

#include <ctype.h>
#include <string.h>

enum { CONTEXT_LINES = 3, MAX_EXCERPT = 8192 };

bool sa_sarif_inside(sa_place place) {
  return sa_place_known(place) && place.file[0] != '/' && strncmp(place.file, "../", 3) != 0;
}

void sa_sarif_put_wrapped(sa_json *json, const char *key, const char *member, const char *text) {
  sa_json_open(json, key, '{');
  sa_json_string(json, member, text);
  sa_json_close(json);
}

/* Percent-encodes a path; `to` has room for three bytes for each of the path, and a NUL. */
static void encode(char *to, const char *path) {
  for (const unsigned char *at = (const unsigned char *)path; *at != '\0'; at++) {
    bool plain = *at < 0x80 && (isalnum(*at) || strchr("-._~/+,=@", *at) != NULL);
    if (plain)
      *to++ = (char)*at;
    else
      to += sprintf(to, "%%%02X", *at);
  }
  *to = '\0';
}

static void put_uri(sa_json *json, const char *file) {
  char small[512];
  size_t size = 3 * strlen(file) + 1;
  sa_arena *arena = size > sizeof small ? sa_arena_new() : NULL;
  char *uri = arena != NULL ? sa_alloc(arena, size) : small;
  encode(uri, file);
  sa_json_string(json, "uri", uri);
  if (arena != NULL) sa_arena_free(arena);
}

char *sa_sarif_directory_uri(sa_arena *arena, const char *path) {
  char *encoded = sa_alloc(arena, 3 * strlen(path) + 1);
  encode(encoded, path);
  bool slash = encoded[0] != '\0' && encoded[strlen(encoded) - 1] == '/';
  return sa_printf(arena, "file://%s%s", encoded, slash ? "" : "/");
}

void sa_sarif_put_artifact_location(sa_json *json, const char *key, const char *file,
                                    uint32_t index) {
  sa_json_open(json, key, '{');
  put_uri(json, file);
  sa_json_string(json, "uriBaseId", "%SRCROOT%");
  if (index != SA_NO_INDEX) sa_json_int(json, "index", index);
  sa_json_close(json);
}

/* A region on one line: annotations need all lines of a region inside the diff. */
typedef struct {
  uint32_t line, start, end; /* UTF-16 columns */
  sa_line text;
  size_t from, to; /* bytes of `text` */
} line_region;

static line_region region_of(const sa_file_lines *file, sa_place place) {
  line_region r = {.line = place.line, .text = sa_lines_get(file, place.line)};
  uint32_t start = place.column > 0 ? place.column : 1;
  bool one_line = place.end_line == place.line && place.end_column > start;
  if (r.text.at == NULL) {
    r.start = start;
    r.end = one_line ? place.end_column : start + 1;
    return r;
  }
  r.from = start - 1 < r.text.length ? start - 1 : r.text.length;
  r.to = one_line && place.end_column - 1 < r.text.length ? place.end_column - 1 : r.text.length;
  if (!one_line && place.end_line <= place.line && r.from < r.text.length) {
    uint32_t code = 0;
    r.to = r.from + sa_utf8_next(r.text.at + r.from, r.text.length - r.from, &code);
  }
  r.start = sa_lines_utf16_column(r.text, (uint32_t)r.from + 1);
  r.end = sa_lines_utf16_column(r.text, (uint32_t)r.to + 1);
  if (r.end <= r.start) r.end = r.start + 1;
  return r;
}

static void put_snippet(sa_json *json, const char *at, size_t length) {
  sa_json_open(json, "snippet", '{');
  sa_json_text(json, "text", at, length);
  sa_json_close(json);
}

static void put_context(sa_json *json, const sa_file_lines *file, uint32_t line) {
  uint32_t first = line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;
  uint32_t last = line + CONTEXT_LINES < file->nlines ? line + CONTEXT_LINES : file->nlines;
  sa_line end = sa_lines_get(file, last);
  const char *at = file->text + file->starts[first - 1];
  size_t length = (size_t)(end.at + end.length - at);
  if (first == last || length > MAX_EXCERPT) return;
  sa_json_open(json, "contextRegion", '{');
  sa_json_int(json, "startLine", first);
  sa_json_int(json, "endLine", last);
  put_snippet(json, at, length);
  sa_json_close(json);
}

void sa_sarif_put_physical(sa_sarif *s, sa_place place, uint32_t index, bool excerpt) {
  sa_json *json = &s->json;
  const sa_file_lines *file = sa_lines_of(s->lines, place.file);
  line_region r = region_of(file, place);
  sa_json_open(json, "physicalLocation", '{');
  sa_sarif_put_artifact_location(json, "artifactLocation", place.file, index);
  sa_json_open(json, "region", '{');
  sa_json_int(json, "startLine", r.line);
  sa_json_int(json, "startColumn", r.start);
  sa_json_int(json, "endLine", r.line);
  sa_json_int(json, "endColumn", r.end);
  if (excerpt && r.to > r.from && r.to - r.from <= MAX_EXCERPT)
    put_snippet(json, r.text.at + r.from, r.to - r.from);
  sa_json_close(json);
  if (excerpt && r.text.at != NULL) put_context(json, file, r.line);
  sa_json_close(json);
}

void sa_sarif_put_edit_region(sa_sarif *s, sa_place place) {
  sa_json *json = &s->json;
  const sa_file_lines *file = sa_lines_of(s->lines, place.file);
  sa_json_open(json, "deletedRegion", '{');
  sa_json_int(json, "startLine", place.line);
  sa_json_int(json, "startColumn",
              sa_lines_utf16_column(sa_lines_get(file, place.line), place.column));
  sa_json_int(json, "endLine", place.end_line);
  sa_json_int(json, "endColumn",
              sa_lines_utf16_column(sa_lines_get(file, place.end_line), place.end_column));
  sa_json_close(json);
}
