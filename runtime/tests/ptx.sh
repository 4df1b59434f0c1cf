#!/bin/sh
# Assembles the kernels' PTX for the GPUs that the runtime meets. usage: ptx.sh PRINTER WORK
set -eu
command -v ptxas >/dev/null || { echo "skipped: no ptxas"; exit 77; }
"$1" >"$2/kernels.ptx"
for arch in sm_80 sm_90; do ptxas -arch=$arch "$2/kernels.ptx" -o "$2/kernels.$arch"; done
echo "2 passed, 0 failed"
