#include "base/fs.h"

#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 8000, LEAST_BUFFER = 64 * 1024 };

const char *sa_file_problem(sa_file_kind kind) {
  static const char *const texts[] = {
      [SA_FILE_TEXT] = "is a text file",           [SA_FILE_BINARY] = "is a binary file",
      [SA_FILE_MISSING] = "does not exist",        [SA_FILE_DIRECTORY] = "is a directory",
      [SA_FILE_SPECIAL] = "is not a regular file", [SA_FILE_TOO_LARGE] = "is too large",
  };
  static char text[256];
  if (kind != SA_FILE_UNREADABLE) return texts[kind];
  snprintf(text, sizeof text, "cannot be read: %s", strerror(errno));
  return text;
}

void sa_buffer_free(sa_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (sa_buffer){0};
}

/* Room for `size` bytes and the NUL. */
static void buffer_reserve(sa_buffer *buffer, size_t size) {
  if (size < buffer->capacity) return;
  size_t capacity = size + 1 > LEAST_BUFFER ? size + 1 : LEAST_BUFFER;
  char *bytes = realloc(buffer->bytes, capacity);
  if (bytes == NULL) sa_out_of_memory();
  buffer->bytes = bytes;
  buffer->capacity = capacity;
}

bool sa_fs_read_exactly(int fd, void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = read(fd, (char *)bytes + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

bool sa_fs_write_exactly(int fd, const void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = write(fd, (const char *)bytes + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

/* ---- files that are not as on disk ---- */

static struct {
  const char *path, *bytes;
  size_t length;
} *pretended; /* sorted by path */

static size_t npretended;

/* The place of `path` among them: where it is, or where it belongs. */
static size_t place_of(const char *path) {
  size_t low = 0, high = npretended;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(pretended[middle].path, path) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_pretended(const char *path, size_t *place) {
  if (npretended == 0) return false;
  *place = place_of(path);
  return *place < npretended && strcmp(pretended[*place].path, path) == 0;
}

void sa_fs_pretend(const char *path, const char *bytes, size_t length) {
  size_t place = place_of(path);
  if (!is_pretended(path, &place)) {
    void *more = realloc(pretended, (npretended + 1) * sizeof *pretended);
    if (more == NULL) sa_out_of_memory();
    pretended = more;
    memmove(pretended + place + 1, pretended + place, (npretended - place) * sizeof *pretended);
    npretended++;
  }
  pretended[place].path = path;
  pretended[place].bytes = bytes;
  pretended[place].length = length;
}

static sa_file_kind kind_of(const sa_buffer *buffer) {
  size_t looked_at = buffer->length < FIRST_BYTES ? buffer->length : FIRST_BYTES;
  return memchr(buffer->bytes, '\0', looked_at) != NULL ? SA_FILE_BINARY : SA_FILE_TEXT;
}

static sa_file_kind read_pretended(sa_buffer *buffer, size_t place, size_t limit) {
  size_t length = pretended[place].length;
  if (length > limit) return SA_FILE_TOO_LARGE;
  buffer_reserve(buffer, length + 1);
  memcpy(buffer->bytes, pretended[place].bytes, length);
  buffer->bytes[length] = '\0';
  buffer->length = length;
  return kind_of(buffer);
}

/* ---- reading ---- */

/* Reads until the end; a file may be longer or shorter than its status said (/proc, or one that is
 * being written). */
static sa_file_kind read_all(sa_buffer *buffer, int fd, size_t limit) {
  for (;;) {
    buffer_reserve(buffer, buffer->length + 4096);
    size_t room = buffer->capacity - 1 - buffer->length;
    ssize_t n = read(fd, buffer->bytes + buffer->length, room);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EISDIR ? SA_FILE_DIRECTORY : SA_FILE_UNREADABLE;
    if (n == 0) break;
    buffer->length += (size_t)n;
    if (buffer->length > limit) return SA_FILE_TOO_LARGE;
  }
  buffer->bytes[buffer->length] = '\0';
  return kind_of(buffer);
}

sa_file_kind sa_fs_read_stream(sa_buffer *buffer, int fd, size_t limit) {
  buffer->length = 0;
  return read_all(buffer, fd, limit);
}

sa_file_kind sa_fs_read(sa_buffer *buffer, const char *path, size_t limit) {
  size_t place;
  buffer->length = 0;
  if (is_pretended(path, &place)) return read_pretended(buffer, place, limit);
  /* Opening a pipe must not wait for its writer. */
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return errno == ENOENT || errno == ENOTDIR ? SA_FILE_MISSING : SA_FILE_UNREADABLE;
  struct stat status;
  sa_file_kind kind = SA_FILE_UNREADABLE;
  if (fstat(fd, &status) == 0) {
    kind = S_ISREG(status.st_mode)   ? SA_FILE_TEXT
           : S_ISDIR(status.st_mode) ? SA_FILE_DIRECTORY
                                     : SA_FILE_SPECIAL;
    if (kind == SA_FILE_TEXT && status.st_size > 0 && (size_t)status.st_size > limit)
      kind = SA_FILE_TOO_LARGE;
  }
  if (kind == SA_FILE_TEXT) {
    buffer_reserve(buffer, (size_t)status.st_size + 4096);
    kind = read_all(buffer, fd, limit);
  }
  int error = errno;
  close(fd);
  errno = error;
  return kind;
}

sa_status sa_fs_read_text(char **out, size_t *length, sa_arena *arena, sa_diag *diag,
                          const char *path, size_t limit) {
  sa_buffer buffer = {0};
  sa_file_kind kind = sa_fs_read(&buffer, path, limit);
  sa_status status = SA_OK;
  *out = NULL;
  if (kind == SA_FILE_TEXT || kind == SA_FILE_BINARY) {
    *out = sa_strndup(arena, buffer.bytes, buffer.length);
    if (length != NULL) *length = buffer.length;
  } else {
    status = kind == SA_FILE_TOO_LARGE ? SA_E_LIMIT : SA_E_IO;
    sa_report(diag, SA_ERROR, path, 0, 0, "the file %s", sa_file_problem(kind));
  }
  sa_buffer_free(&buffer);
  return status;
}

bool sa_fs_is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool sa_fs_exists(const char *path) {
  struct stat status;
  size_t place;
  return is_pretended(path, &place) || stat(path, &status) == 0;
}

char *sa_fs_canonical(sa_arena *arena, const char *path) {
  char *real = realpath(path, NULL);
  if (real == NULL) return NULL;
  char *copy = sa_strdup(arena, real);
  free(real);
  return copy;
}

const char *sa_fs_resolve(sa_arena *arena, const char *cwd, const char *path) {
  const char *clean = sa_path_clean(arena, sa_path_join(arena, cwd, path));
  const char *real = sa_fs_canonical(arena, clean);
  return real != NULL ? real : clean;
}

bool sa_fs_leads_outside(const char *root, const char *path) {
  char *real_root = realpath(root, NULL), *real = realpath(path, NULL);
  bool outside = real != NULL && (real_root == NULL || sa_path_inside(real_root, real) == NULL);
  free(real_root);
  free(real);
  return outside;
}

char *sa_fs_working_directory(sa_arena *arena) {
  char *real = getcwd(NULL, 0);
  char *copy = sa_strdup(arena, real != NULL ? real : "/");
  free(real);
  return copy;
}

typedef struct {
  const char *name;
  unsigned char type; /* DT_REG, DT_DIR or DT_LNK */
} entry;

typedef SA_ARRAY(entry) entry_array;

static int compare_entries(const void *a, const void *b) {
  return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Not every file system tells the type with the name. */
static unsigned char type_of(const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0) return DT_UNKNOWN;
  if (S_ISREG(status.st_mode)) return DT_REG;
  if (S_ISDIR(status.st_mode)) return DT_DIR;
  return S_ISLNK(status.st_mode) ? DT_LNK : DT_UNKNOWN;
}

static bool list_directory(entry_array *out, sa_arena *arena, const char *path) {
  DIR *directory = opendir(path);
  if (directory == NULL) return false;
  for (struct dirent *e; (e = readdir(directory)) != NULL;) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    unsigned char type = e->d_type;
    if (type == DT_UNKNOWN) type = type_of(sa_path_join(arena, path, e->d_name));
    if (type == DT_REG || type == DT_DIR || type == DT_LNK)
      sa_push(arena, out, (entry){sa_strdup(arena, e->d_name), type});
  }
  closedir(directory);
  if (out->n > 1) qsort(out->at, out->n, sizeof *out->at, compare_entries);
  return true;
}

/* A link that leads nowhere is replaced, so then its directory counts. */
static bool is_led_away(sa_arena *arena, const char *path) {
  const char *cwd = sa_fs_working_directory(arena), *full = sa_path_join(arena, cwd, path);
  if (sa_path_inside(cwd, sa_path_clean(arena, full)) == NULL) return false;
  return sa_fs_leads_outside(cwd, sa_fs_exists(full) ? full : sa_path_directory(arena, full));
}

static sa_status refuse_led_away(sa_diag *diag, const char *path) {
  sa_report(diag, SA_ERROR, path, 0, 0,
            "not written: a link leads out of the working directory; name the place itself");
  return SA_E_IO;
}

sa_status sa_fs_make_directory(sa_arena *arena, sa_diag *diag, const char *path) {
  char *part = sa_strdup(arena, path);
  for (char *at = part + 1; part[0] != '\0'; at++) {
    if (*at != '/' && *at != '\0') continue;
    char ended = *at;
    *at = '\0';
    if (is_led_away(arena, part)) return refuse_led_away(diag, path);
    if (mkdir(part, 0777) != 0 && errno != EEXIST) {
      sa_report(diag, SA_ERROR, path, 0, 0, "cannot make the directory: %s", strerror(errno));
      return SA_E_IO;
    }
    if (ended == '\0') break;
    *at = ended;
  }
  if (sa_fs_is_directory(path)) return SA_OK;
  sa_report(diag, SA_ERROR, path, 0, 0, "is not a directory");
  return SA_E_IO;
}

static bool is_regular(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* What is still to do, the next at the end; a directory is a path whose listing was not made. */
typedef struct {
  const char *path;
  unsigned char type;
} pending;

void sa_fs_walk(sa_arena *arena, const char *root, const sa_walk *walk) {
  SA_ARRAY(pending) todo = {0};
  sa_push(arena, &todo, (pending){root, DT_DIR});
  while (todo.n > 0) {
    pending next = todo.at[--todo.n];
    if (next.type == DT_REG)
      walk->file(walk->context, next.path, false);
    else if (next.type == DT_LNK && is_regular(next.path))
      walk->file(walk->context, next.path, true);
    if (next.type != DT_DIR || (next.path != root && !walk->enter(walk->context, next.path)))
      continue;
    entry_array entries = {0};
    if (!list_directory(&entries, arena, next.path)) walk->trouble(walk->context, next.path);
    for (uint32_t i = entries.n; i-- > 0;) {
      const char *name = entries.at[i].name;
      const char *path = strcmp(next.path, ".") == 0 ? name : sa_path_join(arena, next.path, name);
      sa_push(arena, &todo, (pending){path, entries.at[i].type});
    }
  }
}

static sa_status output_failed(sa_output *out, sa_diag *diag, const char *what) {
  sa_report(diag, SA_ERROR, out->path, 0, 0, "cannot %s: %s", what, strerror(errno));
  sa_output_abandon(out);
  return SA_E_IO;
}

sa_status sa_output_open(sa_output *out, sa_arena *arena, sa_diag *diag, const char *path) {
  struct stat status;
  bool there = stat(path, &status) == 0;
  *out = (sa_output){.path = sa_strdup(arena, path)};
  if (is_led_away(arena, path)) return refuse_led_away(diag, path);
  if (there && !S_ISREG(status.st_mode)) {
    out->file = fopen(path, "we");
    return out->file != NULL ? SA_OK : output_failed(out, diag, "open for writing");
  }
  if (there) out->path = sa_fs_canonical(arena, path); /* a link stays a link */
  char *temporary = sa_printf(arena, "%s.XXXXXX", out->path);
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0) return output_failed(out, diag, "write beside it");
  out->temporary = temporary;
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd, there ? status.st_mode & 07777 : 0666 & ~mask) == 0) out->file = fdopen(fd, "w");
  if (out->file != NULL) return SA_OK;
  close(fd);
  return output_failed(out, diag, "open for writing");
}

sa_status sa_output_commit(sa_output *out, sa_diag *diag) {
  bool written = fflush(out->file) == 0 && !ferror(out->file);
  if (written) {
    written = fclose(out->file) == 0;
    out->file = NULL;
  }
  if (!written) return output_failed(out, diag, "write");
  if (out->temporary != NULL && rename(out->temporary, out->path) != 0)
    return output_failed(out, diag, "put in its place");
  out->temporary = NULL;
  return SA_OK;
}

void sa_output_abandon(sa_output *out) {
  int error = errno;
  if (out->file != NULL) fclose(out->file);
  if (out->temporary != NULL) unlink(out->temporary);
  out->file = NULL;
  out->temporary = NULL;
  errno = error;
}
