/* The intermediate representation: what a program does with blocks, handles, streams and events,
 * in no particular language. Frontends make it, analysis reads it, nobody changes it in between.
 *
 * A unit is one source file. It holds functions (lambdas are functions with a parent) made of basic
 * blocks of instructions over registers. Registers are variables, not SSA values: an instruction
 * may assign a register again. Lifetime ends are explicit (`end`), as are guards and releases; the
 * frontend makes them, since only it knows the language's scopes.
 *
 * Invariants, checked by sa_ir_check():
 *   register 0 does not exist; parameters are registers 1..nparams
 *   every argument and result is a register of the same function (0 only where ir_ops.def says so)
 *   argument counts, results and texts are as ir_ops.def says
 *   block 0 is the entry; successors are blocks of the same function
 *   a branch has two or more successors, goto one, return and unreachable none
 *   inst.func, func.parent, capture.outer and site.func refer to what exists
 *   record has a site, and no two record instructions share one
 * The text form is described in docs/ir.md; print then parse gives the same unit. */
#ifndef SA_MODEL_IR_H
#define SA_MODEL_IR_H

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "model/source.h"

#include <stdbool.h>

typedef uint32_t sa_reg; /* 0: none */

#define SA_NO_INDEX UINT32_MAX

enum { SA_ANY_ARGS = 255 }; /* as the highest number of arguments of an operation or call */

typedef enum {
#define SA_IR_OP(name, result, min, max, text, what) SA_OP_##name,
#include "model/ir_ops.def"
#undef SA_IR_OP
  SA_OP_COUNT
} sa_ir_op;

/* What a register or field is to this analysis. `many` in the declarations below says that it is a
 * container, optional, tuple or pointer of that kind. */
typedef enum {
  SA_TYPE_UNKNOWN, /* the frontend could not tell */
  SA_TYPE_SCALAR,  /* numbers, flags, enumerations, strings, devices: holds no block */
  SA_TYPE_TENSOR,  /* a handle to a block: tensor, storage, DataPtr, allocation */
  SA_TYPE_MEMORY,  /* a raw device pointer: no ownership of its own */
  SA_TYPE_STREAM,
  SA_TYPE_EVENT,
  SA_TYPE_GUARD,  /* RAII object that changes the current stream */
  SA_TYPE_HANDLE, /* Work, Future, event handle: something a caller can wait for */
  SA_TYPE_FUNC,   /* function, lambda, std::function */
  SA_TYPE_OBJECT, /* any other class */
  SA_TYPE_VOID
} sa_type;

typedef struct {
  sa_type kind;
  bool many;
  bool weak;        /* does not keep the block alive: weak_ptr, WeakStorage */
  const char *name; /* spelling in the source language, "" when unknown */
} sa_ir_type;

typedef enum {
  SA_REG_TEMP,
  SA_REG_PARAM,
  SA_REG_LOCAL,
  SA_REG_CAPTURE, /* a lambda's captured variable */
  SA_REG_THIS     /* the object a method works on; always parameter 1 */
} sa_reg_kind;

typedef struct {
  sa_reg_kind kind;
  sa_ir_type type;
  const char *name; /* "" for temporaries */
  bool by_ref;      /* reference or pointer: the caller's (or outer) variable itself */
  bool is_const;    /* the function cannot reassign it */
  bool rvalue;      /* && or by value and movable: the function owns the reference */
  sa_range at;
} sa_ir_reg;

typedef struct {
  sa_ir_op op;
  sa_reg result; /* 0: none */
  sa_reg *args;
  uint32_t nargs;
  const char *text; /* "" when the op has none: API, callee, field or literal */
  uint32_t func;    /* call, lambda: index of the body in the unit, or SA_NO_INDEX */
  uint32_t site;    /* record: index into unit.sites, or SA_NO_INDEX */
  uint32_t mask;    /* use: which args are written; call: bit 0 set when args[0] is the receiver */
  sa_range at;
} sa_ir_inst;

typedef enum { SA_TERM_GOTO, SA_TERM_BRANCH, SA_TERM_RETURN, SA_TERM_UNREACHABLE } sa_term;

typedef struct {
  SA_ARRAY(sa_ir_inst) insts;
  sa_term term;
  sa_reg value;            /* branch: the condition (0: unknown or switch); return: the value */
  SA_ARRAY(uint32_t) succ; /* branch: the first is taken when the condition holds */
  bool exceptional;        /* entered by an exception */
  sa_range at;             /* the branch or return */
} sa_ir_block;

/* A lambda's variable `inner` is the parent's `outer`; by_ref says whose life counts. */
typedef struct {
  sa_reg outer, inner;
  bool by_ref;
} sa_ir_capture;

enum {
  SA_FUNC_METHOD = 1 << 0, /* has `this` as parameter 1 */
  SA_FUNC_CTOR = 1 << 1,
  SA_FUNC_DTOR = 1 << 2,
  SA_FUNC_OVERRIDE = 1 << 3, /* overrides or implements a base class's virtual method */
  SA_FUNC_VIRTUAL = 1 << 4,
  SA_FUNC_INTERNAL = 1 << 5, /* static, anonymous namespace, private: callers are all ours */
  SA_FUNC_EXPORTED = 1 << 6, /* bound to Python or the dispatcher, extern "C", marked for export */
  SA_FUNC_LAMBDA = 1 << 7,
  SA_FUNC_TEMPLATE = 1 << 8,
  SA_FUNC_HEADER = 1 << 9, /* body stands in an included file: context, its sites are not ours */
  SA_FUNC_OPTIONAL_WAIT =
      1 << 10,            /* contract: the caller may drop the returned handle (send, recv) */
  SA_FUNC_TEST = 1 << 13, /* stands in a test */
  SA_FUNC_NODE =
      1 << 12, /* a step of an engine's graph (autograd's forward, backward): it runs it */
  SA_FUNC_IS_RECORD = 1 << 11 /* bears the name of a record API: implementation or override of it */
};

