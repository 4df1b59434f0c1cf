/* IR text. A sound unit is printed, read again and printed, twice the same. */
#include "target.h"

#include "model/ir.h"

#include <string.h>

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  sa_ir_unit *unit = NULL, *again = NULL;
  const char *why = "";
  if (memchr(text, '\0', length) != NULL) return;
  if (sa_ir_parse(&unit, arena, diag, "fuzz.ir", text) != SA_OK) {
    sa_fuzz_check(sa_diag_has_errors(diag), "a refusal has a message");
    return;
  }
  if (!sa_ir_check(unit, arena, &why)) {
    sa_fuzz_check(why[0] != '\0', "an unsound unit has a reason");
    return;
  }
  const char *first = sa_ir_print(arena, unit);
  sa_fuzz_check(sa_ir_parse(&again, arena, diag, "again.ir", first) == SA_OK,
                "what is printed can be read");
  sa_fuzz_check(strcmp(first, sa_ir_print(arena, again)) == 0, "and printed again");
}
