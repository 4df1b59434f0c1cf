#include "link/summaries.h"

#include "base/fs.h"
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARENTS = 64, MAX_FILES = 1000000 };

/* ---- index ---- */

static int compare_entries(const void *a, const void *b) {
  const sa_link_entry *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  if (order == 0) order = (x->count > y->count) - (x->count < y->count);
  if (order == 0) order = (x->unit > y->unit) - (x->unit < y->unit);
  return order != 0 ? order : (x->func > y->func) - (x->func < y->func);
}

static void sort_entries(sa_link_entries *entries) {
  uint32_t kept = 0;
  if (entries->n == 0) return;
  qsort(entries->at, entries->n, sizeof *entries->at, compare_entries);
  for (uint32_t i = 1; i < entries->n; i++)
    if (compare_entries(&entries->at[kept], &entries->at[i]) != 0)
      entries->at[++kept] = entries->at[i];
  entries->n = kept + 1;
}

uint32_t sa_link_find(const sa_link_entries *in, const char *name, uint32_t count,
                      uint32_t *first) {
  uint32_t low = 0, high = in->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const sa_link_entry *e = &in->at[middle];
    int order = strcmp(e->name, name);
    if (order < 0 || (order == 0 && e->count < count))
      low = middle + 1;
    else
      high = middle;
  }
  *first = low;
  while (low < in->n && in->at[low].count == count && strcmp(in->at[low].name, name) == 0) low++;
  return low;
}

/* In the unit's own file: other units see headers themselves. */
static bool own(const sa_ir_func *func) {
  return sa_range_known(func->at) && func->at.file == 0;
}

static uint32_t outermost(const sa_ir_unit *unit, uint32_t func) {
  for (int i = 0; i < MAX_PARENTS && unit->funcs.at[func].parent != SA_NO_INDEX; i++)
    func = unit->funcs.at[func].parent;
  return unit->funcs.at[func].parent == SA_NO_INDEX ? func : SA_NO_INDEX;
}

static void add_calls(sa_summaries *all, sa_arena *arena, uint32_t u, uint32_t f) {
  const sa_ir_unit *unit = all->units.at[u].unit;
  const sa_ir_func *func = &unit->funcs.at[f];
  uint32_t named = outermost(unit, f);
  if (named == SA_NO_INDEX || !own(&unit->funcs.at[named])) return;
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      bool open = inst->op == SA_OP_call && inst->text[0] != '\0' &&
                  (inst->func == SA_NO_INDEX || unit->funcs.at[inst->func].blocks.n == 0);
      if (open) sa_push(arena, &all->calls, (sa_link_entry){inst->text, inst->nargs, u, named});
    }
}

static void add_function(sa_summaries *all, sa_arena *arena, uint32_t u, uint32_t f) {
  const sa_ir_func *func = &all->units.at[u].unit->funcs.at[f];
  add_calls(all, arena, u, f);
  if (!own(func) || func->blocks.n == 0 || (func->flags & SA_FUNC_LAMBDA) != 0) return;
  if (func->class_name != NULL)
    sa_push(arena, &all->methods, (sa_link_entry){func->class_name, 0, u, f});
  /* An internal function can only be called here; a private method may be called in any unit. */
  if ((func->flags & SA_FUNC_INTERNAL) != 0 && func->class_name == NULL) return;
  sa_push(arena, &all->definitions, (sa_link_entry){func->name, func->nparams, u, f});
}

static void add_last(sa_link_entries *to, sa_arena *arena, const char *name, uint32_t unit,
                     uint32_t index) {
  sa_span last = sa_last_component(name);
  sa_push(arena, to, (sa_link_entry){sa_strndup(arena, last.at, last.length), 0, unit, index});
}

static void index_units(sa_summaries *all, sa_arena *arena) {
  for (uint32_t u = 0; u < all->units.n; u++) {
    const sa_ir_unit *unit = all->units.at[u].unit;
    for (uint32_t f = 0; f < unit->funcs.n; f++) add_function(all, arena, u, f);
    for (uint32_t c = 0; c < unit->classes.n; c++) {
      const sa_ir_class *class = &unit->classes.at[c];
      add_last(&all->classes, arena, class->name, u, c);
      for (uint32_t b = 0; b < class->bases.n; b++)
        add_last(&all->bases, arena, class->bases.at[b], u, c);
    }
  }
  sort_entries(&all->definitions);
  sort_entries(&all->calls);
  sort_entries(&all->methods);
  sort_entries(&all->classes);
  sort_entries(&all->bases);
}

/* ---- units ---- */

static int compare_units(const void *a, const void *b) {
  const sa_summary *const *x = a, *const *y = b;
  int order = strcmp((*x)->unit->path, (*y)->unit->path);
  return order != 0 ? order : (*x > *y) - (*x < *y); /* as they were given */
}

static bool same_unit(const sa_summary *a, const sa_summary *b, sa_arena *arena) {
  return a->source == b->source &&
         strcmp(sa_ir_print(arena, a->unit), sa_ir_print(arena, b->unit)) == 0;
}

