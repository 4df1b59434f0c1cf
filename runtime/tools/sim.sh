#!/bin/sh
# Builds the runner and prints the table of fixtures from the simulator: every schedule of each.
# usage: runtime/tools/sim.sh [sar-run options]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${SAR_BUILD:-$root/../build-runtime}
cmake -S "$root" -B "$build" -DSAR_CUDA=OFF -DBUILD_TESTING=OFF >"$build.log" 2>&1 ||
  { cat "$build.log"; exit 1; }
cmake --build "$build" --target sar-run -j "$(nproc)" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
rm -f "$build.log"
exec "$build/tools/sar-run" --backend sim "$@"
