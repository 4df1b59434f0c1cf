/* rules/apis: what calls do, what classes are, and a few word lists. */
#include "model/names.h"
#include "ruleset/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int sa_type_kind_find(const char *word) {
  for (int kind = SA_TYPE_UNKNOWN; kind <= SA_TYPE_VOID; kind++)
    if (strcmp(sa_type_word((sa_type)kind), word) == 0) return kind;
  return -1;
}

/* A class pattern has an upper-case letter, a digit, an underscore or "::"; a bare word is a kind.
 */
static bool is_bare_word(const char *text) {
  for (; *text != '\0'; text++)
    if (!islower((unsigned char)*text)) return false;
  return true;
}

static bool is_operator(const char *name) {
  return strncmp(sa_last_component(name).at, "operator", 8) == 0;
}

static bool valid_name(const char *name) {
  return name[0] != '\0' && (is_operator(name) || strpbrk(name, " \t<>()&,;") == NULL);
}

/* A method's own name has no qualifier; a conversion operator's type may. */
static bool valid_method(const char *name) {
  return is_operator(name) ? sa_last_component(name).at == name : strchr(name, ':') == NULL;
}

/* "2", "1..3", "1.." */
static bool parse_args(const char *text, uint8_t *min, uint8_t *max) {
  char *end;
  if (!isdigit((unsigned char)text[0])) return false;
  unsigned long low = strtoul(text, &end, 10), high = low;
  if (strncmp(end, "..", 2) == 0) {
    text = end + 2;
    high = *text == '\0' ? SA_ANY_ARGS : strtoul(text, &end, 10);
    if (*text != '\0' && !isdigit((unsigned char)*text)) return false;
    if (*text == '\0') end = (char *)text;
  }
  if (*end != '\0' || low > SA_MAX_ARGS || (high > SA_MAX_ARGS && high != SA_ANY_ARGS) ||
      high < low)
    return false;
  *min = (uint8_t)low;
  *max = (uint8_t)high;
  return true;
}

static void check_kind(sa_loader *l, const sa_yaml *row, const char *key, bool class_allowed) {
  const sa_yaml *value = sa_yaml_get(row, key);
  if (value == NULL) return;
  if (is_bare_word(value->text) ? sa_type_kind_find(value->text) < 0
                                : !class_allowed || !valid_name(value->text))
    sa_loader_error(l, value, "'%s' is no kind of type%s", value->text,
                    class_allowed ? " and no class name" : "");
}

static const sa_key API_KEYS[] = {{"function", SA_TEXT | SA_LIST, false},
                                  {"method", SA_TEXT | SA_LIST, false},
                                  {"constructor", SA_TEXT | SA_LIST, false},
                                  {"attribute", SA_TEXT | SA_LIST, false},
                                  {"receiver", SA_TEXT, false},
                                  {"first", SA_TEXT, false},
                                  {"keyword", SA_TEXT, false},
                                  {"args", SA_TEXT, false},
                                  {"family", SA_TEXT, false},
                                  {"does", SA_TEXT | SA_LIST, true},
                                  {"with", SA_LIST, false},
                                  {"writes", SA_LIST, false},
                                  {"result", SA_TEXT, false},
                                  {"makes", SA_TEXT, false},
                                  {"text", SA_TEXT, false},
                                  {NULL, 0, false}};

/* Names of Python have dots; inside, components are parted by "::" in every language. */
static const char *with_colons(sa_loader *l, const char *name) {
  const char *text = "";
  for (const char *dot; (dot = strchr(name, '.')) != NULL; name = dot + 1)
    text = sa_printf(l->arena, "%s%.*s::", text, (int)(dot - name), name);
  return sa_printf(l->arena, "%s%s", text, name);
}

static void check_place(sa_loader *l, const sa_yaml *row, const sa_api *api) {
  bool has_self = api->kind == SA_API_METHOD || api->kind == SA_API_ATTRIBUTE;
  if (api->receiver != NULL && !has_self) sa_loader_error(l, row, "only a method has a receiver");
  if (api->kind == SA_API_ATTRIBUTE && !api->python)
    sa_loader_error(l, row, "only rows for Python are about attributes");
  if (api->keyword != NULL && !api->python)
    sa_loader_error(l, row, "only rows for Python ask for a keyword");
}

static void load_api(sa_loader *l, const sa_yaml *row, const char *family, bool python) {
  if (!sa_loader_check_keys(l, row, API_KEYS, "an API row")) return;
  static const char *const kinds[] = {"function", "method", "constructor", "attribute"};
  sa_api api = {.file = l->file, .line = row->line, .python = python, .max_args = SA_ANY_ARGS};
  sa_texts names = {0};
  unsigned given = 0;
  for (int i = 0; i < 4; i++) {
    if (sa_yaml_get(row, kinds[i]) == NULL) continue;
    api.kind = (sa_api_kind)i;
    names = sa_loader_texts(l, row, kinds[i]);
    given++;
  }
  if (given != 1) {
    sa_loader_error(l, row,
                    "an API row has one of 'function', 'method', 'constructor' and 'attribute'");
    return;
  }
  api.receiver = sa_loader_text(row, "receiver", NULL);
  api.first = sa_loader_text(row, "first", NULL);
  api.family = sa_loader_text(row, "family", family);
  api.keyword = sa_loader_text(row, "keyword", NULL);
  check_place(l, row, &api);
  check_kind(l, row, "receiver", true);
  check_kind(l, row, "first", false);
  const sa_yaml *args = sa_yaml_get(row, "args");
  if (args != NULL && !parse_args(args->text, &api.min_args, &api.max_args))
    sa_loader_error(l, args, "'%s' is no number of arguments (2, 1..3 or 1..)", args->text);
  sa_load_effects(l, &api, row);
  for (uint32_t i = 0; i < names.n; i++) {
    api.name = python ? with_colons(l, names.at[i]->text) : names.at[i]->text;
    api.line = names.at[i]->line;
    if (!valid_name(api.name) ||
        ((api.kind == SA_API_METHOD || api.kind == SA_API_ATTRIBUTE) && !valid_method(api.name)))
      sa_loader_error(l, names.at[i], "'%s' is no name", api.name);
    sa_push(l->arena, &l->rules->apis, api);
  }
}

