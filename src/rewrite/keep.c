/* The edit that lets a holder keep the block: its statement in the place of the call. */
#include "rewrite/layout.h"
#include "rewrite/stash.h"

/* The statement goes in front of the call, and in its place. */
static const char *put(const sa_layout *before, const sa_layout *instead, sa_layout_call call,
                       const char *statement) {
  const sa_shape *shape = before->shape;
  uint32_t stmt = sa_layout_statement(before, call);
  if (stmt == SA_SHAPE_NONE) return "the call is no statement of its own";
  sa_lines_of_code lines = {0};
  sa_push(before->arena, &lines, statement);
  const char *why = sa_layout_before(before, stmt, &lines);
  sa_splice splice = {shape->stmts.at[stmt].begin, shape->stmts.at[stmt].end, statement};
  if (why == NULL && !sa_splices_add(instead->arena, instead->splices, splice))
    why = "its edits overlap";
  return why;
}

const char *sa_keep_plan(const sa_rewrite_input *input, const sa_shape *shape, sa_plan *plan) {
  sa_candidate candidate = {.keeps = true};
  sa_layout before = {input->arena, input->rules, shape, &candidate.ordering};
  sa_layout instead = {input->arena, input->rules, shape, &candidate.all};
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    sa_range at = input->facts->sites.at[plan->sites.at[i]].at;
    sa_layout_call call = {at.offset, at.end_offset};
    const char *statement = sa_stash_statement(input, plan->sites.at[i]);
    if (statement == NULL) return "no holder can keep the block here";
    const char *why = statement[0] == '\0' ? sa_layout_delete(&instead, &call, 1)
                                           : put(&before, &instead, call, statement);
    if (why != NULL) return why;
  }
  sa_push(input->arena, &plan->candidates, candidate);
  return NULL;
}
