/* The directory and its entries. Every file is reached from the directory's own descriptor, one
 * component at a time and never through a link, so nothing that others put there leads outside. */
#include "cache/cache.h"

#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache/internal.h"

enum { FORMAT = 1, MAX_ENTRY = 64 << 20, USED_STEP = 3600 /* seconds between notes of a use */ };

/* In front of an entry's bytes. The key tells an entry that was renamed by hand. */
typedef struct {
  char magic[8];
  uint64_t format, length;
  sa_hash128 key, checksum;
} entry_head;

static const char MAGIC[8] = "sa-cache";

/* ---- files ---- */

static int open_file(int directory, const char *name, struct stat *status) {
  int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return -1;
  if (fstat(fd, status) == 0 && S_ISREG(status->st_mode)) return fd;
  close(fd);
  return -1;
}

int sa_cache_folder(const sa_cache *cache, unsigned number, bool make) {
  char name[8];
  snprintf(name, sizeof name, "%02x", number & 0xff);
  if (make && mkdirat(cache->directory, name, 0700) != 0 && errno != EEXIST) return -1;
  return openat(cache->directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* A new file that no other process writes; `name` gets its name. */
static int make_temporary(int directory, char *name, size_t size) {
  for (int attempt = 0; attempt < 100; attempt++) {
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) return -1;
    snprintf(name, size, SA_CACHE_TEMPORARY "%016" PRIx64, number);
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/* ---- the directory ---- */

static sa_status refuse(sa_diag *diag, const char *path, const char *why) {
  sa_report(diag, SA_WARNING, NULL, 0, 0, "no cache is used: '%s' %s", path, why);
  return SA_E_IO;
}

static bool read_secret(sa_cache *cache) {
  struct stat status;
  int fd = open_file(cache->directory, "secret", &status);
  if (fd < 0) return false;
  bool whole =
      status.st_size == SA_HASH_SECRET && sa_fs_read_exactly(fd, cache->secret, SA_HASH_SECRET);
  close(fd);
  return whole;
}

/* Of several processes that make it at once the first wins, and all use what it made. What is there
 * and is no secret (a machine that stopped, a link) goes. */
static bool make_secret(sa_cache *cache) {
  char name[64];
  struct stat status;
  if (fstatat(cache->directory, "secret", &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      (!S_ISREG(status.st_mode) || status.st_size != SA_HASH_SECRET))
    unlinkat(cache->directory, "secret", 0);
  if (getrandom(cache->secret, SA_HASH_SECRET, 0) != SA_HASH_SECRET) return false;
  int fd = make_temporary(cache->directory, name, sizeof name);
  if (fd < 0) return false;
  bool written = sa_fs_write_exactly(fd, cache->secret, SA_HASH_SECRET);
  written &= close(fd) == 0;
  if (written) linkat(cache->directory, name, cache->directory, "secret", 0);
  unlinkat(cache->directory, name, 0);
  return read_secret(cache);
}

/* Other programs then know that nothing here needs a backup. */
static void tag(const sa_cache *cache) {
  static const char text[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
                             "# This directory holds results that sa-lint can make again.\n";
  int fd = openat(cache->directory, "CACHEDIR.TAG",
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return;
  sa_fs_write_exactly(fd, text, sizeof text - 1);
  close(fd);
}

/* A secret that others can read is none: a directory out of a checkout, say, whose entries somebody
 * else wrote. */
static const char *what_is_wrong(int directory) {
  struct stat status;
  if (fstatat(directory, "secret", &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
      (status.st_mode & 077) != 0)
    return "has a secret that others can read";
  if (fstat(directory, &status) != 0) return "cannot be read";
  if (status.st_uid != geteuid()) return "belongs to another user";
  if ((status.st_mode & 022) != 0) return "can be written by other users";
  return NULL;
}

sa_status sa_cache_open(sa_cache **out, sa_arena *arena, sa_diag *diag, const char *directory) {
  sa_diag reasons = {.arena = arena};
  *out = NULL;
  mode_t mask = umask(077);
  sa_status status = sa_fs_make_directory(arena, &reasons, directory);
  umask(mask);
  if (status != SA_OK)
    return refuse(diag, directory,
                  sa_printf(arena, "cannot be made: %s", reasons.messages.at[0].text));
  sa_cache *cache = calloc(1, sizeof *cache);
  if (cache == NULL) sa_out_of_memory();
  cache->directory = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  const char *wrong =
      cache->directory < 0 ? "is a link, or cannot be opened" : what_is_wrong(cache->directory);
  if (wrong == NULL && !read_secret(cache)) {
    if (!make_secret(cache)) wrong = "cannot be written";
  }
  if (wrong != NULL) {
    sa_cache_close(cache);
    return refuse(diag, directory, wrong);
  }
  tag(cache);
  *out = cache;
  return SA_OK;
}

void sa_cache_close(sa_cache *cache) {
  if (cache == NULL) return;
  if (cache->directory >= 0) close(cache->directory);
  free(cache);
}

const uint8_t *sa_cache_secret(const sa_cache *cache) {
  return cache->secret;
}

/* ---- entries ---- */

static void name_entry(char *name, size_t size, sa_hash128 key) {
  snprintf(name, size, "%016" PRIx64 "%016" PRIx64, key.high, key.low);
}

static bool head_fits(const entry_head *head, sa_hash128 key, off_t size) {
  return memcmp(head->magic, MAGIC, sizeof MAGIC) == 0 && head->format == FORMAT &&
         sa_hash_same(head->key, key) && head->length <= MAX_ENTRY &&
         head->length + sizeof *head == (uint64_t)size;
}

/* Its time of change says when an entry was last of use. */
static void note_use(int fd, const struct stat *status) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec - status->st_mtime > USED_STEP)
    futimens(fd, NULL);
}

sa_cache_answer sa_cache_get(const char **bytes, size_t *length, sa_arena *arena,
                             const sa_cache *cache, sa_hash128 key) {
  char name[40];
  struct stat status;
  entry_head head;
  name_entry(name, sizeof name, key);
  int folder = sa_cache_folder(cache, (unsigned)key.low, false);
  if (folder < 0) return SA_CACHE_MISS;
  sa_cache_answer answer = SA_CACHE_MISS;
  int fd = open_file(folder, name, &status);
  if (fd < 0) {
    /* What is there and cannot be opened as a file is no entry of ours. */
    if (errno != ENOENT && unlinkat(folder, name, 0) == 0) answer = SA_CACHE_DAMAGED;
    goto done;
  }
  answer = SA_CACHE_DAMAGED;
  if (sa_fs_read_exactly(fd, &head, sizeof head) && head_fits(&head, key, status.st_size)) {
    char *text = sa_alloc(arena, head.length + 1);
    sa_hash128 sum = {0};
    if (sa_fs_read_exactly(fd, text, head.length))
      sum = sa_hash_keyed(text, head.length, cache->secret);
    if (sa_hash_same(sum, head.checksum)) {
      *bytes = text;
      *length = head.length;
      answer = SA_CACHE_HIT;
      note_use(fd, &status);
    }
  }
  if (answer == SA_CACHE_DAMAGED) unlinkat(folder, name, 0);
done:
  if (fd >= 0) close(fd);
  close(folder);
  return answer;
}

bool sa_cache_put(const sa_cache *cache, sa_hash128 key, const void *bytes, size_t length) {
  char name[40], temporary[64];
  if (length > MAX_ENTRY) return false;
  entry_head head = {.format = FORMAT, .length = length, .key = key};
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  head.checksum = sa_hash_keyed(bytes, length, cache->secret);
  name_entry(name, sizeof name, key);
  int folder = sa_cache_folder(cache, (unsigned)key.low, true);
  if (folder < 0) return false;
  int fd = make_temporary(folder, temporary, sizeof temporary);
  bool good = fd >= 0 && sa_fs_write_exactly(fd, &head, sizeof head) &&
              sa_fs_write_exactly(fd, bytes, length);
  if (fd >= 0) good &= close(fd) == 0;
  good = good && renameat(folder, temporary, folder, name) == 0;
  if (fd >= 0 && !good) unlinkat(folder, temporary, 0);
  close(folder);
  return good;
}

void sa_cache_drop(const sa_cache *cache, sa_hash128 key) {
  char name[40];
  int folder = sa_cache_folder(cache, (unsigned)key.low, false);
  if (folder < 0) return;
  name_entry(name, sizeof name, key);
  unlinkat(folder, name, 0);
  close(folder);
}
