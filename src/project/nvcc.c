#include "project/nvcc.h"

#include "base/path.h"

#include <string.h>

/* nvcc takes the value of an option in the next word or behind '='. */
typedef struct {
  const char *name,
      *means; /* means: in the host compiler's spelling; one that ends in '=' is joined */
} name_row;

static const name_row names[] = {
    {"--include-path", "-I"},
    {"-I", "-I"},
    {"--system-include", "-isystem"},
    {"-isystem", "-isystem"},
    {"--define-macro", "-D"},
    {"-D", "-D"},
    {"--undefine-macro", "-U"},
    {"-U", "-U"},
    {"--pre-include", "-include"},
    {"-include", "-include"},
    {"--std", "-std="},
    {"-std", "-std="},
    {"--x", "-x"},
    {"-x", "-x"},
};

/* A list with commas, for the host compiler. */
static const char *const handed_on[] = {"-Xcompiler", "--compiler-options"};

/* Choices of what to run, which is not run here. */
static const char *const dropped[] = {"-ccbin", "--compiler-bindir"};

bool sa_is_nvcc(const char *compiler) {
  return strncmp(sa_path_name(compiler), "nvcc", 4) == 0;
}

/* The value of the option `name` when the word at *i is it, moving *i to the word that holds it;
 * NULL otherwise. */
static const char *value_of(const sa_words *words, uint32_t *i, const char *name) {
  const char *word = words->at[*i];
  size_t length = strlen(name);
  if (strncmp(word, name, length) != 0) return NULL;
  if (word[length] == '=') return word + length + 1;
  if (word[length] != '\0' || *i + 1 == words->n) return NULL;
  return words->at[++*i];
}

static void add_list(sa_words *out, sa_arena *arena, const char *list) {
  for (const char *at = list; *at != '\0'; at += *at == ',') {
    size_t length = strcspn(at, ",");
    if (length > 0) sa_push(arena, out, sa_strndup(arena, at, length));
    at += length;
  }
}

static bool translate_one(sa_words *out, sa_arena *arena, const sa_words *words, uint32_t *i) {
  const char *value;
  for (size_t k = 0; k < sizeof handed_on / sizeof *handed_on; k++)
    if ((value = value_of(words, i, handed_on[k])) != NULL) {
      add_list(out, arena, value);
      return true;
    }
  for (size_t k = 0; k < sizeof dropped / sizeof *dropped; k++)
    if (value_of(words, i, dropped[k]) != NULL) return true;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    if ((value = value_of(words, i, names[k].name)) == NULL) continue;
    const char *means = names[k].means;
    if (means[strlen(means) - 1] == '=') {
      sa_push(arena, out, sa_printf(arena, "%s%s", means, value));
    } else {
      sa_push(arena, out, means);
      sa_push(arena, out, value);
    }
    return true;
  }
  return false;
}

void sa_nvcc_translate(sa_words *out, sa_arena *arena, const sa_words *words) {
  for (uint32_t i = 0; i < words->n; i++)
    if (!translate_one(out, arena, words, &i)) sa_push(arena, out, words->at[i]);
}
