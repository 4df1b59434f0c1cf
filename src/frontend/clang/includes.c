/* What libclang is given to read in hermetic mode: the file, the model headers, and for every
 * include spelling that occurs a one-line virtual header below /sa-inc that leads to the model
 * header, to a header of the project, or nowhere. So no search path is ever needed and no include
 * is ever fatal. All of it is text in memory: libclang itself opens no file. */
#include "base/fs.h"
#include "base/path.h"
#include "frontend/clang/internal.h"
#include "frontend/clang/reads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_PROJECT_HEADERS = 120, /* looked into, nearest first */
  MAX_SPELLING = 300         /* bytes of an include's name */
};

/* ---- collecting includes ---- */

typedef struct {
  const char *path; /* absolute; virtual for model headers */
  const char *text;
  size_t length;
} source;

typedef struct {
  sa_arena *arena;
  sa_clang *clang;
  const sa_ruleset *rules;
  const sa_sdk *sdk;
  const sa_job *job;
  input *in;
  SA_ARRAY(source) queue;
  SA_ARRAY(const char *) spellings; /* that have a forwarder */
  uint32_t project_headers;
  const lessons *learnt;
  name_array wanted; /* macros that forced branches ask for */
} collector;

static void add_file(collector *c, const char *path, const char *text, size_t length) {
  sa_push(c->arena, &c->in->files,
          ((struct CXUnsavedFile){.Filename = path, .Contents = text, .Length = length}));
}

static bool known_source(const collector *c, const char *path) {
  for (uint32_t i = 0; i < c->queue.n; i++)
    if (strcmp(c->queue.at[i].path, path) == 0) return true;
  return false;
}

/* Reads a project header, forces its conditionals where they hide record calls, and queues it. */
static bool add_project_header(collector *c, const char *path) {
  if (known_source(c, path)) return true;
  if (c->project_headers >= MAX_PROJECT_HEADERS) return false;
  sa_buffer buffer = {0};
  sa_file_kind kind = read_project_header(&buffer, c->job->root, path);
  note_file(c->clang->reads, path, kind, buffer.bytes, buffer.length);
  if (kind != SA_FILE_TEXT) {
    sa_buffer_free(&buffer);
    return false;
  }
  char *text = sa_strndup(c->arena, buffer.bytes, buffer.length);
  size_t length = buffer.length;
  sa_buffer_free(&buffer);
  c->project_headers++;
  if (mentions_record(c->rules, text, length))
    force_conditionals(c->arena, text, length, c->rules, 0, &c->wanted);
  add_file(c, path, text, length);
  sa_push(c->arena, &c->queue, ((source){path, text, length}));
  return true;
}

static bool same_stem(const char *a, const char *b) {
  const char *x = sa_path_name(a), *y = sa_path_name(b);
  size_t n = strcspn(x, "."), m = strcspn(y, ".");
  return n == m && strncmp(x, y, n) == 0;
}

static void add_forwarder(collector *c, const char *spelling, const char *target) {
  const char *path = sa_printf(c->arena, "/sa-inc/%s", spelling);
  const char *text = target != NULL ? sa_printf(c->arena, "#include \"%s\"\n", target) : "\n";
  add_file(c, path, text, strlen(text));
}

/* A relative path with ".." has no meaning where the directories do not exist, so its literal
 * spelling beside the includer gets a forwarder. */
static void add_literal_path(collector *c, const char *spelling, const char *includer) {
  if (spelling[0] == '/') return;
  const char *literal =
      sa_printf(c->arena, "%s/%s", sa_path_directory(c->arena, includer), spelling);
  const char *clean = sa_path_clean(c->arena, literal);
  if (strcmp(literal, clean) == 0) return;
  for (uint32_t i = 0; i < c->spellings.n; i++)
    if (strcmp(c->spellings.at[i], literal) == 0) return;
  sa_push(c->arena, &c->spellings, literal);
  const char *text = sa_printf(c->arena, "#include \"%s\"\n", clean);
  add_file(c, literal, text, strlen(text));
}

/* What clang looks for before any search path: a path beside the includer, or an absolute one. What
 * lies outside the project, and what is no regular file, is given as nothing. True when the
 * spelling needs no more. */
