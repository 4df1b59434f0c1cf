#include "project/revision.h"

#include "base/command.h"
#include "base/path.h"
#include "base/shown.h"
#include "project/patch.h"
#include "project/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OUTPUT = 1 << 30, LONGEST_REVISION = 1000 };

typedef SA_ARRAY(const char *) words;

typedef struct {
  sa_arena *arena;
  sa_diag *diag;
  const char *root;
  words fixed;       /* how every command begins */
  words environment; /* ends with NULL */
  sa_buffer out;
} git;

static void add_setting(git *g, const char *setting) {
  sa_push(g->arena, &g->fixed, "-c");
  sa_push(g->arena, &g->fixed, setting);
}

/* Variables to set and to take away. Those by which git tells a hook where it works are relative to
 * the directory of the hook, not to the root. */
static void set_environment(git *g) {
  static const char *const fixed[] = {"GIT_OPTIONAL_LOCKS=0",
                                      "GIT_TERMINAL_PROMPT=0",
                                      "GIT_NO_LAZY_FETCH=1",
                                      "GIT_ALLOW_PROTOCOL=",
                                      "GIT_EXTERNAL_DIFF",
                                      "GIT_DIFF_OPTS",
                                      "GIT_PAGER",
                                      "GIT_ASKPASS",
                                      "LC_ALL=C",
                                      "GIT_TRACE",
                                      "GIT_LITERAL_PATHSPECS",
                                      "GIT_GLOB_PATHSPECS",
                                      "GIT_NOGLOB_PATHSPECS",
                                      "GIT_ICASE_PATHSPECS",
                                      "GIT_PREFIX"};
  static const char *const places[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
                                       "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"};
  const char *here = sa_fs_working_directory(g->arena);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    sa_push(g->arena, &g->environment, fixed[i]);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const char *value = getenv(places[i]);
    if (value == NULL || *value == '\0') continue;
    sa_push(g->arena, &g->environment,
            sa_printf(g->arena, "%s=%s", places[i], sa_path_join(g->arena, here, value)));
  }
  sa_push(g->arena, &g->environment, NULL);
}

/* A command's words after the fixed ones; ends with NULL. */
static int run(git *g, const char *const *command, const char *input, size_t length,
               const char **complaint) {
  words all = {0};
  for (uint32_t i = 0; i < g->fixed.n; i++) sa_push(g->arena, &all, g->fixed.at[i]);
  for (; *command != NULL; command++) sa_push(g->arena, &all, *command);
  sa_push(g->arena, &all, NULL);
  sa_command_line line = {.words = all.at,
                          .environment = g->environment.at,
                          .input = input,
                          .input_length = length,
                          .limit = MOST_OUTPUT};
  return sa_command_run(&g->out, complaint, g->arena, &line);
}

static sa_status failed(git *g, const char *what, const char *complaint) {
  sa_report(g->diag, SA_ERROR, NULL, 0, 0, "%s: %s", what, complaint);
  return SA_E_USAGE;
}

/* A filter of the repository's configuration would run when git reads a changed file. */
static sa_status turn_filters_off(git *g) {
  const char *const command[] = {"config",
                                 "--null",
                                 "--name-only",
                                 "--get-regexp",
                                 "^filter\\..*\\.(clean|smudge|process|required)$",
                                 NULL};
  const char *complaint;
  int status = run(g, command, NULL, 0, &complaint);
  if (status == 1) return SA_OK; /* there are none */
  if (status != 0) return failed(g, "git cannot be asked about its settings", complaint);
  char *names = sa_strndup(g->arena, g->out.bytes, g->out.length);
  for (char *name = names; name < names + g->out.length; name += strlen(name) + 1) {
    if (strchr(name, '=') != NULL)
      return failed(g, "git's settings",
                    "the name of a filter holds '=', so it cannot be turned off");
    const char *dot = strrchr(name, '.');
    bool required = dot != NULL && strcmp(dot, ".required") == 0;
    add_setting(g, sa_printf(g->arena, "%s=%s", name, required ? "false" : ""));
  }
  return SA_OK;
}

static sa_status start(git *g, sa_arena *arena, sa_diag *diag, const char *root) {
  static const char *const settings[] = {"core.fsmonitor=false",  "core.hooksPath=/dev/null",
                                         "diff.external=",        "core.quotePath=true",
                                         "core.sshCommand=false", "protocol.allow=never"};
  *g = (git){.arena = arena, .diag = diag, .root = root};
  set_environment(g);
  static const char *const begin[] = {"git", "--no-pager", "-C"};
  for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) sa_push(arena, &g->fixed, begin[i]);
  sa_push(arena, &g->fixed, root);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) add_setting(g, settings[i]);
  const char *const command[] = {"rev-parse", "--is-inside-work-tree", NULL};
  const char *complaint;
  if (run(g, command, NULL, 0, &complaint) != 0)
    return failed(g, "git cannot be used here", complaint);
  return turn_filters_off(g);
}

