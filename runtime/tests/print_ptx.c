/* Prints the kernels' PTX, for ptxas. */
#include <stdio.h>

#include "cuda/kernels.h"

int main(void) {
  return fputs(sar_ptx, stdout) < 0;
}
