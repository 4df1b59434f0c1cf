/* An event recorded at the wrong place: the statement that records it moves. */
#include "rewrite/order.h"

#include <string.h>

typedef struct {
  const sa_rewrite_input *in;
  const sa_finding *finding;
  const sa_shape *shape;
} mover;

/* The statement at the first step of that role, or SA_SHAPE_NONE. */
static uint32_t step_of(const mover *m, const char *role) {
  for (uint32_t i = 0; i < m->finding->evidence.n; i++) {
    const sa_step *step = &m->finding->evidence.at[i];
    if (strcmp(step->role, role) != 0 || strcmp(step->at.file, m->finding->at.file) != 0) continue;
    uint32_t at = sa_text_offset(m->in->text, m->in->length, step->at.line, step->at.column);
    return sa_shape_at(m->shape, at, at + 1);
  }
  return SA_SHAPE_NONE;
}

/* The name between single quotes in the step that waits. */
static const char *event_name(const mover *m) {
  for (uint32_t i = 0; i < m->finding->evidence.n; i++) {
    const sa_step *step = &m->finding->evidence.at[i];
    const char *open = strchr(step->text, '\''),
               *close = open != NULL ? strchr(open + 1, '\'') : NULL;
    if (strcmp(step->role, "wait") == 0 && close != NULL)
      return sa_strndup(m->in->arena, open + 1, (size_t)(close - open) - 1);
  }
  return NULL;
}

/* The first statement behind `wait` that records that event. */
static uint32_t record_after(const mover *m, uint32_t wait, const char *name) {
  const sa_ir_unit *unit = m->in->unit;
  uint32_t after = m->shape->stmts.at[wait].end, best = SA_SHAPE_NONE;
  for (uint32_t f = 0; f < unit->funcs.n; f++) {
    const sa_ir_func *func = &unit->funcs.at[f];
    for (uint32_t b = 0; b < func->blocks.n; b++)
      for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
        const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
        if (inst->op != SA_OP_event_record || inst->at.file != 0 || inst->at.offset < after)
          continue;
        if (strcmp(func->regs.at[inst->args[0]].name, name) != 0) continue;
        uint32_t stmt = sa_shape_at(m->shape, inst->at.offset, inst->at.end_offset);
        if (stmt != SA_SHAPE_NONE && (best == SA_SHAPE_NONE || m->shape->stmts.at[stmt].begin <
                                                                   m->shape->stmts.at[best].begin))
          best = stmt;
      }
  }
  return best;
}

/* Whether the instruction waits for the event of that name, or is a call that is given it; an event
 * without a name may be any. */
static bool waits_for(const sa_ir_func *func, const sa_ir_inst *inst, const char *event) {
  bool wait = inst->op == SA_OP_event_wait || inst->op == SA_OP_sync_event;
  if (!wait && inst->op != SA_OP_call) return false;
  for (uint32_t i = inst->op == SA_OP_event_wait; i < inst->nargs; i++) {
    const sa_ir_reg *reg = &func->regs.at[inst->args[i]];
    if (!wait && (inst->args[i] == 0 || reg->type.kind != SA_TYPE_EVENT)) continue;
    if (event[0] == '\0' || reg->name[0] == '\0' || strcmp(reg->name, event) == 0) return true;
  }
  return false;
}

static const char *recorded_event(const mover *m, const sa_stmt *record) {
  for (uint32_t f = 0; f < m->in->unit->funcs.n; f++) {
    const sa_ir_func *func = &m->in->unit->funcs.at[f];
    for (uint32_t b = 0; b < func->blocks.n; b++)
      for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
        const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
        if (inst->op == SA_OP_event_record && inst->at.file == 0 &&
            inst->at.offset >= record->begin && inst->at.offset < record->end)
          return func->regs.at[inst->args[0]].name;
      }
  }
  return "";
}

/* Whether something between the record and the end of `behind` waits for the event, or for one that
 * may be it: that wait would then come before the record. */
static bool waited_between(const mover *m, const sa_stmt *record, const sa_stmt *behind) {
  const char *event = recorded_event(m, record);
  for (uint32_t f = 0; f < m->in->unit->funcs.n; f++) {
    const sa_ir_func *func = &m->in->unit->funcs.at[f];
    for (uint32_t b = 0; b < func->blocks.n; b++)
      for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
        const sa_ir_inst *inst = &func->blocks.at[b].insts.at[i];
        if (inst->at.file == 0 && inst->at.offset >= record->end && inst->at.offset < behind->end &&
            waits_for(func, inst, event))
          return true;
      }
  }
  return false;
}

/* The statement's text goes, and comes again in front of `before` or behind `behind`. */
static const char *move(const mover *m, sa_plan *plan, uint32_t record, uint32_t before,
                        uint32_t behind) {
  const sa_stmt *s = &m->shape->stmts.at[record];
  sa_candidate candidate = {0};
  sa_layout l = {m->in->arena, m->in->rules, m->shape, &candidate.all};
  sa_lines_of_code lines = {0};
  if (s->kind != SA_STMT_PLAIN || s->role != SA_IN_BLOCK || s->label)
    return "the event is not recorded by a statement of its own";
  if (memchr(m->in->text + s->begin, '\n', s->end - s->begin) != NULL)
    return "the statement that records the event has several lines";
  sa_push(m->in->arena, &lines,
          sa_strndup(m->in->arena, m->in->text + s->begin, s->end - s->begin));
  const char *why = sa_layout_take_out(&l, record);
  if (why == NULL)
    why = before != SA_SHAPE_NONE ? sa_layout_before(&l, before, &lines)
                                  : sa_layout_after(&l, behind, &lines);
  if (why == NULL) sa_push(m->in->arena, &plan->candidates, candidate);
  return why;
}

static const char *plan_move(const mover *m, sa_plan *plan) {
  uint32_t record = step_of(m, "event"), use = step_of(m, "side-use"), wait = step_of(m, "wait");
  if (m->shape->unsound != NULL) return m->shape->unsound;
  if (record != SA_SHAPE_NONE && use != SA_SHAPE_NONE) {
    uint32_t behind = sa_shape_child_of(m->shape, use, m->shape->stmts.at[record].parent);
    if (behind == SA_SHAPE_NONE || behind == record)
      return "the last use does not stand beside the event's record";
    if (waited_between(m, &m->shape->stmts.at[record], &m->shape->stmts.at[behind]))
      return "the event is waited for before the statement of the last use ends";
    return move(m, plan, record, SA_SHAPE_NONE, behind);
  }
  const char *name = event_name(m);
  if (wait == SA_SHAPE_NONE || name == NULL) return "the event's record is not seen";
  record = record_after(m, wait, name);
  if (record == SA_SHAPE_NONE) return "the event's record is not seen";
  return move(m, plan, record, wait, SA_SHAPE_NONE);
}

void sa_plan_event(const sa_rewrite_input *input, uint32_t finding, sa_plans *plans) {
  sa_plan plan = {.kind = SA_PLAN_EVENT, .finding = finding};
  mover m = {.in = input, .finding = &input->result->findings.at[finding]};
  uint32_t at =
      sa_text_offset(input->text, input->length, m.finding->at.line, m.finding->at.column);
  m.shape = sa_shape_of(input, at);
  plan.refused = plan_move(&m, &plan);
  sa_push(input->arena, plans, plan);
}