static bool add_direct_include(collector *c, const char *spelling, bool quoted,
                               const char *includer) {
  if (!quoted && spelling[0] != '/') return false;
  const char *path = sa_path_clean(
      c->arena, sa_path_join(c->arena, sa_path_directory(c->arena, includer), spelling));
  bool there = sa_fs_exists(path);
  note_existence(c->clang->reads, path, there);
  if (!there) return false;
  bool inside = sa_path_inside(c->job->root, path) != NULL;
  if ((!inside || !add_project_header(c, path)) && strcmp(path, c->job->absolute) != 0)
    add_file(c, path, "\n", 1);
  add_literal_path(c, spelling, includer);
  return inside || spelling[0] == '/';
}

static void add_include(collector *c, const char *spelling, bool quoted, const char *includer) {
  bool in_model = strncmp(includer, "/sa-sdk/", 8) == 0;
  if (quoted && in_model) {
    add_literal_path(c, spelling, includer);
    return;
  }
  if (!in_model && add_direct_include(c, spelling, quoted, includer)) return;
  for (uint32_t i = 0; i < c->spellings.n; i++)
    if (strcmp(c->spellings.at[i], spelling) == 0) return;
  sa_push(c->arena, &c->spellings, spelling);
  const char *model = c->sdk->resolve(c->sdk->context, spelling);
  bool own = !in_model && same_stem(spelling, c->job->path);
  bool weak = model != NULL && !in_model && c->sdk->yields != NULL &&
              c->sdk->yields(c->sdk->context, spelling);
  const char *project = NULL;
  if (model == NULL || own || weak) {
    project = find_header(c->clang, c->arena, c->job->root, spelling, includer);
    note_search(c->clang->reads, spelling, includer, project);
    if (project != NULL && strcmp(project, c->job->absolute) == 0) project = NULL;
    if (project != NULL && !add_project_header(c, project)) project = NULL;
  }
  add_forwarder(c, spelling, project != NULL ? project : model);
}

/* The header that a spelling in <> or "" at `at` names; NULL when there is none on this line. */
static const char *read_spelling(collector *c, const char **at, const char *end, bool *quoted) {
  const char *begin = *at;
  if (begin >= end || (*begin != '<' && *begin != '"')) return NULL;
  *quoted = *begin == '"';
  char close = *quoted ? '"' : '>';
  begin++;
  size_t room = (size_t)(end - begin) < MAX_SPELLING ? (size_t)(end - begin) : MAX_SPELLING;
  const char *stop = memchr(begin, close, room);
  if (stop == NULL || stop == begin || memchr(begin, '\n', (size_t)(stop - begin)) != NULL)
    return NULL;
  *at = stop + 1;
  return sa_strndup(c->arena, begin, (size_t)(stop - begin));
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return at;
}

/* `#define NAME <header.h>`: some `#include NAME` may ask for it. */
static bool names_a_header(const char *spelling) {
  static const char *const extensions[] = {".h", ".hh", ".hpp", ".cuh", ".inl", ".inc", ".ipp"};
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(sa_path_extension(spelling), extensions[i]) == 0) return true;
  return false;
}

static void scan_includes(collector *c, const source *from) {
  const char *at = from->text, *end = from->text + from->length;
  while (at < end) {
    const char *hash = memchr(at, '#', (size_t)(end - at));
    if (hash == NULL) return;
    at = skip_blanks(hash + 1, end);
    const char *word = at;
    while (at < end && is_name(*at)) at++;
    size_t length = (size_t)(at - word);
    bool defines = length == 6 && memcmp(word, "define", 6) == 0;
    if (!defines && !(length == 7 && memcmp(word, "include", 7) == 0) &&
        !(length == 12 && memcmp(word, "include_next", 12) == 0))
      continue;
    at = skip_blanks(at, end);
    if (defines) {
      while (at < end && is_name(*at)) at++;
      at = skip_blanks(at, end);
    }
    bool quoted;
    const char *spelling = read_spelling(c, &at, end, &quoted);
    if (spelling != NULL && (!defines || names_a_header(spelling)))
      add_include(c, spelling, quoted, from->path);
  }
}

