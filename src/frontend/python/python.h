/* Python source to IR, through tree-sitter's grammar. */
#ifndef SA_FRONTEND_PYTHON_PYTHON_H
#define SA_FRONTEND_PYTHON_PYTHON_H

#include "base/diag.h"
#include "model/job.h"
#include "model/ruleset.h"

/* Lowers one Python file, whose text is in `job`, to a unit in `arena`. What has a syntax error
 * becomes nothing, the rest of the file is lowered all the same. Every spelling of a record call
 * has a fate in unit->tokens. Fails with SA_E_PARSE, and a message in `diag`, only when the parser
 * gives no tree at all. */
sa_status sa_python_lower(sa_ir_unit **out, sa_arena *arena, sa_diag *diag, const sa_ruleset *rules,
                          const sa_job *job);

/* The unit of a file whose lowering was lost: every call of a record API in it is a site that was
 * not analysed, with `reason`. */
sa_ir_unit *sa_python_account(sa_arena *arena, const sa_ruleset *rules, const sa_job *job,
                              const char *reason);

/* Whether the rows of kind SA_READ_MODULE, which a lowering below `root` has added to job->reads,
 * would be the same now. */
bool sa_python_unchanged(const char *root, const sa_reads *reads);

#endif
