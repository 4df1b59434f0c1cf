/* YAML as a tree whose nodes know where they stand: for rules and configuration.
 *
 * One document, block or flow style. Anchors, aliases, tags and repeated keys are refused, and
 * nesting has a limit, so a small file cannot grow into a large tree. */
#ifndef SA_BASE_YAML_H
#define SA_BASE_YAML_H

#include "base/diag.h"

#include <stdbool.h>

typedef enum { SA_YAML_SCALAR, SA_YAML_LIST, SA_YAML_MAP } sa_yaml_kind;

typedef struct sa_yaml sa_yaml;

typedef struct {
  const sa_yaml *key, *value; /* the key is a scalar */
} sa_yaml_entry;

struct sa_yaml {
  sa_yaml_kind kind;
  unsigned line, column; /* from 1, columns in characters */
  const char *text;      /* scalar: its value; "" otherwise */
  bool quoted;           /* scalar: written with quotes or as a block, so never a number or null */
  SA_ARRAY(const sa_yaml *) items; /* list */
  SA_ARRAY(sa_yaml_entry) entries; /* map, in the order of the file */
};

/* Parses `length` bytes; `name` is the file in messages. An empty document is an empty map. The
 * tree lives in `arena`. On failure *out is NULL, `diag` has the place, and the status is
 * SA_E_SYNTAX. */
sa_status sa_yaml_parse(const sa_yaml **out, sa_arena *arena, sa_diag *diag, const char *name,
                        const char *text, size_t length);

/* The value under `key`, or NULL when `map` is no map or has none. */
const sa_yaml *sa_yaml_get(const sa_yaml *map, const char *key);

/* "a text", "a list" or "a map": for messages. */
const char *sa_yaml_kind_name(sa_yaml_kind kind);

#endif
