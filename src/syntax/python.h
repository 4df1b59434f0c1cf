/* Python text to tree-sitter's tree, with bounded work. */
#ifndef SA_SYNTAX_PYTHON_H
#define SA_SYNTAX_PYTHON_H

#include <stddef.h>
#include <tree_sitter/api.h>

/* The language of every tree below, for the numbers of its fields and symbols. */
const TSLanguage *tree_sitter_python(void);

/* The tree of `text`, `length` bytes, to be deleted by the caller with ts_tree_delete(). What has a
 * syntax error is an ERROR node, the rest is read all the same. NULL with `*why`, a clause for a
 * message, when the parser would take out of proportion to the length. The bound is on work, not on
 * time: the same text always has the same answer. */
TSTree *sa_python_tree(const char *text, size_t length, const char **why);

#endif
