/* Statements that branch, loop, guard or catch. */
#include "frontend/python/internal.h"

#include <string.h>

void lower_if(body *b, TSNode node) {
  sa_reg condition = lower_expr(b, field_of(node, "condition"));
  uint32_t yes = add_block(b), no = add_block(b), join = add_block(b);
  finish_branch(b, condition, yes, no, field_of(node, "condition"));
  start_block(b, yes);
  lower_block(b, field_of(node, "consequence"));
  finish_goto(b, join);
  start_block(b, no);
  nodes parts = named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++) {
    if (is_type(parts.at[i], "elif_clause")) {
      condition = lower_expr(b, field_of(parts.at[i], "condition"));
      uint32_t next = add_block(b);
      yes = add_block(b);
      finish_branch(b, condition, yes, next, field_of(parts.at[i], "condition"));
      start_block(b, yes);
      lower_block(b, field_of(parts.at[i], "consequence"));
      finish_goto(b, join);
      start_block(b, next);
    } else if (is_type(parts.at[i], "else_clause")) {
      lower_block(b, field_of(parts.at[i], "body"));
    }
  }
  finish_goto(b, join);
  start_block(b, join);
}

/* ---- loops ---- */

static void lower_turn(body *b, TSNode node, uint32_t head, uint32_t after) {
  scope s;
  push_scope(b, &s, SCOPE_LOOP, node);
  s.break_to = after;
  s.continue_to = head;
  lower_block(b, field_of(node, "body"));
  pop_scope(b);
  finish_goto(b, head);
}

/* The else clause runs when the loop was not broken off. */
static void lower_after(body *b, TSNode node, uint32_t done, uint32_t after) {
  start_block(b, done);
  TSNode other = field_of(node, "alternative");
  if (!ts_node_is_null(other)) lower_block(b, field_of(other, "body"));
  finish_goto(b, after);
  start_block(b, after);
}

void lower_while(body *b, TSNode node) {
  uint32_t head = add_block(b), inside = add_block(b), done = add_block(b), after = add_block(b);
  finish_goto(b, head);
  start_block(b, head);
  TSNode test = field_of(node, "condition");
  sa_reg condition = lower_expr(b, test);
  if (is_type(test, "true"))
    finish_goto(b, inside);
  else
    finish_branch(b, condition, inside, done, test);
  start_block(b, inside);
  lower_turn(b, node, head, after);
  lower_after(b, node, done, after);
}

typedef enum { EACH_PLAIN, EACH_NUMBERED, EACH_SIDE_BY_SIDE, EACH_PAIR, EACH_NUMBER } each_kind;
enum { MAX_PARTS = 8 };
typedef struct each {
  each_kind kind;
  sa_reg of;
  struct each *parts[MAX_PARTS];
  uint32_t nparts;
} each;

static const struct {
  const char *name;
  each_kind kind;
  bool method;
} EACH[] = {{"enumerate", EACH_NUMBERED, false}, {"zip", EACH_SIDE_BY_SIDE, false},
            {"range", EACH_NUMBER, false},       {"items", EACH_PAIR, true},
            {"keys", EACH_NUMBER, true},         {"named_parameters", EACH_PAIR, true},
            {"named_buffers", EACH_PAIR, true}};

static const each *find_each(body *b, TSNode node, each *out) {
  TSNode function = field_of(node, "function");
  bool method = is_type(function, "attribute");
  const char *name = text_of(b->lo, method ? field_of(function, "attribute") : function);
  if (!is_type(node, "call") || (!method && dotted_name(b, function) == NULL)) return NULL;
  for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++) {
    if (EACH[i].method != method || strcmp(EACH[i].name, name) != 0) continue;
    out->kind = EACH[i].kind;
    return out;
  }
  return NULL;
}

/* Lowers what is iterated over. */
static each *read_each(body *b, TSNode node, unsigned depth) {
  lowering *lo = b->lo;
  each *e = sa_alloc(lo->arena, sizeof *e);
  node = unwrapped(lo, node);
  if (depth > 4 || find_each(b, node, e) == NULL) {
    e->of = lower_expr(b, node);
    return e;
  }
  nodes args = named_children(lo, field_of(node, "arguments"));
  if (e->kind == EACH_PAIR) {
    e->of = lower_expr(b, field_of(field_of(node, "function"), "object"));
  } else if (e->kind == EACH_NUMBERED || e->kind == EACH_SIDE_BY_SIDE) {
    uint32_t n = e->kind == EACH_NUMBERED && args.n > 1 ? 1 : args.n;
    for (uint32_t i = 0; i < n && i < MAX_PARTS; i++)
      e->parts[e->nparts++] = read_each(b, args.at[i], depth + 1);
  } else {
    lower_expr(b, node);
  }
  return e;
}

