/* Messages for lintrunner, one object a line. It takes a linter's status for a failure of the
 * linter, so findings give status 0 (sa_reporter.carries_status). */
#include "base/json.h"
#include "report/formats.h"
#include "report/harmless.h"
#include "report/index.h"
#include "report/lines.h"
#include "report/summary.h"

#include <string.h>

static const char CODE[] = "SALINT";

/* ---- a fix as the whole file before and after ---- */

/* The offset of a place; SIZE_MAX when the file has no such place. */
static size_t offset_of(const sa_file_lines *file, uint32_t line, uint32_t column) {
  sa_line text = sa_lines_get(file, line);
  if (text.at == NULL || column == 0 || column - 1 > text.length) return SIZE_MAX;
  return (size_t)(text.at - file->text) + column - 1;
}

static bool is_utf8(const char *text, size_t length) {
  uint32_t code = 0;
  for (size_t at = 0; at < length;) {
    size_t step = sa_utf8_next(text + at, length - at, &code);
    if (code == 0xfffd && step == 1) return false;
    at += step;
  }
  return true;
}

/* The file with the edits made, or NULL when they are not all of this file and in order. */
static char *edited(sa_arena *arena, const sa_file_lines *file, const sa_site *site) {
  SA_ARRAY(char) out = {0};
  size_t done = 0;
  for (uint32_t i = 0; i < site->edits.n; i++) {
    const sa_edit *edit = &site->edits.at[i];
    size_t begin = offset_of(file, edit->at.line, edit->at.column);
    size_t end = offset_of(file, edit->at.end_line, edit->at.end_column);
    if (strcmp(edit->at.file, file->name) != 0 || begin == SIZE_MAX || end == SIZE_MAX ||
        begin < done || end < begin)
      return NULL;
    for (; done < begin; done++) sa_push(arena, &out, file->text[done]);
    for (const char *at = edit->text; *at != '\0'; at++) sa_push(arena, &out, *at);
    done = end;
  }
  for (; done < file->length; done++) sa_push(arena, &out, file->text[done]);
  sa_push(arena, &out, '\0');
  return out.at;
}

static void put_fix(sa_json *json, sa_arena *arena, const sa_file_lines *file,
                    const sa_finding *finding, const sa_site *site) {
  char *after = NULL;
  bool has_fix = site != NULL && site->has_fix && site->fix_safe && site->edits.n > 0 &&
                 finding->rule->hazard == SA_HAZARD_COUNT;
  if (has_fix && file->text != NULL && is_utf8(file->text, file->length) &&
      strlen(file->text) == file->length)
    after = edited(arena, file, site);
  sa_json_string(json, "original", after != NULL ? file->text : NULL);
  sa_json_string(json, "replacement", after);
}

/* ---- messages ---- */

static void put_place(sa_json *json, sa_arena *arena, sa_place at) {
  bool known = sa_place_known(at);
  sa_json_string(json, "path", known ? sa_harmless_path(arena, at.file) : NULL);
  if (known)
    sa_json_int(json, "line", at.line);
  else
    sa_json_null(json, "line");
  if (known && at.column > 0)
    sa_json_int(json, "char", at.column);
  else
    sa_json_null(json, "char");
  sa_json_string(json, "code", CODE);
}

static sa_status put_finding(FILE *out, sa_lines *lines, const sa_finding *finding,
                             const sa_site *site) {
  static const char *const severities[] = {"advice", "warning", "error"};
  sa_arena *arena = sa_arena_new();
  sa_json json = sa_json_to(out);
  sa_json_open(&json, NULL, '{');
  put_place(&json, arena, finding->at);
  sa_json_string(&json, "severity", severities[finding->level]);
  sa_json_string(&json, "name", sa_printf(arena, "%s %s", finding->rule->id, finding->rule->name));
  const char *text = sa_harmless_text(arena, finding->message);
  if (finding->help[0] != '\0')
    text = sa_printf(arena, "%s\nHelp: %s.", text, sa_harmless_text(arena, finding->help));
  sa_json_string(&json, "description", text);
  put_fix(&json, arena, sa_lines_of(lines, finding->at.file != NULL ? finding->at.file : ""),
          finding, site);
  sa_json_close(&json);
  sa_arena_free(arena);
  return sa_json_finish(&json);
}

/* What kept a file from being analysed; a message without a file is about the run. */
static sa_status put_failure(FILE *out, const sa_message *message) {
  sa_arena *arena = sa_arena_new();
  sa_json json = sa_json_to(out);
  sa_place at = {.file = message->file,
                 .line = message->line > 0 ? message->line : 1,
                 .column = message->column};
  sa_json_open(&json, NULL, '{');
  put_place(&json, arena, at);
  sa_json_string(&json, "severity", "error");
  sa_json_string(&json, "name", "not-analysed");
  sa_json_string(&json, "description", sa_harmless_text(arena, message->text));
  sa_json_null(&json, "original");
  sa_json_null(&json, "replacement");
  sa_json_close(&json);
  sa_arena_free(arena);
  return sa_json_finish(&json);
}

sa_status sa_lintrunner_write(FILE *out, const sa_result *result,
                              const sa_report_options *options) {
  sa_arena *arena = sa_arena_new();
  sa_lines *lines = sa_lines_new(options->root);
  sa_site_index sites = sa_site_index_of(arena, result);
  sa_status status = SA_OK;
  for (uint32_t i = 0; i < result->findings.n && status == SA_OK; i++) {
    const sa_finding *finding = &result->findings.at[i];
    status = put_finding(out, lines, finding, sa_site_index_find(&sites, finding->site));
  }
  for (uint32_t i = 0; i < result->messages.n && status == SA_OK; i++)
    if (result->messages.at[i].severity == SA_ERROR)
      status = put_failure(out, &result->messages.at[i]);
  sa_lines_free(lines);
  sa_arena_free(arena);
  return fflush(out) != 0 || ferror(out) ? SA_E_IO : status;
}
