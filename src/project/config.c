#include "project/config.h"

#include "base/fs.h"
#include "base/near.h"
#include "base/path.h"

#include <string.h>

enum { MAX_CONFIG = 1 << 20 };

typedef struct {
  sa_config *config;
  sa_arena *arena;
  sa_diag *diag;
  bool failed;
} reader;

__attribute__((format(printf, 3, 4))) static void wrong(reader *r, const sa_yaml *at,
                                                        const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = sa_vprintf(r->arena, format, args);
  va_end(args);
  sa_report(r->diag, SA_ERROR, r->config->path, at->line, at->column, "%s", text);
  r->failed = true;
}

static bool expect(reader *r, const sa_yaml *node, sa_yaml_kind kind, const char *what) {
  if (node->kind == kind) return true;
  wrong(r, node, "%s must be %s, not %s", what, sa_yaml_kind_name(kind),
        sa_yaml_kind_name(node->kind));
  return false;
}

/* The text of a scalar that says something; NULL after a message otherwise. */
static const char *text_of(reader *r, const sa_yaml *node, const char *what) {
  if (!expect(r, node, SA_YAML_SCALAR, what)) return NULL;
  if (node->text[0] != '\0') return node->text;
  wrong(r, node, "%s is empty", what);
  return NULL;
}

/* Patterns are about what lies below the configuration; others would never fit. */
static bool stays_below(const char *pattern) {
  if (pattern[0] == '/') return false;
  for (const char *at = pattern; (at = strstr(at, "..")) != NULL; at += 2) {
    bool begins = at == pattern || at[-1] == '/', ends = at[2] == '\0' || at[2] == '/';
    if (begins && ends) return false;
  }
  return true;
}

static void read_globs(reader *r, sa_globs *out, const sa_yaml *list, const char *what) {
  if (!expect(r, list, SA_YAML_LIST, what)) return;
  for (uint32_t i = 0; i < list->items.n; i++) {
    const char *text = text_of(r, list->items.at[i], "a path pattern");
    if (text == NULL) continue;
    if (stays_below(text))
      sa_push(r->arena, out, text);
    else
      wrong(r, list->items.at[i], "'%s' leads out of the configuration's directory", text);
  }
}

/* What is wrong with a key that is not among the keys of its place. */
static void unknown_key(reader *r, const sa_yaml *key, const char *place) {
  SA_ARRAY(const char *) known = {0};
  char *list = sa_strdup(r->arena, "");
  for (uint32_t i = 0; sa_config_key(place, i) != NULL; i++) {
    list = sa_printf(r->arena, "%s%s%s", list, i > 0 ? ", " : "", sa_config_key(place, i));
    sa_push(r->arena, &known, sa_config_key(place, i));
  }
  const char *near = sa_nearest(key->text, known.at, known.n);
  if (near != NULL)
    wrong(r, key, "unknown key '%s'; did you mean '%s'? known: %s", key->text, near, list);
  else
    wrong(r, key, "unknown key '%s'; known: %s", key->text, list);
}

/* Both keys of an entry that says something about paths. */
static void expect_keys(reader *r, const sa_yaml *node, const char *place) {
  for (uint32_t i = 0; sa_config_key(place, i) != NULL; i++)
    if (sa_yaml_get(node, sa_config_key(place, i)) == NULL)
      wrong(r, node, "'%s' is missing", sa_config_key(place, i));
}

static void read_exclude(reader *r, const sa_yaml *node) {
  read_globs(r, &r->config->exclude, node, "'exclude'");
}

static bool is_macro_name(const char *text) {
  static const char *const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  size_t n = strspn(text, word);
  return n > 0 && (text[0] < '0' || text[0] > '9') && (text[n] == '\0' || text[n] == '=');
}

