/* The Python code of a Jupyter notebook. */
#ifndef SA_PROJECT_NOTEBOOK_H
#define SA_PROJECT_NOTEBOOK_H

#include "base/diag.h"
#include "model/job.h"

/* Puts the code cells, one after the other, in the place of the notebook's own text, and says in
 * job->origin where they come from. IPython's own lines (%magic, !command, name?) become blanks, so
 * do cells in another language (%%bash). A notebook that is no JSON, or has no cells where format 4
 * keeps them, is SA_E_PARSE with a message; one in another language has no code and a note. */
sa_status sa_notebook_open(sa_job *job, sa_arena *arena, sa_diag *diag);

#endif
