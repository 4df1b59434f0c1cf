/* What type hints say. */
#include "frontend/python/imports.h"
#include "frontend/python/lessons.h"
#include "model/names.h"

#include <ctype.h>
#include <string.h>

enum { MAX_HINT = 400, HINT_NESTING = 8 };

sa_ir_type py_plain_type(sa_type kind) {
  return (sa_ir_type){.kind = kind, .name = ""};
}

/* ---- hints ---- */

static sa_span trim(sa_span text) {
  while (text.length > 0 && (isspace((unsigned char)*text.at) || strchr("\"'", *text.at) != NULL))
    text.at++, text.length--;
  while (text.length > 0 && (isspace((unsigned char)text.at[text.length - 1]) ||
                             strchr("\"'", text.at[text.length - 1]) != NULL))
    text.length--;
  return text;
}

/* Takes the part before `mark` outside all brackets off the front. */
static sa_span next_part(sa_span *rest, char mark) {
  int depth = 0;
  size_t i = 0;
  for (; i < rest->length; i++) {
    char c = rest->at[i];
    if (c == '[' || c == '(') depth++;
    if (c == ']' || c == ')') depth--;
    if (c == mark && depth == 0) break;
  }
  sa_span part = {rest->at, i};
  size_t used = i < rest->length ? i + 1 : i;
  *rest = (sa_span){rest->at + used, rest->length - used};
  return trim(part);
}

int py_weight(sa_type kind) {
  static const int weights[] = {
      [SA_TYPE_UNKNOWN] = 0, [SA_TYPE_VOID] = 1,   [SA_TYPE_SCALAR] = 2, [SA_TYPE_OBJECT] = 3,
      [SA_TYPE_GUARD] = 4,   [SA_TYPE_FUNC] = 5,   [SA_TYPE_MEMORY] = 6, [SA_TYPE_HANDLE] = 7,
      [SA_TYPE_EVENT] = 8,   [SA_TYPE_STREAM] = 9, [SA_TYPE_TENSOR] = 10};
  return weights[kind];
}

static sa_ir_type better(sa_ir_type a, sa_ir_type b) {
  return py_weight(b.kind) > py_weight(a.kind) ? b : a;
}

/* "torch.Tensor" with components parted as the rules do. */
const char *py_with_colons(const lowering *lo, const char *dotted) {
  size_t dots = 0, n = strlen(dotted);
  for (size_t i = 0; i < n; i++) dots += dotted[i] == '.';
  char *out = sa_alloc(lo->arena, n + dots + 1), *to = out;
  for (size_t i = 0; i < n; i++) {
    if (dotted[i] == '.') *to++ = ':';
    *to++ = dotted[i] == '.' ? ':' : dotted[i];
  }
  return out;
}

static const char *resolved(lowering *lo, sa_span name) {
  const char *dot = memchr(name.at, '.', name.length);
  size_t head = dot != NULL ? (size_t)(dot - name.at) : name.length;
  const char *first = sa_strndup(lo->arena, name.at, head);
  const char *alias = py_find_alias(lo, first);
  return sa_printf(lo->arena, "%s%.*s", alias != NULL ? alias : first, (int)(name.length - head),
                   name.at + head);
}

static const sa_type_rule *find_rule(lowering *lo, const char *dotted) {
  const char *name = py_with_colons(lo, dotted);
  for (uint32_t i = 0; i < lo->rules->types.n; i++) {
    const sa_type_rule *rule = &lo->rules->types.at[i];
    if (rule->python && sa_name_matches(rule->name, name)) return rule;
  }
  return NULL;
}

static sa_ir_type classify(lowering *lo, sa_span text, unsigned nesting);

/* Of several types the one that matters; what may be anything is not known to be a number. */
static sa_ir_type classify_arguments(lowering *lo, sa_span rest, char mark, unsigned nesting) {
  sa_ir_type best = py_plain_type(SA_TYPE_UNKNOWN);
  bool open = false;
  while (rest.length > 0) {
    sa_span part = next_part(&rest, mark);
    sa_ir_type one = classify(lo, part, nesting + 1);
    open |= one.kind == SA_TYPE_UNKNOWN && !sa_span_equals(part, "None") &&
            !sa_span_equals(part, "...");
    best = better(best, one);
  }
  return open && best.kind == SA_TYPE_SCALAR ? py_plain_type(SA_TYPE_UNKNOWN) : best;
}

