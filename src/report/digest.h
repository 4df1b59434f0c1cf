/* Hashes that outputs must agree on with other programs. */
#ifndef SA_REPORT_DIGEST_H
#define SA_REPORT_DIGEST_H

#include "report/lines.h"

/* SHA-256 of `length` bytes in lower-case hex, NUL-terminated. */
void sa_sha256_hex(char out[65], const char *data, size_t length);

/* GitHub's line hash of line `number` (from 1), as its upload action computes it, such as
 * "39fa2ee980eb94b0:1"; NULL when there is no such line. Made for the whole file at the first call
 * and kept with it. */
const char *sa_line_fingerprint(sa_file_lines *file, uint32_t number);

#endif
