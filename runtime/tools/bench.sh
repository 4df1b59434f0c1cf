#!/bin/sh
# Builds the benchmarks and runs them on the simulator; sim.sh's build folder is used again.
# usage: runtime/tools/bench.sh [--json FILE]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${SAR_BUILD:-$root/../build-runtime}
cmake -S "$root" -B "$build" -DSAR_CUDA=OFF -DBUILD_TESTING=OFF >"$build.log" 2>&1 ||
  { cat "$build.log"; exit 1; }
cmake --build "$build" --target sar-bench -j "$(nproc)" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
rm -f "$build.log"
exec "$build/bench/sar-bench" "$@"
