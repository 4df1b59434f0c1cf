/* Statements that branch, loop, guard or catch. */
#include "frontend/python/effect.h"
#include "frontend/python/lessons.h"

#include <string.h>

void py_lower_if(body *b, TSNode node) {
  sa_reg condition = py_lower_expr(b, py_field_of(node, "condition"));
  uint32_t yes = py_add_block(b), no = py_add_block(b), join = py_add_block(b);
  py_finish_branch(b, condition, yes, no, py_field_of(node, "condition"));
  py_start_block(b, yes);
  py_lower_block(b, py_field_of(node, "consequence"));
  py_finish_goto(b, join);
  py_start_block(b, no);
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) {
    if (py_is_type(parts.at[i], "elif_clause")) {
      condition = py_lower_expr(b, py_field_of(parts.at[i], "condition"));
      uint32_t next = py_add_block(b);
      yes = py_add_block(b);
      py_finish_branch(b, condition, yes, next, py_field_of(parts.at[i], "condition"));
      py_start_block(b, yes);
      py_lower_block(b, py_field_of(parts.at[i], "consequence"));
      py_finish_goto(b, join);
      py_start_block(b, next);
    } else if (py_is_type(parts.at[i], "else_clause")) {
      py_lower_block(b, py_field_of(parts.at[i], "body"));
    }
  }
  py_finish_goto(b, join);
  py_start_block(b, join);
}

/* ---- loops ---- */

static void lower_turn(body *b, TSNode node, uint32_t head, uint32_t after) {
  scope s;
  py_push_scope(b, &s, SCOPE_LOOP, node);
  s.break_to = after;
  s.continue_to = head;
  py_lower_block(b, py_field_of(node, "body"));
  py_pop_scope(b);
  py_finish_goto(b, head);
}

/* The else clause runs when the loop was not broken off. */
static void lower_after(body *b, TSNode node, uint32_t done, uint32_t after) {
  py_start_block(b, done);
  TSNode other = py_field_of(node, "alternative");
  if (!ts_node_is_null(other)) py_lower_block(b, py_field_of(other, "body"));
  py_finish_goto(b, after);
  py_start_block(b, after);
}

void py_lower_while(body *b, TSNode node) {
  uint32_t head = py_add_block(b), inside = py_add_block(b), done = py_add_block(b),
           after = py_add_block(b);
  py_finish_goto(b, head);
  py_start_block(b, head);
  TSNode test = py_field_of(node, "condition");
  sa_reg condition = py_lower_expr(b, test);
  if (py_is_type(test, "true"))
    py_finish_goto(b, inside);
  else
    py_finish_branch(b, condition, inside, done, test);
  py_start_block(b, inside);
  lower_turn(b, node, head, after);
  lower_after(b, node, done, after);
}

typedef enum {
  EACH_PLAIN,
  EACH_NUMBERED,
  EACH_SIDE_BY_SIDE,
  EACH_PAIR,
  EACH_NUMBER,
  EACH_COUNTED
} each_kind;
enum { MAX_PARTS = 8 };
typedef struct each {
  each_kind kind;
  sa_reg of;
  sa_reg from, to; /* counted; from 0: the number 0 */
  struct each *parts[MAX_PARTS];
  uint32_t nparts;
} each;

static const struct {
  const char *name;
  each_kind kind;
  bool method;
} EACH[] = {{"enumerate", EACH_NUMBERED, false}, {"zip", EACH_SIDE_BY_SIDE, false},
            {"range", EACH_COUNTED, false},      {"items", EACH_PAIR, true},
            {"keys", EACH_NUMBER, true},         {"named_parameters", EACH_PAIR, true},
            {"named_buffers", EACH_PAIR, true}};

static const each *find_each(body *b, TSNode node, each *out) {
  TSNode function = py_field_of(node, "function");
  bool method = py_is_type(function, "attribute");
  const char *name = py_text_of(b->lo, method ? py_field_of(function, "attribute") : function);
  if (!py_is_type(node, "call") || (!method && py_dotted_name(b, function) == NULL)) return NULL;
  for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++) {
    if (EACH[i].method != method || strcmp(EACH[i].name, name) != 0) continue;
    out->kind = EACH[i].kind;
    return out;
  }
  return NULL;
}

