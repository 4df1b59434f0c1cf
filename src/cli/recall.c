#include "cli/recall.h"

#include "base/fs.h"
#include "base/path.h"
#include "cache/cache.h"
#include "cli/driver.h"
#include "cli/fix.h"
#include "cli/wire.h"
#include "ruleset/ruleset.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PROGRAM = 512 << 20 };

struct sa_recall {
  sa_cache *cache;
  const char *directory;
  sa_hash128 base;  /* of everything that all units of the run share */
  bool knows_clang; /* `base` tells which libclang it is */
};

static sa_clang *clang_of(const sa_session *session) {
  return session->cpp->clang;
}

/* Everything that a hash is made of, one piece after the other, each with its length. */
typedef struct {
  FILE *out;
  char *bytes;
  size_t length;
  const uint8_t *secret;
} pieces;

static void open_pieces(pieces *p, const uint8_t *secret) {
  *p = (pieces){.secret = secret};
  p->out = open_memstream(&p->bytes, &p->length);
  if (p->out == NULL) sa_out_of_memory();
}

static void add_bytes(pieces *p, const void *bytes, size_t length) {
  uint64_t head = length;
  fwrite(&head, sizeof head, 1, p->out);
  fwrite(bytes, 1, length, p->out);
}

/* A string, or NULL. */
static void add_text(pieces *p, const char *text) {
  if (text != NULL)
    add_bytes(p, text, strlen(text) + 1);
  else
    add_bytes(p, "", 0);
}

static void add_contents(pieces *p, const void *bytes, size_t length) {
  sa_hash128 hash = sa_hash_keyed(bytes, length, p->secret);
  add_bytes(p, &hash, sizeof hash);
}

static sa_hash128 close_pieces(pieces *p) {
  if (fclose(p->out) != 0) sa_out_of_memory();
  sa_hash128 hash = sa_hash_keyed(p->bytes, p->length, p->secret);
  free(p->bytes);
  return hash;
}

static bool add_file(pieces *p, const char *path, size_t limit) {
  sa_buffer buffer = {0};
  sa_file_kind kind = sa_fs_read(&buffer, path, limit);
  bool read = kind == SA_FILE_TEXT || kind == SA_FILE_BINARY;
  if (read) add_contents(p, buffer.bytes, buffer.length);
  sa_buffer_free(&buffer);
  return read;
}

static void add_rule_file(void *context, const char *path, const char *text, size_t length) {
  add_text(context, path);
  add_contents(context, text, length);
}

static void add_summaries(pieces *p, sa_arena *arena, const sa_summaries *all) {
  for (uint32_t i = 0; all != NULL && i < all->units.n; i++) {
    add_bytes(p, &all->units.at[i].source, sizeof all->units.at[i].source);
    add_text(p, sa_ir_print(arena, all->units.at[i].unit));
  }
}

/* The program itself holds its version and the built-in rules. False when it cannot be read. */
static bool make_base(sa_recall *recall, const sa_session *session) {
  const sa_config *config = session->config;
  sa_arena *arena = sa_arena_new();
  pieces p;
  open_pieces(&p, sa_cache_secret(recall->cache));
  bool whole = add_file(&p, "/proc/self/exe", MAX_PROGRAM);
  add_text(&p, clang_of(session) != NULL ? sa_clang_identity(clang_of(session)) : NULL);
  recall->knows_clang = clang_of(session) != NULL;
  add_text(&p, session->read.root);
  add_text(&p, config != NULL ? config->directory : NULL);
  if (config != NULL) add_contents(&p, config->text, config->length);
  if (session->options->rules != NULL)
    sa_ruleset_each_file(session->options->rules, "", add_rule_file, &p);
  add_summaries(&p, arena, session->summaries);
  add_text(&p, sa_fix_wanted(session->options) ? "edits" : "");
  recall->base = close_pieces(&p);
  sa_arena_free(arena);
  return whole;
}

static const char *default_directory(sa_arena *arena) {
  const char *home = getenv("XDG_CACHE_HOME");
  if (home != NULL && home[0] == '/') return sa_path_join(arena, home, "sa-lint/results");
  home = getenv("HOME");
  return home != NULL && home[0] == '/' ? sa_path_join(arena, home, ".cache/sa-lint/results")
                                        : NULL;
}

sa_recall *sa_recall_open(sa_arena *arena, sa_diag *diag, const sa_session *session) {
  const sa_options *o = session->options;
  if (!o->cache && o->cache_directory == NULL) return NULL;
  if (o->dump != 0 || o->line != 0 || o->emit_summary != NULL) return NULL;
  if (o->diff || o->fix) return NULL; /* what is edited depends on what is asked for */
  sa_recall *recall = sa_alloc(arena, sizeof *recall);
  recall->directory = o->cache_directory != NULL ? o->cache_directory : default_directory(arena);
  if (recall->directory == NULL) {
    sa_report(diag, SA_WARNING, NULL, 0, 0,
              "no cache is used: neither HOME nor XDG_CACHE_HOME says where");
    return NULL;
  }
  if (sa_cache_open(&recall->cache, arena, diag, recall->directory) != SA_OK) return NULL;
  if (make_base(recall, session)) return recall;
  sa_report(diag, SA_WARNING, NULL, 0, 0, "no cache is used: this program cannot read itself");
  sa_recall_close(recall);
  return NULL;
}

void sa_recall_close(sa_recall *recall) {
  if (recall != NULL) sa_cache_close(recall->cache);
}

/* ---- units ---- */

static void add_list(pieces *p, const char *const *list, uint32_t n) {
  add_bytes(p, &n, sizeof n);
  for (uint32_t i = 0; i < n; i++) add_text(p, list[i]);
}

