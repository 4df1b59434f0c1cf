/* One file from text to unit: parse, collect, lower until nothing new is learnt, account for
 * tokens. */
#include "frontend/python/imports.h"
#include "frontend/python/internal.h"
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

/* All functions, or those whose lessons have changed since they were lowered, into a new unit.
 * Functions around others come first: a closure is lowered where it is made. Returns whether some
 * function has since become stale. */
static bool lower_round(lowering *lo, bool all) {
  new_unit(lo);
  py_declare_units(lo);
  bool again = false;
  for (uint32_t i = 0; i < lo->funcs.n; i++) {
    py_func *f = &lo->funcs.at[i];
    if (f->parent != SA_NO_INDEX || !(all || f->stale)) continue;
    f->stale = false;
    lo->reader = i;
    py_lower_function(lo, i, NULL);
  }
  lo->reader = SA_NO_INDEX;
  for (uint32_t i = 0; i < lo->funcs.n; i++) again |= lo->funcs.at[i].stale;
  return again;
}

/* A function's lowering rests on nothing but its text and the lessons that it asks for. So after the
 * first round only stale ones teach anything new, and the last round has all of them. */
static void lower_rounds(lowering *lo) {
  bool again = lower_round(lo, true);
  if (!again) {
    py_declare_returns(lo);
    return;
  }
  for (int round = 2; again && round < MAX_ROUNDS; round++) again = lower_round(lo, false);
  lower_round(lo, true);
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