/* range(to) and range(from, to); with a step it is some number. */
static void read_range(body *b, TSNode call, nodes args, each *e) {
  sa_reg bounds[2] = {0};
  if (args.n != 1 && args.n != 2) {
    e->kind = EACH_NUMBER;
    py_lower_expr(b, call);
    return;
  }
  for (uint32_t i = 0; i < args.n; i++) bounds[i] = py_lower_expr(b, args.at[i]);
  e->from = args.n == 2 ? bounds[0] : 0;
  e->to = bounds[args.n - 1];
  if (e->to == 0 || (args.n == 2 && e->from == 0)) e->kind = EACH_NUMBER;
}

/* Lowers what is iterated over. */
static each *read_each(body *b, TSNode node, unsigned depth) {
  lowering *lo = b->lo;
  each *e = sa_alloc(lo->arena, sizeof *e);
  node = py_unwrapped(lo, node);
  if (depth > 4 || find_each(b, node, e) == NULL) {
    e->of = py_lower_expr(b, node);
    return e;
  }
  nodes args = py_named_children(lo, py_field_of(node, "arguments"));
  if (e->kind == EACH_PAIR) {
    e->of = py_lower_expr(b, py_field_of(py_field_of(node, "function"), "object"));
  } else if (e->kind == EACH_NUMBERED || e->kind == EACH_SIDE_BY_SIDE) {
    uint32_t n = e->kind == EACH_NUMBERED && args.n > 1 ? 1 : args.n;
    for (uint32_t i = 0; i < n && i < MAX_PARTS; i++)
      e->parts[e->nparts++] = read_each(b, args.at[i], depth + 1);
  } else if (e->kind == EACH_COUNTED) {
    read_range(b, node, args, e);
  } else {
    py_lower_expr(b, node);
  }
  return e;
}

static void bind_turn(body *b, TSNode target, const each *e, TSNode at) {
  nodes parts = py_is_type(target, "identifier") ? (nodes){0} : py_named_children(b->lo, target);
  uint32_t skip = e->kind == EACH_NUMBERED || e->kind == EACH_PAIR;
  if (e->kind == EACH_NUMBER || e->kind == EACH_COUNTED) {
    py_assign_target(b, target, py_emit_const(b, "each", SA_TYPE_SCALAR, at), at);
    return;
  }
  if (parts.n >= 2 && skip)
    py_assign_target(b, parts.at[0], py_emit_const(b, "each", SA_TYPE_SCALAR, at), at);
  if (e->kind == EACH_PAIR && parts.n == 2 && e->of != 0) {
    py_assign_target(b, parts.at[1], py_lower_element(b, e->of, "each", target), at);
  } else if (e->nparts > 0 && parts.n == e->nparts + skip) {
    for (uint32_t i = 0; i < e->nparts; i++) bind_turn(b, parts.at[i + skip], e->parts[i], at);
  } else {
    sa_reg of = e->of;
    for (uint32_t i = 0; of == 0 && i < e->nparts; i++) of = e->parts[i]->of;
    if (of == 0) of = py_add_placeholder(b);
    py_assign_target(b, target, py_lower_element(b, of, "each", target), at);
  }
}

typedef struct {
  uint32_t head, inside, next, done;
  sa_reg number, to, given;
} counter;

/* `for i in range(from, to)` counts, so that a loop whose bounds are known can be followed turn by
 * turn. The bound is read once. The program's own variable is given each number and may be given
 * others. */
static counter begin_counting(body *b, TSNode target, TSNode right, const each *e) {
  counter c = {py_add_block(b),
               py_add_block(b),
               py_add_block(b),
               py_add_block(b),
               py_add_temp(b, py_plain_type(SA_TYPE_SCALAR)),
               py_add_temp(b, py_plain_type(SA_TYPE_SCALAR)),
               py_add_temp(b, py_plain_type(SA_TYPE_SCALAR))};
  sa_reg from = e->from != 0 ? e->from : py_emit_const(b, "0", SA_TYPE_SCALAR, right);
  py_add_arg(b, py_emit(b, SA_OP_copy, c.number, NULL, right), from);
  py_add_arg(b, py_emit(b, SA_OP_copy, c.to, NULL, right), e->to);
  py_finish_goto(b, c.head);
  py_start_block(b, c.head);
  sa_reg more = py_add_temp(b, py_plain_type(SA_TYPE_SCALAR));
  sa_ir_inst *test = py_emit(b, SA_OP_op, more, "<", right);
  py_add_arg(b, test, c.number);
  py_add_arg(b, test, c.to);
  py_finish_branch(b, more, c.inside, c.done, right);
  py_start_block(b, c.inside);
  py_add_arg(b, py_emit(b, SA_OP_op, c.given, "each", target), c.number);
  py_assign_target(b, target, c.given, target);
  return c;
}

