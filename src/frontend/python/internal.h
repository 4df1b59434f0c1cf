/* What the files of this folder share. A lowering is one parsed file on its way to a unit; a body
 * is one function that is being lowered. Python says little about types, so a file is lowered
 * several times: what an operation asks of its operands is kept as a lesson for the next round. */
#ifndef SA_FRONTEND_PYTHON_INTERNAL_H
#define SA_FRONTEND_PYTHON_INTERNAL_H

#include "frontend/python/tree.h"
#include "frontend/recognise.h"
#include "model/ir.h"
#include "model/job.h"

/* A name that stands for a dotted one: by import, or by an assignment of the module. */
typedef struct {
  const char *name, *dotted;
  const char *module;   /* as the import spells it, with leading dots; NULL: no import */
  const char *imported; /* the name that comes from there; NULL: the module itself */
} py_alias;

typedef struct {
  const char *name;
  TSNode type, fallback; /* null nodes: none */
  bool star, double_star;
} py_param;

typedef struct {
  TSNode node; /* class_definition */
  const char *name, *qualified;
  SA_ARRAY(const char *) bases, spelled; /* imports resolved; as they stand there */
  bool autograd;                         /* a base is autograd's Function */
} py_class;

/* A name that a function binds, and where first. */
typedef struct {
  const char *name;
  TSNode node;
  bool shared; /* declared global before it is bound */
} py_binding;

/* Index in lowering.funcs is the index in unit->funcs; 0 is the module. */
typedef struct {
  TSNode node; /* module, function_definition or lambda */
  const char *name, *qualified;
  uint32_t klass;  /* of a method, or SA_NO_INDEX */
  uint32_t parent; /* function that it is written in, SA_NO_INDEX: module or class */
  SA_ARRAY(py_param) params;
  bool method;     /* takes the object (or the class) first */
  bool fixed;      /* static method */
  bool property;   /* read like a field */
  bool context;    /* a generator that is used as a context manager */
  bool overloaded; /* only declares */
  bool dispatch;   /* implements operations of tensors, the record among them */
  bool stale;      /* what it was lowered with has changed; kept at functions without parent */
  bool hinted;     /* says what it returns */
  bool bound;      /* the next two are known */
  SA_ARRAY(py_binding) bindings;
  SA_ARRAY(const char *) nonlocals;
} py_func;

typedef struct {
  uint64_t key; /* 0: free */
  sa_ir_type type;
  uint32_t func; /* the function that it holds, SA_NO_INDEX: none or several */
  bool mixed;    /* a dictionary with a tensor under one name, a stream under another */
  SA_ARRAY(uint32_t) readers; /* functions without parent that asked since it changed */
} py_lesson;

/* What was asked about names, and the types that hints name. */
typedef struct {
  sa_table found, hints;
  SA_ARRAY(sa_ir_type) types;
} py_answers;

struct lowering {
  sa_arena *arena;
  const sa_ruleset *rules;
  const sa_job *job;
  TSNode root; /* null: there is no tree */
  sa_ir_unit *unit;
  SA_ARRAY(py_alias) aliases;
  SA_ARRAY(const char *) globals; /* assigned at module level */
  SA_ARRAY(py_class) classes;
  SA_ARRAY(py_func) funcs;
  SA_ARRAY(sa_ir_token) tokens; /* as every round finds them */
  sa_table said;                /* what comments say of a call, by its node */
  SA_ARRAY(TSNode) comments;
  SA_ARRAY(TSNode) blocks; /* of statements: what a comment is about */
  py_reading reading;
  py_answers *answers; /* NULL: declarations are still being collected */
  py_lesson *lessons;  /* hash table */
  uint32_t lesson_slots, lesson_count;
  uint32_t reader; /* function without parent that is being lowered, SA_NO_INDEX: none */
  struct py_imports *imports;
  unsigned imported; /* how many imports lead to this file; 0: the file of the job */
};

typedef enum { SCOPE_LOOP, SCOPE_GUARD, SCOPE_FINALLY, SCOPE_TRY, SCOPE_EXIT } scope_kind;

typedef struct scope {
  struct scope *outer;
  scope_kind kind;
  uint32_t break_to, continue_to; /* loop */
  sa_reg guard;                   /* guard; exit: the context manager */
  bool capture;                   /* guard: the context is a graph capture */
  sa_reg stream;                  /* guard: what it makes current */
  uint32_t entry;                 /* finally, try: block of the handlers */
  bool raises;                    /* try: a statement in it raises */
  SA_ARRAY(uint32_t) pending;     /* finally: where ways out go on */
  TSNode at;
} scope;

typedef struct {
  uint64_t key;    /* of the name */
  sa_reg reg;      /* 0: of the module, the function declares it global */
  uint32_t hidden; /* the variable of that name before it; number + 1 */
} variable;

/* What a register's type is learnt for. */
typedef struct {
  uint64_t key;
  bool element;  /* the register is an element of what the key is about */
  uint64_t item; /* the element that stands under a name there; 0: another one */
} py_source;

typedef struct body {
  lowering *lo;
  struct body *outer; /* of a nested function */
  uint32_t func, block;
  scope *scope;
  SA_ARRAY(variable) variables;
  sa_table names;              /* the last variable of a name; number + 1 */
  SA_ARRAY(py_source) sources; /* by register */
  SA_ARRAY(sa_reg) locals;     /* they die at the end of the function */
  sa_reg this_reg;
  sa_reg offered; /* context manager: the stream that is current while others run */
  unsigned depth;
} body;

enum { MAX_NESTING = 200 };

