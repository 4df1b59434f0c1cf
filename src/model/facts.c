#include "model/facts.h"

#include <stdlib.h>
#include <string.h>

static const sa_fact_info FACTS[SA_FACT_COUNT] = {
#define SA_FACT(name, words, what) {#name, words, what},
#include "model/facts.def"
#undef SA_FACT
};

/* Room for the longest word list; words are handed out as static text. */
enum { MAX_WORDS = 16, MAX_WORD = 24 };

const sa_fact_info *sa_fact_about(sa_fact fact) {
  return &FACTS[fact];
}

sa_fact sa_fact_find(const char *name) {
  for (int i = 0; i < SA_FACT_COUNT; i++)
    if (strcmp(FACTS[i].name, name) == 0) return (sa_fact)i;
  return SA_FACT_COUNT;
}

int sa_fact_word_index(sa_fact fact, const char *word) {
  size_t length = strlen(word);
  int index = 0;
  for (const char *at = FACTS[fact].words; *at != '\0'; index++) {
    size_t here = strcspn(at, " ");
    if (here == length && memcmp(at, word, length) == 0) return index;
    at += here + (at[here] == ' ');
  }
  return -1;
}

bool sa_facts_are(const sa_site_facts *facts, sa_fact fact, const char *word) {
  return facts->facts[fact].word == sa_fact_word_index(fact, word);
}

const char *sa_fact_word(sa_fact fact, int index) {
  static char words[SA_FACT_COUNT][MAX_WORDS][MAX_WORD];
  const char *at = FACTS[fact].words;
  for (int i = 0; i < index && *at != '\0'; i++) {
    size_t here = strcspn(at, " ");
    at += here + (at[here] == ' ');
  }
  size_t length = strcspn(at, " ");
  char *out = words[fact][index];
  if (out[0] == '\0') memcpy(out, at, length);
  return out;
}

const char *sa_role_name(sa_role role) {
  static const char *const names[] = {"creation", "side-use", "event", "wait",   "record",
                                      "release",  "escape",   "stash", "context"};
  return names[role];
}

static int compare_evidence(const void *a, const void *b) {
  const sa_evidence *x = a, *y = b;
  int order = sa_range_compare(x->at, y->at);
  if (order == 0) order = (x->role > y->role) - (x->role < y->role);
  return order != 0 ? order : strcmp(x->text, y->text);
}

void sa_evidence_add(sa_arena *arena, sa_evidence_array *evidence, const sa_evidence *step) {
  for (uint32_t i = 0; i < evidence->n; i++) {
    const sa_evidence *known = &evidence->at[i];
    if (known->role == step->role && sa_range_compare(known->at, step->at) == 0) return;
  }
  sa_push(arena, evidence, *step);
}

void sa_evidence_sort(sa_evidence_array *evidence) {
  if (evidence->n > 1) qsort(evidence->at, evidence->n, sizeof *evidence->at, compare_evidence);
}

const char *sa_hazard_name(sa_hazard_kind kind) {
  static const char *const names[SA_HAZARD_COUNT] = {
      [SA_HAZARD_UNORDERED_RELEASE] = "unordered-release",
      [SA_HAZARD_READ_BEFORE_READY] = "read-before-ready",
      [SA_HAZARD_WAIT_ON_WRONG_STREAM] = "wait-on-wrong-stream",
      [SA_HAZARD_EVENT_ORDER] = "event-order",
      [SA_HAZARD_WAIT_TOO_EARLY] = "wait-too-early",
      [SA_HAZARD_DEFERRED_IN_CAPTURE] = "deferred-in-capture",
      [SA_HAZARD_QUERY_IN_CAPTURE] = "query-in-capture",
      [SA_HAZARD_WRONG_STREAM_RECORDED] = "wrong-stream-recorded",
  };
  return names[kind];
}

const char *sa_release_name(sa_release_state state) {
  static const char *const names[] = {"unknown", "covered", "unordered"};
  return names[state];
}
