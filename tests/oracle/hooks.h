/* Put before a generated program when it is compiled to run: every call of the runtime goes through
 * the harness, which knows the line, adds the worst next owner behind each release, and can leave
 * out a record call. The text that is linted does not see this file. */
#ifndef ORACLE_HOOKS_H
#define ORACLE_HOOKS_H

#include <sar/program.h>

sar_status oracle_malloc(int line, sar_addr *out, sar_pool *pool, size_t bytes, sar_stream stream);
sar_status oracle_free(int line, sar_pool *pool, sar_addr addr);
sar_status oracle_record(int line, sar_pool *pool, sar_addr addr, sar_stream stream);
/* An operation was queued at that line; hands its status on. */
sar_status oracle_op(int line, sar_status status);
/* A function of the program is called at that line, and has returned. */
void oracle_enter(int line);
void oracle_leave(void);

#define sar_malloc(out, pool, bytes, stream)  oracle_malloc(__LINE__, out, pool, bytes, stream)
#define sar_free(pool, addr)                  oracle_free(__LINE__, pool, addr)
#define sar_record_stream(pool, addr, stream) oracle_record(__LINE__, pool, addr, stream)
#define sar_fill(...)                         oracle_op(__LINE__, (sar_fill)(__VA_ARGS__))
#define sar_copy(...)                         oracle_op(__LINE__, (sar_copy)(__VA_ARGS__))
#define sar_add(...)                          oracle_op(__LINE__, (sar_add)(__VA_ARGS__))
#define sar_checksum(...)                     oracle_op(__LINE__, (sar_checksum)(__VA_ARGS__))
#define sar_spin(...)                         oracle_op(__LINE__, (sar_spin)(__VA_ARGS__))
#define sar_read(...)                         oracle_op(__LINE__, (sar_read)(__VA_ARGS__))

#endif