static void bind_turn(body *b, TSNode target, const each *e, TSNode at) {
  nodes parts = is_type(target, "identifier") ? (nodes){0} : named_children(b->lo, target);
  uint32_t skip = e->kind == EACH_NUMBERED || e->kind == EACH_PAIR;
  if (e->kind == EACH_NUMBER) {
    assign_target(b, target, emit_const(b, "each", SA_TYPE_SCALAR, at), at);
    return;
  }
  if (parts.n >= 2 && skip)
    assign_target(b, parts.at[0], emit_const(b, "each", SA_TYPE_SCALAR, at), at);
  if (e->kind == EACH_PAIR && parts.n == 2 && e->of != 0) {
    assign_target(b, parts.at[1], lower_element(b, e->of, "each", target), at);
  } else if (e->nparts > 0 && parts.n == e->nparts + skip) {
    for (uint32_t i = 0; i < e->nparts; i++) bind_turn(b, parts.at[i + skip], e->parts[i], at);
  } else {
    sa_reg of = e->of;
    for (uint32_t i = 0; of == 0 && i < e->nparts; i++) of = e->parts[i]->of;
    if (of == 0) of = add_placeholder(b);
    assign_target(b, target, lower_element(b, of, "each", target), at);
  }
}

void lower_for(body *b, TSNode node) {
  const each *e = read_each(b, field_of(node, "right"), 0);
  uint32_t head = add_block(b), inside = add_block(b), done = add_block(b), after = add_block(b);
  finish_goto(b, head);
  start_block(b, head);
  finish_branch(b, 0, inside, done, node);
  start_block(b, inside);
  bind_turn(b, field_of(node, "left"), e, field_of(node, "left"));
  lower_turn(b, node, head, after);
  lower_after(b, node, done, after);
}

/* ---- comprehensions ---- */

static void declare_names(body *b, TSNode target, unsigned depth) {
  if (depth > MAX_NESTING || is_type(target, "attribute") || is_type(target, "subscript")) return;
  if (is_type(target, "identifier")) {
    const char *name = text_of(b->lo, target);
    uint64_t key = local_key(b->func, sa_printf(b->lo->arena, "%s@%u", name,
                                                (unsigned)ts_node_start_byte(target)));
    sa_reg reg =
        add_reg(b, SA_REG_LOCAL, lesson_about(b->lo, key), name, range_of(target));
    set_source(b, reg, (py_source){.key = key});
    func_of(b)->regs.at[reg].by_ref = true; /* the container holds what it names */
    bind_variable(b, name, reg);
    return;
  }
  nodes parts = named_children(b->lo, target);
  for (uint32_t i = 0; i < parts.n; i++) declare_names(b, parts.at[i], depth + 1);
}

typedef struct {
  nodes clauses;
  TSNode body;
  sa_reg result;
} comprehension;

static void lower_clauses(body *b, const comprehension *c, uint32_t index) {
  if (++b->depth > MAX_NESTING) return;
  while (index < c->clauses.n && !is_type(c->clauses.at[index], "for_in_clause") &&
         !is_type(c->clauses.at[index], "if_clause"))
    index++;
  if (index >= c->clauses.n) {
    TSNode item = is_type(c->body, "pair") ? field_of(c->body, "value") : c->body;
    if (is_type(c->body, "pair")) lower_expr(b, field_of(c->body, "key"));
    sa_reg value = lower_expr(b, item);
    if (value != 0) {
      sa_ir_type type = reg_type(b, value);
      sa_ir_type *of = &func_of(b)->regs.at[c->result].type;
      if (of->kind == SA_TYPE_UNKNOWN) *of = type, of->many = true;
      sa_ir_inst *inst = emit(b, SA_OP_append, 0, "comprehension", c->body);
      add_arg(b, inst, c->result);
      add_arg(b, inst, value);
    }
  } else if (is_type(c->clauses.at[index], "if_clause")) {
    nodes test = named_children(b->lo, c->clauses.at[index]);
    sa_reg condition = test.n > 0 ? lower_expr(b, test.at[0]) : 0;
    uint32_t yes = add_block(b), no = add_block(b);
    finish_branch(b, condition, yes, no, c->clauses.at[index]);
    start_block(b, yes);
    lower_clauses(b, c, index + 1);
    finish_goto(b, no);
    start_block(b, no);
  } else {
    TSNode clause = c->clauses.at[index], left = field_of(clause, "left");
    const each *e = read_each(b, field_of(clause, "right"), 0);
    declare_names(b, left, 0);
    uint32_t head = add_block(b), inside = add_block(b), after = add_block(b);
    finish_goto(b, head);
    start_block(b, head);
    finish_branch(b, 0, inside, after, clause);
    start_block(b, inside);
    bind_turn(b, left, e, left);
    lower_clauses(b, c, index + 1);
    finish_goto(b, head);
    start_block(b, after);
  }
  b->depth--;
}

