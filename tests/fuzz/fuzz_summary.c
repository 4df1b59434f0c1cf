/* Summaries of other units. What is accepted is linked to itself. */
#include "target.h"

#include "base/hash.h"
#include "link/link.h"
#include "link/summaries.h"

#include <string.h>

/* A summary without its first line gets one that fits, or no change would come past the checksum.
 */
static const char *complete(sa_arena *arena, const char *text, size_t *length) {
  if (text[0] == ';') return text;
  const char *head = sa_printf(arena, "; sa-lint summary %d tool 0 source %s checksum ",
                               SA_SUMMARY_FORMAT, sa_hash_hex(arena, 0));
  const char *sum = sa_hash_hex(arena, sa_hash(text, *length, sa_hash_string(head, 0)));
  const char *first = sa_printf(arena, "%s%s\n", head, sum);
  size_t n = strlen(first);
  char *whole = sa_alloc(arena, n + *length + 1);
  memcpy(whole, first, n);
  memcpy(whole + n, text, *length);
  *length += n;
  return whole;
}

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  text = complete(arena, text, &length);
  sa_summary summary = {0};
  sa_status status = sa_summary_read(&summary, arena, diag, "fuzz.sasum", text, length, "0");
  sa_fuzz_check((status == SA_OK) == (summary.unit != NULL), "a unit, or a reason");
  if (status != SA_OK) return;
  sa_summaries *all = sa_summaries_of(arena, &summary, 1);
  const sa_ir_unit *linked = sa_link(arena, summary.unit, all);
  const char *why = "";
  sa_fuzz_check(sa_ir_check(linked, arena, &why), "a linked unit is sound");
  sa_summaries_recorders(arena, all);
}