/* Of block `next`, to which the turn has come. */
static void count_on(body *b, const counter *c, TSNode right) {
  py_start_block(b, c->next);
  sa_reg one = py_emit_const(b, "1", SA_TYPE_SCALAR, right);
  sa_reg sum = py_add_temp(b, py_plain_type(SA_TYPE_SCALAR));
  sa_ir_inst *add = py_emit(b, SA_OP_op, sum, "+", right);
  py_add_arg(b, add, c->number);
  py_add_arg(b, add, one);
  py_add_arg(b, py_emit(b, SA_OP_copy, c->number, NULL, right), sum);
  py_finish_goto(b, c->head);
}

static void lower_counted(body *b, TSNode node, const each *e) {
  TSNode right = py_field_of(node, "right");
  uint32_t after = py_add_block(b);
  counter c = begin_counting(b, py_field_of(node, "left"), right, e);
  lower_turn(b, node, c.next, after);
  count_on(b, &c, right);
  lower_after(b, node, c.done, after);
}

void py_lower_for(body *b, TSNode node) {
  const each *e = read_each(b, py_field_of(node, "right"), 0);
  if (e->kind == EACH_COUNTED) {
    lower_counted(b, node, e);
    return;
  }
  uint32_t head = py_add_block(b), inside = py_add_block(b), done = py_add_block(b),
           after = py_add_block(b);
  py_finish_goto(b, head);
  py_start_block(b, head);
  py_finish_branch(b, 0, inside, done, node);
  py_start_block(b, inside);
  bind_turn(b, py_field_of(node, "left"), e, py_field_of(node, "left"));
  lower_turn(b, node, head, after);
  lower_after(b, node, done, after);
}

/* ---- comprehensions ---- */

static void declare_names(body *b, TSNode target, unsigned depth) {
  if (depth > MAX_NESTING || py_is_type(target, "attribute") || py_is_type(target, "subscript"))
    return;
  if (py_is_type(target, "identifier")) {
    const char *name = py_text_of(b->lo, target);
    uint64_t key = py_local_key(
        b->func, sa_printf(b->lo->arena, "%s@%u", name, (unsigned)ts_node_start_byte(target)));
    sa_reg reg =
        py_add_reg(b, SA_REG_LOCAL, py_lesson_about(b->lo, key), name, py_range_of(target));
    py_set_source(b, reg, (py_source){.key = key});
    py_func_of(b)->regs.at[reg].by_ref = true; /* the container holds what it names */
    py_bind_variable(b, name, reg);
    return;
  }
  nodes parts = py_named_children(b->lo, target);
  for (uint32_t i = 0; i < parts.n; i++) declare_names(b, parts.at[i], depth + 1);
}

typedef struct {
  nodes clauses;
  TSNode body;
  sa_reg result;
  sa_reg index; /* of an element, where it is the turn's number; or 0 */
} comprehension;

