/* C, C++, CUDA and HIP through libclang's C API, loaded at run time. No CX type leaves this folder.
 */
#ifndef SA_FRONTEND_CLANG_CLANG_H
#define SA_FRONTEND_CLANG_CLANG_H

#include "model/ir.h"
#include "model/job.h"
#include "model/reads.h"
#include "model/ruleset.h"

typedef struct sa_clang sa_clang; /* a loaded libclang */

/* Loads libclang: `path` (or the environment's SA_LINT_LIBCLANG) if given, else the newest one from
 * 17 on in the usual places (distribution's packages, PyPI's libclang wheel). SA_E_IO with a
 * message that says what was tried. The caller closes it. */
sa_status sa_clang_open(sa_clang **out, sa_diag *diag, const char *path);
void sa_clang_close(sa_clang *clang);
/* For a process that may be lost: libclang then ends it when it crashes or runs out of memory. It
 * would go on otherwise, with what it held, or wait for a lock that the crash left behind. */
void sa_clang_may_crash(void);
/* The library's own version text, e.g. "19.1.7". */
const char *sa_clang_version(const sa_clang *clang);
/* Where it was loaded from, and the directory of the compiler's own headers (NULL: none found, and
 * headers of a native parse that need them fail). Both last as long as `clang`. */
const char *sa_clang_path(const sa_clang *clang);
const char *sa_clang_headers(const sa_clang *clang);

/* The model headers of the hermetic mode: virtual files, and which include spelling each answers.
 */
typedef struct {
  const char *path; /* virtual, absolute: "/sa-sdk/torch/c10.h" */
  const char *text;
  size_t length;
} sa_sdk_file;

typedef struct {
  SA_ARRAY(sa_sdk_file) files;
  /* The virtual path for an include's spelling ("c10/cuda/CUDAStream.h"), or NULL. */
  const char *(*resolve)(void *context, const char *spelling);
  /* Whether a header of the project, where there is one, goes before that model. NULL: never. */
  bool (*yields)(void *context, const char *spelling);
  void *context;
} sa_sdk;

/* Its whole version text, which tells builds of one version apart. Lives as long as `clang`. */
const char *sa_clang_identity(const sa_clang *clang);

/* While on, what is learnt about a file holds for edited texts of it too, so that these need one
 * parse each. Whoever turns it on turns it off before the arena of that file goes. */
void sa_clang_remember(sa_clang *clang, bool on);

/* Seconds that the library has spent in parsing, of all that sa_clang_lower() took. */
double sa_clang_parsing(const sa_clang *clang);

/* From here on sa_clang_lower() also says what it looks at on the disk; NULL: no longer. */
void sa_clang_watch(sa_clang *clang, sa_reads *reads);
/* Whether the disk answers as it did then, for jobs below `root`. Each question is put to the disk
 * once in the life of `clang`. */
bool sa_clang_unchanged(sa_clang *clang, const char *root, const sa_reads *reads);

/* Parses and lowers one file. Needs job and rules; fills a unit in which every token that spells a
 * record call has a fate. Syntax errors give fewer instructions, not none. SA_E_PARSE when libclang
 * gives no translation unit at all. The unit lives in `arena`. */
sa_status sa_clang_lower(sa_ir_unit **out, sa_arena *arena, sa_diag *diag, sa_clang *clang,
                         const sa_ruleset *rules, const sa_sdk *sdk, const sa_job *job);

/* The account of a file that could not be parsed at all: a unit without functions, in which every
 * token that spells a call of a record API is a site that was not analysed, with `reason`. Needs no
 * libclang. The unit lives in `arena`. */
sa_ir_unit *sa_clang_account(sa_arena *arena, const sa_ruleset *rules, const sa_job *job,
                             const char *reason);

#endif
