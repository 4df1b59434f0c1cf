/* rules/rewrites: how a family spells an order by an event. */
#include "model/names.h"
#include "ruleset/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const sa_key SPELLING_KEYS[] = {{"id", SA_TEXT, true},        {"streams", SA_LIST, true},
                                       {"languages", SA_LIST, true}, {"declare", SA_LIST, true},
                                       {"record", SA_LIST, true},    {"wait", SA_LIST, true},
                                       {"includes", SA_LIST, false}, {"operands", SA_LIST, false},
                                       {"current", SA_TEXT, false},  {"hold", SA_TEXT, false},
                                       {"join", SA_TEXT, false},     {"checked", SA_TEXT, false},
                                       {"once", SA_TEXT, false},     {NULL, 0, false}};

static const sa_key OPERAND_KEYS[] = {{"name", SA_TEXT, true},
                                      {"calls", SA_LIST, true},
                                      {"arg", SA_TEXT, false},
                                      {"of", SA_LIST, false},
                                      {NULL, 0, false}};

#define COPY_TEXTS(l, map, key, to)                                                                \
  do {                                                                                             \
    sa_texts texts = sa_loader_texts((l), (map), (key));                                           \
    for (uint32_t i = 0; i < texts.n; i++) sa_push((l)->arena, (to), texts.at[i]->text);           \
  } while (0)

static void load_argument(sa_loader *l, sa_spelling_operand *operand, const sa_yaml *arg) {
  char *end;
  unsigned long number = strtoul(arg->text, &end, 10);
  if (!isdigit((unsigned char)arg->text[0]) || *end != '\0' || number > SA_MAX_ARGS)
    sa_loader_error(l, arg, "'%s' is no number of an argument", arg->text);
  operand->arg = (uint32_t)number;
}

static void load_operand(sa_loader *l, sa_spelling *spelling, const sa_yaml *map) {
  if (!sa_loader_check_keys(l, map, OPERAND_KEYS, "an operand")) return;
  sa_spelling_operand operand = {.name = sa_loader_text(map, "name", "")};
  const sa_yaml *arg = sa_yaml_get(map, "arg");
  COPY_TEXTS(l, map, "calls", &operand.calls);
  COPY_TEXTS(l, map, "of", &operand.of);
  if ((arg == NULL) == (operand.of.n == 0))
    sa_loader_error(l, map, "an operand is an 'arg' of its calls, or a module that they are 'of'");
  if (arg != NULL) load_argument(l, &operand, arg);
  sa_push(l->arena, &spelling->operands, operand);
}

