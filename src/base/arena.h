/* Memory that lives and dies together.
 *
 * The linter uses three arenas: one for the run (rules, options), one per unit (IR, facts,
 * findings) and one for scratch inside a pass. Nothing allocated here is freed on its own. When the
 * host is out of memory the program ends in one place, sa_out_of_memory(), with exit status 2; so
 * no function below returns NULL. */
#ifndef SA_BASE_ARENA_H
#define SA_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct sa_arena sa_arena;

/* A new, empty arena; the caller releases it with sa_arena_free(). */
sa_arena *sa_arena_new(void);
void sa_arena_free(sa_arena *arena);

/* `size` bytes, zeroed, aligned for any type. */
void *sa_alloc(sa_arena *arena, size_t size);
/* Grows `old` (of `old_size` bytes, may be NULL) to `new_size`; the new part is zeroed. */
void *sa_regrow(sa_arena *arena, void *old, size_t old_size, size_t new_size);

char *sa_strdup(sa_arena *arena, const char *text);
char *sa_strndup(sa_arena *arena, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) char *sa_printf(sa_arena *arena, const char *format, ...);
__attribute__((format(printf, 2, 0))) char *sa_vprintf(sa_arena *arena, const char *format,
                                                       va_list args);

/* Says so on stderr and ends the program with status 2. */
_Noreturn void sa_out_of_memory(void);

#endif
