/* The statements of a text: where one begins and ends, and what it stands in. In a language with
 * braces they are found without a compiler, in Python they are those of the parser's tree. Rewrites
 * put text between statements; whether the text is then what was meant is shown by analysing it
 * again, so this may be wrong where macros hide braces. */
#ifndef SA_REWRITE_SHAPE_H
#define SA_REWRITE_SHAPE_H

#include "base/array.h"
#include "base/table.h"
#include "rewrite/rewrite.h"

#include <stdbool.h>

typedef enum {
  SA_STMT_PLAIN, /* up to its `;`, or a definition up to its `}` */
  SA_STMT_BLOCK, /* `{` to `}`, or a suite or a Python module; its statements are its children */
  SA_STMT_IF,
  SA_STMT_LOOP,
  SA_STMT_SWITCH,
  SA_STMT_CONTEXT, /* with */
  SA_STMT_OTHER    /* try, do: children are blocks or statements */
} sa_stmt_kind;

/* How a statement stands in its parent. */
typedef enum {
  SA_IN_BLOCK, /* one of a block's statements */
  SA_IN_BODY,  /* what an if, loop, switch or context runs */
  SA_IN_ELSE,  /* what follows else */
  SA_IN_NESTED /* a block inside an expression: a lambda's body, an initializer */
} sa_stmt_role;

typedef struct {
  sa_stmt_kind kind;
  sa_stmt_role role;
  uint32_t begin, end;           /* bytes; the end is after the `;` or `}` */
  uint32_t head_begin, head_end; /* if, loop, switch, context: inside the parentheses, or up to the
                                    colon; a suite behind `else:`: that word; else 0 */
  uint32_t parent;               /* SA_SHAPE_NONE: the text itself */
  bool jumps;                    /* begins with return, throw, break, continue or goto */
  bool label;                    /* the statement follows a label or case */
} sa_stmt;

#define SA_SHAPE_NONE UINT32_MAX

typedef struct {
  uint32_t begin, end;
  bool bare; /* may be a variable: no attribute, no argument's name, no variable of an expression */
} sa_word;

/* A name of the module that an import binds. */
typedef struct {
  const char *name, *dotted;
} sa_shape_import;

typedef struct sa_shape {
  const char *text;
  size_t length;
  SA_ARRAY(sa_stmt) stmts; /* parents before children */
  SA_ARRAY(sa_word) words; /* identifiers, in order; not those of comments, strings, directives */
  sa_table names;          /* their spellings, by hash */
  SA_ARRAY(sa_shape_import) imports;
  bool suites;         /* Python: indentation instead of braces */
  const char *unsound; /* why there are no statements, or NULL */
  bool whole;          /* all branches of #if are in it, so it is the same for every focus */
} sa_shape;

/* Reads a text. Of the branches of #if only those count that hold byte `focus`, or are first, where
 * all of them together do not close their braces. Lives in `arena`. */
sa_shape *sa_shape_read(sa_arena *arena, const char *text, size_t length, uint32_t focus);
/* The same for a Python text; only an error in the outermost statement at `focus` makes it unsound.
 * Needs the Python frontend's parser: in a build without it every text is unsound. */
sa_shape *sa_suites_read(sa_arena *arena, const char *text, size_t length, uint32_t focus);
/* The same for the unit's text, which is read once where it is whole. */
sa_shape *sa_shape_of(const sa_rewrite_input *input, uint32_t focus);

/* The innermost statement that holds all bytes from `begin` to `end`, blocks included; or
 * SA_SHAPE_NONE. */
uint32_t sa_shape_at(const sa_shape *shape, uint32_t begin, uint32_t end);
/* The innermost block around a statement, or SA_SHAPE_NONE. */
uint32_t sa_shape_block_of(const sa_shape *shape, uint32_t stmt);
/* The ancestor of `stmt` (or itself) that is a direct child of `block`; or SA_SHAPE_NONE. */
uint32_t sa_shape_child_of(const sa_shape *shape, uint32_t stmt, uint32_t block);
/* Whether `inner` is `outer` or stands in it. */
bool sa_shape_inside(const sa_shape *shape, uint32_t inner, uint32_t outer);
/* The body of the innermost function around a statement, or SA_SHAPE_NONE. */
uint32_t sa_shape_function_of(const sa_shape *shape, uint32_t stmt);
/* Whether what stands behind the statement can be reached by running through it. */
bool sa_shape_falls_through(const sa_shape *shape, uint32_t stmt);
/* Python: whether the first name of `path` has a value at byte `at` of `block`: an import, or
 * something that always runs before reads or binds it. */
bool sa_shape_binds(const sa_shape *shape, const char *path, uint32_t block, uint32_t at);
/* Adds an identifier behind all others. */
void sa_shape_add_word(sa_arena *arena, sa_shape *shape, sa_word word);
/* Whether `name` is an identifier of the text. */
bool sa_shape_has_word(const sa_shape *shape, const char *name);

#endif
