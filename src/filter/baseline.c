#include "filter/baseline.h"

#include "base/fs.h"
#include "base/path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "# sa-lint baseline 1";

enum { FIELDS = 5, LEAST_FIELDS = 4, HASH_DIGITS = 16 };

/* ---- order ---- */

static int by_key(const void *a, const void *b) {
  const sa_baseline_entry *x = a, *y = b;
  return strcmp(x->key, y->key);
}

static int by_place(const void *a, const void *b) {
  const sa_baseline_entry *x = a, *y = b;
  int order = strcmp(x->file, y->file);
  if (order == 0) order = strcmp(x->rule, y->rule);
  return order != 0 ? order : strcmp(x->key, y->key);
}

static void sort(sa_baseline *baseline, int (*compare)(const void *, const void *)) {
  if (baseline->entries.n > 1)
    qsort(baseline->entries.at, baseline->entries.n, sizeof *baseline->entries.at, compare);
}

static sa_baseline_entry *find(const sa_baseline *baseline, const char *key) {
  sa_baseline_entry wanted = {.key = key};
  if (baseline == NULL || baseline->entries.n == 0 || key == NULL) return NULL;
  return bsearch(&wanted, baseline->entries.at, baseline->entries.n, sizeof wanted, by_key);
}

/* ---- fields ---- */

static int digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *found = c != '\0' ? strchr(digits, c) : NULL;
  return found != NULL ? (int)(found - digits) : -1;
}

/* Undoes put_field() in place; false when it never wrote that. */
static bool unescape(char *field) {
  char *to = field;
  for (const char *at = field; *at != '\0'; at++) {
    if (*at != '\\') {
      *to++ = *at;
      continue;
    }
    int high = digit(at[1]), low = high >= 0 ? digit(at[2]) : -1;
    if (low < 0 || (high == 0 && low == 0)) return false;
    *to++ = (char)(high * 16 + low);
    at += 2;
  }
  *to = '\0';
  return true;
}

/* Tabs, line ends and other controls as \XX. */
static void put_field(FILE *out, const char *text) {
  for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++)
    if (*at < 0x20 || *at == 0x7f || *at == '\\')
      fprintf(out, "\\%02x", *at);
    else
      putc(*at, out);
}

static bool is_rule(const char *text) {
  return strlen(text) == 5 && strncmp(text, "SA", 2) == 0 && strspn(text + 2, "0123456789") == 3;
}

static bool is_key(const char *text) {
  if (strspn(text, "0123456789abcdef") != HASH_DIGITS || text[HASH_DIGITS] != ':') return false;
  const char *number = text + HASH_DIGITS + 1;
  size_t n = strlen(number);
  return n > 0 && n < 10 && strspn(number, "0123456789") == n;
}

/* ---- reading ---- */

typedef struct {
  sa_baseline *out;
  sa_arena *arena;
  sa_diag *diag;
  unsigned line;
} reader;

static sa_status wrong(reader *r, const char *what) {
  sa_report(r->diag, SA_ERROR, r->out->name, r->line, 0, "%s", what);
  return SA_E_SYNTAX;
}

static sa_status read_entry(reader *r, char *line) {
  char *fields[FIELDS] = {"", "", "", "", ""};
  int n = 0;
  for (char *field; n < FIELDS && (field = strsep(&line, "\t")) != NULL;) fields[n++] = field;
  if (line != NULL || n < LEAST_FIELDS)
    return wrong(r, "an entry has a rule, a file, a function, a key and a reason, between tabs");
  for (int i = 0; i < n; i++)
    if (!unescape(fields[i])) return wrong(r, "a backslash stands before two hexadecimal digits");
  if (!is_rule(fields[0])) return wrong(r, "an entry begins with the id of a rule");
  if (!is_key(fields[3])) return wrong(r, "the key is not one that this tool writes");
  if (*fields[1] == '\0') return wrong(r, "the file is missing");
  sa_push(r->arena, &r->out->entries,
          (sa_baseline_entry){.rule = fields[0],
                              .file = fields[1],
                              .function = fields[2],
                              .key = fields[3],
                              .reason = fields[4],
                              .line = r->line});
  return SA_OK;
}

/* Keys are unique; the later of two lines is told. */
static sa_status check_keys(reader *r) {
  sort(r->out, by_key);
  for (uint32_t i = 1; i < r->out->entries.n; i++) {
    const sa_baseline_entry *a = &r->out->entries.at[i - 1], *b = a + 1;
    if (strcmp(a->key, b->key) != 0) continue;
    r->line = a->line > b->line ? a->line : b->line;
    return wrong(r, "another entry has the same key");
  }
  return SA_OK;
}

sa_status sa_baseline_read(sa_baseline *out, sa_arena *arena, sa_diag *diag, const char *name,
                           const char *text, size_t length) {
  reader r = {.out = out, .arena = arena, .diag = diag, .line = 1};
  *out = (sa_baseline){.name = name};
  if (memchr(text, '\0', length) != NULL) return wrong(&r, "not a baseline: it is not a text");
  char *copy = sa_strndup(arena, text, length), *rest = copy;
  for (char *line; (line = strsep(&rest, "\n")) != NULL; r.line++) {
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\r') line[--n] = '\0';
    if (r.line == 1 && strcmp(line, HEAD) != 0)
      return wrong(&r, "not a baseline: the first line is not '# sa-lint baseline 1'");
    if (n == 0 || line[0] == '#') continue;
    sa_status status = read_entry(&r, line);
    if (status != SA_OK) return status;
  }
  return check_keys(&r);
}

/* ---- use ---- */

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool failed(const sa_result *result, const char *file) {
  for (uint32_t i = 0; i < result->messages.n; i++) {
    const sa_message *m = &result->messages.at[i];
    if (m->severity == SA_ERROR && m->file != NULL && strcmp(m->file, file) == 0) return true;
  }
  return false;
}

