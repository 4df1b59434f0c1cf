#include "base/diag.h"

#include <stdarg.h>

void sa_report(sa_diag *diag, sa_severity severity, const char *file, unsigned line,
               unsigned column, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = sa_vprintf(diag->arena, format, args);
  va_end(args);
  sa_push(diag->arena, &diag->messages,
          (sa_message){.severity = severity,
                       .file = file != NULL ? sa_strdup(diag->arena, file) : NULL,
                       .line = line,
                       .column = column,
                       .text = text});
}

void sa_diag_mark_configuration(sa_diag *diag) {
  if (diag->messages.n > 0) diag->messages.at[diag->messages.n - 1].configuration = true;
}

int sa_diag_has_errors(const sa_diag *diag) {
  for (uint32_t i = 0; i < diag->messages.n; i++)
    if (diag->messages.at[i].severity == SA_ERROR) return 1;
  return 0;
}

const char *sa_severity_name(sa_severity severity) {
  static const char *const names[] = {"note", "warning", "error"};
  return names[severity];
}
