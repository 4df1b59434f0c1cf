#include "frontend/python/embedded.h"

#include "syntax/python.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 40, MAX_TEXT = 4 << 20 };

typedef struct {
  sa_arena *arena;
  const sa_job *job;
  TSNode root;
  sa_embedded *to;
  SA_ARRAY(char) text;
} gathering;

static bool is(TSNode node, const char *type) {
  return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0;
}

static TSNode field(TSNode node, const char *name) {
  return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

static bool spells(const sa_job *job, TSNode node, const char *word) {
  uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
  size_t n = strlen(word);
  return end - begin == n && end <= job->length && memcmp(job->text + begin, word, n) == 0;
}

static void put(gathering *g, char c, uint32_t from) {
  if (g->text.n >= MAX_TEXT) return;
  sa_push(g->arena, &g->text, c);
  sa_push(g->arena, &g->to->origin.offsets, from);
}

static void put_bytes(gathering *g, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end && i < g->job->length; i++) put(g, g->job->text[i], i);
}

static void put_utf8(gathering *g, unsigned long code, uint32_t from) {
  static const unsigned char heads[] = {0, 0xc0, 0xe0, 0xf0};
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  put(g, (char)(heads[more] | code >> 6 * more), from);
  while (more-- > 0) put(g, (char)(0x80 | (code >> 6 * more & 0x3f)), from);
}

/* An escape of a Python string, its backslash included. Unknown ones stand for themselves. */
static void put_escape(gathering *g, uint32_t begin, uint32_t end) {
  static const char from[] = "abfnrtv\\'\"", to[] = "\a\b\f\n\r\t\v\\'\"";
  const char *text = g->job->text + begin;
  if (end - begin < 2 || end > g->job->length) return;
  const char *known = strchr(from, text[1]);
  if (text[1] == '\n' || text[1] == '\r') return; /* joins two lines */
  if (text[1] != '\0' && known != NULL) {
    put(g, to[known - from], begin);
  } else if (strchr("xuU01234567", text[1]) != NULL && text[1] != '\0') {
    bool octal = text[1] >= '0' && text[1] <= '7';
    char digits[12] = {0};
    size_t skipped = octal ? 1 : 2;
    for (size_t i = skipped; i < end - begin && i - skipped < sizeof digits - 1; i++)
      digits[i - skipped] = text[i];
    unsigned long code = strtoul(digits, NULL, octal ? 8 : 16);
    put_utf8(g, code <= 0x10ffff ? code : 0xfffd, begin);
  } else {
    put_bytes(g, begin, end);
  }
}

/* What a string says. A replacement field of an f-string becomes a 0: some value. */
static void put_string(gathering *g, TSNode string) {
  uint32_t n = ts_node_child_count(string);
  uint32_t first = ts_node_start_byte(string);
  bool raw = false;
  for (uint32_t i = first; i < g->job->length && strchr("\"'", g->job->text[i]) == NULL; i++)
    raw |= (g->job->text[i] | 0x20) == 'r';
  for (uint32_t i = 0; i < n; i++) {
    TSNode part = ts_node_child(string, i);
    uint32_t at = ts_node_start_byte(part), end = ts_node_end_byte(part);
    if (is(part, "interpolation")) put(g, '0', at);
    if (!is(part, "string_content")) continue;
    uint32_t escapes = ts_node_named_child_count(part);
    for (uint32_t j = 0; j < escapes; j++) {
      TSNode escape = ts_node_named_child(part, j);
      uint32_t begin = ts_node_start_byte(escape), stop = ts_node_end_byte(escape);
      put_bytes(g, at, begin);
      if (raw)
        put_bytes(g, begin, stop);
      else if (is(escape, "escape_interpolation"))
        put(g, g->job->text[begin], begin);
      else
        put_escape(g, begin, stop);
      at = stop;
    }
    put_bytes(g, at, end);
  }
}

static bool put_value(gathering *g, TSNode value, int depth);

static bool put_children(gathering *g, TSNode node, int depth, bool lines) {
  bool any = false;
  uint32_t n = ts_node_named_child_count(node);
  for (uint32_t i = 0; i < n; i++) {
    TSNode child = ts_node_named_child(node, i);
    bool said = put_value(g, child, depth + 1);
    if (said && lines) put(g, '\n', ts_node_end_byte(child));
    any |= said;
  }
  return any;
}

/* The value of the last `name = value` that ends before `limit` among the statements of a block. */
static TSNode assigned_in(const gathering *g, TSNode block, TSNode name, uint32_t limit) {
  TSNode found = {0};
  uint32_t n = ts_node_named_child_count(block);
  for (uint32_t i = 0; i < n; i++) {
    TSNode statement = ts_node_named_child(block, i);
    if (ts_node_end_byte(statement) > limit) break;
    if (!is(statement, "expression_statement")) continue;
    TSNode assignment = ts_node_named_child(statement, 0);
    TSNode left = field(assignment, "left"), right = field(assignment, "right");
    uint32_t begin = ts_node_start_byte(name), length = ts_node_end_byte(name) - begin;
    if (!is(assignment, "assignment") || ts_node_is_null(left) || ts_node_is_null(right)) continue;
    char *word = sa_strndup(g->arena, g->job->text + begin, length);
    if (spells(g->job, left, word)) found = right;
  }
  return found;
}

