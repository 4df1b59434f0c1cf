#include "project/git.h"

#include "base/fs.h"
#include "base/path.h"
#include "project/root.h"

#include <ctype.h>
#include <string.h>

enum { MAX_SMALL = 1 << 16, MAX_PACKED = 64 << 20, MAX_HOPS = 5 };

typedef struct {
  sa_arena *arena;
  const char *own;    /* the work tree's directory: HEAD */
  const char *common; /* what all work trees share: refs, config */
} repository;

/* A whole file, or NULL. What is wrong with it is of no interest. */
static char *read_file(sa_arena *arena, const char *directory, const char *name, size_t limit) {
  char *text = NULL;
  size_t length = 0;
  sa_diag ignored = {.arena = arena};
  const char *path = sa_path_join(arena, directory, name);
  if (sa_fs_read_text(&text, &length, arena, &ignored, path, limit) != SA_OK) return NULL;
  return strlen(text) == length ? text : NULL;
}

/* Ends `text` after its first line. */
static char *first_line(char *text) {
  if (text != NULL) text[strcspn(text, "\r\n")] = '\0';
  return text;
}

static bool is_commit(const char *text) {
  size_t n = strspn(text, "0123456789abcdef");
  return (n == 40 || n == 64) && text[n] == '\0';
}

/* A name that git would accept and that stays below its folder. */
static bool is_ref(const char *name) {
  if (strncmp(name, "refs/", 5) != 0 || strstr(name, "..") != NULL || strstr(name, "//") != NULL)
    return false;
  for (const unsigned char *at = (const unsigned char *)name; *at != '\0'; at++)
    if (*at <= ' ' || *at == 0x7f || strchr("~^:?*[\\", *at) != NULL) return false;
  return true;
}

static bool open_repository(repository *out, sa_arena *arena, const char *mark) {
  out->arena = arena;
  out->own = mark;
  if (!sa_fs_is_directory(mark)) {
    char *link = first_line(read_file(arena, "", mark, MAX_SMALL));
    if (link == NULL || strncmp(link, "gitdir: ", 8) != 0) return false;
    out->own = sa_path_join(arena, sa_path_directory(arena, mark), link + 8);
  }
  char *common = first_line(read_file(arena, out->own, "commondir", MAX_SMALL));
  out->common = common != NULL ? sa_path_join(arena, out->own, common) : out->own;
  return sa_fs_is_directory(out->own) && sa_fs_is_directory(out->common);
}

/* The commit of a ref in packed-refs, or NULL. */
static const char *packed_commit(const repository *r, const char *name) {
  char *text = read_file(r->arena, r->common, "packed-refs", MAX_PACKED);
  while (text != NULL && *text != '\0') {
    char *next = text + strcspn(text, "\n");
    if (*next != '\0') *next++ = '\0';
    char *space = strchr(text, ' ');
    if (space != NULL && strcmp(space + 1, name) == 0) {
      *space = '\0';
      return is_commit(text) ? text : NULL;
    }
    text = next;
  }
  return NULL;
}

/* Follows HEAD to a commit; fills the branch on the way. */
static const char *commit_of_head(const repository *r, const char **branch) {
  const char *directory = r->own, *name = "HEAD";
  for (int hops = 0; hops < MAX_HOPS; hops++) {
    const char *text = first_line(read_file(r->arena, directory, name, MAX_SMALL));
    if (text == NULL) return hops > 0 ? packed_commit(r, name) : NULL;
    if (is_commit(text)) return text;
    if (strncmp(text, "ref: ", 5) != 0 || !is_ref(text + 5)) return NULL;
    directory = r->common;
    name = text + 5;
    if (strncmp(name, "refs/heads/", 11) == 0) *branch = name + 11;
  }
  return NULL;
}

/* The `url` of a remote in git's configuration: of "origin", or else of the first. */
static const char *remote_url(const repository *r) {
  char *text = read_file(r->arena, r->common, "config", MAX_SMALL);
  const char *found = NULL;
  bool in_remote = false, in_origin = false;
  for (char *line; text != NULL && (line = strsep(&text, "\n")) != NULL;) {
    line += strspn(line, " \t");
    if (*line == '[') {
      in_remote = strncmp(line, "[remote \"", 9) == 0;
      in_origin = strncmp(line, "[remote \"origin\"]", 17) == 0;
    }
    size_t key = strcspn(line, " \t=");
    const char *value = line + key + strspn(line + key, " \t");
    if (!in_remote || key != 3 || strncmp(line, "url", 3) != 0 || *value != '=') continue;
    value += 1 + strspn(value + 1, " \t");
    line[strcspn(line, "\r")] = '\0';
    if (found == NULL || in_origin) found = value;
    if (in_origin) break;
  }
  return found;
}

/* Letters that may stand in the path of a URI as they are. */
static bool is_plain(const char *text) {
  for (; *text != '\0'; text++)
    if (!isalnum((unsigned char)*text) && strchr("-._~/+@:%", *text) == NULL) return false;
  return true;
}

const char *sa_git_public_address(sa_arena *arena, const char *remote) {
  static const char *const schemes[] = {"https://", "http://", "ssh://", "git://"};
  const char *scheme = NULL, *rest = NULL;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    if (strncmp(remote, schemes[i], strlen(schemes[i])) == 0) {
      scheme = schemes[i];
      rest = remote + strlen(scheme);
    }
  size_t host = strcspn(remote, "/:"); /* user@host:path, as scp writes it */
  bool scp =
      scheme == NULL && remote[host] == ':' && host > 1 && strncmp(remote + host, "://", 3) != 0;
  if (scp) rest = sa_printf(arena, "%.*s/%s", (int)host, remote, remote + host + 1);
  if (rest == NULL) return NULL;
  char *clean = sa_strdup(arena, rest);
  clean[strcspn(clean, "?#")] = '\0';
  size_t authority = strcspn(clean, "/");
  for (size_t i = authority; i-- > 0;)
    if (clean[i] == '@') {
      clean += i + 1;
      break;
    }
  if (*clean == '\0' || *clean == '/' || !is_plain(clean)) return NULL;
  return sa_printf(arena, "%s%s", scp ? "ssh://" : scheme, clean);
}

bool sa_git_provenance(sa_provenance *out, sa_arena *arena, const char *root) {
  *out = (sa_provenance){0};
  repository r;
  const char *mark = sa_project_find_up(arena, root, "/", ".git");
  if (mark == NULL || !open_repository(&r, arena, mark)) return false;
  const char *remote = remote_url(&r);
  out->revision = commit_of_head(&r, &out->branch);
  out->repository = remote != NULL ? sa_git_public_address(arena, remote) : NULL;
  out->whole = strcmp(sa_path_directory(arena, mark), root) == 0;
  return out->revision != NULL && out->repository != NULL;
}
