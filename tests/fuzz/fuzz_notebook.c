/* Jupyter notebooks, and the places in them. */
#include "target.h"

#include "model/origin.h"
#include "project/notebook.h"

void sa_fuzz_one(sa_arena *arena, sa_diag *diag, const char *text, size_t length) {
  sa_job job = {.root = "/fuzz",
                .path = "a.ipynb",
                .absolute = "/fuzz/a.ipynb",
                .text = text,
                .length = length,
                .language = "python"};
  sa_status status = sa_notebook_open(&job, arena, diag);
  sa_fuzz_check(status == SA_OK || sa_diag_has_errors(diag), "a refusal has a message");
  sa_fuzz_check(status != SA_OK || job.text != NULL, "code, if only none");
}