/* Patterns for sources by name, so that nothing else is compared. */
static void add_patterns(git *g, words *command) {
  sa_push(g->arena, command, "--");
  for (uint32_t i = 0; sa_source_extension(i) != NULL; i++)
    sa_push(g->arena, command, sa_printf(g->arena, ":(glob)**/*%s", sa_source_extension(i)));
}

static const char *const *finish(git *g, words *command) {
  add_patterns(g, command);
  sa_push(g->arena, command, NULL);
  return command->at;
}

/* "git diff" with `more` (ends with NULL). Attributes that call a source binary are not heard. */
static sa_status diff(git *g, const char *const *more, const char *what) {
  static const char *const options[] = {
      "diff",       "--no-ext-diff",           "--no-textconv",  "--no-color",
      "--relative", "--ignore-submodules=all", "--find-renames", "--inter-hunk-context=0",
      "--text"};
  words command = {0};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    sa_push(g->arena, &command, options[i]);
  for (; *more != NULL; more++) sa_push(g->arena, &command, *more);
  const char *complaint;
  int status = run(g, finish(g, &command), NULL, 0, &complaint);
  return status == 0 ? SA_OK : failed(g, what, complaint);
}

static sa_status read_patch(git *g, sa_changes *out) {
  char *text = sa_strndup(g->arena, g->out.bytes, g->out.length);
  return sa_patch_read(out, g->arena, g->diag, "git's diff", text, g->out.length);
}

/* The commit id in what git wrote: 40 or 64 hexadecimal digits. */
static const char *id_in(git *g) {
  size_t n = strspn(g->out.bytes, "0123456789abcdef");
  return n == 40 || n == 64 ? sa_strndup(g->arena, g->out.bytes, n) : NULL;
}

static sa_status find_base(git *g, const char *revision, const char **base) {
  const char *complaint;
  const char *const resolve[] = {"rev-parse",
                                 "--verify",
                                 "--quiet",
                                 "--end-of-options",
                                 sa_printf(g->arena, "%s^{commit}", revision),
                                 NULL};
  if (revision[0] == '-' || revision[0] == '\0' || strlen(revision) > LONGEST_REVISION)
    return failed(g, "--diff-base", "that is no name of a commit");
  if (run(g, resolve, NULL, 0, &complaint) != 0 || (*base = id_in(g)) == NULL)
    return failed(g, sa_printf(g->arena, "--diff-base '%s'", revision),
                  "there is no such commit here (a shallow clone has few of them)");
  const char *const merge[] = {"merge-base", *base, "HEAD", NULL};
  if (run(g, merge, NULL, 0, &complaint) != 0 || (*base = id_in(g)) == NULL)
    return failed(g, sa_printf(g->arena, "--diff-base '%s'", revision),
                  "it has no commit in common with HEAD (a shallow clone has few of them)");
  return SA_OK;
}