static void read_defines(reader *r, const sa_yaml *node) {
  if (!expect(r, node, SA_YAML_LIST, "'defines'")) return;
  for (uint32_t i = 0; i < node->items.n; i++) {
    const sa_yaml *item = node->items.at[i];
    const char *text = text_of(r, item, "a definition");
    if (text == NULL) continue;
    if (is_macro_name(text))
      sa_push(r->arena, &r->config->defines, text);
    else
      wrong(r, item, "'%s' must be NAME or NAME=VALUE", text);
  }
}

/* The severity of that name, or -1. */
static int severity_named(const char *text) {
  for (int level = SA_NOTE; level <= SA_ERROR; level++)
    if (strcmp(text, sa_severity_name((sa_severity)level)) == 0) return level;
  return -1;
}

static void read_fail_on(reader *r, const sa_yaml *node) {
  const char *text = text_of(r, node, "'fail_on'");
  if (text == NULL) return;
  r->config->fail_on = severity_named(text);
  if (r->config->fail_on < 0) wrong(r, node, "'fail_on' must be note, warning or error");
}

static void read_level(reader *r, const sa_globs *paths, const sa_yaml *key, const sa_yaml *value) {
  const char *text = text_of(r, value, "a level");
  if (text == NULL) return;
  bool off = strcmp(text, "off") == 0;
  int level = severity_named(text);
  if (!off && level < 0) {
    wrong(r, value, "the level of '%s' must be note, warning, error or off", key->text);
    return;
  }
  sa_push(r->arena, &r->config->levels,
          (sa_level_setting){.rule = key->text,
                             .off = off,
                             .level = off ? SA_NOTE : (sa_severity)level,
                             .paths = *paths,
                             .line = key->line,
                             .column = key->column});
}

static void read_levels_for(reader *r, const sa_globs *paths, const sa_yaml *node) {
  if (!expect(r, node, SA_YAML_MAP, "'levels'")) return;
  for (uint32_t i = 0; i < node->entries.n; i++)
    read_level(r, paths, node->entries.at[i].key, node->entries.at[i].value);
}

static void read_levels(reader *r, const sa_yaml *node) {
  sa_globs everywhere = {0};
  read_levels_for(r, &everywhere, node);
}

static void read_override(reader *r, const sa_yaml *node) {
  if (!expect(r, node, SA_YAML_MAP, "an entry of 'overrides'")) return;
  sa_globs paths = {0};
  const sa_yaml *levels = NULL;
  for (uint32_t i = 0; i < node->entries.n; i++) {
    const sa_yaml_entry *entry = &node->entries.at[i];
    if (strcmp(entry->key->text, "paths") == 0)
      read_globs(r, &paths, entry->value, "'paths'");
    else if (strcmp(entry->key->text, "levels") == 0)
      levels = entry->value;
    else
      unknown_key(r, entry->key, "overrides");
  }
  expect_keys(r, node, "overrides");
  if (levels != NULL && paths.n > 0) read_levels_for(r, &paths, levels);
}

/* Read after everything else, since later settings win. */
static void read_overrides(reader *r, const sa_yaml *node) {
  if (!expect(r, node, SA_YAML_LIST, "'overrides'")) return;
  for (uint32_t i = 0; i < node->items.n; i++) read_override(r, node->items.at[i]);
}

static void read_stability(reader *r, sa_api_setting *setting, const sa_yaml *node) {
  const char *text = text_of(r, node, "'stability'");
  if (text == NULL) return;
  setting->stable = strcmp(text, "stable") == 0;
  if (!setting->stable && strcmp(text, "internal") != 0)
    wrong(r, node, "'stability' must be stable or internal");
}

static void read_api_entry(reader *r, const sa_yaml *node) {
  if (!expect(r, node, SA_YAML_MAP, "an entry of 'api'")) return;
  sa_api_setting setting = {0};
  for (uint32_t i = 0; i < node->entries.n; i++) {
    const sa_yaml_entry *entry = &node->entries.at[i];
    if (strcmp(entry->key->text, "paths") == 0)
      read_globs(r, &setting.paths, entry->value, "'paths'");
    else if (strcmp(entry->key->text, "stability") == 0)
      read_stability(r, &setting, entry->value);
    else
      unknown_key(r, entry->key, "api");
  }
  expect_keys(r, node, "api");
  sa_push(r->arena, &r->config->api, setting);
}

