#include "project/scan.h"

#include "base/fs.h"

#include <stdatomic.h>
#include <string.h>
#include <threads.h>

enum { MAX_THREADS = 32, FILES_PER_TURN = 32 };

typedef struct {
  uint8_t *states;
  const sa_source_array *sources;
  const sa_scan_filter *filter;
  _Atomic uint32_t next;
} scan;

static bool is_hit(const sa_scan_filter *filter, const char *language, const char *text,
                   size_t length) {
  bool python =
      language != NULL && (strcmp(language, "python") == 0 || strcmp(language, "notebook") == 0);
  if (!python) return sa_prefilter_hits(filter->words, text, length);
  return sa_prefilter_hits(filter->python, text, length) ||
         (sa_prefilter_hits(filter->texts, text, length) &&
          sa_prefilter_hits(filter->words, text, length));
}

static sa_scan_state look_at_text(const sa_scan_filter *filter, const char *language,
                                  const char *text, size_t length) {
  if (!sa_prefilter_hits(filter->all, text, length)) return SA_SCAN_SKIP;
  if (is_hit(filter, language, text, length)) return SA_SCAN_HIT;
  return filter->remarks(text, length) ? SA_SCAN_REMARK : SA_SCAN_SKIP;
}

static sa_scan_state look(const scan *s, sa_buffer *buffer, const sa_source *source) {
  const char *language = sa_language_of_name(source->path);
  if (language != NULL && strcmp(language, "ir") == 0) return SA_SCAN_HIT;
  sa_file_kind kind = sa_fs_read(buffer, source->absolute, SA_SCAN_LIMIT);
  if (kind == SA_FILE_BINARY && !source->named)
    return is_hit(s->filter, language, buffer->bytes, buffer->length) ? SA_SCAN_BINARY
                                                                      : SA_SCAN_SKIP;
  if (kind != SA_FILE_TEXT) return SA_SCAN_TROUBLE;
  return look_at_text(s->filter, language, buffer->bytes, buffer->length);
}

/* Takes files in turns until none is left. */
static int scan_files(void *context) {
  scan *s = context;
  sa_buffer buffer = {0};
  uint32_t n = s->sources->n;
  for (uint32_t start; (start = atomic_fetch_add(&s->next, FILES_PER_TURN)) < n;)
    for (uint32_t i = start; i < n && i < start + FILES_PER_TURN; i++)
      s->states[i] = (uint8_t)look(s, &buffer, &s->sources->at[i]);
  sa_buffer_free(&buffer);
  return 0;
}

void sa_scan(uint8_t *states, const sa_source_array *sources, const sa_scan_filter *filter,
             unsigned threads) {
  scan s = {.states = states, .sources = sources, .filter = filter};
  thrd_t others[MAX_THREADS];
  unsigned started = 0, useful = sources->n / FILES_PER_TURN;
  if (threads > useful) threads = useful;
  /* A thread that cannot be started is only missed: the caller's own takes its turns. */
  while (started + 1 < threads && started < MAX_THREADS &&
         thrd_create(&others[started], scan_files, &s) == thrd_success)
    started++;
  scan_files(&s);
  for (unsigned i = 0; i < started; i++) thrd_join(others[i], NULL);
}
