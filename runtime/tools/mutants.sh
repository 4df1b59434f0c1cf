#!/bin/sh
# Every legality check is worth a test: takes them out one at a time (tests/mutants.txt) and wants
# the suite to fail.
# usage: runtime/tools/mutants.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
exec python3 "$root/tools/mutants.py" "$root" "${SAR_BUILD:-$root/../build-mutants}"
