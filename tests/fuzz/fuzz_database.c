/* compile_commands.json. Every entry's flags are read and cleaned. */
#include "target.h"

#include "base/fs.h"
#include "project/compile_db.h"

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  static const char path[] = "/fuzz/compile_commands.json";
  sa_compile_db *db = NULL;
  sa_fs_pretend(path, text, length);
  sa_status status = sa_compile_db_load(&db, arena, diag, path, "/fuzz");
  sa_fuzz_check((status == SA_OK) == (db != NULL), "a database, or a reason");
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
  for (uint32_t i = 0; db != NULL && i < db->entries.n; i++) {
    const sa_db_entry *entry = sa_compile_db_find(db, db->entries.at[i].file);
    sa_command command;
    sa_fuzz_check(entry == &db->entries.at[i], "every entry is found");
    sa_compile_db_command(&command, arena, diag, db, entry);
  }
}
