/* Workflow commands of GitHub Actions. A step shows only ten annotations of each level, so what
 * matters most comes first. */
#include "base/json.h"
#include "base/shown.h"
#include "report/formats.h"
#include "report/lines.h"
#include "report/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text, bool property) {
  size_t left = strlen(text);
  uint32_t code = 0;
  for (size_t step; (step = sa_utf8_next(text, left, &code)) > 0; text += step, left -= step) {
    bool special =
        code == '%' || code == '\r' || code == '\n' || (property && (code == ':' || code == ','));
    if (special)
      fprintf(out, "%%%02X", (unsigned)code);
    else if (sa_shown_is_control(code))
      putc('?', out);
    else if (code == 0xfffd)
      fputs("\xef\xbf\xbd", out);
    else
      fwrite(text, 1, step, out);
  }
}

static void put_annotation(FILE *out, sa_lines *lines, const sa_finding *finding) {
  static const char *const commands[] = {"notice", "warning", "error"};
  sa_place at = finding->at;
  fprintf(out, "::%s ", commands[finding->level]);
  if (sa_place_known(at)) {
    const sa_file_lines *file = sa_lines_of(lines, at.file);
    fputs("file=", out);
    put_escaped(out, at.file, true);
    fprintf(out, ",line=%" PRIu32 ",endLine=%" PRIu32, at.line, at.end_line);
    sa_line line = sa_lines_get(file, at.line);
    /* Columns are only accepted for a range within one line. */
    if (at.end_line == at.line && at.column > 0 && line.at != NULL)
      fprintf(out, ",col=%" PRIu32 ",endColumn=%" PRIu32, sa_lines_utf16_column(line, at.column),
              sa_lines_utf16_column(line, at.end_column));
    putc(',', out);
  }
  fprintf(out, "title=%s ", finding->rule->id);
  put_escaped(out, finding->rule->name, true);
  fputs("::", out);
  put_escaped(out, finding->message, false);
  if (finding->help[0] != '\0') {
    fputs("%0A", out);
    put_escaped(out, finding->help, false);
  }
  putc('\n', out);
}

sa_status sa_github_write(FILE *out, const sa_result *result, const sa_report_options *options) {
  sa_lines *lines = sa_lines_new(options->root);
  for (int level = SA_ERROR; level >= SA_NOTE; level--)
    for (uint32_t i = 0; i < result->findings.n; i++)
      if ((int)result->findings.at[i].level == level)
        put_annotation(out, lines, &result->findings.at[i]);
  sa_lines_free(lines);
  return fflush(out) != 0 || ferror(out) ? SA_E_IO : SA_OK;
}
