#!/bin/sh
# Installs the build given, then builds a program against it with the CMake package and once more
# with pkg-config, and compiles every public header alone, as C and as C++.
# usage: install.sh BUILD SOURCE
set -eu
build=$1
source=$2
work=$build/install-test
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$source/tests/consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" \
  ${SAR_TEST_FLAGS:+"-DCMAKE_C_FLAGS=$SAR_TEST_FLAGS"} >/dev/null
cmake --build "$work/cmake" >/dev/null
"$work/cmake/consumer"
passed=1

pc=$(dirname "$(find "$work/prefix" -name sar.pc)")
# shellcheck disable=SC2046 # the flags are words
PKG_CONFIG_PATH=$pc ${CC:-cc} ${SAR_TEST_FLAGS:-} "$source/tests/consumer/main.c" -o "$work/consumer" \
  $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs sar)
"$work/consumer"
passed=$((passed + 1))

for header in "$work"/prefix/include/sar/*.h; do
  ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$work/prefix/include" -x c "$header"
  ${CXX:-c++} -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$work/prefix/include" -x c++ "$header"
  passed=$((passed + 1))
done
echo "$passed passed, 0 failed"