static sa_summaries *collect(sa_arena *arena, sa_diag *diag, const sa_summary *units, uint32_t n) {
  sa_summaries *all = sa_alloc(arena, sizeof *all);
  const sa_summary **sorted = sa_alloc(arena, (n + 1) * sizeof *sorted);
  for (uint32_t i = 0; i < n; i++) sorted[i] = &units[i];
  if (n > 1) qsort(sorted, n, sizeof *sorted, compare_units);
  for (uint32_t i = 0; i < n; i++) {
    const sa_summary *last = all->units.n > 0 ? &all->units.at[all->units.n - 1] : NULL;
    bool again = last != NULL && strcmp(last->unit->path, sorted[i]->unit->path) == 0;
    if (!again)
      sa_push(arena, &all->units, *sorted[i]);
    else if (diag != NULL && !same_unit(last, sorted[i], arena))
      sa_report(diag, SA_WARNING, sorted[i]->file, 1, 1,
                "the summary is ignored: '%s' has another one for '%s'", last->file,
                last->unit->path);
  }
  index_units(all, arena);
  return all;
}

sa_summaries *sa_summaries_of(sa_arena *arena, const sa_summary *units, uint32_t n) {
  return collect(arena, NULL, units, n);
}

const sa_summary *sa_summaries_find(const sa_summaries *all, const char *path) {
  uint32_t low = 0, high = all->units.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(all->units.at[middle].unit->path, path);
    if (order == 0) return &all->units.at[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* ---- functions that record ---- */

static bool takes_stream(const sa_ir_func *func) {
  for (uint32_t i = 1; i <= func->nparams; i++)
    if (func->regs.at[i].type.kind == SA_TYPE_STREAM) return true;
  return false;
}

/* What a function that only hands blocks and streams on to a record does not do. */
static bool is_work(sa_ir_op op) {
  switch (op) {
  case SA_OP_setfield:
  case SA_OP_append:
  case SA_OP_alloc:
  case SA_OP_event_record:
  case SA_OP_event_wait:
  case SA_OP_stream_wait:
  case SA_OP_sync_event:
  case SA_OP_sync_stream:
  case SA_OP_sync_device:
  case SA_OP_set_stream:
  case SA_OP_guard:
  case SA_OP_wait_handle:
    return true;
  default:
    return false;
  }
}

/* Records, itself or through a function of its unit, and does no other work on streams. */
static bool records(const sa_ir_unit *unit, const sa_ir_func *func, int depth) {
  enum { MAX_DEPTH = 2 };
  bool any = false;
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
      if (is_work(inst->op)) return false;
      bool inner = !any && inst->op == SA_OP_call && inst->func != SA_NO_INDEX && depth < MAX_DEPTH;
      any |= inst->op == SA_OP_record ||
             (inner && records(unit, &unit->funcs.at[inst->func], depth + 1));
    }
  return any;
}

sa_link_names sa_summaries_recorders(sa_arena *arena, const sa_summaries *all) {
  enum { SHORTEST = 4 };
  sa_link_names names = {0};
  for (uint32_t i = 0; i < all->definitions.n; i++) {
    const sa_link_entry *e = &all->definitions.at[i];
    const sa_ir_unit *unit = all->units.at[e->unit].unit;
    if (!takes_stream(&unit->funcs.at[e->func]) || !records(unit, &unit->funcs.at[e->func], 0))
      continue;
    sa_span last = sa_last_component(e->name);
    if (last.length < SHORTEST) continue; /* would be found in every source */
    sa_push(arena, &names, sa_strndup(arena, last.at, last.length));
  }
  return names;
}

/* ---- files ---- */

typedef struct {
  sa_arena *arena;
  sa_diag *diag;
  const char *tool;
  SA_ARRAY(sa_summary) units;
} loader;

static bool enter(void *context, const char *path) {
  (void)context;
  (void)path;
  return true;
}

static void load_file(void *context, const char *path, bool is_link) {
  loader *l = context;
  size_t length = strlen(path), suffix = strlen(SA_SUMMARY_SUFFIX), size = 0;
  char *text = NULL;
  sa_summary summary;
  sa_diag reading = {.arena = l->arena};
  (void)is_link;
  if (length < suffix || strcmp(path + length - suffix, SA_SUMMARY_SUFFIX) != 0) return;
  if (l->units.n >= MAX_FILES) return;
  if (sa_fs_read_text(&text, &size, l->arena, &reading, path, SA_SUMMARY_LIMIT) != SA_OK) {
    sa_report(l->diag, SA_WARNING, path, 1, 1, "the summary is ignored: %s",
              reading.messages.at[0].text);
    return;
  }
  if (sa_summary_read(&summary, l->arena, l->diag, path, text, size, l->tool) == SA_OK)
    sa_push(l->arena, &l->units, summary);
}

static void trouble(void *context, const char *path) {
  loader *l = context;
  sa_report(l->diag, SA_WARNING, path, 0, 0, "the directory cannot be read");
}

sa_status sa_summaries_load(sa_summaries **out, sa_arena *arena, sa_diag *diag,
                            const char *const *directories, uint32_t n, const char *tool) {
  loader l = {.arena = arena, .diag = diag, .tool = tool};
  sa_walk walk = {&l, enter, load_file, trouble};
  *out = NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (!sa_fs_is_directory(directories[i])) {
      sa_report(diag, SA_ERROR, directories[i], 0, 0, "there is no such directory of summaries");
      return SA_E_USAGE;
    }
    sa_fs_walk(arena, directories[i], &walk);
  }
  *out = collect(arena, diag, l.units.at, l.units.n);
  return SA_OK;
}
