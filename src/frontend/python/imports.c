/* Functions of other files of the project: `from .streams import wait_for` and the like. The other
 * file is lowered as a unit of its own; the linker joins the two. */
#include "frontend/python/imports.h"
#include "base/fs.h"
#include "base/path.h"

#include <string.h>

enum {
  MAX_FILES = 12,
  MAX_MISSES = 200,
  MAX_BYTES = 384 * 1024, /* of one file */
  MAX_DEPTH = 2,          /* imports of imports */
  MAX_HOPS = 4            /* names that are handed on by a package */
};

typedef struct {
  const char *absolute; /* without links */
  sa_job job;
  lowering lo;
  TSTree *tree; /* NULL while it is being read, and when it has none */
} other_file;

struct py_imports {
  SA_ARRAY(other_file *) files;
  SA_ARRAY(const char *) misses; /* modules that are no files of the project */
  const char *job;               /* the file that all of it is for */
  bool asked;
};

static struct py_imports *imports_of(lowering *lo) {
  if (lo->imports != NULL) return lo->imports;
  lo->imports = sa_alloc(lo->arena, sizeof *lo->imports);
  lo->imports->job = sa_fs_canonical(lo->arena, lo->job->absolute);
  if (lo->imports->job == NULL) lo->imports->job = lo->job->absolute;
  return lo->imports;
}

/* ---- which file ---- */

/* The file of a module below a directory, or NULL. */
static const char *module_below(lowering *lo, const char *directory, const char *parts) {
  if (*parts != '\0') {
    const char *path = sa_printf(lo->arena, "%s/%s.py", directory, parts);
    if (sa_fs_exists(path)) return path;
    directory = sa_path_join(lo->arena, directory, parts);
  }
  const char *package = sa_path_join(lo->arena, directory, "__init__.py");
  return sa_fs_exists(package) ? package : NULL;
}

/* Python looks in the directories of its path, which nobody knows here: those above the file are
 * tried, the nearest one first. */
static const char *file_of_module(lowering *lo, const char *module) {
  const sa_job *job = lo->job;
  size_t dots = strspn(module, ".");
  char *parts = sa_strdup(lo->arena, module + dots);
  for (char *at = parts; *at != '\0'; at++)
    if (*at == '.') *at = '/';
  const char *directory = sa_path_directory(lo->arena, job->absolute);
  for (size_t i = 1; i < dots; i++) directory = sa_path_directory(lo->arena, directory);
  while (sa_path_inside(job->root, directory) != NULL) {
    const char *path = module_below(lo, directory, parts);
    const char *found = path != NULL ? sa_fs_canonical(lo->arena, path) : NULL;
    if (found != NULL) return sa_path_inside(job->root, found) != NULL ? found : NULL;
    if (dots > 0 || strcmp(directory, job->root) == 0) break;
    directory = sa_path_directory(lo->arena, directory);
  }
  return NULL;
}

/* ---- reading ---- */

/* Only files that deal with streams have something to say, and packages that hand names on. */
static bool is_of_interest(const char *path, const char *text) {
  return strcmp(sa_path_name(path), "__init__.py") == 0 || strstr(text, "stream") != NULL ||
         strstr(text, "Stream") != NULL || strstr(text, "event") != NULL ||
         strstr(text, "Event") != NULL;
}

static const char *read_file(sa_arena *arena, const char *path, size_t *length) {
  sa_buffer buffer = {0};
  const char *text = NULL;
  if (sa_fs_read(&buffer, path, MAX_BYTES) == SA_FILE_TEXT && is_of_interest(path, buffer.bytes)) {
    text = sa_strndup(arena, buffer.bytes, buffer.length);
    *length = buffer.length;
  }
  sa_buffer_free(&buffer);
  return text;
}

/* "package.module" for "package/module.py". */
static const char *module_name(sa_arena *arena, const char *path) {
  char *name = sa_strdup(arena, path);
  size_t n = strlen(name);
  if (n > 3 && strcmp(name + n - 3, ".py") == 0) name[n - 3] = '\0';
  for (char *at = name; *at != '\0'; at++)
    if (*at == '/') *at = '.';
  return name;
}

static const char *name_of(const lowering *lo, const char *function) {
  return sa_printf(lo->arena, "%s.%s", module_name(lo->arena, lo->job->path), function);
}