static void lower_clauses(body *b, comprehension *c, uint32_t index) {
  if (++b->depth > MAX_NESTING) return;
  while (index < c->clauses.n && !py_is_type(c->clauses.at[index], "for_in_clause") &&
         !py_is_type(c->clauses.at[index], "if_clause"))
    index++;
  if (index >= c->clauses.n) {
    TSNode item = py_is_type(c->body, "pair") ? py_field_of(c->body, "value") : c->body;
    if (py_is_type(c->body, "pair")) py_lower_expr(b, py_field_of(c->body, "key"));
    sa_reg value = py_lower_expr(b, item);
    if (value != 0) {
      sa_ir_type type = py_reg_type(b, value);
      sa_ir_type *of = &py_func_of(b)->regs.at[c->result].type;
      if (of->kind == SA_TYPE_UNKNOWN) *of = type, of->many = true;
      sa_ir_inst *inst = py_emit(b, SA_OP_append, 0, "comprehension", c->body);
      py_add_arg(b, inst, c->result);
      py_add_arg(b, inst, value);
      if (c->index != 0) py_add_arg(b, inst, c->index);
    }
  } else if (py_is_type(c->clauses.at[index], "if_clause")) {
    nodes test = py_named_children(b->lo, c->clauses.at[index]);
    sa_reg condition = test.n > 0 ? py_lower_expr(b, test.at[0]) : 0;
    uint32_t yes = py_add_block(b), no = py_add_block(b);
    py_finish_branch(b, condition, yes, no, c->clauses.at[index]);
    py_start_block(b, yes);
    lower_clauses(b, c, index + 1);
    py_finish_goto(b, no);
    py_start_block(b, no);
  } else {
    TSNode clause = c->clauses.at[index], left = py_field_of(clause, "left");
    const each *e = read_each(b, py_field_of(clause, "right"), 0);
    declare_names(b, left, 0);
    if (e->kind == EACH_COUNTED) {
      counter count = begin_counting(b, left, clause, e);
      c->index = c->clauses.n == 1 + (index > 0) && e->from == 0 ? count.given : 0;
      lower_clauses(b, c, index + 1);
      py_finish_goto(b, count.next);
      count_on(b, &count, clause);
      py_start_block(b, count.done);
      b->depth--;
      return;
    }
    uint32_t head = py_add_block(b), inside = py_add_block(b), after = py_add_block(b);
    py_finish_goto(b, head);
    py_start_block(b, head);
    py_finish_branch(b, 0, inside, after, clause);
    py_start_block(b, inside);
    bind_turn(b, left, e, left);
    lower_clauses(b, c, index + 1);
    py_finish_goto(b, head);
    py_start_block(b, after);
  }
  b->depth--;
}

sa_reg py_lower_comprehension(body *b, TSNode node) {
  comprehension c = {.clauses = py_named_children(b->lo, node), .body = py_field_of(node, "body")};
  c.result = py_add_temp(b, (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .many = true, .name = ""});
  py_emit(b, SA_OP_pack, c.result, "empty", node);
  uint32_t visible = b->variables.n;
  lower_clauses(b, &c, 0);
  py_forget_variables(b, visible);
  return c.result;
}

/* ---- with ---- */

/* A context of another file that is given a stream: what it is for can only be to switch to it. */
static sa_reg given_stream(body *b, sa_reg context) {
  const sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  if (block->insts.n == 0) return 0;
  const sa_ir_inst *inst = &block->insts.at[block->insts.n - 1];
  if (inst->op != SA_OP_call || inst->result != context || inst->func != SA_NO_INDEX) return 0;
  bool named = strstr(inst->text, "stream") != NULL;
  sa_reg stream = 0;
  for (uint32_t i = inst->mask & 1u; i < inst->nargs; i++) {
    sa_ir_type type = py_reg_type(b, inst->args[i]);
    bool open = type.kind == SA_TYPE_UNKNOWN && !type.many && inst->nargs == 1 + (inst->mask & 1u);
    if (named && open) py_learn_reg(b, inst->args[i], py_plain_type(SA_TYPE_STREAM));
    if (py_reg_type(b, inst->args[i]).kind == SA_TYPE_STREAM && !type.many) stream = inst->args[i];
  }
  return stream;
}

/* Whether the call that gave the context began a graph capture on it. */
static bool begins_capture(body *b, sa_reg context) {
  const sa_ir_block *block = &py_func_of(b)->blocks.at[b->block];
  if (block->insts.n == 0) return false;
  const sa_ir_inst *inst = &block->insts.at[block->insts.n - 1];
  return inst->op == SA_OP_capture_begin && inst->args[0] == context;
}

/* The end of a guard or of a context manager of this file. */
static void enter_context(body *b, scope *s, sa_reg value, TSNode item) {
  sa_reg stream = given_stream(b, value);
  bool capture = begins_capture(b, value);
  if (stream != 0) value = stream;
  sa_ir_type type = py_reg_type(b, value);
  if (type.kind == SA_TYPE_STREAM && !type.many) {
    sa_reg guard =
        py_add_reg(b, SA_REG_LOCAL, py_plain_type(SA_TYPE_GUARD), "with", py_range_of(item));
    py_add_arg(b, py_emit(b, SA_OP_guard, guard, "with", item), value);
    py_push_scope(b, s, SCOPE_GUARD, item);
    s->guard = guard;
    s->stream = value;
    s->capture = capture;
    return;
  }
  py_push_scope(b, s, SCOPE_EXIT, item);
  s->guard = value;
  py_method enter;
  if (py_find_method_of(&enter, b->lo, type, "__enter__")) py_emit_method(b, value, &enter, item);
}

