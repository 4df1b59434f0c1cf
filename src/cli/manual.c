#include "cli/manual.h"

#include <string.h>

/* ---- manual page ---- */

/* Text of a manual page: a dash is a dash, and no line begins with a command. */
static void put_roff(FILE *out, const char *text) {
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '\\')
      fputs("\\e", out);
    else if (*at == '-')
      fputs("\\-", out);
    else if ((*at == '.' || *at == '\'') && at == text)
      fprintf(out, "\\&%c", *at);
    else
      putc(*at, out);
  }
}

static void put_options_roff(FILE *out) {
  sa_option_help option;
  for (unsigned i = 0; sa_option_at(&option, i); i++) {
    fputs(".TP\n", out);
    if (option.letter != 0) fprintf(out, "\\fB\\-%c\\fR, ", option.letter);
    fputs("\\fB\\-\\-", out);
    put_roff(out, option.name);
    fputs("\\fR", out);
    if (option.value != NULL) {
      fputs(" \\fI", out);
      put_roff(out, option.value);
      fputs("\\fR", out);
    }
    putc('\n', out);
    put_roff(out, option.help);
    fputs(".\n", out);
  }
}

static void put_terms(FILE *out, const char *const (*terms)[2]) {
  for (; (*terms)[0] != NULL; terms++) {
    fputs(".TP\n\\fB", out);
    put_roff(out, (*terms)[0]);
    fputs("\\fR\n", out);
    put_roff(out, (*terms)[1]);
    putc('\n', out);
  }
}

static void put_man(FILE *out) {
  static const char *const statuses[][2] = {
      {"0", "Nothing at or above the level of --fail-on."},
      {"1", "Findings."},
      {"2", "Wrong use or configuration."},
      {"3", "A file could not be analysed, and nothing was found."},
      {NULL, NULL}};
  static const char *const variables[][2] = {
      {"SA_LINT_LIBCLANG", "The libclang to use, like --libclang."},
      {"NO_COLOR", "Not empty: no colour unless --color asks for it."},
      {"SOURCE_DATE_EPOCH", "The day that 'until=' in comments is compared with."},
      {"XDG_CACHE_HOME", "Where the cache lies, instead of ~/.cache."},
      {NULL, NULL}};
  static const char *const files[][2] = {
      {".sa-lint.yaml", "Configuration, searched upwards from the working directory."},
      {"compile_commands.json", "Compile database, where -p names it or its directory."},
      {NULL, NULL}};
  fprintf(out, ".TH SA\\-LINT 1 \"\" \"sa\\-lint %s\" \"User Commands\"\n", SA_VERSION);
  fputs(".SH NAME\nsa\\-lint \\- static analysis of record_stream calls\n", out);
  fputs(".SH SYNOPSIS\n.B sa\\-lint\n[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] \\fIPATHS\\fR...\n", out);
  fputs(".SH DESCRIPTION\n"
        "Finds record_stream calls in C, C++, CUDA, HIP and Python sources, says of each what it\n"
        "does and whether an event can take its place, and finds blocks that nothing protects.\n"
        "Paths are files or directories; an argument @FILE stands for the lines of that file.\n",
        out);
  fputs(".SH COMMANDS\n", out);
  for (int i = 0; i < SA_COMMAND_COUNT; i++)
    put_terms(out, (const char *const[][2]){
                       {sa_command_text((sa_command_name)i), sa_command_help((sa_command_name)i)},
                       {NULL, NULL}});
  fputs(".SH OPTIONS\n", out);
  put_options_roff(out);
  fputs(".SH FORMATS\n", out);
  for (const sa_reporter *r = sa_reporters(); r->name != NULL; r++)
    put_terms(out, (const char *const[][2]){{r->name, r->description}, {NULL, NULL}});
  fputs(".SH EXIT STATUS\n", out);
  put_terms(out, statuses);
  fputs(".SH ENVIRONMENT\n", out);
  put_terms(out, variables);
  fputs(".SH FILES\n", out);
  put_terms(out, files);
  fputs(".SH EXAMPLES\n.EX\n"
        "sa\\-lint src\n"
        "sa\\-lint \\-p build \\-\\-format sarif=out.sarif src\n"
        "sa\\-lint \\-\\-diff\\-base origin/main \\-\\-format github .\n"
        "sa\\-lint explain src/a.cpp:12\n"
        ".EE\n",
        out);
}

/* ---- completions ---- */

/* What completes the value of an option: a list of words, files, directories, or nothing. */
static bool takes_directory(const sa_option_help *option) {
  return option->value != NULL && strcmp(option->value, "DIR") == 0;
}

static bool takes_file(const sa_option_help *option) {
  return option->value != NULL &&
         (strcmp(option->value, "PATH") == 0 || strcmp(option->value, "FILE") == 0);
}

static void put_formats(FILE *out) {
  const char *separator = "";
  for (const sa_reporter *r = sa_reporters(); r->name != NULL; r++, separator = " ")
    fprintf(out, "%s%s", separator, r->name);
}

static bool is_format(const sa_option_help *option) {
  return strcmp(option->name, "format") == 0;
}