static void collect_includes(collector *c) {
  sa_push(c->arena, &c->queue, ((source){c->job->absolute, c->in->text, c->job->length}));
  for (uint32_t i = 0; i < c->sdk->files.n; i++) {
    const sa_sdk_file *file = &c->sdk->files.at[i];
    size_t length;
    const char *text = model_text(c->arena, file, &c->learnt->hidden, &length);
    add_file(c, file->path, text, length);
    sa_push(c->arena, &c->queue, ((source){file->path, text, length}));
  }
  for (uint32_t i = 0; i < c->queue.n; i++) {
    source from = c->queue.at[i]; /* the array may move */
    scan_includes(c, &from);
  }
}

/* ---- arguments ---- */

static void add_arg_text(input *in, sa_arena *arena, const char *arg) {
  sa_push(arena, &in->args, arg);
}

static void add_hermetic_args(input *in, sa_arena *arena, const sa_clang *clang,
                              const sa_job *job) {
  static const char *const common[] = {
      "-nostdinc",          "-I/sa-inc", "-ferror-limit=0", "-w", "-fno-color-diagnostics",
      "-fbracket-depth=256"};
  static const char *const cpp[] = {"-x", "c++", "-std=c++20", "-nostdinc++"};
  static const char *const c[] = {"-x", "c", "-std=c17", "-Xclang", "-frecovery-ast"};
  static const char *const cuda[] = {"-x",         "cuda",       "--cuda-host-only", "-nocudainc",
                                     "-nocudalib", "-std=c++20", "-nostdinc++"};
  const char *const *own = cpp;
  size_t n = sizeof cpp / sizeof *cpp;
  if (strcmp(job->language, "c") == 0) {
    own = c;
    n = sizeof c / sizeof *c;
  } else if (strcmp(job->language, "cuda") == 0 || strcmp(job->language, "hip") == 0) {
    own = cuda;
    n = sizeof cuda / sizeof *cuda;
  }
  for (size_t i = 0; i < n; i++) add_arg_text(in, arena, own[i]);
  for (size_t i = 0; i < sizeof common / sizeof *common; i++) add_arg_text(in, arena, common[i]);
  if (clang->overlay_path[0] != '\0') {
    add_arg_text(in, arena, "-ivfsoverlay");
    add_arg_text(in, arena, clang->overlay_path);
  }
  for (uint32_t i = 0; i < job->defines.n; i++)
    add_arg_text(in, arena, sa_printf(arena, "-D%s", job->defines.at[i]));
}

void prepare_input(input *in, sa_arena *arena, sa_clang *clang, const sa_ruleset *rules,
                   const sa_sdk *sdk, const sa_job *job, const lessons *learnt, unsigned variant) {
  *in = (input){0};
  in->text = sa_strndup(arena, job->text, job->length);
  collector c = {.arena = arena,
                 .clang = clang,
                 .rules = rules,
                 .sdk = sdk,
                 .job = job,
                 .in = in,
                 .learnt = learnt};
  in->variants = force_conditionals(arena, in->text, job->length, rules, variant, &c.wanted);
  in->length = job->length;
  if (strcmp(job->language, "c") != 0)
    in->text = append_macro_functions(arena, in->text, &in->length, rules);
  if (!job->native) {
    collect_includes(&c);
    add_hermetic_args(in, arena, clang, job);
  } else {
    add_native_args(in, arena, clang, job);
  }
  for (uint32_t i = 0; i < c.wanted.n; i++)
    add_arg_text(in, arena, sa_printf(arena, "-D%s=1", c.wanted.at[i]));
  const char *first = "";
  for (uint32_t i = 0; i < learnt->headers.n; i++)
    first = sa_printf(arena, "%s#include \"%s\"\n", first, learnt->headers.at[i]);
  first = sa_printf(arena, "%s%s", first, learnt->prelude);
  if (first[0] != '\0') {
    add_file(&c, "/sa-inc/sa-prelude.h", first, strlen(first));
    add_arg_text(in, arena, "-include");
    add_arg_text(in, arena, "/sa-inc/sa-prelude.h");
  }
  add_file(&c, job->absolute, in->text, in->length);
}
