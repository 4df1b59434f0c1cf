#include "rewrite/stash.h"

#include "model/names.h"
#include "rewrite/layout.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const sa_rewrite_input *in;
  const sa_site_facts *facts;
  const sa_shape *shape;
  const char *block; /* the block's expression at the call */
} adviser;

/* ---- texts ---- */

/* One line, single blanks. */
static const char *collapsed(sa_arena *arena, const char *text, size_t length) {
  char *out = sa_alloc(arena, length + 1);
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    bool blank = isspace((unsigned char)text[i]);
    if (blank && (n == 0 || out[n - 1] == ' ')) continue;
    out[n++] = blank ? ' ' : text[i];
  }
  while (n > 0 && out[n - 1] == ' ') n--;
  out[n] = '\0';
  return out;
}

/* "x.storage()" without its last call of an accessor, or NULL. */
static const char *without_accessor(const adviser *a, const char *text) {
  size_t n = strlen(text);
  if (n < 4 || strcmp(text + n - 2, "()") != 0) return NULL;
  size_t begin = n - 2;
  while (begin > 0 && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_')) begin--;
  const sa_ruleset *rules = a->in->rules;
  for (uint32_t i = 0; i < rules->pure.n; i++) {
    size_t length = strlen(rules->pure.at[i]);
    if (length != n - 2 - begin || memcmp(rules->pure.at[i], text + begin, length) != 0) continue;
    size_t end = begin > 1 && text[begin - 1] == '>' ? begin - 2 : begin - (begin > 0);
    return end > 0 ? sa_strndup(a->in->arena, text, end) : NULL;
  }
  return NULL;
}

/* What the call records: the receiver, or the operand that its row names. */
static const char *block_expression(const adviser *a) {
  sa_arena *arena = a->in->arena;
  const char *text = a->in->text;
  uint32_t begin = a->facts->at.offset, end = a->facts->at.end_offset;
  const char *found = NULL;
  for (uint32_t i = 0; i < a->in->rules->apis.n && found == NULL; i++) {
    const sa_api *api = &a->in->rules->apis.at[i];
    bool named = sa_name_span_matches(api->name, (sa_span){a->facts->api, strlen(a->facts->api)});
    for (uint32_t k = 0; named && k < api->effects.n && found == NULL; k++) {
      const sa_effect *effect = &api->effects.at[k];
      if (effect->op == SA_OP_record && effect->operands[0].kind == SA_FROM_ARG)
        found = sa_spell_argument(arena, a->shape, begin, end, effect->operands[0].index);
      if (effect->op != SA_OP_record || effect->operands[0].kind != SA_FROM_SELF) continue;
      sa_span last = sa_last_component(a->facts->api);
      const char *call = collapsed(arena, text + begin, end - begin), *at = NULL;
      const char *name = sa_strndup(arena, last.at, last.length);
      for (const char *p = strstr(call, name); p != NULL; p = strstr(p + 1, name)) at = p;
      if (at != NULL && at > call + 1)
        found = sa_strndup(arena, call, (size_t)(at - call) - (at[-1] == '>' ? 2 : 1));
    }
  }
  for (const char *less; found != NULL && (less = without_accessor(a, found)) != NULL;)
    found = less;
  return found != NULL ? collapsed(arena, found, strlen(found)) : a->facts->block;
}

/* ---- holders ---- */

typedef struct {
  const sa_ir_class *class;
  const sa_ir_field *field;
} holder;

/* "std::vector<at::Tensor>", also behind a smart pointer: push_back() takes one more block. */
static bool takes_blocks(const sa_ir_field *field) {
  if (field->type.kind != SA_TYPE_TENSOR || field->type.weak || field->type.name == NULL)
    return false;
  const char *element = strstr(field->type.name, "vector<");
  if (element == NULL) return false;
  element += strlen("vector<");
  size_t length = strcspn(element, "<>, ");
  const char *name = element + length;
  while (name > element && isalnum((unsigned char)name[-1])) name--;
  return element[length] == '>' && (size_t)(element + length - name) == strlen("Tensor") &&
         memcmp(name, "Tensor", strlen("Tensor")) == 0;
}

static bool waits(const sa_ir_func *func) {
  for (uint32_t b = 0; b < func->blocks.n; b++)
    for (uint32_t i = 0; i < func->blocks.at[b].insts.n; i++) {
      sa_ir_op op = func->blocks.at[b].insts.at[i].op;
      if (op == SA_OP_event_wait || op == SA_OP_stream_wait || op == SA_OP_sync_stream ||
          op == SA_OP_sync_event)
        return true;
    }
  return false;
}

/* Whether the function lets go of what the member holds. */
static bool drops(const sa_ir_func *func, const char *field) {
  for (uint32_t b = 0; b < func->blocks.n; b++) {
    const sa_ir_block *block = &func->blocks.at[b];
    for (uint32_t i = 0; i < block->insts.n; i++) {
      const sa_ir_inst *inst = &block->insts.at[i];
      if (inst->op != SA_OP_clear && inst->op != SA_OP_reset) continue;
      for (uint32_t k = 0; k < i; k++)
        if (block->insts.at[k].op == SA_OP_field && strcmp(block->insts.at[k].text, field) == 0)
          return true;
    }
  }
  return false;
}

static bool is_method_of(const sa_ir_func *func, const sa_ir_class *class) {
  return func->class_name != NULL && strcmp(func->class_name, class->name) == 0 &&
         (func->flags & (SA_FUNC_CTOR | SA_FUNC_DTOR)) == 0;
}

/* The method that waits; one that drops the member as well comes first. */
static const sa_ir_func *waiter_of(const sa_ir_unit *unit, const sa_ir_class *class,
                                   const sa_ir_field *field, bool *drops_it) {
  const sa_ir_func *found = NULL;
  *drops_it = false;
  for (uint32_t f = 0; f < unit->funcs.n; f++) {
    const sa_ir_func *func = &unit->funcs.at[f];
    if (!is_method_of(func, class)) continue;
    bool dropped = drops(func, field->name);
    if (dropped && !*drops_it) {
      found = func;
      *drops_it = true;
    } else if (found == NULL && waits(func)) {
      found = func;
    }
  }
  return found;
}

/* The member that takes one more block: one that a method drops before any other. */
static const sa_ir_field *field_for(const sa_ir_unit *unit, const sa_ir_class *class) {
  const sa_ir_field *best = NULL;
  for (uint32_t i = 0; i < class->fields.n; i++) {
    const sa_ir_field *field = &class->fields.at[i];
    bool dropped = false;
    if (!takes_blocks(field)) continue;
    const sa_ir_func *waiter = waiter_of(unit, class, field, &dropped);
    if (waiter != NULL && dropped) return field;
    if (waiter != NULL && best == NULL) best = field;
  }
  return best;
}

static bool derives(const sa_ir_unit *unit, const sa_ir_class *class, sa_span base, int depth) {
  if (depth > 8) return false;
  for (uint32_t i = 0; i < class->bases.n; i++) {
    sa_span last = sa_last_component(class->bases.at[i]);
    if (sa_span_compare(last, base) == 0) return true;
    const sa_ir_class *above = sa_ir_find_class(unit, class->bases.at[i]);
    if (above != NULL && derives(unit, above, base, depth + 1)) return true;
  }
  return false;
}

/* The class of the work that a function hands out: of its result, or one derived from it. */
static const sa_ir_class *class_of_result(const sa_ir_unit *unit, uint32_t func) {
  while (func < unit->funcs.n && unit->funcs.at[func].parent != SA_NO_INDEX)
    func = unit->funcs.at[func].parent;
  if (func >= unit->funcs.n) return NULL;
  const sa_ir_type *type = &unit->funcs.at[func].returns;
  if (type->kind != SA_TYPE_HANDLE || type->name == NULL) return NULL;
  const char *open = strchr(type->name, '<');
  const char *inner = open != NULL ? open + 1 : type->name;
  size_t length = strcspn(inner, "<>&* ");
  sa_span name = {inner, length};
  for (size_t i = length; i-- > 0;)
    if (inner[i] == ':') {
      name = (sa_span){inner + i + 1, length - i - 1};
      break;
    }
  for (uint32_t i = 0; i < unit->classes.n; i++) {
    const sa_ir_class *class = &unit->classes.at[i];
    bool fits =
        sa_span_compare(sa_last_component(class->name), name) == 0 || derives(unit, class, name, 0);
    if (fits && field_for(unit, class) != NULL) return class;
  }
  return NULL;
}

static holder find_holder(const adviser *a) {
  const sa_ir_unit *unit = a->in->unit;
  sa_range at = a->facts->facts[SA_FACT_stash].at;
  for (uint32_t i = 0; i < unit->classes.n; i++) {
    const sa_ir_class *class = &unit->classes.at[i];
    bool named = sa_range_known(at) && sa_range_compare(class->at, at) == 0;
    for (uint32_t k = 0; k < a->facts->evidence.n; k++)
      named |= sa_range_known(class->at) &&
               sa_range_compare(class->at, a->facts->evidence.at[k].at) == 0;
    if (named && field_for(unit, class) != NULL) return (holder){class, field_for(unit, class)};
  }
  const sa_ir_class *class = class_of_result(unit, a->facts->func);
  return class != NULL ? (holder){class, field_for(unit, class)} : (holder){NULL, NULL};
}

/* What a statement puts something into: the left side of an assignment, the receiver of a call.
 * "work->kept_" of "work->kept_->push_back(x);". NULL when it does neither. */
static const char *target_of(sa_arena *arena, const char *statement, bool *assigned) {
  size_t open = strcspn(statement, "("), equals = strcspn(statement, "=");
  *assigned = equals < open && statement[equals + 1] != '=';
  size_t end = *assigned ? equals : open;
  if (!*assigned) {
    while (end > 0 && (isalnum((unsigned char)statement[end - 1]) || statement[end - 1] == '_'))
      end--;
    if (end == 0 || (statement[end - 1] != '.' && statement[end - 1] != '>')) return NULL;
    end -= statement[end - 1] == '>' ? 2 : 1;
  }
  while (end > 0 && statement[end - 1] == ' ') end--;
  const char *target = sa_strndup(arena, statement, end);
  return sa_spell_is_path(target) ? target : NULL;
}

/* The member that the statement's target ends in, of any class of the unit. */
static holder holder_in(const sa_ir_unit *unit, const char *target, bool assigned) {
  const char *last = target + strlen(target);
  while (last > target && (isalnum((unsigned char)last[-1]) || last[-1] == '_')) last--;
  for (uint32_t i = 0; i < unit->classes.n; i++)
    for (uint32_t k = 0; k < unit->classes.at[i].fields.n; k++) {
      const sa_ir_field *field = &unit->classes.at[i].fields.at[k];
      bool open =
          !assigned && (field->type.kind == SA_TYPE_OBJECT || field->type.kind == SA_TYPE_UNKNOWN);
      if (strcmp(field->name, last) != 0 || (!takes_blocks(field) && !open)) continue;
      return (holder){&unit->classes.at[i], field};
    }
  return (holder){NULL, NULL};
}

static bool points(const char *type) {
  return strstr(type, "_ptr<") != NULL || (type[0] != '\0' && type[strlen(type) - 1] == '*');
}

static const char *short_name(const adviser *a, const char *name) {
  sa_span last = sa_last_component(name);
  return sa_strndup(a->in->arena, last.at, last.length);
}

/* "work->", "" in a method of the class itself, or NULL: no object of the class is in sight. */
static const char *object_in(const adviser *a, uint32_t func, const sa_ir_class *class) {
  const sa_ir_unit *unit = a->in->unit;
  const char *last = short_name(a, class->name);
  for (; func < unit->funcs.n; func = unit->funcs.at[func].parent) {
    const sa_ir_func *f = &unit->funcs.at[func];
    if (f->class_name != NULL && strcmp(f->class_name, class->name) == 0) return "";
    for (uint32_t r = 1; r < f->regs.n; r++) {
      const sa_ir_reg *reg = &f->regs.at[r];
      if (reg->name[0] == '\0' || reg->kind == SA_REG_THIS || strstr(reg->type.name, last) == NULL)
        continue;
      return sa_printf(a->in->arena, "%s%s", reg->name, points(reg->type.name) ? "->" : ".");
    }
  }
  return NULL;
}

/* "; `kept_.clear();` belongs behind the wait in wait (c.cpp:12)" */
static const char *drop_words(const adviser *a, holder h) {
  const sa_ir_unit *unit = a->in->unit;
  bool dropped = false;
  const sa_ir_func *found = waiter_of(unit, h.class, h.field, &dropped);
  if (found == NULL || found->at.file >= unit->files.n) return "";
  const char *place = sa_printf(a->in->arena, "%s (%s:%u)", short_name(a, found->name),
                                unit->files.at[found->at.file], (unsigned)found->at.line);
  if (dropped) return sa_printf(a->in->arena, "; %s drops it", place);
  const char *arrow = points(h.field->type.name) ? "->" : ".";
  return sa_printf(a->in->arena, "; `%s%sclear();` belongs behind the wait in %s", h.field->name,
                   arrow, place);
}

/* ---- advice ---- */

/* The statement that keeps blocks, when it stands in this file. */
static const char *statement_at(const adviser *a, sa_range at) {
  if (!sa_range_known(at) || at.file != 0) return NULL;
  uint32_t stmt = sa_shape_at(a->shape, at.offset, at.end_offset);
  if (stmt == SA_SHAPE_NONE || a->shape->stmts.at[stmt].kind != SA_STMT_PLAIN) return NULL;
  const sa_stmt *s = &a->shape->stmts.at[stmt];
  enum { LONGEST = 200 };
  if (s->end - s->begin > LONGEST) return NULL;
  return collapsed(a->in->arena, a->in->text + s->begin, s->end - s->begin);
}

/* The same statement for our block: its only argument is replaced. */
static const char *for_our_block(const adviser *a, const char *statement) {
  const char *open = strrchr(statement, '('), *close = open != NULL ? strchr(open, ')') : NULL;
  if (close == NULL || memchr(open, ',', (size_t)(close - open)) != NULL) return statement;
  if (strchr(statement, '(') != open) return statement;
  return sa_printf(a->in->arena, "%.*s(%s%s", (int)(open - statement), statement, a->block, close);
}

/* How the holder gets the block. */
typedef struct {
  holder to;             /* its class is NULL: there is none */
  const char *statement; /* what keeps it, or keeps it already */
  uint32_t line;         /* where the file does so already, or 0 */
  bool already;
  const sa_ir_func
      *maker; /* the function that the statement belongs into, NULL: the call's place */
} keeping;

static keeping as_elsewhere(const adviser *a, const char *word) {
  sa_range at = a->facts->facts[SA_FACT_stash].at;
  const char *statement = statement_at(a, at);
  bool assigned = false;
  const char *target = statement != NULL ? target_of(a->in->arena, statement, &assigned) : NULL;
  keeping k = {.statement = statement, .line = at.line};
  if (target != NULL) k.to = holder_in(a->in->unit, target, assigned);
  k.already = strcmp(word, "here") == 0 || strcmp(word, "future") == 0;
  if (k.to.class == NULL || k.already) return k;
  k.statement = for_our_block(a, statement);
  if (takes_blocks(k.to.field))
    k.statement = sa_printf(a->in->arena, "%s%spush_back(%s);", target,
                            points(k.to.field->type.name) ? "->" : ".", a->block);
  return k;
}

/* The function that a closure is handed to, by its place in the function around it. */
static uint32_t receiver_of(const sa_ir_unit *unit, uint32_t lambda) {
  uint32_t parent = unit->funcs.at[lambda].parent;
  sa_reg closure = 0;
  if (parent == SA_NO_INDEX) return SA_NO_INDEX;
  const sa_ir_func *f = &unit->funcs.at[parent];
  for (uint32_t b = 0; b < f->blocks.n; b++)
    for (uint32_t i = 0; i < f->blocks.at[b].insts.n; i++) {
      const sa_ir_inst *inst = &f->blocks.at[b].insts.at[i];
      if (inst->op == SA_OP_lambda && inst->func == lambda) closure = inst->result;
      for (uint32_t k = 0; inst->op == SA_OP_call && closure != 0 && k < inst->nargs; k++)
        if (inst->args[k] == closure && inst->func != SA_NO_INDEX) return inst->func;
      if (inst->op != SA_OP_call || closure == 0) continue;
      bool given = false;
      for (uint32_t k = 0; k < inst->nargs; k++) given |= inst->args[k] == closure;
      for (uint32_t g = 0; given && g < unit->funcs.n; g++)
        if (unit->funcs.at[g].blocks.n > 0 &&
            sa_span_compare(sa_last_component(unit->funcs.at[g].name),
                            sa_last_component(inst->text)) == 0 &&
            g != parent)
          return g;
    }
  return SA_NO_INDEX;
}

/* The function that makes the work which our closure is a part of. */
static const sa_ir_func *maker_of(const adviser *a, const sa_ir_class *class, const char **object) {
  const sa_ir_unit *unit = a->in->unit;
  for (uint32_t f = a->facts->func; f < unit->funcs.n; f = unit->funcs.at[f].parent) {
    uint32_t maker = receiver_of(unit, f);
    if (maker == SA_NO_INDEX) continue;
    /* Or an overload of it, which the closure is handed on to. */
    for (uint32_t g = 0; g < unit->funcs.n; g++) {
      const sa_ir_func *func = &unit->funcs.at[g];
      if (strcmp(func->name, unit->funcs.at[maker].name) != 0 || func->blocks.n == 0) continue;
      *object = object_in(a, g, class);
      if (*object != NULL && func->at.file == 0 && sa_range_known(func->at)) return func;
    }
  }
  return NULL;
}

static keeping in_a_member(const adviser *a) {
  keeping k = {.to = find_holder(a)};
  const char *object = k.to.class != NULL ? object_in(a, a->facts->func, k.to.class) : NULL;
  if (k.to.class != NULL && object == NULL) k.maker = maker_of(a, k.to.class, &object);
  if (object == NULL) return (keeping){0};
  k.statement = sa_printf(a->in->arena, "%s%s%spush_back(%s);", object, k.to.field->name,
                          points(k.to.field->type.name) ? "->" : ".", a->block);
  return k;
}

/* Fills `a`. */
static keeping find_keeping(adviser *a, const sa_rewrite_input *input, uint32_t index) {
  const sa_site_facts *facts = &input->facts->sites.at[index];
  const char *word = sa_fact_word(SA_FACT_stash, facts->facts[SA_FACT_stash].word);
  *a = (adviser){.in = input, .facts = facts};
  keeping k = {0};
  if (facts->at.file != 0 || facts->at.end_offset > input->length) return k;
  a->shape = sa_shape_of(input, facts->at.offset);
  a->block = block_expression(a);
  bool elsewhere =
      strcmp(word, "none") != 0 && strcmp(word, "class") != 0 && strcmp(word, "caller") != 0;
  if (elsewhere && a->shape->unsound == NULL) k = as_elsewhere(a, word);
  return k.to.class != NULL ? k : in_a_member(a);
}

const char *sa_stash_advice(const sa_rewrite_input *input, uint32_t index) {
  adviser a;
  keeping k = find_keeping(&a, input, index);
  if (k.to.class == NULL) return NULL;
  const char *drop = drop_words(&a, k.to);
  if (k.already)
    return sa_printf(input->arena, "delete the call: line %u keeps the reference already, `%s`%s",
                     (unsigned)k.line, k.statement, drop);
  if (k.maker != NULL)
    return sa_printf(input->arena,
                     "delete the call, and let %s (line %u) keep the block in its %s: `%s`%s",
                     short_name(&a, k.maker->name), (unsigned)k.maker->at.line,
                     short_name(&a, k.to.class->name), k.statement, drop);
  if (k.line == 0)
    return sa_printf(input->arena, "put `%s` in place of the call%s", k.statement, drop);
  return sa_printf(input->arena, "put `%s` in place of the call, as line %u keeps it%s",
                   k.statement, (unsigned)k.line, drop);
}

const char *sa_stash_statement(const sa_rewrite_input *input, uint32_t index) {
  adviser a;
  keeping k = find_keeping(&a, input, index);
  if (k.to.class == NULL || k.maker != NULL) return NULL;
  return k.already ? "" : k.statement;
}
