#!/usr/bin/env python3
"""valgrind's memcheck over fixtures: no bad access and no leak from the project's own code.

Usage: memcheck.py PROGRAM [--files N]

Takes every n-th source below fixtures/cases, N in all (20). What libclang and LLVM do inside is
suppressed by llvm.supp.
"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests", "account"))
from account import sources  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--files", type=int, default=20)
    options = parser.parse_args()
    fixtures = os.path.join(TOP, "fixtures", "cases")
    every = list(sources(fixtures))
    chosen = [every[i * len(every) // options.files] for i in range(min(options.files, len(every)))]
    failed = 0
    for path in chosen:
        done = subprocess.run(["valgrind", "--quiet", "--error-exitcode=98", "--leak-check=full",
                               "--show-leak-kinds=definite,indirect,possible",
                               "--errors-for-leak-kinds=definite,indirect,possible",
                               "--suppressions=" + os.path.join(HERE, "llvm.supp"),
                               options.program, "--root", ".", "--no-config", "-j0", "--format", "json", path],
                              cwd=fixtures, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=1800)
        bad = done.returncode not in (0, 1, 3)
        failed += bad
        print(f"{path}: {'status %d' % done.returncode if bad else 'clean'}", flush=True)
        if bad:
            print(done.stderr.decode("utf-8", "replace")[-6000:], flush=True)
    print(f"memcheck: {len(chosen)} files, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