static void with_items(body *b, nodes items, uint32_t index, TSNode node) {
  lowering *lo = b->lo;
  if (index >= items.n || ++b->depth > MAX_NESTING) {
    py_lower_block(b, py_field_of(node, "body"));
    return;
  }
  TSNode value = items.at[index], target = {0};
  if (py_is_type(value, "with_item")) value = py_field_of(value, "value");
  bool named = py_is_type(value, "as_pattern");
  if (named) {
    target = py_field_of(value, "alias");
    nodes parts = py_named_children(lo, value);
    value = parts.n > 0 ? parts.at[0] : value;
  }
  sa_reg context = py_lower_expr(b, value);
  if (context == 0) context = py_add_placeholder(b);
  scope s;
  const scope *around = b->scope;
  enter_context(b, &s, context, value);
  if (named) py_assign_target(b, target, context, target);
  with_items(b, items, index + 1, node);
  if (py_block_is_open(b)) py_leave_scopes(b, around, node);
  b->scope = s.outer;
  b->depth--;
}

void py_lower_with(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  nodes items = {0};
  for (uint32_t i = 0; i < parts.n; i++)
    if (py_is_type(parts.at[i], "with_clause")) items = py_named_children(b->lo, parts.at[i]);
  with_items(b, items, 0, node);
}

/* ---- try ---- */

static bool is_handler(TSNode node) {
  return py_is_type(node, "except_clause") || py_is_type(node, "except_group_clause");
}

static void lower_handler(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++)
    if (py_is_type(parts.at[i], "block")) {
      py_lower_block(b, parts.at[i]);
    } else {
      TSNode value = parts.at[i];
      nodes of = py_is_type(value, "as_pattern") ? py_named_children(b->lo, value) : (nodes){0};
      py_lower_expr(b, of.n > 0 ? of.at[0] : value);
    }
}

static void lower_handlers(body *b, nodes parts, uint32_t handlers, uint32_t after, TSNode node) {
  py_start_block(b, handlers);
  py_func_of(b)->blocks.at[handlers].exceptional = true;
  for (uint32_t i = 0; i < parts.n; i++) {
    if (!is_handler(parts.at[i])) continue;
    uint32_t this_one = py_add_block(b), other = py_add_block(b);
    py_finish_branch(b, 0, this_one, other, parts.at[i]);
    py_start_block(b, this_one);
    lower_handler(b, parts.at[i]);
    py_finish_goto(b, after);
    py_start_block(b, other);
  }
  /* An exception that no handler takes leaves the function. */
  py_leave_scopes(b, NULL, node);
  if (py_block_is_open(b)) py_end_locals(b, node);
}

/* The finally block stands once; all ways through it meet there and part again. */
static void lower_finally(body *b, TSNode clause, scope *s, uint32_t after) {
  py_start_block(b, s->entry);
  nodes parts = py_named_children(b->lo, clause);
  for (uint32_t i = 0; i < parts.n; i++) py_lower_block(b, parts.at[i]);
  if (!py_block_is_open(b)) return;
  if (s->pending.n == 0) {
    py_finish_goto(b, after);
    return;
  }
  py_finish_branch(b, 0, after, s->pending.at[0], clause);
  for (uint32_t i = 1; i < s->pending.n; i++) py_add_successor(b, b->block, s->pending.at[i]);
}

static void enter_or_raise(body *b, uint32_t next, uint32_t handlers, bool catches, TSNode node) {
  if (catches)
    py_finish_branch(b, 0, next, handlers, node);
  else
    py_finish_goto(b, next);
}

