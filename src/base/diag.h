/* Status codes and messages. A function that can fail returns sa_status, gives its result through
 * its first parameter and, when it fails, has put one message into the sink, made where the cause
 * is known; nobody above replaces it. */
#ifndef SA_BASE_DIAG_H
#define SA_BASE_DIAG_H

#include "base/array.h"

#include <stdbool.h>

typedef enum {
  SA_OK = 0,
  SA_E_IO,     /* the system refused: open, read, write, rename */
  SA_E_SYNTAX, /* a rule, configuration, database or IR text is wrong */
  SA_E_USAGE,  /* options or arguments that make no sense */
  SA_E_LIMIT,  /* an input is larger than the tool accepts */
  SA_E_PARSE   /* a source could not be parsed at all */
} sa_status;

typedef enum { SA_NOTE, SA_WARNING, SA_ERROR } sa_severity;

/* One message to the user about the run itself (not a finding about the code). `file` is relative
 * to the project root where it lies inside; NULL where no file is concerned. Lines and byte columns
 * count from 1; 0 is "none". */
typedef struct {
  sa_severity severity;
  const char *file;
  unsigned line, column;
  const char *text;
  bool configuration; /* about how the run was set up, not about what happened in it */
} sa_message;

typedef SA_ARRAY(sa_message) sa_message_array;

typedef struct {
  sa_arena *arena; /* where message texts live */
  sa_message_array messages;
} sa_diag;

/* Appends a message; the text is made here, file is copied. */
__attribute__((format(printf, 6, 7))) void sa_report(sa_diag *diag, sa_severity severity,
                                                     const char *file, unsigned line,
                                                     unsigned column, const char *format, ...);

/* Says that the last message is about how the run was set up. */
void sa_diag_mark_configuration(sa_diag *diag);

/* Whether any message is an error. */
int sa_diag_has_errors(const sa_diag *diag);

/* "note", "warning" or "error": the words used in every output format. */
const char *sa_severity_name(sa_severity severity);

#endif
