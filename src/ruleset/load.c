#include "base/fs.h"
#include "ruleset/internal.h"

#include <string.h>

typedef struct {
  sa_loader *loader;
  const char *directory;        /* shown before paths in messages; NULL: embedded */
  const sa_ruleset_text *texts; /* in place of files; NULL: none */
  uint32_t ntexts;
  void (*load)(sa_loader *l, const sa_yaml *map);
  unsigned files;
} visitor;

static const char *shown_name(const visitor *v, const char *path) {
  return v->directory != NULL ? sa_printf(v->loader->arena, "%s/%s", v->directory, path)
                              : sa_printf(v->loader->arena, "rules/%s", path);
}

static void load_file(void *context, const char *path, const char *text, size_t length) {
  visitor *v = context;
  size_t n = strlen(path);
  if (n < 5 || strcmp(path + n - 5, ".yaml") != 0) return;
  sa_loader *l = v->loader;
  l->file = shown_name(v, path);
  v->files++;
  const sa_yaml *map;
  if (sa_yaml_parse(&map, l->arena, l->diag, l->file, text, length) != SA_OK)
    l->failed = true;
  else
    v->load(l, map);
}

/* Edits need rows; everything else needs only that the rows that are there are right. */
static void load_folder(visitor *v, const char *prefix,
                        void (*load)(sa_loader *l, const sa_yaml *map), bool optional) {
  v->load = load;
  v->files = 0;
  if (v->texts == NULL) sa_ruleset_each_file(v->directory, prefix, load_file, v);
  for (uint32_t i = 0; i < v->ntexts; i++)
    if (strncmp(v->texts[i].path, prefix, strlen(prefix)) == 0)
      load_file(v, v->texts[i].path, v->texts[i].text, v->texts[i].length);
  if (v->files > 0 || optional) return;
  sa_report(v->loader->diag, SA_ERROR, v->directory, 0, 0, "no rules: there is no %s*.yaml",
            prefix);
  v->loader->failed = true;
}

static sa_status load_all(sa_ruleset **out, sa_arena *arena, sa_diag *diag, visitor *v) {
  sa_loader l = {.arena = arena, .diag = diag, .rules = sa_alloc(arena, sizeof(sa_ruleset))};
  v->loader = &l;
  load_folder(v, "apis/", sa_load_apis, false);
  load_folder(v, "rules/", sa_load_rule, false);
  load_folder(v, "verdicts/", sa_load_verdicts, false);
  load_folder(v, "rewrites/", sa_load_rewrites, true);
  sa_index_apis(&l);
  sa_verify_apis(&l);
  sa_verify_rules(&l);
  sa_verify_verdicts(&l);
  sa_verify_rewrites(&l);
  if (l.failed) return SA_E_SYNTAX;
  *out = l.rules;
  return SA_OK;
}

sa_status sa_ruleset_load(sa_ruleset **out, sa_arena *arena, sa_diag *diag, const char *directory) {
  visitor v = {.directory = directory};
  *out = NULL;
  if (directory == NULL || sa_fs_is_directory(directory)) return load_all(out, arena, diag, &v);
  sa_report(diag, SA_ERROR, directory, 0, 0, "the directory of the rules cannot be read");
  return SA_E_IO;
}

sa_status sa_ruleset_load_texts(sa_ruleset **out, sa_arena *arena, sa_diag *diag,
                                const sa_ruleset_text *texts, uint32_t n) {
  visitor v = {.texts = texts, .ntexts = n};
  *out = NULL;
  return load_all(out, arena, diag, &v);
}

sa_status sa_ruleset_add_apis(sa_ruleset *rules, sa_arena *arena, sa_diag *diag, const char *file,
                              const sa_yaml *map) {
  sa_ruleset added = {0};
  sa_loader l = {.arena = arena, .diag = diag, .file = file, .rules = &added};
  sa_load_apis(&l, map);
  sa_index_apis(&l);
  sa_verify_apis(&l);
  if (l.failed) return SA_E_SYNTAX;
#define APPEND(list)                                                                               \
  for (uint32_t i = 0; i < rules->list.n; i++) sa_push(arena, &added.list, rules->list.at[i])
  APPEND(apis);
  APPEND(types);
  APPEND(spellings);
  APPEND(triggers);
  APPEND(triggers_python);
  APPEND(justifying);
  APPEND(waiving);
  APPEND(optional_wait);
#undef APPEND
  added.verdicts = rules->verdicts;
  added.rewrites = rules->rewrites;
  added.pure = rules->pure;
  added.pure_python = rules->pure_python;
  added.rules = rules->rules;
  sa_index_apis(&l);
  *rules = added;
  return SA_OK;
}
