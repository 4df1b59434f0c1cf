/* Comments that allow findings, with a reason. */
#ifndef SA_FILTER_SUPPRESS_H
#define SA_FILTER_SUPPRESS_H

#include "model/finding.h"
#include "model/ir.h"
#include "model/job.h"

/* Reads the suppressions of one source, ties the findings of `result` in it to them, adds them to
 * result->suppressions and adds a finding for each that is not as it should be. `unit` knows the
 * functions; NULL when the source was not analysed (then nobody can say that one is unused), unless
 * `complete`: it was not analysed because nothing in it can be found. */
void sa_suppress(sa_result *result, sa_arena *arena, const sa_job *job, const sa_ir_unit *unit,
                 bool complete);

#endif
