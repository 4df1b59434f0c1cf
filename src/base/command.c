#include "base/command.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LONGEST_COMPLAINT = 400 };

/* The program's three streams are files, so that none of them can block it. */
typedef struct {
  FILE *in, *out, *error;
} streams;

static bool open_streams(streams *s, const sa_command_line *command) {
  *s = (streams){tmpfile(), tmpfile(), tmpfile()};
  if (s->in == NULL || s->out == NULL || s->error == NULL) return false;
  if (command->input_length > 0 &&
      fwrite(command->input, 1, command->input_length, s->in) != command->input_length)
    return false;
  return fflush(s->in) == 0 && lseek(fileno(s->in), 0, SEEK_SET) == 0;
}

static void close_streams(streams *s) {
  if (s->in != NULL) fclose(s->in);
  if (s->out != NULL) fclose(s->out);
  if (s->error != NULL) fclose(s->error);
}

/* Whether `row` is a variable of the list, with any value. */
static bool replaces(const char *const *list, const char *row) {
  for (; list != NULL && *list != NULL; list++) {
    size_t n = strcspn(*list, "=");
    if (strncmp(*list, row, n) == 0 && row[n] == '=') return true;
  }
  return false;
}

static char **environment_of(sa_arena *arena, const sa_command_line *command) {
  SA_ARRAY(char *) rows = {0};
  for (char **row = environ; *row != NULL; row++)
    if (!replaces(command->environment, *row)) sa_push(arena, &rows, *row);
  for (const char *const *row = command->environment; row != NULL && *row != NULL; row++)
    if (strchr(*row, '=') != NULL) sa_push(arena, &rows, sa_strdup(arena, *row));
  sa_push(arena, &rows, NULL);
  return rows.at;
}

static int spawn(pid_t *pid, sa_arena *arena, const streams *s, const sa_command_line *command) {
  SA_ARRAY(char *) words = {0};
  for (const char *const *word = command->words; *word != NULL; word++)
    sa_push(arena, &words, sa_strdup(arena, *word));
  sa_push(arena, &words, NULL);
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawn_file_actions_adddup2(&actions, fileno(s->in), STDIN_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, fileno(s->out), STDOUT_FILENO);
  if (error == 0)
    error = posix_spawn_file_actions_adddup2(&actions, fileno(s->error), STDERR_FILENO);
  if (error == 0)
    error =
        posix_spawnp(pid, words.at[0], &actions, NULL, words.at, environment_of(arena, command));
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *first_line(sa_arena *arena, FILE *file) {
  char line[LONGEST_COMPLAINT];
  rewind(file);
  if (fgets(line, sizeof line, file) == NULL) return "it gave no reason";
  line[strcspn(line, "\r\n")] = '\0';
  return sa_strdup(arena, line);
}

int sa_command_run(sa_buffer *out, const char **complaint, sa_arena *arena,
                   const sa_command_line *command) {
  streams s;
  pid_t pid;
  int status = -1;
  *complaint = "";
  out->length = 0;
  if (!open_streams(&s, command)) {
    *complaint = sa_printf(arena, "no temporary file: %s", strerror(errno));
    goto done;
  }
  int error = spawn(&pid, arena, &s, command);
  if (error != 0) {
    *complaint = sa_printf(arena, "it cannot be started: %s", strerror(error));
    goto done;
  }
  status = wait_for(pid);
  *complaint = first_line(arena, s.error);
  if (lseek(fileno(s.out), 0, SEEK_SET) != 0 ||
      sa_fs_read_stream(out, fileno(s.out), command->limit) > SA_FILE_BINARY) {
    *complaint = "it wrote too much";
    status = -1;
  }
done:
  close_streams(&s);
  return status;
}
