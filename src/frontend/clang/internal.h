/* What the files of this folder share. A lowering is one parsed file on its way to a unit; a body
 * is one function that is being lowered. */
#ifndef SA_FRONTEND_CLANG_INTERNAL_H
#define SA_FRONTEND_CLANG_INTERNAL_H

#include "frontend/clang/library.h"
#include "frontend/clang/text.h"
#include "frontend/recognise.h"

/* A cursor's place in a file, with macro expansions counted as the place of the expansion. */
typedef struct {
  CXFile file;
  unsigned begin, end; /* byte offsets */
  unsigned line, column, end_line, end_column;
} span;

typedef struct {
  CXCursor *at;
  unsigned n;
} cursors;

/* A file of this translation unit and its index in unit->files. */
typedef struct {
  CXFile file;
  uint32_t index;
} known_file;

/* A function definition known by its canonical declaration. */
typedef struct {
  CXCursor declaration; /* canonical */
  CXCursor definition;
  const char *name; /* unqualified */
  uint32_t nparams;
  uint32_t func; /* in the unit, SA_NO_INDEX until it is lowered */
  bool in_header;
} known_func;

typedef struct {
  const char *spelling;
  sa_ir_type type;
} known_type;

typedef struct {
  const sa_clang *lib;
  sa_arena *arena;
  sa_diag *diag;
  const sa_ruleset *rules;
  const sa_job *job;
  CXTranslationUnit tu;
  CXFile main;
  const char *text; /* of the main file as it was parsed: the job's text, then macro functions */
  size_t length;
  sa_ir_unit *unit;
  SA_ARRAY(known_func) funcs;
  SA_ARRAY(uint32_t) queue;   /* indexes into funcs, to be lowered */
  SA_ARRAY(CXCursor) globals; /* variables whose initialiser holds a record call */
  uint32_t *func_slots;       /* hash table over funcs */
  uint32_t func_slot_count;
  known_type *types; /* hash table */
  uint32_t type_slot_count, type_count;
  SA_ARRAY(known_file) files;
  unsigned lambda_count;
} lowering;

typedef enum { SCOPE_BLOCK, SCOPE_LOOP, SCOPE_SWITCH } scope_kind;

typedef struct scope {
  struct scope *outer;
  scope_kind kind;
  unsigned id;                    /* no other scope of the body has it */
  uint32_t break_to, continue_to; /* blocks; loops and switches */
  SA_ARRAY(sa_reg) vars;          /* in order of declaration; they die in reverse */
} scope;

typedef struct {
  CXCursor declaration;
  sa_reg reg;
} variable;

typedef struct body {
  lowering *lo;
  struct body *outer; /* of a lambda */
  uint32_t func, block;
  scope *scope;
  SA_ARRAY(variable) variables;
  struct jumps *jumps; /* jump.c; NULL: no goto, no label so far */
  unsigned scopes;     /* that were opened so far */
  sa_reg this_reg;
  const char *capture_list; /* a lambda's text between [ and ] */
  unsigned depth;           /* of the expression or statement nesting */
} body;

/* Where an assignment goes. */
typedef enum { PLACE_NONE, PLACE_VARIABLE, PLACE_FIELD, PLACE_ELEMENT } place_kind;
typedef struct {
  place_kind kind;
  sa_reg base, index; /* the variable, object or container; of an element, 0: not known */
  const char *field;
} place;
enum { MAX_NESTING = 400 };

/* cursor.c: reading cursors */
bool same_file(const lowering *lo, CXFile a, CXFile b);
cursors children_of(lowering *lo, CXCursor cursor);
span span_of(const lowering *lo, CXCursor cursor);
sa_range range_of(lowering *lo, CXCursor cursor);
const char *text_of(lowering *lo, CXCursor cursor, size_t *length); /* source text; NULL: nowhere */
const char *spelling_of(lowering *lo, CXCursor cursor);
const char *qualified_name(lowering *lo, CXCursor declaration);
const char *callee_name_from_text(lowering *lo, CXCursor callee, bool last_only);
sa_ir_type type_of(lowering *lo, CXCursor cursor);
sa_ir_type classify_spelling(lowering *lo, const char *spelling);
bool is_null(const lowering *lo, CXCursor cursor);
enum CXCursorKind kind_of(const lowering *lo, CXCursor cursor);
bool in_main_file(const lowering *lo, CXCursor cursor);
/* Looks through casts, parentheses and other wrappers with one child. */
CXCursor unwrapped(lowering *lo, CXCursor cursor);
/* Whether a lone `=` stands between two parts of an expression that clang could not resolve. */
bool assigns_between(lowering *lo, CXCursor whole, CXCursor left, CXCursor right);
/* The number that a literal spells, also in a macro; false when it is no integer literal. */
bool literal_number(lowering *lo, CXCursor cursor, unsigned long *out);

/* build.c: writing IR */
sa_ir_func *func_of(body *b);
sa_reg add_reg(body *b, sa_reg_kind kind, sa_ir_type type, const char *name, sa_range at);
sa_reg add_temp(body *b, sa_ir_type type);
sa_ir_inst *emit(body *b, sa_ir_op op, sa_reg result, const char *text, CXCursor at);
void add_arg(body *b, sa_ir_inst *inst, sa_reg reg);
uint32_t add_block(body *b);
void start_block(body *b, uint32_t block);
void finish_goto(body *b, uint32_t target);
void finish_branch(body *b, sa_reg condition, uint32_t yes, uint32_t no, CXCursor at);
void add_successor(body *b, uint32_t from, uint32_t to);
bool block_is_open(body *b);
sa_ir_type reg_type(body *b, sa_reg reg);