static void read_api(reader *r, const sa_yaml *node) {
  if (!expect(r, node, SA_YAML_LIST, "'api'")) return;
  for (uint32_t i = 0; i < node->items.n; i++) read_api_entry(r, node->items.at[i]);
}

/* The rows themselves are the rule loader's business. */
static void read_wrappers(reader *r, const sa_yaml *node) {
  if (expect(r, node, SA_YAML_MAP, "'wrappers'")) r->config->wrappers = node;
}

static const struct {
  const char *key;
  void (*read)(reader *r, const sa_yaml *node);
} keys[] = {
    {"exclude", read_exclude},   {"levels", read_levels},   {"overrides", read_overrides},
    {"api", read_api},           {"defines", read_defines}, {"fail_on", read_fail_on},
    {"wrappers", read_wrappers},
};

enum { NKEYS = sizeof keys / sizeof *keys };

const char *sa_config_key(const char *place, uint32_t number) {
  static const struct {
    const char *place, *keys[3];
  } lists[] = {{"api", {"paths", "stability", NULL}}, {"overrides", {"paths", "levels", NULL}}};
  if (place[0] == '\0') return number < NKEYS ? keys[number].key : NULL;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strcmp(lists[i].place, place) == 0) return number < 2 ? lists[i].keys[number] : NULL;
  return NULL;
}

static void read_all(reader *r, const sa_yaml *tree) {
  const sa_yaml *last = NULL;
  for (uint32_t i = 0; i < tree->entries.n; i++) {
    const sa_yaml_entry *entry = &tree->entries.at[i];
    size_t key = 0;
    while (key < NKEYS && strcmp(entry->key->text, keys[key].key) != 0) key++;
    if (key == NKEYS)
      unknown_key(r, entry->key, "");
    else if (keys[key].read == read_overrides)
      last = entry->value;
    else
      keys[key].read(r, entry->value);
  }
  if (last != NULL) read_overrides(r, last);
}

sa_status sa_config_load(sa_config **out, sa_arena *arena, sa_diag *diag, const char *path,
                         const char *root) {
  char *text;
  size_t length;
  const sa_yaml *tree;
  *out = NULL;
  sa_status status = sa_fs_read_text(&text, &length, arena, diag, path, MAX_CONFIG);
  if (status != SA_OK) return status;
  sa_config *config = sa_alloc(arena, sizeof *config);
  const char *inside = sa_path_inside(root, path);
  config->path = inside != NULL ? inside : path;
  config->directory = inside != NULL ? sa_path_directory(arena, path) : root;
  config->text = text;
  config->length = length;
  config->fail_on = -1;
  status = sa_yaml_parse(&tree, arena, diag, config->path, text, length);
  if (status != SA_OK) return status;
  reader r = {.config = config, .arena = arena, .diag = diag};
  if (expect(&r, tree, SA_YAML_MAP, "the configuration")) read_all(&r, tree);
  if (r.failed) return SA_E_SYNTAX;
  *out = config;
  return SA_OK;
}

const char *sa_config_api(const sa_config *config, const char *absolute) {
  const char *path = config != NULL ? sa_path_inside(config->directory, absolute) : NULL;
  if (path == NULL) return NULL;
  for (uint32_t i = 0; i < config->api.n; i++) {
    const sa_api_setting *setting = &config->api.at[i];
    for (uint32_t j = 0; j < setting->paths.n; j++)
      if (sa_path_matches(setting->paths.at[j], path))
        return setting->stable ? "stable" : "internal";
  }
  return NULL;
}
