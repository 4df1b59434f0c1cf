#include "project/flags.h"

#include "base/fs.h"
#include "base/path.h"
#include "project/nvcc.h"

#include <string.h>

enum { MAX_RESPONSE_DEPTH = 4, MAX_RESPONSE_SIZE = 1 << 20, MAX_WORDS = 100000 };

/* How a flag takes its value. */
typedef enum {
  ALONE,  /* -pthread */
  JOINED, /* -std=c++17: the row's name is a prefix */
  NEXT,   /* -include FILE: in the next word only */
  EITHER  /* -IDIR, -I DIR */
} value_form;

typedef enum { KEEP, DROP, REFUSE, LANGUAGE } flag_fate;

typedef struct {
  const char *name;
  value_form form;
  flag_fate fate;
} flag_row;

/* The first row that fits decides, so the longer name stands first. What no row names is dropped:
 * a flag that nobody thought about must not reach the parser. */
static const flag_row rows[] = {
    {"-include-pch", NEXT, REFUSE},
    {"-include", NEXT, KEEP},
    {"--include", NEXT, KEEP},
    {"-imacros", NEXT, KEEP},
    {"-isystem", EITHER, KEEP},
    {"-isysroot", EITHER, KEEP},
    {"-iquote", EITHER, KEEP},
    {"-idirafter", EITHER, KEEP},
    {"-iprefix", EITHER, KEEP},
    {"-iwithprefixbefore", EITHER, KEEP},
    {"-iwithprefix", EITHER, KEEP},
    {"-iframework", EITHER, KEEP},
    {"-I", EITHER, KEEP},
    {"-D", EITHER, KEEP},
    {"-U", EITHER, KEEP},
    {"-F", EITHER, KEEP},
    {"-std=", JOINED, KEEP},
    {"--std=", JOINED, KEEP},
    {"-stdlib=", JOINED, KEEP},
    {"-ansi", ALONE, KEEP},
    {"-nostdinc++", ALONE, KEEP},
    {"-nostdinc", ALONE, KEEP},
    {"-pthread", ALONE, KEEP},
    {"-target", NEXT, KEEP},
    {"--target=", JOINED, KEEP},
    {"--sysroot=", JOINED, KEEP},
    {"--sysroot", NEXT, KEEP},
    {"--gcc-toolchain=", JOINED, KEEP},
    {"--cuda-path=", JOINED, KEEP},
    {"-fopenmp", JOINED, KEEP},
    {"-fno-openmp", ALONE, KEEP},
    {"-fexceptions", ALONE, KEEP},
    {"-fno-exceptions", ALONE, KEEP},
    {"-frtti", ALONE, KEEP},
    {"-fno-rtti", ALONE, KEEP},
    {"-fchar8_t", ALONE, KEEP},
    {"-fno-char8_t", ALONE, KEEP},
    {"-fsigned-char", ALONE, KEEP},
    {"-funsigned-char", ALONE, KEEP},
    {"-fshort-enums", ALONE, KEEP},
    {"-fms-extensions", ALONE, KEEP},
    {"-fcoroutines", ALONE, KEEP},
    {"-fsized-deallocation", ALONE, KEEP},
    {"-faligned-new", JOINED, KEEP},
    {"-fpermissive", ALONE, KEEP},
    {"-ftemplate-depth", JOINED, KEEP},
    {"-fconstexpr-depth", JOINED, KEEP},
    {"-march=", JOINED, KEEP},
    {"-mcpu=", JOINED, KEEP},
    {"-m32", ALONE, KEEP},
    {"-m64", ALONE, KEEP},
    {"-mavx", JOINED, KEEP},
    {"-msse", JOINED, KEEP},
    {"-mfma", ALONE, KEEP},
    {"-mf16c", ALONE, KEEP},
    {"-x", EITHER, LANGUAGE},
    {"--x", NEXT, LANGUAGE},
    /* what would run or load something */
    {"-fplugin", JOINED, REFUSE},
    {"-fpass-plugin", JOINED, REFUSE},
    {"-load", EITHER, REFUSE},
    {"-add-plugin", NEXT, REFUSE},
    {"-plugin", JOINED, REFUSE},
    {"-Xclang", NEXT, REFUSE},
    {"-mllvm", NEXT, REFUSE},
    {"-specs", EITHER, REFUSE},
    {"--specs", EITHER, REFUSE},
    {"-wrapper", NEXT, REFUSE},
    {"-B", EITHER, REFUSE},
    {"-cc1", ALONE, REFUSE},
    {"--config", EITHER, REFUSE},
    {"-fmodule-file", JOINED, REFUSE},
    {"--options-file", NEXT, REFUSE},
    {"-optf", NEXT, REFUSE},
    /* what has a value in the next word, which must not be taken for something else */
    {"-o", EITHER, DROP},
    {"-MF", EITHER, DROP},
    {"-MT", EITHER, DROP},
    {"-MQ", EITHER, DROP},
    {"-MJ", EITHER, DROP},
    {"-Xcompiler", NEXT, DROP},
    {"-Xlinker", NEXT, DROP},
    {"-Xptxas", NEXT, DROP},
    {"-Xcudafe", NEXT, DROP},
    {"-Xassembler", NEXT, DROP},
    {"-Xpreprocessor", NEXT, DROP},
    {"-gencode", NEXT, DROP},
    {"--gpu-architecture", NEXT, DROP},
    {"--generate-code", NEXT, DROP},
    {"-arch", NEXT, DROP},
    {"-L", EITHER, DROP},
    {"-l", EITHER, DROP},
    {"-T", EITHER, DROP},
    {"-u", NEXT, DROP},
    {"-z", NEXT, DROP},
    {"-diag-suppress", NEXT, DROP},
    {"--diag-suppress", NEXT, DROP},
    {"--param", NEXT, DROP},
    {"-aux-info", NEXT, DROP},
    {"-dumpbase", NEXT, DROP},
    {"-dumpdir", NEXT, DROP},
    {"-arch_only", NEXT, DROP},
};

