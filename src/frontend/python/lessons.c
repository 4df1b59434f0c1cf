/* What earlier rounds learnt about names. */
#include "frontend/python/lessons.h"

#include "base/hash.h"

#include <string.h>

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
  bool heavier = py_weight(type.kind) > py_weight(known->kind) ||
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
