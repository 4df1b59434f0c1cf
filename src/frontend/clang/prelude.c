/* Names that clang does not know. A statement with an unknown qualified name is dropped from the
 * syntax tree; so the names are declared in a generated prelude and the file is parsed again. What
 * a name is (namespace, type, function, variable) is read from what follows it in the source. */
#include "frontend/clang/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LINES = 400 }; /* added in one round; hostile input can name any number of things */

static const char BASE[] = "struct sa_any {\n"
                           "  sa_any();\n"
                           "  sa_any(const sa_any &);\n"
                           "  template <class... A> sa_any(A &&...);\n"
                           "  template <class... A> sa_any operator()(A &&...) const;\n"
                           "  template <class T> sa_any &operator[](const T &) const;\n"
                           "  template <class T> sa_any &operator=(const T &);\n"
                           "  sa_any *operator->() const;\n"
                           "  sa_any &operator*() const;\n"
                           "  template <class T> operator T() const;\n"
                           "  sa_any *begin() const;\n"
                           "  sa_any *end() const;\n"
                           "};\n";

typedef enum { NAME_NAMESPACE, NAME_TYPE, NAME_TEMPLATE, NAME_FUNCTION, NAME_VARIABLE } name_kind;

typedef struct {
  const char *text;
  size_t length, at;
} reader;

static void skip_blanks(reader *r) {
  while (r->at < r->length && isspace((unsigned char)r->text[r->at])) r->at++;
}

static const char *read_name(reader *r, sa_arena *arena) {
  size_t begin = r->at;
  while (r->at < r->length && is_name(r->text[r->at])) r->at++;
  return sa_strndup(arena, r->text + begin, r->at - begin);
}

