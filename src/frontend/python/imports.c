/* Functions of other files of the project: `from .streams import wait_for` and the like. The other
 * file is lowered as a unit of its own; the linker joins the two. */
#include "frontend/python/imports.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"
#include "frontend/python/lessons.h"
#include "model/names.h"

#include <string.h>

enum {
  MAX_FILES = 16,         /* that are lowered */
  MAX_MODULES = 200,      /* that are looked for */
  MAX_BYTES = 384 * 1024, /* of one file */
  MAX_DEPTH = 2,          /* imports of imports */
  MAX_HOPS = 4,           /* names that are handed on by a package */
  MAX_CLASSES = 64        /* that are asked on the way up from a class */
};

typedef struct {
  const char *absolute; /* without links */
  sa_job job;
  lowering lo; /* root is null until it is lowered, and when there is no tree */
  TSTree *tree;
  bool begun;
} other_file;

struct py_imports {
  SA_ARRAY(other_file *) files;
  sa_table modules; /* by asking file and name: number of the file, plus one; 0: none */
  sa_table worth;   /* by file, name in it and interest: 1 yes, 2 no */
  uint32_t lowered;
  const char *job; /* the file that all of it is for */
};

static struct py_imports *imports_of(lowering *lo) {
  if (lo->imports != NULL) return lo->imports;
  lo->imports = sa_alloc(lo->arena, sizeof *lo->imports);
  lo->imports->job = sa_fs_canonical(lo->arena, lo->job->absolute);
  if (lo->imports->job == NULL) lo->imports->job = lo->job->absolute;
  return lo->imports;
}

/* ---- which file ---- */

/* What the disk says of the file of a module: whether it is there, where it leads to, and its text.
 * A link that leads out of the project ends the search, too. */
static sa_hash128 look_at(const char *root, const uint8_t *secret, const char *path) {
  sa_arena *arena = sa_arena_new();
  sa_buffer buffer = {0};
  sa_hash128 answers[2] = {{.low = SA_FILE_MISSING, .high = sa_fs_exists(path)}};
  const char *absolute = sa_fs_canonical(arena, path);
  if (absolute != NULL && sa_path_inside(root, absolute) != NULL) {
    sa_file_kind kind = sa_fs_read(&buffer, absolute, MAX_BYTES);
    answers[0] = kind == SA_FILE_TEXT ? sa_hash_keyed(buffer.bytes, buffer.length, secret)
                                      : (sa_hash128){.low = (uint64_t)kind};
    answers[1] = sa_hash_keyed(absolute, strlen(absolute), secret);
  }
  sa_buffer_free(&buffer);
  sa_arena_free(arena);
  return sa_hash_keyed(answers, sizeof answers, secret);
}

bool sa_python_unchanged(const char *root, const sa_reads *reads) {
  for (uint32_t i = 0; i < reads->rows.n; i++) {
    const sa_read *row = &reads->rows.at[i];
    if (row->kind != SA_READ_MODULE) continue;
    if (!sa_hash_same(look_at(root, reads->secret, row->name), row->answer)) return false;
  }
  return true;
}

/* Asked before the file is read, so that a change in between makes the row a stale one. */
static bool is_there(lowering *lo, const char *path) {
  sa_reads *reads = lo->job->reads;
  if (reads != NULL)
    sa_reads_add(reads, SA_READ_MODULE, path, "", look_at(lo->job->root, reads->secret, path));
  return sa_fs_exists(path);
}