/* scope.c: variables and the ends of their lives */
void push_scope(body *b, scope *s, scope_kind kind);
void pop_scope(body *b, CXCursor at);
void end_scopes_until(body *b, const scope *stop, CXCursor at);
void end_variable(body *b, sa_reg reg, CXCursor at);
void bind_variable(body *b, CXCursor declaration, sa_reg reg);
sa_reg find_variable(body *b, CXCursor declaration);
sa_reg find_this(body *b);
void declare_variable(body *b, CXCursor declaration);

/* stmt.c, expr.c, call.c */
void lower_statement(body *b, CXCursor cursor);
sa_reg lower_expr(body *b, CXCursor cursor);
/* The default stream that a literal names (0, nullptr, the runtime's handles 1 and 2), or 0. */
sa_reg lower_literal_stream(body *b, CXCursor cursor);
place lower_place(body *b, CXCursor cursor);
place place_behind(body *b, sa_reg reg); /* where its value was read from just now */
void assign(body *b, place to, sa_reg value, CXCursor value_cursor, CXCursor at);
void assign_out(body *b, place to, sa_reg out, CXCursor at); /* a call gave `out` a new value */
sa_reg assign_variable(body *b, sa_reg to, sa_reg value, CXCursor at);
sa_reg lower_call(body *b, CXCursor cursor);
bool is_launch_configuration(lowering *lo, CXCursor cursor);
sa_reg launch_stream(body *b, CXCursor configuration, CXCursor launch);
sa_reg lower_operator_call(body *b, CXCursor cursor, const char *name);
sa_reg lower_lambda(body *b, CXCursor cursor);

/* decl.c */
void collect_declarations(lowering *lo);
void lower_queue(lowering *lo);
known_func *find_func(lowering *lo, CXCursor declaration);
uint32_t require_func(lowering *lo, CXCursor declaration);
/* The only function of that name and number of parameters, for calls that clang leaves unresolved
 * (in templates, beside errors); false when there is none or more than one. */
bool find_func_by_name(lowering *lo, const char *name, uint32_t nparams, CXCursor *out);

/* tokens.c: the account of every spelling of a record call */
void scan_tokens(lowering *lo);
void settle_tokens(lowering *lo);
/* Without a translation unit: what looks like a call was not analysed, with `reason`. */
void settle_tokens_by_text(lowering *lo, const char *reason);
uint32_t add_site(body *b, CXCursor call, const sa_api *api, const char *name);
void note_namesake(lowering *lo, CXCursor call, const char *why);

/* conditionals.c: the text with its conditionals forced so that regions with record calls are seen.
 * Same length, same line breaks. `variant` counts from 0 and picks, in each chain of branches, the
 * variant-th one that holds such a call. Adds to `wanted` the macros that the taken branches ask
 * for. Returns how many variants there are (at least 1). */
typedef SA_ARRAY(const char *) name_array;
unsigned force_conditionals(sa_arena *arena, char *text, size_t length, const sa_ruleset *rules,
                            unsigned variant, name_array *wanted);
/* Whether the text holds a spelling of a record call. */
bool mentions_record(const sa_ruleset *rules, const char *text, size_t length);

/* macros.c: functions that expand macros with record calls which the file itself never expands;
 * they follow the text, so that what stands in the file keeps its place. C++ only. */
#define SA_MACRO_PREFIX "sa_macro_"
char *append_macro_functions(sa_arena *arena, char *text, size_t *length, const sa_ruleset *rules);

/* What earlier parses of the file taught. */
typedef struct lessons {
  const char *path;    /* of the file, absolute */
  const char *prelude; /* declarations of names that nothing else declares; "" at first */
  name_array headers;  /* model headers that the file needs but does not include */
  name_array hidden;   /* classes of the model headers that the project defines itself */
} lessons;

/* model.c */
const char *model_header_with(const sa_sdk *sdk, const char *name);
/* Whether a macro of the model headers makes a class of that name for some device family. */
bool model_makes(const sa_sdk *sdk, const char *name);
const char *model_text(sa_arena *arena, const sa_sdk_file *file, const name_array *hidden,
                       size_t *length);

/* includes.c: what libclang is given to read */
typedef struct {
  SA_ARRAY(struct CXUnsavedFile) files;
  SA_ARRAY(const char *) args;
  char *text; /* of the main file: conditionals forced, macro functions behind the job's length */
  size_t length;
  unsigned variants;
} input;
void prepare_input(input *in, sa_arena *arena, sa_clang *clang, const sa_ruleset *rules,
                   const sa_sdk *sdk, const sa_job *job, const lessons *learnt, unsigned variant);

/* headers.c: the project's headers by name. The first search walks the project; the list is kept in
 * `clang` until another root is asked for. find_header gives the header that the spelling names, of
 * several the one nearest to the includer, or NULL. */
const char *find_header(sa_clang *clang, sa_arena *arena, const char *root, const char *spelling,
                        const char *includer);
void forget_headers(sa_clang *clang);

/* native.c */
#define NATIVE_CUDA_HEADER "/sa-inc/sa-cuda.h"
void add_native_args(input *in, sa_arena *arena, const sa_clang *clang, const sa_job *job);
/* The first header that this parse did not find, or NULL. */
const char *missing_header(lowering *lo);
/* Says how many errors are left in a file whose flags ought to be right, and the first of them. */
void note_errors(lowering *lo);

/* prelude.c: learns from libclang's errors which names to declare, which model headers to add and
 * which of their classes to hide. False when there is nothing new. */
bool learn_from_errors(lowering *lo, const sa_sdk *sdk, lessons *learnt);

#endif
