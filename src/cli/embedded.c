#include "cli/embedded.h"

#include "cli/sdk.h"
#include "frontend/python/embedded.h"

#include <string.h>

static bool any_of(const sa_job *job, const char *const *words, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (memmem(job->text, job->length, words[i], strlen(words[i])) != NULL) return true;
  return false;
}

/* The run's libclang, or one of this process's own when the run has no C++ source. */
static bool find_clang(sa_cpp *cpp, sa_diag *diag, const sa_session *session) {
  if (cpp->clang != NULL) return true;
  if (cpp->tried) return false;
  cpp->tried = true;
  return sa_sdk_load(&cpp->sdk, cpp->arena, diag, session->options->rules) == SA_OK &&
         sa_clang_open(&cpp->clang, diag, session->options->libclang) == SA_OK;
}

static sa_ir_unit *lower_text(sa_arena *arena, sa_diag *diag, const sa_session *session,
                              const sa_job *job) {
  sa_ir_unit *unit = NULL;
  sa_cpp *cpp = session->cpp;
  if (!find_clang(cpp, diag, session))
    return sa_clang_account(arena, session->rules, job, "libclang could not be loaded");
  if (sa_clang_lower(&unit, arena, diag, cpp->clang, session->rules, &cpp->sdk, job) != SA_OK)
    return sa_clang_account(arena, session->rules, job, "the text could not be parsed");
  return unit;
}

void sa_embedded_lower(sa_unit_array *out, sa_arena *arena, sa_diag *diag,
                       const sa_session *session, const sa_job *job) {
  sa_embedded_array texts = {0};
  sa_python_embedded(&texts, arena, job);
  for (uint32_t i = 0; i < texts.n; i++) {
    const sa_origin *origin = &texts.at[i].origin;
    sa_job inner = *job;
    inner.text = origin->text;
    inner.length = origin->length;
    inner.language = texts.at[i].language;
    const sa_ruleset *rules = session->rules;
    if (!any_of(&inner, rules->spellings.at, rules->spellings.n) &&
        !any_of(&inner, rules->triggers.at, rules->triggers.n))
      continue;
    sa_ir_unit *unit = lower_text(arena, diag, session, &inner);
    sa_origin_place_unit(unit, origin);
    if (job->origin != NULL) sa_origin_place_unit(unit, job->origin);
    sa_push(arena, out, unit);
  }
}
