#include "project/select.h"

#include "base/fs.h"
#include "base/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *extension, *language;
} languages[] = {
    {".c", "c"},        {".cc", "cpp"},         {".cpp", "cpp"},    {".cxx", "cpp"},
    {".c++", "cpp"},    {".C", "cpp"},          {".cu", "cuda"},    {".cuh", "cuda"},
    {".mu", "cuda"},    {".muh", "cuda"},       {".hip", "hip"},    {".h", "header"},
    {".hh", "header"},  {".hpp", "header"},     {".hxx", "header"}, {".h++", "header"},
    {".inl", "header"}, {".ipp", "header"},     {".inc", "header"}, {".tpp", "header"},
    {".py", "python"},  {".ipynb", "notebook"}, {".ir", "ir"},
};

const char *sa_language_of_name(const char *path) {
  const char *extension = sa_path_extension(path);
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strcmp(extension, languages[i].extension) == 0) return languages[i].language;
  return NULL;
}

const char *sa_source_extension(uint32_t number) {
  uint32_t seen = 0;
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strcmp(languages[i].language, "ir") != 0 && seen++ == number) return languages[i].extension;
  return NULL;
}

static bool has_any(const char *text, size_t length, const char *const *words, size_t nwords) {
  for (size_t i = 0; i < nwords; i++)
    if (memmem(text, length, words[i], strlen(words[i])) != NULL) return true;
  return false;
}

const char *sa_language_of(const char *path, const char *text, size_t length) {
  static const char *const kernels[] = {"__global__", "<<<"};
  static const char *const cpp[] = {"::",       "namespace ", "template",    "class ",
                                    "operator", "public:",    "constexpr ",  "using ",
                                    "nullptr",  "virtual ",   "static_cast", "#include <c"};
  const char *language = sa_language_of_name(path);
  if (language == NULL || strcmp(language, "header") != 0) return language;
  if (has_any(text, length, kernels, sizeof kernels / sizeof *kernels)) return "cuda";
  if (strcmp(sa_path_extension(path), ".h") != 0) return "cpp";
  return has_any(text, length, cpp, sizeof cpp / sizeof *cpp) ? "cpp" : "c";
}

typedef struct {
  sa_source_array *out;
  sa_arena *arena;
  sa_diag *diag;
  const sa_select_options *options;
} selection;

static bool excluded(const selection *s, const char *absolute) {
  const sa_select_options *o = s->options;
  const char *base = o->exclude_base != NULL ? o->exclude_base : o->root;
  const char *path = sa_path_inside(base, absolute);
  for (uint32_t i = 0; path != NULL && i < o->nexclude; i++)
    if (sa_path_matches(o->exclude[i], path)) return true;
  return o->excludes != NULL && o->excludes(o->context, absolute);
}

static const char *shown(const selection *s, const char *absolute) {
  const char *path = sa_path_inside(s->options->root, absolute);
  return path != NULL ? path : absolute;
}

static void add_source(selection *s, const char *absolute, bool named) {
  sa_push(s->arena, s->out,
          (sa_source){.path = shown(s, absolute), .absolute = absolute, .named = named});
}

/* Version control keeps copies of sources that are not the project's. */
static bool enter_directory(void *context, const char *path) {
  static const char *const skipped[] = {".git", ".hg", ".svn"};
  for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
    if (strcmp(sa_path_name(path), skipped[i]) == 0) return false;
  return !excluded(context, path);
}

/* The name that a path has in every output. A link counts under what it leads to, so that nothing
 * is reported twice; but not where that leaves the project or no longer looks like a source. */
static const char *proper_name(const selection *s, const char *path) {
  const char *real = sa_fs_canonical(s->arena, path);
  if (real == NULL || sa_path_inside(s->options->root, real) == NULL) return path;
  bool lost = sa_language_of_name(path) != NULL && sa_language_of_name(real) == NULL;
  return lost ? path : real;
}

/* Whoever adds a link to the project must not choose what else of the disk is read. */
static bool leads_outside(const selection *s, const char *path) {
  const char *real = sa_fs_canonical(s->arena, path);
  return real != NULL && sa_path_inside(s->options->root, path) != NULL &&
         sa_path_inside(s->options->root, real) == NULL;
}

static void see_file(void *context, const char *path, bool is_link) {
  selection *s = context;
  const char *language = sa_language_of_name(path);
  if (language == NULL || strcmp(language, "ir") == 0 || excluded(s, path)) return;
  if (is_link && leads_outside(s, path)) {
    sa_report(s->diag, SA_NOTE, shown(s, path), 0, 0,
              "a link that leads outside the project; read only where it is named");
    sa_diag_mark_configuration(s->diag);
    return;
  }
  const char *absolute = is_link ? proper_name(s, path) : path;
  if (!excluded(s, absolute)) add_source(s, absolute, false);
}

static void see_trouble(void *context, const char *path) {
  selection *s = context;
  sa_report(s->diag, SA_WARNING, shown(s, path), 0, 0, "the directory cannot be read: %s",
            strerror(errno));
}

static sa_status select_path(selection *s, const char *path) {
  const char *given = sa_path_clean(s->arena, sa_path_join(s->arena, s->options->cwd, path));
  const char *absolute = proper_name(s, given);
  if (!sa_fs_exists(absolute)) {
    sa_report(s->diag, SA_ERROR, path, 0, 0, "no such file or directory");
    return SA_E_USAGE;
  }
  if (excluded(s, absolute)) return SA_OK;
  if (sa_fs_is_directory(absolute)) {
    sa_walk walk = {s, enter_directory, see_file, see_trouble};
    sa_fs_walk(s->arena, absolute, &walk);
  } else if (sa_language_of_name(absolute) == NULL) {
    sa_report(s->diag, SA_WARNING, shown(s, absolute), 0, 0,
              "not a C, C++, CUDA, HIP or Python source by its name; skipped");
  } else {
    add_source(s, absolute, true);
  }
  return SA_OK;
}

static int compare_sources(const void *a, const void *b) {
  const sa_source *x = a, *y = b;
  int order = strcmp(x->path, y->path);
  return order != 0 ? order : y->named - x->named;
}

/* Of equal paths the first stays, which is the named one. */
static void drop_repeated(sa_source_array *sources) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < sources->n; i++)
    if (n == 0 || strcmp(sources->at[n - 1].path, sources->at[i].path) != 0)
      sources->at[n++] = sources->at[i];
  sources->n = n;
}

sa_status sa_select(sa_source_array *out, sa_arena *arena, sa_diag *diag,
                    const sa_select_options *options, const char *const *paths, uint32_t npaths) {
  selection s = {out, arena, diag, options};
  sa_status status = SA_OK;
  for (uint32_t i = 0; i < npaths; i++) {
    sa_status one = select_path(&s, paths[i]);
    if (one != SA_OK) status = one;
  }
  if (out->n > 1) qsort(out->at, out->n, sizeof *out->at, compare_sources);
  drop_repeated(out);
  return status;
}
