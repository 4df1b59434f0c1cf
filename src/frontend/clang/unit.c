/* One file from text to unit: parse, learn unknown names and parse again, lower, account for
 * tokens. */
#include "base/clock.h"
#include "frontend/clang/internal.h"
#include "frontend/clang/reads.h"

#include <string.h>

enum { MAX_ROUNDS = 5 };

typedef struct {
  CXIndex index;
  input in;
  lessons learnt;
  unsigned variant;
} parse;

static bool parse_once(lowering *lo, sa_clang *clang, const sa_sdk *sdk, parse *p) {
  prepare_input(&p->in, lo->arena, clang, lo->rules, sdk, lo->job, &p->learnt, p->variant);
  unsigned options = CXTranslationUnit_KeepGoing;
  double start = sa_now();
  struct timespec begun;
  clock_gettime(CLOCK_REALTIME_COARSE, &begun);
  enum CXErrorCode error =
      lo->lib->parseTranslationUnit2(p->index, lo->job->absolute, p->in.args.at, (int)p->in.args.n,
                                     p->in.files.at, p->in.files.n, options, &lo->tu);
  clang->parsing += sa_now() - start;
  if (error != CXError_Success || lo->tu == NULL) {
    lo->tu = NULL;
    return false;
  }
  if (lo->job->native) note_inclusions(lo, clang->reads, &p->in, &begun);
  lo->main = lo->lib->getFile(lo->tu, lo->job->absolute);
  lo->text = p->in.text;
  lo->length = p->in.length;
  return true;
}

/* With a header missing, what the flags lead to is no whole picture: the model headers are then.
 * Says so, and turns the job into one without flags. */
static bool native_fails(lowering *lo) {
  if (!lo->job->native) return false;
  const char *missing = missing_header(lo);
  if (missing == NULL) return false;
  sa_report(lo->diag, SA_WARNING, lo->job->path, 0, 0,
            "'%s' was not found with the flags of the compile database%s; analysed with model "
            "headers",
            missing,
            lo->lib->resources == NULL
                ? " (nor were clang's own headers: install libclang-common-19-dev, or the one of "
                  "your libclang's version)"
                : "");
  sa_job *plain = sa_alloc(lo->arena, sizeof *plain);
  *plain = *lo->job;
  plain->native = false;
  lo->job = plain;
  return true;
}

/* The errors of the last parse. */
static void keep_complaints(lowering *lo) {
  enum { MAX_COMPLAINTS = 1000 };
  unsigned n = lo->lib->getNumDiagnostics(lo->tu);
  lo->unit->complaints.n = 0;
  for (unsigned i = 0; i < n && lo->unit->complaints.n < MAX_COMPLAINTS; i++) {
    CXDiagnostic diagnostic = lo->lib->getDiagnostic(lo->tu, i);
    if (lo->lib->getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      CXString text = lo->lib->getDiagnosticSpelling(diagnostic);
      sa_push(lo->arena, &lo->unit->complaints, sa_strdup(lo->arena, lo->lib->getCString(text)));
      lo->lib->disposeString(text);
    }
    lo->lib->disposeDiagnostic(diagnostic);
  }
}

/* Parses until the errors teach nothing new. Complaints are those of the first parse of the text as
 * it is. Where edited texts will begin with what this one teaches, they are those of the parse that
 * knew it all, so that the two can be compared. */
static bool parse_rounds(lowering *lo, sa_clang *clang, const sa_sdk *sdk, parse *p) {
  bool compared = clang->remembers && clang->remembered == NULL && !lo->job->native;
  for (int round = 0;; round++) {
    if (!parse_once(lo, clang, sdk, p)) return false;
    if (round == 0 && p->variant == 0) keep_complaints(lo);
    if (native_fails(lo)) {
      p->learnt = (lessons){.path = lo->job->absolute, .prelude = ""};
      round = -1;
    } else if (round >= MAX_ROUNDS || !learn_from_errors(lo, sdk, &p->learnt)) {
      if (compared && p->variant == 0) keep_complaints(lo);
      return true;
    }
    lo->lib->disposeTranslationUnit(lo->tu);
  }
}