/* Words between single quotes of a shell; the table has no others than these to be careful with. */
static void put_quoted(FILE *out, const char *text, const char *escaped) {
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      fputs("'\\''", out);
    else if (strchr(escaped, *text) != NULL)
      fprintf(out, "\\%c", *text);
    else
      putc(*text, out);
  }
}

static void put_commands(FILE *out) {
  for (int i = 0; i < SA_COMMAND_COUNT; i++)
    fprintf(out, "%s%s", i > 0 ? " " : "", sa_command_text((sa_command_name)i));
}

/* "  --color) ... ;;": how bash completes what follows the option. */
static void put_bash_values(FILE *out, const sa_option_help *option) {
  if (option->value == NULL) return;
  fputs("    ", out);
  if (option->letter != 0) fprintf(out, "-%c | ", option->letter);
  fprintf(out, "--%s) ", option->name);
  if (option->words != NULL || is_format(option)) {
    fputs("mapfile -t COMPREPLY < <(compgen -W '", out);
    if (is_format(option))
      put_formats(out);
    else
      fputs(option->words, out);
    fputs("' -- \"$word\"); return ;;\n", out);
  } else if (takes_directory(option)) {
    fputs("mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return ;;\n", out);
  } else if (takes_file(option)) {
    fputs("mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;\n", out);
  } else {
    fputs("return ;;\n", out);
  }
}

static void put_bash(FILE *out) {
  sa_option_help option;
  fputs("# bash completion for sa-lint\n"
        "_sa_lint() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  COMPREPLY=()\n"
        "  case $before in\n",
        out);
  for (unsigned i = 0; sa_option_at(&option, i); i++) put_bash_values(out, &option);
  fputs("  esac\n"
        "  if [[ $word == -* ]]; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W '",
        out);
  for (unsigned i = 0; sa_option_at(&option, i); i++)
    fprintf(out, "%s--%s", i > 0 ? " " : "", option.name);
  fputs("' -- \"$word\")\n    return\n  fi\n"
        "  mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
        "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W '",
        out);
  put_commands(out);
  fputs("' -- \"$word\")\n  fi\n}\ncomplete -o filenames -F _sa_lint sa-lint\n", out);
}

static void put_zsh_action(FILE *out, const sa_option_help *option) {
  fprintf(out, ":%s:", option->value);
  if (is_format(option)) {
    putc('(', out);
    put_formats(out);
    putc(')', out);
  } else if (option->words != NULL) {
    fprintf(out, "(%s)", option->words);
  } else if (takes_directory(option)) {
    fputs("_files -/", out);
  } else if (takes_file(option)) {
    fputs("_files", out);
  }
}

/* '*'{-j+,--jobs=}'[help]:N:' */
static void put_zsh(FILE *out) {
  sa_option_help option;
  fputs("#compdef sa-lint\n_arguments -s \\\n", out);
  for (unsigned i = 0; sa_option_at(&option, i); i++) {
    const char *end = option.value != NULL ? "=" : "";
    if (option.letter != 0)
      fprintf(out, "  '*'{-%c%s,--%s%s}'[", option.letter, option.value != NULL ? "+" : "",
              option.name, end);
    else
      fprintf(out, "  '*--%s%s[", option.name, end);
    put_quoted(out, option.help, "[]:\\");
    putc(']', out);
    if (option.value != NULL) put_zsh_action(out, &option);
    fputs("' \\\n", out);
  }
  fputs("  '1: :_alternative \"files:file:_files\" \"commands:command:(", out);
  put_commands(out);
  fputs(")\"' \\\n  '*:file:_files'\n", out);
}

static void put_fish(FILE *out) {
  sa_option_help option;
  fputs("# fish completion for sa-lint\n", out);
  for (int i = 0; i < SA_COMMAND_COUNT; i++) {
    fprintf(out, "complete -c sa-lint -n __fish_use_subcommand -a %s -d '",
            sa_command_text((sa_command_name)i));
    put_quoted(out, sa_command_help((sa_command_name)i), "");
    fputs("'\n", out);
  }
  for (unsigned i = 0; sa_option_at(&option, i); i++) {
    fputs("complete -c sa-lint", out);
    if (option.letter != 0) fprintf(out, " -s %c", option.letter);
    fprintf(out, " -l %s", option.name);
    if (option.words != NULL || is_format(&option)) {
      fputs(" -x -a '", out);
      if (is_format(&option))
        put_formats(out);
      else
        fputs(option.words, out);
      putc('\'', out);
    } else if (takes_directory(&option)) {
      fputs(" -x -a '(__fish_complete_directories)'", out);
    } else if (option.value != NULL) {
      fputs(takes_file(&option) ? " -r" : " -x", out);
    }
    fputs(" -d '", out);
    put_quoted(out, option.help, "");
    fputs("'\n", out);
  }
}

void sa_manual_write(FILE *out, sa_help_form form) {
  static void (*const writers[])(FILE *) = {
      [SA_HELP_TEXT] = sa_options_help, [SA_HELP_MAN] = put_man,   [SA_HELP_BASH] = put_bash,
      [SA_HELP_ZSH] = put_zsh,          [SA_HELP_FISH] = put_fish,
  };
  writers[form](out);
}