sa_reg lower_comprehension(body *b, TSNode node) {
  comprehension c = {.clauses = named_children(b->lo, node), .body = field_of(node, "body")};
  c.result = add_temp(b, (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .many = true, .name = ""});
  emit(b, SA_OP_pack, c.result, "empty", node);
  uint32_t visible = b->variables.n;
  lower_clauses(b, &c, 0);
  b->variables.n = visible;
  return c.result;
}

/* ---- with ---- */

/* The end of a guard or of a context manager of this file. */
static void enter_context(body *b, scope *s, sa_reg value, TSNode item) {
  lowering *lo = b->lo;
  sa_ir_type type = reg_type(b, value);
  if (type.kind == SA_TYPE_STREAM && !type.many) {
    sa_reg guard = add_reg(b, SA_REG_LOCAL, plain_type(SA_TYPE_GUARD), "with", range_of(item));
    add_arg(b, emit(b, SA_OP_guard, guard, "with", item), value);
    push_scope(b, s, SCOPE_GUARD, item);
    s->guard = guard;
    s->stream = value;
    return;
  }
  push_scope(b, s, SCOPE_EXIT, item);
  s->guard = value;
  if (type.kind != SA_TYPE_OBJECT || type.name == NULL) return;
  uint32_t enter = find_method(lo, type.name, "__enter__");
  if (enter == SA_NO_INDEX) return;
  sa_reg result = add_temp(b, lo->unit->funcs.at[enter].returns);
  sa_ir_inst *inst = emit(b, SA_OP_call, result, "__enter__", item);
  inst->func = enter;
  inst->mask = 1;
  add_arg(b, inst, value);
}

static void with_items(body *b, nodes items, uint32_t index, TSNode node) {
  lowering *lo = b->lo;
  if (index >= items.n || ++b->depth > MAX_NESTING) {
    lower_block(b, field_of(node, "body"));
    return;
  }
  TSNode value = items.at[index], target = {0};
  if (is_type(value, "with_item")) value = field_of(value, "value");
  bool named = is_type(value, "as_pattern");
  if (named) {
    target = field_of(value, "alias");
    nodes parts = named_children(lo, value);
    value = parts.n > 0 ? parts.at[0] : value;
  }
  sa_reg context = lower_expr(b, value);
  if (context == 0) context = add_placeholder(b);
  scope s;
  const scope *around = b->scope;
  enter_context(b, &s, context, value);
  if (named) assign_target(b, target, context, target);
  with_items(b, items, index + 1, node);
  if (block_is_open(b)) leave_scopes(b, around, node);
  b->scope = s.outer;
  b->depth--;
}

void lower_with(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  nodes items = {0};
  for (uint32_t i = 0; i < parts.n; i++)
    if (is_type(parts.at[i], "with_clause")) items = named_children(b->lo, parts.at[i]);
  with_items(b, items, 0, node);
}

/* ---- try ---- */

static bool is_handler(TSNode node) {
  return is_type(node, "except_clause") || is_type(node, "except_group_clause");
}

static void lower_handler(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  for (uint32_t i = 0; i < parts.n; i++)
    if (is_type(parts.at[i], "block")) {
      lower_block(b, parts.at[i]);
    } else {
      TSNode value = parts.at[i];
      nodes of = is_type(value, "as_pattern") ? named_children(b->lo, value) : (nodes){0};
      lower_expr(b, of.n > 0 ? of.at[0] : value);
    }
}

static void lower_handlers(body *b, nodes parts, uint32_t handlers, uint32_t after, TSNode node) {
  start_block(b, handlers);
  func_of(b)->blocks.at[handlers].exceptional = true;
  for (uint32_t i = 0; i < parts.n; i++) {
    if (!is_handler(parts.at[i])) continue;
    uint32_t this_one = add_block(b), other = add_block(b);
    finish_branch(b, 0, this_one, other, parts.at[i]);
    start_block(b, this_one);
    lower_handler(b, parts.at[i]);
    finish_goto(b, after);
    start_block(b, other);
  }
  /* An exception that no handler takes leaves the function. */
  leave_scopes(b, NULL, node);
  if (block_is_open(b)) end_locals(b, node);
}

