/* Callers and classes: what the program says about functions of the unit that record. */
#include "link/linker.h"

#include "model/names.h"

#include <string.h>

enum { MAX_ROUNDS = 16, CALLER_LEVELS = 2, MAX_CLASSES = 256, MAX_BASES = 8 };

/* ---- functions that record ---- */

static bool records(const sa_linker *l, const sa_ir_func *func, const bool *recording) {
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      bool inner = (inst->op == SA_OP_call || inst->op == SA_OP_lambda) &&
                   inst->func < l->out->funcs.n && recording[inst->func];
      if (inst->op == SA_OP_record || inner) return true;
    }
  return false;
}

bool *sa_linker_recording(sa_linker *l) {
  bool *recording = sa_alloc(l->arena, l->out->funcs.n + 1);
  bool any = true;
  for (int round = 0; any && round < MAX_ROUNDS; round++) {
    any = false;
    for (uint32_t f = 0; f < l->out->funcs.n; f++) {
      if (recording[f] || !records(l, &l->out->funcs.at[f], recording)) continue;
      recording[f] = any = true;
    }
  }
  return recording;
}

/* ---- callers ---- */

/* How many units define something that a call of this function can mean. */
static bool only_one(const sa_linker *l, const sa_ir_func *func, uint32_t unit) {
  uint32_t first, end = sa_link_find(&l->all->definitions, func->name, func->nparams, &first);
  for (uint32_t i = first; i < end; i++)
    if (l->all->definitions.at[i].unit != l->self && l->all->definitions.at[i].unit != unit)
      return false;
  return true;
}

static bool calls_it(const sa_linker *l, uint32_t caller, uint32_t func) {
  const sa_ir_func *body = &l->out->funcs.at[caller];
  for (uint32_t b = 0; b < body->blocks.n; b++)
    for (uint32_t i = 0; i < body->blocks.at[b].insts.n; i++)
      if (body->blocks.at[b].insts.at[i].op == SA_OP_call &&
          body->blocks.at[b].insts.at[i].func == func)
        return true;
  return false;
}

static bool called_from(const sa_linker *l, uint32_t from, uint32_t func) {
  for (uint32_t f = from; f < l->out->funcs.n; f++)
    if (calls_it(l, f, func)) return true;
  return false;
}

static void take_callers(sa_linker *l, uint32_t func, uint32_t unit) {
  sa_ir_func about = l->out->funcs.at[func];
  uint32_t first, end = sa_link_find(&l->all->calls, about.name, about.nparams, &first);
  if (!only_one(l, &about, unit) || end - first > SA_LINK_CALLERS) return;
  for (uint32_t i = first; i < end; i++)
    if (l->all->calls.at[i].unit != l->self)
      sa_linker_take(l, l->all->calls.at[i].unit, l->all->calls.at[i].func, SA_LINK_DEPTH - 1);
  sa_linker_run(l);
}

static bool has_callers_elsewhere(const sa_ir_func *func) {
  if (func->blocks.n == 0 || (func->flags & SA_FUNC_LAMBDA) != 0) return false;
  return (func->flags & SA_FUNC_INTERNAL) == 0 || func->class_name != NULL;
}

/* The summary that a function was taken from, or SA_NO_INDEX. */
static uint32_t unit_of(const sa_linker *l, uint32_t func) {
  return func < l->nown ? SA_NO_INDEX : l->jobs.at[func - l->nown].unit;
}

/* A function that the program is seen to call, and that nothing shows to outside callers, belongs
 * to the program. */
static void internalise(sa_linker *l, uint32_t func) {
  enum { OPEN = SA_FUNC_EXPORTED | SA_FUNC_OVERRIDE | SA_FUNC_VIRTUAL };
  sa_ir_func *about = &l->out->funcs.at[func];
  if ((about->flags & OPEN) == 0 && called_from(l, l->nown, func)) about->flags |= SA_FUNC_INTERNAL;
}

void sa_linker_callers(sa_linker *l) {
  uint32_t from = 0;
  for (int level = 0; level < CALLER_LEVELS; level++) {
    const bool *recording = sa_linker_recording(l);
    uint32_t n = l->out->funcs.n;
    for (uint32_t f = from; f < n; f++) {
      bool own_header = f < l->nown && (l->out->funcs.at[f].flags & SA_FUNC_HEADER) != 0;
      if (recording[f] && !own_header && has_callers_elsewhere(&l->out->funcs.at[f]))
        take_callers(l, f, unit_of(l, f));
    }
    if (level == 0)
      for (uint32_t f = 0; f < l->nown; f++)
        if (recording[f]) internalise(l, f);
    from = n;
  }
}

/* ---- classes ---- */

typedef struct {
  sa_linker *l;
  SA_ARRAY(const char *) names; /* classes whose methods are wanted, each once */
} class_list;

static bool want(class_list *list, const char *name) {
  for (uint32_t i = 0; i < list->names.n; i++)
    if (strcmp(list->names.at[i], name) == 0) return false;
  if (list->names.n >= MAX_CLASSES) return false;
  sa_push(list->l->arena, &list->names, name);
  return true;
}

static bool same_place(const sa_linker *l, const sa_link_entry *a, const sa_link_entry *b) {
  const sa_ir_unit *ua = l->all->units.at[a->unit].unit, *ub = l->all->units.at[b->unit].unit;
  sa_range x = ua->classes.at[a->func].at, y = ub->classes.at[b->func].at;
  return x.line == y.line && x.column == y.column &&
         strcmp(ua->files.at[x.file], ub->files.at[y.file]) == 0;
}

