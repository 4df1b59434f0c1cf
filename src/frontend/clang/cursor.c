/* Reading cursors: children, places, names, types. */
#include "frontend/clang/internal.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  lowering *lo;
  SA_ARRAY(CXCursor) list;
} gather;

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  gather *g = data;
  sa_push(g->lo->arena, &g->list, cursor);
  return CXChildVisit_Continue;
}

cursors children_of(lowering *lo, CXCursor cursor) {
  gather g = {.lo = lo};
  lo->lib->visitChildren(cursor, add_child, &g);
  return (cursors){g.list.at, g.list.n};
}

bool is_null(const lowering *lo, CXCursor cursor) {
  return lo->lib->Cursor_isNull(cursor) != 0;
}

enum CXCursorKind kind_of(const lowering *lo, CXCursor cursor) {
  return lo->lib->getCursorKind(cursor);
}

span span_of(const lowering *lo, CXCursor cursor) {
  span s = {0};
  CXSourceRange extent = lo->lib->getCursorExtent(cursor);
  CXFile end_file = NULL;
  lo->lib->getFileLocation(lo->lib->getRangeStart(extent), &s.file, &s.line, &s.column, &s.begin);
  lo->lib->getFileLocation(lo->lib->getRangeEnd(extent), &end_file, &s.end_line, &s.end_column,
                           &s.end);
  if (s.file == NULL) { /* an abbreviated function template has no extent */
    lo->lib->getFileLocation(lo->lib->getCursorLocation(cursor), &s.file, &s.line, &s.column,
                             &s.begin);
    end_file = NULL;
  }
  if (end_file != s.file || s.end < s.begin) {
    s.end = s.begin;
    s.end_line = s.line;
    s.end_column = s.column;
  }
  return s;
}

/* Files that exist in memory only have no identity but their name, and one handle each. */
bool same_file(const lowering *lo, CXFile a, CXFile b) {
  return a == b || (lo->job->native && lo->lib->File_isEqual(a, b));
}

static uint32_t file_index(lowering *lo, CXFile file) {
  for (uint32_t i = 0; i < lo->files.n; i++)
    if (same_file(lo, lo->files.at[i].file, file)) return lo->files.at[i].index;
  CXString name = lo->lib->getFileName(file);
  const char *path = lo->lib->getCString(name);
  size_t root = strlen(lo->job->root);
  if (strncmp(path, lo->job->root, root) == 0 && path[root] == '/') path += root + 1;
  uint32_t index = 0;
  while (index < lo->unit->files.n && strcmp(lo->unit->files.at[index], path) != 0) index++;
  if (index == lo->unit->files.n) sa_push(lo->arena, &lo->unit->files, sa_strdup(lo->arena, path));
  sa_push(lo->arena, &lo->files, ((known_file){file, index}));
  lo->lib->disposeString(name);
  return index;
}

sa_range range_of(lowering *lo, CXCursor cursor) {
  span s = span_of(lo, cursor);
  if (s.file == NULL || s.line == 0) return (sa_range){0};
  return (sa_range){.file = file_index(lo, s.file),
                    .line = s.line,
                    .column = s.column,
                    .end_line = s.end_line,
                    .end_column = s.end_column,
                    .offset = s.begin,
                    .end_offset = s.end};
}

bool in_main_file(const lowering *lo, CXCursor cursor) {
  span s = span_of(lo, cursor);
  return s.file != NULL && same_file(lo, s.file, lo->main);
}

const char *text_of(lowering *lo, CXCursor cursor, size_t *length) {
  span s = span_of(lo, cursor);
  *length = 0;
  if (s.file == NULL) return NULL;
  size_t size = lo->length;
  const char *text = lo->text;
  if (!same_file(lo, s.file, lo->main)) text = lo->lib->getFileContents(lo->tu, s.file, &size);
  if (text == NULL || s.end > size) return NULL;
  *length = s.end - s.begin;
  return text + s.begin;
}