/* The file of a module below a directory, or NULL. */
static const char *module_below(lowering *lo, const char *directory, const char *parts) {
  if (*parts != '\0') {
    const char *path = sa_printf(lo->arena, "%s/%s.py", directory, parts);
    if (is_there(lo, path)) return path;
    directory = sa_path_join(lo->arena, directory, parts);
  }
  const char *package = sa_path_join(lo->arena, directory, "__init__.py");
  return is_there(lo, package) ? package : NULL;
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

static bool holds_any(sa_span text, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (memmem(text.at, text.length, words[i], strlen(words[i])) != NULL) return true;
  return false;
}

/* The line behind the one at `at`, or the end. */
static const char *next_line(const char *at, const char *end) {
  const char *line = memchr(at, '\n', (size_t)(end - at));
  return line != NULL ? line + 1 : end;
}

/* The text of a function or class of the module, up to the next statement; empty where there is
 * none. Looking at it costs little, while a file costs a parse. */
static sa_span definition_of(const sa_job *job, const char *name) {
  static const char *const heads[] = {"def ", "class ", "async def "};
  const char *end = job->text + job->length, *begin = NULL;
  for (const char *line = job->text; line < end; line = next_line(line, end)) {
    bool inside = strchr(" \t)#\r\n", *line) != NULL;
    if (begin == NULL && strchr("dca", *line) == NULL) continue;
    if (begin != NULL && !inside) return (sa_span){begin, (size_t)(line - begin)};
    for (size_t i = 0; i < sizeof heads / sizeof *heads && begin == NULL; i++) {
      size_t head = strlen(heads[i]), n = strlen(name);
      if ((size_t)(end - line) <= head + n || strncmp(line, heads[i], head) != 0) continue;
      if (strncmp(line + head, name, n) == 0 && strchr("(: \\[", line[head + n]) != NULL)
        begin = line;
    }
  }
  return begin != NULL ? (sa_span){begin, (size_t)(end - begin)} : (sa_span){job->text, 0};
}

/* Only what deals with streams has something to say, and packages that hand names on. */
static bool is_of_interest(const other_file *file, const char *name, py_interest why) {
  static const char *const about[] = {"stream", "Stream", "event", "Event"};
  static const char *const works[] = {"Stream(",      ".stream(",      "stream = ", "Event(",
                                      "wait_stream",  "wait_event",    "def wait(", ".synchronize",
                                      "record_event", "current_stream"};
  const sa_ruleset *rules = file->lo.rules;
  sa_span whole = {file->job.text, file->job.length};
  if (strcmp(sa_path_name(file->absolute), "__init__.py") == 0) return true;
  if (why == PY_FOR_STREAMS) return holds_any(whole, about, sizeof about / sizeof *about);
  sa_span own = definition_of(&file->job, name);
  if (why == PY_FOR_RECORDS) return holds_any(own, rules->spellings.at, rules->spellings.n);
  return holds_any(own, works, sizeof works / sizeof *works);
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

const char *py_name_below_module(const lowering *lo, const char *name) {
  return sa_printf(lo->arena, "%s.%s", module_name(lo->arena, lo->job->path), name);
}

const char *py_name_elsewhere(const lowering *of, uint32_t func) {
  const py_func *f = &of->funcs.at[func];
  return f->klass != SA_NO_INDEX ? f->qualified : py_name_below_module(of, f->name);
}

/* The file at that path, read; number plus one, 0 when it has no text. */
static uint32_t read_other(lowering *lo, const char *absolute) {
  struct py_imports *imports = imports_of(lo);
  for (uint32_t i = 0; i < imports->files.n; i++)
    if (strcmp(imports->files.at[i]->absolute, absolute) == 0) return i + 1;
  sa_buffer buffer = {0};
  bool read = sa_fs_read(&buffer, absolute, MAX_BYTES) == SA_FILE_TEXT;
  if (read) {
    other_file *file = sa_alloc(lo->arena, sizeof *file);
    file->absolute = absolute;
    file->job = (sa_job){.root = lo->job->root,
                         .path = sa_path_inside(lo->job->root, absolute),
                         .absolute = absolute,
                         .text = sa_strndup(lo->arena, buffer.bytes, buffer.length),
                         .length = buffer.length,
                         .language = lo->job->language,
                         .reads = lo->job->reads};
    file->lo = (lowering){.arena = lo->arena,
                          .rules = lo->rules,
                          .job = &file->job,
                          .imports = imports,
                          .imported = lo->imported + 1};
    sa_push(lo->arena, &imports->files, file);
  }
  sa_buffer_free(&buffer);
  return read ? imports->files.n : 0;
}

/* False while it is being lowered, too. */
static bool lower_other(const lowering *lo, other_file *file) {
  if (!file->begun && (lo->imports->lowered == MAX_FILES || lo->imported == MAX_DEPTH))
    return false;
  if (!file->begun) {
    file->begun = true;
    lo->imports->lowered++;
    file->lo.imported = lo->imported + 1;
    const char *why;
    file->tree = py_lower_text(&file->lo, &why);
  }
  return file->tree != NULL;
}

static bool is_worth_it(lowering *lo, const other_file *file, const char *name, py_interest why) {
  uint64_t key = py_key_of(sa_hash_string(file->absolute, why), name);
  bool is_new;
  uint32_t *known = sa_table_at(lo->arena, &lo->imports->worth, key, &is_new);
  if (is_new) *known = is_of_interest(file, name, why) ? 1 : 2;
  return *known == 1;
}

/* The module's file, when it is worth a parse for that name of it. */
static other_file *find_module(lowering *lo, const char *module, const char *name,
                               py_interest why) {
  struct py_imports *imports = imports_of(lo);
  uint64_t key = py_key_of(sa_hash_string(lo->job->absolute, 0), module);
  bool is_new;
  uint32_t number = *sa_table_at(lo->arena, &imports->modules, key, &is_new);
  if (is_new && imports->modules.n <= MAX_MODULES) {
    const char *absolute = file_of_module(lo, module);
    bool others = absolute != NULL && strcmp(absolute, imports->job) != 0;
    number = others ? read_other(lo, absolute) : 0;
    *sa_table_at(lo->arena, &imports->modules, key, &is_new) = number;
  }
  other_file *file = number != 0 ? imports->files.at[number - 1] : NULL;
  return file != NULL && is_worth_it(lo, file, name, why) && lower_other(lo, file) ? file : NULL;
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

static bool find_imported(py_imported *out, lowering *lo, const char *spelled, py_interest why,
                          unsigned hops);

/* What a file calls by that name: its own, or what it has imported itself. */
static bool find_in(py_imported *out, other_file *file, const char *name, py_interest why,
                    unsigned hops) {
  lowering *lo = &file->lo;
  *out = (py_imported){.lo = lo, .func = py_find_module_func(lo, name)};
  if (out->func != SA_NO_INDEX) return true;
  out->klass = py_find_class(lo, py_name_below_module(lo, name));
  return out->klass != NULL || find_imported(out, lo, name, why, hops + 1);
}

/* `from .streams import *` hands on what has no underscore in front; the last one counts. */
static bool find_among_all(py_imported *out, lowering *lo, const char *name, py_interest why,
                           unsigned hops) {
  for (uint32_t i = lo->aliases.n; i > 0 && name[0] != '_'; i--) {
    const py_alias *alias = &lo->aliases.at[i - 1];
    if (strcmp(alias->name, "*") != 0 || alias->module == NULL) continue;
    other_file *file = find_module(lo, alias->module, name, why);
    if (file != NULL && find_in(out, file, name, why, hops)) return true;
  }
  return false;
}

static bool find_imported(py_imported *out, lowering *lo, const char *spelled, py_interest why,
                          unsigned hops) {
  size_t head = strcspn(spelled, ".");
  const py_alias *alias = import_of(lo, spelled, head);
  if (hops == MAX_HOPS) return false;
  if (alias == NULL) return spelled[head] == '\0' && find_among_all(out, lo, spelled, why, hops);
  const char *module = alias->module, *name = alias->imported;
  for (const char *rest = spelled + head; *rest == '.';) {
    rest++;
    if (name != NULL) module = below(lo->arena, module, name);
    name = sa_strndup(lo->arena, rest, strcspn(rest, "."));
    rest += strlen(name);
  }
  other_file *file = name != NULL ? find_module(lo, module, name, why) : NULL;
  return file != NULL && find_in(out, file, name, why, hops);
}

bool py_find_imported(py_imported *out, lowering *lo, const char *spelled, py_interest why) {
  if (lo->job->origin != NULL) return false; /* a text out of a file stands in no package */
  return find_imported(out, lo, spelled, why, 0);
}

/* ---- classes ---- */

const py_class *py_known_class(lowering *lo, sa_ir_type type, lowering **of) {
  const py_class *own = py_class_of(lo, type);
  *of = lo;
  bool object = type.kind == SA_TYPE_OBJECT || type.kind == SA_TYPE_HANDLE;
  if (own != NULL || !object || type.many || lo->imports == NULL) return own;
  for (uint32_t i = 0; i < lo->imports->files.n; i++) {
    lowering *other = &lo->imports->files.at[i]->lo;
    const py_class *c = other->answers != NULL ? py_find_class(other, type.name) : NULL;
    if (c == NULL || strcmp(c->qualified, type.name) != 0) continue;
    *of = other;
    return c;
  }
  return NULL;
}

/* The class that base number `i` is. */
static const py_class *base_of(lowering *lo, const py_class *c, uint32_t i, lowering **of) {
  const py_class *own = py_find_class(lo, c->bases.at[i]);
  py_imported other;
  *of = lo;
  if (own != NULL) return own != c ? own : NULL;
  bool found = py_find_imported(&other, lo, c->spelled.at[i], PY_FOR_CLASSES);
  if (!found || other.klass == NULL) return NULL;
  *of = other.lo;
  return other.klass;
}

/* `asked` counts the classes: many that derive from many have more ways up than can be gone. */
static bool method_of(py_method *out, lowering *lo, const py_class *c, const char *name,
                      unsigned *asked) {
  if (++*asked > MAX_CLASSES) return false;
  uint32_t func = py_find_method(lo, c->qualified, name);
  *out = (py_method){lo, func};
  if (func != SA_NO_INDEX && &lo->classes.at[lo->funcs.at[func].klass] == c) return true;
  for (uint32_t i = 0; i < c->bases.n; i++) {
    lowering *of;
    const py_class *base = *asked < MAX_CLASSES ? base_of(lo, c, i, &of) : NULL;
    if (base != NULL && method_of(out, of, base, name, asked)) return true;
  }
  return false;
}

bool py_find_method_of(py_method *out, lowering *lo, sa_ir_type type, const char *name) {
  lowering *of;
  unsigned asked = 0;
  const py_class *c = py_known_class(lo, type, &of);
  return c != NULL && method_of(out, of, c, name, &asked);
}

bool py_find_base_method(py_method *out, lowering *lo, const py_class *klass, const char *name) {
  unsigned asked = 1;
  for (uint32_t i = 0; i < klass->bases.n; i++) {
    lowering *of;
    const py_class *base = base_of(lo, klass, i, &of);
    if (base != NULL && method_of(out, of, base, name, &asked)) return true;
  }
  return false;
}

static bool is_last_of(const char *dotted, const char *name) {
  const char *last = strrchr(dotted, '.');
  return strcmp(last != NULL ? last + 1 : dotted, name) == 0;
}

static bool has_base(const py_class *c, const char *name) {
  for (uint32_t i = 0; i < c->spelled.n; i++)
    if (is_last_of(c->spelled.at[i], name)) return true;
  return false;
}

static bool derives_any(const lowering *lo, const char *name) {
  for (uint32_t i = 0; i < lo->classes.n; i++)
    if (has_base(&lo->classes.at[i], name)) return true;
  return false;
}

bool py_is_base_class(lowering *lo, const py_class *klass) {
  bool base = has_base(klass, "ABC") || has_base(klass, "Protocol") || derives_any(lo, klass->name);
  for (uint32_t i = 0; lo->imports != NULL && i < lo->imports->files.n && !base; i++)
    base = derives_any(&lo->imports->files.at[i]->lo, klass->name);
  return base;
}

static sa_ir_type field_of(lowering *lo, const py_class *c, const char *field, unsigned *asked) {
  uint64_t key = py_key_of(py_key_of(py_key_of(0, "field"), c->qualified), field);
  sa_ir_type type = py_lesson_about(lo, key);
  for (uint32_t i = 0; i < c->bases.n && type.kind == SA_TYPE_UNKNOWN; i++) {
    lowering *of;
    bool more = !type.many && ++*asked < MAX_CLASSES;
    const py_class *base = more ? base_of(lo, c, i, &of) : NULL;
    if (base != NULL) type = field_of(of, base, field, asked);
  }
  return type;
}

sa_ir_type py_field_elsewhere(lowering *lo, sa_ir_type object, const char *field) {
  lowering *of;
  unsigned asked = 0;
  const py_class *c = py_known_class(lo, object, &of);
  return c != NULL ? field_of(of, c, field, &asked) : py_plain_type(SA_TYPE_UNKNOWN);
}

/* ---- the unit ---- */

/* Others call a module's functions by the module's name, the private ones, too. */
static void name_functions(const lowering *lo) {
  for (uint32_t i = 1; i < lo->unit->funcs.n; i++) {
    sa_ir_func *f = &lo->unit->funcs.at[i];
    if (f->class_name != NULL || f->parent != SA_NO_INDEX) continue;
    f->name = py_name_below_module(lo, f->name);
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
}
