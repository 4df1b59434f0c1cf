/* What GitHub takes of a SARIF log at most, and what readers can still use. */
#ifndef SA_MODEL_LIMITS_H
#define SA_MODEL_LIMITS_H

enum {
  SA_SARIF_MAX_RESULTS = 25000,
  SA_SARIF_MAX_BYTES = 10000000, /* after gzip */
  SA_SARIF_MAX_STEPS = 100
};

/* What a log says about results over the limits; %u: how many. */
#define SA_SARIF_LEFT_OUT                                                                          \
  "%u results are left out: a log holds 25000 at most, and 10 MB after gzip, and those of the "    \
  "highest level and rank are kept."

#endif
