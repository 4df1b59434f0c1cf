/* What the files of this stage share: embedded files, a reader for maps, the loaders. */
#ifndef SA_RULESET_INTERNAL_H
#define SA_RULESET_INTERNAL_H

#include "ruleset/ruleset.h"

/* A file of rules/ in the program; `end` points at a zero byte. Sorted by path. */
typedef struct {
  const char *path, *begin, *end;
} sa_embedded;
extern const sa_embedded sa_embedded_files[];
extern const size_t sa_embedded_count;

/* Where a loader reads from and reports to. `failed` remembers that a message was an error, so that
 * one run shows everything that is wrong with the rules. */
typedef struct {
  sa_arena *arena;
  sa_diag *diag;
  const char *file;
  sa_ruleset *rules;
  bool failed;
} sa_loader;

__attribute__((format(printf, 3, 4))) void sa_loader_error(sa_loader *l, const sa_yaml *at,
                                                           const char *format, ...);

/* Keys of a map: what may stand there, and of which kind. The list ends with a NULL name. */
typedef struct {
  const char *name;
  unsigned kinds; /* bit per sa_yaml_kind */
  bool required;
} sa_key;

enum { SA_TEXT = 1 << SA_YAML_SCALAR, SA_LIST = 1 << SA_YAML_LIST, SA_MAP = 1 << SA_YAML_MAP };

/* Whether `map` is a map with exactly these keys; says what is wrong otherwise. */
bool sa_loader_check_keys(sa_loader *l, const sa_yaml *map, const sa_key *keys, const char *what);

/* The text under `key`, or `otherwise`. */
const char *sa_loader_text(const sa_yaml *map, const char *key, const char *otherwise);

/* The index of the text under `key` in `words` (NULL-terminated), or -1: absent, or none of them
 * (then it is reported). */
int sa_loader_word(sa_loader *l, const sa_yaml *map, const char *key, const char *const *words);

/* A list (or single text) under `key` as texts, each checked to be a text that is not empty. */
typedef SA_ARRAY(const sa_yaml *) sa_texts;
sa_texts sa_loader_texts(sa_loader *l, const sa_yaml *map, const char *key);

/* The highest number of arguments, or of an argument, that a row may name. */
enum { SA_MAX_ARGS = 60 };

/* One file each; rows go to l->rules. */
void sa_load_apis(sa_loader *l, const sa_yaml *map);
void sa_load_verdicts(sa_loader *l, const sa_yaml *map);
void sa_load_rule(sa_loader *l, const sa_yaml *map);
void sa_load_rewrites(sa_loader *l, const sa_yaml *map);

/* The effects of one row of apis. */
void sa_load_effects(sa_loader *l, sa_api *api, const sa_yaml *row);

/* Checks across rows and files; see verify.c. */
void sa_verify_apis(sa_loader *l);
void sa_verify_verdicts(sa_loader *l);
void sa_verify_rules(sa_loader *l);
void sa_verify_rewrites(sa_loader *l);

/* Fills by_name. */
void sa_index_apis(sa_loader *l);

/* The type kind of that word ("tensor"), or -1. */
int sa_type_kind_find(const char *word);

#endif