/* What is known about the file before its first parse. */
static lessons first_lessons(const sa_clang *clang, const sa_job *job) {
  const lessons *known = clang->remembered;
  if (known != NULL && !job->native && strcmp(known->path, job->absolute) == 0) return *known;
  return (lessons){.path = job->absolute, .prelude = ""};
}

static void keep_lessons(sa_clang *clang, sa_arena *arena, const lessons *learnt) {
  if (!clang->remembers || clang->remembered != NULL) return;
  lessons *kept = sa_alloc(arena, sizeof *kept);
  *kept = *learnt;
  clang->remembered = kept;
}

void sa_clang_remember(sa_clang *clang, bool on) {
  clang->remembers = on;
  clang->remembered = NULL;
}

static void forget_translation_unit(lowering *lo) {
  lo->lib->disposeTranslationUnit(lo->tu);
  lo->tu = NULL;
  lo->funcs.n = lo->queue.n = lo->globals.n = lo->files.n = 0;
  lo->func_slots = NULL;
  lo->func_slot_count = 0;
}

static bool has_unsettled(const lowering *lo) {
  for (uint32_t i = 0; i < lo->unit->tokens.n; i++)
    if (lo->unit->tokens.at[i].fate == SA_TOKEN_NOT_ANALYSED) return true;
  return false;
}

/* In a further variant only functions with tokens that nothing accounted for are of interest. */
static void keep_unsettled_functions(lowering *lo) {
  for (uint32_t i = 0; i < lo->funcs.n; i++) {
    known_func *known = &lo->funcs.at[i];
    span s = span_of(lo, known->definition);
    bool wanted = false;
    for (uint32_t k = 0; k < lo->unit->tokens.n && !wanted && !known->in_header; k++) {
      const sa_ir_token *token = &lo->unit->tokens.at[k];
      wanted = token->fate == SA_TOKEN_NOT_ANALYSED && token->at.offset >= s.begin &&
               token->at.offset < s.end;
    }
    if (!wanted) known->in_header = true; /* context only: lowered when something calls it */
  }
}

static void lower_variant(lowering *lo, unsigned variant) {
  sa_push(lo->arena, &lo->files, ((known_file){lo->main, 0}));
  if (variant == 0) sa_push(lo->arena, &lo->unit->files, lo->job->path);
  if (variant == 0) scan_tokens(lo);
  collect_declarations(lo);
  if (variant > 0) keep_unsettled_functions(lo);
  lower_queue(lo);
}

sa_status sa_clang_lower(sa_ir_unit **out, sa_arena *arena, sa_diag *diag, sa_clang *clang,
                         const sa_ruleset *rules, const sa_sdk *sdk, const sa_job *job) {
  *out = NULL;
  sa_ir_unit *unit = sa_alloc(arena, sizeof *unit);
  unit->path = job->path;
  unit->language = job->language;
  lowering lo = {
      .lib = clang, .arena = arena, .diag = diag, .rules = rules, .job = job, .unit = unit};
  parse p = {.index = clang->createIndex(0, 0), .learnt = first_lessons(clang, job)};
  sa_status status = SA_E_PARSE;
  unsigned variants = 1;
  for (p.variant = 0; p.variant < variants; p.variant++) {
    if (!parse_rounds(&lo, clang, sdk, &p)) {
      if (status == SA_OK) settle_tokens_by_text(&lo, "libclang could not parse its branch");
      break;
    }
    keep_lessons(clang, arena, &p.learnt);
    variants = p.in.variants;
    if (lo.job->native && p.variant == 0) note_errors(&lo);
    lower_variant(&lo, p.variant);
    status = SA_OK;
    if (p.variant + 1 == variants || !has_unsettled(&lo)) {
      settle_tokens(&lo);
      lo.lib->disposeTranslationUnit(lo.tu);
      break;
    }
    forget_translation_unit(&lo);
  }
  clang->disposeIndex(p.index);
  if (status != SA_OK)
    sa_report(diag, SA_ERROR, job->path, 0, 0, "libclang could not parse this file");
  else
    *out = unit;
  return status;
}
