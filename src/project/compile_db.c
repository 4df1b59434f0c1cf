#include "project/compile_db.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/path.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DATABASE = 512 << 20 };

typedef struct {
  unsigned line, column;
} place;

typedef SA_ARRAY(place) place_array;

typedef struct {
  sa_compile_db *db;
  sa_arena *arena;
  sa_diag *diag;
  place_array places;        /* where each entry begins */
  sa_words present, missing; /* working directories that were looked for */
} reader;

/* Where the elements of the outermost array begin. jansson keeps no positions, and a message
 * without a line is of no use in a file of a million lines. The text is known to be valid JSON. */
static void find_entries(place_array *out, sa_arena *arena, const char *text) {
  unsigned depth = 0;
  place at = {1, 1};
  bool in_string = false, expected = false;
  for (const char *c = text; *c != '\0'; c++, at.column++) {
    if (in_string) {
      in_string = *c != '"';
      if (*c == '\\') c++, at.column++;
      continue;
    }
    if (depth == 1 && expected && strchr(" \t\r\n]", *c) == NULL) {
      sa_push(arena, out, at);
      expected = false;
    }
    in_string = *c == '"';
    if (*c == '[' || *c == '{') expected = depth++ == 0;
    if (*c == ']' || *c == '}') depth--;
    if (*c == ',') expected = depth == 1;
    if (*c == '\n') at = (place){at.line + 1, 0};
  }
}

static sa_status wrong(const reader *r, const sa_db_entry *entry, const char *what) {
  sa_report(r->diag, SA_ERROR, r->db->shown, entry->line, entry->column, "%s", what);
  return SA_E_SYNTAX;
}

static bool has_word(const sa_words *words, const char *word) {
  for (uint32_t i = 0; i < words->n; i++)
    if (strcmp(words->at[i], word) == 0) return true;
  return false;
}

/* Whether the working directory is there; says so once when it is not. */
static bool directory_exists(reader *r, const sa_db_entry *entry) {
  if (has_word(&r->present, entry->directory)) return true;
  if (has_word(&r->missing, entry->directory)) return false;
  bool exists = sa_fs_is_directory(entry->directory);
  sa_push(r->arena, exists ? &r->present : &r->missing, entry->directory);
  if (!exists) {
    sa_report(r->diag, SA_WARNING, r->db->shown, entry->line, entry->column,
              "working directory '%s' does not exist; its files are analysed without their flags",
              entry->directory);
    sa_diag_mark_configuration(r->diag);
  }
  return exists;
}

static sa_status read_arguments(reader *r, sa_db_entry *entry, const json_t *arguments) {
  size_t i;
  json_t *word;
  json_array_foreach(arguments, i, word) {
    if (!json_is_string(word)) return wrong(r, entry, "'arguments' must hold strings only");
    sa_push(r->arena, &entry->arguments, sa_strdup(r->arena, json_string_value(word)));
  }
  return entry->arguments.n > 0 ? SA_OK : wrong(r, entry, "'arguments' is empty");
}

static sa_status read_entry(reader *r, sa_db_entry *entry, const json_t *value) {
  const json_t *command = json_object_get(value, "command");
  const json_t *arguments = json_object_get(value, "arguments");
  const char *file = json_string_value(json_object_get(value, "file"));
  const char *directory = json_string_value(json_object_get(value, "directory"));
  if (!json_is_object(value)) return wrong(r, entry, "an entry must be an object");
  if (directory == NULL) return wrong(r, entry, "the entry needs 'directory', a string");
  if (file == NULL) return wrong(r, entry, "the entry needs 'file', a string");
  if (!json_is_array(arguments) && !json_is_string(command))
    return wrong(r, entry, "the entry needs 'arguments', a list, or 'command', a string");
  const char *base = sa_path_directory(r->arena, r->db->path);
  entry->directory = sa_path_clean(r->arena, sa_path_join(r->arena, base, directory));
  entry->usable = directory_exists(r, entry);
  file = sa_path_clean(r->arena, sa_path_join(r->arena, entry->directory, file));
  const char *real = sa_fs_canonical(r->arena, file);
  entry->file = real != NULL ? real : file;
  if (json_is_array(arguments)) return read_arguments(r, entry, arguments);
  entry->command = sa_strdup(r->arena, json_string_value(command));
  return SA_OK;
}