/* decl.c: functions, classes, imports */
void py_collect_declarations(lowering *lo);
uint32_t py_func_at(const lowering *lo, TSNode node);
uint32_t py_class_at(const lowering *lo, TSNode node);
void py_declare_units(lowering *lo);
void py_declare_func(lowering *lo, uint32_t index); /* one again, without its body */
void py_declare_field(lowering *lo, uint32_t klass, const char *name, sa_ir_type type);

/* lookup.c: what names stand for */
const py_class *py_find_class(const lowering *lo, const char *name); /* dotted or plain */
const py_class *py_class_before(const lowering *lo, const char *name, TSNode use);
uint32_t py_find_module_func(const lowering *lo, const char *name);
/* Of the class or a base in this file. */
uint32_t py_find_method(const lowering *lo, const char *klass, const char *name);
bool py_is_global(const lowering *lo, const char *name);
bool py_is_module(const lowering *lo, const char *dotted);
const char *py_find_alias(const lowering *lo, const char *name);

/* unit.c: parses and lowers lo->job's text; NULL, with the reason in `why`, when there is no tree,
 * which lo->root needs. */
TSTree *py_lower_text(lowering *lo, const char **why);

/* types.c: what hints say; lessons are in lessons.h */
sa_ir_type py_type_of_hint(lowering *lo, TSNode hint);
sa_ir_type py_plain_type(sa_type kind);
/* Which of two answers says more: something that matters to streams before plain values. */
int py_weight(sa_type kind);
const char *py_with_colons(const lowering *lo, const char *dotted); /* as the rules spell names */
sa_ir_type py_type_of_class(const lowering *lo, const py_class *klass);
const py_class *py_class_of(const lowering *lo, sa_ir_type type); /* of this file; NULL: none */

/* build.c: writing IR */
sa_ir_func *py_func_of(body *b);
sa_reg py_add_reg(body *b, sa_reg_kind kind, sa_ir_type type, const char *name, sa_range at);
sa_reg py_add_temp(body *b, sa_ir_type type);
sa_reg py_add_placeholder(body *b); /* of unknown type */
sa_ir_inst *py_emit(body *b, sa_ir_op op, sa_reg result, const char *text, TSNode at);
void py_add_arg(body *b, sa_ir_inst *inst, sa_reg reg);
sa_reg py_emit_const(body *b, const char *text, sa_type kind, TSNode at);
uint32_t py_add_block(body *b);
void py_start_block(body *b, uint32_t block);
bool py_block_is_open(body *b);
void py_finish_goto(body *b, uint32_t target);
void py_finish_branch(body *b, sa_reg condition, uint32_t yes, uint32_t no, TSNode at);
void py_add_successor(body *b, uint32_t from, uint32_t to);
sa_ir_type py_reg_type(body *b, sa_reg reg);
void py_set_source(body *b, sa_reg reg, py_source source);
py_source py_source_of(body *b, sa_reg reg);

/* scope.c: variables and ways out */
sa_reg py_find_variable(body *b, const char *name);
void py_bind_variable(body *b, const char *name, sa_reg reg);
void py_forget_variables(body *b, uint32_t n); /* all but the first n */
sa_reg py_declare_local(body *b, const char *name, TSNode at);
void py_push_scope(body *b, scope *s, scope_kind kind, TSNode at);
void py_pop_scope(body *b);
/* Leaves scopes up to `stop`: guards end, finally blocks run. */
void py_leave_scopes(body *b, const scope *stop, TSNode at);
void py_end_locals(body *b, TSNode at);
void py_lower_function(lowering *lo, uint32_t func, body *outer);

/* stmt.c, flow.c */
void py_lower_statement(body *b, TSNode node);
void py_lower_block(body *b, TSNode node);
void py_lower_if(body *b, TSNode node);
void py_lower_while(body *b, TSNode node);
void py_lower_for(body *b, TSNode node);
void py_lower_try(body *b, TSNode node);
void py_lower_with(body *b, TSNode node);
void py_lower_match(body *b, TSNode node);

/* assign.c */
void py_assign_target(body *b, TSNode target, sa_reg value, TSNode at);
void py_lower_assignment(body *b, TSNode node);
void py_lower_augmented(body *b, TSNode node);
void py_lower_delete(body *b, TSNode node);
/* What stood under the index (0: some index) is there no more; `gone`: nothing is. */
void py_empty_element(body *b, sa_reg container, sa_reg index, bool gone, TSNode at);

/* expr.c, call.c */
sa_reg py_lower_expr(body *b, TSNode node);
sa_reg py_lower_element(body *b, sa_reg container, const char *index, TSNode at);
sa_reg py_lower_attribute_of(body *b, sa_reg object, const char *name, TSNode at);
sa_reg py_lower_call(body *b, TSNode node);
sa_reg py_lower_nested(body *b, uint32_t func, TSNode at); /* a closure */
sa_reg py_lower_comprehension(body *b, TSNode node);
/* The dotted name that an expression spells when it starts at an import or an unknown name. */
const char *py_dotted_name(body *b, TSNode node);

/* tokens.c: the account of every spelling of a record call */
/* Fills lo->tokens. Without a tree, comments and strings are told from code by the text. */
void py_scan_tokens(lowering *lo);
/* What nothing accounted for: declarations, namesakes, and calls that were not analysed. */
void py_settle_tokens(lowering *lo, const char *reason);
uint32_t py_add_site(body *b, TSNode call, const sa_api *api, const char *name);
void py_note_token(lowering *lo, TSNode name, sa_token_fate fate, const char *why);

#endif
