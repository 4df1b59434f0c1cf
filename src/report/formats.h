/* The writers behind sa_reporters(); one file each. See sa_reporter.write in report/report.h. */
#ifndef SA_REPORT_FORMATS_H
#define SA_REPORT_FORMATS_H

#include "report/report.h"

sa_status sa_text_write(FILE *out, const sa_result *result, const sa_report_options *options);
sa_status sa_json_write(FILE *out, const sa_result *result, const sa_report_options *options);
sa_status sa_sarif_write(FILE *out, const sa_result *result, const sa_report_options *options);
sa_status sa_github_write(FILE *out, const sa_result *result, const sa_report_options *options);
sa_status sa_lintrunner_write(FILE *out, const sa_result *result, const sa_report_options *options);
sa_status sa_rdjsonl_write(FILE *out, const sa_result *result, const sa_report_options *options);
sa_status sa_gitlab_write(FILE *out, const sa_result *result, const sa_report_options *options);

#endif
