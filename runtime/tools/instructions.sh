#!/bin/sh
# Instructions of a cached pair of malloc and free, counted by valgrind: a figure that repeats on a
# busy machine. What the program does besides is taken off by counting twice.
# usage: runtime/tools/instructions.sh [SAR_BENCH]
set -eu
bench=${1:-$(cd "$(dirname "$0")/../.." && pwd)/build-runtime/bench/sar-bench}
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --pairs "$1" "$2" 2>&1 |
    awk '/Collected/ {print $4}'
}
for bytes in 512 4096 1048576 2097152 16777216 67108864; do
  few=$(count 1000 $bytes)
  many=$(count 11000 $bytes)
  echo "$bytes bytes: $(((many - few) / 10000)) instructions"
done
