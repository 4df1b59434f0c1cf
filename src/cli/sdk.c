#include "cli/sdk.h"

#include "ruleset/ruleset.h"

#include <string.h>

#define VIRTUAL_ROOT "/sa-sdk/"
#define TABLE_NAME   "sdk/includes.txt"

typedef struct {
  const char *pattern; /* of an include's spelling */
  const char *path;    /* virtual path of the model header */
  bool weak;           /* a header of the project goes first */
} include_row;

typedef struct {
  SA_ARRAY(include_row) rows;
} include_table;

typedef struct {
  sa_arena *arena;
  sa_sdk *sdk;
} loader;

static void add_file(void *context, const char *path, const char *text, size_t length) {
  loader *l = context;
  if (strcmp(path, TABLE_NAME) == 0) return;
  sa_push(l->arena, &l->sdk->files,
          (sa_sdk_file){.path = sa_printf(l->arena, VIRTUAL_ROOT "%s", path + strlen("sdk/")),
                        .text = sa_strndup(l->arena, text, length),
                        .length = length});
}

/* `*` matches any run of characters, slashes too. Goes back to the last star only, which suffices.
 */
static bool matches(const char *pattern, const char *text) {
  const char *star = NULL, *mark = NULL;
  while (*text != '\0') {
    if (*pattern == '*') {
      star = pattern++;
      mark = text;
    } else if (*pattern == *text) {
      pattern++;
      text++;
    } else if (star != NULL) {
      pattern = star + 1;
      text = ++mark;
    } else {
      return false;
    }
  }
  return pattern[strspn(pattern, "*")] == '\0';
}

static const include_row *row_for(const include_table *table, const char *spelling) {
  for (uint32_t i = 0; i < table->rows.n; i++)
    if (matches(table->rows.at[i].pattern, spelling)) return &table->rows.at[i];
  return NULL;
}

static const char *resolve(void *context, const char *spelling) {
  const include_row *row = row_for(context, spelling);
  return row != NULL ? row->path : NULL;
}

static bool yields(void *context, const char *spelling) {
  const include_row *row = row_for(context, spelling);
  return row != NULL && row->weak;
}

static bool has_file(const sa_sdk *sdk, const char *path) {
  for (uint32_t i = 0; i < sdk->files.n; i++)
    if (strcmp(sdk->files.at[i].path, path) == 0) return true;
  return false;
}

/* One line: SPELLING HEADER [weak], or a comment. */
static sa_status read_row(include_table *table, loader *l, sa_diag *diag, char *line,
                          unsigned number) {
  char *rest = line, *words[3] = {0};
  unsigned n = 0;
  line[strcspn(line, "#")] = '\0';
  for (char *word; n < 3 && (word = strsep(&rest, " \t\r")) != NULL;)
    if (*word != '\0') words[n++] = word;
  if (n == 0) return SA_OK;
  bool weak = n == 3 && strcmp(words[2], "weak") == 0;
  const char *path = n > 1 ? sa_printf(l->arena, VIRTUAL_ROOT "%s", words[1]) : "";
  if (n == 1 || (n == 3 && !weak))
    sa_report(diag, SA_ERROR, TABLE_NAME, number, 1, "a line must be: SPELLING HEADER [weak]");
  else if (!has_file(l->sdk, path))
    sa_report(diag, SA_ERROR, TABLE_NAME, number, 1, "there is no model header '%s'", words[1]);
  else {
    sa_push(l->arena, &table->rows, (include_row){words[0], path, weak});
    return SA_OK;
  }
  return SA_E_SYNTAX;
}

sa_status sa_sdk_load(sa_sdk *out, sa_arena *arena, sa_diag *diag, const char *rules) {
  include_table *table = sa_alloc(arena, sizeof *table);
  loader l = {arena, out};
  *out = (sa_sdk){.resolve = resolve, .yields = yields, .context = table};
  sa_ruleset_each_file(rules, "sdk/", add_file, &l);
  const char *text = sa_ruleset_file(arena, rules, TABLE_NAME, NULL);
  if (text == NULL) {
    sa_report(diag, SA_ERROR, TABLE_NAME, 0, 0, "the table of model headers is missing");
    return SA_E_IO;
  }
  sa_status status = SA_OK;
  unsigned number = 1;
  char *rest = sa_strdup(arena, text);
  for (char *line; status == SA_OK && (line = strsep(&rest, "\n")) != NULL; number++)
    status = read_row(table, &l, diag, line, number);
  return status;
}
