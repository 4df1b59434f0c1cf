#!/bin/sh
# On a machine with an NVIDIA GPU: builds the runtime with CUDA, runs the device's tests, every
# fixture in every form, the benchmarks, and PyTorch beside them; prints the tables and the
# acceptance lines, and leaves gpu.json, gpu.txt, two traces, a picture and validation-gpu.md in
# OUTDIR. Ends with 77 where there is no GPU. To bring the last two into the documentation:
#   python3 runtime/tools/validation.py put docs/validation.md OUTDIR/validation-gpu.md
# usage: runtime/tools/gpu.sh OUTDIR
set -u
[ $# -eq 1 ] || { echo "usage: $0 OUTDIR" >&2; exit 2; }
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 2
root=$(cd "$(dirname "$0")/.." && pwd)
build=${SAR_BUILD:-$root/../build-gpu}
work=$build/results
mkdir -p "$work"
rm -f "$work"/*.json "$work/tests.txt" "$work/rc"

# FindCUDAToolkit looks beside nvcc by itself; a linked nvcc it would miss.
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -n 1)
if [ -n "$nvcc" ]; then
  CUDAToolkit_ROOT=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
  PATH=$CUDAToolkit_ROOT/bin:$PATH
  export CUDAToolkit_ROOT PATH
fi

{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
  echo "== build"
  if ! cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DSAR_WERROR=OFF >"$work/build.log" 2>&1 ||
    ! cmake --build "$build" -j "$(nproc)" >>"$work/build.log" 2>&1; then
    tail -40 "$work/build.log"
    echo "build failed"
    echo 1 >"$work/rc"
    exit
  fi
  grep "CUDA backend" "$work/build.log"
  "$build/tools/sar-run" --backend cuda --fixture wait_late --runs 1 >/dev/null
  if [ $? -eq 77 ]; then
    echo "skipped: no device, or no CUDA to build with; there is nothing to measure here"
    echo 77 >"$work/rc"
    exit
  fi
  failed=0
  echo "== tests on the device"
  for t in conformance capture capture_rules steps; do
    printf '%s: ' "$t"
    timeout 45 "$build/tests/sar-test-$t" --cuda
    code=$?
    echo "$t $code" >>"$work/tests.txt"
    [ $code -eq 0 ] || { echo "failed: $code"; failed=1; }
  done 2>&1
  echo "== fixtures"
  timeout 100 "$build/tools/sar-run" --backend cuda --runs 10 --json "$work/fixtures.json" || failed=1
  for form in R E; do
    timeout 15 "$build/tools/sar-run" --backend cuda --fixture cpu_ahead --form $form --runs 1 \
      --trace "$out/trace_$form.tsv" >/dev/null || failed=1
  done
  python3 "$root/tools/plot.py" "$out/memory.svg" "A block a turn, CPU ahead of the GPU: 40 turns of 32 MiB" \
    "record_stream=$out/trace_R.tsv" "events=$out/trace_E.tsv" || failed=1
  echo "== benchmarks"
  timeout 45 "$build/bench/sar-bench" --cuda --json "$work/bench.json" || failed=1
  echo "== PyTorch"
  timeout 110 python3 "$root/tools/torch_side.py" "$work/torch.json" "$build/bench/sar-bench" || echo "PyTorch: not measured"
  cat "$work/torch.json" 2>/dev/null
  echo
  echo "== acceptance"
  python3 "$root/tools/gpu_report.py" "$work" || failed=1
  echo $failed >"$work/rc"
} 2>&1 | tee "$out/gpu.txt"

if cp "$work/gpu.json" "$out/" 2>/dev/null; then
  python3 "$root/tools/validation.py" gpu "$out/gpu.json" >"$out/validation-gpu.md" ||
    rm -f "$out/validation-gpu.md"
fi
exit "$(cat "$work/rc" 2>/dev/null || echo 1)"