/* The finally block stands once; all ways through it meet there and part again. */
static void lower_finally(body *b, TSNode clause, scope *s, uint32_t after) {
  start_block(b, s->entry);
  nodes parts = named_children(b->lo, clause);
  for (uint32_t i = 0; i < parts.n; i++) lower_block(b, parts.at[i]);
  if (!block_is_open(b)) return;
  if (s->pending.n == 0) {
    finish_goto(b, after);
    return;
  }
  finish_branch(b, 0, after, s->pending.at[0], clause);
  for (uint32_t i = 1; i < s->pending.n; i++) add_successor(b, b->block, s->pending.at[i]);
}

void lower_try(body *b, TSNode node) {
  nodes parts = named_children(b->lo, node);
  TSNode clause = {0}, other = {0};
  bool catches = false, has_finally = false;
  for (uint32_t i = 0; i < parts.n; i++) {
    catches |= is_handler(parts.at[i]);
    if (is_type(parts.at[i], "finally_clause")) clause = parts.at[i], has_finally = true;
    if (is_type(parts.at[i], "else_clause")) other = parts.at[i];
  }
  uint32_t inside = add_block(b), handlers = add_block(b), after = add_block(b);
  scope last, s;
  uint32_t done = after;
  if (has_finally) {
    push_scope(b, &last, SCOPE_FINALLY, node);
    last.entry = done = add_block(b);
  }
  finish_branch(b, 0, inside, handlers, node);
  start_block(b, inside);
  push_scope(b, &s, SCOPE_TRY, node);
  s.entry = handlers;
  lower_block(b, field_of(node, "body"));
  pop_scope(b);
  uint32_t fine = add_block(b);
  finish_branch(b, 0, fine, handlers, node);
  start_block(b, fine);
  if (!ts_node_is_null(other)) lower_block(b, field_of(other, "body"));
  finish_goto(b, done);
  lower_handlers(b, catches ? parts : (nodes){0}, handlers, done, node);
  if (has_finally) {
    pop_scope(b);
    lower_finally(b, clause, &last, after);
  }
  start_block(b, after);
}

/* ---- match ---- */

static void bind_pattern(body *b, TSNode pattern, sa_reg value, unsigned depth) {
  lowering *lo = b->lo;
  if (depth > MAX_NESTING) return;
  nodes parts = named_children(lo, pattern);
  bool name = is_type(pattern, "dotted_name") && parts.n == 1;
  if (is_type(pattern, "splat_pattern") && parts.n == 1) name = is_type(parts.at[0], "identifier");
  if (name || is_type(pattern, "identifier")) {
    TSNode target = is_type(pattern, "identifier") ? pattern : parts.at[0];
    if (strcmp(text_of(lo, target), "_") == 0) return;
    declare_local(b, text_of(lo, target), target);
    assign_target(b, target, value, pattern);
    return;
  }
  bool class = is_type(pattern, "class_pattern"), keyword = is_type(pattern, "keyword_pattern");
  for (uint32_t i = class || keyword; i < parts.n; i++) {
    sa_reg part = value;
    if (keyword)
      part = lower_attribute_of(b, value, text_of(lo, parts.at[0]), pattern);
    else if (is_type(pattern, "list_pattern") || is_type(pattern, "tuple_pattern"))
      part = lower_element(b, value, sa_printf(lo->arena, "%u", (unsigned)i), parts.at[i]);
    else if (is_type(pattern, "dict_pattern"))
      part = lower_element(b, value, "[]", parts.at[i]);
    bind_pattern(b, parts.at[i], part, depth + 1);
  }
}

void lower_match(body *b, TSNode node) {
  lowering *lo = b->lo;
  sa_reg subject = lower_expr(b, field_of(node, "subject"));
  if (subject == 0) subject = add_placeholder(b);
  uint32_t after = add_block(b);
  nodes cases = named_children(lo, field_of(node, "body"));
  for (uint32_t i = 0; i < cases.n; i++) {
    if (!is_type(cases.at[i], "case_clause")) continue;
    uint32_t this_one = add_block(b), other = add_block(b);
    finish_branch(b, 0, this_one, other, cases.at[i]);
    start_block(b, this_one);
    nodes parts = named_children(lo, cases.at[i]);
    for (uint32_t k = 0; k < parts.n; k++)
      if (is_type(parts.at[k], "case_pattern")) bind_pattern(b, parts.at[k], subject, 0);
    TSNode guard = field_of(cases.at[i], "guard");
    nodes test = ts_node_is_null(guard) ? (nodes){0} : named_children(lo, guard);
    if (test.n > 0) {
      sa_reg condition = lower_expr(b, test.at[0]);
      uint32_t taken = add_block(b);
      finish_branch(b, condition, taken, other, guard);
      start_block(b, taken);
    }
    lower_block(b, field_of(cases.at[i], "consequence"));
    finish_goto(b, after);
    start_block(b, other);
  }
  finish_goto(b, after);
  start_block(b, after);
}
