#include "base/yaml.h"

#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 64 };

typedef struct {
  sa_arena *arena;
  sa_diag *diag;
  const char *name;
  sa_yaml *stack[MAX_DEPTH]; /* open lists and maps */
  const sa_yaml *keys[MAX_DEPTH];
  unsigned depth;
  sa_yaml *root;
} builder;

static sa_status fail(const builder *b, yaml_mark_t at, const char *what) {
  sa_report(b->diag, SA_ERROR, b->name, (unsigned)at.line + 1, (unsigned)at.column + 1, "%s", what);
  return SA_E_SYNTAX;
}

static sa_yaml *new_node(const builder *b, sa_yaml_kind kind, yaml_mark_t at) {
  sa_yaml *node = sa_alloc(b->arena, sizeof *node);
  *node = (sa_yaml){
      .kind = kind, .line = (unsigned)at.line + 1, .column = (unsigned)at.column + 1, .text = ""};
  return node;
}

static sa_status take_key(builder *b, const sa_yaml *key, yaml_mark_t at) {
  if (key->kind != SA_YAML_SCALAR) return fail(b, at, "a key must be a text");
  const sa_yaml *map = b->stack[b->depth - 1];
  for (uint32_t i = 0; i < map->entries.n; i++) {
    const sa_yaml *other = map->entries.at[i].key;
    if (strcmp(other->text, key->text) != 0) continue;
    sa_report(b->diag, SA_ERROR, b->name, key->line, key->column,
              "key '%s' stands here twice, first in line %u", key->text, other->line);
    return SA_E_SYNTAX;
  }
  b->keys[b->depth - 1] = key;
  return SA_OK;
}

/* Puts a node where the parser stands: the root, a list item, a key or the value of a key. */
static sa_status place(builder *b, sa_yaml *node, yaml_mark_t at) {
  if (b->depth == 0) {
    b->root = node;
    return SA_OK;
  }
  sa_yaml *open = b->stack[b->depth - 1];
  if (open->kind == SA_YAML_LIST) {
    sa_push(b->arena, &open->items, node);
    return SA_OK;
  }
  const sa_yaml **key = &b->keys[b->depth - 1];
  if (*key == NULL) return take_key(b, node, at);
  sa_push(b->arena, &open->entries, ((sa_yaml_entry){*key, node}));
  *key = NULL;
  return SA_OK;
}

static sa_status open_node(builder *b, sa_yaml_kind kind, yaml_mark_t at) {
  sa_yaml *node = new_node(b, kind, at);
  sa_status status = place(b, node, at);
  if (status != SA_OK) return status;
  if (b->depth == MAX_DEPTH) return fail(b, at, "nesting is deeper than 64 levels");
  b->keys[b->depth] = NULL;
  b->stack[b->depth++] = node;
  return SA_OK;
}

static sa_status take_scalar(builder *b, const yaml_event_t *event) {
  yaml_mark_t at = event->start_mark;
  if (event->data.scalar.anchor != NULL) return fail(b, at, "anchors are not supported");
  if (event->data.scalar.tag != NULL) return fail(b, at, "tags are not supported");
  const char *value = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  if (memchr(value, '\0', length) != NULL) return fail(b, at, "a text must not hold a zero byte");
  sa_yaml *node = new_node(b, SA_YAML_SCALAR, at);
  node->text = sa_strndup(b->arena, value, length);
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  return place(b, node, at);
}

static sa_status take_event(builder *b, const yaml_event_t *event) {
  yaml_mark_t at = event->start_mark;
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    return b->root != NULL ? fail(b, at, "a second document in one file") : SA_OK;
  case YAML_ALIAS_EVENT:
    return fail(b, at, "aliases are not supported");
  case YAML_SCALAR_EVENT:
    return take_scalar(b, event);
  case YAML_SEQUENCE_START_EVENT:
    if (event->data.sequence_start.anchor != NULL) return fail(b, at, "anchors are not supported");
    if (event->data.sequence_start.tag != NULL) return fail(b, at, "tags are not supported");
    return open_node(b, SA_YAML_LIST, at);
  case YAML_MAPPING_START_EVENT:
    if (event->data.mapping_start.anchor != NULL) return fail(b, at, "anchors are not supported");
    if (event->data.mapping_start.tag != NULL) return fail(b, at, "tags are not supported");
    return open_node(b, SA_YAML_MAP, at);
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    b->depth--;
    return SA_OK;
  default:
    return SA_OK;
  }
}

static sa_status parser_failed(const builder *b, const yaml_parser_t *parser) {
  const char *problem = parser->problem != NULL ? parser->problem : "not valid YAML";
  const char *context = parser->context != NULL ? parser->context : "";
  yaml_mark_t at = parser->error == YAML_READER_ERROR ? parser->mark : parser->problem_mark;
  return fail(b, at, sa_printf(b->arena, "%s%s%s", context, *context != '\0' ? ": " : "", problem));
}

static sa_status run(builder *b, yaml_parser_t *parser) {
  for (;;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) return parser_failed(b, parser);
    bool last = event.type == YAML_STREAM_END_EVENT;
    sa_status status = take_event(b, &event);
    yaml_event_delete(&event);
    if (status != SA_OK || last) return status;
  }
}

sa_status sa_yaml_parse(const sa_yaml **out, sa_arena *arena, sa_diag *diag, const char *name,
                        const char *text, size_t length) {
  *out = NULL;
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) sa_out_of_memory();
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  builder b = {.arena = arena, .diag = diag, .name = name};
  sa_status status = run(&b, &parser);
  yaml_parser_delete(&parser);
  if (status != SA_OK) return status;
  *out = b.root != NULL ? b.root : new_node(&b, SA_YAML_MAP, (yaml_mark_t){0});
  return SA_OK;
}

const sa_yaml *sa_yaml_get(const sa_yaml *map, const char *key) {
  if (map == NULL || map->kind != SA_YAML_MAP) return NULL;
  for (uint32_t i = 0; i < map->entries.n; i++)
    if (strcmp(map->entries.at[i].key->text, key) == 0) return map->entries.at[i].value;
  return NULL;
}

const char *sa_yaml_kind_name(sa_yaml_kind kind) {
  static const char *const names[] = {"a text", "a list", "a map"};
  return names[kind];
}
