#include "base/gzip.h"

#include "base/arena.h"

#include <stdbool.h>
#include <sys/types.h>
#include <zlib.h>

enum { CHUNK = 1 << 16, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };

typedef struct {
  z_stream stream;
  bool packs;     /* else bytes are counted as they are */
  uint64_t bytes; /* so far */
} meter;

static void pack(meter *m, const char *bytes, size_t length, int flush) {
  unsigned char out[CHUNK];
  m->stream.next_in = (unsigned char *)(uintptr_t)bytes;
  m->stream.avail_in = (unsigned)length;
  do {
    m->stream.next_out = out;
    m->stream.avail_out = sizeof out;
    deflate(&m->stream, flush);
    m->bytes += sizeof out - m->stream.avail_out;
  } while (m->stream.avail_out == 0);
}

/* The stream's buffer is a chunk, so `length` is no more. */
static ssize_t count(void *cookie, const char *bytes, size_t length) {
  meter *m = cookie;
  if (m->packs)
    pack(m, bytes, length, Z_NO_FLUSH);
  else
    m->bytes += length;
  return (ssize_t)length;
}

typedef struct {
  sa_gzip_writer write;
  void *context;
} text;

static uint64_t size_of(const text *t, bool packed, uint32_t n, uint32_t step) {
  static char buffer[CHUNK];
  meter m = {.packs = packed};
  if (packed && deflateInit2(&m.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                             MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    sa_out_of_memory();
  FILE *out = fopencookie(&m, "w", (cookie_io_functions_t){.write = count});
  if (out == NULL) sa_out_of_memory();
  setvbuf(out, buffer, _IOFBF, sizeof buffer);
  t->write(t->context, out, n, step);
  fclose(out);
  if (packed) {
    pack(&m, NULL, 0, Z_FINISH);
    deflateEnd(&m.stream);
  }
  return m.bytes;
}

/* What cannot be packed grows by less than a thousandth; of many elements some stand for all. */
static bool surely_fits(const text *t, uint32_t n, uint64_t limit) {
  enum { SAMPLE = 1000 };
  uint32_t step = n / SAMPLE;
  if (step > 1) return size_of(t, true, n, step) * step <= limit / 2;
  return size_of(t, false, n, 1) <= limit - limit / 1000;
}

uint32_t sa_gzip_fit(uint32_t n, uint64_t limit, sa_gzip_writer write, void *context) {
  text t = {write, context};
  if (surely_fits(&t, n, limit)) return n;
  for (uint64_t size; n > 0 && (size = size_of(&t, true, n, 1)) > limit;) {
    uint32_t next = (uint32_t)((double)n * (double)limit / (double)size * 0.97);
    n = next < n ? next : n - 1;
  }
  return n;
}
