/* Time as it passes. */
#ifndef SA_BASE_CLOCK_H
#define SA_BASE_CLOCK_H

/* Seconds since some fixed moment; never goes back. For durations and deadlines only: no output
 * but timing may depend on it. */
double sa_now(void);

#endif
