/* The full reasoning about one line. */
#ifndef SA_REPORT_EXPLAIN_H
#define SA_REPORT_EXPLAIN_H

#include "report/report.h"

/* Whether anything in the result stands on that line: a call, or a finding. */
bool sa_explain_has(const sa_result *result, uint32_t line);

/* Writes what stands behind everything on `line`, plain ASCII but for words of the sources. The
 * result is of one file. SA_E_IO when the stream failed. */
sa_status sa_explain_write(FILE *out, const sa_result *result, const sa_report_options *options,
                           uint32_t line);

#endif
