/* What a call does and what a type is, by the API models. Shared by all frontends. */
#ifndef SA_FRONTEND_RECOGNISE_H
#define SA_FRONTEND_RECOGNISE_H

#include "model/ruleset.h"

/* A call as a frontend sees it. */
typedef struct {
  sa_api_kind kind;
  const char *name; /* function: as qualified as known; method: its name; constructor: class */
  sa_type receiver; /* method: kind of the receiver, UNKNOWN when not known */
  const char *receiver_name; /* method: type as spelled, "" when not known */
  const char *owner;         /* method: class that declares it, NULL when not known */
  uint32_t nargs;
  sa_type first;               /* kind of argument 0, UNKNOWN when not known or absent */
  bool python;                 /* rows for Python are asked, and no other */
  const char *const *keywords; /* names of arguments that are given by name and turn something on */
  uint32_t nkeywords;
} sa_callee;

/* The first row that fits, or NULL. A receiver or argument of unknown type fits a row that asks for
 * one only when no row asks for another kind under the same name (so an `append` on an unknown
 * object stays unknown). */
const sa_api *sa_recognise(const sa_ruleset *rules, const sa_callee *callee);

/* The register that an effect's operand means in a call with these arguments, receiver and result;
 * 0 when there is none, or when it means none (the current stream, say). */
sa_reg sa_operand_reg(sa_operand operand, const sa_reg *args, uint32_t nargs, sa_reg receiver,
                      sa_reg result);

/* What a type spelling ("const std::vector<at::Tensor> &", "c10::intrusive_ptr<Work>") is:
 * qualifiers, references and pointers are looked through, containers take the kind of the first
 * template argument that holds something. Unknown classes give SA_TYPE_OBJECT, numbers and strings
 * SA_TYPE_SCALAR. The result's name is `spelling` copied into `arena`. */
sa_ir_type sa_classify_type(const sa_ruleset *rules, sa_arena *arena, const char *spelling);

/* Whether the class that a type spelling is about, qualifiers, references, pointers and smart
 * pointers aside, matches the pattern (see sa_api.name). */
bool sa_type_names(const char *pattern, const char *spelling);

/* Whether `name` matches `pattern` from the end by whole components (see sa_api.name). */
bool sa_name_matches(const char *pattern, const char *name);

/* Whether `text` (a comment) gives a reason why the release point cannot be controlled: it holds
 * one of the ruleset's justifying or waiving phrases. */
bool sa_comment_justifies(const sa_ruleset *rules, const char *text);
/* Whether the reason is that callers need not wait. */
bool sa_comment_waives(const sa_ruleset *rules, const char *text);

#endif
