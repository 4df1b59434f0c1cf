#include "project/read.h"

#include "base/fs.h"
#include "project/notebook.h"

#include <string.h>

static sa_status read_text(sa_job *job, sa_arena *arena, sa_diag *diag) {
  sa_buffer buffer = {0};
  sa_file_kind kind = sa_fs_read(&buffer, job->absolute, SA_SOURCE_LIMIT);
  sa_status status = SA_OK;
  if (kind == SA_FILE_TEXT) {
    job->text = sa_strndup(arena, buffer.bytes, buffer.length);
    job->length = buffer.length;
  } else if (kind == SA_FILE_TOO_LARGE) {
    sa_report(diag, SA_ERROR, job->path, 0, 0, "larger than %d MiB; not analysed",
              SA_SOURCE_LIMIT >> 20);
    status = SA_E_LIMIT;
  } else {
    sa_report(diag, SA_ERROR, job->path, 0, 0, "the file %s; not analysed", sa_file_problem(kind));
    status = SA_E_IO;
  }
  sa_buffer_free(&buffer);
  return status;
}

static void take_command(sa_job *job, sa_arena *arena, sa_diag *diag, const sa_compile_db *db) {
  const sa_db_entry *entry = sa_compile_db_find(db, job->absolute);
  if (entry == NULL) {
    sa_report(diag, SA_NOTE, job->path, 0, 0,
              "not in the compile database; analysed with model headers");
    sa_diag_mark_configuration(diag);
  }
  if (entry == NULL || !entry->usable) return;
  sa_command command;
  sa_compile_db_command(&command, arena, diag, db, entry);
  for (uint32_t i = 0; i < command.flags.n; i++) sa_push(arena, &job->flags, command.flags.at[i]);
  if (command.language != NULL) job->language = command.language;
  job->directory = entry->directory;
  job->native = true;
}

sa_status sa_read_job(sa_job *out, sa_arena *arena, sa_diag *diag, const sa_source *source,
                      const sa_read_options *options) {
  *out = (sa_job){.root = options->root, .path = source->path, .absolute = source->absolute};
  sa_status status = read_text(out, arena, diag);
  if (status != SA_OK) return status;
  out->language = sa_language_of(source->path, out->text, out->length);
  for (uint32_t i = 0; i < options->ndefines; i++)
    sa_push(arena, &out->defines, options->defines[i]);
  if (strcmp(out->language, "notebook") == 0) {
    out->language = "python";
    status = sa_notebook_open(out, arena, diag);
    if (status != SA_OK) return status;
  }
  bool compiled = strcmp(out->language, "python") != 0;
  if (options->db != NULL && compiled) take_command(out, arena, diag, options->db);
  return SA_OK;
}
