#!/usr/bin/env python3
"""Runs what README.md shows and compares: sources in fenced cpp blocks and the output below `$ ./dev lint`."""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def check_readme(lint):
    text = read("README.md")
    failures = []
    for path, shown in re.findall(r"`(docs/examples/[^`]+)`:\n\n```cpp\n(.*?)```", text, re.S):
        if read(path) != shown:
            failures.append(path + " is not what README.md shows")
    runs = re.findall(r"```\n\$ \./dev lint ([^\n]+)\n(.*?)```", text, re.S)
    for args, shown in runs:
        done = subprocess.run([lint, "--no-config", "--color", "never", *args.split()], cwd=TOP,
                              capture_output=True, text=True, timeout=120, check=False)
        if done.stdout != shown:
            failures.append("the output of `./dev lint %s` is not what README.md shows:\n%s" % (args, done.stdout))
    if not runs:
        failures.append("README.md shows no run")
    return failures


def check_links():
    failures = []
    for folder, _, names in sorted(os.walk(os.path.join(TOP, "docs"))):
        for name in sorted(names):
            if name.endswith(".md"):
                failures += dead_links(os.path.relpath(os.path.join(folder, name), TOP))
    return failures + dead_links("README.md")


def dead_links(path):
    dead = []
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", read(path)):
        if not os.path.exists(os.path.join(TOP, os.path.dirname(path), target)):
            dead.append("%s links to %s, which is not there" % (path, target))
    return dead


def main():
    failures = check_readme(sys.argv[1]) + check_links()
    for failure in failures:
        print(failure)
    print("docs: %d failed" % len(failures))
    return 1 if failures else 0


sys.exit(main())