static const sa_key TYPE_KEYS[] = {{"class", SA_TEXT | SA_LIST, true},
                                   {"is", SA_TEXT, true},
                                   {"weak", SA_TEXT, false},
                                   {"family", SA_TEXT, false},
                                   {NULL, 0, false}};

static void load_type(sa_loader *l, const sa_yaml *row, const char *family, bool python) {
  if (!sa_loader_check_keys(l, row, TYPE_KEYS, "a type row")) return;
  static const char *const truth[] = {"no", "yes", NULL};
  sa_type_rule rule = {
      .file = l->file, .python = python, .family = sa_loader_text(row, "family", family)};
  const sa_yaml *is = sa_yaml_get(row, "is");
  rule.many = strcmp(is->text, "container") == 0;
  int kind = rule.many ? SA_TYPE_OBJECT : sa_type_kind_find(is->text);
  if (kind < 0) sa_loader_error(l, is, "'%s' is no kind of type", is->text);
  rule.kind = kind < 0 ? SA_TYPE_UNKNOWN : (sa_type)kind;
  rule.weak = sa_loader_word(l, row, "weak", truth) == 1;
  sa_texts names = sa_loader_texts(l, row, "class");
  for (uint32_t i = 0; i < names.n; i++) {
    rule.name = python ? with_colons(l, names.at[i]->text) : names.at[i]->text;
    rule.line = names.at[i]->line;
    if (!valid_name(rule.name)) sa_loader_error(l, names.at[i], "'%s' is no class name", rule.name);
    sa_push(l->arena, &l->rules->types, rule);
  }
}

static const sa_key FILE_KEYS[] = {{"family", SA_TEXT, true},         {"language", SA_TEXT, false},
                                   {"apis", SA_LIST, false},          {"types", SA_LIST, false},
                                   {"spellings", SA_LIST, false},     {"triggers", SA_LIST, false},
                                   {"justifying", SA_LIST, false},    {"waiving", SA_LIST, false},
                                   {"optional_wait", SA_LIST, false}, {NULL, 0, false}};

/* The lists have one array type each, so this is a macro over them. */
#define LOAD_LIST_AS(l, map, key, list)                                                            \
  do {                                                                                             \
    sa_texts texts = sa_loader_texts((l), (map), #key);                                            \
    for (uint32_t i = 0; i < texts.n; i++)                                                         \
      sa_push((l)->arena, &(l)->rules->list, texts.at[i]->text);                                   \
  } while (0)
#define LOAD_LIST(l, map, key) LOAD_LIST_AS(l, map, key, key)

/* Choices of a phrase stand in one pair of brackets each, and there are two or more. */
static void check_phrases(sa_loader *l, const sa_yaml *map, const char *key) {
  sa_texts texts = sa_loader_texts(l, map, key);
  for (uint32_t i = 0; i < texts.n; i++) {
    const char *at = texts.at[i]->text, *open = NULL;
    bool choice = false, sound = true;
    for (; *at != '\0' && sound; at++) {
      if (*at == '|') choice = true;
      sound = *at == '(' ? open == NULL : *at == ')' ? open != NULL && choice : sound;
      if (*at == '|') sound = open != NULL;
      if (*at == '(') open = at, choice = false;
      if (*at == ')') open = NULL;
    }
    if (!sound || open != NULL)
      sa_loader_error(l, texts.at[i], "'%s': several choices are written (one|other)",
                      texts.at[i]->text);
  }
}

void sa_load_apis(sa_loader *l, const sa_yaml *map) {
  if (!sa_loader_check_keys(l, map, FILE_KEYS, "a file of API rows")) return;
  static const char *const languages[] = {"c++", "python", NULL};
  const char *family = sa_loader_text(map, "family", "");
  bool python = sa_loader_word(l, map, "language", languages) == 1;
  const sa_yaml *apis = sa_yaml_get(map, "apis"), *types = sa_yaml_get(map, "types");
  for (uint32_t i = 0; apis != NULL && i < apis->items.n; i++)
    load_api(l, apis->items.at[i], family, python);
  for (uint32_t i = 0; types != NULL && i < types->items.n; i++)
    load_type(l, types->items.at[i], family, python);
  LOAD_LIST(l, map, spellings);
  if (python)
    LOAD_LIST_AS(l, map, triggers, triggers_python);
  else
    LOAD_LIST(l, map, triggers);
  check_phrases(l, map, "justifying");
  check_phrases(l, map, "waiving");
  LOAD_LIST(l, map, justifying);
  LOAD_LIST(l, map, waiving);
  LOAD_LIST(l, map, optional_wait);
}