static sa_ir_type classify_name(lowering *lo, sa_span text, const sa_type_rule **rule) {
  const char *dotted = resolved(lo, text);
  const py_class *own = py_find_class(lo, dotted);
  *rule = own == NULL ? find_rule(lo, dotted) : NULL;
  py_imported other;
  if (own != NULL) return py_type_of_class(lo, own);
  const char *spelled = sa_strndup(lo->arena, text.at, text.length);
  if (*rule == NULL && py_find_imported(&other, lo, spelled, PY_FOR_CLASSES) &&
      other.klass != NULL) {
    sa_ir_type type = py_type_of_class(other.lo, other.klass);
    if (py_is_base_class(lo, other.klass)) type.name = dotted; /* whose methods run, nobody knows */
    return type;
  }
  if (*rule == NULL) return (sa_ir_type){.kind = SA_TYPE_OBJECT, .name = dotted};
  return (sa_ir_type){.kind = (*rule)->kind, .weak = (*rule)->weak, .name = dotted};
}

static sa_ir_type classify(lowering *lo, sa_span text, unsigned nesting) {
  text = trim(text);
  if (text.length == 0 || nesting > HINT_NESTING || sa_span_equals(text, "None") ||
      sa_span_equals(text, "..."))
    return py_plain_type(SA_TYPE_UNKNOWN);
  sa_span rest = text, first = next_part(&rest, '|');
  if (first.length < text.length && rest.length > 0)
    return classify_arguments(lo, text, '|', nesting);
  const char *open = memchr(text.at, '[', text.length);
  const sa_type_rule *rule;
  if (open == NULL) {
    sa_ir_type type = classify_name(lo, text, &rule);
    if (rule == NULL || !rule->many) return type;
    return (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .many = true, .name = ""};
  }
  sa_span name = trim((sa_span){text.at, (size_t)(open - text.at)});
  sa_span arguments = {open + 1, text.length - (size_t)(open - text.at) - 2};
  sa_ir_type outer = classify_name(lo, name, &rule);
  if (rule == NULL || !rule->many) {
    bool looked_through =
        sa_span_equals(sa_last_component(py_with_colons(lo, resolved(lo, name))), "Optional") ||
        (rule != NULL && rule->kind == SA_TYPE_UNKNOWN);
    return looked_through ? classify_arguments(lo, arguments, ',', nesting) : outer;
  }
  sa_ir_type inner = classify_arguments(lo, arguments, ',', nesting);
  inner.many = true;
  inner.weak |= rule->weak;
  return inner;
}

sa_ir_type py_type_of_hint(lowering *lo, TSNode hint) {
  if (ts_node_is_null(hint)) return py_plain_type(SA_TYPE_UNKNOWN);
  const char *text = py_text_of(lo, hint);
  size_t length = strlen(text);
  if (length > MAX_HINT) return py_plain_type(SA_TYPE_UNKNOWN);
  py_answers *known = lo->answers;
  bool is_new;
  uint32_t *place = sa_table_at(lo->arena, &known->hints, py_key_of(0, text), &is_new);
  if (is_new) {
    *place = known->types.n;
    sa_ir_type type = classify(lo, (sa_span){text, length}, 0);
    sa_push(lo->arena, &known->types, type);
  }
  return known->types.at[*place];
}

/* An object that can be waited for is a handle. */
sa_ir_type py_type_of_class(const lowering *lo, const py_class *klass) {
  bool waits = py_find_method(lo, klass->qualified, "wait") != SA_NO_INDEX;
  return (sa_ir_type){.kind = waits ? SA_TYPE_HANDLE : SA_TYPE_OBJECT, .name = klass->qualified};
}

const py_class *py_class_of(const lowering *lo, sa_ir_type type) {
  bool object = type.kind == SA_TYPE_OBJECT || type.kind == SA_TYPE_HANDLE;
  if (!object || type.many || type.name == NULL || type.name[0] == '\0') return NULL;
  return py_find_class(lo, type.name);
}