/* Looks outwards from the name: the blocks around it, then the module. Functions may use a constant
 * that the module defines below them. */
static TSNode value_of(const gathering *g, TSNode name) {
  uint32_t limit = ts_node_start_byte(name);
  for (TSNode at = ts_node_parent(name); !ts_node_is_null(at); at = ts_node_parent(at)) {
    if (is(at, "function_definition")) limit = UINT32_MAX;
    if (!is(at, "block") && !is(at, "module")) continue;
    TSNode found = assigned_in(g, at, name, limit);
    if (!ts_node_is_null(found)) return found;
  }
  return (TSNode){0};
}

/* `text.format(...)`, `dedent(text)`: the text, as it is. */
static bool put_call(gathering *g, TSNode call, int depth) {
  TSNode function = field(call, "function");
  if (is(function, "attribute") && put_value(g, field(function, "object"), depth + 1)) return true;
  TSNode arguments = field(call, "arguments");
  return ts_node_named_child_count(arguments) == 1 &&
         put_value(g, ts_node_named_child(arguments, 0), depth + 1);
}

/* Whether the value held any text. */
static bool put_value(gathering *g, TSNode value, int depth) {
  if (ts_node_is_null(value) || depth > MAX_NESTING) return false;
  if (is(value, "string")) {
    put_string(g, value);
    return true;
  }
  if (is(value, "concatenated_string") || is(value, "parenthesized_expression"))
    return put_children(g, value, depth, false);
  if (is(value, "list") || is(value, "tuple")) return put_children(g, value, depth, true);
  if (is(value, "binary_operator")) {
    bool left = put_value(g, field(value, "left"), depth + 1);
    if (!is(field(value, "operator"), "+")) return left;
    return put_value(g, field(value, "right"), depth + 1) || left;
  }
  if (is(value, "call")) return put_call(g, value, depth);
  if (is(value, "identifier")) return put_value(g, value_of(g, value), depth + MAX_NESTING / 8);
  return false;
}

/* PyTorch puts its own header before the text. */
static void put_header(gathering *g, TSNode value) {
  static const char header[] = "#include <torch/extension.h>\n";
  for (const char *c = header; *c != '\0'; c++) put(g, *c, ts_node_start_byte(value));
}

static void gather(sa_embedded_array *out, gathering *g, TSNode value, const char *language) {
  sa_embedded embedded = {.language = language};
  g->to = &embedded;
  g->text.n = 0;
  g->text.capacity = 0;
  g->text.at = NULL;
  put_header(g, value);
  if (!put_value(g, value, 0)) return;
  uint32_t n = g->text.n;
  sa_push(g->arena, &embedded.origin.offsets, embedded.origin.offsets.at[n - 1] + 1);
  sa_push(g->arena, &g->text, '\0');
  embedded.origin.text = g->text.at;
  embedded.origin.length = n;
  sa_origin_finish(&embedded.origin, g->arena, g->job->text, g->job->length);
  sa_push(g->arena, out, embedded);
}

static bool calls(const sa_job *job, TSNode call, const char *name) {
  TSNode function = field(call, "function");
  if (is(function, "attribute")) function = field(function, "attribute");
  return is(function, "identifier") && spells(job, function, name);
}

static void gather_call(sa_embedded_array *out, gathering *g, TSNode call) {
  bool inline_call = calls(g->job, call, "load_inline");
  TSNode arguments = field(call, "arguments");
  uint32_t n = ts_node_is_null(arguments) ? 0 : ts_node_named_child_count(arguments);
  for (uint32_t i = 0; i < n; i++) {
    TSNode argument = ts_node_named_child(arguments, i);
    if (is(argument, "keyword_argument")) {
      TSNode name = field(argument, "name"), value = field(argument, "value");
      if (spells(g->job, name, "cpp_sources")) gather(out, g, value, "cpp");
      if (spells(g->job, name, "cuda_sources")) gather(out, g, value, "cuda");
    } else if (inline_call && (i == 1 || i == 2)) {
      gather(out, g, argument, i == 1 ? "cpp" : "cuda");
    }
  }
}

/* Every call of the tree, without recursion: sources may nest as deep as they like. */
static void visit(sa_embedded_array *out, gathering *g) {
  TSTreeCursor cursor = ts_tree_cursor_new(g->root);
  for (bool more = true; more;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (is(node, "call")) gather_call(out, g, node);
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)))
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
  }
  ts_tree_cursor_delete(&cursor);
}

const char *const sa_python_text_words[] = {"cpp_sources", "cuda_sources", "load_inline", NULL};

static bool mentions_texts(const sa_job *job) {
  for (const char *const *word = sa_python_text_words; *word != NULL; word++)
    if (memmem(job->text, job->length, *word, strlen(*word)) != NULL) return true;
  return false;
}

void sa_python_embedded(sa_embedded_array *out, sa_arena *arena, const sa_job *job) {
  if (!mentions_texts(job)) return;
  const char *why;
  TSTree *tree = sa_python_tree(job->text, job->length, &why);
  if (tree != NULL) {
    gathering g = {.arena = arena, .job = job, .root = ts_tree_root_node(tree)};
    visit(out, &g);
    ts_tree_delete(tree);
  }
}