const char *spelling_of(lowering *lo, CXCursor cursor) {
  CXString text = lo->lib->getCursorSpelling(cursor);
  const char *raw = lo->lib->getCString(text);
  const char *copy = sa_strdup(lo->arena, raw != NULL ? raw : "");
  lo->lib->disposeString(text);
  return copy;
}

const char *qualified_name(lowering *lo, CXCursor declaration) {
  const char *name = spelling_of(lo, declaration);
  char *angle = strchr(name, '<');
  if (angle != NULL && strncmp(name, "operator", 8) != 0)
    name = sa_strndup(lo->arena, name, (size_t)(angle - name));
  CXCursor parent = lo->lib->getCursorSemanticParent(declaration);
  for (int depth = 0; depth < 32 && !is_null(lo, parent); depth++) {
    enum CXCursorKind kind = kind_of(lo, parent);
    bool invalid = kind >= CXCursor_FirstInvalid && kind <= CXCursor_LastInvalid;
    if (kind == CXCursor_TranslationUnit || invalid) break;
    const char *outer = spelling_of(lo, parent);
    if (outer[0] != '\0' && outer[0] != '(' && kind != CXCursor_LinkageSpec &&
        kind != CXCursor_UnexposedDecl)
      name = sa_printf(lo->arena, "%s::%s", outer, name);
    parent = lo->lib->getCursorSemanticParent(parent);
  }
  return name;
}

static bool is_name_char(char c) {
  return is_name(c) || c == '~'; /* a destructor's name */
}

/* Copies `text` without blanks and template arguments; an arrow becomes a dot. */
static char *squeeze(lowering *lo, const char *text, size_t length) {
  char *out = sa_alloc(lo->arena, length + 1);
  size_t n = 0;
  int angle = 0;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (c == '-' && i + 1 < length && text[i + 1] == '>') {
      if (angle == 0) out[n++] = '.';
      i++;
    } else if (c == '<') {
      angle++;
    } else if (c == '>') {
      angle -= angle > 0;
    } else if (angle == 0 && !isspace((unsigned char)c)) {
      out[n++] = c;
    }
  }
  return out;
}

const char *callee_name_from_text(lowering *lo, CXCursor callee, bool last_only) {
  size_t length;
  const char *text = text_of(lo, callee, &length);
  if (text == NULL) return "";
  char *name = squeeze(lo, text, length);
  size_t end = strlen(name), begin = end;
  while (begin > 0 && (is_name_char(name[begin - 1]) || (!last_only && name[begin - 1] == ':')))
    begin--;
  if (!last_only)
    while (name[begin] == ':') begin++;
  return name + begin;
}

bool assigns_between(lowering *lo, CXCursor whole, CXCursor left, CXCursor right) {
  span before = span_of(lo, left), after = span_of(lo, right), all = span_of(lo, whole);
  size_t length;
  const char *text = text_of(lo, whole, &length);
  if (text == NULL || before.end < all.begin || after.begin <= before.end || after.begin > all.end)
    return false;
  const char *at = text + (before.end - all.begin), *stop = text + (after.begin - all.begin);
  while (at < stop && isspace((unsigned char)*at)) at++;
  return at < stop && *at == '=' && (at + 1 == stop || at[1] != '=');
}

bool literal_number(lowering *lo, CXCursor cursor, unsigned long *out) {
  if (kind_of(lo, cursor) != CXCursor_IntegerLiteral) return false;
  CXEvalResult value = lo->lib->Cursor_Evaluate(cursor); /* a macro's digits have no text here */
  bool known = value != NULL && lo->lib->EvalResult_getKind(value) == CXEval_Int;
  if (known) *out = (unsigned long)lo->lib->EvalResult_getAsUnsigned(value);
  if (value != NULL) lo->lib->EvalResult_dispose(value);
  return known;
}