static void add_messages(pieces *p, const sa_message_array *messages) {
  for (uint32_t i = 0; i < messages->n; i++) {
    const sa_message *m = &messages->at[i];
    unsigned numbers[] = {(unsigned)m->severity, m->line, m->column};
    add_bytes(p, numbers, sizeof numbers);
    add_text(p, m->file);
    add_text(p, m->text);
  }
}

/* Of what is known about a unit before it is read: its text and how it is to be read. False for one
 * that no cache serves. */
static bool make_key(sa_hash128 *key, const sa_session *session, const sa_source *source) {
  sa_arena *arena = sa_arena_new();
  sa_diag diag = {.arena = arena};
  sa_job job;
  pieces p;
  bool read = sa_read_job(&job, arena, &diag, source, &session->read) == SA_OK &&
              strcmp(job.language, "ir") != 0;
  if (read) {
    open_pieces(&p, sa_cache_secret(session->recall->cache));
    add_bytes(&p, &session->recall->base, sizeof session->recall->base);
    const char *texts[] = {job.path, job.absolute, job.language, job.native ? "native" : "",
                           job.directory};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) add_text(&p, texts[i]);
    add_list(&p, job.flags.at, job.flags.n);
    add_list(&p, job.defines.at, job.defines.n);
    add_contents(&p, job.text, job.length);
    /* A text that was taken out of the file: the rest of the file says where it stood. */
    if (job.origin != NULL) read = add_file(&p, job.absolute, SA_SOURCE_LIMIT);
    add_messages(&p, &diag.messages);
    *key = close_pieces(&p);
  }
  sa_arena_free(arena);
  return read;
}

/* Whether the disk says what it said. Each frontend asks again what it has asked. */
static bool is_unchanged(const sa_session *session, const sa_reads *reads) {
  bool modules = false, others = false;
  for (uint32_t i = 0; i < reads->rows.n; i++) {
    modules |= reads->rows.at[i].kind == SA_READ_MODULE;
    others |= reads->rows.at[i].kind != SA_READ_MODULE;
  }
  const char *root = session->read.root;
  if (modules && !sa_unit_modules_unchanged(root, reads)) return false;
  return !others ||
         (clang_of(session) != NULL && sa_clang_unchanged(clang_of(session), root, reads));
}

/* Whether the entry serves; if so, `result` is what it holds. */
static bool recall_entry(sa_result *result, sa_unit_times *times, sa_arena *arena,
                         const sa_session *session, sa_hash128 key) {
  const sa_cache *cache = session->recall->cache;
  const char *bytes;
  size_t length;
  sa_cache_answer answer = sa_cache_get(&bytes, &length, arena, cache, key);
  times->damaged += answer == SA_CACHE_DAMAGED;
  if (answer != SA_CACHE_HIT) return false;
  sa_reads reads = {.arena = arena, .secret = sa_cache_secret(cache)};
  size_t used = sa_wire_read_reads(&reads, bytes, length);
  if (used > 0 && !is_unchanged(session, &reads)) return false;
  if (used > 0 && sa_wire_read(result, arena, bytes + used, length - used)) return true;
  sa_cache_drop(cache, key);
  times->damaged++;
  return false;
}

static bool keep(const sa_result *result, const sa_reads *reads, const sa_cache *cache,
                 sa_hash128 key) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  if (out == NULL) sa_out_of_memory();
  sa_wire_write_reads(out, reads);
  sa_wire_write(out, result);
  if (fclose(out) != 0) sa_out_of_memory();
  bool kept = sa_cache_put(cache, key, bytes, length);
  free(bytes);
  return kept;
}

void sa_recall_unit(sa_result *result, sa_unit_times *times, sa_arena *arena,
                    const sa_session *session, const sa_source *source) {
  sa_hash128 key, after;
  *times = (sa_unit_times){0};
  if (session->recall == NULL || !make_key(&key, session, source)) {
    sa_unit_run(result, times, arena, session, source);
    return;
  }
  if (recall_entry(result, times, arena, session, key)) {
    times->recalled = 1;
    return;
  }
  uint32_t damaged = times->damaged;
  const sa_cache *cache = session->recall->cache;
  sa_reads reads = {.arena = arena, .secret = sa_cache_secret(cache)};
  if (clang_of(session) != NULL) sa_clang_watch(clang_of(session), &reads);
  sa_session watched = *session;
  watched.reads = &reads;
  sa_unit_run(result, times, arena, &watched, source);
  if (clang_of(session) != NULL) sa_clang_watch(clang_of(session), NULL);
  sa_reads_settle(&reads);
  /* Loaded only now, for C++ inside of Python: the key says nothing of it. */
  reads.open |= clang_of(session) != NULL && !session->recall->knows_clang;
  /* A file that changed meanwhile was read under another key. */
  bool sound = !reads.open && result->files_failed == 0 && make_key(&after, session, source) &&
               sa_hash_same(key, after);
  times->kept = sound && keep(result, &reads, cache, key);
  times->damaged = damaged;
}

void sa_recall_finish(const sa_recall *recall, const sa_unit_times *sums,
                      const sa_options *options) {
  if (recall == NULL) return;
  if (sums->kept > 0) sa_cache_sweep(recall->cache, (uint64_t)options->cache_size << 20);
  if (sums->damaged > 0 && !options->quiet)
    fprintf(stderr, "sa-lint: note: %u entr%s of the cache %s damaged; made again\n", sums->damaged,
            sums->damaged == 1 ? "y" : "ies", sums->damaged == 1 ? "was" : "were");
  if (options->timing)
    fprintf(stderr, "cache: %u units recalled, %u kept\n", sums->recalled, sums->kept);
}
