/* jansson says whether the text is JSON and what its cells are, but not where their lines stand; a
 * second reading of text that is known to be valid finds that. */
#include "project/notebook.h"

#include "model/origin.h"
#include "project/ipython.h"

#include <jansson.h>
#include <string.h>

typedef struct {
  sa_arena *arena;
  const char *file;
  size_t length, at;
  sa_origin *origin;
  SA_ARRAY(char) text;
} reader;

static void put(reader *r, char c, size_t from) {
  sa_push(r->arena, &r->text, c);
  sa_push(r->arena, &r->origin->offsets, (uint32_t)from);
}

static void skip_blanks(reader *r) {
  while (r->at < r->length && strchr(" \t\r\n", r->file[r->at]) != NULL) r->at++;
}

static unsigned hexadecimal(const reader *r, size_t at) {
  unsigned value = 0;
  for (size_t i = at; i < at + 4 && i < r->length; i++) {
    char c = r->file[i];
    value = value * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

static void put_code_point(reader *r, unsigned code, size_t from) {
  if (code < 0x80) {
    put(r, (char)code, from);
    return;
  }
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char heads[] = {0, 0xc0, 0xe0, 0xf0};
  put(r, (char)(heads[more] | code >> 6 * more), from);
  while (more-- > 0) put(r, (char)(0x80 | (code >> 6 * more & 0x3f)), from);
}

/* An escape, from its backslash on. */
static void put_escape(reader *r) {
  static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
  size_t start = r->at;
  char c = r->file[start + 1];
  r->at += 2;
  if (c != 'u') {
    const char *known = strchr(from, c);
    put(r, known != NULL ? to[known - from] : c, start);
    return;
  }
  unsigned code = hexadecimal(r, r->at);
  r->at += 4;
  if (code >= 0xd800 && code < 0xdc00) {
    code = 0x10000 + ((code - 0xd800) << 10) + (hexadecimal(r, r->at + 2) - 0xdc00);
    r->at += 6;
  }
  put_code_point(r, code, start);
}

/* The string at the reader's place; its contents go into the text when `keep`. */
static void read_string(reader *r, bool keep) {
  for (r->at++; r->at < r->length && r->file[r->at] != '"';) {
    bool escape = r->file[r->at] == '\\';
    if (escape && keep) {
      put_escape(r);
    } else if (escape) {
      r->at += 2;
    } else {
      if (keep) put(r, r->file[r->at], r->at);
      r->at++;
    }
  }
  r->at++;
}

/* A string, or a list of strings: a cell's source. */
static void read_source(reader *r) {
  bool list = r->file[r->at] == '[';
  if (!list) {
    read_string(r, true);
    return;
  }
  for (r->at++; skip_blanks(r), r->at < r->length && r->file[r->at] != ']';) {
    if (r->file[r->at] == '"')
      read_string(r, true);
    else
      r->at++;
  }
  r->at++;
}

static void skip_value(reader *r) {
  int depth = 0;
  do {
    skip_blanks(r);
    char c = r->at < r->length ? r->file[r->at] : '\0';
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c == '"')
      read_string(r, false);
    else if (r->at < r->length)
      r->at++;
    if (depth == 0 && strchr("\"[]{},:", c) == NULL)
      while (r->at < r->length && strchr(" \t\r\n,]}", r->file[r->at]) == NULL) r->at++;
  } while (depth > 0 && r->at < r->length);
}

/* Goes to the value of that key in the object at the reader's place; past the object when it has no
 * such key. */
static bool enter_key(reader *r, const char *key) {
  size_t n = strlen(key);
  for (r->at++; skip_blanks(r), r->at < r->length && r->file[r->at] != '}';) {
    if (r->file[r->at] == ',') {
      r->at++;
      continue;
    }
    const char *name = r->file + r->at + 1;
    size_t left = r->length - r->at - 1;
    bool found = left > n && memcmp(name, key, n) == 0 && name[n] == '"';
    read_string(r, false);
    skip_blanks(r);
    r->at++; /* the colon */
    skip_blanks(r);
    if (found) return true;
    skip_value(r);
  }
  r->at++;
  return false;
}

/* Goes on to the end of the object that enter_key() went into. */
static void leave_object(reader *r) {
  while (skip_blanks(r), r->at < r->length && r->file[r->at] != '}') {
    if (r->file[r->at] == ',' || r->file[r->at] == ':')
      r->at++;
    else
      skip_value(r);
  }
  r->at++;
}

/* One cell; `code` says that its source is wanted. Every cell starts a line of its own. */
static void read_cell(reader *r, uint32_t number, bool code) {
  size_t start = r->text.n;
  if (code) sa_push(r->arena, &r->origin->cells, (sa_cell){number, (uint32_t)start});
  if (!code || !enter_key(r, "source")) {
    if (!code) skip_value(r);
    return;
  }
  read_source(r);
  put(r, '\n', r->at - 1);
  leave_object(r);
}

static bool is_code(const json_t *cell) {
  const char *type = json_string_value(json_object_get(cell, "cell_type"));
  const json_t *source = json_object_get(cell, "source");
  return type != NULL && strcmp(type, "code") == 0 &&
         (json_is_string(source) || json_is_array(source));
}

static void read_cells(reader *r, const json_t *cells) {
  skip_blanks(r);
  if (!enter_key(r, "cells")) return;
  r->at++;
  for (uint32_t i = 0; i < json_array_size(cells); i++) {
    while (r->at < r->length && r->file[r->at] != '{') r->at++;
    read_cell(r, i + 1, is_code(json_array_get(cells, i)));
  }
}

/* "python" when the notebook does not say. */
static const char *language_of(const json_t *root) {
  const json_t *metadata = json_object_get(root, "metadata");
  const json_t *about = json_object_get(metadata, "language_info");
  const char *name = json_string_value(json_object_get(about, "name"));
  if (name == NULL)
    name = json_string_value(json_object_get(json_object_get(metadata, "kernelspec"), "language"));
  return name != NULL ? name : "python";
}

static sa_status refuse(sa_diag *diag, const sa_job *job, const json_error_t *error) {
  bool syntax = error->line > 0;
  sa_report(diag, SA_ERROR, job->path, syntax ? (unsigned)error->line : 0,
            syntax ? (unsigned)error->column : 0, "not a notebook of format 4: %s",
            syntax ? error->text : "it has no list of cells");
  return SA_E_PARSE;
}

/* Cells are objects; a list that holds something else cannot be read by its braces. */
static bool are_cells(const json_t *cells) {
  size_t i;
  json_t *cell;
  if (!json_is_array(cells)) return false;
  json_array_foreach(cells, i, cell) {
    if (!json_is_object(cell)) return false;
  }
  return true;
}

sa_status sa_notebook_open(sa_job *job, sa_arena *arena, sa_diag *diag) {
  json_error_t error = {.line = -1};
  json_t *root = json_loadb(job->text, job->length, JSON_REJECT_DUPLICATES, &error);
  json_t *cells = json_object_get(root, "cells");
  sa_status status = SA_OK;
  sa_origin *origin = sa_alloc(arena, sizeof *origin);
  reader r = {.arena = arena, .file = job->text, .length = job->length, .origin = origin};
  if (root == NULL || !are_cells(cells)) {
    if (root != NULL) error.line = -1;
    status = refuse(diag, job, &error);
    goto done;
  }
  if (strcmp(language_of(root), "python") == 0)
    read_cells(&r, cells);
  else
    sa_report(diag, SA_NOTE, job->path, 0, 0, "a notebook in %s; not analysed", language_of(root));
  sa_push(arena, &origin->offsets, (uint32_t)(r.at < r.length ? r.at : r.length));
  sa_push(arena, &r.text, '\0');
  origin->text = r.text.at;
  origin->length = r.text.n - 1;
  sa_origin_finish(origin, arena, job->text, job->length);
  for (uint32_t i = 0; i < origin->cells.n; i++) {
    size_t begin = origin->cells.at[i].begin;
    size_t end = i + 1 < origin->cells.n ? origin->cells.at[i + 1].begin : origin->length;
    sa_ipython_blank(r.text.at + begin, end - begin);
  }
  job->text = origin->text;
  job->length = origin->length;
  job->origin = origin;
done:
  json_decref(root);
  return status;
}