static bool known_name(const sa_spelling *spelling, const char *name, size_t length) {
  static const char *const names[] = {"event", "stream", "waiter", "current"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return true;
  for (uint32_t i = 0; i < spelling->operands.n; i++) {
    const sa_spelling_operand *own = &spelling->operands.at[i];
    size_t n = strlen(own->name);
    bool ends = own->of.n == 0 ? length == n : length > n + 1 && name[n] == '.';
    if (length >= n && memcmp(own->name, name, n) == 0 && ends) return true;
  }
  return false;
}

static void check_line(sa_loader *l, const sa_spelling *spelling, const sa_yaml *line) {
  if (strpbrk(line->text, "\r\n") != NULL)
    sa_loader_error(l, line, "a line of a rewrite is one line");
  for (const char *at = line->text; (at = strchr(at, '{')) != NULL; at++) {
    size_t length = strcspn(at + 1, "{}");
    if (at[length + 1] != '}') {
      sa_loader_error(l, line, "a brace is not closed");
      return;
    }
    if (!known_name(spelling, at + 1, length))
      sa_loader_error(l, line, "nothing gives {%.*s} a value", (int)length, at + 1);
  }
}

/* Each of `names` must stand in some line. */
static void check_lines(sa_loader *l, const sa_spelling *spelling, const sa_yaml *map,
                        const char *key, const char *const *names) {
  sa_texts lines = sa_loader_texts(l, map, key);
  for (uint32_t i = 0; i < lines.n; i++) check_line(l, spelling, lines.at[i]);
  for (; *names != NULL; names++) {
    bool there = false;
    for (uint32_t i = 0; i < lines.n; i++) there |= strstr(lines.at[i]->text, *names) != NULL;
    if (!there) sa_loader_error(l, sa_yaml_get(map, key), "'%s' has no %s", key, *names);
  }
}

static void load_spelling(sa_loader *l, const sa_yaml *map) {
  static const char *const truth[] = {"no", "yes", NULL};
  static const char *const event[] = {"{event}", NULL},
                           *const marks[] = {"{event}", "{stream}", NULL},
                           *const waits[] = {"{event}", "{waiter}", NULL},
                           *const holds[] = {"{waiter}", "{current}", NULL},
                           *const joins[] = {"{waiter}", "{stream}", NULL};
  if (!sa_loader_check_keys(l, map, SPELLING_KEYS, "a rewrite")) return;
  sa_spelling s = {.file = l->file,
                   .line = map->line,
                   .id = sa_loader_text(map, "id", ""),
                   .current = sa_loader_text(map, "current", NULL),
                   .hold = sa_loader_text(map, "hold", NULL),
                   .join = sa_loader_text(map, "join", NULL),
                   .checked = sa_loader_text(map, "checked", NULL),
                   .once = sa_loader_word(l, map, "once", truth) == 1};
  const sa_yaml *operands = sa_yaml_get(map, "operands");
  for (uint32_t i = 0; operands != NULL && i < operands->items.n; i++)
    load_operand(l, &s, operands->items.at[i]);
  COPY_TEXTS(l, map, "streams", &s.streams);
  COPY_TEXTS(l, map, "languages", &s.languages);
  COPY_TEXTS(l, map, "declare", &s.declare);
  COPY_TEXTS(l, map, "record", &s.record);
  COPY_TEXTS(l, map, "wait", &s.wait);
  COPY_TEXTS(l, map, "includes", &s.includes);
  check_lines(l, &s, map, "declare", event);
  check_lines(l, &s, map, "record", marks);
  check_lines(l, &s, map, "wait", waits);
  if (s.hold != NULL) check_lines(l, &s, map, "hold", holds);
  if (s.join != NULL) check_lines(l, &s, map, "join", joins);
  if (s.current != NULL) check_line(l, &s, sa_yaml_get(map, "current"));
  if (s.current != NULL && (strstr(s.current, "{current}") || strstr(s.current, "{waiter}")))
    sa_loader_error(l, map, "'current' cannot be spelled by itself");
  if (s.hold != NULL && s.current == NULL)
    sa_loader_error(l, map, "'hold' keeps the current stream, so there must be a 'current'");
  sa_push(l->arena, &l->rules->rewrites, s);
}

void sa_load_rewrites(sa_loader *l, const sa_yaml *map) {
  static const sa_key keys[] = {{"spellings", SA_LIST, false},
                                {"pure", SA_LIST, false},
                                {"pure_python", SA_LIST, false},
                                {NULL, 0, false}};
  if (!sa_loader_check_keys(l, map, keys, "a file of rewrites")) return;
  const sa_yaml *list = sa_yaml_get(map, "spellings");
  for (uint32_t i = 0; list != NULL && i < list->items.n; i++) load_spelling(l, list->items.at[i]);
  COPY_TEXTS(l, map, "pure", &l->rules->pure);
  COPY_TEXTS(l, map, "pure_python", &l->rules->pure_python);
}

__attribute__((format(printf, 3, 4))) static void fail(sa_loader *l, const sa_spelling *s,
                                                       const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = sa_vprintf(l->arena, format, args);
  va_end(args);
  sa_report(l->diag, SA_ERROR, s->file, s->line, 1, "%s: %s", s->id, text);
  l->failed = true;
}

static bool is_stream_class(const sa_ruleset *rules, const char *name) {
  for (uint32_t i = 0; i < rules->types.n; i++) {
    const sa_type_rule *type = &rules->types.at[i];
    if (type->kind != SA_TYPE_STREAM) continue;
    sa_span whole = {type->name, strlen(type->name)};
    if (sa_name_span_matches(name, whole) ||
        sa_name_span_matches(type->name, (sa_span){name, strlen(name)}))
      return true;
  }
  return false;
}

/* Whether a row of apis says that a call of that name does `op`. */
static bool does(const sa_ruleset *rules, sa_span name, sa_ir_op op) {
  for (uint32_t i = 0; i < rules->apis.n; i++) {
    const sa_api *api = &rules->apis.at[i];
    if (sa_span_compare(sa_last_component(api->name), name) != 0) continue;
    for (uint32_t k = 0; k < api->effects.n; k++)
      if (api->effects.at[k].op == op) return true;
  }
  return false;
}

/* Whether one of the lines calls something that does `op`. */
static bool some_line_does(const sa_ruleset *rules, const char *const *lines, uint32_t n,
                           sa_ir_op op) {
  for (uint32_t i = 0; i < n; i++)
    for (const char *at = strchr(lines[i], '('); at != NULL; at = strchr(at + 1, '(')) {
      const char *begin = at;
      while (begin > lines[i] && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
      if (does(rules, (sa_span){begin, (size_t)(at - begin)}, op)) return true;
    }
  return false;
}

static bool share(const sa_spelling *a, const sa_spelling *b) {
  for (uint32_t i = 0; i < a->streams.n; i++)
    for (uint32_t k = 0; k < b->streams.n; k++) {
      if (strcmp(a->streams.at[i], b->streams.at[k]) != 0) continue;
      for (uint32_t m = 0; m < a->languages.n; m++)
        for (uint32_t n = 0; n < b->languages.n; n++)
          if (strcmp(a->languages.at[m], b->languages.at[n]) == 0) return true;
    }
  return false;
}

/* A rewrite must mean to the analysis what it means to the reader, or no edit would ever hold. */
void sa_verify_rewrites(sa_loader *l) {
  const sa_ruleset *rules = l->rules;
  for (uint32_t i = 0; i < rules->rewrites.n; i++) {
    sa_spelling *s = &rules->rewrites.at[i];
    s->declare_marks = some_line_does(rules, s->declare.at, s->declare.n, SA_OP_event_record);
    for (uint32_t k = 0; k < s->streams.n; k++)
      if (!is_stream_class(rules, s->streams.at[k]))
        fail(l, s, "'%s' is no class of streams in rules/apis", s->streams.at[k]);
    if (!some_line_does(rules, s->record.at, s->record.n, SA_OP_event_record))
      fail(l, s, "no call in 'record' records an event, by rules/apis");
    if (!some_line_does(rules, s->wait.at, s->wait.n, SA_OP_event_wait))
      fail(l, s, "no call in 'wait' waits for an event, by rules/apis");
    if (s->join != NULL && !some_line_does(rules, &s->join, 1, SA_OP_stream_wait))
      fail(l, s, "no call in 'join' waits for a stream, by rules/apis");
    for (uint32_t k = 0; k < i; k++) {
      const sa_spelling *earlier = &rules->rewrites.at[k];
      if (strcmp(earlier->id, s->id) == 0)
        fail(l, s, "there is a rewrite of that name, in %s:%u", earlier->file, earlier->line);
      else if (share(earlier, s))
        fail(l, s, "never used: %s:%u rewrites the same streams", earlier->file, earlier->line);
    }
  }
}
