/* Files and directories. */
#ifndef SA_BASE_FS_H
#define SA_BASE_FS_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdio.h>

/* What a path turned out to be. */
typedef enum {
  SA_FILE_TEXT,
  SA_FILE_BINARY, /* a NUL byte in the first 8,000 bytes, as git decides */
  SA_FILE_MISSING,
  SA_FILE_DIRECTORY,
  SA_FILE_SPECIAL,    /* device, socket, pipe */
  SA_FILE_UNREADABLE, /* errno says why */
  SA_FILE_TOO_LARGE
} sa_file_kind;

/* "is missing", "is a directory", ...: completes a sentence that begins with the path. For
 * UNREADABLE the text has the system's reason, from errno, and lasts until the next call. */
const char *sa_file_problem(sa_file_kind kind);

/* A buffer to read many files into, one after the other; zero it before the first use. */
typedef struct {
  char *bytes; /* NUL-terminated; may hold NUL bytes */
  size_t length, capacity;
} sa_buffer;

void sa_buffer_free(sa_buffer *buffer);

/* Reads a whole regular file, `limit` bytes at most. TEXT and BINARY have filled the buffer. */
sa_file_kind sa_fs_read(sa_buffer *buffer, const char *path, size_t limit);

/* Likewise what is left of an open file or stream. */
sa_file_kind sa_fs_read_stream(sa_buffer *buffer, int fd, size_t limit);

/* Exactly `length` bytes, whatever signals come between; false at the end of the file or on an
 * error, and then part of it may be done. */
bool sa_fs_read_exactly(int fd, void *bytes, size_t length);
bool sa_fs_write_exactly(int fd, const void *bytes, size_t length);

/* From now on the file `path` (absolute and clean) has these bytes for every function that reads
 * files or asks whether they are there, whatever is on disk: the contents of an editor's buffer, or
 * of git's index. Both must outlive the program's last read; call it before there are threads. */
void sa_fs_pretend(const char *path, const char *bytes, size_t length);

/* Reads a whole text into `arena`; BINARY is not refused. For configuration and the like: on
 * failure the message is in `diag` and the status SA_E_IO or SA_E_LIMIT. */
sa_status sa_fs_read_text(char **out, size_t *length, sa_arena *arena, sa_diag *diag,
                          const char *path, size_t limit);

bool sa_fs_is_directory(const char *path);
bool sa_fs_exists(const char *path);

/* Makes the directory and those above it, where they are missing. A place below the working
 * directory whose links lead out of it is refused. SA_E_IO with a message. */
sa_status sa_fs_make_directory(sa_arena *arena, sa_diag *diag, const char *path);

/* The path without links, or NULL when it does not exist (or its links go round in a circle). */
char *sa_fs_canonical(sa_arena *arena, const char *path);
/* The canonical path of what `path` names from `cwd`; where nothing is there, the cleaned path. */
const char *sa_fs_resolve(sa_arena *arena, const char *cwd, const char *path);
/* Where the process works; "/" when the system does not say. */
char *sa_fs_working_directory(sa_arena *arena);

/* Whether a link makes `path` lead to something that is there and does not lie below `root`. A
 * change under review brings its own links. */
bool sa_fs_leads_outside(const char *root, const char *path);

typedef struct {
  void *context;
  /* Whether to go into the directory; `path` begins with the walk's root. */
  bool (*enter)(void *context, const char *path);
  /* A regular file, or a link to one (then `is_link`). */
  void (*file)(void *context, const char *path, bool is_link);
  /* A directory that cannot be read; errno says why. */
  void (*trouble)(void *context, const char *path);
} sa_walk;

/* Visits what is below `root`, names in byte order within each directory. Links to directories are
 * not followed, so a walk always ends. Paths live in `arena`. */
void sa_fs_walk(sa_arena *arena, const char *root, const sa_walk *walk);

/* A file that is complete or not there: written beside its place and renamed by commit. What is not
 * a regular file (/dev/stdout, a pipe) is written directly. A place below the working directory
 * whose links lead out of it is refused. */
typedef struct {
  FILE *file;
  const char *path, *temporary; /* temporary: NULL when written directly */
} sa_output;

sa_status sa_output_open(sa_output *out, sa_arena *arena, sa_diag *diag, const char *path);
/* Flushes, closes and renames. On failure nothing of it stays and `diag` has the reason. */
sa_status sa_output_commit(sa_output *out, sa_diag *diag);
/* Closes and removes what was written. */
void sa_output_abandon(sa_output *out);

#endif
