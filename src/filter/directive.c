/* `sa-lint: allow(SA101) reason` begins a line of a comment; `NOLINT(SA101) reason` and
 * `NOLINTNEXTLINE(SA101) reason` may stand behind other words, as for other tools. */
#include "filter/directive.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_REASON = 1000, DATE_LENGTH = 10 };

static const char OWN[] = "sa-lint:", ALLOW[] = "allow", NOLINT[] = "NOLINT", UNTIL[] = "until=";

/* A piece of the text. */
typedef struct {
  const char *at, *end;
} piece;

static bool begins(piece p, const char *word) {
  size_t n = strlen(word);
  return (size_t)(p.end - p.at) >= n && memcmp(p.at, word, n) == 0;
}

static bool take(piece *p, const char *word) {
  bool there = begins(*p, word);
  if (there) p->at += strlen(word);
  return there;
}

static piece trimmed(piece p) {
  while (p.at < p.end && isspace((unsigned char)*p.at)) p.at++;
  while (p.end > p.at && isspace((unsigned char)p.end[-1])) p.end--;
  return p;
}

static piece first_line(piece p) {
  const char *newline = memchr(p.at, '\n', (size_t)(p.end - p.at));
  return (piece){p.at, newline != NULL ? newline : p.end};
}

/* What a line of a comment says, without the marks around. */
static piece said(piece line, bool block) {
  line = trimmed(line);
  if (block && line.end - line.at >= 2 && line.end[-2] == '*' && line.end[-1] == '/') line.end -= 2;
  while (line.at < line.end && strchr("/*!#;<", *line.at) != NULL) line.at++;
  return trimmed(line);
}

static piece whole(const sa_outline *o, const sa_comment *c) {
  return (piece){o->text + c->begin, o->text + c->end};
}

static bool is_block(piece comment) {
  return begins(comment, "/*");
}

bool sa_is_date(const char *text) {
  static const unsigned char days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  unsigned year = 0, month = 0, day = 0;
  int used = 0;
  if (strlen(text) != DATE_LENGTH || strspn(text, "0123456789-") != DATE_LENGTH) return false;
  if (text[4] != '-' || text[7] != '-') return false;
  if (sscanf(text, "%4u-%2u-%2u%n", &year, &month, &day, &used) != 3 || used != DATE_LENGTH)
    return false;
  if (month < 1 || month > 12 || day < 1 || day > days[month - 1]) return false;
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return leap || month != 2 || day < 29;
}

static void set_until(sa_directive *d, sa_arena *arena, piece date) {
  d->until = sa_strndup(arena, date.at, (size_t)(date.end - date.at));
  if (!sa_is_date(d->until)) d->flaw = "its date is not of the form until=2027-01-31";
}

static bool is_ours(piece item) {
  return item.end - item.at >= 3 && begins(item, "SA") && isdigit((unsigned char)item.at[2]);
}

/* One item of the list; other tools' checks are theirs. */
static void add_item(sa_directive *d, sa_arena *arena, const sa_outline *o, piece item, bool own) {
  item = trimmed(item);
  if (item.at == item.end) return;
  if (begins(item, UNTIL)) {
    take(&item, UNTIL);
    set_until(d, arena, item);
  } else if (own || is_ours(item)) {
    sa_push(arena, &d->rules,
            (sa_directive_rule){sa_strndup(arena, item.at, (size_t)(item.end - item.at)),
                                (uint32_t)(item.at - o->text)});
  }
}

/* "(SA101, SA301)"; false when it is not closed on the line. */
static bool read_list(sa_directive *d, sa_arena *arena, const sa_outline *o, piece *line,
                      bool own) {
  const char *close = memchr(line->at, ')', (size_t)(line->end - line->at));
  if (*line->at != '(' || close == NULL) return false;
  for (const char *at = line->at + 1; at <= close;) {
    const char *comma = memchr(at, ',', (size_t)(close - at));
    const char *end = comma != NULL ? comma : close;
    add_item(d, arena, o, (piece){at, end}, own);
    at = end + 1;
  }
  line->at = close + 1;
  return true;
}

/* Blanks and the marks that people put before a reason. */
static piece without_separator(piece p) {
  for (;;) {
    p = trimmed(p);
    if (!take(&p, ":") && !take(&p, "-") && !take(&p, "\xe2\x80\x94") && !take(&p, "\xe2\x80\x93"))
      return p;
  }
}

static bool has_word(piece p) {
  for (; p.at < p.end; p.at++)
    if (isalnum((unsigned char)*p.at) || (unsigned char)*p.at >= 0x80) return true;
  return false;
}

static void read_reason(sa_directive *d, sa_arena *arena, piece rest) {
  rest = without_separator(rest);
  if (take(&rest, UNTIL)) {
    piece date = rest;
    while (rest.at < rest.end && !isspace((unsigned char)*rest.at)) rest.at++;
    date.end = rest.at;
    while (date.end > date.at && strchr(",;:.", date.end[-1]) != NULL) date.end--;
    set_until(d, arena, date);
    rest = without_separator(rest);
  }
  size_t n = (size_t)(rest.end - rest.at);
  if (has_word(rest)) d->reason = sa_strndup(arena, rest.at, n < MAX_REASON ? n : MAX_REASON);
}

