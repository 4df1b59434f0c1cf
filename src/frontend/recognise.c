/* Which row of the API models a call fits, and which comments count as a reason. */
#include "frontend/recognise.h"

#include "model/names.h"

#include <ctype.h>
#include <string.h>

bool sa_name_matches(const char *pattern, const char *name) {
  return sa_name_span_matches(pattern, (sa_span){name, strlen(name)});
}

/* ---- calls ---- */

typedef enum { NO, MAYBE, YES } answer;

static answer least(answer a, answer b) {
  return a < b ? a : b;
}

static answer fits_kind(const char *word, sa_type kind) {
  if (strcmp(word, sa_type_word(kind)) == 0) return YES;
  return kind == SA_TYPE_UNKNOWN ? MAYBE : NO;
}

/* A row asks for a kind of receiver by its word, or for a class by a pattern. */
static answer fits_receiver(const char *wanted, const sa_callee *callee) {
  if (wanted == NULL) return YES;
  for (int kind = SA_TYPE_UNKNOWN; kind <= SA_TYPE_VOID; kind++)
    if (strcmp(wanted, sa_type_word((sa_type)kind)) == 0)
      return fits_kind(wanted, callee->receiver);
  if (callee->owner != NULL && sa_name_matches(wanted, callee->owner)) return YES;
  if (callee->receiver_name == NULL || callee->receiver_name[0] == '\0')
    return callee->receiver == SA_TYPE_UNKNOWN ? MAYBE : NO;
  return sa_type_names(wanted, callee->receiver_name) ? YES : NO;
}

static bool has_keyword(const sa_callee *callee, const char *name) {
  for (uint32_t i = 0; i < callee->nkeywords; i++)
    if (strcmp(callee->keywords[i], name) == 0) return true;
  return false;
}

