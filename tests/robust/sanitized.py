#!/usr/bin/env python3
"""Runs the sanitized program over every source of the fixtures and over files of other trees.

Usage: sanitized.py PROGRAM [--files N] [TREE...]

Of a tree: all files that hold a record call, then the first of the others by name, N in all (200).
Every file is analysed (`--no-prefilter`), in a process of its own: a report of a sanitizer, a leak, a
signal or a status other than 0 to 3 is a failure, and the status of this script is then 1.
"""
import argparse
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "account"))
from account import sources  # noqa: E402

ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=1:exitcode=97",
                   UBSAN_OPTIONS="print_stacktrace=1:exitcode=97")
MARKS = ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:")


def choose(program, tree, limit):
    done = subprocess.run([program, "--root", ".", "--list-files", "."], cwd=tree, capture_output=True,
                          env=ENVIRONMENT, check=True, timeout=600)
    first = done.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
    rest = [path for path in sources(tree) if path not in set(first)]
    return (first + rest)[:limit]


def clean(program, tree, path):
    try:
        done = subprocess.run([program, "--root", ".", "--no-config", "--no-prefilter", "-j0", "--format", "json", path],
                              cwd=tree, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=900)
    except subprocess.TimeoutExpired:
        print(f"{tree}/{path}: no end in 900 s", flush=True)
        return False
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode in (0, 1, 2, 3) and not any(mark in said for mark in MARKS):
        return True
    print(f"{tree}/{path}: status {done.returncode}\n{said[-4000:]}", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("trees", nargs="*")
    options = parser.parse_args()
    fixtures = os.path.join(TOP, "fixtures", "cases")
    work = [(fixtures, path) for path in sources(fixtures)]
    print(f"{len(work)} files of fixtures/cases")
    for tree in options.trees:
        chosen = choose(options.program, tree, options.files)
        print(f"{len(chosen)} files of {os.path.basename(os.path.normpath(tree))}", flush=True)
        work += [(tree, path) for path in chosen]
    failed = sum(not clean(options.program, tree, path) for tree, path in work)
    print(f"sanitized: {len(work)} files, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