static int compare_entries(const void *a, const void *b) {
  const sa_db_entry *x = a, *y = b;
  int order = strcmp(x->file, y->file);
  if (order == 0) order = x->line < y->line ? -1 : x->line > y->line;
  if (order == 0) order = x->column < y->column ? -1 : x->column > y->column;
  return order;
}

static sa_status read_entries(reader *r, const json_t *array) {
  sa_compile_db *db = r->db;
  size_t i;
  json_t *value;
  json_array_foreach(array, i, value) {
    sa_db_entry entry = {.line = r->places.at[i].line, .column = r->places.at[i].column};
    sa_status status = read_entry(r, &entry, value);
    if (status != SA_OK) return status;
    sa_push(r->arena, &db->entries, entry);
  }
  if (db->entries.n == 0) {
    sa_report(r->diag, SA_WARNING, db->shown, 1, 1, "the compile database has no entries");
    return SA_OK;
  }
  qsort(db->entries.at, db->entries.n, sizeof *db->entries.at, compare_entries);
  uint32_t n = 1;
  for (uint32_t j = 1; j < db->entries.n; j++)
    if (strcmp(db->entries.at[j].file, db->entries.at[n - 1].file) != 0)
      db->entries.at[n++] = db->entries.at[j];
  db->entries.n = n;
  return SA_OK;
}

static sa_status read_json(reader *r, const char *text, size_t length) {
  json_error_t error;
  if (strspn(text, " \t\r\n") == length) {
    sa_report(r->diag, SA_ERROR, r->db->shown, 1, 1, "the compile database is empty");
    return SA_E_SYNTAX;
  }
  json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
  if (root == NULL) {
    sa_report(r->diag, SA_ERROR, r->db->shown, (unsigned)error.line, (unsigned)error.column,
              "not valid JSON: %s", sa_json_problem(r->arena, error.text));
    return SA_E_SYNTAX;
  }
  sa_status status = SA_E_SYNTAX;
  if (json_is_array(root)) {
    find_entries(&r->places, r->arena, text);
    status = read_entries(r, root);
  } else {
    sa_report(r->diag, SA_ERROR, r->db->shown, 1, 1,
              "a compile database must be a list of entries");
  }
  json_decref(root);
  return status;
}

sa_status sa_compile_db_load(sa_compile_db **out, sa_arena *arena, sa_diag *diag, const char *path,
                             const char *root) {
  char *text;
  size_t length;
  *out = NULL;
  if (sa_fs_is_directory(path)) path = sa_path_join(arena, path, "compile_commands.json");
  sa_status status = sa_fs_read_text(&text, &length, arena, diag, path, MAX_DATABASE);
  if (status != SA_OK) return status;
  sa_compile_db *db = sa_alloc(arena, sizeof *db);
  db->path = path;
  db->shown = sa_path_inside(root, path) != NULL ? sa_path_inside(root, path) : path;
  db->root = root;
  reader r = {.db = db, .arena = arena, .diag = diag};
  status = read_json(&r, text, length);
  if (status == SA_OK) *out = db;
  return status;
}

static int compare_file(const void *file, const void *entry) {
  return strcmp(file, ((const sa_db_entry *)entry)->file);
}

const sa_db_entry *sa_compile_db_find(const sa_compile_db *db, const char *file) {
  if (db->entries.n == 0) return NULL;
  return bsearch(file, db->entries.at, db->entries.n, sizeof *db->entries.at, compare_file);
}

void sa_compile_db_command(sa_command *out, sa_arena *arena, sa_diag *diag, const sa_compile_db *db,
                           const sa_db_entry *entry) {
  sa_flags_context context = {
      arena, diag, db->shown, entry->line, entry->column, entry->directory, db->root};
  sa_words words = entry->arguments;
  if (entry->command != NULL) sa_flags_split(&words, arena, entry->command);
  sa_flags_clean(out, &context, &words);
}