typedef struct {
  const char *name;       /* qualified; lambdas: parent's name and "::lambda#N" */
  const char *class_name; /* qualified, NULL for a free function */
  uint32_t parent;        /* lambda: function it is written in; else SA_NO_INDEX */
  uint32_t flags;
  sa_ir_type returns;
  uint32_t nparams;
  SA_ARRAY(sa_ir_reg) regs; /* at[0] is unused */
  SA_ARRAY(sa_ir_capture) captures;
  SA_ARRAY(sa_ir_block) blocks; /* empty: declaration only */
  sa_range at;
} sa_ir_func;

typedef struct {
  const char *name;
  sa_ir_type type;
} sa_ir_field;

typedef struct {
  const char *name; /* qualified */
  SA_ARRAY(const char *) bases;
  SA_ARRAY(sa_ir_field) fields;
  sa_range at;
} sa_ir_class;

typedef enum {
  SA_SITE_CALL,
  SA_SITE_HELPER_CALL,   /* a call of a forwarding helper; made by analysis */
  SA_SITE_MACRO,         /* the call stands in a macro's expansion; range is the expansion */
  SA_SITE_FORWARDING,    /* set by analysis */
  SA_SITE_IMPLEMENTATION /* declaration, definition or override of a record API */
} sa_site_kind;

typedef struct {
  sa_site_kind kind;
  sa_range at;          /* the whole call */
  const char *api;      /* qualified name of the API as recognised */
  const char *family;   /* c10-cuda, torch, cuda, npu, xpu, mlu, musa, hip, paddle, dgl, sar */
  uint32_t func;        /* where it stands, or SA_NO_INDEX */
  const char *function; /* name of the enclosing function, "" when unknown */
  const char *reason;   /* why it could not be analysed; NULL when it was lowered */
  bool justified;       /* a comment near the call says why the release cannot be controlled */
  bool waived;          /* justified: it says that callers need not wait */
} sa_ir_site;

/* Every token that spells a record call, and what became of it. */
typedef enum {
  SA_TOKEN_SITE,
  SA_TOKEN_IMPLEMENTATION,
  SA_TOKEN_NAMESAKE, /* same name, other thing; `why` says which test failed */
  SA_TOKEN_TEXT,     /* comment or string */
  SA_TOKEN_NOT_ANALYSED
} sa_token_fate;

typedef struct {
  sa_range at;
  sa_token_fate fate;
  uint32_t site; /* SA_TOKEN_SITE and NOT_ANALYSED: index into sites */
  const char *why;
} sa_ir_token;

typedef SA_ARRAY(const char *) sa_ir_texts;

typedef struct sa_ir_unit {
  const char *path;     /* of file 0, relative to the project root, forward slashes */
  const char *language; /* "c", "cpp", "cuda", "hip", "python" */
  SA_ARRAY(const char *) files;
  SA_ARRAY(sa_ir_class) classes;
  SA_ARRAY(sa_ir_func) funcs;
  SA_ARRAY(sa_ir_site) sites;
  SA_ARRAY(sa_ir_token) tokens;
  sa_ir_texts complaints; /* errors that the compiler saw in the source as it is; no text form */
  /* Files whose functions it calls, by the names that the calls have; no text form. */
  SA_ARRAY(const struct sa_ir_unit *) imports;
} sa_ir_unit;

/* Properties of an operation, from ir_ops.def. */
typedef struct {
  const char *name;
  bool has_result, has_text;
  uint8_t min_args, max_args; /* SA_ANY_ARGS: no limit */
  const char *meaning;
} sa_ir_op_info;

const sa_ir_op_info *sa_ir_op_about(sa_ir_op op);
/* Whether %0, the current stream, may stand at that argument. */
bool sa_ir_takes_current(sa_ir_op op, uint32_t index);
/* The word used in the text form for a type kind; never NULL. */
const char *sa_type_word(sa_type type);
/* "call", "helper-call", ...: the word in the text form and in every output. */
const char *sa_site_word(sa_site_kind kind);
/* "site", "implementation", ...: likewise. */
const char *sa_token_word(sa_token_fate fate);

/* Writes the unit's text form to a string in `arena`. The same unit gives the same bytes. */
char *sa_ir_print(sa_arena *arena, const sa_ir_unit *unit);

/* Reads the text form. `name` is used in messages (with line and column). On failure *out is NULL
 * and `diag` has the reason: SA_E_SYNTAX. Strings are copied into `arena`. */
sa_status sa_ir_parse(sa_ir_unit **out, sa_arena *arena, sa_diag *diag, const char *name,
                      const char *text);

/* Checks every invariant listed above; on the first breach returns false and gives a description
 * (function, block, instruction) in *why, made in `arena`. */
bool sa_ir_check(const sa_ir_unit *unit, sa_arena *arena, const char **why);

/* The class of that qualified name, or NULL. */
const sa_ir_class *sa_ir_find_class(const sa_ir_unit *unit, const char *name);

#endif
