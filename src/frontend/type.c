/* What a type's spelling is to the analysis. */
#include "frontend/recognise.h"
#include "model/names.h"

#include <ctype.h>
#include <string.h>

enum { MAX_NESTING = 16 };

typedef struct {
  sa_type kind;
  bool many, weak;
} type_class;

static sa_span trim(sa_span text) {
  while (text.length > 0 && isspace((unsigned char)*text.at)) text.at++, text.length--;
  while (text.length > 0 && isspace((unsigned char)text.at[text.length - 1])) text.length--;
  return text;
}

static bool take_prefix(sa_span *text, const char *word) {
  size_t n = strlen(word);
  if (text->length <= n || memcmp(text->at, word, n) != 0 || text->at[n] != ' ') return false;
  *text = trim((sa_span){text->at + n, text->length - n});
  return true;
}

static bool take_suffix(sa_span *text, const char *word) {
  size_t n = strlen(word);
  if (text->length < n || memcmp(text->at + text->length - n, word, n) != 0) return false;
  if (isalpha((unsigned char)word[0]) && text->length > n) {
    char before = text->at[text->length - n - 1];
    if (isalnum((unsigned char)before) || before == '_' || before == ':') return false;
  }
  *text = trim((sa_span){text->at, text->length - n});
  return text->length > 0;
}

/* Takes qualifiers, references, pointers and array bounds away. */
static sa_span strip(sa_span text, unsigned *pointers, bool *array) {
  static const char *const before[] = {"const",    "volatile", "struct", "class",    "enum",
                                       "typename", "union",    "static", "constexpr"};
  static const char *const after[] = {"const", "volatile", "&", "__restrict", "restrict"};
  text = trim(text);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
      changed |= take_prefix(&text, before[i]);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
      changed |= take_suffix(&text, after[i]);
    if (take_suffix(&text, "*")) {
      ++*pointers;
      changed = true;
    }
    if (text.length > 1 && text.at[text.length - 1] == ']') {
      size_t open = text.length - 1;
      while (open > 0 && text.at[open] != '[') open--;
      if (open == 0) break;
      text = trim((sa_span){text.at, open});
      *array = changed = true;
    }
  }
  return text;
}

