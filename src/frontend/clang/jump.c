#include "frontend/clang/jump.h"

#include <string.h>

/* A variable that lives at a goto, by its scope and place in it. */
typedef struct {
  unsigned scope;
  uint32_t number;
  sa_reg reg;
} alive;

/* A scope that a label stands in, and how many variables it had by then. */
typedef struct {
  unsigned scope;
  uint32_t vars;
} standing;

typedef struct {
  const char *name;
  uint32_t block;
  bool seen; /* the label itself was lowered, `scopes` is known */
  SA_ARRAY(standing) scopes;
} label;

/* A goto whose label was not seen yet. */
typedef struct {
  uint32_t label;
  uint32_t block;
  CXCursor at;
  SA_ARRAY(alive) vars; /* the innermost and last declared first */
} pending;

struct jumps {
  SA_ARRAY(label) labels;
  SA_ARRAY(pending) gotos;
};

static struct jumps *jumps_of(body *b) {
  if (b->jumps == NULL) b->jumps = sa_alloc(b->lo->arena, sizeof *b->jumps);
  return b->jumps;
}

static uint32_t find_label(body *b, const char *name) {
  struct jumps *all = jumps_of(b);
  for (uint32_t i = 0; i < all->labels.n; i++)
    if (strcmp(all->labels.at[i].name, name) == 0) return i;
  label made = {.name = name, .block = add_block(b)};
  sa_push(b->lo->arena, &all->labels, made);
  return all->labels.n - 1;
}

static bool lives_on(const label *to, const alive *v) {
  for (uint32_t i = 0; i < to->scopes.n; i++)
    if (to->scopes.at[i].scope == v->scope) return v->number < to->scopes.at[i].vars;
  return false;
}

static void end_left_variables(body *b, const pending *jump) {
  const label *to = &b->jumps->labels.at[jump->label];
  uint32_t here = b->block;
  b->block = jump->block;
  for (uint32_t i = 0; i < jump->vars.n; i++)
    if (!lives_on(to, &jump->vars.at[i])) end_variable(b, jump->vars.at[i].reg, jump->at);
  b->block = here;
}

void lower_goto(body *b, CXCursor cursor) {
  cursors parts = children_of(b->lo, cursor);
  if (parts.n == 0 || !block_is_open(b)) return;
  uint32_t to = find_label(b, spelling_of(b->lo, parts.at[0]));
  pending jump = {.label = to, .block = b->block, .at = cursor};
  for (const scope *s = b->scope; s != NULL; s = s->outer)
    for (uint32_t i = s->vars.n; i > 0; i--)
      sa_push(b->lo->arena, &jump.vars, ((alive){s->id, i - 1, s->vars.at[i - 1]}));
  if (b->jumps->labels.at[to].seen)
    end_left_variables(b, &jump);
  else
    sa_push(b->lo->arena, &b->jumps->gotos, jump);
  finish_goto(b, b->jumps->labels.at[to].block);
}

void lower_label(body *b, CXCursor cursor) {
  uint32_t number = find_label(b, spelling_of(b->lo, cursor));
  label *here = &b->jumps->labels.at[number];
  here->seen = true;
  for (const scope *s = b->scope; s != NULL; s = s->outer)
    sa_push(b->lo->arena, &here->scopes, ((standing){s->id, s->vars.n}));
  for (uint32_t i = 0; i < b->jumps->gotos.n; i++)
    if (b->jumps->gotos.at[i].label == number) end_left_variables(b, &b->jumps->gotos.at[i]);
  uint32_t block = here->block;
  finish_goto(b, block);
  start_block(b, block);
  cursors parts = children_of(b->lo, cursor);
  if (parts.n > 0) lower_statement(b, parts.at[parts.n - 1]);
}