static sa_directive start(const sa_outline *o, piece line, unsigned places) {
  return (sa_directive){
      .at = (uint32_t)(line.at - o->text), .places = places, .until = "", .reason = ""};
}

static bool read_own(sa_directive *d, sa_arena *arena, const sa_outline *o, piece line) {
  if (!begins(line, OWN)) return false;
  *d = start(o, line, SA_ON_STATEMENT | SA_ON_NEXT_LINE | SA_ON_FUNCTION);
  take(&line, OWN);
  line = trimmed(line);
  bool allows = take(&line, ALLOW);
  line = trimmed(line);
  if (!allows || line.at == line.end || !read_list(d, arena, o, &line, true) ||
      (d->rules.n == 0 && d->flaw == NULL)) {
    d->flaw = "it must read 'sa-lint: allow(SA101) reason'";
    return true;
  }
  read_reason(d, arena, line);
  return true;
}

/* Moves to the word; in quotes it is spoken of, not used. */
static bool find_nolint(piece *line) {
  for (const char *from = line->at;;) {
    const char *found = memmem(from, (size_t)(line->end - from), NOLINT, sizeof NOLINT - 1);
    if (found == NULL) return false;
    from = found + sizeof NOLINT - 1;
    if (found > line->at && !isspace((unsigned char)found[-1])) continue;
    line->at = found;
    return true;
  }
}

/* The form at the beginning of the line; false when it is none, or about other tools' checks. */
static bool read_form(sa_directive *d, sa_arena *arena, const sa_outline *o, piece line) {
  static const struct {
    const char *word;
    unsigned places; /* 0: not a form that is read */
  } forms[] = {{"NOLINTNEXTLINE", SA_ON_NEXT_LINE | SA_ON_FUNCTION},
               {"NOLINTBEGIN", 0},
               {"NOLINTEND", 0},
               {"NOLINT", SA_ON_STATEMENT}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    piece rest = line;
    if (!take(&rest, forms[i].word) || rest.at == rest.end || *rest.at != '(') continue;
    *d = start(o, line, forms[i].places);
    if (!read_list(d, arena, o, &rest, false) || d->rules.n == 0) return false;
    if (forms[i].places == 0)
      d->flaw = "ranges are not read: put it on the statement or above the function";
    read_reason(d, arena, rest);
    return true;
  }
  return false;
}

static bool read_nolint(sa_directive *d, sa_arena *arena, const sa_outline *o, piece line) {
  for (; find_nolint(&line); line.at += sizeof NOLINT - 1)
    if (read_form(d, arena, o, line)) return true;
  return false;
}

static bool read_line(sa_directive *d, sa_arena *arena, const sa_outline *o, piece line) {
  return read_own(d, arena, o, line) || read_nolint(d, arena, o, line);
}

/* Adds a line of words to the last directive's reason; false when the line ends it. */
static bool continue_reason(sa_directives *out, sa_arena *arena, const sa_outline *o, piece line) {
  sa_directive unused, *d = &out->at[out->n - 1];
  if (line.at == line.end || d->reason[0] == '\0' || read_line(&unused, arena, o, line))
    return false;
  if (strlen(d->reason) + (size_t)(line.end - line.at) + 1 > MAX_REASON) return false;
  d->reason = sa_printf(arena, "%s %.*s", d->reason, (int)(line.end - line.at), line.at);
  return true;
}

/* The comments below the last directive's that go on with its reason. */
static void continue_below(sa_directives *out, sa_arena *arena, const sa_outline *o,
                           uint32_t index) {
  for (; index + 1 < o->comments.n; index++) {
    const sa_comment *c = &o->comments.at[index], *next = c + 1;
    piece text = whole(o, next);
    if (!c->alone || !next->alone || next->line != c->end_line + 1 || is_block(text)) return;
    if (!continue_reason(out, arena, o, said(text, false))) return;
  }
}

void sa_directives_read(sa_directives *out, sa_arena *arena, const sa_outline *o, uint32_t index) {
  piece comment = whole(o, &o->comments.at[index]);
  bool block = is_block(comment), open = false;
  for (piece rest = comment; rest.at < rest.end;) {
    piece line = first_line(rest), words = said(line, block);
    sa_directive d;
    if (read_line(&d, arena, o, words)) {
      sa_push(arena, out, d);
      open = true;
    } else if (open) {
      open = continue_reason(out, arena, o, words);
    }
    rest.at = line.end < rest.end ? line.end + 1 : rest.end;
  }
  if (open && !block) continue_below(out, arena, o, index);
}

const char *const *sa_directive_words(void) {
  static const char *const words[] = {OWN, NOLINT, NULL};
  return words;
}

bool sa_directives_likely(const char *text, size_t length) {
  if (memmem(text, length, OWN, sizeof OWN - 1) != NULL) return true;
  piece rest = {text, text + length};
  while ((rest.at = memmem(rest.at, (size_t)(rest.end - rest.at), NOLINT, sizeof NOLINT - 1)) !=
         NULL) {
    piece line = first_line(rest);
    if (memmem(line.at, (size_t)(line.end - line.at), "SA", 2) != NULL) return true;
    rest.at += sizeof NOLINT - 1;
  }
  return false;
}
