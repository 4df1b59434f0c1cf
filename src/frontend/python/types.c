/* What type hints say, and what earlier rounds learnt about names. */
#include "base/hash.h"
#include "frontend/python/internal.h"
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

/* Which of two answers says more: something that matters to streams before plain values. */
static int weight(sa_type kind) {
  static const int weights[] = {
      [SA_TYPE_UNKNOWN] = 0, [SA_TYPE_VOID] = 1,   [SA_TYPE_SCALAR] = 2, [SA_TYPE_OBJECT] = 3,
      [SA_TYPE_GUARD] = 4,   [SA_TYPE_FUNC] = 5,   [SA_TYPE_MEMORY] = 6, [SA_TYPE_HANDLE] = 7,
      [SA_TYPE_EVENT] = 8,   [SA_TYPE_STREAM] = 9, [SA_TYPE_TENSOR] = 10};
  return weights[kind];
}

static sa_ir_type better(sa_ir_type a, sa_ir_type b) {
  return weight(b.kind) > weight(a.kind) ? b : a;
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
  if (own != NULL) return py_type_of_class(lo, own);
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

/* ---- lessons ---- */

uint64_t py_key_of(uint64_t owner, const char *name) {
  uint64_t key = sa_hash_string(name, owner);
  return key != 0 ? key : 1;
}

uint64_t py_return_key(uint32_t func) {
  return py_key_of(func, "return");
}

uint64_t py_local_key(uint32_t func, const char *name) {
  return py_key_of(py_key_of(func, "local"), name);
}

uint64_t py_global_key(const char *name) {
  return py_key_of(py_key_of(0, "global"), name);
}

uint64_t py_field_key(body *b, sa_reg object, const char *field) {
  sa_ir_type type = py_reg_type(b, object);
  bool named = type.kind == SA_TYPE_OBJECT || type.kind == SA_TYPE_HANDLE;
  if (named && !type.many && type.name != NULL && type.name[0] != '\0')
    return py_key_of(py_key_of(py_key_of(0, "field"), type.name), field);
  py_source source = py_source_of(b, object);
  return source.key != 0 ? py_key_of(py_key_of(source.key, "field"), field) : 0;
}

uint64_t py_item_key(body *b, sa_reg dictionary, const char *literal) {
  py_source source = py_source_of(b, dictionary);
  if (source.item != 0) return py_key_of(py_key_of(source.item, "item"), literal);
  bool known = source.key != 0 && !source.element;
  return known ? py_key_of(py_key_of(source.key, "item"), literal) : 0;
}

static void grow(lowering *lo) {
  py_lesson *old = lo->lessons;
  uint32_t n = lo->lesson_slots;
  lo->lesson_slots = n == 0 ? 256 : n * 2;
  lo->lessons = sa_alloc(lo->arena, lo->lesson_slots * sizeof *lo->lessons);
  for (uint32_t i = 0; i < n; i++) {
    if (old[i].key == 0) continue;
    uint32_t slot = (uint32_t)old[i].key & (lo->lesson_slots - 1);
    while (lo->lessons[slot].key != 0) slot = (slot + 1) & (lo->lesson_slots - 1);
    lo->lessons[slot] = old[i];
  }
}

static py_lesson *find_lesson(const lowering *lo, uint64_t key) {
  if (lo->lesson_slots == 0 || key == 0) return NULL;
  uint32_t slot = (uint32_t)key & (lo->lesson_slots - 1);
  while (lo->lessons[slot].key != 0 && lo->lessons[slot].key != key)
    slot = (slot + 1) & (lo->lesson_slots - 1);
  return &lo->lessons[slot];
}

static py_lesson *require_lesson(lowering *lo, uint64_t key) {
  if (lo->lesson_count * 2 >= lo->lesson_slots) grow(lo);
  py_lesson *lesson = find_lesson(lo, key);
  if (lesson->key != 0) return lesson;
  *lesson = (py_lesson){.key = key, .type = py_plain_type(SA_TYPE_UNKNOWN), .func = SA_NO_INDEX};
  lo->lesson_count++;
  return lesson;
}

static bool same_type(sa_ir_type a, sa_ir_type b) {
  return a.kind == b.kind && a.many == b.many && a.weak == b.weak && strcmp(a.name, b.name) == 0;
}

/* The lesson, whose change from now on makes the function that is being lowered stale. */
static py_lesson *read_lesson(lowering *lo, uint64_t key) {
  py_lesson *lesson = require_lesson(lo, key);
  bool known = lesson->readers.n > 0 && lesson->readers.at[lesson->readers.n - 1] == lo->reader;
  if (!known && lo->reader != SA_NO_INDEX) sa_push(lo->arena, &lesson->readers, lo->reader);
  return lesson;
}

sa_ir_type py_lesson_about(lowering *lo, uint64_t key) {
  return key != 0 ? read_lesson(lo, key)->type : py_plain_type(SA_TYPE_UNKNOWN);
}

uint32_t py_func_lesson(lowering *lo, uint64_t key) {
  return key != 0 ? read_lesson(lo, key)->func : SA_NO_INDEX;
}

/* A hint, or what was known when this round began; whoever asks while that changes, asks again. */
sa_ir_type py_returns_of(lowering *lo, uint32_t func) {
  sa_ir_func *f = &lo->unit->funcs.at[func];
  const py_lesson *lesson = read_lesson(lo, py_return_key(func));
  bool old = !lo->funcs.at[func].hinted && !same_type(f->returns, lesson->type);
  if (old && lo->reader != SA_NO_INDEX) lo->funcs.at[lo->reader].stale = true;
  return f->returns;
}

void py_declare_returns(lowering *lo) {
  for (uint32_t i = 0; i < lo->funcs.n; i++) {
    sa_ir_type hint = py_type_of_hint(lo, py_field_of(lo->funcs.at[i].node, "return_type"));
    lo->funcs.at[i].hinted = hint.kind != SA_TYPE_UNKNOWN || hint.many;
    lo->unit->funcs.at[i].returns =
        lo->funcs.at[i].hinted ? hint : py_lesson_about(lo, py_return_key(i));
  }
}

static void changed(lowering *lo, py_lesson *lesson) {
  for (uint32_t i = 0; i < lesson->readers.n; i++) lo->funcs.at[lesson->readers.at[i]].stale = true;
  lesson->readers.n = 0;
}

/* Answers only get heavier, or mixed, so the rounds end. */
void py_learn(lowering *lo, uint64_t key, sa_ir_type type) {
  if (key == 0 || (type.kind == SA_TYPE_UNKNOWN && !type.many)) return;
  py_lesson *lesson = require_lesson(lo, key);
  if (lesson->mixed && type.many) return;
  sa_ir_type *known = &lesson->type;
  bool heavier = weight(type.kind) > weight(known->kind) ||
                 (type.kind == known->kind && type.kind == SA_TYPE_UNKNOWN && !known->many);
  bool single = type.kind == known->kind && known->many && !type.many;
  if (!heavier && !single) return;
  *known = type;
  changed(lo, lesson);
}

void py_learn_func(lowering *lo, uint64_t key, uint32_t func) {
  if (key == 0 || func == SA_NO_INDEX) return;
  py_lesson *lesson = require_lesson(lo, key);
  if (lesson->func != SA_NO_INDEX) return;
  lesson->func = func;
  changed(lo, lesson);
}

static bool is_firm(sa_type kind) {
  return kind == SA_TYPE_TENSOR || kind == SA_TYPE_STREAM || kind == SA_TYPE_EVENT;
}

/* `state["stream"]` and `state["buffer"]`: of the whole nothing can be said. */
static void learn_item(lowering *lo, py_source source, sa_ir_type type) {
  if (source.item == 0) return;
  py_learn(lo, source.item, type);
  py_lesson *whole = source.element && source.key != 0 ? read_lesson(lo, source.key) : NULL;
  bool apart = whole != NULL && whole->type.many && !whole->mixed && is_firm(whole->type.kind) &&
               is_firm(type.kind) && whole->type.kind != type.kind;
  if (!apart) return;
  whole->type = (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .many = true, .name = ""};
  whole->mixed = true;
  changed(lo, whole);
}

void py_learn_reg(body *b, sa_reg reg, sa_ir_type type) {
  py_source source = py_source_of(b, reg);
  if (reg == 0 || type.kind == SA_TYPE_UNKNOWN) return;
  learn_item(b->lo, source, type);
  sa_ir_type *now = &py_func_of(b)->regs.at[reg].type;
  /* A class of another file says nothing against being a stream or an event. */
  bool foreign = now->kind == SA_TYPE_OBJECT && !now->many &&
                 py_find_class(b->lo, now->name) == NULL &&
                 (type.kind == SA_TYPE_STREAM || type.kind == SA_TYPE_EVENT);
  if (now->kind == SA_TYPE_UNKNOWN || foreign) {
    bool many = now->many;
    *now = type;
    now->many |= many;
  } else if (now->kind != type.kind) {
    return; /* it is something else: what is asked of it here is no news */
  }
  if (source.element) {
    sa_ir_type container = py_lesson_about(b->lo, source.key);
    if (container.kind != SA_TYPE_UNKNOWN) return;
    type.many = true;
  }
  py_learn(b->lo, source.key, type);
}