static bool take(reader *r, const char *word) {
  skip_blanks(r);
  size_t n = strlen(word);
  if (r->at + n > r->length || memcmp(r->text + r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

/* Behind `<...>`; stops at the end of the text when it is not closed. */
static void skip_template_arguments(reader *r) {
  int depth = 0;
  for (; r->at < r->length; r->at++) {
    char c = r->text[r->at];
    if (c == ';' || c == '{') return;
    depth += c == '<';
    depth -= c == '>';
    if (depth == 0) {
      r->at++;
      return;
    }
  }
}

static name_kind kind_of_name(reader *r, bool wants_type) {
  skip_blanks(r);
  char c = r->at < r->length ? r->text[r->at] : '\0';
  if (c == '<') {
    skip_template_arguments(r);
    skip_blanks(r);
    c = r->at < r->length ? r->text[r->at] : '\0';
    return c == '(' && !wants_type ? NAME_FUNCTION : NAME_TEMPLATE;
  }
  if (wants_type) return NAME_TYPE;
  if (c == '(') return NAME_FUNCTION;
  if (is_name(c) || c == '&' || c == '*' || c == '>' || c == '{') return NAME_TYPE;
  return NAME_VARIABLE;
}

typedef struct {
  sa_arena *arena;
  SA_ARRAY(const char *) lines;
  const char *old;
  bool changed;      /* `old` was edited, or a header or hidden class was added */
  const sa_sdk *sdk; /* NULL in native mode: real headers and models do not mix */
  lessons *learnt;
} additions;

static bool add_name(additions *a, name_array *list, const char *name) {
  for (uint32_t i = 0; i < list->n; i++)
    if (strcmp(list->at[i], name) == 0) return false;
  sa_push(a->arena, list, name);
  a->changed = true;
  return true;
}

static void add_line(additions *a, const char *line) {
  if (strstr(a->old, line) != NULL) return;
  for (uint32_t i = 0; i < a->lines.n; i++)
    if (strcmp(a->lines.at[i], line) == 0) return;
  sa_push(a->arena, &a->lines, line);
}

static const char *declaration(sa_arena *arena, name_kind kind, const char *name) {
  switch (kind) {
  case NAME_TYPE:
    return sa_printf(arena, "struct %s : sa_any { using sa_any::sa_any; };", name);
  case NAME_TEMPLATE:
    return sa_printf(arena, "template <class...> struct %s : sa_any { using sa_any::sa_any; };",
                     name);
  case NAME_FUNCTION:
    return sa_printf(arena, "template <class... T, class... A> sa_any %s(A &&...);", name);
  case NAME_VARIABLE:
    return sa_printf(arena, "extern sa_any %s;", name);
  default:
    return "";
  }
}

/* Takes the name from a model header that the file did not include, if there is one. */
static bool add_header_with(additions *a, const char *name) {
  const char *header = a->sdk != NULL ? model_header_with(a->sdk, name) : NULL;
  return header != NULL && add_name(a, &a->learnt->headers, header);
}

static void declare(additions *a, const char *space, name_kind kind, const char *name) {
  const char *line = declaration(a->arena, kind, name);
  if (space[0] != '\0') line = sa_printf(a->arena, "namespace %s { %s }", space, line);
  add_line(a, sa_printf(a->arena, "%s\n", line));
}

/* Declares the name at the reader, which lies in namespace `space` ("": in none), with whatever
 * `::` adds to it. */
static void declare_chain(additions *a, reader *r, const char *space, bool wants_type) {
  for (int depth = 0; depth < 8; depth++) {
    skip_blanks(r);
    const char *name = read_name(r, a->arena);
    if (name[0] == '\0' || isdigit((unsigned char)name[0])) return;
    if (depth == 0 && add_header_with(a, name)) return;
    reader ahead = *r;
    if (take(&ahead, "::")) {
      skip_blanks(&ahead);
      if (ahead.at < ahead.length && !is_name(ahead.text[ahead.at])) return;
      space = space[0] != '\0' ? sa_printf(a->arena, "%s::%s", space, name) : name;
      *r = ahead;
      continue;
    }
    declare(a, space, kind_of_name(r, wants_type), name);
    return;
  }
}

/* The text between the n-th pair of single quotes of a message. */
static const char *quoted(sa_arena *arena, const char *message, int n) {
  const char *at = message;
  for (int i = 0; i < n * 2; i++) {
    at = strchr(at, '\'');
    if (at == NULL) return "";
    at++;
  }
  const char *begin = strchr(at, '\'');
  const char *end = begin != NULL ? strchr(begin + 1, '\'') : NULL;
  return end != NULL ? sa_strndup(arena, begin + 1, (size_t)(end - begin - 1)) : "";
}

static bool starts(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* `Type::member` of a type that this prelude declared: the declaration gets the member. */
static void add_member(additions *a, const char *type, const char *member) {
  const char *colons = NULL;
  for (const char *at = strstr(type, "::"); at != NULL; at = strstr(at + 2, "::")) colons = at;
  const char *name = colons != NULL ? colons + 2 : type;
  const char *line = sa_printf(a->arena, "struct %s : sa_any { using sa_any::sa_any;", name);
  if (colons != NULL)
    line = sa_printf(a->arena, "namespace %s { %s",
                     sa_strndup(a->arena, type, (size_t)(colons - type)), line);
  const char *at = strstr(a->old, line);
  const char *text = sa_printf(a->arena, " static sa_any %s;", member);
  if (at == NULL || member[0] == '\0') return;
  const char *end = strchr(at, '\n');
  const char *there = strstr(at, text);
  if (there != NULL && (end == NULL || there < end)) return;
  size_t head = (size_t)(at - a->old) + strlen(line);
  a->old = sa_printf(a->arena, "%.*s%s%s", (int)head, a->old, text, a->old + head);
  a->changed = true;
}

/* SHOUTING: the spelling of export macros and the like. */
static bool is_shouted(const char *name) {
  size_t n = strlen(name);
  if (n < 3 || !isupper((unsigned char)name[0])) return false;
  for (size_t i = 0; i < n; i++)
    if (!isupper((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) && name[i] != '_')
      return false;
  return true;
}

/* `class API Name {` or `API type name(`: a macro of a header that is not here, best read as empty.
 */
static bool add_empty_macro(additions *a, const char *message, reader r) {
  const char *name = quoted(a->arena, message, 0);
  if (starts(message, "variable has incomplete type 'class "))
    name += strlen("class ");
  else if (starts(message, "variable has incomplete type 'struct "))
    name += strlen("struct ");
  else if (starts(message, "unknown type name '")) {
    read_name(&r, a->arena);
    for (int words = 0; words < 2; words++) {
      skip_blanks(&r);
      while (take(&r, "::") || take(&r, "<") || take(&r, ">") || take(&r, "*") || take(&r, "&"))
        skip_blanks(&r);
      if (read_name(&r, a->arena)[0] == '\0') return false;
    }
  } else {
    return false;
  }
  if (!is_shouted(name)) return false;
  add_line(a, sa_printf(a->arena, "#define %s\n", name));
  return true;
}

static void read_error(additions *a, const char *message, reader r) {
  bool in_namespace = strstr(message, " in namespace '") != NULL;
  if (add_empty_macro(a, message, r)) return;
  if (in_namespace && (starts(message, "no member named") || starts(message, "no type named") ||
                       starts(message, "no template named"))) {
    declare_chain(a, &r, quoted(a->arena, message, 1),
                  starts(message, "no type") || starts(message, "no template"));
  } else if (starts(message, "unknown type name") || starts(message, "no template named")) {
    if (strstr(message, " in '") == NULL) declare_chain(a, &r, "", true);
  } else if (starts(message, "use of undeclared identifier")) {
    reader ahead = r;
    read_name(&ahead, a->arena);
    skip_blanks(&ahead);
    bool call = ahead.at < ahead.length && ahead.text[ahead.at] == '(';
    if (!call) declare_chain(a, &r, "", false); /* clang keeps a call by itself */
  } else if (starts(message, "no member named") && !in_namespace) {
    add_member(a, quoted(a->arena, message, 1), quoted(a->arena, message, 0));
  } else if (starts(message, "expected namespace name")) {
    const char *name = read_name(&r, a->arena);
    if (name[0] != '\0') add_line(a, sa_printf(a->arena, "namespace %s {}\n", name));
  }
}

/* The file or its project defines a class that a model header defines too: the project's counts. */
static void read_redefinition(additions *a, const char *message) {
  const char *name = quoted(a->arena, message, 0);
  if (name[0] != '\0' && a->sdk != NULL &&
      (model_header_with(a->sdk, name) != NULL || model_makes(a->sdk, name)))
    add_name(a, &a->learnt->hidden, name);
}

static void read_diagnostic(lowering *lo, additions *a, CXDiagnostic diagnostic) {
  if (lo->lib->getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error) return;
  CXFile file = NULL;
  unsigned offset = 0;
  CXSourceLocation at = lo->lib->getDiagnosticLocation(diagnostic);
  lo->lib->getSpellingLocation(at, &file, NULL, NULL, &offset);
  if (file == NULL || (lo->job->native && lo->lib->Location_isInSystemHeader(at))) return;
  size_t length = lo->length;
  const char *text = lo->text;
  if (!same_file(lo, file, lo->main)) text = lo->lib->getFileContents(lo->tu, file, &length);
  CXString name = lo->lib->getFileName(file);
  bool in_model = starts(lo->lib->getCString(name), "/sa-sdk/");
  lo->lib->disposeString(name);
  if (in_model || text == NULL || offset >= length) return;
  CXString spelled = lo->lib->getDiagnosticSpelling(diagnostic);
  const char *message = lo->lib->getCString(spelled);
  if (starts(message, "redefinition of '"))
    read_redefinition(a, message);
  else
    read_error(a, message, (reader){text, length, offset});
  lo->lib->disposeString(spelled);
}

bool learn_from_errors(lowering *lo, const sa_sdk *sdk, lessons *learnt) {
  if (strcmp(lo->job->language, "c") == 0) return false;
  additions a = {.arena = lo->arena, .old = learnt->prelude, .learnt = learnt};
  if (!lo->job->native) a.sdk = sdk;
  unsigned n = lo->lib->getNumDiagnostics(lo->tu);
  for (unsigned i = 0; i < n && a.lines.n < MAX_LINES; i++) {
    CXDiagnostic diagnostic = lo->lib->getDiagnostic(lo->tu, i);
    read_diagnostic(lo, &a, diagnostic);
    lo->lib->disposeDiagnostic(diagnostic);
  }
  if (a.lines.n == 0 && !a.changed) return false;
  const char *result = a.old[0] != '\0' ? a.old : a.lines.n > 0 ? BASE : "";
  for (uint32_t i = 0; i < a.lines.n; i++)
    result = sa_printf(lo->arena, "%s%s", result, a.lines.at[i]);
  learnt->prelude = result;
  return true;
}