static bool is_number_word(sa_span word) {
  static const char *const words[] = {
      "bool",     "char",     "short",     "int",     "long",     "unsigned",  "signed",
      "float",    "double",   "size_t",    "ssize_t", "wchar_t",  "char8_t",   "char16_t",
      "char32_t", "int8_t",   "int16_t",   "int32_t", "int64_t",  "uint8_t",   "uint16_t",
      "uint32_t", "uint64_t", "ptrdiff_t", "_Bool",   "intptr_t", "uintptr_t", "nullptr_t",
      "__int128", "half",     "__half"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (sa_span_equals(word, words[i])) return true;
  return false;
}

/* "unsigned long", "std::size_t" */
static bool is_number(sa_span text) {
  if (text.length > 5 && memcmp(text.at, "std::", 5) == 0) text.at += 5, text.length -= 5;
  for (size_t at = 0; at < text.length;) {
    size_t end = at;
    while (end < text.length && text.at[end] != ' ') end++;
    if (!is_number_word((sa_span){text.at + at, end - at})) return false;
    at = end + (end < text.length);
  }
  return text.length > 0;
}

static bool starts_with(sa_span text, const char *word) {
  size_t n = strlen(word);
  return text.length >= n && memcmp(text.at, word, n) == 0;
}

static bool is_unknown(sa_span text) {
  return text.length == 0 || sa_span_equals(text, "auto") || starts_with(text, "decltype(") ||
         starts_with(text, "<dependent") || starts_with(text, "type-parameter-") ||
         starts_with(text, "<overloaded") || starts_with(text, "<recovery");
}

/* Function types and closures: "(lambda at f.cpp:3:4)", "void (*)(int)", "int (int)". */
static bool is_function(sa_span text) {
  int depth = 0;
  if (starts_with(text, "(lambda")) return true;
  for (size_t i = 0; i < text.length; i++) {
    char c = text.at[i];
    if (c == '<') depth++;
    if (c == '>' && depth > 0) depth--;
    bool nameless = i + 1 < text.length && text.at[i + 1] != 'a' && text.at[i + 1] != 'u';
    if (c == '(' && depth == 0 && i > 0 && nameless) return true; /* not (anonymous), (unnamed) */
  }
  return false;
}

/* The template arguments of the last component, or nothing. */
static sa_span template_arguments(sa_span text) {
  if (text.length == 0 || text.at[text.length - 1] != '>') return (sa_span){text.at, 0};
  int depth = 0;
  for (size_t i = text.length; i-- > 0;) {
    if (text.at[i] == '>' && (i == 0 || text.at[i - 1] != '-')) depth++;
    if (text.at[i] == '<' && --depth == 0) return (sa_span){text.at + i + 1, text.length - i - 2};
  }
  return (sa_span){text.at, 0};
}

/* Takes one argument off the front, up to a comma outside all brackets. */
static sa_span next_argument(sa_span *rest) {
  int depth = 0;
  size_t i = 0;
  for (; i < rest->length; i++) {
    char c = rest->at[i];
    if (c == '<' || c == '(' || c == '[') depth++;
    if (c == '>' || c == ')' || c == ']') depth--;
    if (c == ',' && depth == 0) break;
  }
  sa_span argument = {rest->at, i};
  size_t used = i < rest->length ? i + 1 : i;
  *rest = (sa_span){rest->at + used, rest->length - used};
  return argument;
}

static type_class classify(const sa_ruleset *rules, sa_span spelling, unsigned nesting);

/* The first template argument that holds something says what a container is. */
static type_class classify_container(const sa_ruleset *rules, const sa_type_rule *rule,
                                     sa_span text, unsigned nesting) {
  type_class found = {SA_TYPE_SCALAR, true, rule->weak};
  sa_span rest = template_arguments(text);
  if (rest.length == 0) found.kind = SA_TYPE_UNKNOWN;
  while (rest.length > 0) {
    type_class item = classify(rules, next_argument(&rest), nesting + 1);
    bool holds = item.kind != SA_TYPE_SCALAR && item.kind != SA_TYPE_VOID;
    if (!holds) continue;
    /* A plain object is the weakest answer: a later argument may be a tensor. */
    if (found.kind == SA_TYPE_SCALAR || found.kind == SA_TYPE_OBJECT ||
        found.kind == SA_TYPE_UNKNOWN) {
      found.kind = item.kind;
      found.weak = rule->weak || item.weak;
    }
    if (item.kind != SA_TYPE_OBJECT && item.kind != SA_TYPE_UNKNOWN) break;
  }
  return found;
}

static const sa_type_rule *find_rule(const sa_ruleset *rules, sa_span text) {
  for (uint32_t i = 0; i < rules->types.n; i++)
    if (!rules->types.at[i].python && sa_name_span_matches(rules->types.at[i].name, text))
      return &rules->types.at[i];
  return NULL;
}

static type_class classify(const sa_ruleset *rules, sa_span spelling, unsigned nesting) {
  unsigned pointers = 0;
  bool array = false;
  sa_span text = strip(spelling, &pointers, &array);
  if (is_unknown(text) || nesting > MAX_NESTING) return (type_class){SA_TYPE_UNKNOWN, array, false};
  if (sa_span_equals(text, "void"))
    return (type_class){pointers > 0 ? SA_TYPE_MEMORY : SA_TYPE_VOID, array, false};
  if (is_function(text)) return (type_class){SA_TYPE_FUNC, array, false};
  const sa_type_rule *rule = find_rule(rules, text);
  if (rule != NULL && rule->many) return classify_container(rules, rule, text, nesting);
  if (rule != NULL) return (type_class){rule->kind, array, rule->weak};
  bool digit = isdigit((unsigned char)text.at[0]) || text.at[0] == '-';
  if (!digit && !is_number(text)) return (type_class){SA_TYPE_OBJECT, array, false};
  bool memory = pointers > 0 && !sa_span_equals(text, "char");
  return (type_class){memory ? SA_TYPE_MEMORY : SA_TYPE_SCALAR, array, false};
}

sa_ir_type sa_classify_type(const sa_ruleset *rules, sa_arena *arena, const char *spelling) {
  type_class found = classify(rules, (sa_span){spelling, strlen(spelling)}, 0);
  return (sa_ir_type){.kind = found.kind,
                      .many = found.many,
                      .weak = found.weak,
                      .name = sa_strdup(arena, spelling)};
}

bool sa_type_names(const char *pattern, const char *spelling) {
  sa_span text = {spelling, strlen(spelling)};
  for (unsigned nesting = 0; nesting <= MAX_NESTING; nesting++) {
    unsigned pointers = 0;
    bool array = false;
    text = strip(text, &pointers, &array);
    if (sa_name_span_matches(pattern, text)) return true;
    sa_span inside = template_arguments(text);
    static const char *const pointer_classes[] = {"*_ptr", "optional", "reference_wrapper"};
    bool points = false;
    for (size_t i = 0; i < sizeof pointer_classes / sizeof *pointer_classes; i++)
      points |= sa_name_span_matches(pointer_classes[i], text);
    if (!points || inside.length == 0) return false;
    text = next_argument(&inside);
  }
  return false;
}