void py_lower_try(body *b, TSNode node) {
  nodes parts = py_named_children(b->lo, node);
  TSNode clause = {0}, other = {0};
  bool catches = false, has_finally = false;
  for (uint32_t i = 0; i < parts.n; i++) {
    catches |= is_handler(parts.at[i]);
    if (py_is_type(parts.at[i], "finally_clause")) clause = parts.at[i], has_finally = true;
    if (py_is_type(parts.at[i], "else_clause")) other = parts.at[i];
  }
  uint32_t inside = py_add_block(b), handlers = py_add_block(b), after = py_add_block(b);
  scope last, s;
  uint32_t done = after;
  if (has_finally) {
    py_push_scope(b, &last, SCOPE_FINALLY, node);
    last.entry = done = py_add_block(b);
  }
  enter_or_raise(b, inside, handlers, catches, node);
  py_start_block(b, inside);
  py_push_scope(b, &s, SCOPE_TRY, node);
  s.entry = handlers;
  py_lower_block(b, py_field_of(node, "body"));
  py_pop_scope(b);
  uint32_t fine = py_add_block(b);
  enter_or_raise(b, fine, handlers, catches, node);
  py_start_block(b, fine);
  if (!ts_node_is_null(other)) py_lower_block(b, py_field_of(other, "body"));
  py_finish_goto(b, done);
  if (catches || s.raises) lower_handlers(b, catches ? parts : (nodes){0}, handlers, done, node);
  if (has_finally) {
    py_pop_scope(b);
    lower_finally(b, clause, &last, after);
  }
  py_start_block(b, after);
}

/* ---- match ---- */

static void bind_pattern(body *b, TSNode pattern, sa_reg value, unsigned depth) {
  lowering *lo = b->lo;
  if (depth > MAX_NESTING) return;
  nodes parts = py_named_children(lo, pattern);
  bool name = py_is_type(pattern, "dotted_name") && parts.n == 1;
  if (py_is_type(pattern, "splat_pattern") && parts.n == 1)
    name = py_is_type(parts.at[0], "identifier");
  if (name || py_is_type(pattern, "identifier")) {
    TSNode target = py_is_type(pattern, "identifier") ? pattern : parts.at[0];
    if (strcmp(py_text_of(lo, target), "_") == 0) return;
    py_declare_local(b, py_text_of(lo, target), target);
    py_assign_target(b, target, value, pattern);
    return;
  }
  bool class = py_is_type(pattern, "class_pattern"),
       keyword = py_is_type(pattern, "keyword_pattern");
  for (uint32_t i = class || keyword; i < parts.n; i++) {
    sa_reg part = value;
    if (keyword)
      part = py_lower_attribute_of(b, value, py_text_of(lo, parts.at[0]), pattern);
    else if (py_is_type(pattern, "list_pattern") || py_is_type(pattern, "tuple_pattern"))
      part = py_lower_element(b, value, sa_printf(lo->arena, "%u", (unsigned)i), parts.at[i]);
    else if (py_is_type(pattern, "dict_pattern"))
      part = py_lower_element(b, value, "[]", parts.at[i]);
    bind_pattern(b, parts.at[i], part, depth + 1);
  }
}

void py_lower_match(body *b, TSNode node) {
  lowering *lo = b->lo;
  sa_reg subject = py_lower_expr(b, py_field_of(node, "subject"));
  if (subject == 0) subject = py_add_placeholder(b);
  uint32_t after = py_add_block(b);
  nodes cases = py_named_children(lo, py_field_of(node, "body"));
  for (uint32_t i = 0; i < cases.n; i++) {
    if (!py_is_type(cases.at[i], "case_clause")) continue;
    uint32_t this_one = py_add_block(b), other = py_add_block(b);
    py_finish_branch(b, 0, this_one, other, cases.at[i]);
    py_start_block(b, this_one);
    nodes parts = py_named_children(lo, cases.at[i]);
    for (uint32_t k = 0; k < parts.n; k++)
      if (py_is_type(parts.at[k], "case_pattern")) bind_pattern(b, parts.at[k], subject, 0);
    TSNode guard = py_field_of(cases.at[i], "guard");
    nodes test = ts_node_is_null(guard) ? (nodes){0} : py_named_children(lo, guard);
    if (test.n > 0) {
      sa_reg condition = py_lower_expr(b, test.at[0]);
      uint32_t taken = py_add_block(b);
      py_finish_branch(b, condition, taken, other, guard);
      py_start_block(b, taken);
    }
    py_lower_block(b, py_field_of(cases.at[i], "consequence"));
    py_finish_goto(b, after);
    py_start_block(b, other);
  }
  py_finish_goto(b, after);
  py_start_block(b, after);
}