static answer fits(const sa_api *api, const sa_callee *callee) {
  if (api->python != callee->python) return NO;
  if (api->kind != callee->kind || callee->nargs < api->min_args) return NO;
  if (api->keyword != NULL && !has_keyword(callee, api->keyword)) return NO;
  if (api->max_args != SA_ANY_ARGS && callee->nargs > api->max_args) return NO;
  if (!sa_name_matches(api->name, callee->name)) return NO;
  answer receiver = fits_receiver(api->receiver, callee);
  answer first = api->first == NULL ? YES : fits_kind(api->first, callee->first);
  return least(receiver, first);
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Rows that ask for different things and say the same leave nothing open. */
static bool same_effects(const sa_api *a, const sa_api *b) {
  if (a->effects.n != b->effects.n) return false;
  for (uint32_t i = 0; i < a->effects.n; i++) {
    const sa_effect *x = &a->effects.at[i], *y = &b->effects.at[i];
    if (x->op != y->op || x->noperands != y->noperands || x->written != y->written) return false;
    for (uint8_t k = 0; k < x->noperands; k++)
      if (x->operands[k].kind != y->operands[k].kind ||
          x->operands[k].index != y->operands[k].index)
        return false;
  }
  return true;
}

/* Collects what fits, in the order of the rows. */
typedef struct {
  const sa_ruleset *rules;
  const sa_callee *callee;
  uint32_t yes;   /* the first row that fits; SA_NO_INDEX: none */
  uint32_t maybe; /* the first that fits if what is unknown is what it asks for */
  bool ambiguous; /* rows ask for different things */
} match;

static void consider(match *m, uint32_t index) {
  if (index >= m->yes) return;
  const sa_api *api = &m->rules->apis.at[index];
  answer a = fits(api, m->callee);
  if (a == YES) m->yes = index;
  if (a != MAYBE) return;
  if (m->maybe != SA_NO_INDEX) {
    const sa_api *other = &m->rules->apis.at[m->maybe];
    bool same = same_text(api->receiver, other->receiver) && same_text(api->first, other->first);
    if (!same && !same_effects(api, other)) m->ambiguous = true;
  }
  if (index < m->maybe) m->maybe = index;
}

/* The rows whose name ends in `last`, by binary search. */
static void consider_named(match *m, sa_span last) {
  const sa_ruleset *rules = m->rules;
  uint32_t low = 0, high = rules->by_name.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (sa_span_compare(rules->by_name.at[middle].last, last) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < rules->by_name.n; low++) {
    if (sa_span_compare(rules->by_name.at[low].last, last) != 0) return;
    consider(m, rules->by_name.at[low].api);
  }
}

const sa_api *sa_recognise(const sa_ruleset *rules, const sa_callee *callee) {
  if (callee->name == NULL || callee->name[0] == '\0') return NULL;
  match m = {.rules = rules, .callee = callee, .yes = SA_NO_INDEX, .maybe = SA_NO_INDEX};
  consider_named(&m, sa_last_component(callee->name));
  /* Where types are guessed, a row for many names says too much to be taken on another guess, or
   * against a row for this name. */
  if (callee->python && m.yes == SA_NO_INDEX && m.maybe != SA_NO_INDEX && !m.ambiguous)
    return &rules->apis.at[m.maybe];
  for (uint32_t i = 0; i < rules->wild.n; i++)
    if (!callee->python || fits_receiver(rules->apis.at[rules->wild.at[i]].receiver, callee) == YES)
      consider(&m, rules->wild.at[i]);
  if (m.yes != SA_NO_INDEX) return &rules->apis.at[m.yes];
  return m.maybe != SA_NO_INDEX && !m.ambiguous ? &rules->apis.at[m.maybe] : NULL;
}

/* ---- comments ---- */

/* White space and the marks that comments are made of count as one space. */
static bool is_filler(char c) {
  return isspace((unsigned char)c) || c == '/' || c == '*' || c == '#' || c == '!';
}

static const char *skip_filler(const char *at) {
  while (*at != '\0' && is_filler(*at)) at++;
  return at;
}

/* The longest gap that "..." in a phrase may stand for, in characters. */
enum { MAX_GAP = 80 };

static bool phrase_at(const char *text, const char *phrase);

static bool same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* `phrase` begins with "(one|other words)"; every choice is tried with what follows. */
static bool choice_at(const char *text, const char *phrase) {
  size_t all = strcspn(phrase, ")");
  const char *rest = phrase + all + (phrase[all] == ')');
  for (const char *choice = phrase + 1; choice < phrase + all;) {
    size_t length = strcspn(choice, "|)"), same = 0;
    const char *at = text;
    for (; same < length; same++) {
      if (is_filler(choice[same]) && is_filler(*at))
        at = skip_filler(at);
      else if (same_letter(choice[same], *at))
        at++;
      else
        break;
    }
    if (same == length && phrase_at(at, rest)) return true;
    choice += length + 1;
  }
  return false;
}

static bool phrase_at(const char *text, const char *phrase) {
  while (*phrase != '\0') {
    if (*phrase == '(') return choice_at(text, phrase);
    if (strncmp(phrase, "...", 3) == 0) {
      phrase = skip_filler(phrase + 3);
      for (int gap = 0; gap <= MAX_GAP; gap++, text++) {
        if (phrase_at(text, phrase)) return true;
        if (*text == '\0') return false;
      }
      return false;
    }
    if (is_filler(*phrase)) {
      if (!is_filler(*text)) return false;
      phrase = skip_filler(phrase);
      text = skip_filler(text);
    } else {
      if (!same_letter(*phrase, *text)) return false;
      phrase++;
      text++;
    }
  }
  return true;
}

static bool holds_phrase(const char *text, const char *const *phrases, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (const char *at = text; *at != '\0'; at++)
      if ((at == text || !isalnum((unsigned char)at[-1])) && phrase_at(at, phrases[i])) return true;
  return false;
}

bool sa_comment_waives(const sa_ruleset *rules, const char *text) {
  return holds_phrase(text, rules->waiving.at, rules->waiving.n);
}

bool sa_comment_justifies(const sa_ruleset *rules, const char *text) {
  return holds_phrase(text, rules->justifying.at, rules->justifying.n) ||
         sa_comment_waives(rules, text);
}

sa_reg sa_operand_reg(sa_operand operand, const sa_reg *args, uint32_t nargs, sa_reg receiver,
                      sa_reg result) {
  switch (operand.kind) {
  case SA_FROM_ARG:
    return operand.index < nargs ? args[operand.index] : 0;
  case SA_FROM_SELF:
    return receiver;
  case SA_FROM_RESULT:
    return result;
  default:
    return 0;
  }
}
