/* What a name stands for. Once all declarations are collected, every answer is kept. */
#include "base/hash.h"
#include "frontend/python/lessons.h"
#include "model/names.h"

#include <string.h>

typedef enum { ASK_ALIAS = 1, ASK_GLOBAL, ASK_CLASS, ASK_FUNC, ASK_METHOD, ASK_MODULE } question;

typedef uint32_t finder(const lowering *lo, const char *owner, const char *name);

/* Asks `find` unless the answer is known. */
static uint32_t answer(const lowering *lo, question q, finder *find, const char *owner,
                       const char *name) {
  if (lo->answers == NULL) return find(lo, owner, name);
  uint64_t key = py_key_of(owner != NULL ? sa_hash_string(owner, q) : q, name);
  bool is_new;
  uint32_t known = *sa_table_at(lo->arena, &lo->answers->found, key, &is_new);
  if (!is_new) return known;
  uint32_t found = find(lo, owner, name); /* may ask other questions */
  *sa_table_at(lo->arena, &lo->answers->found, key, &is_new) = found;
  return found;
}

static uint32_t find_alias(const lowering *lo, const char *owner, const char *name) {
  (void)owner;
  for (uint32_t i = lo->aliases.n; i > 0; i--)
    if (strcmp(lo->aliases.at[i - 1].name, name) == 0) return i - 1;
  return SA_NO_INDEX;
}

const char *py_find_alias(const lowering *lo, const char *name) {
  uint32_t found = answer(lo, ASK_ALIAS, find_alias, NULL, name);
  return found != SA_NO_INDEX ? lo->aliases.at[found].dotted : NULL;
}

static uint32_t find_global(const lowering *lo, const char *owner, const char *name) {
  (void)owner;
  for (uint32_t i = 0; i < lo->globals.n; i++)
    if (strcmp(lo->globals.at[i], name) == 0) return i;
  return SA_NO_INDEX;
}

bool py_is_global(const lowering *lo, const char *name) {
  return answer(lo, ASK_GLOBAL, find_global, NULL, name) != SA_NO_INDEX;
}

static bool bears(const py_class *c, const char *name) {
  return strcmp(c->qualified, name) == 0 || strcmp(c->name, name) == 0;
}

static uint32_t find_class(const lowering *lo, const char *owner, const char *name) {
  (void)owner;
  for (uint32_t i = lo->classes.n; i > 0; i--)
    if (bears(&lo->classes.at[i - 1], name)) return i - 1;
  return SA_NO_INDEX;
}

const py_class *py_find_class(const lowering *lo, const char *name) {
  uint32_t found = answer(lo, ASK_CLASS, find_class, NULL, name);
  return found != SA_NO_INDEX ? &lo->classes.at[found] : NULL;
}

const py_class *py_class_before(const lowering *lo, const char *name, TSNode use) {
  const py_class *last = py_find_class(lo, name);
  if (last == NULL) return NULL;
  for (const py_class *c = last + 1; c-- > lo->classes.at;)
    if (ts_node_start_byte(c->node) < ts_node_start_byte(use) && bears(c, name)) return c;
  return last;
}

static uint32_t find_func(const lowering *lo, const char *owner, const char *name) {
  (void)owner;
  for (uint32_t i = lo->funcs.n; i > 1; i--) {
    const py_func *f = &lo->funcs.at[i - 1];
    if (f->klass == SA_NO_INDEX && f->parent == SA_NO_INDEX && !f->overloaded &&
        strcmp(f->name, name) == 0)
      return i - 1;
  }
  return SA_NO_INDEX;
}

uint32_t py_find_module_func(const lowering *lo, const char *name) {
  return answer(lo, ASK_FUNC, find_func, NULL, name);
}

static uint32_t find_method_in(const lowering *lo, const char *klass, const char *name,
                               unsigned *asked) {
  enum { MAX_CLASSES = 64 };
  const py_class *c = py_find_class(lo, klass);
  if (c == NULL || ++*asked > MAX_CLASSES) return SA_NO_INDEX;
  for (uint32_t i = lo->funcs.n; i > 1; i--) {
    const py_func *f = &lo->funcs.at[i - 1];
    if (f->klass != SA_NO_INDEX && &lo->classes.at[f->klass] == c && !f->overloaded &&
        strcmp(f->name, name) == 0)
      return i - 1;
  }
  for (uint32_t i = 0; i < c->bases.n; i++) {
    uint32_t found = find_method_in(lo, c->bases.at[i], name, asked);
    if (found != SA_NO_INDEX) return found;
  }
  return SA_NO_INDEX;
}

static uint32_t find_method(const lowering *lo, const char *klass, const char *name) {
  unsigned asked = 0;
  return find_method_in(lo, klass, name, &asked);
}

uint32_t py_find_method(const lowering *lo, const char *klass, const char *name) {
  return answer(lo, ASK_METHOD, find_method, klass, name);
}

/* What `import` binds by its own name, or what the rules know as the module of a class of streams,
 * below such a name. Only whether there is an answer counts. */
static uint32_t find_module(const lowering *lo, const char *owner, const char *dotted) {
  (void)owner;
  const char *head = sa_strndup(lo->arena, dotted, strcspn(dotted, "."));
  const char *alias = py_find_alias(lo, head), *name = py_with_colons(lo, dotted);
  if (alias == NULL || strcmp(alias, head) != 0) return SA_NO_INDEX;
  if (strcmp(head, dotted) == 0) return 0;
  for (uint32_t i = 0; i < lo->rules->types.n; i++) {
    const sa_type_rule *rule = &lo->rules->types.at[i];
    sa_span last = sa_last_component(rule->name);
    if (!rule->python || rule->kind != SA_TYPE_STREAM || last.at < rule->name + 3) continue;
    const char *of = sa_strndup(lo->arena, rule->name, (size_t)(last.at - rule->name) - 2);
    if (sa_name_matches(of, name)) return 0;
  }
  return SA_NO_INDEX;
}

bool py_is_module(const lowering *lo, const char *dotted) {
  return answer(lo, ASK_MODULE, find_module, NULL, dotted) != SA_NO_INDEX;
}
