/* Reading maps with known keys. */
#include "ruleset/internal.h"

#include <string.h>

void sa_loader_error(sa_loader *l, const sa_yaml *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = sa_vprintf(l->arena, format, args);
  va_end(args);
  sa_report(l->diag, SA_ERROR, l->file, at->line, at->column, "%s", text);
  l->failed = true;
}

static const sa_key *find_key(const sa_key *keys, const char *name) {
  for (; keys->name != NULL; keys++)
    if (strcmp(keys->name, name) == 0) return keys;
  return NULL;
}

static const char *known_keys(const sa_loader *l, const sa_key *keys) {
  const char *text = "";
  for (; keys->name != NULL; keys++)
    text = sa_printf(l->arena, "%s%s%s", text, *text != '\0' ? ", " : "", keys->name);
  return text;
}

bool sa_loader_check_keys(sa_loader *l, const sa_yaml *map, const sa_key *keys, const char *what) {
  if (map->kind != SA_YAML_MAP) {
    sa_loader_error(l, map, "%s must be a map, not %s", what, sa_yaml_kind_name(map->kind));
    return false;
  }
  bool good = true;
  for (uint32_t i = 0; i < map->entries.n; i++) {
    const sa_yaml *key = map->entries.at[i].key, *value = map->entries.at[i].value;
    const sa_key *known = find_key(keys, key->text);
    if (known == NULL)
      sa_loader_error(l, key, "unknown key '%s' in %s (known: %s)", key->text, what,
                      known_keys(l, keys));
    else if ((known->kinds & 1u << value->kind) == 0)
      sa_loader_error(l, value, "'%s' must not be %s", key->text, sa_yaml_kind_name(value->kind));
    else
      continue;
    good = false;
  }
  for (; keys->name != NULL; keys++) {
    if (!keys->required || sa_yaml_get(map, keys->name) != NULL) continue;
    sa_loader_error(l, map, "%s has no '%s'", what, keys->name);
    good = false;
  }
  return good;
}

const char *sa_loader_text(const sa_yaml *map, const char *key, const char *otherwise) {
  const sa_yaml *value = sa_yaml_get(map, key);
  return value != NULL && value->kind == SA_YAML_SCALAR ? value->text : otherwise;
}

int sa_loader_word(sa_loader *l, const sa_yaml *map, const char *key, const char *const *words) {
  const sa_yaml *value = sa_yaml_get(map, key);
  if (value == NULL || value->kind != SA_YAML_SCALAR) return -1;
  const char *known = "";
  for (int i = 0; words[i] != NULL; i++) {
    if (strcmp(words[i], value->text) == 0) return i;
    known = sa_printf(l->arena, "%s%s%s", known, i > 0 ? ", " : "", words[i]);
  }
  sa_loader_error(l, value, "'%s' is no %s (known: %s)", value->text, key, known);
  return -1;
}

sa_texts sa_loader_texts(sa_loader *l, const sa_yaml *map, const char *key) {
  sa_texts texts = {0};
  const sa_yaml *value = sa_yaml_get(map, key);
  if (value == NULL) return texts;
  if (value->kind == SA_YAML_SCALAR) {
    sa_push(l->arena, &texts, value);
  } else if (value->kind == SA_YAML_LIST) {
    for (uint32_t i = 0; i < value->items.n; i++) sa_push(l->arena, &texts, value->items.at[i]);
  }
  for (uint32_t i = 0; i < texts.n; i++) {
    const sa_yaml *item = texts.at[i];
    if (item->kind == SA_YAML_SCALAR && item->text[0] != '\0') continue;
    sa_loader_error(l, item, "'%s' must hold texts that are not empty", key);
    return (sa_texts){0};
  }
  return texts;
}
