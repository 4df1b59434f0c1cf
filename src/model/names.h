/* Qualified names as text: components, template arguments, patterns. */
#ifndef SA_MODEL_NAMES_H
#define SA_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Part of a text; not terminated. */
typedef struct {
  const char *at;
  size_t length;
} sa_span;

/* As strcmp() orders them. */
int sa_span_compare(sa_span a, sa_span b);
bool sa_span_equals(sa_span a, const char *text);

/* The last component of a qualified name, without template arguments: "push_back" of
 * "std::vector<a::B>::push_back"; operators are one component. */
sa_span sa_last_component(const char *name);

/* Whether `name` ends in the components of `pattern`, where `*` matches any part of one component.
 * Template arguments and inline namespaces (std::__1) of `name` do not count. */
bool sa_name_span_matches(const char *pattern, sa_span name);

#endif