/* Whether it is a path as this tool writes them for files below the root; nobody else's baseline
 * shall make it look elsewhere. */
static bool is_below_root(const char *file, sa_arena *arena) {
  return file[0] != '/' && strcmp(sa_path_clean(arena, file), file) == 0 &&
         !(strncmp(file, "..", 2) == 0 && (file[2] == '/' || file[2] == '\0'));
}

/* Whether the run can say that there is no such finding. */
static bool is_seen(const sa_result *result, const sa_seen *seen, const sa_baseline_entry *entry,
                    sa_arena *arena) {
  const char *file = entry->file;
  if (!seen->wants_rule(seen->context, entry->rule, file)) return false;
  if (seen->n > 0 && bsearch(&file, seen->paths, seen->n, sizeof file, compare_texts) != NULL)
    return !failed(result, file);
  return seen->root != NULL && is_below_root(file, arena) &&
         !sa_fs_exists(sa_path_join(arena, seen->root, file));
}

static void report_stale(sa_result *result, sa_arena *arena, const sa_baseline *baseline,
                         const sa_baseline_entry *entry) {
  const char *in = entry->function[0] != '\0' ? sa_printf(arena, " in '%s'", entry->function) : "";
  sa_push(arena, &result->messages,
          (sa_message){.severity = SA_WARNING,
                       .file = baseline->name,
                       .line = entry->line,
                       .text = sa_printf(arena,
                                         "%s%s of %s is no longer found: delete the entry, or "
                                         "write the baseline anew",
                                         entry->rule, in, entry->file),
                       .configuration = true});
}

/* Where in its file it was, nobody wrote down: the file's beginning stands for that. */
static void keep_absent(sa_result *result, sa_arena *arena, const sa_baseline_entry *entry) {
  const sa_rule *rule = sa_ruleset_find_rule(result->rules, entry->rule);
  if (rule == NULL) return;
  sa_push(arena, &result->absent,
          (sa_finding){
              .rule = rule,
              .level = rule->level,
              .at = {.file = entry->file, .line = 1, .column = 1, .end_line = 1, .end_column = 2},
              .message = "This was in the baseline and is no longer found.",
              .help = "",
              .function = entry->function,
              .key = entry->key});
}

bool sa_baseline_has(const sa_baseline *baseline, const sa_finding *finding) {
  return find(baseline, finding->key) != NULL;
}

void sa_baseline_apply(sa_result *result, sa_arena *arena, sa_baseline *baseline,
                       const sa_seen *seen) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < result->findings.n; i++) {
    sa_finding finding = result->findings.at[i];
    sa_baseline_entry *entry = find(baseline, finding.key);
    if (entry == NULL) {
      result->findings.at[n++] = finding;
      continue;
    }
    entry->met = true;
    finding.accepted = entry->reason;
    result->baselined++;
    sa_push(arena, &result->suppressed, finding);
  }
  result->findings.n = n;
  result->has_baseline = true;
  for (uint32_t i = 0; i < baseline->entries.n; i++) {
    const sa_baseline_entry *entry = &baseline->entries.at[i];
    if (entry->met || entry->line == 0 || !is_seen(result, seen, entry, arena)) continue;
    report_stale(result, arena, baseline, entry);
    keep_absent(result, arena, entry);
  }
}

void sa_baseline_renew(sa_baseline *out, sa_arena *arena, const sa_result *result,
                       const sa_baseline *old, const sa_seen *seen) {
  *out = (sa_baseline){.name = old != NULL ? old->name : ""};
  for (uint32_t i = 0; i < result->findings.n; i++) {
    const sa_finding *f = &result->findings.at[i];
    const sa_baseline_entry *known = find(old, f->key);
    sa_push(arena, &out->entries,
            (sa_baseline_entry){.rule = f->rule->id,
                                .file = f->at.file,
                                .function = f->function != NULL ? f->function : "",
                                .key = f->key,
                                .reason = known != NULL ? known->reason : ""});
  }
  for (uint32_t i = 0; old != NULL && i < old->entries.n; i++)
    if (!is_seen(result, seen, &old->entries.at[i], arena))
      sa_push(arena, &out->entries, old->entries.at[i]);
  sort(out, by_key);
  uint32_t n = 0;
  for (uint32_t i = 0; i < out->entries.n; i++)
    if (n == 0 || strcmp(out->entries.at[n - 1].key, out->entries.at[i].key) != 0)
      out->entries.at[n++] = out->entries.at[i];
  out->entries.n = n;
}

sa_status sa_baseline_write(FILE *out, const sa_baseline *baseline) {
  sa_baseline sorted = *baseline;
  size_t size = baseline->entries.n * sizeof *baseline->entries.at;
  sorted.entries.at = malloc(size + 1);
  if (sorted.entries.at == NULL) sa_out_of_memory();
  if (size > 0) memcpy(sorted.entries.at, baseline->entries.at, size);
  sort(&sorted, by_place);
  fprintf(out, "%s\n", HEAD);
  for (uint32_t i = 0; i < sorted.entries.n; i++) {
    const sa_baseline_entry *e = &sorted.entries.at[i];
    const char *fields[FIELDS] = {e->rule, e->file, e->function, e->key, e->reason};
    int n = e->reason[0] != '\0' ? FIELDS : LEAST_FIELDS;
    for (int j = 0; j < n; j++) {
      put_field(out, fields[j]);
      putc(j + 1 < n ? '\t' : '\n', out);
    }
  }
  free(sorted.entries.at);
  return fflush(out) != 0 || ferror(out) ? SA_E_IO : SA_OK;
}
