/* From a result to bytes. */
#ifndef SA_CLI_OUTPUT_H
#define SA_CLI_OUTPUT_H

#include "cli/options.h"

/* Writes every format that was asked for. SA_E_IO with a message when one could not be written
 * whole; the others are written all the same. */
sa_status sa_output_reports(sa_arena *arena, sa_diag *diag, const sa_options *options,
                            const char *root, const sa_result *result);

/* Writes what stands behind everything on options->line, to standard output. When there is nothing
 * on it, says which lines have something: SA_E_USAGE. */
sa_status sa_output_explanation(sa_arena *arena, sa_diag *diag, const sa_options *options,
                                const char *root, const sa_result *result);

/* Findings from that level on give status 1, files that failed 3, as far as options allow. */
int sa_output_status(const sa_options *options, const sa_result *result);

/* Messages on standard error, one a line: errors always, warnings unless `quiet`, notes with
 * `verbose`. */
void sa_output_messages(const sa_message_array *messages, const sa_options *options);

/* Flushes standard output; SA_E_IO with a message when it is closed or full. */
sa_status sa_output_flush(sa_diag *diag);

/* Counts for --statistics, on standard error. */
void sa_output_statistics(const sa_result *result);

#endif