static bool row_fits(const flag_row *row, const char *word) {
  size_t length = strlen(row->name);
  if (strncmp(word, row->name, length) != 0) return false;
  return word[length] == '\0' || row->form == JOINED || row->form == EITHER;
}

static const flag_row *row_of(const char *word) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (row_fits(&rows[i], word)) return &rows[i];
  return NULL;
}

/* One word from `at` on: quotes are taken off, a backslash takes the next character as it is
 * (inside double quotes only what it escapes there). Returns where the word ended. */
static const char *read_word(const char *at, char *out, size_t *length) {
  char quote = '\0';
  for (; *at != '\0'; at++) {
    if (quote == '\0' && strchr(" \t\r\n", *at) != NULL) break;
    if (quote == '\0' && (*at == '"' || *at == '\'')) {
      quote = *at;
    } else if (quote != '\0' && *at == quote) {
      quote = '\0';
    } else {
      bool escapes = *at == '\\' && quote != '\'' && at[1] != '\0' &&
                     (quote == '\0' || strchr("\"\\$`\n", at[1]) != NULL);
      if (escapes) at++;
      out[(*length)++] = *at;
    }
  }
  return at;
}

void sa_flags_split(sa_words *out, sa_arena *arena, const char *command) {
  char *word = sa_alloc(arena, strlen(command) + 1);
  for (const char *at = command; *(at += strspn(at, " \t\r\n")) != '\0';) {
    size_t length = 0;
    at = read_word(at, word, &length);
    sa_push(arena, out, sa_strndup(arena, word, length));
  }
}

static void notice(const sa_flags_context *c, const char *flag, const char *why) {
  sa_report(c->diag, SA_WARNING, c->database, c->line, c->column, "flag '%s' is ignored: %s", flag,
            why);
  sa_diag_mark_configuration(c->diag);
}