/* The class whose qualified name ends in the components that are spelled; NULL when there is none,
 * or when two units define different ones. */
static const sa_link_entry *find_class(const sa_linker *l, const char *spelled) {
  sa_span last = sa_last_component(spelled);
  const char *key = sa_strndup(l->arena, last.at, last.length);
  const sa_link_entry *found = NULL;
  uint32_t first, end = sa_link_find(&l->all->classes, key, 0, &first);
  for (uint32_t i = first; i < end; i++) {
    const sa_link_entry *e = &l->all->classes.at[i];
    const char *name = l->all->units.at[e->unit].unit->classes.at[e->func].name;
    size_t n = strlen(name), tail = strlen(spelled);
    bool ends = n >= tail && strcmp(name + n - tail, spelled) == 0 &&
                (n == tail || name[n - tail - 1] == ':');
    if (e->unit == l->self || !ends) continue;
    if (found != NULL && !same_place(l, found, e)) return NULL;
    if (found == NULL) found = e;
  }
  return found;
}

/* A base class that holds no block says nothing about the object behind a handle of its type: what
 * derives from it may hold some. */
static bool says_nothing(const sa_linker *l, const sa_ir_class *class) {
  for (uint32_t i = 0; i < class->fields.n; i++)
    if (class->fields.at[i].type.kind == SA_TYPE_TENSOR && !class->fields.at[i].type.weak)
      return false;
  sa_span last = sa_last_component(class->name);
  uint32_t first;
  const char *key = sa_strndup(l->arena, last.at, last.length);
  if (sa_link_find(&l->all->bases, key, 0, &first) != first) return true;
  for (uint32_t i = 0; i < l->out->classes.n; i++)
    for (uint32_t b = 0; b < l->out->classes.at[i].bases.n; b++)
      if (sa_span_equals(sa_last_component(l->out->classes.at[i].bases.at[b]), key)) return true;
  return false;
}

static const sa_ir_class *known_class(const sa_linker *l, const char *spelled) {
  size_t tail = strlen(spelled);
  for (uint32_t i = 0; i < l->out->classes.n; i++) {
    const char *name = l->out->classes.at[i].name;
    size_t n = strlen(name);
    if (n >= tail && strcmp(name + n - tail, spelled) == 0 &&
        (n == tail || name[n - tail - 1] == ':'))
      return &l->out->classes.at[i];
  }
  return NULL;
}

static void take_class(class_list *list, const char *spelled, int depth) {
  sa_linker *l = list->l;
  const sa_ir_class *known = known_class(l, spelled);
  if (known == NULL) {
    const sa_link_entry *e = find_class(l, spelled);
    if (e == NULL || list->names.n >= MAX_CLASSES) return;
    sa_ir_class class = l->all->units.at[e->unit].unit->classes.at[e->func];
    if (says_nothing(l, &class)) {
      want(list, class.name);
      return;
    }
    class.at = sa_linker_place(l, e->unit, class.at);
    sa_push(l->arena, &l->out->classes, class);
    l->changed = true;
    known = &l->out->classes.at[l->out->classes.n - 1];
  }
  sa_ir_class class = *known; /* the array may move */
  if (!want(list, class.name)) return;
  for (uint32_t i = 0; i < class.bases.n && depth < MAX_BASES; i++)
    take_class(list, class.bases.at[i], depth + 1);
}

/* Every qualified name in a type's spelling: "std::shared_ptr<ns::Work>" has ns::Work, and
 * "package.module.Work" is one. */
static void take_named(class_list *list, sa_ir_type type) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.";
  if (type.kind != SA_TYPE_HANDLE && type.kind != SA_TYPE_OBJECT && type.kind != SA_TYPE_UNKNOWN)
    return;
  for (const char *at = type.name != NULL ? type.name : ""; *at != '\0';) {
    size_t n = strspn(at, letters);
    if (n > 0 && (at[0] < '0' || at[0] > '9') && at[0] != ':' && strncmp(at, "std::", 5) != 0)
      take_class(list, sa_strndup(list->l->arena, at, n), 0);
    at += n > 0 ? n : 1;
  }
}

static void take_classes_of(class_list *list, uint32_t func) {
  sa_ir_func about = list->l->out->funcs.at[func];
  if (about.class_name != NULL) take_class(list, about.class_name, 0);
  take_named(list, about.returns);
  for (uint32_t i = 1; func < list->l->nown && i < about.regs.n; i++)
    take_named(list, about.regs.at[i].type);
}

void sa_linker_classes(sa_linker *l) {
  class_list list = {.l = l};
  const bool *recording = sa_linker_recording(l);
  for (uint32_t f = 0, n = l->out->funcs.n; f < n; f++)
    if (recording[f]) take_classes_of(&list, f);
  for (uint32_t c = 0; c < list.names.n; c++) {
    uint32_t first, end = sa_link_find(&l->all->methods, list.names.at[c], 0, &first);
    if (end - first > SA_LINK_METHODS) end = first + SA_LINK_METHODS;
    for (uint32_t i = first; i < end; i++)
      if (l->all->methods.at[i].unit != l->self)
        sa_linker_take(l, l->all->methods.at[i].unit, l->all->methods.at[i].func,
                       SA_LINK_DEPTH - 1);
  }
  sa_linker_run(l);
}