static other_file *read_other(lowering *lo, const char *absolute) {
  struct py_imports *imports = imports_of(lo);
  for (uint32_t i = 0; i < imports->files.n; i++)
    if (strcmp(imports->files.at[i]->absolute, absolute) == 0) return imports->files.at[i];
  if (imports->files.n == MAX_FILES || lo->imported == MAX_DEPTH) return NULL;
  size_t length = 0;
  const char *text = read_file(lo->arena, absolute, &length);
  if (text == NULL) return NULL;
  other_file *file = sa_alloc(lo->arena, sizeof *file);
  file->absolute = absolute;
  file->job = (sa_job){.root = lo->job->root,
                       .path = sa_path_inside(lo->job->root, absolute),
                       .absolute = absolute,
                       .text = text,
                       .length = length,
                       .language = lo->job->language};
  file->lo = (lowering){.arena = lo->arena,
                        .rules = lo->rules,
                        .job = &file->job,
                        .imports = imports,
                        .imported = lo->imported + 1};
  sa_push(lo->arena, &imports->files, file);
  const char *why;
  file->tree = py_lower_text(&file->lo, &why);
  return file;
}

static other_file *find_module(lowering *lo, const char *module) {
  struct py_imports *imports = imports_of(lo);
  const char *key = sa_printf(lo->arena, "%s %s", lo->job->absolute, module);
  for (uint32_t i = 0; i < imports->misses.n; i++)
    if (strcmp(imports->misses.at[i], key) == 0) return NULL;
  imports->asked = true;
  const char *absolute = imports->misses.n < MAX_MISSES ? file_of_module(lo, module) : NULL;
  bool others = absolute != NULL && strcmp(absolute, imports->job) != 0;
  other_file *file = others ? read_other(lo, absolute) : NULL;
  if (file == NULL) sa_push(lo->arena, &imports->misses, key);
  return file;
}

/* ---- names ---- */

static const py_alias *import_of(const lowering *lo, const char *name, size_t length) {
  for (uint32_t i = lo->aliases.n; i > 0; i--) {
    const py_alias *alias = &lo->aliases.at[i - 1];
    if (strlen(alias->name) == length && memcmp(alias->name, name, length) == 0)
      return alias->module != NULL ? alias : NULL;
  }
  return NULL;
}

/* `.` and `streams` are `.streams`, `a.b` and `c` are `a.b.c`. */
static const char *below(sa_arena *arena, const char *module, const char *name) {
  size_t n = strlen(module);
  return sa_printf(arena, "%s%s%s", module, n > 0 && module[n - 1] == '.' ? "" : ".", name);
}

static bool find_imported(py_imported *out, lowering *lo, const char *spelled, unsigned hops) {
  size_t head = strcspn(spelled, ".");
  const py_alias *alias = import_of(lo, spelled, head);
  if (alias == NULL || hops == MAX_HOPS) return false;
  const char *module = alias->module, *name = alias->imported;
  for (const char *rest = spelled + head; *rest == '.';) {
    rest++;
    if (name != NULL) module = below(lo->arena, module, name);
    name = sa_strndup(lo->arena, rest, strcspn(rest, "."));
    rest += strlen(name);
  }
  other_file *file = name != NULL ? find_module(lo, module) : NULL;
  if (file == NULL || ts_node_is_null(file->lo.root)) return false;
  uint32_t func = py_find_module_func(&file->lo, name);
  if (func == SA_NO_INDEX) return find_imported(out, &file->lo, name, hops + 1);
  *out = (py_imported){&file->lo, func, name_of(&file->lo, name)};
  return true;
}

bool py_find_imported(py_imported *out, lowering *lo, const char *spelled) {
  if (lo->job->origin != NULL) return false; /* a text out of a file stands in no package */
  return find_imported(out, lo, spelled, 0);
}

/* Others call a module's functions by the module's name, the private ones, too. */
static void name_functions(const lowering *lo) {
  for (uint32_t i = 1; i < lo->unit->funcs.n; i++) {
    sa_ir_func *f = &lo->unit->funcs.at[i];
    if (f->class_name != NULL || f->parent != SA_NO_INDEX) continue;
    f->name = name_of(lo, f->name);
    f->flags &= ~(uint32_t)SA_FUNC_INTERNAL;
  }
}

void py_finish_imports(lowering *lo) {
  struct py_imports *imports = lo->imports;
  for (uint32_t i = 0; imports != NULL && i < imports->files.n; i++) {
    other_file *file = imports->files.at[i];
    if (file->tree == NULL) continue;
    py_settle_tokens(&file->lo, "stands in another file");
    ts_tree_delete(file->tree);
    name_functions(&file->lo);
    sa_push(lo->arena, &lo->unit->imports, file->lo.unit);
  }
  lo->unit->reads_others = imports != NULL && imports->asked;
}
