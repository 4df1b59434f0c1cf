/* The reader of all YAML. */
#include "target.h"

#include "base/yaml.h"

static void walk(const sa_yaml *node, unsigned depth) {
  sa_fuzz_check(depth < 1000, "nesting has a limit");
  for (uint32_t i = 0; i < node->items.n; i++) walk(node->items.at[i], depth + 1);
  for (uint32_t i = 0; i < node->entries.n; i++) walk(node->entries.at[i].value, depth + 1);
}

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  const sa_yaml *tree = NULL;
  sa_status status = sa_yaml_parse(&tree, arena, diag, "fuzz", text, length);
  sa_fuzz_check((status == SA_OK) == (tree != NULL), "a tree, or a reason");
  if (tree != NULL) walk(tree, 0);
}