sa_ir_type classify_spelling(lowering *lo, const char *spelling) {
  if (lo->types == NULL) {
    lo->type_slot_count = 4096;
    lo->types = sa_alloc(lo->arena, lo->type_slot_count * sizeof *lo->types);
  }
  uint32_t hash = 2166136261u;
  for (const char *c = spelling; *c != '\0'; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
  uint32_t slot = hash % lo->type_slot_count;
  for (; lo->types[slot].spelling != NULL; slot = (slot + 1) % lo->type_slot_count)
    if (strcmp(lo->types[slot].spelling, spelling) == 0) return lo->types[slot].type;
  sa_ir_type type = sa_classify_type(lo->rules, lo->arena, spelling);
  if (lo->type_count < lo->type_slot_count / 2) {
    lo->type_count++;
    lo->types[slot] = (known_type){sa_strdup(lo->arena, spelling), type};
  }
  return type;
}

static const char *type_spelling(lowering *lo, CXType type) {
  CXString text = lo->lib->getTypeSpelling(type);
  const char *raw = lo->lib->getCString(text);
  const char *copy = sa_strdup(lo->arena, raw != NULL ? raw : "");
  lo->lib->disposeString(text);
  return copy;
}

/* A declaration whose type is unknown to clang is given type int; the source says what it is. */
static const char *declared_type_text(lowering *lo, CXCursor cursor) {
  enum CXCursorKind kind = kind_of(lo, cursor);
  if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl && kind != CXCursor_FieldDecl)
    return NULL;
  size_t length;
  const char *text = text_of(lo, cursor, &length);
  const char *name = spelling_of(lo, cursor);
  size_t name_length = strlen(name);
  if (text == NULL || name_length == 0) return NULL;
  for (size_t i = 0; i + name_length <= length; i++) {
    bool starts = i > 0 && !is_name_char(text[i - 1]);
    bool ends = i + name_length == length || !is_name_char(text[i + name_length]);
    if (text[i] == '=' || text[i] == '(') break;
    if (starts && ends && memcmp(text + i, name, name_length) == 0)
      return sa_strndup(lo->arena, text, i);
  }
  return NULL;
}

static bool mentions_int(const char *text) {
  return strstr(text, "int") != NULL || strstr(text, "auto") != NULL ||
         strstr(text, "long") != NULL || strstr(text, "short") != NULL ||
         strstr(text, "signed") != NULL || strstr(text, "size_t") != NULL;
}

sa_ir_type type_of(lowering *lo, CXCursor cursor) {
  CXType type = lo->lib->getCursorType(cursor);
  if (type.kind == CXType_Invalid) return (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .name = ""};
  CXType inner = type;
  if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference ||
      type.kind == CXType_Pointer)
    inner = lo->lib->getPointeeType(type);
  if (inner.kind == CXType_Int) {
    const char *text = declared_type_text(lo, cursor);
    if (text != NULL && text[0] != '\0' && !mentions_int(text)) return classify_spelling(lo, text);
  }
  const char *spelling = type_spelling(lo, type);
  if (strcmp(spelling, "<dependent type>") == 0 || strcmp(spelling, "auto") == 0 ||
      strcmp(spelling, "auto &") == 0 || strcmp(spelling, "<overloaded function type>") == 0)
    return (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .name = ""};
  sa_ir_type known = classify_spelling(lo, spelling);
  if (known.kind != SA_TYPE_OBJECT && known.kind != SA_TYPE_UNKNOWN) return known;
  const char *canonical = type_spelling(lo, lo->lib->getCanonicalType(inner));
  if (strncmp(canonical, "type-parameter-", 15) == 0) /* a template's parameter may be anything */
    return (sa_ir_type){.kind = SA_TYPE_UNKNOWN, .name = known.name};
  canonical = type_spelling(lo, lo->lib->getCanonicalType(type));
  if (strcmp(canonical, spelling) == 0) return known;
  sa_ir_type deeper = classify_spelling(lo, canonical);
  if (deeper.kind == SA_TYPE_OBJECT || deeper.kind == SA_TYPE_UNKNOWN) return known;
  deeper.name = known.name;
  return deeper;
}

CXCursor unwrapped(lowering *lo, CXCursor cursor) {
  for (int depth = 0; depth < 32; depth++) {
    enum CXCursorKind kind = kind_of(lo, cursor);
    if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr) return cursor;
    cursors inner = children_of(lo, cursor);
    if (inner.n != 1) return cursor;
    cursor = inner.at[0];
  }
  return cursor;
}
