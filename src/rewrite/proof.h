/* What an edit changed in what the linter says of a file. */
#ifndef SA_REWRITE_PROOF_H
#define SA_REWRITE_PROOF_H

#include "model/edit.h"
#include "model/finding.h"

/* Two runs; the second is over the edited text. Both results hold that one file alone. */
typedef struct {
  const sa_result *before, *after;
  const sa_ir_texts *complaints_before, *complaints_after;
  const sa_splices *edits;
  const char *text, *edited; /* before and after */
  size_t length, edited_length;
} sa_proof;

/* How an answer begins when the compiler does not take the edited text. */
#define SA_PROOF_COMPLAINT "the compiler would say: "

/* NULL when nothing is new after the edit: no finding, no complaint of the compiler, and every site
 * is there but those in `gone` (indices into before->sites). Otherwise what is new, in `arena`. A
 * finding is not new where one at least as bad stood at its place. */
const char *sa_proof_fails(sa_arena *arena, const sa_proof *proof, const uint32_t *gone,
                           uint32_t ngone);

/* Whether findings of the rule of finding `index` are fewer than before, and findings as bad as it
 * too: another rule must not say what it said. */
bool sa_proof_settles(const sa_proof *proof, uint32_t index);

/* The site that was number `index` before, found in `after`, or NULL. */
const sa_site *sa_proof_site(const sa_proof *proof, uint32_t index);

#endif
