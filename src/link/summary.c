#include "link/summary.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "; sa-lint summary "

/* Everything but the checksum itself. */
static char *head_of(sa_arena *arena, uint64_t source, const char *tool) {
  return sa_printf(arena, MAGIC "%d tool %s source %s checksum ", SA_SUMMARY_FORMAT, tool,
                   sa_hash_hex(arena, source));
}

static const char *checksum(sa_arena *arena, const char *head, const char *body, size_t length) {
  return sa_hash_hex(arena, sa_hash(body, length, sa_hash_string(head, 0)));
}

char *sa_summary_print(sa_arena *arena, const sa_ir_unit *unit, uint64_t source, const char *tool) {
  sa_ir_unit *pruned = sa_summary_prune(arena, unit);
  const char *body = sa_ir_print(arena, pruned), *head = head_of(arena, source, tool);
  return sa_printf(arena, "%s%s\n%s", head, checksum(arena, head, body, strlen(body)), body);
}

const char *sa_summary_name(sa_arena *arena, const char *unit_path) {
  return sa_printf(arena, "%s" SA_SUMMARY_SUFFIX, sa_hash_hex(arena, sa_hash_string(unit_path, 0)));
}

sa_status sa_summary_write(sa_arena *arena, sa_diag *diag, const char *directory,
                           const sa_ir_unit *unit, uint64_t source, const char *tool) {
  if (unit->path[0] == '/' || strncmp(unit->path, "../", 3) == 0) {
    sa_report(diag, SA_WARNING, unit->path, 0, 0,
              "no summary is written for a file outside the project root");
    return SA_OK;
  }
  sa_output out;
  const char *text = sa_summary_print(arena, unit, source, tool);
  const char *path = sa_path_join(arena, directory, sa_summary_name(arena, unit->path));
  sa_status status = sa_output_open(&out, arena, diag, path);
  if (status != SA_OK) return status;
  fputs(text, out.file);
  return sa_output_commit(&out, diag);
}

/* ---- reading ---- */

typedef struct {
  const char *at;
  sa_arena *arena;
} cursor;

static bool take(cursor *c, const char *text) {
  size_t n = strlen(text);
  if (strncmp(c->at, text, n) != 0) return false;
  c->at += n;
  return true;
}

/* Up to the next blank or line end; NULL when there is nothing. */
static const char *take_word(cursor *c) {
  size_t n = strcspn(c->at, " \n");
  const char *word = n > 0 && n < 64 ? sa_strndup(c->arena, c->at, n) : NULL;
  c->at += n;
  return word;
}

/* Sixteen lower-case hexadecimal digits, as sa_hash_hex() writes them. */
static bool take_hash(cursor *c, uint64_t *out) {
  const char *word = take_word(c);
  if (word == NULL || strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16) return false;
  *out = strtoull(word, NULL, 16);
  return true;
}

static const char *refuse_head(const char *format, const char *tool, const char *wanted,
                               sa_arena *arena) {
  if (format == NULL || strcmp(format, sa_printf(arena, "%d", SA_SUMMARY_FORMAT)) != 0)
    return sa_printf(arena, "its format is %s, this program reads %d",
                     format != NULL ? format : "not named", SA_SUMMARY_FORMAT);
  if (tool == NULL || strcmp(tool, wanted) != 0)
    return sa_printf(arena, "it was written by version %s, this is %s",
                     tool != NULL ? tool : "(none)", wanted);
  return NULL;
}

/* NULL, or what is wrong with the first line; *body is what follows it. */
static const char *read_head(sa_arena *arena, const char *text, size_t length, const char *tool,
                             uint64_t *source, const char **body) {
  cursor c = {text, arena};
  if (memchr(text, '\0', length) != NULL) return "it is not a text";
  if (!take(&c, MAGIC)) return "it is not a summary";
  const char *format = take_word(&c), *writer = take(&c, " tool ") ? take_word(&c) : NULL;
  const char *wrong = refuse_head(format, writer, tool, arena);
  if (wrong != NULL) return wrong;
  uint64_t sum = 0;
  bool whole = take(&c, " source ") && take_hash(&c, source) && take(&c, " checksum ") &&
               take_hash(&c, &sum) && take(&c, "\n");
  if (!whole) return "its first line is cut off or changed";
  *body = c.at;
  size_t rest = length - (size_t)(c.at - text);
  const char *expected = checksum(arena, head_of(arena, *source, tool), c.at, rest);
  return strtoull(expected, NULL, 16) == sum
             ? NULL
             : "its checksum does not fit: it was cut off or changed";
}

/* Relative, and without a step upwards. */
static bool inside_project(const char *path) {
  if (path[0] == '/' || path[0] == '\0') return false;
  for (const char *part = path; part != NULL;) {
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
    part = strchr(part, '/');
    if (part != NULL) part++;
  }
  return true;
}

/* NULL, or why a sound unit is no summary. */
static const char *refuse_unit(const sa_ir_unit *unit) {
  if (unit->sites.n > 0 || unit->tokens.n > 0) return "a summary has no sites and no tokens";
  if (unit->files.n == 0 || strcmp(unit->files.at[0], unit->path) != 0)
    return "its first file is not the unit";
  for (uint32_t i = 0; i < unit->files.n; i++)
    if (!inside_project(unit->files.at[i])) return "it names a file outside the project";
  for (uint32_t f = 0; f < unit->funcs.n; f++)
    if ((unit->funcs.at[f].flags & SA_FUNC_HEADER) == 0)
      return "it has a function that is not marked as context";
  return NULL;
}

static sa_status refuse(sa_diag *diag, const char *name, unsigned line, unsigned column,
                        const char *why) {
  sa_report(diag, SA_WARNING, name, line, column, "the summary is ignored: %s", why);
  return SA_E_SYNTAX;
}

sa_status sa_summary_read(sa_summary *out, sa_arena *arena, sa_diag *diag, const char *name,
                          const char *text, size_t length, const char *tool) {
  const char *body = text;
  sa_ir_unit *unit = NULL;
  sa_diag parsing = {.arena = arena};
  *out = (sa_summary){.file = name};
  const char *wrong = read_head(arena, text, length, tool, &out->source, &body);
  if (wrong != NULL) return refuse(diag, name, 1, 1, wrong);
  /* The first line is a comment to the parser, so lines in messages are those of the file. */
  if (sa_ir_parse(&unit, arena, &parsing, name, text) != SA_OK) {
    const sa_message *m = &parsing.messages.at[0];
    return refuse(diag, name, m->line != 0 ? m->line : 2, m->column != 0 ? m->column : 1, m->text);
  }
  wrong = refuse_unit(unit);
  if (wrong != NULL) return refuse(diag, name, 2, 1, wrong);
  out->unit = unit;
  return SA_OK;
}