/* Files that git does not know and does not ignore. */
static sa_status add_unknown_files(git *g, sa_changes *out) {
  words command = {0};
  static const char *const options[] = {"ls-files", "-z", "--others", "--exclude-standard"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    sa_push(g->arena, &command, options[i]);
  const char *complaint;
  if (run(g, finish(g, &command), NULL, 0, &complaint) != 0)
    return failed(g, "git cannot list new files", complaint);
  char *names = sa_strndup(g->arena, g->out.bytes, g->out.length);
  for (char *name = names; name < names + g->out.length; name += strlen(name) + 1)
    sa_push(g->arena, &out->files, (sa_changed_file){.path = name, .whole = true});
  sa_changes_sort(out, g->arena);
  return SA_OK;
}

sa_status sa_revision_changes(sa_changes *out, sa_arena *arena, sa_diag *diag, const char *root,
                              const char *revision) {
  git g;
  const char *base = NULL;
  sa_status status = start(&g, arena, diag, root);
  if (status == SA_OK) status = find_base(&g, revision, &base);
  const char *const more[] = {"--unified=0", "--src-prefix=a/", "--dst-prefix=b/", base, NULL};
  if (status == SA_OK) status = diff(&g, more, "git cannot compare with that commit");
  if (status == SA_OK) status = read_patch(&g, out);
  if (status == SA_OK) status = add_unknown_files(&g, out);
  sa_buffer_free(&g.out);
  return status;
}

sa_status sa_revision_staged(sa_changes *out, sa_arena *arena, sa_diag *diag, const char *root) {
  static const char *const more[] = {"--unified=0", "--src-prefix=a/", "--dst-prefix=b/",
                                     "--cached", NULL};
  git g;
  sa_status status = start(&g, arena, diag, root);
  if (status == SA_OK) status = diff(&g, more, "git cannot say what is staged");
  if (status == SA_OK) status = read_patch(&g, out);
  sa_buffer_free(&g.out);
  return status;
}

/* ---- contents of the index ---- */

typedef struct {
  const char *path; /* relative to the root */
  const char *id;   /* of its contents; NULL: not in the index */
} staged_file;

typedef SA_ARRAY(staged_file) staged_files;

static int compare_paths(const void *a, const void *b) {
  return strcmp(((const staged_file *)a)->path, ((const staged_file *)b)->path);
}

/* Sources that are not on disk as in the index. */
static sa_status list_altered(git *g, staged_files *out) {
  static const char *const more[] = {"--name-only", "-z", "--no-renames", NULL};
  sa_status status = diff(g, more, "git cannot compare with its index");
  if (status != SA_OK) return status;
  char *names = sa_strndup(g->arena, g->out.bytes, g->out.length);
  for (char *name = names; name < names + g->out.length; name += strlen(name) + 1)
    sa_push(g->arena, out, (staged_file){.path = name});
  if (out->n > 1) qsort(out->at, out->n, sizeof *out->at, compare_paths);
  return SA_OK;
}

/* "100644 ID 0<tab>PATH": fills in the ids; a path in conflict has other stages than 0. */
static sa_status find_ids(git *g, staged_files *files) {
  words command = {0};
  static const char *const options[] = {"ls-files", "-z", "--stage"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    sa_push(g->arena, &command, options[i]);
  const char *complaint;
  if (run(g, finish(g, &command), NULL, 0, &complaint) != 0)
    return failed(g, "git cannot list its index", complaint);
  char *rows = sa_strndup(g->arena, g->out.bytes, g->out.length);
  for (char *row = rows; row < rows + g->out.length;) {
    char *after = row + strlen(row) + 1, *tab = strchr(row, '\t'), *id = strchr(row, ' ');
    if (tab != NULL && id != NULL && tab - id > 3 && tab[-1] == '0' &&
        strncmp(row, "100", 3) == 0) {
      staged_file key = {.path = tab + 1};
      staged_file *file = bsearch(&key, files->at, files->n, sizeof key, compare_paths);
      if (file != NULL) file->id = sa_strndup(g->arena, id + 1, (size_t)(tab - id - 3));
    }
    row = after;
  }
  return SA_OK;
}

/* "ID blob SIZE\n", the bytes, "\n". Returns behind them, or NULL. */
static char *take_blob(git *g, char *at, const char *end, const staged_file *file) {
  char *newline = memchr(at, '\n', (size_t)(end - at));
  size_t n = strlen(file->id);
  if (newline == NULL || strncmp(at, file->id, n) != 0 || strncmp(at + n, " blob ", 6) != 0)
    return NULL;
  unsigned long long size = strtoull(at + n + 6, NULL, 10);
  if (size >= (unsigned long long)(end - newline)) return NULL;
  sa_fs_pretend(sa_path_join(g->arena, g->root, file->path), newline + 1, (size_t)size);
  return newline + 1 + size + 1;
}

typedef SA_ARRAY(char) id_list;

static void add_id(id_list *input, sa_arena *arena, const char *id) {
  if (id == NULL) return;
  for (; *id != '\0'; id++) sa_push(arena, input, *id);
  sa_push(arena, input, '\n');
}

static sa_status read_blobs(git *g, const staged_files *files) {
  static const char *const command[] = {"cat-file", "--batch", NULL};
  id_list input = {0};
  for (uint32_t i = 0; i < files->n; i++) add_id(&input, g->arena, files->at[i].id);
  const char *complaint;
  if (run(g, command, input.at, input.n, &complaint) != 0)
    return failed(g, "git cannot read its index", complaint);
  char *at = sa_strndup(g->arena, g->out.bytes, g->out.length), *end = at + g->out.length;
  for (uint32_t i = 0; i < files->n && at != NULL; i++)
    if (files->at[i].id != NULL) at = take_blob(g, at, end, &files->at[i]);
  return at != NULL ? SA_OK : failed(g, "git cannot read its index", "an entry is missing");
}

sa_status sa_revision_use_index(sa_arena *arena, sa_diag *diag, const char *root) {
  git g;
  staged_files files = {0};
  sa_status status = start(&g, arena, diag, root);
  if (status == SA_OK) status = list_altered(&g, &files);
  if (status == SA_OK && files.n > 0) status = find_ids(&g, &files);
  if (status == SA_OK && files.n > 0) status = read_blobs(&g, &files);
  sa_buffer_free(&g.out);
  return status;
}

/* ---- an edit of what is staged ---- */

/* What is on disk, whatever the run pretends. */
static char *read_disk(sa_arena *arena, const char *path, size_t *length) {
  SA_ARRAY(char) bytes = {0};
  FILE *file = fopen(path, "re");
  if (file == NULL) return NULL;
  for (int c; (c = getc(file)) != EOF;) sa_push(arena, &bytes, (char)c);
  bool whole = !ferror(file);
  fclose(file);
  *length = bytes.n;
  sa_push(arena, &bytes, '\0');
  return whole ? bytes.at : NULL;
}

static bool write_beside(const char *path, const char *bytes, size_t length) {
  FILE *file = fopen(path, "wxe");
  if (file == NULL) return false;
  bool written = fwrite(bytes, 1, length, file) == length;
  return fclose(file) == 0 && written;
}

/* The work tree's text with the edit in it; NULL when the two touch, or when git cannot say. */
static const char *merge(git *g, const char *disk, size_t disk_length, const sa_staged_edit *edit,
                         size_t *length) {
  static const char *const names[] = {"/disk", "/index", "/edited"};
  const char *texts[] = {disk, edit->base, edit->edited};
  size_t lengths[] = {disk_length, edit->base_length, edit->edited_length};
  char *folder = sa_printf(g->arena, "%s/sa-lint-XXXXXX", "/tmp");
  const char *paths[3], *complaint = "", *merged = NULL;
  if (mkdtemp(folder) == NULL) return NULL;
  bool there = true;
  for (int i = 0; i < 3; i++) {
    paths[i] = sa_printf(g->arena, "%s%s", folder, names[i]);
    there = write_beside(paths[i], texts[i], lengths[i]) && there;
  }
  const char *const command[] = {"merge-file", "-p", "-q", paths[0], paths[1], paths[2], NULL};
  if (there && run(g, command, NULL, 0, &complaint) == 0) {
    merged = sa_strndup(g->arena, g->out.bytes, g->out.length);
    *length = g->out.length;
  }
  for (int i = 0; i < 3; i++) unlink(paths[i]);
  rmdir(folder);
  return merged;
}

/* Puts the text into the index under the file's entry. */
static sa_status put_in_index(git *g, const sa_staged_edit *edit) {
  const char *const hash[] = {"hash-object", "-w", "--stdin", NULL};
  const char *const list[] = {"ls-files", "-s", "-z", "--full-name", "--", edit->file, NULL};
  const char *complaint = "";
  if (run(g, hash, edit->edited, edit->edited_length, &complaint) != 0)
    return failed(g, edit->file, complaint);
  char *id = sa_strndup(g->arena, g->out.bytes, strcspn(g->out.bytes, "\n"));
  const char *name = NULL;
  if (run(g, list, NULL, 0, &complaint) == 0) name = strchr(g->out.bytes, '\t');
  if (name == NULL) return failed(g, edit->file, "it is not in git's index");
  char *mode = sa_strndup(g->arena, g->out.bytes, strcspn(g->out.bytes, " "));
  const char *entry = sa_printf(g->arena, "%s %s\t%s", mode, id, name + 1);
  const char *const update[] = {"update-index", "-z", "--index-info", NULL};
  if (run(g, update, entry, strlen(entry) + 1, &complaint) != 0)
    return failed(g, edit->file, complaint);
  return SA_OK;
}

sa_status sa_revision_stage(sa_arena *arena, sa_diag *diag, const char *root,
                            const sa_staged_edit *edit) {
  git g;
  size_t disk_length = 0, length = edit->edited_length;
  const char *path = sa_path_join(arena, root, edit->file), *text = edit->edited;
  char *disk = read_disk(arena, path, &disk_length);
  sa_output out;
  sa_status status = start(&g, arena, diag, root);
  if (status != SA_OK) return SA_E_IO;
  bool same = disk != NULL && disk_length == edit->base_length &&
              memcmp(disk, edit->base, disk_length) == 0;
  if (disk != NULL && !same) text = merge(&g, disk, disk_length, edit, &length);
  if (disk == NULL || text == NULL) {
    sa_report(diag, SA_ERROR, edit->file, 0, 0, "not edited: %s",
              disk == NULL ? strerror(errno) : "what is not staged touches the edit");
    status = SA_E_IO;
  }
  if (status == SA_OK) status = sa_output_open(&out, arena, diag, path);
  if (status == SA_OK) {
    fwrite(text, 1, length, out.file);
    status = put_in_index(&g, edit);
    if (status == SA_OK)
      status = sa_output_commit(&out, diag);
    else
      sa_output_abandon(&out);
  }
  sa_buffer_free(&g.out);
  return status == SA_OK ? SA_OK : SA_E_IO;
}