/* The words of a response file that lies inside the root; a warning and nothing otherwise. */
static void read_response(sa_words *out, const sa_flags_context *c, const char *word) {
  const char *path = sa_fs_canonical(c->arena, sa_path_join(c->arena, c->directory, word + 1));
  sa_buffer buffer = {0};
  if (path == NULL)
    notice(c, word, "the response file does not exist");
  else if (sa_path_inside(c->root, path) == NULL)
    notice(c, word, "response files outside the project are not read");
  else if (sa_fs_read(&buffer, path, MAX_RESPONSE_SIZE) != SA_FILE_TEXT)
    notice(c, word, "the response file cannot be read");
  else
    sa_flags_split(out, c->arena, buffer.bytes);
  sa_buffer_free(&buffer);
}

/* Replaces every @FILE by what stands in it, a few levels deep. */
static void expand_responses(sa_words *out, const sa_flags_context *c, const sa_words *words,
                             unsigned depth) {
  for (uint32_t i = 0; i < words->n && out->n < MAX_WORDS; i++) {
    if (words->at[i][0] != '@') {
      sa_push(c->arena, out, words->at[i]);
    } else if (depth == MAX_RESPONSE_DEPTH) {
      notice(c, words->at[i], "response files are nested too deeply");
    } else {
      sa_words inner = {0};
      read_response(&inner, c, words->at[i]);
      expand_responses(out, c, &inner, depth + 1);
    }
  }
}

/* Index of the first word after the compiler: a launcher before it is passed over. */
static uint32_t after_compiler(const sa_words *words) {
  static const char *const launchers[] = {"ccache", "sccache", "distcc", "icecc", "buildcache"};
  uint32_t at = 0;
  for (size_t i = 0; at < words->n && i < sizeof launchers / sizeof *launchers; i++)
    if (strcmp(sa_path_name(words->at[at]), launchers[i]) == 0) at++;
  return at + 1;
}

static const char *language_named(const char *name) {
  static const char *const names[][2] = {
      {"c", "c"},       {"c-header", "c"}, {"c++", "cpp"}, {"c++-header", "cpp"},
      {"cuda", "cuda"}, {"cu", "cuda"},    {"hip", "hip"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i][0]) == 0) return names[i][1];
  return NULL;
}

/* Treats the flag at `i` by its row; returns the index of its last word. */
static uint32_t apply(sa_command *out, const sa_flags_context *c, const sa_words *words, uint32_t i,
                      const flag_row *row) {
  const char *word = words->at[i];
  bool exact = word[strlen(row->name)] == '\0';
  bool separate = exact && (row->form == NEXT || row->form == EITHER);
  const char *value = separate && i + 1 < words->n ? words->at[i + 1] : NULL;
  if (separate && value == NULL) return i; /* a value that is missing: not a flag at all */
  if (row->fate == KEEP) {
    sa_push(c->arena, &out->flags, word);
    if (separate) sa_push(c->arena, &out->flags, value);
  } else if (row->fate == LANGUAGE) {
    out->language = language_named(separate ? value : word + strlen(row->name));
  } else if (row->fate == REFUSE) {
    notice(c, separate ? sa_printf(c->arena, "%s %s", word, value) : word,
           "it may load or run code");
  }
  return separate ? i + 1 : i;
}

void sa_flags_clean(sa_command *out, const sa_flags_context *context, const sa_words *words) {
  sa_words all = {0};
  *out = (sa_command){0};
  expand_responses(&all, context, words, 0);
  uint32_t first = after_compiler(&all);
  if (first <= all.n && sa_is_nvcc(all.at[first - 1])) {
    sa_words host = {0};
    sa_nvcc_translate(&host, context->arena, &(sa_words){all.at + first, all.n - first, 0});
    all = host;
    first = 0;
  }
  for (uint32_t i = first; i < all.n; i++) {
    if (strcmp(all.at[i], "--") == 0) break;
    const flag_row *row = row_of(all.at[i]);
    if (row != NULL) i = apply(out, context, &all, i, row);
  }
}
