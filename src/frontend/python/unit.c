/* One file from text to unit: parse, collect, lower until nothing new is learnt, account for
 * tokens. */
#include "frontend/python/imports.h"
#include "frontend/python/lessons.h"
#include "frontend/python/python.h"

#include <string.h>

enum { MAX_ROUNDS = 12 };

static void new_unit(lowering *lo) {
  lo->unit = sa_alloc(lo->arena, sizeof *lo->unit);
  lo->unit->path = lo->job->path;
  lo->unit->language = lo->job->language;
  sa_push(lo->arena, &lo->unit->files, lo->job->path);
  for (uint32_t i = 0; i < lo->tokens.n; i++)
    sa_push(lo->arena, &lo->unit->tokens, lo->tokens.at[i]);
}

static uint32_t outermost(const lowering *lo, uint32_t func) {
  while (lo->funcs.at[func].parent != SA_NO_INDEX) func = lo->funcs.at[func].parent;
  return func;
}

/* A function without parent and what is written in it: a closure is lowered where it is made. */
static void lower_again(lowering *lo, uint32_t func) {
  uint32_t end = ts_node_end_byte(lo->funcs.at[func].node);
  for (uint32_t i = func; i < lo->funcs.n && ts_node_start_byte(lo->funcs.at[i].node) < end; i++)
    if (outermost(lo, i) == func) py_declare_func(lo, i);
  lo->funcs.at[func].stale = false;
  lo->reader = func;
  py_lower_function(lo, func, NULL);
  lo->reader = SA_NO_INDEX;
}

/* Lowers all stale functions. Returns whether some have since become stale again. */
static bool lower_round(lowering *lo) {
  bool again = false;
  py_declare_returns(lo);
  for (uint32_t i = 0; i < lo->funcs.n; i++)
    if (lo->funcs.at[i].stale) lower_again(lo, i);
  for (uint32_t i = 0; i < lo->funcs.n; i++) again |= lo->funcs.at[i].stale;
  return again;
}

static bool lower_all(lowering *lo) {
  new_unit(lo);
  py_declare_units(lo);
  for (uint32_t i = 0; i < lo->funcs.n; i++)
    lo->funcs.at[i].stale = lo->funcs.at[i].parent == SA_NO_INDEX;
  return lower_round(lo);
}

/* A function's lowering rests on nothing but its text and the lessons that it asks for, so after
 * the first round only stale ones have anything new. */
static void lower_rounds(lowering *lo) {
  bool first = !lower_all(lo), again = !first;
  for (int round = 2; again && round < MAX_ROUNDS; round++) again = lower_round(lo);
  /* Sites are numbered as they are met, each once. */
  if (!first && lo->unit->sites.n > 0) lower_all(lo);
  py_declare_returns(lo);
}

TSTree *py_lower_text(lowering *lo, const char **why) {
  TSTree *tree = sa_python_tree(lo->job->text, lo->job->length, why);
  if (tree == NULL) return NULL;
  lo->root = ts_tree_root_node(tree);
  lo->reader = SA_NO_INDEX;
  py_scan_tokens(lo);
  py_collect_declarations(lo);
  lower_rounds(lo);
  py_close_reading(&lo->reading);
  return tree;
}

/* What the grammar does not take, by its text: the place moves when something before it changes. */
static void keep_complaints(lowering *lo) {
  enum { MAX_COMPLAINTS = 1000, LONGEST = 60 };
  if (!ts_node_has_error(lo->root)) return;
  TSTreeCursor cursor = ts_tree_cursor_new(lo->root);
  for (bool more = true; more && lo->unit->complaints.n < MAX_COMPLAINTS;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    bool wrong = ts_node_is_error(node) || ts_node_is_missing(node);
    if (wrong)
      sa_push(lo->arena, &lo->unit->complaints,
              sa_printf(lo->arena, "syntax error at '%.*s'", LONGEST, py_text_of(lo, node)));
    if (!wrong && ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)))
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
  }
  ts_tree_cursor_delete(&cursor);
}

sa_status sa_python_lower(sa_ir_unit **out, sa_arena *arena, sa_diag *diag, const sa_ruleset *rules,
                          const sa_job *job) {
  *out = NULL;
  lowering lo = {.arena = arena, .rules = rules, .job = job};
  const char *why = NULL;
  TSTree *tree = py_lower_text(&lo, &why);
  if (tree == NULL) {
    sa_report(diag, SA_ERROR, job->path, 0, 0, "the Python parser gave no tree for this file: %s",
              why);
    return SA_E_PARSE;
  }
  py_settle_tokens(&lo, "stands in code that is not well formed or nested too deeply");
  py_finish_imports(&lo);
  keep_complaints(&lo);
  *out = lo.unit;
  ts_tree_delete(tree);
  return SA_OK;
}

sa_ir_unit *sa_python_account(sa_arena *arena, const sa_ruleset *rules, const sa_job *job,
                              const char *reason) {
  lowering lo = {.arena = arena, .rules = rules, .job = job};
  py_scan_tokens(&lo);
  new_unit(&lo);
  py_settle_tokens(&lo, reason);
  return lo.unit;
}
